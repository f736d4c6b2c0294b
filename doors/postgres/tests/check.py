"""Tests the extension on a server: python3 check.py SOCKETS TAGWISE SAMPLES [CERTIFICATES]

SOCKETS is the folder of the server's socket, TAGWISE the command, SAMPLES the folder docs/samples, and CERTIFICATES a file with
concatenated certificates, whose columns are compared with those of the command. The database must have the extension.
"""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile

SOCKETS, TAGWISE, SAMPLES = sys.argv[1:4]
HERE = pathlib.Path(__file__).parent


def sql(text):
    """Runs SQL, and returns the rows."""
    command = ["psql", "-h", SOCKETS, "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-Atq", "-F", "\x1f", "-R", "\x1e"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{done.stderr}\n{text[:1000]}")
    out = done.stdout.removesuffix("\n")
    return [tuple(row.split("\x1f")) for row in out.split("\x1e")] if out else []


def fails(text):
    """Runs SQL that must fail, and returns the message."""
    command = ["psql", "-h", SOCKETS, "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-Atq", "-c", text]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0, text
    return done.stderr


def sample(name):
    lines = (pathlib.Path(SAMPLES) / name).read_text().split("-----BEGIN CERTIFICATE-----")[1]
    return base64.b64decode(lines.split("-----END")[0])


def literal(der):
    return f"'\\x{der.hex()}'::bytea"


def equal(found, expected, what):
    assert found == expected, f"{what}:\n  found    {found}\n  expected {expected}"


LEAF, ROOT = sample("leaf.pem"), sample("root.pem")
ONE = """
x509_subjectName(C)|C=DE, O="Beispiel AG, Müller & Söhne", CN=www.example.com
x509_subjectName(C, 17892119)|CN=www.example.com,O=Beispiel AG\\, Müller & Söhne,C=DE
x509_issuerName(C)|C=DE, O="Beispiel AG, Müller & Söhne", CN=Example Root
x509_name_print(x509_name(C))|C=DE, O="Beispiel AG, Müller & Söhne", CN=www.example.com
x509_name(C, false) = x509_name(R)|t
x509_commonName(C)|www.example.com
x509_serialNumber(C)|\\x5ec3b7a6437fa4e05ec3b7a6437fa4e0
x509_notBefore(C)|2026-11-21 12:51:29
x509_notAfter(C)|2126-10-28 12:51:29
encode(sha256(x509_publicKey(C)), 'hex')|b578e14b308bbe2e807e4f5937b716eab7d3a5b3e380096581374f0e5033ce13
x509_publicKeyMD5(C)|\\xfe1a190f0ae1fc95ead82b72dbe51073
length(x509_rsaModulus(C))|256
x509_rsaModulus(R)|
x509_keyAlgorithm(C)|RSA
x509_keyAlgorithm(R)|EC
x509_keySize(C)|2048
x509_keySize(R)|256
x509_signatureHashAlgorithm(C)|SHA-256
x509_signatureKeyAlgorithm(C)|ECDSA
x509_subjectKeyIdentifier(C)|\\x5a750ec28caa43bfd31b1b39c31f76b859c5025c
x509_authorityKeyId(C) = x509_subjectKeyIdentifier(R)|t
x509_isEKUPermitted(C, '1.3.6.1.5.5.7.3.1')|t
x509_isEKUPermitted(C, '1.3.6.1.5.5.7.3.3')|f
x509_isEKUPermitted(R, '1.3.6.1.5.5.7.3.3')|t
x509_isPolicyPermitted(R, '2.23.140.1.2.1')|t
x509_isPolicyPermitted(R, '1.2.3')|f
x509_canIssueCerts(C)|f
x509_canIssueCerts(R)|t
x509_getPathLenConstraint(C)|-3
x509_getPathLenConstraint(R)|1
x509_hasExtension(C, '2.5.29.15')|t
x509_hasExtension(C, 'keyUsage', false)|f
x509_hasExtension(C, '1.2.3')|f
x509_hasExtension(C, 'nothing')|
x509_anyNamesWithNULs(C)|f
x509_hasROCAFingerprint(C)|f
x509_verify(C, x509_publicKey(R))|t
x509_verify(R, x509_publicKey(R))|t
x509_verify(C, x509_publicKey(C))|f
x509_verify(set_byte(C, length(C) - 1, 0), x509_publicKey(R))|f
left(x509_print(C), 12)|Certificate:
x509_error(C)|
x509_subjectName(NULL)|
x509_keySize(NULL)|
x509_subjectName('\\x30')|ERROR!
x509_commonName('\\x30')|ERROR!
x509_keyAlgorithm('')|ERROR!
x509_signatureHashAlgorithm('')|ERROR!
x509_print('')|ERROR!
x509_keySize('')|-1
x509_notAfter('')|
x509_serialNumber('')|
x509_getPathLenConstraint('')|-1
x509_canIssueCerts('')|f
x509_verify('', '')|f
x509_verify(C, '')|f
"""
SETS = {
    "x509_extKeyUsages(C)": ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2", "1.3.6.1.4.1.99999.2"],
    "x509_altNames(C)": ["www.example.com", "*.example.com", "192.0.2.7", "2001:DB8:0:0:0:0:0:7", "eva@example.com",
                         "https://example.com/", "O=Nobody"],
    "x509_altNames(C, 2)": ["www.example.com", "*.example.com"],
    "x509_altNames(C, NULL, false)": [],
    "x509_certPolicies(R)": ["2.23.140.1.2.1", "1.3.6.1.4.1.99999.1"],
    "x509_cRLDistributionPoints(C)": ["http://ca.example.com/root.crl", "http://ca2.example.com/root.crl"],
    "x509_authorityInfoAccess(C)": ["http://ocsp.example.com/", "http://ca.example.com/root.cer"],
    "x509_authorityInfoAccess(C, 1)": ["http://ocsp.example.com/"],
    "x509_authorityInfoAccess(C, 2)": ["http://ca.example.com/root.cer"],
    "x509_authorityInfoAccess(C, 3)": [],
    "x509_extensions(R, false)": ["basicConstraints", "keyUsage", "subjectKeyIdentifier", "nameConstraints",
                                  "certificatePolicies", "policyConstraints"],
    "x509_nameAttributes(C, 'commonName', true)": ["www.example.com"],
    "x509_nameAttributes(C, '2.5.4.10', false)": ["Beispiel AG, Müller & Söhne"],
    "x509_nameAttributes(C, NULL, true, false)": ["2.5.4.6", "2.5.4.10", "2.5.4.3"],
    "x509_nameAttributes('', 'commonName', true)": [],
    "x509_extensions('')": [],
}


def with_names(text):
    return text.replace("(C", f"({literal(LEAF)}").replace("(R", f"({literal(ROOT)}")


def values():
    """Each function has the expected result."""
    lines = [line.rsplit("|", 1) for line in ONE.strip().split("\n")]
    (found,) = sql("SELECT " + ",\n".join(with_names(call) for call, _ in lines))
    for (call, expected), value in zip(lines, found, strict=True):
        equal(value, expected, call)
    for call, expected in SETS.items():
        equal([row[0] for row in sql(f"SELECT * FROM {with_names(call)}")], expected, call)
        equal([row[0] for row in sql(f"SELECT {with_names(call)}")], expected, call)
    assert "unsupported kind of name: 3" in fails(with_names("SELECT x509_altNames(C, 3)"))
    assert "flags 1 are not supported" in fails(with_names("SELECT x509_subjectName(C, 1)"))
    assert "unknown attribute" in fails(with_names("SELECT x509_nameAttributes(C, 'nothing', true)"))


def replaced(der, old, new):
    assert len(old) == len(new) and der.count(old) >= 1
    return der.replace(old, new)


def special():
    """Names with NUL and without UTF-8, and the fingerprint of weak keys."""
    nul = replaced(LEAF, b"www.example.com", b"www\0example.com")
    equal(sql(f"SELECT x509_anyNamesWithNULs({literal(nul)})"), [("t",)], "NUL")
    equal(sql(f"SELECT * FROM x509_altNames({literal(nul)}, 2)")[0], ("www\\00example.com",), "NUL in a name")
    latin = replaced(LEAF, b"*.example.com", b"\xe4.example.com")
    equal(sql(f"SELECT * FROM x509_altNames({literal(latin)}, 2)")[1], ("\\E4.example.com",), "no UTF-8")
    primes = [number for number in range(3, 168) if all(number % divisor for divisor in range(2, number))]
    product = 1
    for prime in primes:
        product *= prime
    power = pow(65537, 123456789, product)
    modulus = int.from_bytes(bytes.fromhex(sql(f"SELECT encode(x509_rsaModulus({literal(LEAF)}), 'hex')")[0][0]), "big")
    weak = modulus - modulus % product + power
    of = lambda number: number.to_bytes(256, "big")
    found = sql(f"SELECT x509_hasROCAFingerprint({literal(replaced(LEAF, of(modulus), of(weak)))})")
    equal(found, [("t",)], "weak key")


def element(tag, content):
    length = len(content)
    count = (length.bit_length() + 7) // 8
    header = bytes([length]) if length < 128 else bytes([0x80 | count]) + length.to_bytes(count, "big")
    return bytes([tag]) + header + content


def elements(content):
    """The elements of a content, each with its content."""
    at = 0
    while at < len(content):
        length, start = content[at + 1], at + 2
        if length & 0x80:
            count = length & 0x7F
            length, start = int.from_bytes(content[start : start + count], "big"), start + count
        yield content[at : start + length], content[start : start + length]
        at = start + length


def transparency():
    """The part to which SCTs refer has neither the SCTs nor the poison."""
    ((_, certificate),) = elements(LEAF)
    (tbs, parts), *rest = elements(certificate)
    *others, (_, tagged) = elements(parts)
    ((_, extensions),) = elements(tagged)
    for last, value in ((2, b"\x04\x02\x00\x00"), (3, b"\x05\x00")):
        oid = bytes.fromhex("060a2b06010401d679020400")[:-1] + bytes([last])
        extra = element(0x30, oid + element(4, value))
        for added in (extensions + extra, extra + extensions):
            parts = b"".join(whole for whole, _ in others) + element(0xA3, element(0x30, added))
            changed = element(0x30, element(0x30, parts) + b"".join(whole for whole, _ in rest))
            call = f"x509_tbscert_strip_ct_ext({literal(changed)}) = {literal(tbs)}"
            equal(sql(f"SELECT x509_hasExtension({literal(changed)}, '1.3.6.1.4.1.11129.2.4.{last}'), {call}"), [("t", "t")], call)
    equal(sql(f"SELECT x509_tbscert_strip_ct_ext({literal(LEAF)}) = {literal(tbs)}"), [("t",)], "unchanged")


def functions():
    """The calls of all functions in the table, with a certificate c."""
    for line in (HERE / "../functions.tsv").read_text().splitlines()[1:]:
        name, arguments, result, *_ = line.split("\t")
        given = {"text": "'2.5.29.15'", "boolean": "true", "bytea": "c"}
        first, *rest = arguments.split(", ")
        required = [given[argument.split()[1]] for argument in rest if "DEFAULT" not in argument]
        call = f"{name}({', '.join(['c', *required])})"
        yield f"(SELECT count(*) FROM {call})" if result.startswith("SETOF") else call


def hostile():
    """No input ends the server: all truncations, and all bytes changed."""
    calls = ", ".join(f"count({call})" for call in functions())
    for der in (LEAF, ROOT):
        for rows in (
            f"SELECT substring({literal(der)} FROM 1 FOR n) c FROM generate_series(0, {len(der)}) n",
            f"SELECT set_byte({literal(der)}, n, b) c FROM generate_series(0, {len(der) - 1}) n, unnest(ARRAY[0, 1, 127, 128, 255]) b",
        ):
            # A crash ends the connection.
            equal(len(sql(f"SELECT {calls} FROM ({rows}) rows")), 1, "rows")
    equal(sql(f"SELECT count(x509_subjectName(repeat('0', 1000000)::bytea))"), [("1",)], "large input")


def columns(path):
    """The columns of many certificates are those of the command, also in parallel, and of an index."""
    scanned = subprocess.run([TAGWISE, "scan", "--ndjson", "--no-progress", "--no-lint", path], capture_output=True, text=True)
    # The first line names the schema.
    items = [json.loads(line) for line in scanned.stdout.splitlines()[1:]]
    whole = pathlib.Path(path).read_bytes()
    with tempfile.NamedTemporaryFile("w", suffix=".copy") as file:
        for index, item in enumerate(items):
            der = whole[item["offset"] : item["offset"] + item["size"]]
            file.write(f"{index}\t\\\\x{der.hex()}\n")
        file.flush()
        sql(f"DROP TABLE IF EXISTS certificates; CREATE TABLE certificates (id integer PRIMARY KEY, der bytea);\n"
            f"\\copy certificates FROM '{file.name}'\nANALYZE certificates")
    query = """SELECT id, ltrim(encode(x509_serialNumber(der), 'hex'), '0'), to_char(x509_notBefore(der), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        to_char(x509_notAfter(der), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), x509_keySize(der), x509_subjectName(der, 17892119),
        x509_error(der) IS NULL FROM certificates ORDER BY id"""
    rows = sql(query)
    equal(len(rows), len(items), "certificates")
    compared = 0
    for row, item in zip(rows, items):
        if item.get("error") is None:
            compared += 1
            # The command writes the sign of a negative number.
            serial = row[1] if item["serial"].startswith("-") else item["serial"]
            bits = item["key"]["bits"] if item["key"] else -1
            # The command names attributes that RFC 4514 does not name.
            subject = row[5] if "=#" in row[5] else item["subject"]
            expected = (serial.lstrip("0"), item["not_before"], item["not_after"], str(bits or -1), subject)
            equal(row[1:6], expected, f"certificate {row[0]}")
        equal(row[6], "t" if item["state"] == "strict" else "f", f"certificate {row[0]}")
    parallel = "SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;"
    count = "SELECT x509_keyAlgorithm(der), count(*) FROM certificates GROUP BY 1 ORDER BY 1"
    assert any("Parallel" in row[0] for row in sql(f"{parallel} EXPLAIN {count}")), "no parallel plan"
    equal(sql(f"{parallel} {count}"), sql(f"SET max_parallel_workers_per_gather = 0; {count}"), "parallel")
    sql("CREATE INDEX ON certificates (x509_notAfter(der))")
    late = "SELECT count(*) FROM certificates WHERE x509_notAfter(der) > '2040-01-01'"
    equal(sql(f"SET enable_seqscan = off; {late}"), sql(f"SET enable_indexscan = off; SET enable_bitmapscan = off; {late}"), "index")
    print(f"{compared} of {len(items)} certificates are equal")


values()
special()
transparency()
hostile()
if len(sys.argv) > 4:
    columns(sys.argv[4])
print("the extension passes")

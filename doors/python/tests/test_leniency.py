"""What is tolerated by name is tolerated in every part, and listed; without its name it is refused there."""

from __future__ import annotations

import datetime
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from tagwise import Asn1Error, _native, keys, x509
from tagwise.x509 import ocsp

from .ber import Node, parse
from .conftest import ROOM

LONG = ["long-length"]
BOTH = ["long-length", "boolean-value"]


def extension(extensions: Node, oid: str) -> Node:
    content = x509_oid(oid)
    return next(one for one in extensions.children if one[0].content == content)


def x509_oid(dotted: str) -> bytes:
    return parse(_native.encode("AlgorithmIdentifier", {"algorithm": dotted}))[0].content


SAN = "2.5.29.17"


def subject(tree: Node) -> None:
    tree[0][5][0].long = True


def issuer(tree: Node) -> None:
    tree[0][3][0][0].long = True


def value(tree: Node) -> None:
    extension(tree[0][7][0], SAN).children[-1].open().long = True


def entry(tree: Node) -> None:
    extension(tree[0][7][0], SAN).long = True


def critical(tree: Node) -> None:
    one = next(one for one in tree[0][7][0].children if len(one.children) == 3)
    one[1].content = b"\x01"


def key(tree: Node) -> None:
    tree[0][6][0].long = True


def key_parameters(tree: Node) -> None:
    tree[0][6][0][1].long = True


def algorithm(tree: Node) -> None:
    tree[0][2].long = True
    tree[1].long = True


#: What is changed, and how the part is asked for.
PARTS: dict[str, tuple[Callable[[Node], None], Callable[[x509.Certificate], Any]]] = {
    "subject": (subject, lambda one: one.subject),
    "issuer": (issuer, lambda one: one.issuer),
    "the value of an extension": (value, lambda one: one.extension(x509.SubjectAlternativeName).value),
    "an extension": (entry, lambda one: list(one.extensions)),
    "the criticality of an extension": (critical, lambda one: [each.critical for each in one.extensions]),
    "the key": (key, lambda one: one.public_key().public_numbers()),
    "the parameters of the key": (key_parameters, lambda one: one.public_key().public_numbers()),
    "the algorithm of the key": (key, lambda one: one.public_key_algorithm_oid),
    "the algorithm of the signature": (algorithm, lambda one: one.signature_hash_algorithm.name),
}


@pytest.mark.parametrize("part", PARTS)
def test_parts_of_certificates(der: bytes, part: str) -> None:
    change, ask = PARTS[part]
    expected = ask(x509.load_der_x509_certificate(der))
    tree = parse(der)
    change(tree)
    changed = tree.encode()
    assert changed != der
    with pytest.raises(Asn1Error):
        ask(x509.load_der_x509_certificate(changed))
        x509.load_der_x509_certificate(changed).check()
    read = x509.load_der_x509_certificate(changed, allow=BOTH)
    assert ask(read) == expected
    assert {one.rule for one in read.deviations} & set(BOTH)
    assert all(0 < one.offset < len(changed) for one in read.deviations)
    read.check()
    (many,) = x509.load_many([changed], allow=BOTH)
    again = pickle.loads(pickle.dumps(many))
    assert isinstance(many, x509.Certificate) and ask(many) == ask(again) == expected
    assert read.get("tbsCertificate.serialNumber") == [read.serial_number]


def crl_tree() -> Node:
    return parse(_native.read_pem((ROOM / "custom" / "crl_all_reasons.pem").read_bytes())[0][1])


def test_parts_of_lists() -> None:
    strict = x509.load_der_x509_crl(crl_tree().encode())
    tree = crl_tree()
    entries = next(one for one in tree[0].children[3:] if one.tag == 0x30)
    for number in (0, 2):
        entries[number].long = True
    last = entries.children[-1]
    last[-1][0].children[-1].open().long = True
    tree[0][2][0].long = True
    changed = tree.encode()
    with pytest.raises(Asn1Error):
        len(x509.load_der_x509_crl(changed))
    read = x509.load_der_x509_crl(changed, allow=LONG)
    assert read.issuer == strict.issuer
    assert [one.serial_number for one in read] == [one.serial_number for one in strict]
    for number in (0, 2, len(strict) - 1):
        found = read.get_revoked_certificate_by_serial_number(strict[number].serial_number)
        assert found is not None and list(found.extensions) == list(strict[number].extensions)
        again = pickle.loads(pickle.dumps(found))
        assert list(again.extensions) == list(strict[number].extensions)
    # The times of this list are GeneralizedTime, which is always listed.
    assert [one.rule for one in read.deviations if one.rule != "time-choice"] == LONG * 4


def request_tree() -> Node:
    return parse(_native.read_pem((ROOM / "requests" / "san_rsa_sha1.pem").read_bytes())[0][1])


def test_parts_of_requests() -> None:
    strict = x509.load_der_x509_csr(request_tree().encode())
    tree = request_tree()
    tree[0][1][0].long = True
    tree[0][2][0].long = True
    attribute = tree[0][3][0]
    attribute.long = True
    listed = attribute[1][0]
    listed[0].long = True
    listed[0].children[-1].open().long = True
    changed = tree.encode()
    with pytest.raises(Asn1Error):
        x509.load_der_x509_csr(changed).subject
    read = x509.load_der_x509_csr(changed, allow=LONG)
    assert read.subject == strict.subject
    assert list(read.extensions) == list(strict.extensions)
    assert read.public_key_algorithm_oid == strict.public_key_algorithm_oid
    assert [one.oid for one in read.attributes] == [one.oid for one in strict.attributes]


def answered() -> tuple[bytes, bytes]:
    """A request and a response with extensions."""
    private = keys.PrivateKey.generate("p-256")
    start = datetime.datetime(2026, 1, 1)
    name = x509.Name.from_rfc4514_string("CN=Responder")
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=1))
        .sign(private, "sha256")
    )
    nonce = x509.OCSPNonce(b"0123456789abcdef")
    request = ocsp.OCSPRequestBuilder().add_certificate(certificate, certificate, "sha256").add_extension(nonce, False)
    response = (
        ocsp.OCSPResponseBuilder()
        .add_response(certificate, certificate, "sha256", ocsp.OCSPCertStatus.GOOD, start, None, None, None)
        .responder_id(ocsp.OCSPResponderEncoding.NAME, certificate)
        .certificates([certificate])
        .add_extension(nonce, False)
        .sign(private, "sha256")
    )
    return request.build().public_bytes("DER"), response.public_bytes("DER")


def test_parts_of_ocsp() -> None:
    request, response = answered()
    tree = parse(request)
    tree[0][0][0].long = True
    tree[0][1][0][0].long = True
    changed = tree.encode()
    with pytest.raises(Asn1Error):
        ocsp.load_der_ocsp_request(changed)
    read = ocsp.load_der_ocsp_request(changed, allow=LONG)
    strict = ocsp.load_der_ocsp_request(request)
    assert list(read.extensions) == list(strict.extensions) and read.issuer_key_hash == strict.issuer_key_hash
    assert pickle.loads(pickle.dumps(read)) == read

    tree = parse(response)
    basic = tree[1][0][1].open()
    data = basic[0]
    data.long = True
    data[0][0][0].long = True
    data[2][0].long = True
    data[3][0][0].long = True
    basic[3][0][0][0][5][0].long = True
    changed = tree.encode()
    with pytest.raises(Asn1Error):
        ocsp.load_der_ocsp_response(changed)
    answer, strict_answer = ocsp.load_der_ocsp_response(changed, allow=LONG), ocsp.load_der_ocsp_response(response)
    assert answer.responder_name == strict_answer.responder_name
    assert answer.certificate_status is ocsp.OCSPCertStatus.GOOD
    assert list(answer.extensions) == list(strict_answer.extensions)
    assert answer.certificates[0].subject == strict_answer.certificates[0].subject
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_an_error_in_a_list_of_extensions_has_its_place(der: bytes) -> None:
    tree = parse(der)
    critical(tree)
    changed = tree.encode()
    certificate = x509.load_der_x509_certificate(changed)
    # The others are readable; so is the one that the rule allows.
    good = x509.load_der_x509_certificate(der).extensions
    (bad,) = [one for one in certificate.extensions if one.error is not None]
    assert [one for one in certificate.extensions if one is not bad] == [one for one in good if one.oid != bad.oid]
    assert list(x509.load_der_x509_certificate(changed, allow=["boolean-value"]).extensions) == list(good)
    with pytest.raises(Asn1Error) as caught:
        bad.value  # noqa: B018
    error = caught.value
    assert error.path.startswith("tbsCertificate.extensions[") and error.path.endswith("critical")
    assert error.offset is not None and changed[error.offset - 2 : error.offset + 1] == b"\x01\x01\x01"


def test_a_rule_that_is_not_there(der: bytes) -> None:
    for load in (x509.load_der_x509_crl, x509.load_der_x509_csr, ocsp.load_der_ocsp_request, ocsp.load_der_ocsp_response):
        with pytest.raises(ValueError, match="unknown rule"):
            load(der, allow=["no-such-rule"])
    with pytest.raises(ValueError, match="unknown rule"):
        x509.load_many([der], allow=["no-such-rule"])


def test_many_of_any_buffer_and_version(der: bytes, tmp_path: pathlib.Path) -> None:
    import array
    import mmap

    good = x509.load_der_x509_certificate(der)
    tree = parse(der)
    assert tree[0][0].tag == 0xA0
    tree[0][0][0].content = b"\x01"
    version_2 = tree.encode()
    tree[0][0][0].content = b"\x05"
    version_6 = tree.encode()
    file = tmp_path / "certificate.der"
    file.write_bytes(der)
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        given = [mapped, memoryview(mapped), bytearray(der), array.array("B", der), version_2, version_6, b"", der]
        read = x509.load_many(given)
        given[1].release()  # type: ignore[union-attr]
        with pytest.raises(ValueError):
            x509.load_many([der, given[1]])
    with pytest.raises(ValueError):
        x509.load_many([mapped])
    for one in (*read[:4], read[7]):
        assert isinstance(one, x509.Certificate) and one == good and one.subject == good.subject
    for one, version in ((read[4], 1), (read[5], 5)):
        assert isinstance(one, x509.InvalidVersion) and one.parsed_version == version
    assert isinstance(read[6], Asn1Error)
    with pytest.raises(TypeError):
        x509.load_many([der, "text"])
    with pytest.raises(TypeError):
        x509.load_many(4711)  # type: ignore[arg-type]
    assert len(x509.load_many(iter([der] * 1000))) == 1000


PROGRAM = """
import resource, sys
from tagwise import x509
der = sys.stdin.buffer.read()
x509.load_many([der])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 20), used + (1 << 20)))
try:
    x509.load_many([der] * 64)
except OSError:
    print("refused")
"""


def test_a_thread_that_cannot_be_started(der: bytes) -> None:
    import os
    import subprocess
    import sys

    if not pathlib.Path("/proc/self/statm").exists() or (os.cpu_count() or 1) < 2:
        pytest.skip("needs Linux and two processors")
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=der, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, b"refused"), done.stderr

"""Rows of bench/results/speed.md that the other programs do not measure: chains, OCSP, cached values, keys, passwords, and `inspect`.

    python bench_speed.py [--seconds S] [--entries N] [--only TEXT] [--json]

Each number is the least of nine rounds, in microseconds of processor time an operation; tagwise beside cryptography. The time of an RSA key is
random, so its row is the median of 50 keys. `--entries` is the length
of the CRL that `asn1.inspect` reads: 415,756 entries are 9 MB. That row prints seconds and the growth of the resident set in MiB, for a
process of its own that goes through all offsets.
"""

from __future__ import annotations

import argparse
import datetime
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
from typing import Any

from common import Work, clock, heading, least, median, table

NOW = datetime.datetime(2026, 6, 1, tzinfo=datetime.timezone.utc)
#: A password, for PKCS #12 with many iterations.
PASSWORD = b"cryptography"
#: RSA keys that each library generates.
KEYS = 50


class Material:
    """Certificates, an OCSP response and a PKCS #12 file, made by cryptography for both libraries."""

    def __init__(self) -> None:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding, PrivateFormat, pkcs12
        from cryptography.x509 import ocsp

        keys = {name: ec.generate_private_key(ec.SECP256R1()) for name in ("Root", "CA", "www.example.org")}
        identifiers = {name: x509.SubjectKeyIdentifier.from_public_key(key.public_key()) for name, key in keys.items()}

        def certificate(subject: str, issuer: str) -> x509.Certificate:
            is_ca = subject != "www.example.org"
            usages = dict.fromkeys(
                ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "encipher_only", "decipher_only"), False
            )
            builder = (
                x509.CertificateBuilder()
                .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, subject)]))
                .issuer_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, issuer)]))
                .public_key(keys[subject].public_key())
                .serial_number(len(subject))
                .not_valid_before(datetime.datetime(2026, 1, 1))
                .not_valid_after(datetime.datetime(2027, 1, 1))
                .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
                .add_extension(x509.KeyUsage(digital_signature=not is_ca, key_cert_sign=is_ca, crl_sign=is_ca, **usages), critical=True)
                .add_extension(identifiers[subject], critical=False)
                .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifiers[issuer]), critical=False)
            )
            if not is_ca:
                builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(subject)]), critical=False)
                builder = builder.add_extension(x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            return builder.sign(keys[issuer], hashes.SHA256())

        chain = [certificate("www.example.org", "CA"), certificate("CA", "Root"), certificate("Root", "Root")]
        self.chain = [one.public_bytes(Encoding.DER) for one in chain]
        response = ocsp.OCSPResponseBuilder().add_response(
            cert=chain[0],
            issuer=chain[1],
            algorithm=hashes.SHA1(),
            cert_status=ocsp.OCSPCertStatus.GOOD,
            this_update=datetime.datetime(2026, 1, 1),
            next_update=datetime.datetime(2027, 1, 1),
            revocation_time=None,
            revocation_reason=None,
        )
        response = response.responder_id(ocsp.OCSPResponderEncoding.HASH, chain[1])
        self.response = response.sign(keys["CA"], hashes.SHA256()).public_bytes(Encoding.DER)
        form = PrivateFormat.PKCS12.encryption_builder().kdf_rounds(100_000).build(PASSWORD)
        self.pkcs12 = pkcs12.serialize_key_and_certificates(b"a key", keys["www.example.org"], chain[0], None, form)


def works(library: str, material: Material) -> dict[str, Work]:
    """The operations of a library, by the same calls but for the generation of keys."""
    x509: Any
    ocsp: Any
    verification: Any
    pkcs12: Any
    if library == "tagwise":
        from tagwise import keys, pkcs12, x509
        from tagwise.x509 import ocsp, verification

        def generate() -> Any:
            return keys.PrivateKey.generate("rsa-2048")
    else:
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric import rsa
        from cryptography.hazmat.primitives.serialization import pkcs12
        from cryptography.x509 import ocsp, verification

        def generate() -> Any:
            return rsa.generate_private_key(65537, 2048)

    load = x509.load_der_x509_certificate
    store = verification.Store([load(material.chain[2])])
    builder = verification.PolicyBuilder().store(store).time(NOW)
    verifier = builder.build_server_verifier(x509.DNSName("www.example.org"))
    leaf, between = load(material.chain[0]), [load(material.chain[1])]
    return {
        "chain of three, loaded and verified": lambda: verifier.verify(load(material.chain[0]), [load(material.chain[1])]),
        "chain of three, verified": lambda: verifier.verify(leaf, between),
        "OCSP response, loaded, certificate_status": lambda: ocsp.load_der_ocsp_response(material.response).certificate_status,
        "signature_hash_algorithm again": lambda: leaf.signature_hash_algorithm,
        "PKCS #12, 100,000 iterations": lambda: pkcs12.load_key_and_certificates(material.pkcs12, PASSWORD),
        "RSA key of 2,048 bits": generate,
    }


def walk_offsets(path: str) -> None:
    """Goes through all offsets of a file, and prints seconds of processor time and MiB."""
    from tagwise import asn1

    data = pathlib.Path(path).read_bytes()
    before, start, count = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, clock(), 0
    stack = [asn1.inspect(data)]
    while stack:
        element = stack.pop()
        count += element.start >= 0
        stack.extend(element)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(json.dumps({"elements": count, "seconds": clock() - start, "mebibytes": grown}))


def inspected(entries: int) -> dict[str, float]:
    """The cost of all offsets of a CRL, in a process of its own."""
    from bench_crl import made

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "list.crl"
        path.write_bytes(made(entries, "tagwise")[1]().public_bytes("DER"))
        done = subprocess.run([sys.executable, __file__, "--walk", str(path)], check=True, capture_output=True, text=True)
        return {"bytes": path.stat().st_size, **json.loads(done.stdout)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.5, help="time a row takes for each library, about [default: 0.5]")
    parser.add_argument("--entries", type=int, default=415_756, help="entries of the CRL to inspect; 0 for none [default: 415756]")
    parser.add_argument("--only", default="", help="measure only rows whose names contain this text")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--walk", metavar="FILE", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.walk:
        walk_offsets(arguments.walk)
        return 0
    material = Material()
    libraries = {name: works(name, material) for name in ("tagwise", "cryptography")}
    results = []
    for what in libraries["tagwise"]:
        both = {name: operations[what] for name, operations in libraries.items()}
        if arguments.only in what:
            results.append((what, median(both, KEYS) if "RSA" in what else least(both, 1, arguments.seconds)))
    crl = inspected(arguments.entries) if arguments.entries else None
    if arguments.json:
        print(json.dumps({"rows": results, "inspect": crl}))
        return 0
    print(heading(libraries) + "; µs an operation\n")
    print(table(list(libraries), results))
    if crl:
        print(f"\nasn1.inspect, all offsets of a CRL: {crl}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

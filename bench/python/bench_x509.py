"""The operations of PyCA's `tests/x509/test_x509.py`, one by one: tagwise beside cryptography, by the same calls.

    python bench_x509.py [--seconds S] [--json]

Inputs are of `cryptography_vectors`. Each number is the least of nine rounds, in microseconds of processor time an operation. Signing is by
the same key object of cryptography's for both, and RSA is left out: its signature would be all that is measured.
"""

from __future__ import annotations

import argparse
import datetime
import json
import pathlib
import sys
import warnings
from collections.abc import Callable
from typing import Any

from common import Work, heading, least, table

START, END = datetime.datetime(2026, 1, 1), datetime.datetime(2027, 1, 1)


class Operations:
    """Everything that is timed, over one library's module `x509`."""

    def __init__(self, x509: Any, folder: pathlib.Path) -> None:
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519

        self.x509 = x509
        self.hash = hashes.SHA256()
        self.der_encoding, self.pem_encoding = serialization.Encoding.DER, serialization.Encoding.PEM
        self.key = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(32))
        self.ec_key = ec.derive_private_key(4711, ec.SECP256R1())
        self.pem = (folder / "cryptography.io.pem").read_bytes()
        self.request_pem = (folder / "requests" / "san_rsa_sha1.pem").read_bytes()
        self.crl_pem = (folder / "custom" / "crl_all_reasons.pem").read_bytes()
        self.certificate = x509.load_pem_x509_certificate(self.pem)
        self.other = x509.load_pem_x509_certificate(self.pem)
        self.der = self.certificate.public_bytes(self.der_encoding)
        self.request = x509.load_pem_x509_csr(self.request_pem)
        self.crl = x509.load_pem_x509_crl(self.crl_pem)
        self.crl_der = self.crl.public_bytes(self.der_encoding)
        self.name = self.made_name()
        self.own = self.sign_certificate()

    def made_name(self) -> Any:
        x509 = self.x509
        return x509.Name(
            [
                x509.NameAttribute(x509.NameOID.COUNTRY_NAME, "US"),
                x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, "PyCA"),
                x509.NameAttribute(x509.NameOID.COMMON_NAME, "cryptography.io"),
            ]
        )

    def builder(self) -> Any:
        x509 = self.x509
        return (
            x509.CertificateBuilder()
            .serial_number(777)
            .issuer_name(self.name)
            .subject_name(self.name)
            .public_key(self.key.public_key())
            .not_valid_before(START)
            .not_valid_after(END)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("cryptography.io")]), critical=False)
        )

    def sign_certificate(self) -> Any:
        return self.builder().sign(self.key, None)

    def sign_request(self) -> Any:
        x509 = self.x509
        builder = x509.CertificateSigningRequestBuilder().subject_name(self.name)
        return builder.add_extension(x509.BasicConstraints(ca=True, path_length=2), critical=True).sign(self.key, None)

    def sign_list(self) -> Any:
        x509 = self.x509
        entry = x509.RevokedCertificateBuilder().serial_number(333).revocation_date(START).build()
        builder = x509.CertificateRevocationListBuilder().issuer_name(self.name).last_update(START).next_update(END)
        return builder.add_revoked_certificate(entry).add_extension(x509.CRLNumber(13), False).sign(self.key, None)

    def all(self) -> dict[str, Work]:
        x509, certificate = self.x509, self.certificate
        san, constraints = x509.SubjectAlternativeName, x509.BasicConstraints

        def field(path: str) -> Callable[[], Any]:
            """A field of a certificate that was just read."""

            def work() -> Any:
                value = x509.load_der_x509_certificate(self.der)
                for name in path.split("."):
                    value = getattr(value, name)
                return value

            return work

        return {
            "load_der_x509_certificate": lambda: x509.load_der_x509_certificate(self.der),
            "load_pem_x509_certificate": lambda: x509.load_pem_x509_certificate(self.pem),
            "load, serial_number": field("serial_number"),
            "load, subject": field("subject"),
            "load, not_valid_before_utc": field("not_valid_before_utc"),
            "load, extensions": field("extensions"),
            "load, signature_hash_algorithm": field("signature_hash_algorithm"),
            "load, public_key()": lambda: x509.load_der_x509_certificate(self.der).public_key(),
            "get_extension_for_class": lambda: certificate.extensions.get_extension_for_class(san).value.get_values_for_type(x509.DNSName),
            "subject.rfc4514_string": lambda: certificate.subject.rfc4514_string(),
            "Name.from_rfc4514_string": lambda: x509.Name.from_rfc4514_string("CN=cryptography.io,O=PyCA,C=US"),
            "Name, NameAttribute": self.made_name,
            "Name.public_bytes": lambda: self.name.public_bytes(),
            "fingerprint": lambda: certificate.fingerprint(self.hash),
            "public_bytes, DER": lambda: certificate.public_bytes(self.der_encoding),
            "public_bytes, PEM": lambda: certificate.public_bytes(self.pem_encoding),
            "==, hash": lambda: (certificate == self.other, hash(certificate)),
            "verify_directly_issued_by, Ed25519": lambda: self.own.verify_directly_issued_by(self.own),
            "load_der_x509_crl": lambda: x509.load_der_x509_crl(self.crl_der),
            "load, all entries with extensions": lambda: [(entry.serial_number, entry.revocation_date_utc, list(entry.extensions)) for entry in x509.load_der_x509_crl(self.crl_der)],
            "get_revoked_certificate_by_serial_number": lambda: self.crl.get_revoked_certificate_by_serial_number(9),
            "load_pem_x509_csr": lambda: x509.load_pem_x509_csr(self.request_pem),
            "load, csr.extensions": lambda: x509.load_pem_x509_csr(self.request_pem).extensions.get_extension_for_class(san),
            "extension.public_bytes": lambda: constraints(ca=True, path_length=1).public_bytes(),
            "CertificateBuilder, sign, Ed25519": self.sign_certificate,
            "CertificateSigningRequestBuilder, sign, Ed25519": self.sign_request,
            "CertificateRevocationListBuilder, sign, Ed25519": self.sign_list,
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.5, help="time a row takes for each library, about [default: 0.5]")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    import cryptography_vectors
    from cryptography import x509 as theirs

    from tagwise import x509 as ours

    folder = pathlib.Path(cryptography_vectors.__file__).parent / "x509"
    works = {name: Operations(module, folder).all() for name, module in (("tagwise", ours), ("cryptography", theirs))}
    results = []
    for what in works["tagwise"]:
        results.append((what, least({name: operations[what] for name, operations in works.items()}, 1, arguments.seconds)))
    if arguments.json:
        print(json.dumps(results))
        return 0
    print(heading(works) + "; µs an operation\n")
    print(table(list(works), results))
    return 0


if __name__ == "__main__":
    sys.exit(main())

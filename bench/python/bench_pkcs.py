"""PKCS #7 and PKCS #12: certificates and keys out of files, tagwise beside its peers.

    python bench_pkcs.py CORPORA [--seconds S] [--json]

CORPORA is the folder of third-party test data; the files are four of PyCA's vectors. Each number is the least of nine rounds, in microseconds
of processor time a file. What is timed is from the bytes of the file to the last certificate's object. The MAC of a PKCS #12 file is verified
by both; cryptography makes a key object of OpenSSL's of each private key when it reads it, tagwise when the key is asked for,
which the row does.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import warnings
from collections.abc import Callable
from typing import Any

from common import Work, heading, least, table

Reader = Callable[[bytes], Any]


def pkcs7(library: str, pem: bool) -> Reader:
    if library == "tagwise":
        from tagwise import cms

        return cms.load_certificates
    from cryptography.hazmat.primitives.serialization import pkcs7

    return pkcs7.load_pem_pkcs7_certificates if pem else pkcs7.load_der_pkcs7_certificates


def pkcs12(library: str, password: bytes | None) -> Reader:
    if library == "tagwise":
        from tagwise import pkcs12 as ours

        text = None if password is None else password.decode()

        def read(data: bytes) -> Any:
            bundle = ours.load(data, text, allow_no_mac=True)
            return bundle.certificates, bundle.key

        return read
    from cryptography.hazmat.primitives.serialization import pkcs12 as theirs

    def read_theirs(data: bytes) -> Any:
        bundle = theirs.load_pkcs12(data, password)
        certificates = [*([bundle.cert] if bundle.cert else []), *bundle.additional_certs]
        return [one.certificate for one in certificates], bundle.key

    return read_theirs


ROWS: list[tuple[str, str, Callable[[str], Reader]]] = [
    ("PKCS #7, BER, two certificates", "pkcs7/amazon-roots.p7b", lambda library: pkcs7(library, False)),
    ("PKCS #7, PEM, one certificate", "pkcs7/isrg.pem", lambda library: pkcs7(library, True)),
    ("PKCS #12, three certificates and a key, not encrypted, MAC verified", "pkcs12/name-1-no-pwd.p12", lambda library: pkcs12(library, None)),
    ("PKCS #12, a certificate and a key, not encrypted, MAC verified", "pkcs12/cert-none-key-none.p12", lambda library: pkcs12(library, b"cryptography")),
    ("PKCS #12, a certificate and a key, AES-256, MAC verified", "pkcs12/cert-key-aes256cbc.p12", lambda library: pkcs12(library, b"cryptography")),
]


def each(read: Reader, data: bytes) -> Work:
    def work() -> None:
        read(data)

    return work


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=1.0, help="time a row takes for each library, about [default: 1]")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    libraries = ["tagwise", "cryptography"]
    results = []
    for what, name, reader in ROWS:
        data = (arguments.corpora / "pyca" / name).read_bytes()
        works = {library: each(reader(library), data) for library in libraries}
        counts = {library: reader(library)(data) for library in libraries}
        found = {len(got[0]) if isinstance(got, tuple) else len(got) for got in counts.values()}
        if len(found) != 1:
            raise SystemExit(f"{name}: the libraries find {found} certificates")
        results.append((what, least(works, 1, arguments.seconds)))
    if arguments.json:
        print(json.dumps(results))
        return 0
    print(heading(libraries) + "; µs a file\n")
    print(table(libraries, results))
    return 0


if __name__ == "__main__":
    sys.exit(main())

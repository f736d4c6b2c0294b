"""Certificates: parsed only, parsed with all fields, single fields, and fields asked for again; tagwise beside its peers.

    python bench_certificate.py CORPORA [--seconds S] [--per-field] [--json]

CORPORA is the folder of third-party test data. Peers are cryptography, asn1crypto and pyasn1 (with pyasn1-modules), as far as they are
installed; all are asked in turns, so that what else the machine does meets each of them. Each number is the least of nine rounds, in
microseconds of processor time a certificate, of the certificates that all of them read. What is timed is what a user writes: an object is made, its fields
are asked for, and it goes away.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from common import Work, heading, least

#: Certificates of a set that are taken at most; the slowest peer takes a millisecond for one.
MOST = 200

Reader = Callable[[bytes], Any]


def files(places: Iterable[pathlib.Path]) -> list[bytes]:
    """The certificates in files, in DER or PEM, one or several in a row."""
    from tagwise import _native

    found = _native.find_many([place.read_bytes() for place in places], [])
    return [item[6] for _, items in found for item in items if item[0] == "certificate" and item[7] is None]


def sets(corpora: pathlib.Path) -> dict[str, list[bytes]]:
    """The sets of certificates by their names."""
    pkits = ("GoodCACert", "ValidCertificatePathTest1EE", "RFC3280MandatoryAttributeTypesCACert", "P12Mapping1to3CACert", "nameConstraintsDN1CACert")
    pqc = sorted((corpora / "lamps-pqc" / "ml-dsa").glob("*.crt"))
    chosen = {
        "PKITS": files(corpora / "pkits" / "certs" / f"{name}.crt" for name in pkits),
        "ML-DSA": files(file for file in pqc if file.stat().st_size < 100_000)[:3],
        "Mozilla": files([corpora / "mozilla-roots" / "mozilla-180-roots.der"])[:MOST],
        "CCADB": files([corpora / "ccadb" / "certs.der"])[:MOST],
    }
    return {name: ders for name, ders in chosen.items() if ders}


FIELDS = (
    "version",
    "serial_number",
    "issuer",
    "subject",
    "not_valid_before_utc",
    "not_valid_after_utc",
    "signature",
    "signature_algorithm_oid",
    "tbs_certificate_bytes",
    "extensions",
)


def fields(certificate: Any) -> None:
    for field in FIELDS:
        getattr(certificate, field)


def looked_at(certificate: Any) -> None:
    """All fields, each attribute of the names and the value of each extension."""
    fields(certificate)
    for name in (certificate.issuer, certificate.subject):
        for attribute in name:
            attribute.oid, attribute.value  # noqa: B018
    for extension in certificate.extensions:
        extension.oid, extension.critical, extension.value  # noqa: B018


def natively(certificate: Any) -> None:
    """All of it, as asn1crypto has it."""
    certificate.native  # noqa: B018


def peers() -> dict[str, tuple[Reader, Callable[[Any], None] | None]]:
    """How each library reads a certificate, and asks for all of its fields; pyasn1 does both at once."""
    from tagwise import x509 as ours

    found: dict[str, tuple[Reader, Callable[[Any], None] | None]] = {"tagwise": (ours.load_der_x509_certificate, fields)}
    try:
        from cryptography import x509 as theirs

        found["cryptography"] = (theirs.load_der_x509_certificate, fields)
    except ImportError:
        pass
    try:
        from asn1crypto import x509 as lax

        found["asn1crypto"] = (lax.Certificate.load, natively)
    except ImportError:
        pass
    try:
        from pyasn1.codec.der import decoder
        from pyasn1_modules import rfc5280

        def whole(der: bytes) -> Any:
            return decoder.decode(der, asn1Spec=rfc5280.Certificate(), decodeOpenTypes=True)[0]

        found["pyasn1"] = (whole, None)
    except ImportError:
        pass
    return found


def reads(der: bytes, read: Reader, ask: Callable[[Any], None] | None) -> bool:
    # Values of extensions are decoded when they are looked at.
    every = looked_at if ask is fields else ask
    try:
        made = read(der)
        if every is not None:
            every(made)
    except Exception:
        return False
    return True


def read_by_all(
    ders: list[bytes], libraries: dict[str, tuple[Reader, Callable[[Any], None] | None]]
) -> tuple[list[bytes], dict[str, tuple[Reader, Callable[[Any], None] | None]]]:
    """The libraries that read any of a set at all, and the certificates that they all read."""
    able = {name: ways for name, ways in libraries.items() if any(reads(der, *ways) for der in ders)}
    return [der for der in ders if all(reads(der, *ways) for ways in able.values())], able


def each(read: Reader, ask: Callable[[Any], None] | None, ders: list[bytes]) -> Work:
    def work() -> None:
        for der in ders:
            made = read(der)
            if ask is not None:
                ask(made)

    return work


def again(read: Reader, field: str, ders: list[bytes]) -> Work:
    """One field of certificates that were asked for it before."""
    certificates = [read(der) for der in ders]
    for certificate in certificates:
        getattr(certificate, field)

    def work() -> None:
        for certificate in certificates:
            getattr(certificate, field)

    return work


def rows(ders: list[bytes], libraries: Any, per_field: bool) -> Iterable[tuple[str, dict[str, Work]]]:
    yield "parse", {name: each(read, None, ders) for name, (read, _) in libraries.items() if name != "pyasn1"}
    yield "parse and all fields", {name: each(read, ask, ders) for name, (read, ask) in libraries.items()}
    similar = {name: read for name, (read, _) in libraries.items() if name in ("tagwise", "cryptography")}
    yield "parse, every attribute and value looked at", {name: each(read, looked_at, ders) for name, read in similar.items()}
    for field in FIELDS if per_field else ("subject",):
        yield f"{field} again", {name: again(read, field, ders) for name, read in similar.items()}
    if per_field:
        for field in FIELDS:

            def asked(certificate: Any, field: str = field) -> None:
                getattr(certificate, field)

            yield f"parse and {field}", {name: each(read, asked, ders) for name, read in similar.items()}
    from tagwise import x509

    yield "parse, every byte checked", {"tagwise": each(x509.load_der_x509_certificate, lambda one: one.check(), ders)}
    yield "load_many, all processors together", {"tagwise": lambda: None if x509.load_many(ders) else None}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=1.0, help="time a row takes for each library, about [default: 1]")
    parser.add_argument("--per-field", action="store_true", help="time every field by itself")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    libraries = peers()
    results = []
    for name, ders in sets(arguments.corpora).items():
        # asn1crypto does not know the newest algorithms.
        good, able = read_by_all(ders, libraries)
        if not good:
            print(f"{name}: no certificate that all libraries read", file=sys.stderr)
            continue
        for what, works in rows(good, able, arguments.per_field):
            results.append((name, len(good), what, least(works, len(good), arguments.seconds)))
    if not results:
        return 1
    if arguments.json:
        print(json.dumps(results))
        return 0
    print(heading(libraries) + "\n")
    print("| set | certificates | what | " + " | ".join(libraries) + " |\n|---|---:|---|" + "---:|" * len(libraries))
    for name, count, what, times in results:
        cells = [f"{times[library]:.2f}" if library in times else "" for library in libraries]
        print(f"| {name} | {count} | {what} | " + " | ".join(cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

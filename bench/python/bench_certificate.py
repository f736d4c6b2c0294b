"""Certificates: parsed only, parsed with all fields, and fields asked for again; against cryptography and asn1crypto.

    python bench_certificate.py DIRECTORY-OR-FILE ... [--seconds S]

Files are certificates in DER or PEM. Each row is the least of five runs, per certificate. What is timed is what a user writes: an
object is made, its fields are asked for, and it goes away.
"""

from __future__ import annotations

import argparse
import pathlib
import platform
import sys
import time
from collections.abc import Callable
from typing import Any


def load(places: list[pathlib.Path]) -> list[bytes]:
    """The certificates that all libraries read."""
    from tagwise import _native

    ders: list[bytes] = []
    for place in places:
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.suffix not in (".der", ".crt", ".cer", ".pem"):
                continue
            data = file.read_bytes()
            try:
                blocks = _native.read_pem(data) if data.startswith(b"-----BEGIN") else [("CERTIFICATE", data)]
            except ValueError:
                continue
            ders += [der for label, der in blocks if label == "CERTIFICATE"]
    return ders


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


def native(certificate: Any) -> None:
    """All of it, as asn1crypto has it."""
    certificate.native  # noqa: B018


def least(work: Callable[[], None], count: int, seconds: float) -> float:
    """The least time of five runs, per certificate, in microseconds."""
    rounds, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds / 5:
        work()
        rounds += 1
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(rounds):
            work()
        best = min(best, (time.perf_counter() - start) / rounds)
    return best / count * 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=2.0, help="time a row takes, about")
    arguments = parser.parse_args()

    import cryptography
    from cryptography import x509 as theirs

    from tagwise import x509 as ours

    try:
        from asn1crypto import x509 as lax
    except ImportError:
        lax = None

    ders = []
    for der in load(arguments.places):
        try:
            for module in (ours, theirs):
                fields(module.load_der_x509_certificate(der))
        except Exception:
            continue
        ders.append(der)
    if not ders:
        print("no certificate that both read", file=sys.stderr)
        return 2

    def each(read: Callable[[bytes], Any], then: Callable[[Any], None] | None = None) -> Callable[[], None]:
        def work() -> None:
            for der in ders:
                certificate = read(der)
                if then is not None:
                    then(certificate)

        return work

    def warm(module: Any) -> Callable[[], None]:
        certificates = [module.load_der_x509_certificate(der) for der in ders]
        for certificate in certificates:
            fields(certificate)

        def work() -> None:
            for certificate in certificates:
                certificate.subject  # noqa: B018

        return work

    rows: list[tuple[str, str, Callable[[], None]]] = [
        ("parse", "tagwise", each(ours.load_der_x509_certificate)),
        ("parse", "cryptography", each(theirs.load_der_x509_certificate)),
        ("parse, every byte checked", "tagwise", each(ours.load_der_x509_certificate, lambda one: one.check())),
        ("parse, all fields", "tagwise", each(ours.load_der_x509_certificate, fields)),
        ("parse, all fields", "cryptography", each(theirs.load_der_x509_certificate, fields)),
        ("subject again", "tagwise", warm(ours)),
        ("subject again", "cryptography", warm(theirs)),
        ("many at once", "tagwise", lambda: None if ours.load_many(ders) else None),
    ]
    if lax is not None:
        rows.insert(2, ("parse", "asn1crypto", each(lax.Certificate.load)))
        rows.insert(6, ("parse, all fields", "asn1crypto", each(lax.Certificate.load, native)))
    print(f"{len(ders)} certificates, Python {platform.python_version()}, cryptography {cryptography.__version__}\n")
    print("| what | library | µs a certificate |\n|---|---|---:|")
    for what, library, work in rows:
        print(f"| {what} | {library} | {least(work, len(ders), arguments.seconds):.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

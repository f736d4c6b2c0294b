"""What the binding adds: the same certificates read by Rust's types, as elements, and from Python.

    python bench_overhead.py CORPORA PROGRAM [--seconds S]

PROGRAM is `overhead` of the workspace `bench` (`cargo build --release --no-default-features --features peer-tagwise --bin overhead`).
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys
import tempfile
import warnings

from bench_certificate import each, fields, sets
from common import heading, least


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=1.0, help="time a row takes, about [default: 1]")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    from tagwise import x509

    load = x509.load_der_x509_certificate
    columns: dict[str, dict[str, float]] = {}

    def is_sound(der: bytes) -> bool:
        """Returns whether Rust takes a certificate, too, and Python has all of its fields: strict DER, and as RFC 5280 wants it."""
        try:
            certificate = load(der)
            certificate.check()
            fields(certificate)
        except ValueError:
            return False
        return not certificate.deviations

    for name, ders in sets(arguments.corpora).items():
        ders = [der for der in ders if is_sound(der)]
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"".join(len(der).to_bytes(4, "big") + der for der in ders))
            file.flush()
            done = subprocess.run([arguments.program, file.name], stdout=subprocess.PIPE, text=True, check=False)
        found = {what: float(ns) / 1000 for ns, what in (line.split("\t") for line in done.stdout.splitlines())}
        works = {
            "Python: the frame": each(load, None, ders),
            "Python: every byte (`check`)": each(load, lambda one: one.check(), ders),
            "Python: all fields as objects": each(load, fields, ders),
        }
        found |= {what: least({what: work}, len(ders), arguments.seconds)[what] for what, work in works.items()}
        columns[f"{name}, {len(ders)}"] = found
    print(heading(["tagwise"]) + "; µs a certificate\n")
    print("| what | " + " | ".join(columns) + " |\n|---|" + "---:|" * len(columns))
    for what in next(iter(columns.values())):
        cells = [f"{found[what]:.3f}" if what in found else "refused" for found in columns.values()]
        print(f"| {what} | " + " | ".join(cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

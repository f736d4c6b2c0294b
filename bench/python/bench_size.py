"""What the package takes: the wheel, the library in it, and the time of its import.

    python bench_size.py WHEEL

The import is timed in new processes, twenty of each kind, and the least is told, less what the interpreter takes that imports nothing. Files
are in the system's cache by then. Peers are timed in the same way, where they are installed.
"""

from __future__ import annotations

import argparse
import pathlib
import resource
import subprocess
import sys
import zipfile

from common import heading

ROUNDS = 20

IMPORTS = {
    "nothing": "pass",
    "import tagwise": "import tagwise",
    "from tagwise import x509": "from tagwise import x509",
    "from tagwise import asn1": "from tagwise import asn1",
    "every module of tagwise": "from tagwise import asn1, cms, keys, lint, pem, pkcs12, tsp, x509; from tagwise.x509 import ocsp, verification",
    "from cryptography import x509": "from cryptography import x509",
    "from asn1crypto import x509": "from asn1crypto import x509",
    "from pyasn1_modules import rfc5280": "from pyasn1_modules import rfc5280",
}


def took(program: str) -> float:
    """The processor time of a new interpreter that runs a program, in milliseconds."""
    best = float("inf")
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            return float("nan")
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=pathlib.Path)
    arguments = parser.parse_args()
    print(heading(["tagwise", "cryptography", "asn1crypto", "pyasn1"]) + "\n")
    print("| what | size or time |\n|---|---:|")
    print(f"| the wheel | {arguments.wheel.stat().st_size / 1e6:.1f} MB |")
    with zipfile.ZipFile(arguments.wheel) as archive:
        for info in archive.infolist():
            if "_native" in info.filename and info.filename.endswith((".so", ".pyd")):
                print(f"| the library in it | {info.file_size / 1e6:.1f} MB, compressed {info.compress_size / 1e6:.1f} MB |")
        size = sum(info.file_size for info in archive.infolist() if info.filename.endswith(".py"))
        print(f"| the modules in it | {size / 1e3:.0f} kB |")
    floor = took(IMPORTS["nothing"])
    print(f"| an interpreter that imports nothing | {floor:.0f} ms |")
    for what, program in IMPORTS.items():
        if what != "nothing":
            print(f"| {what} | {took(program) - floor:.0f} ms |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

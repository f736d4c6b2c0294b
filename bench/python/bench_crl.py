"""A revocation list of 415,756 entries, the table that pyderasn publishes: decoding, encoding, pickles, memory; tagwise beside its peers.

    python bench_crl.py [--entries N] [--few N] [--libraries NAME …] [--json]

The list is made by tagwise's builder. Each library works in a process of its own, and times are of its processor. Libraries that take
minutes for the whole (pyasn1, asn1tools) get a list of `--few` entries, and their figures are multiplied: all that they do is linear. What
a library does not do has no figure. Memory is what the resident set grew by at its peak, over what it was before the file was read.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import json
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from typing import Any

from common import clock, heading

#: As much of RFC 5280 as the list of this program needs, for libraries that compile modules; asn1tools has no information objects.
MODULE = """
List DEFINITIONS EXPLICIT TAGS ::= BEGIN
  CertificateList ::= SEQUENCE { tbsCertList TBSCertList, signatureAlgorithm AlgorithmIdentifier, signature BIT STRING }
  TBSCertList ::= SEQUENCE {
    version INTEGER OPTIONAL, signature AlgorithmIdentifier, issuer Name, thisUpdate Time, nextUpdate Time OPTIONAL,
    revokedCertificates SEQUENCE OF SEQUENCE { userCertificate INTEGER, revocationDate Time, crlEntryExtensions Extensions OPTIONAL } OPTIONAL,
    crlExtensions [0] Extensions OPTIONAL }
  AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER }
  Name ::= SEQUENCE OF SET OF SEQUENCE { type OBJECT IDENTIFIER, value UTF8String }
  Time ::= CHOICE { utcTime UTCTime, generalTime GeneralizedTime }
  Extensions ::= SEQUENCE OF SEQUENCE { extnID OBJECT IDENTIFIER, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING }
END
"""
#: Not a full minute: asn1tools writes no seconds that are zero.
START = datetime.datetime(2026, 1, 1, 0, 0, 1)
ROUNDS = 3


def made(entries: int, kind: str) -> tuple[Any, Callable[[], Any]]:
    """The entries that a library's builder takes, and how it makes the list of them."""
    from cryptography import x509 as theirs
    from cryptography.hazmat.primitives.asymmetric import ed25519

    from tagwise import x509 as ours

    library: Any = ours if kind == "tagwise" else theirs
    source = random.Random(4711)
    key = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(32))
    listed = []
    for number in range(entries):
        # As long as those of CACert's list are: 22 bytes an entry.
        builder = library.RevokedCertificateBuilder().serial_number(source.randrange(1, 1 << 23) if number % 2 else 0x10000 + number)
        listed.append(builder.revocation_date(START + datetime.timedelta(minutes=number)).build())
    builder = library.CertificateRevocationListBuilder(
        issuer_name=library.Name([library.NameAttribute(library.NameOID.COMMON_NAME, "An authority with many revocations")]),
        last_update=START,
        next_update=START + datetime.timedelta(days=30),
        revoked_certificates=listed,
    )
    return listed, lambda: builder.sign(key, None)


class Tagwise:
    def __init__(self) -> None:
        from tagwise import x509

        self.read: Callable[[bytes], Any] = x509.load_der_x509_crl

    def decode(self, der: bytes) -> Any:
        crl = self.read(der)
        crl.check()
        return crl

    def walk(self, crl: Any) -> int:
        return sum(entry.serial_number for entry in crl)

    def find(self, crl: Any, serial: int) -> Any:
        return crl.get_revoked_certificate_by_serial_number(serial)

    def encode(self, crl: Any) -> bytes:
        encoded: bytes = crl.public_bytes("DER")
        return encoded


class Cryptography(Tagwise):
    def __init__(self) -> None:
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import Encoding

        self.read = x509.load_der_x509_crl
        self.der = Encoding.DER

    def decode(self, der: bytes) -> Any:
        return self.read(der)

    def encode(self, crl: Any) -> bytes:
        encoded: bytes = crl.public_bytes(self.der)
        return encoded


class TagwiseValues:
    """The same list as plain values of Python's, by the types of its module."""

    def __init__(self) -> None:
        from tagwise import asn1

        self.type = asn1.compile_text(MODULE)["CertificateList"]

    def decode(self, der: bytes) -> Any:
        return self.type.decode(der)

    def walk(self, crl: Any) -> int:
        return sum(entry["userCertificate"] for entry in crl["tbsCertList"]["revokedCertificates"])

    def encode(self, crl: Any) -> bytes:
        return self.type.encode(crl)


class Asn1Tools(TagwiseValues):
    def __init__(self) -> None:
        import asn1tools

        self.module = asn1tools.compile_string(MODULE)

    def decode(self, der: bytes) -> Any:
        return self.module.decode("CertificateList", der)

    def encode(self, crl: Any) -> bytes:
        encoded: bytes = self.module.encode("CertificateList", crl)
        return encoded


class Asn1Crypto:
    """What is lazy here is asked for: `native` makes every value."""

    def __init__(self) -> None:
        from asn1crypto import crl

        self.type = crl.CertificateList

    def decode(self, der: bytes) -> Any:
        crl = self.type.load(der, strict=True)
        crl.native  # noqa: B018
        return crl

    def walk(self, crl: Any) -> int:
        return sum(entry["user_certificate"].native for entry in crl["tbs_cert_list"]["revoked_certificates"])

    def encode(self, crl: Any) -> bytes:
        encoded: bytes = crl.dump(force=True)
        return encoded


class PyAsn1:
    def __init__(self) -> None:
        from pyasn1.codec.der import decoder, encoder
        from pyasn1_modules import rfc5280

        self.decoder, self.encoder, self.type = decoder, encoder, rfc5280.CertificateList

    def decode(self, der: bytes) -> Any:
        return self.decoder.decode(der, asn1Spec=self.type())[0]

    def walk(self, crl: Any) -> int:
        return sum(int(entry["userCertificate"]) for entry in crl["tbsCertList"]["revokedCertificates"])

    def encode(self, crl: Any) -> bytes:
        encoded: bytes = self.encoder.encode(crl)
        return encoded


LIBRARIES: dict[str, Callable[[], Any]] = {
    "tagwise": Tagwise,
    "cryptography": Cryptography,
    "tagwise.asn1": TagwiseValues,
    "asn1crypto": Asn1Crypto,
    "asn1tools": Asn1Tools,
    "pyasn1": PyAsn1,
}
#: Those that get few entries.
SLOW = ("asn1crypto", "asn1tools", "pyasn1")


def resident() -> int:
    """The most memory that this program has had, in bytes; `getrusage` would tell what the process was before, too."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def timed(work: Callable[[], Any], rounds: int = ROUNDS) -> tuple[float, Any]:
    """The least time of some rounds, in seconds, and the last result."""
    best, result = float("inf"), None
    for _ in range(rounds):
        result = None
        gc.collect()
        start = clock()
        result = work()
        best = min(best, clock() - start)
    return best, result


def once(name: str, file: pathlib.Path, entries: int) -> dict[str, float]:
    """What one library does, in this process."""
    library = LIBRARIES[name]()
    found: dict[str, float] = {}
    rounds = 1 if name in SLOW else ROUNDS
    # What a library loads when it is first used is not the list's.
    library.decode(file.with_name("short.crl").read_bytes())
    before = resident()
    der = file.read_bytes()
    if hasattr(library, "read"):
        found["load"], crl = timed(lambda: library.read(der), 1)
        found["load and len"], crl = timed(lambda: (one := library.read(der), len(one))[0], 1)
        found["memory, load and len"] = (resident() - before) / len(der)
    found["decode"], crl = timed(lambda: library.decode(der), 1)
    found["memory, decode"] = (resident() - before) / len(der)
    if rounds > 1:
        found["decode"] = min(found["decode"], timed(lambda: library.decode(der))[0])
        if hasattr(library, "read"):
            found["load"] = min(found["load"], timed(lambda: library.read(der))[0])
            found["load and len"] = min(found["load and len"], timed(lambda: len(library.read(der)))[0])
    found["walk"], total = timed(lambda: library.walk(crl), rounds)
    if hasattr(library, "find"):
        last = crl[len(crl) - 1].serial_number
        found["find, the first time"] = timed(lambda: library.find(crl, last), 1)[0]
        found["find"] = timed(lambda: [library.find(crl, last) for _ in range(5)])[0] / 5
    found["encode"], encoded = timed(lambda: library.encode(crl), rounds)
    if encoded != der:
        raise SystemExit(f"{name} does not encode what it decoded: {len(encoded)} bytes of {len(der)}")
    try:
        found["pickle dumps"], pickled = timed(lambda: pickle.dumps(crl), rounds)
        found["pickle size"] = len(pickled) / len(der)
        found["pickle loads"], again = timed(lambda: pickle.loads(pickled), rounds)
        if library.walk(again) != total:
            raise SystemExit(f"{name}: the pickle holds something else")
    except (TypeError, AttributeError, pickle.PicklingError, RecursionError) as error:
        print(f"{name} does not pickle: {error}", file=sys.stderr)
    if name in ("tagwise", "cryptography"):
        del crl
        listed, build = made(entries, name)
        found["build, sign, encode"] = timed(lambda: library.encode(build()))[0]
    return found


ROWS = (
    "load",
    "load and len",
    "decode",
    "walk",
    "find, the first time",
    "find",
    "encode",
    "build, sign, encode",
    "pickle dumps",
    "pickle loads",
    "pickle size",
    "memory, load and len",
    "memory, decode",
)
#: Rows whose figures are multiples of the file's size.
SIZES = ("pickle size", "memory, load and len", "memory, decode")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=415_756, help="entries of the list [default: 415756]")
    parser.add_argument("--few", type=int, default=4_158, help="entries for the slow libraries [default: 4158]")
    parser.add_argument("--libraries", nargs="+", choices=list(LIBRARIES), default=list(LIBRARIES), help="only these [default: all]")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--once", help=argparse.SUPPRESS)
    parser.add_argument("--file", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.once:
        print(json.dumps(once(arguments.once, arguments.file, arguments.entries)))
        return 0
    results: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        sizes = {}
        pathlib.Path(folder, "short.crl").write_bytes(made(3, "tagwise")[1]().public_bytes("DER"))
        for count in {arguments.entries, arguments.few}:
            der = made(count, "tagwise")[1]().public_bytes("DER")
            sizes[count] = len(der)
            pathlib.Path(folder, f"{count}.crl").write_bytes(der)
        for name in arguments.libraries:
            count = arguments.few if name in SLOW else arguments.entries
            file = pathlib.Path(folder, f"{count}.crl")
            command = [sys.executable, __file__, "--once", name, "--file", str(file), "--entries", str(count)]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                print(f"{name} has no figures", file=sys.stderr)
                continue
            found = json.loads(done.stdout)
            scale = arguments.entries / count
            results[name] = {what: value if what in SIZES else value * scale for what, value in found.items()}
    if arguments.json:
        print(json.dumps(results))
        return 0
    print(heading(name for name in results if name != "tagwise.asn1"))
    print(f"{arguments.entries} entries, {sizes[arguments.entries]} bytes; seconds, and multiples of the file's size\n")
    print("| what | " + " | ".join(f"{name} ×" if name in SLOW else name for name in results) + " |\n|---|" + "---:|" * len(results))
    for row in ROWS:
        cells = [f"{found[row]:.4f}" if row in found else "" for found in results.values()]
        print(f"| {row} | " + " | ".join(cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

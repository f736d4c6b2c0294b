"""A fuzz target for the binding: for any input, the package must return a value or raise one of its own exceptions.

    python binding.py [FOLDER] [ARGUMENTS OF LIBFUZZER]     # with atheris
    python binding.py --seconds S [--seed N]                # without it: damaged copies of the seeds, chosen without coverage

The first byte of an input selects the call, the second the rules whose violations are tolerated. `./x python fuzz SECONDS` builds the
package, writes the seeds and runs this.
"""

from __future__ import annotations

import argparse
import contextlib
import enum
import io
import pathlib
import pickle
import pickletools
import random
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1]), str(pathlib.Path(__file__).resolve().parent)]

try:
    import atheris
except ImportError:
    atheris = None

if atheris is not None:
    with atheris.instrument_imports(include=["tagwise"]):
        import kerberos
        from tagwise import asn1, cms, lint, pem, pkcs12, tsp, x509
        from tagwise.x509 import ocsp
else:
    import kerberos
    from tagwise import asn1, cms, lint, pem, pkcs12, tsp, x509
    from tagwise.x509 import ocsp

from attempts import attempt
from tests.conftest import ROOM
from tests.test_mutations import ALLOWED, damaged, ders, whole

RULES = ((), ("long-length",), ("boolean-value", "long-length"), pem.LAX, ("long-length", "negative-serial"))

# Without extension markers: what a later version adds is passed over, so that it is not written again.
MODULE = asn1.compile_text(
    """
    M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
      All ::= SEQUENCE {
        number INTEGER (0..MAX) DEFAULT 7, small INTEGER (0..255) OPTIONAL, real REAL OPTIONAL, flag BOOLEAN OPTIONAL,
        text UTF8String (SIZE (1..9)) OPTIONAL, bits BIT STRING { one(1), two(2) } OPTIONAL, time GeneralizedTime OPTIONAL,
        day UTCTime OPTIONAL, kind ENUMERATED { a, b } OPTIONAL, any ANY OPTIONAL, next All OPTIONAL, list SET OF Pick OPTIONAL,
        oid OBJECT IDENTIFIER OPTIONAL, relative RELATIVE-OID OPTIONAL, bmp BMPString OPTIONAL }
      Pick ::= CHOICE { first [0] All, second [1] NULL, third [2] OCTET STRING (CONTAINING All) }
    END
    """
)


class Narrow(pickle.Unpickler):
    """An unpickler for the package's own pickles. It refuses all other names, since loading them could run arbitrary code."""

    def find_class(self, module: str, name: str) -> Any:
        if module.split(".")[0] == "tagwise" and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and not issubclass(found, enum.Enum):
                # A class of its own, for a pickle can change the classes that it names.
                return type(name, (found,), {"__slots__": ()})
            if isinstance(found, type) or name in ("_restored", "entry_of"):
                return found
        raise pickle.UnpicklingError(name)


def loaded(load: Callable[..., Any]) -> Callable[[bytes, list[str]], None]:
    def run(data: bytes, allow: list[str]) -> None:
        value = load(data, allow=allow)
        whole(value)
        again = pickle.loads(pickle.dumps(value))
        assert again == value
        for offset in (0, len(data) // 2, len(data), 1 << 62):
            value.explain(offset)

    return run


def pem_text(data: bytes, allow: list[str]) -> None:
    for load in (x509.load_pem_x509_certificates, x509.load_pem_x509_crl, x509.load_pem_x509_csr):
        attempt(load, data)
    attempt(lambda: pem.blocks(data, allow=allow))


def signed(data: bytes, allow: list[str]) -> None:
    attempt(lambda: [whole(one) for one in cms.load_certificates(data, allow=allow)])
    attempt(lambda: cms.examine(data, max_signatures=2).is_good)
    attempt(lambda: cms.examine_stream(io.BytesIO(data), io.BytesIO()).is_good)


def bundle(data: bytes, allow: list[str]) -> None:
    opened = pkcs12.load(data, "cryptography", allow_no_mac=True, max_iterations=3000, max_memory=1 << 20)
    for ask in (lambda: opened.key, lambda: opened.certificate, lambda: [item.value for item in opened.items]):
        attempt(ask)


def stamp(data: bytes, allow: list[str]) -> None:
    attempt(lambda: tsp.verify(data, data=b"what was stamped"))
    attempt(lambda: cms.decrypt(data, key=cms.Password("a passphrase"), max_iterations=3000))


def values(data: bytes, allow: list[str]) -> None:
    for name in ("All", "Pick"):
        for rules in ("DER", "BER", "CER"):
            value = attempt(lambda: MODULE[name].decode(data, rules=rules))
            if value is not None:
                # What was read can be written; what was strict is written as it was.
                encoded = MODULE[name].encode(value)
                assert rules != "DER" or encoded == data, (name, data.hex())
                attempt(lambda: MODULE[name].from_json(MODULE[name].to_json(encoded)))
        attempt(lambda: MODULE[name].from_json(data.decode("utf-8", "replace")))


def text_of_asn1(data: bytes, allow: list[str]) -> None:
    asn1.compile_text(data.decode("utf-8", "replace"))


def names(data: bytes, allow: list[str]) -> None:
    attempt(lambda: x509.Name.from_rfc4514_string(data.decode("utf-8", "replace")).public_bytes())
    attempt(lambda: x509.Name.from_bytes(data).rfc4514_string())
    attempt(lambda: x509.DNSName(data.decode("utf-8", "replace")))


def paths(data: bytes, allow: list[str]) -> None:
    text = data[:200].decode("utf-8", "replace")
    attempt(lambda: CERTIFICATE.get(text))
    with contextlib.suppress(KeyError):
        # No lint has the name.
        lint.check(CERTIFICATE, only=[text])
    attempt(lambda: x509.load_many([data, data[:-1], memoryview(data)], allow=[text]))


def is_modest(data: bytes) -> bool:
    """Returns whether unpickling uses little memory: the pickle machine allocates as much as a number in the pickle
    requests."""
    try:
        for code, argument, _ in pickletools.genops(data):
            if code.name == "BYTEARRAY8" or (code.name in ("PUT", "BINPUT", "LONG_BINPUT") and argument > 10_000):
                return False
    except (ValueError, IndexError) as error:
        # The rest is not looked at by pickle either. CPython 3.11 complains of itself where a bytearray is too large for the machine.
        return "bytearray8" not in str(error)
    return True


def pickles(data: bytes, allow: list[str]) -> None:
    if not is_modest(data):
        return
    try:
        value = Narrow(io.BytesIO(data)).load()
    except ALLOWED:
        raise
    except (pickle.UnpicklingError, EOFError, TypeError, AttributeError, IndexError, KeyError, ImportError, MemoryError, OverflowError):
        # What pickle itself and constructors called with wrong arguments say.
        return
    if isinstance(value, (x509.Certificate, x509.CertificateRevocationList, x509.CertificateSigningRequest)):
        whole(value)


CALLS: tuple[Callable[[bytes, list[str]], None], ...] = (
    loaded(x509.load_der_x509_certificate),
    loaded(x509.load_der_x509_crl),
    loaded(x509.load_der_x509_csr),
    loaded(ocsp.load_der_ocsp_request),
    loaded(ocsp.load_der_ocsp_response),
    pem_text,
    signed,
    bundle,
    stamp,
    values,
    text_of_asn1,
    names,
    paths,
    pickles,
    *kerberos.CALLS,
)

CERTIFICATE = x509.load_pem_x509_certificate((ROOM / "cryptography.io.pem").read_bytes())


def one_input(data: bytes) -> None:
    if len(data) < 2:
        return
    call, allow = CALLS[data[0] % len(CALLS)], RULES[data[1] % len(RULES)]
    attempt(call, data[2:], list(allow))


def seeds() -> list[bytes]:
    """Returns seed inputs for all calls, which read at least part of them."""
    kinds = (
        (0, ders("*.pem", "CERTIFICATE")),
        (1, ders("*crl*.*", "X509 CRL")),
        (2, ders("*.pem", "CERTIFICATE REQUEST")),
        (3, ders("ocsp/req*.der", "")),
        (4, ders("ocsp/resp*.der", "")),
        (5, [file.read_bytes() for file in sorted(ROOM.glob("*.pem"))]),
        (6, [file.read_bytes() for file in sorted((ROOM.parent / "pkcs7").glob("*"))]),
        (7, [file.read_bytes() for file in sorted((ROOM.parent / "pkcs12").glob("*.p12"))]),
        (8, [cms.encrypt(b"a secret", [cms.Password("a passphrase", iterations=1000)])]),
        (9, [MODULE["All"].encode(value) for value in ({}, {"number": 1 << 70, "next": {"text": "ü"}}, {"list": [("second", None)]})]),
        (10, [b"M DEFINITIONS ::= BEGIN A ::= SEQUENCE { a INTEGER, b A OPTIONAL } END"]),
        (11, [b"CN=a+OU=b,O=\\2C\\E4", CERTIFICATE.subject.public_bytes()]),
        (12, [b"tbsCertificate.extensions[subjectAltName].dNSName", b"long-length"]),
        (13, [pickle.dumps(one) for one in (CERTIFICATE, CERTIFICATE.subject, CERTIFICATE.extensions, x509.Name([]))]),
    )
    first = len(CALLS) - len(kerberos.CALLS)
    kinds = (*kinds, *enumerate(kerberos.seeds(), first))
    return [bytes((kind, 0)) + data for kind, listed in kinds for data in listed if data and len(data) < 20_000]


def by_chance(seconds: float, seed: int) -> int:
    """Runs the calls on randomly damaged copies of the seeds for the given time."""
    source, inputs = random.Random(seed), seeds()
    print(f"{len(inputs)} seeds; without atheris, coverage chooses nothing")
    end, count, state = time.monotonic() + seconds, 0, source.getstate()
    while time.monotonic() < end:
        state = source.getstate()
        chosen = source.choice(inputs)
        data = chosen[:1] + bytes((source.randrange(len(RULES)),)) + damaged(chosen[2:] or b"\0", source)
        try:
            one_input(data)
        except BaseException:
            print(f"input: {data.hex()}", file=sys.stderr)
            raise
        count += 1
    print(f"{count} inputs in {seconds:.0f} s")
    return 0


def main() -> int:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=4711)
    parser.add_argument("--seeds", type=pathlib.Path, help="write the seeds into a folder, and end")
    known, rest = parser.parse_known_args()
    if known.seeds is not None:
        for number, data in enumerate(seeds()):
            (known.seeds / f"seed-{number:04}").write_bytes(data)
        return 0
    if known.seconds is not None:
        return by_chance(known.seconds, known.seed)
    if atheris is None:
        raise SystemExit("atheris is not installed: --seconds works without it")
    atheris.Setup([sys.argv[0], *rest], one_input)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())

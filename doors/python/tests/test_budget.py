"""Limits on the cost of decoding and encoding, of compilations and of searches for paths."""

from __future__ import annotations

import asyncio
import datetime
import pickle
import threading
from collections.abc import Callable
from typing import Any

import pytest
import tagwise
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from tagwise import Asn1Error, asn1, x509
from tagwise.x509 import verification

MODULES = asn1.compile_text("""
    M DEFINITIONS ::= BEGIN
      Numbers ::= SEQUENCE OF INTEGER
      Nested ::= SEQUENCE { inner Nested OPTIONAL }
    END
""")
NUMBERS, NESTED = MODULES["Numbers"], MODULES["Nested"]
FIVE = NUMBERS.encode(range(5))


def length(content: bytes) -> bytes:
    size = len(content)
    return (bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")) + content


def code(work: Callable[[], Any]) -> str:
    try:
        work()
    except Asn1Error as error:
        return error.code
    return ""


def test_depth() -> None:
    deep = b"\x30\x00"
    for _ in range(99):
        deep = b"\x30" + length(deep)
    # Its length has more octets than DER has for some sizes.
    assert code(lambda: NESTED.decode(deep, allow=["long-length"])) == "depth-exceeded"
    with tagwise.budget(depth=100):
        assert "inner" in NESTED.decode(deep, allow=["long-length"])
    flat = bytes.fromhex("3006300430023000")
    assert code(lambda: NESTED.decode(flat)) == ""
    with tagwise.budget(depth=3):
        for rules in ("DER", "BER"):
            assert code(lambda: NESTED.decode(flat, rules=rules)) == "depth-exceeded"
            assert code(lambda: list(NESTED.events(flat, rules=rules))) == "depth-exceeded"


def test_elements() -> None:
    with tagwise.budget(elements=4):
        for rules in ("DER", "BER"):
            assert code(lambda: NUMBERS.decode(FIVE, rules=rules)) == "elements-exceeded"
            assert code(lambda: NUMBERS.inspect(FIVE, rules=rules)) == "elements-exceeded"
            assert code(lambda: NUMBERS.to_json(FIVE, rules=rules)) == "elements-exceeded"
            assert code(lambda: list(NUMBERS.events(FIVE, rules=rules))) == "elements-exceeded"
        assert code(lambda: NUMBERS.decode(NUMBERS.encode(range(4)))) == ""
    assert code(lambda: NUMBERS.decode(FIVE)) == ""


def test_output() -> None:
    with tagwise.budget(output=len(FIVE) - 1):
        for rules in ("DER", "BER", "CER"):
            assert code(lambda: NUMBERS.encode(range(5), rules=rules)) == "output-exceeded"
        assert code(lambda: NUMBERS.from_json("[0,1,2,3,4]")) == "json"
        indefinite = b"\x30\x80" + FIVE[2:] + b"\0\0"
        assert code(lambda: NUMBERS.decode(indefinite, rules="BER")) == "output-exceeded"
    with tagwise.budget(output=len(FIVE)):
        assert NUMBERS.encode(range(5)) == FIVE
    assert NUMBERS.encode(range(5)) == FIVE


def test_blocks_in_each_other() -> None:
    with tagwise.budget(elements=4) as outer:
        with tagwise.budget(output=1):
            assert code(lambda: NUMBERS.decode(FIVE)) == "elements-exceeded"
            assert code(lambda: NUMBERS.encode([1])) == "output-exceeded"
            with tagwise.budget(elements=5):
                assert code(lambda: NUMBERS.decode(FIVE)) == ""
        assert code(lambda: NUMBERS.encode([1])) == ""
        with outer:
            assert code(lambda: NUMBERS.decode(FIVE)) == "elements-exceeded"
        assert code(lambda: NUMBERS.decode(FIVE)) == "elements-exceeded"
    with pytest.raises(ZeroDivisionError), tagwise.budget(elements=0):
        raise ZeroDivisionError
    assert code(lambda: NUMBERS.decode(FIVE)) == ""


def test_threads_and_tasks_have_their_own() -> None:
    found: list[str] = []
    with tagwise.budget(elements=4):
        thread = threading.Thread(target=lambda: found.append(code(lambda: NUMBERS.decode(FIVE))))
        thread.start()
        thread.join()
    # Later interpreters give a thread the context of the one that starts it, if they are asked to.
    assert found in ([""], ["elements-exceeded"])

    async def limited(elements: int) -> str:
        with tagwise.budget(elements=elements):
            await asyncio.sleep(0)
            return code(lambda: NUMBERS.decode(FIVE))

    async def both() -> list[str]:
        return list(await asyncio.gather(limited(4), limited(5)))

    assert asyncio.run(both()) == ["elements-exceeded", ""]


def certificate(subject: str, issuer: str, key: Any, by: Any, names: int, is_authority: bool) -> x509.Certificate:
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name.from_rfc4514_string(subject))
        .issuer_name(x509.Name.from_rfc4514_string(issuer))
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(datetime.datetime(2026, 1, 1))
        .not_valid_after(datetime.datetime(2027, 1, 1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(f"n{n}.example") for n in range(names)]), False)
        .add_extension(x509.BasicConstraints(is_authority, None), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key()), False)
        .add_extension(x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .sign(by, hashes.SHA256())
    )


def test_certificates() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    der = certificate("CN=a", "CN=a", key, key, 100, False).public_bytes("DER")
    with tagwise.budget(elements=50):
        assert code(lambda: x509.load_der_x509_certificate(der).extensions) == "elements-exceeded"
        assert code(lambda: x509.load_der_x509_certificate(der).check()) == "elements-exceeded"
        assert x509.load_der_x509_certificate(der).subject.rfc4514_string() == "CN=a"
    names = x509.load_der_x509_certificate(der).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    assert len(list(names.value)) == 100


def test_values() -> None:
    points = asn1.compile_text("M DEFINITIONS ::= BEGIN L ::= SEQUENCE OF SEQUENCE { x NULL OPTIONAL, y BOOLEAN OPTIONAL } END")["L"]
    data = {rules: points.encode([{}] * 5, rules=rules) for rules in ("DER", "UPER", "OER")}
    # An item and two absent components, five times.
    with tagwise.budget(values=15):
        assert all(points.decode(octets, rules=rules) == [{}] * 5 for rules, octets in data.items())
    with tagwise.budget(values=14):
        assert {code(lambda: points.decode(octets, rules=rules)) for rules, octets in data.items()} == {"elements-exceeded"}


def test_arguments() -> None:
    for wrong in ({"depth": 129}, {"depth": -1}, {"elements": -1}, {"output": 1 << 64}):
        with pytest.raises(ValueError):
            tagwise.budget(**wrong)
    with pytest.raises(TypeError):
        tagwise.budget(depth="3")  # type: ignore[arg-type]
    assert repr(tagwise.budget(depth=3)) == "budget(depth=3, elements=None, output=None, values=None)"
    assert "budget" in dir(tagwise)


def test_compilations() -> None:
    text = "M DEFINITIONS ::= BEGIN P {T} ::= SEQUENCE OF T N ::= P { SEQUENCE { a P {INTEGER}, b P {P {BOOLEAN}} } } END"
    for limits in (asn1.Limits(depth=2), asn1.Limits(bytes=10, bytes_per_byte=0), asn1.Limits(instances=1)):
        with pytest.raises(ValueError):
            asn1.compile_text(text, limits=limits)
    enough = asn1.compile_text(text, limits=asn1.Limits(instances=20))
    again = pickle.loads(pickle.dumps(enough))
    assert again is enough and again == asn1.compile_text(text)


def test_paths() -> None:
    root_key, leaf_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root = certificate("CN=root", "CN=root", root_key, root_key, 1, True)
    leaf = certificate("CN=leaf", "CN=root", leaf_key, root_key, 1, False)
    builder = verification.PolicyBuilder().store(verification.Store([root])).time(datetime.datetime(2026, 6, 1))
    subject = x509.DNSName("n0.example")
    rules, either = verification.ExtensionPolicy.permit_all(), verification.Criticality.AGNOSTIC
    lax = rules.require_present(x509.SubjectAlternativeName, either, None)
    ca = rules.require_present(x509.BasicConstraints, either, None)
    builder = builder.extension_policies(ca_policy=ca, ee_policy=lax)
    assert len(builder.budget(signatures=2).build_server_verifier(subject).verify(leaf, [])) == 2
    for name in ("signatures", "paths", "bytes"):
        limited = builder.budget(**{name: 0}).build_server_verifier(subject)
        with pytest.raises(verification.VerificationError):
            limited.verify(leaf, [])
    with pytest.raises(TypeError):
        builder.budget(paths="1")  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        builder.budget(paths=-1)

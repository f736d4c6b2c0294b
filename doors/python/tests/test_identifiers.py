"""Identifiers: their numbers are those of `cryptography`, their names those of Tagwise's own table."""

from __future__ import annotations

import cryptography.hazmat._oid
import pytest

from tagwise import _native, x509
from tagwise.x509 import oid
from tagwise.x509._extensions_revocation import REASON_CODES
from tagwise.x509.extensions import ReasonFlags


@pytest.mark.parametrize("name", [name for name in oid.__all__ if name != "ObjectIdentifier"])
def test_identifiers_are_those_of_cryptography(name: str) -> None:
    ours, theirs = getattr(oid, name), getattr(cryptography.hazmat._oid, name)
    members = [member for member in vars(theirs) if not member.startswith("__")]
    assert members
    for member in members:
        assert getattr(ours, member).dotted_string == getattr(theirs, member).dotted_string, member


def test_names() -> None:
    assert x509.ObjectIdentifier("2.5.29.15") == x509.ExtensionOID.KEY_USAGE
    assert hash(x509.ObjectIdentifier("2.5.29.15")) == hash(x509.ExtensionOID.KEY_USAGE)
    assert repr(x509.ObjectIdentifier("1.2.3.4.5")) == "<ObjectIdentifier(oid=1.2.3.4.5, name=Unknown OID)>"
    for wrong in ("", "1", "3.1", "1.40", "a.b", "1..2", "1.2."):
        with pytest.raises(ValueError):
            x509.ObjectIdentifier(wrong)
    with pytest.raises(KeyError):
        _native.oid_by_name("no such name")


def test_reasons() -> None:
    """RFC 5280 §5.3.1, §4.2.1.13."""
    assert REASON_CODES[ReasonFlags.remove_from_crl] == 8
    assert sorted(REASON_CODES.values()) == [0, 1, 2, 3, 4, 5, 6, 8, 9, 10]
    assert set(REASON_CODES) == set(ReasonFlags)
    bits = frozenset(ReasonFlags) - {ReasonFlags.unspecified, ReasonFlags.remove_from_crl}
    point = x509.DistributionPoint([x509.DNSName("a")], None, bits, None)
    # [1] ReasonFlags: bits 1 to 8 of nine.
    assert bytes.fromhex("8103077f80") in x509.CRLDistributionPoints([point]).public_bytes()


def test_names_are_those_of_cryptography() -> None:
    from cryptography import x509 as theirs
    from cryptography.hazmat._oid import _OID_NAMES

    for oid, name in _OID_NAMES.items():
        assert x509.ObjectIdentifier(oid.dotted_string)._name == name == oid._name
        assert x509.ObjectIdentifier(oid.dotted_string).names[0] == name
    for dotted in ("1.3.6.1.4.1.311.20.2", "1.2.840.113549.1.9.16.2.14", "2.5.29.9", "1.3.6.1.5.5.7.1.3", "2.999.1"):
        mine = x509.ObjectIdentifier(dotted)
        assert mine._name == theirs.ObjectIdentifier(dotted)._name
        assert repr(mine) == repr(theirs.ObjectIdentifier(dotted))


def test_further_names() -> None:
    assert x509.ObjectIdentifier("1.3.6.1.5.5.7.1.3").names == ("qcStatements",)
    assert x509.ObjectIdentifier("2.999.1").names == ()

"""A bad extension of a request, a list, an entry or a response leaves the others readable; the error has its place in the whole."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from tagwise import Asn1Error, keys, x509
from tagwise.x509 import ocsp

NAME = x509.Name.from_rfc4514_string("CN=Somebody")
START, END = datetime.datetime(2026, 1, 1), datetime.datetime(2027, 1, 1)
KEY = keys.PrivateKey.generate("ed25519")


def request() -> tuple[Any, bytes, Any, Any]:
    names = x509.SubjectAlternativeName([x509.DNSName("example.org")])
    made = (
        x509.CertificateSigningRequestBuilder()
        .subject_name(NAME)
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(False, None), critical=True)
        .sign(KEY, None)
    )
    return made, names.public_bytes(), x509.SubjectAlternativeName, x509.BasicConstraints


def revocations(entry: bool) -> tuple[Any, bytes, Any, Any]:
    date = x509.InvalidityDate(START)
    one = (
        x509.RevokedCertificateBuilder()
        .serial_number(1)
        .revocation_date(START)
        .add_extension(date, critical=False)
        .add_extension(x509.CRLReason(x509.ReasonFlags.key_compromise), critical=False)
        .build()
    )
    number = x509.CRLNumber(0x4711471147114711)
    made = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(NAME)
        .last_update(START)
        .next_update(END)
        .add_revoked_certificate(one)
        .add_extension(number, critical=False)
        .add_extension(x509.AuthorityKeyIdentifier(b"0123", None, None), critical=False)
        .sign(KEY, None)
    )
    if entry:
        return made, date.public_bytes(), x509.InvalidityDate, x509.CRLReason
    return made, number.public_bytes(), x509.CRLNumber, x509.AuthorityKeyIdentifier


def ocsp_request() -> tuple[Any, bytes, Any, Any]:
    accepted = x509.OCSPAcceptableResponses([x509.ObjectIdentifier("1.3.6.1.5.5.7.48.1.1")])
    made = (
        ocsp.OCSPRequestBuilder()
        .add_certificate_by_hash(bytes(20), bytes(20), 1, "sha1")
        .add_extension(accepted, critical=False)
        .add_extension(x509.OCSPNonce(b"0123456789abcdef"), critical=False)
        .build()
    )
    return made, accepted.public_bytes(), x509.OCSPAcceptableResponses, x509.OCSPNonce


MADE = {
    "request": request,
    "list": lambda: revocations(False),
    "entry": lambda: revocations(True),
    "OCSP request": ocsp_request,
}


@pytest.mark.parametrize("kind", list(MADE))
def test_one_by_one(kind: str) -> None:
    whole, value, bad, good = MADE[kind]()
    der = whole.public_bytes("DER")
    part = whole[0] if kind == "entry" else whole
    assert part.extension_errors == []
    assert part.extension(bad).value.public_bytes() == value
    at = der.index(value)
    changed = type(whole)(der[:at] + b"\x13" + der[at + 1 :])
    other = changed[0] if kind == "entry" else changed
    ((oid, error),) = other.extension_errors
    assert oid == bad.oid and error.offset == at and error.code
    # The table of a request does not look into the values of attributes.
    assert ("attributes[0]" if kind == "request" else "xtensions[") in error.path
    assert other.extension(good) == part.extension(good)
    assert bad.oid in [one.oid for one in other.extensions] and len(other.extensions) == len(part.extensions)
    assert other.extensions.get_extension_for_class(good) == part.extension(good)
    for ask in (
        lambda: other.extension(bad),
        lambda: other.extensions.get_extension_for_class(bad),
        lambda: other.extensions.get_extension_for_oid(bad.oid),
        lambda: [one.value for one in other.extensions],
    ):
        with pytest.raises(Asn1Error) as caught:
            ask()
        assert caught.value.offset == at
    whole.check()
    with pytest.raises(Asn1Error) as caught:
        changed.check()
    assert caught.value.offset == at
    with pytest.raises(x509.ExtensionNotFound):
        other.extension(x509.InhibitAnyPolicy)


@pytest.mark.parametrize("kind", ["request", "OCSP request"])
def test_deviations(kind: str) -> None:
    whole, value, bad, _ = MADE[kind]()
    der = whole.public_bytes("DER")
    assert whole.deviations == []
    # The length of the whole, which has one or two bytes of its own, gets another one.
    size = len(der) - 2 if der[1] < 0x80 else len(der) - 3
    longer = b"\x30\x82" + size.to_bytes(2, "big") + der[-size:]
    with pytest.raises(Asn1Error):
        type(whole)(longer)
    read = type(whole)(longer, allow=["long-length"])
    ((one),) = read.deviations
    assert (one.rule, bool(one.clause)) == ("long-length", True)
    assert read.extension(bad).value.public_bytes() == value

"""`repr`, `str`, `hash` and `==` of objects never raise, whatever input they were read from; `verify` raises `VerificationError` alone."""

from __future__ import annotations

import datetime
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tagwise import keys, x509
from tagwise.x509 import ocsp, verification

#: Changed copies in all; the environment may ask for more.
COUNT = int(os.environ.get("TAGWISE_MUTANTS", "3000"))
KEY = keys.PrivateKey.generate("ed25519")
START, END = datetime.datetime(2026, 1, 1), datetime.datetime(2027, 1, 1)
NAME = x509.Name.from_rfc4514_string("CN=Somebody,OU=Unit+L=Here,O=Organization,C=DE")
O = x509.ObjectIdentifier  # noqa: E741


def general_names() -> list[x509.GeneralName]:
    import ipaddress

    return [
        x509.DNSName("example.com"),
        x509.RFC822Name("somebody@example.com"),
        x509.UniformResourceIdentifier("http://example.com/"),
        x509.DirectoryName(NAME),
        x509.IPAddress(ipaddress.ip_address("192.0.2.1")),
        x509.IPAddress(ipaddress.ip_address("2001:db8::1")),
        x509.RegisteredID(O("1.2.3.4")),
        x509.OtherName(O("1.3.6.1.4.1.311.20.2.3"), b"\x0c\x03abc"),
    ]


def extensions() -> list[x509.ExtensionType]:
    import ipaddress

    names = general_names()
    network = x509.IPAddress(ipaddress.ip_network("192.0.2.0/24"))
    notice = x509.UserNotice(x509.NoticeReference("Organization", [1, 2, 3]), "a text")
    point = x509.DistributionPoint(names, None, frozenset([x509.ReasonFlags.key_compromise]), names)
    authority = x509.NamingAuthority(O("1.2.3"), "http://example.com", "text")
    return [
        x509.SubjectAlternativeName(names),
        x509.IssuerAlternativeName(names),
        x509.BasicConstraints(True, 3),
        x509.KeyUsage(True, False, True, False, True, True, False, True, False),
        x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.SERVER_AUTH, O("1.2.3")]),
        x509.SubjectKeyIdentifier(b"0123456789"),
        x509.AuthorityKeyIdentifier(b"0123456789", names, 1 << 100),
        x509.NameConstraints([x509.DNSName("example.com"), network], [x509.DirectoryName(NAME)]),
        x509.CertificatePolicies([x509.PolicyInformation(O("1.2.3"), ["http://example.com", notice])]),
        x509.PolicyConstraints(1, 2),
        x509.InhibitAnyPolicy(3),
        x509.CRLDistributionPoints([point]),
        x509.FreshestCRL([point]),
        x509.AuthorityInformationAccess([x509.AccessDescription(x509.AuthorityInformationAccessOID.OCSP, names[2])]),
        x509.SubjectInformationAccess([x509.AccessDescription(x509.oid.SubjectInformationAccessOID.CA_REPOSITORY, names[2])]),
        x509.TLSFeature([x509.TLSFeatureType.status_request]),
        x509.OCSPNoCheck(),
        x509.PrivateKeyUsagePeriod(START, END),
        x509.MSCertificateTemplate(O("1.2.3"), 1, 2),
        x509.Admissions(names[3], [x509.Admission(names[0], authority, [x509.ProfessionInfo(authority, ["x"], [O("1.2.3")], "7", b"add")])]),
        x509.UnrecognizedExtension(O("1.2.3.4.5"), b"\x05\x00"),
    ]


def certificate(values: list[x509.ExtensionType]) -> x509.Certificate:
    builder = (
        x509.CertificateBuilder()
        .subject_name(NAME)
        .issuer_name(NAME)
        .public_key(KEY.public_key())
        .serial_number(1 << 70)
        .not_valid_before(START)
        .not_valid_after(END)
    )
    for value in values:
        builder = builder.add_extension(value, critical=False)
    return builder.sign(KEY, None)


def seeds() -> list[tuple[Callable[..., Any], bytes]]:
    made: list[tuple[Callable[..., Any], Any]] = [(x509.load_der_x509_certificate, certificate(extensions()))]
    # Alone in a certificate, each gets its share of the changes.
    made += [(x509.load_der_x509_certificate, certificate([value])) for value in extensions()]
    request = x509.CertificateSigningRequestBuilder().subject_name(NAME).add_attribute(x509.oid.AttributeOID.CHALLENGE_PASSWORD, b"secret")
    for value in extensions()[:8]:
        request = request.add_extension(value, critical=False)
    entry = (
        x509.RevokedCertificateBuilder()
        .serial_number(1 << 70)
        .revocation_date(START)
        .add_extension(x509.CRLReason(x509.ReasonFlags.key_compromise), False)
        .add_extension(x509.InvalidityDate(START), False)
        .add_extension(x509.CertificateIssuer(general_names()), False)
        .build()
    )
    crl = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(NAME)
        .last_update(START)
        .next_update(END)
        .add_revoked_certificate(entry)
        .add_extension(x509.CRLNumber(7), False)
        .add_extension(x509.DeltaCRLIndicator(7), True)
        .add_extension(x509.IssuingDistributionPoint(general_names(), None, True, False, frozenset([x509.ReasonFlags.key_compromise]), True, False), True)
        .sign(KEY, None)
    )
    question = (
        ocsp.OCSPRequestBuilder()
        .add_certificate_by_hash(bytes(20), bytes(20), 1 << 70, "sha1")
        .add_extension(x509.OCSPNonce(b"0123456789abcdef"), False)
        .add_extension(x509.OCSPAcceptableResponses([O("1.3.6.1.5.5.7.48.1.1")]), False)
        .build()
    )
    signer = certificate([])
    answer = (
        ocsp.OCSPResponseBuilder()
        .add_response_by_hash(bytes(20), bytes(20), 1 << 70, "sha1", ocsp.OCSPCertStatus.REVOKED, START, END, START, x509.ReasonFlags.key_compromise)
        .responder_id(ocsp.OCSPResponderEncoding.NAME, signer)
        .certificates([signer])
        .add_extension(x509.OCSPNonce(b"0123456789abcdef"), False)
        .sign(KEY, None)
    )
    made += [
        (x509.load_der_x509_csr, request.sign(KEY, None)),
        (x509.load_der_x509_crl, crl),
        (ocsp.load_der_ocsp_request, question),
        (ocsp.load_der_ocsp_response, answer),
    ]
    return [(load, value.public_bytes("DER")) for load, value in made]


def mutants(count: int, seed: int) -> Iterator[tuple[Callable[..., Any], bytes]]:
    chance = random.Random(seed)
    known = seeds()
    yield from known
    for number in range(count):
        load, der = known[number % len(known)]
        changed = bytearray(der)
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            at = chance.randrange(len(changed))
            # Tags of universal types and odd characters reach further than other bytes do.
            changed[at] = chance.choice((chance.randrange(256), chance.choice(b"\x01\x02\x03\x04\x05\x06\x0c\x13\x16\x17\x18\x30\x31"), changed[at] ^ 1 << chance.randrange(8)))
        yield load, bytes(changed)


def told(value: Any) -> None:
    """Asks for the texts, the hash and the comparisons of a value."""
    assert isinstance(repr(value), str) and isinstance(str(value), str) and isinstance(f"{value}", str)
    assert value == value
    assert (value == 0) in (True, False)
    assert hash(value) == hash(value)


def is_ours(value: Any) -> bool:
    return type(value).__module__.split(".")[0] == "tagwise"


def every(value: Any, seen: set[int], left: list[int]) -> None:
    """Asks for every attribute of an object and of all that it leads to."""
    if id(value) in seen or left[0] <= 0:
        return
    seen.add(id(value))
    left[0] -= 1
    left.append(value)
    if isinstance(value, (list, tuple, frozenset)):
        for one in list(value)[:20]:
            every(one, seen, left)
        return
    if not is_ours(value):
        return
    told(value)
    if hasattr(value, "_repr_html_"):
        assert value._repr_html_().startswith("<div>")
    for name in dir(type(value)):
        if name.startswith("_"):
            continue
        try:
            found = getattr(value, name)
            if name in ("rfc4514_string", "public_bytes", "check", "lint", "to_json"):
                found = found("DER") if name == "public_bytes" and hasattr(value, "get") else found()
        except Exception:  # Attributes may raise: `test_mutations.py` checks what.
            continue
        if name != "responses" or not hasattr(found, "__next__"):
            every(found, seen, left)
        else:
            every(list(found), seen, left)
    if hasattr(type(value), "__getitem__") and hasattr(type(value), "__len__"):
        try:
            items = [value[number] for number in range(min(len(value), 20))]
        except Exception:
            return
        every(items, seen, left)


def verifiers() -> tuple[verification.ServerVerifier, verification.ClientVerifier]:
    ca = certificate([x509.BasicConstraints(True, None)])
    builder = verification.PolicyBuilder().store(verification.Store([ca])).time(START)
    return builder.build_server_verifier(x509.DNSName("example.com")), builder.build_client_verifier()


@pytest.mark.parametrize("allow", [(), ("string-alphabet", "size", "value", "open-type", "named-bits", "default-encoded")])
def test_mutants(allow: tuple[str, ...]) -> None:
    server, client = verifiers()
    loaded = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for load, der in mutants(COUNT // 2, len(allow)):
            try:
                value = load(der, allow=list(allow))
            except (ValueError, NotImplementedError, x509.InvalidVersion):
                continue
            loaded += 1
            every(value, set(), [2000])
            other = load(der, allow=list(allow))
            assert value == other and hash(value) == hash(other)
            if isinstance(value, x509.Certificate):
                for verifier in (server, client):
                    for leaf, others in ((value, []), (value, [value])):
                        with pytest.raises(verification.VerificationError) as caught:
                            verifier.verify(leaf, others)
                        told(caught.value)
    assert loaded > COUNT // 10


def test_numbers_of_many_digits() -> None:
    number = 10**5000
    for value in (
        x509.CRLNumber(number),
        x509.AuthorityKeyIdentifier(None, general_names(), number),
        x509.NoticeReference("a", [1, number]),
        x509.PolicyConstraints(number, None),
        x509.DeltaCRLIndicator(number),
        x509.CertificatePolicies([x509.PolicyInformation(O("1.2.3"), [x509.UserNotice(x509.NoticeReference("a", [number]), None)])]),
    ):
        told(value)
        told(x509.Extension(value.oid, False, value) if isinstance(value, x509.ExtensionType) else value)
    assert repr(x509.CRLNumber(number)) == f"<CRLNumber(1{'0' * 5000})>" and sys.get_int_max_str_digits() < 5000
    assert repr(x509.CRLNumber(1 << 200_000)).startswith("<CRLNumber(0x1000")


def test_a_subject_that_cannot_be_read() -> None:
    # The text of the common name becomes a PrintableString with a character that such strings do not have.
    der = bytearray(certificate([]).public_bytes("DER"))
    at = der.rindex(b"Somebody")
    der[at - 2], der[at] = 0x13, ord("@")
    value = x509.load_der_x509_certificate(bytes(der))
    assert "unreadable" in repr(value) and "alphabet" in repr(value)
    with pytest.raises(ValueError):
        value.subject  # noqa: B018
    for verifier in verifiers():
        with pytest.raises(verification.VerificationError, match="unreadable"):
            verifier.verify(value, [])
    allowed = x509.load_der_x509_certificate(bytes(der), allow=["string-alphabet"])
    assert "CN=@omebody" in repr(allowed)


def test_useful_texts() -> None:
    by_type = {type(value).__name__: value for value in (load(der) for load, der in seeds())}
    assert repr(by_type["CertificateRevocationList"]) == (
        "<CertificateRevocationList(issuer=<Name(CN=Somebody,L=Here+OU=Unit,O=Organization,C=DE)>, "
        "last_update=2026-01-01 00:00:00+00:00, next_update=2027-01-01 00:00:00+00:00, entries=1)>"
    )
    assert repr(by_type["CertificateRevocationList"][0]) == (
        "<RevokedCertificate(serial_number=0x400000000000000000, revocation_date=2026-01-01 00:00:00+00:00, reason=keyCompromise)>"
    )
    assert repr(by_type["CertificateSigningRequest"]).startswith("<CertificateSigningRequest(subject=<Name(CN=Somebody")
    assert repr(by_type["OCSPRequest"]) == "<OCSPRequest(serial_number=0x400000000000000000)>"
    assert repr(by_type["OCSPResponse"]) == (
        "<OCSPResponse(response_status=SUCCESSFUL, certificate_status=REVOKED, serial_number=0x400000000000000000, "
        "this_update=2026-01-01 00:00:00+00:00, next_update=2027-01-01 00:00:00+00:00)>"
    )
    (single,) = by_type["OCSPResponse"].responses
    assert repr(single).startswith("<OCSPSingleResponse(certificate_status=REVOKED")

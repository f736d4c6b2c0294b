"""What builders refuse: networks outside of name constraints, and verifiers without a demand that could not be set."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Callable
from typing import Any

import pytest

from tagwise import keys, x509
from tagwise.x509 import verification

KEY = keys.PrivateKey.generate("ed25519")
NAME = x509.Name.from_rfc4514_string("CN=CA")
NETWORK = x509.IPAddress(ipaddress.ip_network("192.0.2.0/24"))
DNS = x509.DNSName("example.com")


@pytest.mark.parametrize(
    "make",
    [
        lambda: x509.SubjectAlternativeName([DNS, NETWORK]),
        lambda: x509.IssuerAlternativeName([x509.IPAddress(ipaddress.ip_network("2001:db8::/32"))]),
        lambda: x509.CertificateIssuer([NETWORK]),
        lambda: x509.AuthorityKeyIdentifier(None, [NETWORK], 1),
        lambda: x509.AccessDescription(x509.AuthorityInformationAccessOID.OCSP, NETWORK),
        lambda: x509.DistributionPoint([NETWORK], None, None, None),
        lambda: x509.DistributionPoint(None, None, None, [NETWORK]),
        lambda: x509.IssuingDistributionPoint([NETWORK], None, False, False, None, False, False),
        lambda: x509.Admissions(NETWORK, []),
        lambda: x509.Admission(NETWORK, None, []),
    ],
)
def test_networks_are_for_name_constraints_alone(make: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match="only allowed in name constraints"):
        make()
    assert x509.NameConstraints([NETWORK], None).permitted_subtrees == [NETWORK]


def store() -> verification.Store:
    made = (
        x509.CertificateBuilder()
        .subject_name(NAME)
        .issuer_name(NAME)
        .public_key(KEY.public_key())
        .serial_number(1)
        .not_valid_before(datetime.datetime(2026, 1, 1))
        .not_valid_after(datetime.datetime(2027, 1, 1))
        .sign(KEY, None)
    )
    return verification.Store([made])


@pytest.mark.parametrize(
    "fail",
    [
        lambda builder: builder.time("now"),
        lambda builder: builder.max_chain_depth(-1),
        lambda builder: builder.max_chain_depth("1"),
        lambda builder: builder.store([]),
        lambda builder: builder.budget(signatures=-1),
        lambda builder: builder.extension_policies(ca_policy=None, ee_policy=None),
        lambda builder: builder.store(store()),
    ],
)
def test_a_builder_whose_setter_failed_makes_no_verifier(fail: Callable[[Any], Any]) -> None:
    builder = verification.PolicyBuilder().store(store())
    with pytest.raises((TypeError, ValueError, OverflowError)):
        fail(builder)
    for one in (builder, builder.max_chain_depth(3)):
        with pytest.raises(ValueError, match="could not be set"):
            one.build_server_verifier(DNS)
        with pytest.raises(ValueError, match="could not be set"):
            one.build_client_verifier()
    verification.PolicyBuilder().store(store()).build_server_verifier(DNS)


def test_an_extension_policy_whose_setter_failed_is_refused() -> None:
    ca = verification.ExtensionPolicy.webpki_defaults_ca()
    ee = verification.ExtensionPolicy.webpki_defaults_ee()
    with pytest.raises(TypeError):
        ee.require_present("subjectAltName", verification.Criticality.AGNOSTIC, None)  # type: ignore[type-var]
    with pytest.raises(ValueError, match="could not be set"):
        verification.PolicyBuilder().extension_policies(ca_policy=ca, ee_policy=ee)


@pytest.mark.parametrize("host", ["", ".", "192.0.2.1", "*.example.com", "a b", "-"])
def test_a_host_that_is_none_makes_no_verifier(host: str) -> None:
    builder = verification.PolicyBuilder().store(store())
    with pytest.raises(ValueError):
        builder.build_server_verifier(x509.DNSName(host))


def test_offsets_that_are_none() -> None:
    certificate = store()._certificates[0]
    assert certificate.explain(4) == "tbsCertificate"
    for value in (certificate, x509.CertificateSigningRequestBuilder().subject_name(NAME).sign(KEY, None)):
        with pytest.raises(ValueError, match="offset must not be negative: -1"):
            value.explain(-1)
        with pytest.raises(TypeError):
            value.explain("1")  # type: ignore[arg-type]
        assert isinstance(value.explain(1 << 70), str)


def test_html_is_bounded() -> None:
    entries = [(number, datetime.datetime(2026, 1, 1)) for number in range(1, 20_001)]
    crl = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(NAME)
        .last_update(datetime.datetime(2026, 1, 1))
        .next_update(datetime.datetime(2027, 1, 1))
        .add_revoked_certificates(entries)
        .sign(KEY, None)
    )
    assert len(crl) == 20_000 and "20000" in crl._repr_html_() and len(crl._repr_html_()) < 50_000
    names = x509.SubjectAlternativeName([x509.DNSName(f"{number}.example.com") for number in range(20_000)])
    request = x509.CertificateSigningRequestBuilder().subject_name(NAME).add_extension(names, False).sign(KEY, None)
    assert "0.example.com" in request._repr_html_() and len(request._repr_html_()) < 100_000
    wide = x509.Name([x509.RelativeDistinguishedName([x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, "o" * 10_000)])] * 2_000)
    request = x509.CertificateSigningRequestBuilder().subject_name(wide).sign(KEY, None)
    assert len(request._repr_html_()) < 1 << 20

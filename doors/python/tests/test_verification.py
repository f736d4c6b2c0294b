"""Paths: what is critical is accounted for by the policy of its own certificate."""

from __future__ import annotations

import datetime

import pytest

from tagwise import keys, x509
from tagwise.x509.verification import (
    Criticality,
    ExtensionPolicy,
    PolicyBuilder,
    Store,
    VerificationError,
)

START, NOW, END = (datetime.datetime(year, 1, 1) for year in (2026, 2027, 2028))
OWN = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4.5"), b"\x05\x00")


class Own(x509.ExtensionType):
    """The extension above, as policies take it."""

    oid = OWN.oid


def made(name: str, key: keys.PrivateKey, root: keys.PrivateKey, ca: bool, own: bool) -> x509.Certificate:
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name.from_rfc4514_string(f"CN={name}"))
        .issuer_name(x509.Name.from_rfc4514_string("CN=Root"))
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(START)
        .not_valid_after(END)
        .add_extension(x509.BasicConstraints(ca, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(root.public_key()), critical=False)
        .add_extension(x509.KeyUsage(not ca, False, False, False, False, ca, ca, False, False), critical=True)
    )
    if not ca:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    if own:
        builder = builder.add_extension(OWN, critical=True)
    return builder.sign(root, "sha256")


@pytest.fixture(scope="module")
def pair() -> tuple[keys.PrivateKey, keys.PrivateKey]:
    return keys.PrivateKey.generate("p-256"), keys.PrivateKey.generate("p-256")


@pytest.mark.parametrize(("in_root", "in_leaf"), [(False, False), (False, True), (True, False), (True, True)])
@pytest.mark.parametrize(("by_ca", "by_ee"), [(False, False), (False, True), (True, False), (True, True)])
def test_critical_extensions(
    pair: tuple[keys.PrivateKey, keys.PrivateKey], in_root: bool, in_leaf: bool, by_ca: bool, by_ee: bool
) -> None:
    root_key, leaf_key = pair
    root = made("Root", root_key, root_key, True, in_root)
    leaf = made("example.org", leaf_key, root_key, False, in_leaf)
    ca, ee = ExtensionPolicy.webpki_defaults_ca(), ExtensionPolicy.webpki_defaults_ee()
    if by_ca:
        ca = ca.may_be_present(Own, Criticality.AGNOSTIC, None)
    if by_ee:
        ee = ee.may_be_present(Own, Criticality.AGNOSTIC, None)
    builder = PolicyBuilder().store(Store([root])).time(NOW).extension_policies(ca_policy=ca, ee_policy=ee)
    verifier = builder.build_server_verifier(x509.DNSName("example.org"))
    if (in_root and not by_ca) or (in_leaf and not by_ee):
        with pytest.raises(VerificationError):
            verifier.verify(leaf, [])
    else:
        assert verifier.verify(leaf, []) == [leaf, root]


def test_a_leaf_that_is_trusted_is_still_checked(pair: tuple[keys.PrivateKey, keys.PrivateKey]) -> None:
    root_key, leaf_key = pair
    leaf = made("example.org", leaf_key, root_key, False, False)
    builder = PolicyBuilder().store(Store([leaf]))
    assert builder.time(NOW).build_server_verifier(x509.DNSName("example.org")).verify(leaf, []) == [leaf]
    for name, time in (("example.net", NOW), ("example.org", END + datetime.timedelta(days=1))):
        with pytest.raises(VerificationError):
            builder.time(time).build_server_verifier(x509.DNSName(name)).verify(leaf, [])
    # Another certificate by the same issuer is not trusted for that.
    other = made("example.org", root_key, root_key, False, False)
    with pytest.raises(VerificationError):
        builder.time(NOW).build_server_verifier(x509.DNSName("example.org")).verify(other, [leaf])


def test_the_wrong_signature(pair: tuple[keys.PrivateKey, keys.PrivateKey]) -> None:
    root_key, leaf_key = pair
    root = made("Root", root_key, root_key, True, False)
    forged = made("example.org", leaf_key, leaf_key, False, False)
    verifier = PolicyBuilder().store(Store([root])).time(NOW).build_server_verifier(x509.DNSName("example.org"))
    with pytest.raises(VerificationError):
        verifier.verify(forged, [])

"""Paths and revocation: CRLs and OCSP responses as evidence, its weight, and the account of its use."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from tagwise import keys, x509
from tagwise.x509 import ocsp
from tagwise.x509.verification import Criticality, ExtensionPolicy, PolicyBuilder, Store, Verdict, VerificationError

START, NOW, END = (datetime.datetime(year, 1, 1) for year in (2026, 2027, 2028))
DAY = datetime.timedelta(days=1)
ROOT_KEY, LEAF_KEY, OTHER_KEY = (keys.PrivateKey.generate("p-256") for _ in range(3))
HOST = x509.DNSName("example.org")
LEAF_SERIAL = 4711


def name(common: str) -> x509.Name:
    return x509.Name.from_rfc4514_string(f"CN={common}")


def certificate(subject: str, key: keys.PrivateKey, ca: bool, serial: int) -> x509.Certificate:
    builder = (
        x509.CertificateBuilder()
        .subject_name(name(subject))
        .issuer_name(name("Root"))
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(START)
        .not_valid_after(END)
        .add_extension(x509.BasicConstraints(ca, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(ROOT_KEY.public_key()), critical=False)
        .add_extension(x509.KeyUsage(not ca, False, False, False, False, ca, ca, False, False), critical=True)
    )
    if not ca:
        builder = builder.add_extension(x509.SubjectAlternativeName([HOST]), critical=False)
    return builder.sign(ROOT_KEY, "sha256")


ROOT = certificate("Root", ROOT_KEY, True, 1)
LEAF = certificate("example.org", LEAF_KEY, False, LEAF_SERIAL)


def crl(
    *serials: int,
    issuer: str = "Root",
    key: keys.PrivateKey = ROOT_KEY,
    next_update: datetime.datetime = NOW + DAY,
    critical: bool = False,
    date: datetime.datetime = NOW - 10 * DAY,
    reason: x509.ReasonFlags | None = None,
) -> x509.CertificateRevocationList:
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(name(issuer))
        .last_update(next_update - 5 * DAY)
        .next_update(next_update)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
        .add_extension(x509.CRLNumber(1), critical=False)
    )
    if critical:
        builder = builder.add_extension(x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4.5"), b"\x05\x00"), critical=True)
    for serial in serials:
        entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(date)
        if reason is not None:
            entry = entry.add_extension(x509.CRLReason(reason), critical=False)
        builder = builder.add_revoked_certificate(entry.build())
    return builder.sign(key, "sha256")


def response(status: ocsp.OCSPCertStatus, key: keys.PrivateKey = ROOT_KEY) -> ocsp.OCSPResponse:
    is_revoked = status is ocsp.OCSPCertStatus.REVOKED
    builder = ocsp.OCSPResponseBuilder().add_response(
        cert=LEAF,
        issuer=ROOT,
        algorithm=keys.Hash("sha1"),
        cert_status=status,
        this_update=NOW - DAY,
        next_update=NOW + DAY,
        revocation_time=NOW - 2 * DAY if is_revoked else None,
        revocation_reason=x509.ReasonFlags.key_compromise if is_revoked else None,
    )
    return builder.responder_id(ocsp.OCSPResponderEncoding.NAME, ROOT).sign(key, keys.Hash("sha256"))


def builder(*mode: str, time: datetime.datetime = NOW, **given: Any) -> PolicyBuilder:
    return PolicyBuilder().store(Store([ROOT])).time(time).revocation(*mode, **given)


def verdict(*mode: str, time: datetime.datetime = NOW, **given: Any) -> Verdict:
    """The verdict of `examine`, which is that of `verify`."""
    verifier = builder(*mode, time=time, **given).build_server_verifier(HOST)
    found = verifier.examine(LEAF, [])
    if found.error is None:
        assert verifier.verify(LEAF, []) == found.chain == [LEAF, ROOT]
    else:
        with pytest.raises(VerificationError) as refused:
            verifier.verify(LEAF, [])
        assert str(refused.value) == str(found.error) and refused.value.is_undetermined == found.error.is_undetermined
        assert refused.value.evidence == found.evidence and found.chain is None
    return found


def uses(found: Verdict) -> list[tuple[str, int, str]]:
    return [(one.kind, one.number, one.use) for one in found.evidence]


@pytest.mark.parametrize("mode", [(), ("prefer",), ("require",)])
def test_revoked_by_a_crl(mode: tuple[str, ...]) -> None:
    found = verdict(*mode, crls=[crl(LEAF_SERIAL)])
    assert found.status == "invalid" and "revoked" in str(found.error)
    assert uses(found) == [("crl", 1, "used")] and "CN=Root" in found.evidence[0].label


@pytest.mark.parametrize("mode", ["prefer", "require"])
def test_revoked_by_ocsp(mode: str) -> None:
    found = verdict(mode, ocsp=[response(ocsp.OCSPCertStatus.REVOKED)])
    assert found.status == "invalid" and "revoked" in str(found.error) and uses(found) == [("ocsp", 1, "used")]


@pytest.mark.parametrize("given", [{"crls": [crl(9)]}, {"ocsp": [response(ocsp.OCSPCertStatus.GOOD)]}])
def test_not_revoked(given: dict[str, Any]) -> None:
    for mode in ("prefer", "require"):
        found = verdict(mode, **given)
        assert found.status == "valid" and [one.use for one in found.evidence] == ["used"] and found.evidence[0].reason is None


def test_without_evidence() -> None:
    found = verdict("require")
    assert found.status == "unknown" and found.evidence == ()
    assert verdict("prefer").status == verdict("ignore").status == verdict().status == "valid"


def test_ignored_evidence() -> None:
    found = verdict("ignore", crls=[crl(LEAF_SERIAL)])
    assert found.status == "valid" and uses(found) == [("crl", 1, "not-applicable")]


@pytest.mark.parametrize("mode", ["prefer", "require"])
def test_unusable_evidence_that_would_revoke(mode: str) -> None:
    """RFC 5280 §5.2: a CRL with an unknown critical extension must not be used to tell that a certificate is not revoked."""
    found = verdict(mode, crls=[crl(LEAF_SERIAL, critical=True)])
    assert found.status == "unknown" and uses(found) == [("crl", 1, "unusable")] and found.evidence[0].reason


def test_a_stale_crl() -> None:
    """A revocation lasts beyond the next update of the list that has it; that a certificate is not listed does not."""
    old = NOW - 20 * DAY
    assert verdict("prefer", crls=[crl(LEAF_SERIAL, next_update=old, date=old - 10 * DAY)]).status == "invalid"
    stale = [crl(9, next_update=old)]
    found = verdict("require", crls=stale)
    assert found.status == "unknown" and uses(found) == [("crl", 1, "unusable")]
    assert verdict("require", crls=stale, stale=30 * DAY).status == "valid"
    assert verdict("require", crls=stale, evidence_time=old - DAY).status == "valid"


def test_foreign_evidence() -> None:
    found = verdict("require", crls=[crl(LEAF_SERIAL, issuer="Other", key=OTHER_KEY), crl(9)])
    assert found.status == "valid" and uses(found) == [("crl", 1, "not-applicable"), ("crl", 2, "used")]
    forged = verdict("require", crls=[crl(LEAF_SERIAL, key=OTHER_KEY)])
    assert forged.status == "unknown" and uses(forged) == [("crl", 1, "unusable")]


def test_a_revocation_after_the_proven_time() -> None:
    """RFC 3161 §4: a later revocation for an innocent reason does not undo what was signed before."""
    later, at = NOW - 10 * DAY, NOW - 30 * DAY
    innocent = crl(LEAF_SERIAL, date=later, reason=x509.ReasonFlags.superseded)
    compromise = crl(LEAF_SERIAL, date=later, reason=x509.ReasonFlags.key_compromise)
    assert verdict("require", time=at, crls=[innocent], evidence_time=NOW).status == "valid"
    assert verdict("require", time=at, crls=[compromise], evidence_time=NOW).status == "invalid"
    assert verdict("require", crls=[innocent]).status == "invalid"


def test_clients_and_scope() -> None:
    verifier = builder("require", scope="leaf", crls=[crl(9)]).build_client_verifier()
    assert verifier.verify(LEAF, []).chain == [LEAF, ROOT] and verifier.examine(LEAF, []).status == "valid"
    revoked = builder(crls=[crl(LEAF_SERIAL)]).build_client_verifier().examine(LEAF, [])
    assert revoked.status == "invalid" and uses(revoked) == [("crl", 1, "used")]


def test_policies_without_demands() -> None:
    """`ExtensionPolicy.permit_all` is about extensions, not about revocation."""
    open_to_all = ExtensionPolicy.permit_all()
    asked = open_to_all.require_present(x509.BasicConstraints, Criticality.AGNOSTIC, None)
    made = builder(crls=[crl(LEAF_SERIAL)]).extension_policies(ca_policy=asked, ee_policy=open_to_all)
    assert made.build_client_verifier().examine(LEAF, []).status == "invalid"
    without = builder("require").extension_policies(ca_policy=asked, ee_policy=open_to_all)
    assert without.build_client_verifier().examine(LEAF, []).status == "unknown"


def test_a_trusted_leaf() -> None:
    """Revocation is checked below anchors alone (RFC 5280 §6.1): a certificate that is trusted itself is valid unless its issuer, which is
    trusted as well, has revoked it."""
    for mode in ("prefer", "require"):
        for roots, status in (([LEAF], "valid"), ([LEAF, ROOT], "invalid"), ([ROOT, LEAF], "invalid")):
            trusting = PolicyBuilder().store(Store(roots)).time(NOW).revocation(mode, crls=[crl(LEAF_SERIAL)])
            found = trusting.build_server_verifier(HOST).examine(LEAF, [])
            assert found.status == status and (status == "invalid" or found.chain == [LEAF])


@pytest.mark.parametrize(
    ("arguments", "given", "error"),
    [
        (("always",), {}, ValueError),
        ((), {"scope": "ca"}, ValueError),
        ((), {"stale": -DAY}, ValueError),
        ((), {"crls": [LEAF]}, TypeError),
        ((), {"ocsp": [b"\x30\x00"]}, TypeError),
    ],
)
def test_a_failed_setter_makes_no_verifier(arguments: tuple[str, ...], given: dict[str, Any], error: type[Exception]) -> None:
    made = PolicyBuilder().store(Store([ROOT])).time(NOW)
    with pytest.raises(error):
        made.revocation(*arguments, **given)
    with pytest.raises(ValueError, match="cannot be built"):
        made.build_server_verifier(HOST)


def test_evidence_is_set_once() -> None:
    with pytest.raises(ValueError, match="only be set once"):
        builder("require").revocation("ignore")

"""Extensions about revocation: for CRLs, CRL entries, distribution points and OCSP."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator

from tagwise import _native
from tagwise._data import Described, Enum, Listed, Part, all_of, number_text, part
from tagwise.x509._extension import ANSWER, CERTIFICATE, CRL, ENTRY, OCSP, REQUEST, Known
from tagwise.x509._extensions_names import _names
from tagwise.x509.general_name import GeneralName, reject_network
from tagwise.x509.name import RelativeDistinguishedName
from tagwise.x509.oid import CRLEntryExtensionOID, ExtensionOID, ObjectIdentifier, OCSPExtensionOID

__all__ = [
    "CRLDistributionPoints",
    "CRLNumber",
    "CRLReason",
    "DeltaCRLIndicator",
    "DistributionPoint",
    "FreshestCRL",
    "InvalidityDate",
    "IssuingDistributionPoint",
    "OCSPAcceptableResponses",
    "OCSPNoCheck",
    "OCSPNonce",
    "ReasonFlags",
]


class ReasonFlags(Enum):
    """Reasons for a revocation (RFC 5280 §5.3.1, §4.2.1.13)."""

    unspecified = "unspecified"
    key_compromise = "keyCompromise"
    ca_compromise = "cACompromise"
    affiliation_changed = "affiliationChanged"
    superseded = "superseded"
    cessation_of_operation = "cessationOfOperation"
    certificate_hold = "certificateHold"
    privilege_withdrawn = "privilegeWithdrawn"
    aa_compromise = "aACompromise"
    remove_from_crl = "removeFromCRL"


#: The revocation reasons by their CRLReason numbers, and the numbers by the reasons.
CODE_REASONS = {number: ReasonFlags(name) for name, number in _native.named_numbers("CRLReason")}
REASON_CODES = {reason: number for number, reason in CODE_REASONS.items()}

#: The enumerations by type name. Each maps the names of numbers or bits to members.
ENUMERATIONS = {"CRLReason": ReasonFlags._value2member_map_, "ReasonFlags": ReasonFlags._value2member_map_}


class _Numbered(Known):
    """An extension whose value is a CRL number."""

    _places = CRL
    crl_number: Part[int] = part("", "The number of the CRL; of a delta CRL's indicator, that of the CRL that it builds on.")

    def __init__(self, crl_number: int) -> None:
        if not isinstance(crl_number, int):
            raise TypeError("crl_number must be an integer")
        self._crl_number = crl_number


class CRLNumber(_Numbered):
    """The CRL number extension (RFC 5280 §5.2.3)."""

    oid = ExtensionOID.CRL_NUMBER

    def __repr__(self) -> str:
        return f"<CRLNumber({number_text(self._crl_number)})>"


class DeltaCRLIndicator(_Numbered):
    """The delta CRL indicator extension (RFC 5280 §5.2.4)."""

    oid = ExtensionOID.DELTA_CRL_INDICATOR


def _checked_reasons(reasons: frozenset[ReasonFlags] | None, which: str) -> frozenset[ReasonFlags] | None:
    if reasons and not (isinstance(reasons, frozenset) and all(isinstance(reason, ReasonFlags) for reason in reasons)):
        raise TypeError(f"{which} must be None or frozenset of ReasonFlags")
    return reasons


def _check_reasons(reasons: frozenset[ReasonFlags] | None, what: str) -> None:
    """Checks that the reasons are allowed in a distribution point (RFC 5280 §4.2.1.13)."""
    if reasons and (ReasonFlags.unspecified in reasons or ReasonFlags.remove_from_crl in reasons):
        raise ValueError(f"unspecified and remove_from_crl are not valid reasons in {what}")


class DistributionPoint(Described):
    """A location from which CRLs can be obtained (RFC 5280 §4.2.1.13)."""

    full_name: Part[list[GeneralName] | None] = part("distributionPoint.fullName", "The places of the CRL, or None.")
    relative_name: Part[RelativeDistinguishedName | None] = part("distributionPoint.nameRelativeToCRLIssuer", "The name below the CRL issuer's, or None.")
    reasons: Part[frozenset[ReasonFlags] | None] = part("reasons", "The reasons that the CRL covers, or None for all.")
    crl_issuer: Part[list[GeneralName] | None] = part("cRLIssuer", "The names of the CRL's issuer if another than the certificate's, or None.")

    def __init__(
        self,
        full_name: Iterable[GeneralName] | None,
        relative_name: RelativeDistinguishedName | None,
        reasons: frozenset[ReasonFlags] | None,
        crl_issuer: Iterable[GeneralName] | None,
    ) -> None:
        names = _names(full_name, "full_name must be a list of GeneralName objects")
        if relative_name and not isinstance(relative_name, RelativeDistinguishedName):
            raise TypeError("relative_name must be a RelativeDistinguishedName")
        issuer = _names(crl_issuer, "crl_issuer must be None or a list of general names")
        self._reasons = _checked_reasons(reasons, "reasons")
        self._full_name = names
        self._relative_name = relative_name
        self._crl_issuer = issuer
        self._check()

    def _check(self) -> None:
        if self._full_name and self._relative_name:
            raise ValueError("You cannot provide both full_name and relative_name, at least one must be None.")
        if not self._full_name and not self._relative_name and not self._crl_issuer:
            raise ValueError("Either full_name, relative_name or crl_issuer must be provided.")
        _check_reasons(self._reasons, "a DistributionPoint")


class _Points(Listed[DistributionPoint], Known):
    _fields = ("distribution_points",)

    def __init__(self, distribution_points: Iterable[DistributionPoint]) -> None:
        message = "distribution_points must be a list of DistributionPoint objects"
        self._distribution_points = all_of(distribution_points, DistributionPoint, message)


class CRLDistributionPoints(_Points):
    """The CRL distribution points extension (RFC 5280 §4.2.1.13)."""

    oid = ExtensionOID.CRL_DISTRIBUTION_POINTS


class FreshestCRL(_Points):
    """The freshest CRL extension (RFC 5280 §4.2.1.15, §5.2.6)."""

    oid = ExtensionOID.FRESHEST_CRL
    _places = CERTIFICATE | REQUEST | CRL


class OCSPNoCheck(Known):
    """The OCSP nocheck extension of responder certificates (RFC 6960 §4.2.2.2.1)."""

    oid = ExtensionOID.OCSP_NO_CHECK


class CRLReason(Known):
    """The reason code extension of CRL entries (RFC 5280 §5.3.1)."""

    oid = CRLEntryExtensionOID.CRL_REASON
    _places = ENTRY | ANSWER
    reason: Part[ReasonFlags] = part("", "The reason of the revocation.")

    def __init__(self, reason: ReasonFlags) -> None:
        if not isinstance(reason, ReasonFlags):
            raise TypeError("reason must be an element from ReasonFlags")
        self._reason = reason


class InvalidityDate(Known):
    """The invalidity date extension of CRL entries (RFC 5280 §5.3.2)."""

    oid = CRLEntryExtensionOID.INVALIDITY_DATE
    _places = ENTRY | ANSWER
    invalidity_date: Part[datetime.datetime] = part("", "The time from which the certificate is suspect, in UTC without a time zone.")

    def __init__(self, invalidity_date: datetime.datetime) -> None:
        if not isinstance(invalidity_date, datetime.datetime):
            raise TypeError("invalidity_date must be a datetime.datetime")
        self._invalidity_date = invalidity_date

    @property
    def invalidity_date_utc(self) -> datetime.datetime:
        """The time from which the certificate is known or suspected to be invalid."""
        if self._invalidity_date.tzinfo is None:
            return self._invalidity_date.replace(tzinfo=datetime.timezone.utc)
        return self._invalidity_date.astimezone(datetime.timezone.utc)


class OCSPNonce(Known):
    """The nonce extension of OCSP messages (RFC 9654 §2.1)."""

    oid = OCSPExtensionOID.NONCE
    _places = OCSP
    nonce: Part[bytes] = part("", "The nonce.")

    def __init__(self, nonce: bytes) -> None:
        if not isinstance(nonce, bytes):
            raise TypeError("nonce must be bytes")
        self._nonce = nonce


class OCSPAcceptableResponses(Known):
    """The acceptable response types extension of OCSP requests (RFC 6960 §4.4.3)."""

    oid = OCSPExtensionOID.ACCEPTABLE_RESPONSES
    _places = OCSP
    _fields = ("responses",)

    def __init__(self, responses: Iterable[ObjectIdentifier]) -> None:
        self._responses = all_of(responses, ObjectIdentifier, "All responses must be ObjectIdentifiers")

    def __iter__(self) -> Iterator[ObjectIdentifier]:
        return iter(self._responses)


class IssuingDistributionPoint(Known):
    """The issuing distribution point extension of CRLs (RFC 5280 §5.2.5)."""

    oid = ExtensionOID.ISSUING_DISTRIBUTION_POINT
    _places = CRL
    full_name: Part[list[GeneralName] | None] = part("distributionPoint.fullName", "The places of the CRL, or None.")
    relative_name: Part[RelativeDistinguishedName | None] = part("distributionPoint.nameRelativeToCRLIssuer", "The name below the CRL issuer's, or None.")
    only_contains_user_certs: Part[bool] = part("onlyContainsUserCerts", "True if the CRL covers end-entity certificates alone.")
    only_contains_ca_certs: Part[bool] = part("onlyContainsCACerts", "True if the CRL covers CA certificates alone.")
    only_some_reasons: Part[frozenset[ReasonFlags] | None] = part("onlySomeReasons", "The reasons that the CRL covers, or None for all.")
    indirect_crl: Part[bool] = part("indirectCRL", "True if the CRL has certificates of other issuers.")
    only_contains_attribute_certs: Part[bool] = part("onlyContainsAttributeCerts", "True if the CRL covers attribute certificates alone.")

    def __init__(
        self,
        full_name: Iterable[GeneralName] | None,
        relative_name: RelativeDistinguishedName | None,
        only_contains_user_certs: bool,
        only_contains_ca_certs: bool,
        only_some_reasons: frozenset[ReasonFlags] | None,
        indirect_crl: bool,
        only_contains_attribute_certs: bool,
    ) -> None:
        flags = (only_contains_user_certs, only_contains_ca_certs, indirect_crl, only_contains_attribute_certs)
        if not all(isinstance(flag, bool) for flag in flags):
            raise TypeError(
                "only_contains_user_certs, only_contains_ca_certs, indirect_crl and only_contains_attribute_certs "
                "must all be boolean."
            )
        self._full_name = None if full_name is None else [reject_network(name) for name in full_name]
        self._relative_name = relative_name
        self._only_contains_user_certs = only_contains_user_certs
        self._only_contains_ca_certs = only_contains_ca_certs
        self._only_some_reasons = _checked_reasons(only_some_reasons, "only_some_reasons")
        self._indirect_crl = indirect_crl
        self._only_contains_attribute_certs = only_contains_attribute_certs
        self._check()

    def _check(self) -> None:
        _check_reasons(self._only_some_reasons, "an IssuingDistributionPoint")
        kinds = (self._only_contains_user_certs, self._only_contains_ca_certs, self._only_contains_attribute_certs)
        if sum(kinds) > 1:
            raise ValueError(
                "Only one of the following can be set to True: only_contains_user_certs, only_contains_ca_certs, "
                "only_contains_attribute_certs"
            )
        if not any((*kinds, self._indirect_crl, self._full_name, self._relative_name, self._only_some_reasons)):
            raise ValueError("Cannot create empty extension: a flag, a name or reasons must be there.")
        if self._full_name and self._relative_name:
            raise ValueError("full_name and relative_name cannot both be there.")

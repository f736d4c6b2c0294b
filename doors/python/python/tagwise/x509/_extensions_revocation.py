"""Extensions of revocation: CRLs, their entries and distribution points, OCSP."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator

from tagwise._data import Data, Enum, Listed, all_of, number_text
from tagwise.x509._extension import Known
from tagwise.x509._extensions_names import _names
from tagwise.x509.general_name import GeneralName, reject_network
from tagwise.x509.name import RelativeDistinguishedName
from tagwise.x509.oid import CRLEntryExtensionOID, ExtensionOID, ObjectIdentifier, OCSPExtensionOID


class ReasonFlags(Enum):
    """Reasons of a revocation (RFC 5280 §5.3.1, §4.2.1.13)."""

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


class CRLNumber(Known):
    """RFC 5280 §5.2.3."""

    oid = ExtensionOID.CRL_NUMBER
    _fields = ("crl_number",)

    def __init__(self, crl_number: int) -> None:
        if not isinstance(crl_number, int):
            raise TypeError("crl_number must be an integer")
        self._crl_number = crl_number

    @property
    def crl_number(self) -> int:
        """The number of the CRL."""
        return self._crl_number

    def __repr__(self) -> str:
        return f"<CRLNumber({number_text(self._crl_number)})>"


class DeltaCRLIndicator(Known):
    """RFC 5280 §5.2.4."""

    oid = ExtensionOID.DELTA_CRL_INDICATOR
    _fields = ("crl_number",)

    def __init__(self, crl_number: int) -> None:
        if not isinstance(crl_number, int):
            raise TypeError("crl_number must be an integer")
        self._crl_number = crl_number

    @property
    def crl_number(self) -> int:
        """The number of the CRL that the delta CRL builds on."""
        return self._crl_number


class DistributionPoint(Data):
    """A place of CRLs (RFC 5280 §4.2.1.13)."""

    _fields = ("full_name", "relative_name", "reasons", "crl_issuer")

    def __init__(
        self,
        full_name: Iterable[GeneralName] | None,
        relative_name: RelativeDistinguishedName | None,
        reasons: frozenset[ReasonFlags] | None,
        crl_issuer: Iterable[GeneralName] | None,
    ) -> None:
        if full_name and relative_name:
            raise ValueError("You cannot provide both full_name and relative_name, at least one must be None.")
        if not full_name and not relative_name and not crl_issuer:
            raise ValueError("Either full_name, relative_name or crl_issuer must be provided.")
        names = _names(full_name, "full_name must be a list of GeneralName objects")
        if relative_name and not isinstance(relative_name, RelativeDistinguishedName):
            raise TypeError("relative_name must be a RelativeDistinguishedName")
        issuer = _names(crl_issuer, "crl_issuer must be None or a list of general names")
        if reasons and (
            not isinstance(reasons, frozenset) or not all(isinstance(reason, ReasonFlags) for reason in reasons)
        ):
            raise TypeError("reasons must be None or frozenset of ReasonFlags")
        if reasons and (ReasonFlags.unspecified in reasons or ReasonFlags.remove_from_crl in reasons):
            raise ValueError("unspecified and remove_from_crl are not valid reasons in a DistributionPoint")
        self._full_name = names
        self._relative_name = relative_name
        self._reasons = reasons
        self._crl_issuer = issuer

    @property
    def full_name(self) -> list[GeneralName] | None:
        """The places of the CRL, or None."""
        return self._full_name

    @property
    def relative_name(self) -> RelativeDistinguishedName | None:
        """The name below the CRL issuer's, or None."""
        return self._relative_name

    @property
    def reasons(self) -> frozenset[ReasonFlags] | None:
        """The reasons that the CRL covers, or None for all."""
        return self._reasons

    @property
    def crl_issuer(self) -> list[GeneralName] | None:
        """The names of the CRL's issuer if another than the certificate's, or None."""
        return self._crl_issuer


class _Points(Listed[DistributionPoint], Known):
    _fields = ("distribution_points",)

    def __init__(self, distribution_points: Iterable[DistributionPoint]) -> None:
        message = "distribution_points must be a list of DistributionPoint objects"
        self._distribution_points = all_of(distribution_points, DistributionPoint, message)


class CRLDistributionPoints(_Points):
    """RFC 5280 §4.2.1.13."""

    oid = ExtensionOID.CRL_DISTRIBUTION_POINTS


class FreshestCRL(_Points):
    """RFC 5280 §4.2.1.15, §5.2.6."""

    oid = ExtensionOID.FRESHEST_CRL


class OCSPNoCheck(Known):
    """RFC 6960 §4.2.2.2.1."""

    oid = ExtensionOID.OCSP_NO_CHECK


class CRLReason(Known):
    """RFC 5280 §5.3.1."""

    oid = CRLEntryExtensionOID.CRL_REASON
    _fields = ("reason",)

    def __init__(self, reason: ReasonFlags) -> None:
        if not isinstance(reason, ReasonFlags):
            raise TypeError("reason must be an element from ReasonFlags")
        self._reason = reason

    @property
    def reason(self) -> ReasonFlags:
        """The reason of the revocation."""
        return self._reason


class InvalidityDate(Known):
    """RFC 5280 §5.3.2."""

    oid = CRLEntryExtensionOID.INVALIDITY_DATE
    _fields = ("invalidity_date",)

    def __init__(self, invalidity_date: datetime.datetime) -> None:
        if not isinstance(invalidity_date, datetime.datetime):
            raise TypeError("invalidity_date must be a datetime.datetime")
        self._invalidity_date = invalidity_date

    @property
    def invalidity_date(self) -> datetime.datetime:
        """The time from which the certificate is suspect, in UTC without a time zone."""
        return self._invalidity_date

    @property
    def invalidity_date_utc(self) -> datetime.datetime:
        """The time from which the certificate is suspect."""
        if self._invalidity_date.tzinfo is None:
            return self._invalidity_date.replace(tzinfo=datetime.timezone.utc)
        return self._invalidity_date.astimezone(datetime.timezone.utc)


class OCSPNonce(Known):
    """RFC 9654 §2.1."""

    oid = OCSPExtensionOID.NONCE
    _fields = ("nonce",)

    def __init__(self, nonce: bytes) -> None:
        if not isinstance(nonce, bytes):
            raise TypeError("nonce must be bytes")
        self._nonce = nonce

    @property
    def nonce(self) -> bytes:
        """The nonce."""
        return self._nonce


class OCSPAcceptableResponses(Known):
    """RFC 6960 §4.4.3."""

    oid = OCSPExtensionOID.ACCEPTABLE_RESPONSES
    _fields = ("responses",)

    def __init__(self, responses: Iterable[ObjectIdentifier]) -> None:
        self._responses = all_of(responses, ObjectIdentifier, "All responses must be ObjectIdentifiers")

    def __iter__(self) -> Iterator[ObjectIdentifier]:
        return iter(self._responses)


class IssuingDistributionPoint(Known):
    """RFC 5280 §5.2.5."""

    oid = ExtensionOID.ISSUING_DISTRIBUTION_POINT
    _fields = (
        "full_name",
        "relative_name",
        "only_contains_user_certs",
        "only_contains_ca_certs",
        "only_some_reasons",
        "indirect_crl",
        "only_contains_attribute_certs",
    )

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
        names = None if full_name is None else [reject_network(name) for name in full_name]
        if only_some_reasons and (
            not isinstance(only_some_reasons, frozenset)
            or not all(isinstance(reason, ReasonFlags) for reason in only_some_reasons)
        ):
            raise TypeError("only_some_reasons must be None or frozenset of ReasonFlags")
        if only_some_reasons and (
            ReasonFlags.unspecified in only_some_reasons or ReasonFlags.remove_from_crl in only_some_reasons
        ):
            raise ValueError("unspecified and remove_from_crl are not valid reasons in an IssuingDistributionPoint")
        flags = (only_contains_user_certs, only_contains_ca_certs, indirect_crl, only_contains_attribute_certs)
        if not all(isinstance(flag, bool) for flag in flags):
            raise TypeError(
                "only_contains_user_certs, only_contains_ca_certs, indirect_crl and only_contains_attribute_certs "
                "must all be boolean."
            )
        if sum((only_contains_user_certs, only_contains_ca_certs, only_contains_attribute_certs)) > 1:
            raise ValueError(
                "Only one of the following can be set to True: only_contains_user_certs, only_contains_ca_certs, "
                "only_contains_attribute_certs"
            )
        if not any((*flags, names, relative_name, only_some_reasons)):
            raise ValueError("Cannot create empty extension: a flag, a name or reasons must be there.")
        if names and relative_name:
            raise ValueError("full_name and relative_name cannot both be there.")
        self._full_name = names
        self._relative_name = relative_name
        self._only_contains_user_certs = only_contains_user_certs
        self._only_contains_ca_certs = only_contains_ca_certs
        self._only_some_reasons = only_some_reasons
        self._indirect_crl = indirect_crl
        self._only_contains_attribute_certs = only_contains_attribute_certs

    @property
    def full_name(self) -> list[GeneralName] | None:
        """The places of the CRL, or None."""
        return self._full_name

    @property
    def relative_name(self) -> RelativeDistinguishedName | None:
        """The name below the CRL issuer's, or None."""
        return self._relative_name

    @property
    def only_contains_user_certs(self) -> bool:
        """True if the CRL covers end-entity certificates alone."""
        return self._only_contains_user_certs

    @property
    def only_contains_ca_certs(self) -> bool:
        """True if the CRL covers CA certificates alone."""
        return self._only_contains_ca_certs

    @property
    def only_some_reasons(self) -> frozenset[ReasonFlags] | None:
        """The reasons that the CRL covers, or None for all."""
        return self._only_some_reasons

    @property
    def indirect_crl(self) -> bool:
        """True if the CRL has certificates of other issuers."""
        return self._indirect_crl

    @property
    def only_contains_attribute_certs(self) -> bool:
        """True if the CRL covers attribute certificates alone."""
        return self._only_contains_attribute_certs

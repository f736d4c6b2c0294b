"""Extensions of usage: key usages, purposes, policies, constraints on paths."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from tagwise._data import Data, Enum, Listed, all_of
from tagwise.x509._extension import Known
from tagwise.x509.oid import ExtensionOID, ObjectIdentifier


class BasicConstraints(Known):
    """RFC 5280 §4.2.1.9."""

    oid = ExtensionOID.BASIC_CONSTRAINTS
    _fields = ("ca", "path_length")

    def __init__(self, ca: bool, path_length: int | None) -> None:
        if not isinstance(ca, bool):
            raise TypeError("ca must be a boolean value")
        if path_length is not None and not ca:
            raise ValueError("path_length must be None when ca is False")
        if path_length is not None and (not isinstance(path_length, int) or path_length < 0):
            raise TypeError("path_length must be a non-negative integer or None")
        self._ca = ca
        self._path_length = path_length

    @property
    def ca(self) -> bool:
        """True for the certificate of a CA."""
        return self._ca

    @property
    def path_length(self) -> int | None:
        """The number of CA certificates that may follow in a path, or None for any number."""
        return self._path_length


class PolicyConstraints(Known):
    """RFC 5280 §4.2.1.11."""

    oid = ExtensionOID.POLICY_CONSTRAINTS
    _fields = ("require_explicit_policy", "inhibit_policy_mapping")

    def __init__(self, require_explicit_policy: int | None, inhibit_policy_mapping: int | None) -> None:
        if require_explicit_policy is not None and not isinstance(require_explicit_policy, int):
            raise TypeError("require_explicit_policy must be a non-negative integer or None")
        if inhibit_policy_mapping is not None and not isinstance(inhibit_policy_mapping, int):
            raise TypeError("inhibit_policy_mapping must be a non-negative integer or None")
        if inhibit_policy_mapping is None and require_explicit_policy is None:
            raise ValueError(
                "At least one of require_explicit_policy and inhibit_policy_mapping must not be None"
            )
        self._require_explicit_policy = require_explicit_policy
        self._inhibit_policy_mapping = inhibit_policy_mapping

    @property
    def require_explicit_policy(self) -> int | None:
        """The number of certificates after which a policy is required, or None."""
        return self._require_explicit_policy

    @property
    def inhibit_policy_mapping(self) -> int | None:
        """The number of certificates after which policies are no longer mapped, or None."""
        return self._inhibit_policy_mapping


class NoticeReference(Data):
    """A text that the user has elsewhere (RFC 5280 §4.2.1.4)."""

    _fields = ("organization", "notice_numbers")

    def __init__(self, organization: str | None, notice_numbers: Iterable[int]) -> None:
        self._organization = organization
        self._notice_numbers: list[int] = all_of(notice_numbers, int, "notice_numbers must be a list of integers")

    @property
    def organization(self) -> str | None:
        """The organization that has the texts."""
        return self._organization

    @property
    def notice_numbers(self) -> list[int]:
        """The numbers of the texts."""
        return self._notice_numbers


class UserNotice(Data):
    """A text for users (RFC 5280 §4.2.1.4)."""

    _fields = ("notice_reference", "explicit_text")

    def __init__(self, notice_reference: NoticeReference | None, explicit_text: str | None) -> None:
        if notice_reference and not isinstance(notice_reference, NoticeReference):
            raise TypeError("notice_reference must be None or a NoticeReference")
        self._notice_reference = notice_reference
        self._explicit_text = explicit_text

    @property
    def notice_reference(self) -> NoticeReference | None:
        """A reference to texts of an organization, or None."""
        return self._notice_reference

    @property
    def explicit_text(self) -> str | None:
        """The text, or None."""
        return self._explicit_text


class PolicyInformation(Data):
    """A policy, and what is said of it: URIs of statements, notices."""

    _fields = ("policy_identifier", "policy_qualifiers")

    def __init__(
        self, policy_identifier: ObjectIdentifier, policy_qualifiers: Iterable[str | UserNotice] | None
    ) -> None:
        if not isinstance(policy_identifier, ObjectIdentifier):
            raise TypeError("policy_identifier must be an ObjectIdentifier")
        self._policy_identifier = policy_identifier
        message = "policy_qualifiers must be a list of strings and/or UserNotice objects or None"
        self._policy_qualifiers: list[str | UserNotice] | None = (
            None if policy_qualifiers is None else all_of(policy_qualifiers, (str, UserNotice), message)
        )

    @property
    def policy_identifier(self) -> ObjectIdentifier:
        """The policy."""
        return self._policy_identifier

    @property
    def policy_qualifiers(self) -> list[str | UserNotice] | None:
        """The qualifiers: URIs of statements and notices, or None."""
        return self._policy_qualifiers


class CertificatePolicies(Listed[PolicyInformation], Known):
    """RFC 5280 §4.2.1.4."""

    oid = ExtensionOID.CERTIFICATE_POLICIES
    _fields = ("policies",)

    def __init__(self, policies: Iterable[PolicyInformation]) -> None:
        message = "Every item in the policies list must be a PolicyInformation"
        self._policies = all_of(policies, PolicyInformation, message)


class ExtendedKeyUsage(Listed[ObjectIdentifier], Known):
    """RFC 5280 §4.2.1.12."""

    oid = ExtensionOID.EXTENDED_KEY_USAGE
    _fields = ("usages",)

    def __init__(self, usages: Iterable[ObjectIdentifier]) -> None:
        self._usages = all_of(usages, ObjectIdentifier, "Every item in the usages list must be an ObjectIdentifier")


class PrecertPoison(Known):
    """RFC 6962 §3.1."""

    oid = ExtensionOID.PRECERT_POISON


class TLSFeatureType(Enum):
    """Extensions of TLS that a server will use."""

    status_request = 5
    status_request_v2 = 17


class TLSFeature(Listed[TLSFeatureType], Known):
    """RFC 7633 §4.1."""

    oid = ExtensionOID.TLS_FEATURE
    _fields = ("features",)

    def __init__(self, features: Iterable[TLSFeatureType]) -> None:
        message = "features must be a list of elements from the TLSFeatureType enum"
        self._features = all_of(features, TLSFeatureType, message)
        if not self._features:
            raise TypeError(message)

    def __repr__(self) -> str:
        return f"<TLSFeature(features={self._features})>"


class InhibitAnyPolicy(Known):
    """RFC 5280 §4.2.1.14."""

    oid = ExtensionOID.INHIBIT_ANY_POLICY
    _fields = ("skip_certs",)

    def __init__(self, skip_certs: int) -> None:
        if not isinstance(skip_certs, int):
            raise TypeError("skip_certs must be an integer")
        if skip_certs < 0:
            raise ValueError("skip_certs must be a non-negative integer")
        self._skip_certs = skip_certs

    @property
    def skip_certs(self) -> int:
        """The number of certificates after which anyPolicy no longer matches."""
        return self._skip_certs


class KeyUsage(Known):
    """RFC 5280 §4.2.1.3."""

    oid = ExtensionOID.KEY_USAGE
    _fields = (
        "digital_signature",
        "content_commitment",
        "key_encipherment",
        "data_encipherment",
        "key_agreement",
        "key_cert_sign",
        "crl_sign",
        "encipher_only",
        "decipher_only",
    )

    def __init__(
        self,
        digital_signature: bool,
        content_commitment: bool,
        key_encipherment: bool,
        data_encipherment: bool,
        key_agreement: bool,
        key_cert_sign: bool,
        crl_sign: bool,
        encipher_only: bool,
        decipher_only: bool,
    ) -> None:
        if not key_agreement and (encipher_only or decipher_only):
            raise ValueError("encipher_only and decipher_only can only be true when key_agreement is true")
        self._digital_signature = digital_signature
        self._content_commitment = content_commitment
        self._key_encipherment = key_encipherment
        self._data_encipherment = data_encipherment
        self._key_agreement = key_agreement
        self._key_cert_sign = key_cert_sign
        self._crl_sign = crl_sign
        self._encipher_only = encipher_only
        self._decipher_only = decipher_only

    @property
    def digital_signature(self) -> bool:
        """True if the key may verify signatures other than those on certificates and CRLs."""
        return self._digital_signature

    @property
    def content_commitment(self) -> bool:
        """True if the key may verify signatures that commit to content (nonRepudiation)."""
        return self._content_commitment

    @property
    def key_encipherment(self) -> bool:
        """True if the key may encrypt keys."""
        return self._key_encipherment

    @property
    def data_encipherment(self) -> bool:
        """True if the key may encrypt data directly."""
        return self._data_encipherment

    @property
    def key_agreement(self) -> bool:
        """True if the key may agree on keys."""
        return self._key_agreement

    @property
    def key_cert_sign(self) -> bool:
        """True if the key may verify signatures on certificates."""
        return self._key_cert_sign

    @property
    def crl_sign(self) -> bool:
        """True if the key may verify signatures on CRLs."""
        return self._crl_sign

    @property
    def encipher_only(self) -> bool:
        """True if keys agreed on may only encrypt; raises `ValueError` without `key_agreement`."""
        if not self._key_agreement:
            raise ValueError("encipher_only is undefined unless key_agreement is true")
        return self._encipher_only

    @property
    def decipher_only(self) -> bool:
        """True if keys agreed on may only decrypt; raises `ValueError` without `key_agreement`."""
        if not self._key_agreement:
            raise ValueError("decipher_only is undefined unless key_agreement is true")
        return self._decipher_only


class PrivateKeyUsagePeriod(Known):
    """RFC 3280 §4.2.1.4."""

    oid = ExtensionOID.PRIVATE_KEY_USAGE_PERIOD
    _fields = ("not_before", "not_after")

    def __init__(self, not_before: datetime.datetime | None, not_after: datetime.datetime | None) -> None:
        if not isinstance(not_before, datetime.datetime) and not_before is not None:
            raise TypeError("not_before must be a datetime.datetime or None")
        if not isinstance(not_after, datetime.datetime) and not_after is not None:
            raise TypeError("not_after must be a datetime.datetime or None")
        if not_before is None and not_after is None:
            raise ValueError("At least one of not_before and not_after must not be None")
        if not_before is not None and not_after is not None and not_before > not_after:
            raise ValueError("not_before must be before not_after")
        self._not_before = not_before
        self._not_after = not_after

    @property
    def not_before(self) -> datetime.datetime | None:
        """The first moment at which the private key signs, or None."""
        return self._not_before

    @property
    def not_after(self) -> datetime.datetime | None:
        """The last moment at which the private key signs, or None."""
        return self._not_after


class MSCertificateTemplate(Known):
    """Microsoft's certificate template ([MS-WCCE] §2.2.2.7.7.2)."""

    oid = ExtensionOID.MS_CERTIFICATE_TEMPLATE
    _fields = ("template_id", "major_version", "minor_version")

    def __init__(
        self, template_id: ObjectIdentifier, major_version: int | None, minor_version: int | None
    ) -> None:
        if not isinstance(template_id, ObjectIdentifier):
            raise TypeError("oid must be an ObjectIdentifier")
        for version in (major_version, minor_version):
            if version is not None and not isinstance(version, int):
                raise TypeError("major_version and minor_version must be integers or None")
        self._template_id = template_id
        self._major_version = major_version
        self._minor_version = minor_version

    @property
    def template_id(self) -> ObjectIdentifier:
        """The template."""
        return self._template_id

    @property
    def major_version(self) -> int | None:
        """The template's major version, or None."""
        return self._major_version

    @property
    def minor_version(self) -> int | None:
        """The template's minor version, or None."""
        return self._minor_version

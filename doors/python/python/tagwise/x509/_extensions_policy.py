"""Extensions about usage: key usages, purposes, policies, and path constraints."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from operator import attrgetter

from tagwise import _native
from tagwise._data import Described, Enum, Listed, Part, all_of, part
from tagwise.x509._extension import ANSWER, CERTIFICATE, Known
from tagwise.x509.certificate_transparency import LogEntryType, SignedCertificateTimestamp
from tagwise.x509.oid import ExtensionOID, ObjectIdentifier

__all__ = [
    "BasicConstraints",
    "CertificatePolicies",
    "ExtendedKeyUsage",
    "InhibitAnyPolicy",
    "KeyUsage",
    "MSCertificateTemplate",
    "NoticeReference",
    "PolicyConstraints",
    "PolicyInformation",
    "PrecertPoison",
    "PrecertificateSignedCertificateTimestamps",
    "PrivateKeyUsagePeriod",
    "SignedCertificateTimestamps",
    "TLSFeature",
    "TLSFeatureType",
    "UserNotice",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar, TypeVar
else:
    from tagwise._typing import TypeVar

T = TypeVar("T", bound="_Timestamps")


class BasicConstraints(Known):
    """The basic constraints extension (RFC 5280 §4.2.1.9)."""

    oid = ExtensionOID.BASIC_CONSTRAINTS
    _checked = ("path_length",)
    ca: Part[bool] = part("cA", "True for the certificate of a CA.")
    path_length: Part[int | None] = part("pathLenConstraint", "The number of CA certificates that may follow in a path, or None for any number.")

    def __init__(self, ca: bool, path_length: int | None) -> None:
        if not isinstance(ca, bool):
            raise TypeError("ca must be a boolean value")
        if path_length is not None and (not isinstance(path_length, int) or path_length < 0):
            raise TypeError("path_length must be a non-negative integer or None")
        self._ca = ca
        self._path_length = path_length
        if path_length is not None and not ca:
            self._check()

    def _check(self) -> None:
        if self._path_length is not None and not self._ca:
            raise ValueError("path_length must be None when ca is False")


class PolicyConstraints(Known):
    """The policy constraints extension (RFC 5280 §4.2.1.11)."""

    oid = ExtensionOID.POLICY_CONSTRAINTS
    require_explicit_policy: Part[int | None] = part("requireExplicitPolicy", "The number of certificates after which a policy is required, or None.")
    inhibit_policy_mapping: Part[int | None] = part("inhibitPolicyMapping", "The number of certificates after which policies are no longer mapped, or None.")

    def __init__(self, require_explicit_policy: int | None, inhibit_policy_mapping: int | None) -> None:
        if require_explicit_policy is not None and not isinstance(require_explicit_policy, int):
            raise TypeError("require_explicit_policy must be a non-negative integer or None")
        if inhibit_policy_mapping is not None and not isinstance(inhibit_policy_mapping, int):
            raise TypeError("inhibit_policy_mapping must be a non-negative integer or None")
        self._require_explicit_policy = require_explicit_policy
        self._inhibit_policy_mapping = inhibit_policy_mapping
        self._check()

    def _check(self) -> None:
        if self._require_explicit_policy is None and self._inhibit_policy_mapping is None:
            raise ValueError("At least one of require_explicit_policy and inhibit_policy_mapping must not be None")


class NoticeReference(Described):
    """A reference to a numbered notice of an organization (RFC 5280 §4.2.1.4)."""

    organization: Part[str | None] = part("organization", "The organization that has the texts.")
    notice_numbers: Part[list[int]] = part("noticeNumbers", "The numbers of the texts.")

    def __init__(self, organization: str | None, notice_numbers: Iterable[int]) -> None:
        self._organization = organization
        self._notice_numbers: list[int] = all_of(notice_numbers, int, "notice_numbers must be a list of integers")


class UserNotice(Described):
    """A text for users (RFC 5280 §4.2.1.4)."""

    notice_reference: Part[NoticeReference | None] = part("noticeRef", "A reference to texts of an organization, or None.")
    explicit_text: Part[str | None] = part("explicitText", "The text, or None.")

    def __init__(self, notice_reference: NoticeReference | None, explicit_text: str | None) -> None:
        if notice_reference and not isinstance(notice_reference, NoticeReference):
            raise TypeError("notice_reference must be None or a NoticeReference")
        self._notice_reference = notice_reference
        self._explicit_text = explicit_text


class PolicyInformation(Described):
    """A policy and its qualifiers: URIs of statements, and notices."""

    policy_identifier: Part[ObjectIdentifier] = part("policyIdentifier", "The policy.")
    policy_qualifiers: Part[list[str | UserNotice] | None] = part("policyQualifiers", "The qualifiers: URIs of statements and notices, or None.")

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


class CertificatePolicies(Listed[PolicyInformation], Known):
    """The certificate policies extension (RFC 5280 §4.2.1.4)."""

    oid = ExtensionOID.CERTIFICATE_POLICIES
    _fields = ("policies",)

    def __init__(self, policies: Iterable[PolicyInformation]) -> None:
        message = "Every item in the policies list must be a PolicyInformation"
        self._policies = all_of(policies, PolicyInformation, message)


class ExtendedKeyUsage(Listed[ObjectIdentifier], Known):
    """The extended key usage extension (RFC 5280 §4.2.1.12)."""

    oid = ExtensionOID.EXTENDED_KEY_USAGE
    _fields = ("usages",)

    def __init__(self, usages: Iterable[ObjectIdentifier]) -> None:
        self._usages = all_of(usages, ObjectIdentifier, "Every item in the usages list must be an ObjectIdentifier")


class PrecertPoison(Known):
    """The poison extension of precertificates (RFC 6962 §3.1)."""

    oid = ExtensionOID.PRECERT_POISON


class TLSFeatureType(Enum):
    """TLS extensions that a certificate requires its server to use."""

    status_request = 5
    status_request_v2 = 17


class TLSFeature(Listed[TLSFeatureType], Known):
    """The TLS feature extension (RFC 7633 §4.1)."""

    oid = ExtensionOID.TLS_FEATURE
    _fields = ("features",)

    def __init__(self, features: Iterable[TLSFeatureType]) -> None:
        self._features = all_of(features, TLSFeatureType, "features must be a list of elements from the TLSFeatureType enum")
        self._check()

    def _check(self) -> None:
        if not self._features:
            raise TypeError("features must be a list of elements from the TLSFeatureType enum")
        # What was read are numbers.
        self._features = [TLSFeatureType(feature) for feature in self._features]

    def __repr__(self) -> str:
        return f"<TLSFeature(features={self._features})>"


class InhibitAnyPolicy(Known):
    """The inhibit anyPolicy extension (RFC 5280 §4.2.1.14)."""

    oid = ExtensionOID.INHIBIT_ANY_POLICY
    skip_certs: Part[int] = part("", "The number of certificates after which anyPolicy no longer matches.")

    def __init__(self, skip_certs: int) -> None:
        if not isinstance(skip_certs, int):
            raise TypeError("skip_certs must be an integer")
        self._skip_certs = skip_certs
        self._check()

    def _check(self) -> None:
        if self._skip_certs < 0:
            raise ValueError("skip_certs must be a non-negative integer")


def _only(name: str) -> Callable[[KeyUsage], bool]:
    """Returns the getter of a bit that is defined only if `key_agreement` is set (RFC 5280 §4.2.1.3)."""

    value: Callable[[KeyUsage], bool] = attrgetter("_" + name)

    def get(usage: KeyUsage) -> bool:
        if not usage._key_agreement:
            raise ValueError(f"{name} is undefined unless key_agreement is true")
        return value(usage)

    return get


class KeyUsage(Known):
    """The key usage extension (RFC 5280 §4.2.1.3)."""

    oid = ExtensionOID.KEY_USAGE
    _checked = ("encipher_only", "decipher_only")
    digital_signature: Part[bool] = part("digitalSignature", "True if the key may verify signatures other than those on certificates and CRLs.")
    content_commitment: Part[bool] = part("nonRepudiation", "True if the key may verify signatures that commit to content (nonRepudiation).")
    key_encipherment: Part[bool] = part("keyEncipherment", "True if the key may encrypt keys.")
    data_encipherment: Part[bool] = part("dataEncipherment", "True if the key may encrypt data directly.")
    key_agreement: Part[bool] = part("keyAgreement", "True if the key may agree on keys.")
    key_cert_sign: Part[bool] = part("keyCertSign", "True if the key may verify signatures on certificates.")
    crl_sign: Part[bool] = part("cRLSign", "True if the key may verify signatures on CRLs.")
    encipher_only: Part[bool] = part("encipherOnly", "True if keys agreed on may only encrypt; raises `ValueError` without `key_agreement`.", _only("encipher_only"))
    decipher_only: Part[bool] = part("decipherOnly", "True if keys agreed on may only decrypt; raises `ValueError` without `key_agreement`.", _only("decipher_only"))

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
        self._digital_signature = digital_signature
        self._content_commitment = content_commitment
        self._key_encipherment = key_encipherment
        self._data_encipherment = data_encipherment
        self._key_agreement = key_agreement
        self._key_cert_sign = key_cert_sign
        self._crl_sign = crl_sign
        self._encipher_only = encipher_only
        self._decipher_only = decipher_only
        if encipher_only or decipher_only:
            self._check()

    def _check(self) -> None:
        if not self._key_agreement and (self._encipher_only or self._decipher_only):
            raise ValueError("encipher_only and decipher_only can only be true when key_agreement is true")


class PrivateKeyUsagePeriod(Known):
    """The private key usage period extension (RFC 3280 §4.2.1.4)."""

    oid = ExtensionOID.PRIVATE_KEY_USAGE_PERIOD
    not_before: Part[datetime.datetime | None] = part("notBefore", "The first moment at which the private key signs, or None.")
    not_after: Part[datetime.datetime | None] = part("notAfter", "The last moment at which the private key signs, or None.")

    def __init__(self, not_before: datetime.datetime | None, not_after: datetime.datetime | None) -> None:
        if not isinstance(not_before, datetime.datetime) and not_before is not None:
            raise TypeError("not_before must be a datetime.datetime or None")
        if not isinstance(not_after, datetime.datetime) and not_after is not None:
            raise TypeError("not_after must be a datetime.datetime or None")
        self._not_before = not_before
        self._not_after = not_after
        self._check()

    def _check(self) -> None:
        if self._not_before is None and self._not_after is None:
            raise ValueError("At least one of not_before and not_after must not be None")
        if self._not_before is not None and self._not_after is not None and self._not_before > self._not_after:
            raise ValueError("not_before must be before not_after")


class MSCertificateTemplate(Known):
    """Microsoft's certificate template ([MS-WCCE] §2.2.2.7.7.2)."""

    oid = ExtensionOID.MS_CERTIFICATE_TEMPLATE
    template_id: Part[ObjectIdentifier] = part("templateID", "The template.")
    major_version: Part[int | None] = part("templateMajorVersion", "The template's major version, or None.")
    minor_version: Part[int | None] = part("templateMinorVersion", "The template's minor version, or None.")

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


class _Timestamps(Listed[SignedCertificateTimestamp], Known):
    _fields = ("signed_certificate_timestamps",)
    _entry_type: ClassVar[LogEntryType]

    def __init__(self, signed_certificate_timestamps: Iterable[SignedCertificateTimestamp]) -> None:
        message = "Every item in the signed_certificate_timestamps list must be a SignedCertificateTimestamp"
        self._signed_certificate_timestamps = all_of(signed_certificate_timestamps, SignedCertificateTimestamp, message)

    @classmethod
    def _of_plain(cls: type[T], plain: bytes) -> T:
        return cls([SignedCertificateTimestamp(one, cls._entry_type) for one in _native.read_scts(plain)])

    def _plain(self) -> bytes:
        return _native.write_scts([one._plain for one in self])


class PrecertificateSignedCertificateTimestamps(_Timestamps):
    """The SCT list of a certificate (RFC 6962 §3.3)."""

    oid = ExtensionOID.PRECERT_SIGNED_CERTIFICATE_TIMESTAMPS
    _places = CERTIFICATE
    _entry_type = LogEntryType.PRE_CERTIFICATE


class SignedCertificateTimestamps(_Timestamps):
    """The SCT list of an OCSP response (RFC 6962 §3.3)."""

    oid = ExtensionOID.SIGNED_CERTIFICATE_TIMESTAMPS
    _places = ANSWER
    _entry_type = LogEntryType.X509_CERTIFICATE

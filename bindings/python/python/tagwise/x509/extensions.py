"""Extensions: the list of them, and the values of all kinds that have a class here."""

from __future__ import annotations

import abc
import datetime
from collections.abc import Iterable, Iterator

from tagwise import _native
from tagwise._data import Data, Enum, Listed, Native, all_of, field, native, number_text
from tagwise.x509 import _keys
from tagwise.x509.certificate_transparency import SignedCertificateTimestamp
from tagwise.x509.general_name import (
    DirectoryName,
    DNSName,
    GeneralName,
    IPAddress,
    OtherName,
    RegisteredID,
    RFC822Name,
    UniformResourceIdentifier,
    reject_network,
)
from tagwise.x509.name import Name, RelativeDistinguishedName
from tagwise.x509.oid import CRLEntryExtensionOID, ExtensionOID, ObjectIdentifier, OCSPExtensionOID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Generic, TypeVar, cast, overload
else:
    from tagwise._typing import Generic, TypeVar, cast, overload

if TYPE_CHECKING:
    from tagwise.x509.general_name import Address

E = TypeVar("E", bound="ExtensionType", covariant=True)


def _key_identifier_from_public_key(public_key: Any) -> bytes:
    """The SHA-1 of a key without its algorithm (RFC 5280 §4.2.1.2, method 1)."""
    return _keys.key_identifier(public_key)


class DuplicateExtension(Exception):
    """The same extension is there twice."""

    def __init__(self, msg: str, oid: ObjectIdentifier) -> None:
        super().__init__(msg)
        self.oid = oid


class ExtensionNotFound(Exception):
    """There is no such extension."""

    def __init__(self, msg: str, oid: ObjectIdentifier) -> None:
        super().__init__(msg)
        self.oid = oid


class ExtensionType(metaclass=abc.ABCMeta):
    """The value of an extension."""

    oid: ClassVar[ObjectIdentifier]

    def public_bytes(self) -> bytes:
        """The value in DER."""
        raise NotImplementedError(f"public_bytes is not implemented for extension type {self!r}")


class _Known(Data, ExtensionType):
    """A kind of extension that is read and written here."""

    def public_bytes(self) -> bytes:
        # `_values`, which knows how, imports this module, and gives the class this method.
        raise NotImplementedError


# To checkers the classes derive from the native ones, which take their places.
if TYPE_CHECKING:
    _NativeExtension = _native.Extension
    _NativeExtensions = _native.Extensions
else:
    _NativeExtension = _NativeExtensions = Native


@native(_native.Extension)
class Extension(_NativeExtension, Data, Generic[E]):
    """An extension: its identifier, whether it is critical, and its value.

    If the value cannot be read, `value` raises the reason, which is also in `error`.
    """

    __slots__ = ()
    _fields = ("oid", "critical", "value")
    if TYPE_CHECKING:
        _oid: ObjectIdentifier
        _critical: bool
        _value: E
        _error: tuple[Exception, bytes] | None

        @property
        def oid(self) -> ObjectIdentifier: ...

        @property
        def critical(self) -> bool: ...

        @property
        def error(self) -> Exception | None: ...

        @property
        def value(self) -> E: ...

    def __init__(self, oid: ObjectIdentifier, critical: bool, value: E) -> None:
        if not isinstance(oid, ObjectIdentifier):
            raise TypeError("oid argument must be an ObjectIdentifier instance.")
        if not isinstance(critical, bool):
            raise TypeError("critical must be a boolean value")
        self._oid = oid
        self._critical = critical
        self._value = value

    def _values(self) -> tuple[Any, ...]:
        error = self._error
        # An extension that cannot be read is equal to one of the same bytes.
        return (self._oid, self._critical, self._value if error is None else error[1])

    def __reduce__(self) -> tuple[Any, ...]:
        error = self._error
        if error is not None:
            return (unreadable, (self._oid, self._critical, *error), getattr(self, "__dict__", None))
        return (type(self), (self._oid, self._critical, self._value), getattr(self, "__dict__", None))

    def __repr__(self) -> str:
        error = self._error
        if error is None:
            return Data.__repr__(self)
        return f"<Extension(oid={self._oid}, critical={self._critical}, value=<unreadable: {error[0]}>)>"


def unreadable(oid: ObjectIdentifier, critical: bool, error: Exception, der: bytes) -> Extension[ExtensionType]:
    """An extension whose value cannot be read: it raises `error` when the value is asked for."""
    made: Extension[ExtensionType] = Extension.__new__(Extension)
    made._oid = oid
    made._critical = critical
    made._error = (error, der)
    return made


@native(_native.Extensions)
class Extensions(_NativeExtensions):
    """The extensions of a certificate, a CRL, a CRL entry, a request or a response.

    An extension whose value cannot be read does not hide the others: it is one of the items, with its identifier and its criticality, and
    raises the error when its `value` is accessed or when it is looked up.
    """

    __slots__ = ()

    def __init__(self, extensions: Iterable[Extension[ExtensionType]]) -> None:
        self._extensions = list(extensions)

    def get_extension_for_oid(self, oid: ObjectIdentifier) -> Extension[ExtensionType]:
        """The extension with an identifier.

        Raises `ExtensionNotFound` if there is none, and the error of its value if that cannot be read.
        """
        for extension in self:
            if extension.oid == oid:
                if extension.error is not None:
                    raise extension.error.with_traceback(None)
                return extension
        raise ExtensionNotFound(f"No {oid} extension was found", oid)

    def get_extension_for_class(self, extclass: type[E]) -> Extension[E]:
        """The extension whose value is of a class.

        Raises `ExtensionNotFound` if there is none, and the error of its value if that cannot be read.
        """
        if extclass is UnrecognizedExtension:
            raise TypeError(
                "UnrecognizedExtension can't be used with get_extension_for_class because more than one instance of the "
                "class may be present."
            )
        found = self._of_class(extclass, _KINDS)
        if found is not None:
            return cast("Extension[E]", found)
        raise ExtensionNotFound(f"No {extclass} extension was found", extclass.oid)

    def __len__(self) -> int:
        return len(self._extensions)

    def __iter__(self) -> Iterator[Extension[ExtensionType]]:
        return iter(self._extensions)

    @overload
    def __getitem__(self, idx: int) -> Extension[ExtensionType]: ...

    @overload
    def __getitem__(self, idx: slice) -> list[Extension[ExtensionType]]: ...

    def __getitem__(self, idx: int | slice) -> Extension[ExtensionType] | list[Extension[ExtensionType]]:
        return self._extensions[idx]

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._extensions,), getattr(self, "__dict__", None))

    def __repr__(self) -> str:
        return f"<Extensions({field(lambda: self._extensions)})>"


class UnrecognizedExtension(Data, ExtensionType):
    """An extension that has no class here; its value is as it came."""

    _fields = ("oid", "value")

    def __init__(self, oid: ObjectIdentifier, value: bytes) -> None:
        if not isinstance(oid, ObjectIdentifier):
            raise TypeError("oid must be an ObjectIdentifier")
        self._oid = oid
        self._value = value

    @property
    def oid(self) -> ObjectIdentifier:  # type: ignore[override]
        """The identifier of the extension."""
        return self._oid

    @property
    def value(self) -> bytes:
        """The value, as it was encoded."""
        return self._value

    def public_bytes(self) -> bytes:
        """The value, as it was encoded."""
        return self._value


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


def _names(names: Iterable[GeneralName] | None, message: str) -> list[GeneralName] | None:
    return None if names is None else [reject_network(name) for name in all_of(names, GeneralName, message)]


class CRLNumber(_Known):
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


class DeltaCRLIndicator(_Known):
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


class SubjectKeyIdentifier(_Known):
    """RFC 5280 §4.2.1.2."""

    oid = ExtensionOID.SUBJECT_KEY_IDENTIFIER
    _fields = ("digest",)

    def __init__(self, digest: bytes) -> None:
        self._digest = digest

    @classmethod
    def from_public_key(cls, public_key: object) -> SubjectKeyIdentifier:
        """The identifier of a key: the SHA-1 of its bits (RFC 5280 §4.2.1.2, method 1)."""
        return cls(_key_identifier_from_public_key(public_key))

    @property
    def digest(self) -> bytes:
        """The key identifier."""
        return self._digest

    @property
    def key_identifier(self) -> bytes:
        """The key identifier."""
        return self._digest


class AuthorityKeyIdentifier(_Known):
    """RFC 5280 §4.2.1.1."""

    oid = ExtensionOID.AUTHORITY_KEY_IDENTIFIER
    _fields = ("key_identifier", "authority_cert_issuer", "authority_cert_serial_number")

    def __init__(
        self,
        key_identifier: bytes | None,
        authority_cert_issuer: Iterable[GeneralName] | None,
        authority_cert_serial_number: int | None,
    ) -> None:
        if (authority_cert_issuer is None) != (authority_cert_serial_number is None):
            raise ValueError(
                "authority_cert_issuer and authority_cert_serial_number must both be present or both None"
            )
        issuer = _names(authority_cert_issuer, "authority_cert_issuer must be a list of GeneralName objects")
        if authority_cert_serial_number is not None and not isinstance(authority_cert_serial_number, int):
            raise TypeError("authority_cert_serial_number must be an integer")
        self._key_identifier = key_identifier
        self._authority_cert_issuer = issuer
        self._authority_cert_serial_number = authority_cert_serial_number

    @classmethod
    def from_issuer_public_key(cls, public_key: object) -> AuthorityKeyIdentifier:
        """The extension that names an issuer by its key."""
        return cls(_key_identifier_from_public_key(public_key), None, None)

    @classmethod
    def from_issuer_subject_key_identifier(cls, ski: SubjectKeyIdentifier) -> AuthorityKeyIdentifier:
        """The extension that names an issuer by its subject key identifier."""
        return cls(ski.digest, None, None)

    @property
    def key_identifier(self) -> bytes | None:
        """The identifier of the issuer's key, or None."""
        return self._key_identifier

    @property
    def authority_cert_issuer(self) -> list[GeneralName] | None:
        """The names of the issuer's issuer, or None."""
        return self._authority_cert_issuer

    @property
    def authority_cert_serial_number(self) -> int | None:
        """The serial number of the issuer's certificate, or None."""
        return self._authority_cert_serial_number


class AccessDescription(Data):
    """A way and a place to get at something (RFC 5280 §4.2.2.1)."""

    _fields = ("access_method", "access_location")

    def __init__(self, access_method: ObjectIdentifier, access_location: GeneralName) -> None:
        if not isinstance(access_method, ObjectIdentifier):
            raise TypeError("access_method must be an ObjectIdentifier")
        if not isinstance(access_location, GeneralName):
            raise TypeError("access_location must be a GeneralName")
        self._access_method = access_method
        self._access_location = reject_network(access_location)

    @property
    def access_method(self) -> ObjectIdentifier:
        """The kind of access."""
        return self._access_method

    @property
    def access_location(self) -> GeneralName:
        """The place."""
        return self._access_location


class _Accesses(Listed[AccessDescription], _Known):
    _fields = ("descriptions",)

    def __init__(self, descriptions: Iterable[AccessDescription]) -> None:
        message = "Every item in the descriptions list must be an AccessDescription"
        self._descriptions = all_of(descriptions, AccessDescription, message)


class AuthorityInformationAccess(_Accesses):
    """RFC 5280 §4.2.2.1."""

    oid = ExtensionOID.AUTHORITY_INFORMATION_ACCESS


class SubjectInformationAccess(_Accesses):
    """RFC 5280 §4.2.2.2."""

    oid = ExtensionOID.SUBJECT_INFORMATION_ACCESS


class BasicConstraints(_Known):
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


class _Points(Listed[DistributionPoint], _Known):
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


class PolicyConstraints(_Known):
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


class CertificatePolicies(Listed[PolicyInformation], _Known):
    """RFC 5280 §4.2.1.4."""

    oid = ExtensionOID.CERTIFICATE_POLICIES
    _fields = ("policies",)

    def __init__(self, policies: Iterable[PolicyInformation]) -> None:
        message = "Every item in the policies list must be a PolicyInformation"
        self._policies = all_of(policies, PolicyInformation, message)


class ExtendedKeyUsage(Listed[ObjectIdentifier], _Known):
    """RFC 5280 §4.2.1.12."""

    oid = ExtensionOID.EXTENDED_KEY_USAGE
    _fields = ("usages",)

    def __init__(self, usages: Iterable[ObjectIdentifier]) -> None:
        self._usages = all_of(usages, ObjectIdentifier, "Every item in the usages list must be an ObjectIdentifier")


class OCSPNoCheck(_Known):
    """RFC 6960 §4.2.2.2.1."""

    oid = ExtensionOID.OCSP_NO_CHECK


class PrecertPoison(_Known):
    """RFC 6962 §3.1."""

    oid = ExtensionOID.PRECERT_POISON


class TLSFeatureType(Enum):
    """Extensions of TLS that a server will use."""

    status_request = 5
    status_request_v2 = 17


class TLSFeature(Listed[TLSFeatureType], _Known):
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


class InhibitAnyPolicy(_Known):
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


class KeyUsage(_Known):
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


class PrivateKeyUsagePeriod(_Known):
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


def _trees(trees: Iterable[GeneralName] | None, which: str) -> list[GeneralName] | None:
    if trees is None:
        return None
    # Its import takes longer than that of the rest of this module.
    import ipaddress

    # An interface has a mask, too, but is an address: it would be written without its mask.
    networks = (ipaddress.IPv4Network, ipaddress.IPv6Network)
    names = list(trees)
    if not names:
        raise ValueError(f"{which} must be a non-empty list or None")
    all_of(names, GeneralName, f"{which} must be a list of GeneralName objects or None")
    for name in names:
        if isinstance(name, IPAddress) and not isinstance(name.value, networks):
            raise TypeError("IPAddress name constraints must be an IPv4Network or IPv6Network object")
        if isinstance(name, DNSName) and "*" in name.value:
            raise ValueError("DNSName name constraints must not contain the '*' wildcard character")
    return names


class NameConstraints(_Known):
    """RFC 5280 §4.2.1.10."""

    oid = ExtensionOID.NAME_CONSTRAINTS
    _fields = ("permitted_subtrees", "excluded_subtrees")

    def __init__(
        self,
        permitted_subtrees: Iterable[GeneralName] | None,
        excluded_subtrees: Iterable[GeneralName] | None,
    ) -> None:
        permitted = _trees(permitted_subtrees, "permitted_subtrees")
        excluded = _trees(excluded_subtrees, "excluded_subtrees")
        if permitted is None and excluded is None:
            raise ValueError("At least one of permitted_subtrees and excluded_subtrees must not be None")
        self._permitted_subtrees = permitted
        self._excluded_subtrees = excluded

    @property
    def permitted_subtrees(self) -> list[GeneralName] | None:
        """The names that are permitted, or None."""
        return self._permitted_subtrees

    @property
    def excluded_subtrees(self) -> list[GeneralName] | None:
        """The names that are excluded, or None."""
        return self._excluded_subtrees


class GeneralNames(Listed[GeneralName]):
    """A list of general names."""

    _fields = ("general_names",)

    def __init__(self, general_names: Iterable[GeneralName]) -> None:
        message = "Every item in the general_names list must be an object conforming to the GeneralName interface"
        self._general_names = [reject_network(name) for name in all_of(general_names, GeneralName, message)]

    @overload
    def get_values_for_type(
        self, type: type[DNSName] | type[UniformResourceIdentifier] | type[RFC822Name]
    ) -> list[str]: ...

    @overload
    def get_values_for_type(self, type: type[DirectoryName]) -> list[Name]: ...

    @overload
    def get_values_for_type(self, type: type[RegisteredID]) -> list[ObjectIdentifier]: ...

    @overload
    def get_values_for_type(self, type: type[IPAddress]) -> list[Address]: ...

    @overload
    def get_values_for_type(self, type: type[OtherName]) -> list[OtherName]: ...

    def get_values_for_type(self, type: type[GeneralName]) -> list[Any]:
        """The values of the names of one kind; of other names the names themselves, which say more than their value."""
        names = [name for name in self._general_names if isinstance(name, type)]
        return list(names) if issubclass(type, OtherName) else [name.value for name in names]


class _AltName(GeneralNames, _Known):
    """An extension that is general names."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}({GeneralNames(self._general_names)})>"


class SubjectAlternativeName(_AltName):
    """RFC 5280 §4.2.1.6."""

    oid = ExtensionOID.SUBJECT_ALTERNATIVE_NAME


class IssuerAlternativeName(_AltName):
    """RFC 5280 §4.2.1.7."""

    oid = ExtensionOID.ISSUER_ALTERNATIVE_NAME


class CertificateIssuer(_AltName):
    """RFC 5280 §5.3.3."""

    oid = CRLEntryExtensionOID.CERTIFICATE_ISSUER


class CRLReason(_Known):
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


class InvalidityDate(_Known):
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


class _Timestamps(Listed[SignedCertificateTimestamp], _Known):
    _fields = ("signed_certificate_timestamps",)

    def __init__(self, signed_certificate_timestamps: Iterable[SignedCertificateTimestamp]) -> None:
        message = (
            "Every item in the signed_certificate_timestamps list must be a SignedCertificateTimestamp"
        )
        self._signed_certificate_timestamps = all_of(
            signed_certificate_timestamps, SignedCertificateTimestamp, message
        )


class PrecertificateSignedCertificateTimestamps(_Timestamps):
    """RFC 6962 §3.3, in certificates."""

    oid = ExtensionOID.PRECERT_SIGNED_CERTIFICATE_TIMESTAMPS


class SignedCertificateTimestamps(_Timestamps):
    """RFC 6962 §3.3, in OCSP responses."""

    oid = ExtensionOID.SIGNED_CERTIFICATE_TIMESTAMPS


class OCSPNonce(_Known):
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


class OCSPAcceptableResponses(_Known):
    """RFC 6960 §4.4.3."""

    oid = OCSPExtensionOID.ACCEPTABLE_RESPONSES
    _fields = ("responses",)

    def __init__(self, responses: Iterable[ObjectIdentifier]) -> None:
        self._responses = all_of(responses, ObjectIdentifier, "All responses must be ObjectIdentifiers")

    def __iter__(self) -> Iterator[ObjectIdentifier]:
        return iter(self._responses)


class IssuingDistributionPoint(_Known):
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


class MSCertificateTemplate(_Known):
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


def _text(value: str | None, message: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(message)
    return value


class NamingAuthority(Data):
    """The authority that named a profession (Common PKI 2.0)."""

    _fields = ("id", "url", "text")

    def __init__(self, id: ObjectIdentifier | None, url: str | None, text: str | None) -> None:
        if id is not None and not isinstance(id, ObjectIdentifier):
            raise TypeError("id must be an ObjectIdentifier")
        self._id = id
        self._url = _text(url, "url must be a str")
        self._text = _text(text, "text must be a str")

    @property
    def id(self) -> ObjectIdentifier | None:
        """The identifier of the authority, or None."""
        return self._id

    @property
    def url(self) -> str | None:
        """The URL of the authority, or None."""
        return self._url

    @property
    def text(self) -> str | None:
        """The name of the authority, or None."""
        return self._text

    def __repr__(self) -> str:
        return f"<NamingAuthority(id={self._id}, url={self._url}, text={self._text})>"


class ProfessionInfo(Data):
    """A profession (Common PKI 2.0)."""

    _fields = (
        "naming_authority",
        "profession_items",
        "profession_oids",
        "registration_number",
        "add_profession_info",
    )

    def __init__(
        self,
        naming_authority: NamingAuthority | None,
        profession_items: Iterable[str],
        profession_oids: Iterable[ObjectIdentifier] | None,
        registration_number: str | None,
        add_profession_info: bytes | None,
    ) -> None:
        if naming_authority is not None and not isinstance(naming_authority, NamingAuthority):
            raise TypeError("naming_authority must be a NamingAuthority")
        items: list[str] = all_of(
            profession_items, str, "Every item in the profession_items list must be a str"
        )
        message = "Every item in the profession_oids list must be an ObjectIdentifier"
        oids = None if profession_oids is None else all_of(profession_oids, ObjectIdentifier, message)
        if add_profession_info is not None and not isinstance(add_profession_info, bytes):
            raise TypeError("add_profession_info must be bytes")
        self._naming_authority = naming_authority
        self._profession_items = items
        self._profession_oids = oids
        self._registration_number = _text(registration_number, "registration_number must be a str")
        self._add_profession_info = add_profession_info

    @property
    def naming_authority(self) -> NamingAuthority | None:
        """The authority that names the profession, or None."""
        return self._naming_authority

    @property
    def profession_items(self) -> list[str]:
        """The names of the profession."""
        return self._profession_items

    @property
    def profession_oids(self) -> list[ObjectIdentifier] | None:
        """The identifiers of the profession, or None."""
        return self._profession_oids

    @property
    def registration_number(self) -> str | None:
        """The number under which the holder is registered, or None."""
        return self._registration_number

    @property
    def add_profession_info(self) -> bytes | None:
        """Further information, or None."""
        return self._add_profession_info

    def __repr__(self) -> str:
        return (
            f"<ProfessionInfo(naming_authority={self._naming_authority}, profession_items={self._profession_items}, "
            f"profession_oids={self._profession_oids}, registration_number={self._registration_number}, "
            f"add_profession_info={self._add_profession_info!r})>"
        )


class Admission(Data):
    """Professions that an authority admits to (Common PKI 2.0)."""

    _fields = ("admission_authority", "naming_authority", "profession_infos")

    def __init__(
        self,
        admission_authority: GeneralName | None,
        naming_authority: NamingAuthority | None,
        profession_infos: Iterable[ProfessionInfo],
    ) -> None:
        if admission_authority is not None and not isinstance(admission_authority, GeneralName):
            raise TypeError("admission_authority must be a GeneralName")
        if naming_authority is not None and not isinstance(naming_authority, NamingAuthority):
            raise TypeError("naming_authority must be a NamingAuthority")
        self._admission_authority = None if admission_authority is None else reject_network(admission_authority)
        self._naming_authority = naming_authority
        self._profession_infos = all_of(
            profession_infos,
            ProfessionInfo,
            "Every item in the profession_infos list must be a ProfessionInfo",
        )

    @property
    def admission_authority(self) -> GeneralName | None:
        """The authority that admits, or None."""
        return self._admission_authority

    @property
    def naming_authority(self) -> NamingAuthority | None:
        """The authority that names the professions, or None."""
        return self._naming_authority

    @property
    def profession_infos(self) -> list[ProfessionInfo]:
        """The professions."""
        return self._profession_infos


class Admissions(Listed[Admission], _Known):
    """Common PKI 2.0, part 1, table 29a."""

    oid = ExtensionOID.ADMISSIONS
    _fields = ("admissions", "authority")

    def __init__(self, authority: GeneralName | None, admissions: Iterable[Admission]) -> None:
        if authority is not None and not isinstance(authority, GeneralName):
            raise TypeError("authority must be a GeneralName")
        self._authority = None if authority is None else reject_network(authority)
        self._admissions = all_of(
            admissions, Admission, "Every item in the contents_of_admissions list must be an Admission"
        )

    @property
    def authority(self) -> GeneralName | None:
        """The authority that admits, or None."""
        return self._authority

    def __repr__(self) -> str:
        return f"<Admissions(authority={self._authority}, admissions={self._admissions})>"


#: The kinds that are read here: an object of one of them is of none of the others.
_KINDS = frozenset(
    kind
    for kind in tuple(globals().values())
    if isinstance(kind, type) and issubclass(kind, (_Known, UnrecognizedExtension)) and not kind.__subclasses__()
)

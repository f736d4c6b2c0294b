"""Extensions with names and key identifiers: alternative names, name constraints, information access, admissions."""

from __future__ import annotations

from collections.abc import Iterable

from tagwise._data import Described, Listed, Part, all_of, part
from tagwise.x509 import _keys
from tagwise.x509._extension import ANSWER, CERTIFICATE, CRL, ENTRY, REQUEST, Known
from tagwise.x509.general_name import (
    DirectoryName,
    DNSName,
    GeneralName,
    IPAddress,
    OtherName,
    RegisteredID,
    RFC822Name,
    UniformResourceIdentifier,
    is_network,
    reject_network,
)
from tagwise.x509.name import Name
from tagwise.x509.oid import CRLEntryExtensionOID, ExtensionOID, ObjectIdentifier

__all__ = [
    "AccessDescription",
    "Admission",
    "Admissions",
    "AuthorityInformationAccess",
    "AuthorityKeyIdentifier",
    "CertificateIssuer",
    "GeneralNames",
    "IssuerAlternativeName",
    "NameConstraints",
    "NamingAuthority",
    "ProfessionInfo",
    "SubjectAlternativeName",
    "SubjectInformationAccess",
    "SubjectKeyIdentifier",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, overload
else:
    from tagwise._typing import overload

if TYPE_CHECKING:
    from tagwise.x509.general_name import Address


def _key_identifier_from_public_key(public_key: Any) -> bytes:
    """Computes the SHA-1 hash of a key without its algorithm (RFC 5280 §4.2.1.2, method 1)."""
    return _keys.key_identifier(public_key)


def _names(names: Iterable[GeneralName] | None, message: str) -> list[GeneralName] | None:
    return None if names is None else [reject_network(name) for name in all_of(names, GeneralName, message)]


class SubjectKeyIdentifier(Known):
    """The subject key identifier extension (RFC 5280 §4.2.1.2)."""

    oid = ExtensionOID.SUBJECT_KEY_IDENTIFIER
    digest: Part[bytes] = part("", "The key identifier.")

    def __init__(self, digest: bytes) -> None:
        self._digest = digest

    @classmethod
    def from_public_key(cls, public_key: object) -> SubjectKeyIdentifier:
        """Creates the identifier of a key: the SHA-1 hash of its bits (RFC 5280 §4.2.1.2, method 1)."""
        return cls(_key_identifier_from_public_key(public_key))

    @property
    def key_identifier(self) -> bytes:
        """The key identifier."""
        return self._digest


class AuthorityKeyIdentifier(Known):
    """The authority key identifier extension (RFC 5280 §4.2.1.1)."""

    oid = ExtensionOID.AUTHORITY_KEY_IDENTIFIER
    _places = CERTIFICATE | REQUEST | CRL
    _checked = ("authority_cert_issuer", "authority_cert_serial_number")
    key_identifier: Part[bytes | None] = part("keyIdentifier", "The identifier of the issuer's key, or None.")
    authority_cert_issuer: Part[list[GeneralName] | None] = part("authorityCertIssuer", "The names of the issuer's issuer, or None.")
    authority_cert_serial_number: Part[int | None] = part("authorityCertSerialNumber", "The serial number of the issuer's certificate, or None.")

    def __init__(
        self,
        key_identifier: bytes | None,
        authority_cert_issuer: Iterable[GeneralName] | None,
        authority_cert_serial_number: int | None,
    ) -> None:
        issuer = _names(authority_cert_issuer, "authority_cert_issuer must be a list of GeneralName objects")
        if authority_cert_serial_number is not None and not isinstance(authority_cert_serial_number, int):
            raise TypeError("authority_cert_serial_number must be an integer")
        self._key_identifier = key_identifier
        self._authority_cert_issuer = issuer
        self._authority_cert_serial_number = authority_cert_serial_number
        if authority_cert_issuer is not None or authority_cert_serial_number is not None:
            self._check()

    def _check(self) -> None:
        if (self._authority_cert_issuer is None) != (self._authority_cert_serial_number is None):
            raise ValueError("authority_cert_issuer and authority_cert_serial_number must both be present or both None")

    @classmethod
    def from_issuer_public_key(cls, public_key: object) -> AuthorityKeyIdentifier:
        """Creates the extension that identifies an issuer by its key."""
        return cls(_key_identifier_from_public_key(public_key), None, None)

    @classmethod
    def from_issuer_subject_key_identifier(cls, ski: SubjectKeyIdentifier) -> AuthorityKeyIdentifier:
        """Creates the extension that identifies an issuer by its subject key identifier."""
        return cls(ski.digest, None, None)


class AccessDescription(Described):
    """An access method and a location (RFC 5280 §4.2.2.1)."""

    access_method: Part[ObjectIdentifier] = part("accessMethod", "The kind of access.")
    access_location: Part[GeneralName] = part("accessLocation", "The place.")

    def __init__(self, access_method: ObjectIdentifier, access_location: GeneralName) -> None:
        if not isinstance(access_method, ObjectIdentifier):
            raise TypeError("access_method must be an ObjectIdentifier")
        if not isinstance(access_location, GeneralName):
            raise TypeError("access_location must be a GeneralName")
        self._access_method = access_method
        self._access_location = reject_network(access_location)


class _Accesses(Listed[AccessDescription], Known):
    _fields = ("descriptions",)

    def __init__(self, descriptions: Iterable[AccessDescription]) -> None:
        message = "Every item in the descriptions list must be an AccessDescription"
        self._descriptions = all_of(descriptions, AccessDescription, message)


class AuthorityInformationAccess(_Accesses):
    """The authority information access extension (RFC 5280 §4.2.2.1)."""

    oid = ExtensionOID.AUTHORITY_INFORMATION_ACCESS
    _places = CERTIFICATE | REQUEST | CRL


class SubjectInformationAccess(_Accesses):
    """The subject information access extension (RFC 5280 §4.2.2.2)."""

    oid = ExtensionOID.SUBJECT_INFORMATION_ACCESS


class NameConstraints(Known):
    """The name constraints extension (RFC 5280 §4.2.1.10)."""

    oid = ExtensionOID.NAME_CONSTRAINTS
    permitted_subtrees: Part[list[GeneralName] | None] = part("permittedSubtrees", "The names that are permitted, or None.")
    excluded_subtrees: Part[list[GeneralName] | None] = part("excludedSubtrees", "The names that are excluded, or None.")

    def __init__(
        self,
        permitted_subtrees: Iterable[GeneralName] | None,
        excluded_subtrees: Iterable[GeneralName] | None,
    ) -> None:
        self._permitted_subtrees = _subtrees(permitted_subtrees, "permitted_subtrees")
        self._excluded_subtrees = _subtrees(excluded_subtrees, "excluded_subtrees")
        self._check()

    def _check(self) -> None:
        if self._permitted_subtrees is None and self._excluded_subtrees is None:
            raise ValueError("At least one of permitted_subtrees and excluded_subtrees must not be None")
        for which, names in (("permitted_subtrees", self._permitted_subtrees), ("excluded_subtrees", self._excluded_subtrees)):
            if names == []:
                raise ValueError(f"{which} must be a non-empty list or None")
            for name in names or ():
                # An interface has a mask, too, but is an address: it would be written without its mask.
                if isinstance(name, IPAddress) and not is_network(name):
                    raise TypeError("IPAddress name constraints must be an IPv4Network or IPv6Network object")
                if isinstance(name, DNSName) and "*" in name.value:
                    raise ValueError("DNSName name constraints must not contain the '*' wildcard character")


def _subtrees(names: Iterable[GeneralName] | None, which: str) -> list[GeneralName] | None:
    return None if names is None else all_of(names, GeneralName, f"{which} must be a list of GeneralName objects or None")


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
        """Returns the values of the names of one kind. For `OtherName`, returns the names themselves, because the
        value alone is not sufficient."""
        names = [name for name in self._general_names if isinstance(name, type)]
        return list(names) if issubclass(type, OtherName) else [name.value for name in names]


class _AltName(GeneralNames, Known):
    """An extension that consists of general names."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}({GeneralNames(self._general_names)})>"


class SubjectAlternativeName(_AltName):
    """The subject alternative name extension (RFC 5280 §4.2.1.6)."""

    oid = ExtensionOID.SUBJECT_ALTERNATIVE_NAME


class IssuerAlternativeName(_AltName):
    """The issuer alternative name extension (RFC 5280 §4.2.1.7)."""

    oid = ExtensionOID.ISSUER_ALTERNATIVE_NAME
    _places = CERTIFICATE | REQUEST | CRL


class CertificateIssuer(_AltName):
    """The certificate issuer extension of CRL entries (RFC 5280 §5.3.3)."""

    oid = CRLEntryExtensionOID.CERTIFICATE_ISSUER
    _places = ENTRY | ANSWER


def _text(value: str | None, message: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(message)
    return value


class NamingAuthority(Described):
    """The authority that defines a profession's title (Common PKI 2.0)."""

    id: Part[ObjectIdentifier | None] = part("namingAuthorityId", "The identifier of the authority, or None.")
    url: Part[str | None] = part("namingAuthorityUrl", "The URL of the authority, or None.")
    text: Part[str | None] = part("namingAuthorityText", "The name of the authority, or None.")

    def __init__(self, id: ObjectIdentifier | None, url: str | None, text: str | None) -> None:
        if id is not None and not isinstance(id, ObjectIdentifier):
            raise TypeError("id must be an ObjectIdentifier")
        self._id = id
        self._url = _text(url, "url must be a str")
        self._text = _text(text, "text must be a str")

    def __repr__(self) -> str:
        return f"<NamingAuthority(id={self._id}, url={self._url}, text={self._text})>"


class ProfessionInfo(Described):
    """A profession (Common PKI 2.0)."""

    naming_authority: Part[NamingAuthority | None] = part("namingAuthority", "The authority that names the profession, or None.")
    profession_items: Part[list[str]] = part("professionItems", "The names of the profession.")
    profession_oids: Part[list[ObjectIdentifier] | None] = part("professionOIDs", "The identifiers of the profession, or None.")
    registration_number: Part[str | None] = part("registrationNumber", "The number under which the holder is registered, or None.")
    add_profession_info: Part[bytes | None] = part("addProfessionInfo", "Further information, or None.")

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

    def __repr__(self) -> str:
        return (
            f"<ProfessionInfo(naming_authority={self._naming_authority}, profession_items={self._profession_items}, "
            f"profession_oids={self._profession_oids}, registration_number={self._registration_number}, "
            f"add_profession_info={self._add_profession_info!r})>"
        )


class Admission(Described):
    """Professions to which an authority grants admission (Common PKI 2.0)."""

    _asn1 = "Admissions"
    admission_authority: Part[GeneralName | None] = part("admissionAuthority", "The authority that admits, or None.")
    naming_authority: Part[NamingAuthority | None] = part("namingAuthority", "The authority that names the professions, or None.")
    profession_infos: Part[list[ProfessionInfo]] = part("professionInfos", "The professions.")

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


class Admissions(Listed[Admission], Known):
    """The admissions extension (Common PKI 2.0, part 1, table 29a)."""

    oid = ExtensionOID.ADMISSIONS
    _components = {"admissions": "contentsOfAdmissions"}
    authority: Part[GeneralName | None] = part("admissionAuthority", "The authority that admits, or None.")

    def __init__(self, authority: GeneralName | None, admissions: Iterable[Admission]) -> None:
        if authority is not None and not isinstance(authority, GeneralName):
            raise TypeError("authority must be a GeneralName")
        self._authority = None if authority is None else reject_network(authority)
        self._admissions = all_of(
            admissions, Admission, "Every item in the contents_of_admissions list must be an Admission"
        )

    def __repr__(self) -> str:
        return f"<Admissions(authority={self._authority}, admissions={self._admissions})>"

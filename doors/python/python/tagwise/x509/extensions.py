"""Extensions: the list of them, and the values of all kinds that have a class here."""

from __future__ import annotations

from collections.abc import Iterable

from tagwise._data import Listed, all_of
from tagwise.x509 import _extension
from tagwise.x509._extension import (
    DuplicateExtension,
    Extension,
    ExtensionNotFound,
    ExtensionType,
    Extensions,
    UnrecognizedExtension,
    Known,
    unreadable,
)
from tagwise.x509._extensions_names import (
    AccessDescription,
    Admission,
    Admissions,
    AuthorityInformationAccess,
    AuthorityKeyIdentifier,
    CertificateIssuer,
    GeneralNames,
    IssuerAlternativeName,
    NameConstraints,
    NamingAuthority,
    ProfessionInfo,
    SubjectAlternativeName,
    SubjectInformationAccess,
    SubjectKeyIdentifier,
)
from tagwise.x509._extensions_names import _key_identifier_from_public_key as _key_identifier_from_public_key
from tagwise.x509._extensions_policy import (
    BasicConstraints,
    CertificatePolicies,
    ExtendedKeyUsage,
    InhibitAnyPolicy,
    KeyUsage,
    MSCertificateTemplate,
    NoticeReference,
    PolicyConstraints,
    PolicyInformation,
    PrecertPoison,
    PrivateKeyUsagePeriod,
    TLSFeature,
    TLSFeatureType,
    UserNotice,
)
from tagwise.x509._extensions_revocation import (
    CRLDistributionPoints,
    CRLNumber,
    CRLReason,
    DeltaCRLIndicator,
    DistributionPoint,
    FreshestCRL,
    InvalidityDate,
    IssuingDistributionPoint,
    OCSPAcceptableResponses,
    OCSPNoCheck,
    OCSPNonce,
    ReasonFlags,
)
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
)
from tagwise.x509.name import Name, RelativeDistinguishedName
from tagwise.x509.oid import CRLEntryExtensionOID, ExtensionOID, ObjectIdentifier, OCSPExtensionOID

#: Those of other modules are here because `cryptography.x509.extensions` has them as well.
__all__ = [
    "AccessDescription",
    "Admission",
    "Admissions",
    "AuthorityInformationAccess",
    "AuthorityKeyIdentifier",
    "BasicConstraints",
    "CRLDistributionPoints",
    "CRLEntryExtensionOID",
    "CRLNumber",
    "CRLReason",
    "CertificateIssuer",
    "CertificatePolicies",
    "DNSName",
    "DeltaCRLIndicator",
    "DirectoryName",
    "DistributionPoint",
    "DuplicateExtension",
    "ExtendedKeyUsage",
    "Extension",
    "ExtensionNotFound",
    "ExtensionOID",
    "ExtensionType",
    "Extensions",
    "FreshestCRL",
    "GeneralName",
    "GeneralNames",
    "IPAddress",
    "InhibitAnyPolicy",
    "InvalidityDate",
    "IssuerAlternativeName",
    "IssuingDistributionPoint",
    "KeyUsage",
    "MSCertificateTemplate",
    "Name",
    "NameConstraints",
    "NamingAuthority",
    "NoticeReference",
    "OCSPAcceptableResponses",
    "OCSPExtensionOID",
    "OCSPNoCheck",
    "OCSPNonce",
    "ObjectIdentifier",
    "OtherName",
    "PolicyConstraints",
    "PolicyInformation",
    "PrecertPoison",
    "PrecertificateSignedCertificateTimestamps",
    "PrivateKeyUsagePeriod",
    "ProfessionInfo",
    "RFC822Name",
    "ReasonFlags",
    "RegisteredID",
    "RelativeDistinguishedName",
    "SignedCertificateTimestamp",
    "SignedCertificateTimestamps",
    "SubjectAlternativeName",
    "SubjectInformationAccess",
    "SubjectKeyIdentifier",
    "TLSFeature",
    "TLSFeatureType",
    "UniformResourceIdentifier",
    "UnrecognizedExtension",
    "UserNotice",
    "unreadable",
]


class _Timestamps(Listed[SignedCertificateTimestamp], Known):
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


_extension.KINDS = frozenset(
    kind
    for kind in tuple(globals().values())
    if isinstance(kind, type) and issubclass(kind, (Known, UnrecognizedExtension)) and not kind.__subclasses__()
)

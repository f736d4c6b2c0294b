"""X.509 by the names of `cryptography.x509`: certificates, requests, revocation lists, OCSP, and their builders."""

from __future__ import annotations

from tagwise.x509 import (
    _extension,
    _extensions_names,
    _extensions_policy,
    _extensions_revocation,
    certificate_transparency,
    general_name,
    oid,
)
from tagwise.x509.base import (
    Attribute,
    AttributeNotFound,
    Attributes,
    Certificate,
    CertificateRevocationList,
    CertificateSigningRequest,
    Deviation,
    InvalidVersion,
    RevokedCertificate,
    Version,
    load_der_x509_certificate,
    load_many,
    load_der_x509_crl,
    load_der_x509_csr,
    load_pem_x509_certificate,
    load_pem_x509_certificates,
    load_pem_x509_crl,
    load_pem_x509_csr,
    random_serial_number,
)
from tagwise.x509.builders import (
    CertificateBuilder,
    CertificateRevocationListBuilder,
    CertificateSigningRequestBuilder,
    RevokedCertificateBuilder,
)
from ._extension import *  # noqa: F403
from ._extensions_names import *  # noqa: F403
from ._extensions_policy import *  # noqa: F403
from ._extensions_revocation import *  # noqa: F403
from .general_name import *  # noqa: F403
from tagwise.x509.name import (
    Name,
    NameAttribute,
    RelativeDistinguishedName,
)
from tagwise.x509.oid import (
    AuthorityInformationAccessOID,
    CRLEntryExtensionOID,
    CertificatePoliciesOID,
    ExtendedKeyUsageOID,
    ExtensionOID,
    NameOID,
    ObjectIdentifier,
    PublicKeyAlgorithmOID,
    SignatureAlgorithmOID,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from tagwise.lint import Finding
    from tagwise.x509 import ocsp, verification
    from tagwise.x509._diff import Difference
    from tagwise.x509._scan import Found, Item, find, scan

#: Names that are loaded on first access, and their modules.
_LATER = {
    "Difference": "tagwise.x509._diff",
    "Finding": "tagwise.lint",
    "Found": "tagwise.x509._scan",
    "Item": "tagwise.x509._scan",
    "find": "tagwise.x509._scan",
    "ocsp": None,
    "scan": "tagwise.x509._scan",
    "verification": None,
}


def __getattr__(name: str) -> object:
    import importlib

    if name not in _LATER:
        raise AttributeError(f"module 'tagwise.x509' has no attribute {name!r}")
    place = _LATER[name]
    if place is None:
        return importlib.import_module("tagwise.x509." + name)
    return getattr(importlib.import_module(place), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


OID_AUTHORITY_INFORMATION_ACCESS = ExtensionOID.AUTHORITY_INFORMATION_ACCESS
OID_AUTHORITY_KEY_IDENTIFIER = ExtensionOID.AUTHORITY_KEY_IDENTIFIER
OID_BASIC_CONSTRAINTS = ExtensionOID.BASIC_CONSTRAINTS
OID_CERTIFICATE_POLICIES = ExtensionOID.CERTIFICATE_POLICIES
OID_CRL_DISTRIBUTION_POINTS = ExtensionOID.CRL_DISTRIBUTION_POINTS
OID_EXTENDED_KEY_USAGE = ExtensionOID.EXTENDED_KEY_USAGE
OID_FRESHEST_CRL = ExtensionOID.FRESHEST_CRL
OID_INHIBIT_ANY_POLICY = ExtensionOID.INHIBIT_ANY_POLICY
OID_ISSUER_ALTERNATIVE_NAME = ExtensionOID.ISSUER_ALTERNATIVE_NAME
OID_KEY_USAGE = ExtensionOID.KEY_USAGE
OID_PRIVATE_KEY_USAGE_PERIOD = ExtensionOID.PRIVATE_KEY_USAGE_PERIOD
OID_NAME_CONSTRAINTS = ExtensionOID.NAME_CONSTRAINTS
OID_OCSP_NO_CHECK = ExtensionOID.OCSP_NO_CHECK
OID_POLICY_CONSTRAINTS = ExtensionOID.POLICY_CONSTRAINTS
OID_POLICY_MAPPINGS = ExtensionOID.POLICY_MAPPINGS
OID_SUBJECT_ALTERNATIVE_NAME = ExtensionOID.SUBJECT_ALTERNATIVE_NAME
OID_SUBJECT_DIRECTORY_ATTRIBUTES = ExtensionOID.SUBJECT_DIRECTORY_ATTRIBUTES
OID_SUBJECT_INFORMATION_ACCESS = ExtensionOID.SUBJECT_INFORMATION_ACCESS
OID_SUBJECT_KEY_IDENTIFIER = ExtensionOID.SUBJECT_KEY_IDENTIFIER
OID_DSA_WITH_SHA1 = SignatureAlgorithmOID.DSA_WITH_SHA1
OID_DSA_WITH_SHA224 = SignatureAlgorithmOID.DSA_WITH_SHA224
OID_DSA_WITH_SHA256 = SignatureAlgorithmOID.DSA_WITH_SHA256
OID_ECDSA_WITH_SHA1 = SignatureAlgorithmOID.ECDSA_WITH_SHA1
OID_ECDSA_WITH_SHA224 = SignatureAlgorithmOID.ECDSA_WITH_SHA224
OID_ECDSA_WITH_SHA256 = SignatureAlgorithmOID.ECDSA_WITH_SHA256
OID_ECDSA_WITH_SHA384 = SignatureAlgorithmOID.ECDSA_WITH_SHA384
OID_ECDSA_WITH_SHA512 = SignatureAlgorithmOID.ECDSA_WITH_SHA512
OID_RSA_WITH_MD5 = SignatureAlgorithmOID.RSA_WITH_MD5
OID_RSA_WITH_SHA1 = SignatureAlgorithmOID.RSA_WITH_SHA1
OID_RSA_WITH_SHA224 = SignatureAlgorithmOID.RSA_WITH_SHA224
OID_RSA_WITH_SHA256 = SignatureAlgorithmOID.RSA_WITH_SHA256
OID_RSA_WITH_SHA384 = SignatureAlgorithmOID.RSA_WITH_SHA384
OID_RSA_WITH_SHA512 = SignatureAlgorithmOID.RSA_WITH_SHA512
OID_RSASSA_PSS = SignatureAlgorithmOID.RSASSA_PSS
OID_COMMON_NAME = NameOID.COMMON_NAME
OID_COUNTRY_NAME = NameOID.COUNTRY_NAME
OID_DOMAIN_COMPONENT = NameOID.DOMAIN_COMPONENT
OID_DN_QUALIFIER = NameOID.DN_QUALIFIER
OID_EMAIL_ADDRESS = NameOID.EMAIL_ADDRESS
OID_GENERATION_QUALIFIER = NameOID.GENERATION_QUALIFIER
OID_GIVEN_NAME = NameOID.GIVEN_NAME
OID_LOCALITY_NAME = NameOID.LOCALITY_NAME
OID_ORGANIZATIONAL_UNIT_NAME = NameOID.ORGANIZATIONAL_UNIT_NAME
OID_ORGANIZATION_NAME = NameOID.ORGANIZATION_NAME
OID_PSEUDONYM = NameOID.PSEUDONYM
OID_SERIAL_NUMBER = NameOID.SERIAL_NUMBER
OID_STATE_OR_PROVINCE_NAME = NameOID.STATE_OR_PROVINCE_NAME
OID_SURNAME = NameOID.SURNAME
OID_TITLE = NameOID.TITLE
OID_CLIENT_AUTH = ExtendedKeyUsageOID.CLIENT_AUTH
OID_CODE_SIGNING = ExtendedKeyUsageOID.CODE_SIGNING
OID_EMAIL_PROTECTION = ExtendedKeyUsageOID.EMAIL_PROTECTION
OID_OCSP_SIGNING = ExtendedKeyUsageOID.OCSP_SIGNING
OID_SERVER_AUTH = ExtendedKeyUsageOID.SERVER_AUTH
OID_TIME_STAMPING = ExtendedKeyUsageOID.TIME_STAMPING
OID_ANY_POLICY = CertificatePoliciesOID.ANY_POLICY
OID_CPS_QUALIFIER = CertificatePoliciesOID.CPS_QUALIFIER
OID_CPS_USER_NOTICE = CertificatePoliciesOID.CPS_USER_NOTICE
OID_CERTIFICATE_ISSUER = CRLEntryExtensionOID.CERTIFICATE_ISSUER
OID_CRL_REASON = CRLEntryExtensionOID.CRL_REASON
OID_INVALIDITY_DATE = CRLEntryExtensionOID.INVALIDITY_DATE
OID_CA_ISSUERS = AuthorityInformationAccessOID.CA_ISSUERS
OID_OCSP = AuthorityInformationAccessOID.OCSP

__all__ = [
    "Attribute",
    "AttributeNotFound",
    "Attributes",
    "AuthorityInformationAccessOID",
    "CRLEntryExtensionOID",
    "Certificate",
    "CertificateBuilder",
    "CertificatePoliciesOID",
    "CertificateRevocationList",
    "CertificateRevocationListBuilder",
    "CertificateSigningRequest",
    "CertificateSigningRequestBuilder",
    "Deviation",
    "Difference",
    "ExtendedKeyUsageOID",
    "ExtensionOID",
    "Finding",
    "Found",
    "InvalidVersion",
    "Item",
    "Name",
    "NameAttribute",
    "NameOID",
    "OID_ANY_POLICY",
    "OID_AUTHORITY_INFORMATION_ACCESS",
    "OID_AUTHORITY_KEY_IDENTIFIER",
    "OID_BASIC_CONSTRAINTS",
    "OID_CA_ISSUERS",
    "OID_CERTIFICATE_ISSUER",
    "OID_CERTIFICATE_POLICIES",
    "OID_CLIENT_AUTH",
    "OID_CODE_SIGNING",
    "OID_COMMON_NAME",
    "OID_COUNTRY_NAME",
    "OID_CPS_QUALIFIER",
    "OID_CPS_USER_NOTICE",
    "OID_CRL_DISTRIBUTION_POINTS",
    "OID_CRL_REASON",
    "OID_DN_QUALIFIER",
    "OID_DOMAIN_COMPONENT",
    "OID_DSA_WITH_SHA1",
    "OID_DSA_WITH_SHA224",
    "OID_DSA_WITH_SHA256",
    "OID_ECDSA_WITH_SHA1",
    "OID_ECDSA_WITH_SHA224",
    "OID_ECDSA_WITH_SHA256",
    "OID_ECDSA_WITH_SHA384",
    "OID_ECDSA_WITH_SHA512",
    "OID_EMAIL_ADDRESS",
    "OID_EMAIL_PROTECTION",
    "OID_EXTENDED_KEY_USAGE",
    "OID_FRESHEST_CRL",
    "OID_GENERATION_QUALIFIER",
    "OID_GIVEN_NAME",
    "OID_INHIBIT_ANY_POLICY",
    "OID_INVALIDITY_DATE",
    "OID_ISSUER_ALTERNATIVE_NAME",
    "OID_KEY_USAGE",
    "OID_LOCALITY_NAME",
    "OID_NAME_CONSTRAINTS",
    "OID_OCSP",
    "OID_OCSP_NO_CHECK",
    "OID_OCSP_SIGNING",
    "OID_ORGANIZATIONAL_UNIT_NAME",
    "OID_ORGANIZATION_NAME",
    "OID_POLICY_CONSTRAINTS",
    "OID_POLICY_MAPPINGS",
    "OID_PRIVATE_KEY_USAGE_PERIOD",
    "OID_PSEUDONYM",
    "OID_RSASSA_PSS",
    "OID_RSA_WITH_MD5",
    "OID_RSA_WITH_SHA1",
    "OID_RSA_WITH_SHA224",
    "OID_RSA_WITH_SHA256",
    "OID_RSA_WITH_SHA384",
    "OID_RSA_WITH_SHA512",
    "OID_SERIAL_NUMBER",
    "OID_SERVER_AUTH",
    "OID_STATE_OR_PROVINCE_NAME",
    "OID_SUBJECT_ALTERNATIVE_NAME",
    "OID_SUBJECT_DIRECTORY_ATTRIBUTES",
    "OID_SUBJECT_INFORMATION_ACCESS",
    "OID_SUBJECT_KEY_IDENTIFIER",
    "OID_SURNAME",
    "OID_TIME_STAMPING",
    "OID_TITLE",
    "ObjectIdentifier",
    "PublicKeyAlgorithmOID",
    "RelativeDistinguishedName",
    "RevokedCertificate",
    "RevokedCertificateBuilder",
    "SignatureAlgorithmOID",
    "Version",
    "certificate_transparency",
    "find",
    "load_der_x509_certificate",
    "load_der_x509_crl",
    "load_der_x509_csr",
    "load_many",
    "load_pem_x509_certificate",
    "load_pem_x509_certificates",
    "load_pem_x509_crl",
    "load_pem_x509_csr",
    "ocsp",
    "oid",
    "random_serial_number",
    "scan",
    "verification",
]
__all__ += _extension.__all__
__all__ += _extensions_names.__all__
__all__ += _extensions_policy.__all__
__all__ += _extensions_revocation.__all__
__all__ += general_name.__all__

"""Object identifiers, with the names that `cryptography` uses for them."""

from __future__ import annotations

from tagwise import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar
else:
    from tagwise._typing import TypeVar

__all__ = [
    "AttributeOID",
    "AuthorityInformationAccessOID",
    "CRLEntryExtensionOID",
    "CertificatePoliciesOID",
    "ExtendedKeyUsageOID",
    "ExtensionOID",
    "HashAlgorithmOID",
    "NameOID",
    "OCSPExtensionOID",
    "ObjectIdentifier",
    "OtherNameFormOID",
    "PublicKeyAlgorithmOID",
    "SignatureAlgorithmOID",
    "SubjectInformationAccessOID",
]


K = TypeVar("K", str, bytes)
#: Identifiers that have been encountered. Valid inputs use few different ones, and other inputs cannot fill the memory with them.
_KNOWN: dict[str, ObjectIdentifier] = {}
_BY_CONTENT: dict[bytes, ObjectIdentifier] = {}
_MOST = 4096
#: The maximum length of a cached identifier, in bytes or characters.
_LONGEST = 128


def _keep(known: dict[K, ObjectIdentifier], key: K, identifier: ObjectIdentifier) -> None:
    if len(known) < _MOST and len(key) <= _LONGEST:
        known[key] = identifier


class ObjectIdentifier:
    """An object identifier. Its arcs may be of any size.

    >>> ObjectIdentifier("2.5.4.3")
    <ObjectIdentifier(oid=2.5.4.3, name=commonName)>
    """

    __slots__ = ("_dotted",)
    _dotted: str

    @staticmethod
    def _of(dotted: str) -> ObjectIdentifier:
        """Creates an identifier from the decoder's output, without checking it."""
        known = _KNOWN.get(dotted)
        if known is None:
            known = object.__new__(ObjectIdentifier)
            known._dotted = dotted
            _keep(_KNOWN, dotted, known)
        return known

    @staticmethod
    def _of_content(content: bytes) -> ObjectIdentifier:
        """Creates an identifier from its content bytes, without checking it."""
        known = _BY_CONTENT.get(content)
        if known is None:
            known = ObjectIdentifier._of(_native.oid_of_content(content))
            _keep(_BY_CONTENT, content, known)
        return known

    def __init__(self, dotted_string: str) -> None:
        _native.oid_names(dotted_string)
        self._dotted = dotted_string

    @property
    def dotted_string(self) -> str:
        """The identifier in dotted notation."""
        return self._dotted

    @property
    def _name(self) -> str:
        # Exactly the names of `cryptography`, which programs compare.
        from tagwise.x509._oid_names import NAMES

        return NAMES.get(self._dotted, "Unknown OID")

    @property
    def names(self) -> tuple[str, ...]:
        """All known names: those of `cryptography` and of the defining standard, and a short name.

        >>> ObjectIdentifier("1.3.6.1.5.5.7.3.1").names
        ('serverAuth', 'id-kp-serverAuth')
        """
        from tagwise.x509._oid_names import NAMES

        try:
            known = _native.oid_names(self._dotted)
        except ValueError:
            # An arc of thousands of bits, which is shown in another way than dotted.
            known = None
        names = [NAMES.get(self._dotted), *(known or ())]
        return tuple(dict.fromkeys(name for name in names if name is not None))

    def __repr__(self) -> str:
        return f"<ObjectIdentifier(oid={self._dotted}, name={self._name})>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ObjectIdentifier):
            return NotImplemented
        return self._dotted == other._dotted

    def __hash__(self) -> int:
        return hash(self._dotted)

    def __copy__(self) -> ObjectIdentifier:
        return self

    def __deepcopy__(self, memo: object) -> ObjectIdentifier:
        return self

    def __reduce__(self) -> tuple[type[ObjectIdentifier], tuple[str]]:
        return (ObjectIdentifier, (self._dotted,))


def _named(name: str) -> ObjectIdentifier:
    """Returns the identifier with the given name in Tagwise's table."""
    return ObjectIdentifier._of(_native.oid_by_name(name))


class ExtensionOID:
    """Identifiers of extensions in certificates and CRLs."""

    SUBJECT_DIRECTORY_ATTRIBUTES = _named("subjectDirectoryAttributes")
    SUBJECT_KEY_IDENTIFIER = _named("subjectKeyIdentifier")
    KEY_USAGE = _named("keyUsage")
    PRIVATE_KEY_USAGE_PERIOD = _named("privateKeyUsagePeriod")
    SUBJECT_ALTERNATIVE_NAME = _named("subjectAltName")
    ISSUER_ALTERNATIVE_NAME = _named("issuerAltName")
    BASIC_CONSTRAINTS = _named("basicConstraints")
    NAME_CONSTRAINTS = _named("nameConstraints")
    CRL_DISTRIBUTION_POINTS = _named("cRLDistributionPoints")
    CERTIFICATE_POLICIES = _named("certificatePolicies")
    POLICY_MAPPINGS = _named("policyMappings")
    AUTHORITY_KEY_IDENTIFIER = _named("authorityKeyIdentifier")
    POLICY_CONSTRAINTS = _named("policyConstraints")
    EXTENDED_KEY_USAGE = _named("extKeyUsage")
    FRESHEST_CRL = _named("freshestCRL")
    INHIBIT_ANY_POLICY = _named("inhibitAnyPolicy")
    ISSUING_DISTRIBUTION_POINT = _named("issuingDistributionPoint")
    AUTHORITY_INFORMATION_ACCESS = _named("authorityInfoAccess")
    SUBJECT_INFORMATION_ACCESS = _named("subjectInfoAccess")
    OCSP_NO_CHECK = _named("id-pkix-ocsp-nocheck")
    TLS_FEATURE = _named("id-pe-tlsfeature")
    CRL_NUMBER = _named("cRLNumber")
    DELTA_CRL_INDICATOR = _named("deltaCRLIndicator")
    PRECERT_SIGNED_CERTIFICATE_TIMESTAMPS = _named("signedCertificateTimestampList")
    PRECERT_POISON = _named("ctPoison")
    SIGNED_CERTIFICATE_TIMESTAMPS = _named("ctOcspSignedCertificateTimestampList")
    MS_CERTIFICATE_TEMPLATE = _named("szOID_CERTIFICATE_TEMPLATE")
    ADMISSIONS = _named("id-isismtt-at-admission")


class OCSPExtensionOID:
    """Identifiers of extensions in OCSP messages."""

    NONCE = _named("id-pkix-ocsp-nonce")
    ACCEPTABLE_RESPONSES = _named("id-pkix-ocsp-response")


class CRLEntryExtensionOID:
    """Identifiers of extensions in CRL entries."""

    CERTIFICATE_ISSUER = _named("certificateIssuer")
    CRL_REASON = _named("reasonCode")
    INVALIDITY_DATE = _named("invalidityDate")


class NameOID:
    """Identifiers of attribute types in names."""

    COMMON_NAME = _named("commonName")
    COUNTRY_NAME = _named("countryName")
    LOCALITY_NAME = _named("localityName")
    STATE_OR_PROVINCE_NAME = _named("stateOrProvinceName")
    STREET_ADDRESS = _named("streetAddress")
    ORGANIZATION_IDENTIFIER = _named("organizationIdentifier")
    ORGANIZATION_NAME = _named("organizationName")
    ORGANIZATIONAL_UNIT_NAME = _named("organizationalUnitName")
    SERIAL_NUMBER = _named("serialNumber")
    SURNAME = _named("surname")
    GIVEN_NAME = _named("givenName")
    TITLE = _named("title")
    INITIALS = _named("initials")
    GENERATION_QUALIFIER = _named("generationQualifier")
    X500_UNIQUE_IDENTIFIER = _named("x500UniqueIdentifier")
    DN_QUALIFIER = _named("dnQualifier")
    PSEUDONYM = _named("pseudonym")
    USER_ID = _named("userId")
    DOMAIN_COMPONENT = _named("domainComponent")
    EMAIL_ADDRESS = _named("emailAddress")
    JURISDICTION_COUNTRY_NAME = _named("jurisdictionCountryName")
    JURISDICTION_LOCALITY_NAME = _named("jurisdictionLocalityName")
    JURISDICTION_STATE_OR_PROVINCE_NAME = _named("jurisdictionStateOrProvinceName")
    BUSINESS_CATEGORY = _named("businessCategory")
    POSTAL_ADDRESS = _named("postalAddress")
    POSTAL_CODE = _named("postalCode")
    INN = _named("INN")
    OGRN = _named("OGRN")
    SNILS = _named("SNILS")
    UNSTRUCTURED_NAME = _named("unstructuredName")
    UNSIGNED = _named("id-rdna-unsigned")


class SignatureAlgorithmOID:
    """Identifiers of signature algorithms."""

    RSA_WITH_MD5 = _named("md5WithRSAEncryption")
    RSA_WITH_SHA1 = _named("sha1WithRSAEncryption")
    _RSA_WITH_SHA1 = _named("sha1WithRSA")
    RSA_WITH_SHA224 = _named("sha224WithRSAEncryption")
    RSA_WITH_SHA256 = _named("sha256WithRSAEncryption")
    RSA_WITH_SHA384 = _named("sha384WithRSAEncryption")
    RSA_WITH_SHA512 = _named("sha512WithRSAEncryption")
    RSA_WITH_SHA3_224 = _named("id-rsassa-pkcs1-v1-5-with-sha3-224")
    RSA_WITH_SHA3_256 = _named("id-rsassa-pkcs1-v1-5-with-sha3-256")
    RSA_WITH_SHA3_384 = _named("id-rsassa-pkcs1-v1-5-with-sha3-384")
    RSA_WITH_SHA3_512 = _named("id-rsassa-pkcs1-v1-5-with-sha3-512")
    RSASSA_PSS = _named("id-RSASSA-PSS")
    ECDSA_WITH_SHA1 = _named("ecdsa-with-SHA1")
    ECDSA_WITH_SHA224 = _named("ecdsa-with-SHA224")
    ECDSA_WITH_SHA256 = _named("ecdsa-with-SHA256")
    ECDSA_WITH_SHA384 = _named("ecdsa-with-SHA384")
    ECDSA_WITH_SHA512 = _named("ecdsa-with-SHA512")
    ECDSA_WITH_SHA3_224 = _named("id-ecdsa-with-sha3-224")
    ECDSA_WITH_SHA3_256 = _named("id-ecdsa-with-sha3-256")
    ECDSA_WITH_SHA3_384 = _named("id-ecdsa-with-sha3-384")
    ECDSA_WITH_SHA3_512 = _named("id-ecdsa-with-sha3-512")
    DSA_WITH_SHA1 = _named("id-dsa-with-sha1")
    DSA_WITH_SHA224 = _named("id-dsa-with-sha224")
    DSA_WITH_SHA256 = _named("id-dsa-with-sha256")
    DSA_WITH_SHA384 = _named("id-dsa-with-sha384")
    DSA_WITH_SHA512 = _named("id-dsa-with-sha512")
    ED25519 = _named("id-Ed25519")
    ED448 = _named("id-Ed448")
    ML_DSA_44 = _named("id-ml-dsa-44")
    ML_DSA_65 = _named("id-ml-dsa-65")
    ML_DSA_87 = _named("id-ml-dsa-87")
    GOSTR3411_94_WITH_3410_2001 = _named("id-GostR3411-94-with-GostR3410-2001")
    GOSTR3410_2012_WITH_3411_2012_256 = _named("id-tc26-signwithdigest-gost3410-12-256")
    GOSTR3410_2012_WITH_3411_2012_512 = _named("id-tc26-signwithdigest-gost3410-12-512")
    UNSIGNED = _named("id-alg-unsigned")


class HashAlgorithmOID:
    """Identifiers of hash algorithms."""

    SHA1 = _named("id-sha1")
    SHA224 = _named("id-sha224")
    SHA256 = _named("id-sha256")
    SHA384 = _named("id-sha384")
    SHA512 = _named("id-sha512")
    # Of an arc of a private enterprise; others use those of NIST.
    SHA3_224 = ObjectIdentifier("1.3.6.1.4.1.37476.3.2.1.99.7.224")
    SHA3_256 = ObjectIdentifier("1.3.6.1.4.1.37476.3.2.1.99.7.256")
    SHA3_384 = ObjectIdentifier("1.3.6.1.4.1.37476.3.2.1.99.7.384")
    SHA3_512 = ObjectIdentifier("1.3.6.1.4.1.37476.3.2.1.99.7.512")
    SHA3_224_NIST = _named("id-sha3-224")
    SHA3_256_NIST = _named("id-sha3-256")
    SHA3_384_NIST = _named("id-sha3-384")
    SHA3_512_NIST = _named("id-sha3-512")


class PublicKeyAlgorithmOID:
    """Identifiers of public key algorithms."""

    DSA = _named("id-dsa")
    EC_PUBLIC_KEY = _named("id-ecPublicKey")
    RSAES_PKCS1_v1_5 = _named("rsaEncryption")
    RSASSA_PSS = _named("id-RSASSA-PSS")
    X25519 = _named("id-X25519")
    X448 = _named("id-X448")
    ED25519 = _named("id-Ed25519")
    ED448 = _named("id-Ed448")
    ML_DSA_44 = _named("id-ml-dsa-44")
    ML_DSA_65 = _named("id-ml-dsa-65")
    ML_DSA_87 = _named("id-ml-dsa-87")
    ML_KEM_768 = _named("id-alg-ml-kem-768")
    ML_KEM_1024 = _named("id-alg-ml-kem-1024")


class ExtendedKeyUsageOID:
    """Identifiers of extended key usage purposes."""

    SERVER_AUTH = _named("id-kp-serverAuth")
    CLIENT_AUTH = _named("id-kp-clientAuth")
    CODE_SIGNING = _named("id-kp-codeSigning")
    EMAIL_PROTECTION = _named("id-kp-emailProtection")
    TIME_STAMPING = _named("id-kp-timeStamping")
    OCSP_SIGNING = _named("id-kp-OCSPSigning")
    ANY_EXTENDED_KEY_USAGE = _named("anyExtendedKeyUsage")
    SMARTCARD_LOGON = _named("szOID_KP_SMARTCARD_LOGON")
    KERBEROS_PKINIT_KDC = _named("id-pkinit-KPKdc")
    IPSEC_IKE = _named("id-kp-ipsecIKE")
    BUNDLE_SECURITY = _named("id-kp-bundleSecurity")
    CERTIFICATE_TRANSPARENCY = _named("ctPrecertificateSigning")


class OtherNameFormOID:
    """Identifiers of otherName types."""

    PERMANENT_IDENTIFIER = _named("id-on-permanentIdentifier")
    HW_MODULE_NAME = _named("id-on-hardwareModuleName")
    DNS_SRV = _named("id-on-dnsSRV")
    NAI_REALM = _named("id-on-naiRealm")
    SMTP_UTF8_MAILBOX = _named("id-on-SmtpUTF8Mailbox")
    ACP_NODE_NAME = _named("id-on-AcpNodeName")
    BUNDLE_EID = _named("id-on-bundleEID")


class AuthorityInformationAccessOID:
    """Identifiers of access methods in authority information access."""

    CA_ISSUERS = _named("id-ad-caIssuers")
    OCSP = _named("id-ad-ocsp")


class SubjectInformationAccessOID:
    """Identifiers of access methods in subject information access."""

    CA_REPOSITORY = _named("id-ad-caRepository")


class CertificatePoliciesOID:
    """Identifiers of certificate policies and their qualifiers."""

    CPS_QUALIFIER = _named("id-qt-cps")
    CPS_USER_NOTICE = _named("id-qt-unotice")
    ANY_POLICY = _named("anyPolicy")


class AttributeOID:
    """Identifiers of attributes in requests."""

    CHALLENGE_PASSWORD = _named("challengePassword")
    UNSTRUCTURED_NAME = _named("unstructuredName")

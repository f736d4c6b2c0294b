//! The draft's registries (§9.5 to §9.13): registry values for object identifiers and algorithms with parameters.

use tagwise_codec::Oid;

use crate::oids;

/// A registry of object identifiers.
pub(super) type Registry = &'static [(i128, Oid<'static>)];

/// Attribute types (§9.5). Values of attributes 0 and 22 are IA5Strings, and the others are PrintableString or UTF8String.
pub(super) const ATTRIBUTES: Registry = &[
    (0, oids::EMAIL_ADDRESS),
    (1, oids::COMMON_NAME),
    (2, oids::SURNAME),
    (3, oids::SERIAL_NUMBER),
    (4, oids::COUNTRY_NAME),
    (5, oids::LOCALITY_NAME),
    (6, oids::STATE_OR_PROVINCE_NAME),
    (7, oids::STREET_ADDRESS),
    (8, oids::ORGANIZATION_NAME),
    (9, oids::ORGANIZATIONAL_UNIT_NAME),
    (10, oids::TITLE),
    (11, oids::BUSINESS_CATEGORY),
    (12, oids::POSTAL_CODE),
    (13, oids::GIVEN_NAME),
    (14, oids::INITIALS),
    (15, oids::GENERATION_QUALIFIER),
    (16, oids::DN_QUALIFIER),
    (17, oids::PSEUDONYM),
    (18, oids::ORGANIZATION_IDENTIFIER),
    (19, oids::JURISDICTION_LOCALITY_NAME),
    (20, oids::JURISDICTION_STATE_OR_PROVINCE_NAME),
    (21, oids::JURISDICTION_COUNTRY_NAME),
    (22, oids::DOMAIN_COMPONENT),
    (25, oids::NAME),
    (26, oids::TELEPHONE_NUMBER),
    (27, oids::DMD_NAME),
    (28, oids::USER_ID),
    (29, oids::UNSTRUCTURED_NAME),
    (30, oids::UNSTRUCTURED_ADDRESS),
];

/// Extension types (§9.6).
pub(super) const EXTENSIONS: Registry = &[
    (1, oids::SUBJECT_KEY_IDENTIFIER),
    (2, oids::KEY_USAGE),
    (3, oids::SUBJECT_ALT_NAME),
    (4, oids::BASIC_CONSTRAINTS),
    (5, oids::CRL_DISTRIBUTION_POINTS),
    (6, oids::CERTIFICATE_POLICIES),
    (7, oids::AUTHORITY_KEY_IDENTIFIER),
    (8, oids::EXT_KEY_USAGE),
    (9, oids::AUTHORITY_INFO_ACCESS),
    (10, oids::SIGNED_CERTIFICATE_TIMESTAMP_LIST),
    (24, oids::SUBJECT_DIRECTORY_ATTRIBUTES),
    (25, oids::ISSUER_ALT_NAME),
    (26, oids::NAME_CONSTRAINTS),
    (27, oids::POLICY_MAPPINGS),
    (28, oids::POLICY_CONSTRAINTS),
    (29, oids::FRESHEST_CRL),
    (30, oids::INHIBIT_ANY_POLICY),
    (31, oids::SUBJECT_INFO_ACCESS),
    (32, oids::PE_IP_ADDR_BLOCKS),
    (33, oids::PE_AUTONOMOUS_SYS_IDS),
    (34, oids::PE_IP_ADDR_BLOCKS_V2),
    (35, oids::PE_AUTONOMOUS_SYS_IDS_V2),
    (36, oids::OCSP_NO_CHECK),
    (37, oids::CT_POISON),
    (38, oids::PE_TLS_FEATURE),
];

/// Certificate policies (§9.7).
pub(super) const POLICIES: Registry = &[
    (0, oids::ANY_POLICY),
    (1, oids::CABF_DOMAIN_VALIDATED),
    (2, oids::CABF_ORGANIZATION_VALIDATED),
    (3, oids::CABF_INDIVIDUAL_VALIDATED),
    (4, oids::CABF_EV_GUIDELINES),
    (7, oids::CP_IP_ADDR_AS_NUMBER),
    (8, oids::CP_IP_ADDR_AS_NUMBER_V2),
    (10, oids::RSP_ROLE_CI),
    (11, oids::RSP_ROLE_EUICC),
    (12, oids::RSP_ROLE_EUM),
    (13, oids::RSP_ROLE_DP_TLS),
    (14, oids::RSP_ROLE_DP_AUTH),
    (15, oids::RSP_ROLE_DP_PB),
    (16, oids::RSP_ROLE_DS_TLS),
    (17, oids::RSP_ROLE_DS_AUTH),
];

/// Policy qualifiers (§9.8).
pub(super) const QUALIFIERS: Registry = &[(1, oids::QT_CPS), (2, oids::QT_UNOTICE)];

/// Access methods for information access (§9.9).
pub(super) const ACCESSES: Registry = &[
    (1, oids::AD_OCSP),
    (2, oids::AD_CA_ISSUERS),
    (3, oids::AD_TIME_STAMPING),
    (5, oids::AD_CA_REPOSITORY),
    (10, oids::AD_RPKI_MANIFEST),
    (11, oids::AD_SIGNED_OBJECT),
    (13, oids::AD_RPKI_NOTIFY),
];

/// Extended key usage purposes (§9.10).
pub(super) const PURPOSES: Registry = &[
    (0, oids::ANY_EXTENDED_KEY_USAGE),
    (1, oids::KP_SERVER_AUTH),
    (2, oids::KP_CLIENT_AUTH),
    (3, oids::KP_CODE_SIGNING),
    (4, oids::KP_EMAIL_PROTECTION),
    (8, oids::KP_TIME_STAMPING),
    (9, oids::KP_OCSP_SIGNING),
    (10, oids::PKINIT_KP_CLIENT_AUTH),
    (11, oids::PKINIT_KP_KDC),
    (12, oids::KP_SECURE_SHELL_CLIENT),
    (13, oids::KP_SECURE_SHELL_SERVER),
    (14, oids::KP_BUNDLE_SECURITY),
    (15, oids::KP_CMC_CA),
    (16, oids::KP_CMC_RA),
    (17, oids::KP_CMC_ARCHIVE),
    (18, oids::KP_CM_KGA),
    (19, oids::CT_PRECERTIFICATE_SIGNING),
];

/// Returns the registry value of an object identifier, given its content bytes.
pub(super) fn number(registry: Registry, oid: &[u8]) -> Option<i128> {
    registry.iter().find(|(_, known)| known.as_bytes() == oid).map(|(number, _)| *number)
}

/// Returns the content bytes of the object identifier with a registry value.
pub(super) fn identifier(registry: Registry, number: i128) -> Option<&'static [u8]> {
    registry.iter().find(|(known, _)| *known == number).map(|(_, oid)| oid.as_bytes())
}

/// An algorithm with parameters: its registry value, object identifier, and the DER of its parameters, which is empty if
/// there are none.
pub(super) type Algorithms = &'static [(i128, Oid<'static>, &'static [u8])];

const NULL: &[u8] = &[0x05, 0x00];

/// The RSASSA-PSS parameters with one SHA-2 hash for all purposes.
macro_rules! pss {
    ($hash:literal, $salt:literal) => {
        &[
            0x30, 0x34, 0xA0, 0x0F, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, $hash,
            0x05, 0x00, 0xA1, 0x1C, 0x30, 0x1A, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x08, 0x30,
            0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, $hash, 0x05, 0x00, 0xA2, 0x03, 0x02,
            0x01, $salt,
        ]
    };
}

/// Signature algorithms (§9.12). The DER that the draft prints for RSA with SHA-2 contains a wrong length.
pub(super) const SIGNATURES: Algorithms = &[
    (-256, oids::SHA1_WITH_RSA_ENCRYPTION, NULL),
    (-255, oids::ECDSA_WITH_SHA1, &[]),
    (0, oids::ECDSA_WITH_SHA256, &[]),
    (1, oids::ECDSA_WITH_SHA384, &[]),
    (2, oids::ECDSA_WITH_SHA512, &[]),
    (3, oids::ECDSA_WITH_SHAKE128, &[]),
    (4, oids::ECDSA_WITH_SHAKE256, &[]),
    (12, oids::ED25519, &[]),
    (13, oids::ED448, &[]),
    (14, oids::ALG_ECDH_POP_STATIC_SHA256_HMAC_SHA256, &[]),
    (15, oids::ALG_ECDH_POP_STATIC_SHA384_HMAC_SHA384, &[]),
    (16, oids::ALG_ECDH_POP_STATIC_SHA512_HMAC_SHA512, &[]),
    (23, oids::SHA256_WITH_RSA_ENCRYPTION, NULL),
    (24, oids::SHA384_WITH_RSA_ENCRYPTION, NULL),
    (25, oids::SHA512_WITH_RSA_ENCRYPTION, NULL),
    (26, oids::RSASSA_PSS, pss!(1, 0x20)),
    (27, oids::RSASSA_PSS, pss!(2, 0x30)),
    (28, oids::RSASSA_PSS, pss!(3, 0x40)),
    (29, oids::RSASSA_PSS_SHAKE128, &[]),
    (30, oids::RSASSA_PSS_SHAKE256, &[]),
    (45, oids::SM2_WITH_SM3, &[]),
];

/// Returns whether an algorithm's signatures consist of two integers (§3.2.2).
pub(super) const fn is_ecdsa(number: i128) -> bool {
    matches!(number, -255 | 0..=4 | 45)
}

const EC: Oid<'static> = oids::EC_PUBLIC_KEY;

/// Public key algorithms (§9.13).
pub(super) const KEYS: Algorithms = &[
    (0, oids::RSA_ENCRYPTION, NULL),
    (1, EC, &[0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]),
    (2, EC, &[0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]),
    (3, EC, &[0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]),
    (8, oids::X25519, &[]),
    (9, oids::X448, &[]),
    (10, oids::ED25519, &[]),
    (11, oids::ED448, &[]),
    (24, EC, &[0x06, 0x09, 0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x07]),
    (25, EC, &[0x06, 0x09, 0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0B]),
    (26, EC, &[0x06, 0x09, 0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0D]),
    (27, EC, &[0x06, 0x0A, 0x2A, 0x81, 0x7A, 0x01, 0x81, 0x5F, 0x65, 0x82, 0x00, 0x01]),
    (28, EC, &[0x06, 0x08, 0x2A, 0x81, 0x1C, 0xCF, 0x55, 0x01, 0x82, 0x2D]),
];

/// The registry value of RSA keys (§3.2.1).
pub(super) const RSA: i128 = 0;

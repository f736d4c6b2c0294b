//! The definitions of the lints.

use core::cmp::Ordering;
use core::fmt;

use tagwise_codec::Oid;

/// The severity of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A violation of a recommendation, or of a requirement with exceptions that cannot be detected from a single certificate
    /// or CRL.
    Warning,
    /// A violation of a requirement.
    Error,
}

impl Severity {
    /// Returns the name of the severity: `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The objects that a lint applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Certificates.
    Certificate,
    /// CRLs and their entries.
    Crl,
    /// Certificates and CRLs.
    Both,
}

/// A checked requirement.
#[derive(Debug)]
pub struct Lint {
    /// The lint's index in [`ALL`].
    pub(super) index: u8,
    /// The lint's stable identifier, such as `rfc5280.4.2.1.9.not_critical`.
    pub id: &'static str,
    /// The clause of the requirement, such as `RFC 5280 §4.2.1.9`.
    pub clause: &'static str,
    /// The severity of a violation.
    pub severity: Severity,
    /// The objects that the lint applies to.
    pub scope: Scope,
    /// A short title for findings.
    pub title: &'static str,
    /// The requirement, and advice on violations.
    pub about: &'static str,
}

/// Lints are equal if their identifiers are.
impl PartialEq for Lint {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for Lint {}

impl PartialOrd for Lint {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Lints are in the order of [`ALL`], which follows the standard.
impl Ord for Lint {
    fn cmp(&self, other: &Self) -> Ordering {
        self.index.cmp(&other.index)
    }
}

/// Returns the lint with the given identifier.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Lint> {
    ALL.iter().copied().find(|lint| lint.id == id)
}

/// The first part of an identifier. `BR` stands for the CA/Browser Forum's Baseline Requirements for TLS server certificates.
macro_rules! prefix {
    (BR) => {
        "br"
    };
    ($rfc:tt) => {
        concat!("rfc", $rfc)
    };
}

/// The name of a standard in clauses.
macro_rules! standard {
    (BR) => {
        "CA/Browser Forum BR"
    };
    ($rfc:tt) => {
        concat!("RFC ", $rfc)
    };
}

macro_rules! lints {
    ($($ident:ident = $standard:tt $section:literal $name:literal, $severity:ident, $scope:ident, $title:literal, $about:literal
        $(, $oid:ident must be $critical:ident)?;)*) => {
        /// The position of each lint in the list.
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names of the constants")]
        enum LintIndex {
            $($ident),*
        }

        $(pub(super) static $ident: Lint = Lint {
            index: LintIndex::$ident as u8,
            id: concat!(prefix!($standard), ".", $section, ".", $name),
            clause: concat!(standard!($standard), " §", $section),
            severity: Severity::$severity,
            scope: Scope::$scope,
            title: $title,
            about: $about,
        };)*

        /// All lints: those of RFC 5280 in the order of its sections, then those of other standards.
        pub static ALL: &[&Lint] = &[$(&$ident),*];

        /// The criticality that each extension's standard requires: the extension, whether it is critical, and the lint.
        pub(super) static CRITICALITY: &[(Oid<'static>, bool, &Lint)] =
            &[$($((tagwise_x509::oids::$oid, is_critical!($critical), &$ident),)?)*];
    };
}

/// Converts a row's criticality to a Boolean: true if the extension must be critical.
macro_rules! is_critical {
    (critical) => {
        true
    };
    (not_critical) => {
        false
    };
}

lints! {
    VERSION_ABOVE_CONTENT = "5280" "4.1.2.1" "version_above_content", Warning, Certificate,
        "the version is higher than the content needs",
        "A certificate without extensions should be of version 1, or of version 2 if it has unique identifiers.";
    ZERO_SERIAL = "5280" "4.1.2.2" "zero_serial", Error, Certificate,
        "the serial number is zero",
        "Serial numbers must be positive. A CA that conforms to the standard never issues the serial number zero.";
    EMPTY_ISSUER = "5280" "4.1.2.4" "empty_issuer", Error, Certificate,
        "the issuer is empty",
        "The issuer must be a distinguished name with at least one attribute; certificates are chained by it.";
    ISSUER_STRING_TYPE = "5280" "4.1.2.4" "directory_string_type", Warning, Certificate,
        "a string in the issuer is neither PrintableString nor UTF8String",
        "CAs encode DirectoryStrings as PrintableString or UTF8String, unless the name was already in use with another type, \
         which a single certificate does not show.";
    NO_VALIDITY = "5280" "4.1.2.5" "no_validity", Warning, Certificate,
        "notAfter is before notBefore",
        "The validity runs from notBefore through notAfter. This certificate is never valid.";
    CA_WITHOUT_SUBJECT = "5280" "4.1.2.6" "ca_without_subject", Error, Certificate,
        "a CA has an empty subject",
        "The subject of a CA is the issuer of the certificates that it signs, and therefore must not be empty.";
    CRL_ISSUER_WITHOUT_SUBJECT = "5280" "4.1.2.6" "crl_issuer_without_subject", Error, Certificate,
        "a CRL issuer has an empty subject",
        "A CRL issuer must have a non-empty subject name, because its CRLs contain that name as their issuer.";
    SUBJECT_STRING_TYPE = "5280" "4.1.2.6" "directory_string_type", Warning, Certificate,
        "a string in the subject is neither PrintableString nor UTF8String",
        "CAs encode DirectoryStrings as PrintableString or UTF8String, unless the name was already in use with another type, \
         which a single certificate does not show.";
    EMAIL_ONLY_IN_SUBJECT = "5280" "4.1.2.6" "email_only_in_subject", Error, Certificate,
        "an email address is only in the subject",
        "Email addresses belong in the subject alternative name, as rfc822Name. An emailAddress in the subject may be added, but does not replace it.";
    UNIQUE_IDENTIFIER = "5280" "4.1.2.8" "unique_identifier", Error, Certificate,
        "a unique identifier is present",
        "CAs must not generate certificates with issuerUniqueID or subjectUniqueID; names must not be reused for other entities.";
    CERTIFICATE_EXTENSION_VALUE = "5280" "4.2" "extension_value", Error, Certificate,
        "the value of an extension does not match its identifier",
        "An extension's value must be the DER encoding of the type that its OID identifies. Certificate users that recognize a critical extension but cannot process it reject the certificate.";
    UNKNOWN_CRITICAL_EXTENSION = "5280" "4.2" "unknown_critical_extension", Warning, Certificate,
        "an uncommon extension is critical",
        "Certificate users reject certificates with an unknown critical extension. This may be intended.";
    NO_AUTHORITY_KEY_IDENTIFIER = "5280" "4.2.1.1" "no_key_identifier", Error, Certificate,
        "the issuer's key is not identified",
        "All certificates except self-signed ones must have an authority key identifier with a keyIdentifier, so that paths can be \
         built if an issuer has several keys.";
    AUTHORITY_KEY_IDENTIFIER_CRITICAL = "5280" "4.2.1.1" "critical", Error, Certificate,
        "the authority key identifier is critical",
        "This extension only helps to build paths: CAs must mark it as non-critical.";
    CA_WITHOUT_KEY_IDENTIFIER = "5280" "4.2.1.2" "ca_without_key_identifier", Error, Certificate,
        "a CA certificate has no subject key identifier",
        "CA certificates must identify their key, because issued certificates refer to it.";
    END_ENTITY_WITHOUT_KEY_IDENTIFIER = "5280" "4.2.1.2" "end_entity_without_key_identifier", Warning, Certificate,
        "an end-entity certificate has no subject key identifier",
        "End-entity certificates should identify their key, so that those with the same key can be found. Certificates of versions 1 and \
         2 do not say whether they are end-entity certificates.";
    SUBJECT_KEY_IDENTIFIER_CRITICAL = "5280" "4.2.1.2" "critical", Error, Certificate,
        "the subject key identifier is critical",
        "This extension only helps to build paths: CAs must mark it as non-critical.";
    CA_WITHOUT_KEY_USAGE = "5280" "4.2.1.3" "ca_without_key_usage", Error, Certificate,
        "a CA certificate has no key usage",
        "A certificate whose key verifies certificates or CRLs must have a key usage with the corresponding bits.";
    KEY_USAGE_NOT_CRITICAL = "5280" "4.2.1.3" "not_critical", Warning, Certificate,
        "the key usage is not critical",
        "CAs should mark the key usage as critical, so that certificate users that do not support it do not use the key.";
    KEY_USAGE_EMPTY = "5280" "4.2.1.3" "no_bits", Error, Certificate,
        "the key usage has no bits",
        "If the extension is present, at least one bit must be set.";
    KEY_USAGE_UNDEFINED = "5280" "4.2.1.3" "undefined_bits", Warning, Certificate,
        "the key usage has undefined bits",
        "Only bits 0 to 8 are defined; the meaning of other bits is unknown to certificate users.";
    KEY_CERT_SIGN_WITHOUT_CA = "5280" "4.2.1.3" "key_cert_sign_without_ca", Error, Certificate,
        "keyCertSign is set, but the subject is not a CA",
        "Only the key of a CA verifies certificates: keyCertSign requires cA in the basic constraints (also §4.2.1.9).";
    ONLY_WITHOUT_KEY_AGREEMENT = "5280" "4.2.1.3" "only_without_key_agreement", Warning, Certificate,
        "encipherOnly or decipherOnly is set without keyAgreement",
        "Both bits restrict keyAgreement; without it, they have no meaning.";
    DUPLICATE_POLICY = "5280" "4.2.1.4" "duplicate_policy", Error, Certificate,
        "a policy is listed twice",
        "Each policy must appear only once in the certificate policies.";
    ANY_POLICY_QUALIFIER = "5280" "4.2.1.4" "any_policy_qualifier", Error, Certificate,
        "anyPolicy has a nonstandard qualifier",
        "anyPolicy must only have the qualifiers that the standard defines: CPS pointers and user notices.";
    UNKNOWN_QUALIFIER = "5280" "4.2.1.4" "unknown_qualifier", Warning, Certificate,
        "a policy has a nonstandard qualifier",
        "Qualifiers should be CPS pointers or user notices; the 1988 ASN.1 module defines no others.";
    NOTICE_REFERENCE = "5280" "4.2.1.4" "notice_reference", Warning, Certificate,
        "a user notice refers to text elsewhere",
        "CAs should not use noticeRef: the texts that it refers to are rarely available.";
    NOTICE_LENGTH = "5280" "4.2.1.4" "explicit_text_length", Error, Certificate,
        "a user notice text exceeds 200 characters",
        "explicitText must have at most 200 characters; certificate users should nevertheless accept longer texts.";
    NOTICE_CONTROL_CHARACTER = "5280" "4.2.1.4" "control_character", Warning, Certificate,
        "a user notice text contains a control character",
        "explicitText should not contain control characters (U+0000 to U+001F and U+007F to U+009F), because it is shown to users.";
    NOTICE_NOT_NORMALIZED = "5280" "4.2.1.4" "not_normalized", Warning, Certificate,
        "a user notice text is not in normalization form C",
        "explicitText in UTF-8 should be normalized (NFC), so that the same text has the same bytes.";
    NOTICE_IA5 = "6818" "3" "explicit_text_ia5", Error, Certificate,
        "a user notice text is an IA5String",
        "RFC 6818 updates RFC 5280 §4.2.1.4: explicitText must be UTF8String, VisibleString or BMPString, and not IA5String.";
    NOTICE_NOT_UTF8 = "6818" "3" "explicit_text_not_utf8", Warning, Certificate,
        "a user notice text is not a UTF8String",
        "CAs should encode explicitText as UTF8String; VisibleString and BMPString are acceptable, but less preferred.";
    ANY_POLICY_MAPPED = "5280" "4.2.1.5" "any_policy", Error, Certificate,
        "anyPolicy is mapped",
        "Policies must not be mapped to or from anyPolicy.";
    MAPPED_POLICY_NOT_ASSERTED = "5280" "4.2.1.5" "policy_not_asserted", Warning, Certificate,
        "the certificate does not assert a mapped policy",
        "Each issuerDomainPolicy should be among the certificate policies of the same certificate.";
    POLICY_MAPPINGS_NOT_CRITICAL = "5280" "4.2.1.5" "not_critical", Warning, Certificate,
        "the policy mappings are not critical",
        "CAs should mark this extension as critical.";
    NO_SUBJECT = "5280" "4.2.1.6" "no_subject", Error, Certificate,
        "both the subject and the subject alternative name are missing",
        "If the subject is empty, a critical subject alternative name must identify the holder of the key.";
    ALT_NAME_NOT_CRITICAL = "5280" "4.2.1.6" "not_critical", Error, Certificate,
        "the subject is empty, but the subject alternative name is not critical",
        "If the subject is empty, the subject alternative name must be critical (also §4.1.2.6).";
    ALT_NAME_CRITICAL = "5280" "4.2.1.6" "critical", Warning, Certificate,
        "the subject is not empty, but the subject alternative name is critical",
        "If there is a subject, CAs should mark the subject alternative name as non-critical.";
    EMPTY_ALT_NAME = "5280" "4.2.1.6" "empty_name", Error, Certificate,
        "a subject alternative name is empty",
        "No GeneralName in the subject alternative name may be empty, although the syntax would allow that.";
    RFC822_NAME = "5280" "4.2.1.6" "rfc822_name", Error, Certificate,
        "an rfc822Name is not a mailbox",
        "An email address must be a Mailbox of RFC 2821 §4.1.2, local-part@domain: no phrase before it, no comment after it, no angle brackets.";
    DNS_NAME = "5280" "4.2.1.6" "dns_name", Error, Certificate,
        "a dNSName is not in the preferred name syntax",
        "A domain name must have labels of letters, digits and hyphens, joined by dots, and at most 253 bytes. No label is longer than 63 bytes, or has a hyphen at an end (RFC 1034 §3.5, RFC 1123 §2.1). A leading wildcard label is not checked, because the standard does not address it.";
    DNS_NAME_ADDRESS = "5280" "4.2.1.6" "dns_name_address", Error, Certificate,
        "a dNSName is an IP address, or ends in a number",
        "The last label of a host name must be alphabetic (RFC 1123 §2.1). An IP address belongs in an iPAddress: clients do not look for it in a dNSName (RFC 9525 §6.3).";
    BLANK_DNS_NAME = "5280" "4.2.1.6" "blank_dns_name", Error, Certificate,
        "a dNSName is a space",
        "A dNSName must not be a single space, although that is a legal domain name.";
    URI = "5280" "4.2.1.6" "uri", Error, Certificate,
        "a uniformResourceIdentifier is not an absolute URI",
        "A URI must be absolute: a scheme and a non-empty rest, in the syntax and encoding of RFC 3986.";
    URI_HOST = "5280" "4.2.1.6" "uri_host", Error, Certificate,
        "the host of a URI is neither a fully qualified domain name nor an IP address",
        "If a URI has an authority (RFC 3986 §3.2), its host must be a fully qualified domain name or an IP address.";
    ALT_NAME_STRING_TYPE = "5280" "4.2.1.6" "directory_string_type", Warning, Certificate,
        "a string of a directoryName is neither PrintableString nor UTF8String",
        "Directory names in the subject alternative name must be encoded like the issuer (§4.1.2.4), with the same exceptions.";
    ISSUER_ALT_NAME = "5280" "4.2.1.7" "name", Error, Both,
        "malformed issuer alternative name",
        "The issuer's names must follow the rules for the subject's (§4.2.1.6): none is empty, and email addresses, domain names and URIs are well-formed.";
    ISSUER_ALT_NAME_CRITICAL = "5280" "4.2.1.7" "critical", Warning, Certificate,
        "the issuer alternative name is critical",
        "CAs should mark this extension as non-critical.";
    DIRECTORY_ATTRIBUTES_CRITICAL = "5280" "4.2.1.8" "critical", Error, Certificate,
        "the subject directory attributes are critical",
        "CAs must mark this extension as non-critical.";
    BASIC_CONSTRAINTS_NOT_CRITICAL = "5280" "4.2.1.9" "not_critical", Error, Certificate,
        "the basic constraints of a CA are not critical",
        "In certificates of CAs whose key verifies certificates, the basic constraints must be critical.";
    PATH_LEN_WITHOUT_CA = "5280" "4.2.1.9" "path_len_without_ca", Error, Certificate,
        "the certificate has a pathLenConstraint, but the subject is not a CA",
        "Only CA certificates may have a path length.";
    PATH_LEN_WITHOUT_KEY_CERT_SIGN = "5280" "4.2.1.9" "path_len_without_key_cert_sign", Error, Certificate,
        "the certificate has a pathLenConstraint, but the key usage does not include keyCertSign",
        "A pathLenConstraint requires keyCertSign in the key usage.";
    NAME_CONSTRAINTS_NOT_CA = "5280" "4.2.1.10" "not_ca", Error, Certificate,
        "the certificate has name constraints, but the subject is not a CA",
        "Name constraints apply to the certificates that a CA issues, and must be used only in CA certificates.";
    NAME_CONSTRAINTS_NOT_CRITICAL = "5280" "4.2.1.10" "not_critical", Error, Certificate,
        "the name constraints are not critical",
        "CAs must mark this extension as critical, so that certificate users that do not support it do not treat the names as unconstrained.";
    NAME_CONSTRAINTS_EMPTY = "5280" "4.2.1.10" "empty", Error, Certificate,
        "the name constraints are empty",
        "There must be permitted or excluded subtrees, or both.";
    SUBTREE_MINIMUM = "5280" "4.2.1.10" "minimum", Error, Certificate,
        "a subtree has a minimum",
        "The minimum must be 0. Because that is the default, it must be omitted.";
    SUBTREE_MAXIMUM = "5280" "4.2.1.10" "maximum", Error, Certificate,
        "a subtree has a maximum",
        "The maximum must be absent.";
    SUBTREE_FORM = "5280" "4.2.1.10" "unsupported_form", Warning, Certificate,
        "a name constraint uses an uncommon name form",
        "CAs should not constrain x400Address, ediPartyName or registeredID, which applications need not support.";
    SUBTREE_URI_HOST = "5280" "4.2.1.10" "uri_host", Error, Certificate,
        "a constraint on URIs is not a domain name",
        "The constraint must be the fully qualified domain name of a host, or a domain name with a leading period, but not a URI or an address.";
    SUBTREE_IP_MASK = "5280" "4.2.1.10" "ip_mask", Error, Certificate,
        "the mask of an address range is not a prefix",
        "Address ranges must be encoded in the style of RFC 4632: the mask is one bits followed by zero bits.";
    SUBTREE_IP_HOST_BITS = "5280" "4.2.1.10" "ip_host_bits", Warning, Certificate,
        "an address range has bits outside its mask",
        "In the style of RFC 4632, the address bits outside the mask are zero. Some implementations reject other values.";
    SUBTREE_NAME_FORM = "5280" "4.2.1.10" "name_form", Warning, Certificate,
        "a constraint in a nonstandard form",
        "Constraints on dNSName are domain names without a leading period; those on rfc822Name are mailboxes, hosts, or domains with a leading period. Implementations interpret other forms differently.";
    POLICY_CONSTRAINTS_EMPTY = "5280" "4.2.1.11" "empty", Error, Certificate,
        "the policy constraints are empty",
        "There must be requireExplicitPolicy or inhibitPolicyMapping, or both.";
    POLICY_CONSTRAINTS_NOT_CRITICAL = "5280" "4.2.1.11" "not_critical", Error, Certificate,
        "the policy constraints are not critical",
        "CAs must mark this extension as critical.";
    ANY_PURPOSE_CRITICAL = "5280" "4.2.1.12" "any_purpose_critical", Warning, Certificate,
        "the extended key usage is critical and has anyExtendedKeyUsage",
        "CAs should not mark this extension as critical if any purpose is allowed.";
    NO_CONSISTENT_PURPOSE = "5280" "4.2.1.12" "no_consistent_purpose", Warning, Certificate,
        "the extended key usage and the key usage have no purpose in common",
        "A certificate is used only for purposes that both extensions allow. The key usage has none of the bits that the \
         standard lists for these purposes.";
    POINT_WITHOUT_NAME = "5280" "4.2.1.13" "only_reasons", Error, Both,
        "a distribution point has neither a location nor a CRL issuer",
        "There must be a distributionPoint or a cRLIssuer; reasons alone do not locate a CRL.";
    POINT_REASONS_UNDEFINED = "5280" "4.2.1.13" "undefined_reasons", Warning, Both,
        "the reasons of a distribution point have undefined bits",
        "ReasonFlags has bits 0 to 8, and bit 0 is unused: no other bit is a reason.";
    POINT_NAMES_ISSUER = "5280" "4.2.1.13" "crl_issuer_is_issuer", Error, Certificate,
        "a distribution point names the issuer of the certificate as the CRL issuer",
        "If the issuer of the certificate issues the CRL, cRLIssuer must be omitted.";
    CRL_ISSUER_FORM = "5280" "4.2.1.13" "crl_issuer_form", Error, Certificate,
        "a cRLIssuer contains a name other than a distinguished name",
        "cRLIssuer must contain only the distinguished name from the CRL's issuer field.";
    RELATIVE_TO_SEVERAL = "5280" "4.2.1.13" "relative_to_several", Error, Certificate,
        "a distribution point is relative to one of several CRL issuers",
        "nameRelativeToCRLIssuer must not be used if cRLIssuer has more than one distinguished name.";
    RELATIVE_NAME = "5280" "4.2.1.13" "relative_name", Warning, Both,
        "a distribution point is named relative to the CRL issuer",
        "CAs should not use nameRelativeToCRLIssuer.";
    POINT_LDAP_URI = "5280" "4.2.1.13" "ldap_uri", Error, Both,
        "an LDAP URI of a distribution point has no entry or attribute",
        "The URI must name the entry that holds the CRL, and one attribute description (RFC 4516).";
    POINT_WITHOUT_URI = "5280" "4.2.1.13" "no_http_or_ldap", Warning, Certificate,
        "a distribution point has no HTTP or LDAP URI",
        "At least one name of a distribution point should be an HTTP or LDAP URI, so that the CRL can be fetched.";
    NO_POINT_FOR_ALL_REASONS = "5280" "4.2.1.13" "no_point_for_all_reasons", Error, Certificate,
        "no distribution point covers all reasons",
        "At least one distribution point must lead to a CRL that covers the certificate for every reason.";
    POINTS_CRITICAL = "5280" "4.2.1.13" "critical", Warning, Certificate,
        "the CRL distribution points are critical",
        "This extension should be non-critical.";
    INHIBIT_ANY_POLICY_NOT_CRITICAL = "5280" "4.2.1.14" "not_critical", Error, Certificate,
        "inhibitAnyPolicy is not critical",
        "CAs must mark this extension as critical.";
    FRESHEST_CRL_CRITICAL = "5280" "4.2.1.15" "critical", Error, Certificate,
        "the freshest CRL extension is critical",
        "CAs must mark this extension as non-critical.";
    AUTHORITY_ACCESS_CRITICAL = "5280" "4.2.2.1" "critical", Error, Certificate,
        "the authority information access is critical",
        "CAs must mark this extension as non-critical.";
    AUTHORITY_ACCESS_LDAP_URI = "5280" "4.2.2.1" "ldap_uri", Error, Certificate,
        "an LDAP URI of the authority information access has no entry or attributes",
        "The URI must name the entry that holds the certificates, and attribute descriptions (RFC 4516).";
    AUTHORITY_ACCESS_WITHOUT_URI = "5280" "4.2.2.1" "no_http_or_ldap", Warning, Certificate,
        "no caIssuers location is an HTTP or LDAP URI",
        "At least one location should be an HTTP or LDAP URI, so that the certificates can be fetched.";
    SUBJECT_ACCESS_CRITICAL = "5280" "4.2.2.2" "critical", Error, Certificate,
        "the subject information access is critical",
        "CAs must mark this extension as non-critical.";
    SUBJECT_ACCESS_LDAP_URI = "5280" "4.2.2.2" "ldap_uri", Error, Certificate,
        "an LDAP URI of the subject information access has no entry or attributes",
        "The URI must name the entry that holds the certificates, and attribute descriptions (RFC 4516).";
    SUBJECT_ACCESS_WITHOUT_URI = "5280" "4.2.2.2" "no_http_or_ldap", Warning, Certificate,
        "no caRepository location is an HTTP or LDAP URI",
        "At least one location should be an HTTP or LDAP URI, so that the certificates can be fetched.";
    TIME_STAMPING_MAIL = "5280" "4.2.2.2" "time_stamping_mail", Error, Certificate,
        "the location of a time-stamping service by mail is a URI",
        "The location of a time-stamping service by email must be an rfc822Name.";
    CRL_VERSION_1 = "5280" "5.1.2.1" "version_1", Error, Crl,
        "the CRL is of version 1",
        "CRLs must be version 2, because they must contain extensions (see also §5).";
    EMPTY_CRL_ISSUER = "5280" "5.1.2.3" "empty_issuer", Error, Crl,
        "the CRL's issuer is empty",
        "The issuer must be a distinguished name with at least one attribute.";
    CRL_ISSUER_STRING_TYPE = "5280" "5.1.2.3" "directory_string_type", Warning, Crl,
        "a string in the issuer is neither PrintableString nor UTF8String",
        "The issuer of a CRL must be encoded like that of a certificate (§4.1.2.4), with the same exceptions.";
    NO_NEXT_UPDATE = "5280" "5.1.2.5" "no_next_update", Error, Crl,
        "the CRL has no nextUpdate",
        "CRLs must have nextUpdate, although the syntax makes it optional.";
    NEXT_UPDATE_BEFORE_THIS = "5280" "5.1.2.5" "before_this_update", Warning, Crl,
        "nextUpdate is before thisUpdate",
        "nextUpdate must not be earlier than thisUpdate. This CRL was already out of date when it was issued.";
    EMPTY_CRL_LIST = "5280" "5.1.2.6" "empty_list", Error, Crl,
        "the list of revoked certificates is present but empty",
        "If no certificate is revoked, the list must be absent.";
    CRL_EXTENSION_VALUE = "5280" "5.2" "extension_value", Error, Crl,
        "the value of an extension does not match its identifier",
        "An extension's value must be the DER encoding of the type that its OID identifies. A CRL with a critical extension that cannot be processed must not be used to determine the status of certificates.";
    UNKNOWN_CRITICAL_CRL_EXTENSION = "5280" "5.2" "unknown_critical_extension", Warning, Crl,
        "an uncommon extension is critical",
        "Certificate users must not rely on a CRL with an unknown critical extension. This may be intended.";
    CRL_WITHOUT_KEY_IDENTIFIER = "5280" "5.2.1" "no_key_identifier", Error, Crl,
        "the CRL issuer's key is not identified",
        "All CRLs must have an authority key identifier with a keyIdentifier (also §5, §5.2).";
    CRL_ISSUER_ALT_NAME_CRITICAL = "5280" "5.2.2" "critical", Warning, Crl,
        "the issuer alternative name is critical",
        "CRL issuers should mark this extension as non-critical.";
    NO_CRL_NUMBER = "5280" "5.2.3" "no_crl_number", Error, Crl,
        "the CRL has no number",
        "All CRLs must have a CRL number (also §5, §5.2).";
    CRL_NUMBER_CRITICAL = "5280" "5.2.3" "critical", Error, Crl,
        "the CRL number is critical",
        "CRL issuers must mark this extension as non-critical.";
    LONG_CRL_NUMBER = "5280" "5.2.3" "long_number", Error, Crl,
        "a CRL number has more than 20 bytes",
        "Certificate users are not required to support longer ones.";
    DELTA_NOT_CRITICAL = "5280" "5.2.4" "not_critical", Error, Crl,
        "the delta CRL indicator is not critical",
        "Certificate users that do not support the extension would treat a delta CRL as complete.";
    BASE_AFTER_DELTA = "5280" "5.2.4" "base_after_delta", Error, Crl,
        "a delta CRL has a lower number than its base",
        "Delta CRLs and complete CRLs share one increasing sequence of numbers (§5.2.3), and the base comes first.";
    ISSUING_POINT_NOT_CRITICAL = "5280" "5.2.5" "not_critical", Error, Crl,
        "the issuing distribution point is not critical",
        "Certificate users that do not support the extension would mistake the partial list for the complete one.";
    ISSUING_POINT_EMPTY = "5280" "5.2.5" "empty", Error, Crl,
        "the issuing distribution point is empty",
        "It must not be an empty sequence: a distributionPoint, onlySomeReasons, or a flag that is TRUE must be present.";
    ISSUING_POINT_REASONS_UNDEFINED = "5280" "5.2.5" "undefined_reasons", Warning, Crl,
        "onlySomeReasons has undefined bits",
        "ReasonFlags has bits 0 to 8, and bit 0 is unused (§4.2.1.13): no other bit is a reason.";
    ATTRIBUTE_CERTIFICATES_ONLY = "5280" "5.2.5" "attribute_certificates", Error, Crl,
        "the CRL is for attribute certificates",
        "CRL issuers must set onlyContainsAttributeCerts to FALSE.";
    NOT_INDIRECT = "5280" "5.2.5" "not_indirect", Error, Crl,
        "an entry names its certificate's issuer, but the CRL is not indirect",
        "If a CRL lists certificates of other issuers, indirectCRL must be TRUE (also §5.3.3).";
    UNSPECIFIED_IN_SCOPE = "5280" "5.2.5" "unspecified_reason", Error, Crl,
        "an entry has no specified reason, but the CRL covers only some reasons",
        "If onlySomeReasons is present, every revoked certificate in scope must have a reason other than unspecified.";
    REASON_OUT_OF_SCOPE = "5280" "5.2.5" "reason_out_of_scope", Error, Crl,
        "an entry has a reason that is not among onlySomeReasons",
        "onlySomeReasons lists the reasons that a distribution point covers.";
    CRL_FRESHEST_CRITICAL = "5280" "5.2.6" "critical", Error, Crl,
        "the freshest CRL extension is critical",
        "CRL issuers must mark this extension as non-critical.";
    FRESHEST_IN_DELTA = "5280" "5.2.6" "in_delta_crl", Error, Crl,
        "a delta CRL has a freshest CRL extension",
        "The extension locates delta CRLs for a complete CRL, and must not appear in delta CRLs.";
    FRESHEST_ONLY_POINT = "5280" "5.2.6" "reasons_or_crl_issuer", Error, Crl,
        "a distribution point of the freshest CRL has reasons or a cRLIssuer",
        "In a CRL's freshest CRL extension, reasons and cRLIssuer have no meaning and must be omitted.";
    CRL_ACCESS_CRITICAL = "5280" "5.2.7" "critical", Error, Crl,
        "the authority information access is critical",
        "This extension must be non-critical in CRLs, too.";
    CRL_ACCESS_WITHOUT_ISSUERS = "5280" "5.2.7" "no_ca_issuers", Error, Crl,
        "the authority information access has no caIssuers",
        "In CRLs, the extension locates certificates that verify the CRL: at least one access description must be caIssuers.";
    CRL_ACCESS_METHOD = "5280" "5.2.7" "other_method", Error, Crl,
        "the authority information access has an access method other than caIssuers",
        "In CRLs, caIssuers must be the only access method.";
    CRL_ACCESS_WITHOUT_URI = "5280" "5.2.7" "no_http_or_ldap", Warning, Crl,
        "no caIssuers location is an HTTP or LDAP URI",
        "At least one location should be an HTTP or LDAP URI, so that the certificates can be fetched.";
    CRL_ACCESS_LDAP_URI = "5280" "5.2.7" "ldap_uri", Error, Crl,
        "an LDAP URI of the authority information access has no entry or attributes",
        "The URI must name the entry that holds the certificates, and attribute descriptions (RFC 4516).";
    ENTRY_EXTENSION_VALUE = "5280" "5.3" "extension_value", Error, Crl,
        "the value of an entry's extension does not match its identifier",
        "An extension's value must be the DER encoding of the type that its OID identifies. A CRL with a critical entry extension that cannot be processed must not be used to determine the status of certificates.";
    UNKNOWN_CRITICAL_ENTRY_EXTENSION = "5280" "5.3" "unknown_critical_extension", Warning, Crl,
        "an uncommon entry extension is critical",
        "Certificate users must not rely on a CRL with an unknown critical entry extension. This may be intended.";
    REASON_CRITICAL = "5280" "5.3.1" "critical", Error, Crl,
        "the reasonCode extension of an entry is critical",
        "The reason code must be a non-critical extension.";
    REASON_UNSPECIFIED = "5280" "5.3.1" "unspecified", Warning, Crl,
        "the reasonCode of an entry is unspecified",
        "The extension should be omitted instead of giving the reason unspecified.";
    REMOVE_FROM_COMPLETE = "5280" "5.3.1" "remove_from_complete_crl", Error, Crl,
        "a complete CRL has an entry with the reason removeFromCRL",
        "removeFromCRL must appear only in delta CRLs.";
    INVALIDITY_DATE_CRITICAL = "5280" "5.3.2" "critical", Error, Crl,
        "an entry's invalidity date is critical",
        "The invalidity date must be a non-critical extension.";
    CERTIFICATE_ISSUER_NOT_CRITICAL = "5280" "5.3.3" "not_critical", Error, Crl,
        "an entry's certificate issuer is not critical",
        "Certificate users that do not support the extension would apply the entry to a certificate of another issuer.";
    CERTIFICATE_ISSUER_WITHOUT_NAME = "5280" "5.3.3" "no_directory_name", Error, Crl,
        "an entry's certificate issuer has no distinguished name",
        "It must contain the distinguished name from the certificate's issuer field.";
    ATTRIBUTE_TYPE = "5280" "A.1" "attribute_type", Error, Both,
        "an attribute in a name has the wrong type of value",
        "Appendix A defines each attribute type's syntax: countryName, serialNumber and dnQualifier are PrintableStrings, domainComponent and emailAddress IA5Strings, the others DirectoryStrings.";
    ATTRIBUTE_LENGTH = "5280" "A.1" "attribute_length", Error, Both,
        "an attribute in a name is empty or too long",
        "Appendix A defines an upper bound in characters for each attribute type; the lower bound is one.";
    PROXY_CERT_INFO_NOT_CRITICAL = "3820" "3.8" "not_critical", Error, Certificate,
        "the proxy certificate information is not critical",
        "The extension must be critical, so that certificate users without support for proxy certificates reject them.",
        PE_PROXY_CERT_INFO must be critical;
    POISON_NOT_CRITICAL = "6962" "3.1" "not_critical", Error, Certificate,
        "the poison extension is not critical",
        "The extension must be critical, so that certificate users reject a precertificate.",
        CT_POISON must be critical;
    ACME_IDENTIFIER_NOT_CRITICAL = "8737" "3" "not_critical", Error, Certificate,
        "the ACME identifier is not critical",
        "The extension must be critical, so that certificate users reject a validation certificate for other purposes.",
        PE_ACME_IDENTIFIER must be critical;
    SERVER_VALIDITY = BR "6.3.2" "validity_too_long", Error, Certificate,
        "a TLS server certificate is valid for too long",
        "A TLS server certificate under a policy of the CA/Browser Forum may be valid for 398 days if issued from 2020-09-01, 200 days from 2026-03-15, \
         100 days from 2027-03-15, and 47 days from 2029-03-15. A day has 86,400 seconds, both ends count, and a fraction of a day counts as a day.";
}

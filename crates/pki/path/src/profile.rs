//! Profiles: the engine's rules and limits for each use of certificates, as data.

use tagwise_codec::{Oid, RuleSet as Tolerated};
use tagwise_pkix::{oids, profile};

use crate::rules::{Rule, RuleSet};

/// A key type that a profile allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyKind {
    /// The algorithm, as named by [`KeyInfo`](tagwise_pkix::KeyInfo), such as `RSA`, `EC` or `Ed25519`.
    pub algorithm: &'static str,
    /// The required curve, or `None` for no restriction.
    pub curve: Option<&'static str>,
    /// The minimum key size in bits.
    pub min_bits: u32,
    /// The number of which the key size in bits must be a multiple.
    pub multiple_of: u32,
}

/// Rules and limits for one use of certificates.
///
/// ```
/// use tagwise_path::{Profile, Rule};
/// assert!(Profile::WEBPKI.rules.has(Rule::LeafNotCa) && !Profile::RFC5280.rules.has(Rule::LeafNotCa));
/// assert_eq!(Profile::by_name("webpki").unwrap().name, "webpki");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Profile {
    /// The profile's stable name, such as `webpki`.
    pub name: &'static str,
    /// A one-line description of the profile's use.
    pub about: &'static str,
    /// The rules in force.
    pub rules: RuleSet,
    /// The identifiers of the lints enforced by [`Rule::Conformance`].
    pub lints: &'static [&'static str],
    /// The identifiers of the lints enforced by [`Rule::AnchorExtensions`] on an anchor's certificate.
    pub anchor_lints: &'static [&'static str],
    /// The purposes that the end-entity certificate must allow. All of them are required.
    pub purposes: &'static [Oid<'static>],
    /// The allowed key types, for [`Rule::KeySize`].
    pub keys: &'static [KeyKind],
    /// True if key algorithms not listed in [`Profile::keys`] are allowed.
    pub other_keys: bool,
    /// Key usage bits (`1 << n` for bit `n`). If the end-entity certificate has a key usage, it must contain at least one of
    /// them.
    pub key_usage: u16,
    /// The decoding rules that certificates may violate.
    pub tolerate: Tolerated,
}

const RSA: KeyKind = KeyKind { algorithm: "RSA", curve: None, min_bits: 2048, multiple_of: 8 };

const fn curve(name: &'static str) -> KeyKind {
    KeyKind { algorithm: "EC", curve: Some(name), min_bits: 0, multiple_of: 1 }
}

/// The key types that the CA/Browser Forum's BR §6.1.5 and §6.1.6 allow.
const WEBPKI_KEYS: &[KeyKind] = &[RSA, curve("P-256"), curve("P-384"), curve("P-521")];

/// RSA and EC keys with at least 112 bits of security strength (NIST SP 800-57 part 1 §5.6.1). DSA keys are excluded. The other
/// algorithms (EdDSA, ML-DSA, SLH-DSA, composites) are at least as strong.
pub(crate) const STRONG_KEYS: &[KeyKind] = &[
    KeyKind { multiple_of: 1, ..RSA },
    KeyKind { algorithm: "RSASSA-PSS", multiple_of: 1, ..RSA },
    KeyKind { algorithm: "EC", curve: None, min_bits: 224, multiple_of: 1 },
    KeyKind { algorithm: "DSA", curve: None, min_bits: u32::MAX, multiple_of: 1 },
];

/// RFC 5280 requirements on individual certificates that limbo, PKITS and CAs in use satisfy.
const LINTS: &[&str] = &[
    "rfc5280.4.1.2.2.zero_serial",
    "rfc5280.4.1.2.4.empty_issuer",
    "rfc5280.4.1.2.6.ca_without_subject",
    "rfc5280.4.2.1.1.no_key_identifier",
    "rfc5280.4.2.1.1.critical",
    "rfc5280.4.2.1.2.ca_without_key_identifier",
    "rfc5280.4.2.1.2.critical",
    "rfc5280.4.2.1.3.no_bits",
    "rfc5280.4.2.1.3.key_cert_sign_without_ca",
    "rfc5280.4.2.1.6.no_subject",
    "rfc5280.4.2.1.6.not_critical",
    "rfc5280.4.2.1.6.empty_name",
    "rfc5280.4.2.1.6.rfc822_name",
    "rfc5280.4.2.1.6.dns_name",
    "rfc5280.4.2.1.6.blank_dns_name",
    "rfc5280.4.2.1.6.uri",
    "rfc5280.4.2.1.6.uri_host",
    "rfc5280.4.2.1.9.not_critical",
    "rfc5280.4.2.1.9.path_len_without_ca",
    "rfc5280.4.2.1.9.path_len_without_key_cert_sign",
    "rfc5280.4.2.1.10.not_ca",
    "rfc5280.4.2.1.10.not_critical",
    "rfc5280.4.2.1.10.empty",
    "rfc5280.4.2.1.11.empty",
    "rfc5280.4.2.1.11.not_critical",
    "rfc5280.4.2.1.14.not_critical",
    "rfc5280.4.2.1.15.critical",
    "rfc5280.4.2.2.1.critical",
    "rfc5280.4.2.2.2.critical",
    // Lints for CRLs.
    "rfc5280.5.2.3.no_crl_number",
    "rfc5280.5.2.3.critical",
];

/// [`LINTS`] without the criticality of name constraints, because BR §7.1.2.5.2 allows non-critical ones.
const WEBPKI_LINTS: &[&str] = &[
    "rfc5280.4.1.2.2.zero_serial",
    "rfc5280.4.1.2.4.empty_issuer",
    "rfc5280.4.1.2.6.ca_without_subject",
    "rfc5280.4.2.1.1.no_key_identifier",
    "rfc5280.4.2.1.1.critical",
    "rfc5280.4.2.1.2.ca_without_key_identifier",
    "rfc5280.4.2.1.2.critical",
    "rfc5280.4.2.1.3.no_bits",
    "rfc5280.4.2.1.3.key_cert_sign_without_ca",
    "rfc5280.4.2.1.6.no_subject",
    "rfc5280.4.2.1.6.not_critical",
    "rfc5280.4.2.1.6.empty_name",
    "rfc5280.4.2.1.6.rfc822_name",
    "rfc5280.4.2.1.6.dns_name",
    "rfc5280.4.2.1.6.blank_dns_name",
    "rfc5280.4.2.1.6.uri",
    "rfc5280.4.2.1.6.uri_host",
    "rfc5280.4.2.1.9.not_critical",
    "rfc5280.4.2.1.9.path_len_without_ca",
    "rfc5280.4.2.1.9.path_len_without_key_cert_sign",
    "rfc5280.4.2.1.10.not_ca",
    "rfc5280.4.2.1.10.empty",
    "rfc5280.4.2.1.11.empty",
    "rfc5280.4.2.1.11.not_critical",
    "rfc5280.4.2.1.14.not_critical",
    "rfc5280.4.2.1.15.critical",
    "rfc5280.4.2.2.1.critical",
    "rfc5280.4.2.2.2.critical",
    "rfc5280.5.2.3.no_crl_number",
    "rfc5280.5.2.3.critical",
];

/// Requirements of limbo and RFC 5280 on roots, for [`Rule::AnchorExtensions`]. Other profiles do not require them, because some
/// roots in use violate them.
const ANCHOR_LINTS: &[&str] = &[
    "rfc5280.4.2.1.1.no_key_identifier",
    "rfc5280.4.2.1.1.critical",
    "rfc5280.4.2.1.2.ca_without_key_identifier",
    "rfc5280.4.2.1.2.critical",
    "rfc5280.4.2.1.9.not_critical",
    "rfc5280.4.2.1.10.not_critical",
    "rfc5280.4.2.1.10.empty",
];

/// Decoding rules about the choice of time type, whose violation is tolerated. RFC 5280 §4.1.2.5: "Certificate users MUST be able
/// to process" either type.
const TIMES: Tolerated = Tolerated::NONE.with(&profile::TIME_CHOICE);

/// The rules of every profile. Three rules are off by default. [`Rule::Conformance`] checks RFC 5280 §4, which binds issuers, and
/// private CAs often violate it. [`Rule::AnchorConstraints`] and [`Rule::AnchorExtensions`] apply an anchor certificate's constraints,
/// although an anchor is only a name and a key (§6.1.1 (d)), and RFC 5937 §3 leaves the choice to the relying party.
const BASE: RuleSet = RuleSet::FIXED.with_all(&[
    Rule::Validity,
    Rule::Revocation,
    Rule::PermittedSubtrees,
    Rule::ExcludedSubtrees,
    Rule::ExplicitPolicy,
    Rule::LeadingDot,
    Rule::PolicyMapping,
    Rule::BasicConstraints,
    Rule::PathLength,
    Rule::KeyCertSign,
    Rule::AnchorCa,
    Rule::AnchorValidity,
    Rule::AnchorPurpose,
    Rule::AnchorDistrustAfter,
    Rule::Distrusted,
    Rule::NameSyntax,
    Rule::DuplicatePolicy,
    Rule::ConstraintSyntax,
    Rule::PeerName,
    Rule::Purpose,
    Rule::KeyUsage,
    Rule::MaxIntermediates,
    Rule::MustStaple,
    Rule::TlsFeatures,
    Rule::Scts,
]);

impl Profile {
    /// `rfc5280`: path validation as in RFC 5280 §6. The requirements on issuers (§4) are checked only by the rule
    /// `conformance`, which is disabled.
    pub const RFC5280: Self = Self {
        name: "rfc5280",
        about: "RFC 5280: path validation",
        rules: BASE,
        lints: LINTS,
        anchor_lints: ANCHOR_LINTS,
        purposes: &[],
        keys: &[],
        other_keys: true,
        key_usage: 0,
        tolerate: TIMES,
    };

    /// `webpki`: TLS servers, under the CA/Browser Forum's Baseline Requirements.
    pub const WEBPKI: Self = Self {
        name: "webpki",
        about: "TLS servers: CA/Browser Forum Baseline Requirements, as far as a client can check them",
        rules: BASE.with_all(&[
            Rule::Conformance,
            Rule::PurposeChain,
            Rule::KeySize,
            Rule::WeakDigest,
            Rule::PurposePresent,
            Rule::RootPurpose,
            Rule::RootKeyIdentifier,
            Rule::LeafNotCa,
            Rule::VersionThree,
            Rule::AltNameRequired,
            Rule::CommonName,
            Rule::Wildcard,
            Rule::ALabel,
        ]),
        lints: WEBPKI_LINTS,
        anchor_lints: &[],
        purposes: &[oids::KP_SERVER_AUTH],
        keys: WEBPKI_KEYS,
        other_keys: false,
        // digitalSignature, keyEncipherment, keyAgreement.
        key_usage: 1 | 1 << 2 | 1 << 4,
        tolerate: TIMES,
    };

    /// `smime`: mail signers and recipients (RFC 8550).
    pub const SMIME: Self = Self {
        name: "smime",
        about: "Mail: RFC 8550",
        rules: BASE.with_all(&[Rule::PurposeChain, Rule::KeySize, Rule::WeakDigest, Rule::MailboxRequired]),
        lints: LINTS,
        anchor_lints: &[],
        purposes: &[oids::KP_EMAIL_PROTECTION],
        keys: STRONG_KEYS,
        other_keys: true,
        // digitalSignature, nonRepudiation, keyEncipherment, keyAgreement.
        key_usage: 1 | 1 << 1 | 1 << 2 | 1 << 4,
        tolerate: TIMES,
    };

    /// `code-signing`: software signers.
    pub const CODE_SIGNING: Self = Self {
        name: "code-signing",
        about: "Code signing: CA/Browser Forum Code Signing Baseline Requirements, as far as a verifier can check them",
        rules: BASE.with_all(&[
            Rule::PurposeChain,
            Rule::KeySize,
            Rule::WeakDigest,
            Rule::LeafNotCa,
            Rule::CodeSigningUsage,
        ]),
        lints: LINTS,
        anchor_lints: &[],
        purposes: &[oids::KP_CODE_SIGNING],
        keys: STRONG_KEYS,
        other_keys: true,
        key_usage: 1,
        tolerate: TIMES,
    };

    /// `time-stamping`: time-stamping authorities (RFC 3161 §2.3).
    pub const TIME_STAMPING: Self = Self {
        name: "time-stamping",
        about: "Time-stamping authorities: RFC 3161 §2.3",
        rules: BASE.with_all(&[Rule::PurposeChain, Rule::KeySize, Rule::WeakDigest, Rule::PurposeOnly]),
        lints: LINTS,
        anchor_lints: &[],
        purposes: &[oids::KP_TIME_STAMPING],
        keys: STRONG_KEYS,
        other_keys: true,
        // digitalSignature, nonRepudiation.
        key_usage: 1 | 1 << 1,
        tolerate: TIMES,
    };

    /// All profiles.
    pub const ALL: &'static [Self] =
        &[Self::RFC5280, Self::WEBPKI, Self::SMIME, Self::CODE_SIGNING, Self::TIME_STAMPING];

    /// Returns the profile with the given name.
    ///
    /// ```
    /// use tagwise_path::Profile;
    /// assert!(Profile::by_name("time-stamping").is_some() && Profile::by_name("none").is_none());
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|profile| profile.name == name)
    }
}

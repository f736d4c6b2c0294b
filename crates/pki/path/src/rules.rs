//! All path validation rules as data: name, clause, description, and whether they can be switched off.

use core::fmt;

/// The family of a [`Rule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Path validation: RFC 5280 §6.1 and its updates.
    Validation,
    /// Trust anchors and their constraints: RFC 5914, RFC 5937, and Mozilla's distrust dates.
    Anchor,
    /// Requirements of RFC 5280 §4 on individual certificates.
    Certificate,
    /// Requirements of an application: names, purposes, lengths, algorithms.
    Application,
    /// The CA/Browser Forum's Baseline Requirements for servers.
    Webpki,
}

impl Family {
    /// Returns the family's stable name, such as `validation`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Validation => "validation",
            Self::Anchor => "anchor",
            Self::Certificate => "certificate",
            Self::Application => "application",
            Self::Webpki => "webpki",
        }
    }
}

macro_rules! rules {
    ($($(#[$doc:meta])* $ident:ident = $name:literal, $family:ident, $fixed:literal, $clause:literal, $summary:literal;)*) => {
        /// A path validation rule.
        ///
        /// ```
        /// use tagwise_path::Rule;
        /// let rule = Rule::by_name("validity").unwrap();
        /// assert_eq!((rule, rule.clause()), (Rule::Validity, "RFC 5280 §6.1.3 (a)(2)"));
        /// assert!(Rule::Signature.is_fixed() && !rule.is_fixed());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = concat!("`", $name, "`: ", $summary, " (", $clause, ").")] $(#[$doc])* $ident,)*
        }

        impl Rule {
            /// All rules, in table order.
            pub const ALL: &'static [Self] = &[$(Self::$ident),*];

            /// Returns the rule's stable name, such as `validity`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$ident => $name,)* }
            }

            /// Returns the rule's family.
            #[must_use]
            pub const fn family(self) -> Family {
                match self { $(Self::$ident => Family::$family,)* }
            }

            /// Returns the standard and clause that define the requirement.
            #[must_use]
            pub const fn clause(self) -> &'static str {
                match self { $(Self::$ident => $clause,)* }
            }

            /// Returns a short summary of the requirement.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$ident => $summary,)* }
            }

            /// Returns whether the rule is always in force, because validation depends on it.
            #[must_use]
            pub const fn is_fixed(self) -> bool {
                match self { $(Self::$ident => $fixed,)* }
            }
        }
    };
}

rules! {
    Malformed = "malformed", Validation, true, "RFC 5280 §4.1", "certificates must decode, including their extensions";
    NoIssuer = "no-issuer", Validation, true, "RFC 5280 §6.1", "a path must end at a trust anchor";
    Loop = "loop", Validation, true, "RFC 4158 §2.4.2", "a path must not contain two certificates with the same subject and key";
    NameChaining = "name-chaining", Validation, true, "RFC 5280 §6.1.3 (a)(4)", "the issuer must equal the subject of the issuer's certificate";
    Signature = "signature", Validation, true, "RFC 5280 §6.1.3 (a)(1)", "the signature must verify with the issuer's key";
    SignatureAlgorithm = "signature-algorithm", Validation, true, "RFC 5280 §6.1.3 (a)(1)", "the verifier must support the signature algorithm and the issuer's key";
    Unsigned = "unsigned", Validation, true, "RFC 9925 §3", "unsigned certificates are allowed only as trust anchors";
    Validity = "validity", Validation, false, "RFC 5280 §6.1.3 (a)(2)", "the time must be within the validity period";
    Revocation = "revocation", Validation, false, "RFC 5280 §6.1.3 (a)(3)", "the certificate must not be revoked; its status must be known if the policy requires that";
    PermittedSubtrees = "permitted-subtrees", Validation, false, "RFC 5280 §6.1.3 (b)", "every name must be within the permitted subtrees of its form";
    ExcludedSubtrees = "excluded-subtrees", Validation, false, "RFC 5280 §6.1.3 (c)", "no name may be within an excluded subtree";
    UnsupportedConstraint = "unsupported-constraint", Validation, true, "RFC 5280 §4.2.1.10", "names must not have a form whose constraint is malformed or unsupported";
    ExplicitPolicy = "explicit-policy", Validation, false, "RFC 5280 §6.1.3 (f), §6.1.5 (g)", "a valid policy is required if the path requires an explicit policy";
    LeadingDot = "leading-dot", Validation, false, "RFC 5280 §4.2.1.10", "a dNSName constraint with a leading dot covers the subdomains of the domain and not the domain itself, as in NSS, OpenSSL and BoringSSL; without this rule, it is malformed";
    PolicyMapping = "policy-mapping", Validation, false, "RFC 5280 §6.1.4 (a)", "anyPolicy must not be mapped";
    BasicConstraints = "basic-constraints", Validation, false, "RFC 5280 §6.1.4 (k)", "issuers must be CAs according to their basic constraints";
    PathLength = "path-length", Validation, false, "RFC 5280 §6.1.4 (l), (m)", "the path length constraints of CAs must be met";
    KeyCertSign = "key-cert-sign", Validation, false, "RFC 5280 §6.1.4 (n)", "the key usage of issuers must include keyCertSign";
    UnknownCritical = "unknown-critical", Validation, true, "RFC 5280 §6.1.4 (o), §6.1.5 (f)", "unknown critical extensions are not allowed";
    AnchorValidity = "anchor-validity", Anchor, false, "RFC 5280 §6.1.1 (d)", "the time must be within the validity period of the anchor's certificate";
    AnchorPurpose = "anchor-purpose", Anchor, false, "RFC 5914 §2.6", "the anchor must be trusted for the purpose";
    AnchorDistrustAfter = "anchor-distrust-after", Anchor, false, "Mozilla, CKA_NSS_SERVER_DISTRUST_AFTER", "the end-entity certificate must have been issued before the anchor's distrust date";
    Distrusted = "distrusted", Anchor, false, "NSS, CKT_NSS_NOT_TRUSTED", "explicitly distrusted certificates are not allowed";
    AnchorCa = "anchor-ca", Anchor, false, "RFC 5280 §4.2.1.9", "an anchor's certificate that issues others must be a CA's, by its basic constraints and key usage";
    AnchorConstraints = "anchor-constraints", Anchor, false, "RFC 5937 §3", "the constraints in the anchor's certificate apply";
    AnchorExtensions = "anchor-extensions", Anchor, false, "RFC 5937 §3", "the anchor's certificate must satisfy the extension rules, and its constraints apply";
    Conformance = "conformance", Certificate, false, "RFC 5280 §4", "certificates must conform to RFC 5280 §4; each lint can be disabled by its identifier";
    NameSyntax = "name-syntax", Certificate, false, "RFC 5280 §4.2.1.6", "host names, email addresses and URIs in alternative names must be well-formed";
    DuplicatePolicy = "duplicate-policy", Certificate, false, "RFC 5280 §4.2.1.4", "certificate policies must not be duplicated";
    ConstraintSyntax = "constraint-syntax", Certificate, false, "RFC 5280 §4.2.1.10", "name constraints must have the syntax of their form";
    PeerName = "peer-name", Application, false, "RFC 9525 §6", "the end-entity certificate must contain every expected name";
    Purpose = "purpose", Application, false, "RFC 5280 §4.2.1.12", "the end-entity certificate's extended key usage must allow the purpose";
    PurposeChain = "purpose-chain", Application, false, "CA/Browser Forum BR §7.1.2.10.6", "the extended key usage of CAs, if present, must allow the purpose";
    KeyUsage = "key-usage", Application, false, "RFC 5280 §4.2.1.3", "the end-entity certificate's key usage must include at least one of the requested usages";
    MaxIntermediates = "max-intermediates", Application, false, "RFC 5280 §6.1.1", "the path must not have more intermediate certificates than the policy allows";
    KeySize = "key-size", Application, false, "CA/Browser Forum BR §6.1.5, NIST SP 800-57 part 1 §5.6.1", "keys must have algorithms and sizes that the profile allows";
    WeakDigest = "weak-digest", Application, false, "RFC 6194, RFC 6151", "signatures must not use MD2, MD4, MD5 or SHA-1; if the rule is disabled, SHA-1 is accepted, and whether signatures with the others are right is unknown";
    PurposeOnly = "purpose-only", Application, false, "RFC 3161 §2.3", "the purpose must be the only one in a critical extended key usage";
    CodeSigningUsage = "code-signing-usage", Application, false, "CA/Browser Forum Code Signing BR §7.1.2.3", "a code signer's key usage and extended key usage must be present, and suitable for code signing";
    PurposePresent = "purpose-present", Webpki, false, "CA/Browser Forum BR §7.1.2.7.10", "the end-entity certificate must have a non-critical extended key usage without anyExtendedKeyUsage";
    RootPurpose = "root-purpose", Webpki, false, "CA/Browser Forum BR §7.1.2.1.2", "a root must not have an extended key usage";
    RootKeyIdentifier = "root-key-identifier", Webpki, false, "CA/Browser Forum BR §7.1.2.1.3", "a root's authority key identifier must contain only its own key identifier";
    LeafNotCa = "leaf-not-ca", Webpki, false, "CA/Browser Forum BR §7.1.2.7.8", "the end-entity certificate must not be a CA certificate";
    VersionThree = "version-3", Webpki, false, "CA/Browser Forum BR §7.1.1", "certificates must have version 3";
    AltNameRequired = "alt-name-required", Webpki, false, "CA/Browser Forum BR §7.1.2.7.12", "the end-entity certificate must have a subjectAltName extension, which must be critical if and only if the subject is empty";
    CommonName = "common-name", Webpki, false, "CA/Browser Forum BR §7.1.4.3", "the common name must equal one of the alternative names, character for character";
    Wildcard = "wildcard", Webpki, false, "CA/Browser Forum BR §1.6.1, §3.2.2.6", "a wildcard must be the whole first label, and not precede a public suffix";
    ALabel = "a-label", Webpki, false, "CA/Browser Forum BR §1.6.1, RFC 5890 §2.3.2.1", "labels with hyphens in positions 3 and 4 must be valid A-labels";
    MustStaple = "must-staple", Application, false, "RFC 7633 §4.2.3.1", "a server must staple an OCSP response with the status good if its certificate requires that";
    TlsFeatures = "tls-features", Application, false, "RFC 7633 §4.2.2", "a certificate must have every TLS feature of its issuer's certificate";
    Scts = "scts", Application, false, "RFC 6962 §5.2", "the end-entity certificate must have timestamps from as many logs and operators as the policy requires";
    MailboxRequired = "mailbox-required", Application, false, "RFC 8550 §3, §4.4.3", "the end-entity certificate must have an email address among its alternative names";
}

impl Rule {
    /// Returns the rule with the given name.
    ///
    /// ```
    /// use tagwise_path::Rule;
    /// assert_eq!(Rule::by_name("key-cert-sign"), Some(Rule::KeyCertSign));
    /// assert_eq!(Rule::by_name("no-such-rule"), None);
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of rules. Every set contains the fixed rules.
///
/// ```
/// use tagwise_path::{Rule, RuleSet};
/// let rules = RuleSet::ALL.without(Rule::Validity).without(Rule::Signature);
/// assert!(!rules.has(Rule::Validity));
/// // Always in force.
/// assert!(rules.has(Rule::Signature));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuleSet(u64);

const fn bit(rule: Rule) -> u64 {
    1 << rule as u64
}

const _: () = assert!(Rule::ALL.len() <= 64);

impl RuleSet {
    /// The rules that are always in force.
    pub const FIXED: Self = {
        let mut bits = 0;
        let mut rest = Rule::ALL;
        while let [rule, tail @ ..] = rest {
            if rule.is_fixed() {
                bits |= bit(*rule);
            }
            rest = tail;
        }
        Self(bits)
    };

    /// All rules.
    pub const ALL: Self = {
        let mut bits = 0;
        let mut rest = Rule::ALL;
        while let [rule, tail @ ..] = rest {
            bits |= bit(*rule);
            rest = tail;
        }
        Self(bits)
    };

    /// Adds a rule to the set.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Self {
        Self(self.0 | bit(rule))
    }

    /// Adds several rules to the set.
    #[must_use]
    pub const fn with_all(self, rules: &[Rule]) -> Self {
        let mut set = self;
        let mut rest = rules;
        while let [rule, tail @ ..] = rest {
            set = set.with(*rule);
            rest = tail;
        }
        set
    }

    /// Removes a rule from the set, unless it is fixed.
    #[must_use]
    pub const fn without(self, rule: Rule) -> Self {
        Self(self.0 & !bit(rule) | Self::FIXED.0)
    }

    /// Returns whether the set contains a rule.
    #[must_use]
    pub const fn has(self, rule: Rule) -> bool {
        self.0 & bit(rule) != 0
    }

    /// Returns whether the constraints in an anchor's certificate apply.
    pub(crate) const fn applies_anchor(self) -> bool {
        self.has(Rule::AnchorConstraints) || self.has(Rule::AnchorExtensions)
    }

    /// Iterates over the rules of the set, in table order.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |rule| self.has(*rule))
    }
}

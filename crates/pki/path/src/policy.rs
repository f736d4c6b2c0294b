//! The requirements on a path: the inputs of RFC 5280 §6.1.1, and those of the application.

use core::fmt;
use std::sync::Arc;

use tagwise_codec::OidBuf;
use tagwise_codec::{Oid, RuleSet as Tolerated};
use tagwise_pkix::{UnixTime, lint, oids, profile};

use crate::budget::Budget;
use crate::names::ExpectedName;
use crate::profile::{KeyKind, Profile};
use crate::revocation::{RevocationMode, RevocationPolicy};
use crate::rules::{Rule, RuleSet};
use crate::sct::SctPolicy;

/// The requirements on a path.
///
/// ```
/// use tagwise_path::{ExpectedName, Policy, Profile, Rule};
/// use tagwise_pkix::UnixTime;
/// let mut policy = Policy::new(&Profile::WEBPKI, UnixTime(1_795_255_200));
/// policy.names.push(ExpectedName::dns("www.example.org")?);
/// policy.disable("conformance").unwrap();
/// assert!(!policy.rules.has(Rule::Conformance));
/// # Ok::<(), tagwise_path::NameError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Policy {
    /// The name of the profile that the policy is based on.
    pub profile: &'static str,
    /// The validation time (§6.1.1 (b)).
    pub time: UnixTime,
    /// The rules in force.
    pub rules: RuleSet,
    /// The lints enforced by [`Rule::Conformance`].
    pub lints: lint::Options,
    /// The lints enforced by [`Rule::AnchorExtensions`] on an anchor's certificate.
    pub anchor_lints: lint::Options,
    /// The decoding rules that certificates may violate.
    pub tolerate: Tolerated,
    /// Critical extensions that the caller processes, in addition to those that the engine supports.
    pub understood: Vec<OidBuf>,
    /// The names that the end-entity certificate must contain. All of them are required. Empty for no check.
    pub names: Vec<ExpectedName>,
    /// The purposes (extended key usages) that the end-entity certificate must allow. All of them are required. Empty for no
    /// check.
    pub purposes: Vec<OidBuf>,
    /// True if the end-entity certificate must list the purposes. An absent extended key usage or anyExtendedKeyUsage
    /// is then not sufficient.
    pub explicit_purposes: bool,
    /// Key usage bits (`1 << n` for bit `n`), or 0 for no check. If the end-entity certificate has a key usage, it must contain at least
    /// one of them.
    pub key_usage: u16,
    /// The allowed key types, for [`Rule::KeySize`].
    pub keys: Vec<KeyKind>,
    /// True if key algorithms not listed in [`Policy::keys`] are allowed.
    pub other_keys: bool,
    /// The inputs of policy processing.
    pub policies: PolicyInputs,
    /// initial-permitted-subtrees and initial-excluded-subtrees, §6.1.1 (h) and (i), as NameConstraints in DER. If it
    /// does not decode, every path is rejected.
    pub subtrees: Option<Vec<u8>>,
    /// The maximum number of intermediate certificates that are not self-issued.
    pub max_intermediates: Option<u32>,
    /// The public suffixes, for [`Rule::Wildcard`]. Without them, a wildcard must be followed by two labels.
    pub public_suffixes: Option<PublicSuffixes>,
    /// The revocation requirements, with the CRLs and OCSP responses.
    pub revocation: RevocationPolicy,
    /// `Some(true)` if the server stapled an OCSP response, `Some(false)` if it did not, or `None` outside a TLS handshake. Used by
    /// [`Rule::MustStaple`]. Add the response itself to [`RevocationPolicy::evidence`].
    pub stapled: Option<bool>,
    /// The signed certificate timestamps (SCTs) that the end-entity certificate must have, or `None` for no check.
    pub scts: Option<SctPolicy>,
    /// The limits on the cost of validation.
    pub budget: Budget,
    /// The rules that [`disable`](Self::disable) disabled, whether or not the profile has them.
    pub(crate) disabled: RuleSet,
}

/// The inputs of RFC 5280 §6.1.1 (c), (e), (f) and (g).
///
/// ```
/// use tagwise_path::PolicyInputs;
/// let inputs = PolicyInputs::default();
/// assert!(inputs.initial.is_none() && !inputs.explicit);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyInputs {
    /// user-initial-policy-set, or `None` for any policy.
    pub initial: Option<Vec<OidBuf>>,
    /// initial-explicit-policy: the path must be valid for a policy in the user-initial-policy-set.
    pub explicit: bool,
    /// initial-policy-mapping-inhibit.
    pub inhibit_mapping: bool,
    /// initial-any-policy-inhibit.
    pub inhibit_any: bool,
}

/// A function that returns whether a domain, in lowercase A-labels, is a public suffix.
#[derive(Clone)]
pub struct PublicSuffixes(Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl PublicSuffixes {
    /// Wraps a function that looks up a domain in the caller's list.
    ///
    /// ```
    /// use tagwise_path::PublicSuffixes;
    /// let suffixes = PublicSuffixes::new(|domain| matches!(domain, "com" | "co.uk"));
    /// assert!(suffixes.has("co.uk") && !suffixes.has("example.co.uk"));
    /// ```
    pub fn new(has: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(has))
    }

    /// Returns whether a domain is a public suffix.
    #[must_use]
    pub fn has(&self, domain: &str) -> bool {
        (self.0)(domain)
    }
}

impl fmt::Debug for PublicSuffixes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PublicSuffixes")
    }
}

/// The reason why a rule cannot be switched on or off.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SwitchError {
    /// The rule or lint is unknown. Contains the given name.
    Unknown(String),
    /// The rule is always in force, so it cannot be disabled.
    Fixed(Rule),
}

impl fmt::Display for SwitchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "unknown rule or lint {}", tagwise_pkix::name::visible(name)),
            Self::Fixed(rule) => write!(f, "{rule} cannot be disabled"),
        }
    }
}

impl std::error::Error for SwitchError {}

impl Policy {
    /// Creates a profile's policy for the given time. By default, it expects no names, accepts any certificate policy, ignores
    /// revocation, and has the default budget.
    #[must_use]
    pub fn new(profile: &Profile, time: UnixTime) -> Self {
        let lints = |ids: &[&str]| {
            let lints = ids.iter().filter_map(|id| lint::by_id(id));
            lints.fold(lint::Options::none(), |options, lint| options.with(lint))
        };
        Self {
            profile: profile.name,
            time,
            rules: profile.rules,
            lints: lints(profile.lints),
            anchor_lints: lints(profile.anchor_lints),
            tolerate: profile.tolerate,
            understood: Vec::new(),
            names: Vec::new(),
            purposes: profile.purposes.iter().map(|purpose| OidBuf::from(*purpose)).collect(),
            explicit_purposes: false,
            key_usage: profile.key_usage,
            keys: profile.keys.to_vec(),
            other_keys: profile.other_keys,
            policies: PolicyInputs::default(),
            subtrees: None,
            max_intermediates: None,
            public_suffixes: None,
            revocation: RevocationPolicy::default(),
            stapled: None,
            scts: None,
            budget: Budget::DEFAULT,
            disabled: RuleSet::FIXED,
        }
    }

    /// Creates the policy for servers below anchors that are not publicly trusted: `rfc5280`, with checks of the purpose along the
    /// path, of the key usage of servers, and for weak keys and digests.
    ///
    /// ```
    /// use tagwise_path::{Policy, Rule};
    /// use tagwise_pkix::UnixTime;
    /// let policy = Policy::private_server(UnixTime(0));
    /// assert!(policy.rules.has(Rule::PurposeChain));
    /// ```
    #[must_use]
    pub fn private_server(time: UnixTime) -> Self {
        Self::private(oids::KP_SERVER_AUTH, time)
    }

    /// Creates the policy for a purpose below anchors that are not publicly trusted, with the same checks as
    /// [`private_server`](Self::private_server). The key usage of clients and document signers is checked (RFC 5280 §4.2.1.12, RFC
    /// 9336 §3.2), but not that for other purposes.
    ///
    /// ```
    /// use tagwise_path::Policy;
    /// use tagwise_pkix::{UnixTime, oids};
    /// let policy = Policy::private(oids::KP_CLIENT_AUTH, UnixTime(0));
    /// // digitalSignature and keyAgreement.
    /// assert_eq!(policy.key_usage, 1 | 1 << 4);
    /// ```
    #[must_use]
    pub fn private(purpose: Oid<'_>, time: UnixTime) -> Self {
        let mut policy = Self::new(&Profile::RFC5280, time);
        policy.purposes = vec![OidBuf::from(purpose)];
        policy.rules = policy.rules.with_all(&[Rule::PurposeChain, Rule::KeySize, Rule::WeakDigest]);
        policy.keys = Profile::SMIME.keys.to_vec();
        policy.key_usage = match purpose {
            oids::KP_SERVER_AUTH => Profile::WEBPKI.key_usage,
            // digitalSignature, keyAgreement.
            oids::KP_CLIENT_AUTH => 1 | 1 << 4,
            // digitalSignature, nonRepudiation.
            oids::KP_DOCUMENT_SIGNING => 1 | 1 << 1,
            _ => 0,
        };
        policy
    }

    /// Returns the time at which CRLs and OCSP responses must be current, if revocation is checked.
    pub(crate) fn evidence_time(&self) -> Option<UnixTime> {
        let is_checked = self.revocation.mode != RevocationMode::Ignore && self.rules.has(Rule::Revocation);
        is_checked.then(|| self.revocation.evidence_time.unwrap_or(self.time))
    }

    /// Disables a rule by name or a lint by identifier, or tolerates violations of a decoding rule
    /// ([`profile::allowance`]) in every certificate of a path.
    ///
    /// ```
    /// use tagwise_codec::Rule;
    /// use tagwise_path::{Policy, Profile};
    /// use tagwise_pkix::UnixTime;
    /// let mut policy = Policy::new(&Profile::RFC5280, UnixTime(0));
    /// policy.disable("named-bits").unwrap();
    /// assert!(policy.tolerate.has(&Rule::NAMED_BITS));
    /// ```
    ///
    /// # Errors
    /// Returns an error if no rule or lint has that name, or the rule is always in force.
    pub fn disable(&mut self, name: &str) -> Result<(), SwitchError> {
        match (Rule::by_name(name), lint::by_id(name)) {
            (Some(rule), _) if rule.is_fixed() => return Err(SwitchError::Fixed(rule)),
            (Some(rule), _) => {
                self.rules = self.rules.without(rule);
                self.disabled = self.disabled.with(rule);
            }
            (None, Some(lint)) => {
                self.lints = self.lints.without(lint);
                self.anchor_lints = self.anchor_lints.without(lint);
            }
            (None, None) => match profile::allowance(name) {
                Some(rules) => self.tolerate = self.tolerate.union(rules),
                None => return Err(SwitchError::Unknown(name.to_owned())),
            },
        }
        Ok(())
    }

    /// Enables a rule by name, or a lint of [`Rule::Conformance`] by identifier.
    ///
    /// ```
    /// use tagwise_path::{Policy, Profile, Rule};
    /// use tagwise_pkix::UnixTime;
    /// let mut policy = Policy::new(&Profile::RFC5280, UnixTime(0));
    /// policy.enable("weak-digest").unwrap();
    /// assert!(policy.rules.has(Rule::WeakDigest));
    /// assert_eq!(policy.enable("week-digest").unwrap_err().to_string(), "unknown rule or lint week-digest");
    /// ```
    ///
    /// # Errors
    /// Returns an error if no rule or lint has that name.
    pub fn enable(&mut self, name: &str) -> Result<(), SwitchError> {
        match (Rule::by_name(name), lint::by_id(name)) {
            (Some(rule), _) => {
                self.rules = self.rules.with(rule);
                self.disabled = self.disabled.without(rule);
            }
            (None, Some(lint)) => self.lints = self.lints.with(lint),
            (None, None) => return Err(SwitchError::Unknown(name.to_owned())),
        }
        Ok(())
    }

    /// Returns whether [`disable`](Self::disable) disabled a rule, even if the profile does not have it.
    ///
    /// ```
    /// use tagwise_path::{Policy, Profile, Rule};
    /// use tagwise_pkix::UnixTime;
    /// let mut policy = Policy::new(&Profile::RFC5280, UnixTime(0));
    /// assert!(!policy.rules.has(Rule::WeakDigest) && !policy.is_disabled(Rule::WeakDigest));
    /// policy.disable("weak-digest").unwrap();
    /// assert!(policy.is_disabled(Rule::WeakDigest));
    /// ```
    #[must_use]
    pub fn is_disabled(&self, rule: Rule) -> bool {
        !rule.is_fixed() && self.disabled.has(rule)
    }

    /// Adds a required purpose.
    ///
    /// ```
    /// use tagwise_path::{Policy, Profile};
    /// use tagwise_pkix::{UnixTime, oids};
    /// let mut policy = Policy::new(&Profile::RFC5280, UnixTime(0));
    /// policy.require_purpose(oids::KP_CLIENT_AUTH);
    /// assert_eq!(policy.purposes.len(), 1);
    /// ```
    pub fn require_purpose(&mut self, purpose: Oid<'_>) {
        self.purposes.push(OidBuf::from(purpose));
    }
}

#[cfg(feature = "crypto")]
impl<'b> crate::LegacyVerifier<'b> {
    /// Creates a verifier that accepts a weakness only if [`Policy::disable`] disabled its rule: SHA-1 by `weak-digest`, and weak keys
    /// and DSA by `key-size`. A profile without these rules accepts neither.
    ///
    /// ```
    /// # #[cfg(feature = "crypto")] {
    /// use tagwise_crypto::{Weaknesses, backends::AwsLc};
    /// use tagwise_path::{LegacyVerifier, Policy, Profile};
    /// use tagwise_pkix::UnixTime;
    /// let (backend, mut policy) = (AwsLc::new(), Policy::new(&Profile::RFC5280, UnixTime(0)));
    /// assert_eq!(LegacyVerifier::of(&backend, &policy).1, Weaknesses::NONE);
    /// policy.disable("weak-digest").unwrap();
    /// assert_eq!(LegacyVerifier::of(&backend, &policy).1, Weaknesses { digests: true, keys: false });
    /// # }
    /// ```
    #[must_use]
    pub fn of(backend: &'b dyn tagwise_crypto::Backend, policy: &Policy) -> Self {
        let (digests, keys) = (policy.is_disabled(Rule::WeakDigest), policy.is_disabled(Rule::KeySize));
        Self(backend, tagwise_crypto::Weaknesses { digests, keys })
    }
}

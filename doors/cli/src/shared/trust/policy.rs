//! Purposes and profiles by name, and disabling rules by name.

use std::str::FromStr;

use clap::ValueEnum;
use strsim::levenshtein;
use tagwise_codec::Oid;
use tagwise_crypto::{ErrorKind, KeyType, Scheme, Weaknesses};
use tagwise_path::{LegacyVerifier, OidBuf, Policy, Profile, Rule, SignatureFault, SwitchError, Verifier};
use tagwise_pkix::name::visible;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime, lint, oids};

use crate::shared::backend::Chosen;
use crate::shared::context::Context;
use crate::shared::output::Failure;

/// A purpose of certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Purpose {
    /// TLS servers: serverAuth, profile webpki with publicly trusted roots, otherwise rfc5280
    Server,
    /// TLS clients: clientAuth, profile rfc5280 with checks of CAs' purposes, key usage, weak keys and digests
    Client,
    /// S/MIME: emailProtection, profile smime
    Email,
    /// Code signing: codeSigning, profile code-signing
    Code,
    /// Time stamping: timeStamping, profile time-stamping
    Timestamp,
    /// Document signing: documentSigning (RFC 9336), profile rfc5280 with the same checks
    Document,
    /// Any: extended key usage is ignored, profile rfc5280
    Any,
}

impl Purpose {
    /// Returns the profile for this purpose.
    pub(crate) const fn profile(self) -> &'static Profile {
        match self {
            Self::Server => &Profile::WEBPKI,
            Self::Client | Self::Document | Self::Any => &Profile::RFC5280,
            Self::Email => &Profile::SMIME,
            Self::Code => &Profile::CODE_SIGNING,
            Self::Timestamp => &Profile::TIME_STAMPING,
        }
    }

    /// Returns the extended key usage OID.
    pub(crate) const fn oid(self) -> Option<Oid<'static>> {
        match self {
            Self::Server => Some(oids::KP_SERVER_AUTH),
            Self::Client => Some(oids::KP_CLIENT_AUTH),
            Self::Email => Some(oids::KP_EMAIL_PROTECTION),
            Self::Code => Some(oids::KP_CODE_SIGNING),
            Self::Timestamp => Some(oids::KP_TIME_STAMPING),
            Self::Document => Some(oids::KP_DOCUMENT_SIGNING),
            Self::Any => None,
        }
    }
}

/// A profile selected by name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProfileName(pub(crate) &'static Profile);

impl FromStr for ProfileName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = || Profile::ALL.iter().map(|profile| profile.name).collect::<Vec<_>>().join(", ");
        Profile::by_name(text).map(Self).ok_or_else(|| format!("available: {}", names()))
    }
}

/// Creates the policy for a profile, a purpose and a time. The purpose determines the default profile, and the profile
/// determines the default purposes.
pub(crate) fn base(profile: Option<ProfileName>, purpose: Option<Purpose>, time: UnixTime) -> Policy {
    if profile.is_none()
        && let Some(purpose @ (Purpose::Client | Purpose::Document)) = purpose
        && let Some(oid) = purpose.oid()
    {
        return Policy::private(oid, time);
    }
    let of_purpose = purpose.map_or(&Profile::RFC5280, Purpose::profile);
    let mut policy = Policy::new(profile.map_or(of_purpose, |name| name.0), time);
    if let Some(purpose) = purpose {
        policy.purposes = purpose.oid().map(OidBuf::from).into_iter().collect();
    }
    policy
}

/// Disables the rules that `--allow` names.
///
/// # Errors
/// Returns an error if a rule cannot be disabled.
pub(crate) fn allow(context: &Context, policy: &mut Policy) -> Result<(), Failure> {
    context.allowed.apply(policy).map_err(Failure::usage)
}

/// Enables rules and lints in addition to the profile's, by comma-separated names.
///
/// # Errors
/// Returns an error message for an unknown name, or for one that `--allow` disables.
pub(crate) fn enforce(context: &Context, policy: &mut Policy, names: &[String]) -> Result<(), Failure> {
    for name in split(names) {
        if context.allowed.has(name) {
            return Err(Failure::usage(format!("--enforce {}: --allow disables it", visible(name))));
        }
        policy.enable(name).map_err(|error| match error {
            SwitchError::Unknown(name) => Failure::usage(unknown(&name).replacen("--allow", "--enforce", 1)),
            error => Failure::usage(format!("--enforce {}: {error}", visible(name))),
        })?;
    }
    Ok(())
}

/// Disables rules and lints, by comma-separated names.
///
/// # Errors
/// Returns an error message for an unknown name or a rule that cannot be disabled.
pub(crate) fn disable(policy: &mut Policy, names: &[String]) -> Result<(), String> {
    for name in split(names) {
        policy.disable(name).map_err(|error| match error {
            SwitchError::Unknown(name) => unknown(&name),
            error => format!("--allow {}: {error}", visible(name)),
        })?;
    }
    Ok(())
}

fn split(names: &[String]) -> impl Iterator<Item = &str> {
    names.iter().flat_map(|names| names.split(',')).map(str::trim).filter(|name| !name.is_empty())
}

/// Verifies signatures with the chosen backend. Signatures with SHA-1 require `--allow weak-digest`, and weak keys (RSA below 2,048
/// bits, elliptic curves below 224 bits, DSA) require `--allow key-size`.
#[derive(Clone, Copy)]
pub(crate) struct Signatures {
    backend: Chosen,
    accepted: Weaknesses,
}

impl Signatures {
    /// Creates a verifier, which accepts the weaknesses that `--allow` or one of the comma-separated lists in `names` contains.
    pub(crate) fn allowing(context: &Context, backend: Chosen, names: &[String]) -> Self {
        let has = |rule: Rule| context.allowed.has(rule.name()) || split(names).any(|name| name == rule.name());
        Self { backend, accepted: Weaknesses { digests: has(Rule::WeakDigest), keys: has(Rule::KeySize) } }
    }

    /// Makes the verifier accept all weaknesses if `legacy` is set.
    pub(crate) const fn or_legacy(self, legacy: bool) -> Self {
        if legacy { Self { accepted: Weaknesses::ALL, ..self } } else { self }
    }
}

impl Verifier for Signatures {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        let found = LegacyVerifier(self.backend, self.accepted).verify(key, algorithm, message, signature);
        found.map_err(|fault| match (fault, rules(key, algorithm, self.accepted)) {
            (SignatureFault::Refused(text), Some(rules)) => {
                SignatureFault::Refused(format!("{text}; pass --allow {rules} to accept it"))
            }
            (fault, _) => fault,
        })
    }
}

/// Returns the rules that must be disabled to verify a signature that is rejected only because its digest or key is weak.
fn rules(key: &SubjectPublicKeyInfo<'_>, algorithm: &AlgorithmIdentifier<'_>, accepted: Weaknesses) -> Option<String> {
    let is_dsa = key.algorithm.algorithm == oids::DSA;
    let is_weak_key = is_dsa || KeyType::of(key).is_ok_and(KeyType::is_legacy);
    let is_weak_digest = [oids::DSA_WITH_SHA1, oids::OIW_DSA_WITH_SHA1].contains(&algorithm.algorithm)
        || Scheme::of(algorithm).is_err_and(|error| error.kind() == ErrorKind::Legacy);
    let weak =
        [(is_weak_key && !accepted.keys, Rule::KeySize), (is_weak_digest && !accepted.digests, Rule::WeakDigest)];
    let names: Vec<&str> = weak.iter().filter(|(is_weak, _)| *is_weak).map(|(_, rule)| rule.name()).collect();
    (!names.is_empty()).then(|| names.join(","))
}

fn unknown(name: &str) -> String {
    let all = Rule::ALL.iter().map(|rule| rule.name()).chain(lint::ALL.iter().map(|lint| lint.id));
    let mut near: Vec<(usize, &str)> = all.map(|known| (levenshtein(known, name), known)).collect();
    near.retain(|(distance, _)| *distance <= 1 + name.len() / 4);
    near.sort_unstable();
    let near: Vec<&str> = near.into_iter().map(|(_, known)| known).take(3).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
    let name = visible(name);
    format!("--allow: unknown rule or lint '{name}'{hint} (`tagwise verify --list-rules` lists them all)")
}

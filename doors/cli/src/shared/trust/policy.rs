//! Purposes and profiles by name, and rules switched off by name.

use std::str::FromStr;

use clap::ValueEnum;
use strsim::levenshtein;
use tagwise_codec::Oid;
use tagwise_crypto::{ErrorKind, KeyType, Scheme};
use tagwise_path::{
    CryptoVerifier, LegacyVerifier, OidBuf, Policy, Profile, Rule, SignatureFault, SwitchError, Verifier,
};
use tagwise_pkix::name::visible;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime, lint, oids};

use crate::shared::backend::backend;
use crate::shared::output::Failure;
use crate::shared::rules;

/// A use of certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Purpose {
    /// TLS servers: serverAuth, profile webpki below publicly trusted roots, else rfc5280
    Server,
    /// TLS clients: clientAuth, profile rfc5280
    Client,
    /// Mail: emailProtection, profile smime
    Email,
    /// Programs: codeSigning, profile code-signing
    Code,
    /// Time stamps: timeStamping, profile time-stamping
    Timestamp,
    /// Documents: documentSigning (RFC 9336), profile rfc5280
    Document,
    /// Any: extended key usage is not looked at, profile rfc5280
    Any,
}

impl Purpose {
    /// The profile that goes with it.
    pub(crate) const fn profile(self) -> &'static Profile {
        match self {
            Self::Server => &Profile::WEBPKI,
            Self::Client | Self::Document | Self::Any => &Profile::RFC5280,
            Self::Email => &Profile::SMIME,
            Self::Code => &Profile::CODE_SIGNING,
            Self::Timestamp => &Profile::TIME_STAMPING,
        }
    }

    /// The extended key usage.
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

/// A profile by its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProfileName(pub(crate) &'static Profile);

impl FromStr for ProfileName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = || Profile::ALL.iter().map(|profile| profile.name).collect::<Vec<_>>().join(", ");
        Profile::by_name(text).map(Self).ok_or_else(|| format!("there are: {}", names()))
    }
}

/// Makes the policy of a profile, a purpose and a time. The profile is the purpose's unless it is named; the purposes are the
/// profile's unless one is named.
pub(crate) fn base(profile: Option<ProfileName>, purpose: Option<Purpose>, time: UnixTime) -> Policy {
    let of_purpose = purpose.map_or(&Profile::RFC5280, Purpose::profile);
    let mut policy = Policy::new(profile.map_or(of_purpose, |name| name.0), time);
    if let Some(purpose) = purpose {
        policy.purposes = purpose.oid().map(OidBuf::from).into_iter().collect();
    }
    policy
}

/// Has a policy do without what `--allow` names.
///
/// # Errors
/// A rule that is always in force.
pub(crate) fn allow(policy: &mut Policy) -> Result<(), Failure> {
    rules::in_force().apply(policy).map_err(Failure::usage)
}

/// Applies rules and lints besides those of the profile, by comma-separated names.
///
/// # Errors
/// A message about a name that is none.
pub(crate) fn enforce(policy: &mut Policy, names: &[String]) -> Result<(), Failure> {
    for name in split(names) {
        policy.enable(name).map_err(|error| match error {
            SwitchError::Unknown(name) => Failure::usage(unknown(&name).replacen("--allow", "--enforce", 1)),
            error => Failure::usage(format!("--enforce {}: {error}", visible(name))),
        })?;
    }
    Ok(())
}

/// Switches rules and lints off, by comma-separated names.
///
/// # Errors
/// A message about a name that is none, or a rule that is always in force.
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

/// Checks signatures with the chosen backend; those with SHA-1, of DSA and of RSA keys below 2,048 bits only with `--allow weak-digest`.
#[derive(Clone, Copy)]
pub(crate) struct Signatures {
    legacy: bool,
}

impl Signatures {
    /// The checks under `--allow`, and with these comma-separated names besides.
    pub(crate) fn allowing(names: &[String]) -> Self {
        let weak = Rule::WeakDigest.name();
        Self { legacy: rules::in_force().has(weak) || split(names).any(|name| name == weak) }
    }

    /// The same, with old signatures if `legacy` is set.
    pub(crate) const fn or_legacy(self, legacy: bool) -> Self {
        Self { legacy: self.legacy || legacy }
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
        match self.legacy {
            true => LegacyVerifier(backend()).verify(key, algorithm, message, signature),
            false => {
                CryptoVerifier(backend()).verify(key, algorithm, message, signature).map_err(|fault| match fault {
                    SignatureFault::Refused(text) if is_old(key, algorithm) => {
                        SignatureFault::Refused(format!("{text}; pass --allow weak-digest to accept it"))
                    }
                    fault => fault,
                })
            }
        }
    }
}

/// Returns whether a signature is refused for its age alone.
fn is_old(key: &SubjectPublicKeyInfo<'_>, algorithm: &AlgorithmIdentifier<'_>) -> bool {
    Scheme::of(algorithm).is_err_and(|error| error.kind() == ErrorKind::Legacy)
        || KeyType::of(key).is_ok_and(|key| key.is_legacy())
        || key.algorithm.algorithm == oids::DSA
}

fn unknown(name: &str) -> String {
    let all = Rule::ALL.iter().map(|rule| rule.name()).chain(lint::ALL.iter().map(|lint| lint.id));
    let mut near: Vec<(usize, &str)> = all.map(|known| (levenshtein(known, name), known)).collect();
    near.retain(|(distance, _)| *distance <= 1 + name.len() / 4);
    near.sort_unstable();
    let near: Vec<&str> = near.into_iter().map(|(_, known)| known).take(3).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
    let name = visible(name);
    format!("--allow: there is no rule and no lint '{name}'{hint} (`tagwise verify --list-rules` lists them all)")
}

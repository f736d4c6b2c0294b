//! The certificate profiles that a server offers.

use std::sync::Arc;

use tagwise_ca::{Authority, Definition};

use crate::policy::Policy;

/// The end of the names of profiles for Merkle Tree Certificates.
pub(crate) const ENDING: &str = "-mtc";

/// A certificate profile that orders can name.
#[derive(Clone, Debug)]
pub struct NamedProfile {
    /// The name in orders.
    pub name: String,
    /// The description in the directory.
    pub description: String,
    /// The profile.
    pub definition: Arc<Definition>,
}

/// Returns the profiles that a server offers. If the CA has a log, each profile has a counterpart for Merkle Tree
/// Certificates, whose name ends in `-mtc`. The counterparts follow, or with `mtc-by-default` precede, the other profiles.
///
/// # Errors
/// The reason, if a name is reserved for a counterpart, or if the policy requires a log that the CA does not have.
pub fn offered_profiles(
    policy: &Policy,
    authority: &Authority,
    mut profiles: Vec<NamedProfile>,
) -> Result<Vec<NamedProfile>, String> {
    if authority.log().is_none() {
        let what = "mtc-by-default: the CA has no log; `tagwise ca init --mtc` creates a CA with one";
        return if policy.mtc_by_default { Err(what.to_owned()) } else { Ok(profiles) };
    }
    if let Some(profile) = profiles.iter().find(|profile| profile.name.ends_with(ENDING)) {
        return Err(format!("profiles: the name {} is reserved for Merkle Tree Certificates", profile.name));
    }
    let of = |profile: &NamedProfile| NamedProfile {
        name: format!("{}{ENDING}", profile.name),
        description: format!("Merkle Tree Certificate, {}", profile.description),
        definition: Arc::clone(&profile.definition),
    };
    let mut counterparts: Vec<NamedProfile> = profiles.iter().map(of).collect();
    if policy.mtc_by_default {
        std::mem::swap(&mut profiles, &mut counterparts);
    }
    profiles.append(&mut counterparts);
    Ok(profiles)
}

//! System users who are principals.

mod lookups;
mod shadow;

use std::time::Duration;

use tagwise_codec::UnixTime;
use tagwise_userdb::{Budget, Client, Error, MULTIPLEXER, UserQuery, UserRecord, blocking, nss};

use crate::policy::Users;

pub use lookups::{Lookups, Unanswered};

/// The maximum duration of a lookup.
const PATIENCE: Duration = Duration::from_secs(2);

/// A user's status in the realm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The user has a principal, which is valid until the account expires.
    Principal {
        /// The time at which the account expires.
        expires: Option<UnixTime>,
        /// The time by which the password must be changed.
        password_expires: Option<UnixTime>,
    },
    /// The user would be a principal, but the account is locked.
    Locked,
    /// The user does not exist, or is excluded by the policy.
    Unknown,
}

/// Looks up a user in the service configured in the policy, or otherwise in the host's own service. If none is running, the
/// host's files are used.
///
/// The lookup takes at most two seconds. For programs that cannot wait that long, use [`Lookups`].
///
/// # Errors
///
/// Returns an error if the service does not answer, or its answer is invalid.
pub fn standing(policy: &Users, name: &str) -> Result<Standing, Error> {
    // Names that cannot be user names are not looked up.
    if !is_plain(name) {
        return Ok(Standing::Unknown);
    }
    match find(policy, name) {
        Ok(user) => judge(policy, name, &user),
        Err(error) if error.is_not_found() => Ok(Standing::Unknown),
        Err(error) => Err(error),
    }
}

/// Looks up a user only in the host's own files, which remain available when the user service is not. Returns `None` if
/// they do not contain the user, or if the policy configures its own service.
///
/// # Errors
///
/// Returns an error if the files cannot be read.
pub fn local_standing(policy: &Users, name: &str) -> Result<Option<Standing>, Error> {
    if policy.socket.is_some() || !is_plain(name) {
        return Ok(None);
    }
    match shadow::uid(name).map_err(Error::Io)? {
        Some(uid) => judge(policy, name, &UserRecord { uid: Some(uid), ..UserRecord::new(name) }).map(Some),
        None => Ok(None),
    }
}

/// Determines the status of a user from the user's record.
fn judge(policy: &Users, name: &str, user: &UserRecord) -> Result<Standing, Error> {
    if user.user_name != name || !user.uid.is_some_and(|uid| policy.takes(name, uid)) {
        return Ok(Standing::Unknown);
    }
    // The service of a policy has its own users; all others may be in the host's tables, whose locked passwords (`passwd -l`) records
    // of systemd do not show.
    let shadow =
        if policy.socket.is_none() { shadow::read(name).map_err(Error::Io)? } else { None }.unwrap_or_default();
    if user.locked == Some(true) || shadow.is_locked {
        return Ok(Standing::Locked);
    }
    let until = user.not_after.map(|micros| UnixTime(i64::try_from(micros / 1_000_000).unwrap_or(i64::MAX)));
    // JSON User Records say so for a user who has to change the password at the next login.
    let must_change = user.rest.get("passwordChangeNow").and_then(|value| value.as_bool()) == Some(true);
    let password_expires = if must_change { Some(UnixTime(1)) } else { shadow.password_expires };
    Ok(Standing::Principal { expires: [until, shadow.expires].into_iter().flatten().min(), password_expires })
}

fn find(policy: &Users, name: &str) -> Result<UserRecord, Error> {
    let query = UserQuery::name(name);
    let client = policy.socket.as_ref().map_or_else(Client::multiplexer, |path| Client::at(path, MULTIPLEXER));
    let answer = blocking::Client::new(client.with_budget(Budget::DEFAULT.with_time(PATIENCE)))?.user(&query);
    match answer {
        Err(error @ Error::NoService(_)) if policy.socket.is_none() => nss::user(&query)?.ok_or(error),
        answer => answer,
    }
}

/// Returns whether a user's name has no special characters for principals.
fn is_plain(name: &str) -> bool {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !name.is_empty() && name.len() <= 255 && !name.starts_with('-') && name.bytes().all(good)
}

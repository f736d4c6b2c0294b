//! Users of the system who are principals.

use std::time::Duration;

use tagwise_userdb::{Budget, Client, Error, MULTIPLEXER, UserQuery, UserRecord, blocking, nss};

use crate::policy::Users;

/// A KDC answers nobody else while it asks, so that an answer must come soon.
const PATIENCE: Duration = Duration::from_secs(2);

/// Returns whether a name is a user of the system who is a principal.
///
/// The service of the policy is asked, or else the host's own, and the host's tables where none runs.
///
/// # Errors
///
/// A service that does not answer, or answers with something else.
pub fn is_principal(policy: &Users, name: &str) -> Result<bool, Error> {
    // A name that is none of a user's is not asked for.
    if !is_plain(name) {
        return Ok(false);
    }
    match find(policy, name) {
        Ok(user) => Ok(user.user_name == name
            && user.uid.is_some_and(|uid| policy.takes(name, uid))
            && !user.locked.unwrap_or(false)),
        Err(error) if error.is_not_found() => Ok(false),
        Err(error) => Err(error),
    }
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

/// Returns whether a user's name means nothing else in a principal.
fn is_plain(name: &str) -> bool {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !name.is_empty() && name.len() <= 255 && !name.starts_with('-') && name.bytes().all(good)
}

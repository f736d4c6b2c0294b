//! User records of the host.

use tagwise_userdb::UserRecord;

/// A user record from a service. Values returned by its functions are borrowed from it, except for buffers. Immutable:
/// threads may share it.
pub struct tagwise_user(pub(crate) UserRecord);

/// A list of users. Immutable: threads may share it.
pub struct tagwise_users(pub(crate) Vec<tagwise_user>);

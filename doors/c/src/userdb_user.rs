//! Users of the host: their records.

use tagwise_userdb::UserRecord;

/// A user record of a service. Values that its functions return are borrowed from it unless it is a buffer. Immutable: threads may share it.
pub struct tagwise_user(pub(crate) UserRecord);

/// Users. Immutable: threads may share it.
pub struct tagwise_users(pub(crate) Vec<tagwise_user>);

//! Group records of the host.

use tagwise_userdb::GroupRecord;

/// A group record from a service. Values returned by its functions are borrowed from it, except for buffers. Immutable:
/// threads may share it.
pub struct tagwise_group(pub(crate) GroupRecord);

/// A list of groups. Immutable: threads may share it.
pub struct tagwise_groups(pub(crate) Vec<tagwise_group>);

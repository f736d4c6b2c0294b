//! Groups of the host: their records.

use tagwise_userdb::GroupRecord;

/// A group record of a service. Values that its functions return are borrowed from it unless it is a buffer. Immutable: threads may share it.
pub struct tagwise_group(pub(crate) GroupRecord);

/// Groups. Immutable: threads may share it.
pub struct tagwise_groups(pub(crate) Vec<tagwise_group>);

//! Group records of the host.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise_userdb::GroupRecord;

use crate::bytes::{Wiped, given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::error::{Problem, tagwise_error};
use crate::userdb::bit;

/// A group record from a service. Values returned by its functions are borrowed from it, except for buffers. Immutable:
/// threads may share it.
pub struct tagwise_group(pub(crate) GroupRecord);

/// A list of groups. Immutable: threads may share it.
pub struct tagwise_groups(pub(crate) Vec<tagwise_group>);

/// Frees a group; NULL is allowed. A group in a list is freed with the list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_free(group: Option<Box<tagwise_group>>) {
    guard!(drop(group))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_groups_free(groups: Option<Box<tagwise_groups>>) {
    guard!(drop(groups))
}

/// Returns the number of groups in a list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_groups_count(groups: Option<&tagwise_groups>) -> usize {
    guard!(groups.map_or(0, |groups| groups.0.len()))
}

/// Returns the group at the given index, borrowed from the list, or NULL after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_groups_at(groups: Option<&tagwise_groups>, index: usize) -> *const tagwise_group {
    guard!(groups.and_then(|groups| groups.0.get(index)).map_or(std::ptr::null(), std::ptr::from_ref))
}

/// Returns whether the group has the given name, either as its name or as `name@realm`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_has_name(
    group: Option<&tagwise_group>,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, Ok(given(group, "group")?.0.has_name(terminated(name, "name")?)))
}

/// Returns the name.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_name(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.map(|group| group.0.group_name.as_bytes())))
}

/// Returns the realm of a group that is shared by several hosts. Absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_realm(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.and_then(|group| Some(group.0.realm.as_ref()?.as_bytes()))))
}

/// Returns the human-readable description. Absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_description(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.and_then(|group| Some(group.0.description.as_ref()?.as_bytes()))))
}

/// Returns the service that manages the record. Absent if it is not specified.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_service(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.and_then(|group| Some(group.0.service.as_ref()?.as_bytes()))))
}

/// Returns the name of the member at the given index. Absent after the last one. Other services may report further
/// memberships: see tagwise_userdb_client_memberships().
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_member(group: Option<&tagwise_group>, index: usize) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.and_then(|group| Some(group.0.members.get(index)?.as_bytes()))))
}

/// Returns the name of the administrator at the given index, who may change the group. Absent after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_administrator(group: Option<&tagwise_group>, index: usize) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.and_then(|group| Some(group.0.administrators.get(index)?.as_bytes()))))
}

/// Reads the group ID (GID). Returns false if the group has none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_gid(group: Option<&tagwise_group>, gid: Option<&mut MaybeUninit<u32>>) -> bool {
    guard!(group.and_then(|group| group.0.gid).is_some_and(|found| {
        put(gid, found);
        true
    }))
}

/// Returns the kind, a bit of enum tagwise_disposition, or 0 if the record does not specify it.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_disposition(group: Option<&tagwise_group>) -> u32 {
    guard!(group.map_or(0, |group| bit(group.0.disposition)))
}

/// Returns whether the service withheld fields from this caller.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_is_incomplete(group: Option<&tagwise_group>) -> bool {
    guard!(group.is_some_and(|group| group.0.incomplete))
}

/// Returns the record as systemd's JSON, including fields unknown to this library. Privileged fields, such as password
/// hashes, are omitted unless `privileged` is true. In that case, the buffer is overwritten when it is freed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_json(
    group: Option<&tagwise_group>,
    privileged: bool,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let group = given(group, "group")?;
        let written =
            if privileged { serde_json::to_vec(&group.0) } else { serde_json::to_vec(&group.0.clone().public()) };
        let written = Wiped(written.map_err(|error| Problem::internal(&error.to_string()))?);
        Ok(if privileged { tagwise_buffer::secret(&written.0) } else { tagwise_buffer::new(written.0.clone()) })
    })
}

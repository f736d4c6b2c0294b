//! Groups of the host: their records.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise_userdb::GroupRecord;

use crate::bytes::{Wiped, given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::error::{Problem, tagwise_error};
use crate::userdb::bit;

/// A group record of a service. Values that its functions return are borrowed from it unless it is a buffer. Immutable: threads may share it.
pub struct tagwise_group(pub(crate) GroupRecord);

/// Groups. Immutable: threads may share it.
pub struct tagwise_groups(pub(crate) Vec<tagwise_group>);

/// Frees a group; NULL is allowed. One of a list is freed with the list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_free(group: Option<Box<tagwise_group>>) {
    guard!(drop(group))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_groups_free(groups: Option<Box<tagwise_groups>>) {
    guard!(drop(groups))
}

/// The number of groups in a list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_groups_count(groups: Option<&tagwise_groups>) -> usize {
    guard!(groups.map_or(0, |groups| groups.0.len()))
}

/// The group with this index, borrowed from the list; NULL after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_groups_at(groups: Option<&tagwise_groups>, index: usize) -> *const tagwise_group {
    guard!(groups.and_then(|groups| groups.0.get(index)).map_or(std::ptr::null(), std::ptr::from_ref))
}

/// Returns whether the group goes by that name: the name itself, or `name@realm`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_has_name(
    group: Option<&tagwise_group>,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, Ok(given(group, "group")?.0.has_name(terminated(name, "name")?)))
}

/// The name.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_name(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.map(|group| group.0.group_name.as_bytes())))
}

/// The realm, of groups of several hosts; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_realm(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.and_then(|group| Some(group.0.realm.as_ref()?.as_bytes()))))
}

/// The readable description; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_description(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.and_then(|group| Some(group.0.description.as_ref()?.as_bytes()))))
}

/// The service that manages the record; absent if it is not given.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_service(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.and_then(|group| Some(group.0.service.as_ref()?.as_bytes()))))
}

/// The member with this index, by name; absent after the last one. Memberships may also be known to other services: see
/// tagwise_userdb_client_memberships().
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_member(group: Option<&tagwise_group>, index: usize) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.and_then(|group| Some(group.0.members.get(index)?.as_bytes()))))
}

/// The name of the administrator with that index, who may change the group; absent after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_administrator(group: Option<&tagwise_group>, index: usize) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(group.and_then(|group| Some(group.0.administrators.get(index)?.as_bytes()))))
}

/// Gives the number of the group; false if it has none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_gid(group: Option<&tagwise_group>, gid: Option<&mut MaybeUninit<u32>>) -> bool {
    guard!(group.and_then(|group| group.0.gid).is_some_and(|found| {
        put(gid, found);
        true
    }))
}

/// The kind, a bit of enum tagwise_disposition; 0 if the record does not give it.
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

/// The record as systemd's JSON, including fields unknown to this library. Privileged fields, such as password hashes, are omitted unless
/// `privileged` is true; the buffer is then overwritten when it is freed.
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

//! Functions of the host's users and groups.
//!
//! Written by `./x c header` from `functions.tsv`: change the table, not this file.

#![allow(unused_imports, reason = "every file imports the same types")]
#![allow(clippy::useless_conversion, clippy::needless_question_mark, reason = "expressions have several types")]

use std::ffi::c_char;
use std::mem::MaybeUninit;

use crate::bytes::{given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::certificate::tagwise_certificate;
use crate::error::tagwise_error;
use crate::held::Extent;
use crate::options::{deviation, tagwise_deviation, tagwise_options};
use crate::userdb::{bit, recorded};
use crate::userdb_group::{tagwise_group, tagwise_groups};
use crate::userdb_user::{tagwise_user, tagwise_users};
use tagwise::codec::Decode as _;

/// Frees a record; NULL is allowed. A record in a list must not be freed: it is freed with the list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_free(user: Option<Box<tagwise_user>>) {
    guard!(drop(user))
}

/// Frees a record; NULL is allowed. A record in a list must not be freed: it is freed with the list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_free(group: Option<Box<tagwise_group>>) {
    guard!(drop(group))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_users_free(users: Option<Box<tagwise_users>>) {
    guard!(drop(users))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_groups_free(groups: Option<Box<tagwise_groups>>) {
    guard!(drop(groups))
}

/// Returns the number of records in a list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_users_count(users: Option<&tagwise_users>) -> usize {
    guard!(users.map_or(0, |users| users.0.len()))
}

/// Returns the number of records in a list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_groups_count(groups: Option<&tagwise_groups>) -> usize {
    guard!(groups.map_or(0, |groups| groups.0.len()))
}

/// Returns the user at the given index, borrowed from the list; NULL after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_users_at(users: Option<&tagwise_users>, index: usize) -> *const tagwise_user {
    guard!(users.and_then(|users| users.0.get(index)).map_or(std::ptr::null(), std::ptr::from_ref))
}

/// Returns the group at the given index, borrowed from the list; NULL after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_groups_at(groups: Option<&tagwise_groups>, index: usize) -> *const tagwise_group {
    guard!(groups.and_then(|groups| groups.0.get(index)).map_or(std::ptr::null(), std::ptr::from_ref))
}

/// Returns whether the user has the given name: as user name, alias, or `name@realm`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_has_name(
    user: Option<&tagwise_user>,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let user = given(user, "user")?;
        let name = terminated(name, "name")?;
        Ok(user.0.has_name(name))
    })
}

/// Returns whether the group has the given name: as group name or `name@realm`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_has_name(
    group: Option<&tagwise_group>,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let group = given(group, "group")?;
        let name = terminated(name, "name")?;
        Ok(group.0.has_name(name))
    })
}

/// Returns the user name.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_name(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(user.map_or(tagwise_bytes::NONE, |user| tagwise_bytes::from(user.0.user_name.as_str())))
}

/// Returns the group name.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_name(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(group.map_or(tagwise_bytes::NONE, |group| tagwise_bytes::from(group.0.group_name.as_str())))
}

/// Returns the realm in which the user is defined, if it covers several hosts; otherwise absent.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_realm(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(user.map_or(tagwise_bytes::NONE, |user| tagwise_bytes::from(user.0.realm.as_deref())))
}

/// Returns the realm in which the group is defined, if it covers several hosts; otherwise absent.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_realm(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(group.map_or(tagwise_bytes::NONE, |group| tagwise_bytes::from(group.0.realm.as_deref())))
}

/// Returns the user's display name; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_real_name(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(user.map_or(tagwise_bytes::NONE, |user| tagwise_bytes::from(user.0.real_name.as_deref())))
}

/// Returns the user's email address; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_email(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(user.map_or(tagwise_bytes::NONE, |user| tagwise_bytes::from(user.0.email_address.as_deref())))
}

/// Returns the home directory's path; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_home(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(user.map_or(tagwise_bytes::NONE, |user| tagwise_bytes::from(user.0.home_directory.as_deref())))
}

/// Returns the login shell's path; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_shell(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(user.map_or(tagwise_bytes::NONE, |user| tagwise_bytes::from(user.0.shell.as_deref())))
}

/// Returns the group's description, for display; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_description(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(group.map_or(tagwise_bytes::NONE, |group| tagwise_bytes::from(group.0.description.as_deref())))
}

/// Returns the name of the service that manages the record; absent if the record does not give it.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_service(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(user.map_or(tagwise_bytes::NONE, |user| tagwise_bytes::from(user.0.service.as_deref())))
}

/// Returns the name of the service that manages the record; absent if the record does not give it.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_service(group: Option<&tagwise_group>) -> tagwise_bytes {
    guard!(group.map_or(tagwise_bytes::NONE, |group| tagwise_bytes::from(group.0.service.as_deref())))
}

/// Returns the user's alias at the given index; absent after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_alias(user: Option<&tagwise_user>, index: usize) -> tagwise_bytes {
    guard!(user.map_or(tagwise_bytes::NONE, |user| tagwise_bytes::from(user.0.aliases.get(index).map(String::as_str))))
}

/// Returns the name of the supplementary group at the given index; absent after the last one. Other services may know more
/// memberships: see tagwise_userdb_client_memberships().
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_member_of(user: Option<&tagwise_user>, index: usize) -> tagwise_bytes {
    guard!(
        user.map_or(tagwise_bytes::NONE, |user| tagwise_bytes::from(user.0.member_of.get(index).map(String::as_str)))
    )
}

/// Returns the name of the member at the given index; absent after the last one. Other services may know more memberships: see
/// tagwise_userdb_client_memberships().
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_member(group: Option<&tagwise_group>, index: usize) -> tagwise_bytes {
    guard!(
        group.map_or(tagwise_bytes::NONE, |group| tagwise_bytes::from(group.0.members.get(index).map(String::as_str)))
    )
}

/// Returns the name of the group administrator at the given index; absent after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_administrator(group: Option<&tagwise_group>, index: usize) -> tagwise_bytes {
    guard!(group.map_or(tagwise_bytes::NONE, |group| tagwise_bytes::from(
        group.0.administrators.get(index).map(String::as_str)
    )))
}

/// Gets the user's UID. Returns false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_uid(user: Option<&tagwise_user>, uid: Option<&mut MaybeUninit<u32>>) -> bool {
    guard!(user.and_then(|user| user.0.uid).is_some_and(|found_uid| {
        put(uid, found_uid);
        true
    }))
}

/// Gets the GID of the user's primary group. Returns false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_gid(user: Option<&tagwise_user>, gid: Option<&mut MaybeUninit<u32>>) -> bool {
    guard!(user.and_then(|user| user.0.gid).is_some_and(|found_gid| {
        put(gid, found_gid);
        true
    }))
}

/// Gets the group's GID. Returns false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_gid(group: Option<&tagwise_group>, gid: Option<&mut MaybeUninit<u32>>) -> bool {
    guard!(group.and_then(|group| group.0.gid).is_some_and(|found_gid| {
        put(gid, found_gid);
        true
    }))
}

/// Gets the time before which login is not allowed, in microseconds since 1970. Returns false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_not_before(user: Option<&tagwise_user>, value: Option<&mut MaybeUninit<u64>>) -> bool {
    guard!(user.and_then(|user| user.0.not_before).is_some_and(|found_value| {
        put(value, found_value);
        true
    }))
}

/// Gets the time from which login is not allowed, in microseconds since 1970. Returns false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_not_after(user: Option<&tagwise_user>, value: Option<&mut MaybeUninit<u64>>) -> bool {
    guard!(user.and_then(|user| user.0.not_after).is_some_and(|found_value| {
        put(value, found_value);
        true
    }))
}

/// Returns whether the account is locked, so that the user may not log in.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_is_locked(user: Option<&tagwise_user>) -> bool {
    guard!(user.is_some_and(|user| user.0.locked == Some(true)))
}

/// Returns the disposition, such as system or regular, as a bit of enum tagwise_disposition; 0 if the record does not give it.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_disposition(user: Option<&tagwise_user>) -> u32 {
    guard!(user.map_or(0, |user| bit(user.0.disposition)))
}

/// Returns the disposition, such as system or regular, as a bit of enum tagwise_disposition; 0 if the record does not give it.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_disposition(group: Option<&tagwise_group>) -> u32 {
    guard!(group.map_or(0, |group| bit(group.0.disposition)))
}

/// Returns whether the service withheld fields from this caller.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_is_incomplete(user: Option<&tagwise_user>) -> bool {
    guard!(user.is_some_and(|user| user.0.incomplete))
}

/// Returns whether the service withheld fields from this caller.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_is_incomplete(group: Option<&tagwise_group>) -> bool {
    guard!(group.is_some_and(|group| group.0.incomplete))
}

/// Formats the record as systemd's JSON, including fields unknown to this library. Privileged fields, such as password hashes, are
/// included only if `privileged` is true. The buffer is overwritten when it is freed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_json(
    user: Option<&tagwise_user>,
    privileged: bool,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let user = given(user, "user")?;
        Ok(recorded(|| serde_json::to_vec(&user.0), || serde_json::to_vec(&user.0.clone().public()), privileged)?)
    })
}

/// Formats the record as systemd's JSON, including fields unknown to this library. Privileged fields, such as password hashes, are
/// included only if `privileged` is true. The buffer is overwritten when it is freed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_json(
    group: Option<&tagwise_group>,
    privileged: bool,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let group = given(group, "group")?;
        Ok(recorded(|| serde_json::to_vec(&group.0), || serde_json::to_vec(&group.0.clone().public()), privileged)?)
    })
}

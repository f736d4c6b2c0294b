//! User records of the host.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise_userdb::UserRecord;

use crate::bytes::{Wiped, given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::error::{Problem, tagwise_error};
use crate::userdb::bit;

/// A user record from a service. Values returned by its functions are borrowed from it, except for buffers. Immutable:
/// threads may share it.
pub struct tagwise_user(pub(crate) UserRecord);

/// A list of users. Immutable: threads may share it.
pub struct tagwise_users(pub(crate) Vec<tagwise_user>);

/// Frees a user; NULL is allowed. A user in a list is freed with the list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_free(user: Option<Box<tagwise_user>>) {
    guard!(drop(user))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_users_free(users: Option<Box<tagwise_users>>) {
    guard!(drop(users))
}

/// Returns the number of users in a list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_users_count(users: Option<&tagwise_users>) -> usize {
    guard!(users.map_or(0, |users| users.0.len()))
}

/// Returns the user at the given index, borrowed from the list, or NULL after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_users_at(users: Option<&tagwise_users>, index: usize) -> *const tagwise_user {
    guard!(users.and_then(|users| users.0.get(index)).map_or(std::ptr::null(), std::ptr::from_ref))
}

/// Returns whether the user has the given name: the login name, an alias, or `name@realm`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_has_name(
    user: Option<&tagwise_user>,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, Ok(given(user, "user")?.0.has_name(terminated(name, "name")?)))
}

/// Returns the login name.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_name(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.map(|user| user.0.user_name.as_bytes())))
}

/// Returns the realm of a user that is shared by several hosts. Absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_realm(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.realm.as_ref()?.as_bytes()))))
}

/// Returns the display name. Absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_real_name(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.real_name.as_ref()?.as_bytes()))))
}

/// Returns the email address. Absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_email(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.email_address.as_ref()?.as_bytes()))))
}

/// Returns the home directory. Absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_home(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.home_directory.as_ref()?.as_bytes()))))
}

/// Returns the login shell. Absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_shell(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.shell.as_ref()?.as_bytes()))))
}

/// Returns the service that manages the record. Absent if it is not specified.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_service(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.service.as_ref()?.as_bytes()))))
}

/// Returns the alias at the given index. Absent after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_alias(user: Option<&tagwise_user>, index: usize) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.aliases.get(index)?.as_bytes()))))
}

/// Returns the name of the supplementary group at the given index. Absent after the last one. Further memberships may be
/// recorded only by the groups' services.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_member_of(user: Option<&tagwise_user>, index: usize) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.member_of.get(index)?.as_bytes()))))
}

/// Reads the user ID (UID). Returns false if the user has none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_uid(user: Option<&tagwise_user>, uid: Option<&mut MaybeUninit<u32>>) -> bool {
    guard!(user.and_then(|user| user.0.uid).is_some_and(|found| {
        put(uid, found);
        true
    }))
}

/// Reads the primary group's ID (GID). Returns false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_gid(user: Option<&tagwise_user>, gid: Option<&mut MaybeUninit<u32>>) -> bool {
    guard!(user.and_then(|user| user.0.gid).is_some_and(|found| {
        put(gid, found);
        true
    }))
}

/// Reads the time before which login is not allowed, in microseconds since 1970. Returns false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_not_before(user: Option<&tagwise_user>, value: Option<&mut MaybeUninit<u64>>) -> bool {
    guard!(user.and_then(|user| user.0.not_before).is_some_and(|found| {
        put(value, found);
        true
    }))
}

/// Reads the time from which login is not allowed, in microseconds since 1970. Returns false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_not_after(user: Option<&tagwise_user>, value: Option<&mut MaybeUninit<u64>>) -> bool {
    guard!(user.and_then(|user| user.0.not_after).is_some_and(|found| {
        put(value, found);
        true
    }))
}

/// Returns whether the record is locked, so that the user cannot log in.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_is_locked(user: Option<&tagwise_user>) -> bool {
    guard!(user.is_some_and(|user| user.0.locked == Some(true)))
}

/// Returns the kind, a bit of enum tagwise_disposition, or 0 if the record does not specify it.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_disposition(user: Option<&tagwise_user>) -> u32 {
    guard!(user.map_or(0, |user| bit(user.0.disposition)))
}

/// Returns whether the service withheld fields from this caller.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_is_incomplete(user: Option<&tagwise_user>) -> bool {
    guard!(user.is_some_and(|user| user.0.incomplete))
}

/// Returns the record as systemd's JSON, including fields unknown to this library. Privileged fields, such as password
/// hashes, are omitted unless `privileged` is true. In that case, the buffer is overwritten when it is freed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_json(
    user: Option<&tagwise_user>,
    privileged: bool,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let user = given(user, "user")?;
        let written =
            if privileged { serde_json::to_vec(&user.0) } else { serde_json::to_vec(&user.0.clone().public()) };
        let written = Wiped(written.map_err(|error| Problem::internal(&error.to_string()))?);
        Ok(if privileged { tagwise_buffer::secret(&written.0) } else { tagwise_buffer::new(written.0.clone()) })
    })
}

//! Users of the host: their records.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise_userdb::UserRecord;

use crate::bytes::{Wiped, given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::error::{Problem, tagwise_error};
use crate::userdb::bit;

/// A user record of a service. Values that its functions return are borrowed from it unless it is a buffer. Immutable: threads may share it.
pub struct tagwise_user(pub(crate) UserRecord);

/// Users. Immutable: threads may share it.
pub struct tagwise_users(pub(crate) Vec<tagwise_user>);

/// Frees a user; NULL is allowed. One of a list is freed with the list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_free(user: Option<Box<tagwise_user>>) {
    guard!(drop(user))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_users_free(users: Option<Box<tagwise_users>>) {
    guard!(drop(users))
}

/// The number of users in a list.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_users_count(users: Option<&tagwise_users>) -> usize {
    guard!(users.map_or(0, |users| users.0.len()))
}

/// The user with this index, borrowed from the list; NULL after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_users_at(users: Option<&tagwise_users>, index: usize) -> *const tagwise_user {
    guard!(users.and_then(|users| users.0.get(index)).map_or(std::ptr::null(), std::ptr::from_ref))
}

/// Returns whether the user goes by that name: the name itself, an alias, or `name@realm`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_has_name(
    user: Option<&tagwise_user>,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, Ok(given(user, "user")?.0.has_name(terminated(name, "name")?)))
}

/// The login name.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_name(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.map(|user| user.0.user_name.as_bytes())))
}

/// The realm, of users of several hosts; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_realm(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.realm.as_ref()?.as_bytes()))))
}

/// The display name; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_real_name(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.real_name.as_ref()?.as_bytes()))))
}

/// The address for mail; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_email(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.email_address.as_ref()?.as_bytes()))))
}

/// The home directory; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_home(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.home_directory.as_ref()?.as_bytes()))))
}

/// The login shell; absent if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_shell(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.shell.as_ref()?.as_bytes()))))
}

/// The service that manages the record; absent if it is not given.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_service(user: Option<&tagwise_user>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.service.as_ref()?.as_bytes()))))
}

/// The alias with this index; absent after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_alias(user: Option<&tagwise_user>, index: usize) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.aliases.get(index)?.as_bytes()))))
}

/// The supplementary group with this index, by name; absent after the last one. Memberships may also be known to the groups' services
/// alone.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_member_of(user: Option<&tagwise_user>, index: usize) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(user.and_then(|user| Some(user.0.member_of.get(index)?.as_bytes()))))
}

/// Gives the number of the user; false if it has none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_uid(user: Option<&tagwise_user>, uid: Option<&mut MaybeUninit<u32>>) -> bool {
    guard!(user.and_then(|user| user.0.uid).is_some_and(|found| {
        put(uid, found);
        true
    }))
}

/// Gives the number of the primary group; false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_gid(user: Option<&tagwise_user>, gid: Option<&mut MaybeUninit<u32>>) -> bool {
    guard!(user.and_then(|user| user.0.gid).is_some_and(|found| {
        put(gid, found);
        true
    }))
}

/// Gives the earliest time of a login, in microseconds since 1970; false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_not_before(user: Option<&tagwise_user>, value: Option<&mut MaybeUninit<u64>>) -> bool {
    guard!(user.and_then(|user| user.0.not_before).is_some_and(|found| {
        put(value, found);
        true
    }))
}

/// Gives the time from which login is not allowed, in microseconds since 1970; false if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_not_after(user: Option<&tagwise_user>, value: Option<&mut MaybeUninit<u64>>) -> bool {
    guard!(user.and_then(|user| user.0.not_after).is_some_and(|found| {
        put(value, found);
        true
    }))
}

/// Returns whether the record is locked: the user may not log in.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_is_locked(user: Option<&tagwise_user>) -> bool {
    guard!(user.is_some_and(|user| user.0.locked == Some(true)))
}

/// The kind, a bit of enum tagwise_disposition; 0 if the record does not give it.
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

/// The record as systemd's JSON, including fields unknown to this library. Privileged fields, such as password hashes, are omitted unless
/// `privileged` is true; the buffer is then overwritten when it is freed.
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

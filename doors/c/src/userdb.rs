//! A client for the host's user and group records, over Varlink.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::time::Duration;

use tagwise_userdb::{
    Budget, Client, Disposition, Error, Filter, GroupQuery, Membership, MembershipQuery, UserQuery, blocking,
};

use crate::bytes::{List, Wiped, given, tagwise_buffer, tagwise_bytes, terminated};
use crate::error::{Problem, tagwise_error, tagwise_error_kind};
use crate::userdb_group::{tagwise_group, tagwise_groups};
use crate::userdb_user::{tagwise_user, tagwise_users};

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::new(tagwise_error_kind::Service, error.code(), error.to_string())
    }
}

/// Converts the error for a missing record to `None`.
fn unless_missing<T>(answer: Result<T, Error>) -> Result<Option<T>, Problem> {
    match answer {
        Err(error) if error.is_not_found() => Ok(None),
        answer => Ok(Some(answer?)),
    }
}

fn optional<'a>(text: *const c_char, what: &str) -> Result<Option<&'a str>, Problem> {
    if text.is_null() { Ok(None) } else { terminated(text, what).map(Some) }
}

fn user_query(name: *const c_char, uid: Option<&u32>) -> Result<UserQuery, Problem> {
    let name = optional(name, "name")?.map(str::to_owned);
    if name.is_none() && uid.is_none() {
        return Err(Problem::argument("expected a name or a number"));
    }
    Ok(UserQuery { name, uid: uid.copied(), ..UserQuery::all() })
}

fn group_query(name: *const c_char, gid: Option<&u32>) -> Result<GroupQuery, Problem> {
    let name = optional(name, "name")?.map(str::to_owned);
    if name.is_none() && gid.is_none() {
        return Err(Problem::argument("expected a name or a number"));
    }
    Ok(GroupQuery { name, gid: gid.copied(), ..GroupQuery::all() })
}

/// Looks up a user by name and UID, either of which may be NULL. Queries the host's multiplexing service or, if it is not
/// running, the host's own user tables (NSS). Returns NULL, without setting an error, if there is no such user. The call waits
/// at most ten seconds for the reply.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_user_find(
    name: *const c_char,
    uid: Option<&u32>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_user>> {
    guard!(error, {
        let found = unless_missing(blocking::find_user(&user_query(name, uid)?))?;
        Ok(found.map(|user| Box::new(tagwise_user(user))))
    })
}

/// Looks up a group by name and GID, like tagwise_user_find().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_group_find(
    name: *const c_char,
    gid: Option<&u32>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_group>> {
    guard!(error, {
        let found = unless_missing(blocking::find_group(&group_query(name, gid)?))?;
        Ok(found.map(|group| Box::new(tagwise_group(group))))
    })
}

/// A client for one user database service (io.systemd.UserDatabase) and its socket. Each query opens its own connection.
/// Threads may share it unless its budget is being set.
pub struct tagwise_userdb_client(Client);

impl tagwise_userdb_client {
    fn client(&self) -> Result<blocking::Client, Problem> {
        Ok(blocking::Client::new(self.0.clone())?)
    }
}

/// Creates a client for the named service. If `service` is NULL, it is `io.systemd.Multiplexer`, which combines all others.
/// `path` is its socket; NULL means the default socket in /run/systemd/userdb. No query is sent yet.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_userdb_client_new(
    service: *const c_char,
    path: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_userdb_client>> {
    guard!(error, {
        let service = optional(service, "service")?.unwrap_or(tagwise_userdb::MULTIPLEXER);
        if service.contains('/') {
            return Err(Problem::argument("the name of a service must not contain a slash"));
        }
        let client = match optional(path, "path")? {
            Some(path) => Client::at(path, service),
            None => Client::service(service),
        };
        Ok(Some(Box::new(tagwise_userdb_client(client))))
    })
}

/// Frees a client; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_userdb_client_free(client: Option<Box<tagwise_userdb_client>>) {
    guard!(drop(client))
}

/// Limits each query: the maximum time in milliseconds, and the maximum number of bytes and records in the reply. 0 selects
/// the default: ten seconds, 256 MiB or one million records.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_userdb_client_set_budget(
    client: Option<&mut tagwise_userdb_client>,
    milliseconds: u32,
    bytes: usize,
    records: usize,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let client = given(client, "client")?;
        let mut budget = Budget::DEFAULT;
        if milliseconds != 0 {
            budget = budget.with_time(Duration::from_millis(milliseconds.into()));
        }
        if bytes != 0 {
            budget = budget.with_bytes(bytes);
        }
        if records != 0 {
            budget = budget.with_records(records);
        }
        client.0 = client.0.clone().with_budget(budget);
        Ok(true)
    })
}

/// Kinds of users and groups, as bit flags.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tagwise_disposition {
    /// The users `root` and `nobody`, and their groups.
    Intrinsic = 1,
    /// Users of the system's own services.
    System = 2,
    /// Temporary users of a service, which exist while it runs.
    Dynamic = 4,
    /// People.
    Regular = 8,
    /// Users of containers.
    Container = 16,
    /// Reserved UIDs and GIDs.
    Reserved = 32,
    /// Users of another namespace.
    Foreign = 64,
    /// A kind that this library does not recognize.
    Other = 128,
}

/// Returns the bit of a kind, or 0 for none.
pub(crate) fn bit(disposition: Option<Disposition>) -> u32 {
    let Some(disposition) = disposition else { return 0 };
    let known = KINDS.iter().find(|(_, kind)| *kind == disposition);
    known.map_or(tagwise_disposition::Other, |(bit, _)| *bit) as u32
}

const KINDS: [(tagwise_disposition, Disposition); 7] = [
    (tagwise_disposition::Intrinsic, Disposition::Intrinsic),
    (tagwise_disposition::System, Disposition::System),
    (tagwise_disposition::Dynamic, Disposition::Dynamic),
    (tagwise_disposition::Regular, Disposition::Regular),
    (tagwise_disposition::Container, Disposition::Container),
    (tagwise_disposition::Reserved, Disposition::Reserved),
    (tagwise_disposition::Foreign, Disposition::Foreign),
];

/// A filter for users or groups. A zeroed filter accepts all records.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_userdb_filter {
    /// Substrings, at least one of which must occur in the name. NULL accepts any name.
    names: *const *const c_char,
    /// The number of substrings.
    name_count: usize,
    /// The accepted kinds, as bits of enum tagwise_disposition; 0 for any.
    dispositions: u32,
    /// The minimum UID or GID.
    min: u32,
    /// The maximum UID or GID; 0 for no limit.
    max: u32,
}

impl tagwise_userdb_filter {
    /// Returns the filter, and the minimum and maximum UID or GID.
    fn get(given: Option<&Self>) -> Result<(Filter, Option<u32>, Option<u32>), Problem> {
        let Some(given) = given else { return Ok((Filter::default(), None, None)) };
        let known: u32 = KINDS.iter().map(|(bit, _)| *bit as u32).sum();
        if given.dispositions & !known != 0 {
            return Err(Problem::argument("the dispositions contain a bit that cannot be selected"));
        }
        let kinds = KINDS.iter().filter(|(bit, _)| given.dispositions & *bit as u32 != 0).map(|(_, kind)| *kind);
        let names = List::new(given.names, given.name_count);
        let names: Vec<String> = names
            .get()?
            .iter()
            .map(|name| terminated(*name, "a name of the filter").map(str::to_owned))
            .collect::<Result<_, _>>()?;
        let filter = Filter {
            fuzzy_names: (!names.is_empty()).then_some(names),
            disposition_mask: (given.dispositions != 0).then(|| kinds.collect()),
            ..Filter::default()
        };
        Ok((filter, (given.min != 0).then_some(given.min), (given.max != 0).then_some(given.max)))
    }
}

/// Looks up a user by name and UID, either of which may be NULL. Returns NULL, without setting an error, if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_userdb_client_user(
    client: Option<&tagwise_userdb_client>,
    name: *const c_char,
    uid: Option<&u32>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_user>> {
    guard!(error, {
        let mut client = given(client, "client")?.client()?;
        let found = unless_missing(client.user(&user_query(name, uid)?))?;
        Ok(found.map(|user| Box::new(tagwise_user(user))))
    })
}

/// Returns the users that match the filter, or all users if it is NULL. The list is empty if there are none. Not every
/// service can list its records.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_userdb_client_users(
    client: Option<&tagwise_userdb_client>,
    filter: Option<&tagwise_userdb_filter>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_users>> {
    guard!(error, {
        let mut client = given(client, "client")?.client()?;
        let (filter, min, max) = tagwise_userdb_filter::get(filter)?;
        let query = UserQuery { filter: Filter { uid_min: min, uid_max: max, ..filter }, ..UserQuery::all() };
        let found = unless_missing(client.users(&query))?.unwrap_or_default();
        Ok(Some(Box::new(tagwise_users(found.into_iter().map(tagwise_user).collect()))))
    })
}

/// Looks up a group by name and GID, either of which may be NULL. Returns NULL, without setting an error, if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_userdb_client_group(
    client: Option<&tagwise_userdb_client>,
    name: *const c_char,
    gid: Option<&u32>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_group>> {
    guard!(error, {
        let mut client = given(client, "client")?.client()?;
        let found = unless_missing(client.group(&group_query(name, gid)?))?;
        Ok(found.map(|group| Box::new(tagwise_group(group))))
    })
}

/// Returns the groups that match the filter, or all groups if it is NULL. The list is empty if there are none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_userdb_client_groups(
    client: Option<&tagwise_userdb_client>,
    filter: Option<&tagwise_userdb_filter>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_groups>> {
    guard!(error, {
        let mut client = given(client, "client")?.client()?;
        let (filter, min, max) = tagwise_userdb_filter::get(filter)?;
        let query = GroupQuery { filter: Filter { gid_min: min, gid_max: max, ..filter }, ..GroupQuery::all() };
        let found = unless_missing(client.groups(&query))?.unwrap_or_default();
        Ok(Some(Box::new(tagwise_groups(found.into_iter().map(tagwise_group).collect()))))
    })
}

/// Memberships of users in groups. Immutable: threads may share it.
pub struct tagwise_memberships(Vec<Membership>);

/// Returns the groups of a user, the members of a group, whether a user is in a group, or all memberships: `user` and
/// `group` may be NULL. The list is empty if there are none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_userdb_client_memberships(
    client: Option<&tagwise_userdb_client>,
    user: *const c_char,
    group: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_memberships>> {
    guard!(error, {
        let mut client = given(client, "client")?.client()?;
        let user = optional(user, "user")?.map(str::to_owned);
        let query = MembershipQuery { user, group: optional(group, "group")?.map(str::to_owned) };
        Ok(Some(Box::new(tagwise_memberships(client.memberships(&query)?))))
    })
}

/// Frees memberships; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_memberships_free(memberships: Option<Box<tagwise_memberships>>) {
    guard!(drop(memberships))
}

/// Returns the number of memberships.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_memberships_count(memberships: Option<&tagwise_memberships>) -> usize {
    guard!(memberships.map_or(0, |memberships| memberships.0.len()))
}

/// Returns the user of the membership at the given index. Absent after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_memberships_user(memberships: Option<&tagwise_memberships>, index: usize) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(memberships.and_then(|list| Some(list.0.get(index)?.user_name.as_bytes()))))
}

/// Returns the group of the membership at the given index. Absent after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_memberships_group(memberships: Option<&tagwise_memberships>, index: usize) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(memberships.and_then(|list| Some(list.0.get(index)?.group_name.as_bytes()))))
}

/// Encodes a record as JSON. Without `privileged`, only its public part is included.
pub(crate) fn recorded(
    whole: impl FnOnce() -> serde_json::Result<Vec<u8>>,
    public: impl FnOnce() -> serde_json::Result<Vec<u8>>,
    privileged: bool,
) -> Result<Option<Box<tagwise_buffer>>, Problem> {
    let written = if privileged { whole() } else { public() };
    let written = Wiped(written.map_err(|error| Problem::internal(&error.to_string()))?);
    Ok(if privileged { tagwise_buffer::secret(&written.0) } else { tagwise_buffer::new(written.0.clone()) })
}

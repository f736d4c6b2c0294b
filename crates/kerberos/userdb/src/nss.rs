//! The host's own user and group tables (`getpwnam`, `getgrnam` …), as records.

use std::io;

use nix::unistd::{Gid, Group, Uid, User};

use crate::error::{Error, ServiceError};
use crate::query::{GroupQuery, UserQuery};
use crate::record::{GroupRecord, UserRecord};

/// Looks up a user by name or UID. Returns `None` for an enumeration, which is not supported.
///
/// # Errors
/// Returns [`ServiceError::NoRecordFound`] if there is none, [`ServiceError::ConflictingRecordFound`] if the name and UID
/// belong to different users, or a system error.
pub fn user(query: &UserQuery) -> Result<Option<UserRecord>, Error> {
    let found = match (&query.name, query.uid) {
        (Some(name), _) => User::from_name(name),
        (None, Some(uid)) => User::from_uid(Uid::from_raw(uid)),
        (None, None) => return Ok(None),
    };
    let found = found.map_err(failed)?.ok_or(Error::Service(ServiceError::NoRecordFound))?;
    let gecos = found.gecos.to_string_lossy();
    // The rest of the field is rooms and telephones.
    let real_name = gecos.split(',').next().filter(|name| !name.is_empty()).map(str::to_owned);
    let path = |path: &std::path::Path| path.to_str().filter(|path| !path.is_empty()).map(str::to_owned);
    let record = UserRecord {
        uid: Some(found.uid.as_raw()),
        gid: Some(found.gid.as_raw()),
        real_name,
        home_directory: path(&found.dir),
        shell: path(&found.shell),
        ..UserRecord::new(found.name)
    };
    fits(query.names(&record), query.takes(&record)).map(|()| Some(record))
}

/// Looks up a group by name or GID. Returns `None` for an enumeration, which is not supported.
///
/// # Errors
/// Returns any error from [`user`].
pub fn group(query: &GroupQuery) -> Result<Option<GroupRecord>, Error> {
    let found = match (&query.name, query.gid) {
        (Some(name), _) => Group::from_name(name),
        (None, Some(gid)) => Group::from_gid(Gid::from_raw(gid)),
        (None, None) => return Ok(None),
    };
    let found = found.map_err(failed)?.ok_or(Error::Service(ServiceError::NoRecordFound))?;
    let record = GroupRecord { gid: Some(found.gid.as_raw()), members: found.mem, ..GroupRecord::new(found.name) };
    fits(query.names(&record), query.takes(&record)).map(|()| Some(record))
}

fn fits(is_named: bool, is_taken: bool) -> Result<(), Error> {
    match (is_named, is_taken) {
        (false, _) => Err(Error::Service(ServiceError::ConflictingRecordFound)),
        (true, false) => Err(Error::Service(ServiceError::NonMatchingRecordFound)),
        (true, true) => Ok(()),
    }
}

fn failed(errno: nix::errno::Errno) -> Error {
    Error::Io(io::Error::from(errno))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn root_is_there_and_is_nobody_else() {
        let root = user(&UserQuery::name("root")).unwrap().unwrap();
        assert_eq!((root.uid, root.home_directory.as_deref()), (Some(0), Some("/root")));
        let conflict = UserQuery { uid: Some(1), ..UserQuery::name("root") };
        assert!(matches!(user(&conflict), Err(Error::Service(ServiceError::ConflictingRecordFound))));
        assert!(user(&UserQuery::name("no-such-user")).unwrap_err().is_not_found());
        assert!(user(&UserQuery::all()).unwrap().is_none());
        assert_eq!(group(&GroupQuery::gid(0)).unwrap().unwrap().group_name, "root");
    }
}

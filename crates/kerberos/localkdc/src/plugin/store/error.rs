//! Errors that name the file, for server logs and kadmin users.

use std::path::Path;

use rusqlite::ErrorCode;
use tagwise_krb5_plugin::{Error, codes};

use super::PATIENCE;

/// The database operation in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Reading,
    Writing,
    Creating,
}

/// Converts a SQLite error to an MIT error.
pub(super) fn failed(path: &Path, doing: Doing, error: &rusqlite::Error) -> Error {
    let say = |code: i32, text: &str| Error::new(code, format!("{}: {text}", path.display()));
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            let seconds = PATIENCE.as_secs();
            say(
                codes::KRB5_KDB_CANTLOCK_DB,
                &format!("another program has had the database locked for {seconds} seconds"),
            )
        }
        Some(ErrorCode::ReadOnly) => say(nix::libc::EROFS, "the database is read-only"),
        Some(ErrorCode::PermissionDenied) => say(nix::libc::EACCES, "opening the database is not permitted"),
        Some(ErrorCode::DiskFull) => say(nix::libc::ENOSPC, "the disk is full; nothing was changed"),
        Some(ErrorCode::NotADatabase) => say(codes::KRB5_KDB_DB_CORRUPT, "not a SQLite database"),
        Some(ErrorCode::DatabaseCorrupt) => say(codes::KRB5_KDB_DB_CORRUPT, "the database is damaged"),
        _ => {
            let doing = match doing {
                Doing::Reading => "read",
                Doing::Writing => "written",
                Doing::Creating => "created",
            };
            say(nix::libc::EIO, &format!("the database cannot be {doing}: {error}"))
        }
    }
}

/// Creates an error for a file.
pub(super) fn file(path: &Path, error: &std::io::Error) -> Error {
    let code = error.raw_os_error().unwrap_or(nix::libc::EIO);
    Error::new(code, format!("{}: {error}", path.display()))
}

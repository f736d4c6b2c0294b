//! The daemon's process: its socket, and the protection of its secrets.

use std::io;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use nix::sys::resource::{Resource, setrlimit};

/// Protects this process's memory from core dumps and debuggers of the same user.
///
/// # Errors
///
/// Returns an error if the system call fails.
pub fn seal() -> io::Result<()> {
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_dumpable(false)?;
    Ok(())
}

/// Returns the socket passed by the service manager (`LISTEN_FDS`).
///
/// # Errors
///
/// Returns an error if anything other than a single listening UNIX socket was passed.
pub fn inherited() -> io::Result<Option<UnixListener>> {
    let mut given = listenfd::ListenFd::from_env();
    match given.len() {
        0 => Ok(None),
        1 => given.take_unix_listener(0),
        count => Err(io::Error::other(format!("expected one socket in LISTEN_FDS, found {count}"))),
    }
}

/// Listens at a path, accessible only to this user. A stale socket is replaced, but an active one is not.
///
/// # Errors
///
/// Returns an error if a system call fails, or the path is in use or is not a socket.
pub fn listen(path: &Path) -> io::Result<UnixListener> {
    match std::fs::symlink_metadata(path) {
        Ok(there) if !there.file_type().is_socket() => return Err(io::Error::other("it exists, but is not a socket")),
        Ok(_) => match UnixStream::connect(path) {
            Ok(_) => return Err(io::ErrorKind::AddrInUse.into()),
            Err(_) => std::fs::remove_file(path)?,
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let before = nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o177));
    let bound = UnixListener::bind(path);
    nix::sys::stat::umask(before);
    let listener = bound?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

//! File locks that are compatible with MIT and Heimdal: whole-file `fcntl` locks.

use std::fs::File;
use std::io;

/// The maximum time to wait for a lock.
#[cfg(target_os = "linux")]
const WAIT: std::time::Duration = std::time::Duration::from_secs(10);

/// Locks a file for reading, or exclusively for writing. Closing the file releases the lock.
#[cfg(target_os = "linux")]
pub(super) fn lock(file: &File, is_writer: bool) -> io::Result<()> {
    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc;
    // A pipe has no records.
    if !file.metadata()?.is_file() {
        return Ok(());
    }
    let kind = if is_writer { libc::F_WRLCK } else { libc::F_RDLCK };
    // Of the open file, not of the process: threads exclude each other, too.
    let whole = libc::flock { l_type: kind as i16, l_whence: libc::SEEK_SET as i16, l_start: 0, l_len: 0, l_pid: 0 };
    let begun = std::time::Instant::now();
    loop {
        match fcntl(file, FcntlArg::F_OFD_SETLK(&whole)) {
            Ok(_) => return Ok(()),
            Err(Errno::EAGAIN | Errno::EACCES) if begun.elapsed() < WAIT => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            Err(Errno::EAGAIN | Errno::EACCES) => {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "another program has locked it"));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Does nothing, because files are locked only on Linux. On other platforms, files are replaced atomically, and each addition is a single
/// write.
#[cfg(not(target_os = "linux"))]
pub(super) fn lock(_: &File, _: bool) -> io::Result<()> {
    Ok(())
}

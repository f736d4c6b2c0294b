//! Temporary files and folders. They have unguessable names, are accessible only to their owner, and are removed when the
//! command ends, even by a signal.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile, TempDir};

use super::signals;

/// The files and folders to remove if a signal ends the command.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Locks the list. A poisoned lock is usable, because no change leaves the list inconsistent.
fn open() -> MutexGuard<'static, Vec<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes everything that still exists. While the returned guard is held, no other thread can create more.
pub(super) fn remove_all() -> impl Sized {
    let mut open = open();
    for path in open.drain(..) {
        // A process that is being terminated has nowhere to report errors.
        let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
    open
}

fn forget(open: &mut Vec<PathBuf>, path: &Path) {
    open.retain(|one| one != path);
}

/// A file under construction, in its destination folder. If the system supports it, the file has no name until it is
/// complete and on disk, so that nothing remains if the command is killed.
pub(crate) struct Scratch {
    form: ScratchForm,
    folder: PathBuf,
}

enum ScratchForm {
    /// A file without a name (O_TMPFILE).
    #[cfg(target_os = "linux")]
    Unnamed(File),
    /// A file with an unguessable name.
    Named(NamedTempFile),
}

impl Scratch {
    /// Creates a file in a folder, with the given permissions minus the user's umask.
    ///
    /// # Errors
    /// Returns any system error.
    pub(crate) fn file(folder: &Path, mode: u32) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::file(folder, mode) {
            return Ok(Self { form: ScratchForm::Unnamed(file), folder: folder.to_owned() });
        }
        signals::watch()?;
        let mut builder = builder();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        #[cfg(not(unix))]
        let _ = mode;
        // Created while the list is locked, so that no signal comes in between.
        let mut open = open();
        let file = builder.tempfile_in(folder)?;
        open.push(file.path().to_owned());
        Ok(Self { form: ScratchForm::Named(file), folder: folder.to_owned() })
    }

    /// Writes bytes and syncs them to disk.
    ///
    /// # Errors
    /// Returns any system error.
    pub(crate) fn write(&mut self, octets: &[u8]) -> io::Result<()> {
        let mut file = self.as_file();
        let done = file.write_all(octets).and_then(|()| file.sync_all());
        if let (Err(_), ScratchForm::Named(file)) = (&done, &self.form) {
            forget(&mut open(), file.path());
        }
        done
    }

    pub(crate) fn as_file(&self) -> &File {
        match &self.form {
            #[cfg(target_os = "linux")]
            ScratchForm::Unnamed(file) => file,
            ScratchForm::Named(file) => file.as_file(),
        }
    }

    /// Moves the file to its final path, replacing an existing file.
    ///
    /// # Errors
    /// Returns any system error.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        match self.form {
            #[cfg(target_os = "linux")]
            ScratchForm::Unnamed(file) => match unnamed::link(&file, path) {
                // No system call replaces a file with an unnamed one, so it has a name for a moment.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    signals::watch()?;
                    let mut open = open();
                    let named = builder().make_in(&self.folder, |beside| unnamed::link(&file, beside))?;
                    open.push(named.path().to_owned());
                    forget(&mut open, named.path());
                    named.persist(path)?;
                }
                done => done?,
            },
            ScratchForm::Named(file) => {
                forget(&mut open(), file.path());
                file.persist(path)?;
            }
        }
        synced(&self.folder);
        Ok(())
    }

    /// Moves the file to its final path, which must not exist yet.
    ///
    /// # Errors
    /// Returns any system error, including [`io::ErrorKind::AlreadyExists`].
    pub(crate) fn persist_new(self, path: &Path) -> io::Result<()> {
        match self.form {
            #[cfg(target_os = "linux")]
            ScratchForm::Unnamed(file) => unnamed::link(&file, path)?,
            ScratchForm::Named(file) => {
                forget(&mut open(), file.path());
                file.persist_noclobber(path)?;
            }
        }
        synced(&self.folder);
        Ok(())
    }
}

/// Returns a builder for unguessable names.
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".tagwise-");
    builder
}

/// Unnamed files: created with O_TMPFILE, and named with linkat(2).
#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    /// Creates an unnamed file in a folder, or returns `None` if the file system does not support that or the file could not be
    /// named later.
    pub(super) fn file(folder: &Path, mode: u32) -> Option<File> {
        if !Path::new("/proc/self/fd").is_dir() {
            return None;
        }
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        open(folder, flags, Mode::from_raw_mode(mode)).ok().map(File::from)
    }

    /// Links an unnamed file to its name, unless the name exists.
    pub(super) fn link(file: &File, path: &Path) -> io::Result<()> {
        let own = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(linkat(CWD, own, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
    }
}

/// Syncs a folder's entries to disk, if the system supports it.
fn synced(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// A private folder in the system's temporary folder, accessible only to this user.
pub(crate) struct Folder {
    folder: Option<TempDir>,
    path: PathBuf,
}

impl Folder {
    /// Creates the folder.
    ///
    /// # Errors
    /// Returns any system error.
    pub(crate) fn new() -> io::Result<Self> {
        signals::watch()?;
        let mut builder = Builder::new();
        builder.prefix("tagwise-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o700));
        }
        let mut open = open();
        let folder = builder.tempdir()?;
        let path = folder.path().to_owned();
        open.push(path.clone());
        Ok(Self { folder: Some(folder), path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps the folder instead of removing it.
    pub(crate) fn keep(mut self) {
        if let Some(folder) = self.folder.take() {
            let _ = folder.keep();
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let mut open = open();
        forget(&mut open, &self.path);
        drop(self.folder.take());
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Checks that an incomplete file has no name, so that a killed command leaves nothing behind.
    #[test]
    fn files_have_no_name_until_they_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let mut scratch = Scratch::file(folder.path(), 0o600).unwrap();
        scratch.write(b"secret").unwrap();
        // Where the file system lacks such files, it has one.
        let expected = usize::from(matches!(scratch.form, ScratchForm::Named(_)));
        assert_eq!(names(), expected);
        drop(scratch);
        assert_eq!(names(), 0);
        let path = folder.path().join("key");
        let mut scratch = Scratch::file(folder.path(), 0o600).unwrap();
        scratch.write(b"secret").unwrap();
        scratch.persist_new(&path).unwrap();
        let mut scratch = Scratch::file(folder.path(), 0o600).unwrap();
        scratch.write(b"other").unwrap();
        assert_eq!(scratch.persist_new(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let mut scratch = Scratch::file(folder.path(), 0o600).unwrap();
        scratch.write(b"other").unwrap();
        scratch.persist(&path).unwrap();
        assert_eq!((fs::read(&path).unwrap(), names()), (b"other".to_vec(), 1));
    }
}

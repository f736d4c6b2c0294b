//! Temporary files and folders: with unguessable names, accessible to their owner only, and removed when the command ends, even by a
//! signal.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile, TempDir};

use super::signals;

/// The files and folders to remove should the command be ended by a signal.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The list, also after a panic elsewhere: it is whole at any time.
fn open() -> MutexGuard<'static, Vec<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes everything that is still there. The guard that comes back keeps others from making more.
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

/// The content of a file that is to be, in the folder where it is to be. Where the system can, it has no name until it is whole and on
/// disk, so that nothing of it remains when the command is killed.
pub(crate) struct Scratch {
    form: Form,
    folder: PathBuf,
}

enum Form {
    /// Without a name (O_TMPFILE).
    #[cfg(target_os = "linux")]
    Unnamed(File),
    /// With an unguessable name.
    Named(NamedTempFile),
}

impl Scratch {
    /// Makes a file in a folder, with these permissions less what the user's mask takes.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn file(folder: &Path, mode: u32) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::file(folder, mode) {
            return Ok(Self { form: Form::Unnamed(file), folder: folder.to_owned() });
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
        Ok(Self { form: Form::Named(file), folder: folder.to_owned() })
    }

    /// Writes bytes, down to the disk.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn write(&mut self, octets: &[u8]) -> io::Result<()> {
        let mut file = self.as_file();
        let done = file.write_all(octets).and_then(|()| file.sync_all());
        if let (Err(_), Form::Named(file)) = (&done, &self.form) {
            forget(&mut open(), file.path());
        }
        done
    }

    pub(crate) fn as_file(&self) -> &File {
        match &self.form {
            #[cfg(target_os = "linux")]
            Form::Unnamed(file) => file,
            Form::Named(file) => file.as_file(),
        }
    }

    /// Puts the file in its place, and in that of one that is there.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        match self.form {
            #[cfg(target_os = "linux")]
            Form::Unnamed(file) => match unnamed::link(&file, path) {
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
            Form::Named(file) => {
                forget(&mut open(), file.path());
                file.persist(path)?;
            }
        }
        synced(&self.folder);
        Ok(())
    }

    /// Puts the file in its place, where nothing is yet.
    ///
    /// # Errors
    /// Those of the system; [`io::ErrorKind::AlreadyExists`].
    pub(crate) fn persist_new(self, path: &Path) -> io::Result<()> {
        match self.form {
            #[cfg(target_os = "linux")]
            Form::Unnamed(file) => unnamed::link(&file, path)?,
            Form::Named(file) => {
                forget(&mut open(), file.path());
                file.persist_noclobber(path)?;
            }
        }
        synced(&self.folder);
        Ok(())
    }
}

/// The form of names.
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".tagwise-");
    builder
}

/// Files without a name: made by O_TMPFILE, named by linkat(2).
#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    /// A file in a folder; `None` where the file system has no such files, or nothing could give them a name later.
    pub(super) fn file(folder: &Path, mode: u32) -> Option<File> {
        if !Path::new("/proc/self/fd").is_dir() {
            return None;
        }
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        open(folder, flags, Mode::from_raw_mode(mode)).ok().map(File::from)
    }

    /// Gives a file its name, if that is free.
    pub(super) fn link(file: &File, path: &Path) -> io::Result<()> {
        let own = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(linkat(CWD, own, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
    }
}

/// Brings a folder's entries to the disk, where the system can.
fn synced(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// A folder of its own in the system's for temporary files, which only this user can look into.
pub(crate) struct Folder {
    folder: Option<TempDir>,
    path: PathBuf,
}

impl Folder {
    /// Makes the folder.
    ///
    /// # Errors
    /// Those of the system.
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

    /// Leaves the folder there.
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

    /// Until it is whole, nothing of a file has a name that a killed command would leave behind.
    #[test]
    fn files_have_no_name_until_they_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let mut scratch = Scratch::file(folder.path(), 0o600).unwrap();
        scratch.write(b"secret").unwrap();
        // Where the file system lacks such files, it has one.
        let expected = usize::from(matches!(scratch.form, Form::Named(_)));
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

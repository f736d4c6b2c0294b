//! Files and folders that are there while a command works: with names that nobody can guess, only their owner's, and gone when
//! the command ends, also by a signal.

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
        // Whoever is ended has nobody left to tell.
        let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
    open
}

fn forget(open: &mut Vec<PathBuf>, path: &Path) {
    open.retain(|one| one != path);
}

/// A file beside the one that it is to become.
pub(crate) struct Scratch {
    file: NamedTempFile,
    path: PathBuf,
    folder: PathBuf,
}

impl Scratch {
    /// Makes a file in a folder, with these permissions less what the user's mask takes.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn file(folder: &Path, mode: u32) -> io::Result<Self> {
        signals::watch()?;
        let mut builder = Builder::new();
        builder.prefix(".tagwise-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        #[cfg(not(unix))]
        let _ = mode;
        // Made while the list is held: no signal comes in between.
        let mut open = open();
        let file = builder.tempfile_in(folder)?;
        let path = file.path().to_owned();
        open.push(path.clone());
        Ok(Self { file, path, folder: folder.to_owned() })
    }

    /// Writes bytes, down to the disk.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn write(&mut self, octets: &[u8]) -> io::Result<()> {
        let done = self.file.write_all(octets).and_then(|()| self.file.as_file().sync_all());
        if done.is_err() {
            forget(&mut open(), &self.path);
        }
        done
    }

    pub(crate) fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Puts the file in its place, and in that of one that is there.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        let mut open = open();
        forget(&mut open, &self.path);
        self.file.persist(path)?;
        synced(&self.folder);
        Ok(())
    }

    /// Puts the file in its place, where nothing is yet.
    ///
    /// # Errors
    /// Those of the system; [`io::ErrorKind::AlreadyExists`].
    pub(crate) fn persist_new(self, path: &Path) -> io::Result<()> {
        let mut open = open();
        forget(&mut open, &self.path);
        self.file.persist_noclobber(path)?;
        synced(&self.folder);
        Ok(())
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

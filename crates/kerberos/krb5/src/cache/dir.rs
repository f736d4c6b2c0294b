//! Collections in directories: one cache per file with the prefix `tkt`. The file `primary` contains the primary cache's
//! name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{CacheError, Store, file, unique};
use crate::{Ccache, Credential};

/// The prefix of cache names. Also the name of the primary cache, unless the collection names another one.
const PREFIX: &str = "tkt";
/// The file that names the primary cache.
const PRIMARY: &str = "primary";

/// A cache in a directory.
#[derive(Debug)]
pub(super) struct Dir {
    path: PathBuf,
}

impl Dir {
    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }
}

/// Resolves `:directory/tktXXX` to that cache, or `directory` to its primary cache.
pub(super) fn resolve(rest: &str) -> Result<Dir, CacheError> {
    if let Some(path) = rest.strip_prefix(':') {
        let path = PathBuf::from(path);
        let is_named = path.file_name().and_then(|name| name.to_str()).is_some_and(is_name);
        if !is_named || path.parent().is_none_or(|folder| folder.as_os_str().is_empty()) {
            return Err(CacheError::Name(format!(
                "DIR:{rest}: expected a folder and a file name that begins with {PREFIX}"
            )));
        }
        return Ok(Dir { path });
    }
    let folder = folder(rest)?;
    Ok(Dir { path: folder.join(primary(&folder)?) })
}

fn folder(rest: &str) -> Result<PathBuf, CacheError> {
    match rest.is_empty() {
        true => Err(CacheError::Name("DIR: expected a folder path".to_owned())),
        false => Ok(PathBuf::from(rest)),
    }
}

/// Returns whether a file with this name may be a cache.
fn is_name(name: &str) -> bool {
    name.starts_with(PREFIX) && !name.contains(['/', '\\'])
}

/// Returns the name of a collection's primary cache.
fn primary(folder: &Path) -> Result<String, CacheError> {
    let path = folder.join(PRIMARY);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(PREFIX.to_owned()),
        Err(error) => return Err(CacheError::System(path.display().to_string(), error)),
    };
    // It becomes a part of a path.
    match text.strip_suffix('\n').filter(|name| is_name(name) && !name.contains(['\n', '\0'])) {
        Some(name) => Ok(name.to_owned()),
        None => Err(CacheError::NotCache(format!(
            "{}: expected one line with a cache name that begins with {PREFIX}",
            path.display()
        ))),
    }
}

/// Lists the caches in a directory: the primary one first, the others by name. If the file that names the primary cache is damaged, all are
/// sorted by name, so that they can be listed and destroyed.
pub(super) fn list(rest: &str) -> Result<Vec<Dir>, CacheError> {
    let folder = folder(rest)?;
    let system = |error| CacheError::System(format!("DIR:{rest}"), error);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(system(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry.map_err(system)?.file_name().to_str().filter(|name| is_name(name)).map(str::to_owned));
    }
    let primary = match primary(&folder) {
        Err(CacheError::NotCache(_)) => String::new(),
        found => found?,
    };
    names.sort_by_key(|name| (*name != primary, name.clone()));
    Ok(names.into_iter().map(|name| Dir { path: folder.join(name) }).collect())
}

/// Returns a cache with an unused name.
pub(super) fn unused(rest: &str) -> Result<Dir, CacheError> {
    Ok(Dir { path: folder(rest)?.join(format!("{PREFIX}{}", unique())) })
}

impl Store for Dir {
    fn name(&self) -> String {
        format!("DIR::{}", self.path.display())
    }

    fn read(&self) -> Result<Ccache, CacheError> {
        file::read(&self.path, &self.name())
    }

    fn write(&self, content: &Ccache) -> Result<(), CacheError> {
        make(self.folder()).map_err(|error| CacheError::System(self.name(), error))?;
        file::write(&self.path, &self.name(), content)
    }

    fn add(&self, credential: &Credential) -> Result<(), CacheError> {
        file::add(&self.path, &self.name(), credential)
    }

    fn destroy(&self) -> Result<(), CacheError> {
        file::destroy(&self.path, &self.name())
    }

    fn switch(&self) -> Result<(), CacheError> {
        let line = self.path.file_name().and_then(|name| name.to_str()).map(|name| format!("{name}\n"));
        let line = line.ok_or_else(|| CacheError::Name(format!("{}: not a file name", self.name())))?;
        let system = |error| CacheError::System(self.name(), error);
        make(self.folder()).map_err(system)?;
        file::replace(&self.folder().join(PRIMARY), line.as_bytes()).map_err(system)
    }
}

/// Creates the directory, accessible only to its owner.
fn make(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    match builder.create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made,
    }
}

//! The manifest of created paths. Nothing else may be removed.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::SetupError;
use crate::policy;

/// The maximum size of the manifest and of configuration files.
pub(super) const MAX_FILE: u64 = 4 << 20;

/// The kind of path that was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CreatedKind {
    /// A directory, removed if it is empty.
    Folder,
    /// A file, removed unless it was modified.
    File,
    /// Data that changes during operation: databases, records, sockets.
    Data,
}

/// A path that a setup created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Made {
    pub(super) path: PathBuf,
    pub(super) kind: CreatedKind,
    /// The SHA-256 digest of the file when it was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) digest: Option<String>,
}

/// The manifest of created paths.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    version: u32,
    pub(super) realm: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) port: Option<u16>,
    pub(super) made: Vec<Made>,
}

impl Manifest {
    pub(super) fn new(realm: &str, port: Option<u16>) -> Self {
        Self { version: 1, realm: realm.to_owned(), port, made: Vec::new() }
    }

    /// Reads the manifest, if it exists.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, SetupError> {
        let mut text = String::new();
        match policy::open(path).and_then(|file| file.take(MAX_FILE).read_to_string(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SetupError::Io(path.to_owned(), error)),
        }
        let read: Result<Self, _> = serde_json::from_str(&text);
        let manifest = read.map_err(|error| SetupError::Other(format!("{}: {error}", path.display())))?;
        match manifest.version {
            1 => Ok(Some(manifest)),
            version => Err(SetupError::Other(format!("{}: unsupported version {version}", path.display()))),
        }
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), SetupError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| SetupError::Other(error.to_string()))?;
        write(path, text.as_bytes(), 0o600).map_err(SetupError::at(path))
    }

    pub(super) fn find(&self, path: &Path) -> Option<&Made> {
        self.made.iter().find(|made| made.path == path)
    }

    /// Adds a path, or updates its digest.
    pub(super) fn add(&mut self, path: &Path, kind: CreatedKind, digest: Option<String>) {
        match self.made.iter_mut().find(|made| made.path == path) {
            Some(made) => made.digest = digest,
            None => self.made.push(Made { path: path.to_owned(), kind, digest }),
        }
    }
}

/// Computes a SHA-256 digest as text.
pub(super) fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Reads a file's content, or `None` if it does not exist.
pub(super) fn content(path: &Path) -> Result<Option<Vec<u8>>, SetupError> {
    let mut bytes = Vec::new();
    match policy::open(path).and_then(|file| file.take(MAX_FILE).read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(SetupError::Io(path.to_owned(), error)),
    }
}

/// Writes a file atomically.
pub(super) fn write(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    write_as(path, bytes, mode, None)
}

/// Writes a file atomically, with the given owner and group.
pub(super) fn write_as(path: &Path, bytes: &[u8], mode: u32, owner: Option<(u32, u32)>) -> io::Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(bytes)?;
    if let Some((user, group)) = owner {
        std::os::unix::fs::fchown(&file, Some(user), Some(group))?;
    }
    // After the owner, whose change takes bits away.
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    file.sync_all()?;
    fs::rename(&new, path)
}

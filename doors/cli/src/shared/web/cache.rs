//! A folder with what was fetched. Its content is as little trusted as the network's.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tagwise_codec::text::hex;

use crate::shared::output::{Failure, replace};

/// The largest file that is read, and its greatest age. CRLs and responses are used only until their nextUpdate.
const LARGEST: u64 = 32 << 20;
const OLDEST: Duration = Duration::from_secs(7 * 86_400);

/// A cache. Without a folder, it keeps nothing.
pub(super) struct Cache(Option<PathBuf>);

impl Cache {
    pub(super) const fn none() -> Self {
        Self(None)
    }

    /// Creates a cache in a folder.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created.
    pub(super) fn at(folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder).map_err(|error| Failure::file(folder, "written", &error))?;
        Ok(Self(Some(folder.to_owned())))
    }

    /// Creates the cache in the user's own folder (XDG Base Directory Specification). Without one, nothing is kept.
    pub(super) fn of_user() -> Self {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
        let folder = base.map(|base| base.join("tagwise").join("fetch"));
        Self(folder.filter(|folder| fs::create_dir_all(folder).is_ok()))
    }

    /// The name of a file for something that was requested.
    pub(super) fn key(what: &str, url: &str, body: &[u8]) -> String {
        let text = [what.as_bytes(), &[0], url.as_bytes(), &[0], body].concat();
        hex::encode(&Sha256::digest(&text))
    }

    pub(super) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.0.as_ref()?.join(key);
        let metadata = fs::metadata(&path).ok()?;
        let is_young = metadata.modified().ok()?.elapsed().is_ok_and(|age| age <= OLDEST);
        if !is_young || !metadata.is_file() || metadata.len() > LARGEST {
            return None;
        }
        fs::read(path).ok()
    }

    /// Keeps something. If it cannot be kept, it is fetched again the next time.
    pub(super) fn put(&self, key: &str, octets: &[u8]) {
        if let Some(folder) = &self.0 {
            let _ = replace(&folder.join(key), octets);
        }
    }
}

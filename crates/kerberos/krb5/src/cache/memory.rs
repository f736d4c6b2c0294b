//! Caches in this process's memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{CacheError, Store};
use crate::{Ccache, Credential};

static CACHES: Mutex<BTreeMap<String, Ccache>> = Mutex::new(BTreeMap::new());

/// Locks the map of in-memory caches. A poisoned lock is usable, because no change leaves the map inconsistent.
fn caches() -> MutexGuard<'static, BTreeMap<String, Ccache>> {
    CACHES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A named in-memory cache.
#[derive(Debug)]
pub(super) struct Memory {
    key: String,
}

impl Memory {
    pub(super) fn new(key: &str) -> Self {
        Self { key: key.to_owned() }
    }

    fn missing(&self) -> CacheError {
        CacheError::Missing(self.name())
    }
}

impl Store for Memory {
    fn name(&self) -> String {
        format!("MEMORY:{}", self.key)
    }

    fn read(&self) -> Result<Ccache, CacheError> {
        caches().get(&self.key).cloned().ok_or_else(|| self.missing())
    }

    fn write(&self, content: &Ccache) -> Result<(), CacheError> {
        caches().insert(self.key.clone(), content.clone());
        Ok(())
    }

    fn add(&self, credential: &Credential) -> Result<(), CacheError> {
        caches().get_mut(&self.key).ok_or_else(|| self.missing())?.store(credential.clone());
        Ok(())
    }

    fn destroy(&self) -> Result<(), CacheError> {
        caches().remove(&self.key).map(drop).ok_or_else(|| self.missing())
    }
}

//! A pool of stores, each used by one request at a time, on threads that are allowed to block.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use deadpool::unmanaged;

use crate::{Error, Store};

/// A pool of stores for one database. Other servers on a CA's database use it with stores that also have
/// [`Documents`](crate::Documents).
pub struct Pool<S: ?Sized = dyn Store> {
    stores: unmanaged::Pool<Box<S>>,
    failures: Arc<AtomicU64>,
}

impl<S: ?Sized> Clone for Pool<S> {
    fn clone(&self) -> Self {
        Self { stores: self.stores.clone(), failures: Arc::clone(&self.failures) }
    }
}

impl<S: ?Sized> std::fmt::Debug for Pool<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("free", &self.stores.status().available).finish_non_exhaustive()
    }
}

impl<S: Send + ?Sized + 'static> Pool<S> {
    /// Creates a pool from stores.
    #[must_use]
    pub fn new(stores: Vec<Box<S>>) -> Self {
        Self { stores: stores.into(), failures: Arc::default() }
    }

    /// Runs an operation with a store, as soon as one is free.
    ///
    /// # Errors
    /// Returns the operation's error, or an error if no store is available.
    pub async fn run<T: Send + 'static>(
        &self,
        run: impl FnOnce(&mut S) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| Error::Store { doing: "serving", source };
        let mut store = self.stores.get().await.map_err(|error| failed(error.into()))?;
        let done = tokio::task::spawn_blocking(move || run(&mut **store));
        let done = done.await.map_err(|error| failed(error.into()))?;
        if matches!(done, Err(Error::Store { .. } | Error::Unconfirmed { .. } | Error::Locked(_))) {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        done
    }

    /// The number of operations that failed because of the database.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }
}

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

impl<S: Store + ?Sized + 'static> Pool<S> {
    /// Creates a pool from stores.
    #[must_use]
    pub fn new(stores: Vec<Box<S>>) -> Self {
        Self { stores: stores.into(), failures: Arc::default() }
    }

    /// Runs an operation with a store, as soon as one is free. Returns once everything that it wrote and read is durable.
    ///
    /// # Errors
    /// Returns the operation's error, or an error if no store is available or the writes could not be synced to disk.
    pub async fn run<T: Send + 'static>(
        &self,
        run: impl FnOnce(&mut S) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| Error::Store { doing: "serving", source };
        let mut store = self.stores.get().await.map_err(|error| failed(error.into()))?;
        let done = tokio::task::spawn_blocking(move || {
            let done = run(&mut **store);
            let group = store.commit_group();
            // Others use it while this waits for the disk.
            drop(store);
            group.map_or(Ok(()), |group| group.settle()).and(done)
        });
        let done = done.await.map_err(|error| failed(error.into()))?;
        if matches!(done, Err(Error::Store { .. } | Error::Unconfirmed { .. } | Error::Locked(_))) {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        done
    }

    /// Runs an operation like [`run`](Self::run), with all its writes in one transaction if the store supports that
    /// ([`Store::combine`]). If the operation fails, nothing is written.
    ///
    /// # Errors
    /// Returns any error from [`run`](Self::run), or an error if the transaction could not be committed.
    pub async fn run_combined<T: Send + 'static>(
        &self,
        run: impl FnOnce(&mut S) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.run(move |store| {
            store.combine();
            let open = Open(store);
            let value = run(&mut *open.0)?;
            open.0.commit()?;
            Ok(value)
        })
        .await
    }

    /// The number of operations that failed because of the database.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }
}

/// A transaction that is rolled back unless it was committed, also if the operation panics.
struct Open<'a, S: Store + ?Sized>(&'a mut S);

impl<S: Store + ?Sized> Drop for Open<'_, S> {
    fn drop(&mut self) {
        self.0.roll_back();
    }
}

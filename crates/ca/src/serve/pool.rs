//! Stores that requests share: each is used by one at a time, on threads where it may block.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use crate::{Error, Store};

/// Some stores of one database.
#[derive(Clone)]
pub struct Pool {
    free: Arc<Mutex<Vec<Box<dyn Store>>>>,
    places: Arc<Semaphore>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("free", &self.places.available_permits()).finish_non_exhaustive()
    }
}

/// A store on loan; it comes back whatever happens.
struct Loan {
    store: Option<Box<dyn Store>>,
    free: Arc<Mutex<Vec<Box<dyn Store>>>>,
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).extend(self.store.take());
    }
}

impl Pool {
    /// A pool of these stores.
    #[must_use]
    pub fn new(stores: Vec<Box<dyn Store>>) -> Self {
        let places = Arc::new(Semaphore::new(stores.len()));
        Self { free: Arc::new(Mutex::new(stores)), places }
    }

    /// Does something with a store, when one is free.
    ///
    /// # Errors
    /// What is done says.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        run: impl FnOnce(&mut dyn Store) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| Error::Store { doing: "serving", source };
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|error| failed(error.into()))?;
        let free = Arc::clone(&self.free);
        let done = tokio::task::spawn_blocking(move || {
            let store = free.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut loan = Loan { store, free };
            let done = match loan.store.as_mut() {
                Some(store) => run(&mut **store),
                // There are as many as places.
                None => Err(Error::inconsistent("there is no store")),
            };
            drop(loan);
            drop(place);
            done
        });
        done.await.map_err(|error| failed(error.into()))?
    }
}

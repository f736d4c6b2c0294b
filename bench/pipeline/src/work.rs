//! Threads that share a batch. What is short runs where it is asked for.

use rayon::prelude::*;

use crate::Failure;

/// Parts of a batch that threads take one after the other. Left alone, they would take two or three large ones each, and wait at the end
/// for whoever was held up.
const PARTS: usize = 64;

/// How many are in such a part.
pub(crate) fn part(len: usize) -> usize {
    (len / PARTS).max(1)
}

/// So many threads.
pub(crate) struct Threads {
    pool: Option<rayon::ThreadPool>,
}

impl Threads {
    pub(crate) fn new(jobs: usize) -> Result<Self, Failure> {
        let pool = (jobs > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(jobs).build());
        Ok(Self {
            pool: pool.transpose()?,
        })
    }

    /// Wakes all threads up. One that has slept for a while would begin later than the others.
    pub(crate) fn wake(&self) {
        if let Some(pool) = &self.pool {
            pool.broadcast(|_| ());
        }
    }

    /// Does something with each, and gives the results in the same order; the first failure, if there is one.
    pub(crate) fn map<T: Sync, U: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> Result<U, Failure> + Sync + Send,
    ) -> Result<Vec<U>, Failure> {
        match &self.pool {
            Some(pool) if items.len() > 1 => {
                let done: Vec<_> =
                    pool.install(|| items.par_iter().with_max_len(part(items.len())).map(work).collect());
                done.into_iter().collect()
            }
            _ => items.iter().map(work).collect(),
        }
    }

    /// The same with items that are used up.
    pub(crate) fn each<T: Send, U: Send>(
        &self,
        items: Vec<T>,
        work: impl Fn(T) -> Result<U, Failure> + Sync + Send,
    ) -> Result<Vec<U>, Failure> {
        match &self.pool {
            Some(pool) if items.len() > 1 => {
                let done: Vec<_> = {
                    let most = part(items.len());
                    pool.install(|| items.into_par_iter().with_max_len(most).map(work).collect())
                };
                done.into_iter().collect()
            }
            _ => items.into_iter().map(work).collect(),
        }
    }
}

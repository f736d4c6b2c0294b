//! Open connections, and the choice of the connection to close for a new client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// A bounded set of open connections.
#[derive(Debug)]
pub struct Connections {
    places: Arc<Semaphore>,
    open: Mutex<Open>,
    /// Notified when a connection becomes idle.
    idle: Notify,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    states: HashMap<u64, State>,
}

#[derive(Debug)]
struct State {
    /// The number of requests in progress.
    busy: usize,
    /// The time at which the connection was opened, or its last answer was ready.
    since: Instant,
    /// Notified when the connection must close to free its slot.
    leave: Arc<Notify>,
    leaving: bool,
    /// True if a request has been answered.
    served: bool,
}

/// A connection's slot, which is freed on drop.
#[derive(Debug)]
pub struct ConnectionSlot {
    all: Arc<Connections>,
    number: u64,
    leave: Arc<Notify>,
    _place: OwnedSemaphorePermit,
}

/// A guard that marks a request as in progress.
#[derive(Debug)]
pub struct Busy(Arc<ConnectionSlot>);

impl Connections {
    /// Creates a set with the given number of slots.
    #[must_use]
    pub fn new(most: usize) -> Arc<Self> {
        let (places, open) = (Arc::new(Semaphore::new(most)), Mutex::default());
        Arc::new(Self { places, open, idle: Notify::new() })
    }

    /// Obtains a slot for a waiting client. If all are taken, closes the connection that has been idle longest, or the
    /// first to become idle.
    pub async fn place(self: &Arc<Self>) -> Option<Arc<ConnectionSlot>> {
        let permit = loop {
            // Registered before checking for idle connections, so that no notification is missed.
            let idle = self.idle.notified();
            if let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() {
                break permit;
            }
            let leaves = self.make_room();
            tokio::select! {
                // Never closed.
                permit = Arc::clone(&self.places).acquire_owned() => break permit.ok()?,
                () = idle, if !leaves => {}
            }
        };
        let leave = Arc::new(Notify::new());
        let number = self.with(|open| {
            let number = open.next;
            open.next = number.wrapping_add(1);
            let state =
                State { busy: 0, since: Instant::now(), leave: Arc::clone(&leave), leaving: false, served: false };
            open.states.insert(number, state);
            number
        });
        Some(Arc::new(ConnectionSlot { all: Arc::clone(self), number, leave, _place: permit }))
    }

    /// Notifies the connection that has been idle longest to close. Returns whether there is one.
    fn make_room(&self) -> bool {
        self.with(|open| {
            let idle = open.states.values_mut().filter(|state| state.busy == 0 && !state.leaving);
            let Some(longest) = idle.min_by_key(|state| state.since) else { return false };
            longest.leaving = true;
            longest.leave.notify_one();
            true
        })
    }

    fn with<T>(&self, run: impl FnOnce(&mut Open) -> T) -> T {
        // The lock's holder does not panic while the value is inconsistent.
        run(&mut self.open.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ConnectionSlot {
    /// Marks the start of a request, which ends when the result is dropped.
    pub fn begin(self: &Arc<Self>) -> Busy {
        self.count(|state| state.busy = state.busy.saturating_add(1));
        Busy(Arc::clone(self))
    }

    /// Waits until the connection should be closed, either to free its slot or because it has been idle for `most`. Returns
    /// the time since its last answer was ready, or `None` if it has not answered a request.
    pub async fn end(&self, most: Duration) -> Option<Duration> {
        self.ended(most).await;
        let last = self.all.with(|open| open.states.get(&self.number).map(|state| (state.served, state.since)));
        last.and_then(|(served, since)| served.then(|| since.elapsed()))
    }

    async fn ended(&self, most: Duration) {
        loop {
            let idle = self.all.with(|open| open.states.get(&self.number).map(|state| (state.busy, state.since)));
            let rest = match idle {
                Some((0, since)) => most.saturating_sub(since.elapsed()),
                // A busy connection is checked again later.
                Some(_) => most,
                None => Duration::ZERO,
            };
            if rest.is_zero() {
                return;
            }
            tokio::select! {
                () = self.leave.notified() => return,
                () = tokio::time::sleep(rest) => {}
            }
        }
    }

    fn count(&self, change: impl FnOnce(&mut State)) {
        self.all.with(|open| open.states.get_mut(&self.number).map_or((), change));
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.all.with(|open| open.states.remove(&self.number));
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.count(|state| {
            state.busy = state.busy.saturating_sub(1);
            state.since = Instant::now();
            state.served = true;
        });
        self.0.all.idle.notify_waiters();
    }
}

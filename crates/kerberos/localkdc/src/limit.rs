//! Limits on password guessing: after repeated failures, a user must wait for increasing periods (RFC 4226 §7.3).

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of users to track. The user with the oldest last failure is dropped first.
const MAX_USERS: usize = 10_000;
/// The maximum wait.
const MAX_WAIT: Duration = Duration::from_secs(15 * 60);

/// Counts failures per user, and allows one check per user at a time.
#[derive(Debug)]
pub struct Limiter {
    free: u32,
    users: Mutex<HashMap<String, State>>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug)]
struct State {
    failures: u32,
    last: Instant,
    busy: bool,
}

impl State {
    /// Returns the end of the wait: one second after the first failure beyond the free ones, and doubled for each further failure.
    fn wait(self, free: u32) -> Duration {
        match self.failures.checked_sub(free) {
            None => Duration::ZERO,
            Some(beyond) => Duration::from_secs(1u64 << beyond.min(20)).min(MAX_WAIT),
        }
    }
}

/// A permit for a single check of a user's password.
#[derive(Debug)]
pub struct Permit<'a> {
    limiter: &'a Limiter,
    user: String,
    outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Failed,
    Accepted,
    Unknown,
}

impl Limiter {
    /// Creates a limiter that allows `free` failures before a user must wait.
    #[must_use]
    pub fn new(free: u32) -> Self {
        Self { free: free.max(1), users: Mutex::default(), changed: Condvar::new() }
    }

    fn users(&self) -> MutexGuard<'_, HashMap<String, State>> {
        // The map is whole between any two statements.
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests a permit for a check. Waits until `end` for an ongoing check of the same user. Returns `None` if the user must wait
    /// because of failures, or if the ongoing check does not finish in time.
    #[must_use]
    pub fn begin(&self, user: &str, end: Instant) -> Option<Permit<'_>> {
        let mut users = self.users();
        loop {
            let now = Instant::now();
            match users.get_mut(user) {
                Some(state) if state.busy => {
                    let left = end.checked_duration_since(now).filter(|left| !left.is_zero())?;
                    (users, _) = self.changed.wait_timeout(users, left).unwrap_or_else(PoisonError::into_inner);
                }
                Some(state) => {
                    if now.saturating_duration_since(state.last) < state.wait(self.free) {
                        return None;
                    }
                    state.busy = true;
                    break;
                }
                None => {
                    if users.len() >= MAX_USERS {
                        let oldest = users.iter().filter(|(_, state)| !state.busy).min_by_key(|(_, state)| state.last);
                        let oldest = oldest.map(|(name, _)| name.clone())?;
                        users.remove(&oldest);
                    }
                    users.insert(user.to_owned(), State { failures: 0, last: now, busy: true });
                    break;
                }
            }
        }
        Some(Permit { limiter: self, user: user.to_owned(), outcome: Outcome::Failed })
    }

    #[cfg(test)]
    fn age(&self, user: &str, by: Duration) {
        let mut users = self.users();
        let state = users.get_mut(user).unwrap();
        state.last = state.last.checked_sub(by).unwrap();
    }
}

impl Permit<'_> {
    /// Reports a valid password, which resets the failure count.
    pub fn accepted(mut self) {
        self.outcome = Outcome::Accepted;
    }

    /// Reports that the password could not be checked, which does not count as a failure.
    pub fn unavailable(mut self) {
        self.outcome = Outcome::Unknown;
    }
}

/// Counts a failure if the check ended without reporting a result.
impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut users = self.limiter.users();
        if self.outcome == Outcome::Accepted {
            users.remove(&self.user);
        } else if let Some(state) = users.get_mut(&self.user) {
            state.busy = false;
            if self.outcome == Outcome::Failed {
                state.failures = state.failures.saturating_add(1);
                state.last = Instant::now();
            }
        }
        drop(users);
        self.limiter.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_who_fails_waits_and_others_do_not() {
        let limiter = Limiter::new(3);
        let begin = |user| limiter.begin(user, Instant::now());
        for _ in 0..3 {
            drop(begin("ann").unwrap());
        }
        assert!(begin("ann").is_none(), "a second");
        drop(begin("bob").unwrap());
        limiter.age("ann", Duration::from_secs(1));
        drop(begin("ann").unwrap());
        limiter.age("ann", Duration::from_secs(1));
        assert!(begin("ann").is_none(), "two seconds");
        limiter.age("ann", Duration::from_secs(1));
        // What was not checked is not counted.
        begin("ann").unwrap().unavailable();
        begin("ann").unwrap().accepted();
        for _ in 0..3 {
            drop(begin("ann").unwrap());
        }
        assert!(begin("ann").is_none());
    }

    #[test]
    fn waits_end() {
        let mut state = State { failures: u32::MAX, last: Instant::now(), busy: false };
        assert_eq!(state.wait(3), MAX_WAIT);
        state.failures = 2;
        assert_eq!(state.wait(3), Duration::ZERO);
    }

    #[test]
    fn one_check_at_a_time() {
        let limiter = Limiter::new(3);
        let first = limiter.begin("ann", Instant::now()).unwrap();
        assert!(limiter.begin("ann", Instant::now()).is_none());
        std::thread::scope(|scope| {
            let second = scope.spawn(|| limiter.begin("ann", Instant::now() + Duration::from_secs(20)).is_some());
            std::thread::sleep(Duration::from_millis(30));
            first.accepted();
            assert!(second.join().unwrap());
        });
    }

    #[test]
    fn memory_is_bounded() {
        let limiter = Limiter::new(1);
        for number in 0..MAX_USERS + 5 {
            drop(limiter.begin(&number.to_string(), Instant::now()).unwrap());
        }
        assert_eq!(limiter.users().len(), MAX_USERS);
    }
}

//! Non-blocking lookups for a single-threaded KDC.
//!
//! MIT's library blocks until its database returns a principal. Each lookup therefore runs in its own thread, for which the
//! KDC waits at most half a second. Answers are cached for one second. After a lookup that was too slow, the KDC waits only
//! very briefly for further lookups, until one succeeds in time again.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Standing;

/// The maximum time for which the KDC waits for a result.
const WAIT: Duration = Duration::from_millis(500);
/// The maximum wait while the user service is slow.
const SHORT: Duration = Duration::from_millis(20);
/// The time for which the service counts as slow after a late result.
const PAUSE: Duration = Duration::from_secs(5);
/// The time for which a result is cached.
const KEEP: Duration = Duration::from_secs(1);
/// The time for which a failure is cached. It is short because a failure, such as a missing service, is detected quickly and may be
/// temporary.
const KEEP_FAILURE: Duration = Duration::from_millis(50);
/// The time for which a late result is cached, because the client must send its request again to use it.
const KEEP_LATE: Duration = Duration::from_secs(5);
/// The maximum number of concurrent lookups.
const MOST: usize = 16;
/// The maximum number of cached results.
const MOST_KEPT: usize = 1024;
/// The maximum wait for running lookups at the end of the program.
const END: Duration = Duration::from_secs(3);

/// The reason why a user's status is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The lookup is taking too long. Its result may be available for the next request.
    Slow,
    /// Too many lookups are already running.
    Busy,
    /// The lookup failed.
    Failed(String),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slow => f.write_str("the user database service did not answer in time"),
            Self::Busy => write!(f, "{MOST} user lookups are already running"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

type Answer = Result<Standing, Unanswered>;

/// User lookups, each in its own thread, with a one-second cache.
#[derive(Debug, Default)]
pub struct Lookups(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    answered: Condvar,
}

#[derive(Debug, Default)]
struct State {
    kept: HashMap<String, (Answer, Instant)>,
    /// Names that are being looked up.
    running: HashSet<String>,
    /// Names whose requests have timed out.
    late: HashSet<String>,
    slow_until: Option<Instant>,
    threads: Vec<JoinHandle<()>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores an answer.
    fn answer(&self, name: String, answer: Answer, begun: Instant) {
        let now = Instant::now();
        let mut state = self.lock();
        state.running.remove(&name);
        let took = now.duration_since(begun);
        let keep = match (state.late.remove(&name), &answer) {
            (true, _) => KEEP_LATE,
            (false, Err(Unanswered::Failed(_))) => KEEP_FAILURE,
            (false, _) => KEEP,
        };
        if answer.is_ok() && took < WAIT {
            state.slow_until = None;
        }
        state.kept.retain(|_, (_, until)| *until > now);
        if state.kept.len() < MOST_KEPT {
            state.kept.insert(name, (answer, now + keep));
        }
        drop(state);
        self.answered.notify_all();
    }
}

impl Lookups {
    /// Returns the status of a user. If it is not cached, `ask` determines it in another thread, and may block.
    ///
    /// # Errors
    ///
    /// Returns [`Unanswered`] if the status could not be determined in time.
    pub fn get(&self, name: &str, ask: impl FnOnce() -> Answer + Send + 'static) -> Result<Standing, Unanswered> {
        let begun = Instant::now();
        let mut state = self.0.lock();
        state.threads.retain(|thread| !thread.is_finished());
        if let Some((answer, until)) = state.kept.get(name)
            && *until > begun
        {
            return answer.clone();
        }
        if !state.running.contains(name) {
            if state.running.len() >= MOST {
                return Err(Unanswered::Busy);
            }
            let (shared, named) = (Arc::clone(&self.0), name.to_owned());
            let run = move || {
                let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(ask));
                let panicked = |_| Err(Unanswered::Failed("the lookup panicked".to_owned()));
                shared.answer(named, caught.unwrap_or_else(panicked), begun);
            };
            let thread = std::thread::Builder::new().name("userdb".to_owned()).spawn(run);
            let thread = thread
                .map_err(|error| Unanswered::Failed(format!("could not start a thread for a lookup: {error}")))?;
            state.threads.push(thread);
            state.kept.remove(name);
            state.running.insert(name.to_owned());
        }
        let wait = if state.slow_until.is_some_and(|until| until > begun) { SHORT } else { WAIT };
        let waited = self.0.answered.wait_timeout_while(state, wait, |state| state.running.contains(name));
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        if state.running.contains(name) {
            state.late.insert(name.to_owned());
            state.slow_until = Some(Instant::now() + PAUSE);
            return Err(Unanswered::Slow);
        }
        state.kept.get(name).map_or(Err(Unanswered::Busy), |(answer, _)| answer.clone())
    }
}

/// Waits for running lookups, because their code may be unloaded afterwards.
impl Drop for Lookups {
    fn drop(&mut self) {
        let state = self.0.lock();
        let waited = self.0.answered.wait_timeout_while(state, END, |state| !state.running.is_empty());
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        if !state.running.is_empty() {
            return;
        }
        let threads = std::mem::take(&mut state.threads);
        drop(state);
        for thread in threads {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const FOUND: Standing = Standing::Principal { expires: None, password_expires: None };

    /// Returns a lookup that takes the given time and increments a counter.
    fn after(milliseconds: u64, count: &Arc<AtomicUsize>) -> impl FnOnce() -> Answer + Send + 'static {
        let count = Arc::clone(count);
        move || {
            count.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(milliseconds));
            Ok(FOUND)
        }
    }

    #[test]
    fn answers_are_kept_for_a_second() {
        let (lookups, count) = (Lookups::default(), Arc::default());
        for _ in 0..3 {
            assert_eq!(lookups.get("ann", after(0, &count)), Ok(FOUND));
        }
        assert_eq!(count.load(Ordering::SeqCst), 1);
        std::thread::sleep(KEEP + Duration::from_millis(100));
        let gone = lookups.get("ann", || Ok(Standing::Unknown));
        assert_eq!(gone, Ok(Standing::Unknown));
        let failed = lookups.get("bob", || Err(Unanswered::Failed("no service".to_owned())));
        assert_eq!(failed, Err(Unanswered::Failed("no service".to_owned())));
        assert_eq!(lookups.get("bob", after(0, &count)), failed, "failures are kept, too");
    }

    #[test]
    fn twenty_slow_lookups_cost_about_one_wait() {
        let (lookups, count) = (Lookups::default(), Arc::default());
        let begun = Instant::now();
        for user in 0..20 {
            assert!(lookups.get(&format!("u{user}"), after(1500, &count)).is_err());
        }
        assert!(begun.elapsed() < Duration::from_millis(1400), "{:?}", begun.elapsed());
        assert!(count.load(Ordering::SeqCst) <= MOST);
        // A late answer is found by whoever asks again, and no second lookup is made for it.
        std::thread::sleep(Duration::from_millis(2200));
        let made = count.load(Ordering::SeqCst);
        assert_eq!(lookups.get("u0", after(0, &count)), Ok(FOUND));
        assert_eq!(count.load(Ordering::SeqCst), made);
    }

    #[test]
    fn a_panic_is_a_failure() {
        let lookups = Lookups::default();
        let mut answer = lookups.get("ann", || std::panic::panic_any("no"));
        // Its text takes its time to be written on a busy machine.
        while answer == Err(Unanswered::Slow) {
            std::thread::sleep(Duration::from_millis(50));
            answer = lookups.get("ann", || std::panic::panic_any("again"));
        }
        assert_eq!(answer, Err(Unanswered::Failed("the lookup panicked".to_owned())));
    }
}

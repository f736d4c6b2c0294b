//! Objects with setters. If a setter fails, the object becomes unusable. Otherwise, a caller who ignores the failure would get
//! a result for other settings, such as a path that is valid for any host. OpenSSL does the same with `X509_VERIFY_PARAM`, and
//! BoringSSL with `CBB`.

use crate::bytes::given;
use crate::error::Problem;
use crate::shield::{ErrorSlot, Failed as _, attempt, report};

/// A value that setters change, or the error of the first setter that failed.
#[derive(Clone, Debug)]
pub(crate) struct Settings<T>(Result<T, Problem>);

impl<T> Settings<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(Ok(value))
    }

    /// Creates the settings. If `value` is an error, the object is unusable from the start.
    pub(crate) const fn of(value: Result<T, Problem>) -> Self {
        Self(value)
    }

    /// Returns the value.
    ///
    /// # Errors
    /// Returns the error of the first setter that failed.
    pub(crate) fn get(&self) -> Result<&T, Problem> {
        self.0.as_ref().map_err(|problem| problem.clone().after_setter())
    }

    /// Returns the value for modification.
    ///
    /// # Errors
    /// Returns the error of the first setter that failed.
    pub(crate) fn get_mut(&mut self) -> Result<&mut T, Problem> {
        self.0.as_mut().map_err(|problem| problem.clone().after_setter())
    }

    /// Runs a setter that changes the value.
    fn set(&mut self, change: impl FnOnce(&mut T) -> Result<(), Problem>) -> Result<bool, Problem> {
        let value = self.get_mut()?;
        let done = attempt(|| change(value));
        done.map(|()| true).inspect_err(|problem| self.0 = Err(problem.clone()))
    }

    /// Runs a consuming setter, which takes the value and returns a new one.
    fn replace(&mut self, change: impl FnOnce(T) -> Result<T, Problem>) -> Result<bool, Problem> {
        self.get()?;
        let value = std::mem::replace(&mut self.0, Err(Problem::unfinished()))?;
        self.0 = attempt(|| change(value));
        self.0.as_ref().map(|_| true).map_err(Clone::clone)
    }
}

/// Writes a setter's error, unless the output pointer is NULL.
fn told(place: ErrorSlot<'_>, done: Result<bool, Problem>) -> bool {
    done.unwrap_or_else(|problem| {
        report(place, problem);
        bool::FAILED
    })
}

/// Runs a setter of an object that may be NULL.
pub(crate) fn set<T>(
    place: ErrorSlot<'_>,
    settings: Option<&mut Settings<T>>,
    what: &str,
    change: impl FnOnce(&mut T) -> Result<(), Problem>,
) -> bool {
    told(place, attempt(|| given(settings, what)?.set(change)))
}

/// Runs a consuming setter, which takes and returns the value, on an object that may be NULL.
pub(crate) fn replace<T>(
    place: ErrorSlot<'_>,
    settings: Option<&mut Settings<T>>,
    what: &str,
    change: impl FnOnce(T) -> Result<T, Problem>,
) -> bool {
    told(place, attempt(|| given(settings, what)?.replace(change)))
}

/// Generates the body of an exported setter, where `policy` is a handle of a `Settings`. `setter!(error, policy, |policy| {
/// … Ok(()) })` passes the value by reference. `setter!(error, builder, move |builder| { … Ok(builder) })` passes it by value.
macro_rules! setter {
    ($error:ident, $handle:ident, |$value:ident| $body:expr) => {
        $crate::settings::set($error, $handle.map(|handle| &mut handle.0), stringify!($handle), |$value| $body)
    };
    ($error:ident, $handle:ident.$field:ident, |$value:ident| $body:expr) => {
        $crate::settings::set($error, $handle.map(|handle| &mut handle.$field), stringify!($handle), |$value| $body)
    };
    ($error:ident, $handle:ident, move |$value:ident| $body:expr) => {
        $crate::settings::replace($error, $handle.map(|handle| &mut handle.0), stringify!($handle), |$value| $body)
    };
}

#[cfg(test)]
#[allow(clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_failure_stays() {
        let mut settings = Settings::new(1);
        assert!(set(None, Some(&mut settings), "it", |value| {
            *value = 2;
            Ok(())
        }));
        assert!(replace(None, Some(&mut settings), "it", |value| Ok(value + 1)));
        assert_eq!(settings.get().ok(), Some(&3));
        assert!(!set(None, Some(&mut settings), "it", |_| Err(Problem::argument("no"))));
        assert!(!set(None, Some(&mut settings), "it", |_| Ok(())) && settings.get().is_err());
        assert!(!replace(None, Some(&mut settings), "it", Ok) && settings.get_mut().is_err());
        assert!(!set(None, None::<&mut Settings<u8>>, "it", |_| Ok(())));
    }

    #[test]
    fn a_panic_stays() {
        let (mut one, mut other) = (Settings::new(1), Settings::new(1));
        assert!(!set(None, Some(&mut one), "it", |_| panic!("defect")));
        assert!(!replace(None, Some(&mut other), "it", |_| panic!("defect")));
        assert!(one.get().is_err() && other.get().is_err());
    }
}

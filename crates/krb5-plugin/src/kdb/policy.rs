//! Policies on passwords.

use std::ffi::CString;
use std::time::Duration;

use super::TlData;

/// A policy that principals can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// The name.
    pub name: CString,
    /// The shortest time between changes of a password.
    pub pw_min_life: Duration,
    /// The longest life of a password; zero for no limit.
    pub pw_max_life: Duration,
    /// The shortest password.
    pub pw_min_length: u32,
    /// The fewest character classes of a password.
    pub pw_min_classes: u32,
    /// Number of former passwords that must not be used again.
    pub pw_history_num: u32,
    /// Number of failures until the principal is locked; 0 for no limit.
    pub pw_max_fail: u32,
    /// The time after which failures are forgotten.
    pub pw_failcnt_interval: Duration,
    /// The time for which a principal stays locked; zero until an administrator unlocks it.
    pub pw_lockout_duration: Duration,
    /// Attributes, as bits; MIT does not use them.
    pub attributes: u32,
    /// The longest life of a ticket; MIT does not use it.
    pub max_life: Duration,
    /// The longest time of renewals; MIT does not use it.
    pub max_renewable_life: Duration,
    /// The kinds of keys that are allowed, as `kadmin` writes them; `None` for all.
    pub allowed_keysalts: Option<CString>,
    /// Tagged data.
    pub tl_data: Vec<TlData>,
}

impl Policy {
    /// Returns a policy without rules.
    pub fn new(name: impl Into<CString>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

//! Password policies.

use std::ffi::CString;
use std::time::Duration;

use super::TlData;

/// A password policy for principals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// The name.
    pub name: CString,
    /// The minimum time between password changes.
    pub pw_min_life: Duration,
    /// The maximum password lifetime. Zero means no limit.
    pub pw_max_life: Duration,
    /// The minimum password length.
    pub pw_min_length: u32,
    /// The minimum number of character classes in a password.
    pub pw_min_classes: u32,
    /// The number of previous passwords that cannot be reused.
    pub pw_history_num: u32,
    /// The number of failed authentications before the principal is locked. 0 means no limit.
    pub pw_max_fail: u32,
    /// The time after which the failure count is reset.
    pub pw_failcnt_interval: Duration,
    /// The duration of a lockout. Zero means until an administrator unlocks the principal.
    pub pw_lockout_duration: Duration,
    /// Attribute bits. Not used by MIT.
    pub attributes: u32,
    /// The maximum ticket lifetime. Not used by MIT.
    pub max_life: Duration,
    /// The maximum renewable lifetime. Not used by MIT.
    pub max_renewable_life: Duration,
    /// The allowed key and salt types, in `kadmin` syntax, or `None` for all.
    pub allowed_keysalts: Option<CString>,
    /// Tagged data.
    pub tl_data: Vec<TlData>,
}

impl Policy {
    /// Creates a policy without rules.
    pub fn new(name: impl Into<CString>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

//! Views of data that a method borrows from the host. They cannot outlive the call, and do not expose pointers.
//!
//! A module must copy the data that it needs after the call:
//!
//! ```
//! use std::cell::RefCell;
//! use tagwise_krb5_plugin::{Principal, view::PrincipalRef};
//!
//! struct Keeps(RefCell<Option<Principal>>);
//!
//! impl Keeps {
//!     fn see(&self, princ: PrincipalRef<'_>) {
//!         *self.0.borrow_mut() = Some(princ.to_principal());
//!     }
//! }
//! ```
//!
//! A view cannot be stored:
//!
//! ```compile_fail,E0521
//! use std::cell::RefCell;
//! use tagwise_krb5_plugin::{Principal, view::PrincipalRef};
//!
//! struct Keeps(RefCell<Option<PrincipalRef<'static>>>);
//!
//! impl Keeps {
//!     fn see(&self, princ: PrincipalRef<'_>) {
//!         *self.0.borrow_mut() = Some(princ);
//!     }
//! }
//! ```
//!
//! Safe code cannot create a view of its own structure, because its pointers could be invalid:
//!
//! ```compile_fail,E0423
//! use tagwise_krb5_plugin::view::PrincipalRef;
//! use tagwise_krb5_plugin_sys::mit::krb5_principal_data;
//!
//! fn forged(made: &krb5_principal_data) -> PrincipalRef<'_> {
//!     PrincipalRef(made)
//! }
//! ```
//!
//! A context cannot leave its thread:
//!
//! ```
//! use tagwise_krb5_plugin::view::Context;
//!
//! fn here(context: &Context<'_>) {
//!     let _ = context.default_realm();
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use tagwise_krb5_plugin::view::Context;
//!
//! fn elsewhere(context: &Context<'_>) {
//!     std::thread::scope(|scope| {
//!         scope.spawn(|| context.default_realm());
//!     });
//! }
//! ```

mod entry;
mod key;
mod pac;
mod principal;
mod request;
mod ticket;

pub use crate::host::context::Context;
pub use entry::{DbEntryRef, KeyDataRef, PolicyRef, PrincipalEntryRef, TlDataRef};
pub use key::{KeyRef, Keyblock};
pub use pac::{NewPac, PacRef};
pub use principal::PrincipalRef;
pub use request::{AddressRef, AuthData, AuthDataRef, PaData, PaDataRef, RequestRef};
pub use ticket::{ReplyRef, TicketPartRef, TicketRef, Times};

use std::time::Duration;

use tagwise_codec::UnixTime;

/// Converts an MIT timestamp, in unsigned seconds. 0 means no time.
pub(crate) fn moment(seconds: i32) -> Option<UnixTime> {
    (seconds != 0).then(|| UnixTime(seconds.cast_unsigned().into()))
}

/// Converts a time to an MIT timestamp, saturating at the latest representable time.
pub(crate) fn stamp(time: Option<UnixTime>) -> i32 {
    let seconds = time.map_or(0, |time| time.0);
    u32::try_from(seconds).unwrap_or(if seconds < 0 { 0 } else { u32::MAX }).cast_signed()
}

/// Converts an MIT duration. A negative value becomes zero.
pub(crate) fn span(seconds: i32) -> Duration {
    Duration::from_secs(u64::try_from(seconds).unwrap_or(0))
}

/// Converts a duration to an MIT duration, saturating at the maximum.
pub(crate) fn seconds(span: Duration) -> i32 {
    i32::try_from(span.as_secs()).unwrap_or(i32::MAX)
}

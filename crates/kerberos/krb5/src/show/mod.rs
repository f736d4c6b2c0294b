//! Human-readable trees of messages, tokens, keytabs, credential caches, PACs and decrypted parts.
//!
//! Numbers are shown by name, and values inside byte strings are decoded. Keys and passwords are omitted unless a
//! [`View`] includes them. `tagwise-show` renders the trees as text, and serde as JSON.
//!
//! ```
//! use tagwise_krb5::show::{View, show};
//! //          SEQUENCE of AS-REQ that is cut short
//! assert!(show(b"\x6a\x02\x30\x00", View::new(false)).is_some_and(|shown| shown.is_err()));
//! let keytab = show(&[5, 2], View::new(false)).expect("a keytab").expect("an empty one");
//! assert_eq!(keytab.kind, "keytab");
//! assert!(show(b"GIF89a", View::new(false)).is_none());
//! ```

mod kinds;
mod malformed;
mod pac;
mod part;
mod times;
mod tree;

pub use kinds::{FORMS, Shown, ccache, keytab, show, show_as, ticket, ticket_enc_type};
pub use malformed::is_malformed;
pub use pac::enc_type;
pub use part::part;
pub use times::{spaced, stamp};
pub use tree::{View, read, whole};

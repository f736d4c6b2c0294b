//! Traits for applying constraints to user-defined types. Derived code calls them for components and newtypes with `size`,
//! `value`, `from`, `pattern` or `defined_by`.
//!
//! The types in this crate and the native types implement them.
//!
//! ```
//! use tagwise_codec::constraint::Number;
//! use tagwise_codec::{Decode, FaultKind};
//! use tagwise_derive::Asn1;
//!
//! #[derive(Asn1)]
//! struct Port(u16);
//!
//! impl Number for Port {
//!     fn within(&self, min: Option<i128>, max: Option<i128>) -> bool {
//!         self.0.within(min, max)
//!     }
//! }
//!
//! #[derive(Asn1)]
//! struct Listener {
//!     #[asn1(value(1024..=65535))]
//!     port: Port,
//! }
//!
//! assert_eq!(Listener::from_der(&[0x30, 3, 2, 1, 80]).err().unwrap().kind(), FaultKind::Value);
//! ```

pub use crate::__private::{Characters, Measure, Number, Selector};

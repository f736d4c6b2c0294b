//! A strict, zero-copy DER codec.
//!
//! The decoder accepts only DER by default. Deviations that BER allows or that real encoders produce are named
//! [`Rule`]s. A caller can tolerate them individually, at no cost for strict input. Every error has a stable code, the
//! clause of the standard and an absolute offset. Every limit is part of a [`Budget`].
//!
//! ```
//! use tagwise_codec::{Decode, Int};
//! let error = Int::from_der(&[0x02, 0x02, 0x00, 0x01]).unwrap_err();
//! assert_eq!(error.kind().code(), "integer-padded");
//! assert_eq!(error.offset(), 2);
//! ```
//!
//! The codec does not depend on PKIX, nor on any other crate. Without the `alloc` feature it still decodes, and encodes
//! into a caller's buffer. The features `ber`, `dynamic` and `stream` enable the modules `ber` and `cer`, `value` and
//! `stream`. This crate enables them by default, but `tagwise` does not.
#![no_std]
#![forbid(unsafe_code)]
// Constant tables are put together by forgetting what is replaced, which owns something only with an allocator.
#![cfg_attr(not(feature = "alloc"), allow(clippy::forget_non_drop))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[doc(hidden)]
pub mod __private;
mod any;
#[cfg(feature = "alloc")]
mod arena;
#[cfg(feature = "ber")]
pub mod ber;
mod captured;
#[cfg(feature = "ber")]
pub mod cer;
pub mod constraint;
mod conversions;
mod decode;
#[cfg(feature = "ber")]
mod elements;
mod encode;
#[cfg(feature = "alloc")]
mod engine;
mod error;
mod excerpt;
mod fault;
mod flags;
mod frame;
#[cfg_attr(not(feature = "stream"), allow(dead_code, reason = "the streams need all of it"))]
#[cfg_attr(not(feature = "ber"), allow(unreachable_pub, reason = "`ber` exports the readers"))]
mod head;
mod header;
mod kept;
mod kind;
mod lend;
mod open;
mod open_list;
mod options;
#[cfg(feature = "alloc")]
pub mod owned;
pub mod pattern;
pub mod pem;
mod raw;
mod reader;
mod rule;
mod seq_of;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "stream")]
pub mod stream;
pub mod table;
mod tag;
pub mod text;
mod types;
mod writer;

pub use any::{Any, Children};
#[cfg(feature = "alloc")]
pub use arena::Arena;
pub use captured::Captured;
#[cfg(feature = "alloc")]
pub use decode::Tolerated;
pub use decode::{Decode, DecodeValue, Tagged};
pub use encode::{Encode, EncodeError, EncodeValue, encode_into, explicit_len, implicit_len};
#[cfg(feature = "alloc")]
pub use encode::{encode, encode_append};
#[cfg(feature = "alloc")]
pub use engine::{locate::path_at, value};
pub use error::Error;
pub use excerpt::Excerpt;
pub use fault::Fault;
pub use flags::Flags;
pub use frame::{Frame, frame};
#[doc(hidden)]
pub use kept::Kept;
pub use kind::FaultKind;
pub use lend::Lend;
pub use open::{DecodeOpen, EncodeOpen, Open, OpenType, Unknown, open_shape};
pub use open_list::{OpenItems, OpenList, OpenListOf, OpenSeqOf, OpenSetOf};
pub use options::{Budget, Options, Registered, Session, UserCheck};
#[cfg(feature = "alloc")]
pub use owned::{
    BitString, Ia5String, IntBuf, NumericString, OctetString, OidBuf, Owned, ParseIntError, ParseOidError,
    PrintableString, SetVec, VisibleString,
};
pub use raw::Raw;
pub use reader::{Outer, Reader};
pub use rule::{Deviation, Domain, Rule, RuleSet};
pub use seq_of::{Items, IterOf, SeqOf, SetOf};
pub use table::Typed;
pub use tag::{Class, Tag};
pub use types::*;
pub use writer::{Writer, element_len, header_len};

pub(crate) use types::oid;

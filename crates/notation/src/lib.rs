//! Encodings as text that people read and edit, and back again to the same octets.
//!
//! [`to_text`] writes any octets as a tree of elements, one a line; [`parse`] makes octets of such a text. What is written
//! always gives back the octets that it was written from, however malformed they are:
//!
//! ```
//! use tagwise_notation::{Options, parse, to_text};
//! let octets = [0x30, 0x08, 0x06, 0x03, 0x55, 0x04, 0x03, 0x02, 0x01, 0x05];
//! let text = to_text(&octets, &Options::DEFAULT)?;
//! assert_eq!(text, "SEQUENCE {\n  OBJECT_IDENTIFIER { 2.5.4.3 }\n  INTEGER { 5 }\n}\n");
//! assert_eq!(parse(&text)?, octets);
//! assert_eq!(parse("SEQUENCE { INTEGER { 6 } }")?, [0x30, 0x03, 0x02, 0x01, 0x06]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The language
//!
//! A text is a row of tokens, and each token stands for octets. Blanks, tabs and line breaks separate tokens; `#` begins a
//! comment that ends with its line.
//!
//! | token | octets |
//! |---|---|
//! | `INTEGER`, `SEQUENCE`, `OCTET_STRING` … | the identifier of that type; constructed for SEQUENCE and SET, else primitive |
//! | `[0]`, `[APPLICATION 1]`, `[PRIVATE 2]`, `[UNIVERSAL 16]` | an identifier; constructed unless it ends in `PRIMITIVE` |
//! | `[0 PRIMITIVE]`, `[SEQUENCE PRIMITIVE]`, `[OCTET_STRING CONSTRUCTED]` | an identifier in that form |
//! | `[long-form:2 APPLICATION 1]` | an identifier with so many octets after the first |
//! | `{ … }` | the length of what is inside, then that |
//! | `long-form:3 { … }` | the same with so many octets after the first length octet |
//! | `indefinite { … }` | the octet 80, what is inside, and the end-of-contents octets |
//! | `"text"` | its UTF-8; with `\"`, `\\`, `\n`, and `\x1b` for any octet |
//! | `u"text"`, `U"text"` | its UTF-16, its UTF-32, both big-endian; with `\u202e` and `\U0001f600` besides |
//! | `` `00ff` `` | octets in hexadecimal |
//! | ``b`1010` ``, ``b`1010\|1111` `` | the content of a BIT STRING; after the bar, unused bits that are not zero |
//! | `-129` | the content of an INTEGER or ENUMERATED |
//! | `2.5.4.3` | the content of an OBJECT IDENTIFIER |
//! | `TRUE`, `FALSE` | FF, 00 |
//!
//! Nothing has to fit together: an identifier without a length, a length without an identifier, content of another type are
//! all fine, for a text is there to write malformed encodings too.
//!
//! # DER ASCII
//!
//! This is the language of Google's DER ASCII (`ascii2der`, `der2ascii`). Its texts can be read here, and what [`to_text`]
//! writes can be read there. What is more here: blanks and line breaks inside hexadecimal and bit literals, names for the
//! types that it has none for (`RELATIVE_OID`, `CHARACTER_STRING`), customary second names (`TeletexString`,
//! `ObjectDescriptor`). What is otherwise: `EMBEDDED_PDV` is the type 11 that X.680 §36 makes it, which not every version of
//! DER ASCII agrees with, so that it is written as `[UNIVERSAL 11]`. What is missing: the functions that sign.
//! The layout differs: hexadecimal is broken into lines, what is known about a value stands in a comment behind it.
//!
//! # What it costs
//!
//! Both directions take time in proportion to their input, and neither recurses. [`Options::budget`] bounds depth (what is
//! deeper is written in hexadecimal), elements and output.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod assemble;
mod error;
mod header;
mod leaf;
mod lex;
mod names;
mod number;
mod quote;
mod scan;
#[cfg(test)]
mod tests;
mod write;

use core::fmt;

use alloc::string::String;

use tagwise_codec::{Budget, Fault, Oid};

pub use assemble::{parse, parse_within};
pub use error::{Error, Reason};

/// Looks up the name of an object identifier, for comments.
pub type Names = fn(Oid<'_>) -> Option<&'static str>;

/// Options of writing bytes as text.
#[derive(Clone, Copy)]
pub struct Options {
    /// Set to comment on values: the name of an object identifier, a time as people write it, malformed content.
    pub comments: bool,
    /// Set to show the content of OCTET STRING and BIT STRING as elements, where it is one.
    pub nested: bool,
    /// Names of object identifiers.
    pub names: Option<Names>,
    /// Limits on the depth to which elements are taken apart (deeper ones are written in hexadecimal), their number,
    /// and the length of the text.
    pub budget: Budget,
}

impl Options {
    /// With comments and nested elements, without names, and with the default budget.
    pub const DEFAULT: Self = Self { comments: true, nested: true, names: None, budget: Budget::DEFAULT };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("comments", &self.comments)
            .field("nested", &self.nested)
            .field("names", &self.names.is_some())
            .field("budget", &self.budget)
            .finish()
    }
}

/// Writes octets as text that [`parse`] makes the same octets of.
///
/// Elements are taken apart as far as they are BER: identifiers and lengths in any form, indefinite ones included. From the
/// first octet on that is no element, and to the end of what contains it, octets are written in hexadecimal, or as a string
/// where they are text. OCTET STRING whose content is one sound element is taken apart too, and so is a BIT STRING of 17
/// octets or more. Characters that cannot be seen, or change how others are seen, are escaped.
///
/// ```
/// use tagwise_codec::oid;
/// use tagwise_notation::{Options, to_text};
/// let options = Options { names: Some(|oid| (oid == oid!("2.5.4.3")).then_some("commonName")), ..Options::DEFAULT };
/// let text = to_text(&[0x30, 0x80, 0x06, 0x03, 0x55, 0x04, 0x03, 0x04, 0x81, 0x02, 0x05, 0x00], &options)?;
/// assert_eq!(text, "\
/// SEQUENCE `80`  # no end-of-contents octets
///   OBJECT_IDENTIFIER { 2.5.4.3 }  # commonName
///   OCTET_STRING long-form:1 {
///     NULL {}
///   }
/// ");
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
///
/// # Errors
/// [`Kind::ElementsExceeded`](tagwise_codec::Kind::ElementsExceeded) and
/// [`Kind::OutputExceeded`](tagwise_codec::Kind::OutputExceeded) where the budget is spent;
/// [`Kind::InputTooLarge`](tagwise_codec::Kind::InputTooLarge) above 4 GiB. Nothing else.
pub fn to_text(octets: &[u8], options: &Options) -> Result<String, Fault> {
    let events = scan::scan(octets, options)?;
    write::write(octets, &events, options)
}

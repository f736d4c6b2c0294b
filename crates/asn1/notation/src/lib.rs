//! A readable, editable text notation for encodings, which converts back to the same bytes.
//!
//! [`to_text`] writes any bytes as a tree with one element per line, and [`parse`] converts it back. The round trip
//! always restores the same bytes, even if they are malformed:
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
//! A text is a sequence of tokens, each of which stands for bytes. Spaces, tabs and line breaks separate tokens. A
//! comment begins with `#` and extends to the end of the line.
//!
//! | token | bytes |
//! |---|---|
//! | `INTEGER`, `SEQUENCE`, `OCTET_STRING` … | the identifier of that type; constructed for SEQUENCE and SET, otherwise primitive |
//! | `[0]`, `[APPLICATION 1]`, `[PRIVATE 2]`, `[UNIVERSAL 16]` | an identifier; constructed unless it ends in `PRIMITIVE` |
//! | `[0 PRIMITIVE]`, `[SEQUENCE PRIMITIVE]`, `[OCTET_STRING CONSTRUCTED]` | an identifier in that form |
//! | `[long-form:2 APPLICATION 1]` | an identifier with the given number of bytes after the first |
//! | `{ … }` | the length of the content, then the content |
//! | `long-form:3 { … }` | the same, with the given number of bytes after the first length byte |
//! | `indefinite { … }` | the byte 0x80, the content, and the end-of-contents bytes |
//! | `"text"` | the text in UTF-8; with the escapes `\"`, `\\`, `\n`, and `\x1b` for any byte |
//! | `u"text"`, `U"text"` | the text in big-endian UTF-16 or UTF-32; with the additional escapes `\u202e` and `\U0001f600` |
//! | `` `00ff` `` | bytes in hexadecimal |
//! | ``b`1010` ``, ``b`1010\|1111` `` | the content of a BIT STRING; after the bar, unused bits that are not zero |
//! | `-129` | the content of an INTEGER or ENUMERATED |
//! | `2.5.4.3` | the content of an OBJECT IDENTIFIER |
//! | `TRUE`, `FALSE` | FF, 00 |
//!
//! Tokens do not have to fit together. You can omit an identifier or a length, or write content of another type, to
//! create malformed encodings.
//!
//! # DER ASCII
//!
//! The language is Google's DER ASCII (`ascii2der`, `der2ascii`), and texts are compatible in both directions. The
//! additions are spaces and line breaks inside hexadecimal and bit literals, names for more types (`RELATIVE_OID`,
//! `CHARACTER_STRING`), and alternative names (`TeletexString`, `ObjectDescriptor`). `EMBEDDED_PDV` is type 11, as in
//! X.680 §36. Because not every version of DER ASCII agrees, it is written as `[UNIVERSAL 11]`. Signing functions are
//! not supported. In the output, hexadecimal is broken into lines, and comments describe values.
//!
//! # Complexity
//!
//! Both directions are linear in the input, and neither recurses. [`Options::budget`] limits depth (deeper elements are
//! written in hexadecimal), elements and output.
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

/// A function that looks up object identifier names for comments.
pub type Names = fn(Oid<'_>) -> Option<&'static str>;

/// Options for writing bytes as text.
#[derive(Clone, Copy)]
pub struct Options {
    /// True to add comments: object identifier names, readable times, malformed content.
    pub comments: bool,
    /// True to show the elements inside OCTET STRINGs and BIT STRINGs.
    pub nested: bool,
    /// The names of object identifiers.
    pub names: Option<Names>,
    /// Limits on the nesting of elements (deeper ones are written in hexadecimal), on their number, and on the length
    /// of the text.
    pub budget: Budget,
}

impl Options {
    /// Comments, nested elements, no object identifier names, and the default budget.
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

/// Formats bytes as text that [`parse`] converts back to the same bytes.
///
/// Valid BER is split into its elements, whatever the form of their identifiers and lengths. From the first malformed
/// element to the end of its container, bytes are written in hexadecimal, or as a string if they are text. OCTET
/// STRINGs are split if their content is one well-formed element, as are BIT STRINGs of at least 17 bytes. Invisible
/// characters and bidirectional controls are escaped.
///
/// ```
/// use tagwise_codec::oid;
/// use tagwise_notation::{Options, to_text};
/// let options = Options { names: Some(|oid| (oid == oid!("2.5.4.3")).then_some("commonName")), ..Options::DEFAULT };
/// let text = to_text(&[0x30, 0x80, 0x06, 0x03, 0x55, 0x04, 0x03, 0x04, 0x81, 0x02, 0x05, 0x00], &options)?;
/// assert_eq!(text, "\
/// SEQUENCE `80`  # missing end-of-contents octets
///   OBJECT_IDENTIFIER { 2.5.4.3 }  # commonName
///   OCTET_STRING long-form:1 {
///     NULL {}
///   }
/// ");
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
///
/// # Errors
/// Returns [`FaultKind::ElementsExceeded`](tagwise_codec::FaultKind::ElementsExceeded) or
/// [`FaultKind::OutputExceeded`](tagwise_codec::FaultKind::OutputExceeded) if the budget is exceeded, or
/// [`FaultKind::InputTooLarge`](tagwise_codec::FaultKind::InputTooLarge) above 4 GiB. Malformed input is not an error.
pub fn to_text(octets: &[u8], options: &Options) -> Result<String, Fault> {
    let events = scan::scan(octets, options)?;
    write::write(octets, &events, options)
}

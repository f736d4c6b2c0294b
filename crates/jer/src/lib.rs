//! JSON of ASN.1 values, both ways: the JSON Encoding Rules (X.697) over the codec's dynamic values.
//!
//! ```
//! use tagwise_codec::{SeqOf, value::Dynamic};
//! let numbers = Dynamic::of::<SeqOf<'_, u8>>();
//! let der = [0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07];
//! let value = numbers.decode(&der)?.value;
//! let json = tagwise_jer::to_string(numbers.types(), &value);
//! assert_eq!(json, "[5,7]");
//! assert_eq!(numbers.encode(&tagwise_jer::from_str(&numbers, &json)?)?, der);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | ASN.1 | JSON | X.697 (02/2021) |
//! |---|---|---|
//! | BOOLEAN, NULL | `true`, `false`, `null` | §20, §26 |
//! | INTEGER | a number, exact whatever its size up to 4096 octets; named numbers are numbers | §21 |
//! | ENUMERATED | the identifier | §22 |
//! | REAL | a number; `"-0"`, `"INF"`, `"-INF"`, `"NaN"`; with base 10 `{"base10Value": 1.5}` | §23 |
//! | BIT STRING | `{"value": "A0", "length": 3}`, of fixed size `"A0"`; with a contents constraint `{"containing": …}` | §24 |
//! | OCTET STRING | `"CAFE"`; with a contents constraint `{"containing": …}` | §25 |
//! | SEQUENCE, SET | an object of the components that are present and have no DEFAULT value | §27, §29 |
//! | SEQUENCE OF, SET OF | an array | §28, §30 |
//! | CHOICE | an object with the alternative as its one member | §31 |
//! | OBJECT IDENTIFIER, RELATIVE-OID | `"2.5.29.17"` | §32, §33 |
//! | character strings, OID-IRI, times | strings | §34 to §40 |
//! | open type | the value of the type that is selected, as it is | §41 |
//!
//! # What was confirmed, and what was decided
//!
//! The text of X.697 was not at hand. Its table of contents and what implementers cite of it confirm: numbers for INTEGER and
//! strings for ENUMERATED (§21, §22); the special values of REAL as strings (§23.2); hexadecimal without breaks, `value` and
//! `length` for a BIT STRING whose size varies and plain hexadecimal for one whose size is fixed (§24.2, §24.3, §25.3);
//! components that are absent or have their DEFAULT value left out; open types without a wrapping (§41); named bits written
//! like other bits, as Erlang's compiler does; `containing` for contents constraints, which the edition of 2021 brought.
//!
//! Decided here, until the text says otherwise:
//!
//! - Trailing zero bits of named bits are left out, as in DER; they may be there in what is read (X.680 §22.7).
//! - A REAL with base 2 that no float holds exactly is `{"$content": …}`, so that nothing is rounded.
//! - Contents that ENCODED BY says are encoded by other rules than DER stay hexadecimal.
//! - EXTERNAL, EMBEDDED PDV, CHARACTER STRING and INSTANCE OF have the components of their encodings (X.690 §8.16 to §8.18).
//! - Encoding instructions (§14 to §19) are not known: what they change is not changed here.
//!
//! X.697 has no form for what no type is known of, and none that JSON numbers or texts could carry. For those there are members
//! whose names no identifier can have: `{"$der": "0500"}` for an element, `"$additions": ["8000"]` in an object for unknown
//! extension additions, `{"$content": "E4"}` for content octets that are no text or no exact number. An unknown ENUMERATED
//! value is its number. An element is also read as `$der` where its type is known, for its writer may not have known it.
//!
//! JSON carries values, not encodings: what was read with deviations comes back as DER. Octets that may be signed stay as they
//! came all the same: where a `verbatim` SEQUENCE was read from something else than its DER, its object has the octets in
//! `"$verbatim"`. Reading holds them to the rest of the object, and encoding gives them back.
#![forbid(unsafe_code)]

mod error;
mod leaf;
mod read;
mod write;

pub use error::Error;
pub use read::from_str;
pub use write::{Jer, to_string, to_string_pretty};

/// An element that nothing is known of.
const DER: &str = "$der";
/// Content octets that are no text or no number of JSON's.
const CONTENT: &str = "$content";
/// Unknown extension additions.
const ADDITIONS: &str = "$additions";
/// Octets that stay as they came.
const VERBATIM: &str = "$verbatim";
/// Key of a string's contained value (X.697 §24, §25).
const CONTAINING: &str = "containing";

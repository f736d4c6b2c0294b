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
//! | ASN.1 | JSON |
//! |---|---|
//! | BOOLEAN, NULL | `true`, `false`, `null` |
//! | INTEGER | a number, exact whatever its size up to 4096 octets |
//! | ENUMERATED | the identifier |
//! | REAL | a number; `"-0"`, `"INF"`, `"-INF"`, `"NaN"`; with base 10 `{"base10Value": 1.5}` |
//! | BIT STRING | `{"value": "A0", "length": 3}`, of fixed size `"A0"`; with a contents constraint `{"containing": …}` |
//! | OCTET STRING | `"CAFE"`; with a contents constraint `{"containing": …}` |
//! | OBJECT IDENTIFIER, RELATIVE-OID | `"2.5.29.17"` |
//! | character strings, OID-IRI, times | strings |
//! | SEQUENCE, SET | an object of the components that are present and have no DEFAULT value |
//! | SEQUENCE OF, SET OF | an array |
//! | CHOICE | an object with the alternative as its one member |
//! | open type | the value of the type that is selected |
//!
//! X.697 has no form for what no type is known of, and none that JSON numbers or texts could carry. For those there are members
//! whose names no identifier can have: `{"$der": "0500"}` for an element, `"$additions": ["8000"]` in an object for unknown
//! extension additions, `{"$content": "E4"}` for content octets that are no text or no exact number. An unknown ENUMERATED
//! value is its number. EXTERNAL, EMBEDDED PDV and CHARACTER STRING have the components of their encodings (X.690 §8.18).
//!
//! What was read with deviations comes back as DER, signed octets too: JSON carries values, not encodings.
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
/// What a string holds (X.697 §24.4, §25).
const CONTAINING: &str = "containing";

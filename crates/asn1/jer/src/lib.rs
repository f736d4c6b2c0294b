//! The JSON Encoding Rules (X.697) for the codec's dynamic values, in both directions.
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
//! | INTEGER | a number, exact for sizes up to 4096 bytes; named numbers are numbers | §21 |
//! | ENUMERATED | the identifier | §22 |
//! | REAL | a number; `"-0"`, `"INF"`, `"-INF"`, `"NaN"`; with base 10, `{"base10Value": 1.5}`, or a number if the type permits only base 10 | §23 |
//! | BIT STRING | `{"value": "A0", "length": 3}`; with a fixed size, `"A0"`; with a contents constraint, `{"containing": …}` | §24 |
//! | OCTET STRING | `"CAFE"`; with a contents constraint, `{"containing": …}` | §25 |
//! | SEQUENCE, SET | an object with the components that are present and do not have their DEFAULT value | §27, §29 |
//! | SEQUENCE OF, SET OF | an array | §28, §30 |
//! | CHOICE | an object with the alternative as its only member | §31 |
//! | OBJECT IDENTIFIER, RELATIVE-OID | `"2.5.29.17"` | §32, §33 |
//! | character strings, OID-IRI, times | strings | §34 to §40 |
//! | open type | the value of the selected type, without wrapping | §41 |
//!
//! # Conformance
//!
//! The text of X.697 was not available. Its table of contents and implementers' citations confirm: numbers for INTEGER
//! and strings for ENUMERATED (§21, §22); the special values of REAL as strings (§23.2); hexadecimal without breaks,
//! `value` and `length` for a variable-size BIT STRING and plain hexadecimal for a fixed-size one (§24.2, §24.3,
//! §25.3); omission of absent and DEFAULT components; open types without wrapping (§41); named bits written like other
//! bits, as in Erlang's compiler; `containing` for contents constraints, from the 2021 edition.
//!
//! The following are this crate's own decisions:
//!
//! - Trailing zero bits of named bits are omitted, as in DER, but accepted in input (X.680 §22.7).
//! - The number of a base-2 REAL has the shortest digits that identify it, if it is a 64-bit float, and all digits otherwise. If
//!   these are more than about 10,000, or also identify a float, it is `{"$content": …}`. A number that is read is a float if it
//!   has a float's shortest digits, and otherwise exact if base 2 permits it.
//! - Contents with an ENCODED BY other than DER stay hexadecimal.
//! - EXTERNAL, EMBEDDED PDV, CHARACTER STRING and INSTANCE OF have the components of their encodings (X.690 §8.16 to
//!   §8.18).
//! - Encoding instructions (§14 to §19) are not supported and have no effect.
//!
//! X.697 does not define a form for data of unknown type, or data that JSON cannot represent. This crate uses members
//! whose names cannot be identifiers: `{"$der": "0500"}` for an element, `"$additions": ["8000"]` in an object for
//! unknown extension additions, and `{"$content": "E4"}` for content bytes that are not text or an exact number. An
//! unknown ENUMERATED value is written as its number. `$der` is also accepted for elements of known type, because the
//! writer may not have known it.
//!
//! Parts of unknown type that were read under encoding rules without tags are `{"$uper": "C0"}`, with the name of the
//! rules. Unknown alternatives and additions also have a `$number`: `{"$uper": "C0", "$number": 2}`. An unknown item of an
//! ENUMERATED has nothing else: `{"$uper": "", "$number": 2}`. An item
//! `{"$count": 3}` in `$additions` is the number of additions in the sender's version of the type, if it differs.
//!
//! JSON represents values, not encodings, so values read with deviations are written as DER. Bytes that may be signed
//! are nevertheless preserved: if a `verbatim` SEQUENCE was read from bytes other than its DER, its object contains
//! them in `"$verbatim"`. They are checked against the rest of the object when read, and restored when encoded.
#![forbid(unsafe_code)]

mod error;
mod leaf;
mod read;
mod write;

use tagwise_codec::value::ForeignRules;

pub use error::Error;
pub use read::from_str;
pub use write::{Jer, to_string, to_string_pretty};

/// The key of an element whose type is unknown.
const DER: &str = "$der";
/// The members for the contents of an open type field of unknown type, under encoding rules without tags.
const FOREIGN: [(&str, ForeignRules); 4] = [
    ("$uper", ForeignRules::Uper),
    ("$aper", ForeignRules::Aper),
    ("$oer", ForeignRules::Oer),
    ("$xer", ForeignRules::Xer),
];
/// The number of an unknown alternative or addition under encoding rules without tags.
const NUMBER: &str = "$number";
/// The number of additions that the sender's version of a type has.
const COUNT: &str = "$count";
/// Content bytes that are no text or no number of JSON's.
const CONTENT: &str = "$content";
/// The key of unknown extension additions.
const ADDITIONS: &str = "$additions";
/// The key of the original bytes of a `verbatim` value.
const VERBATIM: &str = "$verbatim";
/// The key of a string's contained value (X.697 §24, §25).
const CONTAINING: &str = "containing";

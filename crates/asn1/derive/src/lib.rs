//! `#[derive(Asn1)]` for decoding and encoding Rust types as ASN.1, with a table that describes the type as data.
//!
//! The derive generates the code that you would write by hand with the codec's `Reader` and `Writer`: straight-line
//! strict DER, including X.690's type-dependent rules (DEFAULT values, SET order, constraints). It also generates the
//! type's table, for error paths, printing, and conversion from BER. To use ASN.1 schemas, see the schema compiler,
//! which emits types with this derive.
//!
//! ```
//! use tagwise_codec::{Additions, Any, Decode, Int, FaultKind, Oid, Utf8, encode};
//! use tagwise_derive::Asn1;
//!
//! /// ```asn1
//! /// Ticket ::= [APPLICATION 1] EXPLICIT SEQUENCE {
//! ///     version   [0] EXPLICIT Version DEFAULT v1,
//! ///     serial    INTEGER,
//! ///     ownerID   [1] IMPLICIT UTF8String (SIZE (1..64)) OPTIONAL,
//! ///     purpose   Purpose,
//! ///     ... }
//! /// ```
//! #[derive(Asn1, Debug, PartialEq)]
//! #[asn1(application = 1, explicit)]
//! struct Ticket<'a> {
//!     #[asn1(explicit = 0, default = Version::V1)]
//!     version: Version,
//!     serial: Int<'a>,
//!     #[asn1(implicit = 1, name = "ownerID", size(1..=64))]
//!     owner: Option<Utf8<'a>>,
//!     purpose: Purpose<'a>,
//!     #[asn1(extensions)]
//!     extensions: Additions<'a>,
//! }
//!
//! /// `Version ::= INTEGER { v1(0), v2(1) }`
//! #[derive(Asn1, Debug, PartialEq, Clone, Copy)]
//! #[asn1(integer)]
//! enum Version {
//!     V1 = 0,
//!     V2 = 1,
//! }
//!
//! /// `Purpose ::= CHOICE { known OBJECT IDENTIFIER, none NULL, ... }`
//! #[derive(Asn1, Debug, PartialEq)]
//! enum Purpose<'a> {
//!     Known(Oid<'a>),
//!     None,
//!     #[asn1(unknown)]
//!     Unknown(Any<'a>),
//! }
//!
//! //         [APPLICATION 1] SEQUENCE  serial   ownerID [1]     purpose
//! let der = [0x61, 10, 0x30, 8, 0x02, 1, 5, 0x81, 1, b'A', 0x05, 0];
//! let ticket = Ticket::from_der(&der)?;
//! assert_eq!((ticket.version, ticket.purpose), (Version::V1, Purpose::None));
//! assert_eq!(encode(&Ticket { purpose: Purpose::None, ..ticket })?, der);
//!
//! // An empty ownerID.
//! let error = Ticket::from_der(&[0x61, 9, 0x30, 7, 0x02, 1, 5, 0x81, 0, 0x05, 0]).unwrap_err();
//! assert_eq!((error.kind(), error.offset(), error.path()), (FaultKind::Size, 7, "ownerID"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Type mapping
//!
//! | Rust | ASN.1 |
//! |---|---|
//! | struct with named fields, unit struct, tuple struct with several fields | SEQUENCE; with `set`, SET; with `group`, the components of `[[ … ]]` |
//! | tuple struct with one field | the field's type under a new name |
//! | enum whose variants contain types (a variant without a type is NULL) | CHOICE |
//! | enum of unit variants | ENUMERATED; with `integer`, an INTEGER with named numbers; with `choice`, a CHOICE of NULLs |
//! | enum with `open_type` | the types that an object set selects |
//!
//! The first lifetime parameter is the input's. Without one, the type decodes from any input. Components whose types
//! use a type parameter get the necessary bounds.
//!
//! Fields may borrow from the input or own their data, in any combination. The codec's module `owned` lists the owned
//! types. A type without type parameters also implements `Lend`, so that `Owned` can store its values without a
//! lifetime.
//!
//! ASN.1 names are the Rust names in ASN.1's case: `not_before` is `notBefore`, and `DirectoryName` is the alternative
//! `directoryName`. Type names are unchanged. Use `name = "…"` to override a name. Tuple fields are named by position.
//!
//! # On a type
//!
//! | Attribute | Meaning |
//! |---|---|
//! | `name = "TBSCertificate"` | the ASN.1 name |
//! | `implicit = N`, `explicit = N` | a context-specific tag; `application = N`, `private = N` and `universal = N` are IMPLICIT, or EXPLICIT with the flag `explicit` |
//! | `set`, `group` | on a struct: see above |
//! | `choice`, `enumerated`, `integer`, `open_type` | on an enum: see above. `choice` on a newtype declares that the inner type has no tag of its own (this is already known for `Any`) |
//! | `verbatim` | marks the table: the original bytes are signed. Keep them with `Captured<'a, T>` |
//! | `secret` | values are never printed: marks the table, and makes the derive implement a `Debug` that shows `…` |
//! | `own_debug` | on a type with secrets: the type implements `Debug` itself |
//! | `inline` | inlines decoding and encoding; for small types that are read in bulk, this saves about a third of the instructions |
//! | `constructor` | on a struct of components: generates `new` with the required ones |
//! | `defaults` | on a struct without required components: implements `Default`, with the DEFAULT values |
//! | `convert` | on a newtype: implements `From` in both directions; into a type with `size`, `value`, `from` or `pattern`, implements `TryFrom` instead; into a type with other constraints, no conversion |
//! | `check = path` | `fn(&Self, &Reader<'_, '_>, usize) -> Result<(), Fault>`, called with the decoded value, the reader and the position of its content (of its first byte, if the type has no tag of its own) |
//! | `shape = path` | `fn(&mut Reader<'a, '_>, usize) -> Option<Self>`: a hand-written fast path for the common form, `DecodeValue::shape` |
//! | `rules(PATH, …)` | the profile rules whose violations `check` may report |
//! | `named_bits(crl_sign("cRLSign") = 6, …)` | on a newtype of `NamedBits`: for each bit a method and a constant (`CRL_SIGN`, a `Flags`), and names in the table |
//! | `named_numbers(v1 = 0, …)` | on a newtype of an integer: names in the table |
//! | `boxed` | on a CHOICE: makes `Box<Self>` decodable, for recursive types |
//! | `with_components(…)`, `constrained_by = "…"`, `constraints(…)` | constraints on values of the whole type, as on a component |
//! | `crate = path` | the path of the codec [default: `::tagwise_codec`; of `tagwise::Asn1`, `::tagwise::codec`] |
//!
//! On a newtype, you can put the attributes of its field on the field or on the type.
//!
//! # On a component, an alternative, or a newtype's field
//!
//! | Attribute | Meaning |
//! |---|---|
//! | `implicit = N` … | a tag, as on a type; at most one |
//! | `optional` | OPTIONAL, for an alias of `Option`; a field whose type is called `Option` is OPTIONAL anyway |
//! | `default = expression` | DEFAULT: an absent component decodes to this value, which is not encoded |
//! | `default_der = [0x30, …]` | DEFAULT, for a value that no expression can create: its DER, without the component's tags |
//! | `name = "…"` | the name in ASN.1 |
//! | `size(1..=64)`, `size(1.., ...)` | SIZE, also for a string that contains an encoding; several ranges are separated by commas; `...` makes it extensible, so that nothing is rejected |
//! | `value(0..=200)` | a value constraint on an INTEGER, in the same form |
//! | `from('a'..='z', "-_")` | FROM, the permitted alphabet: characters, ranges, and strings, which stand for each of their characters; `...` as above |
//! | `pattern = r"\d#4-\d#2"` | PATTERN, a regular expression as in X.680 Annex A, compiled at compile time |
//! | `with_components(..., a = present, "b-c" = absent, d(value(0..=9)))` | WITH COMPONENTS, by Rust names or quoted ASN.1 names; a leading `...` makes it partial; parentheses contain `present`, `absent`, and constraints as in `constraints(…)` |
//! | `contents = Type`, `encoded_by = "2.1.1"` | CONTAINING … ENCODED BY: a string that is kept as bytes, which encode a value of the type in BER (2.1.1) or CER (2.1.2.0); encodings under other rules are not checked |
//! | `constrained_by = "…"` | CONSTRAINED BY: checked if `Options::user_checks` defines it |
//! | `constraints(…)` | further constraints, all of which hold: see below |
//! | `constraints = PATH` | further constraints as a constant `&'static [Constraint]` of the codec's tables; not `Relation`, which requires the value's context |
//! | `secret` | the value is never printed: the derive then implements the type's `Debug`, which shows `…` in its place |
//! | `octets` | the bytes in a `Vec<u8>`, `[u8; N]`, `&[u8]`, `Cow<[u8]>` or `Box<[u8]>` are an OCTET STRING |
//! | `numbers` | the bytes in a `Vec<u8>` or `[u8; N]` are a SEQUENCE OF INTEGER, as for other lists; either `octets` or `numbers` is required |
//! | `containing` | an OCTET STRING (with `bit_string`, a BIT STRING) that contains the encoding of the type; optionally with `encoded_by = "2.1.2.1"` (DER) |
//! | `defined_by = field` or `field.part` | an open type selected by an earlier component, an `Oid` or `Int`; with `octet_string` or `bit_string`, inside such a string |
//! | `extensions` | the extension marker: the field is `Additions` (in a SET, `SetAdditions`) and keeps unknown additions |
//! | `group` or `group = N` | the field is an `Option` of a `group` struct: an extension addition group, with its version number |
//! | `in_group = N` | the component belongs to group N in the table, but is decoded like any other |
//! | `root` | the first component after the second extension marker |
//!
//! `constraints(…)` accepts `size(…)`, `value(…)`, `from(…)`, `pattern = "…"`, `with_components(…)`, `constrained_by =
//! "…"`, `contents = Type` and `encoded_by = "…"` as above, and
//!
//! | Constraint | Meaning |
//! |---|---|
//! | `values(b"\x13\x02no", …)` | single values, each in DER without the component's tags |
//! | `between(b"\x80\xFF\x03", open b"\x80\x00\x02")` | a range of REALs, or of INTEGERs of more than 128 bits, with bounds as content bytes; `open` makes a bound exclusive, `_` is MIN or MAX |
//! | `settings = "Basic=Date"` | SETTINGS of a time type |
//! | `with_component(…)` | WITH COMPONENT: constraints on all elements of a list |
//! | `any_of(…)`, `all_of(…)`, `none_of(…)` | at least one, all, or none of a list of constraints |
//!
//! ```
//! use tagwise_codec::{Decode, Ia5};
//! use tagwise_derive::Asn1;
//!
//! /// `Code ::= IA5String (SIZE (1) | FROM ("a".."c") EXCEPT "abc")`
//! #[derive(Asn1)]
//! struct Code<'a>(#[asn1(constraints(any_of(
//!     size(1),
//!     all_of(from('a'..='c'), none_of(values(b"\x16\x03abc")))
//! )))] Ia5<'a>);
//!
//! assert!(Code::from_der(b"\x16\x01Z").is_ok() && Code::from_der(b"\x16\x02ca").is_ok());
//! assert!(Code::from_der(b"\x16\x02ZZ").is_err() && Code::from_der(b"\x16\x03abc").is_err());
//! ```
//!
//! Constraints from `with_components` on are checked through the table, like dynamic values. The decoded or encoded
//! value is decoded once more for this, which requires the codec's feature `dynamic`.
//!
//! Constraint violations can be tolerated while decoding (`Rule::SIZE`, `Rule::VALUE`), but such values cannot be
//! encoded. Errors refer to the component's first byte, or to the content for a newtype's constraint.
//!
//! Components after the marker and before `root` are extension additions: `Option`s, DEFAULTs or groups. Unknown
//! elements follow them. Elements that `Rule::EXTRA_COMPONENTS` tolerates at the end of a SEQUENCE without a marker are
//! not kept.
//!
//! An OPTIONAL CHOICE is present if the next element can be one of its alternatives, not counting `unknown`.
//!
//! # On a variant
//!
//! | Attribute | Meaning |
//! |---|---|
//! | `unknown` | keeps unknown values, and makes the type extensible: `Unknown(Any<'a>)` in a CHOICE, `Unknown(i64)` in an ENUMERATED, `Unknown(Unknown<'a>)` in an open type |
//! | `number = N` | the number of an item, if the enum cannot have discriminants; the default is one more than the previous item |
//! | `oid = "2.5.29.15"`, `oid = CONSTANT`, `number = N` | the key that selects the type, in an open type; a constant is a path to an `Oid` |
//!
//! # Open types
//!
//! A component with `defined_by` is either the enum itself, which is decoded immediately, or `Open<'a, Enum>`, which is
//! checked immediately and decoded on access. A list of elements of the selected type is `OpenSeqOf<'a, Enum>` or
//! `OpenSetOf<'a, Enum>`.
//!
//! ```
//! use tagwise_codec::{Decode, Oid, Open, Unknown};
//! use tagwise_derive::Asn1;
//!
//! #[derive(Asn1)]
//! struct Extension<'a> {
//!     #[asn1(name = "extnID")]
//!     id: Oid<'a>,
//!     #[asn1(default = false)]
//!     critical: bool,
//!     #[asn1(defined_by = id, octet_string)]
//!     value: Open<'a, ExtensionValue<'a>>,
//! }
//!
//! #[derive(Asn1)]
//! #[asn1(open_type, name = "ExtensionSet")]
//! enum ExtensionValue<'a> {
//!     #[asn1(oid = "2.5.29.54")]
//!     InhibitAnyPolicy(u32),
//!     #[asn1(unknown)]
//!     Unknown(Unknown<'a>),
//! }
//!
//! let der = [0x30, 10, 0x06, 3, 0x55, 0x1D, 54, 0x04, 3, 0x02, 1, 0];
//! let extension = Extension::from_der(&der)?;
//! assert!(matches!(extension.value.get()?, ExtensionValue::InhibitAnyPolicy(0)));
//! # Ok::<(), tagwise_codec::Error>(())
//! ```
//!
//! # Secrets
//!
//! If anything is `secret`, the derive generates a `Debug` that omits it. A second `Debug` implementation is a
//! compile-time error.
//!
//! ```
//! use tagwise_derive::Asn1;
//!
//! #[derive(Asn1)]
//! struct Login<'a> {
//!     user: &'a str,
//!     #[asn1(secret)]
//!     password: &'a str,
//! }
//!
//! let login = Login { user: "eva", password: "geheim" };
//! assert_eq!(format!("{login:?}"), r#"Login { user: "eva", password: … }"#);
//! ```
//!
//! ```compile_fail,E0119
//! use tagwise_derive::Asn1;
//!
//! #[derive(Asn1, Debug)]
//! struct Login<'a> {
//!     #[asn1(secret)]
//!     password: &'a str,
//! }
//! ```
//!
//! # Tags at compile time
//!
//! Equal tags are a compile-time error, as far as the tags are known outside the type (not for type parameters or
//! CHOICEs). This applies to two alternatives of a CHOICE, to two components of a SET, and to a component that follows
//! an OPTIONAL one. IMPLICIT tags on types without a tag of their own, which X.680 §31.2.7 makes explicit, are also
//! compile-time errors.

mod ast;
mod attr;
mod check;
mod expand;
mod names;
mod table;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_macro_input};

/// Derives the codec's traits: `Typed`, and `Tagged`, `DecodeValue` and `EncodeValue`, or `Decode` and `Encode` for
/// types without a tag of their own. The [crate documentation](crate) lists the attributes.
///
/// ```
/// use tagwise_codec::{Decode, encode};
/// use tagwise_derive::Asn1;
///
/// #[derive(Asn1, Debug, PartialEq)]
/// struct Point {
///     x: i32,
///     y: i32,
/// }
///
/// let der = encode(&Point { x: 1, y: -1 })?;
/// assert_eq!(der, [0x30, 6, 0x02, 1, 1, 0x02, 1, 0xFF]);
/// assert_eq!(Point::from_der(&der)?, Point { x: 1, y: -1 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[proc_macro_derive(Asn1, attributes(asn1))]
pub fn derive_asn1(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    expand_item(&item, quote!(::tagwise_codec)).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Like [`Asn1`](derive@Asn1), for users of the crate `tagwise`, which exports it as `tagwise::Asn1`. The generated
/// code refers to `::tagwise::codec`.
#[proc_macro_derive(Asn1OfTagwise, attributes(asn1))]
pub fn derive_asn1_of_tagwise(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    expand_item(&item, quote!(::tagwise::codec)).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Expands an item. The codec's path is the one in `#[asn1(crate = path)]` or, by default, `codec`.
fn expand_item(item: &DeriveInput, codec: TokenStream) -> syn::Result<TokenStream> {
    let mut errors = attr::Errors::default();
    let input = ast::Input::read(item, &mut errors);
    if let Some(input) = &input {
        check::check(input, &mut errors);
    }
    match (errors.into_error(), input) {
        (Some(error), _) => Err(error),
        (None, Some(input)) => {
            let codec = input.codec.as_ref().map_or(codec, |path| quote!(#path));
            Ok(expand::expand(&input, codec))
        }
        (None, None) => Ok(TokenStream::new()),
    }
}

#[cfg(test)]
mod tests;

//! `#[derive(Asn1)]` for decoding and encoding Rust types as ASN.1, with a table that describes the type as data.
//!
//! The derive generates the code that one would write by hand with the codec's `Reader` and `Writer`: straight-line
//! strict DER, including X.690's type-dependent rules (DEFAULT values, SET order, constraints). It also generates the
//! type's table, for error paths, printing, and conversion from BER. To use ASN.1 schemas, see the schema compiler,
//! which emits types with this derive.
//!
//! ```
//! use tagwise_codec::{Additions, Any, Decode, Int, Kind, Oid, Utf8, encode};
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
//! assert_eq!((error.kind(), error.offset(), error.path()), (Kind::Size, 7, "ownerID"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a type is
//!
//! | Rust | ASN.1 |
//! |---|---|
//! | struct with named fields, unit struct, tuple struct of several fields | SEQUENCE; with `set` SET; with `group` the components of `[[ … ]]` |
//! | tuple struct of one field | the field's type under a new name |
//! | enum whose variants hold types (one without is NULL) | CHOICE |
//! | enum of unit variants | ENUMERATED; with `integer` an INTEGER with named numbers; with `choice` a CHOICE of NULLs |
//! | enum with `open_type` | the types that an object set selects |
//!
//! The first lifetime parameter is the input's. Without one, the type decodes from any input. Components whose types
//! use a type parameter get the necessary bounds.
//!
//! Fields may borrow from the input or own their data, in any combination: the codec's module `owned` lists the owned
//! types. A type without type parameters also implements `Lend`, with which `Owned` stores its values without a
//! lifetime.
//!
//! ASN.1 names are the Rust names in ASN.1's case: `not_before` is `notBefore`, and `DirectoryName` is the alternative
//! `directoryName`; type names are unchanged. Use `name = "…"` to override. Tuple fields are named by position.
//!
//! # On a type
//!
//! | Attribute | Meaning |
//! |---|---|
//! | `name = "TBSCertificate"` | the name in ASN.1 |
//! | `implicit = N`, `explicit = N` | a context tag; `application = N`, `private = N` and `universal = N` are IMPLICIT, or EXPLICIT with the flag `explicit` |
//! | `set`, `group` | on a struct: see above |
//! | `choice`, `enumerated`, `integer`, `open_type` | on an enum: see above. `choice` on a newtype says that the type inside has no tag of its own (known of `Any`) |
//! | `verbatim` | marks the table: the original bytes are what is signed. Keep them with `Captured<'a, T>` |
//! | `secret` | values are never printed: marks the table, and `Debug`, which the derive then implements, shows `…` |
//! | `own_debug` | where something is secret: the type implements `Debug` itself |
//! | `inline` | decodes and encodes in line where it is used: for small types that are read in bulk, which take about a third fewer instructions so |
//! | `constructor` | on a struct of components: `new`, of those that are required |
//! | `defaults` | on a struct in which nothing is required: `Default`, with the DEFAULT values |
//! | `convert` | on a newtype: `From` in both directions; `TryFrom` into a type with `size`, `value`, `from` or `pattern`, none into one with other constraints |
//! | `check = path` | `fn(&Self, &Reader<'_, '_>, usize) -> Result<(), Fault>`, called with the value that was read and the position of its content (of its first byte, if the type has no tag of its own) |
//! | `shape = path` | `fn(&mut Reader<'a, '_>, usize) -> Option<Self>`: a hand-shaped path for the common form, `DecodeValue::shape` |
//! | `rules(PATH, …)` | the profile rules that `check` may find broken |
//! | `named_bits(crl_sign("cRLSign") = 6, …)` | on a newtype of `NamedBits`: for each bit a method and a constant (`CRL_SIGN`, a `Flags`), and names in the table |
//! | `named_numbers(v1 = 0, …)` | on a newtype of an integer: names in the table |
//! | `boxed` | on a CHOICE: `Box<Self>` decodes too, for recursive types |
//! | `with_components(…)`, `constrained_by = "…"`, `constraints(…)` | what values of the whole type obey, as on a component |
//! | `crate = path` | the path of the codec [default: `::tagwise_codec`; of `tagwise::Asn1`, `::tagwise::codec`] |
//!
//! A newtype also accepts the attributes of its field, on either.
//!
//! # On a component, an alternative, or a newtype's field
//!
//! | Attribute | Meaning |
//! |---|---|
//! | `implicit = N` … | tags, as on a type; one at a time |
//! | `optional` | OPTIONAL, for an alias of `Option`; a field whose type is called `Option` is OPTIONAL anyway |
//! | `default = expression` | DEFAULT: the field holds the value, which is not encoded |
//! | `default_der = [0x30, …]` | the same, where no expression makes the value: its DER, without the tags put on the component |
//! | `name = "…"` | the name in ASN.1 |
//! | `size(1..=64)`, `size(1.., ...)` | SIZE, of a string also where it holds an encoding; several ranges with commas; `...` makes it extensible, and nothing is refused |
//! | `value(0..=200)` | a value constraint on an INTEGER, in the same form |
//! | `from('a'..='z', "-_")` | FROM, the permitted alphabet: characters, ranges, and texts for all their characters; `...` as above |
//! | `pattern = r"\d#4-\d#2"` | PATTERN, a regular expression of X.680 Annex A, compiled with the crate |
//! | `with_components(..., a = present, "b-c" = absent, d(value(0..=9)))` | WITH COMPONENTS, by names in Rust or texts in ASN.1; `...` first makes it partial; in parentheses `present`, `absent`, and constraints as in `constraints(…)` |
//! | `contents = Type`, `encoded_by = "2.1.1"` | CONTAINING … ENCODED BY: a string that is kept as bytes, which are a value of the type in BER (2.1.1) or CER (2.1.2.0); those of other rules are left alone |
//! | `constrained_by = "…"` | CONSTRAINED BY in words: checked where `Options::user_checks` explain them |
//! | `constraints(…)` | further constraints, all of which hold: see below |
//! | `constraints = PATH` | the same as a constant `&'static [Constraint]` of the codec's tables; not `Relation`, which needs what is around the value |
//! | `secret` | the value is never printed: `Debug` of the type, which the derive then implements, shows `…` in its place |
//! | `octets` | the bytes in a `Vec<u8>`, `[u8; N]`, `&[u8]`, `Cow<[u8]>` or `Box<[u8]>` are an OCTET STRING |
//! | `numbers` | the bytes in a `Vec<u8>` or `[u8; N]` are a SEQUENCE OF INTEGER, as those of other lists; one of both has to be said |
//! | `containing` | (perhaps with `encoded_by = "2.1.2.1"`, DER) an OCTET STRING (with `bit_string`: a BIT STRING) that holds the encoding of the type |
//! | `defined_by = field` or `field.part` | an open type that an earlier component, an `Oid` or `Int`, selects; with `octet_string` or `bit_string` inside such a string |
//! | `extensions` | the extension marker: the field is `Additions` (in a SET `SetAdditions`) and keeps what is unknown |
//! | `group` or `group = N` | the field is an `Option` of a `group` struct: an extension addition group, with its version number |
//! | `in_group = N` | the component belongs to group N in the table, and is read as if it did not |
//! | `root` | the first component after the second extension marker |
//!
//! `constraints(…)` accepts `size(…)`, `value(…)`, `from(…)`, `pattern = "…"`, `with_components(…)`, `constrained_by =
//! "…"`, `contents = Type` and `encoded_by = "…"` as above, and
//!
//! | Constraint | Meaning |
//! |---|---|
//! | `values(b"\x13\x02no", …)` | single values, each in DER without the tags that the component puts on it |
//! | `between(b"\x80\xFF\x03", open b"\x80\x00\x02")` | a REAL, or an INTEGER of more than 128 bits, by content bytes; `open` leaves an end out, `_` is MIN or MAX |
//! | `settings = "Basic=Date"` | SETTINGS of a time |
//! | `with_component(…)` | WITH COMPONENT: what all elements of a list obey |
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
//! Constraints from `with_components` on are checked through the table, like dynamic values: the decoded or encoded
//! value is decoded once more, which requires the codec's feature `dynamic`.
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
//! | `unknown` | keeps what is not known, and makes the type extensible: `Unknown(Any<'a>)` in a CHOICE, `Unknown(i64)` in an ENUMERATED, `Unknown(Unknown<'a>)` in an open type |
//! | `number = N` | the number of an item, where the enum cannot have discriminants; without either, one more than the item before |
//! | `oid = "2.5.29.15"`, `oid = CONSTANT`, `number = N` | selects the type, in an open type; a constant is a path to an `Oid` |
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
//! Equal tags are a compile-time error in two alternatives of a CHOICE, in two components of a SET, and in a component
//! that follows an OPTIONAL one, as far as the tags are known outside the type (not for type parameters or CHOICEs). So
//! are IMPLICIT tags on types without a tag of their own, which X.680 §31.2.7 makes explicit.

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

/// [`Asn1`](derive@Asn1) for users of the crate `tagwise`, which exports it as `tagwise::Asn1`: the code names `::tagwise::codec`.
#[proc_macro_derive(Asn1OfTagwise, attributes(asn1))]
pub fn derive_asn1_of_tagwise(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    expand_item(&item, quote!(::tagwise::codec)).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Expands an item whose codec is at the path in `#[asn1(crate = path)]`, or at this one.
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

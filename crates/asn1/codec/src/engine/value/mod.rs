//! Values of types known only at run time: decoded, encoded and compared through their tables.
//!
//! [`Dynamic`] decodes and encodes [`Value`]s of a type. It accepts the same inputs as the derived decoder of the same
//! table, and reports the same error kinds at the same offsets. Both use the same [`Reader`](crate::Reader), primitive types
//! and session. Checks that a table cannot express are in its [`Check`](crate::table::Constraint::Check)s.
//! Open types of an object set are decoded immediately.
//!
//! Values are checked against everything in their table. [`Dynamic::unchecked`] lists the constraints that cannot be
//! checked: user-defined constraints without a [`UserCheck`](crate::UserCheck), unsupported encoding rules, and time
//! recurrences (SETTINGS).

mod additions;
pub(crate) mod by_table;
mod compare;
mod constraint;
pub(crate) mod contents;
mod decode;
mod direct;
mod dynamic;
mod encode;
mod fields;
mod judge;
mod late;
pub(super) mod leaf;
mod open;
mod real;
mod scaled;
pub(crate) mod show;
mod sizes;
mod text;
mod types;
mod unchecked;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

pub use self::direct::{Chosen, Origin, Stopped, Target};
pub use self::dynamic::Dynamic;
pub use self::late::{Late, Part};
pub use self::open::{Ahead, Scope};
pub use self::real::{binary_from_decimal, binary_to_decimal};
pub use self::scaled::{Scaled, real_from_decimal};
pub use self::sizes::ContainedSizes;
pub use self::text::from_text;
pub use self::types::Types;
pub use self::unchecked::{Unchecked, Why};
pub use super::decimal::{decimal, from_decimal};
pub use super::dotted::{from_dotted, from_dotted_relative};
pub use super::explain::{Found, PathError};
pub use super::print::{Canvas, Print, Role};
use crate::decode::DecodeValue;
use crate::fault::Fault;
use crate::reader::Reader;
use crate::table::{Constraint, Field, Fields, Shape, TimeKind, Type};

/// A value and its type.
///
/// ```
/// use tagwise_codec::value::{Data, Dynamic};
/// use tagwise_codec::SeqOf;
/// let numbers = Dynamic::of::<SeqOf<'_, u8>>();
/// let input = [0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07];
/// let value = numbers.decode(&input)?.value;
/// let Data::Items(items) = value.data() else { panic!() };
/// assert_eq!((items.len(), items[1].offset()), (2, 5));
/// assert_eq!(numbers.encode(&value)?, input);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Equality compares abstract values. It ignores the encoding and the order in a SET OF.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    /// The declared type, which may name or tag another one.
    ty: &'a Type,
    /// The underlying type: `ty` with named and tagged types resolved.
    base: &'a Type,
    /// Its encoding, if it was decoded.
    octets: Option<Cow<'a, [u8]>>,
    offset: u32,
    secret: bool,
    verbatim: bool,
    data: Data<'a>,
}

/// The contents of a [`Value`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Data<'a> {
    /// The content bytes of a type without components.
    Leaf(Cow<'a, [u8]>),
    /// SEQUENCE, SET, EXTERNAL, EMBEDDED PDV, CHARACTER STRING.
    Components(Components<'a>),
    /// SEQUENCE OF and SET OF.
    Items(Vec<Value<'a>>),
    /// CHOICE.
    Alternative(Alternative<'a>),
    /// An OCTET STRING or BIT STRING that contains this value's encoding.
    Containing(Box<Value<'a>>),
    /// An element of unknown type: the whole encoding.
    Unknown(Cow<'a, [u8]>),
    /// A value of unknown type under encoding rules without tags. It has no BER encoding.
    Foreign(Foreign),
}

/// The encoding of a value of unknown type, or an unknown item of an ENUMERATED, under encoding rules without tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The encoding rules.
    pub rules: ForeignRules,
    /// The number of a CHOICE's unknown alternative: among its extension additions, from 0, in PER. In OER, it is the
    /// number of its tag, with the class in the two upper bits. For an unknown item of an ENUMERATED in PER, the number among
    /// its additional items, from 0. `None` for an open type, and in XER.
    pub number: Option<u32>,
    /// The contents of the open type field, or the element in XER. Empty for an item of an ENUMERATED in PER.
    pub octets: Vec<u8>,
}

/// Encoding rules without tags. Parts of unknown type cannot be converted between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ForeignRules {
    /// PER (X.691), UNALIGNED.
    Uper,
    /// PER, ALIGNED.
    Aper,
    /// OER (X.696).
    Oer,
    /// XER (X.693). Parts are elements as XML.
    Xer,
}

impl ForeignRules {
    /// All encoding rules.
    pub const ALL: [Self; 4] = [Self::Uper, Self::Aper, Self::Oer, Self::Xer];

    /// The short name: `uper`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uper => "uper",
            Self::Aper => "aper",
            Self::Oer => "oer",
            Self::Xer => "xer",
        }
    }
}

/// The extension additions of a SEQUENCE or SET that were read under encoding rules without tags, and are not in the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignAdditions {
    /// The encoding rules.
    pub rules: ForeignRules,
    /// The number of extension additions that the sender's version of the type has, or 0 if it is this version.
    pub count: u32,
    /// The unknown additions, with their numbers from 0. In XER, the number is that of the type's components up to the one
    /// that precedes the addition.
    pub list: Vec<(u32, Vec<u8>)>,
}

impl ForeignAdditions {
    /// Creates an empty list.
    #[must_use]
    pub const fn new(rules: ForeignRules) -> Self {
        Self { rules, count: 0, list: Vec::new() }
    }
}

/// The components of a SEQUENCE or SET.
#[derive(Clone, Debug)]
pub struct Components<'a> {
    fields: &'a Fields,
    /// One for each field. Components with their DEFAULT value are absent.
    slots: Vec<Option<Value<'a>>>,
    unknown: Vec<Cow<'a, [u8]>>,
    foreign: Option<Box<ForeignAdditions>>,
}

/// The chosen alternative of a CHOICE.
#[derive(Clone, Debug)]
pub struct Alternative<'a> {
    field: &'a Field,
    value: Box<Value<'a>>,
}

impl<'a> Value<'a> {
    /// Creates a value from its type and data. It is not checked until it is encoded.
    ///
    /// `ty` may name or tag the actual type; [`Types::base`] resolves it.
    #[must_use]
    pub fn new(types: Types<'a>, ty: &'a Type, data: Data<'a>) -> Self {
        Self { ty, base: types.base(ty), octets: None, offset: 0, secret: types.is_secret(ty), verbatim: false, data }
    }

    /// The declared type, before named and tagged types are resolved. [`Value::base`] returns the underlying type.
    #[must_use]
    pub const fn ty(&self) -> &'a Type {
        self.ty
    }

    /// Returns the underlying type: [`Value::ty`] with named and tagged types resolved.
    #[must_use]
    pub const fn base(&self) -> &'a Type {
        self.base
    }

    /// Returns the value's contents: content bytes, components, items, or another form of [`Data`].
    #[must_use]
    pub const fn data(&self) -> &Data<'a> {
        &self.data
    }

    /// Returns the encoding from which the value was decoded, without the component's EXPLICIT tags. `None` if the value was not
    /// decoded.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        self.octets.as_deref()
    }

    /// Returns the original bytes of a `verbatim` value, if they differ from its DER. Other representations of the value do not preserve
    /// them.
    #[must_use]
    pub fn kept(&self, types: Types<'a>) -> Option<&[u8]> {
        let octets = self.octets.as_deref().filter(|_| self.verbatim)?;
        let der = encode::anew(types, self.ty, self);
        (der.as_deref() != Ok(octets)).then_some(octets)
    }

    /// Attaches original bytes to a value of a `verbatim` type: see [`Value::kept`]. They may deviate from DER. Returns
    /// `None` if the type is not `verbatim` or the bytes do not encode this value.
    #[must_use]
    pub fn keeping(self, types: Types<'a>, octets: Vec<u8>) -> Option<Self> {
        let same = {
            let session = leaf::lenient();
            let mut reader = Reader::with_session(&octets, &session).ok()?;
            let read = decode::unconstrained(types, self.ty, &mut reader).ok()?;
            read.verbatim && reader.is_empty() && read == self
        };
        same.then_some(Self { octets: Some(Cow::Owned(octets)), verbatim: true, ..self })
    }

    /// Returns the absolute offset of the value in its input, or 0 if it was not decoded.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset as usize
    }

    /// Returns whether the value must not be printed, because it is marked `secret`.
    #[must_use]
    pub const fn is_secret(&self) -> bool {
        self.secret
    }

    /// Returns the content bytes, if the type has no components.
    #[must_use]
    pub fn content(&self) -> Option<&[u8]> {
        match &self.data {
            Data::Leaf(content) => Some(content),
            _ => None,
        }
    }

    /// Creates a value of a type without components from its DER content bytes.
    ///
    /// # Errors
    /// Returns any error in the bytes, with an offset into them. Returns [`FaultKind::Internal`](crate::FaultKind::Internal) if the type
    /// has components.
    pub fn leaf(types: Types<'a>, ty: &'a Type, content: Cow<'a, [u8]>) -> Result<Self, Fault> {
        let mut reader = Reader::new(&content)?;
        if !leaf::read(&types.base(ty).shape, &mut reader, content.len())? {
            return Err(Fault::new(crate::FaultKind::Internal, 0));
        }
        Ok(Self::new(types, ty, Data::Leaf(content)))
    }

    /// Converts a value without components to its Rust type, including tolerated deviations.
    ///
    /// ```
    /// use tagwise_codec::{Int, value::Dynamic};
    /// let value = Dynamic::of::<u8>().decode(&[0x02, 0x01, 0x05])?.value;
    /// assert_eq!(value.view::<Int<'_>>().map(u8::try_from), Some(Ok(5)));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    #[must_use]
    pub fn view<'v, T: DecodeValue<'v>>(&'v self) -> Option<T> {
        leaf::view(self.content()?).ok()
    }

    /// Returns the DER content bytes of a value without components. Returns the original bytes if the value has no DER encoding.
    #[must_use]
    pub fn der_content(&self) -> Option<Cow<'_, [u8]>> {
        let content = self.content()?;
        Some(leaf::canonical(&self.base.shape, content).unwrap_or(Cow::Borrowed(content)))
    }

    /// Returns the content bytes of a value without components, for basic encoding rules: UTCTime and GeneralizedTime keep
    /// their form, such as an offset from UTC. Otherwise the same as [`Value::der_content`].
    #[must_use]
    pub fn basic_content(&self) -> Option<Cow<'_, [u8]>> {
        match &self.base.shape {
            Shape::Time(TimeKind::Utc | TimeKind::Generalized) => self.content().map(Cow::Borrowed),
            _ => self.der_content(),
        }
    }

    /// Returns the content bytes of a BIT STRING whose constraints are satisfied: named bits end in as many zero bits as the
    /// smallest permitted size requires (X.680 §22.7, X.690 §11.2.2). DER has none of these bits. `constraints` are those of the
    /// component that has the value. Returns `None` for other types.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use tagwise_codec::NamedBits;
    /// use tagwise_codec::table::{Constraint, List, Range};
    /// use tagwise_codec::value::Dynamic;
    /// let ranges = List::Const(&[Range { min: Some(12), max: None }]);
    /// let size = [Constraint::Size { ranges, extensible: false }];
    /// let flags = Dynamic::of::<NamedBits<'_>>();
    /// let value = flags.decode(&[0x03, 0x02, 0x06, 0x40])?.value;
    /// assert_eq!(value.sized_bits(flags.types(), &size), Some(Cow::Borrowed(&[4, 0x40, 0][..])));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    #[must_use]
    pub fn sized_bits(&self, types: Types<'a>, constraints: &[Constraint]) -> Option<Cow<'_, [u8]>> {
        let Shape::BitString(names) = &self.base.shape else { return None };
        let content = self.der_content()?;
        if names.is_empty() {
            return Some(content);
        }
        let used = leaf::size(&self.base.shape, &content)?;
        let size = types.least_size(self.ty, constraints, used).filter(|size| *size > used);
        let Some(size) = size else { return Some(content) };
        let mut content = content.into_owned();
        content.resize(size.div_ceil(8).saturating_add(1), 0);
        if let Some(unused) = content.first_mut() {
            *unused = ((8 - size % 8) % 8) as u8;
        }
        Some(Cow::Owned(content))
    }

    /// Returns the text of a string, identifier or time: dotted form for object identifiers, value notation for times. Returns
    /// `None` for other types and for invalid bytes. [`from_text`] is the inverse.
    ///
    /// ```
    /// use tagwise_codec::{Date, value::Dynamic};
    /// let value = Dynamic::of::<Date>().decode(b"\x1F\x1F\x0820261121")?.value;
    /// assert_eq!(value.text().as_deref(), Some("2026-11-21"));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> Option<String> {
        text::text(self)
    }

    /// Returns the named component, if present.
    #[must_use]
    pub fn component(&self, name: &str) -> Option<&Value<'a>> {
        match &self.data {
            Data::Components(components) => components.get(name),
            _ => None,
        }
    }
}

impl<'a> Components<'a> {
    /// Creates components from one slot per field, in order. Use `None` for absent and DEFAULT values. `unknown`
    /// contains unrecognized extension additions, each a complete encoding.
    ///
    /// Returns `None` if the numbers of slots and fields differ.
    #[must_use]
    pub fn new(fields: &'a Fields, slots: Vec<Option<Value<'a>>>, unknown: Vec<Cow<'a, [u8]>>) -> Option<Self> {
        (slots.len() == fields.list.len()).then_some(Self { fields, slots, unknown, foreign: None })
    }

    /// Adds extension additions that were read under encoding rules without tags. The value has no BER encoding if there
    /// are any.
    #[must_use]
    pub fn with_foreign(mut self, additions: ForeignAdditions) -> Self {
        let is_empty = additions.count == 0 && additions.list.is_empty();
        self.foreign = (!is_empty).then(|| Box::new(additions));
        self
    }

    /// The extension additions that were read under encoding rules without tags, and are not in the schema.
    #[must_use]
    pub fn foreign(&self) -> Option<&ForeignAdditions> {
        self.foreign.as_deref()
    }

    /// The components' values in schema order. `None` means absent or DEFAULT.
    #[must_use]
    pub fn slots(&self) -> &[Option<Value<'a>>] {
        &self.slots
    }

    /// Iterates over the fields and their values. `None` means absent or DEFAULT.
    pub fn iter(&self) -> impl Iterator<Item = (&'a Field, Option<&Value<'a>>)> {
        self.fields.list.iter().zip(&self.slots).map(|(field, slot)| (field, slot.as_ref()))
    }

    /// Returns the named component, if present.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.iter().find(|(field, _)| *field.name == *name).and_then(|(_, value)| value)
    }

    /// Returns the unrecognized extension additions in order, each a complete encoding.
    pub fn unknown(&self) -> impl Iterator<Item = &[u8]> {
        self.unknown.iter().map(|octets| &**octets)
    }
}

impl<'a> Alternative<'a> {
    /// Creates the alternative `field` with a value.
    #[must_use]
    pub fn new(field: &'a Field, value: Value<'a>) -> Self {
        Self { field, value: Box::new(value) }
    }

    /// Returns the field of the alternative.
    #[must_use]
    pub const fn field(&self) -> &'a Field {
        self.field
    }

    /// Returns the alternative's value.
    #[must_use]
    pub fn value(&self) -> &Value<'a> {
        &self.value
    }
}

//! Values of types that are known at run time only: decoded, encoded and compared by the tables alone.
//!
//! [`Dynamic`] is a type and what belongs to it; it decodes and encodes [`Value`]s. It accepts what the derived decoder of the
//! same table accepts and refuses the rest with the same kind at the same offset: both read with the same
//! [`Reader`](crate::Reader) and the same types without parts, and both ask the same session. Where a Rust type checks what
//! its table cannot say, the table has a [`Check`](crate::table::Constraint::Check). The value of an object set's open type is
//! decoded at once.
//!
//! What a value is held to is all that its table says. What nobody can check is listed by [`Dynamic::unchecked`]: constraints in
//! words without a [`UserCheck`](crate::UserCheck), encoding rules that are not known here, how often a time recurs (SETTINGS).

mod additions;
pub(crate) mod by_table;
mod compare;
mod constraint;
pub(crate) mod contents;
mod decimal;
mod decode;
mod dotted;
mod dynamic;
mod encode;
mod fields;
mod judge;
pub(super) mod leaf;
mod open;
mod scaled;
pub(crate) mod show;
mod text;
mod types;
mod unchecked;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

pub use self::decimal::{decimal, from_decimal};
pub use self::dotted::{from_dotted, from_dotted_relative};
pub use self::dynamic::Dynamic;
pub use self::open::{Ahead, Scope};
pub use self::scaled::{Scaled, real_from_decimal};
pub use self::text::from_text;
pub use self::types::Types;
pub(crate) use self::types::contained_in;
pub use self::unchecked::{Unchecked, Why};
pub use super::explain::{Found, PathError};
pub use super::print::{Canvas, Print, Role};
use crate::decode::DecodeValue;
use crate::fault::Fault;
use crate::reader::Reader;
use crate::table::{Field, Fields, Type};

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
/// Two values are equal if they are the same value of the standard's: neither encodings nor the order in a SET OF count.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    /// The type as it is referred to.
    ty: &'a Type,
    /// The type with the shape: what other names and tags of `ty` lead to.
    base: &'a Type,
    /// Its encoding, if it was decoded.
    octets: Option<Cow<'a, [u8]>>,
    offset: u32,
    secret: bool,
    verbatim: bool,
    data: Data<'a>,
}

/// Data of a [`Value`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Data<'a> {
    /// A type without parts: the content octets.
    Leaf(Cow<'a, [u8]>),
    /// SEQUENCE, SET, EXTERNAL, EMBEDDED PDV, CHARACTER STRING.
    Components(Components<'a>),
    /// SEQUENCE OF and SET OF.
    Items(Vec<Value<'a>>),
    /// CHOICE.
    Alternative(Alternative<'a>),
    /// An OCTET STRING or BIT STRING that holds the encoding of this value.
    Containing(Box<Value<'a>>),
    /// One element whose type is not known: the whole encoding.
    Unknown(Cow<'a, [u8]>),
}

/// The components of a SEQUENCE or SET.
#[derive(Clone, Debug)]
pub struct Components<'a> {
    fields: &'a Fields,
    /// One for each field. What has its DEFAULT value is absent.
    slots: Vec<Option<Value<'a>>>,
    unknown: Vec<Cow<'a, [u8]>>,
}

/// The alternative of a CHOICE.
#[derive(Clone, Debug)]
pub struct Alternative<'a> {
    field: &'a Field,
    value: Box<Value<'a>>,
}

impl<'a> Value<'a> {
    /// A value of a type, made of parts: nothing of it is checked before it is encoded.
    ///
    /// `ty` is the type, or any that names or tags it; [`Types::base`] finds the one that has the shape.
    #[must_use]
    pub fn new(types: Types<'a>, ty: &'a Type, data: Data<'a>) -> Self {
        Self { ty, base: types.base(ty), octets: None, offset: 0, secret: types.is_secret(ty), verbatim: false, data }
    }

    /// The type, as it is referred to where the value stands.
    #[must_use]
    pub const fn ty(&self) -> &'a Type {
        self.ty
    }

    /// The type that has the shape: what other names and tags of [`Value::ty`] lead to.
    #[must_use]
    pub const fn base(&self) -> &'a Type {
        self.base
    }

    /// Its data.
    #[must_use]
    pub const fn data(&self) -> &Data<'a> {
        &self.data
    }

    /// The octets it was decoded from: its own element, without EXPLICIT tags that its component has. Nothing for a value that
    /// was made.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        self.octets.as_deref()
    }

    /// The octets it was decoded from, if they stay as they came (it is `verbatim`) and are not the DER of what it is: what no
    /// other form of the value can give back.
    #[must_use]
    pub fn kept(&self, types: Types<'a>) -> Option<&[u8]> {
        let octets = self.octets.as_deref().filter(|_| self.verbatim)?;
        let der = encode::anew(types, self.ty, self);
        (der.as_deref() != Ok(octets)).then_some(octets)
    }

    /// The value with the octets that it stays as, which must be an encoding of it with whatever deviations: see
    /// [`Value::kept`]. Nothing if its type is not `verbatim`, or they are none.
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

    /// The absolute offset it was decoded from; 0 for a value that was made.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset as usize
    }

    /// Returns whether it must not be printed.
    #[must_use]
    pub const fn is_secret(&self) -> bool {
        self.secret
    }

    /// The content octets of a type without parts.
    #[must_use]
    pub fn content(&self) -> Option<&[u8]> {
        match &self.data {
            Data::Leaf(content) => Some(content),
            _ => None,
        }
    }

    /// A value of a type without parts from its content octets, which must be DER.
    ///
    /// # Errors
    /// Whatever is wrong with the octets, at an offset in them; [`Kind::Internal`](crate::Kind::Internal) for a type with parts.
    pub fn leaf(types: Types<'a>, ty: &'a Type, content: Cow<'a, [u8]>) -> Result<Self, Fault> {
        let mut reader = Reader::new(&content)?;
        if !leaf::read(&types.base(ty).shape, &mut reader, content.len())? {
            return Err(Fault::new(crate::Kind::Internal, 0));
        }
        Ok(Self::new(types, ty, Data::Leaf(content)))
    }

    /// The value of a type without parts as the Rust type for its contents, whatever of it was tolerated.
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

    /// The content octets that DER has for a value of a type without parts; those it was read from, where it has no DER.
    #[must_use]
    pub fn der_content(&self) -> Option<Cow<'_, [u8]>> {
        let content = self.content()?;
        Some(leaf::canonical(&self.base.shape, content).unwrap_or(Cow::Borrowed(content)))
    }

    /// The text of a value of a type whose values are texts or identifiers: dotted for object identifiers, as in value notation for
    /// times. Nothing for other types, and for octets that are no text; [`from_text`] is the way back.
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

    /// The component of that name, if it is present.
    #[must_use]
    pub fn component(&self, name: &str) -> Option<&Value<'a>> {
        match &self.data {
            Data::Components(components) => components.get(name),
            _ => None,
        }
    }
}

impl<'a> Components<'a> {
    /// Components for the fields of a type, by their order; those that are absent or have their DEFAULT value are `None`.
    /// `unknown` are extension additions that no field is known for, each a whole encoding.
    ///
    /// Gives nothing if there is not one slot for each field.
    #[must_use]
    pub fn new(fields: &'a Fields, slots: Vec<Option<Value<'a>>>, unknown: Vec<Cow<'a, [u8]>>) -> Option<Self> {
        (slots.len() == fields.list.len()).then_some(Self { fields, slots, unknown })
    }

    /// The fields, and which value each has; `None` is absent, or has its DEFAULT value.
    pub fn iter(&self) -> impl Iterator<Item = (&'a Field, Option<&Value<'a>>)> {
        self.fields.list.iter().zip(&self.slots).map(|(field, slot)| (field, slot.as_ref()))
    }

    /// The component of that name, if it is present.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.iter().find(|(field, _)| *field.name == *name).and_then(|(_, value)| value)
    }

    /// The extension additions that no field is known for, each a whole encoding, in their order.
    pub fn unknown(&self) -> impl Iterator<Item = &[u8]> {
        self.unknown.iter().map(|octets| &**octets)
    }
}

impl<'a> Alternative<'a> {
    /// The alternative `field` with a value.
    #[must_use]
    pub fn new(field: &'a Field, value: Value<'a>) -> Self {
        Self { field, value: Box::new(value) }
    }

    /// The alternative.
    #[must_use]
    pub const fn field(&self) -> &'a Field {
        self.field
    }

    /// Its value.
    #[must_use]
    pub fn value(&self) -> &Value<'a> {
        &self.value
    }
}

//! Open types governed by an object set: `ANY DEFINED BY` of old, information object classes of now (X.681 §14, X.682 §10).

use core::fmt;
use core::marker::PhantomData;

use crate::any::{Any, check};
use crate::decode::Decode;
use crate::encode::EncodeError;
use crate::error::Error;
use crate::fault::Fault;
use crate::kept::Kept;
use crate::kind::Kind;
use crate::oid::Oid;
use crate::open_list::OpenList;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{ObjectSet, Shape, Type, TypeRef, Typed};
use crate::writer::Writer;

/// A type whose alternatives are selected by a component that stands before it. `#[derive(Asn1)] #[asn1(open_type)]` writes it.
///
/// Keys are content octets: of an OBJECT IDENTIFIER, or of an INTEGER.
pub trait OpenType<'a>: Sized {
    /// The object set: which keys select which types.
    fn set() -> &'static ObjectSet;

    /// Returns whether the set has the key.
    fn knows(key: &[u8]) -> bool;

    /// Reads the one element that a key selects, which the set has.
    ///
    /// # Errors
    /// Whatever is wrong with it; [`Kind::Internal`] for a key that the set does not have.
    fn decode_open(reader: &mut Reader<'a, '_>, key: &'a [u8]) -> Result<Self, Fault>;

    /// Like [`OpenType::decode_open`], without building the value.
    ///
    /// # Errors
    /// The same.
    fn check_open(reader: &mut Reader<'a, '_>, key: &'a [u8]) -> Result<(), Fault> {
        Self::decode_open(reader, key).map(|_| ())
    }

    /// The value for what no object of the set describes.
    fn from_unknown(unknown: Unknown<'a>) -> Self;

    /// The key of the alternative.
    fn key(&self) -> &[u8];

    /// The size of the value.
    fn open_len(&self) -> usize;

    /// Writes the value; `wrapped` as in [`DecodeOpen::decode_defined`].
    ///
    /// # Errors
    /// Those of the value.
    fn encode_open(&self, writer: &mut Writer<'_>, wrapped: bool) -> Result<(), EncodeError>;
}

/// The value of an open type that no known object describes: its key and its octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown<'a> {
    /// The content octets of the component that selects.
    pub key: &'a [u8],
    /// The octets: one element, or, where the open type stands inside an OCTET STRING or BIT STRING, whatever that holds.
    pub bytes: &'a [u8],
    /// The absolute offset they were read from.
    pub offset: u32,
}

impl<'a> Unknown<'a> {
    /// Decodes the octets as a type of the caller's choice.
    ///
    /// # Errors
    /// Whatever is wrong with them, with absolute offsets.
    pub fn decode_as<T: Decode<'a>>(&self) -> Result<T, Error> {
        crate::any::decode_span(self.bytes, self.offset, Kept::NONE)
    }

    /// Writes the octets if strict decoding would take them for the key, which it would not for what [`Rule::OPEN_TYPE`] let in.
    ///
    /// # Errors
    /// [`Kind::NotEncodable`], also for what stands alone and is not DER.
    pub fn encode_in<S: OpenType<'a>>(&self, writer: &mut Writer<'_>, wrapped: bool) -> Result<(), EncodeError> {
        check_defined::<S>(self.key, self.bytes, wrapped)?;
        writer.bytes(self.bytes)
    }
}

/// A type that a `defined_by` component is read as: an [`OpenType`] at once, an [`Open`] one for later, or a list of
/// these.
pub trait DecodeOpen<'a>: Sized {
    /// The list it is, if it is no single value: the key then selects the type of every element.
    const LIST: Option<OpenList> = None;

    /// The object set that governs it.
    fn governing() -> &'static ObjectSet;

    /// Returns whether the next element can be one.
    #[inline(always)]
    fn starts(reader: &Reader<'a, '_>) -> bool {
        !reader.is_empty()
    }

    /// Reads what a key selects: one element; or, if it is `wrapped` in an OCTET STRING or BIT STRING whose content is the
    /// innermost open value, all of that.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    fn decode_defined(reader: &mut Reader<'a, '_>, key: &'a [u8], wrapped: bool) -> Result<Self, Fault>;
}

/// A type that a `defined_by` component is written from.
pub trait EncodeOpen {
    /// The size of the value.
    fn defined_len(&self) -> usize;

    /// Writes the value; `wrapped` as in [`DecodeOpen::decode_defined`].
    ///
    /// # Errors
    /// Those of the value.
    fn encode_defined(&self, writer: &mut Writer<'_>, wrapped: bool) -> Result<(), EncodeError>;
}

/// The value of an open type in the form it was read: checked if its type is known, decoded when asked for.
pub struct Open<'a, S> {
    key: &'a [u8],
    bytes: &'a [u8],
    base: u32,
    /// Set if every byte was checked, as far as the type is known, and nothing was tolerated.
    checked: bool,
    kept: Kept,
    set: PhantomData<fn() -> S>,
}

impl<S> Clone for Open<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Open<'_, S> {}

impl<'a, S> Open<'a, S> {
    /// A value to encode, as its DER.
    #[must_use]
    pub const fn new(key: &'a [u8], der: &'a [u8]) -> Self {
        Self { key, bytes: der, base: 0, checked: false, kept: Kept::NONE, set: PhantomData }
    }

    /// A value that stood as `bytes` at the absolute offset `offset`: it is checked when it is asked for or written.
    #[must_use]
    pub const fn deferred(key: &'a [u8], bytes: &'a [u8], offset: usize) -> Self {
        // Inputs are at most u32::MAX octets.
        Self { key, bytes, base: offset as u32, checked: false, kept: Kept::NONE, set: PhantomData }
    }

    /// The value with the rules that it was read by.
    pub(crate) const fn keeping(self, kept: Kept) -> Self {
        Self { kept, ..self }
    }

    /// The octets of the value.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The absolute offset it was read from.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.base as usize
    }

    /// The content octets of the component that selects its type.
    #[must_use]
    pub const fn key(&self) -> &'a [u8] {
        self.key
    }
}

impl<'a, S: OpenType<'a>> Open<'a, S> {
    /// Decodes the value as the type that its key selects, by the rules that it was read by.
    ///
    /// # Errors
    /// Whatever is wrong with it, with absolute offsets.
    pub fn get(&self) -> Result<S, Error> {
        let read = || {
            let mut reader = Reader::new(self.bytes)?.at_base(self.base as usize).keeping(self.kept);
            let value = S::decode_defined(&mut reader, self.key, true)?;
            reader.finish()?;
            Ok(value)
        };
        read().map_err(|fault| {
            let ty = S::set().find(self.key).and_then(|object| object.ty.get(None));
            Error::locate_at(fault, ty.unwrap_or(Any::ty()), self.bytes, self.base as usize)
        })
    }

    /// Decodes the value as a type of the caller's choice, by the rules that it was read by.
    ///
    /// # Errors
    /// Whatever is wrong with it, with absolute offsets.
    pub fn decode_as<T: Decode<'a>>(&self) -> Result<T, Error> {
        crate::any::decode_span(self.bytes, self.base, self.kept)
    }
}

impl<S> fmt::Debug for Open<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Open({} bytes at {})", self.bytes.len(), self.base)
    }
}

impl<S> PartialEq for Open<'_, S> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.bytes == other.bytes
    }
}

impl<S> Eq for Open<'_, S> {}

impl<'a, S: OpenType<'a>> DecodeOpen<'a> for Open<'a, S> {
    fn governing() -> &'static ObjectSet {
        S::set()
    }

    #[inline(always)]
    fn decode_defined(reader: &mut Reader<'a, '_>, key: &'a [u8], wrapped: bool) -> Result<Self, Fault> {
        let (start, base, noted) = (reader.position(), reader.offset() as u32, reader.noted());
        let mut checked = false;
        if reader.is_thorough() || (reader.is_deep() && !wrapped) {
            known_or(reader, key, wrapped, S::knows(key), S::set, S::check_open, |_| ())?;
            checked = reader.is_thorough() && reader.noted() == noted;
        } else {
            step_over(reader, wrapped)?;
        }
        Ok(Self { key, bytes: reader.since(start), base, checked, kept: reader.kept(), set: PhantomData })
    }
}

impl<'a, S: OpenType<'a>> DecodeOpen<'a> for S {
    fn governing() -> &'static ObjectSet {
        S::set()
    }

    #[inline]
    fn decode_defined(reader: &mut Reader<'a, '_>, key: &'a [u8], wrapped: bool) -> Result<Self, Fault> {
        known_or(reader, key, wrapped, S::knows(key), S::set, S::decode_open, S::from_unknown)
    }
}

impl<'a, S: OpenType<'a>> EncodeOpen for S {
    fn defined_len(&self) -> usize {
        self.open_len()
    }

    fn encode_defined(&self, writer: &mut Writer<'_>, wrapped: bool) -> Result<(), EncodeError> {
        self.encode_open(writer, wrapped)
    }
}

/// Steps over one element, or, if it is wrapped, over all that is left; in a deep reading a bare element is checked as far
/// as that is possible without a schema. What is wrapped need not be an encoding at all.
#[inline]
fn step_over(reader: &mut Reader<'_, '_>, wrapped: bool) -> Result<(), Fault> {
    if wrapped { reader.take(reader.remaining()).map(|_| ()) } else { Any::decode(reader).map(|_| ()) }
}

/// Reads what a key selects with `read` if it is `known`, and else makes it with `unknown`.
#[inline(always)]
fn known_or<'a, 'o, R>(
    reader: &mut Reader<'a, 'o>,
    key: &'a [u8],
    wrapped: bool,
    known: bool,
    set: fn() -> &'static ObjectSet,
    read: impl FnOnce(&mut Reader<'a, 'o>, &'a [u8]) -> Result<R, Fault>,
    unknown: impl FnOnce(Unknown<'a>) -> R,
) -> Result<R, Fault> {
    if !known {
        return Ok(unknown(read_unknown(reader, key, wrapped, set)?));
    }
    if reader.is_plain() {
        return read(reader, key);
    }
    match tolerant(reader, wrapped, |reader| read(reader, key))? {
        Some(value) => Ok(value),
        None => Ok(unknown(step_over_unknown(reader, key, wrapped)?)),
    }
}

fn step_over_unknown<'a>(reader: &mut Reader<'a, '_>, key: &'a [u8], wrapped: bool) -> Result<Unknown<'a>, Fault> {
    let (start, offset) = (reader.position(), reader.offset() as u32);
    step_over(reader, wrapped)?;
    Ok(Unknown { key, bytes: reader.since(start), offset })
}

/// Reads a value whose key no built-in object has: by an object that the caller registered, else it is stepped over.
#[inline(never)]
fn read_unknown<'a>(
    reader: &mut Reader<'a, '_>,
    key: &'a [u8],
    wrapped: bool,
    set: fn() -> &'static ObjectSet,
) -> Result<Unknown<'a>, Fault> {
    if let Some(session) = reader.session()
        && let Some(entry) = Oid::from_content(key).ok().and_then(|oid| session.registered(&set().name, oid))
    {
        let (start, offset) = (reader.position(), reader.offset() as u32);
        if tolerant(reader, wrapped, entry.check)?.is_some() {
            return Ok(Unknown { key, bytes: reader.since(start), offset });
        }
    }
    step_over_unknown(reader, key, wrapped)
}

/// Reads what may be given up under [`Rule::OPEN_TYPE`]: then nothing is given, and the reader is where it was.
pub(crate) fn tolerant<'a, 'o, R>(
    reader: &mut Reader<'a, 'o>,
    wrapped: bool,
    read: impl FnOnce(&mut Reader<'a, 'o>) -> Result<R, Fault>,
) -> Result<Option<R>, Fault> {
    let saved = reader.clone();
    let noted = reader.noted();
    let result = read(reader).and_then(|value| {
        let left_over = wrapped && !reader.is_empty();
        if left_over { Err(reader.fault(Kind::TrailingData, reader.position())) } else { Ok(value) }
    });
    let fault = match result {
        Ok(value) => return Ok(Some(value)),
        Err(fault) => fault,
    };
    *reader = saved;
    match reader.session() {
        Some(session) if session.allows(&Rule::OPEN_TYPE) => {
            session.forget_after(noted);
            session.tolerate(&Rule::OPEN_TYPE, fault.offset());
            Ok(None)
        }
        None if reader.kept().has(&Rule::OPEN_TYPE) => Ok(None),
        _ => Err(fault),
    }
}

impl<'a, S: OpenType<'a>> EncodeOpen for Open<'a, S> {
    #[inline(always)]
    fn defined_len(&self) -> usize {
        self.bytes.len()
    }

    #[inline(always)]
    fn encode_defined(&self, writer: &mut Writer<'_>, wrapped: bool) -> Result<(), EncodeError> {
        if !self.checked {
            check_defined::<S>(self.key, self.bytes, wrapped)?;
        }
        writer.bytes(self.bytes)
    }
}

/// Checks that bytes are acceptable to a strict decoder for a key: only then may they be written.
#[cold]
fn check_defined<'a, S: OpenType<'a>>(key: &'a [u8], bytes: &'a [u8], wrapped: bool) -> Result<(), EncodeError> {
    check(bytes, |reader| known_or(reader, key, wrapped, S::knows(key), S::set, S::check_open, |_| ()))
}

impl<'a, S: OpenType<'a>> Typed for Open<'a, S> {
    fn ty() -> &'static Type {
        Any::ty()
    }
}

impl crate::options::Registered {
    /// An entry for the type `T` under an identifier in the object set named `set`.
    ///
    /// `check` is `T`'s decoder; a closure `|r| r.read::<T>().map(|_| ())` will do.
    #[must_use]
    pub const fn new(
        set: &'static str,
        oid: Oid<'static>,
        check: for<'a, 'o> fn(&mut Reader<'a, 'o>) -> Result<(), Fault>,
        ty: TypeRef,
    ) -> Self {
        Self { set, oid, check, ty }
    }
}

/// The table of an open type governed by a set, for the derive.
#[must_use]
pub const fn open_shape(set: fn() -> &'static ObjectSet, selector: &'static str) -> Shape {
    use crate::table::{SetRef, Text};
    Shape::Open { set: Some(SetRef::Const(set)), selector: Text::Const(selector) }
}

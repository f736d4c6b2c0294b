//! Encoding traits and entry points. The output is always DER.

use core::fmt;

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, boxed::Box, string::String, vec, vec::Vec};

use crate::decode::Tagged;
use crate::kind::FaultKind;
#[cfg(feature = "alloc")]
use crate::options::Budget;
use crate::tag::Tag;
use crate::writer::{Writer, element_len};

/// Encodes the content of a type that has one tag of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an ASN.1 type with its own tag",
    label = "this type cannot have an IMPLICIT tag",
    note = "CHOICE and open types have no tag to replace: X.680 §31.2.7 makes their tags explicit, so write `explicit = N`"
)]
pub trait EncodeValue: Tagged {
    /// Returns the exact size of the content in bytes.
    fn value_len(&self) -> usize;

    /// Writes the content, last component first.
    ///
    /// # Errors
    /// Returns an error if the value has no DER encoding or the buffer is too small.
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError>;

    /// Returns the content as one slice, if the value stores it in that form and can be encoded. [`encode`] then copies it
    /// directly. `None` implies nothing about the value.
    ///
    /// ```
    /// use tagwise_codec::{EncodeValue, OctetStr};
    /// assert_eq!(OctetStr::new(&[1, 2]).content_octets(), Some(&[1, 2][..]));
    /// // The content of a number must be computed.
    /// assert_eq!(258u16.content_octets(), None);
    /// ```
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn content_octets(&self) -> Option<&[u8]> {
        None
    }
}

/// Encodes a value with its identifier and length.
///
/// ```
/// use tagwise_codec::{Encode, encode, encode_into};
/// assert_eq!(encode(&256u16)?, [0x02, 0x02, 0x01, 0x00]);
/// let mut buffer = [0; 16];
/// assert_eq!(encode_into(&256u16, &mut buffer)?, [0x02, 0x02, 0x01, 0x00]);
/// assert_eq!(256u16.encoded_len(), 4);
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be encoded as an ASN.1 type",
    label = "no ASN.1 type",
    note = "add `#[derive(Asn1)]` to the type"
)]
pub trait Encode {
    /// Returns the exact size of the encoding in bytes.
    fn encoded_len(&self) -> usize;

    /// Writes the encoding in front of the output so far.
    ///
    /// # Errors
    /// Returns an error if the value has no DER encoding or the buffer is too small.
    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError>;

    /// Encodes the value to a new vector, like [`encode`].
    ///
    /// ```
    /// use tagwise_codec::Encode;
    /// assert_eq!(true.to_der()?, [0x01, 0x01, 0xFF]);
    /// # Ok::<(), tagwise_codec::EncodeError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`encode`].
    #[cfg(feature = "alloc")]
    fn to_der(&self) -> Result<Vec<u8>, EncodeError> {
        encode(self)
    }

    /// Returns the tag and the content, if the content is available as one slice: see [`EncodeValue::content_octets`].
    ///
    /// ```
    /// use tagwise_codec::{Encode, OctetStr, Tag};
    /// assert_eq!(OctetStr::new(&[1, 2]).tag_and_content(), Some((Tag::OCTET_STRING, &[1, 2][..])));
    /// assert_eq!(true.tag_and_content(), None);
    /// ```
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn tag_and_content(&self) -> Option<(Tag, &[u8])> {
        None
    }
}

impl<T: EncodeValue> Encode for T {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encoded_len(&self) -> usize {
        element_len(T::TAG, self.value_len())
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.element(T::TAG, |w| self.encode_value(w))
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn tag_and_content(&self) -> Option<(Tag, &[u8])> {
        self.content_octets().map(|content| (T::TAG, content))
    }
}

/// Encodes a value to a new vector of exact size.
///
/// # Errors
/// Returns an error if the value has no DER encoding or exceeds [`Budget::DEFAULT`].
#[cfg(feature = "alloc")]
pub fn encode<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    if let Some((tag, content)) = value.tag_and_content() {
        let Some(header) = short_header(tag, content) else { return long(tag, content) };
        // Most numbers, and a copy of one octet is not worth its call.
        if let ([first, second], [octet]) = (header, content) {
            return Ok(vec![first, second, *octet]);
        }
        let mut buffer = Vec::with_capacity(header.len() + content.len());
        buffer.extend_from_slice(&header);
        buffer.extend_from_slice(content);
        return Ok(buffer);
    }
    let len = allowed(value.encoded_len())?;
    // Small values are most values, and their zeros cost least on the stack.
    if len <= SMALL {
        let mut buffer = [0; SMALL];
        let written = encode_into(value, &mut buffer)?;
        return if written.len() == len { Ok(written.to_vec()) } else { Err(EncodeError::new(FaultKind::Internal)) };
    }
    let mut buffer = zeros(len);
    let mut writer = Writer::new(&mut buffer);
    value.encode(&mut writer)?;
    if writer.free() != 0 {
        return Err(EncodeError::new(FaultKind::Internal));
    }
    Ok(buffer)
}

/// Checks that the output budget permits an encoding of this size, and returns the size.
#[cfg(feature = "alloc")]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn allowed(len: usize) -> Result<usize, EncodeError> {
    if len as u64 > Budget::DEFAULT.output { Err(EncodeError::new(FaultKind::OutputExceeded)) } else { Ok(len) }
}

/// Returns the header of an element if its identifier and its length occupy one byte each.
#[cfg(feature = "alloc")]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn short_header(tag: Tag, content: &[u8]) -> Option<[u8; 2]> {
    if tag.is_low() && content.len() < 0x80 { Some([tag.first_octet(), content.len() as u8]) } else { None }
}

/// Encodes an element of any size from its content.
#[cfg(feature = "alloc")]
fn long(tag: Tag, content: &[u8]) -> Result<Vec<u8>, EncodeError> {
    let mut buffer = Vec::with_capacity(allowed(element_len(tag, content.len()))?);
    copy(tag, content, &mut buffer)?;
    Ok(buffer)
}

/// Appends an element with the given content.
#[cfg(feature = "alloc")]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn copy(tag: Tag, content: &[u8], buffer: &mut Vec<u8>) -> Result<(), EncodeError> {
    if let Some(header) = short_header(tag, content) {
        buffer.extend_from_slice(&header);
    } else {
        // A tag number of 32 bits takes six octets, a length of 64 bits nine.
        let mut header = [0; 15];
        let mut writer = Writer::new(&mut header);
        writer.header(tag, content.len())?;
        buffer.extend_from_slice(writer.written());
    }
    buffer.extend_from_slice(content);
    Ok(())
}

/// Creates a zeroed buffer. This is faster than `vec![0; len]`, because allocators need longer to find zeroed memory than it
/// takes to zero it.
#[cfg(feature = "alloc")]
#[expect(clippy::slow_vector_initialization, reason = "measured: half the time for 256 bytes with glibc")]
fn zeros(len: usize) -> Vec<u8> {
    let mut buffer = Vec::with_capacity(len);
    buffer.resize(len, 0);
    buffer
}

/// The maximum size of an encoding that is first written to the stack, in bytes.
#[cfg(feature = "alloc")]
const SMALL: usize = 64;

/// Appends a value's encoding to a vector, so that its memory can be reused. On error, the vector is unchanged.
///
/// # Errors
/// Returns the same errors as [`encode`].
#[cfg(feature = "alloc")]
pub fn encode_append<T: Encode + ?Sized>(value: &T, buffer: &mut Vec<u8>) -> Result<(), EncodeError> {
    let start = buffer.len();
    let len = allowed(value.encoded_len())?;
    if let Some((tag, content)) = value.tag_and_content() {
        buffer.reserve(len);
        return copy(tag, content, buffer);
    }
    buffer.resize(start.saturating_add(len), 0);
    let mut writer = Writer::new(buffer.get_mut(start..).unwrap_or_default());
    let mut result = value.encode(&mut writer);
    if result.is_ok() && writer.free() != 0 {
        result = Err(EncodeError::new(FaultKind::Internal));
    }
    if result.is_err() {
        buffer.truncate(start);
    }
    result
}

/// Encodes a value into the end of a caller's buffer, in one backward pass, and returns the used part.
///
/// # Errors
/// Returns [`FaultKind::BufferTooSmall`], or any encoding error of the value. The buffer's contents are then unspecified.
pub fn encode_into<'b, T: Encode + ?Sized>(value: &T, buffer: &'b mut [u8]) -> Result<&'b mut [u8], EncodeError> {
    let mut writer = Writer::new(buffer);
    value.encode(&mut writer)?;
    let start = writer.free();
    Ok(buffer.get_mut(start..).unwrap_or_default())
}

/// An encoding error: its kind, and the path of component names to it. One word in size.
#[derive(Clone, PartialEq, Eq)]
pub struct EncodeError {
    #[cfg(feature = "alloc")]
    inner: Box<Inner>,
    #[cfg(not(feature = "alloc"))]
    inner: Inner,
}

#[cfg(feature = "alloc")]
#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: FaultKind,
    path: Vec<Cow<'static, str>>,
    /// The value that violates a constraint, and the allowed range, as text.
    limit: Option<String>,
}

#[cfg(not(feature = "alloc"))]
#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: FaultKind,
    name: Option<&'static str>,
}

impl EncodeError {
    /// Creates an error without a path.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn new(kind: FaultKind) -> Self {
        #[cfg(feature = "alloc")]
        return Self { inner: Box::new(Inner { kind, path: Vec::new(), limit: None }) };
        #[cfg(not(feature = "alloc"))]
        return Self { inner: Inner { kind, name: None } };
    }

    /// Creates the error for a violated constraint, with a description of the value and of what is allowed.
    #[cfg(feature = "dynamic")]
    #[cold]
    #[inline(never)]
    #[must_use]
    pub(crate) fn limited(kind: FaultKind, limit: Option<String>) -> Self {
        Self { inner: Box::new(Inner { kind, path: Vec::new(), limit }) }
    }

    /// Returns the kind of encoding error.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        self.inner.kind
    }

    /// Returns the value or size that violates a constraint and what is allowed, such as `the value is 300; allowed 0..255`. Returns
    /// `None` for other errors, constraints that are not ranges, and secret values.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn limit(&self) -> Option<&str> {
        self.inner.limit.as_deref()
    }

    /// Adds the enclosing component `name` to the error's path. Without an allocator, only the innermost name is kept.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn inside(mut self, name: &'static str) -> Self {
        #[cfg(feature = "alloc")]
        self.inner.path.push(Cow::Borrowed(name));
        #[cfg(not(feature = "alloc"))]
        self.inner.name.get_or_insert(name);
        self
    }

    /// Like [`EncodeError::inside`], for a name that was created at run time.
    #[cfg(feature = "dynamic")]
    #[cold]
    #[inline(never)]
    #[must_use]
    pub(crate) fn inside_text(mut self, name: &crate::table::Text) -> Self {
        use crate::table::Text;
        self.inner.path.push(match name {
            Text::Const(name) => Cow::Borrowed(*name),
            Text::Owned(name) => Cow::Owned(String::from(&**name)),
        });
        self
    }

    /// Adds the enclosing component to the error's path. The value of a secret component is removed from the message.
    #[cfg(feature = "dynamic")]
    #[must_use]
    pub(crate) fn inside_field(mut self, field: &crate::table::Field) -> Self {
        if field.secret {
            self.inner.limit = None;
        }
        self.inside_text(&field.name)
    }

    /// Adds the number of the enclosing list item to the error's path.
    #[cfg(feature = "dynamic")]
    #[cold]
    #[inline(never)]
    #[must_use]
    pub(crate) fn inside_item(mut self, number: usize) -> Self {
        self.inner.path.push(Cow::Owned(alloc::format!("[{number}]")));
        self
    }

    /// Returns the dotted path from the outermost component to the one that caused the error. List items are numbered in brackets.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn path(&self) -> String {
        let mut path = String::new();
        for name in self.inner.path.iter().rev() {
            if !path.is_empty() && !name.starts_with('[') {
                path.push('.');
            }
            path.push_str(name);
        }
        path
    }
}

impl fmt::Debug for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "alloc")]
        return write!(f, "EncodeError({:?}, {:?})", self.inner.kind, self.inner.path);
        #[cfg(not(feature = "alloc"))]
        write!(f, "EncodeError({:?}, {:?})", self.inner.kind, self.inner.name)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "alloc")]
        if !self.inner.path.is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        #[cfg(feature = "alloc")]
        if let Some(limit) = self.limit() {
            return write!(f, "{limit} ({})", self.kind().clause());
        }
        #[cfg(not(feature = "alloc"))]
        if let Some(name) = self.inner.name {
            write!(f, "{name}: ")?;
        }
        write!(f, "{} ({})", self.kind().text(), self.kind().clause())
    }
}

impl core::error::Error for EncodeError {}

/// Returns the size of a value with an IMPLICIT tag.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[must_use]
pub fn implicit_len<T: EncodeValue + ?Sized>(tag: Tag, value: &T) -> usize {
    element_len(tag, value.value_len())
}

/// Returns the size of a value with an EXPLICIT tag.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[must_use]
pub fn explicit_len<T: Encode + ?Sized>(tag: Tag, value: &T) -> usize {
    element_len(tag, value.encoded_len())
}

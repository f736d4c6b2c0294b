//! Conversion of BER (X.690 §8) to DER.
//!
//! The decoder reads DER only, so BER is converted first, guided by the type's table. Indefinite lengths become
//! definite, segmented strings are joined (also under IMPLICIT tags), SETs are sorted, and all other sender's options
//! are normalized. Parts that are already DER are borrowed, not copied.
//!
//! BER with definite lengths needs no conversion: [`Options::ber_definite`] reads it directly.
//!
//! ```
//! use tagwise_codec::{OctetStr, SeqOf, ber};
//! // SEQUENCE OF OCTET STRING, with indefinite length and a string in two segments.
//! let input = [0x30, 0x80, 0x24, 0x80, 0x04, 0x01, 0xAA, 0x04, 0x01, 0xBB, 0x00, 0x00, 0x00, 0x00];
//! let canonical = ber::to_der::<SeqOf<OctetStr>>(&input)?;
//! assert_eq!(*canonical.bytes, [0x30, 0x04, 0x04, 0x02, 0xAA, 0xBB]);
//! let strings: SeqOf<OctetStr> = canonical.decode()?;
//! assert_eq!(strings.iter().count(), 1);
//! # Ok::<(), tagwise_codec::Error>(())
//! ```
//!
//! Types marked `verbatim` keep their original bytes, because those may be signed.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::any::Any;
use crate::decode::{Decode, Tolerated};
use crate::engine::canonical::{Target, Task, convert};
use crate::engine::{Expect, Tables};
use crate::error::Error;
use crate::frame::Frame;
use crate::kind::FaultKind;
use crate::options::Options;
use crate::reader::Reader;
use crate::rule::Deviation;
use crate::table::{Schema, Tagging, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;
use crate::{Fault, element_len};

pub use crate::elements::{Element, Elements};
pub use crate::engine::canonical::{Map, Residue, Uncovered};
pub use crate::frame::frame_ber as frame;
pub use crate::head::{Identifier, Length, identifier, length};

/// DER converted from BER.
#[derive(Clone, Debug)]
pub struct Canonical<'i> {
    /// The DER bytes, borrowed from the input if that is already DER.
    pub bytes: Cow<'i, [u8]>,
    /// Map from DER offsets to input offsets.
    pub map: Map,
    /// Elements that could not be reliably converted to DER, in input order. If there are any, the output may not be
    /// DER.
    pub residue: Vec<Residue>,
    /// Deviations from DER in elements of definite length, by rule, with input offsets. Indefinite lengths, segmented
    /// strings and unsorted SETs are not listed.
    pub deviations: Vec<Deviation>,
}

impl<'i> Canonical<'i> {
    /// Decodes the value strictly. Error offsets refer to the original input.
    ///
    /// # Errors
    /// Returns the first error found.
    ///
    /// ```
    /// use tagwise_codec::{SeqOf, ber};
    /// // SEQUENCE OF INTEGER, with a NULL as its second element.
    /// let input = [0x30, 0x80, 0x02, 0x01, 0x05, 0x05, 0x81, 0x00, 0x00, 0x00];
    /// let error = ber::to_der::<SeqOf<u8>>(&input)?.decode::<SeqOf<u8>>().unwrap_err();
    /// assert_eq!(error.to_string(), "[1]: expected INTEGER, found NULL, at byte 5 (X.690 §8.1.2)");
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    pub fn decode<'c, T: Decode<'c>>(&'c self) -> Result<T, Error> {
        T::from_der(&self.bytes).map_err(|error| self.original(error))
    }

    /// Decodes the value with the given options, such as the profile rules that it may violate. Error offsets refer to the original
    /// input.
    ///
    /// # Errors
    /// Returns the first error that is not tolerated.
    pub fn decode_with<'c, T: Decode<'c>>(&'c self, options: &Options<'_>) -> Result<Tolerated<T>, Error> {
        let mut read = options.decode::<T>(&self.bytes).map_err(|error| self.original(error))?;
        for deviation in &mut read.deviations {
            deviation.offset = self.map.source(deviation.offset);
        }
        Ok(read)
    }

    /// Translates an error's offset in the DER to one in the original input.
    #[must_use]
    pub fn original(&self, error: Error) -> Error {
        let offset = match error.kind() {
            // Something is missing where its container ends.
            FaultKind::Missing | FaultKind::Truncated => self.map.source_end(error.offset()),
            _ => self.map.source(error.offset()),
        };
        error.moved(offset)
    }

    /// Returns the DER bytes and discards the rest.
    #[must_use]
    pub fn into_bytes(self) -> Cow<'i, [u8]> {
        self.bytes
    }
}

/// Converts one BER value of type `T` to DER.
///
/// The table identifies each element, but the conversion does not validate the value; [`Canonical::decode`] does.
/// Elements that do not match their type are converted by tag and listed in the residue.
///
/// # Errors
/// Returns an error for malformed BER, with its path and offset: wrong lengths, invalid segments, missing
/// end-of-contents bytes, or content that no rule of [`RuleSet::BER_DEFINITE`](crate::RuleSet::BER_DEFINITE) covers.
/// Also returns an error if [`Budget::DEFAULT`](crate::Budget::DEFAULT) is exceeded.
///
/// ```
/// use std::borrow::Cow;
/// use tagwise_codec::ber;
/// // TRUE, with a length of two bytes.
/// let canonical = ber::to_der::<bool>(&[0x01, 0x81, 0x01, 0x2A])?;
/// assert_eq!(*canonical.bytes, [0x01, 0x01, 0xFF]);
/// let names: Vec<_> = canonical.deviations.iter().map(|deviation| deviation.rule.name).collect();
/// assert_eq!(names, ["long-length", "boolean-value"]);
/// // Input that is already DER is borrowed.
/// assert!(matches!(ber::to_der::<bool>(&[0x01, 0x01, 0xFF])?.bytes, Cow::Borrowed(_)));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub fn to_der<T: Typed>(input: &[u8]) -> Result<Canonical<'_>, Error> {
    to_der_with::<T>(input, &Options::ber_definite())
}

/// Like [`to_der`], with options.
///
/// The rules decide which definite-length deviations are normalized. With [`Options::der`] only indefinite lengths,
/// segments and unsorted SETs are accepted. The options' budget and registered open types apply as well.
///
/// Every element and every segment counts toward [`Budget::elements`](crate::Budget::elements).
///
/// # Errors
/// Returns the same errors as [`to_der`] under these options.
///
/// ```
/// use tagwise_codec::{Options, ber};
/// let error = ber::to_der_with::<bool>(&[0x01, 0x01, 0x2A], &Options::der()).unwrap_err();
/// assert_eq!(error.code(), "boolean-value");
/// ```
pub fn to_der_with<'i, T: Typed>(input: &'i [u8], options: &Options<'_>) -> Result<Canonical<'i>, Error> {
    to_der_as(T::ty(), None, input, options)
}

/// Like [`to_der_with`], for a type known only at run time. `schema` resolves its indices.
///
/// # Errors
/// Returns the same errors as [`to_der_with`].
///
/// ```
/// use tagwise_codec::table::{Shape, Type};
/// use tagwise_codec::{Options, Tag, ber};
/// // [5] IMPLICIT OCTET STRING
/// let ty = Type::new("Cipher", Some(Tag::context(5)), Shape::OctetString);
/// let input = [0xA5, 0x80, 0x04, 0x01, 0xAA, 0x04, 0x01, 0xBB, 0x00, 0x00];
/// let canonical = ber::to_der_as(&ty, None, &input, &Options::der())?;
/// assert_eq!(*canonical.bytes, [0x85, 0x02, 0xAA, 0xBB]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub fn to_der_as<'i>(
    ty: &Type,
    schema: Option<&Schema>,
    input: &'i [u8],
    options: &Options<'_>,
) -> Result<Canonical<'i>, Error> {
    let tables = Tables { schema, registered: options.registered_types() };
    expected(tables, Some(Expect::of(ty)), ty, input, options)
}

/// Converts a value of type `T` under an IMPLICIT tag, and returns it with the type's own tag.
///
/// RFC 5652 §5.4 requires this for a SignerInfo's `signedAttrs`. They are encoded under `[0] IMPLICIT` and may be BER, but
/// the digest covers their DER encoding under the SET OF tag.
///
/// # Errors
/// Returns the same errors as [`to_der_with`], and [`FaultKind::UnexpectedTag`] if the element has another tag or the type
/// has no tag of its own.
///
/// ```
/// use tagwise_codec::{Options, SetOf, Tag, ber};
/// // [0] IMPLICIT SET OF INTEGER { 7, 5 }
/// let input = [0xA0, 0x80, 0x02, 0x01, 0x07, 0x02, 0x01, 0x05, 0x00, 0x00];
/// let canonical = ber::to_der_implicit::<SetOf<u8>>(Tag::context(0), &input, &Options::ber_definite())?;
/// assert_eq!(*canonical.bytes, [0x31, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub fn to_der_implicit<'i, T: Typed>(tag: Tag, input: &'i [u8], options: &Options<'_>) -> Result<Canonical<'i>, Error> {
    let ty = T::ty();
    let tags = [Tagging { tag, explicit: false }];
    let tables = Tables { schema: None, registered: options.registered_types() };
    let mut canonical =
        expected(tables, Some(Expect { tags: &tags, ty: Some(ty), containing: None }), ty, input, options)?;
    let retagged = |own: Tag, bytes: &[u8]| {
        let mut reader = Reader::new(bytes)?;
        let (_, len) = reader.header()?;
        let content = reader.take(len)?;
        let mut octets = alloc::vec![0; element_len(own, len)];
        let header = octets.len() - len;
        let written = Writer::new(&mut octets).element(own, |writer| writer.bytes(content));
        written.map_err(|error| Fault::new(error.kind(), 0))?;
        Ok((octets, header))
    };
    let own = ty.tag.ok_or_else(|| Fault::new(FaultKind::UnexpectedTag, 0));
    let (octets, header) = own
        .and_then(|own| retagged(own, &canonical.bytes))
        .map_err(|fault: Fault| Error::locate_in(fault, tables, ty, input, 0))?;
    canonical.map = canonical.map.retagged(canonical.bytes.len(), input.len(), octets.len(), header);
    canonical.bytes = Cow::Owned(octets);
    Ok(canonical)
}

/// Converts one BER value to DER without a schema.
///
/// Lengths become definite, and strings and primitive values with universal tags are normalized. The residue lists
/// cases that only a schema could decide: constructed elements under other tags that may be strings, and the order of
/// SETs. Encoded DEFAULT values and trailing zeros of named bits cannot be detected, so they are not listed.
///
/// # Errors
/// Returns the same errors as [`to_der`].
///
/// ```
/// use tagwise_codec::ber;
/// let input = [0x30, 0x80, 0x2C, 0x06, 0x04, 0x01, 0x48, 0x04, 0x01, 0x69, 0xA0, 0x00, 0x00, 0x00];
/// let canonical = ber::to_der_untyped(&input)?;
/// // UTF8String "Hi" is joined. The type of the empty [0] is unknown.
/// assert_eq!(*canonical.bytes, [0x30, 0x06, 0x0C, 0x02, 0x48, 0x69, 0xA0, 0x00]);
/// assert_eq!(canonical.residue[0].offset, 10);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub fn to_der_untyped(input: &[u8]) -> Result<Canonical<'_>, Error> {
    to_der_untyped_with(input, &Options::ber_definite())
}

/// Like [`to_der_untyped`], with options: see [`to_der_with`].
///
/// # Errors
/// Returns the same errors as [`to_der_with`].
pub fn to_der_untyped_with<'i>(input: &'i [u8], options: &Options<'_>) -> Result<Canonical<'i>, Error> {
    expected(Tables::default(), None, Any::ty(), input, options)
}

/// Strips zero padding after a value, and returns other input unchanged. Messages written into reserved space have such
/// padding, for example PDF signatures (ISO 32000-2 §12.8.3.3.1).
///
/// ```
/// use tagwise_codec::ber;
/// assert_eq!(ber::unpadded(&[0x02, 0x01, 0x05, 0, 0, 0]), [0x02, 0x01, 0x05]);
/// assert_eq!(ber::unpadded(&[0x02, 0x01, 0x05, 0, 1]), [0x02, 0x01, 0x05, 0, 1]);
/// ```
#[must_use]
pub fn unpadded(input: &[u8]) -> &[u8] {
    match frame(input, &Options::ber_definite()) {
        Ok(Frame::Complete(len)) => match input.split_at_checked(len) {
            Some((value, rest)) if rest.iter().all(|octet| *octet == 0) => value,
            _ => input,
        },
        _ => input,
    }
}

fn expected<'i>(
    tables: Tables<'_>,
    expect: Option<Expect<'_>>,
    ty: &Type,
    input: &'i [u8],
    options: &Options<'_>,
) -> Result<Canonical<'i>, Error> {
    converted(
        &Task { tables, expect, target: Target::Der, strict: false, defaults: Task::DEFAULTS },
        ty,
        input,
        options,
    )
}

/// Converts an input of the expected type.
pub(crate) fn converted<'i>(
    task: &Task<'_>,
    ty: &Type,
    input: &'i [u8],
    options: &Options<'_>,
) -> Result<Canonical<'i>, Error> {
    match convert(task, input, options) {
        Ok(converted) => Ok(Canonical {
            bytes: converted.bytes,
            map: converted.map,
            residue: converted.residue,
            deviations: converted.deviations,
        }),
        Err(fault) => Err(Error::locate_in(fault, task.tables, ty, input, 0)),
    }
}

//! BER: from what X.690 §8 allows to DER.
//!
//! The decoder reads DER and nothing else. What comes in BER is converted first, by the table of its type: indefinite lengths
//! become definite, strings in segments are joined, also under IMPLICIT tags, SETs are put in order, and whatever else BER
//! leaves to the sender gets its one form. What is DER already is borrowed and costs no copy.
//!
//! Definite-length BER need not be converted: [`Options::ber_definite`] reads it as it stands.
//!
//! ```
//! use tagwise_codec::{OctetStr, SeqOf, ber};
//! // SEQUENCE OF OCTET STRING in indefinite form; the string comes in two segments.
//! let input = [0x30, 0x80, 0x24, 0x80, 0x04, 0x01, 0xAA, 0x04, 0x01, 0xBB, 0x00, 0x00, 0x00, 0x00];
//! let canonical = ber::to_der::<SeqOf<OctetStr>>(&input)?;
//! assert_eq!(*canonical.bytes, [0x30, 0x04, 0x04, 0x02, 0xAA, 0xBB]);
//! let strings: SeqOf<OctetStr> = canonical.decode()?;
//! assert_eq!(strings.iter().count(), 1);
//! # Ok::<(), tagwise_codec::Error>(())
//! ```
//!
//! Types that are marked `verbatim` keep their octets, whatever those are, for they may be signed.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::any::Any;
use crate::decode::{Decode, Tolerated};
use crate::engine::canonical::{Target, Task, convert};
use crate::engine::{Expect, Tables};
use crate::error::Error;
use crate::frame::Frame;
use crate::kind::Kind;
use crate::options::Options;
use crate::reader::Reader;
use crate::rule::Deviation;
use crate::table::{Schema, Tagging, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;
use crate::{Fault, element_len};

pub use crate::engine::canonical::{Map, Residue, Uncovered};
pub use crate::frame::frame_ber as frame;

/// The DER of what came in BER.
#[derive(Clone, Debug)]
pub struct Canonical<'i> {
    /// The octets: the input itself if it is DER already.
    pub bytes: Cow<'i, [u8]>,
    /// Map from offsets of the DER back to the input.
    pub map: Map,
    /// The elements whose DER could not be made for certain, in the order of the input. What has a residue is not DER for
    /// all that is known.
    pub residue: Vec<Residue>,
    /// Departures from DER among the forms of definite length, by rule, with offsets in the input. Indefinite lengths,
    /// segments and the order of SETs are not listed.
    pub deviations: Vec<Deviation>,
}

impl<'i> Canonical<'i> {
    /// Decodes the value strictly. Offsets in errors are those of the original input.
    ///
    /// # Errors
    /// The first thing that is wrong.
    ///
    /// ```
    /// use tagwise_codec::{SeqOf, ber};
    /// // SEQUENCE OF INTEGER, but the second one is a NULL.
    /// let input = [0x30, 0x80, 0x02, 0x01, 0x05, 0x05, 0x81, 0x00, 0x00, 0x00];
    /// let error = ber::to_der::<SeqOf<u8>>(&input)?.decode::<SeqOf<u8>>().unwrap_err();
    /// assert_eq!(error.to_string(), "[1]: expected INTEGER, found NULL, at byte 5 (X.690 §8.1.2)");
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    pub fn decode<'c, T: Decode<'c>>(&'c self) -> Result<T, Error> {
        T::from_der(&self.bytes).map_err(|error| self.original(error))
    }

    /// Decodes the value under options: what they tolerate of a profile, say. Offsets are those of the original input.
    ///
    /// # Errors
    /// The first thing that is wrong and not tolerated.
    pub fn decode_with<'c, T: Decode<'c>>(&'c self, options: &Options<'_>) -> Result<Tolerated<T>, Error> {
        let mut read = options.decode::<T>(&self.bytes).map_err(|error| self.original(error))?;
        for deviation in &mut read.deviations {
            deviation.offset = self.map.source(deviation.offset);
        }
        Ok(read)
    }

    /// An error that was met in the octets of this conversion, at the offset in the original input.
    #[must_use]
    pub fn original(&self, error: Error) -> Error {
        let offset = match error.kind() {
            // Something is missing where its container ends.
            Kind::Missing | Kind::Truncated => self.map.source_end(error.offset()),
            _ => self.map.source(error.offset()),
        };
        error.moved(offset)
    }

    /// The octets, without what belongs to them.
    #[must_use]
    pub fn into_bytes(self) -> Cow<'i, [u8]> {
        self.bytes
    }
}

/// Converts one value of type `T`, of which everything that X.690 §8 allows gets its one form in DER.
///
/// The type says what the elements are; whether the value obeys it is for the decoder to say ([`Canonical::decode`]).
/// Elements that do not fit are treated as what their tags say, and are listed in the residue.
///
/// # Errors
/// What is not BER, with its path and offset: lengths that do not fit, segments that are none, content that no rule of
/// [`RuleSet::BER_DEFINITE`](crate::RuleSet::BER_DEFINITE) is about, missing end-of-contents octets; and what exceeds
/// [`Budget::DEFAULT`](crate::Budget::DEFAULT).
///
/// ```
/// use std::borrow::Cow;
/// use tagwise_codec::ber;
/// // TRUE, in a length of two octets.
/// let canonical = ber::to_der::<bool>(&[0x01, 0x81, 0x01, 0x2A])?;
/// assert_eq!(*canonical.bytes, [0x01, 0x01, 0xFF]);
/// let names: Vec<_> = canonical.deviations.iter().map(|deviation| deviation.rule.name).collect();
/// assert_eq!(names, ["long-length", "boolean-value"]);
/// // DER is borrowed.
/// assert!(matches!(ber::to_der::<bool>(&[0x01, 0x01, 0xFF])?.bytes, Cow::Borrowed(_)));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub fn to_der<T: Typed>(input: &[u8]) -> Result<Canonical<'_>, Error> {
    to_der_with::<T>(input, &Options::ber_definite())
}

/// Like [`to_der`] under options: their rules say which deviations among the forms of definite length are brought into
/// their one form, so that [`Options::der`] allows for indefinite lengths, segments and any order of SETs, and refuses the
/// rest; their budget holds; the object sets know what they register.
///
/// Every element and every segment counts as one of [`Budget::elements`](crate::Budget::elements).
///
/// # Errors
/// Those of [`to_der`], for these options.
///
/// ```
/// use tagwise_codec::{Options, ber};
/// let error = ber::to_der_with::<bool>(&[0x01, 0x01, 0x2A], &Options::der()).unwrap_err();
/// assert_eq!(error.code(), "boolean-value");
/// ```
pub fn to_der_with<'i, T: Typed>(input: &'i [u8], options: &Options<'_>) -> Result<Canonical<'i>, Error> {
    to_der_as(T::ty(), None, input, options)
}

/// Like [`to_der_with`] for a type that is known at run time only, and the schema that its indices are of.
///
/// # Errors
/// Those of [`to_der_with`].
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

/// Converts a value of type `T` that stands under an IMPLICIT tag, and gives it under its own.
///
/// What RFC 5652 §5.4 signs is an instance: the `signedAttrs` of a SignerInfo stand under `[0] IMPLICIT`, and may have come
/// in BER, but the digest is of their DER under the tag of SET OF.
///
/// # Errors
/// Those of [`to_der_with`]; [`Kind::UnexpectedTag`] if the element has another tag, or the type none of its own.
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
    let own = ty.tag.ok_or_else(|| Fault::new(Kind::UnexpectedTag, 0));
    let (octets, header) = own
        .and_then(|own| retagged(own, &canonical.bytes))
        .map_err(|fault: Fault| Error::locate_in(fault, tables, ty, input, 0))?;
    canonical.map = canonical.map.retagged(canonical.bytes.len(), input.len(), octets.len(), header);
    canonical.bytes = Cow::Owned(octets);
    Ok(canonical)
}

/// Converts one value without a schema: lengths become definite, strings with universal tags are joined, primitive values
/// with universal tags get their one form. What only a schema could tell is listed in the residue: constructed elements
/// under other tags that may be strings, the order of SETs. Whether a component has its DEFAULT value and whether bits have
/// names is not known either, and cannot be listed.
///
/// # Errors
/// Those of [`to_der`].
///
/// ```
/// use tagwise_codec::ber;
/// let input = [0x30, 0x80, 0x2C, 0x06, 0x04, 0x01, 0x48, 0x04, 0x01, 0x69, 0xA0, 0x00, 0x00, 0x00];
/// let canonical = ber::to_der_untyped(&input)?;
/// // UTF8String "Hi"; and what an empty [0] is, nobody knows.
/// assert_eq!(*canonical.bytes, [0x30, 0x06, 0x0C, 0x02, 0x48, 0x69, 0xA0, 0x00]);
/// assert_eq!(canonical.residue[0].offset, 10);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub fn to_der_untyped(input: &[u8]) -> Result<Canonical<'_>, Error> {
    to_der_untyped_with(input, &Options::ber_definite())
}

/// Like [`to_der_untyped`] under options: see [`to_der_with`].
///
/// # Errors
/// Those of [`to_der_with`].
pub fn to_der_untyped_with<'i>(input: &'i [u8], options: &Options<'_>) -> Result<Canonical<'i>, Error> {
    expected(Tables::default(), None, Any::ty(), input, options)
}

/// The value at the front of an input that zero bytes follow, if it is so: of anything else, the input. A message that was written into
/// space that was kept for it, such as the signature of a PDF file (ISO 32000-2 §12.8.3.3.1), has the rest of that space behind it.
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

/// Runs the engine over an input of an expected type.
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

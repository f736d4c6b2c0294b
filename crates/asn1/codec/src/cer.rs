//! CER, the canonical encoding rules (X.690 §9): strict reading, and writing.
//!
//! Like DER, CER defines one encoding for each value, but it is designed for streams. Constructed elements use the
//! indefinite length form, and strings of more than 1000 bytes are split into 1000-byte segments. SET components are
//! sorted by the smallest tag of their type rather than by their actual tag.
//!
//! ```
//! use tagwise_codec::{OctetStr, SeqOf, cer};
//! type Strings<'a> = SeqOf<'a, OctetStr<'a>>;
//! let input = [0x30, 0x80, 0x04, 0x01, 0xAA, 0x00, 0x00];
//! let canonical = cer::to_der::<Strings>(&input)?;
//! assert_eq!(*canonical.bytes, [0x30, 0x03, 0x04, 0x01, 0xAA]);
//! assert_eq!(cer::from_der::<Strings>(&canonical.bytes)?, input);
//! // A definite length is BER, not CER.
//! let error = cer::check::<Strings>(&canonical.bytes).unwrap_err();
//! assert_eq!(error.to_string(), "CER requires the indefinite length form for constructed elements, at byte 1 (X.690 §9.1)");
//! # Ok::<(), tagwise_codec::Error>(())
//! ```
//!
//! Encodings inside strings (X.682 §11) are also CER. Types marked `verbatim` keep their original bytes. The `_untyped`
//! functions need no type and rely on universal tags.

use alloc::vec::Vec;

use crate::any::Any;
use crate::ber::{Canonical, Residue, converted, to_der_as as ber_to_der_as};
use crate::engine::canonical::{Target, Task};
use crate::engine::{Expect, Tables};
use crate::error::Error;
use crate::options::Options;
use crate::table::{Schema, Type, Typed};

/// The type of an encoding and its tables.
#[derive(Clone, Copy, Debug)]
struct Of<'s> {
    ty: Option<&'s Type>,
    schema: Option<&'s Schema>,
}

/// Checks that a value of type `T` is encoded in CER. Returns the elements that could not be checked.
///
/// Only the encoding is checked. The decoder checks the value's constraints.
///
/// # Errors
/// Returns the first violation of X.690 §9 or §11, with its path and offset.
///
/// ```
/// use tagwise_codec::{FaultKind, OctetStr, cer};
/// // Two octets need no segments.
/// let error = cer::check::<OctetStr>(&[0x24, 0x80, 0x04, 0x02, 0xAA, 0xBB, 0x00, 0x00]).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (FaultKind::SegmentSize, 2));
/// ```
pub fn check<T: Typed>(input: &[u8]) -> Result<Vec<Residue>, Error> {
    check_as(T::ty(), None, input, &Options::der())
}

/// Like [`check`], with options, for a type known only at run time.
///
/// # Errors
/// Returns the same errors as [`check`].
pub fn check_as(
    ty: &Type,
    schema: Option<&Schema>,
    input: &[u8],
    options: &Options<'_>,
) -> Result<Vec<Residue>, Error> {
    Of { ty: Some(ty), schema }.checked(Target::Cer, input, options)
}

/// Like [`check_as`], without a schema: universal types are fully checked, other types only structurally.
///
/// # Errors
/// Returns the same errors as [`check`].
///
/// ```
/// use tagwise_codec::{Options, cer};
/// let residue = cer::check_untyped(&[0xA0, 0x80, 0x05, 0x00, 0x00, 0x00], &Options::der())?;
/// assert_eq!(residue, []);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub fn check_untyped(input: &[u8], options: &Options<'_>) -> Result<Vec<Residue>, Error> {
    Of { ty: None, schema: None }.checked(Target::Cer, input, options)
}

/// Converts a CER value of type `T` to DER, strictly.
///
/// # Errors
/// Returns the same errors as [`check`].
///
/// ```
/// use tagwise_codec::{OctetStr, cer};
/// // 1001 bytes require two segments.
/// let mut input = vec![0x24, 0x80, 0x04, 0x82, 0x03, 0xE8];
/// input.extend([7; 1000]);
/// input.extend([0x04, 0x01, 7, 0x00, 0x00]);
/// let canonical = cer::to_der::<OctetStr>(&input)?;
/// assert_eq!(canonical.decode::<OctetStr>()?.as_bytes(), [7; 1001]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub fn to_der<T: Typed>(input: &[u8]) -> Result<Canonical<'_>, Error> {
    to_der_as(T::ty(), None, input, &Options::der())
}

/// Like [`to_der`], with options, for a type known only at run time: see [`check_as`].
///
/// # Errors
/// Returns the same errors as [`check`].
pub fn to_der_as<'i>(
    ty: &Type,
    schema: Option<&Schema>,
    input: &'i [u8],
    options: &Options<'_>,
) -> Result<Canonical<'i>, Error> {
    check_as(ty, schema, input, options)?;
    ber_to_der_as(ty, schema, input, options)
}

/// Like [`to_der_as`] without a schema: see [`check_untyped`] and [`ber::to_der_untyped`](crate::ber::to_der_untyped).
///
/// # Errors
/// Returns the same errors as [`check`].
pub fn to_der_untyped<'i>(input: &'i [u8], options: &Options<'_>) -> Result<Canonical<'i>, Error> {
    check_untyped(input, options)?;
    crate::ber::to_der_untyped_with(input, options)
}

/// Converts a DER value of type `T` to CER.
///
/// # Errors
/// Returns the first violation of DER, with its path and offset.
///
/// ```
/// use tagwise_codec::{OctetStr, cer};
/// let der = [&[0x04, 0x82, 0x03, 0xE9][..], &[7; 1001]].concat();
/// let octets = cer::from_der::<OctetStr>(&der)?;
/// assert_eq!(octets[..6], [0x24, 0x80, 0x04, 0x82, 0x03, 0xE8]);
/// assert_eq!(octets[1006..], [0x04, 0x01, 7, 0x00, 0x00]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub fn from_der<T: Typed>(der: &[u8]) -> Result<Vec<u8>, Error> {
    from_der_as(T::ty(), None, der, &Options::der()).map(|canonical| canonical.bytes.into_owned())
}

/// Like [`from_der`], with options, for a type known only at run time. Also returns a map of offsets and the elements
/// that could not be reliably converted. Tolerated deviations are normalized.
///
/// # Errors
/// Returns the same errors as [`from_der`].
pub fn from_der_as<'i>(
    ty: &Type,
    schema: Option<&Schema>,
    der: &'i [u8],
    options: &Options<'_>,
) -> Result<Canonical<'i>, Error> {
    Of { ty: Some(ty), schema }.written(der, options)
}

/// Like [`from_der_as`], without a schema. Lengths become indefinite, and long strings with universal tags are
/// segmented. The residue lists long values under other tags that may be strings, and SETs whose order is uncertain.
///
/// # Errors
/// Returns the same errors as [`from_der`].
///
/// ```
/// use tagwise_codec::{Options, cer};
/// let canonical = cer::from_der_untyped(&[0x30, 0x02, 0x05, 0x00], &Options::der())?;
/// assert_eq!(*canonical.bytes, [0x30, 0x80, 0x05, 0x00, 0x00, 0x00]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub fn from_der_untyped<'i>(der: &'i [u8], options: &Options<'_>) -> Result<Canonical<'i>, Error> {
    Of { ty: None, schema: None }.written(der, options)
}

impl Of<'_> {
    /// Checks that an input equals the encoding that a conversion would produce.
    fn checked(&self, target: Target, input: &[u8], options: &Options<'_>) -> Result<Vec<Residue>, Error> {
        self.run(target, true, input, options).map(|canonical| canonical.residue)
    }

    fn written<'i>(&self, der: &'i [u8], options: &Options<'_>) -> Result<Canonical<'i>, Error> {
        self.checked(Target::Der, der, options)?;
        self.run(Target::Cer, false, der, options)
    }

    fn run<'i>(
        &self,
        target: Target,
        strict: bool,
        input: &'i [u8],
        options: &Options<'_>,
    ) -> Result<Canonical<'i>, Error> {
        let tables = Tables { schema: self.schema, registered: options.registered_types() };
        let task = Task { tables, expect: self.ty.map(Expect::of), target, strict, defaults: Task::DEFAULTS };
        converted(&task, self.ty.unwrap_or(Any::ty()), input, options)
    }
}

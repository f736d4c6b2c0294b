//! RELATIVE-OID (X.680 §33, X.690 §8.20), with arcs of any size.

use core::fmt;

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::{Shape, Type, Typed};
use crate::tag::Tag;
use crate::types::oid::{self, Arcs};
use crate::writer::Writer;

/// A borrowed `RELATIVE-OID`: its content bytes. Its arcs follow an object identifier known from the context.
///
/// ```
/// use tagwise_codec::{Decode, RelativeOid, relative_oid};
/// // The example of X.690 §8.20.5.
/// let read = RelativeOid::from_der(&[0x0D, 0x04, 0xC2, 0x7B, 0x03, 0x02])?;
/// assert_eq!(read, relative_oid!("8571.3.2"));
/// assert_eq!(read.to_string(), "8571.3.2");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelativeOid<'a>(&'a [u8]);

impl<'a> RelativeOid<'a> {
    /// Creates a relative identifier from its content bytes.
    ///
    /// # Errors
    /// Returns [`FaultKind::OidEmpty`], [`FaultKind::OidPadded`] or [`FaultKind::OidTruncated`], with an offset into `octets`.
    ///
    /// ```
    /// use tagwise_codec::{FaultKind, RelativeOid};
    /// assert_eq!(RelativeOid::from_content(&[0x03, 0x80, 0x01]).unwrap_err().kind(), FaultKind::OidPadded);
    /// ```
    pub const fn from_content(octets: &'a [u8]) -> Result<Self, Fault> {
        match oid::check_arcs(octets) {
            Ok(()) => Ok(Self(octets)),
            Err((kind, at)) => Err(Fault::new(kind, at)),
        }
    }

    /// Returns the content bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Iterates over the arcs, in order.
    #[must_use]
    pub const fn arcs(&self) -> Arcs<'a> {
        Arcs { rest: self.0, root: false, pending: None }
    }
}

impl fmt::Display for RelativeOid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, arc) in self.arcs().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            arc.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for RelativeOid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RelativeOid({self})")
    }
}

impl Typed for RelativeOid<'_> {
    fn ty() -> &'static Type {
        const { &Type::new("RELATIVE-OID", Some(Tag::RELATIVE_OID), Shape::RelativeOid) }
    }
}

impl Tagged for RelativeOid<'_> {
    const TAG: Tag = Tag::RELATIVE_OID;
}

impl<'a> DecodeValue<'a> for RelativeOid<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        oid::content(reader, len).map(Self)
    }
}

impl EncodeValue for RelativeOid<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        self.0.len()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        // What Rule::OID_PADDED let in has no DER.
        match oid::check_arcs(self.0) {
            Ok(()) => writer.bytes(self.0),
            Err(_) => Err(EncodeError::new(FaultKind::NotEncodable)),
        }
    }
}

/// Creates a constant [`RelativeOid`] from its dotted form, checked at compile time.
///
/// ```
/// use tagwise_codec::relative_oid;
/// assert_eq!(relative_oid!("8571.3.2").as_bytes(), [0xC2, 0x7B, 0x03, 0x02]);
/// ```
#[macro_export]
macro_rules! relative_oid {
    ($text:literal) => {
        const {
            const LEN: usize = $crate::relative_oid_text_len($text);
            const OCTETS: [u8; LEN] = $crate::relative_oid_text_octets::<LEN>($text);
            match $crate::RelativeOid::from_content(&OCTETS) {
                Ok(oid) => oid,
                // Constant evaluation: a wrong text does not compile, and no program meets this.
                Err(_) => panic!("not a relative object identifier"),
            }
        }
    };
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;

//! Primitive content: checks for DER and normalizes other BER forms.

use alloc::vec;
use alloc::vec::Vec;

use crate::decode::DecodeValue;
use crate::encode::EncodeValue;
use crate::fault::Fault;
use crate::options::Session;
use crate::reader::Reader;
use crate::table::{Shape, StringKind, TimeKind};
use crate::tag::{Class, Tag};
use crate::types::{self, BitStr, GeneralizedTime, NamedBits, Real, UtcTime};
use crate::writer::Writer;

/// A type whose values are primitive in DER, identified by its universal tag number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) number: u32,
    /// True for a BIT STRING with named bits.
    pub(crate) named: bool,
}

/// The universal types that BER may encode in segments (X.690 §8.6, §8.7, §8.23, §8.25), as a set of tag numbers: the strings,
/// and the two time types that are defined as VisibleString.
const SEGMENTED: u64 =
    1 << 3 | 1 << 4 | 1 << 7 | 1 << 12 | 0x7F << 18 | 1 << 25 | 1 << 26 | 1 << 27 | 1 << 28 | 1 << 30;

impl Leaf {
    pub(crate) const fn of(number: u32) -> Self {
        Self { number, named: false }
    }

    /// Returns the leaf for a shape, or `None` if its values are not primitive in DER.
    pub(crate) fn of_shape(shape: &Shape) -> Option<Self> {
        Some(Self::of(match shape {
            Shape::Boolean => 1,
            Shape::Integer(_) => 2,
            Shape::BitString(names) => return Some(Self { number: 3, named: !names.is_empty() }),
            Shape::OctetString => 4,
            Shape::Null => 5,
            Shape::ObjectIdentifier => 6,
            Shape::Real => 9,
            Shape::Enumerated { .. } => 10,
            Shape::RelativeOid => 13,
            Shape::OidIri => 35,
            Shape::RelativeOidIri => 36,
            Shape::String(kind) => match kind {
                StringKind::ObjectDescriptor => 7,
                StringKind::Utf8 => 12,
                StringKind::Numeric => 18,
                StringKind::Printable => 19,
                StringKind::Teletex => 20,
                StringKind::Videotex => 21,
                StringKind::Ia5 => 22,
                StringKind::Graphic => 25,
                StringKind::Visible => 26,
                StringKind::General => 27,
                StringKind::Universal => 28,
                StringKind::Bmp => 30,
            },
            Shape::Time(kind) => match kind {
                TimeKind::Time => 14,
                TimeKind::Utc => 23,
                TimeKind::Generalized => 24,
                TimeKind::Date => 31,
                TimeKind::TimeOfDay => 32,
                TimeKind::DateTime => 33,
                TimeKind::Duration => 34,
            },
            _ => return None,
        }))
    }

    /// Returns whether BER may encode the type in segments.
    pub(crate) const fn is_segmented(self) -> bool {
        self.number < 64 && SEGMENTED & 1 << self.number != 0
    }

    pub(crate) const fn is_bits(self) -> bool {
        self.number == 3
    }

    /// Returns whether the content is DER.
    pub(crate) fn is_canonical(self, content: &[u8]) -> bool {
        // Octets are octets.
        self.number == 4 || Reader::new(content).and_then(|mut reader| self.check(&mut reader, content.len())).is_ok()
    }

    fn check(self, reader: &mut Reader<'_, '_>, len: usize) -> Result<(), Fault> {
        if self.named {
            return NamedBits::decode_value(reader, len).map(|_| ());
        }
        types::check_universal(reader, Tag::new(Class::Universal, self.number, false), len)
    }

    /// Converts content that [`Leaf::is_canonical`] rejects to DER. Deviations are recorded in the session, with `base`
    /// added to their offsets.
    ///
    /// # Errors
    /// Returns an error if the session does not tolerate the deviation.
    pub(crate) fn normal(self, content: &[u8], base: usize, session: &Session<'_>) -> Result<LeafContent, Fault> {
        let mut reader = Reader::with_session(content, session)?.at_base(base);
        let (reader, len) = (&mut reader, content.len());
        Ok(match self.number {
            1 => made(&bool::decode_value(reader, len)?),
            2 | 10 => {
                self.check(reader, len)?;
                LeafContent::Made(minimal(content).to_vec())
            }
            3 if self.named => made(&NamedBits::decode_value(reader, len)?),
            3 => made(&BitStr::decode_value(reader, len)?),
            9 => made(&Real::decode_value(reader, len)?),
            23 => made(&UtcTime::decode_value(reader, len)?),
            24 => made(&GeneralizedTime::decode_value(reader, len)?),
            // What else a rule lets in keeps its octets.
            _ => {
                self.check(reader, len)?;
                LeafContent::None
            }
        })
    }
}

/// The normal form of content.
#[derive(Debug)]
pub(crate) enum LeafContent {
    /// The DER content bytes.
    Made(Vec<u8>),
    /// There is no DER encoding: a local time, a REAL with an exponent beyond 62 bits, or a string with invalid
    /// characters.
    None,
}

fn made<T: EncodeValue>(value: &T) -> LeafContent {
    let mut octets = vec![0; value.value_len()];
    let mut writer = Writer::new(&mut octets);
    match value.encode_value(&mut writer) {
        Ok(()) if writer.free() == 0 => LeafContent::Made(octets),
        _ => LeafContent::None,
    }
}

/// Strips the redundant leading bytes of an INTEGER (X.690 §8.3.2).
fn minimal(mut content: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = content
        && let [second, ..] = rest
        && ((*first == 0 && *second < 0x80) || (*first == 0xFF && *second >= 0x80))
    {
        content = rest;
    }
    content
}

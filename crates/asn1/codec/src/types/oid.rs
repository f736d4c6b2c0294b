//! OBJECT IDENTIFIER (X.680 §32, X.690 §8.19), with arcs of any size.

use core::fmt;

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Shape, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// A borrowed `OBJECT IDENTIFIER`: its content bytes.
///
/// ```
/// use tagwise_codec::{Decode, Oid, oid};
/// const COMMON_NAME: Oid<'static> = oid!("2.5.4.3");
/// let read = Oid::from_der(&[0x06, 0x03, 0x55, 0x04, 0x03])?;
/// assert_eq!(read, COMMON_NAME);
/// assert_eq!(read.to_string(), "2.5.4.3");
/// // Arcs of any size: a UUID under 2.25.
/// let uuid = oid!("2.25.329800735698586629295641978511506172918");
/// assert_eq!(uuid.to_string(), "2.25.329800735698586629295641978511506172918");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Oid<'a>(&'a [u8]);

impl<'a> Oid<'a> {
    /// Wraps an identifier read by a hand-written fast path ([`DecodeValue::shape`](crate::DecodeValue::shape)).
    /// [`Oid::from_content`] must accept `octets`; tests verify this.
    #[doc(hidden)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn __shaped(octets: &'a [u8]) -> Self {
        Self(octets)
    }

    /// Creates an identifier from its content bytes.
    ///
    /// # Errors
    /// Returns [`FaultKind::OidEmpty`], [`FaultKind::OidPadded`] or [`FaultKind::OidTruncated`], with an offset into `octets`.
    pub const fn from_content(octets: &'a [u8]) -> Result<Self, Fault> {
        match check_arcs(octets) {
            Ok(()) => Ok(Self(octets)),
            Err((kind, at)) => Err(Fault::new(kind, at)),
        }
    }

    /// Returns the content bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Iterates over the arcs, from the root.
    #[must_use]
    pub const fn arcs(&self) -> Arcs<'a> {
        Arcs { rest: self.0, root: true, pending: None }
    }

    /// Returns whether the identifier equals `prefix` or is below it in the OID tree.
    #[must_use]
    pub fn starts_with(&self, prefix: Oid<'_>) -> bool {
        self.0.starts_with(prefix.0)
    }
}

/// Checks that bytes are complete, minimal arcs. Returns the kind and position of the first fault.
#[inline]
pub(crate) const fn check_arcs(octets: &[u8]) -> Result<(), (FaultKind, usize)> {
    if are_arcs(octets) { Ok(()) } else { Err(first_fault(octets)) }
}

/// Returns whether bytes are complete, minimal arcs. The identifiers of attribute types and extensions have three bytes below
/// 0x80, which is the fast path. Longer ones are checked eight bytes at a time.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
const fn are_arcs(octets: &[u8]) -> bool {
    if let [first, second, third] = octets
        && (*first | *second | *third) < 0x80
    {
        return true;
    }
    are_long_arcs(octets)
}

#[inline]
const fn are_long_arcs(octets: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const LOW: u64 = 0x0101_0101_0101_0101;
    let mut rest = octets;
    // The high bit of the octet before: set inside an arc.
    let mut inside = 0u64;
    while let Some((chunk, after)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        // An octet of 80 becomes 0 and is marked. A borrow can also mark an octet of 81, but only behind one of 80: inside an arc.
        let zero = word ^ HIGH;
        let padding = zero.wrapping_sub(LOW) & !zero & HIGH;
        let continued = (word & HIGH) << 8 | inside;
        if padding & !continued != 0 {
            return false;
        }
        inside = (word & HIGH) >> 56;
        rest = after;
    }
    let mut continued = inside != 0;
    while let [octet, after @ ..] = rest {
        if *octet == 0x80 && !continued {
            return false;
        }
        continued = *octet >= 0x80;
        rest = after;
    }
    !continued && !octets.is_empty()
}

/// FaultKind and position of what is wrong with bytes that are no arcs.
#[cold]
const fn first_fault(octets: &[u8]) -> (FaultKind, usize) {
    if octets.is_empty() {
        return (FaultKind::OidEmpty, 0);
    }
    let mut at = 0;
    let mut previous = 0u8;
    let mut rest = octets;
    while let [octet, tail @ ..] = rest {
        // An arc starts after an octet below 80.
        if *octet == 0x80 && previous < 0x80 {
            return (FaultKind::OidPadded, at);
        }
        previous = *octet;
        rest = tail;
        at += 1;
    }
    (FaultKind::OidTruncated, at)
}

/// An arc: a number of any size, as base-128 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc<'a> {
    octets: &'a [u8],
    /// The number to subtract, because the first group of an OBJECT IDENTIFIER combines two arcs.
    minus: u8,
}

impl Arc<'_> {
    /// Returns the number, if it fits in 128 bits.
    #[must_use]
    pub fn to_u128(&self) -> Option<u128> {
        let mut value = 0u128;
        for octet in self.octets {
            if value >> 121 != 0 {
                return None;
            }
            value = value << 7 | u128::from(octet & 0x7F);
        }
        value.checked_sub(u128::from(self.minus))
    }
}

impl fmt::Display for Arc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_u128() {
            Some(number) => number.fmt(f),
            None => write_large(self.octets, self.minus, f),
        }
    }
}

/// Writes an arc above 128 bits. Decimal conversion takes quadratic time, so arcs above 4,096 bits are written in hexadecimal.
fn write_large(octets: &[u8], minus: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const LIMBS: usize = 138;
    if octets.len() > 585 {
        f.write_str("0x")?;
        return octets.iter().try_for_each(|octet| write!(f, "{:02x}", octet & 0x7F));
    }
    // Little-endian limbs of nine decimal digits.
    let mut limbs = [0u32; LIMBS];
    for octet in octets {
        let mut carry = u64::from(octet & 0x7F);
        for limb in &mut limbs {
            let wide = u64::from(*limb) << 7 | carry & 0x7F;
            let wide = wide + (carry & !0x7F);
            *limb = (wide % 1_000_000_000) as u32;
            carry = wide / 1_000_000_000;
        }
    }
    let mut borrow = u32::from(minus);
    for limb in &mut limbs {
        let (less, under) = limb.overflowing_sub(borrow);
        *limb = if under { less.wrapping_add(1_000_000_000) } else { less };
        borrow = u32::from(under);
    }
    let mut shown = false;
    for limb in limbs.iter().rev() {
        match (shown, *limb) {
            (false, 0) => {}
            (false, limb) => {
                write!(f, "{limb}")?;
                shown = true;
            }
            (true, limb) => write!(f, "{limb:09}")?,
        }
    }
    Ok(())
}

/// Iterator over the arcs of an [`Oid`] or [`RelativeOid`](crate::RelativeOid).
#[derive(Clone, Debug)]
pub struct Arcs<'a> {
    pub(crate) rest: &'a [u8],
    /// True if the next group of bytes contains the first two arcs of an OBJECT IDENTIFIER.
    pub(crate) root: bool,
    pub(crate) pending: Option<Arc<'a>>,
}

impl<'a> Iterator for Arcs<'a> {
    type Item = Arc<'a>;

    fn next(&mut self) -> Option<Arc<'a>> {
        if let Some(arc) = self.pending.take() {
            return Some(arc);
        }
        let len = self.rest.iter().position(|octet| *octet < 0x80).map_or(self.rest.len(), |last| last + 1);
        if len == 0 {
            return None;
        }
        let (octets, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        if !self.root {
            return Some(Arc { octets, minus: 0 });
        }
        // X.690 §8.19.4: the first group is 40 × the first arc + the second; the first arc is at most 2.
        self.root = false;
        let (first, minus): (&[u8], u8) = match octets {
            [group] if *group < 40 => (&[0], 0),
            [group] if *group < 80 => (&[1], 40),
            _ => (&[2], 80),
        };
        self.pending = Some(Arc { octets, minus });
        Some(Arc { octets: first, minus: 0 })
    }
}

/// The size of a buffer for the dotted form of most identifiers.
const TEXT: usize = 64;

/// Writes the dotted form into a buffer, from its end. Returns `None` if it does not fit or if an arc has more than 28 bits.
fn text<'b>(octets: &[u8], buffer: &'b mut [u8; TEXT]) -> Option<&'b str> {
    let mut at = TEXT;
    let mut put = |octet: u8| {
        at = at.checked_sub(1)?;
        *buffer.get_mut(at)? = octet;
        Some(())
    };
    let mut number = |mut number: u32, dot: bool| {
        loop {
            put(b'0' + (number % 10) as u8)?;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        if dot { put(b'.') } else { Some(()) }
    };
    let mut rest = octets;
    while let [before @ .., last] = rest {
        if *last >= 0x80 {
            return None;
        }
        rest = before;
        let (mut value, mut shift) = (u32::from(*last), 7);
        while let [before @ .., octet] = rest
            && *octet >= 0x80
        {
            if shift > 21 {
                return None;
            }
            value |= u32::from(octet & 0x7F) << shift;
            shift += 7;
            rest = before;
        }
        if !rest.is_empty() {
            number(value, true)?;
            continue;
        }
        // X.690 §8.19.4: the first group is 40 × the first arc + the second; the first arc is at most 2.
        let first = (value / 40).min(2);
        number(value - 40 * first, true)?;
        number(first, false)?;
    }
    core::str::from_utf8(buffer.get(at..)?).ok()
}

impl fmt::Display for Oid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = [0; TEXT];
        if let Some(text) = text(self.0, &mut buffer) {
            return f.write_str(text);
        }
        for (index, arc) in self.arcs().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            arc.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Oid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Oid({self})")
    }
}

impl Typed for Oid<'_> {
    fn ty() -> &'static Type {
        const { &Type::new("OBJECT IDENTIFIER", Some(Tag::OBJECT_IDENTIFIER), Shape::ObjectIdentifier) }
    }
}

impl Tagged for Oid<'_> {
    const TAG: Tag = Tag::OBJECT_IDENTIFIER;
}

/// Reads the content of an OBJECT IDENTIFIER or RELATIVE-OID.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn content<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Result<&'a [u8], Fault> {
    let at = reader.position();
    let octets = reader.take(len)?;
    match check_arcs(octets) {
        Ok(()) => Ok(octets),
        Err((FaultKind::OidPadded, offset)) => {
            reader.deviate(&Rule::OID_PADDED, FaultKind::OidPadded, at + offset)?;
            Ok(octets)
        }
        Err((kind, offset)) => Err(reader.fault(kind, at + offset)),
    }
}

impl<'a> DecodeValue<'a> for Oid<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        content(reader, len).map(Self)
    }
}

impl EncodeValue for Oid<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        self.0.len()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        // What Rule::OID_PADDED let in has no DER.
        match check_arcs(self.0) {
            Ok(()) => writer.bytes(self.0),
            Err(_) => Err(EncodeError::new(FaultKind::NotEncodable)),
        }
    }
}

/// Creates a constant [`Oid`] from its dotted form, checked at compile time.
///
/// ```
/// use tagwise_codec::oid;
/// assert_eq!(oid!("1.2.840.113549.1.1.11").as_bytes(), [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]);
/// ```
#[macro_export]
macro_rules! oid {
    ($text:literal) => {
        const {
            const LEN: usize = $crate::oid_text_len($text);
            const OCTETS: [u8; LEN] = $crate::oid_text_octets::<LEN>($text);
            match $crate::Oid::from_content(&OCTETS) {
                Ok(oid) => oid,
                // Constant evaluation: a wrong text does not compile, and no program meets this.
                Err(_) => panic!("not an object identifier"),
            }
        }
    };
}

//! Trust anchor IDs as bytes, DER and text, and the names derived from them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use tagwise_codec::{Oid, Reader, RelativeOid, Tag, Utf8, encode};

use crate::draft::Draft;
use crate::error::{Error, ErrorKind};

/// The prefix of cosigner and log names: the private enterprise arc.
const NAME_PREFIX: &str = "oid/1.3.6.1.4.1.";

/// A trust anchor ID (draft-ietf-tls-trust-anchor-ids-06 §4): an object identifier under 1.3.6.1.4.1, written relative to
/// that arc. Components may be of any size, and the complete ID is 1 to 32 bytes long. IDs are ordered like cosignatures:
/// shorter first, then by bytes.
///
/// ```
/// use tagwise_mtc::TrustAnchorId;
/// let id: TrustAnchorId = "32473.1".parse()?;
/// assert_eq!(id.as_bytes(), [0x81, 0xfd, 0x59, 0x01]);
/// assert_eq!(id.to_der(), [0x0d, 0x04, 0x81, 0xfd, 0x59, 0x01]);
/// assert_eq!(id.log(8)?.to_string(), "32473.1.0.8");
/// assert_eq!(id.name(), "oid/1.3.6.1.4.1.32473.1");
/// # Ok::<(), tagwise_mtc::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TrustAnchorId {
    len: u8,
    bytes: [u8; Self::MAX],
}

impl TrustAnchorId {
    /// The maximum length of an ID in bytes.
    pub const MAX: usize = 32;

    /// Decodes an ID from its bytes, as used in TLS and cosignatures.
    ///
    /// # Errors
    /// Returns [`ErrorKind::IdLength`] if the ID is empty or too long, or [`ErrorKind::IdComponent`] if a component is
    /// malformed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.is_empty() || bytes.len() > Self::MAX {
            return Err(Error::new(ErrorKind::IdLength, 0));
        }
        if let Err(fault) = RelativeOid::from_content(bytes) {
            return Err(Error::new(ErrorKind::IdComponent, fault.offset()));
        }
        let mut whole = [0; Self::MAX];
        whole.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        Ok(Self { len: bytes.len() as u8, bytes: whole })
    }

    /// Returns the ID's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// Encodes the ID as a DER RELATIVE-OID.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        let mut out = Vec::from([0x0D, self.len]);
        out.extend_from_slice(self.as_bytes());
        out
    }

    /// Appends components to the ID.
    ///
    /// # Errors
    /// Returns [`ErrorKind::IdLength`] if the result is too long.
    pub fn child(&self, components: &[u64]) -> Result<Self, Error> {
        let mut bytes = self.as_bytes().to_vec();
        for component in components {
            put_component(&mut bytes, *component);
        }
        Self::from_bytes(&bytes)
    }

    /// Returns the ID of the CA's log with the given number (MTC §5.1).
    ///
    /// # Errors
    /// Returns [`ErrorKind::LogNumber`] if the number is 0, or [`ErrorKind::IdLength`] if the ID is too long.
    pub fn log(&self, number: u16) -> Result<Self, Error> {
        self.below(0, number, None)
    }

    /// Returns the ID of a landmark in one of the CA's logs. It is the trust anchor ID of certificates relative to that
    /// landmark (MTC §5.1).
    ///
    /// # Errors
    /// Returns any error from [`log`](Self::log).
    pub fn landmark(&self, log: u16, landmark: u64) -> Result<Self, Error> {
        self.below(1, log, Some(landmark))
    }

    /// Returns the ID of the group of landmarks up to the given one, which an up-to-date relying party requests (MTC §5.1).
    ///
    /// # Errors
    /// Returns any error from [`log`](Self::log).
    pub fn landmark_group(&self, log: u16, landmark: u64) -> Result<Self, Error> {
        self.below(2, log, Some(landmark))
    }

    fn below(&self, kind: u64, log: u16, last: Option<u64>) -> Result<Self, Error> {
        if log == 0 {
            return Err(Error::new(ErrorKind::LogNumber, 0));
        }
        match last {
            None => self.child(&[kind, u64::from(log)]),
            Some(last) => self.child(&[kind, u64::from(log), last]),
        }
    }

    /// Returns the name of a cosigner, or the origin of a log: `oid/1.3.6.1.4.1.` followed by the dotted form (MTC §5.3).
    #[must_use]
    pub fn name(&self) -> String {
        let mut out = String::from(NAME_PREFIX);
        out.push_str(&self.to_string());
        out
    }

    /// Parses a name in the form returned by [`name`](Self::name).
    ///
    /// # Errors
    /// Returns [`ErrorKind::IdName`] if the name has a different form, or any error in the ID.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        let text = name.strip_prefix(NAME_PREFIX).ok_or(Error::new(ErrorKind::IdName, 0))?;
        text.parse().map_err(|error: Error| error.rebase(NAME_PREFIX.len()))
    }

    /// Encodes a DER distinguished name with the ID as its only attribute (MTC §5.1). The value is a RELATIVE-OID since -06,
    /// and a UTF8String in -05.
    #[must_use]
    pub fn to_distinguished_name(&self, draft: Draft) -> Vec<u8> {
        let value = if draft.has_text_names() {
            let text = self.to_string();
            element(Tag::UTF8_STRING, text.as_bytes())
        } else {
            self.to_der()
        };
        let mut attribute = element(Tag::OBJECT_IDENTIFIER, draft.name_attribute().as_bytes());
        attribute.extend_from_slice(&value);
        let attribute = element(Tag::SEQUENCE, &attribute);
        element(Tag::SEQUENCE, &element(Tag::SET, &attribute))
    }

    /// Decodes the ID in a distinguished name. Also returns the draft that defines its attribute type.
    ///
    /// # Errors
    /// Returns [`ErrorKind::IdDistinguishedName`] for other names, or any error in the DER or the ID.
    pub fn from_distinguished_name(der: &[u8]) -> Result<(Self, Draft), Error> {
        let mut reader = Reader::new(der)?;
        let found = read_name(&mut reader)?;
        reader.finish()?;
        Ok(found)
    }
}

/// Reads an `RDNSequence` that consists of one RDN with one attribute.
fn read_name(reader: &mut Reader<'_, '_>) -> Result<(TrustAnchorId, Draft), Error> {
    let other = |reader: &Reader<'_, '_>| Error::new(ErrorKind::IdDistinguishedName, reader.offset());
    let mut levels = [None; 3];
    for (level, tag) in levels.iter_mut().zip([Tag::SEQUENCE, Tag::SET, Tag::SEQUENCE]) {
        if !reader.at(tag) {
            return Err(other(reader));
        }
        let len = reader.expect(tag)?;
        *level = Some(reader.enter(len)?);
    }
    let kind: Oid<'_> = reader.read()?;
    let draft = Draft::ALL.into_iter().find(|draft| draft.name_attribute() == kind).ok_or_else(|| other(reader))?;
    let at = reader.offset();
    let id = if draft.has_text_names() {
        let text: Utf8<'_> = reader.read()?;
        text.as_str().parse()
    } else {
        let relative: RelativeOid<'_> = reader.read()?;
        TrustAnchorId::from_bytes(relative.as_bytes())
    };
    let id = id.map_err(|error: Error| error.rebase(at.saturating_add(2)))?;
    for level in levels.into_iter().rev().flatten() {
        if !reader.is_empty() {
            return Err(other(reader));
        }
        reader.leave(level)?;
    }
    Ok((id, draft))
}

/// Encodes a single DER element whose content is given in parts.
pub(crate) fn element(tag: Tag, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len().saturating_add(6));
    put_header(&mut out, tag, content.len());
    out.extend_from_slice(content);
    out
}

/// Writes the identifier and length of an element with a low tag number.
pub(crate) fn put_header(out: &mut Vec<u8>, tag: Tag, len: usize) {
    out.push(tag.first_octet());
    let bytes = len.to_be_bytes();
    let skip = bytes.iter().take_while(|byte| **byte == 0).count();
    match bytes.get(skip..) {
        Some([]) | None => out.push(0),
        Some([short]) if *short < 0x80 => out.push(*short),
        Some(long) => {
            out.push(0x80 | long.len() as u8);
            out.extend_from_slice(long);
        }
    }
}

/// Writes a number in minimal base-128.
pub(crate) fn put_component(out: &mut Vec<u8>, number: u64) {
    let groups = (64 - number.leading_zeros()).div_ceil(7).max(1);
    for group in (0..groups).rev() {
        let bits = (number >> group.saturating_mul(7)) as u8 & 0x7F;
        out.push(if group == 0 { bits } else { bits | 0x80 });
    }
}

/// The maximum length of a base-128 number in bytes. It applies to patterns, whose bounds may exceed the components of any ID.
const LONGEST_NUMBER: usize = 255;

/// Writes a decimal number of any size in base-128.
pub(crate) fn put_decimal(out: &mut Vec<u8>, digits: &str) -> Result<(), ErrorKind> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if !is_number || (digits.len() > 1 && digits.starts_with('0')) {
        return Err(ErrorKind::IdText);
    }
    let mut groups = [0u8; LONGEST_NUMBER];
    for digit in digits.bytes() {
        let mut carry = u16::from(digit - b'0');
        for group in groups.iter_mut().rev() {
            let wide = u16::from(*group) * 10 + carry;
            *group = (wide & 0x7F) as u8;
            carry = wide >> 7;
        }
        if carry != 0 {
            return Err(ErrorKind::IdLength);
        }
    }
    let skip = groups.iter().take_while(|group| **group == 0).count().min(LONGEST_NUMBER - 1);
    let groups = groups.get(skip..).unwrap_or_default();
    for (index, group) in groups.iter().enumerate() {
        out.push(if index + 1 == groups.len() { *group } else { *group | 0x80 });
    }
    Ok(())
}

impl FromStr for TrustAnchorId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        let mut at = 0usize;
        for part in text.split('.') {
            put_decimal(&mut bytes, part).map_err(|kind| Error::new(kind, at))?;
            if bytes.len() > Self::MAX {
                return Err(Error::new(ErrorKind::IdLength, at));
            }
            at = at.saturating_add(part.len()).saturating_add(1);
        }
        Self::from_bytes(&bytes)
    }
}

impl fmt::Display for TrustAnchorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match RelativeOid::from_content(self.as_bytes()) {
            Ok(relative) => relative.fmt(f),
            Err(fault) => fault.fmt(f),
        }
    }
}

impl fmt::Debug for TrustAnchorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TrustAnchorId({self})")
    }
}

impl Ord for TrustAnchorId {
    fn cmp(&self, other: &Self) -> Ordering {
        self.len.cmp(&other.len).then_with(|| self.as_bytes().cmp(other.as_bytes()))
    }
}

impl PartialOrd for TrustAnchorId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Encodes an AlgorithmIdentifier without parameters.
pub(crate) fn algorithm(oid: Oid<'_>) -> Vec<u8> {
    // Encoding a validated identifier does not fail. An empty result would not match anything, so it would fail closed.
    encode(&oid).map_or_else(|_unencodable| Vec::new(), |oid| element(Tag::SEQUENCE, &oid))
}

#[cfg(test)]
mod tests;

//! Strings and object identifiers of generated types.

use tagwise_codec::{BitStr, BitString, FaultKind, Oid, OidBuf};

use super::{Decoder, Encoder, Stop};
use crate::bits::reader::Reader;
use crate::decode::length::Numbers as _;
use crate::encode::length::{Numbers as _, bits_of};
use crate::error::Kind;
use crate::plan::{Bounds, Characters, Sized};

#[doc(hidden)]
impl<const ALIGNED: bool> Decoder<'_, '_, ALIGNED> {
    /// An OCTET STRING (§17).
    pub fn octets(&mut self, size: Bounds) -> Result<Vec<u8>, Stop> {
        self.shared(|state, reader| state.octets_of(size, reader)).map(|(octets, _)| octets)
    }

    /// A BIT STRING (§16). Named bits have no trailing zero bits.
    pub fn bit_string(&mut self, size: Bounds, named: bool) -> Result<BitString, Stop> {
        if !named {
            let (bits, count, _) = self.shared(|state, reader| state.bits_of(size, reader))?;
            let unused = (8 - (count % 8) as u8) % 8;
            return BitString::with_unused(bits, unused).ok_or_else(|| self.fail(Kind::Schema));
        }
        let content = self.shared(|state, reader| {
            let start = reader.position();
            let (bits, count, _) = state.bits_of(size, reader)?;
            state.bit_content(Sized { size, named, contents: None }, bits, count, start)
        })?;
        let bits = content.split_first().and_then(|(unused, bits)| BitString::with_unused(bits.to_vec(), *unused));
        bits.ok_or_else(|| self.fail(Kind::Schema))
    }

    /// A value in an OCTET STRING.
    pub fn in_octets<T>(
        &mut self,
        size: Bounds,
        read: impl FnOnce(&mut Decoder<'_, '_, ALIGNED>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let (octets, place) = self.shared(|state, reader| state.octets_of(size, reader))?;
        self.within(&octets, None, place, read)
    }

    /// A value in a BIT STRING.
    pub fn in_bits<T>(
        &mut self,
        size: Bounds,
        read: impl FnOnce(&mut Decoder<'_, '_, ALIGNED>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let (octets, count, place) = self.shared(|state, reader| state.bits_of(size, reader))?;
        self.within(&octets, Some(count), place, read)
    }

    /// A value in an OCTET STRING, or in a BIT STRING of some bits.
    fn within<T>(
        &mut self,
        octets: &[u8],
        bits: Option<u64>,
        place: u64,
        read: impl FnOnce(&mut Decoder<'_, '_, ALIGNED>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.enter()?;
        let reader = Reader::shifted(octets, place);
        let reader = bits.map_or(reader, |bits| reader.truncated(bits));
        let mut inner = Decoder { reader, state: &mut *self.state };
        inner.state.at = place;
        let value = read(&mut inner)?;
        inner.shared(|state, reader| if bits.is_some() { state.finish_bits(reader) } else { state.finish(reader) })?;
        self.leave();
        Ok(value)
    }

    /// A known-multiplier string of ASCII characters (§30.5).
    pub fn text(&mut self, characters: &'static Characters) -> Result<String, Stop> {
        let octets = self.shared(|state, reader| state.characters(characters, reader))?;
        String::from_utf8(octets).map_err(|_| self.fail(Kind::Alphabet))
    }

    /// A UTF8String.
    pub fn utf8(&mut self) -> Result<String, Stop> {
        let octets = self.shared(|state, reader| state.octets(reader))?;
        String::from_utf8(octets).map_err(|_| self.fail(Kind::Value(FaultKind::Utf8Invalid)))
    }

    /// An OBJECT IDENTIFIER.
    pub fn oid(&mut self) -> Result<OidBuf, Stop> {
        self.shared(|state, reader| {
            let octets = state.octets(reader)?;
            let oid = Oid::from_content(&octets).map_err(|fault| Kind::Value(fault.kind()))?;
            Ok(OidBuf::new(oid))
        })
    }
}

#[doc(hidden)]
impl<const ALIGNED: bool> Encoder<'_, ALIGNED> {
    fn sized(&mut self, count: u64, size: Bounds) -> Result<(), Stop> {
        self.ensure_size(size.extensible || size.contains(count.into()))
    }

    /// An OCTET STRING (§17).
    pub fn octets(&mut self, octets: &[u8], size: Bounds) -> Result<(), Stop> {
        self.sized(octets.len() as u64, size)?;
        self.shared(|form, writer| form.put_octets(octets, size, writer))
    }

    /// A BIT STRING (§16).
    pub fn bit_string(&mut self, bits: &BitString, size: Bounds, named: bool) -> Result<(), Stop> {
        if !named {
            self.sized(bits.bit_len(), size)?;
            return self.shared(|form, writer| form.put_bits(bits.as_bytes(), bits.bit_len(), size, writer));
        }
        let content = [&[bits.unused_bits()], bits.as_bytes()].concat();
        let budget = self.writer.budget();
        let sized = Sized { size, named, contents: None };
        let (octets, count) = bits_of(&content, sized, budget).map_err(|kind| self.fail(kind))?;
        self.sized(count, size)?;
        self.shared(|form, writer| form.put_bits(&octets, count, size, writer))
    }

    /// A value in an OCTET STRING.
    pub fn in_octets(&mut self, size: Bounds, write: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        let octets = self.contained(write, |writer| writer.complete().map(|octets| (octets, 0)))?.0;
        self.octets(&octets, size)?;
        self.recycle(octets);
        Ok(())
    }

    /// A value in a BIT STRING.
    pub fn in_bits(&mut self, size: Bounds, write: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        let (octets, count) = self.contained(write, crate::bits::writer::Writer::unpadded)?;
        self.sized(count, size)?;
        self.shared(|form, writer| form.put_bits(&octets, count, size, writer))?;
        self.recycle(octets);
        Ok(())
    }

    fn contained(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), Stop>,
        complete: impl FnOnce(crate::bits::writer::Writer) -> Result<(Vec<u8>, u64), Kind>,
    ) -> Result<(Vec<u8>, u64), Stop> {
        self.enter()?;
        let inner = self.begin();
        let outer = std::mem::replace(&mut self.writer, inner);
        write(self)?;
        let inner = std::mem::replace(&mut self.writer, outer);
        self.leave();
        complete(inner).map_err(|kind| self.fail(kind))
    }

    /// A known-multiplier string of ASCII characters (§30.5).
    pub fn text(&mut self, text: &str, characters: &'static Characters) -> Result<(), Stop> {
        self.sized(text.len() as u64, characters.size)?;
        if characters.count() <= 1 && !ALIGNED {
            self.spend_empty(text.len() as u64)?;
        }
        self.shared(|form, writer| form.characters(characters, text.as_bytes(), writer))
    }

    /// A UTF8String.
    pub fn utf8(&mut self, text: &str) -> Result<(), Stop> {
        self.shared(|form, writer| form.octets(text.as_bytes(), writer))
    }

    /// An OBJECT IDENTIFIER.
    pub fn oid(&mut self, oid: &OidBuf) -> Result<(), Stop> {
        self.shared(|form, writer| form.octets(oid.as_bytes(), writer))
    }
}

/// The content of a BIT STRING's first bits as a value, for DEFAULT.
#[doc(hidden)]
#[must_use]
pub fn bits(octets: &[u8], unused: u8) -> BitString {
    BitStr::new(octets, unused).map(BitString::new).unwrap_or_default()
}

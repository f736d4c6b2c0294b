//! CBOR items of C509, with deterministic encoding (RFC 8949 §4.2.1).

use minicbor::data::{Int, Tag, Type};
use minicbor::{Decoder, Encoder};

use super::Error;

/// The maximum nesting depth of arrays and tags. The format needs five levels.
const DEEP: u8 = 16;

/// A CBOR item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CborItem {
    Int(i128),
    Bytes(Vec<u8>),
    Text(String),
    Array(Vec<Self>),
    Tag(u64, Box<Self>),
    Null,
    True,
}

impl CborItem {
    pub(super) fn bytes(octets: &[u8]) -> Self {
        Self::Bytes(octets.to_vec())
    }

    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub(super) fn as_bytes(&self) -> Option<&[u8]> {
        if let Self::Bytes(octets) = self { Some(octets) } else { None }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    pub(super) const fn as_int(&self) -> Option<i128> {
        if let Self::Int(int) = self { Some(*int) } else { None }
    }

    pub(super) fn as_u64(&self) -> Option<u64> {
        self.as_int().and_then(|int| u64::try_from(int).ok())
    }
}

/// Decodes the items of a CBOR sequence (RFC 8742), which must be deterministically encoded.
pub(super) fn read(octets: &[u8]) -> Result<Vec<CborItem>, Error> {
    let mut decoder = Decoder::new(octets);
    let mut items = Vec::new();
    while decoder.position() < octets.len() {
        items.push(item(&mut decoder, octets.len(), DEEP)?);
    }
    let again = write(&items);
    if again != octets {
        let offset = again.iter().zip(octets).take_while(|(one, other)| one == other).count();
        return Err(Error::Cbor { offset, what: "not deterministically encoded" });
    }
    Ok(items)
}

fn item(decoder: &mut Decoder<'_>, size: usize, levels: u8) -> Result<CborItem, Error> {
    let offset = decoder.position();
    let bad = |what| Error::Cbor { offset, what };
    let cut = |_error: minicbor::decode::Error| Error::Cbor { offset, what: "malformed or truncated" };
    let below = || levels.checked_sub(1).ok_or(bad("nesting too deep"));
    Ok(match decoder.datatype().map_err(cut)? {
        Type::U8 | Type::U16 | Type::U32 | Type::U64 | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Int => {
            CborItem::Int(i128::from(decoder.int().map_err(cut)?))
        }
        Type::Bytes => CborItem::bytes(decoder.bytes().map_err(cut)?),
        Type::String => CborItem::text(decoder.str().map_err(cut)?),
        Type::Array => {
            let below = below()?;
            let count = decoder.array().map_err(cut)?.ok_or(bad("an indefinite-length array"))?;
            // Each item takes an octet at least.
            let count = usize::try_from(count).ok().filter(|count| *count <= size).ok_or(bad("a truncated array"))?;
            let items: Result<_, _> = (0..count).map(|_| item(decoder, size, below)).collect();
            CborItem::Array(items?)
        }
        Type::Tag => {
            let below = below()?;
            let tag = decoder.tag().map_err(cut)?;
            CborItem::Tag(tag.as_u64(), Box::new(item(decoder, size, below)?))
        }
        Type::Null => {
            decoder.null().map_err(cut)?;
            CborItem::Null
        }
        Type::Bool => match decoder.bool().map_err(cut)? {
            true => CborItem::True,
            false => return Err(bad("unexpected false")),
        },
        _ => return Err(bad("an unexpected type of item")),
    })
}

/// Encodes a CBOR sequence.
pub(super) fn write(items: &[CborItem]) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new());
    for item in items {
        // Writing to memory does not fail.
        let _ = put(item, &mut encoder);
    }
    encoder.into_writer()
}

fn put(item: &CborItem, encoder: &mut Encoder<Vec<u8>>) -> Option<()> {
    match item {
        // What was read fits, and what is made is small.
        CborItem::Int(int) => encoder.int(Int::try_from(*int).ok()?).ok()?,
        CborItem::Bytes(octets) => encoder.bytes(octets).ok()?,
        CborItem::Text(text) => encoder.str(text).ok()?,
        CborItem::Array(items) => {
            encoder.array(items.len() as u64).ok()?;
            return items.iter().try_for_each(|item| put(item, encoder));
        }
        CborItem::Tag(tag, inner) => {
            encoder.tag(Tag::new(*tag)).ok()?;
            return put(inner, encoder);
        }
        CborItem::Null => encoder.null().ok()?,
        CborItem::True => encoder.bool(true).ok()?,
    };
    Some(())
}

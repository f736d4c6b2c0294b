//! User and device claims (MS-PAC §2.11, §2.13; MS-ADTS §2.2.18), with or without compression.

use crate::bin::FileError;

use super::ndr::Ndr;
use super::xca;

/// Claims from one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimsArray {
    /// The source: 1 for the directory, 2 for a certificate.
    pub source: u16,
    /// The claims.
    pub entries: Vec<ClaimEntry>,
}

impl ClaimsArray {
    /// Returns a description of the source.
    #[must_use]
    pub fn source_name(&self) -> String {
        match self.source {
            1 => "directory".to_owned(),
            2 => "certificate".to_owned(),
            other => format!("source {other}"),
        }
    }
}

/// A claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimEntry {
    /// The identifier, such as `ad://ext/department`.
    pub id: String,
    /// The value type number.
    pub kind: u16,
    /// The values, all of the same type.
    pub values: Vec<ClaimValue>,
}

impl ClaimEntry {
    /// Returns the name of the value type.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self.kind {
            1 => "int64",
            2 => "uint64",
            3 => "string",
            6 => "boolean",
            _ => "unknown",
        }
    }
}

/// A value of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimValue {
    /// CLAIM_TYPE_INT64.
    Int64(i64),
    /// CLAIM_TYPE_UINT64.
    Uint64(u64),
    /// CLAIM_TYPE_STRING.
    Text(String),
    /// CLAIM_TYPE_BOOLEAN.
    Bool(bool),
}

/// Decodes CLAIMS_SET_METADATA (MS-ADTS §2.2.18.8) and the claims set that it contains. An empty buffer yields no claims.
pub(super) fn from_bytes(octets: &[u8]) -> Result<Vec<ClaimsArray>, FileError> {
    if octets.is_empty() {
        return Ok(Vec::new());
    }
    let ndr = &mut Ndr::new(octets)?;
    let (size, has_set) = (ndr.u32()?, ndr.pointer()?);
    let (format, at) = (ndr.u16()?, ndr.offset());
    let len = usize::try_from(ndr.u32()?).unwrap_or(usize::MAX);
    // Reserved.
    ndr.u16()?;
    ndr.u32()?;
    ndr.pointer()?;
    if !has_set {
        return Ok(Vec::new());
    }
    let count = usize::try_from(ndr.bytes_count(size)?).unwrap_or(usize::MAX);
    let set = ndr.bytes(count)?;
    match format {
        0 => read_set(set),
        2 => read_set(&xca::lznt1(set, len)?),
        3 => read_set(&xca::xpress(set, len)?),
        4 => read_set(&xca::xpress_huffman(set, len)?),
        _ => Err(FileError::new(at, "unknown compression format, expected 0, 2, 3 or 4 (MS-ADTS §2.2.18.4)")),
    }
}

/// Reads CLAIMS_SET (MS-ADTS §2.2.18.7).
fn read_set(octets: &[u8]) -> Result<Vec<ClaimsArray>, FileError> {
    let ndr = &mut Ndr::new(octets)?;
    let (count, has_arrays) = (ndr.u32()?, ndr.pointer()?);
    // Reserved.
    ndr.u16()?;
    ndr.u32()?;
    ndr.pointer()?;
    if !has_arrays {
        return Ok(Vec::new());
    }
    let fixed = (0..ndr.count(count)?).map(|_| Ok((ndr.u16()?, ndr.u32()?, ndr.pointer()?)));
    let fixed: Vec<(u16, u32, bool)> = fixed.collect::<Result<_, FileError>>()?;
    let arrays = fixed.into_iter().map(|(source, count, has)| {
        let entries = if has { entries(ndr, count)? } else { Vec::new() };
        Ok(ClaimsArray { source, entries })
    });
    arrays.collect()
}

/// Reads an array of CLAIM_ENTRY (MS-ADTS §2.2.18.5).
fn entries(ndr: &mut Ndr<'_>, count: u32) -> Result<Vec<ClaimEntry>, FileError> {
    let mut fixed = Vec::new();
    for _ in 0..ndr.count(count)? {
        // The type is there twice: as a member, and as what tells the members of the union apart.
        let (has_id, kind, at, selector) = (ndr.pointer()?, ndr.u16()?, ndr.offset(), ndr.u16()?);
        if kind != selector {
            return Err(FileError::new(at, "the value type differs from the claim's type"));
        }
        fixed.push((has_id, kind, at, ndr.u32()?, ndr.pointer()?));
    }
    let mut entries = Vec::new();
    for (has_id, kind, at, count, has_values) in fixed {
        let id = trimmed(ndr.string_content(has_id)?);
        let mut values = Vec::new();
        if has_values {
            let count = ndr.count(count)?;
            match kind {
                1 => values.extend(ndr.longs(count)?.into_iter().map(|value| ClaimValue::Int64(value.cast_signed()))),
                2 => values.extend(ndr.longs(count)?.into_iter().map(ClaimValue::Uint64)),
                6 => values.extend(ndr.longs(count)?.into_iter().map(|value| ClaimValue::Bool(value != 0))),
                3 => {
                    let has = (0..count).map(|_| ndr.pointer()).collect::<Result<Vec<bool>, _>>()?;
                    for has in has {
                        values.push(ClaimValue::Text(trimmed(ndr.string_content(has)?)));
                    }
                }
                _ => {
                    return Err(FileError::new(at, "unknown claim type, expected 1, 2, 3 or 6 (MS-ADTS §2.2.18.2)"));
                }
            }
        }
        entries.push(ClaimEntry { id, kind, values });
    }
    Ok(entries)
}

/// Returns a text without its terminating zero.
fn trimmed(mut text: String) -> String {
    text.truncate(text.trim_end_matches('\0').len());
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    /// Adds the headers of type serialization version 1 (MS-RPCE §2.2.6) and the pointer to a structure.
    fn serialized(body: &[u8]) -> Vec<u8> {
        let len = u32::try_from(body.len() + 4).unwrap();
        [&[1, 0x10, 8, 0, 0xCC, 0xCC, 0xCC, 0xCC][..], &len.to_le_bytes(), &[0; 4], &[0, 0, 2, 0], body].concat()
    }

    struct Body(Vec<u8>);

    impl Body {
        fn put(&mut self, align: usize, bytes: &[u8]) -> &mut Self {
            // The pointer to the structure is in front.
            let at = self.0.len() + 4;
            self.0.resize(self.0.len() + at.next_multiple_of(align) - at, 0);
            self.0.extend(bytes);
            self
        }

        fn u16(&mut self, value: u16) -> &mut Self {
            self.put(2, &value.to_le_bytes())
        }

        fn u32(&mut self, value: u32) -> &mut Self {
            self.put(4, &value.to_le_bytes())
        }

        fn text(&mut self, text: &str) -> &mut Self {
            let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
            let count = u32::try_from(units.len()).unwrap();
            self.u32(count).u32(0).u32(count);
            let bytes: Vec<u8> = units.into_iter().flat_map(u16::to_le_bytes).collect();
            self.put(2, &bytes)
        }
    }

    const POINTER: u32 = 0x0002_0004;

    /// Builds a claims set with a text, two numbers and a Boolean.
    fn set() -> Vec<u8> {
        let mut body = Body(Vec::new());
        body.u32(1).u32(POINTER).u16(0).u32(0).u32(0);
        body.u32(1).u16(1).u32(3).u32(POINTER);
        body.u32(3);
        for (kind, count) in [(3, 1), (2, 2), (6, 1)] {
            body.u32(POINTER).u16(kind).u16(kind).u32(count).u32(POINTER);
        }
        body.text("ad://ext/department").u32(1).u32(POINTER).text("sales");
        body.text("ad://ext/n").u32(2).put(8, &7_u64.to_le_bytes()).put(8, &u64::MAX.to_le_bytes());
        body.text("ad://ext/b").u32(1).put(8, &1_u64.to_le_bytes());
        serialized(&body.0)
    }

    fn metadata(set: &[u8], format: u16, len: usize) -> Vec<u8> {
        let size = u32::try_from(set.len()).unwrap();
        let mut body = Body(Vec::new());
        body.u32(size).u32(POINTER).u16(format).u32(u32::try_from(len).unwrap()).u16(0).u32(0).u32(0);
        body.u32(size).put(1, set);
        serialized(&body.0)
    }

    #[test]
    fn claims_of_each_type_compressed_and_not() {
        let set = set();
        let plain = from_bytes(&metadata(&set, 0, set.len())).unwrap();
        let [array] = &*plain else { panic!("{plain:?}") };
        assert_eq!((array.source, array.entries.len()), (1, 3));
        let expected = [
            ("ad://ext/department", vec![ClaimValue::Text("sales".to_owned())]),
            ("ad://ext/n", vec![ClaimValue::Uint64(7), ClaimValue::Uint64(u64::MAX)]),
            ("ad://ext/b", vec![ClaimValue::Bool(true)]),
        ];
        for (entry, (id, values)) in array.entries.iter().zip(expected) {
            assert_eq!((entry.id.as_str(), &entry.values), (id, &values));
        }
        // Plain LZ77 and LZNT1 of literals alone.
        let xpress: Vec<u8> = set.chunks(32).flat_map(|chunk| [&[0; 4], chunk].concat()).collect();
        assert_eq!(from_bytes(&metadata(&xpress, 3, set.len())).unwrap(), plain);
        let header = u16::try_from(set.len() - 1).unwrap() | 0x3000;
        let lznt1 = [&header.to_le_bytes()[..], &set].concat();
        assert_eq!(from_bytes(&metadata(&lznt1, 2, set.len())).unwrap(), plain);
        assert!(from_bytes(&metadata(&set, 9, set.len())).is_err());
        assert!(from_bytes(&metadata(&xpress, 3, usize::try_from(u32::MAX).unwrap())).is_err());
        for end in 1..set.len() {
            assert!(read_set(set.get(..end).unwrap()).is_err(), "{end}");
        }
        assert_eq!(from_bytes(&[]).unwrap(), []);
    }
}

//! PE images: the attribute certificate table (Microsoft's PE format, "The Attribute Certificate Table"), and the bytes that the
//! digest of Authenticode covers.

use std::ops::Range;

use super::{SIGNATURES, Signature};

/// WIN_CERT_TYPE_PKCS_SIGNED_DATA.
const SIGNED_DATA: u16 = 2;

/// The positions in an image that its digest leaves out.
struct Layout {
    /// The checksum in the optional header.
    checksum: usize,
    /// The entry of the certificate table in the data directory, if the directory has one.
    entry: Option<usize>,
    /// The certificate table.
    table: Range<usize>,
}

fn u16_at(file: &[u8], at: usize) -> Option<u16> {
    file.get(at..)?.first_chunk().map(|octets| u16::from_le_bytes(*octets))
}

fn u32_at(file: &[u8], at: usize) -> Option<usize> {
    let number = file.get(at..)?.first_chunk().map(|octets| u32::from_le_bytes(*octets))?;
    usize::try_from(number).ok()
}

/// Returns whether the file has the signatures of DOS and of PE.
pub(super) fn is_pe(file: &[u8]) -> bool {
    let header = || u32_at(file, 0x3C).and_then(|at| file.get(at..)).is_some_and(|rest| rest.starts_with(b"PE\0\0"));
    file.starts_with(b"MZ") && header()
}

fn layout(file: &[u8]) -> Result<Layout, String> {
    let truncated = || "the PE header is truncated".to_owned();
    let coff = u32_at(file, 0x3C).and_then(|at| at.checked_add(4)).ok_or_else(truncated)?;
    let optional = coff.checked_add(20).ok_or_else(truncated)?;
    // The directories come after 96 bytes in PE32, and after 112 in PE32+.
    let directories = match u16_at(file, optional) {
        Some(0x10B) => 96,
        Some(0x20B) => 112,
        Some(magic) => return Err(format!("unknown PE optional header 0x{magic:X}, expected 0x10B or 0x20B")),
        None => return Err(truncated()),
    };
    let checksum = optional.checked_add(64).ok_or_else(truncated)?;
    let directories = optional.checked_add(directories).ok_or_else(truncated)?;
    let count = directories.checked_sub(4).and_then(|at| u32_at(file, at)).ok_or_else(truncated)?;
    if count <= 4 {
        let end = file.len();
        return Ok(Layout { checksum, entry: None, table: end..end });
    }
    let entry = directories.checked_add(32).ok_or_else(truncated)?;
    let (start, size) = (u32_at(file, entry), entry.checked_add(4).and_then(|at| u32_at(file, at)));
    let (Some(start), Some(size)) = (start, size) else { return Err(truncated()) };
    // The address of this table is an offset in the file, unlike those of the others.
    let table = match (start, size) {
        (0, _) | (_, 0) => file.len()..file.len(),
        _ => start..start.checked_add(size).ok_or_else(truncated)?,
    };
    if table.start < entry.saturating_add(8) || table.end > file.len() {
        return Err(format!(
            "the certificate table is at bytes {} to {}, expected it between the headers and the end at {}",
            table.start,
            table.end,
            file.len()
        ));
    }
    Ok(Layout { checksum, entry: Some(entry), table })
}

/// The ranges that the digest covers.
pub(super) fn covered(file: &[u8]) -> Result<Vec<Range<usize>>, String> {
    Ok(ranges(&layout(file)?, file.len()))
}

fn ranges(layout: &Layout, end: usize) -> Vec<Range<usize>> {
    let after = layout.checksum.saturating_add(4);
    let mut ranges: Vec<Range<usize>> = core::iter::once(0..layout.checksum).collect();
    match layout.entry {
        Some(entry) => ranges.extend([after..entry, entry.saturating_add(8)..layout.table.start]),
        None => ranges.push(after..layout.table.start),
    }
    ranges.push(layout.table.end..end);
    ranges.retain(|range| !range.is_empty());
    ranges
}

/// The signatures in the certificate table.
pub(super) fn signatures(file: &[u8]) -> Result<Vec<Signature>, String> {
    let layout = layout(file)?;
    let covered = ranges(&layout, file.len());
    let mut signatures = Vec::new();
    let mut at = layout.table.start;
    while at < layout.table.end {
        // WIN_CERTIFICATE: dwLength, wRevision, wCertificateType, bCertificate.
        let size = u32_at(file, at).filter(|size| *size >= 8);
        let end = size.and_then(|size| at.checked_add(size)).filter(|end| *end <= layout.table.end);
        let Some(end) = end else {
            return Err(format!("the certificate table has an entry of an impossible length, at byte {at}"));
        };
        if signatures.len() == SIGNATURES {
            return Err(format!("more than {SIGNATURES} signatures"));
        }
        let kind = u16_at(file, at.saturating_add(6)).unwrap_or_default();
        if kind != SIGNED_DATA {
            return Err(format!(
                "the certificate table has an entry of type {kind}, expected {SIGNED_DATA}, at byte {at}"
            ));
        }
        signatures.push(Signature {
            name: format!("signature {}", signatures.len().saturating_add(1)),
            message: file.get(at.saturating_add(8)..end).unwrap_or_default().to_vec(),
            covered: covered.clone(),
            format: None,
            fault: None,
            doubt: None,
            after: 0,
        });
        // Entries begin at multiples of eight bytes.
        at = at.saturating_add(end.saturating_sub(at).next_multiple_of(8));
    }
    Ok(signatures)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::*;

    /// A PE32+ image of headers and one section, and a certificate table.
    fn image(table: &[u8]) -> Vec<u8> {
        let mut file = vec![0; 0x200];
        file[..2].copy_from_slice(b"MZ");
        file[0x3C] = 0x80;
        file[0x80..0x84].copy_from_slice(b"PE\0\0");
        file[0x98..0x9A].copy_from_slice(&0x20B_u16.to_le_bytes());
        file[0x98 + 108..][..4].copy_from_slice(&16_u32.to_le_bytes());
        if !table.is_empty() {
            let entry = 0x98 + 112 + 32;
            file[entry..][..4].copy_from_slice(&0x200_u32.to_le_bytes());
            file[entry + 4..][..4].copy_from_slice(&(table.len() as u32).to_le_bytes());
        }
        file.extend_from_slice(table);
        file
    }

    fn entry(message: &[u8]) -> Vec<u8> {
        let mut entry = (message.len() as u32 + 8).to_le_bytes().to_vec();
        entry.extend([0, 2, 2, 0]);
        entry.extend_from_slice(message);
        entry.resize(entry.len().next_multiple_of(8), 0);
        entry
    }

    #[test]
    fn the_checksum_and_the_table_are_left_out() {
        let file = image(&entry(&[0x30, 1, 5]));
        let found = signatures(&file).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, [0x30, 1, 5]);
        assert_eq!(found[0].covered, [0..0xD8, 0xDC..0x128, 0x130..0x200]);
        let unsigned = image(&[]);
        assert!(signatures(&unsigned).unwrap().is_empty());
        assert_eq!(covered(&unsigned).unwrap(), found[0].covered);
        let two = image(&[entry(&[0x30, 0]), entry(&[0x30, 1, 5])].concat());
        assert_eq!(signatures(&two).unwrap().len(), 2);
    }

    #[test]
    fn malformed_tables_are_errors() {
        let good = image(&entry(&[0x30, 0]));
        for (at, value) in [(0x200, 7), (0x200, 0xFF), (0x206, 1), (0x98 + 112 + 36, 0x40), (0x98, 0)] {
            let mut file = good.clone();
            file[at] = value;
            assert!(signatures(&file).is_err(), "{at}");
        }
        for len in 0..good.len() {
            if is_pe(&good[..len]) {
                assert!(signatures(&good[..len]).is_err(), "{len}");
            }
        }
    }
}

//! CRL entries, which usually consist of a number, a time and a reason.

use tagwise_codec::{Int, Reader, SeqOf, UtcTime};

use super::element;
use crate::cert::{CertificateSerialNumber, Extensions};
use crate::crl::RevokedCertificate;
use crate::time::Time;

/// The number of nesting levels from an entry's content to its innermost value: extensions, extension, value.
const DEPTH: u32 = 4;

/// The encoding of Extensions that contain only a reason code, up to the reason: `30 0C 30 0A 06 03 55 1D 15 04 03 0A 01`.
const REASON: [u8; 13] = *b"\x30\x0C\x30\x0A\x06\x03\x55\x1D\x15\x04\x03\x0A\x01";

/// Decodes the content of an entry with a positive serial number, a UTCTime, and either no extension or only a
/// non-critical reason.
#[inline]
pub(crate) fn entry<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<RevokedCertificate<'a>> {
    if !reader.is_plain() || reader.depth_left() < DEPTH {
        return None;
    }
    let (content, _) = reader.rest().split_at_checked(len)?;
    let (serial, rest) = element(content, 0x02)?;
    match serial {
        [1..=0x7F, ..] | [0, 0x80..=0xFF, ..] if serial.len() <= 20 => {}
        _ => return None,
    }
    let (time, rest) = rest.split_first_chunk::<15>()?;
    let [0x17, 0x0D, time @ ..] = time else { return None };
    let time = UtcTime::from_content(time).ok()?;
    let extensions = if rest.is_empty() {
        None
    } else {
        let (head, reason) = rest.split_first_chunk::<13>()?;
        let [0..=6 | 8..=10] = reason else { return None };
        if *head != REASON {
            return None;
        }
        let list = rest.get(2..)?;
        let offset = reader.offset() + (len - list.len());
        // In an outline lists are not looked into, whatever is in them.
        Some(Extensions::deferred(SeqOf::__shaped(list, offset, reader.is_deep())))
    };
    reader.take(len).ok()?;
    Some(RevokedCertificate {
        user_certificate: CertificateSerialNumber(Int::from_signed(serial)),
        revocation_date: Time::Utc(time),
        crl_entry_extensions: extensions,
    })
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{Decode, Options};

    use super::*;

    const NUMBER: &[u8] = b"\x02\x03\x01\x02\x03";
    const TIME: &[u8] = b"\x17\x0D261121100000Z";

    fn entry_of(parts: &[&[u8]]) -> Vec<u8> {
        let content = parts.concat();
        [&[0x30, content.len() as u8], content.as_slice()].concat()
    }

    /// With a session, nothing is read by shape: value, places and errors must be the same.
    fn agree(octets: &[u8]) -> bool {
        let strict = RevokedCertificate::from_der(octets);
        let general = Options::der().decode::<RevokedCertificate<'_>>(octets).map(|read| read.value);
        assert_eq!(format!("{strict:?}"), format!("{general:?}"), "{octets:02X?}");
        let sealed = RevokedCertificate::from_der_sealed(octets);
        let general = Options::der().decode_sealed::<RevokedCertificate<'_>>(octets).map(|read| read.value);
        assert_eq!(format!("{sealed:?}"), format!("{general:?}"), "{octets:02X?}");
        let outline = RevokedCertificate::outline(octets);
        let general = Options::der().outline::<RevokedCertificate<'_>>(octets).map(|read| read.value);
        assert_eq!(format!("{outline:?}"), format!("{general:?}"), "{octets:02X?}");
        strict.is_ok()
    }

    /// Good ones, and all that differ from them in one byte.
    #[test]
    fn as_the_general_decoder() {
        let reason = [&REASON[..], &[4]].concat();
        let critical = b"\x30\x0F\x30\x0D\x06\x03\x55\x1D\x15\x01\x01\xFF\x04\x03\x0A\x01\x01";
        let longest = [&[2, 20, 0x7F][..], &[0xFF; 19]].concat();
        let late = b"\x18\x0F20510101000000Z";
        let date = b"\x30\x1A\x30\x18\x06\x03\x55\x1D\x18\x04\x11\x18\x0F20261120000000Z";
        let good = [
            entry_of(&[NUMBER, TIME]),
            entry_of(&[NUMBER, TIME, &reason]),
            entry_of(&[&longest, TIME, &reason]),
            entry_of(&[b"\x02\x02\x00\x80", TIME]),
            entry_of(&[NUMBER, late, &reason]),
            entry_of(&[NUMBER, TIME, critical]),
            entry_of(&[NUMBER, TIME, date]),
        ];
        let (mut right, mut wrong) = (0, 0);
        for entry in &good {
            assert!(agree(entry));
            for at in 0..entry.len() {
                for octet in 0..=u8::MAX {
                    let mut other = entry.clone();
                    other[at] = octet;
                    if agree(&other) { right += 1 } else { wrong += 1 }
                }
                agree(&entry[..at]);
            }
        }
        assert!(right > 1000 && wrong > 10_000, "{right} {wrong}");
    }
}

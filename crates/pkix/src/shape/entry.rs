//! Entries of CRLs, which are mostly a number, a time and a reason.

use tagwise_codec::{Int, Reader, SeqOf, UtcTime};

use super::element;
use crate::cert::{CertificateSerialNumber, Extensions};
use crate::crl::RevokedCertificate;
use crate::time::Time;

/// How many values the innermost one is in, from the content of the entry on: extensions, extension, value.
const DEPTH: u32 = 4;

/// An Extensions with nothing but a reason: `30 0C 30 0A 06 03 55 1D 15 04 03 0A 01` and the reason.
const REASON: [u8; 13] = *b"\x30\x0C\x30\x0A\x06\x03\x55\x1D\x15\x04\x03\x0A\x01";

/// The content of an entry with a number above zero, UTCTime, and no extension or a reason alone, not critical.
#[inline]
pub(crate) fn entry<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<RevokedCertificate<'a>> {
    if reader.session().is_some() || reader.depth_left() < DEPTH {
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
        Some(Extensions::deferred(SeqOf::shaped(list, offset, reader.is_deep())))
    };
    reader.take(len).ok()?;
    Some(RevokedCertificate {
        user_certificate: CertificateSerialNumber(Int::from_signed(serial)),
        revocation_date: Time::Utc(time),
        crl_entry_extensions: extensions,
    })
}

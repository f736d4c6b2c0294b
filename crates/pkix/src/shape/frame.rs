//! The frame of a certificate: version 3, UTCTime, no unique identifiers.

use tagwise_codec::{Any, BitStr, Decode, Int, Oid, Reader, SeqOf, UtcTime};

use super::element;
use crate::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use crate::cert::{CertificateSerialNumber, Extensions, TbsCertificate, Version};
use crate::name::Name;
use crate::time::{Time, Validity};

/// An algorithm identifier with a short length: parameters absent, NULL, or one element.
#[inline(always)]
pub(crate) fn algorithm_identifier<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<AlgorithmIdentifier<'a>> {
    if reader.depth_left() < 1 {
        return None;
    }
    let (content, _) = reader.rest().split_at_checked(len)?;
    let value = algorithm(content, reader.offset(), reader.is_deep())?;
    reader.take(len).ok()?;
    Some(value)
}

/// The content of an algorithm identifier that stands at `offset`.
#[inline(always)]
fn algorithm(content: &[u8], offset: usize, deep: bool) -> Option<AlgorithmIdentifier<'_>> {
    let [0x06, len, tail @ ..] = content else { return None };
    if *len >= 0x80 {
        return None;
    }
    let (oid, parameters) = tail.split_at_checked(usize::from(*len))?;
    let algorithm = Oid::from_content(oid).ok()?;
    let parameters = match parameters {
        [] => None,
        // A constructed element is entered, and for that the depth must be known.
        [tag, ..] if *tag & 0x20 != 0 && deep => return None,
        _ => {
            let reader = Reader::new(parameters).ok()?.at_base(offset + (content.len() - parameters.len()));
            let mut reader = if deep { reader } else { reader.outlined() };
            let any = Any::decode(&mut reader).ok()?;
            if !reader.is_empty() {
                return None;
            }
            Some(any)
        }
    };
    Some(AlgorithmIdentifier { algorithm, parameters })
}

/// The content of a TBSCertificate.
#[inline(always)]
pub(crate) fn tbs_certificate<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<TbsCertificate<'a>> {
    // TBSCertificate, a part of it, and what is in that: one level below is as deep as this goes without the general decoder.
    if reader.depth_left() < 4 {
        return None;
    }
    let (content, _) = reader.rest().split_at_checked(len)?;
    let (deep, base) = (reader.is_deep(), reader.offset());
    // version [0] EXPLICIT INTEGER 2, then serialNumber
    let [0xA0, 0x03, 0x02, 0x01, 0x02, 0x02, serial_len, rest @ ..] = content else { return None };
    if *serial_len > 20 {
        return None;
    }
    let (serial, rest) = rest.split_at_checked(usize::from(*serial_len))?;
    let serial = match serial {
        [first, ..] if *first >= 0x80 => return None,
        [0, second, ..] if *second < 0x80 => return None,
        [] => return None,
        serial => Int::from_signed(serial),
    };
    let at = |rest: &[u8]| content.len() - rest.len();

    // signature
    let (inner, rest) = element(rest, 0x30)?;
    let signature = algorithm(inner, base + at(rest) - inner.len(), deep)?;

    // issuer
    let (issuer, rest) = name(reader, rest, at(rest), base)?;

    // validity SEQUENCE { UTCTime, UTCTime }
    let (validity, rest) = rest.split_first_chunk::<32>()?;
    let [0x30, 0x1E, 0x17, 0x0D, _, _, _, _, _, _, _, _, _, _, _, _, _, 0x17, 0x0D, ..] = validity else { return None };
    let (not_before, not_after) = (validity.get(4..17)?, validity.get(19..32)?);
    let validity = Validity {
        not_before: Time::Utc(UtcTime::from_content(not_before).ok()?),
        not_after: Time::Utc(UtcTime::from_content(not_after).ok()?),
    };

    // subject
    let (subject, rest) = name(reader, rest, at(rest), base)?;

    // subjectPublicKeyInfo
    let start = at(rest);
    let (inner, rest) = element(rest, 0x30)?;
    let subject_public_key_info = if deep {
        SubjectPublicKeyInfo::decode(&mut reader.ahead(start, at(rest) - start)?).ok()?
    } else {
        let (own, key) = element(inner, 0x30)?;
        let offset = base + at(rest) - key.len() - own.len();
        let (key, end) = element(key, 0x03)?;
        let [unused, octets @ ..] = key else { return None };
        if !end.is_empty() || *unused != 0 {
            return None;
        }
        SubjectPublicKeyInfo {
            algorithm: algorithm(own, offset, deep)?,
            subject_public_key: BitStr::from_octets(octets),
        }
    };

    // extensions [3] EXPLICIT SEQUENCE OF Extension
    let extensions = if rest.is_empty() {
        None
    } else {
        let (explicit, end) = element(rest, 0xA3)?;
        let (list, after) = element(explicit, 0x30)?;
        if !end.is_empty() || !after.is_empty() || list.is_empty() {
            return None;
        }
        Some(if deep {
            let mut tagged = reader.ahead(content.len() - explicit.len(), explicit.len())?;
            // The explicit tag is a level of its own.
            let mut inside = tagged.ahead(0, explicit.len())?;
            let extensions = Extensions::decode(&mut inside).ok()?;
            tagged.take(explicit.len()).ok()?;
            extensions
        } else {
            Extensions::deferred(SeqOf::deferred(list, base + content.len() - list.len()))
        })
    };

    reader.take(len).ok()?;
    Some(TbsCertificate {
        version: Version::V3,
        serial_number: CertificateSerialNumber(serial),
        signature,
        issuer,
        validity,
        subject,
        subject_public_key_info,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions,
    })
}

/// A name at `start` in the content: delimited, and in a deep reading checked.
#[inline(always)]
fn name<'a>(reader: &Reader<'a, '_>, rest: &'a [u8], start: usize, base: usize) -> Option<(Name<'a>, &'a [u8])> {
    let (content, after) = element(rest, 0x30)?;
    let len = rest.len() - after.len();
    let name = if reader.is_deep() {
        Name::decode(&mut reader.ahead(start, len)?).ok()?
    } else {
        Name(SeqOf::deferred(content, base + start + (len - content.len())))
    };
    Some((name, after))
}

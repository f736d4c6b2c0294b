//! Concatenated DER values, PKCS #7 bundles, and hexadecimal or base64 text of either.

use std::borrow::Cow;

use tagwise_codec::text::{base64, hex};
use tagwise_codec::{Any, Decode, Rule, RuleSet, Session, Tag, ber as to_der};
use tagwise_codec::{Options, Reader};

use super::{Form, Found, Gather, Kind, Spot, ber};
use tagwise_pkix::{Certificate, CertificateList};

impl<'a> Gather<'a, '_> {
    /// Values in a row.
    pub(super) fn der(&mut self, octets: Cow<'a, [u8]>, spot: Spot) {
        let mut found = Vec::new();
        let mut at = 0;
        while at < octets.len() {
            let place = along(spot, at);
            let Some(element) = ber::element(&octets, at, octets.len()) else {
                self.fail(place, "truncated", "not an element, or longer than the remaining input");
                break;
            };
            let value = octets.get(at..element.end).unwrap_or_default();
            match kind_of(value) {
                Some(kind) => found.push(Found { kind, start: at, len: element.end - at, spot: place, settings: 0 }),
                None if ber::is_signed_data(value) => self.bundle(Cow::Owned(value.to_vec()), place),
                None => match ber::wrapped_signed_data(value) {
                    Some(sod) => {
                        let message = value.get(sod.start..sod.content_end).unwrap_or_default().to_vec();
                        self.bundle(Cow::Owned(message), along(place, sod.start));
                    }
                    None => self.other(value, place),
                },
            }
            at = element.end;
        }
        if !found.is_empty() {
            self.keep(octets, found);
        }
    }

    /// The certificates and CRLs of a message of signed data (RFC 5652 §5.1), whatever else it holds.
    ///
    /// They stay as they are. One whose outermost length is indefinite is brought into DER, with its signed part untouched.
    pub(super) fn bundle(&mut self, octets: Cow<'a, [u8]>, spot: Spot) {
        let mut found = Vec::new();
        let mut loose = Vec::new();
        let Some(parts) = signed_data(&octets) else {
            return self.fail(spot, "truncated", "a PKCS #7 message whose lengths do not fit");
        };
        for (kind, from, to) in parts.into_iter().flatten() {
            let mut at = from;
            while at < to {
                let place = along(spot, at);
                let Some(element) = ber::element(&octets, at, to) else {
                    self.fail(place, "truncated", "an element of a PKCS #7 message that is longer than what there is");
                    break;
                };
                if element.tag != 0x30 {
                    // Attribute certificates, other formats (§10.2.1, §10.2.2).
                    self.contents.others += 1;
                } else if element.indefinite {
                    loose.push((kind, at, element.end));
                } else {
                    found.push(Found { kind, start: at, len: element.end - at, spot: place, settings: 0 });
                }
                at = element.end;
            }
        }
        for (kind, from, to) in loose {
            let value = octets.get(from..to).unwrap_or_default();
            let der = match kind {
                Kind::Certificate => to_der::to_der::<Certificate<'_>>(value),
                Kind::Crl => to_der::to_der::<CertificateList<'_>>(value),
            };
            match der {
                Ok(der) => {
                    let der = der.into_bytes().into_owned();
                    let found = Found { kind, start: 0, len: der.len(), spot: along(spot, from), settings: 0 };
                    self.keep(Cow::Owned(der), vec![found]);
                }
                Err(error) => self.fail(along(spot, from + error.offset()), error.code(), error.message().to_string()),
            }
        }
        if !found.is_empty() {
            self.keep(octets, found);
        }
    }

    /// Text that is nothing but hexadecimal or base64.
    pub(super) fn text(&mut self, octets: &[u8], form: Form, spot: Spot, depth: u8) {
        let decoded = if form == Form::Hex { hex::decode(octets) } else { base64::decode_wrapped(octets) };
        match decoded {
            // Words of four letters are base64 as well.
            Ok(der) if is_start(&der) => _ = self.gather(Cow::Owned(der), spot, depth),
            Ok(_) => self.contents.others += 1,
            Err(fault) => self.fail(along(spot, fault.offset()), fault.kind().code(), fault.kind().text()),
        }
    }
}

/// Returns whether bytes begin as something that certificates come in, and not as words do that happen to be base64.
pub(super) fn is_start(octets: &[u8]) -> bool {
    matches!(
        octets,
        [0x30, 0x80..=0x84, ..] | [0x30, _, 0x06 | 0x30 | 0x02, ..] | [0x1F, 0x8B, 8, ..] | [0x77, 0x80..=0x84, ..]
    ) || octets.starts_with(b"-----BEGIN ")
        || octets.starts_with(b"PK\x03\x04")
        || tagwise_kind::keystore::is_java(octets)
}

/// The spot that lies `at` bytes behind another, unless that is one of text.
pub(super) const fn along(spot: Spot, at: usize) -> Spot {
    if spot.line > 0 {
        return spot;
    }
    Spot { offset: spot.offset.saturating_add(at as u32), ..spot }
}

/// Places of the certificates and of the CRLs.
type Parts = [Option<(Kind, usize, usize)>; 2];

/// ```asn1
/// ContentInfo ::= SEQUENCE { contentType, content [0] EXPLICIT SignedData }
/// SignedData ::= SEQUENCE { version, digestAlgorithms SET, encapContentInfo SEQUENCE,
///   certificates [0] IMPLICIT SET OPTIONAL, crls [1] IMPLICIT SET OPTIONAL, signerInfos SET }
/// ```
fn signed_data(octets: &[u8]) -> Option<Parts> {
    let outer = ber::element(octets, 0, octets.len())?;
    let content_type = ber::element(octets, outer.start, outer.content_end)?;
    let content = ber::element(octets, content_type.end, outer.content_end).filter(|content| content.tag == 0xA0)?;
    let signed = ber::element(octets, content.start, content.content_end).filter(|signed| signed.tag == 0x30)?;
    let mut parts = [None, None];
    let mut at = signed.start;
    while at < signed.content_end {
        let part = ber::element(octets, at, signed.content_end)?;
        match part.tag {
            0xA0 => parts[0] = Some((Kind::Certificate, part.start, part.content_end)),
            0xA1 => parts[1] = Some((Kind::Crl, part.start, part.content_end)),
            _ => {}
        }
        at = part.end;
    }
    Some(parts)
}

/// Kind of a value, by the tags of its frame; `None` for neither.
pub(super) fn kind_of(der: &[u8]) -> Option<Kind> {
    let outer = ber::element(der, 0, der.len()).filter(|outer| outer.tag == 0x30)?;
    let tbs = ber::element(der, outer.start, outer.content_end).filter(|tbs| tbs.tag == 0x30)?;
    // `version [0]` is in certificates of version 2 and 3, and in nothing else that begins like this.
    if der.get(tbs.start) == Some(&0xA0) {
        return Some(Kind::Certificate);
    }
    let every = Rule::ALL.iter().fold(RuleSet::NONE, |rules, rule| rules.with(rule));
    let session = Session::new(Options::der().rules(every));
    let signed = der.get(outer.start..tbs.end)?;
    let mut reader = Reader::with_session(signed, &session).ok()?.outlined();
    let tbs = Any::decode(&mut reader).ok()?;
    let tags: Vec<Tag> = tbs.children().map_while(Result::ok).map(|child| child.tag()).take(6).collect();
    let is_time = |tag: Tag| tag == Tag::UTC_TIME || tag == Tag::GENERALIZED_TIME;
    let seq = |tags: &[Tag]| tags.iter().all(|tag| *tag == Tag::SEQUENCE);
    match tags.as_slice() {
        // Of a CRL: version, signature, issuer, thisUpdate; version 1 has no version.
        [first, second, third, ..] if seq(&[*first, *second]) && is_time(*third) => Some(Kind::Crl),
        [Tag::INTEGER, second, third, fourth, ..] if seq(&[*second, *third]) && is_time(*fourth) => Some(Kind::Crl),
        // Of a certificate of version 1: serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo.
        [Tag::INTEGER, rest @ ..] if rest.len() == 5 && seq(rest) => Some(Kind::Certificate),
        _ => None,
    }
}

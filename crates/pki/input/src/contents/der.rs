//! Concatenated DER values, PKCS #7 bundles, and hexadecimal or base64 text of either.

use std::borrow::Cow;

use tagwise_codec::ber::{self, Element, Elements};
use tagwise_codec::text::{base64, hex};
use tagwise_codec::{Rule, Tag};
use tagwise_pkix::{Certificate, CertificateList};

use super::{ContentsKind, Found, Gather, Spot};
use crate::detect::InputForm;
use crate::kind::{certificate_or_crl, is_log_entry, is_signed_data, security_object};

impl<'a> Gather<'a, '_> {
    /// Adds concatenated values.
    pub(super) fn der(&mut self, octets: Cow<'a, [u8]>, spot: Spot) {
        let mut found = Vec::new();
        let mut at = 0;
        // Zeros at the end are padding, such as that of smart cards.
        let end = octets.iter().rposition(|octet| *octet != 0).map_or(0, |last| last + 1);
        while at < octets.len() {
            let place = along(spot, at);
            if at >= end {
                self.contents.others += 1;
                let Rule { summary, clause, .. } = Rule::TRAILING_ZEROS;
                self.unread(place, Rule::TRAILING_ZEROS.name, format!("{summary} ({clause})"));
                break;
            }
            let Ok(element) = Element::read(&octets, at, octets.len()) else {
                self.fail(place, "truncated", "not an element, or longer than the remaining input");
                break;
            };
            let value = octets.get(at..element.end).unwrap_or_default();
            match kind_of(value) {
                Some(kind) => found.push(Found { kind, start: at, len: element.end - at, spot: place, settings: 0 }),
                None if is_signed_data(value) => self.bundle(Cow::Owned(value.to_vec()), place),
                None => match security_object(value) {
                    Some(message) => {
                        let place = along(place, message.start);
                        self.bundle(Cow::Owned(value.get(message).unwrap_or_default().to_vec()), place);
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

    /// Adds the certificates and CRLs of a signed-data message (RFC 5652 §5.1), and ignores the rest.
    ///
    /// The certificates and CRLs are returned unchanged, except that an indefinite outermost length is converted to DER. Their
    /// signed parts are not modified.
    pub(super) fn bundle(&mut self, octets: Cow<'a, [u8]>, spot: Spot) {
        if Element::read(&octets, 0, octets.len()).is_ok_and(|message| message.end < octets.len()) {
            // Further values, or padding.
            return self.der(octets, spot);
        }
        let mut found = Vec::new();
        let mut loose = Vec::new();
        let Some(Parts { lists, mut has_more }) = signed_data(&octets) else {
            return self.fail(spot, "truncated", "malformed PKCS #7 message: inconsistent lengths");
        };
        for (kind, from, to) in lists.into_iter().flatten() {
            let mut at = from;
            while at < to {
                let place = along(spot, at);
                let Ok(element) = Element::read(&octets, at, to) else {
                    self.fail(place, "truncated", "malformed PKCS #7 message: an element exceeds the remaining input");
                    break;
                };
                if element.tag != Tag::SEQUENCE {
                    // Attribute certificates, other formats (§10.2.1, §10.2.2).
                    self.contents.others += 1;
                    has_more |= kind == ContentsKind::Crl;
                } else if element.is_indefinite() {
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
                ContentsKind::Crl => ber::to_der::<CertificateList<'_>>(value),
                _ => ber::to_der::<Certificate<'_>>(value),
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
        if has_more && self.parts.is_none() {
            self.contents.messages.push(octets.clone());
        }
        if !found.is_empty() {
            self.keep(octets, found);
        }
    }

    /// Adds the contents of a text that is entirely hexadecimal or base64.
    pub(super) fn text(&mut self, octets: &[u8], form: InputForm, spot: Spot, depth: u8) {
        let decoded = if form == InputForm::Hex { hex::decode(octets) } else { base64::decode_wrapped(octets) };
        match decoded {
            // Words are base64 as well, such as README.
            Ok(der) if is_start(&der) => _ = self.gather(Cow::Owned(der), spot, depth),
            Ok(_) => self.contents.others += 1,
            Err(_) if !is_start(&beginning(octets, form)) => self.contents.others += 1,
            Err(fault) => self.fail(along(spot, fault.offset()), fault.kind().code(), fault.kind().text()),
        }
    }
}

/// Returns the first bytes of a hexadecimal or base64 text that does not decode as a whole.
fn beginning(text: &[u8], form: InputForm) -> Vec<u8> {
    let digits: Vec<u8> = text.iter().copied().filter(|octet| !octet.is_ascii_whitespace()).take(16).collect();
    let group = if form == InputForm::Hex { 2 } else { 4 };
    let digits = digits.get(..digits.len() - digits.len() % group).unwrap_or_default();
    let decoded = if form == InputForm::Hex { hex::decode(digits) } else { base64::decode_wrapped(digits) };
    decoded.unwrap_or_default()
}

/// Returns whether bytes begin like a format that contains certificates. This rules out words that happen to be base64.
pub(super) fn is_start(octets: &[u8]) -> bool {
    matches!(
        octets,
        [0x30, 0x80..=0x84, ..] | [0x30, _, 0x06 | 0x30 | 0x02, ..] | [0x1F, 0x8B, 8, ..] | [0x77, 0x80..=0x84, ..]
    ) || octets.starts_with(b"-----BEGIN ")
        || octets.starts_with(b"PK\x03\x04")
        || octets.starts_with(super::zstd::MAGIC)
        || crate::keystore::is_java(octets)
}

/// Returns the location `at` bytes after another, or the same location if it is in text.
pub(super) const fn along(spot: Spot, at: usize) -> Spot {
    if spot.line > 0 {
        return spot;
    }
    Spot { offset: spot.offset.saturating_add(at as u32), ..spot }
}

/// The parts of signed data.
struct Parts {
    /// The places of the certificates and of the CRLs.
    lists: [Option<(ContentsKind, usize, usize)>; 2],
    /// Set if there are signers, whose attributes may contain revocation information.
    has_more: bool,
}

/// ```asn1
/// ContentInfo ::= SEQUENCE { contentType, content [0] EXPLICIT SignedData }
/// SignedData ::= SEQUENCE { version, digestAlgorithms SET, encapContentInfo SEQUENCE,
///   certificates [0] IMPLICIT SET OPTIONAL, crls [1] IMPLICIT SET OPTIONAL, signerInfos SET }
/// ```
fn signed_data(octets: &[u8]) -> Option<Parts> {
    const ZERO: Tag = Tag::context(0).constructed();
    const ONE: Tag = Tag::context(1).constructed();
    let mut outer = Element::read(octets, 0, octets.len()).ok()?.children();
    outer.next(octets).ok()?;
    let content = outer.expect(octets, ZERO).ok()?;
    let signed = content.children().expect(octets, Tag::SEQUENCE).ok()?;
    let mut rest: Elements = signed.children();
    let mut parts = Parts { lists: [None, None], has_more: false };
    while !rest.is_empty() {
        let part = rest.next(octets).ok()?;
        match part.tag {
            ZERO => parts.lists[0] = Some((ContentsKind::Certificate, part.content.start, part.content.end)),
            ONE => parts.lists[1] = Some((ContentsKind::Crl, part.content.start, part.content.end)),
            // The first SET is digestAlgorithms, the last one signerInfos.
            Tag::SET => parts.has_more = !part.content.is_empty(),
            _ => {}
        }
    }
    Some(parts)
}

/// Returns whether a value is a certificate, a CRL or a log entry, based on the tags of its outer structure. Returns `None`
/// if it is none of these.
pub(super) fn kind_of(der: &[u8]) -> Option<ContentsKind> {
    match certificate_or_crl(der) {
        Some(crate::ValueKind::CertificateList) => Some(ContentsKind::Crl),
        Some(_) => Some(ContentsKind::Certificate),
        None => is_log_entry(der).then_some(ContentsKind::LogEntry),
    }
}

/// Returns whether the input is exactly one element.
pub(super) fn is_element(octets: &[u8]) -> bool {
    Element::read(octets, 0, octets.len()).is_ok_and(|element| element.end == octets.len())
}

//! Recognizes kinds by the tags of their top-level structure, with one function per kind.
//!
//! Recognition is lenient: it considers only the start, so that a damaged value is recognized as the kind it was meant to
//! be.

use std::borrow::Cow;
use std::ops::Range;

use tagwise_codec::ber::Element;
use tagwise_codec::{Class, Tag};

use super::frame::Frame;
use super::table::ValueKind;

/// The result of classifying an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// A value of a known kind.
    Kind(ValueKind),
    /// Any other element, described by its tag or as an unknown SEQUENCE.
    Other(Cow<'static, str>),
}

const SEQ: Tag = Tag::SEQUENCE;

/// Recognizes the kind of a BER or DER encoding by its top-level structure.
///
/// Unrecognizable input that may be a damaged certificate is classified as one, because certificate errors are the most
/// useful.
///
/// ```
/// use tagwise_input::{ValueKind, Recognised, recognise};
/// assert_eq!(recognise(&[0x30, 0x80, 0x06, 0x01]), Recognised::Kind(ValueKind::Cms));
/// assert_eq!(recognise(&[0x02, 0x01, 0x05]), Recognised::Other("INTEGER".into()));
/// ```
#[must_use]
pub fn recognise(bytes: &[u8]) -> Recognised {
    let Some(frame) = Frame::read(bytes) else {
        return Recognised::Kind(match bytes {
            // Of indefinite length: a message is, or a PKCS #12 file.
            [0x30, 0x80, 0x06, ..] => ValueKind::Cms,
            [0x30, 0x80, 0x02, 0x01, 0x03, ..] => ValueKind::Pkcs12,
            _ if Frame::read(&mended(bytes, 2)).is_some_and(|frame| crl(&frame)) => ValueKind::CertificateList,
            _ => ValueKind::Certificate,
        });
    };
    if frame.tag() != SEQ {
        return Recognised::Other(frame.tag().to_string().into());
    }
    match ValueKind::ALL.iter().find(|kind| kind.looks(&frame)) {
        Some(kind) => Recognised::Kind(*kind),
        None => Recognised::Other("SEQUENCE that is neither a certificate nor a CRL".into()),
    }
}

/// The number of bytes by which a truncated value is recognized.
const BEGINNING: usize = 4096;

/// Returns the beginning of a truncated SEQUENCE, and of the first ones in it up to a depth, with lengths that fit.
fn mended(bytes: &[u8], depth: u8) -> Vec<u8> {
    let (tag, content) = match bytes {
        [0x30, 0x81, _, content @ ..]
        | [0x30, 0x82, _, _, content @ ..]
        | [0x30, 0x83, _, _, _, content @ ..]
        | [0x30, 0x84, _, _, _, _, content @ ..]
        | [0x30, 0x00..=0x7F, content @ ..] => (0x30, content),
        _ => return bytes.to_vec(),
    };
    let content = content.get(..BEGINNING).unwrap_or(content);
    let is_whole = depth == 0 || Element::read(content, 0, content.len()).is_ok();
    let content = if is_whole { content.to_vec() } else { mended(content, depth - 1) };
    let len = u32::try_from(content.len()).unwrap_or_default().to_be_bytes();
    [&[tag, 0x84], &len[..], &content].concat()
}

/// Returns the position of the CMS message in a passport's document security object (EF.SOD), which wraps it in `[APPLICATION 23]`
/// (ICAO Doc 9303-10 §4.6.2).
///
/// ```
/// use tagwise_input::security_object;
/// let file = [0x77, 0x0F, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0, 0x00];
/// assert_eq!(security_object(&file), Some(2..17));
/// assert_eq!(security_object(&file[2..]), None);
/// ```
#[must_use]
pub fn security_object(bytes: &[u8]) -> Option<Range<usize>> {
    let frame = Frame::read(bytes).filter(|frame| frame.tag() == Tag::application(23).constructed())?;
    let range = frame.content();
    (recognise(bytes.get(range.clone())?) == Recognised::Kind(ValueKind::Cms)).then_some(range)
}

/// Returns whether bytes begin like a `ContentInfo` with signed data (RFC 5652 §3, §5.1).
pub(crate) fn is_signed_data(octets: &[u8]) -> bool {
    const SIGNED_DATA: &[u8] = &[0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02];
    // The rest may be missing.
    let content = match octets {
        [0x30, 0x00..=0x80, content @ ..]
        | [0x30, 0x81, _, content @ ..]
        | [0x30, 0x82, _, _, content @ ..]
        | [0x30, 0x83, _, _, _, content @ ..]
        | [0x30, 0x84, _, _, _, _, content @ ..] => content,
        _ => return false,
    };
    content.starts_with(SIGNED_DATA)
}

/// Recognizes certificates and CRLs by the tags of their to-be-signed part. Unlike [`recognise`], it does not guess that
/// anything else is a damaged certificate.
pub(crate) fn certificate_or_crl(octets: &[u8]) -> Option<ValueKind> {
    let outer = Element::read(octets, 0, octets.len()).ok().filter(|outer| outer.tag == SEQ)?;
    let tbs = outer.children().next(octets).ok().filter(|tbs| tbs.tag == SEQ)?;
    // `version [0]` is in certificates of version 2 and 3, and in nothing else that begins like this.
    if octets.get(tbs.content.start) == Some(&0xA0) {
        return Some(ValueKind::Certificate);
    }
    let tbs = Frame::read(octets.get(tbs.range())?)?;
    match tbs.tags() {
        tags if begins_as_crl(tags) => Some(ValueKind::CertificateList),
        // Of a certificate of version 1: serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo.
        [Tag::INTEGER, SEQ, SEQ, SEQ, SEQ, SEQ, ..] => Some(ValueKind::Certificate),
        _ => None,
    }
}

/// Returns whether a value begins like an entry of a Merkle Tree Certificate log.
pub(crate) fn is_log_entry(octets: &[u8]) -> bool {
    Frame::read(octets).is_some_and(|frame| log_entry(&frame))
}

/// Returns the kind of a PEM block with this label. Certificates, CRLs and signed messages are often mislabeled as each
/// other, so for these the kind is determined by their content.
pub(crate) fn kind_of_block(label: &str, octets: &[u8]) -> Option<ValueKind> {
    match ValueKind::of_label(label)? {
        kind if !kind.is_certificate_or_list() => Some(kind),
        _ if is_signed_data(octets) => Some(ValueKind::Cms),
        kind => Some(certificate_or_crl(octets).unwrap_or(kind)),
    }
}

/// Matches `TBSCertList ::= SEQUENCE { version OPTIONAL, signature SEQUENCE, issuer SEQUENCE, thisUpdate Time, … }`.
const fn begins_as_crl(tags: &[Tag]) -> bool {
    matches!(
        tags,
        [SEQ, SEQ, Tag::UTC_TIME | Tag::GENERALIZED_TIME, ..]
            | [Tag::INTEGER, SEQ, SEQ, Tag::UTC_TIME | Tag::GENERALIZED_TIME, ..]
    )
}

/// Returns whether a tag is absent, or is the constructed context tag with this number.
fn is_absent_or(tag: Option<&Tag>, number: u8) -> bool {
    tag.is_none_or(|tag| tag.first_octet() == 0xA0 | number)
}

fn all_sequences(tags: &[Tag]) -> bool {
    tags.iter().all(|tag| *tag == SEQ)
}

/// Never matches: the structure is not distinctive, so the kind is recognized only by its label.
pub(crate) const fn by_label_only(_frame: &Frame<'_>) -> bool {
    false
}

/// Matches `ContentInfo ::= SEQUENCE { contentType OBJECT IDENTIFIER, content [0] EXPLICIT ANY OPTIONAL }`.
pub(crate) fn cms(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [Tag::OBJECT_IDENTIFIER, rest @ ..] if rest.len() < 2 && is_absent_or(rest.first(), 0))
}

/// Matches `TimeStampReq ::= SEQUENCE { version INTEGER, messageImprint SEQUENCE { AlgorithmIdentifier, OCTET STRING }, … }`.
pub(crate) fn time_stamp_request(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [Tag::INTEGER, SEQ, ..]) && frame.tags_in(1).first() == Some(&SEQ)
}

/// Matches `OneAsymmetricKey ::= SEQUENCE { version INTEGER, privateKeyAlgorithm SEQUENCE, privateKey OCTET STRING, … }`.
pub(crate) fn private_key(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [Tag::INTEGER, SEQ, Tag::OCTET_STRING, ..])
}

/// Matches `PFX ::= SEQUENCE { version INTEGER {v3(3)}, authSafe ContentInfo, macData MacData OPTIONAL }` (RFC 7292 §4), or only its
/// beginning if the rest has an indefinite length. A request (`CertRequest` of RFC 4211 §5) also has a number and a SEQUENCE.
pub(crate) fn pkcs12(frame: &Frame<'_>) -> bool {
    let is_content = || frame.tags_in(1).first().is_none_or(|tag| *tag == Tag::OBJECT_IDENTIFIER);
    frame.version() == Some(3)
        && (matches!(frame.tags(), [Tag::INTEGER]) || matches!(frame.tags(), [Tag::INTEGER, SEQ, ..]) && is_content())
}

/// Matches `RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }`.
pub(crate) fn rsa_public_key(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [Tag::INTEGER, Tag::INTEGER])
}

/// Matches `RSAPrivateKey ::= SEQUENCE { version INTEGER, modulus INTEGER, publicExponent INTEGER, … }`.
pub(crate) fn rsa_private_key(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [Tag::INTEGER, Tag::INTEGER, Tag::INTEGER, ..])
}

/// Matches `ECPrivateKey ::= SEQUENCE { version INTEGER, privateKey OCTET STRING, … }`.
pub(crate) fn ec_private_key(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [Tag::INTEGER, Tag::OCTET_STRING, ..])
}

/// Matches `SubjectPublicKeyInfo ::= SEQUENCE { algorithm SEQUENCE, subjectPublicKey BIT STRING }`.
pub(crate) fn public_key(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [SEQ, Tag::BIT_STRING])
}

/// Matches `EncryptedPrivateKeyInfo ::= SEQUENCE { encryptionAlgorithm SEQUENCE, encryptedData OCTET STRING }`.
pub(crate) fn encrypted_private_key(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [SEQ, Tag::OCTET_STRING])
}

/// Matches `OCSPResponse ::= SEQUENCE { responseStatus ENUMERATED, responseBytes [0] EXPLICIT OPTIONAL }`.
pub(crate) fn ocsp_response(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [Tag::ENUMERATED, rest @ ..] if is_absent_or(rest.first(), 0))
}

/// Matches `PKIMessage ::= SEQUENCE { header SEQUENCE { pvno INTEGER, sender [4], recipient [4], … }, body [n], … }`.
pub(crate) fn cmp(frame: &Frame<'_>) -> bool {
    let is_header = matches!(*frame.tags_in(0), [Tag::INTEGER, sender, recipient, ..]
        if sender.class() == Class::Context && recipient.class() == Class::Context);
    matches!(frame.tags(), [SEQ, body, rest @ ..] if body.first_octet() & 0xE0 == 0xA0 && rest.len() <= 2) && is_header
}

/// Matches certificate request messages, if the first one contains a template, whose fields are all tagged (RFC 4211 §5).
pub(crate) fn crmf(frame: &Frame<'_>) -> bool {
    let request = frame.first(SEQ).and_then(|message| message.first(SEQ));
    let request =
        request.filter(|request| all_sequences(frame.tags()) && matches!(request.tags(), [Tag::INTEGER, SEQ, ..]));
    let fields = request.map(|request| request.tags_in(1)).unwrap_or_default();
    !fields.is_empty() && fields.iter().all(|field| field.class() == Class::Context)
}

/// Matches the lists of a CMC message, if the first control (RFC 5272 §3.2) is a number, an identifier and values.
fn cmc(frame: &Frame<'_>, lists: usize) -> bool {
    let control = frame.first(SEQ).and_then(|controls| controls.first(SEQ));
    let is_control =
        control.is_some_and(|control| matches!(control.tags(), [Tag::INTEGER, Tag::OBJECT_IDENTIFIER, Tag::SET]));
    is_control && frame.tags().len() == lists && all_sequences(frame.tags())
}

/// Matches `PKIData ::= SEQUENCE { controlSequence, reqSequence, cmsSequence, otherMsgSequence }`, all of type SEQUENCE.
pub(crate) fn cmc_request(frame: &Frame<'_>) -> bool {
    cmc(frame, 4)
}

/// Matches `PKIResponse ::= SEQUENCE { controlSequence, cmsSequence, otherMsgSequence }`, all of type SEQUENCE.
pub(crate) fn cmc_response(frame: &Frame<'_>) -> bool {
    cmc(frame, 3)
}

/// Matches `OCSPRequest ::= SEQUENCE { tbsRequest SEQUENCE, … }` with a list of certificate identifiers in `tbsRequest`.
pub(crate) fn ocsp_request(frame: &Frame<'_>) -> bool {
    let identifier = frame
        .first(SEQ)
        .and_then(|tbs| tbs.first(SEQ))
        .and_then(|list| list.first(SEQ))
        .and_then(|request| request.first(SEQ));
    let Some(identifier) = identifier else { return false };
    matches!(identifier.tags(), [SEQ, Tag::OCTET_STRING, Tag::OCTET_STRING, Tag::INTEGER])
        && matches!(frame.tags(), [SEQ] | [SEQ, _])
}

/// Matches `TimeStampResp ::= SEQUENCE { status SEQUENCE { INTEGER, … }, timeStampToken SEQUENCE OPTIONAL }`.
pub(crate) fn time_stamp_response(frame: &Frame<'_>) -> bool {
    let (tags, inner) = (frame.tags(), frame.tags_in(0));
    matches!(tags, [SEQ] | [SEQ, SEQ])
        && inner.first() == Some(&Tag::INTEGER)
        && inner.get(1).is_none_or(|tag| *tag == SEQ || *tag == Tag::BIT_STRING)
        && inner.len() < 4
}

/// Matches `TBSCertificateLogEntry ::= SEQUENCE { version [0] DEFAULT, issuer SEQUENCE, validity SEQUENCE, subject SEQUENCE,
/// subjectPublicKeyAlgorithm SEQUENCE, subjectPublicKeyInfoHash OCTET STRING, … }`.
pub(crate) fn log_entry(frame: &Frame<'_>) -> bool {
    let tags = match frame.tags() {
        [version, rest @ ..] if version.first_octet() == 0xA0 => rest,
        all => all,
    };
    frame.tag() == SEQ && matches!(tags, [SEQ, SEQ, SEQ, SEQ, Tag::OCTET_STRING, ..])
}

/// Returns the tags inside the signed part.
fn signed(frame: &Frame<'_>) -> Vec<Tag> {
    if frame.tags().first() == Some(&SEQ) { frame.tags_in(0) } else { Vec::new() }
}

/// Matches a CRL by the beginning of its TBSCertList.
pub(crate) fn crl(frame: &Frame<'_>) -> bool {
    begins_as_crl(&signed(frame))
}

/// Matches `CertificationRequestInfo ::= SEQUENCE { version INTEGER, subject SEQUENCE, subjectPKInfo SEQUENCE, attributes [0] }`.
pub(crate) fn certification_request(frame: &Frame<'_>) -> bool {
    matches!(*signed(frame), [Tag::INTEGER, SEQ, SEQ, attributes, ..] if attributes.first_octet() == 0xA0)
}

/// Matches `PublicKeyAndChallenge ::= SEQUENCE { spki SEQUENCE, challenge IA5String }`.
pub(crate) fn signed_public_key_and_challenge(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [SEQ, SEQ, Tag::BIT_STRING]) && matches!(*frame.tags_in(0), [SEQ, Tag::IA5_STRING])
}

/// Matches `AttributeCertificateInfo ::= SEQUENCE { version INTEGER, holder SEQUENCE, issuer, signature SEQUENCE,
/// serialNumber INTEGER, … }`.
pub(crate) fn attribute_certificate(frame: &Frame<'_>) -> bool {
    matches!(*signed(frame), [Tag::INTEGER, SEQ, _, SEQ, Tag::INTEGER, ..])
}

/// Matches if the first child is a SEQUENCE, or if there are too few children to decide. This kind is tried last.
pub(crate) fn certificate(frame: &Frame<'_>) -> bool {
    matches!(frame.tags(), [] | [_] | [SEQ, ..])
}

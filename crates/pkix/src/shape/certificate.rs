//! A certificate from its frame: the parts deferred for an outline, and checked for a deep reading.

use tagwise_codec::{Any, BitStr, Captured, Decode, Int, Oid, Reader, SeqOf, Tag, UtcTime};

use super::extension::extensions;
use super::frame::{Frame, Span, WHOLE_HEADER, content, frame, whole};
use super::name::is_name;
use super::part::Part;
use super::touch::touch;
use crate::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo, is_point};
use crate::cert::{Certificate, CertificateSerialNumber, Extensions, TbsCertificate, Version};
use crate::name::Name;
use crate::time::{Time, Validity};

/// How deep certificates go without the general decoder, in subtrees of names and in user notices; what that reads inside counts
/// its own levels.
const LEVELS: u32 = 16;

/// The content of a Certificate.
#[inline(always)]
pub(crate) fn certificate<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<Certificate<'a>> {
    if reader.depth_left() < LEVELS {
        return None;
    }
    let (content, _) = reader.rest().split_at_checked(len)?;
    touch(content);
    let parts = parts(reader, content, reader.offset())?;
    reader.take(len).ok()?;
    Some(parts.build())
}

/// What a certificate with this content is made of, checked as the reader's mode asks for. The content stands at `base`.
#[inline(always)]
fn parts<'a>(reader: &Reader<'a, '_>, content: &'a [u8], base: usize) -> Option<Parts<'a>> {
    let (frame, times) = frame(content)?;
    let (deep, sealed) = (reader.is_deep(), reader.is_sealed());
    if deep && !is_sound(reader, content, &frame)? {
        return None;
    }
    let algorithms = Algorithms::read(content, base, &frame, deep)?;
    Some(Parts { content, base, frame, times, algorithms, deep, sealed })
}

/// A whole certificate whose octets are likely to be in the cache, in a reader's mode.
#[inline(always)]
pub(crate) fn loaded<'a>(
    der: &'a [u8],
    mode: impl FnOnce(Reader<'a, 'static>) -> Reader<'a, 'static>,
) -> Option<Parts<'a>> {
    let content = content(der)?;
    parts(&mode(Reader::new(content).ok()?), content, WHOLE_HEADER as usize)
}

/// The content and the frame of a whole certificate of which every octet was checked.
#[inline(always)]
pub(crate) fn sound(der: &[u8]) -> Option<(&[u8], Frame)> {
    let (content, frame) = whole(der)?;
    let reader = Reader::new(content).ok()?;
    is_sound(&reader, content, &frame)?.then_some((content, frame))
}

/// Checks what an outline defers; false or nothing if the general decoder must look.
#[inline(always)]
fn is_sound(reader: &Reader<'_, '_>, content: &[u8], frame: &Frame) -> Option<bool> {
    // Inside a name, which is in a TBSCertificate, which is in a Certificate: each is a level.
    let inside = |span: Span| {
        let (start, len) = (span.start as usize, span.len as usize);
        reader.ahead(0, content.len())?.ahead(start, len)?.ahead(0, len)
    };
    // Where a name is its own issuer's, looking at it once does.
    let is_own = frame.issuer.len == frame.subject.len && frame.issuer.of(content) == frame.subject.of(content);
    for name in [frame.issuer, if is_own { Span { len: 0, ..frame.subject } } else { frame.subject }] {
        if !is_name(content.get(name.start as usize..)?, name.len as usize, || inside(name)) {
            return Some(false);
        }
    }
    let key_end = (frame.key.start + frame.key.len) as usize;
    let (key_algorithm, octets) = (frame.key_algorithm.of(content), frame.key.of(content).get(1..)?);
    let key = if is_rsa(key_algorithm) {
        reader.is_sealed() || is_usual_rsa_key(octets) || is_rsa_key(octets)
    } else if is_ec(key_algorithm) {
        reader.is_sealed() || is_point(octets)
    } else {
        // The whole SubjectPublicKeyInfo, by the general decoder: its header is in front of the algorithm's.
        let start = info_start(content, frame.key_algorithm.start as usize - 2, key_end)?;
        let mut info = reader.ahead(0, content.len())?.ahead(start, key_end - start)?;
        SubjectPublicKeyInfo::decode(&mut info).is_ok() && info.is_empty()
    };
    let algorithm = frame.algorithm.of(content);
    let parameters = has_null_parameters(algorithm) || is_ecdsa(algorithm) || {
        // The algorithm identifier with its header of two octets.
        let mut whole = reader
            .ahead(0, content.len())?
            .ahead(frame.algorithm.start as usize - 2, frame.algorithm.len as usize + 2)?;
        AlgorithmIdentifier::decode(&mut whole).is_ok()
    };
    if !key || !parameters {
        return Some(false);
    }
    let list = Part::new(content.get(frame.extensions.start as usize..)?, frame.extensions.len as usize)?;
    Some(frame.extensions.len == 0 || extensions(list, reader, frame.extensions.start as usize)?)
}

/// Where the SEQUENCE whose content runs from `content_start` to `end` starts.
fn info_start(content: &[u8], content_start: usize, end: usize) -> Option<usize> {
    let header = match end - content_start {
        0..=0x7F => 2,
        0x80..=0xFF => 3,
        _ => 4,
    };
    let start = content_start.checked_sub(header)?;
    (content.get(start) == Some(&0x30)).then_some(start)
}

/// Whether this is a signature algorithm of PKCS #1 with NULL, which none of them but id-RSASSA-PSS refuses.
#[inline(always)]
fn has_null_parameters(algorithm: &[u8]) -> bool {
    const PKCS1: [u8; 10] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1];
    // Compared as arrays, which takes two instructions; as a pattern it would be octet by octet.
    matches!(algorithm.split_first_chunk(), Some((found, [arc, 0x05, 0x00])) if *found == PKCS1 && *arc != 10)
}

#[inline(always)]
fn is_rsa(algorithm: &[u8]) -> bool {
    *algorithm == [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
}

/// Whether this is ECDSA with a hash of SHA-2, which has no parameters.
#[inline(always)]
fn is_ecdsa(algorithm: &[u8]) -> bool {
    matches!(algorithm, [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 1..=4])
}

/// Whether this is the algorithm of elliptic curve keys, with one of NIST's curves P-256, P-384 and P-521.
#[inline(always)]
fn is_ec(algorithm: &[u8]) -> bool {
    const EC: [u8; 9] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1];
    matches!(
        algorithm.split_first_chunk(),
        Some((&EC, [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7] | [0x06, 0x05, 0x2B, 0x81, 4, 0, 0x22 | 0x23]))
    )
}

/// `30 82 … 02 82 … 00 … 02 03 01 00 01`: an RSAPublicKey whose modulus has its first bit set, after a sign octet, and whose
/// exponent is 65,537. How long each part is follows from the whole.
#[inline(always)]
fn is_usual_rsa_key(key: &[u8]) -> bool {
    let (Some((head, [0, 0x80..=0xFF, ..])), Some(tail)) = (key.split_first_chunk(), key.last_chunk()) else {
        return false;
    };
    // Both lengths have two octets, which are minimal from 256 on.
    if !(256 + 13..0x1_0000).contains(&key.len()) {
        return false;
    }
    let len = key.len() as u64;
    let lengths = (len - 4) << 32 | (len - 13);
    u64::from_be_bytes(*head) == 0x3082_0000_0282_0000 | lengths && *tail == [0x02, 0x03, 0x01, 0x00, 0x01]
}

/// RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }
#[inline(never)]
fn is_rsa_key(key: &[u8]) -> bool {
    let integer = |octets| {
        let (value, rest): (&[u8], &[u8]) = super::element(octets, 0x02)?;
        let minimal = match value {
            [0, second, ..] => *second >= 0x80,
            [0xFF, second, ..] => *second < 0x80,
            value => !value.is_empty(),
        };
        minimal.then_some(rest)
    };
    let read = || {
        let (content, end) = super::element(key, 0x30)?;
        Some(integer(integer(content)?)?.is_empty() && end.is_empty())
    };
    read() == Some(true)
}

/// The three algorithms of a certificate.
struct Algorithms<'a> {
    signature: AlgorithmIdentifier<'a>,
    signature_algorithm: AlgorithmIdentifier<'a>,
    key: AlgorithmIdentifier<'a>,
}

impl<'a> Algorithms<'a> {
    #[inline(always)]
    fn read(content: &'a [u8], base: usize, frame: &Frame, deep: bool) -> Option<Self> {
        let algorithm = |span: Span| algorithm(span.of(content), base + span.start as usize, deep);
        let signature = algorithm(frame.algorithm)?;
        // The frame has compared the two.
        let outer = frame.outer_algorithm;
        let signature_algorithm = match signature.parameters {
            Some(parameters) if parameters.tag() == Tag::NULL => AlgorithmIdentifier {
                algorithm: signature.algorithm,
                parameters: Some(Any::null(base + (outer.start + outer.len) as usize - 2)),
            },
            None => signature,
            Some(_) => algorithm(outer)?,
        };
        Some(Self { signature, signature_algorithm, key: algorithm(frame.key_algorithm)? })
    }
}

/// All that a certificate is made of.
pub(crate) struct Parts<'a> {
    content: &'a [u8],
    base: usize,
    frame: Frame,
    times: [UtcTime; 2],
    algorithms: Algorithms<'a>,
    deep: bool,
    sealed: bool,
}

impl<'a> Parts<'a> {
    /// The value, with every part that can wait deferred. Nothing here can fail, so it is built where it is returned.
    #[inline(always)]
    pub(crate) fn build(self) -> Certificate<'a> {
        let Self { content, base, frame, times: [not_before, not_after], algorithms, deep, sealed } = self;
        let name = |span: Span| Name(SeqOf::shaped(span.of(content), base + span.start as usize, deep));
        // A key and a signature begin with the count of unused bits, which the frame has seen to be none.
        let bits = |span: Span| BitStr::from_octets(span.of(content).get(1..).unwrap_or_default());
        let tbs = TbsCertificate {
            version: Version::V3,
            serial_number: CertificateSerialNumber(Int::from_signed(frame.serial.of(content))),
            signature: algorithms.signature,
            issuer: name(frame.issuer),
            validity: Validity { not_before: Time::Utc(not_before), not_after: Time::Utc(not_after) },
            subject: name(frame.subject),
            subject_public_key_info: SubjectPublicKeyInfo {
                algorithm: algorithms.key,
                subject_public_key: bits(frame.key),
            },
            issuer_unique_id: None,
            subject_unique_id: None,
            extensions: (frame.extensions.len > 0).then(|| {
                let list = frame.extensions;
                Extensions::deferred(SeqOf::shaped(list.of(content), base + list.start as usize, deep && !sealed))
            }),
        };
        Certificate {
            tbs_certificate: Captured::shaped(tbs, content.get(..frame.tbs as usize).unwrap_or_default(), base),
            signature_algorithm: algorithms.signature_algorithm,
            signature_value: bits(frame.signature),
        }
    }
}

/// An algorithm identifier whose content at `offset` the frame has checked, but for what is inside its parameters.
#[inline(always)]
pub(crate) fn algorithm(content: &[u8], offset: usize, deep: bool) -> Option<AlgorithmIdentifier<'_>> {
    // Of nine octets, as those of PKCS #1 are, with NULL.
    if let [0x06, 0x09, oid @ .., 0x05, 0x00] = content
        && oid.len() == 9
    {
        return Some(AlgorithmIdentifier { algorithm: Oid::shaped(oid), parameters: Some(Any::null(offset + 11)) });
    }
    other_algorithm(content, offset, deep)
}

#[inline(never)]
fn other_algorithm(content: &[u8], offset: usize, deep: bool) -> Option<AlgorithmIdentifier<'_>> {
    let [0x06, len, tail @ ..] = content else { return None };
    let (oid, parameters) = tail.split_at_checked(usize::from(*len))?;
    let offset = offset + (content.len() - parameters.len());
    let parameters = match parameters {
        [] => None,
        [0x05, 0x00] => Some(Any::null(offset)),
        _ => {
            let reader = Reader::new(parameters).ok()?.at_base(offset);
            let mut reader = if deep { reader } else { reader.outlined() };
            Some(Any::decode(&mut reader).ok().filter(|_| reader.is_empty())?)
        }
    };
    Some(AlgorithmIdentifier { algorithm: Oid::shaped(oid), parameters })
}

//! Decodes a certificate from its top-level structure. Its components are checked, or deferred if only the outline (the
//! top-level structure) is decoded.

use tagwise_codec::{Any, BitStr, Captured, Decode, Int, Oid, Reader, SeqOf, Tag, UtcTime};

use super::extension::extensions;
use super::frame::{Frame, Span, WHOLE_HEADER, content, frame, whole};
use super::touch::touch;
use crate::alg::{AlgorithmIdentifier, RsaPublicKey, SubjectPublicKeyInfo};
use crate::cert::{Certificate, CertificateSerialNumber, Extensions, TbsCertificate, Version};
use crate::name::{Name, is_name};
use crate::part::Part;
use crate::public_key::{is_point, is_possible};
use crate::time::{Time, Validity};

/// The minimum remaining nesting depth for the fast path, which covers name subtrees and user notices. The general decoder
/// counts its own levels.
const LEVELS: u32 = 16;

/// Decodes the content of a Certificate.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
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

/// Splits a certificate's content at `base` into parts, and checks them as the reader's mode requires.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn parts<'a>(reader: &Reader<'a, '_>, content: &'a [u8], base: usize) -> Option<Parts<'a>> {
    let (frame, times) = frame(content)?;
    let (deep, sealed) = (reader.is_deep(), reader.is_sealed());
    if deep && !is_sound(reader, content, &frame)? {
        return None;
    }
    let algorithms = Algorithms::read(content, base, &frame, deep)?;
    Some(Parts { content, base, frame, times, algorithms, deep, sealed })
}

/// Decodes a complete certificate with a reader configured by `mode`. Fastest if its bytes are already in the CPU cache.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn loaded<'a>(
    der: &'a [u8],
    mode: impl FnOnce(Reader<'a, 'static>) -> Reader<'a, 'static>,
) -> Option<Parts<'a>> {
    let content = content(der)?;
    parts(&mode(Reader::new(content).ok()?), content, WHOLE_HEADER as usize)
}

/// Returns the content and frame of a complete certificate, after checking its complete encoding.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn sound(der: &[u8]) -> Option<(&[u8], Frame)> {
    let (content, frame) = whole(der)?;
    let reader = Reader::new(content).ok()?;
    is_sound(&reader, content, &frame)?.then_some((content, frame))
}

/// Checks everything that an outline defers. Returns `false` or `None` if the general decoder must check the certificate.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_sound(reader: &Reader<'_, '_>, content: &[u8], frame: &Frame) -> Option<bool> {
    // Inside a name, which is in a TBSCertificate, which is in a Certificate: each is a level.
    let inside = |span: Span| {
        let (start, len) = (span.start as usize, span.len as usize);
        reader.ahead(0, content.len())?.ahead(start, len)?.ahead(0, len)
    };
    // An empty issuer deviates.
    if frame.issuer.len == 0 {
        return Some(false);
    }
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
    } else if let Some(coordinate) = nist_coordinate(key_algorithm) {
        reader.is_sealed() || is_point(octets, Some(coordinate))
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

/// Returns the start of the SEQUENCE whose content extends from `content_start` to `end`.
fn info_start(content: &[u8], content_start: usize, end: usize) -> Option<usize> {
    let header = match end - content_start {
        0..=0x7F => 2,
        0x80..=0xFF => 3,
        _ => 4,
    };
    let start = content_start.checked_sub(header)?;
    (content.get(start) == Some(&0x30)).then_some(start)
}

/// Returns whether this is a PKCS #1 signature algorithm with NULL parameters, which all of them except id-RSASSA-PSS allow.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn has_null_parameters(algorithm: &[u8]) -> bool {
    const PKCS1: [u8; 10] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1];
    // Compared as arrays, which takes two instructions; as a pattern it would be octet by octet.
    matches!(algorithm.split_first_chunk(), Some((found, [arc, 0x05, 0x00])) if *found == PKCS1 && *arc != 10)
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_rsa(algorithm: &[u8]) -> bool {
    *algorithm == [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
}

/// Returns whether this is ECDSA with a SHA-2 hash and without parameters.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_ecdsa(algorithm: &[u8]) -> bool {
    matches!(algorithm, [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 1..=4])
}

/// Returns the length of a coordinate in bytes, if this is the key algorithm of P-256, P-384 or P-521.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn nist_coordinate(algorithm: &[u8]) -> Option<usize> {
    const EC: [u8; 9] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1];
    match algorithm.split_first_chunk() {
        Some((&EC, [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])) => Some(32),
        Some((&EC, [0x06, 0x05, 0x2B, 0x81, 4, 0, 0x22])) => Some(48),
        Some((&EC, [0x06, 0x05, 0x2B, 0x81, 4, 0, 0x23])) => Some(66),
        _ => None,
    }
}

/// Returns whether this is a common RSAPublicKey: `30 82 … 02 82 … 00 … 02 03 01 00 01`. Its modulus has a sign byte, and
/// its first and last bits are set. Its exponent is 65,537. The total length determines the length of each part.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
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
    // The last bit of the modulus, and the exponent.
    let end = u64::from_be_bytes(*tail) & 0x01FF_FFFF_FFFF == 0x0102_0301_0001;
    u64::from_be_bytes(*head) == 0x3082_0000_0282_0000 | lengths && end
}

/// Returns whether this is an RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER } with possible values.
#[inline(never)]
fn is_rsa_key(key: &[u8]) -> bool {
    let integer = |octets| {
        let (value, rest): (&[u8], &[u8]) = super::element(octets, 0x02)?;
        let minimal = match value {
            [0, second, ..] => *second >= 0x80,
            [0xFF, second, ..] => *second < 0x80,
            value => !value.is_empty(),
        };
        minimal.then_some((Int::from_signed(value), rest))
    };
    let read = || {
        let (content, end) = super::element(key, 0x30)?;
        let (modulus, rest) = integer(content)?;
        let (public_exponent, rest) = integer(rest)?;
        Some(rest.is_empty() && end.is_empty() && is_possible(RsaPublicKey { modulus, public_exponent }))
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
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
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

/// The parts of a certificate, after the checks that the mode requires.
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
    /// Builds the certificate, deferring every component that can be deferred. This cannot fail, so the result is built in
    /// place.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn build(self) -> Certificate<'a> {
        let Self { content, base, frame, times: [not_before, not_after], algorithms, deep, sealed } = self;
        let name = |span: Span| Name(SeqOf::__shaped(span.of(content), base + span.start as usize, deep));
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
                Extensions::deferred(SeqOf::__shaped(list.of(content), base + list.start as usize, deep && !sealed))
            }),
        };
        Certificate {
            tbs_certificate: Captured::__shaped(tbs, content.get(..frame.tbs as usize).unwrap_or_default(), base),
            signature_algorithm: algorithms.signature_algorithm,
            signature_value: bits(frame.signature),
        }
    }
}

/// Builds an algorithm identifier from its content at `offset`. The frame has already checked the content, except for the
/// inside of the parameters.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn algorithm(content: &[u8], offset: usize, deep: bool) -> Option<AlgorithmIdentifier<'_>> {
    // Of nine octets, as those of PKCS #1 are, with NULL.
    if let [0x06, 0x09, oid @ .., 0x05, 0x00] = content
        && oid.len() == 9
    {
        return Some(AlgorithmIdentifier { algorithm: Oid::__shaped(oid), parameters: Some(Any::null(offset + 11)) });
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
    Some(AlgorithmIdentifier { algorithm: Oid::__shaped(oid), parameters })
}

#[cfg(test)]
mod tests {
    use tagwise_codec::Options;

    use super::*;
    use crate::fixture::{NAME, element};

    const RSA: &[u8] = b"\x30\x0D\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x01\x05\x00";
    const P256: &[u8] = b"\x30\x13\x06\x07\x2A\x86\x48\xCE\x3D\x02\x01\x06\x08\x2A\x86\x48\xCE\x3D\x03\x01\x07";
    const P384: &[u8] = b"\x30\x10\x06\x07\x2A\x86\x48\xCE\x3D\x02\x01\x06\x05\x2B\x81\x04\x00\x22";
    const P521: &[u8] = b"\x30\x10\x06\x07\x2A\x86\x48\xCE\x3D\x02\x01\x06\x05\x2B\x81\x04\x00\x23";

    /// Returns a certificate of the common form, with a signature of RSA.
    fn common(issuer: &[u8], algorithm: &[u8], key: &[u8]) -> Vec<u8> {
        let signed = b"\x30\x0D\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0B\x05\x00";
        let validity = element(0x30, &[b"\x17\x0D250101000000Z", b"\x17\x0D260101000000Z"]);
        let key = element(0x30, &[algorithm, &element(0x03, &[&[0], key])]);
        // As long as it takes for lengths of two octets.
        let long =
            element(0x30, &[&element(0x31, &[&element(0x30, &[b"\x06\x01\x2A", &element(0x0C, &[&[b'a'; 120]])])])]);
        let long = if key.len() < 200 { &long[..] } else { NAME };
        let tbs = element(0x30, &[b"\xA0\x03\x02\x01\x02\x02\x01\x01", signed, issuer, &validity, long, &key]);
        element(0x30, &[&tbs, signed, &element(0x03, &[&[0], &[7; 256]])])
    }

    fn rsa(modulus: &[u8], exponent: &[u8]) -> Vec<u8> {
        element(0x30, &[&element(0x02, &[modulus]), &element(0x02, &[exponent])])
    }

    /// The shape refuses what the general decoder refuses, and nothing more; only the latter reads with options.
    #[test]
    fn keys_and_issuers_as_the_general_decoder() {
        let modulus = |first: u8, last: u8| [&[0, first][..], &[0x55; 254], &[last]].concat();
        let usual = modulus(0x80, 1);
        let point = |form: u8, len: usize| [&[form][..], &vec![7; len]].concat();
        let mut cases = vec![
            (common(&[0x30, 0], RSA, &rsa(&usual, &[1, 0, 1])), Some("empty-issuer")),
            (common(NAME, RSA, &rsa(&usual, &[1, 0, 1])), None),
            (common(NAME, RSA, &rsa(&usual, &[3])), None),
            (common(NAME, RSA, &rsa(&usual[1..], &[1, 0, 1])), Some("rsa-key")), // negative
            (common(NAME, RSA, &rsa(&modulus(0x80, 2), &[1, 0, 1])), Some("rsa-key")), // even
            (common(NAME, RSA, &rsa(&usual, &[0xFE, 0xFF, 0xFF])), Some("rsa-key")), // -65537
            (common(NAME, RSA, &rsa(&usual, &[1, 0, 0])), Some("rsa-key")),
            (common(NAME, RSA, &rsa(&usual, &[1])), Some("rsa-key")),
            (common(NAME, RSA, &rsa(&usual, &usual)), Some("rsa-key")),
        ];
        for (algorithm, len) in [(P256, 32), (P384, 48), (P521, 66)] {
            for count in [31, 32, 33, 47, 48, 49, 64, 65, 66, 67, 95, 96, 97, 104, 131, 132, 133] {
                for form in [0, 2, 3, 4, 6] {
                    let right = count == if form == 4 { 2 * len } else { len } && matches!(form, 2..=4);
                    let code = (!right).then_some("public-key");
                    cases.push((common(NAME, algorithm, &point(form, count)), code));
                }
            }
        }
        let mut shaped = 0;
        for (der, code) in cases {
            let (quick, slow) = (Certificate::from_der(&der), Options::der().decode::<Certificate<'_>>(&der));
            assert_eq!(quick.as_ref().err().map(|error| error.code()), code, "{der:X?}");
            let said = |error: &tagwise_codec::Error| (error.code(), error.path().to_owned(), error.offset());
            assert_eq!(quick.as_ref().err().map(said), slow.as_ref().err().map(said));
            shaped += usize::from(sound(&der).is_some());
            assert_eq!(sound(&der).is_some(), code.is_none(), "{der:X?}");
            assert!(Certificate::outline(&der).is_ok());
        }
        assert_eq!(shaped, 2 + 9);
        // Where the issuer stands.
        let error = Certificate::from_der(&common(&[0x30, 0], RSA, &rsa(&usual, &[1, 0, 1]))).unwrap_err();
        assert_eq!((error.path(), error.offset()), ("tbsCertificate.issuer", 4 + 4 + 8 + 15));
    }
}

//! Unambiguous recognition: PEM labels of encodings that cannot be mistaken for others (RFC 7468).

use tagwise_codec::{Oid, Tag, oid};
use tagwise_pkix::oids::files::label;

use super::frame::Frame;

const ZERO: Tag = Tag::context(0).constructed();

/// Returns the PEM label of a BER or DER value, if its top-level structure is unambiguous.
///
/// Unlike [`recognise`](crate::recognise), it never guesses. Only the top-level structure is checked.
///
/// ```
/// let key = [0x30, 0x0A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x01, 0x00];
/// assert_eq!(tagwise_input::certain_label(&key), Some("PUBLIC KEY"));
/// assert_eq!(tagwise_input::certain_label(&[0x30, 0x00]), None);
/// ```
#[must_use]
pub fn certain_label(octets: &[u8]) -> Option<&'static str> {
    let frame = Frame::read(octets).filter(|frame| frame.is_whole() && frame.tag() == Tag::SEQUENCE)?;
    match frame.tags() {
        [Tag::SEQUENCE, Tag::SEQUENCE, Tag::BIT_STRING] => signed(&frame.child(0)?),
        [Tag::OBJECT_IDENTIFIER, ZERO] => {
            let oid = frame.oid().filter(is_content_type)?;
            let pkcs7 = frame.child(1)?.child(0).is_some_and(|content| is_pkcs7(&oid, &content));
            Some(if pkcs7 { label::PKCS7 } else { label::CMS })
        }
        [Tag::SEQUENCE, Tag::BIT_STRING] => frame.child(0)?.oid().map(|_| label::PUBLIC_KEY),
        [Tag::SEQUENCE, Tag::OCTET_STRING] => {
            frame.child(0)?.oid().filter(encrypts).map(|_| label::ENCRYPTED_PRIVATE_KEY)
        }
        [Tag::INTEGER, Tag::SEQUENCE, Tag::OCTET_STRING, ..] => {
            frame.child(1)?.oid().filter(|_| matches!(frame.version(), Some(0 | 1))).map(|_| label::PRIVATE_KEY)
        }
        [Tag::INTEGER, Tag::OCTET_STRING, ..] => (frame.version() == Some(1)).then_some(label::EC_PRIVATE_KEY),
        // With more than two primes.
        [first @ .., Tag::SEQUENCE] if first.len() == 9 && frame.version() == Some(1) => {
            first.iter().all(|tag| *tag == Tag::INTEGER).then_some(label::RSA_PRIVATE_KEY)
        }
        tags if frame.version() == Some(0) && tags.iter().all(|tag| *tag == Tag::INTEGER) => match tags.len() {
            9 => Some(label::RSA_PRIVATE_KEY),
            6 => Some(label::DSA_PRIVATE_KEY),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the label of a structure that ends with an algorithm and a signature, based on its signed part.
fn signed(frame: &Frame<'_>) -> Option<&'static str> {
    let is_time = |tag: Tag| tag == Tag::UTC_TIME || tag == Tag::GENERALIZED_TIME;
    let rest = match frame.tags() {
        [ZERO, rest @ ..] => rest,
        all => all,
    };
    match rest {
        [Tag::INTEGER, Tag::SEQUENCE, Tag::SEQUENCE, Tag::SEQUENCE, Tag::SEQUENCE, Tag::SEQUENCE, ..] => {
            Some(label::CERTIFICATE)
        }
        [Tag::INTEGER, Tag::SEQUENCE, Tag::SEQUENCE, ZERO] => Some(label::CERTIFICATE_REQUEST),
        [Tag::INTEGER, Tag::SEQUENCE, ZERO, ..] => Some(label::ATTRIBUTE_CERTIFICATE),
        [Tag::INTEGER, Tag::SEQUENCE, Tag::SEQUENCE, time, ..] | [Tag::SEQUENCE, Tag::SEQUENCE, time, ..]
            if is_time(*time) =>
        {
            Some(label::X509_CRL)
        }
        _ => None,
    }
}

/// Returns whether this is a content type of PKCS #7 or S/MIME.
fn is_content_type(oid: &Oid<'_>) -> bool {
    oid.starts_with(oid!("1.2.840.113549.1.7")) || oid.starts_with(oid!("1.2.840.113549.1.9.16.1"))
}

/// Returns whether the version of a content shows that it conforms to PKCS #7 1.5 (RFC 2315). Such content has its own label
/// (RFC 7468 §8), and is the only content that PKCS #7 parsers accept. CMS assigns higher versions to content that PKCS #7
/// does not define (RFC 5652 §5.1, §6.1, §7, §8).
fn is_pkcs7(oid: &Oid<'_>, content: &Frame<'_>) -> bool {
    let version = match oid.as_bytes() {
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1] => return true,
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2 | 4] => 1,
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 3 | 5 | 6] => 0,
        _ => return false,
    };
    content.version() == Some(version)
}

/// Returns whether this is a password-based encryption algorithm of PKCS #5, PKCS #12 or Java keystores. A DigestInfo has the same
/// structure.
fn encrypts(oid: &Oid<'_>) -> bool {
    let java = [oid!("1.3.6.1.4.1.42.2.17.1"), oid!("1.3.6.1.4.1.42.2.19")];
    oid.starts_with(oid!("1.2.840.113549.1.5"))
        || oid.starts_with(oid!("1.2.840.113549.1.12.1"))
        || java.into_iter().any(|java| oid.starts_with(java))
}

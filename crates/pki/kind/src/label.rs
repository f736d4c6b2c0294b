//! PEM labels for unambiguous encodings (RFC 7468).

use tagwise_codec::{Any, Decode, Oid, Tag, ber, oid};

/// An element by its children, as far as they are well-formed.
struct Frame<'a>(Vec<Any<'a>>);

/// At most so many children are looked at.
const CHILDREN: usize = 10;

impl<'a> Frame<'a> {
    fn of(any: &Any<'a>) -> Self {
        Self(any.children().map_while(Result::ok).take(CHILDREN).collect())
    }

    fn tags(&self) -> Vec<Tag> {
        self.0.iter().map(Any::tag).collect()
    }

    fn child(&self, index: usize) -> Self {
        self.0.get(index).map_or_else(|| Self(Vec::new()), Self::of)
    }

    /// The identifier that stands first.
    fn oid(&self) -> Option<Oid<'a>> {
        let first = self.0.first().filter(|first| first.tag() == Tag::OBJECT_IDENTIFIER)?;
        Oid::from_content(first.content()).ok()
    }

    /// The small INTEGER that stands first.
    fn version(&self) -> Option<u8> {
        match self.0.first()? {
            first if first.tag() == Tag::INTEGER => match first.content() {
                [version] => Some(*version),
                _ => None,
            },
            _ => None,
        }
    }
}

const ZERO: Tag = Tag::context(0).constructed();

/// Returns the PEM label of a BER or DER value, if its top-level structure is unambiguous.
///
/// Unlike [`recognise`](crate::recognise), it never guesses. Only the top-level structure of DER is checked.
///
/// ```
/// let key = [0x30, 0x0A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x01, 0x00];
/// assert_eq!(tagwise_kind::certain_label(&key), Some("PUBLIC KEY"));
/// assert_eq!(tagwise_kind::certain_label(&[0x30, 0x00]), None);
/// ```
#[must_use]
pub fn of(octets: &[u8]) -> Option<&'static str> {
    of_der(octets).or_else(|| of_der(&ber::to_der_untyped(octets).ok()?.bytes))
}

fn of_der(der: &[u8]) -> Option<&'static str> {
    let value = Any::outline(der).ok().filter(|value| value.tag() == Tag::SEQUENCE)?;
    let frame = Frame::of(&value);
    match frame.tags().as_slice() {
        [Tag::SEQUENCE, Tag::SEQUENCE, Tag::BIT_STRING] => signed(&frame.child(0)),
        [Tag::OBJECT_IDENTIFIER, ZERO] => {
            let oid = frame.oid().filter(is_content_type)?;
            Some(if is_pkcs7(&oid, &frame.child(1).child(0)) { "PKCS7" } else { "CMS" })
        }
        [Tag::SEQUENCE, Tag::BIT_STRING] => frame.child(0).oid().map(|_| "PUBLIC KEY"),
        [Tag::SEQUENCE, Tag::OCTET_STRING] => frame.child(0).oid().filter(encrypts).map(|_| "ENCRYPTED PRIVATE KEY"),
        [Tag::INTEGER, Tag::SEQUENCE, Tag::OCTET_STRING, ..] => {
            frame.child(1).oid().filter(|_| matches!(frame.version(), Some(0 | 1))).map(|_| "PRIVATE KEY")
        }
        [Tag::INTEGER, Tag::OCTET_STRING, ..] => (frame.version() == Some(1)).then_some("EC PRIVATE KEY"),
        // With more than two primes.
        [first @ .., Tag::SEQUENCE] if first.len() == 9 && frame.version() == Some(1) => {
            first.iter().all(|tag| *tag == Tag::INTEGER).then_some("RSA PRIVATE KEY")
        }
        tags if frame.version() == Some(0) && tags.iter().all(|tag| *tag == Tag::INTEGER) => match tags.len() {
            9 => Some("RSA PRIVATE KEY"),
            6 => Some("DSA PRIVATE KEY"),
            _ => None,
        },
        _ => None,
    }
}

/// Label of a structure that ends in an algorithm and a signature, by its signed part.
fn signed(frame: &Frame<'_>) -> Option<&'static str> {
    let tags = frame.tags();
    let is_time = |tag: Tag| tag == Tag::UTC_TIME || tag == Tag::GENERALIZED_TIME;
    let rest = match tags.as_slice() {
        [ZERO, rest @ ..] => rest,
        all => all,
    };
    match rest {
        [Tag::INTEGER, Tag::SEQUENCE, Tag::SEQUENCE, Tag::SEQUENCE, Tag::SEQUENCE, Tag::SEQUENCE, ..] => {
            Some("CERTIFICATE")
        }
        [Tag::INTEGER, Tag::SEQUENCE, Tag::SEQUENCE, ZERO] => Some("CERTIFICATE REQUEST"),
        [Tag::INTEGER, Tag::SEQUENCE, ZERO, ..] => Some("ATTRIBUTE CERTIFICATE"),
        [Tag::INTEGER, Tag::SEQUENCE, Tag::SEQUENCE, time, ..] | [Tag::SEQUENCE, Tag::SEQUENCE, time, ..]
            if is_time(*time) =>
        {
            Some("X509 CRL")
        }
        _ => None,
    }
}

/// Content types of PKCS #7, and of S/MIME.
fn is_content_type(oid: &Oid<'_>) -> bool {
    oid.starts_with(oid!("1.2.840.113549.1.7")) || oid.starts_with(oid!("1.2.840.113549.1.9.16.1"))
}

/// Returns whether content is of PKCS #7 1.5 (RFC 2315), by its version: RFC 7468 §8 has a label for it, and readers of PKCS #7 take no
/// other. CMS gives higher versions to what PKCS #7 has not (RFC 5652 §5.1, §6.1, §7, §8).
fn is_pkcs7(oid: &Oid<'_>, content: &Frame<'_>) -> bool {
    let version = match oid.as_bytes() {
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1] => return true,
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2 | 4] => 1,
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 3 | 5 | 6] => 0,
        _ => return false,
    };
    content.version() == Some(version)
}

/// Password-based encryption: PKCS #5 and PKCS #12. A DigestInfo has the same frame.
fn encrypts(oid: &Oid<'_>) -> bool {
    oid.starts_with(oid!("1.2.840.113549.1.5")) || oid.starts_with(oid!("1.2.840.113549.1.12.1"))
}

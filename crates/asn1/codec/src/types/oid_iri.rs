//! OID-IRI and RELATIVE-OID-IRI (X.680 §34, §35, X.690 §8.21, §8.22): paths of Unicode labels through the OID tree.
//!
//! Labels are checked for syntax (X.660 §7.5), not against a registry, and compared byte by byte.

use core::fmt;

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::{Shape, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// `OID-IRI`: a path from the root of the OID tree, with a slash before each label.
///
/// ```
/// use tagwise_codec::{Decode, FaultKind, OidIri, encode};
/// let der = *b"\x1F\x23\x27/ISO/Registration_Authority/19785.CBEFF";
/// let iri = OidIri::from_der(&der)?;
/// assert_eq!(iri.labels().collect::<Vec<_>>(), ["ISO", "Registration_Authority", "19785.CBEFF"]);
/// assert_eq!(encode(&iri).unwrap(), der);
///
/// let fault = OidIri::new("/ISO/01").unwrap_err();
/// assert_eq!((fault.kind(), fault.offset()), (FaultKind::Iri, 5));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OidIri<'a>(&'a str);

/// `RELATIVE-OID-IRI`: a path from any node of the OID tree, with a slash between labels.
///
/// ```
/// use tagwise_codec::{Decode, RelativeOidIri, encode};
/// let der = "\x1F\x24\x0F19785/Über.1/0".as_bytes();
/// let iri = RelativeOidIri::from_der(der)?;
/// assert_eq!(iri.labels().collect::<Vec<_>>(), ["19785", "Über.1", "0"]);
/// assert_eq!(encode(&iri).unwrap(), der);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelativeOidIri<'a>(&'a str);

/// Checks the labels between slashes, which start at offset `at`. Returns the offset of the first invalid byte.
fn check_labels(labels: &str, mut at: usize) -> Result<(), usize> {
    for label in labels.split('/') {
        check_label(label, at)?;
        at = at.saturating_add(label.len()).saturating_add(1);
    }
    Ok(())
}

fn check_label(label: &str, at: usize) -> Result<(), usize> {
    if label.is_empty() {
        return Err(at);
    }
    // X.660 §7.5.4: an integer-valued label has no leading zeros.
    if label.bytes().all(|octet| octet.is_ascii_digit()) {
        return if label.len() > 1 && label.starts_with('0') { Err(at) } else { Ok(()) };
    }
    for (position, (offset, c)) in label.char_indices().enumerate() {
        // X.660 §7.5.3: no hyphen first or last, nor in the third and fourth place, where it would announce an A-label.
        let misplaced = c == '-'
            && (position == 0
                || offset + 1 == label.len()
                || (position == 3 && label.get(..offset).is_some_and(|before| before.ends_with('-'))));
        if misplaced || !is_label_character(c) {
            return Err(at + offset);
        }
    }
    Ok(())
}

/// Returns whether a character is allowed in labels (X.660 §7.5.2): the unreserved characters of RFC 3987 §2.2.
const fn is_label_character(c: char) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' | '_' | '~' => true,
        '\u{A0}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFEF}' => true,
        // Every plane but the private ones, without its last two code points; the tags of plane 14 are out too.
        '\u{10000}'..='\u{DFFFD}' | '\u{E1000}'..='\u{EFFFD}' => c as u32 & 0xFFFF <= 0xFFFD,
        _ => false,
    }
}

/// Checks a path whose labels start after `prefix`. Gives kind and offset of what is wrong.
fn check(octets: &[u8], prefix: &str) -> Result<(), (FaultKind, usize)> {
    let text = match core::str::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => return Err((FaultKind::Utf8Invalid, error.valid_up_to())),
    };
    match text.strip_prefix(prefix) {
        Some(labels) => check_labels(labels, prefix.len()).map_err(|at| (FaultKind::Iri, at)),
        None => Err((FaultKind::Iri, 0)),
    }
}

macro_rules! iri {
    ($name:ident, $tag:ident, $shape:ident, $text:literal, $prefix:literal) => {
        impl<'a> $name<'a> {
            /// Parses a path, which is encoded as the given text.
            ///
            /// # Errors
            /// Returns [`FaultKind::Iri`], with an offset into `text`.
            pub fn new(text: &'a str) -> Result<Self, Fault> {
                match check(text.as_bytes(), $prefix) {
                    Ok(()) => Ok(Self(text)),
                    Err((kind, at)) => Err(Fault::new(kind, at)),
                }
            }

            /// Returns the path as text, in its encoded form.
            #[must_use]
            pub const fn as_str(&self) -> &'a str {
                self.0
            }

            /// Iterates over the labels, at least one.
            pub fn labels(&self) -> impl Iterator<Item = &'a str> + use<'a> {
                self.0.strip_prefix($prefix).unwrap_or(self.0).split('/')
            }
        }

        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.0)
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl Typed for $name<'_> {
            fn ty() -> &'static Type {
                const { &Type::new($text, Some(Tag::$tag), Shape::$shape) }
            }
        }

        impl Tagged for $name<'_> {
            const TAG: Tag = Tag::$tag;
        }

        impl<'a> DecodeValue<'a> for $name<'a> {
            #[inline]
            fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
                let start = reader.position();
                let octets = reader.take(len)?;
                match check(octets, $prefix) {
                    Ok(()) => Ok(Self(core::str::from_utf8(octets).unwrap_or_default())),
                    Err((kind, at)) => Err(reader.fault(kind, start + at)),
                }
            }
        }

        impl EncodeValue for $name<'_> {
            #[inline]
            fn value_len(&self) -> usize {
                self.0.len()
            }

            #[inline]
            fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
                writer.bytes(self.0.as_bytes())
            }
        }
    };
}

iri!(OidIri, OID_IRI, OidIri, "OID-IRI", "/");
iri!(RelativeOidIri, RELATIVE_OID_IRI, RelativeOidIri, "RELATIVE-OID-IRI", "");

#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::types::testing::{accepted, refused};

    fn element(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[0x1F, tag, content.len() as u8], content].concat()
    }

    #[test]
    fn accepted_paths() {
        for text in [
            "/ISO",
            "/0",
            "/ISO/Registration_Authority/19785.CBEFF",
            "/Joint-ISO-ITU-T/UUID/f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "/2/27/0/10",
            "/a-b/~/_/.",
            "/1/台北/\u{A0}\u{D7FF}\u{F900}\u{FFEF}\u{10000}\u{DFFFD}\u{E1000}\u{EFFFD}",
            "/0a/00a",
            "/a--b",
            "/ab-c",
        ] {
            let der = element(0x23, text.as_bytes());
            assert_eq!(accepted::<OidIri<'_>>(&der).as_str(), text);
            assert_eq!(OidIri::new(text).unwrap().as_str(), text);
            let der = element(0x24, text.trim_start_matches('/').as_bytes());
            let value = accepted::<RelativeOidIri<'_>>(&der);
            assert_eq!(value.labels().collect::<Vec<_>>(), OidIri::new(text).unwrap().labels().collect::<Vec<_>>());
        }
    }

    #[test]
    fn refused_paths() {
        for (content, at) in [
            (&b""[..], 0),
            (b"ISO", 0),
            (b"/", 1),
            (b"//ISO", 1),
            (b"/ISO/", 5),
            (b"/ISO//1", 5),
            (b"/ISO/01", 5),
            (b"/ISO/00", 5),
            (b"/-a", 1),
            (b"/a-", 2),
            (b"/1-", 2),
            (b"/-", 1),
            (b"/xn--a", 4),
            (b"/a b", 2),
            (b"/a%20", 2),
            (b"/a:b", 2),
            (b"/a\0", 2),
            ("/a\u{E000}".as_bytes(), 2),
            ("/aé\u{FFF0}".as_bytes(), 4),
            ("/\u{1FFFE}".as_bytes(), 1),
            ("/\u{E0001}".as_bytes(), 1),
            ("/\u{F0000}".as_bytes(), 1),
            ("/\u{80}".as_bytes(), 1),
        ] {
            refused::<OidIri<'_>>(&element(0x23, content), FaultKind::Iri, at + 3);
        }
        refused::<OidIri<'_>>(&element(0x23, b"/a\xFF"), FaultKind::Utf8Invalid, 5);
        refused::<OidIri<'_>>(&element(0x23, b"/a\xC3"), FaultKind::Utf8Invalid, 5);
        for (content, at) in [(&b""[..], 0), (b"/ISO", 0), (b"1/", 2), (b"01", 0)] {
            refused::<RelativeOidIri<'_>>(&element(0x24, content), FaultKind::Iri, at + 3);
        }
        refused::<RelativeOidIri<'_>>(&element(0x23, b"1"), FaultKind::UnexpectedTag, 0);
    }
}

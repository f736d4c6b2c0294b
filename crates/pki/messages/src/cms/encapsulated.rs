//! Encapsulated content (RFC 5652 §5.2), in an OCTET STRING or, as in PKCS #7, as an element of its own type.

use tagwise_codec::table::Type;
use tagwise_codec::{
    Any, DecodeValue, EncodeError, EncodeValue, Fault, Oid, Open, Reader, Tag, Tagged, Typed, Writer, element_len,
};
use tagwise_derive::Asn1;

use crate::r#gen::cms::{Content, ID_DATA};

/// The encapsulated content of a CMS message, or only its type if the content is detached. The digest covers the bytes
/// inside the OCTET STRING, with segments concatenated. Plain data has no ASN.1 type.
///
/// ```asn1
/// EncapsulatedContentInfo ::= SEQUENCE {
///   eContentType  CONTENT-TYPE.&id({ContentSet}),
///   eContent      [0] EXPLICIT OCTET STRING (CONTAINING CONTENT-TYPE.&Type({ContentSet}{@eContentType})) OPTIONAL
/// }
/// ```
///
/// Defined in RFC 5652 §5.2. PKCS #7 (RFC 2315 §7) allows any type instead of the OCTET STRING, and code signing (Authenticode)
/// and catalogs still use this. It is supported, except for plain data, which has always been an OCTET STRING.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EncapsulatedContentInfo<'a> {
    /// The content type.
    pub e_content_type: Oid<'a>,
    /// The content, or `None` if it is detached.
    pub e_content: Option<EncapsulatedContent<'a>>,
}

/// The content of an [`EncapsulatedContentInfo`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EncapsulatedContent<'a> {
    /// An OCTET STRING.
    OctetString(Open<'a, Content<'a>>),
    /// An element of its own type (RFC 2315 §7).
    Element(Any<'a>),
}

impl<'a> EncapsulatedContent<'a> {
    /// Returns the bytes covered by the digest: the contents of the OCTET STRING, or the element's value without its header (RFC
    /// 5652 §5.2.1, RFC 2315 §9.3).
    #[must_use]
    pub fn as_bytes(&self) -> &'a [u8] {
        match self {
            Self::OctetString(open) => open.as_bytes(),
            Self::Element(any) => any.content(),
        }
    }

    /// Returns the content as an open type, if it is in an OCTET STRING.
    #[must_use]
    pub const fn open(&self) -> Option<&Open<'a, Content<'a>>> {
        match self {
            Self::OctetString(open) => Some(open),
            Self::Element(_) => None,
        }
    }
}

/// The ASN.1 definition of RFC 5652.
#[derive(Asn1)]
#[asn1(name = "EncapsulatedContentInfo")]
struct Usual<'a> {
    e_content_type: Oid<'a>,
    #[asn1(explicit = 0, defined_by = e_content_type, octet_string)]
    e_content: Option<Open<'a, Content<'a>>>,
}

impl Typed for EncapsulatedContentInfo<'_> {
    fn ty() -> &'static Type {
        Usual::ty()
    }
}

impl Tagged for EncapsulatedContentInfo<'_> {
    const TAG: Tag = Tag::SEQUENCE;
}

const CONTENT: Tag = Tag::context(0).constructed();

/// Returns whether the content, which is the next `len` bytes, is an element rather than an OCTET STRING.
fn has_element(reader: &Reader<'_, '_>, len: usize) -> bool {
    let other = || {
        let mut inside = reader.ahead(0, len)?;
        let is_data = inside.read::<Oid<'_>>().ok()? == ID_DATA;
        let len = inside.expect(CONTENT).ok()?;
        let inside = inside.ahead(0, len)?;
        Some(!is_data && !inside.is_empty() && !inside.at(Tag::OCTET_STRING))
    };
    other().unwrap_or_default()
}

impl<'a> DecodeValue<'a> for EncapsulatedContentInfo<'a> {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        if has_element(reader, len) {
            return reader.components(len, |reader| {
                let e_content_type = reader.read()?;
                let element = reader.read_explicit(CONTENT)?;
                Ok(Self { e_content_type, e_content: Some(EncapsulatedContent::Element(element)) })
            });
        }
        let Usual { e_content_type, e_content } = Usual::decode_value(reader, len)?;
        Ok(Self { e_content_type, e_content: e_content.map(EncapsulatedContent::OctetString) })
    }
}

impl EncodeValue for EncapsulatedContentInfo<'_> {
    fn value_len(&self) -> usize {
        let Self { e_content_type, e_content } = *self;
        match e_content {
            Some(EncapsulatedContent::Element(element)) => {
                let kind = element_len(Tag::OBJECT_IDENTIFIER, e_content_type.as_bytes().len());
                kind.saturating_add(element_len(CONTENT, element.as_bytes().len()))
            }
            Some(EncapsulatedContent::OctetString(open)) => Usual { e_content_type, e_content: Some(open) }.value_len(),
            None => Usual { e_content_type, e_content: None }.value_len(),
        }
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        let Self { e_content_type, e_content } = *self;
        match e_content {
            Some(EncapsulatedContent::Element(element)) => {
                writer.element(CONTENT, |writer| writer.write(&element))?;
                writer.write(&e_content_type)
            }
            Some(EncapsulatedContent::OctetString(open)) => {
                Usual { e_content_type, e_content: Some(open) }.encode_value(writer)
            }
            None => Usual { e_content_type, e_content: None }.encode_value(writer),
        }
    }
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{Decode, encode};

    use super::*;

    /// Content type 1.2.3, with content that is not an OCTET STRING.
    const ELEMENT: &[u8] = b"\x30\x0C\x06\x02\x2A\x03\xA0\x06\x30\x04\x02\x02\x01\x00";

    #[test]
    fn content_as_itself() {
        let read = EncapsulatedContentInfo::from_der(ELEMENT).unwrap();
        let content = read.e_content.unwrap();
        assert_eq!((content.as_bytes(), content.open().is_none()), (&b"\x02\x02\x01\x00"[..], true));
        assert_eq!(encode(&read).unwrap(), ELEMENT);
        // Wrapped, it is the content of the string.
        let wrapped = b"\x30\x0E\x06\x02\x2A\x03\xA0\x08\x04\x06\x30\x04\x02\x02\x01\x00";
        let read = EncapsulatedContentInfo::from_der(wrapped).unwrap();
        assert_eq!(read.e_content.unwrap().as_bytes(), b"\x30\x04\x02\x02\x01\x00");
        assert_eq!(encode(&read).unwrap(), wrapped);
        let detached = b"\x30\x04\x06\x02\x2A\x03";
        let read = EncapsulatedContentInfo::from_der(detached).unwrap();
        assert!(read.e_content.is_none());
        assert_eq!(encode(&read).unwrap(), detached);
    }

    #[test]
    fn data_is_an_octet_string() {
        let data = [&b"\x30\x13\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01\xA0\x06"[..], b"\x30\x04\x02\x02\x01\x00"]
            .concat();
        assert!(EncapsulatedContentInfo::from_der(&data).is_err());
        // Nor is there anything behind it.
        let two = b"\x30\x0A\x06\x02\x2A\x03\xA0\x04\x05\x00\x05\x00";
        assert!(EncapsulatedContentInfo::from_der(two).is_err());
        let empty = b"\x30\x06\x06\x02\x2A\x03\xA0\x00";
        assert!(EncapsulatedContentInfo::from_der(empty).is_err());
    }
}

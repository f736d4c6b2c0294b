//! Certification requests (RFC 2986), with optional tolerance for a common encoding error.

use tagwise_codec::table::Type;
use tagwise_codec::{DecodeValue, EncodeError, EncodeValue, Fault, Reader, SetOf, Tag, Tagged, Typed, Writer};
use tagwise_derive::Asn1;

use crate::alg::SubjectPublicKeyInfo;
pub use crate::r#gen::csr::*;
use crate::name::Name;
use crate::profile;

/// The to-be-signed part of a certification request. The attributes are not OPTIONAL: if there are none, they are an empty
/// SET. Some encoders omit the SET, which [`REQUEST_ATTRIBUTES`](profile::REQUEST_ATTRIBUTES) tolerates.
///
/// ```asn1
/// CertificationRequestInfo ::= SEQUENCE {
///   version        INTEGER { v1(0) } (v1, ...),
///   subject        Name,
///   subjectPKInfo  SubjectPublicKeyInfo{{PublicKeyAlgorithms}},
///   attributes     [0] Attributes{{CRIAttributes}}
/// }
/// ```
///
/// Defined in RFC 2986 §4.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CertificationRequestInfo<'a> {
    /// The version, always v1.
    pub version: Version,
    /// The requested subject name.
    pub subject: Name<'a>,
    /// The public key to certify.
    pub subject_pk_info: SubjectPublicKeyInfo<'a>,
    /// The attributes, such as the requested extensions.
    pub attributes: Attributes<'a>,
}

/// ```asn1
/// Attributes{ATTRIBUTE:IOSet} ::= SET OF Attribute{{IOSet}}
/// ```
///
/// The attributes of a certification request (RFC 2986 §4.1).
pub type Attributes<'a> = SetOf<'a, crate::ext::Attribute<'a>>;

/// ```asn1
/// INTEGER { v1(0) } (v1, ...)
/// ```
///
/// A request version (RFC 2986 §4.1).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(value(0, ...), named_numbers(v1 = 0), convert)]
pub struct Version(
    /// The encoded version number.
    pub u8,
);

impl Version {
    /// `v1` (0).
    pub const V1: Self = Self(0);
}

/// The ASN.1 definition with a required attributes field.
#[derive(Asn1)]
#[asn1(name = "CertificationRequestInfo", verbatim, check = as_written, rules(profile::REQUEST_ATTRIBUTES))]
struct Written<'a> {
    version: Version,
    subject: Name<'a>,
    #[asn1(name = "subjectPKInfo")]
    subject_pk_info: SubjectPublicKeyInfo<'a>,
    #[asn1(implicit = 0)]
    attributes: Attributes<'a>,
}

#[expect(clippy::unnecessary_wraps, reason = "the rule is asked about where the component is missing")]
fn as_written(_: &Written<'_>, _: &Reader<'_, '_>, _: usize) -> Result<(), Fault> {
    Ok(())
}

impl Typed for CertificationRequestInfo<'_> {
    fn ty() -> &'static Type {
        Written::ty()
    }
}

impl Tagged for CertificationRequestInfo<'_> {
    const TAG: Tag = Tag::SEQUENCE;
}

impl<'a> DecodeValue<'a> for CertificationRequestInfo<'a> {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        reader.components(len, |reader| {
            let (version, subject, subject_pk_info) = (reader.read()?, reader.read()?, reader.read()?);
            let attributes = if reader.is_empty() {
                reader.deviate_profile(&profile::REQUEST_ATTRIBUTES, at)?;
                SetOf::default()
            } else {
                reader.read_implicit(Tag::context(0))?
            };
            Ok(Self { version, subject, subject_pk_info, attributes })
        })
    }
}

impl CertificationRequestInfo<'_> {
    fn written(&self) -> Written<'_> {
        let Self { version, subject, subject_pk_info, attributes } = *self;
        Written { version, subject, subject_pk_info, attributes }
    }
}

impl EncodeValue for CertificationRequestInfo<'_> {
    fn value_len(&self) -> usize {
        self.written().value_len()
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        self.written().encode_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{Decode, Options, encode};

    use super::*;
    use crate::fixture::{NAME, element};

    fn info(attributes: &[u8]) -> Vec<u8> {
        let key = element(0x30, &[b"\x30\x03\x06\x01\x2A", b"\x03\x02\x00\x07"]);
        element(0x30, &[b"\x02\x01\x00", NAME, &key, attributes])
    }

    #[test]
    fn attributes_are_not_optional() {
        let der = info(b"\xA0\x00");
        let read = CertificationRequestInfo::from_der(&der).unwrap();
        assert_eq!(encode(&read).unwrap(), der);
        let without = info(b"");
        let error = CertificationRequestInfo::from_der(&without).unwrap_err();
        assert_eq!((error.code(), error.offset()), ("request-attributes", 2));
        let options = Options::der().allow(&profile::REQUEST_ATTRIBUTES);
        let read = options.decode::<CertificationRequestInfo<'_>>(&without).unwrap();
        assert!(read.value.attributes.is_empty());
        assert_eq!(read.deviations.len(), 1);
    }
}

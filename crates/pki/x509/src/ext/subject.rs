//! Subject attributes (RFC 5280 §4.2.1.8) and organization identifiers (CA/Browser Forum).

use tagwise_codec::{Any, Oid, SeqOf, SetOf};
#[cfg(feature = "rare-extensions")]
use tagwise_codec::{Printable, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// SubjectDirectoryAttributes ::= SEQUENCE SIZE (1..MAX) OF Attribute
/// ```
///
/// Attributes of the subject (RFC 5280 §4.2.1.8).
///
/// ```
/// use tagwise_codec::{Decode, oid};
/// use tagwise_x509::ext::SubjectDirectoryAttributes;
/// // countryOfCitizenship (RFC 3739 §3.2.2): DE.
/// let der = b"\x30\x12\x30\x10\x06\x08\x2B\x06\x01\x05\x05\x07\x09\x04\x31\x04\x13\x02DE";
/// let attributes = SubjectDirectoryAttributes::from_der(der)?;
/// let attribute = attributes.0.iter().next().unwrap()?;
/// assert_eq!(attribute.attr_type, oid!("1.3.6.1.5.5.7.9.4"));
/// assert_eq!(attribute.values.iter().next().unwrap()?.content(), b"DE");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..))]
pub struct SubjectDirectoryAttributes<'a>(
    /// The attributes.
    pub SeqOf<'a, Attribute<'a>>,
);

/// ```asn1
/// Attribute               ::= SEQUENCE {
///      type             AttributeType,
///      values    SET OF AttributeValue }
///            -- at least one value is required
/// ```
///
/// An attribute (RFC 5280 §A.1). Only the structure of its values is checked.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Attribute<'a> {
    /// The type of the values.
    #[asn1(name = "type")]
    pub attr_type: Oid<'a>,
    /// The values.
    #[asn1(size(1..))]
    pub values: SetOf<'a, Any<'a>>,
}

/// ```asn1
/// CABFOrganizationIdentifier ::= SEQUENCE {
///     registrationSchemeIdentifier   PrintableString (SIZE(3)),
///     registrationCountry            PrintableString (SIZE(2)),
///     registrationStateOrProvince    [0] IMPLICIT PrintableString OPTIONAL (SIZE(0..128)),
///     registrationReference          UTF8String }
/// ```
///
/// An organization's registration (CA/Browser Forum, Extended Validation Guidelines §7.1.2.2; before 2.0.0, §9.8.2).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::CabfOrganizationIdentifier;
/// let organization = CabfOrganizationIdentifier::from_der(b"\x30\x0E\x13\x03VAT\x13\x02DE\x0C\x03123")?;
/// assert_eq!(organization.registration_reference.as_str(), "123");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[cfg(feature = "rare-extensions")]
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "CABFOrganizationIdentifier")]
pub struct CabfOrganizationIdentifier<'a> {
    /// The registration scheme, such as `NTR`, `VAT` or `PSD`.
    #[asn1(size(3))]
    pub registration_scheme_identifier: Printable<'a>,
    /// The country of registration.
    #[asn1(size(2))]
    pub registration_country: Printable<'a>,
    /// The state or province of registration.
    #[asn1(implicit = 0, size(0..=128))]
    pub registration_state_or_province: Option<Printable<'a>>,
    /// The registration number.
    pub registration_reference: Utf8<'a>,
}

/// Logotypes: images and audio that identify communities, issuers and subjects (RFC 9399 §4.1). Their details are in
/// [`logotype`](crate::logotype).
#[cfg(feature = "rare-extensions")]
pub use crate::r#gen::logotype::LogotypeExtn as Logotype;

//! ASN.1 module `PKIX-CommonTypes-2009`, from `PKIX-CommonTypes-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Classes and parameterized types that the other modules share: attributes, extensions, security categories.
//! RFC 5912 §2.

use super::crmf::{RegControlValue, RegInfoValue};
use tagwise_codec::{Any, Oid, Open};
use tagwise_derive::Asn1;

/// An attribute with exactly one value, as in names.
///
/// ```asn1
/// SingleAttribute{ATTRIBUTE:AttrSet} ::= SEQUENCE {
///   type   ATTRIBUTE.&id({AttrSet}),
///   value  ATTRIBUTE.&Type({AttrSet}{@type})
/// }
/// ```
///
/// `SingleAttribute{{ RegControlSet }}`: `PKIX-CommonTypes-2009.asn1`, line 46.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SingleAttribute-RegControlSet")]
pub struct RegControl<'a> {
    /// `type ATTRIBUTE.&id({AttrSet})`.
    #[asn1(name = "type")]
    pub attr_type: Oid<'a>,
    /// `value ATTRIBUTE.&Type({AttrSet}{@type})`.
    #[asn1(defined_by = attr_type)]
    pub value: Open<'a, RegControlValue<'a>>,
}

/// An attribute with exactly one value, as in names.
///
/// ```asn1
/// SingleAttribute{ATTRIBUTE:AttrSet} ::= SEQUENCE {
///   type   ATTRIBUTE.&id({AttrSet}),
///   value  ATTRIBUTE.&Type({AttrSet}{@type})
/// }
/// ```
///
/// `SingleAttribute{{ RegInfoSet }}`: `PKIX-CommonTypes-2009.asn1`, line 46.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SingleAttribute-RegInfoSet")]
pub struct RegInfo<'a> {
    /// `type ATTRIBUTE.&id({AttrSet})`.
    #[asn1(constraints(values(
        b"\x06\x09+\x06\x01\x05\x05\x07\x05\x02\x01",
        b"\x06\x09+\x06\x01\x05\x05\x07\x05\x02\x02"
    )))]
    #[asn1(name = "type")]
    pub attr_type: Oid<'a>,
    /// `value ATTRIBUTE.&Type({AttrSet}{@type})`.
    #[asn1(defined_by = attr_type)]
    pub value: Open<'a, RegInfoValue<'a>>,
}

/// The first tag replaces that of the OBJECT IDENTIFIER. The second encloses the value.
///
/// ```asn1
/// SecurityCategory{SECURITY-CATEGORY:Supported} ::= SEQUENCE {
///   type   [0] IMPLICIT SECURITY-CATEGORY.&id({Supported}),
///   value  [1] EXPLICIT SECURITY-CATEGORY.&Type({Supported}{@type})
/// }
/// ```
///
/// `SecurityCategory{{ SupportedSecurityCategories }}`: `PKIX-CommonTypes-2009.asn1`, line 76.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SecurityCategory-SupportedSecurityCategories")]
pub struct SecurityCategory<'a> {
    /// `type [0] IMPLICIT SECURITY-CATEGORY.&id({Supported})`.
    #[asn1(implicit = 0, name = "type")]
    pub category_type: Oid<'a>,
    /// `value [1] EXPLICIT SECURITY-CATEGORY.&Type({Supported}{@type})`.
    #[asn1(explicit = 1)]
    pub value: Any<'a>,
}

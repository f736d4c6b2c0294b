//! ASN.1 module `ContentCollectionModule-2010`, from `ContentCollectionModule-2010.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Several contents in one, and contents with attributes.
//! RFC 4073, in the form of RFC 6268 §4.

use super::cms::ContentInfo;
use tagwise_codec::{Oid, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// id-ct-contentCollection OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) ct(1) 19 }
/// ```
///
/// `ContentCollectionModule-2010.asn1`, line 23.
pub const ID_CT_CONTENT_COLLECTION: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.19");

/// ```asn1
/// ContentCollection ::= SEQUENCE SIZE (1..MAX) OF ContentInfo
/// ```
///
/// `ContentCollectionModule-2010.asn1`, line 26.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), convert)]
pub struct ContentCollection<'a>(
    /// The wrapped value.
    pub SeqOf<'a, ContentInfo<'a>>,
);

/// ```asn1
/// id-ct-contentWithAttrs OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) smime(16) ct(1) 20 }
/// ```
///
/// `ContentCollectionModule-2010.asn1`, line 33.
pub const ID_CT_CONTENT_WITH_ATTRS: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.1.20");

/// ```asn1
/// ContentWithAttributes ::= SEQUENCE {
///   content  ContentInfo,
///   attrs    SEQUENCE SIZE (1..MAX) OF AttributeSet{{ContentAttributeSet}}
/// }
/// ```
///
/// `ContentCollectionModule-2010.asn1`, line 36.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ContentWithAttributes<'a> {
    /// `content ContentInfo`.
    pub content: ContentInfo<'a>,
    /// `attrs SEQUENCE SIZE (1..MAX) OF AttributeSet{{ContentAttributeSet}}`.
    #[asn1(size(1..))]
    pub attrs: SeqOf<'a, tagwise_x509::ext::Attribute<'a>>,
}

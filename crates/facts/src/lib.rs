//! Object identifiers by name: a table of those that certificates, CRLs, OCSP, CMS, Kerberos and LDAP messages hold, as data.
//!
//! Every entry is a constant too, and an identifier is written nowhere else: code names the constant. The table knows names and where they come from; what a thing means is said elsewhere.
//! Policies of single certification authorities are not listed.
//!
//! ```
//! use tagwise_facts as oids;
//! let info = oids::lookup(oids::COMMON_NAME).unwrap();
//! assert_eq!((info.name, info.short, info.standard), ("commonName", Some("CN"), "X.520"));
//! assert_eq!(oids::by_name("cn").unwrap().oid, oids::COMMON_NAME);
//! assert_eq!(oids::by_dotted("1.2.840.113549.1.1.11").unwrap().name, "sha256WithRSAEncryption");
//! ```
#![forbid(unsafe_code)]

pub mod openssl;

use core::fmt;

use tagwise_codec::Oid;
use tagwise_codec::value::from_dotted;

/// One object identifier: its names and where they are defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// The identifier.
    pub oid: Oid<'static>,
    /// The name that its standard gives it. Attribute types and extensions have the name of the type (`commonName`), others
    /// that of the identifier (`id-kp-serverAuth`). Where there is none, or another identifier has it, the name describes.
    pub name: &'static str,
    /// A customary shorter name, if there is one: `CN`, `serverAuth`.
    pub short: Option<&'static str>,
    /// The standard that defines it, or who does.
    pub standard: &'static str,
    /// Kind of the identified thing.
    pub kind: Kind,
}

impl Info {
    /// The shortest name: the customary one, else the standard's.
    #[must_use]
    pub const fn short_name(&self) -> &'static str {
        match self.short {
            Some(short) => short,
            None => self.name,
        }
    }
}

/// Kind of the thing that an object identifier identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// An attribute type of a name, a directory entry or an attribute certificate.
    Attribute,
    /// An extension of a certificate, a CRL, a CRL entry or an OCSP message.
    Extension,
    /// A key purpose of the extended key usage extension.
    KeyPurpose,
    /// An access method of authority or subject information access.
    AccessMethod,
    /// A certificate policy.
    Policy,
    /// A qualifier of a certificate policy.
    PolicyQualifier,
    /// A statement of the qualified certificate statements extension, or a value of one.
    QcStatement,
    /// The form of an `otherName`.
    OtherName,
    /// A public key algorithm that signs nothing, or that keys of several signature algorithms share.
    PublicKey,
    /// A signature algorithm; where its keys have the same identifier, of those too.
    Signature,
    /// An elliptic curve, or a parameter set that stands for one.
    Curve,
    /// A digest algorithm.
    Digest,
    /// A message authentication code.
    Mac,
    /// A content encryption algorithm.
    Cipher,
    /// A key transport, key agreement or key wrap algorithm.
    KeyManagement,
    /// A key derivation or mask generation function, or a password-based scheme.
    Derivation,
    /// A content type of CMS.
    ContentType,
    /// An attribute of a CMS message, a certification request or a PKCS #12 bag.
    CmsAttribute,
    /// A bag of PKCS #12, or what is in one.
    Bag,
    /// A message or control of CMP, CMC, CRMF or SCVP.
    Management,
    /// A control, an operation, a feature, a syntax or a matching rule of LDAP.
    Directory,
    /// A mechanism or a name type of GSS-API.
    Mechanism,
    /// Anything else.
    Other,
}

impl Kind {
    /// The kind in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Attribute => "attribute type",
            Self::Extension => "extension",
            Self::KeyPurpose => "key purpose",
            Self::AccessMethod => "access method",
            Self::Policy => "certificate policy",
            Self::PolicyQualifier => "policy qualifier",
            Self::QcStatement => "qualified certificate statement",
            Self::OtherName => "other name form",
            Self::PublicKey => "public key algorithm",
            Self::Signature => "signature algorithm",
            Self::Curve => "elliptic curve",
            Self::Digest => "digest algorithm",
            Self::Mac => "message authentication code",
            Self::Cipher => "content encryption algorithm",
            Self::KeyManagement => "key management algorithm",
            Self::Derivation => "key derivation function",
            Self::ContentType => "content type",
            Self::CmsAttribute => "message attribute",
            Self::Bag => "PKCS #12 bag",
            Self::Management => "certificate management item",
            Self::Directory => "directory item",
            Self::Mechanism => "GSS-API mechanism or name type",
            Self::Other => "object",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// `Kind "standard" { CONSTANT = "dotted", "name", "short"; }`: constants and the part of the table that lists them.
macro_rules! oids {
    ($($kind:ident $standard:literal {
        $($constant:ident = $dotted:literal, $name:literal $(, $short:literal)?;)*
    })*) => {
        use tagwise_codec::{Oid, oid};

        use super::{Info, Kind};

        $($(
            #[doc = concat!("`", $name, "`: ", $dotted, " (", $standard, ").")]
            pub const $constant: Oid<'static> = oid!($dotted);
        )*)*

        pub(super) const TABLE: &[Info] = &[$($(
            Info {
                oid: $constant,
                name: $name,
                short: short!($($short)?),
                standard: $standard,
                kind: Kind::$kind,
            },
        )*)*];
    };
}

macro_rules! short {
    () => {
        None
    };
    ($short:literal) => {
        Some($short)
    };
}

mod algorithms;
mod attributes;
mod curves;
mod directory;
mod extensions;
#[expect(clippy::indexing_slicing, reason = "constant evaluation: what is out of bounds is a compile error")]
mod index;
mod messages;
mod primitives;
mod purposes;

pub use algorithms::*;
pub use attributes::*;
pub use curves::*;
pub use directory::*;
pub use extensions::*;
pub use messages::*;
pub use primitives::*;
pub use purposes::*;

/// Every entry, in the order of the table.
#[must_use]
pub fn all() -> &'static [Info] {
    &index::ALL
}

/// The entry of an identifier.
///
/// ```
/// use tagwise_codec::oid;
/// use tagwise_facts::{Kind, lookup};
/// assert_eq!(lookup(oid!("2.5.29.19")).map(|info| (info.name, info.kind)), Some(("basicConstraints", Kind::Extension)));
/// assert_eq!(lookup(oid!("2.999")), None);
/// ```
#[inline]
#[must_use]
pub fn lookup(oid: Oid<'_>) -> Option<&'static Info> {
    index::by_octets(oid.as_bytes())
}

/// The entry with that name or short name; letters match in either case.
///
/// ```
/// use tagwise_facts as oids;
/// assert_eq!(oids::by_name("SHA256withRSAencryption").unwrap().oid, oids::SHA256_WITH_RSA_ENCRYPTION);
/// assert_eq!(oids::by_name("serverAuth").unwrap().name, "id-kp-serverAuth");
/// assert!(oids::by_name("no such name").is_none());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Info> {
    index::by_name(name)
}

/// The entry of an identifier in dotted form.
///
/// ```
/// use tagwise_facts as oids;
/// assert_eq!(oids::by_dotted("2.5.4.3").unwrap().oid, oids::COMMON_NAME);
/// assert!(oids::by_dotted("2.5.4.03").is_none());
/// ```
#[must_use]
pub fn by_dotted(text: &str) -> Option<&'static Info> {
    from_dotted(text).and_then(|octets| index::by_octets(&octets))
}

#[cfg(test)]
mod tests;

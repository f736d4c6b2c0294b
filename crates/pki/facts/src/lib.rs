//! Object identifiers with names, for certificates, CRLs, OCSP, CMS, Kerberos and LDAP.
//!
//! [`files`] lists the kinds of values in files, with their PEM labels.
//!
//! Every entry is also a constant, which code uses instead of repeating the identifier. The table only contains names
//! and their sources, and does not implement their meanings. Policies of individual CAs are not included.
//!
//! ```
//! use tagwise_facts as oids;
//! let info = oids::lookup(oids::COMMON_NAME).unwrap();
//! assert_eq!((info.name, info.short, info.standard), ("commonName", Some("CN"), "X.520"));
//! assert_eq!(oids::by_name("cn").unwrap().oid, oids::COMMON_NAME);
//! assert_eq!(oids::by_dotted("1.2.840.113549.1.1.11").unwrap().name, "sha256WithRSAEncryption");
//! ```
#![forbid(unsafe_code)]

pub mod files;
pub mod openssl;

use core::fmt;

use tagwise_codec::Oid;
use tagwise_codec::value::from_dotted;

/// An object identifier with its names and defining standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// The identifier.
    pub oid: Oid<'static>,
    /// The standard name. For attribute types and extensions, this is the type's name (`commonName`), otherwise the
    /// identifier's (`id-kp-serverAuth`). If there is none, or it is already used, the name is descriptive.
    pub name: &'static str,
    /// The usual short name, if any, such as `CN` or `serverAuth`.
    pub short: Option<&'static str>,
    /// The defining standard or organization.
    pub standard: &'static str,
    /// The kind of object.
    pub kind: ObjectKind,
}

impl Info {
    /// Returns the short name if there is one, otherwise the standard name.
    #[must_use]
    pub const fn short_name(&self) -> &'static str {
        match self.short {
            Some(short) => short,
            None => self.name,
        }
    }
}

/// The kind of object that an object identifier identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ObjectKind {
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
    /// The type of an `otherName`.
    OtherName,
    /// A public key algorithm that is not itself a signature algorithm, such as `id-ecPublicKey`.
    PublicKey,
    /// A signature algorithm, including its keys if they have the same identifier.
    Signature,
    /// An elliptic curve, or a parameter set that identifies one.
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
    /// An attribute of a CMS message, certification request or PKCS #12 bag.
    CmsAttribute,
    /// A PKCS #12 bag, or its content type.
    Bag,
    /// A message or control of CMP, CMC, CRMF or SCVP.
    Management,
    /// An LDAP control, operation, feature, syntax or matching rule.
    Directory,
    /// A GSS-API mechanism or name type.
    Mechanism,
    /// Any other object.
    Other,
}

impl ObjectKind {
    /// A description of the kind.
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

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The object identifiers of one part of the table, parsed from their dotted forms. Used only in constant expressions.
struct Parsed<const COUNT: usize> {
    octets: [[u8; LONGEST]; COUNT],
    /// The end of each identifier in the concatenated bytes.
    ends: [usize; COUNT],
}

/// The longest content of an identifier in the table, in bytes.
const LONGEST: usize = 24;

#[expect(clippy::indexing_slicing, clippy::panic, reason = "constant evaluation: what fails does not compile")]
impl<const COUNT: usize> Parsed<COUNT> {
    const fn new(texts: &[&str; COUNT]) -> Self {
        let mut parsed = Self { octets: [[0; LONGEST]; COUNT], ends: [0; COUNT] };
        let (mut index, mut end) = (0, 0);
        while index < COUNT {
            end += tagwise_codec::oid_text_into(texts[index], &mut parsed.octets[index]);
            parsed.ends[index] = end;
            index += 1;
        }
        parsed
    }

    const fn len(&self) -> usize {
        self.ends[COUNT - 1]
    }

    /// Concatenates the bytes of all identifiers.
    const fn octets<const LEN: usize>(&self) -> [u8; LEN] {
        let mut octets = [0; LEN];
        let (mut index, mut at) = (0, 0);
        while index < COUNT {
            let start = at;
            while at < self.ends[index] {
                octets[at] = self.octets[index][at - start];
                at += 1;
            }
            index += 1;
        }
        octets
    }

    /// Returns the identifier at an index.
    const fn get<'o>(&self, octets: &'o [u8], index: usize) -> Oid<'o> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let (octets, _) = octets.split_at(self.ends[index]);
        match Oid::from_content(octets.split_at(start).1) {
            Ok(oid) => oid,
            Err(_) => panic!("not an object identifier"),
        }
    }
}

/// Defines constants and the part of the table that lists them: `ObjectKind "standard" { CONSTANT = "dotted", "name", "short";
/// }`.
macro_rules! oids {
    ($($kind:ident $standard:literal {
        $($constant:ident = $dotted:literal, $name:literal $(, $short:literal)?;)*
    })*) => {
        use tagwise_codec::Oid;

        use super::{Info, ObjectKind, Parsed};

        /// The order of the entries.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "named as the constants")]
        enum RowIndex {
            $($($constant,)*)*
        }

        // All identifiers together: a constant expression with its own array for each would take most of this crate's build.
        const COUNT: usize = [$($(RowIndex::$constant as usize),*),*].len();
        const PARSED: &Parsed<COUNT> = &Parsed::new(&[$($($dotted),*),*]);
        const OCTETS: &[u8; PARSED.len()] = &PARSED.octets();

        $($(
            #[doc = concat!("`", $name, "`: ", $dotted, " (", $standard, ").")]
            pub const $constant: Oid<'static> = PARSED.get(OCTETS, RowIndex::$constant as usize);
        )*)*

        pub(super) const TABLE: &[Info] = &[$($(
            Info {
                oid: $constant,
                name: $name,
                short: short!($($short)?),
                standard: $standard,
                kind: ObjectKind::$kind,
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

/// Iterates over all entries in table order.
pub fn all() -> impl Iterator<Item = &'static Info> {
    index::ALL.iter()
}

/// Returns the entry for an identifier.
///
/// ```
/// use tagwise_codec::oid;
/// use tagwise_facts::{ObjectKind, lookup};
/// assert_eq!(lookup(oid!("2.5.29.19")).map(|info| (info.name, info.kind)), Some(("basicConstraints", ObjectKind::Extension)));
/// assert_eq!(lookup(oid!("2.999")), None);
/// ```
#[must_use]
pub fn lookup(oid: Oid<'_>) -> Option<&'static Info> {
    index::ALL.by_octets(oid.as_bytes())
}

/// Returns the entry for an attribute type. If a program uses no other lookup function, the other entries are not linked
/// into it.
///
/// ```
/// use tagwise_facts as oids;
/// assert_eq!(oids::attribute(oids::COMMON_NAME).map(|info| info.name), Some("commonName"));
/// assert_eq!(oids::attribute(oids::BASIC_CONSTRAINTS), None);
/// ```
#[must_use]
pub fn attribute(oid: Oid<'_>) -> Option<&'static Info> {
    index::ATTRIBUTES.by_octets(oid.as_bytes())
}

/// Returns the entry for an attribute type with the given name or short name, ignoring case: see [`attribute`].
///
/// ```
/// use tagwise_facts as oids;
/// assert_eq!(oids::attribute_by_name("cn").map(|info| info.oid), Some(oids::COMMON_NAME));
/// assert_eq!(oids::attribute_by_name("basicConstraints"), None);
/// ```
#[must_use]
pub fn attribute_by_name(name: &str) -> Option<&'static Info> {
    index::ATTRIBUTES.by_name(name)
}

/// Returns the entry with the given name or short name, ignoring case.
///
/// ```
/// use tagwise_facts as oids;
/// assert_eq!(oids::by_name("SHA256withRSAencryption").unwrap().oid, oids::SHA256_WITH_RSA_ENCRYPTION);
/// assert_eq!(oids::by_name("serverAuth").unwrap().name, "id-kp-serverAuth");
/// assert!(oids::by_name("no such name").is_none());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Info> {
    index::ALL.by_name(name)
}

/// Returns the entry for a dotted identifier.
///
/// ```
/// use tagwise_facts as oids;
/// assert_eq!(oids::by_dotted("2.5.4.3").unwrap().oid, oids::COMMON_NAME);
/// assert!(oids::by_dotted("2.5.4.03").is_none());
/// ```
#[must_use]
pub fn by_dotted(text: &str) -> Option<&'static Info> {
    from_dotted(text).and_then(|octets| index::ALL.by_octets(&octets))
}

#[cfg(test)]
mod tests;

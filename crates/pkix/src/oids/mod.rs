//! Object identifiers by name: a table of those that certificates, CRLs, OCSP, CMS, Kerberos and LDAP messages hold, as data.
//!
//! Every entry is a constant too. The table knows names and where they come from; what a thing means is said elsewhere.
//! Policies of single certification authorities are not listed.
//!
//! ```
//! use tagwise_pkix::oids;
//! let info = oids::lookup(oids::COMMON_NAME).unwrap();
//! assert_eq!((info.name, info.short, info.standard), ("commonName", Some("CN"), "X.520"));
//! assert_eq!(oids::by_name("cn").unwrap().oid, oids::COMMON_NAME);
//! assert_eq!(oids::by_dotted("1.2.840.113549.1.1.11").unwrap().name, "sha256WithRSAEncryption");
//! ```

use core::fmt;

use tagwise_codec::Oid;

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
    /// What it identifies.
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

/// What an object identifier identifies.
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
/// use tagwise_pkix::oids::{Kind, lookup};
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
/// use tagwise_pkix::oids;
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
/// use tagwise_pkix::oids;
/// assert_eq!(oids::by_dotted("2.5.4.3").unwrap().oid, oids::COMMON_NAME);
/// assert!(oids::by_dotted("2.5.4.03").is_none());
/// ```
#[must_use]
pub fn by_dotted(text: &str) -> Option<&'static Info> {
    let mut octets = Vec::new();
    push_dotted(text, &mut octets).then(|| index::by_octets(&octets)).flatten()
}

/// Appends the content octets of an identifier in dotted form, with arcs of any size; says whether the text is one, and
/// leaves what is behind the end of `octets` undefined if it is not.
///
/// Texts above [`MAX_DOTTED`] octets are refused: the conversion of one arc takes quadratic time.
pub(crate) fn push_dotted(text: &str, octets: &mut Vec<u8>) -> bool {
    if text.len() > MAX_DOTTED {
        return false;
    }
    let mut arcs = text.split('.');
    let (Some(root), Some(second)) = (arcs.next(), arcs.next()) else { return false };
    let root = match root {
        "0" => 0,
        "1" => 1,
        "2" => 2,
        _ => return false,
    };
    // X.690 §8.19.4: below root arcs 0 and 1 the second arc is at most 39.
    if root < 2 && !(second.len() == 1 || (second.len() == 2 && second.as_bytes() < b"40".as_slice())) {
        return false;
    }
    push_arc(second, root * 40, octets) && arcs.all(|arc| push_arc(arc, 0, octets))
}

/// The longest dotted text that is read.
pub(crate) const MAX_DOTTED: usize = 1024;

fn push_arc(digits: &str, add: u8, octets: &mut Vec<u8>) -> bool {
    let minimal = digits == "0" || !digits.starts_with('0');
    if digits.is_empty() || !minimal || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return false;
    }
    // Base 128, least significant group first: multiply by ten and add a digit, and at last what the root arc adds.
    let start = octets.len();
    let mut step = |factor: u16, add: u8| {
        let mut carry = u16::from(add);
        for group in octets.iter_mut().skip(start) {
            let wide = u16::from(*group) * factor + carry;
            *group = (wide & 0x7F) as u8;
            carry = wide >> 7;
        }
        while carry != 0 {
            octets.push((carry & 0x7F) as u8);
            carry >>= 7;
        }
    };
    digits.bytes().for_each(|digit| step(10, digit - b'0'));
    step(1, add);
    if octets.len() == start {
        octets.push(0);
    }
    if let Some(arc) = octets.get_mut(start..) {
        arc.iter_mut().skip(1).for_each(|group| *group |= 0x80);
        arc.reverse();
    }
    true
}

#[cfg(test)]
mod tests;

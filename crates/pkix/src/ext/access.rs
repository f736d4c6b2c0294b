//! Where to find more about issuer or subject (RFC 5280 §4.2.2).

use tagwise_codec::{Oid, SeqOf};
use tagwise_derive::Asn1;

use crate::ext::GeneralName;

/// ```asn1
/// AuthorityInfoAccessSyntax  ::=
///         SEQUENCE SIZE (1..MAX) OF AccessDescription
/// ```
///
/// RFC 5280 §4.2.2.1, §5.2.7.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_pkix::{ext::AuthorityInfoAccess, oids};
/// let der = b"\x30\x17\x30\x15\x06\x08\x2B\x06\x01\x05\x05\x07\x30\x01\x86\x09http://a/";
/// let access = AuthorityInfoAccess::from_der(der)?;
/// let responders: Vec<String> = access.locations(oids::AD_OCSP).map(|name| name.to_string()).collect();
/// assert_eq!(responders, ["URI:http://a/"]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AuthorityInfoAccessSyntax", size(1..))]
pub struct AuthorityInfoAccess<'a>(
    /// The descriptions.
    pub SeqOf<'a, AccessDescription<'a>>,
);

/// ```asn1
/// SubjectInfoAccessSyntax  ::=
///         SEQUENCE SIZE (1..MAX) OF AccessDescription
/// ```
///
/// RFC 5280 §4.2.2.2.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SubjectInfoAccessSyntax", size(1..))]
pub struct SubjectInfoAccess<'a>(
    /// The descriptions.
    pub SeqOf<'a, AccessDescription<'a>>,
);

/// ```asn1
/// AccessDescription  ::=  SEQUENCE {
///         accessMethod          OBJECT IDENTIFIER,
///         accessLocation        GeneralName  }
/// ```
///
/// RFC 5280 §4.2.2.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AccessDescription<'a> {
    /// What is there: [`oids`](crate::oids) has the methods that are known.
    pub access_method: Oid<'a>,
    /// Where.
    pub access_location: GeneralName<'a>,
}

macro_rules! locations {
    ($($ty:ident),*) => {$(
        impl<'a> $ty<'a> {
            /// The locations for an access method, in their order, up to the first that does not decode.
            pub fn locations(&self, method: Oid<'_>) -> impl Iterator<Item = GeneralName<'a>> {
                let found = self.0.iter().map_while(Result::ok).filter(move |found| found.access_method == method);
                found.map(|found| found.access_location)
            }
        }
    )*};
}

locations!(AuthorityInfoAccess, SubjectInfoAccess);

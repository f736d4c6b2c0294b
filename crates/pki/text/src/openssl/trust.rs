//! OpenSSL's trust settings, which follow a certificate in `TRUSTED CERTIFICATE` (`X509_aux_print`).

use core::fmt::{self, Write};

use tagwise_codec::Oid;

use crate::openssl::objects;
use crate::openssl::octets::raw;
use crate::openssl::walk::{OCTET_STRING, OID, SEQUENCE, Seq, UTF8};

/// OpenSSL's trust settings for a certificate: its purposes and alias.
///
/// ```asn1
/// X509_CERT_AUX ::= SEQUENCE {
///     trust   SEQUENCE OF OBJECT IDENTIFIER OPTIONAL,
///     reject  [0] IMPLICIT SEQUENCE OF OBJECT IDENTIFIER OPTIONAL,
///     alias   UTF8String OPTIONAL,
///     keyid   OCTET STRING OPTIONAL,
///     other   [1] IMPLICIT SEQUENCE OF AlgorithmIdentifier OPTIONAL }
/// ```
///
/// In a `TRUSTED CERTIFICATE` PEM block, they follow the certificate's DER.
///
/// ```
/// use tagwise_text::openssl::TrustSettings;
/// // An alias.
/// let settings = TrustSettings::read(b"\x30\x06\x0C\x04root").unwrap();
/// assert_eq!(settings.alias, Some(&b"root"[..]));
/// assert_eq!(settings.to_string(), "No Trusted Uses.\nNo Rejected Uses.\nAlias: root\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrustSettings<'a> {
    /// The trusted purposes: `None` if unspecified, an empty list for none.
    pub trusted: Option<Vec<Oid<'a>>>,
    /// The rejected purposes.
    pub rejected: Option<Vec<Oid<'a>>>,
    /// The alias, usually in UTF-8.
    pub alias: Option<&'a [u8]>,
    /// The key identifier.
    pub key_id: Option<&'a [u8]>,
}

impl<'a> TrustSettings<'a> {
    /// Decodes the settings. Returns `None` if they are malformed.
    #[must_use]
    pub fn read(der: &'a [u8]) -> Option<Self> {
        let mut seq = Seq::whole(der)?;
        let trusted = seq.optional(SEQUENCE);
        let rejected = seq.optional(0xA0);
        let (alias, key_id) = (seq.optional(UTF8), seq.optional(OCTET_STRING));
        // The field `other` is unused.
        seq.optional(0xA1);
        seq.end()?;
        Some(Self {
            trusted: trusted.map_or(Some(None), |list| purposes(list).map(Some))?,
            rejected: rejected.map_or(Some(None), |list| purposes(list).map(Some))?,
            alias,
            key_id,
        })
    }
}

fn purposes(list: &[u8]) -> Option<Vec<Oid<'_>>> {
    let mut found = Vec::new();
    Seq(list).each(|element| {
        let oid = Oid::from_content(element.content).ok().filter(|_| element.tag == OID)?;
        found.push(oid);
        Some(())
    })?;
    Some(found)
}

impl fmt::Display for TrustSettings<'_> {
    /// Writes the settings in the format of `openssl x509 -text`, which prints them after the certificate.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, list) in [("Trusted", &self.trusted), ("Rejected", &self.rejected)] {
            let Some(list) = list else {
                writeln!(f, "No {what} Uses.")?;
                continue;
            };
            write!(f, "{what} Uses:\n  ")?;
            for (index, purpose) in list.iter().enumerate() {
                f.write_str(if index > 0 { ", " } else { "" })?;
                objects::long(purpose.as_bytes(), f)?;
            }
            f.write_char('\n')?;
        }
        if let Some(alias) = self.alias {
            f.write_str("Alias: ")?;
            raw(alias, f)?;
            f.write_char('\n')?;
        }
        if let Some(id) = self.key_id {
            f.write_str("Key Id: ")?;
            for (index, octet) in id.iter().enumerate() {
                write!(f, "{}{octet:02X}", if index > 0 { ":" } else { "" })?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

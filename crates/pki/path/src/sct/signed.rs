//! The bytes signed by a log (RFC 6962 §3.2), for a certificate and for its precertificate.

use tagwise_codec::{Any, Decode, Tag};
use tagwise_pkix::build::Digest;
use tagwise_pkix::ext::SctV1;
use tagwise_pkix::oids;

/// A log entry as covered by a timestamp's signature (RFC 6962 §3.2).
///
/// ```
/// use tagwise_path::LogEntry;
/// // A TBSCertificate without fields has no timestamps to remove.
/// let entry = LogEntry::precert(&[0x30, 0], b"key").unwrap();
/// assert!(matches!(entry, LogEntry::Precert(hash, tbs) if hash.len() == 32 && tbs == [0x30, 0]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// `x509_entry(0)`: the certificate.
    X509(Vec<u8>),
    /// `precert_entry(1)`: the SHA-256 hash of the issuer's key, and the TBSCertificate without the SCT list extension.
    Precert(Vec<u8>, Vec<u8>),
}

impl LogEntry {
    /// Reconstructs a precertificate entry from the TBSCertificate of a certificate or precertificate, and the issuer's key as a
    /// SubjectPublicKeyInfo in DER. Returns `None` if the TBSCertificate cannot be parsed.
    ///
    /// The entry's issuer is the certificate's issuer, even if a different key signed the precertificate (§3.1).
    #[must_use]
    pub fn precert(tbs: &[u8], issuer_key: &[u8]) -> Option<Self> {
        Some(Self::Precert(Digest::Sha256.of(issuer_key), precertificate_tbs(tbs)?))
    }

    /// Returns the bytes that the log signed, or `None` if the entry exceeds the maximum length.
    ///
    /// ```text
    /// digitally-signed struct {
    ///     Version sct_version;
    ///     SignatureType signature_type = certificate_timestamp;
    ///     uint64 timestamp;
    ///     LogEntryType entry_type;
    ///     select(entry_type) {
    ///         case x509_entry: ASN.1Cert;
    ///         case precert_entry: PreCert;
    ///     } signed_entry;
    ///     CtExtensions extensions;
    /// };
    /// ```
    #[must_use]
    pub fn signed(&self, sct: &SctV1<'_>) -> Option<Vec<u8>> {
        let mut out = vec![0, 0];
        out.extend(sct.timestamp.to_be_bytes());
        match self {
            Self::X509(der) => {
                out.extend([0, 0]);
                vector(der, 3, &mut out)?;
            }
            Self::Precert(key_hash, tbs) => {
                out.extend([0, 1]);
                out.extend(key_hash);
                vector(tbs, 3, &mut out)?;
            }
        }
        vector(sct.extensions, 2, &mut out)?;
        Some(out)
    }
}

/// Appends a TLS vector, `opaque <0..2^(8·width)-1>`.
fn vector(octets: &[u8], width: usize, out: &mut Vec<u8>) -> Option<()> {
    let len = u32::try_from(octets.len()).ok()?.to_be_bytes();
    let (high, low) = len.split_at_checked(4_usize.checked_sub(width)?)?;
    if high.iter().any(|octet| *octet != 0) {
        return None;
    }
    out.extend(low);
    out.extend(octets);
    Some(())
}

/// Removes the SCT list extension and the poison extension from a TBSCertificate. If there is no other extension, removes the
/// extensions field (RFC 6962 §3.2). A certificate and its precertificate have the same result. Returns `None` if the
/// TBSCertificate cannot be parsed.
///
/// ```
/// use tagwise_path::precertificate_tbs;
/// assert_eq!(precertificate_tbs(&[0x30, 3, 2, 1, 5]), Some(vec![0x30, 3, 2, 1, 5]));
/// assert_eq!(precertificate_tbs(&[0x30, 3, 2]), None);
/// ```
#[must_use]
pub fn precertificate_tbs(tbs: &[u8]) -> Option<Vec<u8>> {
    let extensions = Tag::context(3).constructed();
    let mut fields = Vec::with_capacity(tbs.len());
    for field in Any::outline(tbs).ok()?.children() {
        let field = field.ok()?;
        if field.tag() != extensions {
            fields.extend(field.as_bytes());
            continue;
        }
        let list = field.children().next()?.ok()?;
        let mut kept = Vec::with_capacity(list.as_bytes().len());
        for extension in list.children() {
            let extension = extension.ok()?;
            let id = extension.children().next()?.ok()?;
            let removed = [oids::SIGNED_CERTIFICATE_TIMESTAMP_LIST, oids::CT_POISON];
            if !removed.iter().any(|known| id.content() == known.as_bytes()) {
                kept.extend(extension.as_bytes());
            }
        }
        if !kept.is_empty() {
            fields.extend(element(0xA3, &element(0x30, &kept)));
        }
    }
    Some(element(0x30, &fields))
}

/// Encodes an element with a definite length.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    let len = content.len();
    if len < 0x80 {
        out.push(len as u8);
    } else {
        let octets = len.to_be_bytes();
        let zeros = octets.iter().take_while(|octet| **octet == 0).count();
        out.push(0x80 | (octets.len() - zeros) as u8);
        out.extend(octets.iter().skip(zeros));
    }
    out.extend(content);
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// Returns a certificate with timestamps, and the TBSCertificate of its precertificate as another implementation rebuilds it.
    #[test]
    fn a_precertificate_of_the_corpora() {
        let Some(folder) = tagwise_testing::corpus("pyca") else { return };
        let read = |name: &str| std::fs::read(folder.join("x509").join(name)).unwrap();
        let pem = read("cryptography-scts.pem");
        let leaf = tagwise_codec::pem::blocks(&pem).next().unwrap().unwrap().decode().unwrap();
        let leaf = tagwise_pkix::Certificate::from_der(&leaf).unwrap();
        let tbs = leaf.tbs_certificate.as_bytes();
        let rebuilt = precertificate_tbs(tbs).unwrap();
        assert!(rebuilt != tbs && rebuilt == read("cryptography-scts-tbs-precert.der"));
        // Without timestamps it stays as it is.
        assert_eq!(precertificate_tbs(&rebuilt).unwrap(), rebuilt);
    }

    #[test]
    fn lengths() {
        let mut out = Vec::new();
        assert!(vector(&[7; 256], 2, &mut out).is_some() && out.starts_with(&[1, 0, 7]));
        assert!(vector(&[7; 65536], 2, &mut out).is_none() && vector(&[7; 65536], 3, &mut out).is_some());
    }
}

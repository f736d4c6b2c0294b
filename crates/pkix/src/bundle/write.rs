//! Certificates and CRLs as one message of CMS that signs nothing.

use tagwise_codec::{Decode, Error, Options, RuleSet};

use super::{ID_DATA, ID_SIGNED_DATA};
use crate::cert::Certificate;
use crate::crl::CertificateList;

/// The message of certificates and CRLs alone, a "certs-only" or degenerate SignedData (RFC 5652 §5.1, RFC 8551 §3.8), that files
/// with the ending `.p7b` or `.p7c` have. Each stays as it is, octet by octet.
///
/// The message is DER; a SET OF has no order, so both come in the order of their encodings and not in that of a chain.
///
/// ```no_run
/// # let (leaf, intermediate) = (&[][..], &[][..]);
/// let file = tagwise_pkix::certs_only(&[leaf, intermediate], &[])?;
/// assert_eq!(tagwise_pkix::Bundle::read(&file)?.certificates().count(), 2);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
///
/// # Errors
/// What is wrong with the frame of an item that is no certificate, or no CRL: where in that item.
pub fn certs_only(certificates: &[&[u8]], crls: &[&[u8]]) -> Result<Vec<u8>, Error> {
    let certificates = sorted::<Certificate<'_>>(certificates)?;
    let crls = sorted::<CertificateList<'_>>(crls)?;
    let data = element(0x30, &[&element(0x06, &[&ID_DATA])]);
    let mut parts: Vec<Vec<u8>> = vec![vec![0x02, 1, 1], element(0x31, &[]), data];
    if !certificates.is_empty() {
        parts.push(element(0xA0, &certificates));
    }
    if !crls.is_empty() {
        parts.push(element(0xA1, &crls));
    }
    parts.push(element(0x31, &[]));
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    let content = element(0xA0, &[&element(0x30, &parts)]);
    Ok(element(0x30, &[&element(0x06, &[&ID_SIGNED_DATA]), &content]))
}

fn sorted<'a, T: Decode<'a>>(items: &[&'a [u8]]) -> Result<Vec<&'a [u8]>, Error> {
    for item in items {
        Options::der().rules(RuleSet::ALL).outline::<T>(item)?;
    }
    let mut items = items.to_vec();
    items.sort_unstable();
    Ok(items)
}

/// An element of these parts.
pub(crate) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let len: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = Vec::with_capacity(len.saturating_add(10));
    out.push(tag);
    match u8::try_from(len).ok().filter(|len| *len < 0x80) {
        Some(len) => out.push(len),
        None => {
            let octets = len.to_be_bytes();
            let zeros = octets.iter().take_while(|octet| **octet == 0).count();
            let octets = octets.get(zeros..).unwrap_or_default();
            // At most eight.
            out.push(0x80 | octets.len() as u8);
            out.extend_from_slice(octets);
        }
    }
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_certificate_is_refused() {
        assert!(certs_only(&[&[0x30, 0x00]], &[]).is_err());
        assert!(certs_only(&[], &[&[0x30, 0x00]]).is_err());
        let empty = certs_only(&[], &[]).unwrap();
        assert!(crate::cms::ContentInfo::from_der(&empty).is_ok());
    }

    #[test]
    fn lengths() {
        assert_eq!(element(4, &[&[0; 127]])[..2], [4, 127]);
        assert_eq!(element(4, &[&[0; 128]])[..3], [4, 0x81, 128]);
        assert_eq!(element(4, &[&[0; 300]])[..4], [4, 0x82, 1, 44]);
    }
}

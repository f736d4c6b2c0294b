//! Alternate chains (RFC 8555 §7.4.2).

use std::fs::File;
use std::io::Read;
use std::path::Path;

use tagwise_ca::Authority;
use tagwise_codec::{Decode, pem};
use tagwise_crypto::{Backend, verify};
use tagwise_pkix::oids::files::label;
use tagwise_pkix::{Certificate, UnixTime};

use crate::policy::Policy;

/// The maximum size of a file, in bytes.
const MOST: u64 = 1 << 20;

/// The maximum number of certificates in a chain.
const LONGEST: usize = 10;

/// Reads the alternate chains of a policy, in DER. Each begins with a certificate that another CA issued to this one, for
/// the same name and key. Each certificate is signed by the next.
///
/// # Errors
/// The file and the reason, if it is not such a chain.
pub fn alternate_chains(
    policy: &Policy,
    authority: &Authority,
    backend: &dyn Backend,
    now: UnixTime,
) -> Result<Vec<Vec<Vec<u8>>>, String> {
    let read = |path: &std::path::PathBuf| {
        chain(path, authority, backend, now).map_err(|what| format!("alternate-chains: {}: {what}", path.display()))
    };
    policy.alternate_chains.iter().map(read).collect()
}

fn chain(path: &Path, authority: &Authority, backend: &dyn Backend, now: UnixTime) -> Result<Vec<Vec<u8>>, String> {
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut text));
    read.map_err(|error| error.to_string())?;
    if text.len() as u64 > MOST {
        return Err(format!("the file exceeds {MOST} bytes"));
    }
    let mut list = Vec::new();
    for block in pem::blocks(&text) {
        let block = block.map_err(|error| error.to_string())?;
        if block.label() == label::CERTIFICATE {
            list.push(block.decode().map_err(|error| error.to_string())?);
        }
    }
    if !(1..=LONGEST).contains(&list.len()) {
        return Err(format!("{} certificates found, expected 1 to {LONGEST} in PEM", list.len()));
    }
    let certificates = list.iter().map(|der| Certificate::from_der(der));
    let certificates = certificates.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let own = &authority.certificate().tbs_certificate;
    let first = certificates.first().map(|first| &first.tbs_certificate);
    if first.is_none_or(|first| {
        !first.subject.matches(&own.subject) || first.subject_public_key_info != own.subject_public_key_info
    }) {
        return Err("the first certificate is not one of the CA: its subject or key differs".to_owned());
    }
    for (certificate, number) in certificates.iter().zip(1..) {
        let end = certificate.tbs_certificate.validity.not_after.unix();
        if end < now {
            return Err(format!("certificate {number} expired at {end}"));
        }
    }
    for ((lower, upper), number) in certificates.iter().zip(certificates.iter().skip(1)).zip(1..) {
        let (tbs, issuer) = (&lower.tbs_certificate, &upper.tbs_certificate);
        let signature = lower.signature_value.octets().unwrap_or_default();
        let key = &issuer.subject_public_key_info;
        if !tbs.issuer.matches(&issuer.subject)
            || verify(backend, key, &lower.signature_algorithm, tbs.as_bytes(), signature).is_err()
        {
            return Err(format!("certificate {number} was not issued by the next one"));
        }
    }
    Ok(list)
}

//! Audit of a CA's store. It checks that no row was modified, and that all certificates and the last CRL are signed by the
//! CA.

use tagwise_codec::Decode;
use tagwise_crypto::{Backend, verify};
use tagwise_pkix::{Certificate, CertificateList};

use crate::{Authority, Error, Store};

/// The result of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// The number of certificates audited.
    pub certificates: u64,
    /// The findings as text. Empty if there are none.
    pub findings: Vec<String>,
}

/// The most findings that are kept.
const MOST: usize = 1000;

impl Authority {
    /// Audits the store. Checks the digest of every row, the serial number, issuer and signature of every certificate, and the
    /// signature of the last CRL.
    ///
    /// # Errors
    /// Returns any error from the store.
    pub fn audit(&self, store: &mut dyn Store, backend: &dyn Backend) -> Result<Audit, Error> {
        let mut audit = Audit::default();
        let find = |findings: &mut Vec<String>, what: String| {
            if findings.len() < MOST {
                findings.push(what);
            }
        };
        store.damages(self.id, &mut |what| find(&mut audit.findings, what))?;
        let issuer = &self.certificate().tbs_certificate;
        let key = &issuer.subject_public_key_info;
        let (count, findings) = (&mut audit.certificates, &mut audit.findings);
        store.certificates(self.id, &mut |record| {
            *count = count.saturating_add(1);
            if !record.is_known() {
                return Ok(());
            }
            let serial = &record.serial;
            let read = match Certificate::from_der(&record.der) {
                Ok(read) => read,
                Err(error) => {
                    find(findings, format!("the certificate {serial} does not decode: {error}"));
                    return Ok(());
                }
            };
            let tbs = &read.tbs_certificate;
            let signature = read.signature_value.octets().unwrap_or_default();
            if !tbs.issuer.matches(&issuer.subject) {
                find(findings, format!("the certificate {serial} was issued by another CA"));
            } else if let Err(error) = verify(backend, key, &read.signature_algorithm, tbs.as_bytes(), signature) {
                find(findings, format!("the signature of the certificate {serial} does not verify: {error}"));
            }
            Ok(())
        })?;
        if let Some(crl) = store.crl(self.id, None)? {
            let number = crl.number;
            match CertificateList::from_der(&crl.der) {
                Ok(read) => {
                    let signature = read.signature_value.octets().unwrap_or_default();
                    let octets = read.tbs_cert_list.as_bytes();
                    if let Err(error) = verify(backend, key, &read.signature_algorithm, octets, signature) {
                        find(findings, format!("the signature of CRL {number} does not verify: {error}"));
                    }
                }
                Err(error) => find(findings, format!("CRL {number} does not decode: {error}")),
            }
        }
        Ok(audit)
    }
}

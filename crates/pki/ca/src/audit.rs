//! Audits a CA's store: all rows are unmodified, and all certificates and CRLs are signed by the CA.

use tagwise_codec::Decode;
use tagwise_crypto::{Backend, verify_legacy};
use tagwise_pkix::ext::{
    AuthorityKeyIdentifier, DeltaCrlIndicator, DistributionPointName, GeneralName, IssuingDistributionPoint,
};
use tagwise_pkix::{Certificate, CertificateList, TbsCertificate};

use crate::store::{CertificateRecord, CrlRecord, Series, SeriesCrl};
use crate::{Authority, Error, Store};

/// The result of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// The number of audited certificates.
    pub certificates: u64,
    /// The number of audited CRLs.
    pub crls: u64,
    /// The findings as text. Empty if there are none.
    pub findings: Vec<String>,
}

/// The maximum number of findings to keep.
const MOST: usize = 1000;

impl Audit {
    fn find(findings: &mut Vec<String>, what: String) {
        if findings.len() < MOST {
            findings.push(what);
        }
    }
}

impl Authority {
    /// Audits a CA like [`audit`](Self::audit), even if its own row is damaged, with which [`open`](Self::open) fails.
    ///
    /// # Errors
    /// Returns [`Error::NoAuthority`] if there is no CA with this label, or any error from the store.
    pub fn audit_store(store: &mut dyn Store, label: &str, backend: &dyn Backend) -> Result<Audit, Error> {
        let found = store.unchecked_authority(label)?;
        let (id, record) = found.ok_or_else(|| Error::NoAuthority(label.to_owned()))?;
        match Self::of_record(id, record) {
            Ok(authority) => authority.audit(store, backend),
            // Without the CA's certificate, there are only the digests.
            Err(error) => {
                let mut audit = Audit::default();
                store.damages(id, &mut |what| Audit::find(&mut audit.findings, what))?;
                Audit::find(&mut audit.findings, format!("the CA cannot be opened: {error}"));
                Ok(audit)
            }
        }
    }

    /// Audits the store: the digest of every row, the serial number, issuer and signature of every certificate (not the
    /// signatures of an earlier key), the number, dates, issuer and signature of every CRL, that no series has a higher number than the last CRL, and that documents are JSON objects.
    ///
    /// # Errors
    /// Returns any error from the store.
    pub fn audit(&self, store: &mut dyn Store, backend: &dyn Backend) -> Result<Audit, Error> {
        let mut audit = Audit::default();
        let find = Audit::find;
        store.damages(self.id, &mut |what| find(&mut audit.findings, what))?;
        // An imported history may have signatures with SHA-1; each is compared with what the CA itself stored.
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
                find(findings, format!("the certificate {serial} was issued by a different CA"));
            } else if (record.profile != CertificateRecord::ELSEWHERE || self.is_own_key(&read))
                // Otherwise an earlier key of this CA signed it (`rekey`).
                && let Err(error) =
                    verify_legacy(backend, key, &read.signature_algorithm, tbs.as_bytes(), signature)
            {
                find(findings, format!("the signature of the certificate {serial} does not verify: {error}"));
            }
            Ok(())
        })?;
        let crls = &mut audit.crls;
        store.crls(self.id, &mut |record| {
            *crls = crls.saturating_add(1);
            if let Err(what) = check_crl(backend, issuer, &record) {
                find(findings, format!("CRL {}: {what}", record.number));
            }
            Ok(())
        })?;
        for series in store.series(self.id)? {
            *crls = crls.saturating_add(1);
            let checked = match store.series_crl(self.id, series) {
                Ok(None) => continue,
                Ok(Some(found)) => self.check_series(backend, &found),
                Err(Error::Damaged { what }) => Err(format!("damaged: {what}")),
                Err(error) => return Err(error),
            };
            if let Err(what) = checked {
                find(findings, format!("CRL of the series \"{series}\": {what}"));
            }
        }
        // The CA's own certificate, if it signed that itself.
        let own = self.certificate();
        if issuer.issuer == issuer.subject && own.is_self_signed() {
            let signature = own.signature_value.octets().unwrap_or_default();
            if let Err(error) = verify_legacy(backend, key, &own.signature_algorithm, issuer.as_bytes(), signature) {
                find(findings, format!("the signature of the CA's certificate does not verify: {error}"));
            }
        }
        Ok(audit)
    }

    /// Returns whether a certificate's authority key identifier is that of this CA's key (RFC 5280 §4.2.1.1).
    fn is_own_key(&self, certificate: &Certificate<'_>) -> bool {
        let extensions = certificate.tbs_certificate.extensions;
        let named = extensions.and_then(|list| list.get::<AuthorityKeyIdentifier<'_>>().ok().flatten());
        let own = self.same.key.as_deref().and_then(|own| AuthorityKeyIdentifier::from_der(own).ok());
        let both = named.and_then(|named| named.key_identifier).zip(own.and_then(|own| own.key_identifier));
        both.is_some_and(|(named, own)| named.as_bytes() == own.as_bytes())
    }

    /// Checks the newest CRL of a series like the complete ones, and that its scope and its base are those of the series.
    fn check_series(&self, backend: &dyn Backend, found: &SeriesCrl) -> Result<(), String> {
        check_crl(backend, &self.certificate().tbs_certificate, &found.crl)?;
        let read = CertificateList::from_der(&found.crl.der).map_err(|error| format!("it does not decode: {error}"))?;
        let extensions = read.tbs_cert_list.crl_extensions;
        let point = extensions.map_or(Ok(None), |list| list.get::<IssuingDistributionPoint<'_>>());
        let point = point.map_err(|error| error.to_string())?;
        let is_indirect = point.is_some_and(|point| point.indirect_crl);
        let url = match point.and_then(|point| point.distribution_point) {
            Some(DistributionPointName::FullName(names)) => names.0.iter().find_map(|name| match name {
                Ok(GeneralName::UniformResourceIdentifier(url)) => Some(url.to_string()),
                _ => None,
            }),
            _ => None,
        };
        let expected = match found.series {
            Series::Partition(number) | Series::PartitionDelta(number) => {
                self.same.partitions.as_ref().map(|all| all.url(number))
            }
            // Its URL is chosen each time.
            Series::Indirect => url.clone(),
            Series::Delta => None,
        };
        if url != expected || is_indirect != (found.series == Series::Indirect) {
            return Err("its issuing distribution point is not that of its series (RFC 5280 §5.2.5)".to_owned());
        }
        let base = extensions.map_or(Ok(None), |list| list.get::<DeltaCrlIndicator<'_>>());
        let base = base.map_err(|error| error.to_string())?.map(|base| base.0.0.get());
        if base != found.base {
            return Err(format!("its base CRL is {base:?}, expected {:?} (RFC 5280 §5.2.4)", found.base));
        }
        Ok(())
    }
}

/// Checks that a CRL matches its row and is signed by the CA.
fn check_crl(backend: &dyn Backend, issuer: &TbsCertificate<'_>, record: &CrlRecord) -> Result<(), String> {
    let read = CertificateList::from_der(&record.der).map_err(|error| format!("it does not decode: {error}"))?;
    let tbs = &read.tbs_cert_list;
    if !tbs.issuer.matches(&issuer.subject) {
        return Err(format!("it was issued by a different CA: {}", tbs.issuer));
    }
    let signature = read.signature_value.octets().unwrap_or_default();
    verify_legacy(backend, &issuer.subject_public_key_info, &read.signature_algorithm, tbs.as_bytes(), signature)
        .map_err(|error| format!("its signature does not verify: {error}"))?;
    let number = tbs.number().map_err(|error| error.to_string())?.map(|number| number.0.get());
    if number != Some(record.number) {
        return Err(format!("its number is {number:?}, expected {}", record.number));
    }
    let next_update = tbs.next_update.map_or(record.next_update, |next| next.unix());
    if (tbs.this_update.unix(), next_update) != (record.this_update, record.next_update) {
        return Err("its dates differ from those of its row".to_owned());
    }
    Ok(())
}

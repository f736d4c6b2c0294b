//! The entries of all known CRLs of an imported CA, complete or not.

use std::collections::HashMap;
use std::sync::Arc;

use tagwise_codec::Decode;
use tagwise_crypto::Backend;
use tagwise_pkix::ext::{CertificateIssuer, CrlReason, GeneralName, InvalidityDate, KnownExtension};
use tagwise_pkix::{Certificate, CertificateList, UnixTime};

use crate::store::Revocation;
use crate::takeover::{CRL, KNOWN, check_issuer, no_other_critical, number, revocation};
use crate::{Error, LastCrl, Serial};

/// The entries of a CA's CRLs: complete ones, delta CRLs, and those for a part of the certificates, such as a partition. An import keeps
/// every certificate revoked that one of them revokes.
#[derive(Clone, Debug, Default)]
pub struct KnownCrls {
    entries: HashMap<Serial, Listed>,
    last_number: u64,
    base: u64,
}

/// The decisive entry for a certificate.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// The revocation, or `None` if the certificate was released from hold.
    pub(crate) revocation: Option<Revocation>,
    /// The time and number of the CRL.
    pub(crate) made: (UnixTime, u64),
    /// The name of the CRL's file.
    pub(crate) file: Arc<str>,
}

impl Listed {
    /// Returns whether the certificate is permanently revoked.
    pub(crate) fn is_permanent(&self) -> bool {
        self.revocation.is_some_and(|revocation| revocation.reason != CrlReason::CertificateHold)
    }
}

impl KnownCrls {
    /// Adds the entries of a complete CRL.
    pub fn add_complete(&mut self, file: &str, crl: &LastCrl) {
        let (file, number) = (Arc::from(file), crl.number().unwrap_or_default());
        self.last_number = self.last_number.max(number);
        for (serial, revocation) in crl.revoked() {
            self.add_entry(serial, Some(*revocation), (crl.this_update(), number), &file);
        }
    }

    /// Decodes a CRL of this CA in DER, which may be a delta CRL or cover only some certificates, and adds its entries. In an indirect
    /// CRL, these are the entries for this CA.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the CRL does not decode, or [`Error::Crypto`] if its signature is not by the CA's key. Returns
    /// [`Error::Refused`] if the CRL is from another issuer, covers only attribute certificates, or has unsupported critical extensions.
    pub fn add(
        &mut self,
        backend: &dyn Backend,
        authority: &Certificate<'_>,
        file: &str,
        der: &[u8],
    ) -> Result<(), Error> {
        let malformed = Error::malformed(CRL);
        let list = CertificateList::from_der(der).map_err(&malformed)?;
        check_issuer(backend, authority, &list)?;
        let tbs = &list.tbs_cert_list;
        no_other_critical(tbs.crl_extensions, &KNOWN)?;
        if tbs.issuing_distribution_point().map_err(&malformed)?.is_some_and(|it| it.only_contains_attribute_certs) {
            return Err(Error::refused("the CRL covers only attribute certificates", "RFC 5280 §5.2.5"));
        }
        let base = tbs.delta_base().map_err(&malformed)?.map(|base| base.0.0.get());
        let number = number(tbs)?.unwrap_or_default();
        let own = &authority.tbs_certificate.subject;
        let mut entries = Vec::new();
        for entry in tbs.revocations() {
            let entry = entry.map_err(&malformed)?;
            let is_own = entry.certificate_issuer.is_none_or(|names| {
                let mut names = names.iter().map_while(Result::ok);
                names.any(|name| matches!(name, GeneralName::DirectoryName(name) if name.matches(own)))
            });
            if !is_own {
                continue;
            }
            let known = [CrlReason::ID, InvalidityDate::ID, CertificateIssuer::ID];
            no_other_critical(entry.entry.crl_entry_extensions, &known)?;
            let serial = Serial::from_int(entry.entry.user_certificate.0);
            let is_removed = base.is_some() && entry.reason().map_err(&malformed)? == Some(CrlReason::RemoveFromCrl);
            let revocation = if is_removed { None } else { Some(revocation(&serial, &entry.entry)?) };
            entries.push((serial, revocation));
        }
        let (file, made) = (Arc::from(file), (tbs.this_update.unix(), number));
        entries.iter().for_each(|(serial, revocation)| self.add_entry(serial, *revocation, made, &file));
        self.last_number = self.last_number.max(number);
        self.base = self.base.max(base.unwrap_or_default());
        Ok(())
    }

    /// Adds an entry. A permanent revocation is final. Otherwise, the newest CRL shows whether the certificate is on hold.
    fn add_entry(&mut self, serial: &Serial, revocation: Option<Revocation>, made: (UnixTime, u64), file: &Arc<str>) {
        let new = Listed { revocation, made, file: Arc::clone(file) };
        match self.entries.get_mut(serial) {
            None => drop(self.entries.insert(serial.clone(), new)),
            Some(old) if old.is_permanent() => {}
            Some(old) if new.is_permanent() || old.made < new.made => *old = new,
            Some(_) => {}
        }
    }

    /// Returns the highest CRL number, or zero if there is none.
    pub(crate) const fn last_number(&self) -> u64 {
        self.last_number
    }

    /// Returns the highest number of a complete CRL that a delta CRL updates, or zero if there is none.
    pub(crate) const fn base(&self) -> u64 {
        self.base
    }

    /// Returns the entries, ordered by serial number.
    pub(crate) fn entries(&self) -> Vec<(&Serial, &Listed)> {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by_key(|(serial, _)| *serial);
        entries
    }
}

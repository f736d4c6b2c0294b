//! The last CRL and the certificates of an imported CA, verified and decoded.
//!
//! To continue issuing CRLs, every entry of the last one must be known. The CRL must therefore be complete and from
//! this CA. Whether a later CRL exists cannot be checked.

use std::collections::HashSet;

use tagwise_codec::{Decode, Oid, Options, Rule, RuleSet};
use tagwise_crypto::{Backend, verify_legacy};
use tagwise_pkix::ext::{
    AuthorityKeyIdentifier, CrlReason, DeltaCrlIndicator, GeneralName, InvalidityDate, IssuingDistributionPoint,
    KnownExtension, SubjectKeyIdentifier,
};
use tagwise_pkix::{Certificate, CertificateList, RevokedCertificate, TbsCertList, UnixTime, oids};

use crate::store::{CertificateRecord, Elsewhere, History, NewCrl, Revocation};
use crate::{Authority, Error, Serial, Store};

/// A verified last CRL of a CA, issued before the CA was imported.
#[derive(Clone, Debug)]
pub struct LastCrl {
    number: Option<u64>,
    this_update: UnixTime,
    next_update: Option<UnixTime>,
    history: History,
}

pub(crate) const CRL: &str = "the CRL";

impl LastCrl {
    /// Decodes a CRL in DER, and checks that it is from this CA and complete.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the CRL does not decode, or [`Error::Crypto`] if its signature is not by the CA's key.
    /// Returns [`Error::Refused`] if the CRL is from another issuer, is not complete (delta, indirect or partitioned), has
    /// unsupported critical extensions, or contains a duplicate serial number.
    pub fn read(backend: &dyn Backend, authority: &Certificate<'_>, der: &[u8]) -> Result<Self, Error> {
        let list = CertificateList::from_der(der).map_err(Error::malformed(CRL))?;
        check_issuer(backend, authority, &list)?;
        let tbs = &list.tbs_cert_list;
        check_scope(tbs)?;
        let number = number(tbs)?;
        let (this_update, next_update) = (tbs.this_update.unix(), tbs.next_update.map(|next| next.unix()));
        let crl = NewCrl {
            this_update,
            next_update: next_update.unwrap_or(this_update),
            der: der.to_vec(),
            beside: Vec::new(),
        };
        let history = History {
            crl: number.filter(|number| *number > 0).map(|number| (number, crl)),
            last_number: 0,
            issued: Vec::new(),
            revoked: entries(tbs)?,
        };
        Ok(Self { number, this_update, next_update, history })
    }

    /// Returns the CRL number, if present.
    #[must_use]
    pub const fn number(&self) -> Option<u64> {
        self.number
    }

    /// Returns the time of issue.
    #[must_use]
    pub const fn this_update(&self) -> UnixTime {
        self.this_update
    }

    /// Returns the CRL and its entries, in the form that stores keep.
    pub(crate) const fn history(&self) -> &History {
        &self.history
    }

    /// Returns the CRL's entries.
    pub(crate) fn revoked(&self) -> &[(Serial, Revocation)] {
        &self.history.revoked
    }

    /// Returns the time by which the next CRL was due, if stated. If it has passed, there may be a later CRL.
    #[must_use]
    pub const fn next_update(&self) -> Option<UnixTime> {
        self.next_update
    }

    /// Returns the number of certificates that the CRL lists.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.history.revoked.len()
    }
}

impl Elsewhere {
    /// Decodes a certificate that a CA issued, and verifies its signature.
    ///
    /// If a certificate violates DER, only its serial number and validity period are kept, but not its bytes.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the certificate does not decode, [`Error::Refused`] if it is another CA's, or
    /// [`Error::Crypto`] if its signature is not by the CA's key.
    pub fn read(backend: &dyn Backend, authority: &Certificate<'_>, der: &[u8]) -> Result<Self, Error> {
        const WHAT: &str = "the certificate";
        // Every certificate that the CA issued can be revoked (RFC 5280 §3.3), even a nonconforming one.
        let lax = RuleSet::ALL.without(&Rule::TRAILING_DATA);
        let (read, is_strict) = match Certificate::from_der(der) {
            Ok(read) => (read, true),
            Err(error) => match Options::der().rules(lax).outline::<Certificate<'_>>(der) {
                Ok(read) => (read.value, false),
                Err(_less_specific) => return Err(Error::malformed(WHAT)(error)),
            },
        };
        let (tbs, ca) = (&read.tbs_certificate, &authority.tbs_certificate);
        if !tbs.issuer.matches(&ca.subject) {
            return Err(Error::refused(
                format!("the certificate was issued by a different CA: {}", tbs.issuer),
                "RFC 5280 §6.1.3",
            ));
        }
        let signature = read.signature_value.octets().unwrap_or_default();
        // Also SHA-1: whatever the CA issued can be revoked, and is recognized by its responder.
        verify_legacy(backend, &ca.subject_public_key_info, &read.signature_algorithm, tbs.as_bytes(), signature)
            .map_err(Error::crypto(WHAT))?;
        let validity = (tbs.validity.not_before.unix(), tbs.validity.not_after.unix());
        let serial = Serial::from_content(tbs.serial_number.0.as_bytes());
        Ok(Self { serial, der: is_strict.then(|| der.to_vec()), validity: Some(validity) })
    }
}

impl Authority {
    /// Decodes a certificate of this CA that may not be in its store, because it was issued before an import or lost. Its
    /// signature is verified.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the certificate does not decode, [`Error::Refused`] if it is from another CA, or
    /// [`Error::Crypto`] if its signature is not by the CA's key.
    pub fn issued_elsewhere(&self, backend: &dyn Backend, der: &[u8]) -> Result<Elsewhere, Error> {
        Elsewhere::read(backend, self.certificate(), der)
    }

    /// Revokes or suspends a certificate of this CA that is not in its store, such as one issued before an import.
    ///
    /// # Errors
    /// Returns [`Error::AlreadyRevoked`] if the certificate is already revoked, or any error from [`revoke`](Self::revoke)
    /// except for an unknown serial number.
    pub fn revoke_elsewhere(
        &self,
        store: &mut dyn Store,
        certificate: &Elsewhere,
        reason: CrlReason,
        invalid_since: Option<UnixTime>,
        now: UnixTime,
    ) -> Result<CertificateRecord, Error> {
        let revocation = self.revocation(store, &certificate.serial, reason, invalid_since, now)?;
        store.revoke_elsewhere(self.id, certificate, &revocation)?;
        self.find(store, &certificate.serial)
    }
}

/// Checks that a CRL is from this CA, and its signature.
pub(crate) fn check_issuer(
    backend: &dyn Backend,
    authority: &Certificate<'_>,
    list: &CertificateList<'_>,
) -> Result<(), Error> {
    let (tbs, ca) = (&list.tbs_cert_list, &authority.tbs_certificate);
    if !tbs.issuer.matches(&ca.subject) {
        return Err(Error::refused(format!("the CRL was issued by a different CA: {}", tbs.issuer), "RFC 5280 §6.3.3"));
    }
    check_key(tbs, authority)?;
    let signature = list.signature_value.octets().unwrap_or_default();
    // Also SHA-1: this is the CA's own history, and the operator's file.
    verify_legacy(backend, &ca.subject_public_key_info, &list.signature_algorithm, tbs.as_bytes(), signature)
        .map_err(Error::crypto(CRL))
}

/// Checks that a CRL is signed with the CA's key, according to its authority key identifier, if any (RFC 5280 §5.2.1). The signature
/// proves it, too, but this check explains the reason.
fn check_key(tbs: &TbsCertList<'_>, authority: &Certificate<'_>) -> Result<(), Error> {
    let named = tbs.crl_extensions.map_or(Ok(None), |list| list.get::<AuthorityKeyIdentifier<'_>>());
    let Some(named) = named.map_err(Error::malformed(CRL))? else { return Ok(()) };
    let ca = &authority.tbs_certificate;
    let own = ca.extensions.map_or(Ok(None), |list| list.get::<SubjectKeyIdentifier<'_>>());
    let own = own.map_err(Error::malformed("the CA's certificate"))?;
    let is_other_key = named.key_identifier.zip(own).is_some_and(|(named, own)| named.as_bytes() != own.0.as_bytes());
    let is_other_number = named.authority_cert_serial_number.is_some_and(|serial| serial != ca.serial_number);
    let is_other_issuer = named.authority_cert_issuer.is_some_and(|names| {
        !names.iter().map_while(Result::ok).any(|name| match name {
            GeneralName::DirectoryName(name) => name.matches(&ca.issuer),
            _ => false,
        })
    });
    if is_other_key || is_other_number || is_other_issuer {
        return Err(Error::refused(
            "the CRL's authorityKeyIdentifier does not match the CA's certificate",
            "RFC 5280 §5.2.1",
        ));
    }
    Ok(())
}

/// Checks that a CRL is complete: not a delta CRL, and for all of the CA's revocations.
fn check_scope(tbs: &TbsCertList<'_>) -> Result<(), Error> {
    let malformed = Error::malformed(CRL);
    let partial =
        |what: &str, clause| Err(Error::refused(format!("the CRL {what}; a complete one is required"), clause));
    if tbs.delta_base().map_err(&malformed)?.is_some() {
        return partial("is a delta CRL", "RFC 5280 §5.2.4");
    }
    if let Some(point) = tbs.issuing_distribution_point().map_err(&malformed)? {
        const CLAUSE: &str = "RFC 5280 §5.2.5";
        return match point {
            _ if point.indirect_crl => partial("is an indirect CRL", CLAUSE),
            _ if point.only_some_reasons.is_some() => partial("covers only some reasons", CLAUSE),
            _ if point.only_contains_user_certs => partial("covers only end entities", CLAUSE),
            _ if point.only_contains_ca_certs => partial("covers only CAs", CLAUSE),
            _ if point.only_contains_attribute_certs => partial("covers only attribute certificates", CLAUSE),
            _ if point.distribution_point.is_some() => partial("covers only one distribution point", CLAUSE),
            _ => Ok(()),
        };
    }
    no_other_critical(tbs.crl_extensions, &KNOWN)
}

/// The extensions of CRLs that may be critical.
pub(crate) const KNOWN: [Oid<'static>; 4] =
    [IssuingDistributionPoint::ID, DeltaCrlIndicator::ID, AuthorityKeyIdentifier::ID, oids::CRL_NUMBER];

/// Checks for unknown critical extensions, with which a CRL must not be relied on (RFC 5280 §5.2).
pub(crate) fn no_other_critical(
    list: Option<tagwise_pkix::Extensions<'_>>,
    known: &[Oid<'static>],
) -> Result<(), Error> {
    for extension in list.iter().flat_map(tagwise_pkix::Extensions::iter) {
        let extension = extension.map_err(Error::malformed(CRL))?;
        if extension.critical && !known.contains(&extension.extn_id) {
            let what = format!("the CRL has an unknown critical extension: {}", extension.extn_id);
            return Err(Error::refused(what, "RFC 5280 §5.2"));
        }
    }
    Ok(())
}

pub(crate) fn number(tbs: &TbsCertList<'_>) -> Result<Option<u64>, Error> {
    let Some(number) = tbs.number().map_err(Error::malformed(CRL))? else { return Ok(None) };
    // Databases have signed 64-bit numbers.
    match i64::try_from(number.0.get()) {
        Ok(_) => Ok(Some(number.0.get())),
        Err(_too_large) => {
            Err(Error::refused("the CRL's number is too large: the maximum is 2^63 - 1", "RFC 5280 §5.2.3"))
        }
    }
}

fn entries(tbs: &TbsCertList<'_>) -> Result<Vec<(Serial, Revocation)>, Error> {
    let malformed = Error::malformed(CRL);
    let (mut seen, mut list) = (HashSet::new(), Vec::new());
    for entry in tbs.revocations() {
        let entry = entry.map_err(&malformed)?;
        let serial = Serial::from_int(entry.entry.user_certificate.0);
        if entry.certificate_issuer.is_some() {
            let what =
                format!("the CRL's entry {serial} names an issuer: it is an indirect CRL; a complete one is required");
            return Err(Error::refused(what, "RFC 5280 §5.3.3"));
        }
        no_other_critical(entry.entry.crl_entry_extensions, &[CrlReason::ID, InvalidityDate::ID])?;
        list.push((serial.clone(), revocation(&serial, &entry.entry)?));
        if !seen.insert(serial.clone()) {
            return Err(Error::refused(format!("the CRL lists {serial} twice"), None));
        }
    }
    Ok(list)
}

pub(crate) fn revocation(serial: &Serial, entry: &RevokedCertificate<'_>) -> Result<Revocation, Error> {
    let malformed = Error::malformed(CRL);
    let extensions = entry.crl_entry_extensions;
    let reason = extensions.map_or(Ok(None), |list| list.get::<CrlReason>()).map_err(&malformed)?;
    let since = extensions.map_or(Ok(None), |list| list.get::<InvalidityDate<'_>>()).map_err(&malformed)?;
    let reason = reason.unwrap_or(CrlReason::Unspecified);
    if reason == CrlReason::RemoveFromCrl {
        let what = format!("the CRL's entry {serial} has the reason removeFromCRL, which is only for delta CRLs");
        return Err(Error::refused(what, "RFC 5280 §5.3.1"));
    }
    let invalid_since = since.map(|since| since.0.0.unix());
    Ok(Revocation { at: entry.revocation_date.unix(), reason, invalid_since })
}

//! A CA: its certificate, the location of its key, and the conditions for signing.

use std::borrow::Cow;
use std::sync::Arc;

use tagwise_codec::{Decode, encode};
use tagwise_crypto::{Backend, ErrorKind, KeySigner, PasswordOptions, PrivateKey, Signer, decrypt_key, encrypt_key};
use tagwise_pkix::build::{ExtensionList, authority_key_identifier};
use tagwise_pkix::ext::{AuthorityKeyIdentifier, BasicConstraints, CrlReason, KeyUsage, KnownExtension};
use tagwise_pkix::{AlgorithmIdentifier, Certificate, CertificateBuf, Extensions, UnixTime, oids};

use crate::form::Forms;
use crate::partition::Partitions;
use crate::store::{AuthorityId, AuthorityRecord, CertificateRecord, Revocation, StoredKey};
use crate::{Error, IssuanceLog, Now, Serial, Store};
use crate::{clock, issue};

/// URLs to include in certificates that a CA issues, and the issuer of the CRL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Urls {
    /// The URL of the OCSP responder (RFC 5280 §4.2.2.1).
    pub ocsp: Option<String>,
    /// The URL of the CRL (RFC 5280 §4.2.1.13).
    pub crl: Option<String>,
    /// The URL of the CA certificate (RFC 5280 §4.2.2.1).
    pub issuer: Option<String>,
    /// The name of the CRL's issuer in DER, if that is another CA, which issues an indirect CRL (`cRLIssuer`, RFC 5280
    /// §4.2.1.13). It requires the URL of the CRL.
    pub crl_issuer: Option<Vec<u8>>,
}

/// The protection of a CA's key.
#[derive(Clone, Copy, Debug)]
pub enum Protection<'a> {
    /// Stored in the database, encrypted with a passphrase.
    Passphrase {
        /// The passphrase.
        passphrase: Passphrase<'a>,
        /// The options for deriving the encryption key from the passphrase.
        options: PasswordOptions,
    },
    /// Stored unencrypted in the database. Anyone who can read the database can read the key.
    Clear,
    /// The key is not in the database, but in a token, a key service or a file.
    Elsewhere,
}

/// A passphrase, hidden from `Debug`.
#[derive(Clone, Copy)]
pub struct Passphrase<'a>(
    /// The passphrase as bytes.
    pub &'a [u8],
);

impl core::fmt::Debug for Passphrase<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Passphrase")
    }
}

impl<'a> Protection<'a> {
    /// Creates a protection that uses a passphrase with default key derivation.
    #[must_use]
    pub const fn passphrase(passphrase: &'a [u8]) -> Self {
        Self::Passphrase { passphrase: Passphrase(passphrase), options: PasswordOptions::DEFAULT }
    }

    /// Converts a key to its stored form: encrypted with the passphrase, unencrypted, or not stored.
    pub(crate) fn protect(&self, backend: &dyn Backend, key: &dyn PrivateKey) -> Result<StoredKey, Error> {
        let failed = Error::crypto("the CA's key");
        Ok(match self {
            Self::Passphrase { passphrase, options } => {
                let pkcs8 = key.to_pkcs8().map_err(&failed)?;
                StoredKey::Encrypted(encrypt_key(backend, &pkcs8, passphrase.0, options).map_err(&failed)?)
            }
            Self::Clear => StoredKey::Plain(key.to_pkcs8().map_err(&failed)?),
            Self::Elsewhere => StoredKey::Elsewhere,
        })
    }
}

/// A CA in a store.
#[derive(Clone, Debug)]
pub struct Authority {
    pub(crate) id: AuthorityId,
    label: String,
    certificate: CertificateBuf,
    /// The CA's public key, a SubjectPublicKeyInfo in DER.
    public_key: Vec<u8>,
    key: StoredKey,
    urls: Urls,
    pub(crate) same: Same,
    pub(crate) forms: Forms,
    pub(crate) log: Option<Arc<dyn IssuanceLog>>,
}

/// DER-encoded extension values that are the same in all of a CA's certificates.
#[derive(Clone, Debug)]
pub(crate) struct Same {
    /// The authority key identifier: the CA certificate's subject key identifier or, if it has none, the SHA-1 hash of its key.
    pub(crate) key: Option<Vec<u8>>,
    /// The encoded access descriptions of the CA's OCSP responder and certificate.
    pub(crate) access: Option<Vec<u8>>,
    /// The encoded distribution points of the CA's CRL, or of the CRL of each partition.
    pub(crate) points: Vec<Vec<u8>>,
    /// The partitions, if there are any.
    pub(crate) partitions: Option<Partitions>,
}

impl Same {
    /// Adds the authority key identifier (RFC 5280 §4.2.1.1, §5.2.1).
    pub(crate) fn add_key(&self, list: &mut ExtensionList) -> Result<(), Error> {
        if let Some(key) = &self.key {
            list.add_der(AuthorityKeyIdentifier::ID, false, key.as_slice())?;
        }
        Ok(())
    }
}

impl Authority {
    /// The default label, for a database with a single CA.
    pub const LABEL: &'static str = "ca";

    /// Opens the CA with the given label.
    ///
    /// # Errors
    /// Returns [`Error::NoAuthority`] if there is none, any error from the store, or an error if the CA certificate is
    /// malformed.
    pub fn open(store: &mut dyn Store, label: &str) -> Result<Self, Error> {
        let found = store.authority(label)?;
        let (id, record) = found.ok_or_else(|| Error::NoAuthority(label.to_owned()))?;
        Self::of_record(id, record)
    }

    /// Creates a CA from its row.
    pub(crate) fn of_record(id: AuthorityId, record: AuthorityRecord) -> Result<Self, Error> {
        let certificate =
            CertificateBuf::from_der(record.certificate).map_err(Error::malformed("the CA's certificate"))?;
        let public_key = encode(&certificate.get().tbs_certificate.subject_public_key_info)
            .map_err(|error| Error::Build(error.into()))?;
        let failed = |error: tagwise_codec::EncodeError| Error::Build(error.into());
        let own = authority_key_identifier(certificate.get()).map_err(Error::malformed("the CA's certificate"))?;
        let key = match own {
            Some(own) => encode(&own),
            // Without a subject key identifier, the usual hash is used, because RFC 5280 §4.2.1.1 requires an identifier.
            None => {
                let info = &certificate.get().tbs_certificate.subject_public_key_info;
                let usual = issue::CA_KEY_IDENTIFIER.of(info).map_err(failed)?;
                let key_identifier = Some(usual.as_slice().into());
                encode(&AuthorityKeyIdentifier { key_identifier, ..AuthorityKeyIdentifier::default() })
            }
        };
        let key = Some(key.map_err(failed)?);
        let partitions = record.urls.crl.as_deref().map(Partitions::of).transpose()?.flatten();
        let (access, points) = issue::of_urls(&record.urls, partitions.as_ref())?;
        let same = Same { key, access, points, partitions };
        let forms = Forms::default();
        let (label, key, urls) = (record.label, record.key, record.urls);
        Ok(Self { id, label, certificate, public_key, key, urls, same, forms, log: None })
    }

    /// Returns the CA's number in the store.
    #[must_use]
    pub const fn id(&self) -> AuthorityId {
        self.id
    }

    /// Returns the CA's label in the store.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the CA certificate.
    #[must_use]
    pub fn certificate(&self) -> &Certificate<'_> {
        self.certificate.get()
    }

    /// Returns the CA certificate in DER.
    #[must_use]
    pub fn certificate_der(&self) -> &[u8] {
        self.certificate.as_der()
    }

    /// Returns the CA's key, as stored.
    #[must_use]
    pub const fn key(&self) -> &StoredKey {
        &self.key
    }

    /// Returns the URLs for issued certificates.
    #[must_use]
    pub const fn urls(&self) -> &Urls {
        &self.urls
    }

    /// Returns whether signing requires a passphrase.
    #[must_use]
    pub const fn is_locked(&self) -> bool {
        matches!(self.key, StoredKey::Encrypted(_))
    }

    /// Adds the log in which the CA records what it issues. Afterwards, [`issue`](Self::issue) and
    /// [`add_all`](Self::add_all) fail if a certificate cannot be logged.
    #[must_use]
    pub fn with_log(self, log: Arc<dyn IssuanceLog>) -> Self {
        Self { log: Some(log), ..self }
    }

    /// Returns the log in which the CA records what it issues, if it has one.
    #[must_use]
    pub const fn log(&self) -> Option<&Arc<dyn IssuanceLog>> {
        self.log.as_ref()
    }

    /// Logs stored certificates, given by serial number and DER, unless they are already logged or the CA has no log. This
    /// finishes an issuance that was interrupted after the certificate was stored. The store is [settled](Store::settle) before, so
    /// that the log has no certificate that the store could lose.
    ///
    /// # Errors
    /// Returns [`Error::Unconfirmed`] if the log fails, or any error from the store.
    pub fn log_issued(
        &self,
        store: &mut dyn Store,
        certificates: &[(&Serial, &[u8])],
        now: UnixTime,
    ) -> Result<(), Error> {
        let Some(log) = &self.log else { return Ok(()) };
        store.settle()?;
        log.add(certificates, now)
    }

    /// Decrypts the key and returns a signer with the CA's [`scheme`](Self::scheme). The passphrase is required only if the key
    /// is encrypted.
    ///
    /// # Errors
    /// Returns [`Error::PassphraseNeeded`] or [`Error::WrongPassphrase`], [`Error::NoKey`] if the store does not contain the
    /// key, [`Error::NotTheKey`] if it does not match the CA certificate, or an error if the key is damaged.
    pub fn unlock(&self, backend: &dyn Backend, passphrase: Option<&[u8]>) -> Result<KeySigner, Error> {
        let failed = Error::crypto("the CA's key");
        let key = match (&self.key, passphrase) {
            (StoredKey::Elsewhere, _) => return Err(Error::NoKey),
            (StoredKey::Encrypted(_), None) => return Err(Error::PassphraseNeeded),
            (StoredKey::Plain(pkcs8), _) => backend.private_key_from_pkcs8(pkcs8.expose()).map_err(&failed)?,
            (StoredKey::Encrypted(der), Some(passphrase)) => {
                let info = decrypt_key(backend, der, passphrase, &PasswordOptions::DEFAULT);
                let info = info.map_err(|error| match error.kind() {
                    ErrorKind::Integrity => Error::WrongPassphrase(error),
                    _ => failed(error),
                })?;
                backend.private_key(&info).map_err(&failed)?
            }
        };
        let signer = KeySigner::new(key, self.scheme()?).map_err(&failed)?;
        self.check_signer(&signer)?;
        Ok(signer)
    }

    /// Stores the key under another protection, such as a new passphrase. The old passphrase is only needed if the key is
    /// encrypted.
    ///
    /// # Errors
    /// Returns any error from [`unlock`](Self::unlock) or the store.
    pub fn protect(
        &self,
        store: &mut dyn Store,
        backend: &dyn Backend,
        passphrase: Option<&[u8]>,
        protection: &Protection<'_>,
    ) -> Result<Self, Error> {
        let signer = self.unlock(backend, passphrase)?;
        store.set_key(self.id, &protection.protect(backend, &**signer.key())?)?;
        Self::open(store, &self.label)
    }

    /// Checks that a signer's key matches the CA certificate.
    ///
    /// # Errors
    /// Returns [`Error::NotTheKey`] if it does not match.
    pub fn check_signer(&self, signer: &dyn Signer) -> Result<(), Error> {
        if signer.public_key_info() == self.public_key { Ok(()) } else { Err(Error::NotTheKey) }
    }

    /// Returns the CA's public key, as a DER SubjectPublicKeyInfo.
    #[must_use]
    pub fn public_key(&self) -> &[u8] {
        &self.public_key
    }

    /// Finds an issued certificate.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSerial`] if the CA has not issued it, or any error from the store.
    pub fn find(&self, store: &mut dyn Store, serial: &Serial) -> Result<CertificateRecord, Error> {
        store.certificate(self.id, serial)?.ok_or_else(|| Error::NoSuchSerial(serial.clone()))
    }

    /// Revokes a certificate or places it on hold. A certificate on hold can be revoked permanently. The reason of a permanent revocation
    /// can become keyCompromise (CA/Browser Forum BR §7.2.2), so that the key is not certified again. The revocation then keeps its date,
    /// unless the invalidity date is earlier.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSerial`] if the CA has not issued the certificate, [`Error::AlreadyRevoked`] if it is already revoked,
    /// or any error from the store. Returns [`Error::Refused`] for the reason `removeFromCRL` (use [`release`](Self::release)), for a
    /// future invalidity date, and for the CA's own certificate. Returns [`Error::ClockDisagrees`] if the last CRL is later than now,
    /// because the revocation date should not precede it (RFC 5280 §5.3.2).
    pub fn revoke(
        &self,
        store: &mut dyn Store,
        serial: &Serial,
        reason: CrlReason,
        invalid_since: Option<UnixTime>,
        now: UnixTime,
    ) -> Result<Revocation, Error> {
        let revocation = self.revocation(store, serial, reason, invalid_since, now)?;
        store.revoke(self.id, serial, &revocation)?;
        Ok(revocation)
    }

    /// Creates a revocation that takes effect now, after checking that this CA may revoke the certificate for this reason.
    pub(crate) fn revocation(
        &self,
        store: &mut dyn Store,
        serial: &Serial,
        reason: CrlReason,
        invalid_since: Option<UnixTime>,
        now: UnixTime,
    ) -> Result<Revocation, Error> {
        if reason == CrlReason::RemoveFromCrl {
            return Err(Error::refused(
                "removeFromCRL is only for delta CRLs; release the certificate instead",
                "RFC 5280 §5.3.1",
            ));
        }
        if let Some(since) = invalid_since.filter(|since| *since > now) {
            return Err(Error::refused(format!("the invalidity date {since} is in the future"), "RFC 5280 §5.3.2"));
        }
        let tbs = &self.certificate().tbs_certificate;
        if tbs.issuer == tbs.subject && Serial::from_int(tbs.serial_number.0) == *serial {
            return Err(Error::refused(
                "this is the CA's own certificate: a CA cannot revoke itself with its own CRL",
                "RFC 5280 §6.3.3",
            ));
        }
        Ok(Revocation { at: self.dated(store, now)?, reason, invalid_since })
    }

    /// Returns the date of a change of status: now, but not before the last CRL.
    fn dated(&self, store: &mut dyn Store, now: UnixTime) -> Result<UnixTime, Error> {
        Now::from(now).not_before(store.last_update(self.id)?, || "the last CRL was issued".to_owned())
    }

    /// Releases a certificate from hold.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSerial`] if the CA has not issued it, [`Error::NotOnHold`] if it is not on hold,
    /// [`Error::ClockDisagrees`] if the last CRL is later than now, or any error from the store.
    pub fn release(&self, store: &mut dyn Store, serial: &Serial, now: UnixTime) -> Result<(), Error> {
        let at = self.dated(store, now)?;
        store.release(self.id, serial, at)
    }

    /// Checks that the CA has not revoked the certificate of a server that acts for it: an OCSP responder, a registration authority
    /// or a time stamp authority. A certificate that is not in the store passes. `what` names the certificate in the error.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if the certificate is revoked or on hold, or any error from the store.
    pub fn check_delegate(
        &self,
        store: &mut dyn Store,
        certificate: &Certificate<'_>,
        what: &str,
    ) -> Result<(), Error> {
        let tbs = &certificate.tbs_certificate;
        if !tbs.issuer.matches(&self.certificate().tbs_certificate.subject) {
            return Ok(());
        }
        let record = store.certificate(self.id, &Serial::from_int(tbs.serial_number.0))?;
        match record.and_then(|record| record.revocation) {
            Some(Revocation { at, .. }) => {
                Err(Error::refused(format!("{what} has been revoked since {at}"), "RFC 5280 §6.1.3"))
            }
            None => Ok(()),
        }
    }

    /// Checks that the CA's certificate allows its key to sign CRLs: without a key usage, or with cRLSign (RFC 5280 §4.2.1.3). Relying
    /// parties reject other CRLs (RFC 5280 §6.3.3 (f)).
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if it does not, or [`Error::Malformed`] if the key usage does not decode.
    pub fn check_signs_crls(&self) -> Result<(), Error> {
        let extensions = self.certificate().tbs_certificate.extensions;
        let usage = extensions.map_or(Ok(None), |list| list.get::<KeyUsage<'_>>());
        match usage.map_err(Error::malformed("the CA's certificate"))? {
            Some(usage) if !usage.crl_sign() => Err(Error::refused(
                "the CA cannot sign CRLs, because the key usage of its certificate does not include cRLSign",
                "RFC 5280 §4.2.1.3",
            )),
            _ => Ok(()),
        }
    }

    /// Checks that a time is not before the last CRL. Nothing may be issued with an earlier date.
    ///
    /// # Errors
    /// Returns [`Error::ClockDisagrees`] if the last CRL is later, or any error from the store.
    pub fn check_clock(&self, store: &mut dyn Store, now: UnixTime) -> Result<(), Error> {
        let last = store.last_update(self.id)?;
        last.map_or(Ok(()), |last| clock::check(now, last, || "the last CRL was issued".to_owned()))
    }

    /// Checks that the CA certificate is valid at the given time.
    pub(crate) fn check_now(&self, now: UnixTime) -> Result<(), Error> {
        let validity = self.certificate().tbs_certificate.validity;
        if validity.contains(now) {
            return Ok(());
        }
        let (from, to) = (validity.not_before, validity.not_after);
        let cause = if now < from.unix() {
            format!(
                ", but the clock shows {now}: it is wrong now, or was wrong when that certificate was created; if it is correct now, renew the certificate"
            )
        } else {
            ", not now".to_owned()
        };
        Err(Error::refused(format!("the CA's certificate is valid from {from} to {to}{cause}"), "RFC 5280 §6.1.3"))
    }
}

/// The extensions of a CA certificate that may be critical, because RFC 5280 §4.2.1 defines them. Relying parties reject others.
const KNOWN: [tagwise_codec::Oid<'static>; 13] = [
    oids::AUTHORITY_KEY_IDENTIFIER,
    oids::SUBJECT_KEY_IDENTIFIER,
    oids::KEY_USAGE,
    oids::CERTIFICATE_POLICIES,
    oids::POLICY_MAPPINGS,
    oids::SUBJECT_ALT_NAME,
    oids::ISSUER_ALT_NAME,
    oids::BASIC_CONSTRAINTS,
    oids::NAME_CONSTRAINTS,
    oids::POLICY_CONSTRAINTS,
    oids::EXT_KEY_USAGE,
    oids::CRL_DISTRIBUTION_POINTS,
    oids::INHIBIT_ANY_POLICY,
];

/// Checks that a certificate's extensions allow its key to be used as a CA's (RFC 5280 §4.2.1.3, §4.2.1.9), and that relying parties
/// can process them.
pub(crate) fn check_is_ca(certificate: &Certificate<'_>) -> Result<(), Error> {
    let malformed = Error::malformed("the CA's certificate");
    let extensions = certificate.tbs_certificate.extensions;
    let basic = extensions.map_or(Ok(None), |list| list.get::<BasicConstraints<'_>>()).map_err(&malformed)?;
    if !basic.is_some_and(|basic| basic.ca) {
        return Err(Error::refused("the certificate is not a CA certificate", "RFC 5280 §4.2.1.9"));
    }
    let usage = extensions.map_or(Ok(None), |list| list.get::<KeyUsage<'_>>()).map_err(&malformed)?;
    if usage.is_some_and(|usage| !usage.key_cert_sign()) {
        return Err(Error::refused("the certificate's key usage does not include keyCertSign", "RFC 5280 §4.2.1.3"));
    }
    for extension in extensions.iter().flat_map(Extensions::iter) {
        let extension = extension.map_err(&malformed)?;
        if extension.critical && !KNOWN.contains(&extension.extn_id) {
            let what = format!("the certificate has an unknown critical extension: {}", extension.extn_id);
            return Err(Error::refused(what, "RFC 5280 §4.2"));
        }
    }
    Ok(())
}

/// Encodes the signer's AlgorithmIdentifier in DER.
pub(crate) fn identifier(signer: &dyn Signer) -> Result<Vec<u8>, Error> {
    signer.identifier().map(Cow::into_owned).map_err(Error::crypto("the CA's key"))
}

/// Decodes an AlgorithmIdentifier.
pub(crate) fn decoded(identifier: &[u8]) -> Result<AlgorithmIdentifier<'_>, Error> {
    AlgorithmIdentifier::from_der(identifier).map_err(Error::malformed("the algorithm of the CA's key"))
}

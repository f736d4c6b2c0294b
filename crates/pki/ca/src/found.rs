//! Creation of a CA, either self-signed or with a certificate from another CA.

use std::sync::Arc;

use tagwise_codec::{Decode, NamedBits};
use tagwise_crypto::{Backend, PrivateKey, Signer, sign, verify_legacy};
use tagwise_pkix::build::{self, ExtensionList};
use tagwise_pkix::ext::{BasicConstraints, Count, KeyUsage, SubjectKeyIdentifier};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{Certificate, Extensions, SubjectPublicKeyInfo, TbsCertificate, UnixTime, Validity, Version};

use crate::authority::{check_is_ca, decoded, identifier};
use crate::definition::CA_USAGE;
use crate::issue::{self, CA_KEY_IDENTIFIER};
use crate::names::check_uri;
use crate::partition::Partitions;
use crate::scheme::signer_of;
use crate::store::{AuthorityRecord, History, NewCertificate, Past};
use crate::{Authority, Error, Protection, Serial, Store, Takeover, Urls, clock};

/// The parameters of a new CA.
#[derive(Clone, Debug)]
pub struct Founding<'a> {
    /// The label in the store, which is [`Authority::LABEL`] unless there are several CAs.
    pub label: &'a str,
    /// The CA's distinguished name.
    pub subject: NameBuf,
    /// The subject key identifier to preserve when renewing a certificate. If `None`, the SHA-1 hash of the key is used (RFC
    /// 5280 §4.2.1.2 (1)).
    pub key_identifier: Option<Vec<u8>>,
    /// The start of the validity period, inclusive.
    pub not_before: UnixTime,
    /// The end of the validity period, inclusive.
    pub not_after: UnixTime,
    /// The maximum number of intermediates below this CA in a path, or `None` for no limit.
    pub path_len: Option<u8>,
    /// The URLs to include in issued certificates.
    pub urls: Urls,
    /// True to use RSASSA-PSS (RFC 4055 §3.1) for the CA's certificate and all later signatures. Requires an RSA key.
    pub pss: bool,
}

/// An existing CA to import.
#[derive(Clone, Copy, Debug)]
pub struct Adoption<'a> {
    /// The label in the store, which is [`Authority::LABEL`] unless there are several CAs.
    pub label: &'a str,
    /// The CA certificate in DER, self-signed or issued by another CA.
    pub certificate: &'a [u8],
    /// The URLs to include in issued certificates.
    pub urls: &'a Urls,
    /// The operator's statement about the CA's earlier revocations.
    pub takeover: Takeover<'a>,
    /// The number of the CA's last CRL, if `takeover` does not contain a numbered CRL. The next CRL gets a higher number.
    pub last_number: u64,
    /// The current time, at which the CA is recorded as added.
    pub now: UnixTime,
}

/// A completely checked CA, ready to be stored.
#[derive(Debug)]
pub struct NewAuthority {
    record: AuthorityRecord,
    own: Option<NewCertificate>,
    past: Past,
}

impl NewAuthority {
    /// Combines a CA's row, its own certificate, and its earlier revocations.
    pub(crate) const fn new(record: AuthorityRecord, own: Option<NewCertificate>, past: Past) -> Self {
        Self { record, own, past }
    }

    /// Creates a CA with a self-signed certificate. Its key is assumed to be new; otherwise, use [`after`](Self::after)
    /// to provide earlier revocations.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] for PSS with a key other than RSA, or any error from the key or the builder.
    pub fn found(
        backend: &dyn Backend,
        key: &Arc<dyn PrivateKey>,
        founding: &Founding<'_>,
        protection: &Protection<'_>,
    ) -> Result<Self, Error> {
        let signer = signer_of(key, founding.pss)?;
        let serial = Serial::generate()?;
        let der = self_signed(&signer, founding, &serial)?;
        check_signature(backend, &der)?;
        let own = NewCertificate {
            serial,
            profile: "root".into(),
            not_before: founding.not_before,
            not_after: founding.not_after,
            issued: founding.not_before,
            der: der.clone(),
        };
        let record = AuthorityRecord {
            label: founding.label.to_owned(),
            certificate: der,
            key: protection.protect(backend, &**key)?,
            urls: checked(&founding.urls)?,
            crl_number: 0,
            created: founding.not_before,
        };
        Ok(Self { record, own: Some(own), past: Past::Nothing })
    }

    /// Imports a CA with an existing key and certificate.
    ///
    /// # Errors
    /// Returns an error if the certificate cannot be decoded, is not a CA certificate, has expired or an unknown critical extension, or
    /// does not match the key.
    pub fn adopt(
        backend: &dyn Backend,
        key: &Arc<dyn PrivateKey>,
        adoption: &Adoption<'_>,
        protection: &Protection<'_>,
    ) -> Result<Self, Error> {
        let Adoption { label, certificate, urls, takeover, last_number, now } = *adoption;
        let read = Certificate::from_der(certificate).map_err(Error::malformed("the CA's certificate"))?;
        check_is_ca(&read)?;
        let public = SubjectPublicKeyInfo::from_der(key.public_key_info()).map_err(Error::malformed("the CA's key"))?;
        let tbs = &read.tbs_certificate;
        if now > tbs.validity.not_after.unix() {
            let what = format!("the CA's certificate has expired, on {}", tbs.validity.not_after);
            return Err(Error::refused(what, "RFC 5280 §6.1.3"));
        }
        if tbs.subject_public_key_info != public {
            return Err(Error::NotTheKey);
        }
        // The certificate of a new key that the old key signed is in no list of those that the new key has signed.
        let is_own = tbs.issuer == tbs.subject && read.is_self_signed();
        if is_own {
            check_signature(backend, certificate)?;
        }
        let own = is_own.then(|| NewCertificate {
            serial: Serial::from_int(tbs.serial_number.0),
            profile: "root".into(),
            not_before: tbs.validity.not_before.unix(),
            not_after: tbs.validity.not_after.unix(),
            issued: now,
            der: certificate.to_vec(),
        });
        let record = AuthorityRecord {
            label: label.to_owned(),
            certificate: certificate.to_vec(),
            key: protection.protect(backend, &**key)?,
            urls: checked(urls)?,
            crl_number: 0,
            created: now,
        };
        Ok(Self { record, own, past: Past::Unknown }.after(&takeover, last_number))
    }

    /// Adds the CA's earlier revocations.
    #[must_use]
    pub fn after(mut self, takeover: &Takeover<'_>, last_number: u64) -> Self {
        self.past = takeover.past();
        // A CRL that is stored has the number that the next one follows.
        let recorded = match takeover {
            Takeover::Import(import) => import.last_number(),
            _ => 0,
        };
        let stored = match &self.past {
            Past::TakenOver(History { crl: Some((number, _)), .. }) => *number,
            _ => 0,
        };
        // A delta CRL may have a higher number. The complete CRL is then not stored.
        let last = last_number.max(recorded);
        self.record.crl_number = if stored < last { last } else { 0 };
        self
    }

    /// Returns the CA certificate in DER.
    #[must_use]
    pub fn certificate_der(&self) -> &[u8] {
        &self.record.certificate
    }

    /// Adds the CA to a store.
    ///
    /// # Errors
    /// Returns [`Error::AuthorityExists`] if the label is already used, or any error from the store.
    pub fn add(&self, store: &mut dyn Store) -> Result<Authority, Error> {
        store.add_authority(&self.record, self.own.as_ref(), &self.past)?;
        Authority::open(store, &self.record.label)
    }
}

impl Authority {
    /// Creates a CA with a new key and a self-signed certificate.
    ///
    /// # Errors
    /// Returns [`Error::AuthorityExists`] if the label is already used, [`Error::Refused`] for PSS with a key other than RSA,
    /// or any error from the store, the key or the builder.
    pub fn found(
        store: &mut dyn Store,
        backend: &dyn Backend,
        key: &Arc<dyn PrivateKey>,
        founding: &Founding<'_>,
        protection: &Protection<'_>,
    ) -> Result<Self, Error> {
        NewAuthority::found(backend, key, founding, protection)?.add(store)
    }

    /// Imports a CA with an existing key and certificate.
    ///
    /// # Errors
    /// Returns [`Error::AuthorityExists`] if the label is already used, or any error from the store. Also fails if the
    /// certificate cannot be decoded, is not a CA certificate, or does not match the key.
    pub fn adopt(
        store: &mut dyn Store,
        backend: &dyn Backend,
        key: &Arc<dyn PrivateKey>,
        adoption: &Adoption<'_>,
        protection: &Protection<'_>,
    ) -> Result<Self, Error> {
        NewAuthority::adopt(backend, key, adoption, protection)?.add(store)
    }
}

/// Checks that all URLs are valid URIs, because they are included in each certificate.
pub(crate) fn checked(urls: &Urls) -> Result<Urls, Error> {
    [&urls.ocsp, &urls.issuer].into_iter().flatten().try_for_each(|url| check_uri(url))?;
    let partitions = urls.crl.as_deref().map(Partitions::of).transpose()?.flatten();
    if let Some(url) = &urls.crl {
        check_uri(&partitions.as_ref().map_or_else(|| url.clone(), |all| all.url(1)))?;
    }
    issue::of_urls(urls, partitions.as_ref())?;
    Ok(urls.clone())
}

fn self_signed(signer: &dyn Signer, founding: &Founding<'_>, serial: &Serial) -> Result<Vec<u8>, Error> {
    if founding.not_after <= founding.not_before {
        return Err(Error::refused("the certificate's notAfter would precede its notBefore", "RFC 5280 §4.1.2.5"));
    }
    let key = SubjectPublicKeyInfo::from_der(signer.public_key_info()).map_err(Error::malformed("the CA's key"))?;
    let key_identifier = match &founding.key_identifier {
        Some(own) => own.clone(),
        None => CA_KEY_IDENTIFIER.of(&key).map_err(|error| Error::Build(error.into()))?,
    };
    let mut list = ExtensionList::new();
    list.add(true, &BasicConstraints { ca: true, path_len_constraint: founding.path_len.map(Count::new) })?;
    list.add(true, &KeyUsage(NamedBits::from_mask(CA_USAGE)))?;
    list.add(false, &SubjectKeyIdentifier(key_identifier.as_slice().into()))?;
    let extensions = list.extensions();
    let algorithm = identifier(signer)?;
    let unsigned = build::certificate(&TbsCertificate {
        version: Version::V3,
        serial_number: serial.number(),
        signature: decoded(&algorithm)?,
        issuer: founding.subject.name(),
        validity: Validity {
            not_before: clock::time(founding.not_before)?,
            not_after: clock::time(founding.not_after)?,
        },
        subject: founding.subject.name(),
        subject_public_key_info: key,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Extensions::new(&extensions),
    })?;
    sign(&unsigned, signer).map_err(Error::crypto("the CA's key"))
}

/// Verifies a certificate's signature with the certificate's own key.
pub(crate) fn check_signature(backend: &dyn Backend, certificate: &[u8]) -> Result<(), Error> {
    let read = Certificate::from_der(certificate).map_err(Error::malformed("the CA's certificate"))?;
    let tbs = &read.tbs_certificate;
    let signature = read.signature_value.octets().unwrap_or_default();
    // Also SHA-1: a self-signature proves no more than that name and key belong together (RFC 5280 §6.1).
    verify_legacy(backend, &tbs.subject_public_key_info, &read.signature_algorithm, tbs.as_bytes(), signature)
        .map_err(Error::crypto("the CA's certificate"))
}

//! Founding of a CA: self-signed, or with a certificate that another CA issued.

use std::sync::Arc;

use tagwise_codec::{Decode, NamedBits};
use tagwise_crypto::{Backend, PrivateKey, Signer, sign, verify};
use tagwise_pkix::build::{self, ExtensionList};
use tagwise_pkix::ext::{BasicConstraints, Count, KeyUsage, SubjectKeyIdentifier};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{Certificate, Extensions, SubjectPublicKeyInfo, TbsCertificate, UnixTime, Validity, Version};

use crate::authority::{check_is_ca, decoded, identifier};
use crate::issue::CA_KEY_IDENTIFIER;
use crate::names::check_uri;
use crate::profile::CA_USAGE;
use crate::scheme::signer_of;
use crate::store::{AuthorityRecord, History, NewCertificate, Past};
use crate::{Authority, Error, Protection, Serial, Store, Takeover, Urls, clock};

/// Description of a new CA.
#[derive(Clone, Debug)]
pub struct Founding<'a> {
    /// Label in its store: [`Authority::LABEL`] unless there are several.
    pub label: &'a str,
    /// Its name.
    pub subject: NameBuf,
    /// The subject key identifier to preserve: that of the certificate to renew. If absent, it is the SHA-1 of the key (RFC 5280
    /// §4.2.1.2 (1)).
    pub key_identifier: Option<Vec<u8>>,
    /// The first moment of its validity.
    pub not_before: UnixTime,
    /// The last one.
    pub not_after: UnixTime,
    /// Number of CAs that may stand below it in one chain; `None` for any number.
    pub path_len: Option<u8>,
    /// Locations of its responder, CRL and certificate.
    pub urls: Urls,
    /// Set to sign with RSASSA-PSS, which is for RSA keys (RFC 4055 §3.1): its certificate, and whatever it signs
    /// later.
    pub pss: bool,
}

/// An existing CA.
#[derive(Clone, Copy, Debug)]
pub struct Adoption<'a> {
    /// Its label in the store: [`Authority::LABEL`] unless there are several CAs.
    pub label: &'a str,
    /// Its certificate in DER, which another CA or it itself has signed.
    pub certificate: &'a [u8],
    /// Locations of its responder, CRL and certificate.
    pub urls: &'a Urls,
    /// Its revocations from elsewhere.
    pub takeover: Takeover<'a>,
    /// The number of the last CRL that it made elsewhere, where `takeover` has no CRL with a number; the next has a larger one.
    pub last_number: u64,
    /// The time.
    pub now: UnixTime,
}

/// A CA that is judged and ready to be stored: whatever can be wrong with it was found.
#[derive(Debug)]
pub struct NewAuthority {
    record: AuthorityRecord,
    own: Option<NewCertificate>,
    past: Past,
}

impl NewAuthority {
    /// A new CA with a certificate that it signs itself. Its key is taken to be new as well; where it is not, [`after`](Self::after)
    /// says what was revoked under the same name before.
    ///
    /// # Errors
    /// [`Error::Refused`] for PSS with a key that is not RSA; what the key or the builder says.
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
            profile: "root",
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

    /// A CA with a key and a certificate that it has already.
    ///
    /// # Errors
    /// A certificate that does not decode, is not that of a CA, or has another key.
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
        if tbs.subject_public_key_info != public {
            return Err(Error::NotTheKey);
        }
        let own_issue = tbs.issuer == tbs.subject;
        if own_issue {
            check_signature(backend, certificate)?;
        }
        let own = own_issue.then(|| NewCertificate {
            serial: Serial::from_int(tbs.serial_number.0),
            profile: "root",
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

    /// The same with what the CA did before.
    #[must_use]
    pub fn after(mut self, takeover: &Takeover<'_>, last_number: u64) -> Self {
        self.past = takeover.past();
        // A CRL that is stored has the number that the next one follows.
        self.record.crl_number =
            if matches!(&self.past, Past::TakenOver(History { crl: Some(_), .. })) { 0 } else { last_number };
        self
    }

    /// The CA's certificate in DER.
    #[must_use]
    pub fn certificate_der(&self) -> &[u8] {
        &self.record.certificate
    }

    /// Stores it.
    ///
    /// # Errors
    /// [`Error::AuthorityExists`]; what the store says.
    pub fn add(&self, store: &mut dyn Store) -> Result<Authority, Error> {
        store.add_authority(&self.record, self.own.as_ref(), &self.past)?;
        Authority::open(store, &self.record.label)
    }
}

impl Authority {
    /// A new CA with a new key and a certificate that it signs itself.
    ///
    /// # Errors
    /// [`Error::AuthorityExists`]; [`Error::Refused`] for PSS with a key that is not RSA; what the store, the key or the builder says.
    pub fn found(
        store: &mut dyn Store,
        backend: &dyn Backend,
        key: &Arc<dyn PrivateKey>,
        founding: &Founding<'_>,
        protection: &Protection<'_>,
    ) -> Result<Self, Error> {
        NewAuthority::found(backend, key, founding, protection)?.add(store)
    }

    /// A CA with a key and a certificate that it has already.
    ///
    /// # Errors
    /// [`Error::AuthorityExists`]; a certificate that does not decode, is not that of a CA, or has another key; what the store says.
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

/// URLs stand in each certificate: they are held to what URIs are.
fn checked(urls: &Urls) -> Result<Urls, Error> {
    [&urls.ocsp, &urls.crl, &urls.issuer].into_iter().flatten().try_for_each(|url| check_uri(url))?;
    Ok(urls.clone())
}

fn self_signed(signer: &dyn Signer, founding: &Founding<'_>, serial: &Serial) -> Result<Vec<u8>, Error> {
    if founding.not_after <= founding.not_before {
        return Err(Error::refused("the certificate would end before it begins", "RFC 5280 §4.1.2.5"));
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

/// Checks that a certificate verifies with its own key.
pub(crate) fn check_signature(backend: &dyn Backend, certificate: &[u8]) -> Result<(), Error> {
    let read = Certificate::from_der(certificate).map_err(Error::malformed("the CA's certificate"))?;
    let tbs = &read.tbs_certificate;
    let signature = read.signature_value.octets().unwrap_or_default();
    verify(backend, &tbs.subject_public_key_info, &read.signature_algorithm, tbs.as_bytes(), signature)
        .map_err(Error::crypto("the CA's certificate"))
}

//! Gives a CA a new key, as a second CA with the same name (RFC 4210 §4.4).
//!
//! The old CA keeps its database, because certificates and CRLs of the old key are verified with the old key. The new CA takes over
//! its unexpired certificates and their revocations: CRLs of both keys have the same issuer, and relying parties may use either for
//! any certificate (RFC 5280 §5, §6.3.3 (f)). It also takes over all certificates with compromised keys, to refuse these keys.

use std::sync::Arc;

use tagwise_codec::Decode;
use tagwise_crypto::{Backend, PrivateKey, Signer, sign};
use tagwise_pkix::build::{self, ExtensionList};
use tagwise_pkix::ext::{AuthorityKeyIdentifier, KnownExtension, SubjectKeyIdentifier};
use tagwise_pkix::{Extensions, SubjectPublicKeyInfo, TbsCertificate, UnixTime, Validity};

use crate::authority::{check_is_ca, decoded, identifier};
use crate::found::{check_signature, checked};
use crate::issue::{CA_KEY_IDENTIFIER, Subject};
use crate::scheme::signer_of;
use crate::store::{AuthorityRecord, Elsewhere, History, NewCertificate, Past, Revocation};
use crate::{Authority, Error, Identity, Issued, NewAuthority, Order, Profile, Protection, Serial, Store, Urls, clock};

/// The parameters for giving a CA a new key.
#[derive(Clone, Copy, Debug)]
pub struct Rekeying<'a> {
    /// The CA's new key.
    pub key: &'a Arc<dyn PrivateKey>,
    /// The start and end of the new certificate's validity period, both inclusive.
    pub validity: (UnixTime, UnixTime),
    /// The URLs for issued certificates. The CRL's URL must differ from the old key's.
    pub urls: &'a Urls,
    /// True to use RSASSA-PSS (RFC 4055 §3.1). Requires an RSA key.
    pub pss: bool,
}

impl Authority {
    /// Creates a CA with the same name and extensions, but a new key and key identifier. It takes over the unexpired certificates in
    /// this CA's store, and their revocations, so that its CRLs list them and it can revoke the others. It also takes over the
    /// certificates with compromised keys, so that it refuses these keys ([`check_compromise`](Self::check_compromise)).
    /// Revocations that are later added to this CA's store are not transferred.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if another CA issued the certificate, the key is the old one, or the validity period is empty. Returns
    /// [`Error::ClockDisagrees`] if the validity period would start before the last CRL was issued, and [`Error::PastUnknown`] if this
    /// CA was imported and its earlier revocations are unknown. Also returns any error from the key, the builder or the store.
    pub fn rekey(
        &self,
        store: &mut dyn Store,
        backend: &dyn Backend,
        rekeying: &Rekeying<'_>,
        protection: &Protection<'_>,
    ) -> Result<NewAuthority, Error> {
        let Rekeying { key, validity: (not_before, not_after), urls, pss } = *rekeying;
        self.check_clock(store, not_before)?;
        let old = self.certificate().tbs_certificate;
        if old.issuer != old.subject || !self.certificate().is_self_signed() {
            return Err(Error::refused(
                "the CA's certificate was issued by a different CA or key: have that CA certify the new key, and import the key and certificate",
                "RFC 5280 §3.2",
            ));
        }
        if key.public_key_info() == self.public_key() {
            return Err(Error::refused("the new key is the CA's old key", None));
        }
        if not_after <= not_before {
            return Err(Error::refused("the certificate's notAfter would precede its notBefore", "RFC 5280 §4.1.2.5"));
        }
        let signer = signer_of(key, pss)?;
        let info = SubjectPublicKeyInfo::from_der(key.public_key_info()).map_err(Error::malformed("the CA's key"))?;
        let own = CA_KEY_IDENTIFIER.of(&info).map_err(|error| Error::Build(error.into()))?;
        let mut list = ExtensionList::new();
        for extension in old.extensions.iter().flat_map(Extensions::iter) {
            let extension = extension.map_err(Error::malformed("the CA's certificate"))?;
            match extension.extn_id {
                SubjectKeyIdentifier::ID => list.add(false, &SubjectKeyIdentifier(own.as_slice().into()))?,
                // It identifies the old key. A self-signed certificate does not need it (RFC 5280 §4.2.1.1).
                AuthorityKeyIdentifier::ID => continue,
                id => list.add_der(id, extension.critical, extension.extn_value.as_bytes())?,
            };
        }
        let serial = Serial::generate()?;
        let extensions = list.extensions();
        let algorithm = identifier(&signer)?;
        let unsigned = build::certificate(&TbsCertificate {
            serial_number: serial.number(),
            signature: decoded(&algorithm)?,
            validity: Validity { not_before: clock::time(not_before)?, not_after: clock::time(not_after)? },
            subject_public_key_info: info,
            extensions: Extensions::new(&extensions),
            ..*old
        })?;
        let der = sign(&unsigned, &signer).map_err(Error::crypto("the CA's key"))?;
        check_signature(backend, &der)?;
        let own = NewCertificate {
            serial,
            profile: "root".into(),
            not_before,
            not_after,
            issued: not_before,
            der: der.clone(),
        };
        let record = AuthorityRecord {
            label: self.label().to_owned(),
            certificate: der,
            key: protection.protect(backend, &**key)?,
            urls: checked(urls)?,
            crl_number: 0,
            created: not_before,
        };
        let past = Past::TakenOver(self.history(store, not_before)?);
        Ok(NewAuthority::new(record, Some(own), past))
    }

    /// Returns the certificates that have not expired or whose key is compromised, and their revocations. The certificates are
    /// included, so that the new CA refuses compromised keys, too, even if they are only revoked later.
    fn history(&self, store: &mut dyn Store, now: UnixTime) -> Result<History, Error> {
        let mut revoked = store.revoked(self.id, Some(now), now)?;
        let mut issued = Vec::new();
        store.certificates(self.id, &mut |record| {
            let has_expired = record.not_after < now;
            let compromise = record.revocation.filter(Revocation::is_compromise);
            if has_expired && compromise.is_none() {
                return Ok(());
            }
            // Those revoked earlier are not among `revoked`.
            if let Some(revocation) = compromise.filter(|compromise| has_expired && compromise.at < now) {
                revoked.push((record.serial.clone(), revocation));
            }
            // Nobody can revoke the old key's own certificate by its name.
            let der = (record.is_known() && record.profile != "root").then_some(record.der);
            issued.push(Elsewhere {
                serial: record.serial,
                der,
                validity: Some((record.not_before, record.not_after)),
            });
            Ok(())
        })?;
        Ok(History { crl: None, last_number: 0, issued, revoked })
    }

    /// Certifies another key of this CA: the new one with the old one, or the old one with the new one. Relying parties that
    /// trust this CA then accept certificates signed with the other key.
    ///
    /// # Errors
    /// Returns any error from [`issue`](Self::issue), [`Error::Malformed`] if the certificate does not decode, or [`Error::Refused`] if it
    /// is not a CA certificate or has a different name.
    pub fn cross_certify(
        &self,
        store: &mut dyn Store,
        backend: &dyn Backend,
        signer: &dyn Signer,
        other: &[u8],
        now: UnixTime,
    ) -> Result<Issued, Error> {
        let identity = Identity::of_certificate(other)?;
        let (own, read) = (
            self.certificate().tbs_certificate,
            tagwise_pkix::Certificate::from_der(other).map_err(Error::malformed("the other certificate"))?,
        );
        check_is_ca(&read)?;
        if read.tbs_certificate.subject != own.subject {
            return Err(Error::refused("the other certificate has a different name", "RFC 4210 §4.4"));
        }
        let until = read.tbs_certificate.validity.not_after.unix().min(own.validity.not_after.unix());
        let public_key = identity.public_key.unwrap_or_default();
        let order = Order {
            subject: identity.subject,
            names: Vec::new(),
            public_key: &public_key,
            key_identifier: identity.key_identifier.as_deref(),
            restrictions: identity.restrictions,
            profile: Profile::Ca { path_len: identity.path_len },
            not_before: now,
            not_after: until,
        };
        self.issue_to(Subject::ThisCa, store, backend, signer, &order, now)
    }
}

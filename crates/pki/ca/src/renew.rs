//! Renews a CA certificate with the same key, name and key identifier, so that issued certificates remain valid.

use tagwise_codec::Decode;
use tagwise_crypto::{Backend, Signer, sign};
use tagwise_pkix::build;
use tagwise_pkix::ext::SubjectKeyIdentifier;
use tagwise_pkix::{Certificate, TbsCertificate, UnixTime, Validity};

use crate::authority::{check_is_ca, decoded, identifier};
use crate::found::check_signature;
use crate::store::NewCertificate;
use crate::{Authority, Error, Serial, Store, clock};

impl Authority {
    /// Renews a self-signed CA certificate, with a new serial number and validity and all its extensions unchanged (RFC
    /// 5280 §4.1.2.6, §4.2.1.2).
    ///
    /// # Errors
    /// Returns [`Error::NotTheKey`] if the signer does not hold the CA's key. Returns [`Error::Refused`] if another CA issued
    /// the certificate, if the CA's key is compromised ([`check_compromise`](Self::check_compromise)), or if the new validity period would
    /// end before it starts. Returns [`Error::ClockDisagrees`] if it would start before the last CRL was issued. Also fails if the builder, the key or the store fails.
    pub fn renew(
        &self,
        store: &mut dyn Store,
        backend: &dyn Backend,
        signer: &dyn Signer,
        (not_before, not_after): (UnixTime, UnixTime),
    ) -> Result<Self, Error> {
        self.check_signer(signer)?;
        self.check_clock(store, not_before)?;
        let old = self.certificate().tbs_certificate;
        if old.issuer != old.subject || !self.certificate().is_self_signed() {
            return Err(Error::refused(
                "the CA's certificate was issued by a different CA or key: have that CA issue a new certificate, and import it",
                "RFC 5280 §3.2",
            ));
        }
        self.check_compromise(store, self.public_key())?;
        if not_after <= not_before {
            return Err(Error::refused("the certificate's notAfter would precede its notBefore", "RFC 5280 §4.1.2.5"));
        }
        let serial = Serial::generate()?;
        let algorithm = identifier(signer)?;
        let unsigned = build::certificate(&TbsCertificate {
            serial_number: serial.number(),
            signature: decoded(&algorithm)?,
            validity: Validity { not_before: clock::time(not_before)?, not_after: clock::time(not_after)? },
            ..*old
        })?;
        let der = sign(&unsigned, signer).map_err(Error::crypto("the CA's key"))?;
        check_signature(backend, &der)?;
        let own = NewCertificate {
            serial,
            profile: "root".into(),
            not_before,
            not_after,
            issued: not_before,
            der: der.clone(),
        };
        store.renew(self.id, &der, Some(&own))?;
        Self::open(store, self.label())
    }

    /// Installs a new certificate for this CA, issued by another CA. Whether the other CA has revoked it is not known here.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the certificate does not decode, and [`Error::NotTheKey`] if it is for a different key.
    /// Returns [`Error::Refused`] if it is not a CA certificate or not valid now, or if its name or key identifier has changed, because
    /// issued certificates refer to both. Also returns it if this CA has revoked the certificate, or if the CA's key is compromised
    /// ([`check_compromise`](Self::check_compromise)). Also fails if the store does.
    pub fn replace_certificate(&self, store: &mut dyn Store, certificate: &[u8], now: UnixTime) -> Result<Self, Error> {
        let malformed = Error::malformed("the CA's certificate");
        let read = Certificate::from_der(certificate).map_err(&malformed)?;
        check_is_ca(&read)?;
        let (new, old) = (&read.tbs_certificate, &self.certificate().tbs_certificate);
        if new.subject_public_key_info != old.subject_public_key_info {
            return Err(Error::NotTheKey);
        }
        if new.subject != old.subject {
            return Err(Error::refused(
                "the CA's name in the new certificate is encoded differently",
                "RFC 5280 §4.1.2.6",
            ));
        }
        if !new.validity.contains(now) {
            let (from, to) = (new.validity.not_before, new.validity.not_after);
            let what = format!("the new certificate is valid from {from} to {to}, not now");
            return Err(Error::refused(what, "RFC 5280 §6.1.3"));
        }
        self.check_compromise(store, self.public_key())?;
        self.check_delegate(store, &read, "the new certificate")?;
        let identifier = |tbs: &TbsCertificate<'_>| -> Result<Option<Vec<u8>>, Error> {
            let own = tbs.extensions.map_or(Ok(None), |list| list.get::<SubjectKeyIdentifier<'_>>());
            Ok(own.map_err(&malformed)?.map(|own| own.0.as_bytes().to_vec()))
        };
        if identifier(new)? != identifier(old)? {
            return Err(Error::refused(
                "the subject key identifier in the new certificate differs",
                "RFC 5280 §4.2.1.2",
            ));
        }
        store.renew(self.id, certificate, None)?;
        Self::open(store, self.label())
    }
}

//! The signature scheme of a CA's key, which is derived from the CA's certificate and not stored.

use std::sync::Arc;

use tagwise_crypto::{ErrorKind, KeySigner, KeyType, PrivateKey, PssParameters, Scheme};
use tagwise_pkix::oids;

use crate::{Authority, Error};

impl Authority {
    /// Returns the CA's signature scheme: RSASSA-PSS if its certificate requires it, otherwise the usual one for the key.
    ///
    /// RSASSA-PSS is required if the key has the PSS-only identifier (RFC 4055 §3.1). The key's parameters, if any, then apply.
    /// It is also required if the certificate is self-signed with it. The digest is then the one in the self-signature, unless
    /// that is SHA-1. The mask and salt are derived from the digest, because they may differ between signatures. The signature
    /// of a different CA is ignored.
    ///
    /// # Errors
    /// Returns [`Error::Crypto`] if the key cannot sign or its parameters are unknown.
    pub fn scheme(&self) -> Result<Scheme, Error> {
        let failed = Error::crypto("the CA's key");
        let kind = KeyType::of(&self.certificate().tbs_certificate.subject_public_key_info).map_err(&failed)?;
        let scheme = self.pss(kind)?.or(Scheme::preferred(kind));
        scheme.ok_or_else(|| failed(tagwise_crypto::Error::new(ErrorKind::WrongKey, kind)))
    }

    /// Returns RSASSA-PSS, if the CA certificate requires it.
    fn pss(&self, kind: KeyType) -> Result<Option<Scheme>, Error> {
        let certificate = self.certificate();
        let tbs = &certificate.tbs_certificate;
        let key = &tbs.subject_public_key_info.algorithm;
        if key.algorithm == oids::RSASSA_PSS {
            if key.parameters.is_none() {
                return Ok(Scheme::preferred_pss(kind));
            }
            let bound = Scheme::of(key).map_err(Error::crypto("the CA's key"))?;
            let Scheme::RsaPss(least) = bound else { return Ok(Some(bound)) };
            // RFC 4055 §3.3: the key's parameters fix both digests, and set the minimum length of the salt.
            let salt_len = least.salt_len.max(PssParameters::of(least.digest).salt_len);
            return Ok(Some(Scheme::RsaPss(PssParameters { salt_len, ..least })));
        }
        let signature = &certificate.signature_algorithm;
        // The creation of the CA checked that a self-signed certificate is signed with its own key.
        if tbs.issuer != tbs.subject || !certificate.is_self_signed() || signature.algorithm != oids::RSASSA_PSS {
            return Ok(None);
        }
        let signed = Scheme::of(signature).ok().and_then(|scheme| scheme.digest());
        let signed = signed.map(|digest| Scheme::RsaPss(PssParameters::of(digest)));
        Ok(signed.or(Scheme::preferred_pss(kind)))
    }
}

/// Creates the signer for a new CA's key, using RSASSA-PSS if `pss` is set, or otherwise the usual scheme for the key type.
pub(crate) fn signer_of(key: &Arc<dyn PrivateKey>, pss: bool) -> Result<KeySigner, Error> {
    let failed = Error::crypto("the CA's key");
    if !pss {
        return KeySigner::preferred(Arc::clone(key)).map_err(failed);
    }
    let kind = key.key_type();
    let refused = || Error::refused(format!("RSASSA-PSS requires an RSA key; the CA's key is {kind}"), "RFC 4055 §3.1");
    KeySigner::new(Arc::clone(key), Scheme::preferred_pss(kind).ok_or_else(refused)?).map_err(failed)
}

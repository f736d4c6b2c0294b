//! Refuses public keys of certificates that were revoked because the key is compromised.

use std::collections::HashMap;

use tagwise_codec::Decode;
use tagwise_pkix::{Certificate, SubjectPublicKeyInfo};

use crate::store::NewCertificate;
use crate::{Authority, Error, Serial, Store};

impl Authority {
    /// Checks that no certificate of this CA for the same public key was revoked because the key is compromised (keyCompromise or
    /// cACompromise). The algorithm is not compared, so that an RSA key is recognized under RSASSA-PSS, too.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if there is one, [`Error::Malformed`] if the key does not decode, or any error from the store.
    pub fn check_compromise(&self, store: &mut dyn Store, public_key: &[u8]) -> Result<(), Error> {
        self.compromises(store, &[public_key])?.into_iter().flatten().next().map_or(Ok(()), Err)
    }

    /// Checks several public keys like [`check_compromise`](Self::check_compromise), and reads the revoked certificates only once. Returns
    /// an error for each compromised key, in the same order.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if a key does not decode, or any error from the store.
    pub fn compromises(&self, store: &mut dyn Store, public_keys: &[&[u8]]) -> Result<Vec<Option<Error>>, Error> {
        let read = |info: &&[u8]| {
            let info = SubjectPublicKeyInfo::outline(info).map_err(Error::malformed("the subject's key"))?;
            Ok(info.subject_public_key.as_bytes().to_vec())
        };
        self.matching(store, &public_keys.iter().map(read).collect::<Result<Vec<_>, Error>>()?)
    }

    /// Checks the keys of certificates before they are stored.
    pub(crate) fn check_compromises(
        &self,
        store: &mut dyn Store,
        certificates: &[NewCertificate],
    ) -> Result<(), Error> {
        let keys = certificates.iter().map(|certificate| key(&certificate.der)).collect::<Result<Vec<_>, Error>>()?;
        self.matching(store, &keys)?.into_iter().flatten().next().map_or(Ok(()), Err)
    }

    fn matching(&self, store: &mut dyn Store, keys: &[Vec<u8>]) -> Result<Vec<Option<Error>>, Error> {
        let mut wanted: HashMap<&[u8], Option<Serial>> = keys.iter().map(|key| (key.as_slice(), None)).collect();
        store.compromised(self.id(), &mut |serial, der| {
            if let Some(place) = wanted.get_mut(key(der)?.as_slice()) {
                *place = Some(serial);
            }
            Ok(())
        })?;
        let refused = |serial: &Serial| {
            let what =
                format!("the subject's key is compromised: its certificate {serial} was revoked for that reason");
            Error::refused(what, "CA/Browser Forum BR §6.1.1.3")
        };
        Ok(keys.iter().map(|key| wanted.get(key.as_slice()).and_then(Option::as_ref).map(refused)).collect())
    }
}

/// Returns the bits of a certificate's public key, without its algorithm.
fn key(der: &[u8]) -> Result<Vec<u8>, Error> {
    let read = Certificate::outline(der).map_err(Error::malformed("the certificate"))?;
    Ok(read.tbs_certificate.subject_public_key_info.subject_public_key.as_bytes().to_vec())
}

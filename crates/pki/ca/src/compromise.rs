//! Refuses public keys of certificates that were revoked because the key is compromised.

use std::collections::HashMap;

use tagwise_codec::Decode;
use tagwise_pkix::{Certificate, SubjectPublicKeyInfo, oids};

use crate::store::NewCertificate;
use crate::{Authority, Error, Serial, Store};

impl Authority {
    /// Checks that no certificate of this CA for the same public key was revoked because the key is compromised (keyCompromise or
    /// cACompromise). The algorithm is not compared, so that an RSA key is recognized under RSASSA-PSS, too, and neither is
    /// the form of an elliptic curve point.
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
            Ok(comparable_key(&info))
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
    Ok(comparable_key(&read.tbs_certificate.subject_public_key_info))
}

/// Returns the bits of a public key in a form that is the same for all encodings of the key, without the algorithm. A point of an
/// elliptic curve is returned in compressed form (SEC 1 §2.3.3), whether it is compressed, uncompressed or hybrid.
///
/// ```
/// use tagwise_ca::comparable_key;
/// use tagwise_codec::Decode;
/// use tagwise_pkix::SubjectPublicKeyInfo;
/// // On a curve with two-byte coordinates.
/// let der = b"\x30\x13\x30\x09\x06\x07\x2A\x86\x48\xCE\x3D\x02\x01\x03\x06\x00\x04\x01\x02\x03\x05";
/// assert_eq!(comparable_key(&SubjectPublicKeyInfo::outline(der)?), [3, 1, 2]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[must_use]
pub fn comparable_key(info: &SubjectPublicKeyInfo<'_>) -> Vec<u8> {
    let octets = info.subject_public_key.as_bytes();
    let curves = [oids::EC_PUBLIC_KEY, oids::EC_DH, oids::EC_MQV];
    match octets {
        [4 | 6 | 7, point @ ..] if curves.contains(&info.algorithm.algorithm) && point.len().is_multiple_of(2) => {
            let (x, y) = point.split_at_checked(point.len() / 2).unwrap_or_default();
            let parity = y.last().map_or(2, |last| 2 | last & 1);
            [&[parity][..], x].concat()
        }
        _ => octets.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{Any, BitStr};
    use tagwise_pkix::AlgorithmIdentifier;

    use super::*;

    #[test]
    fn every_form_of_a_point_is_the_same_key() {
        let of = |algorithm, octets: &[u8]| {
            let algorithm = AlgorithmIdentifier { algorithm, parameters: Some(Any::null(0)) };
            comparable_key(&SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(octets) })
        };
        for (point, parity) in [([9, 9, 7, 6], 2), ([9, 9, 6, 7], 3)] {
            let compressed = [parity, 9, 9];
            assert_eq!(of(oids::EC_PUBLIC_KEY, &compressed), compressed);
            for form in [4, 6 | parity & 1] {
                assert_eq!(of(oids::EC_PUBLIC_KEY, &[&[form][..], &point].concat()), compressed);
            }
            // Other keys are not points.
            assert_eq!(of(oids::RSA_ENCRYPTION, &[&[4][..], &point].concat()).len(), 5);
        }
    }
}

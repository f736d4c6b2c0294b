//! RSA keys that are restricted to RSASSA-PSS (RFC 4055 §1.2).

use std::sync::Arc;

use tagwise_codec::{Decode, encode};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::{Error, ErrorKind, PostQuantumForm, PrivateKey, PrivateKeyInfo, PssParameters, Scheme, Secret};

/// A key that signs only as its identifier allows, and does not decrypt.
#[derive(Debug)]
struct Restricted {
    key: Arc<dyn PrivateKey>,
    /// The parameters that signatures must have; `None` for any.
    least: Option<PssParameters>,
    public: Vec<u8>,
}

/// The RSA key of a backend, restricted as the encoded key says.
///
/// # Errors
/// [`ErrorKind::Unsupported`], [`ErrorKind::Parameters`] for the parameters.
pub(crate) fn restrict(key: Arc<dyn PrivateKey>, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
    let Some(algorithm) = info.restriction() else { return Ok(key) };
    let malformed = |error| Error::new(ErrorKind::MalformedKey, "RSASSA-PSS").because(error);
    let algorithm = AlgorithmIdentifier::from_der(algorithm).map_err(malformed)?;
    let bound = algorithm.parameters.map(|_| Scheme::of_legacy(&algorithm)).transpose()?;
    let least = match bound {
        Some(Scheme::RsaPss(least)) => Some(least),
        _ => None,
    };
    let unrestricted = SubjectPublicKeyInfo::from_der(key.public_key_info()).map_err(malformed)?;
    let public = encode(&SubjectPublicKeyInfo { algorithm, ..unrestricted });
    let public = public.map_err(|error| Error::new(ErrorKind::Failed, "RSASSA-PSS").because(error))?;
    Ok(Arc::new(Restricted { key, least, public }))
}

impl PssParameters {
    /// Returns whether signatures with these parameters are allowed for a key with those (RFC 4055 §3.3): the same
    /// digests, and a salt of at least that length.
    #[must_use]
    pub fn satisfies(&self, least: &Self) -> bool {
        self.digest == least.digest && self.mask == least.mask && self.salt_len >= least.salt_len
    }
}

impl PrivateKey for Restricted {
    fn key_type(&self) -> crate::KeyType {
        self.key.key_type()
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn preferred_scheme(&self) -> Option<Scheme> {
        let Some(least) = self.least else { return Scheme::preferred_pss(self.key_type()) };
        let salt_len = least.salt_len.max(PssParameters::of(least.digest).salt_len);
        Some(Scheme::RsaPss(PssParameters { salt_len, ..least }))
    }

    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        let allowed = match (scheme, &self.least) {
            (Scheme::RsaPss(parameters), Some(least)) => parameters.satisfies(least),
            (Scheme::RsaPss(_), None) => true,
            _ => false,
        };
        if !allowed {
            let why = "the key is restricted to RSASSA-PSS with its parameters (RFC 4055 §1.2, §3.3)";
            return Err(Error::new(ErrorKind::WrongKey, scheme).because(why));
        }
        self.key.sign(scheme, message)
    }

    fn to_pkcs8(&self) -> Result<Secret, Error> {
        self.key.to_pkcs8()
    }

    fn to_pkcs8_as(&self, form: PostQuantumForm) -> Result<Secret, Error> {
        self.key.to_pkcs8_as(form)
    }

    fn agree(&self, peer: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error> {
        self.key.agree(peer)
    }

    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Secret, Error> {
        self.key.decapsulate(ciphertext)
    }

    fn decrypt(&self, transport: crate::KeyTransport, _: &[u8]) -> Result<Secret, Error> {
        Err(Error::new(ErrorKind::WrongKey, transport))
    }

    fn decrypt_labeled(&self, oaep: crate::OaepParameters, _: &[u8], _: &[u8]) -> Result<Secret, Error> {
        Err(Error::new(ErrorKind::WrongKey, crate::KeyTransport::Oaep(oaep)))
    }
}

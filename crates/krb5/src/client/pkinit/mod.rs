//! PKINIT: initial tickets with a certificate, or with none for the anonymous principal (RFC 4556, RFC 5349, RFC 8062, RFC 8070, RFC 8636).

mod exchange;
mod reply;
mod request;
mod transport;
mod trust;

use core::fmt;
use std::sync::Arc;

use tagwise_codec::Decode as _;
use tagwise_crypto::{Error, ErrorKind, KeySigner, KeyType, PrivateKey, Signer};
use tagwise_pkix::SubjectPublicKeyInfo;

use crate::agreement::{Group, Kdf};

use super::ClientError;

pub(super) use exchange::{State, typed};
pub use trust::{KdcTrust, KdcUsage};

/// A client's certificate with its key, and what the KDC's certificate is held to.
#[derive(Clone, Debug)]
pub struct Pkinit {
    /// The client's certificate; none asks for a ticket of the anonymous principal (RFC 8062).
    pub identity: Option<Identity>,
    /// The requirements on the KDC's certificate.
    pub trust: KdcTrust,
    /// The groups for key agreement that may be used, the best first. Another than the first is used if the KDC asks for it.
    pub groups: Vec<Group>,
    /// The key derivation functions that are offered, the best first (RFC 8636). KDCs that know none of them use the one of RFC 4556.
    pub kdfs: Vec<Kdf>,
    /// True to ask for the reply key enveloped to the client's RSA key, in place of a key agreement (RFC 4556 §3.2.3.2): who gets that key
    /// one day can then read what was recorded before. KDCs that do not offer it refuse; nothing else is tried.
    pub key_transport: bool,
}

impl Pkinit {
    /// With a certificate, or for the anonymous principal: group 14 first, which every KDC has, then the others.
    #[must_use]
    pub fn new(identity: Option<Identity>, trust: KdcTrust) -> Self {
        Self { identity, trust, groups: Group::ALL.to_vec(), kdfs: Kdf::ALL.to_vec(), key_transport: false }
    }

    /// Refuses before anything is sent where nobody could open an enveloped key.
    fn can_take_transport(&self) -> Result<(), ClientError> {
        match self.identity.as_ref().map(|identity| identity.key.key_type()) {
            Some(KeyType::Rsa(_)) => Ok(()),
            Some(_) => Err(ClientError::Login("an enveloped reply key needs an RSA key of the client")),
            None => Err(ClientError::Login("an enveloped reply key needs a certificate of the client")),
        }
    }
}

/// A certificate and its private key.
#[derive(Clone)]
pub struct Identity {
    key: Arc<dyn PrivateKey>,
    signer: Arc<dyn Signer>,
    certificate: Vec<u8>,
    chain: Vec<Vec<u8>>,
}

impl Identity {
    /// A certificate with its key, which signs in the customary way of its kind. The certificates of the chain are sent along, without
    /// the root's.
    ///
    /// # Errors
    /// [`ErrorKind::Inconsistent`] if they do not belong together, [`ErrorKind::WrongKey`] for a key that does not sign,
    /// [`ErrorKind::MalformedKey`] for what is no certificate.
    pub fn new(
        key: Arc<dyn PrivateKey>,
        certificate: impl Into<Vec<u8>>,
        chain: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<Self, Error> {
        let identity = Self {
            signer: Arc::new(KeySigner::preferred(key.clone())?),
            key,
            certificate: certificate.into(),
            chain: chain.into_iter().collect(),
        };
        let malformed = |error| Error::new(ErrorKind::MalformedKey, "the client's certificate").because(error);
        let read = trust::certificate(&identity.certificate).map_err(malformed)?;
        let key = SubjectPublicKeyInfo::from_der(identity.signer.public_key_info()).map_err(malformed)?;
        match key.subject_public_key == read.tbs_certificate.subject_public_key_info.subject_public_key {
            true => Ok(identity),
            false => Err(Error::new(ErrorKind::Inconsistent, "the client's certificate and key")),
        }
    }

    /// The certificate, in DER.
    #[must_use]
    pub fn certificate(&self) -> &[u8] {
        &self.certificate
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

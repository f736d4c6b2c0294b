//! PKINIT: initial tickets with a certificate, or anonymously (RFC 4556, RFC 5349, RFC 8062, RFC 8070, RFC 8636).

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

/// PKINIT options: the client's certificate and key, and the requirements on the KDC's certificate.
#[derive(Clone, Debug)]
pub struct Pkinit {
    /// The client's certificate, or `None` for an anonymous ticket (RFC 8062).
    pub identity: Option<Identity>,
    /// The requirements on the KDC's certificate.
    pub trust: KdcTrust,
    /// The allowed key agreement groups, in order of preference. Later ones are used only if the KDC requests them.
    pub groups: Vec<Group>,
    /// The offered key derivation functions, in order of preference (RFC 8636). KDCs that support none of them use the function
    /// in RFC 4556.
    pub kdfs: Vec<Kdf>,
    /// True to request a reply key that is encrypted to the client's RSA key, instead of using key agreement (RFC 4556
    /// §3.2.3.2). Without forward secrecy, a later compromise of the key reveals recorded exchanges. If the KDC does
    /// not support it, the exchange fails.
    pub key_transport: bool,
}

impl Pkinit {
    /// Creates options with a certificate, or for the anonymous principal if there is none. Group 14, which every KDC supports,
    /// is tried first.
    #[must_use]
    pub fn new(identity: Option<Identity>, trust: KdcTrust) -> Self {
        Self { identity, trust, groups: Group::ALL.to_vec(), kdfs: Kdf::ALL.to_vec(), key_transport: false }
    }

    /// Returns an error if key transport is requested but no client key can decrypt the reply key. Called before anything is sent.
    fn can_take_transport(&self) -> Result<(), ClientError> {
        match self.identity.as_ref().map(|identity| identity.key.key_type()) {
            Some(KeyType::Rsa(_)) => Ok(()),
            Some(_) => Err(ClientError::Login("an enveloped reply key requires the client's key to be RSA")),
            None => Err(ClientError::Login("an enveloped reply key requires a client certificate")),
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
    /// Creates an identity that signs with the key type's default scheme. The chain's certificates are also sent, except for
    /// the root.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Inconsistent`] if the certificate and key do not match, [`ErrorKind::WrongKey`] if the key cannot
    /// sign, or [`ErrorKind::MalformedKey`] if a certificate is malformed.
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

    /// Returns the certificate in DER.
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

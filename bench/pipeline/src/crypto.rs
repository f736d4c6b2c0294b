//! Keys, and the floors of what signs and verifies: the trait's own calls with the same handles, octets and threads, nothing else.

use std::sync::Arc;

use tagwise_crypto::backends::all;
use tagwise_crypto::{Backend, KeySigner, KeyType, PrivateKey, PublicKey, Scheme, Signer};

use crate::Failure;
use crate::work::Threads;

/// A key with which a CA signs, as a signer and as what is below it.
pub(crate) struct CaKey {
    pub(crate) key: Arc<dyn PrivateKey>,
    pub(crate) signer: Arc<KeySigner>,
    pub(crate) public: Arc<dyn PublicKey>,
    pub(crate) scheme: Scheme,
}

impl CaKey {
    pub(crate) fn new(backend: &dyn Backend, kind: KeyType) -> Result<Self, Failure> {
        let key = generate(backend, kind)?;
        let signer = KeySigner::preferred(Arc::clone(&key))?;
        let public = backend.public_key_from_der(key.public_key_info())?;
        let scheme = *signer.scheme();
        Ok(Self {
            key,
            signer: Arc::new(signer),
            public,
            scheme,
        })
    }

    /// The floor of what signs.
    pub(crate) fn raw_sign(&self, threads: &Threads, messages: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, Failure> {
        threads.map(messages, |message| Ok(self.key.sign(&self.scheme, message)?))
    }

    /// The floor of what verifies: octets and their signatures.
    pub(crate) fn raw_verify(&self, threads: &Threads, signed: &[(Vec<u8>, Vec<u8>)]) -> Result<(), Failure> {
        let verify = |(message, signature): &(Vec<u8>, Vec<u8>)| {
            self.public
                .verify(&self.scheme, message, signature)
                .map_err(Failure::from)
        };
        threads.map(signed, verify).map(drop)
    }
}

/// What a backend lacks of a kind of key; nothing if it lacks nothing.
pub(crate) fn lacks(backend: &dyn Backend, kind: KeyType) -> Option<String> {
    let scheme = Scheme::preferred(kind)?;
    let can = backend.signs(&scheme, kind) && backend.verifies(&scheme, kind);
    (!can).then(|| format!("not offered by {}", backend.version()))
}

/// A new key in a backend; from another one, if it only takes such keys.
pub(crate) fn generate(backend: &dyn Backend, kind: KeyType) -> Result<Arc<dyn PrivateKey>, Failure> {
    if backend.generates(kind) {
        return Ok(backend.generate(kind)?);
    }
    let other = all().into_iter().find(|other| other.generates(kind));
    let other = other.ok_or_else(|| format!("no backend makes {kind} keys"))?;
    Ok(backend.private_key_from_pkcs8(other.generate(kind)?.to_pkcs8()?.expose())?)
}

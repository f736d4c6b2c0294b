//! NSS: its softoken, a software PKCS #11 module, loaded on demand and without a database.
//!
//! Support depends on the softoken's version, so its mechanisms are queried. RSA, ECDSA and ECDH on the NIST curves,
//! SHA-1, SHA-2 and AES are always available. Later versions also verify Ed25519. Never supported: elliptic curve private
//! keys without their public key (NSS does not compute it), compressed points, SHA-3, X25519, and post-quantum
//! algorithms.

mod key;
mod primitives;

use core::fmt::{self, Display};
use core::ptr::NonNull;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use cryptoki::context::{CInitializeArgs, CInitializeFlags};
use cryptoki::error::Error as Failure;
use cryptoki::mechanism::MechanismType;
use tagwise_pkix::SubjectPublicKeyInfo;

use crate::pkcs11::operation;
use crate::pkcs11::slot::{Slot, open};
use crate::pkcs11::transport;
use crate::{Backend, Error, ErrorKind, KeyTransport, KeyType, PrivateKey, PrivateKeyInfo, PublicKey, Scheme};

/// The NSS backend.
///
/// ```no_run
/// use tagwise_crypto::{Backend, Digest, KeyType, Scheme, backends::Nss};
/// let backend = Nss::system()?;
/// let key = backend.generate(KeyType::P256)?;
/// assert!(key.sign(&Scheme::Ecdsa(Digest::Sha256), b"message").is_ok());
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone)]
pub struct Nss {
    slot: Arc<Slot>,
}

/// The token for the keys of programs. NSS's other token has a database.
const TOKEN: &str = "NSS Generic Crypto Services";

/// Initialization parameters: no certificate, key or module database, and read-only.
const PARAMETERS: &core::ffi::CStr =
    c"configdir='' certPrefix='' keyPrefix='' secmod='' flags=readOnly,noCertDB,noModDB,forceOpen,optimizeSpace";

impl Nss {
    /// Returns the softoken found by the system's loader, which is loaded once per process.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if there is none, or it fails to initialize.
    pub fn system() -> Result<&'static Self, Error> {
        static FOUND: OnceLock<Result<Nss, String>> = OnceLock::new();
        let found = FOUND.get_or_init(|| {
            let name = format!("{DLL_PREFIX}softokn3{DLL_SUFFIX}");
            Self::load(Path::new(&name)).map_err(|failure| failure.to_string())
        });
        let missing = |why: &String| Error::new(ErrorKind::NotOffered, "NSS").because(why.clone());
        found.as_ref().map_err(missing)
    }

    /// Loads the softoken at a path. A process has only one softoken: later calls return the first one.
    ///
    /// # Errors
    /// Returns an error if the library cannot be loaded or initialized.
    fn load(path: &Path) -> Result<Self, Failure> {
        let flags = CInitializeFlags::OS_LOCKING_OK;
        // SAFETY: where PKCS #11 has a reserved pointer, a softoken has one to its parameters (LibraryParameters in NSS's own
        // pkcs11t.h): a string that ends in zero, which it reads within C_Initialize alone. This one is a constant.
        #[allow(unsafe_code, reason = "what PKCS #11 reserves has no type")]
        let arguments = unsafe { CInitializeArgs::new_with_reserved(flags, NonNull::from(PARAMETERS).cast()) };
        let context = open(path, Some(arguments))?;
        let version = context.get_library_info()?.library_version();
        let label = format!("NSS {}.{}", version.major(), version.minor());
        for number in context.get_slots_with_token()? {
            if context.get_token_info(number)?.label() == TOKEN {
                // Once per process, because errors keep the name forever.
                return Ok(Self { slot: Slot::new(&context, number, label.leak())? });
            }
        }
        Err(Failure::NotSupported)
    }

    fn failed(&self, kind: ErrorKind, what: impl Display) -> Error {
        Error::new(kind, what).by(self.slot.label())
    }

    /// Returns whether the softoken supports this type of key.
    fn offers(&self, key: KeyType) -> bool {
        let mechanism = match key {
            KeyType::Rsa(1024..=16384) => MechanismType::RSA_PKCS,
            KeyType::P256 | KeyType::P384 | KeyType::P521 => MechanismType::ECDSA,
            KeyType::Ed25519 => MechanismType::EDDSA,
            _ => return false,
        };
        self.slot.mechanism(mechanism).is_some()
    }

    /// Checks that the softoken supports this type of key.
    fn offered(&self, key: KeyType) -> Result<(), Error> {
        match key {
            KeyType::Rsa(..1024 | 16385..) => Err(self.failed(ErrorKind::KeySize, key)),
            _ if self.offers(key) => Ok(()),
            _ => Err(self.failed(ErrorKind::NotOffered, key)),
        }
    }
}

impl Backend for Nss {
    fn name(&self) -> &'static str {
        "nss"
    }

    fn version(&self) -> String {
        self.slot.label().to_owned()
    }

    fn signs(&self, scheme: &Scheme, key: KeyType) -> bool {
        key != KeyType::Ed25519
            && self.offers(key)
            && !scheme.is_legacy()
            && operation::offers(&self.slot, scheme, key, true)
    }

    fn verifies(&self, scheme: &Scheme, key: KeyType) -> bool {
        self.offers(key) && operation::offers(&self.slot, scheme, key, false)
    }

    fn transports(&self, transport: KeyTransport) -> bool {
        transport::offers(&self.slot, transport)
    }

    fn generates(&self, key: KeyType) -> bool {
        let mechanism = match key {
            // SP 800-131A §3: no new keys below 2,048 bits.
            KeyType::Rsa(2048..) => MechanismType::RSA_PKCS_KEY_PAIR_GEN,
            KeyType::P256 | KeyType::P384 | KeyType::P521 => MechanismType::ECC_KEY_PAIR_GEN,
            _ => return false,
        };
        self.offers(key) && self.slot.mechanism(mechanism).is_some()
    }

    fn generate(&self, key: KeyType) -> Result<Arc<dyn PrivateKey>, Error> {
        if !self.generates(key) {
            return Err(self.failed(ErrorKind::NotOffered, key));
        }
        key::generate(self, key)
    }

    fn private_key(&self, info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
        self.offered(info.key_type())?;
        if info.restriction().is_some() {
            return Err(self.failed(ErrorKind::NotOffered, "a private key of RSASSA-PSS"));
        }
        // Softokens refuse to return the length of an Ed25519 signature, and there is no other way here.
        if info.key_type() == KeyType::Ed25519 {
            return Err(self.failed(ErrorKind::NotOffered, "a private key of ed25519"));
        }
        key::load(self, info)
    }

    fn public_key(&self, info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error> {
        let key = KeyType::of(info).map_err(|error| error.by(self.slot.label()))?;
        self.offered(key)?;
        Ok(Arc::new(key::public(self, key, info)?))
    }
}

impl fmt::Debug for Nss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nss").field("version", &self.slot.label()).finish()
    }
}

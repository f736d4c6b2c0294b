//! Keys, signatures, digests, key derivation, ciphers and key establishment, behind traits.
//!
//! Crates that use this one do not depend on a specific backend: a [`Signer`] signs, a [`PublicKey`] verifies, and a
//! [`Backend`] creates both. The [table] lists all algorithms with their identifiers, parameters, key types and strength. A
//! backend reports at run time which of them it supports. Unsupported ones fail with [`ErrorKind::NotOffered`]. They never
//! cause a panic, and are never replaced by a different algorithm.
//!
//! ```
//! # #[cfg(feature = "aws-lc")] {
//! use tagwise_crypto::{Backend, Digest, KeyType, Scheme, backends::AwsLc};
//!
//! let backend = AwsLc::new();
//! let key = backend.generate(KeyType::P256)?;
//! let signature = key.sign(&Scheme::Ecdsa(Digest::Sha256), b"what is said")?;
//!
//! let public = backend.public_key_from_der(key.public_key_info())?;
//! public.verify(&Scheme::Ecdsa(Digest::Sha256), b"what is said", &signature)?;
//! assert!(public.verify(&Scheme::Ecdsa(Digest::Sha256), b"something else", &signature).is_err());
//! # }
//! # Ok::<(), tagwise_crypto::Error>(())
//! ```
//!
//! The message modules use these traits: [`cms`] signs, verifies, encrypts and decrypts, [`tsp`] creates and verifies time
//! stamps, and [`pkcs12`] reads and writes password-protected files.
//!
//! Secrets have the type [`Secret`]: they are zeroized on drop, and `Debug` does not show them.
#![cfg_attr(
    not(any(feature = "aws-lc", feature = "openssl")),
    allow(dead_code, reason = "some parts are for backends alone")
)]

mod backend;
pub mod backends;
mod cipher;
pub mod cms;
mod composite;
mod cts;
mod curve;
mod derivation;
mod digest;
#[cfg(feature = "dsa")]
mod dsa;
#[cfg(any(feature = "aws-lc", feature = "rust-common"))]
mod ed448;
mod error;
mod key_type;
mod old;
mod password;
mod pbes1;
mod pem;
#[cfg(feature = "pkcs11")]
pub mod pkcs11;
pub mod pkcs12;
mod points;
mod primitives;
mod private;
mod scheme;
mod secret;
mod shake;
mod signed_by;
mod signer;
mod slh_dsa;
pub mod table;
mod transport;
pub mod tsp;

pub use backend::{Backend, PrivateKey, PublicKey};
pub use cipher::{Cipher, Wrap};
pub use composite::{Composite, CompositeKem, CompositeMlDsa, CompositeMlKem};
pub use cts::{CtsCipher, CtsKey, camellia_cmac};
pub use curve::Curve;
pub use digest::Digest;
pub use error::{Error, ErrorKind};
pub use key_type::KeyType;
pub use old::OldCipher;
pub use password::{PasswordOptions, decrypt, decrypt_key, decrypt_pkcs8, decryption_cost, encrypt_key};
pub use pem::{
    PRIVATE_KEY_LABELS, decrypt_traditional, decrypt_traditional_key, private_key_from_der, private_key_from_pem,
};
pub use primitives::{Blocks, Direction, Hasher, Mac, Primitives};
pub use private::{PrivateKeyInfo, Seeded};
pub use scheme::{PssParameters, Scheme};
pub use secret::Secret;
pub use signed_by::{VerifySelfSigned, VerifySigned};
pub use signer::{CallbackSigner, KeySigner, Signer, Weaknesses, sign, verify, verify_legacy, verify_weak};
pub use slh_dsa::SlhDsa;
pub use tagwise_pkix::private_key::PostQuantumForm;
pub use transport::{KeyTransport, OaepParameters};

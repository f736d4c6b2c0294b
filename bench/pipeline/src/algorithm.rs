//! Kinds of keys by the names that the command takes.

use std::fmt;

use clap::ValueEnum;
use tagwise_crypto::KeyType;

/// A kind of key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Algorithm {
    #[value(name = "ecdsa-p256")]
    EcdsaP256,
    #[value(name = "ed25519")]
    Ed25519,
    #[value(name = "ml-dsa-44")]
    MlDsa44,
    #[value(name = "ml-dsa-65")]
    MlDsa65,
    #[value(name = "ml-dsa-87")]
    MlDsa87,
    #[value(name = "rsa2048")]
    Rsa2048,
    #[value(name = "rsa3072")]
    Rsa3072,
    #[value(name = "rsa4096")]
    Rsa4096,
}

impl Algorithm {
    pub(crate) const fn key_type(self) -> KeyType {
        match self {
            Self::EcdsaP256 => KeyType::P256,
            Self::Ed25519 => KeyType::Ed25519,
            Self::MlDsa44 => KeyType::MlDsa44,
            Self::MlDsa65 => KeyType::MlDsa65,
            Self::MlDsa87 => KeyType::MlDsa87,
            Self::Rsa2048 => KeyType::Rsa(2048),
            Self::Rsa3072 => KeyType::Rsa(3072),
            Self::Rsa4096 => KeyType::Rsa(4096),
        }
    }

    /// How far above its floor a stage that signs or verifies may be: what is around weighs more where the arithmetic is short.
    pub(crate) const fn bar(self) -> f64 {
        match self {
            Self::EcdsaP256 | Self::Ed25519 => 1.15,
            _ => 1.05,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_possible_value() {
            Some(value) => f.write_str(value.get_name()),
            None => write!(f, "{self:?}"),
        }
    }
}

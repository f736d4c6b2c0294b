//! The stages.

use std::str::FromStr;

/// A stage of a log's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Entries from names, validity and keys; floor: the hash of the key, and the entry's bytes copied.
    EntryBuild,
    /// Leaf hashes of entries; floor: their bytes hashed by the same library.
    LeafHash,
    /// A tree, leaf by leaf; floor: its node hashes in a row.
    TreeAppend,
    /// The root of leaf hashes; floor: its node hashes in a row.
    Root,
    /// Inclusion proofs of random entries, one at a time; floor: as many hashes copied from random places.
    ProofGen,
    /// Inclusion proofs of all entries; floor: as many hashes copied in order.
    ProofAll,
    /// Certificates of entries, keys and proofs; floor: their bytes copied.
    CertBuild,
    /// Entries into the log's database, with its tiles; floor: the same rows in one transaction.
    DbInsert,
    /// Entries out of it; floor: the same rows.
    DbRead,
    /// Evaluated inclusion proofs; floor: their node hashes in a row.
    ProofVerify,
    /// Certificates verified by a relying party, with one ML-DSA-44 signature; floor: the signature verified.
    FullVerify,
    /// A landmark: its subtrees' hashes and its document; floor: their node hashes in a row.
    LandmarkBuild,
}

impl Stage {
    /// In the order of a certificate's life.
    pub(crate) const ALL: [Self; 12] = [
        Self::EntryBuild,
        Self::LeafHash,
        Self::TreeAppend,
        Self::Root,
        Self::ProofGen,
        Self::ProofAll,
        Self::CertBuild,
        Self::DbInsert,
        Self::DbRead,
        Self::ProofVerify,
        Self::FullVerify,
        Self::LandmarkBuild,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::EntryBuild => "entry_build",
            Self::LeafHash => "leaf_hash",
            Self::TreeAppend => "tree_append",
            Self::Root => "root",
            Self::ProofGen => "proof_gen",
            Self::ProofAll => "proof_all",
            Self::CertBuild => "cert_build",
            Self::DbInsert => "db_insert",
            Self::DbRead => "db_read",
            Self::ProofVerify => "proof_verify",
            Self::FullVerify => "full_verify",
            Self::LandmarkBuild => "landmark_build",
        }
    }

    /// Rate that the design aims at, in items a second, in a log of 2^20 entries.
    pub(crate) const fn aim(self) -> Option<f64> {
        match self {
            Self::Root => Some(16e6),
            Self::ProofGen => Some(2.5e6),
            Self::ProofAll => Some(8e6),
            Self::ProofVerify => Some(400e3),
            _ => None,
        }
    }

    pub(crate) const fn is_database(self) -> bool {
        matches!(self, Self::DbInsert | Self::DbRead)
    }
}

impl FromStr for Stage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|stage| stage.name() == text)
            .ok_or_else(|| format!("expected one of {}", names()))
    }
}

//! What the stages work on: entries, a tree and certificates of a size, made before anything is measured.

use std::sync::Arc;

use tagwise_codec::{Ia5, SeqOf};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, PrivateKey};
use tagwise_mtc::crypto::CosignerKey;
use tagwise_mtc::relying::{RelyingParty, TrustedAuthority};
use tagwise_mtc::tree::{MemoryTree, Subtree, inclusion_proof, subtree_hash};
use tagwise_mtc::{
    CaCertificate, Cosignature, Cosignatures, CosignedSubtree, CosignerAlgorithm, Draft, EntryContent, EntryExtensions,
    Hash, LogEntry, MtcProof, NewCaCertificate, Serial, TrustAnchorId, assemble, hash,
};
use tagwise_mtc_log::{LogInfo, NewEntry, Template, entry_of};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::{GeneralName, GeneralNames};

use crate::Failure;

/// The backend of signatures.
pub(crate) static BACKEND: AwsLc = AwsLc::new();
/// A time within the validity of all certificates.
pub(crate) const NOW: i64 = 1_790_000_000;
/// Random entries of a run.
pub(crate) const FEW: usize = 1024;
/// Entries that are made and certified singly, at most: stages that take long for each do this many.
const SINGLE: usize = 4096;

/// The inputs of a size.
pub(crate) struct Work {
    pub(crate) size: u64,
    pub(crate) info: LogInfo,
    /// Keys of subscribers, a few of them again and again.
    pub(crate) keys: Vec<Vec<u8>>,
    pub(crate) names: Vec<String>,
    /// As many as the size, up to 4,096.
    pub(crate) entries: Vec<NewEntry>,
    /// As many as the size.
    pub(crate) leaves: Vec<Hash>,
    pub(crate) tree: MemoryTree,
    /// Indices in an order of no pattern.
    pub(crate) order: Vec<u64>,
    pub(crate) certificates: Vec<Vec<u8>>,
    /// Random leaves with their proofs.
    pub(crate) proofs: Vec<(u64, Vec<Hash>)>,
    /// What the CA has signed of the whole tree, and its signature.
    pub(crate) signed: (Vec<u8>, Vec<u8>),
    pub(crate) cosigner: CosignerKey,
    pub(crate) party: RelyingParty,
}

fn ca_key() -> Result<Arc<dyn PrivateKey>, Failure> {
    let head = [
        0x30, 0x34, 2, 1, 0, 0x30, 0x0B, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0x11, 4, 0x22, 0x80, 0x20,
    ];
    Ok(BACKEND.private_key_from_pkcs8(&[head.as_slice(), &[7; 32]].concat())?)
}

impl Work {
    pub(crate) fn new(size: u64) -> Result<Self, Failure> {
        let id: TrustAnchorId = "32473.1".parse()?;
        let info = LogInfo::new(id, 1, Draft::V07)?;
        let keys: Vec<Vec<u8>> = (0..64u8)
            .map(|number| CosignerAlgorithm::EcdsaP256.key_info(&p256(number)))
            .collect();
        let single = usize::try_from(size)?.min(SINGLE);
        let names: Vec<String> = (0..single).map(|number| format!("host{number}.example.org")).collect();
        let mut entries = Vec::with_capacity(single);
        for (number, name) in names.iter().enumerate() {
            entries.push(entry(
                &info,
                name,
                keys.get(number % keys.len()).map(Vec::as_slice).unwrap_or_default(),
            )?);
        }
        // The rest of a large tree has leaves of its own, which no entry has.
        let first = entries.iter().map(|entry| hash::leaf(&entry.entry));
        let leaves: Vec<Hash> = first
            .chain((single as u64..size).map(|index| hash::leaf(&index.to_be_bytes())))
            .collect();
        let tree = MemoryTree::from_leaves(leaves.clone());
        let mut random = 0x9E37_79B9_7F4A_7C15u64;
        let order = (0..size.min(1 << 18)).map(|_| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (random >> 24) % size
        });
        let order = order.collect();
        let cosigner = CosignerKey::new(id, ca_key()?)?;
        let ca = NewCaCertificate {
            id,
            draft: Draft::V07,
            key_info: cosigner.cosigner().key_info(),
            min_serial: Serial::MIN,
            max_serial: Serial::MAX,
            validity: (UnixTime(NOW - 1000), UnixTime(NOW + 100_000)),
        };
        let ca = ca.to_der()?;
        let mut party = RelyingParty::new();
        party.add(TrustedAuthority::new(&CaCertificate::from_der(&ca)?)?);
        let mut work = Self {
            size,
            info,
            keys,
            names,
            entries,
            leaves,
            tree,
            order,
            certificates: Vec::new(),
            proofs: Vec::new(),
            signed: (Vec::new(), Vec::new()),
            cosigner,
            party,
        };
        let whole = Subtree::whole(size);
        let hash = subtree_hash(&work.tree, whole)?;
        let (name, origin) = (id.name(), work.info.origin.as_str());
        let message = CosignedSubtree {
            cosigner: &name,
            timestamp: 0,
            origin,
            subtree: whole,
            hash: &hash,
        }
        .encode()?;
        let signature = work.cosigner.sign(&message)?;
        work.certificates = work.assembled(&Cosignatures::encode(&[Cosignature {
            cosigner: id,
            signature: &signature,
        }])?)?;
        work.signed = (message, signature);
        for index in work.order.iter().take(FEW) {
            work.proofs.push((*index, inclusion_proof(&work.tree, whole, *index)?));
        }
        Ok(work)
    }

    /// Certificates of the first entries in the subtree of the whole log, with these cosignatures.
    pub(crate) fn assembled(&self, signatures: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
        let subtree = Subtree::whole(self.size);
        let mut all = Vec::with_capacity(self.entries.len());
        for (entry, index) in self.entries.iter().zip(0..) {
            let hashes = inclusion_proof(&self.tree, subtree, index)?;
            let proof = MtcProof {
                extensions: EntryExtensions::NONE,
                subtree,
                inclusion_proof: &hashes,
                signatures: Cosignatures::from_bytes(signatures)?,
            };
            let EntryContent::TbsCert(contents) = LogEntry::decode(&entry.entry)?.content else {
                continue;
            };
            let key = entry.key.as_deref().unwrap_or_default();
            all.push(assemble(contents, key, Serial::new(self.info.number, index)?, &proof)?);
        }
        Ok(all)
    }
}

/// 65 bytes in the form of a point; nobody computes with it.
fn p256(number: u8) -> Vec<u8> {
    let mut key = vec![4];
    key.extend((0..64u8).map(|at| at.wrapping_mul(31).wrapping_add(number)));
    key
}

/// The entry of a server's certificate.
pub(crate) fn entry(info: &LogInfo, name: &str, key: &[u8]) -> Result<NewEntry, Failure> {
    let names = [GeneralName::DnsName(Ia5::new(name)?)];
    let template = Template {
        subject: &[0x30, 0],
        alt_names: Some(GeneralNames(SeqOf::from_slice(&names))),
        key_info: key,
        validity: (UnixTime(NOW - 10), UnixTime(NOW + 86_400)),
    };
    Ok(entry_of(info, &template)?)
}

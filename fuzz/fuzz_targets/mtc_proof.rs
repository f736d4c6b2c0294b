//! Merkle Tree Certificates: proofs of each draft that are read are written as they came, and a proof leads a leaf to one root or to none.
//! Certificates that are read have the entry hash of their entry.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_mtc::tree::{evaluate_inclusion, inclusion_proof_len};
use tagwise_mtc::{CaCertificate, Cosignature, Cosignatures, Draft, MtcCertificate, MtcProof, hash};

fuzz_target!(|data: &[u8]| {
    for draft in Draft::ALL {
        let proof = match MtcProof::decode(data, draft) {
            Ok(proof) => proof,
            Err(error) => {
                assert!(error.offset() <= data.len(), "{error}");
                continue;
            }
        };
        assert_eq!(proof.encode(draft).as_deref(), Ok(data));
        let list: Vec<Cosignature<'_>> = proof.signatures.iter().collect();
        assert_eq!(Cosignatures::encode(&list).as_deref(), Ok(proof.signatures.as_bytes()));
        let (start, end) = (proof.subtree.start(), proof.subtree.end());
        for index in [start, start / 2 + end / 2, end.saturating_sub(1), end] {
            let root = evaluate_inclusion(proof.subtree, index, &hash::EMPTY, proof.inclusion_proof);
            let fits = proof.subtree.contains(index)
                && proof.inclusion_proof.len() == inclusion_proof_len(proof.subtree, index);
            assert_eq!(root.is_some(), fits, "{index} in {}", proof.subtree);
        }
    }
    if let Ok(certificate) = MtcCertificate::from_der(data) {
        let _ = certificate.validity();
        match certificate.entry() {
            Ok(entry) => assert_eq!(hash::leaf(&entry), certificate.entry_hash()),
            Err(error) => assert_eq!(error.kind(), tagwise_mtc::ErrorKind::EntryLength),
        }
    }
    let _ = CaCertificate::from_der(data);
});

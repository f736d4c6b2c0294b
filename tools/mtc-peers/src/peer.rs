//! The peer crate `mtcs`.

use mtcs::{
    CaTrust, CertificatePropertyList, CosignerGroup, CosignerInfo, SignatureAlgorithm, TrustStore, VerificationKind,
    verify_certificate,
};
use tagwise_mtc::crypto::BackendCheck;
use tagwise_mtc::relying::{Cosigner, RelyingParty, Trust, TrustedAuthority, TrustedSubtree};
use tagwise_mtc::tree::{
    MemoryTree, Subtree, consistency_proof, cover, evaluate_inclusion, inclusion_proof, root, subtree_hash,
    verify_consistency,
};
use tagwise_mtc::{CaCertificate, CosignerAlgorithm, Hash, hash};
use tagwise_pkix::UnixTime;

use crate::Failure;
use crate::log::{BACKEND, Made, NOW};

fn theirs(cosigner: &Cosigner) -> Result<CosignerInfo, Failure> {
    let algorithm = match cosigner.algorithm() {
        CosignerAlgorithm::MlDsa44 => "2.16.840.1.101.3.4.3.17",
        CosignerAlgorithm::MlDsa65 => "2.16.840.1.101.3.4.3.18",
        CosignerAlgorithm::MlDsa87 => "2.16.840.1.101.3.4.3.19",
        CosignerAlgorithm::EcdsaP256 => "1.2.840.10045.4.3.2",
        CosignerAlgorithm::EcdsaP384 => "1.2.840.10045.4.3.3",
        CosignerAlgorithm::Ed25519 => "1.3.101.112",
    };
    Ok(CosignerInfo {
        id: mtcs::TrustAnchorId::from_dotted(&cosigner.id().to_string())?,
        algorithm: SignatureAlgorithm::from_algorithm_oid(algorithm).ok_or("an algorithm is not known")?,
        spki_der: cosigner.key_info().to_vec(),
    })
}

/// The same relying party twice: theirs and ours. All cosigners are asked for.
fn parties(made: &Made, with_landmarks: bool) -> Result<(TrustStore, RelyingParty), Failure> {
    let mut ca = CaTrust::from_ca_certificate(&made.ca)?;
    let mut own = RelyingParty::new();
    let mut authority = TrustedAuthority::new(&CaCertificate::from_der(&made.ca)?)?;
    let members = made.cosigners.iter().map(|one| theirs(one.cosigner())).collect::<Result<Vec<_>, _>>()?;
    ca.require_group(CosignerGroup::new(members, made.cosigners.len())?)?;
    let mut names = Vec::new();
    for one in &made.cosigners {
        own.policy_mut().add_cosigner(one.cosigner().clone()).map_err(|fault| fault.to_string())?;
        names.push(one.cosigner().id().to_string());
    }
    for (log_number, start, end, hash) in made.trusted.iter().copied().filter(|_| with_landmarks) {
        ca.trust_subtree(mtcs::TrustedSubtree { log_number, start, end, hash });
        let subtree = Subtree::new(start, end).ok_or("no subtree")?;
        authority.trust(log_number, subtree, TrustedSubtree { hash, expiry: None });
    }
    own.add(authority);
    own.configure(&format!("group all all {}\nrequire-cosigners all all", names.join(" ")))?;
    let mut store = TrustStore::new();
    store.add_ca(ca);
    Ok((store, own))
}

/// Checks that both implementations accept every certificate for the same reason.
pub(crate) fn certificates(made: &Made) -> Result<(), Failure> {
    let check = BackendCheck::new(&BACKEND);
    let (plain, own_plain) = parties(made, false)?;
    let (informed, own_informed) = parties(made, true)?;
    for (list, kind, trust, store, own) in [
        (&made.standalone, VerificationKind::Standalone, Trust::Cosignatures, &plain, &own_plain),
        (&made.relative, VerificationKind::LandmarkRelative, Trust::TrustedSubtree, &informed, &own_informed),
    ] {
        for one in list {
            let found = verify_certificate(store, &one.der, NOW)?;
            let same = (found.kind, found.entry_index, u64::from(found.log_number)) == (kind, one.serial.index(), 1);
            let outcome = own.verify(&one.der, Some(UnixTime(NOW)), &check);
            if !same || outcome.result != Ok(trust) || outcome.root != Some(found.subtree_hash) {
                return Err(format!("certificate {}: {found:?}, {outcome}", one.serial).into());
            }
        }
    }
    // Without its landmark, neither takes it.
    for one in made.relative.iter().step_by(50) {
        let own = own_plain.verify(&one.der, Some(UnixTime(NOW)), &check);
        if verify_certificate(&plain, &one.der, NOW).is_ok() || own.is_accepted() {
            return Err(format!("certificate {} is accepted without its landmark", one.serial).into());
        }
    }
    // `mtcs` 0.3.1 refuses numbers of 2^63 and more, which draft-07 §5.5 allows; if that changes, this has to.
    if CaTrust::from_ca_certificate(&made.largest).is_ok() || CaCertificate::from_der(&made.largest).is_err() {
        return Err("a CA certificate with the largest maxSerial is judged in another way than it was".into());
    }
    println!("mtcs: {} certificates of Tagwise verified", made.standalone.len() + made.relative.len());
    Ok(())
}

/// Checks that both implementations reject certificates with a flipped bit, at many positions. Corrupted certificates that
/// only `mtcs` accepts are counted.
pub(crate) fn spoilt(made: &Made) -> Result<(), Failure> {
    let check = BackendCheck::new(&BACKEND);
    let (plain, informed) = (parties(made, false)?, parties(made, true)?);
    let (mut both, mut lenient) = (0u32, Vec::new());
    let sample = made.relative.iter().step_by(137).chain(made.standalone.iter().step_by(331));
    for one in sample {
        // A relative certificate bit by bit; of a standalone one, each seventh byte.
        // Signatures count only where the subtree is not trusted.
        let (step, (store, own)) = if one.landmark.is_some() { (1, &informed) } else { (7, &plain) };
        for at in (0..one.der.len()).step_by(step) {
            let mut der = one.der.clone();
            if let Some(byte) = der.get_mut(at) {
                *byte ^= 1 << (at % 8);
            }
            let outcome = own.verify(&der, Some(UnixTime(NOW)), &check);
            let peer = verify_certificate(store, &der, NOW).is_ok();
            match (outcome.is_accepted(), peer) {
                (false, false) => both += 1,
                (false, true) => lenient.push(format!(
                    "{}, byte {at}: {}",
                    one.serial,
                    outcome.to_string().lines().last().unwrap_or("")
                )),
                (true, _) => {
                    return Err(format!("certificate {}, byte {at} changed, is accepted: {outcome}", one.serial).into());
                }
            }
        }
    }
    println!("mtcs: {both} spoilt certificates refused by both, {} by Tagwise alone", lenient.len());
    lenient.iter().for_each(|line| println!("  {line}"));
    Ok(())
}

/// Checks how the peer reads landmarks and properties.
pub(crate) fn documents(made: &Made) -> Result<(), Failure> {
    let read = mtcs::parse_landmarks(&made.landmarks, u64::try_from(NOW)?)?;
    let lines: Vec<String> = read.iter().map(|one| format!("{} {}", one.tree_size, one.expires_unix)).collect();
    let ours: Vec<&str> = made.landmarks.lines().skip(1).take(lines.len()).collect();
    if lines.is_empty() || lines != ours {
        return Err(format!("landmarks are read as {lines:?}").into());
    }
    for one in made.standalone.iter().chain(&made.relative) {
        let read = CertificatePropertyList::parse(&one.properties.encode()?)?;
        let id = read.trust_anchor_id().map(mtcs::TrustAnchorId::to_dotted);
        let same = id == one.properties.trust_anchor.map(|id| id.to_string())
            && read.requires_trust_anchor_negotiation() == one.properties.needs_negotiation;
        if !same {
            return Err(format!("properties of {} are read as {read:?}", one.serial).into());
        }
    }
    println!("mtcs: the landmarks' document and all property lists are read alike");
    Ok(())
}

/// Compares coverings, inclusion proofs and consistency proofs of both implementations for all trees of up to 70 leaves,
/// both valid and corrupted.
pub(crate) fn arithmetic() -> Result<(), Failure> {
    const MOST: u64 = 70;
    let leaves: Vec<Hash> = (0..MOST).map(|index| hash::leaf(&index.to_be_bytes())).collect();
    let tree = MemoryTree::from_leaves(leaves.clone());
    let mut count = 0u64;
    for end in 0..=MOST {
        for start in 0..=end {
            let [left, right] = cover(start, end).ok_or("no covering")?;
            let (one, other) = mtcs::covering_subtrees(start, end);
            let pairs = [(left.start(), left.end()), (right.start(), right.end())];
            if pairs != [(one.start, one.end), (other.start, other.end)] {
                return Err(format!("[{start}, {end}) is covered by {left} and {right}").into());
            }
            let (subtree, peer) = (Subtree::new(start, end), mtcs::Subtree::new(start, end));
            if subtree.is_some() != peer.is_some() {
                return Err(format!("[{start}, {end}): is it a subtree?").into());
            }
            let (Some(subtree), Some(peer)) = (subtree, peer) else { continue };
            let known = subtree_hash(&tree, subtree)?;
            for index in start..end {
                let leaf = leaves.get(usize::try_from(index)?).ok_or("no leaf")?;
                for proof in spoil(&inclusion_proof(&tree, subtree, index)?) {
                    let own = evaluate_inclusion(subtree, index, leaf, &proof);
                    let theirs = mtcs::evaluate_inclusion_proof(proof.as_flattened(), index, leaf, peer);
                    if own != theirs {
                        return Err(format!("{index} in {subtree}: {own:?} and {theirs:?}").into());
                    }
                    count += 1;
                }
            }
            for size in (end..=MOST).step_by(3) {
                let whole = root(&tree, size)?;
                for proof in spoil(&consistency_proof(&tree, subtree, size)?.ok_or("no proof")?) {
                    let own = verify_consistency(subtree, size, &proof, &known, &whole);
                    let theirs = mtcs::verify_consistency_proof(size, peer, proof.as_flattened(), &known, &whole);
                    if own != theirs {
                        return Err(format!("{subtree} in {size}: {own} and {theirs}").into());
                    }
                    count += 1;
                }
            }
        }
    }
    println!("mtcs: {count} proofs, right and spoilt, judged alike");
    Ok(())
}

/// A proof, without its last hash, with one more, and with a bit changed.
fn spoil(proof: &[Hash]) -> Vec<Vec<Hash>> {
    let mut all = vec![proof.to_vec(), [proof, &[[0; 32]]].concat()];
    if let [rest @ .., _] = proof {
        all.push(rest.to_vec());
        let mut changed = proof.to_vec();
        changed.iter_mut().take(1).flatten().take(1).for_each(|byte| *byte ^= 1);
        all.push(changed);
    }
    all
}

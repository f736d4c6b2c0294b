//! Rounds of a stage and its floor, and the medians of both.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use tagwise_mtc::crypto::BackendCheck;
use tagwise_mtc::landmark::{Landmark, LandmarkDocument};
use tagwise_mtc::relying::SignatureCheck;
use tagwise_mtc::tree::{
    InclusionProofs, MemoryTree, Subtree, evaluate_inclusion, inclusion_proof, root_of_leaves, subtree_hash,
};
use tagwise_mtc::{Cosignature, Cosignatures, Hash, hash};
use tagwise_pkix::UnixTime;

use crate::stage::Stage;
use crate::work::{BACKEND, FEW, NOW, Work, entry};
use crate::{Failure, floor, log};

/// What a stage took: medians of rounds, in nanoseconds an item.
pub(crate) struct Row {
    pub(crate) stage: Stage,
    pub(crate) size: u64,
    pub(crate) rounds: usize,
    /// Items of a round.
    pub(crate) items: u64,
    pub(crate) own: f64,
    pub(crate) floor: f64,
    /// The median of the ratios within rounds.
    pub(crate) ratio: f64,
}

/// A round at least so long, by repetition, so that the clock's own time does not count.
const ROUND: Duration = Duration::from_millis(10);
const ROUNDS: usize = 3;

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs a stage and its floor in turn.
pub(crate) fn measure(stage: Stage, work: &Work, seconds: f64) -> Result<Row, Failure> {
    let start = Instant::now();
    let items = items(stage, work);
    let (mut own, mut least, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut repeat = 1u32;
    while own.len() < ROUNDS || start.elapsed().as_secs_f64() < seconds {
        let turn = own.len();
        let (one, other) = if stage.is_database() {
            log::round(stage, work, turn)?
        } else {
            let own_time = || timed(repeat, &mut || run(stage, work));
            let floor_time = || timed(repeat, &mut || least_of(stage, work));
            if turn.is_multiple_of(2) {
                let own = own_time()?;
                (own, floor_time()?)
            } else {
                let least = floor_time()?;
                (own_time()?, least)
            }
        };
        // Too short to be told: once more, with more of it.
        if !stage.is_database() && one < ROUND && repeat < 1 << 20 {
            repeat *= 2;
            continue;
        }
        let count = if stage.is_database() {
            items as f64
        } else {
            items as f64 * f64::from(repeat)
        };
        own.push(one.as_secs_f64() * 1e9 / count);
        least.push(other.as_secs_f64() * 1e9 / count);
        ratios.push(one.as_secs_f64() / other.as_secs_f64());
    }
    let rounds = own.len();
    Ok(Row {
        stage,
        size: work.size,
        rounds,
        items,
        own: median(own),
        floor: median(least),
        ratio: median(ratios),
    })
}

/// The time of the processor, which does not run while others have it: nothing here waits.
fn timed(repeat: u32, work: &mut dyn FnMut() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let start = ProcessTime::now();
    for _ in 0..repeat {
        work()?;
    }
    Ok(start.elapsed())
}

/// Items of one run of a stage.
fn items(stage: Stage, work: &Work) -> u64 {
    match stage {
        Stage::EntryBuild | Stage::LeafHash | Stage::CertBuild => work.entries.len() as u64,
        Stage::TreeAppend | Stage::Root | Stage::ProofAll | Stage::DbInsert | Stage::DbRead => work.size,
        Stage::ProofGen | Stage::ProofVerify => work.order.len().min(FEW) as u64,
        Stage::FullVerify => work.certificates.len().min(64) as u64,
        Stage::LandmarkBuild => 1,
    }
}

fn run(stage: Stage, work: &Work) -> Result<(), Failure> {
    let whole = Subtree::whole(work.size);
    match stage {
        Stage::EntryBuild => {
            for (name, key) in work.names.iter().zip(work.keys.iter().cycle()) {
                black_box(entry(&work.info, name, key)?);
            }
        }
        Stage::LeafHash => work
            .entries
            .iter()
            .for_each(|entry| _ = black_box(hash::leaf(&entry.entry))),
        Stage::TreeAppend => {
            let mut tree = MemoryTree::new();
            work.leaves.iter().for_each(|leaf| tree.push(*leaf));
            black_box(tree);
        }
        Stage::Root => {
            black_box(root_of_leaves(&work.leaves));
        }
        Stage::ProofGen => {
            for index in work.order.iter().take(FEW) {
                black_box(inclusion_proof(&work.tree, whole, *index)?);
            }
        }
        Stage::ProofAll => {
            let mut proofs = InclusionProofs::new(&work.tree, whole);
            while let Some((index, proof)) = proofs.next_proof()? {
                black_box((index, proof));
            }
        }
        Stage::CertBuild => {
            let signature = [7; 2420];
            let list = Cosignatures::encode(&[Cosignature {
                cosigner: work.info.ca,
                signature: &signature,
            }])?;
            black_box(work.assembled(&list)?);
        }
        Stage::ProofVerify => {
            for (index, proof) in &work.proofs {
                let leaf = usize::try_from(*index).ok().and_then(|index| work.leaves.get(index));
                let leaf = leaf.ok_or("no such leaf")?;
                black_box(evaluate_inclusion(whole, *index, leaf, proof).ok_or("a proof does not fit")?);
            }
        }
        Stage::FullVerify => {
            let check = BackendCheck::new(&BACKEND);
            for der in work.certificates.iter().take(64) {
                let outcome = work.party.verify(der, Some(UnixTime(NOW)), &check);
                if !outcome.is_accepted() {
                    return Err(outcome.to_string().into());
                }
            }
        }
        Stage::LandmarkBuild => {
            let now = u64::try_from(NOW)?;
            let last = Landmark {
                number: 1,
                size: work.size.saturating_mul(2) / 3,
                expiry: now + 1,
            };
            let next = Landmark {
                number: 2,
                size: work.size,
                expiry: now + 2,
            };
            let list = if last.size == 0 {
                vec![Landmark { number: 1, ..next }, Landmark::ZERO]
            } else {
                vec![next, last, Landmark::ZERO]
            };
            let list = LandmarkDocument::new(list, now)?;
            for (_, subtree) in list.subtrees(now) {
                black_box(subtree_hash(&work.tree, subtree)?);
            }
            black_box(list.to_string());
        }
        Stage::DbInsert | Stage::DbRead => {}
    }
    Ok(())
}

fn least_of(stage: Stage, work: &Work) -> Result<(), Failure> {
    let bits = u64::from(Subtree::whole(work.size).level());
    match stage {
        Stage::EntryBuild => {
            for (entry, key) in work.entries.iter().zip(work.keys.iter().cycle()) {
                black_box(hash::plain(key));
                black_box(entry.entry.clone());
            }
        }
        Stage::LeafHash => work
            .entries
            .iter()
            .for_each(|entry| _ = black_box(floor::leaf(&entry.entry))),
        Stage::TreeAppend | Stage::Root => floor::nodes(work.size.saturating_sub(1)),
        Stage::ProofGen => {
            for index in work.order.iter().take(FEW) {
                let mut copy: Vec<Hash> = Vec::with_capacity(usize::try_from(bits)?);
                for step in 0..bits {
                    let place = usize::try_from((index ^ (1 << step)) % work.size)?;
                    copy.extend(work.leaves.get(place));
                }
                black_box(copy);
            }
        }
        Stage::ProofAll => {
            let mut copy: Vec<Hash> = Vec::new();
            for at in 0..usize::try_from(work.size)? {
                copy.clear();
                let from = at.saturating_sub(usize::try_from(bits)?);
                copy.extend_from_slice(work.leaves.get(from..at).unwrap_or_default());
                black_box(&copy);
            }
        }
        Stage::CertBuild => work.certificates.iter().for_each(|der| _ = black_box(der.clone())),
        Stage::ProofVerify => {
            for (_, proof) in &work.proofs {
                black_box(floor::chained(proof.len() as u64));
            }
        }
        Stage::FullVerify => {
            let check = BackendCheck::new(&BACKEND);
            let (cosigner, (message, signature)) = (work.cosigner.cosigner(), &work.signed);
            for _ in 0..work.certificates.len().min(64) {
                check.verify(cosigner.algorithm(), cosigner.key_info(), message, signature)?;
            }
        }
        Stage::LandmarkBuild => _ = black_box(floor::chained(bits.max(1))),
        Stage::DbInsert | Stage::DbRead => {}
    }
    Ok(())
}

//! The database stages: a log of a size, filled in batches, and its floor beside it.

use std::time::{Duration, Instant};

use tagwise_mtc::hash;
use tagwise_mtc_log::{Log, Synchronous};

use crate::stage::Stage;
use crate::work::{NOW, Work};
use crate::{Failure, floor};

/// Entries of one transaction.
const BATCH: u64 = 1024;

/// One round: the log and the floor, each on a new database. In turn, one or the other comes first.
pub(crate) fn round(stage: Stage, work: &Work, turn: usize) -> Result<(Duration, Duration), Failure> {
    let folder = tempfile::tempdir()?;
    let own = || -> Result<Duration, Failure> {
        let now = u64::try_from(NOW)?;
        let mut log = Log::create(&folder.path().join("log.db"), &work.info, Synchronous::Normal, now)?;
        let start = Instant::now();
        for first in (0..work.size).step_by(BATCH as usize) {
            let count = usize::try_from(BATCH.min(work.size - first))?;
            let batch = work
                .entries
                .iter()
                .cycle()
                .skip(usize::try_from(first)? % work.entries.len());
            log.append(&batch.take(count).cloned().collect::<Vec<_>>())?;
        }
        if stage == Stage::DbInsert {
            return Ok(start.elapsed());
        }
        let start = Instant::now();
        for first in (0..work.size).step_by(BATCH as usize) {
            std::hint::black_box(log.entries(first, (first + BATCH).min(work.size))?);
        }
        Ok(start.elapsed())
    };
    let least = || -> Result<Duration, Failure> {
        let mut connection = floor::database(&folder.path().join("floor.db"))?;
        let start = Instant::now();
        for first in (0..work.size).step_by(BATCH as usize) {
            let count = usize::try_from(BATCH.min(work.size - first))?;
            let batch = work
                .entries
                .iter()
                .cycle()
                .skip(usize::try_from(first)? % work.entries.len())
                .take(count);
            let batch: Vec<_> = batch.cloned().collect();
            // The hashes that the tiles have, and nothing of the tree above them.
            let hashes: Vec<_> = batch.iter().map(|entry| hash::leaf(&entry.entry)).collect();
            let rows = batch.iter().map(|entry| (entry.entry.as_slice(), entry.key.as_deref()));
            floor::insert(&mut connection, first, rows, &hashes)?;
        }
        if stage == Stage::DbInsert {
            return Ok(start.elapsed());
        }
        let start = Instant::now();
        for first in (0..work.size).step_by(BATCH as usize) {
            std::hint::black_box(floor::read(&connection, first, (first + BATCH).min(work.size))?);
        }
        Ok(start.elapsed())
    };
    if turn.is_multiple_of(2) {
        let own = own()?;
        Ok((own, least()?))
    } else {
        let least = least()?;
        Ok((own()?, least))
    }
}

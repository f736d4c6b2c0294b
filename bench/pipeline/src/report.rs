//! What is told of a run; as JSON it is what `--json` writes.

use serde::Serialize;

use crate::algorithm::Algorithm;
use crate::measure::{Sample, median, millis, ratio};
use crate::stage::{Bar, Stage};

/// The version of the form of the JSON: it grows when something that was there goes or means another thing.
pub(crate) const FORMAT: u32 = 1;

/// All of it.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) format: u32,
    /// Seconds since 1970.
    pub(crate) started: i64,
    /// Machine, versions, options: a name and a value.
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) jobs: usize,
    pub(crate) reuse_keys: bool,
    pub(crate) runs: Vec<Run>,
}

/// One kind of key on one backend.
#[derive(Debug, Serialize)]
pub(crate) struct Run {
    pub(crate) algorithm: String,
    pub(crate) subscriber: String,
    pub(crate) backend: String,
    pub(crate) version: String,
    /// Why there is nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_offered: Option<String>,
    pub(crate) batches: Vec<Batch>,
    /// From one thread to two, at the largest batch.
    pub(crate) scaling: Vec<Scaling>,
}

/// One size of batch.
#[derive(Debug, Serialize)]
pub(crate) struct Batch {
    pub(crate) batch: usize,
    pub(crate) rounds: usize,
    pub(crate) stages: Vec<Line>,
}

/// One stage of one batch: medians over the rounds.
#[derive(Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) stage: &'static str,
    pub(crate) items: usize,
    pub(crate) ms: f64,
    pub(crate) items_per_second: f64,
    pub(crate) floor_ms: Option<f64>,
    /// The stage by its floor: the median of the ratios of pairs of rounds.
    pub(crate) by_floor: Option<f64>,
    /// The same by the time of processors alone: without waiting for disks, or for what else the machine does.
    pub(crate) by_floor_cpu: Option<f64>,
    pub(crate) synta_ms: Option<f64>,
    /// synta by the stage, likewise.
    pub(crate) by_synta: Option<f64>,
    /// The same by the time of processors alone.
    pub(crate) by_synta_cpu: Option<f64>,
    /// What it is held to at the largest batch.
    pub(crate) bar: Option<String>,
    /// Whether it holds here.
    pub(crate) holds: Option<bool>,
}

/// How much faster two threads are than one.
#[derive(Debug, Serialize)]
pub(crate) struct Scaling {
    pub(crate) stage: &'static str,
    pub(crate) own: f64,
    pub(crate) raw: f64,
    /// The first by the second.
    pub(crate) of_raw: f64,
    pub(crate) rounds: usize,
}

/// What two threads are held to, against the bare operation.
pub(crate) const SCALING: f64 = 0.95;

impl Batch {
    /// Of all samples of all rounds.
    pub(crate) fn of(algorithm: Algorithm, batch: usize, rounds: &[Vec<Sample>]) -> Self {
        let line = |stage: Stage| {
            let all = || rounds.iter().flatten().filter(move |sample| sample.stage == stage);
            let ms = median(all().map(|sample| millis(sample.own.wall)))?;
            let floors = || all().filter_map(|sample| Some((sample.own, sample.floor?)));
            let peers = || all().filter_map(|sample| Some((sample.peer?, sample.own)));
            let by_floor = ratio(floors().map(|(own, floor)| (own.wall, floor.wall)));
            let by_synta = ratio(peers().map(|(peer, own)| (peer.wall, own.wall)));
            let bar = stage.bar(algorithm);
            let holds = match bar {
                Some(Bar::Floor(most)) => by_floor.map(|found| found <= most),
                Some(Bar::Peer(least)) => by_synta.map(|found| found >= least),
                None => None,
            };
            let items = stage.items(batch);
            Some(Line {
                stage: stage.name(),
                items,
                ms,
                items_per_second: items as f64 / ms * 1e3,
                floor_ms: median(all().filter_map(|sample| Some(millis(sample.floor?.wall)))),
                by_floor,
                by_floor_cpu: ratio(floors().map(|(own, floor)| (own.cpu, floor.cpu))),
                synta_ms: median(all().filter_map(|sample| Some(millis(sample.peer?.wall)))),
                by_synta,
                by_synta_cpu: ratio(peers().map(|(peer, own)| (peer.cpu, own.cpu))),
                bar: bar.map(|bar| bar.to_string()),
                holds,
            })
        };
        Self {
            batch,
            rounds: rounds.len(),
            stages: Stage::ALL.into_iter().filter_map(line).collect(),
        }
    }
}

impl Report {
    /// Kinds of keys, each once, in the order of the runs.
    pub(crate) fn algorithms(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for run in &self.runs {
            if !all.contains(&run.algorithm.as_str()) {
                all.push(&run.algorithm);
            }
        }
        all
    }

    /// The runs of a kind of key, one for each backend.
    pub(crate) fn of<'a>(&'a self, algorithm: &'a str) -> impl Iterator<Item = &'a Run> {
        self.runs.iter().filter(move |run| run.algorithm == algorithm)
    }
}

impl Run {
    pub(crate) fn line(&self, batch: usize, stage: Stage) -> Option<&Line> {
        let batch = self.batches.iter().find(|found| found.batch == batch)?;
        batch.stages.iter().find(|line| line.stage == stage.name())
    }
}

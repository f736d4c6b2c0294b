//! A row: several ways to do the same, timed in turn.

use std::time::Duration;

use tagwise_bench::harness::{BUDGET, Case, Clock, SAMPLE, interleave};

/// The reason why a run stops.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// One way of a row.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    run: Box<dyn FnMut() -> u64>,
}

/// Ways that do the same to the same items.
pub(crate) struct Row {
    pub(crate) name: String,
    /// The number of items that one call handles.
    pub(crate) items: usize,
    /// The median length of an item, in bytes.
    pub(crate) size: usize,
    pub(crate) ways: Vec<Way>,
}

/// A row's figures: nanoseconds an item, and the ratio of each way to the first.
pub(crate) struct Timed {
    pub(crate) medians: Vec<f64>,
    pub(crate) ratios: Vec<f64>,
}

impl Row {
    pub(crate) fn new(name: impl Into<String>, lengths: &[usize]) -> Self {
        let mut lengths = lengths.to_vec();
        lengths.sort_unstable();
        let size = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
        Self {
            name: name.into(),
            items: lengths.len(),
            size,
            ways: Vec::new(),
        }
    }

    pub(crate) fn way(mut self, name: &'static str, run: impl FnMut() -> u64 + 'static) -> Self {
        self.ways.push(Way {
            name,
            run: Box::new(run),
        });
        self
    }

    /// Runs all ways in turn.
    pub(crate) fn time(&mut self, rounds: usize, budget: Option<Duration>) -> Timed {
        let items = self.items;
        let ways = self.ways.iter_mut();
        let mut cases: Vec<Case<'_>> = ways
            .map(|way| Case {
                items,
                clock: Clock::Thread,
                run: Box::new(&mut way.run),
            })
            .collect();
        let samples = interleave(&mut cases, rounds, SAMPLE, budget.unwrap_or(BUDGET));
        let ratios = samples.iter().map(|way| samples[0].faster_than(way)).collect();
        Timed {
            medians: samples.iter().map(|way| way.median()).collect(),
            ratios,
        }
    }

    /// Runs one way so many times, for a profiler.
    pub(crate) fn repeat(&mut self, way: &str, count: u64) -> bool {
        let Some(way) = self.ways.iter_mut().find(|one| one.name == way) else {
            return false;
        };
        for _ in 0..count {
            std::hint::black_box((way.run)());
        }
        true
    }
}

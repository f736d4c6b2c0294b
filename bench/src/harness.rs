//! Interleaved timing: every case runs once in every round, so that a slow moment of the machine falls on all alike.

use cpu_time::ThreadTime;
use std::time::Duration;

/// Rounds of a full measurement.
pub const ROUNDS: usize = 41;

/// One thing to time.
pub struct Case<'a> {
    /// Its column or line in the table.
    pub name: String,
    /// How many items one call of `run` handles; results are per item.
    pub items: usize,
    /// Does the work once and returns a value that depends on it.
    pub run: Box<dyn FnMut() -> u64 + 'a>,
}

/// What was measured of one case, in nanoseconds of thread CPU time per item.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// Median over the rounds.
    pub median: f64,
    /// The fastest round.
    pub min: f64,
}

/// Runs every case in turn for `rounds` rounds. Each sample lasts about `sample` or one call, whichever is longer.
pub fn interleave(cases: &mut [Case<'_>], rounds: usize, sample: Duration) -> Vec<Timing> {
    let calls: Vec<u32> = cases.iter_mut().map(|case| calibrate(case, sample)).collect();
    let mut samples = vec![Vec::with_capacity(rounds); cases.len()];
    for round in 0..rounds {
        // Each round starts at another case, so none always follows the same neighbour's cache contents first.
        for step in 0..cases.len() {
            let index = (round + step) % cases.len();
            let time = time(&mut cases[index], calls[index]);
            samples[index].push(time.as_nanos() as f64 / f64::from(calls[index]) / cases[index].items as f64);
        }
    }
    samples.into_iter().map(|mut sample| summary(&mut sample)).collect()
}

/// How many calls fill one sample. The calls made here also warm the caches and the branch predictor.
fn calibrate(case: &mut Case<'_>, sample: Duration) -> u32 {
    let mut calls = 1;
    loop {
        let spent = time(case, calls);
        if spent >= sample / 2 || calls >= 1 << 28 {
            let per_call = spent.as_secs_f64() / f64::from(calls);
            return ((sample.as_secs_f64() / per_call.max(1e-9)).round() as u32).max(1);
        }
        calls *= 2;
    }
}

fn time(case: &mut Case<'_>, calls: u32) -> Duration {
    let start = ThreadTime::now();
    for _ in 0..calls {
        std::hint::black_box((case.run)());
    }
    start.elapsed()
}

fn summary(sample: &mut [f64]) -> Timing {
    sample.sort_unstable_by(f64::total_cmp);
    Timing {
        median: sample.get(sample.len() / 2).copied().unwrap_or(f64::NAN),
        min: sample.first().copied().unwrap_or(f64::NAN),
    }
}

//! Interleaved timing: every case has its turn in every round, so that a slow moment of the machine falls on all alike.

use cpu_time::{ProcessTime, ThreadTime};
use std::time::{Duration, Instant};

/// Rounds of a full measurement.
pub const ROUNDS: usize = 41;

/// Rounds that a row takes at least, however long they are.
const FEWEST: usize = 9;

/// How long one sample lasts unless a single call lasts longer. Short samples keep a whole round within one
/// moment of a machine whose clock changes.
pub const SAMPLE: Duration = Duration::from_micros(1500);

/// How long one row may take before its rounds become fewer.
pub const BUDGET: Duration = Duration::from_secs(20);

/// Which clock a case is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// What the calling thread spent. Everything runs on that thread.
    #[default]
    Thread,
    /// What the whole process spent: for a library whose own threads work for it, as Go's collector does.
    Process,
    /// The wall's, where several threads share the work.
    Wall,
}

/// One thing to time.
pub struct Case<'a> {
    /// How many items one call of `run` handles; results are per item.
    pub items: usize,
    /// The clock.
    pub clock: Clock,
    /// Does the work once and returns a value that depends on it.
    pub run: Box<dyn FnMut() -> u64 + 'a>,
}

/// What was measured of one case, in nanoseconds per item, round by round.
#[derive(Debug, Clone, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// The median over the rounds.
    #[must_use]
    pub fn median(&self) -> f64 {
        median(self.0.clone())
    }

    /// The fastest round.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// How many rounds there were.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.0.len()
    }

    /// How many times faster this case was than `base`: the median of the ratios within each round.
    /// A round is short, so a change of the machine's clock cancels in it.
    #[must_use]
    pub fn faster_than(&self, base: &Self) -> f64 {
        median(base.0.iter().zip(&self.0).map(|(base, own)| base / own).collect())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs every case in turn for `rounds` rounds, fewer where they would take longer than `budget`.
pub fn interleave(cases: &mut [Case<'_>], rounds: usize, sample: Duration, budget: Duration) -> Vec<Samples> {
    let (calls, round): (Vec<u32>, Vec<Duration>) = cases.iter_mut().map(|case| calibrate(case, sample)).unzip();
    let round: Duration = round.iter().sum();
    let fitting = (budget.as_secs_f64() / round.as_secs_f64().max(1e-9)) as usize;
    let rounds = rounds.min(fitting.max(FEWEST));
    let mut samples = vec![Samples::default(); cases.len()];
    for round in 0..rounds {
        // Each round starts at another case, so that what a machine does now and then does not always fall on the same one.
        for step in 0..cases.len() {
            let index = (round + step) % cases.len();
            // Once uncounted: else what follows another library waits for its own input, which that one's data has
            // pushed out of the caches, and the more of its time the faster it is.
            std::hint::black_box((cases[index].run)());
            let time = time(&mut cases[index], calls[index]);
            let per_call = time.as_nanos() as f64 / f64::from(calls[index]);
            samples[index].0.push(per_call / cases[index].items as f64);
        }
    }
    samples
}

/// How many calls fill one sample, and how long a turn takes. The calls made here also warm the caches and the branch
/// predictor.
fn calibrate(case: &mut Case<'_>, sample: Duration) -> (u32, Duration) {
    let mut calls = 1;
    loop {
        let spent = time(case, calls);
        if spent >= sample / 2 || calls >= 1 << 28 {
            let per_call = spent.as_secs_f64() / f64::from(calls);
            let calls = ((sample.as_secs_f64() / per_call.max(1e-9)).round() as u32).max(1);
            // With the call that is not counted.
            return (calls, Duration::from_secs_f64(per_call * f64::from(calls + 1)));
        }
        calls *= 2;
    }
}

fn time(case: &mut Case<'_>, calls: u32) -> Duration {
    let Case { clock, run, .. } = case;
    let mut work = || {
        for _ in 0..calls {
            std::hint::black_box(run());
        }
    };
    match clock {
        Clock::Thread => {
            let start = ThreadTime::now();
            work();
            start.elapsed()
        }
        Clock::Process => {
            let start = ProcessTime::now();
            work();
            start.elapsed()
        }
        Clock::Wall => {
            let start = Instant::now();
            work();
            start.elapsed()
        }
    }
}

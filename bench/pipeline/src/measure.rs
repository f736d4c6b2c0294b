//! Times of rounds, and what is told of them.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use crate::Failure;
use crate::stage::Stage;

/// How long something took: by the clock on the wall, and by that of the process, on all threads together, which does not run while
/// others have the processor or the disk is waited for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Took {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

impl Took {
    pub(crate) fn part(self, of: u32) -> Self {
        Self {
            wall: self.wall / of,
            cpu: self.cpu / of,
        }
    }
}

impl std::ops::Add for Took {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            wall: self.wall + other.wall,
            cpu: self.cpu + other.cpu,
        }
    }
}

/// Both clocks, started.
pub(crate) struct Clocks {
    cpu: ProcessTime,
    wall: Instant,
}

impl Clocks {
    pub(crate) fn start() -> Self {
        let cpu = ProcessTime::now();
        Self {
            cpu,
            wall: Instant::now(),
        }
    }

    pub(crate) fn took(&self) -> Took {
        let wall = self.wall.elapsed();
        Took {
            wall,
            cpu: self.cpu.elapsed(),
        }
    }
}

/// How long something took, and what it gave.
pub(crate) fn timed<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<(Took, T), Failure> {
    let clocks = Clocks::start();
    let value = work()?;
    Ok((clocks.took(), value))
}

/// What one stage took in one round, with its floor and its peer where it has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) stage: Stage,
    pub(crate) own: Took,
    pub(crate) floor: Option<Took>,
    pub(crate) peer: Option<Took>,
}

impl Sample {
    pub(crate) const fn new(stage: Stage, own: Took) -> Self {
        Self {
            stage,
            own,
            floor: None,
            peer: None,
        }
    }

    pub(crate) const fn over(stage: Stage, own: Took, floor: Took) -> Self {
        Self {
            stage,
            own,
            floor: Some(floor),
            peer: None,
        }
    }
}

/// The middle one; nothing of nothing.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    values.sort_unstable_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = *values.get(values.len().saturating_sub(1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The median of the ratios of pairs of successive rounds, so that a slow moment of the machine cancels, and that what inserts comes
/// first in one of them and second in the other. A last round without another counts only where it is the only one.
pub(crate) fn ratio(rounds: impl IntoIterator<Item = (Duration, Duration)>) -> Option<f64> {
    let rounds: Vec<_> = rounds.into_iter().collect();
    let whole = rounds.len() / 2 * 2;
    let counted = if whole == 0 { &rounds[..] } else { rounds.get(..whole)? };
    let of = |two: &[(Duration, Duration)]| {
        let above: Duration = two.iter().map(|(above, _)| *above).sum();
        let below: Duration = two.iter().map(|(_, below)| *below).sum();
        above.as_secs_f64() / below.as_secs_f64()
    };
    median(counted.chunks(2).map(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median([]), None);
        assert_eq!(median([3.0, f64::NAN, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([1.0, 2.0]), Some(1.5));
        let pair = |above, below| (Duration::from_millis(above), Duration::from_millis(below));
        // 4 by 2, 4 by 8, 9 by 9; the last one is left over.
        let rounds = [(1, 1), (3, 1), (2, 4), (2, 4), (8, 1), (1, 8), (1, 9)];
        assert_eq!(ratio(rounds.map(|(above, below)| pair(above, below))), Some(1.0));
        assert_eq!(ratio([pair(3, 2)]), Some(1.5));
        assert_eq!(ratio([]), None);
    }
}

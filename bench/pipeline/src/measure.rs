//! Times of rounds, and what is told of them.

use std::time::{Duration, Instant};

use crate::Failure;
use crate::stage::Stage;

/// How long something took, and what it gave.
pub(crate) fn timed<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<(Duration, T), Failure> {
    let start = Instant::now();
    let value = work()?;
    Ok((start.elapsed(), value))
}

/// What one stage took in one round, with its floor and its peer where it has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) stage: Stage,
    pub(crate) own: Duration,
    pub(crate) floor: Option<Duration>,
    pub(crate) peer: Option<Duration>,
}

impl Sample {
    pub(crate) const fn new(stage: Stage, own: Duration) -> Self {
        Self { stage, own, floor: None, peer: None }
    }

    pub(crate) const fn over(stage: Stage, own: Duration, floor: Duration) -> Self {
        Self { stage, own, floor: Some(floor), peer: None }
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

/// The median of the ratios of pairs that were measured in the same round, so that a slow moment of the machine cancels.
pub(crate) fn ratio(pairs: impl IntoIterator<Item = (Duration, Duration)>) -> Option<f64> {
    median(pairs.into_iter().map(|(above, below)| above.as_secs_f64() / below.as_secs_f64()))
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
        assert_eq!(ratio([pair(1, 2), pair(30, 10), pair(4, 4)]), Some(1.0));
    }
}

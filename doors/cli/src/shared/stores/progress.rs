//! A progress bar on standard error, if it is a terminal and the results are not written to it.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The progress of reading.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// The number of files that were read, and of all files.
    files: Cell<(usize, usize)>,
}

impl Progress {
    /// Creates a progress bar. It is shown only if `wanted` is true, standard error is a terminal, and it does not interfere with the
    /// results. Set `late` if the results are written only at the end.
    pub(crate) fn new(wanted: bool, late: bool) -> Self {
        let seen = wanted && io::stderr().is_terminal() && (late || !io::stdout().is_terminal());
        let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = ProgressStyle::with_template(
            "{bar:40.cyan} {pos} of {len} certificates and CRLs, {per_sec}, {msg}, {elapsed}",
        );
        bar.set_style(style.unwrap_or_else(|_error| ProgressStyle::default_bar()));
        if seen {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self { bar, files: Cell::new((0, 0)) }
    }

    /// Reports progress: files read, total files, and the number of newly found certificates and CRLs.
    pub(crate) fn found(&self, files: usize, of: usize, items: usize) {
        self.bar.inc_length(items as u64);
        self.files.set((files, of));
        self.tell();
    }

    /// Reports that the given number of further items were processed.
    pub(crate) fn done(&self, items: usize) {
        self.bar.inc(items as u64);
        self.tell();
    }

    /// Shows the number of files, and the time left: an estimate from the share of files that were read, and of their items that were
    /// processed.
    fn tell(&self) {
        let (files, of) = self.files.get();
        let items = self.bar.position() as f64 / self.bar.length().unwrap_or_default().max(1) as f64;
        let left = left(self.bar.elapsed(), items * files as f64 / of.max(1) as f64);
        let left = left.map_or(String::new(), |left| format!(", about {} left", HumanDuration(left)));
        self.bar.set_message(format!("{files} of {of} files{left}"));
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Estimates the time left from the time so far and the share that is done.
fn left(elapsed: Duration, share: f64) -> Option<Duration> {
    let left = elapsed.as_secs_f64() * (1.0 - share) / share;
    (share > 0.01 && share < 1.0).then(|| Duration::try_from_secs_f64(left).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_share() {
        let elapsed = Duration::from_secs(30);
        assert_eq!(left(elapsed, 0.25), Some(Duration::from_secs(90)));
        assert_eq!((left(elapsed, 0.0), left(elapsed, 1.0)), (None, None));
    }
}

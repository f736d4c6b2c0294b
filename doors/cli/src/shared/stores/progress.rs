//! A progress bar on standard error, if it is a terminal and the results are not written to it.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The progress of reading.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Creates a progress bar. It is shown only if `wanted` is true, standard error is a terminal, and it does not interfere with the
    /// results. Set `late` if the results are written only at the end.
    pub(crate) fn new(wanted: bool, late: bool) -> Self {
        let seen = wanted && io::stderr().is_terminal() && (late || !io::stdout().is_terminal());
        let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style =
            ProgressStyle::with_template("{bar:40.cyan} {pos} of {len} certificates and CRLs, {msg}, {elapsed}");
        bar.set_style(style.unwrap_or_else(|_error| ProgressStyle::default_bar()));
        if seen {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self(bar)
    }

    /// Reports progress: files read, total files, and the number of newly found certificates and CRLs.
    pub(crate) fn found(&self, files: usize, of: usize, items: usize) {
        self.0.inc_length(items as u64);
        self.0.set_message(format!("{files} of {of} files"));
    }

    /// Reports that the given number of further items were processed.
    pub(crate) fn done(&self, items: usize) {
        self.0.inc(items as u64);
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

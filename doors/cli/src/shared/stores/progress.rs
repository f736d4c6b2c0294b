//! A progress bar on standard error, where that is a terminal and the results do not go there.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Progress of reading.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar; hidden unless it is wanted, can be seen, and does not get between results: `late` says that those come at the
    /// end.
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

    /// So many of all files were read, and have so many more certificates and CRLs.
    pub(crate) fn found(&self, files: usize, of: usize, items: usize) {
        self.0.inc_length(items as u64);
        self.0.set_message(format!("{files} of {of} files"));
    }

    /// So many more were looked at.
    pub(crate) fn done(&self, items: usize) {
        self.0.inc(items as u64);
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

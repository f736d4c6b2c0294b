//! Signal handling. If a signal ends the command, temporary files are removed. A broken pipe ends the command with SIGPIPE.

use std::io;
use std::process::ExitCode;

/// A guard. While it exists, this process ignores SIGINT (Ctrl-C), so that only the child process, such as an editor, handles it.
pub(crate) struct Lent(());

#[cfg(unix)]
mod on_unix {
    use std::fs;
    use std::io;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex, PoisonError};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use crate::shared::output::scratch;

    static WATCHED: Mutex<bool> = Mutex::new(false);
    static LENT: AtomicUsize = AtomicUsize::new(0);

    pub(super) fn start() {
        // Writing beyond the file size limit fails with an error, instead of ending the command by a signal.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }

    pub(super) fn watch() -> io::Result<()> {
        let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
        if *watched {
            return Ok(());
        }
        // Signals that the parent process ignores, as with `nohup` and `&`, stay ignored.
        let ignored = ignored();
        let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter();
        let ending = ending.filter(|signal| ignored & 1 << (signal - 1) == 0);
        let mut signals = Signals::new(ending)?;
        let wait = move || {
            for signal in signals.forever() {
                if signal == SIGINT && LENT.load(Ordering::SeqCst) > 0 {
                    continue;
                }
                let _held = scratch::remove_all();
                let _ = emulate_default_handler(signal);
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
        *watched = true;
        Ok(())
    }

    /// Returns the set of signals that the command ignores, according to Linux.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        line.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or_default()
    }

    pub(super) fn lend(lent: bool) {
        if lent {
            LENT.fetch_add(1, Ordering::SeqCst);
        } else {
            LENT.fetch_sub(1, Ordering::SeqCst);
        }
    }

    pub(super) fn broken_pipe() {
        let _ = emulate_default_handler(SIGPIPE);
    }
}

/// Prepares signal handling, so that writing beyond the file size limit is an error instead of a fatal signal.
pub(crate) fn start() {
    #[cfg(unix)]
    on_unix::start();
}

/// Installs the signal handler, which removes the files in [`scratch`](super::scratch) before a signal ends the command.
///
/// # Errors
/// Returns any system error.
pub(super) fn watch() -> io::Result<()> {
    #[cfg(unix)]
    on_unix::watch()?;
    Ok(())
}

impl Lent {
    /// Ignores SIGINT (Ctrl-C) in this process until the guard is dropped.
    pub(crate) fn new() -> Self {
        #[cfg(unix)]
        on_unix::lend(true);
        Self(())
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        #[cfg(unix)]
        on_unix::lend(false);
    }
}

/// Ends the command with SIGPIPE because the reader of its output is gone. Shells report this as exit code 141, as with other tools. It
/// is not a success, because the output is incomplete.
pub(crate) fn broken_pipe() -> ExitCode {
    #[cfg(unix)]
    on_unix::broken_pipe();
    ExitCode::from(141)
}

//! Log lines on standard error, for the service manager.

/// Writes a line, and ignores a closed standard error.
macro_rules! log {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($part)*);
    }};
}

pub(crate) use log;

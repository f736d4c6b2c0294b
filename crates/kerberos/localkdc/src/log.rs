//! Log lines on standard error, for the service manager.

/// Writes a line to standard error. A closed standard error is ignored.
macro_rules! log {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($part)*);
    }};
}

pub(crate) use log;

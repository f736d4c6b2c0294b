//! The call trace.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write as _;

/// Appends a line to the trace, if one is configured.
pub(crate) fn called(interface: &str, method: &str, about: impl Display) {
    let Some(path) = std::env::var_os("TAGWISE_PLUGIN_TRACE") else { return };
    let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) else { return };
    let host = std::env::current_exe().ok();
    let host = host.as_deref().and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy();
    // One write a line: several programs write to it.
    let _ = file.write_all(format!("{interface}\t{method}\t{host}\t{about}\n").as_bytes());
}

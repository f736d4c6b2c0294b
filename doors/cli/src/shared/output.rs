//! Output of results to standard output or, atomically, to a file. Binary output is not written to a terminal.

pub(crate) mod file;
pub(crate) mod scratch;
pub(crate) mod secret;
pub(crate) mod signals;

use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use tagwise_pkix::name::visible;

pub(crate) use file::{Access, folder_of, replace, write};
pub(crate) use secret::Secrecy;

/// The reason why a command ends early.
#[derive(Debug)]
pub enum Failure {
    /// Standard output or standard error could not be written.
    Output(io::Error),
    /// An exit code, and the message to print.
    Said(u8, String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Failure {
    /// Creates the failure for a negative answer: the input was read, but rejected (exit code 1).
    #[must_use]
    pub fn negative(message: impl Into<String>) -> Self {
        Self::Said(1, message.into())
    }

    /// Creates a usage error (exit code 2), for conflicting arguments.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Said(2, message.into())
    }

    /// Creates the failure for a file that could not be read or written.
    #[must_use]
    pub fn file(path: &Path, what: &str, error: &io::Error) -> Self {
        Self::Said(3, format!("{}: cannot be {what}: {}", name_of(path), reason(error)))
    }
}

/// Ends a command: prints the reason if it failed, and returns the exit code.
///
/// # Errors
/// Returns an error if writing fails.
pub(crate) fn finish(done: Result<u8, Failure>, err: &mut dyn Write) -> io::Result<u8> {
    match done {
        Ok(code) => Ok(code),
        Err(Failure::Output(error)) => Err(error),
        Err(Failure::Said(code, message)) => {
            // Line by line, because quoted text may be untrusted.
            write!(err, "tagwise: ")?;
            for line in message.split('\n') {
                writeln!(err, "{}", visible(line))?;
            }
            Ok(code)
        }
    }
}

/// A writer for messages that makes every character visible, including those from untrusted input. Line breaks and tabs are
/// kept.
pub(crate) struct VisibleWriter<W>(pub(crate) W);

impl<W: Write> Write for VisibleWriter<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(octets);
        let mut safe = String::with_capacity(text.len());
        for line in text.split_inclusive(['\n', '\t']) {
            let end = line.len() - usize::from(line.ends_with(['\n', '\t']));
            let (shown, end) = line.split_at_checked(end).unwrap_or((line, ""));
            safe.push_str(&visible(shown).to_string());
            safe.push_str(end);
        }
        self.0.write_all(safe.as_bytes())?;
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns the display name of a path.
pub(crate) fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" {
        return "standard input".to_owned();
    }
    visible(&path.display()).to_string()
}

/// Returns the text of a system error, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    visible(text.split(" (os error").next().unwrap_or_default()).to_string()
}

/// Returns whether two paths refer to the same file, so that writing both would lose the first.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        if let Ok(whole) = std::fs::canonicalize(path) {
            return whole;
        }
        let folder =
            std::fs::canonicalize(file::folder_of(path)).unwrap_or_else(|_absent| file::folder_of(path).to_owned());
        path.file_name().map_or(folder.clone(), |name| folder.join(name))
    };
    place(one) == place(other)
}

/// Returns whether bytes are binary, so that they should not be written to a terminal.
fn is_binary(octets: &[u8]) -> bool {
    std::str::from_utf8(octets).is_err()
        || octets.iter().any(|octet| *octet < b' ' && !matches!(octet, b'\n' | b'\r' | b'\t') || *octet == 0x7F)
}

/// Writes a result to a file, or without a path to `out`. Content with a private key is written as a
/// secret. Other content never replaces a key.
///
/// # Errors
/// Returns an error, unless forced, for binary output to a terminal or a secret that would replace another file. Also fails
/// if the file cannot be written.
pub fn deliver(octets: &[u8], path: Option<&PathBuf>, force: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let secrecy = match path {
        Some(_) => Secrecy::of(octets),
        None => Secrecy::Public,
    };
    deliver_as(secrecy, octets, path, force, out)
}

/// Returns an error if public content would replace a private key or a database, of which there may be no other copy.
pub(crate) fn loses_no_key(path: &Path) -> Result<(), Failure> {
    /// The file size above which a file cannot be a key.
    const LARGE: u64 = 1 << 20;
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(()) };
    if !metadata.is_file() {
        return Ok(());
    }
    let mut before = Vec::new();
    // Unreadable content does not count as a key.
    let _ = std::fs::File::open(path).and_then(|file| file.take(LARGE).read_to_end(&mut before));
    let what = match before.starts_with(b"SQLite format 3\0") {
        true => "a database",
        false
            if metadata.len() < LARGE
                && (tagwise_input::secret::holds_key(&before) || tagwise_keys::holds_secret(&before)) =>
        {
            "a private key"
        }
        false => return Ok(()),
    };
    Err(Failure::Said(3, format!("{}: not written: it is {what}, which would be lost", name_of(path))))
}

/// Like [`deliver`], if it is already known whether the result is a secret. A secret file is accessible only to its owner,
/// and does not replace another file unless forced.
///
/// # Errors
/// Returns any error from [`deliver`].
pub(crate) fn deliver_as(
    secrecy: Secrecy,
    octets: &[u8],
    path: Option<&PathBuf>,
    force: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match path {
        Some(path) if path.as_os_str() != "-" => {
            if secrecy == Secrecy::Public && !force {
                loses_no_key(path)?;
            }
            let access = match (secrecy, force) {
                (Secrecy::Public, _) => Access::Public,
                (Secrecy::Secret, false) => Access::Private,
                (Secrecy::Secret, true) => Access::PrivateInPlace,
            };
            write(path, octets, access).map_err(|error| match (error.kind(), secrecy) {
                (io::ErrorKind::AlreadyExists, Secrecy::Secret) => Failure::Said(
                    3,
                    format!(
                        "{}: not written: it exists, and a secret replaces a file only with --force",
                        name_of(path)
                    ),
                ),
                _ => Failure::file(path, "written", &error),
            })
        }
        _ => {
            if !force && io::stdout().is_terminal() && is_binary(octets) {
                return Err(Failure::usage(
                    "binary output for a terminal: give -o FILE, or --force to print it anyway",
                ));
            }
            out.write_all(octets)?;
            Ok(out.flush()?)
        }
    }
}

//! Where results go: into a file as a whole or not at all, or to standard output, which gets nothing binary on a terminal.

use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tagwise_pkix::name::visible;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Standard output or standard error could not be written.
    Output(io::Error),
    /// An exit code, and what to say.
    Said(u8, String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Failure {
    /// A negative answer.
    pub(crate) fn negative(message: impl Into<String>) -> Self {
        Self::Said(1, message.into())
    }

    /// Arguments that do not fit together.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Said(2, message.into())
    }

    /// A file that could not be read or written.
    pub(crate) fn file(path: &Path, what: &str, error: &io::Error) -> Self {
        let text = error.to_string();
        let text = text.split(" (os error").next().unwrap_or_default();
        Self::Said(3, format!("{}: could not be {what}: {text}", name_of(path)))
    }
}

/// Ends a command: says why if it failed, and gives the exit code.
///
/// # Errors
/// Those of the writers.
pub(crate) fn finish(done: Result<u8, Failure>, err: &mut dyn Write) -> io::Result<u8> {
    match done {
        Ok(code) => Ok(code),
        Err(Failure::Output(error)) => Err(error),
        Err(Failure::Said(code, message)) => {
            writeln!(err, "tagwise: {message}")?;
            Ok(code)
        }
    }
}

/// A path as people see it.
pub(crate) fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" {
        return "standard input".to_owned();
    }
    visible(&path.display()).to_string()
}

/// Whether octets are better kept from a terminal.
fn is_binary(octets: &[u8]) -> bool {
    std::str::from_utf8(octets).is_err()
        || octets.iter().any(|octet| *octet < b' ' && !matches!(octet, b'\n' | b'\r' | b'\t') || *octet == 0x7F)
}

/// Writes a result to a file, or to `out` where there is none.
///
/// # Errors
/// Binary octets for a terminal, unless forced; a file that could not be written.
pub(crate) fn deliver(octets: &[u8], path: Option<&PathBuf>, force: bool, out: &mut dyn Write) -> Result<(), Failure> {
    match path {
        Some(path) if path.as_os_str() != "-" => {
            replace(path, octets).map_err(|error| Failure::file(path, "written", &error))
        }
        _ => {
            if !force && io::stdout().is_terminal() && is_binary(octets) {
                return Err(Failure::usage(
                    "this is binary, and the output is a terminal: say -o FILE, or --force to have it here all the same",
                ));
            }
            out.write_all(octets)?;
            Ok(out.flush()?)
        }
    }
}

/// Makes octets the content of a file: written beside it first, then put in its place at once, so that there is never a part
/// of them. Permissions and, where possible, the owner stay. What is no regular file, a pipe say, is written as it stands.
pub(crate) fn replace(path: &Path, octets: &[u8]) -> io::Result<()> {
    // What a symbolic link points at is replaced, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_absent| path.to_owned());
    let before = match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => Some(metadata),
        Ok(metadata) if metadata.is_dir() => {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        Ok(_) => return File::options().write(true).open(&path)?.write_all(octets),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if before.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tagwise-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A new file is as open as the user's mask has it; one that replaces another is closed until it has its permissions.
        let mode = if before.is_some() { 0o600 } else { 0o666 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(octets)?;
    if let Some(before) = &before {
        keep(file.as_file(), before)?;
    }
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}

/// Makes a file of secret octets that only its owner reads: whole or not at all, and never in place of another.
pub(crate) fn create_private(path: &Path, octets: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Temporary files are their owner's alone; a name that is taken is found before anything is written.
    if fs::symlink_metadata(path).is_ok() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is there already"));
    }
    let mut file = tempfile::Builder::new().prefix(".tagwise-").tempfile_in(folder)?;
    file.write_all(octets)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => io::Error::new(io::ErrorKind::AlreadyExists, "it is there already"),
        _ => error.error,
    })?;
    Ok(())
}

/// Gives a file the permissions of the one that it replaces, and its owner if this user may.
fn keep(file: &File, before: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    }
    file.set_permissions(before.permissions())
}

//! The state file of a monitor, and the output that belongs to it.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tagwise_ct::{Error, Log, State};

use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of, replace};

/// The schema of state files.
const SCHEMA: &str = "ct-state/1";

#[derive(Serialize, Deserialize)]
struct Saved {
    schema: String,
    log: String,
    state: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Output>,
}

/// The output that the state includes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Output {
    file: PathBuf,
    length: u64,
}

/// A monitor's state with its file and output.
pub(super) struct Progress {
    pub(super) state: State,
    path: Option<PathBuf>,
    url: String,
    output: Option<(PathBuf, File, u64)>,
    /// The state before the first entry, to be stored before the first line.
    first: Option<Vec<u8>>,
    /// The lock of the state, as long as the file is open.
    _lock: Option<File>,
}

impl Progress {
    /// Locks the files, and reads the state, if there is a file. A run that fails before its first line leaves the file unchanged. Output that was written after the state was stored is
    /// removed, because it is written again.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written, is used by another run, or does not belong to the log.
    pub(super) fn open(
        context: &Context,
        log: &Log,
        url: &str,
        path: Option<&Path>,
        output: Option<&Path>,
    ) -> Result<Self, Failure> {
        let mut state = State::new(log);
        let mut known = None;
        let lock = path.map(locked).transpose()?;
        let exists = |path: &&Path| path.try_exists().map_err(|error| Failure::file(path, "read", &error));
        let found = match path {
            Some(path) if exists(&path)? => Some(path),
            _ => None,
        };
        if let Some(path) = found {
            let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
            let wrong = |text: &dyn std::fmt::Display| Failure::Said(3, format!("{}: {text}", name_of(path)));
            let saved: Saved = serde_json::from_slice(&octets).map_err(|error| wrong(&error))?;
            if saved.schema != SCHEMA {
                return Err(wrong(&format!("schema {}, expected {SCHEMA}", saved.schema)));
            }
            state = State::from_json(saved.state.get(), log).map_err(|error| match error {
                Error::Malformed(_) => wrong(&error),
                other => Failure::negative(format!("{}: {other}", name_of(path))),
            })?;
            known = saved.output;
        }
        let output = output.map(|output| opened(output, known.as_ref())).transpose()?;
        let (path, url) = (path.map(Path::to_owned), url.to_owned());
        let mut progress = Self { state, path, url, output, first: None, _lock: lock };
        progress.first = Some(progress.text()?);
        Ok(progress)
    }

    /// Writes lines to the output, or to `out`, and then stores the state.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(super) fn store(&mut self, lines: &[u8], out: &mut dyn Write) -> Result<(), Failure> {
        // Before the first line: a run that is killed then does not lose track of the output.
        if let Some(text) = self.first.take() {
            self.save(&text)?;
        }
        match &mut self.output {
            Some((path, file, length)) => {
                let done = file.write_all(lines).and_then(|()| file.sync_data());
                done.map_err(|error| Failure::file(path, "written", &error))?;
                *length = length.saturating_add(lines.len() as u64);
            }
            None => {
                out.write_all(lines)?;
                out.flush()?;
            }
        }
        self.save(&self.text()?)
    }

    /// Encodes the state.
    fn text(&self) -> Result<Vec<u8>, Failure> {
        let output = self.output.as_ref().map(|(file, _, length)| Output { file: file.clone(), length: *length });
        let state = RawValue::from_string(self.state.to_json()).map_err(std::io::Error::other)?;
        let saved = Saved { schema: SCHEMA.to_owned(), log: self.url.clone(), state, output };
        let mut text = serde_json::to_vec(&saved).map_err(std::io::Error::other)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Stores an encoded state.
    fn save(&self, text: &[u8]) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        replace(path, text).map_err(|error| Failure::file(path, "written", &error))
    }
}

/// Locks a state. The file itself is replaced each time, so the lock is a file of its own beside it.
fn locked(path: &Path) -> Result<File, Failure> {
    // Runs that name the file by different links have the same lock.
    let mut name = std::fs::canonicalize(path).unwrap_or_else(|_absent| path.to_owned()).into_os_string();
    name.push(".lock");
    let own = PathBuf::from(name);
    let mut options = OpenOptions::new();
    options.create(true).write(true).truncate(false);
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
    let file = options.open(&own).map_err(|error| Failure::file(&own, "written", &error))?;
    exclude(&file, path)?;
    Ok(file)
}

/// Locks an open file against other runs. The lock ends with the process, or when the file is closed.
#[cfg(unix)]
fn exclude(file: &File, path: &Path) -> Result<(), Failure> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(()),
        Err(Errno::WOULDBLOCK) => Err(Failure::Said(3, format!("{}: another run is using it", name_of(path)))),
        // A file system without locks.
        Err(Errno::NOSYS | Errno::NOTSUP | Errno::NOLCK | Errno::INVAL) => Ok(()),
        Err(error) => Err(Failure::file(path, "locked", &error.into())),
    }
}

/// Does nothing: there, the lock of the state is its open file.
#[cfg(not(unix))]
fn exclude(_: &File, _: &Path) -> Result<(), Failure> {
    Ok(())
}

/// Opens the output at its recorded length, or at its end if there is no record.
fn opened(path: &Path, known: Option<&Output>) -> Result<(PathBuf, File, u64), Failure> {
    let failed = |error: std::io::Error| Failure::file(path, "written", &error);
    let whole = std::path::absolute(path).map_err(failed)?;
    let mut file = OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_file() {
        exclude(&file, path)?;
    }
    let found = metadata.len();
    let length = match known.filter(|known| known.file == whole) {
        Some(known) if known.length > found => {
            let (name, length) = (name_of(path), known.length);
            let text = format!(
                "{name}: {found} bytes, but the state records {length}: lines are lost; restore the file or the state"
            );
            return Err(Failure::negative(text));
        }
        Some(known) => known.length,
        None if found > 0 => {
            let mut first = [0];
            file.read_exact(&mut first).map_err(failed)?;
            if first != *b"{" {
                let text = format!("{}: not written: it is not a file of JSON lines", name_of(path));
                return Err(Failure::Said(3, text));
            }
            found
        }
        None => 0,
    };
    if length < found {
        file.set_len(length).map_err(failed)?;
    }
    file.seek(SeekFrom::Start(length)).map_err(failed)?;
    Ok((whole, file, length))
}

//! Files and folders to read: found in one order, read by several threads, given on in batches in that order.

use std::fs;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tagwise_map::Octets;
use tagwise_pkix::store::{Contents, Item, Limits, Place};

pub(crate) use super::progress::Progress;
use crate::output::name_of;
use crate::show::unreadable;

/// Larger files are not read.
const MAX: u64 = u32::MAX as u64;
/// How many files, and how many octets of them, are held at a time.
const BATCH: usize = 512;
const BATCH_OCTETS: u64 = 256 << 20;

#[derive(Debug, clap::Args)]
pub(crate) struct SourceArgs {
    /// Files and folders; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// How many threads [default: one for each processor]
    #[arg(short, long, value_name = "N", help_heading = "Reading")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Read large files instead of mapping them: for files that are written to meanwhile
    #[arg(long, help_heading = "Reading")]
    pub(crate) no_map: bool,
    /// How many mebibytes what is compressed in one file may come to
    #[arg(long, value_name = "MIB", default_value_t = Limits::DEFAULT.output >> 20, help_heading = "Reading")]
    pub(crate) max_unpacked: u64,
    /// No progress bar
    #[arg(long, help_heading = "Reading")]
    pub(crate) no_progress: bool,
}

/// A file to read.
#[derive(Debug)]
pub(crate) struct Source {
    path: PathBuf,
    /// As people see it.
    name: String,
    /// Whether it was named, not met in a folder.
    named: bool,
    /// Why it cannot even be looked at.
    error: Option<String>,
}

/// A file that was read, or not.
pub(crate) struct ReadFile<'f> {
    pub(crate) name: &'f str,
    /// Whether it was named, not met in a folder.
    pub(crate) named: bool,
    /// What it holds, or why it could not be read.
    pub(crate) contents: Result<Contents<'f>, String>,
}

impl ReadFile<'_> {
    /// The items; none of a file that could not be read.
    pub(crate) fn items(&self) -> impl Iterator<Item = Item<'_>> {
        self.contents.as_ref().ok().into_iter().flat_map(Contents::items)
    }
}

impl SourceArgs {
    /// The threads.
    pub(crate) fn pool(&self) -> io::Result<ThreadPool> {
        let builder = ThreadPoolBuilder::new().num_threads(self.jobs.map_or(0, NonZeroUsize::get));
        builder.build().map_err(io::Error::other)
    }

    fn limits(&self) -> Limits {
        Limits { output: self.max_unpacked.saturating_mul(1 << 20), ..Limits::DEFAULT }
    }

    /// Reads everything, and gives each batch of files to `visit`, in the order of the paths and, in folders, of names. `late` says
    /// that results are written at the end only.
    pub(crate) fn read(
        &self,
        pool: &ThreadPool,
        late: bool,
        mut visit: impl FnMut(&[ReadFile<'_>], &Progress) -> io::Result<()>,
    ) -> io::Result<()> {
        let sources = expand(&self.paths);
        let progress = Progress::new(!self.no_progress, late);
        let mut read = 0;
        let mut rest = sources.as_slice();
        while !rest.is_empty() {
            let mut octets = 0;
            let len = rest.iter().take(BATCH).take_while(|source| {
                let room = octets < BATCH_OCTETS;
                octets += fs::metadata(&source.path).map_or(0, |metadata| metadata.len());
                room
            });
            let (batch, after) = rest.split_at_checked(len.count().max(1)).unwrap_or((rest, &[]));
            rest = after;
            let files = pool.install(|| self.load(batch));
            let held = pool.install(|| self.take_apart(batch, &files));
            read += batch.len();
            let items = held.iter().map(|file| file.contents.as_ref().map_or(0, Contents::len)).sum();
            progress.found(read, sources.len(), items);
            visit(&held, &progress)?;
        }
        progress.finish();
        Ok(())
    }

    /// Reads everything at once and keeps it: for what needs all certificates together.
    pub(crate) fn read_whole<T>(
        &self,
        pool: &ThreadPool,
        visit: impl FnOnce(&[ReadFile<'_>]) -> io::Result<T>,
    ) -> io::Result<T> {
        let sources = expand(&self.paths);
        let files = pool.install(|| self.load(&sources));
        let held = pool.install(|| self.take_apart(&sources, &files));
        visit(&held)
    }

    fn load(&self, sources: &[Source]) -> Vec<Result<Octets, String>> {
        let load = |source: &Source| match &source.error {
            Some(error) => Err(error.clone()),
            None => self.octets(&source.path).map_err(|error| unreadable(&error)),
        };
        sources.par_iter().map(load).collect()
    }

    fn octets(&self, path: &Path) -> io::Result<Octets> {
        if path.as_os_str() == "-" {
            let mut octets = Vec::new();
            io::stdin().lock().take(MAX + 1).read_to_end(&mut octets)?;
            if octets.len() as u64 > MAX {
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 4 GiB"));
            }
            return Ok(octets.into());
        }
        if self.no_map { tagwise_map::read(path, MAX) } else { tagwise_map::open(path, MAX) }
    }

    fn take_apart<'f>(&self, sources: &'f [Source], files: &'f [Result<Octets, String>]) -> Vec<ReadFile<'f>> {
        let limits = self.limits();
        let take_apart = |(source, file): (&'f Source, &'f Result<Octets, String>)| ReadFile {
            name: &source.name,
            named: source.named,
            contents: match file {
                Ok(octets) => Ok(Contents::read(octets, &limits)),
                Err(error) => Err(error.clone()),
            },
        };
        sources.par_iter().zip(files).map(take_apart).collect()
    }
}

/// The files that paths lead to. Folders are gone through in the order of names; links to folders are not followed there, and
/// what is neither file nor folder is left out.
fn expand(paths: &[PathBuf]) -> Vec<Source> {
    let mut found = Vec::new();
    // The next one last.
    let mut open: Vec<(PathBuf, bool)> = paths.iter().rev().map(|path| (path.clone(), true)).collect();
    while let Some((path, named)) = open.pop() {
        let source = |error: Option<String>| Source { name: name_of(&path), path: path.clone(), named, error };
        if path.as_os_str() == "-" {
            found.push(source(None));
            continue;
        }
        let kind = if named { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
        let kind = match kind {
            Ok(kind) if kind.is_symlink() => match fs::metadata(&path) {
                Ok(target) if target.is_file() => target,
                // A folder, or what the link points at is gone.
                Ok(_) | Err(_) => continue,
            },
            Ok(kind) => kind,
            Err(error) => {
                found.push(source(Some(unreadable(&error))));
                continue;
            }
        };
        if !kind.is_dir() {
            if named || kind.is_file() {
                found.push(source(None));
            }
            continue;
        }
        match fs::read_dir(&path).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Ok(entries) => {
                let mut inner: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
                inner.sort_unstable_by(|one, other| other.cmp(one));
                open.extend(inner.into_iter().map(|path| (path, false)));
            }
            Err(error) => found.push(source(Some(unreadable(&error)))),
        }
    }
    found
}

/// Where something stands, in words: `store.zip!a.pem, line 12`, `certs.der, byte 1468`.
pub(crate) fn place_text(name: &str, place: &Place<'_>) -> String {
    use tagwise_pkix::name::visible;
    let mut text = name.to_owned();
    if let Some(entry) = place.entry {
        text.push('!');
        text.push_str(&visible(entry).to_string());
    }
    match place.line {
        Some(line) => text.push_str(&format!(", line {line}")),
        None if place.offset > 0 => text.push_str(&format!(", byte {}", place.offset)),
        None => {}
    }
    text
}

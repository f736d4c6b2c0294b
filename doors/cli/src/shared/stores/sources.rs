//! Reads files and folders. Files are listed in a fixed order, read by several threads, and passed on in that order in batches.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tagwise_codec::RuleSet;
use tagwise_input::{Content, InputForm, ValueKind, find};
use tagwise_map::Octets;
use tagwise_store::{Contents, ContentsItem, Limits};

pub(crate) use super::progress::Progress;
use super::skipped::{Reason, Skipped};
use crate::shared::context::Context;
use crate::shared::files;
use crate::shared::keystores::Keystores;
use crate::shared::outcome::unreadable;
use crate::shared::output::{Failure, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::remote::{self, ConnectArgs};

/// The maximum number of files in a batch.
const BATCH: usize = 512;
const BATCH_OCTETS: u64 = 256 << 20;

#[derive(Debug, clap::Args)]
pub(crate) struct SourceArgs {
    /// Files and folders; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Number of threads [default: one per processor]
    #[arg(short, long, value_name = "N", help_heading = "Reading")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Read large files instead of memory-mapping them, in case they change in the meantime
    #[arg(long, help_heading = "Reading")]
    pub(crate) no_map: bool,
    /// Limit the decompressed content of one file to this many mebibytes
    #[arg(long, value_name = "MIB", default_value_t = Limits::DEFAULT.output >> 20, help_heading = "Reading")]
    pub(crate) max_unpacked: u64,
    /// Do not show a progress bar
    #[arg(long, help_heading = "Reading")]
    pub(crate) no_progress: bool,
    /// Count unreadable keystores, files and folders instead of failing
    #[arg(long, help_heading = "Reading")]
    pub(crate) skip_unreadable: bool,
    /// Open PKCS #12 files with the passphrase in the first line of this file; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// The options for servers, if paths may be addresses of servers.
    #[arg(skip)]
    pub(crate) servers: Option<ConnectArgs>,
}

/// A file to read.
#[derive(Debug)]
pub(crate) struct Source {
    path: PathBuf,
    /// The display name.
    name: String,
    /// True if the file was named on the command line, not found in a folder.
    named: bool,
    /// The reason why the file is skipped.
    barred: Option<(Reason, String)>,
}

#[cfg(feature = "columns")]
impl Source {
    /// Returns whether the file was named on the command line.
    pub(crate) const fn is_named(&self) -> bool {
        self.named
    }

    /// Returns the path, or a description of the reason why the file is skipped.
    pub(crate) fn path(&self) -> Result<&Path, &str> {
        self.barred.as_ref().map_or(Ok(&self.path), |(_, reason)| Err(reason))
    }

    /// Returns the display name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name, size and modification time of the file, to detect changes.
    pub(crate) fn stamp(&self) -> String {
        let metadata = fs::metadata(&self.path).ok();
        let size = metadata.as_ref().map(fs::Metadata::len);
        let time = metadata.and_then(|metadata| metadata.modified().ok());
        format!("{:?} {size:?} {time:?}\n", self.path)
    }
}

/// A file with its content or the reason why it was not read.
pub(crate) struct ReadFile<'f> {
    pub(crate) name: &'f str,
    /// True if the file was named on the command line, not found in a folder.
    pub(crate) named: bool,
    /// The content, or the reason why the file was not read.
    pub(crate) contents: Result<Contents<'f>, (Reason, String)>,
}

impl ReadFile<'_> {
    /// Iterates over the items. There are none in an unreadable file.
    pub(crate) fn items(&self) -> impl Iterator<Item = ContentsItem<'_>> {
        self.contents.as_ref().ok().into_iter().flat_map(Contents::items)
    }
}

impl SourceArgs {
    /// Creates the thread pool.
    pub(crate) fn pool(&self) -> io::Result<ThreadPool> {
        let builder = ThreadPoolBuilder::new().num_threads(self.jobs.map_or(0, NonZeroUsize::get));
        builder.build().map_err(io::Error::other)
    }

    /// Returns the names of the inputs, for messages.
    pub(crate) fn names(&self) -> String {
        let names: Vec<String> = self.paths.iter().take(4).map(|path| name_of(path)).collect();
        let more = self.paths.len().saturating_sub(names.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", names.join(", "))
    }

    /// Returns the passwords with which to open keystores.
    ///
    /// # Errors
    /// Returns an error if the passphrase cannot be read.
    fn keystores(&self) -> Result<Keystores, Failure> {
        let passphrase = match &self.passphrase_file {
            Some(path) => PassphraseArgs::of_file(path).named()?,
            None => None,
        };
        Keystores::new(passphrase)
    }

    /// Returns the count of skipped files.
    pub(crate) fn skipped(&self) -> Skipped {
        Skipped::new(self.skip_unreadable)
    }

    fn limits(&self) -> Limits {
        Limits { output: self.max_unpacked.saturating_mul(1 << 20), ..Limits::DEFAULT }
    }

    /// Reads all files, and passes them in batches to `visit`, in the order of the paths, and by name within folders. Set `late` if
    /// results are written only at the end.
    pub(crate) fn read(
        &self,
        context: &Context,
        pool: &ThreadPool,
        late: bool,
        visit: impl FnMut(&[ReadFile<'_>], &Progress) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.read_list(context, pool, late, &self.list(), visit)
    }

    /// Lists all files, without reading them.
    pub(crate) fn list(&self) -> Vec<Source> {
        expand(&self.paths, self.servers.is_some())
    }

    /// Reads listed files: see [`SourceArgs::read`].
    pub(crate) fn read_list(
        &self,
        context: &Context,
        pool: &ThreadPool,
        late: bool,
        sources: &[Source],
        mut visit: impl FnMut(&[ReadFile<'_>], &Progress) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let keystores = self.keystores()?;
        let progress = Progress::new(!self.no_progress, late);
        let mut read = 0;
        let mut rest = sources;
        while !rest.is_empty() {
            let mut octets = 0;
            let len = rest.iter().take(BATCH).take_while(|source| {
                let room = octets < BATCH_OCTETS;
                octets += fs::metadata(&source.path).map_or(0, |metadata| metadata.len());
                room
            });
            let (batch, after) = rest.split_at_checked(len.count().max(1)).unwrap_or((rest, &[]));
            rest = after;
            let files = pool.install(|| self.load(context, batch));
            let (mut batch, mut files) = (batch, files.as_slice());
            while !batch.is_empty() {
                // What they decompress to is held as well.
                let at = self.together(files);
                let (some, more) = batch.split_at_checked(at).unwrap_or((batch, &[]));
                let (octets, others) = files.split_at_checked(at).unwrap_or((files, &[]));
                (batch, files) = (more, others);
                let held = pool.install(|| self.take_apart(some, octets, &keystores));
                read += some.len();
                let items = held.iter().map(|file| file.contents.as_ref().map_or(0, Contents::len)).sum();
                progress.found(read, sources.len(), items);
                visit(&held, &progress)?;
            }
        }
        progress.finish();
        Ok(())
    }

    /// Returns the options with other paths.
    #[cfg(feature = "columns")]
    pub(crate) fn with_paths(&self, paths: Vec<PathBuf>) -> Self {
        Self { paths, passphrase_file: self.passphrase_file.clone(), servers: None, ..*self }
    }

    /// Reads one listed file, without looking for certificates in it. The error is a message.
    #[cfg(feature = "columns")]
    pub(crate) fn read_one(&self, context: &Context, source: &Source) -> Result<Octets, String> {
        let path = source.path()?;
        self.octets(context, path).map_err(|error| unreadable(&error))
    }

    /// Reads all files and keeps them in memory, for callers that need all certificates together.
    pub(crate) fn read_whole<T>(
        &self,
        context: &Context,
        pool: &ThreadPool,
        visit: impl FnOnce(&[ReadFile<'_>]) -> io::Result<T>,
    ) -> Result<T, Failure> {
        let keystores = self.keystores()?;
        let sources = expand(&self.paths, self.servers.is_some());
        let files = pool.install(|| self.load(context, &sources));
        let held = pool.install(|| self.take_apart(&sources, &files, &keystores));
        Ok(visit(&held)?)
    }

    fn load(&self, context: &Context, sources: &[Source]) -> Vec<Loaded> {
        let load = |source: &Source| match &source.barred {
            Some(reason) => Err(reason.clone()),
            None => self.octets(context, &source.path).map_err(|error| (Reason::Unreadable, unreadable(&error))),
        };
        sources.par_iter().map(load).collect()
    }

    /// Returns the number of files to unpack together: as many as certainly fit into the batch limit, but at least one.
    fn together(&self, files: &[Loaded]) -> usize {
        let limits = self.limits();
        let mut held = 0;
        let fit = files.iter().take_while(|file| {
            let octets: &[u8] = file.as_ref().map_or(&[], |octets| octets);
            // DER and PEM hold nothing that is compressed.
            let plain = matches!(octets.first(), None | Some(0x30)) || octets.starts_with(b"-----BEGIN ");
            let size = octets.len() as u64;
            held += if plain { size } else { size.max(limits.expansion(size)) };
            held <= BATCH_OCTETS
        });
        fit.count().max(1)
    }

    fn octets(&self, context: &Context, path: &Path) -> io::Result<Octets> {
        if path.as_os_str() == "-" {
            return Ok(files::bounded(io::stdin().lock(), context.limit)?.into());
        }
        if let Some((connect, target)) = self.servers.as_ref().zip(remote::target(path)) {
            let session =
                target.and_then(|target| remote::fetch(context, &target, connect)).map_err(io::Error::other)?;
            return Ok(session.certificates.concat().into());
        }
        let metadata = fs::metadata(path)?;
        files::no_device(path, &metadata)?;
        // A file that is mapped takes no memory of ours.
        let mapped = !self.no_map && metadata.is_file();
        let limit = if mapped { files::MOST } else { context.limit };
        let read = if mapped { tagwise_map::open(path, limit) } else { tagwise_map::read(path, limit) };
        let octets = read.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => files::too_large(limit),
            _ => error,
        })?;
        Ok(if self.servers.is_some() { from_cbor(octets) } else { octets })
    }

    fn take_apart<'f>(&self, sources: &'f [Source], files: &'f [Loaded], keystores: &Keystores) -> Vec<ReadFile<'f>> {
        let limits = self.limits();
        let opener = |file: &[u8]| keystores.open(file);
        let take_apart = |(source, file): (&'f Source, &'f Loaded)| ReadFile {
            name: &source.name,
            named: source.named,
            contents: match file {
                Ok(octets) => Ok(Contents::read_with(octets, &limits, Some(&opener))),
                Err(reason) => Err(reason.clone()),
            },
        };
        sources.par_iter().zip(files).map(take_apart).collect()
    }
}

/// Converts a certificate in CBOR (C509) to DER, because stores contain only DER. Other content is returned unchanged.
fn from_cbor(octets: Octets) -> Octets {
    // Its type as a number, an array, or a byte string that contains one.
    if !matches!(octets.first(), Some(0x02 | 0x03 | 0x40..=0x5B | 0x80..=0x9B)) {
        return octets;
    }
    let found = find(&octets, RuleSet::NONE);
    if found.form != InputForm::Cbor {
        return octets;
    }
    let certificates = found.items.iter().filter(|item| matches!(item.content, Content::Kind(ValueKind::Certificate)));
    let der: Vec<u8> = certificates.flat_map(|item| item.der.iter().copied()).collect();
    if der.is_empty() { octets } else { der.into() }
}

/// The bytes of a file, or the reason why they were not read.
type Loaded = Result<Octets, (Reason, String)>;

/// The maximum number of files and folders to visit. Certificate folders contain fewer, and each visited path uses memory.
const MOST: usize = 1 << 21;

/// Collects the files of the given paths. Folders are visited in the order of names. Only files and folders inside folders are opened.
/// Links to folders are not followed, to avoid cycles.
fn expand(paths: &[PathBuf], has_servers: bool) -> Vec<Source> {
    let mut found = Vec::new();
    // The next one last.
    let mut open: Vec<(PathBuf, bool)> = paths.iter().rev().map(|path| (path.clone(), true)).collect();
    while let Some((path, named)) = open.pop() {
        let source =
            |barred: Option<(Reason, String)>| Source { name: name_of(&path), path: path.clone(), named, barred };
        let failed = |error: &io::Error| source(Some((Reason::Unreadable, unreadable(error))));
        let skip = |reason: Reason| source(Some((reason, reason.words().to_owned())));
        if path.as_os_str() == "-" || has_servers && named && remote::target(&path).is_some() {
            found.push(source(None));
            continue;
        }
        if found.len() >= MOST {
            found.push(source(Some((Reason::Unreadable, format!("not read: more than {MOST} files")))));
            break;
        }
        let kind = if named { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
        let kind = match kind {
            Ok(kind) if kind.is_symlink() => match fs::metadata(&path) {
                Ok(target) if target.is_file() => target,
                Ok(target) if target.is_dir() => {
                    found.push(skip(Reason::FolderLink));
                    continue;
                }
                Ok(_) => {
                    found.push(skip(Reason::Special));
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    found.push(skip(Reason::BrokenLink));
                    continue;
                }
                Err(error) => {
                    found.push(failed(&error));
                    continue;
                }
            },
            Ok(kind) => kind,
            Err(error) => {
                found.push(failed(&error));
                continue;
            }
        };
        if !kind.is_dir() {
            let is_open = named || kind.is_file();
            found.push(if is_open { source(None) } else { skip(Reason::Special) });
            continue;
        }
        match fs::read_dir(&path).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Ok(entries) => {
                let mut inner: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
                inner.sort_unstable_by(|one, other| other.cmp(one));
                open.extend(inner.into_iter().map(|path| (path, false)));
            }
            Err(error) => found.push(failed(&error)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        sources: SourceArgs,
    }

    /// Checks that files that may become large are unpacked a few at a time, and others all at once.
    #[test]
    fn what_may_become_large_is_not_held_together() {
        let sources = Line::parse_from(["scan", "x"]).sources;
        let files = |front: &[u8]| -> Vec<Loaded> {
            let file = || Ok([front, &vec![0; 1 << 20]].concat().into());
            (0..20).map(|_| file()).collect()
        };
        // Ratio 100, so that each may come to 100 MiB, and 256 are held.
        assert_eq!(sources.together(&files(b"PK\x03\x04")), 2);
        assert_eq!(sources.together(&files(&[0x1F, 0x8B])), 2);
        // Text that may hold either.
        assert_eq!(sources.together(&files(b"UEsDB")), 2);
        assert_eq!(sources.together(&files(&[0x30, 0x82])), 20);
        assert_eq!(sources.together(&files(b"-----BEGIN CERTIFICATE-----")), 20);
        // One at least.
        assert_eq!(sources.together(&[Ok([b'P'; 5 << 20].to_vec().into())]), 1);
        assert_eq!(sources.together(&[Err((Reason::Unreadable, String::new()))]), 1);
    }
}

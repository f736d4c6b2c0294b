//! `tagwise ct watch` and `tagwise ct get`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use tagwise_ct::{Client, Error, TreeHead};
use tagwise_pkix::name::visible;

use super::lines::Lines;
use super::names::Pattern;
use super::source::{LogArgs, Source, failed, stale};
use super::state::Progress;
use crate::shared::context::Context;
use crate::shared::moment::now;
use crate::shared::output::{Failure, is_same};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ct watch https://ct.example.org/2026h2 --key log.pem --state log.state -o found.ndjson
  tagwise ct watch https://ct.example.org/2026h2 --key log.pem --state log.state -o found.ndjson --match '*.example.org' --every 300
  tagwise ct watch https://ct.example.org/2026h2 --key log.pem --state log.state --from-now

The state is stored after each batch of verified entries. A run that is killed continues there: with -o, no line is lost or repeated. \
With standard output, the lines of the last batch may be printed again.";

/// The entries that are verified, written and recorded together.
const BATCH: u64 = 4096;

#[derive(Debug, clap::Args)]
struct LinesArgs {
    /// Print only entries with such a name: www.example.org, *.example.org for all names below, an IP address or a mailbox; may be
    /// repeated. Entries with names that cannot be read are always printed
    #[arg(long = "match", value_name = "NAME")]
    patterns: Vec<Pattern>,
    /// Include each certificate in DER, in base64
    #[arg(long)]
    der: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    lines: LinesArgs,
    /// Store the state in this file, and continue from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Append the lines to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Start at this entry, if there is no state yet
    #[arg(long, value_name = "INDEX", default_value_t = 0, conflicts_with = "from_now")]
    start: u64,
    /// Start at the end of the log, if there is no state yet
    #[arg(long)]
    from_now: bool,
    /// Stop after this many entries
    #[arg(long, value_name = "COUNT")]
    most: Option<u64>,
    /// Continue, and look for new entries at this interval, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    every: Option<u64>,
    /// The log no longer signs tree heads: accept one that is older than 24 hours
    #[arg(long)]
    frozen: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GetArgs {
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    lines: LinesArgs,
    /// The first entry
    #[arg(long, value_name = "INDEX", default_value_t = 0)]
    start: u64,
    /// The entry after the last one [default: the end of the log]
    #[arg(long, value_name = "INDEX")]
    end: Option<u64>,
}

/// A failure in the log or in writing.
enum Stop {
    Log(Error),
    Own(Failure),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Log(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Own(failure)
    }
}

impl Stop {
    fn failure(self) -> Failure {
        match self {
            Self::Log(error) => failed(&error),
            Self::Own(failure) => failure,
        }
    }
}

/// Reads up to `most` entries, and writes their lines.
fn pass(
    client: &Client<'_>,
    progress: &mut Progress,
    lines: &mut Lines<'_>,
    most: Option<u64>,
    out: &mut dyn Write,
) -> Result<u64, Stop> {
    let mut count = 0;
    loop {
        let left = most.map_or(BATCH, |most| most.saturating_sub(count).min(BATCH));
        let entries = progress.state.read(client, left)?;
        let mut text = Vec::new();
        entries.iter().try_for_each(|entry| lines.add(entry, &mut text)).map_err(Failure::from)?;
        // Also at the end, because the tree head may be new.
        progress.store(&text, out)?;
        if entries.is_empty() {
            return Ok(count);
        }
        count = count.saturating_add(entries.len() as u64);
    }
}

impl WatchArgs {
    pub(super) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let output = self.output.as_deref().filter(|path| path.as_os_str() != "-");
        if let (Some(state), Some(output)) = (&self.state, output)
            && is_same(state, output)
        {
            return Err(Failure::usage("--state and -o are the same file"));
        }
        let mut source = self.log.open(context)?;
        let log = source.log.clone();
        let mut progress = Progress::open(context, &log, &self.log.url, self.state.as_deref(), output)?;
        let mut lines = Lines::new(&self.log.url, &self.lines.patterns, self.lines.der);
        let mut left = self.most;
        let mut is_first = progress.state.head().is_none();
        let mut code = 0;
        loop {
            match self.once(&mut source, &mut progress, &mut lines, &mut is_first, left, out) {
                Ok((count, head)) => {
                    let (next, size) = (progress.state.next_index(), head.size);
                    writeln!(err, "{count} entries read and verified, up to {next} of {size}")?;
                    left = left.map(|left| left.saturating_sub(count));
                    code = 0;
                    if !self.frozen && head.is_stale(now()) {
                        writeln!(err, "tagwise: {}", stale(&head))?;
                        code = 1;
                    }
                }
                // A log that does not answer, or not with what was asked for, is asked again.
                Err(Stop::Log(Error::Unreachable(why) | Error::Malformed(why))) if self.every.is_some() => {
                    writeln!(err, "tagwise: {}", visible(&why))?;
                }
                Err(stop) => return Err(stop.failure()),
            }
            match self.every {
                Some(seconds) if left != Some(0) => std::thread::sleep(Duration::from_secs(seconds)),
                _ => return Ok(code),
            }
        }
    }

    /// Reads the tree head, and the entries that are new. `is_first` is true until the start is found.
    fn once(
        &self,
        source: &mut Source,
        progress: &mut Progress,
        lines: &mut Lines<'_>,
        is_first: &mut bool,
        most: Option<u64>,
        out: &mut dyn Write,
    ) -> Result<(u64, TreeHead), Stop> {
        source.with(|client| {
            let head = client.head()?;
            progress.state.accept(client, head.clone(), now())?;
            if *is_first {
                progress.state.skip(client, if self.from_now { head.size } else { self.start })?;
                *is_first = false;
            }
            Ok((pass(client, progress, lines, most, out)?, head))
        })
    }
}

impl GetArgs {
    pub(super) fn run(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let mut source = self.log.open(context)?;
        let log = source.log.clone();
        let mut progress = Progress::open(context, &log, &self.log.url, None, None)?;
        let mut lines = Lines::new(&self.log.url, &self.lines.patterns, self.lines.der);
        let most = match self.end {
            Some(end) if end <= self.start => return Err(Failure::usage("--end must be greater than --start")),
            end => end.map(|end| end - self.start),
        };
        let done: Result<u64, Stop> = source.with(|client| {
            progress.state.accept(client, client.head()?, now())?;
            progress.state.skip(client, self.start)?;
            pass(client, &mut progress, &mut lines, most, out)
        });
        match (done.map_err(Stop::failure)?, most) {
            (count, Some(most)) if count < most => {
                Err(Failure::negative(format!("the log has only {} entries", self.start.saturating_add(count))))
            }
            _ => Ok(0),
        }
    }
}

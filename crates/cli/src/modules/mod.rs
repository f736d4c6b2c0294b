//! `tagwise schema`: what modules of ASN.1 say, how they are laid out, and pages about them.

pub(crate) mod check;
mod doc;
mod fmt;
mod list;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Subcommand;
use tagwise_schema::{Limits, Source};

use crate::input;
use crate::output::{Failure, name_of};
use crate::schema::modules::files;

pub(crate) const ABOUT: &str = "What modules of ASN.1 say, and how they are laid out.";

/// The allowance of a schema where none is asked for, in mebibytes.
pub(crate) const DEFAULT_MIB: u64 = Limits::DEFAULT.bytes >> 20;

static ALLOWANCE: AtomicU64 = AtomicU64::new(Limits::DEFAULT.bytes);

/// Sets the allowance of schemas, from `--max-schema`.
pub(crate) fn set_limit(mebibytes: u64) {
    ALLOWANCE.store(mebibytes << 20, Ordering::Relaxed);
}

/// The limits that schemas are compiled under.
pub(crate) fn limits() -> Limits {
    let mut limits = Limits::DEFAULT;
    limits.bytes = ALLOWANCE.load(Ordering::Relaxed);
    limits
}

#[derive(Debug, Subcommand)]
pub(crate) enum SchemaCommand {
    /// List modules: what they import, and what they assign
    #[command(long_about = list::ABOUT, after_long_help = list::EXAMPLES)]
    List(list::ListArgs),
    /// Lay modules out in the canonical way; comments stay
    #[command(long_about = fmt::ABOUT, after_long_help = fmt::EXAMPLES)]
    Fmt(fmt::FmtArgs),
    /// Write reference pages: types with their components, object sets, links
    #[command(long_about = doc::ABOUT, after_long_help = doc::EXAMPLES)]
    Doc(doc::DocArgs),
}

impl SchemaCommand {
    /// Runs the command; the exit code.
    pub(crate) fn run(self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        match self {
            Self::List(args) => args.run(color, out, err),
            Self::Fmt(args) => args.run(out, err),
            Self::Doc(args) => args.run(out, err),
        }
    }
}

/// The texts of files; a folder stands for all `.asn1` and `.asn` files in it, in the order of their names.
///
/// # Errors
/// A file that could not be read.
pub(crate) fn sources(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for path in paths {
        for file in files(path)? {
            let octets = input::load(&file).map_err(|error| Failure::file(&file, "read", &error))?;
            sources.push(Source::from_bytes(&name_of(&file), &octets));
        }
    }
    Ok(sources)
}

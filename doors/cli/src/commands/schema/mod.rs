//! `tagwise schema`: lists, formats and documents ASN.1 modules.

mod doc;
mod fmt;
mod list;

use std::io::{self, Write};

use crate::shared::context::Context;
use clap::Subcommand;

pub(crate) const ABOUT: &str = "List, format and document ASN.1 modules.";

#[derive(Debug, Subcommand)]
pub(crate) enum SchemaCommand {
    /// List modules with their imports and assignments
    #[command(long_about = list::ABOUT, after_long_help = list::EXAMPLES)]
    List(list::ListArgs),
    /// Format modules in the canonical layout, keeping comments
    #[command(long_about = fmt::ABOUT, after_long_help = fmt::EXAMPLES)]
    Fmt(fmt::FmtArgs),
    /// Write reference pages with types, their components, object sets and links
    #[command(long_about = doc::ABOUT, after_long_help = doc::EXAMPLES)]
    Doc(doc::DocArgs),
}

impl SchemaCommand {
    /// Runs the command and returns the exit code.
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        match self {
            Self::List(args) => args.run(context, out, err),
            Self::Fmt(args) => args.run(context, out, err),
            Self::Doc(args) => args.run(context, out, err),
        }
    }
}

//! `tagwise schema doc`: reference pages of modules.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use tagwise_codegen::Builder;
use tagwise_codegen::emit::doc::PageFormat;

use crate::shared::context::Context;
use crate::shared::generated::{deliver, failed};
use crate::shared::modules::SchemaArgs;

pub(super) const ABOUT: &str = "\
Write reference pages of modules: a page for each, and an index.

Each type is shown with its definition and a table of its components, with their tags, types, constraints and presence. Object sets \
are tables of identifiers and types. Types are linked, also across modules, and list their uses.";

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise schema doc -o site schemas/                    HTML
  tagwise schema doc --format markdown -o docs schemas/
  tagwise schema doc --format markdown M.asn1            to standard output

Exit codes: 0 done; 1 the modules have errors; 2 usage error; 3 a file could not be read or written.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Html,
    Markdown,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DocArgs {
    /// Modules: files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format of the pages
    #[arg(long, value_name = "FORM", default_value = "html")]
    format: Format,
    /// Write to this folder [default: standard output]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Overlay (TOML) with names, and modules to leave out
    #[arg(long, value_name = "FILE")]
    overlay: Option<PathBuf>,
    #[command(flatten)]
    limits: SchemaArgs,
}

impl DocArgs {
    pub(super) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let form = match self.format {
            Format::Html => PageFormat::Html,
            Format::Markdown => PageFormat::Markdown,
        };
        let mut builder = Builder::new().max_file(context.limit).schema(self.limits.options());
        for file in &self.files {
            builder = builder.files(file);
        }
        if let Some(overlay) = &self.overlay {
            builder = builder.overlay(overlay);
        }
        let output = match builder.doc(form) {
            Ok(output) => output,
            Err(error) => return failed(&error, err),
        };
        let Some(folder) = &self.output else {
            // The index leads nowhere there.
            for file in output.files.iter().filter(|file| !file.name.starts_with("index.")) {
                out.write_all(file.text.as_bytes())?;
            }
            return Ok(0);
        };
        deliver(&output, folder, false, out, err)
    }
}

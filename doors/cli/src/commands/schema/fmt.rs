//! `tagwise schema fmt`: formats modules in the canonical layout.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tagwise_schema::{Source, layout_within};

use crate::shared::context::Context;
use crate::shared::diagnostics::render;
use crate::shared::modules::{SchemaArgs, files};
use crate::shared::output::{Failure, finish, name_of, replace};

pub(crate) const ABOUT: &str = "\
Format modules in the canonical layout.

Only whitespace changes; names, comments and their order are kept. Without --write and --check, the result is printed. A file that \
cannot be parsed is not changed, and its errors are printed.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise schema fmt m.asn1                print the result
  tagwise schema fmt --write schemas/      format the files in place
  tagwise schema fmt --check schemas/      list the files that are not in this layout; exit code 1 if any

Exit codes: 0 done; 1 a file cannot be parsed, or --check found something; 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct FmtArgs {
    /// Modules: files, or folders of them; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format the files in place
    #[arg(long, short, conflicts_with = "check")]
    write: bool,
    /// List the files that are not in this layout
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    limits: SchemaArgs,
}

impl FmtArgs {
    /// Runs the command and returns the exit code.
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let mut code = 0;
        for path in &self.files {
            let done = files(path).and_then(|files| {
                let mut code = 0;
                for file in &files {
                    code = code.max(self.one(context, file, out, err)?);
                }
                Ok(code)
            });
            code = code.max(finish(done, err)?);
        }
        Ok(code)
    }

    fn one(&self, context: &Context, file: &Path, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let octets = context.load(file).map_err(|error| Failure::file(file, "read", &error))?;
        let source = Source::from_bytes(&name_of(file), &octets);
        let text = match layout_within(&source, &self.limits.limits()) {
            Ok(text) => text,
            Err(compilation) => {
                render(&compilation, false, err)?;
                return Ok(1);
            }
        };
        let is_same = text.as_bytes() == octets;
        if self.check {
            if !is_same {
                writeln!(out, "{}", name_of(file))?;
            }
            return Ok(u8::from(!is_same));
        }
        if self.write && file.as_os_str() != "-" {
            if !is_same {
                replace(file, text.as_bytes()).map_err(|error| Failure::file(file, "written", &error))?;
                writeln!(out, "{}", name_of(file))?;
            }
            return Ok(0);
        }
        out.write_all(text.as_bytes())?;
        Ok(0)
    }
}

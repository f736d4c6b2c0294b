//! `tagwise lint`: finds deviations from RFC 5280 in files.
//!
//! Each certificate and CRL is decoded with as many deviations tolerated as possible. Tolerated deviations become decoder
//! findings (`decoder.negative-serial`), and the library's lints check the decoded value ([`tagwise_show::lint`]). Text, JSON and
//! SARIF output show the same findings.

mod catalogue;
mod sarif;
mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tagwise_pkix::lint::Severity;
use tagwise_show::lint::{File, Judged, Selection, by_id, document, unknown};
use tagwise_show::render::json;

use crate::shared::context::Context;
use crate::shared::outcome::unreadable;
use crate::shared::output::{Failure, finish, name_of};

pub(crate) const ABOUT: &str = "\
Find where certificates and CRLs depart from RFC 5280.

Errors violate the standard's requirements, warnings its recommendations. Every finding has a stable identifier, the clause, and the \
path and DER offset of the offending element. Errors of the decoder are also reported, under the name of their rule, such as \
decoder.negative-serial.

Each certificate or CRL is checked on its own: no path is built, no signature is verified, and the current time is not used. All \
items that `tagwise show` finds in a file are checked.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise lint chain.pem
  tagwise lint --severity error *.crt
  tagwise lint --only rfc5280.4.2.1.9 ca.der   one lint, or all of a section
  tagwise lint --skip decoder,rfc6818 ca.der   all but those
  tagwise lint --json roots.der | jq '.files[].items[].findings[].id'
  tagwise lint --sarif *.pem >lint.sarif       for code scanning (SARIF 2.1.0)
  tagwise lint --list                          every lint, with its clause
  tagwise lint --explain rfc5280.4.2.1.9.not_critical

Exit codes: 0 no errors; 1 errors, or there is nothing to check; 2 usage error; 3 a file could not be read; 4 no errors were found, but \
something does not decode and was not checked.";

#[derive(Debug, clap::Args)]
pub(crate) struct LintArgs {
    /// Files; `-` is standard input
    #[arg(required_unless_present_any = ["list", "explain"], value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON (schema tagwise.lint/1; with --list tagwise.lints/1)
    #[arg(long, conflicts_with = "sarif")]
    json: bool,
    /// Print SARIF 2.1.0
    #[arg(long, conflicts_with_all = ["list", "explain"])]
    sarif: bool,
    /// Report findings of this severity and above
    #[arg(long, value_name = "SEVERITY", value_enum, default_value = "warning")]
    severity: SeverityArg,
    /// Run only these lints, comma-separated; a prefix of an identifier selects all lints below it
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Skip these lints, comma-separated
    #[arg(long, value_name = "ID")]
    skip: Vec<String>,
    /// List all lints, with their clauses
    #[arg(long, conflicts_with_all = ["files", "explain"])]
    list: bool,
    /// Explain a lint
    #[arg(long, value_name = "ID", conflicts_with = "files")]
    explain: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SeverityArg {
    Warning,
    Error,
}

impl LintArgs {
    /// Checks all files and returns the exit code.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.try_run(context, out, err);
        out.flush()?;
        finish(done, err)
    }

    fn try_run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let severity = match self.severity {
            SeverityArg::Warning => Severity::Warning,
            SeverityArg::Error => Severity::Error,
        };
        let selection = Selection::new(severity, &self.only, &self.skip).map_err(Failure::usage)?;
        if let Some(id) = &self.explain {
            let entry = by_id(id).ok_or_else(|| Failure::usage(unknown(id)))?;
            catalogue::explain(out, &entry, self.json, context.color)?;
            return Ok(0);
        }
        if self.list {
            catalogue::list(out, &selection, self.json, context.color)?;
            return Ok(0);
        }
        let mut judged = Judged::default();
        let mut files = Vec::new();
        let whole = self.json || self.sarif;
        let text = text::Text::new(context.color);
        for path in &self.files {
            let file = check(context, path, &selection, &mut judged);
            if let Some(error) = &file.error {
                writeln!(err, "tagwise: {}: {error}", file.name)?;
            }
            // Text goes out file by file; documents need all of them.
            if whole {
                files.push(file);
            } else {
                text.file(out, &file)?;
            }
        }
        let code = judged.code();
        if self.json {
            json::write(out, &document(&files, &judged))?;
        } else if self.sarif {
            sarif::write(out, &files, &selection)?;
        } else {
            text.summary(out, &judged)?;
        }
        Ok(code)
    }
}

/// Checks all certificates and CRLs in a file.
fn check(context: &Context, path: &Path, selection: &Selection, judged: &mut Judged) -> File {
    let is_stdin = path.as_os_str() == "-";
    let mut file = File::new((!is_stdin).then(|| path.to_string_lossy().into_owned()), name_of(path));
    match context.load(path) {
        Ok(octets) => file.check(&octets, selection, judged),
        Err(error) => {
            judged.unreadable = true;
            file.error = Some(unreadable(&error));
        }
    }
    file
}

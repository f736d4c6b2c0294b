//! `tagwise diff`: shows the differences between two certificates, CRLs, messages or keys.
//!
//! Both are decoded with the schema tables, with as many deviations tolerated as possible, and compared component by
//! component (`walk`). Components with identical bytes are skipped. Extensions are matched by OID, CRL entries by serial
//! number (`crl`). `precert` compares a precertificate with its certificate.

mod crl;
mod precert;
mod show;
mod walk;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tagwise_codec::value::Dynamic;
use tagwise_codec::{Options, RuleSet};
use tagwise_input::ValueKind;
use tagwise_input::{Content, find};

use self::precert::Match;
use self::walk::{Difference, Walk};
use crate::shared::context::Context;
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::rules::every;

pub(crate) const ABOUT: &str = "\
Show the differences between two certificates, CRLs, requests, messages or keys.

Both must be of the same kind. Common parts are left out. Each difference is shown with its path, in the form that `tagwise get` \
accepts. Extensions are matched by identifier and CRL entries by serial number, so an additional one does not affect the others. \
Names with the same text in different encodings differ in their components.

With --precert, the precertificate's poison extension and the certificate's timestamps (SCTs) are ignored, and the other signed parts \
are compared (RFC 6962 §3.1, §3.2). Signatures always differ in this case, and are not compared.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise diff old.pem new.pem
  tagwise diff yesterday.crl today.crl           entries that were added or removed
  tagwise diff --precert precert.der cert.der
  tagwise diff --json a.der b.der | jq '.differences[].path'
  tagwise diff request.pem renewed.pem           two requests
  tagwise diff a.p7b b.p7b                       two messages; BER is converted to DER first
  tagwise diff a.pem - <b.pem

Exit codes: 0 no difference; 1 they differ, or one is malformed; 2 usage error, or they are of different kinds; 3 a file could not \
be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// First file
    #[arg(value_name = "A")]
    one: PathBuf,
    /// Second file; `-` is standard input
    #[arg(value_name = "B")]
    other: PathBuf,
    /// Compare a precertificate with its certificate (RFC 6962)
    #[arg(long)]
    precert: bool,
    /// Print JSON (schema tagwise.diff/1)
    #[arg(long)]
    json: bool,
}

/// One side of the comparison.
struct Side {
    /// The path as given on the command line, or `None` for standard input.
    path: Option<String>,
    name: String,
    kind: Content,
    der: Vec<u8>,
    /// The offset of the DER in the file.
    offset: usize,
    line: Option<usize>,
}

/// The result of a comparison.
struct Outcome<'s> {
    sides: [&'s Side; 2],
    differences: Vec<Difference>,
    precert: Option<Match>,
}

impl Outcome<'_> {
    /// Returns whether there are no relevant differences.
    fn same(&self) -> bool {
        self.precert.as_ref().map_or(self.differences.is_empty(), |found| found.same)
    }
}

impl DiffArgs {
    /// Compares the files and returns the exit code.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.try_run(context, out, err);
        out.flush()?;
        finish(done, err)
    }

    fn try_run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        if self.one.as_os_str() == "-" && self.other.as_os_str() == "-" {
            return Err(Failure::usage("standard input cannot be used for both inputs"));
        }
        let (one, other) = (open(context, &self.one, err)?, open(context, &self.other, err)?);
        if one.kind != other.kind {
            return Err(Failure::usage(format!(
                "{} is {}, {} is {}: give two of the same kind",
                one.name,
                article(words(&one.kind)),
                other.name,
                article(words(&other.kind))
            )));
        }
        let mut outcome = Outcome { sides: [&one, &other], differences: Vec::new(), precert: None };
        if self.precert {
            if one.kind != Content::Kind(ValueKind::Certificate) {
                return Err(Failure::usage("--precert requires certificates"));
            }
            let found = precert::compare(&one.der, &other.der).map_err(Failure::negative)?;
            outcome.precert = Some(found);
        }
        outcome.differences = match one.kind {
            Content::Kind(ValueKind::CertificateList) => {
                crl::compare(&one.der, &other.der).map_err(|error| said(&error, &one, &other))?
            }
            _ => by_table(&one, &other)?,
        };
        if self.precert {
            outcome.differences.retain(|difference| !precert::is_expected(difference));
        }
        if self.json {
            show::json(out, &outcome)?;
        } else {
            show::text(out, &outcome, context.color)?;
        }
        Ok(u8::from(!outcome.same()))
    }
}

/// Creates the failure for an error in one of the files.
fn said(error: &(usize, String), one: &Side, other: &Side) -> Failure {
    let (index, message) = error;
    let side = if *index == 0 { one } else { other };
    Failure::negative(format!("{}: {message}", side.name))
}

/// Adds the indefinite article to the name of a kind.
fn article(words: &str) -> String {
    // Letters as they are said: an RSA key, an OCSP response, but a CRL.
    let vowel = words.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'O']) || words.starts_with("RSA");
    match words {
        "unknown content" => words.to_owned(),
        // Several of them in one file.
        _ if words.contains("messages") => words.to_owned(),
        _ => format!("{} {words}", if vowel { "an" } else { "a" }),
    }
}

/// Returns the name of a kind.
fn words(content: &Content) -> &'static str {
    content.kind().map_or("unknown content", ValueKind::words)
}

/// Options for reading both files: all deviations are tolerated, because the files only need to be compared.
fn options() -> Options<'static> {
    Options::der().rules(every())
}

fn by_table(one: &Side, other: &Side) -> Result<Vec<Difference>, Failure> {
    let ty = one.kind.kind().map(ValueKind::ty).ok_or_else(|| Failure::negative("their content is unknown"))?;
    let dynamic = Dynamic::new(ty).options(options());
    let failed = |side: &Side, error: tagwise_codec::Error| Failure::negative(format!("{}: {error}", side.name));
    let first = dynamic.decode(&one.der).map_err(|error| failed(one, error))?;
    let second = dynamic.decode(&other.der).map_err(|error| failed(other, error))?;
    let mut walk = Walk::new(dynamic.types());
    walk.compare(Some(&first.value), Some(&second.value), "");
    Ok(walk.differences)
}

/// Returns the first value in a file. A key is returned only if there is no other value.
fn open(context: &Context, path: &Path, err: &mut dyn Write) -> Result<Side, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let name = name_of(path);
    let found = find(&octets, RuleSet::PEM_LAX);
    let mut items: Vec<_> = found.items.into_iter().filter(|item| item.content.kind().is_some()).collect();
    // A certificate is what matters of what stands beside its key.
    let is_key = |content: &Content| matches!(content, Content::Kind(what) if what.is_key());
    let first = items.iter().position(|item| !is_key(&item.content)).unwrap_or_default();
    if items.is_empty() {
        return Err(Failure::negative(format!("{name}: no known content found")));
    }
    let item = items.swap_remove(first);
    if let Some(problem) = &item.problem {
        return Err(Failure::negative(format!("{name}: {}", problem.line())));
    }
    let more = items.len();
    if more > 0 {
        writeln!(err, "tagwise: {name}: one of {}, {}, is compared", more + 1, article(words(&item.content)))?;
    }
    Ok(Side {
        path: (path.as_os_str() != "-").then(|| path.to_string_lossy().into_owned()),
        name,
        kind: item.content,
        der: item.der.into_owned(),
        offset: item.offset,
        line: item.line,
    })
}

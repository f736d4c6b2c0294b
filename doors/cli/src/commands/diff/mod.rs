//! `tagwise diff`: shows the differences between two certificates, CRLs, messages or keys.
//!
//! The comparison is [`tagwise_show::diff`].

mod show;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tagwise_codec::Rule;
use tagwise_input::{Content, InputItem, find};
use tagwise_show::diff::{Comparison, Unequal, words};

use crate::shared::context::Context;
use crate::shared::output::{Failure, finish, name_of};

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

Exit codes: 0 no difference; 1 they differ, also in values that are not compared in detail, or one is malformed; 2 usage error, or they are of different kinds; 3 a file could not \
be read; 4 with --precert: not known, because the precertificate has another issuer.";

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
    item: InputItem<'static>,
    /// The encodings of the other values in the file.
    others: Vec<Vec<u8>>,
}

/// The result of a comparison.
struct Outcome<'s> {
    sides: [&'s Side; 2],
    found: Comparison,
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
        let mut found = Comparison::of(&one.item, &other.item, self.precert).map_err(|why| match why {
            Unequal::Kinds(kinds) => {
                let [first, second] = kinds.map(article);
                let (one, other) = (&one.name, &other.name);
                Failure::usage(format!("{one} is {first}, {other} is {second}: give two of the same kind"))
            }
            Unequal::NotCertificates => Failure::usage("--precert requires certificates"),
            Unequal::Precertificate(message) => Failure::negative(message),
            Unequal::Malformed(side, message) => {
                let side = if side == 0 { &one } else { &other };
                Failure::negative(format!("{}: {message}", side.name))
            }
        })?;
        found.others_differ = one.others != other.others;
        let outcome = Outcome { sides: [&one, &other], found };
        if self.json {
            show::json(out, &outcome)?;
        } else {
            show::text(out, &outcome, context.color)?;
        }
        // Only one value of each file is compared in detail.
        if outcome.found.others_differ {
            writeln!(err, "tagwise: {} and {}: the other values differ", one.name, other.name)?;
        }
        Ok(outcome.found.code())
    }
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

/// Returns the first value in a file, and the encodings of the others. A key is returned only if there is no other value.
fn open(context: &Context, path: &Path, err: &mut dyn Write) -> Result<Side, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let name = name_of(path);
    let found = find(&octets, context.allowed.decoding);
    let nothing = found.nothing("known content", octets.len());
    let (mut items, rest): (Vec<_>, Vec<_>) = found.items.into_iter().partition(|item| item.content.kind().is_some());
    // A certificate is what matters of what stands beside its key.
    let is_key = |content: &Content| matches!(content, Content::Kind(what) if what.is_key());
    let first = items.iter().position(|item| !is_key(&item.content)).unwrap_or_default();
    if items.is_empty() {
        return Err(Failure::negative(format!("{name}: {nothing}")));
    }
    let item = items.swap_remove(first);
    if let Some(problem) = [&item].into_iter().chain(&items).chain(&rest).find_map(|item| item.problem.as_ref()) {
        return Err(Failure::negative(format!("{name}: {}", problem.line())));
    }
    let more = items.len();
    if more > 0 {
        writeln!(err, "tagwise: {name}: one of {}, {}, is compared", more + 1, article(words(&item.content)))?;
    }
    let path = (path.as_os_str() != "-").then(|| path.to_string_lossy().into_owned());
    let mut others: Vec<Vec<u8>> = Vec::new();
    for note in [&item].into_iter().chain(&items).chain(&rest).flat_map(|item| &item.notes) {
        let (rule, at) = (note.rule, note.offset);
        writeln!(err, "tagwise: {name}: violates the rule: {}, at byte {at} ({})", rule.summary, rule.clause)?;
        if rule == &Rule::TRAILING_ZEROS {
            others.push(octets.get(at..).unwrap_or_default().to_vec());
        }
    }
    others.extend(items.into_iter().chain(rest).map(|item| item.der.into_owned()));
    Ok(Side { path, name, item: item.into_owned(), others })
}

//! `tagwise oid`: looks up identifiers by name, and names by identifier.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::Style;
use serde::Serialize;
use tagwise_codec::value::from_dotted;
use tagwise_codec::{Decode, Oid, encode, text::hex};
use tagwise_facts::{Info, ObjectKind, all, by_name, lookup};
use tagwise_pkix::name::visible;
use tagwise_show::render::json;

use crate::shared::context::Context;
use crate::shared::output::{Failure, finish};

pub(crate) const ABOUT: &str = "\
Look up object identifiers: by name, by number, or by their encoding in hexadecimal.

Names from the standards and common short names are recognized, in upper or lower case. Without arguments, all known identifiers are \
listed; --kind lists those of one kind.";

pub(crate) const EXAMPLES: &str = "\
Examples
  tagwise oid cn                            commonName, with its number and encoding
  tagwise oid 1.2.840.113549.1.1.11         the name of an identifier
  tagwise oid 06032b6570                    the same from an encoding
  tagwise oid --kind extension              every known extension
  tagwise oid --json serverAuth | jq .      for programs

Exit codes: 0 all are known; 1 one is not; 2 usage error.";

#[derive(Debug, clap::Args)]
pub(crate) struct OidArgs {
    /// Name, dotted number, or encoding in hexadecimal
    #[arg(value_name = "NAME|NUMBER|HEX")]
    asked: Vec<String>,
    /// List identifiers of this kind; the beginning of its name suffices
    #[arg(long, value_name = "KIND", value_parser = kind, conflicts_with = "asked")]
    kind: Option<ObjectKind>,
    /// Print JSON (schema tagwise.oids/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    oids: Vec<Row<'a>>,
}

/// An object identifier, with its name if it is known.
#[derive(Serialize)]
struct Row<'a> {
    asked: Option<&'a str>,
    oid: String,
    der: String,
    name: Option<&'static str>,
    short: Option<&'static str>,
    kind: Option<&'static str>,
    standard: Option<&'static str>,
}

impl<'a> Row<'a> {
    fn new(asked: Option<&'a str>, oid: Oid<'_>) -> Self {
        let info = lookup(oid);
        Self {
            asked,
            oid: oid.to_string(),
            der: hex::encode(&encode(&oid).unwrap_or_default()),
            name: info.map(|info| info.name),
            short: info.and_then(|info| info.short),
            kind: info.map(|info| info.kind.text()),
            standard: info.map(|info| info.standard),
        }
    }
}

impl OidArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.look_up(context.color, out, err);
        finish(done, err)
    }

    fn look_up(&self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let mut code = 0;
        let mut oids = Vec::new();
        for asked in &self.asked {
            let found = find(asked);
            match found.as_deref().map(Oid::from_content) {
                Ok(Ok(oid)) => oids.push(Row::new(Some(asked), oid)),
                Ok(Err(_)) => code = 1,
                Err(message) => {
                    writeln!(err, "tagwise: {}", visible(message))?;
                    code = 1;
                }
            }
        }
        if self.asked.is_empty() {
            let of = |info: &&Info| self.kind.is_none_or(|kind| info.kind == kind);
            oids.extend(all().filter(of).map(|info| Row::new(None, info.oid)));
        }
        code = code.max(u8::from(oids.iter().any(|row| row.name.is_none())));
        if self.json {
            json::write(out, &Document { schema: "tagwise.oids/1", oids })?;
        } else {
            list(&oids, color, out)?;
        }
        Ok(code)
    }
}

fn list(rows: &[Row<'_>], color: bool, out: &mut dyn Write) -> io::Result<()> {
    let (bold, dim) = if color { (Style::new().bold(), Style::new().dimmed()) } else { Default::default() };
    for row in rows {
        let mut line = format!("{bold}{}{bold:#}", row.name.unwrap_or("unknown"));
        if let Some(short) = row.short {
            let _ = write!(line, " ({short})");
        }
        let _ = write!(line, "  {}", row.oid);
        if let (Some(kind), Some(standard)) = (row.kind, row.standard) {
            let _ = write!(line, "  {dim}{kind}, {standard}{dim:#}");
        }
        writeln!(out, "{line}")?;
        if row.asked.is_some() {
            writeln!(out, "  DER {}", row.der)?;
        }
    }
    out.flush()
}

/// Returns the content bytes of the identifier that an argument denotes.
fn find(asked: &str) -> Result<Vec<u8>, String> {
    if let Some(info) = by_name(asked.trim()) {
        return Ok(info.oid.as_bytes().to_vec());
    }
    if asked.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && asked.contains('.') {
        return from_dotted(asked).ok_or_else(|| format!("{asked} is not an object identifier (X.660 §7.6)"));
    }
    if let Ok(der) = hex::decode(asked.as_bytes())
        && der.first() == Some(&6)
    {
        return match Oid::from_der(&der) {
            Ok(oid) => Ok(oid.as_bytes().to_vec()),
            Err(error) => Err(format!("{asked} is not the encoding of an object identifier: {error}")),
        };
    }
    Err(unknown(asked))
}

/// Returns the error message for an unknown name.
fn unknown(asked: &str) -> String {
    let asked: String = asked.chars().take(60).collect();
    let lower = asked.to_ascii_lowercase();
    let names = all().flat_map(|info| [Some(info.name), info.short]).flatten();
    let mut near: Vec<(usize, &str)> = names
        .map(|name| (strsim::osa_distance(&name.to_ascii_lowercase(), &lower), name))
        .filter(|(distance, _)| *distance <= 1 + asked.len() / 4)
        .collect();
    near.sort_unstable();
    near.dedup();
    let near: Vec<&str> = near.into_iter().map(|(_, name)| name).take(3).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
    format!("unknown identifier '{asked}'{hint}")
}

/// Returns the kind whose name begins with the text.
fn kind(text: &str) -> Result<ObjectKind, String> {
    let lower = text.to_ascii_lowercase();
    let mut kinds: Vec<ObjectKind> = Vec::new();
    for info in all() {
        if !kinds.contains(&info.kind) {
            kinds.push(info.kind);
        }
    }
    let known = kinds.iter().find(|kind| !lower.is_empty() && kind.text().to_ascii_lowercase().starts_with(&lower));
    let names = || kinds.iter().map(|kind| kind.text()).collect::<Vec<_>>().join(", ");
    known.copied().ok_or_else(|| format!("the kinds are {}", names()))
}

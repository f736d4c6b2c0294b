//! `tagwise rules`: lists the rules of strict decoding.

use std::io::{self, Write};

use anstyle::Style;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use tagwise_codec::{Domain, Rule, RuleSet};
use tagwise_show::render::json;
use tagwise_tables::untagged;

use crate::shared::context::Context;
use crate::shared::rules::all;

#[derive(Debug, clap::Args)]
pub(crate) struct RulesArgs {
    /// Print JSON (schema tagwise.rules/1)
    #[arg(long)]
    json: bool,
}

/// The groups of rules, each with a heading and a description.
const LAYERS: [(Domain, &str, &str); 4] = [
    (Domain::Encoding, "DER", "the encoding (X.690)"),
    (Domain::Pem, "PEM", "text encodings (RFC 7468)"),
    (Domain::X509, "profile", "certificates and CRLs (RFC 5280 and related)"),
    (Domain::Kerberos, "Kerberos", "Kerberos messages (RFC 4120 and related)"),
];

/// The groups of the rules of encodings without tags, each with a description.
const UNTAGGED: [(&str, &str); 3] = [
    ("PER", "the Packed Encoding Rules (X.691)"),
    ("OER", "the Octet Encoding Rules (X.696)"),
    ("XER", "the XML Encoding Rules (X.693)"),
];

/// The group of a rule of encodings without tags.
fn group(rule: untagged::Rule) -> &'static str {
    match rule {
        untagged::Rule::Xer(_) => "XER",
        _ if rule.clause().starts_with("X.696") => "OER",
        _ => "PER",
    }
}

fn layer(rule: &Rule) -> &'static str {
    LAYERS.iter().find(|(domain, ..)| *domain == rule.domain()).map_or("other", |(_, name, _)| name)
}

impl RulesArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, _err: &mut dyn Write) -> io::Result<u8> {
        if self.json { json::write(out, &Document) } else { list(out, context.color) }.map(|()| 0)
    }
}

fn list(out: &mut dyn Write, color: bool) -> io::Result<()> {
    let bold = if color { Style::new().bold() } else { Style::new() };
    let dim = if color { Style::new().dimmed() } else { Style::new() };
    writeln!(out, "Rules for strict input. --allow NAME tolerates violations; *: in --allow ber.")?;
    for (domain, name, words) in LAYERS {
        writeln!(out, "\n{bold}{name}{bold:#}: {words}")?;
        for rule in all().filter(|rule| rule.domain() == domain) {
            let ber = if RuleSet::BER_DEFINITE.has(rule) { '*' } else { ' ' };
            writeln!(out, " {ber}{bold}{:<20}{bold:#} {}", rule.name, rule.summary)?;
            writeln!(out, "  {:<20} {dim}{}{dim:#}", "", rule.clause)?;
        }
    }
    for (name, words) in UNTAGGED {
        writeln!(out, "\n{bold}{name}{bold:#}: {words}")?;
        for rule in untagged::Rule::all().filter(|rule| group(*rule) == name) {
            writeln!(out, "  {bold}{:<23}{bold:#} {}", rule.name(), rule.summary())?;
            writeln!(out, "  {:<23} {dim}{}{dim:#}", "", rule.clause())?;
        }
    }
    out.flush()
}

struct Document;

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("schema", "tagwise.rules/1")?;
        let untagged = untagged::Rule::all().map(|rule| RuleRow {
            name: rule.name(),
            layer: group(rule),
            clause: rule.clause(),
            summary: rule.summary(),
            ber: false,
        });
        map.serialize_entry("rules", &all().map(RuleRow::of).chain(untagged).collect::<Vec<_>>())?;
        map.end()
    }
}

#[derive(Serialize)]
struct RuleRow {
    name: &'static str,
    layer: &'static str,
    clause: &'static str,
    summary: &'static str,
    ber: bool,
}

impl RuleRow {
    fn of(rule: &'static Rule) -> Self {
        let ber = RuleSet::BER_DEFINITE.has(rule);
        Self { name: rule.name, layer: layer(rule), clause: rule.clause, summary: rule.summary, ber }
    }
}

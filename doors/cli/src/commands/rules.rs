//! `tagwise rules`: lists the rules of strict decoding.

use std::io::{self, Write};

use anstyle::Style;
use serde::ser::{Serialize, SerializeMap, Serializer};
use tagwise_codec::{Domain, Rule, RuleSet};
use tagwise_show::render::json;

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
    out.flush()
}

struct Document;

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("schema", "tagwise.rules/1")?;
        map.serialize_entry("rules", &all().map(RuleRow).collect::<Vec<_>>())?;
        map.end()
    }
}

struct RuleRow(&'static Rule);

impl Serialize for RuleRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.0.name)?;
        map.serialize_entry("layer", layer(self.0))?;
        map.serialize_entry("clause", self.0.clause)?;
        map.serialize_entry("summary", self.0.summary)?;
        map.serialize_entry("ber", &RuleSet::BER_DEFINITE.has(self.0))?;
        map.end()
    }
}

//! All possible findings: the lints of `tagwise-lint`, and the decoder's rules.

use tagwise_codec::Rule;
use tagwise_pkix::lint::{self, Scope, Severity};
use tagwise_pkix::profile;

/// A possible finding.
#[derive(Clone, Debug)]
pub struct CatalogueRow {
    /// The identifier, such as `rfc5280.4.1.2.2.serial-number` or `decoder.ber`.
    pub id: String,
    /// The clause of the standard.
    pub clause: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The values to which it applies, in words.
    pub scope: &'static str,
    /// A title in a few words.
    pub title: &'static str,
    /// An explanation.
    pub about: String,
}

/// Returns the identifier of a decoder finding, from the name of a rule or an error code.
#[must_use]
pub fn decoder_id(name: &str) -> String {
    format!("decoder.{name}")
}

/// Iterates over every lint, then every decoding rule that certificates and CRLs can violate.
pub fn entries() -> impl Iterator<Item = CatalogueRow> {
    let lints = lint::ALL.iter().map(|lint| CatalogueRow {
        id: lint.id.to_owned(),
        clause: lint.clause,
        severity: lint.severity,
        scope: match lint.scope {
            Scope::Certificate => "certificates",
            Scope::Crl => "CRLs",
            Scope::Both => "certificates and CRLs",
        },
        title: lint.title,
        about: lint.about.to_owned(),
    });
    let rules = Rule::ALL.iter().filter(|rule| !rule.name.starts_with("pem-")).chain(profile::ALL).map(of_rule);
    lints.chain(rules)
}

fn of_rule(rule: &'static Rule) -> CatalogueRow {
    CatalogueRow {
        id: decoder_id(rule.name),
        clause: rule.clause,
        severity: Severity::Error,
        scope: "certificates and CRLs",
        title: rule.summary,
        about: format!(
            "A rule of the decoder, which rejects violations. `tagwise show --allow {}` tolerates them.",
            rule.name
        ),
    }
}

/// Returns the entry with the given identifier.
#[must_use]
pub fn by_id(id: &str) -> Option<CatalogueRow> {
    entries().find(|entry| entry.id == id)
}

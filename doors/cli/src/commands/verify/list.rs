//! `tagwise verify --list-rules`: the rules of path validation.

use std::io::{self, Write};

use anstyle::Style;
use serde::Serialize;
use tagwise_path::{Family, Profile, Rule};

use tagwise_show::render::json;

const FAMILIES: [(Family, &str); 5] = [
    (Family::Validation, "path validation (RFC 5280 §6.1)"),
    (Family::Anchor, "trust anchors"),
    (Family::Certificate, "single certificates (RFC 5280 §4)"),
    (Family::Application, "application requirements"),
    (Family::Webpki, "TLS servers (CA/Browser Forum)"),
];

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    profiles: Vec<Described>,
    rules: Vec<PathRuleRow>,
}

#[derive(Serialize)]
struct Described {
    name: &'static str,
    about: &'static str,
    /// The lints whose findings the rule `conformance` rejects.
    lints: &'static [&'static str],
}

#[derive(Serialize)]
struct PathRuleRow {
    name: &'static str,
    family: &'static str,
    clause: &'static str,
    summary: &'static str,
    fixed: bool,
    profiles: Vec<&'static str>,
}

fn entry(rule: Rule) -> PathRuleRow {
    let having = Profile::ALL.iter().filter(|profile| profile.rules.has(rule));
    PathRuleRow {
        name: rule.name(),
        family: rule.family().name(),
        clause: rule.clause(),
        summary: rule.summary(),
        fixed: rule.is_fixed(),
        profiles: having.map(|profile| profile.name).collect(),
    }
}

/// Lists all rules.
///
/// # Errors
/// Returns an error if writing fails.
pub(super) fn write(as_json: bool, color: bool, mut out: &mut dyn Write) -> io::Result<()> {
    if as_json {
        let described =
            |profile: &Profile| Described { name: profile.name, about: profile.about, lints: profile.lints };
        let document = Document {
            schema: "tagwise.verify-rules/1",
            profiles: Profile::ALL.iter().map(described).collect(),
            rules: Rule::ALL.iter().copied().map(entry).collect(),
        };
        return json::write(&mut out, &document);
    }
    let bold = if color { Style::new().bold() } else { Style::new() };
    let dim = if color { Style::new().dimmed() } else { Style::new() };
    writeln!(out, "Rules for paths. --allow NAME disables a rule, --enforce NAME applies one; *: always in force.")?;
    writeln!(out, "\n{bold}profiles{bold:#}")?;
    for profile in Profile::ALL {
        writeln!(out, "  {bold}{:<24}{bold:#} {}", profile.name, profile.about)?;
    }
    for (family, words) in FAMILIES {
        writeln!(out, "\n{bold}{}{bold:#}: {words}", family.name())?;
        for rule in Rule::ALL.iter().copied().filter(|rule| rule.family() == family) {
            let entry = entry(rule);
            let fixed = if entry.fixed { '*' } else { ' ' };
            let profiles = match entry.profiles.len() {
                count if count == Profile::ALL.len() => "every profile".to_owned(),
                0 => "no profile".to_owned(),
                _ => entry.profiles.join(", "),
            };
            writeln!(out, " {fixed}{bold}{:<24}{bold:#} {}", entry.name, entry.summary)?;
            writeln!(out, "  {:<24} {dim}{}; {profiles}{dim:#}", "", entry.clause)?;
        }
    }
    writeln!(out, "\nThe rule conformance rejects the findings of these lints; --allow also accepts their names:")?;
    for lint in Profile::RFC5280.lints {
        writeln!(out, "  {lint}")?;
    }
    Ok(())
}

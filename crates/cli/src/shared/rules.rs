//! The rules by name, for `--allow`.

use strsim::levenshtein;
use tagwise_codec::{Rule, RuleSet};
use tagwise_pkix::profile;

/// Rules that a name on the command line allows.
///
/// # Errors
/// What to tell the user if there is no such rule.
pub(crate) fn allowed(names: &[String]) -> Result<RuleSet, String> {
    let mut rules = RuleSet::NONE;
    for name in names.iter().flat_map(|names| names.split(',')).map(str::trim).filter(|name| !name.is_empty()) {
        match name {
            "all" => rules = every(),
            "ber" => rules = union(rules, RuleSet::BER_DEFINITE),
            "pem" => rules = union(rules, RuleSet::PEM_LAX),
            name => match profile::by_name(name) {
                Some(rule) => rules = rules.with(rule),
                None => return Err(unknown(name)),
            },
        }
    }
    Ok(rules)
}

pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    Rule::ALL.iter().chain(profile::ALL)
}

/// Every rule there is.
pub(crate) fn every() -> RuleSet {
    all().fold(RuleSet::NONE, |rules, rule| rules.with(rule))
}

fn union(one: RuleSet, other: RuleSet) -> RuleSet {
    all().filter(|rule| other.has(rule)).fold(one, |rules, rule| rules.with(rule))
}

fn unknown(name: &str) -> String {
    let name: String = name.chars().flat_map(char::escape_debug).take(60).collect();
    let mut near: Vec<(usize, &str)> = all()
        .map(|rule| rule.name)
        .chain(["all", "ber", "pem"])
        .map(|rule| {
            let part = rule.split('-').any(|word| word.len() > 2 && name.split(['-', '_', ' ']).any(|own| own == word));
            (if part { 1 } else { levenshtein(rule, &name) }, rule)
        })
        .filter(|(distance, _)| *distance <= 1 + name.len() / 3)
        .collect();
    near.sort_unstable();
    let near: Vec<&str> = near.into_iter().map(|(_, rule)| rule).take(4).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
    format!("there is no rule '{name}'{hint} (`tagwise rules` lists them all)")
}

//! Allowances: the rules that `--allow` disables, with the same names in every command.

use strsim::levenshtein;
use tagwise_codec::{Frame, Options, Rule, RuleSet, ber};
use tagwise_path::Policy;
use tagwise_pkix::{lint, profile};
use tagwise_tables::untagged::{self, Tolerance};

/// The kinds of rules that `--allow` can disable for a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Door {
    /// True for the encoding rules that `tagwise rules` lists, except Kerberos rules.
    pub(crate) decoding: bool,
    /// True for the Kerberos rules.
    pub(crate) kerberos: bool,
    /// True for the path validation rules and lints that `tagwise verify --list-rules` lists.
    pub(crate) paths: bool,
}

impl Door {
    /// The kinds for commands that read values.
    pub(crate) const READS: Self = Self { decoding: true, kerberos: false, paths: false };
    /// The kinds for commands that also read Kerberos values.
    pub(crate) const READS_ANY: Self = Self { kerberos: true, ..Self::READS };
    /// The kinds for commands that validate paths.
    pub(crate) const JUDGES: Self = Self { paths: true, ..Self::READS };
    /// The kinds for commands that read values, including Kerberos values, and validate paths.
    pub(crate) const EVERY: Self = Self { paths: true, ..Self::READS_ANY };

    /// Returns a description of the supported names.
    fn words(self) -> &'static str {
        match (self.decoding, self.kerberos, self.paths) {
            (false, ..) => "this command has no rules to allow",
            (_, false, false) => "`tagwise rules` lists them all",
            (_, true, false) => "`tagwise rules` lists them all",
            (_, _, true) => "`tagwise rules` and `tagwise verify --list-rules` list them all",
        }
    }

    fn has(self, rule: &Rule) -> bool {
        if rule.domain() == tagwise_codec::Domain::Kerberos { self.kerberos } else { self.decoding }
    }
}

/// The rules that a command tolerates or disables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowances {
    /// The encoding rules whose violations are tolerated.
    pub(crate) decoding: RuleSet,
    /// The tolerated rules of encodings without tags.
    pub(crate) untagged: Tolerance,
    /// The names of disabled path validation rules and lints.
    pub(crate) paths: Vec<&'static str>,
    /// The kinds of rules that the command supports.
    door: Door,
}

impl Allowances {
    /// Reads the comma-separated names on the command line.
    ///
    /// # Errors
    /// Returns an error if the command does not support a name.
    pub(crate) fn read(names: &[String], door: Door) -> Result<Self, String> {
        let mut chosen = Self { door, ..Self::default() };
        for name in names.iter().flat_map(|names| names.split(',')).map(str::trim).filter(|name| !name.is_empty()) {
            match of_paths(name) {
                Some(name) if door.paths => {
                    chosen.paths.push(name);
                    continue;
                }
                Some(name) if named(name).is_none() => {
                    return Err(format!(
                        "--allow: {name} is a rule for paths, which this command does not validate ({})",
                        door.words()
                    ));
                }
                _ => {}
            }
            if let Some(rule) = untagged::Rule::named(name).filter(|_| door.decoding) {
                chosen.untagged = chosen.untagged.allow(rule);
                continue;
            }
            let rules = named(name).filter(|_| door.decoding).ok_or_else(|| unknown(name, door))?;
            if name == "all" {
                chosen.untagged = Tolerance::ALL;
            }
            if let Some(rule) = all().find(|rule| rule.name == name).filter(|rule| !door.has(rule)) {
                return Err(format!(
                    "--allow: {} is a rule for Kerberos, which this command does not read ({})",
                    rule.name,
                    door.words()
                ));
            }
            chosen.decoding = chosen.decoding.union(rules);
        }
        Ok(chosen)
    }

    /// Returns whether a path validation rule is disabled.
    pub(crate) fn has(&self, path_rule: &str) -> bool {
        self.paths.contains(&path_rule)
    }

    /// Disables the rules in a policy.
    ///
    /// # Errors
    /// Returns an error if a rule cannot be disabled.
    pub(crate) fn apply(&self, policy: &mut Policy) -> Result<(), String> {
        policy.tolerate = policy.tolerate.union(self.decoding);
        self.paths.iter().try_for_each(|name| policy.disable(name)).map_err(|error| format!("--allow: {error}"))
    }

    /// Converts bytes to DER if `--allow` tolerates their deviations from it. Use it only for unsigned data.
    pub(crate) fn canonical(&self, octets: &mut Vec<u8>) {
        if self.decoding.is_empty() {
            return;
        }
        // What is wrong beyond that is told where it is read.
        let der = ber::to_der_untyped_with(octets, &Options::der().rules(self.decoding)).ok();
        let changed = der.map(|der| der.into_bytes()).filter(|der| **der != **octets).map(|der| der.into_owned());
        if let Some(changed) = changed {
            *octets = changed;
        }
    }

    /// Removes the bytes after the outermost value if `--allow` tolerates them.
    ///
    /// # Errors
    /// Returns a message with the offset of the bytes if they are not tolerated.
    pub(crate) fn alone(&self, octets: &mut Vec<u8>) -> Result<(), String> {
        let end = match ber::frame(octets, &Options::ber_definite()) {
            Ok(Frame::Complete(end)) if end < octets.len() => end,
            // A malformed value is reported where it is decoded.
            _ => return Ok(()),
        };
        let is_zero = octets.iter().skip(end).all(|octet| *octet == 0);
        let rule = if is_zero { &Rule::TRAILING_ZEROS } else { &Rule::TRAILING_DATA };
        if !self.decoding.has(rule) && !self.decoding.has(&Rule::TRAILING_DATA) {
            return Err(format!("{}, at byte {end} ({}){}", rule.summary, rule.clause, self.hint(rule)));
        }
        octets.truncate(end);
        Ok(())
    }

    /// Returns a hint about the option that tolerates a violation of a rule, if the command has it, to be appended to the error's text.
    pub(crate) fn hint(&self, rule: &Rule) -> String {
        if self.door.has(rule) { format!("; --allow {} tolerates this", rule.name) } else { String::new() }
    }
}

/// Returns the message about a broken rule at an offset, with the option that tolerates it.
pub(crate) fn broken(rule: &Rule, at: usize) -> String {
    format!("{}, at byte {at} ({}); --allow {} tolerates this", rule.summary, rule.clause, rule.name)
}

/// Returns a hint about the option that tolerates an error, to be appended to the error's text.
pub(crate) fn hint(error: &tagwise_codec::Error) -> String {
    error.rule().map(|rule| format!("; --allow {} tolerates this", rule.name)).unwrap_or_default()
}

/// Returns the encoding rules that a name denotes.
fn named(name: &str) -> Option<RuleSet> {
    match name {
        "all" => Some(every()),
        name => {
            profile::allowance(name).or_else(|| tagwise_krb5::rules::by_name(name).map(|rule| RuleSet::NONE.with(rule)))
        }
    }
}

/// Returns the name of a path validation rule or lint, if it exists.
fn of_paths(name: &str) -> Option<&'static str> {
    let rule = tagwise_path::Rule::by_name(name).map(|rule| rule.name());
    rule.or_else(|| lint::by_id(name).map(|lint| lint.id))
}

/// Iterates over the encoding rules.
pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    Rule::ALL.iter().chain(profile::ALL).chain(tagwise_krb5::rules::ALL)
}

/// Returns the set of all encoding rules.
pub(crate) fn every() -> RuleSet {
    all().fold(RuleSet::NONE, |rules, rule| rules.with(rule))
}

fn unknown(name: &str, door: Door) -> String {
    let name: String = name.chars().flat_map(char::escape_debug).take(60).collect();
    let decoding = all().filter(|rule| door.has(rule)).map(|rule| rule.name);
    let untagged = untagged::Rule::all().map(untagged::Rule::name);
    let groups = profile::GROUPS.iter().copied().chain(untagged).filter(|_| door.decoding);
    let rules = tagwise_path::Rule::ALL.iter().filter(|rule| !rule.is_fixed()).map(|rule| rule.name());
    let paths = rules.chain(lint::ALL.iter().map(|lint| lint.id)).filter(|_| door.paths);
    let mut near: Vec<(usize, &str)> = decoding
        .chain(groups)
        .chain(paths)
        .map(|rule| {
            let part = rule.split('-').any(|word| word.len() > 2 && name.split(['-', '_', ' ']).any(|own| own == word));
            let distance = if part { 1 } else { levenshtein(rule, &name) };
            (if rule.starts_with(&name) { 0 } else { distance }, rule)
        })
        .filter(|(distance, _)| *distance <= 1 + name.len() / 3)
        .collect();
    near.sort_unstable();
    near.dedup();
    let near: Vec<&str> = near.into_iter().map(|(_, rule)| rule).take(4).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
    format!("--allow: unknown rule '{name}'{hint} ({})", door.words())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(name: &str, door: Door) -> Result<Allowances, String> {
        Allowances::read(&[name.to_owned()], door)
    }

    #[test]
    fn each_name_is_of_one_family() {
        let mut names: Vec<&str> = all().map(|rule| rule.name).chain(profile::GROUPS.iter().copied()).collect();
        names.extend(tagwise_path::Rule::ALL.iter().map(|rule| rule.name()));
        names.extend(lint::ALL.iter().map(|lint| lint.id));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn names_are_taken_where_they_mean_something() {
        assert!(chosen("named-bits, long-length", Door::READS).unwrap().decoding.has(&Rule::LONG_LENGTH));
        assert!(chosen("validity,named-bits", Door::JUDGES).unwrap().has("validity"));
        assert!(chosen("krb5-short-flags", Door::READS_ANY).is_ok());
        let text = chosen("krb5-short-flags", Door::READS).unwrap_err();
        assert!(text.contains("is a rule for Kerberos"), "{text}");
        let text = chosen("validity", Door::READS).unwrap_err();
        assert!(text.contains("is a rule for paths"), "{text}");
        let text = chosen("named-bit", Door::JUDGES).unwrap_err();
        assert!(text.contains("did you mean named-bits"), "{text}");
        assert!(chosen("named-bits", Door::default()).is_err());
        assert!(chosen("", Door::default()).is_ok());
    }
}

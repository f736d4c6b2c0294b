//! Converts ASN.1 names to other languages.

use std::collections::{HashMap, HashSet};

/// Replaces hyphens in an ASN.1 name with underscores. The result is a name, or part of one, in most languages.
pub(super) fn plain(name: &str) -> String {
    name.replace(|character: char| !character.is_ascii_alphanumeric(), "_")
}

/// The names in one scope, each of which is unique.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// The number of repeated requests for each name.
    again: HashMap<String, u32>,
}

impl Names {
    /// Creates a scope in which the given names are already in use.
    pub(super) fn taken(names: &[&str]) -> Self {
        Self { taken: names.iter().map(|name| (*name).to_owned()).collect(), again: HashMap::new() }
    }

    /// Returns a unique name: the name itself on first use, with an underscore appended on second use, and with an underscore
    /// and a number from the third use on.
    pub(super) fn unique(&mut self, name: String) -> String {
        self.unique_with(name, &[])
    }

    /// Returns a unique name, as [`unique`](Self::unique) does, that is also unique with each of the given suffixes.
    /// Reserves all of them.
    pub(super) fn unique_with(&mut self, name: String, ends: &[&str]) -> String {
        let mut found = name.clone();
        while self.taken.contains(&found) || ends.iter().any(|end| self.taken.contains(&format!("{found}{end}"))) {
            let again = self.again.entry(name.clone()).or_insert(0);
            *again += 1;
            found = if *again == 1 { format!("{name}_") } else { format!("{name}_{again}") };
        }
        self.taken.extend(ends.iter().map(|end| format!("{found}{end}")));
        self.taken.insert(found.clone());
        found
    }

    /// Returns the base name of a family of functions. This is `own`, which is already reserved, if it is unused with these
    /// suffixes. Otherwise, it is a name derived from `name`.
    pub(super) fn family(&mut self, own: Option<String>, name: &str, ends: &[&str]) -> String {
        match own {
            Some(own) if ends.iter().all(|end| !self.taken.contains(&format!("{own}{end}"))) => {
                self.taken.extend(ends.iter().map(|end| format!("{own}{end}")));
                own
            }
            _ => self.unique_with(name.to_owned(), ends),
        }
    }
}

/// Returns the name of a file, and a note if the requested name is reserved.
pub(super) fn file_name(wanted: String, is_kept: impl Fn(&str) -> Option<&'static str>) -> (String, Option<String>) {
    match is_kept(&wanted) {
        Some(why) => {
            // A number is no beginning of a name in most languages.
            let digit = wanted.starts_with(|first: char| first.is_ascii_digit());
            let name = if digit { format!("asn1_{wanted}") } else { format!("{wanted}_asn1") };
            let note = format!("the name of the file is {name}: {wanted} {why}");
            (name, Some(note))
        }
        None => (wanted, None),
    }
}

//! Names of ASN.1 in other languages.

use std::collections::HashSet;

/// A name of ASN.1 with underscores for hyphens: a name, or a part of a longer one, in most languages.
pub(super) fn plain(name: &str) -> String {
    name.replace(|character: char| !character.is_ascii_alphanumeric(), "_")
}

/// Names of one place, each once.
#[derive(Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// A place in which these names have a meaning already.
    pub(super) fn taken(names: &[&str]) -> Self {
        Self(names.iter().map(|name| (*name).to_owned()).collect())
    }

    /// The name, with underscores behind it until nothing else has it.
    pub(super) fn unique(&mut self, name: String) -> String {
        let mut name = name;
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

//! Assigned names. Duplicates get a number.

use std::collections::HashMap;

/// Names that already have a meaning in generated code.
const RESERVED: &[&str] = &["Any", "Box", "Option", "Self"];

/// Names that components cannot have, even as raw identifiers.
const WORDS: &[&str] = &["crate", "self", "super", "_"];

/// The names in a scope (a module or a type), each with its next free number.
#[derive(Debug, Default)]
pub(super) struct Scope(HashMap<String, u32>);

impl Scope {
    /// Returns the name, or the name with the first number from 2 that makes it unique.
    pub(super) fn claim(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        if RESERVED.contains(&wanted) {
            name.push_str("Type");
        } else if WORDS.contains(&wanted) || wanted.is_empty() {
            name.push('_');
        }
        let base = name.clone();
        let apart = if base.ends_with(|last: char| last.is_ascii_digit()) { "_" } else { "" };
        // The numbers below were given to those before.
        let mut number = self.0.get(&base).copied().unwrap_or(2);
        while self.0.contains_key(&name) {
            name = format!("{base}{apart}{number}");
            number += 1;
        }
        self.0.insert(name.clone(), 2);
        if name != base {
            self.0.insert(base, number);
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::Scope;

    #[test]
    fn numbers() {
        let mut scope = Scope::default();
        let names = ["Foo", "Foo", "Foo", "Foo2", "V1", "V1", "Option", "Any", "self", ""];
        let claimed: Vec<String> = names.iter().map(|name| scope.claim(name)).collect();
        assert_eq!(claimed, ["Foo", "Foo2", "Foo3", "Foo2_2", "V1", "V1_2", "OptionType", "AnyType", "self_", "_"]);
    }
}

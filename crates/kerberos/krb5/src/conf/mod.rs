//! `krb5.conf`: sections, relations, nested blocks and includes. Unknown relations are retained.

mod parse;
mod readable;
mod typed;

use core::fmt;
use std::collections::BTreeMap;

pub use parse::{Loader, NoIncludes};
pub use typed::{parse_duration, parse_enc_types};

/// A relation: a name and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The name.
    pub name: String,
    /// The value.
    pub value: ConfValue,
    /// True if later values with the same name are ignored (`*`).
    pub is_final: bool,
}

/// The value of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfValue {
    /// Text, without its quotation marks.
    Text(String),
    /// A block in braces.
    Block(Vec<Relation>),
}

/// The contents of a `krb5.conf` and its included files.
///
/// ```
/// use tagwise_krb5::conf::{Config, NoIncludes};
/// let text = "[libdefaults]\n default_realm = KRB.TEST\n[realms]\n KRB.TEST = {\n  kdc = a.test:88\n  kdc = b.test\n }\n";
/// let config = Config::parse(text, &mut NoIncludes)?;
/// assert_eq!(config.default_realm(), Some("KRB.TEST"));
/// assert_eq!(config.texts(&["realms", "KRB.TEST", "kdc"]), ["a.test:88", "b.test"]);
/// # Ok::<(), tagwise_krb5::conf::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The sections by name. Sections with the same name are merged.
    sections: BTreeMap<String, Vec<Relation>>,
    /// The arguments of `module` lines, whose modules are not loaded.
    modules: Vec<String>,
}

/// An error in a configuration, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    file: Option<String>,
    line: usize,
    text: String,
}

impl ConfigError {
    fn new(line: usize, text: impl Into<String>) -> Self {
        Self { file: None, line, text: text.into() }
    }

    /// Returns the line number, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        write!(f, "{}: {}", self.line, self.text)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Parses a configuration. The loader provides included files.
    ///
    /// # Errors
    /// Returns a `ConfigError` for the first invalid line. A value that cannot be read is an error if this crate uses the setting: a
    /// Boolean, a duration, a number, or a list of encryption types without a supported one. Ignoring such a value could disable a
    /// restriction.
    ///
    /// ```
    /// use tagwise_krb5::conf::{Config, NoIncludes};
    /// let error = Config::parse("[libdefaults]\n ticket_lifetime = soon\n", &mut NoIncludes).unwrap_err();
    /// assert_eq!(error.to_string(), "2: ticket_lifetime: expected a duration such as 10h, 1d12h, 08:00 or 3600, found \"soon\"");
    /// ```
    pub fn parse(text: &str, loader: &mut dyn Loader) -> Result<Self, ConfigError> {
        parse::parse(text, loader)
    }

    /// Appends another configuration with lower precedence. If both contain a value, the first one applies, as in a list of files.
    pub fn append(&mut self, other: Self) {
        self.modules.extend(other.modules);
        for (name, relations) in other.sections {
            self.sections.entry(name).or_default().extend(relations);
        }
    }

    /// Returns the sections by name.
    pub fn sections(&self) -> impl Iterator<Item = (&str, &[Relation])> {
        self.sections.iter().map(|(name, relations)| (name.as_str(), relations.as_slice()))
    }

    /// Returns the arguments of `module` lines, unparsed.
    #[must_use]
    pub fn modules(&self) -> &[String] {
        &self.modules
    }

    /// Returns all text values at the given path of names, in order.
    #[must_use]
    pub fn texts(&self, path: &[&str]) -> Vec<&str> {
        let (mut texts, mut stopped) = (Vec::new(), false);
        for relation in self.relations(path) {
            if let (ConfValue::Text(text), false) = (&relation.value, stopped) {
                texts.push(text.as_str());
            }
            stopped |= relation.is_final;
        }
        texts
    }

    /// Returns the first text value at the given path of names.
    #[must_use]
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.texts(path).first().copied()
    }

    /// Returns the names of the relations in a block or section.
    #[must_use]
    pub fn names(&self, path: &[&str]) -> Vec<&str> {
        let relations: Vec<&Relation> = match path {
            [section] => self.sections.get(*section).into_iter().flatten().collect(),
            _ => self.relations(path).into_iter().filter_map(block).flatten().collect(),
        };
        relations.into_iter().map(|relation| relation.name.as_str()).collect()
    }

    /// Returns all relations at a path, including those in repeated blocks of the same name.
    fn relations(&self, path: &[&str]) -> Vec<&Relation> {
        let Some((section, rest)) = path.split_first() else { return Vec::new() };
        let Some((first, rest)) = rest.split_first() else { return Vec::new() };
        let section = self.sections.get(*section).into_iter().flatten();
        let mut found: Vec<&Relation> = section.filter(|relation| relation.name == *first).collect();
        for name in rest {
            found = found.into_iter().filter_map(block).flatten().filter(|relation| relation.name == *name).collect();
        }
        found
    }
}

const fn block(relation: &Relation) -> Option<&Vec<Relation>> {
    match &relation.value {
        ConfValue::Block(relations) => Some(relations),
        ConfValue::Text(_) => None,
    }
}

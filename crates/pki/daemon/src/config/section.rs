//! Reads tables of a TOML document, and reports all errors with their positions and the nearest known keys.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor, value};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// An error in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line and column, from 1.
    pub position: Option<(usize, usize)>,
    /// The error.
    pub what: String,
}

/// All errors in a configuration file.
#[derive(Clone, Default)]
pub struct Problems {
    file: PathBuf,
    text: Box<str>,
    list: Vec<Problem>,
    /// Remarks on settings that may be intended, but restrict what clients can do.
    notes: Vec<String>,
    /// The sections whose content is not completely known because of an error.
    incomplete: BTreeSet<String>,
    /// True if the syntax is wrong, so that any section may be incomplete.
    is_malformed: bool,
}

impl fmt::Debug for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The text may contain a password.
        f.debug_struct("Problems").field("file", &self.file).field("list", &self.list).finish_non_exhaustive()
    }
}

impl Problems {
    pub(crate) fn new(file: &Path, text: &str) -> Self {
        Self { file: file.to_owned(), text: text.into(), ..Self::default() }
    }

    /// The errors, in the order in which they were found.
    #[must_use]
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// Remarks on settings that may be intended, but restrict what clients can do. Notes are not errors.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns whether there are no errors.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn add(&mut self, what: impl Into<String>) {
        self.list.push(Problem { position: None, what: what.into() });
    }

    pub(crate) fn note(&mut self, what: impl Into<String>) {
        self.notes.push(what.into());
    }

    /// Returns whether a section contains an error, so that what it lacks is not an error of its own.
    pub(crate) fn is_incomplete(&self, section: &str) -> bool {
        self.is_malformed || self.incomplete.contains(section)
    }

    /// Returns whether the syntax is wrong, so that any section may be missing.
    pub(crate) const fn is_malformed(&self) -> bool {
        self.is_malformed
    }

    fn add_at(&mut self, at: Option<Range<usize>>, what: impl Into<String>) {
        let position = at.and_then(|at| self.text.get(..at.start)).map(|before| {
            let line = before.matches('\n').count().saturating_add(1);
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count().saturating_add(1);
            (line, column)
        });
        self.list.push(Problem { position, what: what.into() });
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.list.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{}", self.file.display())?;
            if let Some((line, column)) = problem.position {
                write!(f, ":{line}:{column}")?;
            }
            write!(f, ": {}", problem.what)?;
        }
        Ok(())
    }
}

/// Obtains the field names of a struct from its `Deserialize` implementation.
struct Probe<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(value::Error::custom("not a struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        Err(value::Error::custom("the fields are known"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

fn fields<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut fields: &'static [&'static str] = &[];
    let _ = T::deserialize(Probe(&mut fields));
    fields
}

/// The known word that is most similar to an unknown one, if any is.
fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let scored = known.iter().map(|known| (strsim::damerau_levenshtein(word, known), *known));
    let (distance, best) = scored.min()?;
    (distance <= 1 + word.len() / 4).then_some(best)
}

/// The text that proposes the nearest known key, or all of them.
fn expected(key: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return "none".to_owned();
    }
    nearest(key, known).map_or_else(|| known.join(", "), |near| format!("`{near}`"))
}

/// A TOML document.
pub(crate) struct Document<'i> {
    table: DeTable<'i>,
}

impl<'i> Document<'i> {
    /// Parses a document. Reports syntax errors and unknown sections.
    pub(crate) fn parse(text: &'i str, known: &[&str], problems: &mut Problems) -> Self {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            problems.add_at(error.span(), error.message());
            problems.is_malformed = true;
        }
        let mut document = Self { table: table.into_inner() };
        problems.incomplete = document.refuse_unknown("", known, problems);
        document
    }

    /// Reports and removes unknown keys. Returns the known keys that they resemble.
    fn refuse_unknown(&mut self, section: &str, known: &[&str], problems: &mut Problems) -> BTreeSet<String> {
        let (mut unknown, mut meant) = (Vec::new(), BTreeSet::new());
        for key in self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let name = key.get_ref().to_string();
            let place = if section.is_empty() { String::new() } else { format!(" in [{section}]") };
            let what = format!("unknown key `{}`{place}, expected {}", name.escape_debug(), expected(&name, known));
            problems.add_at(Some(key.span()), what);
            meant.extend(nearest(&name, known).map(ToOwned::to_owned));
            unknown.push(name);
        }
        for name in unknown {
            self.table.remove(name.as_str());
        }
        meant
    }

    /// Reads a section. Without it, or if a required key is wrong, returns `None`. Wrong keys are left out.
    pub(crate) fn section<T: DeserializeOwned>(&mut self, name: &str, problems: &mut Problems) -> Option<T> {
        section(name, self.table.remove(name)?, problems)
    }

    /// Reads an array of sections: `[[listen]]`.
    pub(crate) fn sections<T: DeserializeOwned>(&mut self, name: &str, problems: &mut Problems) -> Vec<T> {
        let Some(found) = self.table.remove(name) else { return Vec::new() };
        let at = found.span();
        match found.into_inner() {
            DeValue::Array(list) => list.into_iter().filter_map(|one| section(name, one, problems)).collect(),
            other => section(name, Spanned::new(at, other), problems).into_iter().collect(),
        }
    }
}

fn section<T: DeserializeOwned>(name: &str, found: Spanned<DeValue<'_>>, problems: &mut Problems) -> Option<T> {
    let (span, before) = (found.span(), problems.list.len());
    let DeValue::Table(table) = found.into_inner() else {
        problems.add_at(Some(span), format!("`{name}` is not a table, expected [{name}]"));
        problems.incomplete.insert(name.to_owned());
        return None;
    };
    let mut document = Document { table };
    // The keys whose values are wrong, which are therefore not missing.
    let mut wrong = document.refuse_unknown(name, fields::<T>(), problems);
    let read = loop {
        let whole = Spanned::new(span.clone(), DeValue::Table(document.table.clone()));
        let error = match T::deserialize(ValueDeserializer::from(whole)) {
            Ok(value) => break Some(value),
            Err(error) => error,
        };
        let is_consequence = missing(error.message()).is_some_and(|key| wrong.contains(key));
        // The value with the error is left out, to find the errors of the others.
        let key = error.span().and_then(|at| remove(&mut document.table, &at));
        if !is_consequence {
            match &key {
                Some(key) => problems.add_at(error.span(), format!("{name}.{key}: {}", error.message())),
                None => problems.add_at(Some(span.clone()), format!("[{name}]: {}", error.message())),
            }
        }
        let Some(key) = key else { break None };
        wrong.extend(key.split('.').chain(meant(error.message())).map(ToOwned::to_owned));
    };
    if problems.list.len() > before {
        problems.incomplete.insert(name.to_owned());
    }
    read
}

/// The key that is missing according to the decoder.
fn missing(message: &str) -> Option<&str> {
    message.split_once("missing field `")?.1.split('`').next()
}

/// The known keys in the decoder's message about an unknown one.
fn meant(message: &str) -> Option<&str> {
    let mut words = message.strip_prefix("unknown field `")?.split('`').step_by(2);
    let unknown = words.next()?;
    nearest(unknown, &words.filter(|word| !word.is_empty()).collect::<Vec<_>>())
}

/// Removes the value at a position of the text: a key's, or one in an element of the key's list. Returns its keys.
///
/// The span of a table is that of its header, so that its keys and their values are compared too.
fn remove(table: &mut DeTable<'_>, at: &Range<usize>) -> Option<String> {
    let is_at = |span: Range<usize>| span.start <= at.start && at.end <= span.end;
    let in_table = |table: &DeTable<'_>| {
        let mut found = table.iter().filter(|(key, value)| is_at(key.span()) || is_at(value.span()));
        found.next().map(|(key, _)| key.get_ref().to_string())
    };
    let in_element = |one: &Spanned<DeValue<'_>>| match one.get_ref() {
        DeValue::Table(table) => is_at(one.span()) || in_table(table).is_some(),
        _ => is_at(one.span()),
    };
    let mut keys = table.iter().filter(|(key, value)| match value.get_ref() {
        DeValue::Array(list) => is_at(key.span()) || is_at(value.span()) || list.iter().any(in_element),
        _ => is_at(key.span()) || is_at(value.span()),
    });
    let key = keys.next().map(|(key, _)| key.get_ref().to_string())?;
    if let Some(DeValue::Array(list)) = table.get_mut(key.as_str()).map(Spanned::get_mut)
        && let Some(index) = list.iter().position(in_element)
    {
        if let Some(DeValue::Table(one)) = list.get_mut(index).map(Spanned::get_mut)
            && let Some(inner) = in_table(one)
        {
            one.remove(inner.as_str());
            return Some(format!("{key}.{inner}"));
        }
        let others = list.iter().enumerate().filter(|(at, _)| *at != index);
        *list = others.map(|(_, one)| one.clone()).collect();
        return Some(key);
    }
    table.remove(key.as_str());
    Some(key)
}

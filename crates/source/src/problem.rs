//! Errors for people: what, where, by which clause, and the bytes around it.

use serde::ser::{Serialize, SerializeMap, Serializer};
use tagwise_codec::{Error, Excerpt, Fault, Kind, pem};

/// Something that did not decode: what, where, by which clause, and the bytes around it.
///
/// In JSON it is an object with `code`, `path`, `offset`, `clause` and `message`, and with `line`, `rule` and `excerpt` where
/// there are any.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The path of the component, as in `tbsCertificate.validity`; empty where there is none.
    pub path: String,
    /// The offset in bytes.
    pub offset: usize,
    /// The line, where the input is text: from 1.
    pub line: Option<usize>,
    /// The stable code of the error.
    pub code: &'static str,
    /// The clause of the standard that is broken.
    pub clause: &'static str,
    /// The error in words.
    pub message: String,
    /// The name of the rule that would tolerate it.
    pub rule: Option<&'static str>,
    /// The bytes around the place, in hexadecimal with a mark; empty where they are secret.
    pub excerpt: String,
}

impl Problem {
    /// A decoding error with an excerpt.
    #[must_use]
    pub fn of(error: &Error, excerpt: Excerpt<'_>) -> Self {
        Self {
            path: error.path().to_owned(),
            offset: error.offset(),
            line: None,
            code: error.code(),
            clause: error.clause(),
            message: error.message().to_string(),
            rule: error.rule().map(|rule| rule.name),
            excerpt: excerpt.to_string(),
        }
    }

    /// A fault in text: in PEM, base64 or hexadecimal.
    #[must_use]
    pub fn of_text(fault: Fault) -> Self {
        let kind = fault.kind();
        Self {
            path: String::new(),
            offset: fault.offset(),
            line: None,
            code: kind.code(),
            clause: kind.clause(),
            message: kind.text().to_owned(),
            rule: None,
            excerpt: String::new(),
        }
    }

    /// An error in a PEM block.
    #[must_use]
    pub fn of_pem(error: &pem::Error) -> Self {
        let rule = error.rule().map(|rule| rule.name);
        Self { line: Some(error.line()), rule, ..Self::of_text(error.fault()) }
    }

    /// An empty PEM block.
    pub(crate) fn of_empty(line: usize, offset: usize) -> Self {
        let message = "the block is empty: nothing stands between its BEGIN and END lines".to_owned();
        Self { line: Some(line), message, ..Self::of_text(Fault::new(Kind::Truncated, offset)) }
    }

    /// A part of a container that cannot be read.
    pub(crate) fn of_container(code: &'static str, message: String, offset: usize) -> Self {
        Self { code, message, clause: "not ASN.1", ..Self::of_text(Fault::new(Kind::Truncated, offset)) }
    }

    /// The error in one line, as the library writes it.
    #[must_use]
    pub fn line(&self) -> String {
        let path = if self.path.is_empty() { String::new() } else { format!("{}: ", self.path) };
        let line = self.line.map(|line| format!(", line {line}")).unwrap_or_default();
        format!("{path}{}, at byte {}{line} ({})", self.message, self.offset, self.clause)
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", self.code)?;
        map.serialize_entry("path", &self.path)?;
        map.serialize_entry("offset", &self.offset)?;
        if let Some(line) = self.line {
            map.serialize_entry("line", &line)?;
        }
        map.serialize_entry("clause", self.clause)?;
        map.serialize_entry("message", &self.message)?;
        if let Some(rule) = self.rule {
            map.serialize_entry("rule", rule)?;
        }
        if !self.excerpt.is_empty() {
            map.serialize_entry("excerpt", &self.excerpt)?;
        }
        map.end()
    }
}

//! User-facing errors: message, position, clause, and an excerpt.

#[cfg(feature = "serde")]
use serde::ser::{Serialize, SerializeMap, Serializer};
use tagwise_codec::{Error, Excerpt, Fault, FaultKind, pem};

/// A decoding error for users: message, position, clause, and an excerpt.
///
/// In JSON it is an object with `code`, `path`, `offset`, `clause` and `message`, and `line`, `rule` and `excerpt` if
/// available.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The path of the component, such as `tbsCertificate.validity`. May be empty.
    pub path: String,
    /// The byte offset.
    pub offset: usize,
    /// The line number, from 1, if the input is text.
    pub line: Option<usize>,
    /// The stable code of the error.
    pub code: &'static str,
    /// The violated clause of the standard.
    pub clause: &'static str,
    /// The error message.
    pub message: String,
    /// The name of the violated rule, if its violations can be tolerated.
    pub rule: Option<&'static str>,
    /// A hexadecimal excerpt in which the error is marked. Empty for secret data.
    pub excerpt: String,
}

impl Problem {
    /// Creates a problem from a decoding error and an excerpt.
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

    /// Creates a problem from a fault in PEM, base64 or hexadecimal.
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

    /// Creates a problem from an error in a PEM block.
    #[must_use]
    pub fn of_pem(error: &pem::Error) -> Self {
        let rule = error.rule().map(|rule| rule.name);
        Self { line: Some(error.line()), rule, ..Self::of_text(error.fault()) }
    }

    /// Creates a problem for an empty PEM block.
    pub(crate) fn of_empty(line: usize, offset: usize) -> Self {
        let message = "the block is empty: no data between its BEGIN and END lines".to_owned();
        Self { line: Some(line), message, ..Self::of_text(Fault::new(FaultKind::Truncated, offset)) }
    }

    /// Creates a problem for a part of a container that cannot be read.
    pub(crate) fn of_container(code: &'static str, message: String, offset: usize) -> Self {
        Self { code, message, clause: "not ASN.1", ..Self::of_text(Fault::new(FaultKind::Truncated, offset)) }
    }

    /// Returns the error on one line, in the library's format.
    #[must_use]
    pub fn line(&self) -> String {
        let path = if self.path.is_empty() { String::new() } else { format!("{}: ", self.path) };
        let line = self.line.map(|line| format!(", line {line}")).unwrap_or_default();
        format!("{path}{}, at byte {}{line} ({})", self.message, self.offset, self.clause)
    }
}

#[cfg(feature = "serde")]
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

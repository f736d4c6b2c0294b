//! Selection of findings by identifiers and their prefixes.

use tagwise_pkix::lint::{self, Options, Severity};

use super::catalogue;

/// The selected lints and severities.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The selected lints.
    pub(super) options: Options,
    severity: Severity,
    only: Vec<String>,
    skip: Vec<String>,
}

impl Selection {
    /// Selects lints by minimum severity, and by the identifiers to include and to skip.
    ///
    /// # Errors
    /// Returns the error message for an unknown identifier.
    pub fn new(severity: Severity, only: &[String], skip: &[String]) -> Result<Self, String> {
        let mut selection = Self { options: Options::none(), severity, only: split(only), skip: split(skip) };
        for id in selection.only.iter().chain(&selection.skip) {
            if !catalogue::entries().any(|entry| begins(&entry.id, id)) {
                return Err(unknown(id));
            }
        }
        let chosen = lint::ALL.iter().filter(|lint| selection.has(lint.id, lint.severity));
        selection.options = chosen.fold(Options::none(), |options, lint| options.with(lint));
        Ok(selection)
    }

    /// Returns whether findings with the given identifier and severity are selected.
    #[must_use]
    pub fn has(&self, id: &str, severity: Severity) -> bool {
        severity >= self.severity
            && (self.only.is_empty() || self.only.iter().any(|only| begins(id, only)))
            && !self.skip.iter().any(|skip| begins(id, skip))
    }
}

fn split(lists: &[String]) -> Vec<String> {
    let parts = lists.iter().flat_map(|list| list.split(',')).map(str::trim);
    parts.filter(|id| !id.is_empty()).map(|id| id.trim_end_matches('.').to_owned()).collect()
}

/// Returns whether an identifier equals `beginning`, or starts with it and a dot.
fn begins(id: &str, beginning: &str) -> bool {
    id.strip_prefix(beginning).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the error message for an unknown lint.
#[must_use]
pub fn unknown(id: &str) -> String {
    let shown: String = id.chars().flat_map(char::escape_debug).take(80).collect();
    // The last part may be right where the section is not known by heart.
    let name = id.rsplit('.').next().unwrap_or(id);
    let near: Vec<String> = catalogue::entries()
        .map(|entry| entry.id)
        .filter(|known| name.len() > 2 && known.rsplit('.').next().is_some_and(|last| last.contains(name)))
        .take(4)
        .collect();
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
    format!("unknown lint '{shown}'{hint} (`tagwise lint --list` lists them all)")
}

//! The compiler's errors and warnings.

use serde_json::{Value, json};
use tagwise_schema::{Diagnostic, Severity};

use crate::workspace::{Unit, Workspace};

/// Returns the diagnostics of a document.
pub(crate) fn of(workspace: &mut Workspace, uri: &str) -> Option<Value> {
    let compiled = workspace.compiled(uri)?;
    let own = compiled.compilation.diagnostics().list().iter().filter(|one| one.span.file == 0);
    Some(own.filter_map(|one| diagnostic(&compiled.unit, one)).collect())
}

fn diagnostic(unit: &Unit, one: &Diagnostic) -> Option<Value> {
    let (source, lines) = unit.file(0)?;
    let notes = one
        .notes
        .iter()
        .filter_map(|(span, message)| Some(json!({ "location": unit.location(*span)?, "message": message })));
    let allowed = one.departure.map(|departure| format!(" (allowed by --allow {departure})"));
    Some(json!({
        "range": lines.range(source, one.span),
        "severity": match one.severity { Severity::Error => 1, Severity::Warning => 2 },
        "code": one.code,
        "source": "tagwise",
        "message": format!("{} [{}]{}", one.message, one.clause, allowed.unwrap_or_default()),
        "relatedInformation": notes.collect::<Vec<_>>(),
    }))
}

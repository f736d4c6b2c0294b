//! The parts that all requests have in common.

use serde_json::Value;

/// The answer to a request: a result, or the reason why there is none.
pub(crate) type Answer = Result<Value, String>;

/// Returns the URI of the document that a request concerns.
pub(crate) fn uri(params: &Value) -> Option<&str> {
    params.pointer("/textDocument/uri")?.as_str()
}

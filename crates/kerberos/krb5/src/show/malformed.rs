//! Errors inside of a tree.

use tagwise_show::tree::Value;

/// The key of an error in a tree. No component has this name.
pub(super) const ERROR: &str = "error";

/// Returns whether a tree shows an error: a malformed PAC, buffer or value inside a message that could be read.
///
/// ```
/// use tagwise_krb5::show::{View, is_malformed, show_as};
/// let shown = show_as("PAC", &[1, 0, 0, 0, 0, 0, 0, 0], View::new(false)).expect("a name").expect("shown");
/// assert!(is_malformed(&shown.value));
/// ```
#[must_use]
pub fn is_malformed(value: &Value<'_>) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Problem(_) => return true,
            Value::List(items) => open.extend(items),
            Value::Record(record) if record.fields.iter().any(|field| field.key == ERROR) => return true,
            Value::Record(record) => open.extend(record.fields.iter().map(|field| &field.value)),
            _ => {}
        }
    }
    false
}

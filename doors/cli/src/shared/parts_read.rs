//! The parts of an input: where they are, and whether all of them were read.

use tagwise_codec::Rule;
use tagwise_pkix::name::visible;
use tagwise_store::{Contents, ContentsPlace};

use crate::shared::context::Context;
use crate::shared::output::Failure;

/// Formats a location, such as `store.zip!a.pem, line 12` or `certs.der, byte 1468`.
pub(crate) fn place_text(name: &str, place: &ContentsPlace<'_>) -> String {
    let mut text = name.to_owned();
    if let Some(entry) = place.entry {
        text.push('!');
        text.push_str(&visible(entry).to_string());
    }
    match place.line {
        Some(line) => text.push_str(&format!(", line {line}")),
        None if place.offset > 0 => text.push_str(&format!(", byte {}", place.offset)),
        None => {}
    }
    text
}

/// Checks that every part of an input was read and recognized, so that no certificate or CRL is left out without a word. Padding after the
/// last value needs `--allow trailing-zeros`.
///
/// # Errors
/// Returns an error that names the first other part. An input without certificates and CRLs is left to the caller's message.
pub(crate) fn complete(context: &Context, contents: &Contents<'_>, name: &str) -> Result<(), Failure> {
    match contents.incomplete_with(context.allowed.decoding) {
        Some(failure) if !contents.is_empty() => {
            let is_padding = failure.code == Rule::TRAILING_ZEROS.name;
            let hint = if is_padding { context.allowed.hint(&Rule::TRAILING_ZEROS) } else { String::new() };
            let place = place_text(name, &failure.place);
            Err(Failure::Said(3, format!("{place}: {}{hint}", visible(failure.message))))
        }
        _ => Ok(()),
    }
}

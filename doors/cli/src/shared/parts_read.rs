//! The parts of an input: where they are, whether all of them were read, and the evidence among them.

use tagwise_codec::Rule;
use tagwise_crypto::cms::RevocationInfo;
use tagwise_input::{Content, ValueKind};
use tagwise_pkix::cms::Limits as MessageLimits;
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

/// Returns the revocation information in a file besides the CRLs of its contents: OCSP responses, and what signed messages contain.
pub(crate) fn evidence_beside(octets: &[u8], contents: &Contents<'_>, context: &Context) -> RevocationInfo {
    let mut found = RevocationInfo::default();
    for message in contents.messages() {
        match RevocationInfo::of_message(message, MessageLimits::DEFAULT) {
            Ok(info) => {
                found.crls.extend(info.crls);
                found.ocsp_responses.extend(info.ocsp_responses);
                found.unused.extend(info.unused);
            }
            Err(error) => found.unused.push(format!("in a malformed message: {error}")),
        }
    }
    if contents.others() > 0 {
        let items = tagwise_input::find(octets, context.allowed.decoding).items.into_iter();
        let responses = items.filter(|item| item.content == Content::Kind(ValueKind::OcspResponse));
        found.ocsp_responses.extend(responses.map(|item| item.der.into_owned()));
    }
    found.crls.retain(|crl| !contents.items().any(|item| item.der == crl));
    found
}

//! A message that is the content of another, without MIME between them: signed twice, or encrypted and then signed.

use std::borrow::Cow;

use tagwise_codec::{Oid, Open, encode};
use tagwise_crypto::cms::is_compressed;
use tagwise_pkix::cms::{ContentInfo, EncryptedReader, ID_SIGNED_DATA, SignedReader};
use tagwise_pkix::name::visible;

/// A message in the content of another.
pub(super) enum Inner {
    /// A message with content of its own.
    Message(Vec<u8>),
    /// Something like a message, of which no signature is verified, with the reason.
    Note(String),
    /// No message.
    Nothing,
}

/// Returns the message in content of this type. The content is a ContentInfo, as most programs write it with the type id-data, or only
/// the type's own value (RFC 5652 §5.2).
pub(super) fn message(content_type: Option<Oid<'_>>, content: &[u8]) -> Inner {
    let message = match content_type {
        _ if is_message(content) => Cow::Borrowed(content),
        Some(content_type) => {
            let open = Open::new(content_type.as_bytes(), content);
            match encode(&ContentInfo { content_type, content: open }) {
                Ok(whole) if is_message(&whole) => Cow::Owned(whole),
                // The content must be what the signed type says (RFC 5652 §5.2).
                _ if content_type == ID_SIGNED_DATA => {
                    return Inner::Note("the content is not signed data, against its type id-signedData".to_owned());
                }
                _ => return Inner::Nothing,
            }
        }
        None => return Inner::Nothing,
    };
    let Ok(signed) = SignedReader::new(&*message) else { return Inner::Message(message.into_owned()) };
    let is_detached = signed.is_detached();
    match signed.finish() {
        Err(error) => Inner::Note(format!(
            "the content begins like a signed message, whose signatures were not verified: {}",
            visible(&error)
        )),
        // A bundle of certificates.
        Ok(tail) if tail.signers.is_empty() => Inner::Nothing,
        Ok(_) if is_detached => Inner::Note(
            "the content is a signature of detached content, which was not verified; verify it by itself, with --content"
                .to_owned(),
        ),
        Ok(_) => Inner::Message(message.into_owned()),
    }
}

/// Returns whether a value begins like a message that has layers: signed, encrypted or compressed data.
fn is_message(octets: &[u8]) -> bool {
    SignedReader::new(octets).is_ok() || EncryptedReader::new(octets).is_ok() || is_compressed(octets)
}

//! The secrecy of output: the one answer for all commands that write files.

use tagwise_codec::text::{Form, base64, hex, sniff};
use tagwise_codec::value::Dynamic;
use tagwise_codec::{Any, Decode, Options, RuleSet, Session, pem};
use tagwise_pkix::{Bundle, BundleKind};

use crate::armour::Value;
use crate::convert::{label, rules};
use crate::input::{self, Content};
use crate::kinds;
use crate::model::message::Message;
use crate::rules::every;

/// The secrecy of a file's content: a secret file is for its owner only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secrecy {
    /// Anyone may read it.
    Public,
    /// A private key, or decrypted content.
    Secret,
}

impl Secrecy {
    /// The secrecy of octets in any wrapping, found by looking.
    pub(crate) fn of(octets: &[u8]) -> Self {
        if is_secret(octets) { Self::Secret } else { Self::Public }
    }

    /// The secrecy of what is made of these values.
    pub(crate) fn of_values(values: &[Value]) -> Self {
        let is_secret = |value: &Value| {
            let label = value.block.as_ref().map(|(label, _)| label.as_str());
            label.is_some_and(names_secret) || is_secret_row(&value.octets, true)
        };
        if values.iter().any(is_secret) { Self::Secret } else { Self::Public }
    }
}

/// Returns whether octets hold a private key, encrypted or not: as PEM, hexadecimal, base64, or DER or BER, one value or several
/// in a row. What cannot be looked into, the encrypted parts of PKCS #12, is taken for one.
pub(crate) fn is_secret(octets: &[u8]) -> bool {
    found(octets, true)
}

/// Returns the same, but only where a key was seen.
pub(crate) fn holds_key(octets: &[u8]) -> bool {
    found(octets, false)
}

fn found(octets: &[u8], unseen: bool) -> bool {
    match sniff(octets) {
        Form::Pem => {
            let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
            // A block that cannot be read is as secret as its label says.
            pem::blocks_with(octets, &session).map_while(Result::ok).any(|block| {
                names_secret(block.label()) || block.decode().is_ok_and(|octets| is_secret_row(&octets, unseen))
            }) || octets.windows(LABEL.len()).any(|window| window == LABEL)
        }
        Form::Hex => hex::decode(octets).is_ok_and(|octets| is_secret_row(&octets, unseen)),
        Form::Base64 => base64::decode_wrapped(octets).is_ok_and(|octets| is_secret_row(&octets, unseen)),
        _ => is_secret_row(octets, unseen),
    }
}

/// The end of the first line of any private key in PEM.
const LABEL: &[u8] = b"PRIVATE KEY-----";

fn names_secret(label: &str) -> bool {
    label.ends_with("PRIVATE KEY")
}

/// Returns whether one of the values in a row is secret.
fn is_secret_row(octets: &[u8], unseen: bool) -> bool {
    match rules::values(octets, tagwise_codec::stream::Rules::Ber, false) {
        Ok(values) => values.into_iter().any(|value| is_secret_value(value, unseen)),
        // Its front may still tell.
        Err(_) => is_secret_value(octets, unseen),
    }
}

fn is_secret_value(octets: &[u8], unseen: bool) -> bool {
    match label::of(octets) {
        Some("EC PRIVATE KEY") => return is_scalar(octets),
        Some(label) if names_secret(label) => return true,
        _ => {}
    }
    let Content::Message(message) = input::content(octets) else { return false };
    match message {
        // Such frames are common; those of keys have labels.
        Message::PrivateKey | Message::EncryptedPrivateKey | Message::RsaPrivateKey | Message::EcPrivateKey => false,
        Message::Pkcs12 => is_secret_store(octets, unseen),
        message => {
            let der = message.to_der(octets);
            let dynamic = Dynamic::new(message.ty()).options(Options::der().rules(every()));
            let read = dynamic.decode(der.as_deref().unwrap_or(octets));
            read.is_ok_and(|read| kinds::holds_secret(&read.value))
        }
    }
}

/// Returns whether the second element is long enough for a scalar of a curve in use, which small values of other types are not.
fn is_scalar(octets: &[u8]) -> bool {
    let key = Any::outline(octets).ok();
    let scalar = key.and_then(|key| key.children().map_while(Result::ok).nth(1));
    scalar.is_none_or(|scalar| scalar.content().len() >= 20)
}

/// Returns whether a PKCS #12 file has a key in it. Keys have an encryption of their own and stand in the open with it; parts
/// that are encrypted as a whole usually hold certificates.
fn is_secret_store(octets: &[u8], unseen: bool) -> bool {
    let secret = |kind| match kind {
        BundleKind::PrivateKey | BundleKind::EncryptedPrivateKey | BundleKind::Secret => true,
        BundleKind::Encrypted => unseen,
        _ => false,
    };
    Bundle::read(octets).is_ok_and(|bundle| bundle.items().any(|bag| secret(bag.kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ed25519, as RFC 8410 has it.
    const KEY: &str =
        "302e020100300506032b6570042204200000000000000000000000000000000000000000000000000000000000000000";

    #[test]
    fn keys_in_any_wrapping() {
        let der = hex::decode(KEY.as_bytes()).unwrap();
        let block = |label: &str| pem::encode(label, &der).unwrap().into_bytes();
        for octets in [
            der.clone(),
            KEY.as_bytes().to_vec(),
            base64::encode(&der).into_bytes(),
            block("PRIVATE KEY"),
            // Under another label, too.
            block("DATA"),
            // Behind something else, and of indefinite length.
            [&[0x30, 0x00][..], &der].concat(),
            [&[0x30, 0x80][..], &der[2..], &[0, 0]].concat(),
            b"-----BEGIN EC PRIVATE KEY-----\n!!!!\n-----END EC PRIVATE KEY-----\n".to_vec(),
        ] {
            assert!(is_secret(&octets), "{}", String::from_utf8_lossy(&octets));
        }
    }

    #[test]
    fn other_values_are_public() {
        for octets in [
            // Points of somebody's schema: two and three numbers, a number and a short string.
            &[0x30, 6, 2, 1, 1, 2, 1, 2][..],
            &[0x30, 9, 2, 1, 1, 2, 1, 2, 2, 1, 3],
            &[0x30, 6, 2, 1, 1, 4, 1, b'x'],
            b"",
            b"text",
            &[0xFF; 40],
        ] {
            assert!(!is_secret(octets), "{octets:02x?}");
        }
    }
}

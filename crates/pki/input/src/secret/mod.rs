//! Detects secrets in inputs and values: private keys, and types marked as secret.

mod value;

use tagwise_codec::stream::Rules;
use tagwise_codec::text::{TextForm, base64, hex, recognise};
use tagwise_codec::{Options, RuleSet, Session, pem};
pub use tagwise_pkix::oids::files::is_secret_label;

use crate::armour::WrappedValue;
use crate::row;

pub use value::{holds_secret, is_public, is_secret_value, names_secret};

/// Returns whether an input contains a private key, encrypted or not: in PEM, hexadecimal, base64, DER or BER, with one or
/// more values. Encrypted parts of PKCS #12, which cannot be inspected, count as keys.
///
/// ```
/// assert!(tagwise_input::secret::is_secret(b"-----BEGIN PRIVATE KEY-----\nBQA=\n-----END PRIVATE KEY-----\n"));
/// assert!(!tagwise_input::secret::is_secret(b"0500"));
/// ```
#[must_use]
pub fn is_secret(bytes: &[u8]) -> bool {
    found(bytes, true)
}

/// Returns whether an input contains a private key, not counting encrypted parts that cannot be inspected.
#[must_use]
pub fn holds_key(bytes: &[u8]) -> bool {
    found(bytes, false)
}

/// Returns whether one of these values is a private key, by label or content.
#[must_use]
pub fn is_secret_among(values: &[WrappedValue]) -> bool {
    let is_secret = |value: &WrappedValue| {
        let label = value.block.as_ref().map(|(label, _)| label.as_str());
        label.is_some_and(is_secret_label) || is_secret_row(&value.octets, true)
    };
    values.iter().any(is_secret)
}

fn found(bytes: &[u8], unseen: bool) -> bool {
    let (form, text) = recognise(bytes);
    let bytes: &[u8] = &text;
    match form {
        TextForm::Pem => {
            let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
            // A block that cannot be read is as secret as its label says.
            pem::blocks_with(bytes, &session).map_while(Result::ok).any(|block| {
                is_secret_label(block.label()) || block.decode().is_ok_and(|bytes| is_secret_row(&bytes, unseen))
            }) || bytes.windows(LABEL.len()).any(|window| window == LABEL)
        }
        TextForm::Hex => hex::decode(bytes).is_ok_and(|bytes| is_secret_row(&bytes, unseen)),
        TextForm::Base64 => base64::decode_wrapped(bytes).is_ok_and(|bytes| is_secret_row(&bytes, unseen)),
        _ => is_secret_row(bytes, unseen),
    }
}

/// The end of the first line of every private key in PEM.
const LABEL: &[u8] = b"PRIVATE KEY-----";

/// Returns whether one of the concatenated values is secret.
fn is_secret_row(bytes: &[u8], unseen: bool) -> bool {
    match row::values(bytes, Rules::Ber, false) {
        Ok(values) => values.into_iter().any(|value| is_secret_value(value, unseen)),
        // Its front may still tell.
        Err(_) => is_secret_value(bytes, unseen),
    }
}

#[cfg(test)]
mod tests {
    use tagwise_pkix::oids::files::label;

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
            block(label::PRIVATE_KEY),
            // Under another label, too.
            block("DATA"),
            // Encrypted by a Java keystore (1.3.6.1.4.1.42.2.17.1.1).
            b"\x30\x11\x30\x0C\x06\x0A\x2B\x06\x01\x04\x01\x2A\x02\x11\x01\x01\x04\x01\x00".to_vec(),
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

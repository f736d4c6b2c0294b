//! Token identities for initial tickets: `PKCS11:` as in MIT's programs, and URIs (RFC 7512).

use std::path::Path;

use tagwise_codec::text::hex;
use tagwise_crypto::pkcs11::Module;
use tagwise_crypto::{Error, ErrorKind};
use tagwise_krb5::client::Identity;
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs11::Pkcs11Uri;

use crate::shared::output::Failure;
use crate::shared::passphrase::PassphraseArgs;

/// A PKCS #11 module, and the selection of a certificate in its tokens.
#[derive(Debug)]
struct TokenSelector {
    module: Option<String>,
    uri: Pkcs11Uri,
}

/// Returns whether an identity is stored in a token.
pub(super) fn is_token(name: &str) -> bool {
    name.starts_with("PKCS11:") || name.starts_with("pkcs11:")
}

/// Parses `[module_name=]MODULE[:slotid=N][:token=LABEL][:certid=HEX][:certlabel=LABEL]`.
fn of_attributes(text: &str) -> Result<TokenSelector, String> {
    let mut place = TokenSelector { module: None, uri: Pkcs11Uri::default() };
    for (at, part) in text.split(':').enumerate() {
        match part.split_once('=') {
            None if at == 0 && !part.is_empty() => place.module = Some(part.to_owned()),
            Some(("module_name", value)) => place.module = Some(value.to_owned()),
            Some(("slotid", value)) => {
                let number = value.parse().ok();
                place.uri.slot_id = Some(number.ok_or_else(|| format!("slotid: expected a number, found {value}"))?);
            }
            Some(("token", value)) => place.uri.token = Some(value.to_owned()),
            Some(("certlabel", value)) => place.uri.object = Some(value.to_owned()),
            Some(("certid", value)) => {
                let id = hex::decode(value.as_bytes()).ok();
                let id = id.ok_or_else(|| format!("certid: expected hexadecimal digits, found {value}"))?;
                place.uri.id = Some(id);
            }
            _ => {
                return Err(format!("{part}: expected module_name=, slotid=, token=, certid= or certlabel="));
            }
        }
    }
    Ok(place)
}

/// Reads a certificate and its key from a token.
pub(super) fn read(name: &str, passphrase: &PassphraseArgs) -> Result<Identity, Failure> {
    let usage = |text: String| Failure::usage(format!("{}: {}", visible(&name), visible(&text)));
    let place = match name.strip_prefix("PKCS11:") {
        Some(attributes) => of_attributes(attributes).map_err(usage)?,
        None => {
            let uri = name.parse().map_err(|error: tagwise_pkix::pkcs11::Pkcs11UriError| usage(error.to_string()))?;
            TokenSelector { module: None, uri }
        }
    };
    let failed = |error: Error| Failure::negative(format!("{}: {}", visible(&shown(name)), visible(&error)));
    let module = match &place.module {
        Some(path) => Module::load(Path::new(path)),
        None => Module::of_uri(&place.uri),
    };
    let module = module.map_err(failed)?;
    let certificate = module.certificate(&place.uri).map_err(failed)?;
    // The certificate's label is not its key's; their identifiers are the same.
    let mut uri = place.uri.clone();
    if !certificate.id.is_empty() {
        (uri.object, uri.id) = (None, Some(certificate.id));
    }
    let mut refused = None;
    let pin = |token: &str| {
        passphrase.password(&format!("PIN of {}: ", visible(&token))).map_err(|failure| {
            refused = Some(failure);
            Error::new(ErrorKind::Failed, "the PIN")
        })
    };
    match module.private_key(&uri, pin) {
        Ok(key) => Identity::new(key, certificate.der, []).map_err(failed),
        Err(error) => Err(refused.unwrap_or_else(|| failed(error))),
    }
}

/// Returns the name without a PIN, for messages.
fn shown(name: &str) -> String {
    let (path, query) = name.split_once('?').unwrap_or((name, ""));
    let kept: Vec<&str> = query.split('&').filter(|part| !part.is_empty() && !part.starts_with("pin-value=")).collect();
    match kept.is_empty() {
        true => path.to_owned(),
        false => format!("{path}?{}", kept.join("&")),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn attributes() {
        let place = of_attributes("/usr/lib/softhsm/libsofthsm2.so:slotid=5:token=My token:certid=0aFF").unwrap();
        assert_eq!(place.module.as_deref(), Some("/usr/lib/softhsm/libsofthsm2.so"));
        assert_eq!((place.uri.slot_id, place.uri.token.as_deref()), (Some(5), Some("My token")));
        assert_eq!((place.uri.id, place.uri.object), (Some(vec![0x0A, 0xFF]), None));
        let place = of_attributes("module_name=p11.so:certlabel=alice").unwrap();
        assert_eq!((place.module.as_deref(), place.uri.object.as_deref()), (Some("p11.so"), Some("alice")));
        for (text, wanted) in [
            ("p11.so:slotid=x", "slotid: expected a number"),
            ("p11.so:certid=0", "certid: expected hexadecimal"),
            ("p11.so:key=1", "expected module_name="),
            ("p11.so:other", "expected module_name="),
            ("", "expected module_name="),
        ] {
            let error = of_attributes(text).unwrap_err();
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }

    #[test]
    fn no_pin_is_shown() {
        let name = "pkcs11:token=t?pin-value=1234&module-name=m";
        assert_eq!(shown(name), "pkcs11:token=t?module-name=m");
        assert_eq!(shown("pkcs11:token=t?pin-value=1234"), "pkcs11:token=t");
    }
}

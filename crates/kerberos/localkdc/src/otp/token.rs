//! A user's tokens in the string attribute `otp`, and the verifying servers in the section `[otp]`, as documented by
//! MIT.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use zeroize::Zeroizing;

/// The token type of a token that does not specify one.
const DEFAULT: &str = "DEFAULT";
/// The maximum number of a user's tokens.
const MOST_TOKENS: usize = 16;
/// The maximum timeout for a verdict.
const MAX_TIMEOUT: u64 = 600;
/// The maximum size of a secret file.
const MAX_SECRET: u64 = 1024;

/// A user's token.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Token {
    /// The token type, which is the name of a subsection of `[otp]`.
    #[serde(default = "default_kind", rename = "type")]
    pub(crate) kind: String,
    /// The name to send to the server in place of the principal's.
    pub(crate) username: Option<String>,
    /// Authentication indicators that replace the token type's.
    pub(crate) indicators: Option<Vec<String>>,
}

fn default_kind() -> String {
    DEFAULT.to_owned()
}

/// Parses the string attribute. An empty list, or no text, means a single token of the default type.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let default = || vec![Token { kind: default_kind(), username: None, indicators: None }];
    if text.trim().is_empty() {
        return Ok(default());
    }
    let tokens: Vec<Token> =
        serde_json::from_str(text).map_err(|error| format!("malformed string attribute `otp`: {error}"))?;
    match tokens.len() {
        0 => Ok(default()),
        count if count > MOST_TOKENS => Err(format!("the string attribute `otp` has more than {MOST_TOKENS} tokens")),
        _ => Ok(tokens),
    }
}

/// A token type and the RADIUS server that checks it.
#[derive(Debug)]
pub(crate) struct TokenType {
    /// The path of the UNIX socket.
    pub(crate) server: PathBuf,
    /// The maximum time to wait for a verdict.
    pub(crate) timeout: Duration,
    /// True to send the name to the server without the realm.
    pub(crate) strip_realm: bool,
    /// The authentication indicator.
    pub(crate) indicator: Option<String>,
    /// The secret shared with the server.
    pub(crate) secret: Zeroizing<Vec<u8>>,
}

impl TokenType {
    /// Reads a token type from the configuration. `values` returns the values of a relation in the type's subsection.
    pub(crate) fn read<E: std::fmt::Display>(
        name: &str,
        values: impl Fn(&str) -> Result<Vec<String>, E>,
    ) -> Result<Self, String> {
        let last = |key: &str| {
            let found = values(key).map_err(|error| format!("[otp] {name} {key}: {error}"))?;
            Ok::<_, String>(found.into_iter().next())
        };
        let server = last("server")?.ok_or_else(|| format!("[otp] has no server for tokens of type {name:?}"))?;
        if !server.starts_with('/') {
            return Err(format!("[otp] {name} server: must be the path of a UNIX socket, found {server:?}"));
        }
        let seconds = match last("timeout")? {
            None => 5,
            Some(text) => match text.parse::<u64>() {
                Ok(seconds) if (1..=MAX_TIMEOUT).contains(&seconds) => seconds,
                _ => return Err(format!("[otp] {name} timeout: must be 1 to {MAX_TIMEOUT} seconds, found {text:?}")),
            },
        };
        let strip_realm = match last("strip_realm")?.map(|text| text.to_ascii_lowercase()).as_deref() {
            None | Some("true" | "t" | "yes" | "y" | "on" | "1") => true,
            Some("false" | "nil" | "f" | "no" | "n" | "off" | "0") => false,
            Some(other) => return Err(format!("[otp] {name} strip_realm: must be true or false, found {other:?}")),
        };
        let secret = match last("secret")? {
            None => Zeroizing::default(),
            Some(path) => secret(&path).map_err(|error| format!("[otp] {name} secret: {path}: {error}"))?,
        };
        let timeout = Duration::from_secs(seconds);
        Ok(Self { server: server.into(), timeout, strip_realm, indicator: last("indicator")?, secret })
    }
}

/// Reads the secret from a file, without surrounding whitespace.
fn secret(path: &str) -> std::io::Result<Zeroizing<Vec<u8>>> {
    use std::io::Read as _;
    let mut bytes = Zeroizing::new(Vec::with_capacity(usize::try_from(MAX_SECRET).unwrap_or(0)));
    std::fs::File::open(path)?.take(MAX_SECRET).read_to_end(&mut bytes)?;
    Ok(Zeroizing::new(bytes.trim_ascii().to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_as_mit_documents_them() {
        let read =
            |text: &str| tokens(text).map(|tokens| tokens.into_iter().map(|token| token.kind).collect::<Vec<_>>());
        for text in ["", " ", "[]", "[{}]"] {
            assert_eq!(read(text).unwrap(), [DEFAULT], "{text:?}");
        }
        let both = tokens(r#"[{"type":"localkdc","indicators":["a","b"]},{"type":"x","username":"ann"}]"#).unwrap();
        assert_eq!(both[0].indicators.as_deref().unwrap(), ["a", "b"]);
        assert_eq!(both[1].username.as_deref(), Some("ann"));
        for text in ["{}", "[", r#"[{"typ":"x"}]"#, r#"[{"type":5}]"#, &format!("[{}{{}}]", "{},".repeat(16))] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn kinds_are_read_from_the_configuration() {
        let of = |pairs: &'static [(&str, &str)]| {
            TokenType::read("x", move |key| {
                let values = pairs.iter().filter(|(name, _)| *name == key).map(|(_, value)| (*value).to_owned());
                Ok::<_, String>(values.collect())
            })
        };
        let kind = of(&[("server", "/run/x"), ("timeout", "20"), ("strip_realm", "false"), ("indicator", "strong")]);
        let kind = kind.unwrap();
        assert_eq!((kind.timeout, kind.strip_realm), (Duration::from_secs(20), false));
        assert_eq!((kind.indicator.as_deref(), kind.server.to_str()), (Some("strong"), Some("/run/x")));
        assert!(of(&[("server", "/run/x")]).unwrap().strip_realm);
        for (pairs, why) in [
            (&[][..], "no server for tokens of type \"x\""),
            (&[("server", "localhost:1812")], "path of a UNIX socket"),
            (&[("server", "/x"), ("timeout", "0")], "1 to 600"),
            (&[("server", "/x"), ("timeout", "5m")], "1 to 600"),
            (&[("server", "/x"), ("strip_realm", "perhaps")], "true or false"),
            (&[("server", "/x"), ("secret", "/nowhere/s")], "/nowhere/s"),
        ] {
            let said = of(pairs).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }
}

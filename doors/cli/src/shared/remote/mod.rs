//! Servers as inputs of `tagwise show` and `tagwise check`: the certificates that a server sends in a TLS handshake, and the verdict on
//! them.
//!
//! The handshake continues regardless of what the server sends, so that bad certificates can be shown. `tagwise-path`
//! decides the verdict. The time and the number of bytes are limited.
#![cfg_attr(not(feature = "tls"), allow(dead_code, reason = "nothing is fetched then"))]

#[cfg(feature = "tls")]
mod handshake;
#[cfg(feature = "tls")]
mod starttls;
#[cfg(feature = "tls")]
mod stream;
mod target;

use std::borrow::Cow;
use std::time::Duration;

pub(crate) use target::{Target, target};

use tagwise_input::ValueKind;
use tagwise_input::{Content, Found, InputForm, InputItem};

/// A TLS session's parameters and the server's certificates.
#[derive(Debug)]
pub(crate) struct Session {
    /// The certificates in DER, as received.
    pub(crate) certificates: Vec<Vec<u8>>,
    /// The stapled OCSP response. Empty if there is none.
    pub(crate) stapled: Vec<u8>,
    /// The TLS version, if it was negotiated.
    pub(crate) version: Option<String>,
    /// The cipher suite.
    pub(crate) suite: Option<String>,
    /// The key exchange group.
    pub(crate) group: Option<String>,
    /// The reason why the handshake was not completed.
    pub(crate) broken_off: Option<String>,
    /// The server's proof of possession of its certificate's private key.
    pub(crate) key: Key,
}

/// Proof of possession of the certificate's private key: the signature in the handshake (RFC 8446 §4.4.3, RFC 5246 §7.4.3).
#[derive(Debug, Default)]
pub(crate) enum Key {
    /// The server sent no signature, so it has not proved that it holds the private key.
    #[default]
    Unproven,
    /// The signature is invalid, for the given reason.
    Wrong(String),
    /// The signature is valid.
    Proven,
}

impl Session {
    /// Returns the certificates as an input of `show`.
    pub(crate) fn found(&self) -> Found<'_> {
        let item = |der| InputItem {
            content: Content::Kind(ValueKind::Certificate),
            der: Cow::Borrowed(der),
            label: None,
            line: None,
            offset: 0,
            entry: None,
            problem: None,
            foreign: None,
            notes: Vec::new(),
            ber: false,
        };
        Found { form: InputForm::Tls, items: self.certificates.iter().map(|der| item(der.as_slice())).collect() }
    }
}

/// Fetches a server's certificates.
///
/// # Errors
/// Returns an error message if the server sends none.
#[cfg(feature = "tls")]
pub(crate) fn fetch(target: &Target, timeout: Duration) -> Result<Session, String> {
    let mut stream = stream::connect(target, timeout)?;
    starttls::start(target.protocol, &mut stream)?;
    handshake::run(target, &mut stream)
}

/// Reports that this command was built without TLS.
///
/// # Errors
/// Always returns an error.
#[cfg(not(feature = "tls"))]
pub(crate) fn fetch(_: &Target, _: Duration) -> Result<Session, String> {
    Err("this command was built without the feature tls".to_owned())
}

//! Servers as inputs of `tagwise show`, `verify`, `check`, `get` and `convert`: the certificates that one sends in a TLS handshake, and the verdict on them.
//!
//! The handshake continues regardless of what the server sends, so that bad certificates can be shown. `tagwise-path`
//! decides the verdict. The time and the number of bytes are limited.
#![cfg_attr(not(feature = "tls"), allow(dead_code, reason = "nothing is fetched then"))]

#[cfg(feature = "tls")]
mod handshake;
#[cfg(feature = "tls")]
mod identity;
#[cfg(feature = "tls")]
mod legacy;
#[cfg(feature = "tls")]
mod starttls;
#[cfg(feature = "tls")]
mod stream;
mod target;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) use target::{Target, target};

use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};
use tagwise_input::ValueKind;
use tagwise_input::{Content, Found, InputForm, InputItem};
use tagwise_path::ExpectedName;
use tagwise_pkix::name::visible;
use tagwise_pkix::oids::files::label;

/// The options for connecting to servers.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ConnectArgs {
    /// Time to wait for a server, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600), help_heading = "Servers")]
    timeout: u64,
    /// Send this name to servers (SNI), and expect it in the certificate, instead of the host in the address
    #[arg(long, value_name = "NAME", value_parser = server_name, help_heading = "Servers")]
    servername: Option<ExpectedName>,
    /// Present this certificate to servers that request one; others in the file are sent with it
    #[arg(long, value_name = "FILE", help_heading = "Servers", alias = "client-cert")]
    client_certificate: Option<PathBuf>,
    /// The private key of the client's certificate [default: the key in its file]
    #[arg(long, value_name = "FILE", requires = "client_certificate", help_heading = "Servers")]
    client_key: Option<PathBuf>,
    /// Read the passphrase of the client's key from the first line of this file
    #[arg(long, value_name = "FILE", requires = "client_certificate", help_heading = "Servers")]
    client_passphrase_file: Option<PathBuf>,
}

impl ConnectArgs {
    /// The time to wait for a server.
    pub(crate) const fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// The name that a server is addressed by, and that its certificate must contain.
    pub(crate) fn name_for<'t>(&'t self, target: &'t Target) -> &'t ExpectedName {
        self.servername.as_ref().unwrap_or(&target.name)
    }
}

fn server_name(text: &str) -> Result<ExpectedName, String> {
    ExpectedName::dns(text).map_err(|error| error.to_string())
}

/// Parses an argument that is a file, or the address of a server, which is checked.
///
/// # Errors
/// Returns an error for a malformed address.
pub(crate) fn file_or_server(path: PathBuf) -> Result<PathBuf, String> {
    match target(&path) {
        Some(Err(problem)) => Err(problem),
        _ => Ok(path),
    }
}

/// The certificates that a server has sent, and their connection.
#[derive(Debug, Default)]
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
    /// The use of the client's certificate.
    pub(crate) client: Client,
}

/// The use of the client's certificate in a handshake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Client {
    /// The server did not request one.
    #[default]
    NotRequested,
    /// The server requested one, but none was sent.
    Requested,
    /// The server requested one, and it was sent. The server may reject it after the handshake.
    Sent,
}

impl Client {
    /// The stable name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::NotRequested => "not-requested",
            Self::Requested => "requested",
            Self::Sent => "sent",
        }
    }
}

/// Proof of possession of the certificate's private key: the signature in the handshake (RFC 8446 §4.4.3, RFC 5246 §7.4.3).
#[derive(Debug, Default)]
pub(crate) enum Key {
    /// The server sent no signature, so it has not proved that it holds the private key.
    #[default]
    Unproven,
    /// The signature is invalid, for the given reason.
    Wrong(String),
    /// It is not known, because the handshake with this server is not supported; the text contains the reason.
    Unsupported(String),
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

/// Reads a file. Of a server, the certificates that it sends are returned in PEM, without judging them.
///
/// # Errors
/// Returns an error if the file cannot be read, or the server sends no certificate.
pub(crate) fn load(context: &Context, path: &Path, connect: &ConnectArgs) -> Result<Vec<u8>, Failure> {
    let Some(target) = target(path) else {
        return context.load(path).map_err(|error| Failure::file(path, "read", &error));
    };
    let session = target.and_then(|target| fetch(context, &target, connect));
    let session = session.map_err(|why| Failure::Said(3, format!("{}: {}", name_of(path), visible(&why))))?;
    let blocks: Result<String, _> =
        session.certificates.iter().map(|der| tagwise_codec::pem::encode(label::CERTIFICATE, der)).collect();
    blocks.map(String::into_bytes).map_err(|error| Failure::negative(format!("{}: {error}", name_of(path))))
}

/// Fetches a server's certificates.
///
/// # Errors
/// Returns an error message if the server sends none, or the client's key cannot be read.
#[cfg(feature = "tls")]
pub(crate) fn fetch(context: &Context, target: &Target, connect: &ConnectArgs) -> Result<Session, String> {
    use crate::shared::output::reason;
    let identity = connect.client_certificate.as_deref().map(|certificate| {
        let passphrase = connect.client_passphrase_file.as_deref();
        identity::Identity::read(context, certificate, connect.client_key.as_deref(), passphrase).map_err(|failure| {
            match failure {
                Failure::Said(_, text) => text,
                Failure::Output(error) => reason(&error),
            }
        })
    });
    let identity = identity.transpose()?;
    let name = connect.name_for(target);
    let deadline = std::time::Instant::now() + connect.timeout();
    let open = || {
        let mut stream = stream::connect(target, deadline)?;
        starttls::start(target.protocol, &target::host_of(name), &mut stream)?;
        Ok::<_, String>(stream)
    };
    handshake::run(name, identity.as_ref(), &mut open()?).or_else(|failed| {
        // Old servers are found by what they answer to an old client.
        let old = match failed.may_be_old {
            true => open().and_then(|mut stream| legacy::run(name, &mut stream, &failed.text)),
            false => Ok(None),
        };
        old.ok().flatten().ok_or(failed.text)
    })
}

/// Reports that this command was built without TLS.
///
/// # Errors
/// Always returns an error.
#[cfg(not(feature = "tls"))]
pub(crate) fn fetch(_: &Context, _: &Target, _: &ConnectArgs) -> Result<Session, String> {
    Err("this command was built without the feature tls".to_owned())
}

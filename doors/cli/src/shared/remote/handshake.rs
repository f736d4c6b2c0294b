//! A TLS handshake that records what the server sends, and continues even if the certificates are bad.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use rustls::client::ResolvesClientCert;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme};
use tagwise_path::ExpectedName;
use tagwise_pkix::name::visible;
use tagwise_rustls::Handshake;

use super::identity::Identity;
use super::target::host_of;
use super::{Client, Key, Session};
use crate::shared::output::reason;

/// The data recorded in a handshake: the certificates, the stapled response and the result of verifying the signature.
#[derive(Debug, Default)]
struct Notes {
    certificates: Vec<Vec<u8>>,
    stapled: Vec<u8>,
    key: Key,
    client: Client,
}

/// A certificate verifier that accepts and records everything.
#[derive(Debug)]
struct Recorder {
    notes: Mutex<Notes>,
    handshake: Handshake,
    /// The client's certificate and key, if there are any.
    identity: Option<Arc<CertifiedKey>>,
}

impl Recorder {
    fn note(&self, note: impl FnOnce(&mut Notes)) {
        note(&mut self.notes.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn signature(&self, checked: Result<(), Error>) -> Result<HandshakeSignatureValid, Error> {
        self.note(|notes| notes.key = checked.map_or_else(|error| Key::Wrong(error.to_string()), |()| Key::Proven));
        Ok(HandshakeSignatureValid::assertion())
    }
}

impl ServerCertVerifier for Recorder {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        ocsp_response: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let sent = core::iter::once(end_entity).chain(intermediates).map(|der| der.to_vec()).collect();
        self.note(|notes| {
            notes.certificates = sent;
            notes.stapled = ocsp_response.to_vec();
        });
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signature(self.handshake.verify_tls12(message, cert, dss))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signature(self.handshake.verify_tls13(message, cert, dss))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.handshake.schemes()
    }
}

impl ResolvesClientCert for Recorder {
    fn resolve(&self, _: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        // Without a scheme in common, no certificate is sent (RFC 8446 §4.4.2).
        let identity = self.identity.clone().filter(|identity| identity.key.choose_scheme(schemes).is_some());
        self.note(|notes| notes.client = if identity.is_some() { Client::Sent } else { Client::Requested });
        identity
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// A stream whose first byte from the server must begin a record of TLS: an alert or a handshake message (RFC 8446 §5.1). Plaintext
/// that was sent ahead of the handshake is found here.
struct TlsOnly<'s, S> {
    stream: &'s mut S,
    has_begun: bool,
}

impl<S: Read> Read for TlsOnly<'_, S> {
    fn read(&mut self, octets: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(octets)?;
        if !self.has_begun && read > 0 {
            self.has_begun = true;
            if !matches!(octets.first(), Some(21 | 22)) {
                return Err(io::Error::new(io::ErrorKind::Unsupported, "the server sent plaintext instead of TLS"));
            }
        }
        Ok(read)
    }
}

impl<S: Write> Write for TlsOnly<'_, S> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.stream.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// A handshake that failed before the server sent its certificates.
pub(super) struct Failed {
    pub(super) text: String,
    /// True if the server may support only older versions or other cipher suites.
    pub(super) may_be_old: bool,
}

impl From<String> for Failed {
    fn from(text: String) -> Self {
        Self { text, may_be_old: false }
    }
}

/// Returns whether a server that supports only older versions or other cipher suites may have caused an error.
fn may_be_old(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, UnexpectedEof};
    let tls = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
    matches!(tls, Some(Error::AlertReceived(_) | Error::PeerIncompatible(_) | Error::PeerMisbehaved(_)))
        || matches!(error.kind(), ConnectionAborted | ConnectionReset | UnexpectedEof)
}

/// Runs a handshake. `name` is sent to the server, and `identity` if the server requests a certificate.
///
/// # Errors
/// Returns a description if the handshake ends before the server has sent its certificates.
pub(super) fn run(
    name: &ExpectedName,
    identity: Option<&Identity>,
    stream: &mut (impl Read + Write),
) -> Result<Session, Failed> {
    let said = |error: Error| visible(&error).to_string();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let handshake = Handshake::new(provider.signature_verification_algorithms);
    let identity = identity.map(|identity| {
        let key = PrivateKeyDer::Pkcs8(identity.key().to_vec().into());
        let chain = identity.chain.iter().map(|der| CertificateDer::from(der.clone())).collect();
        let unusable = |error| format!("the client's key cannot be used for TLS: {}", said(error));
        Ok::<_, String>(Arc::new(CertifiedKey::new(
            chain,
            provider.key_provider.load_private_key(key).map_err(unusable)?,
        )))
    });
    let recorder = Arc::new(Recorder { notes: Mutex::default(), handshake, identity: identity.transpose()? });
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(said)?
        .dangerous()
        .with_custom_certificate_verifier(recorder.clone())
        .with_client_cert_resolver(recorder.clone());
    let name = match name {
        ExpectedName::Ip(address) => ServerName::IpAddress((*address).into()),
        _ => ServerName::try_from(host_of(name)).map_err(|error| error.to_string())?,
    };
    let mut connection = ClientConnection::new(Arc::new(config), name).map_err(said)?;
    let stream = &mut TlsOnly { stream, has_begun: false };
    let mut broken_off = None;
    let mut is_old = false;
    while connection.is_handshaking() && broken_off.is_none() {
        broken_off = match connection.complete_io(stream) {
            // At the end of the input it neither reads nor writes.
            Ok((0, 0)) => {
                is_old = true;
                Some("the server closed the connection".to_owned())
            }
            Ok(_) => None,
            // An error of TLS comes as one of I/O, with the alert written.
            Err(error) => {
                is_old = may_be_old(&error);
                Some(reason(&error))
            }
        };
    }
    if broken_off.is_none() {
        connection.send_close_notify();
        // The server need not wait for it.
        let _ = connection.write_tls(stream);
    }
    let notes = recorder.notes.lock().map(|mut notes| core::mem::take(&mut *notes));
    let notes = notes.unwrap_or_else(|poisoned| core::mem::take(&mut *poisoned.into_inner()));
    if notes.certificates.is_empty() {
        let text = broken_off.unwrap_or_else(|| "the server sent no certificate".to_owned());
        return Err(Failed { text, may_be_old: is_old });
    }
    let name = |name: Option<&str>| name.map(str::to_owned);
    Ok(Session {
        certificates: notes.certificates,
        stapled: notes.stapled,
        version: connection
            .protocol_version()
            .and_then(|version| name(version.as_str()))
            .map(|text| text.replace("TLSv1_", "TLS 1.")),
        suite: connection.negotiated_cipher_suite().and_then(|suite| name(suite.suite().as_str())),
        group: connection.negotiated_key_exchange_group().and_then(|group| name(group.name().as_str())),
        broken_off,
        key: notes.key,
        client: notes.client,
    })
}

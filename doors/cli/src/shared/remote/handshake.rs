//! A TLS handshake that records what the server sends, and continues even if the certificates are bad.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme};
use tagwise_path::ExpectedName;
use tagwise_pkix::name::visible;
use tagwise_rustls::Handshake;

use super::target::Target;
use super::{Key, Session};
use crate::shared::output::reason;

/// The data recorded in a handshake: the certificates, the stapled response and the result of verifying the signature.
#[derive(Debug, Default)]
struct Notes {
    certificates: Vec<Vec<u8>>,
    stapled: Vec<u8>,
    key: Key,
}

/// A certificate verifier that accepts and records everything.
#[derive(Debug)]
struct Recorder {
    notes: Mutex<Notes>,
    handshake: Handshake,
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

/// Runs a handshake.
///
/// # Errors
/// Returns a description if the handshake ends before the server has sent its certificates.
pub(super) fn run(target: &Target, stream: &mut (impl Read + Write)) -> Result<Session, String> {
    let said = |error: Error| visible(&error).to_string();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let handshake = Handshake::new(provider.signature_verification_algorithms);
    let recorder = Arc::new(Recorder { notes: Mutex::default(), handshake });
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(said)?
        .dangerous()
        .with_custom_certificate_verifier(recorder.clone())
        .with_no_client_auth();
    let name = match &target.name {
        ExpectedName::Ip(address) => ServerName::IpAddress((*address).into()),
        _ => ServerName::try_from(target.host()).map_err(|error| error.to_string())?,
    };
    let mut connection = ClientConnection::new(Arc::new(config), name).map_err(said)?;
    let mut broken_off = None;
    while connection.is_handshaking() && broken_off.is_none() {
        broken_off = match connection.complete_io(stream) {
            // At the end of the input it neither reads nor writes.
            Ok((0, 0)) => Some("the server closed the connection".to_owned()),
            Ok(_) => None,
            // An error of TLS comes as one of I/O, with the alert written.
            Err(error) => Some(reason(&error)),
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
        return Err(broken_off.unwrap_or_else(|| "the server sent no certificate".to_owned()));
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
    })
}

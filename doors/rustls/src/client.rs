//! A verifier for client certificates, used by servers.

use std::fmt::Debug;

use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{DigitallySignedStruct, DistinguishedName, Error, SignatureScheme};
use tagwise_codec::encode;
use tagwise_path::{Anchor, Verifier};

use crate::handshake::Handshake;
use crate::judge::Judge;

/// A client certificate verifier. Clients must send a certificate unless it is [`optional`](Self::optional).
///
/// Names are not compared: the client's identity comes from its certificate, returned by
/// [`peer_certificates`](rustls::CommonState::peer_certificates).
///
/// ```
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_path::{Anchors, CryptoVerifier, Policy, Profile};
/// use tagwise_pkix::{UnixTime, oids};
/// use tagwise_rustls::{ClientVerifier, Judge};
///
/// static BACKEND: AwsLc = AwsLc::new();
/// let provider = rustls::crypto::aws_lc_rs::default_provider();
/// let mut policy = Policy::new(&Profile::RFC5280, UnixTime(0));
/// policy.require_purpose(oids::KP_CLIENT_AUTH);
/// let judge = Judge::new(Anchors::new(), policy, CryptoVerifier(&BACKEND));
/// let verifier = ClientVerifier::new(judge, &provider).optional();
/// # let _ = verifier;
/// ```
#[derive(Clone, Debug)]
pub struct ClientVerifier<V> {
    judge: Judge<V>,
    handshake: Handshake,
    hints: Vec<DistinguishedName>,
    mandatory: bool,
}

impl<V: Verifier> ClientVerifier<V> {
    /// Creates a verifier. The judge's policy should require the purpose `clientAuth`, unless the application requires a
    /// different purpose.
    #[must_use]
    pub fn new(judge: Judge<V>, provider: &CryptoProvider) -> Self {
        let name = |anchor: &Anchor| encode(&anchor.name()).ok().map(DistinguishedName::from);
        let hints = judge.anchors.iter().filter_map(name).collect();
        let handshake = Handshake::new(provider.signature_verification_algorithms);
        Self { judge, handshake, hints, mandatory: true }
    }

    /// Accepts clients without a certificate. If one is sent, it must still be valid.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.mandatory = false;
        self
    }

    /// Does not send the anchors' names to clients, some of which use them to select a certificate. Useful if there are very
    /// many anchors, or if they are confidential.
    #[must_use]
    pub fn without_hints(mut self) -> Self {
        self.hints.clear();
        self
    }
}

impl<V: Verifier + Debug + Send + Sync> ClientCertVerifier for ClientVerifier<V> {
    fn client_auth_mandatory(&self) -> bool {
        self.mandatory
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &self.hints
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.judge.judge(end_entity, intermediates, Vec::new(), None, now)?;
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.handshake.verify_tls12(message, cert, dss).map(|()| HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.handshake.verify_tls13(message, cert, dss).map(|()| HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.handshake.schemes()
    }
}

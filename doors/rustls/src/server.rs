//! A verifier for server certificates, used by clients.

use std::fmt::Debug;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};
use tagwise_codec::Decode;
use tagwise_path::{ExpectedName, Verifier};
use tagwise_pkix::Certificate;
use tagwise_pkix::ext::SubjectAltName;

use crate::handshake::Handshake;
use crate::judge::Judge;

/// A server certificate verifier.
///
/// The server's name is compared to the alternative names (RFC 9525). A stapled OCSP response becomes evidence, and a
/// certificate that requires one (RFC 7633) is rejected without it.
///
/// ```
/// use std::sync::Arc;
///
/// use rustls::ClientConfig;
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_path::{Anchors, CryptoVerifier, Policy, Profile};
/// use tagwise_pkix::UnixTime;
/// use tagwise_rustls::{Judge, ServerVerifier};
///
/// static BACKEND: AwsLc = AwsLc::new();
/// let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
/// let mut anchors = Anchors::new();
/// anchors.read(b"");
/// // The time is that of each handshake.
/// let policy = Policy::new(&Profile::WEBPKI, UnixTime(0));
/// let verifier = ServerVerifier::new(Judge::new(anchors, policy, CryptoVerifier(&BACKEND)), &provider);
/// let config = ClientConfig::builder_with_provider(provider)
///     .with_safe_default_protocol_versions()?
///     .dangerous()
///     .with_custom_certificate_verifier(Arc::new(verifier))
///     .with_no_client_auth();
/// # let _ = config;
/// # Ok::<(), rustls::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ServerVerifier<V> {
    judge: Judge<V>,
    handshake: Handshake,
}

impl<V: Verifier> ServerVerifier<V> {
    /// Creates a verifier. The judge's policy should be for servers, such as
    /// [`Profile::WEBPKI`](tagwise_path::Profile::WEBPKI), or require the purpose `serverAuth`.
    #[must_use]
    pub fn new(judge: Judge<V>, provider: &CryptoProvider) -> Self {
        Self { judge, handshake: Handshake::new(provider.signature_verification_algorithms) }
    }
}

/// Returns a certificate's alternative names in readable form.
fn presented(certificate: &[u8]) -> Vec<String> {
    let Ok(read) = Certificate::outline(certificate) else { return Vec::new() };
    let names = read.tbs_certificate.extensions.and_then(|extensions| extensions.get::<SubjectAltName<'_>>().ok()?);
    names.iter().flat_map(|names| names.0.iter()).map_while(Result::ok).map(|name| name.to_string()).collect()
}

impl<V: Verifier + Debug + Send + Sync> ServerCertVerifier for ServerVerifier<V> {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let name = match server_name {
            ServerName::DnsName(host) => {
                ExpectedName::dns(host.as_ref()).map_err(|_error| CertificateError::NotValidForName)?
            }
            ServerName::IpAddress(address) => ExpectedName::Ip((*address).into()),
            // A name of another kind is not known to be in the certificate.
            _ => return Err(CertificateError::NotValidForName.into()),
        };
        match self.judge.judge(end_entity, intermediates, vec![name], Some(ocsp_response), now) {
            Ok(()) => Ok(ServerCertVerified::assertion()),
            Err(Error::InvalidCertificate(CertificateError::NotValidForName)) => {
                let (expected, presented) = (server_name.to_owned(), presented(end_entity));
                Err(CertificateError::NotValidForNameContext { expected, presented }.into())
            }
            Err(error) => Err(error),
        }
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

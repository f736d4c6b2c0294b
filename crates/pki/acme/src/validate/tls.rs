//! `tls-alpn-01` (RFC 8737), and TLS connections for redirects, whose certificates are not verified.

use std::net::IpAddr;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, PeerIncompatible, SignatureScheme};
use tagwise_codec::Decode;
use tagwise_crypto::{Backend, Digest, PssParameters, Scheme};
use tagwise_pkix::ext::{GeneralName, SubjectAltName};
use tagwise_pkix::{Certificate, oids};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::Validator;
use super::connect::connect;
use crate::authorization::Attempt;
use crate::problem::{Identifier, Kind, Problem};

/// The protocol (RFC 8737 §6.2).
const PROTOCOL: &[u8] = b"acme-tls/1";

/// The configurations of both kinds of connections.
pub(super) struct Configs {
    any: Arc<ClientConfig>,
    alpn: Arc<ClientConfig>,
}

/// Accepts every certificate whose key signed the handshake.
#[derive(Debug)]
struct AnyCertificate(&'static dyn Backend);

fn problem(error: impl std::fmt::Display) -> Problem {
    Problem::new(Kind::Tls, format!("the TLS handshake failed: {error}"))
}

impl Configs {
    pub(super) fn new(backend: &'static dyn Backend) -> Result<Self, String> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = || {
            let builder =
                ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
            let builder = builder.map_err(|error| error.to_string())?.dangerous();
            let mut config =
                builder.with_custom_certificate_verifier(Arc::new(AnyCertificate(backend))).with_no_client_auth();
            config.resumption = rustls::client::Resumption::disabled();
            Ok::<_, String>(config)
        };
        let mut alpn = config()?;
        alpn.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(Self { any: Arc::new(config()?), alpn: Arc::new(alpn) })
    }

    /// Connects for a redirect.
    pub(super) async fn any(&self, stream: TcpStream, host: &Identifier) -> Result<TlsStream<TcpStream>, Problem> {
        let name = ServerName::try_from(host.value.clone()).map_err(problem)?;
        TlsConnector::from(Arc::clone(&self.any)).connect(name, stream).await.map_err(problem)
    }
}

/// The scheme of a handshake signature.
const fn scheme(scheme: SignatureScheme) -> Option<Scheme> {
    Some(match scheme {
        SignatureScheme::ECDSA_NISTP256_SHA256 => Scheme::Ecdsa(Digest::Sha256),
        SignatureScheme::ECDSA_NISTP384_SHA384 => Scheme::Ecdsa(Digest::Sha384),
        SignatureScheme::ECDSA_NISTP521_SHA512 => Scheme::Ecdsa(Digest::Sha512),
        SignatureScheme::ED25519 => Scheme::Ed25519,
        SignatureScheme::RSA_PSS_SHA256 => Scheme::RsaPss(PssParameters::of(Digest::Sha256)),
        SignatureScheme::RSA_PSS_SHA384 => Scheme::RsaPss(PssParameters::of(Digest::Sha384)),
        SignatureScheme::RSA_PSS_SHA512 => Scheme::RsaPss(PssParameters::of(Digest::Sha512)),
        SignatureScheme::RSA_PKCS1_SHA256 => Scheme::RsaPkcs1(Digest::Sha256),
        SignatureScheme::RSA_PKCS1_SHA384 => Scheme::RsaPkcs1(Digest::Sha384),
        SignatureScheme::RSA_PKCS1_SHA512 => Scheme::RsaPkcs1(Digest::Sha512),
        _ => return None,
    })
}

impl AnyCertificate {
    fn verify(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let bad = || rustls::Error::InvalidCertificate(rustls::CertificateError::BadEncoding);
        let unsupported = || rustls::Error::PeerIncompatible(PeerIncompatible::NoSignatureSchemesInCommon);
        let scheme = scheme(signed.scheme).ok_or_else(unsupported)?;
        let certificate = Certificate::from_der(certificate).map_err(|_| bad())?;
        let key = self.0.public_key(&certificate.tbs_certificate.subject_public_key_info).map_err(|_| bad())?;
        key.verify(&scheme, message, signed.signature())
            .map_err(|_| rustls::Error::InvalidCertificate(rustls::CertificateError::BadSignature))?;
        Ok(HandshakeSignatureValid::assertion())
    }
}

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verify(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verify(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![
            SignatureScheme::ECDSA_NISTP256_SHA256,
            SignatureScheme::ECDSA_NISTP384_SHA384,
            SignatureScheme::ECDSA_NISTP521_SHA512,
            SignatureScheme::ED25519,
            SignatureScheme::RSA_PSS_SHA256,
            SignatureScheme::RSA_PSS_SHA384,
            SignatureScheme::RSA_PSS_SHA512,
            SignatureScheme::RSA_PKCS1_SHA256,
            SignatureScheme::RSA_PKCS1_SHA384,
            SignatureScheme::RSA_PKCS1_SHA512,
        ]
    }
}

/// The name of an address in the reverse tree, which SNI contains in its place (RFC 8738 §6).
fn reverse(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => {
            let [a, b, c, d] = address.octets();
            format!("{d}.{c}.{b}.{a}.in-addr.arpa")
        }
        IpAddr::V6(address) => {
            let nibbles = address.octets().into_iter().rev().flat_map(|octet| [octet & 15, octet >> 4]);
            nibbles.fold(String::new(), |name, nibble| name + &format!("{nibble:x}.")) + "ip6.arpa"
        }
    }
}

/// Checks the certificate of a challenge (RFC 8737 §3).
fn check(der: &[u8], identifier: &Identifier, digest: &[u8]) -> Result<(), String> {
    let certificate = Certificate::from_der(der).map_err(|error| format!("the certificate: {error}"))?;
    let malformed = |error: tagwise_codec::Error| format!("the certificate: {error}");
    let names = certificate.extension::<SubjectAltName<'_>>().map_err(malformed)?;
    let names = names.ok_or("the certificate has no subject alternative name")?;
    let mut names = names.0.iter();
    let is_same = match (names.next().transpose().map_err(malformed)?, names.next()) {
        (Some(GeneralName::DnsName(name)), None) => {
            let name = name.as_str().unwrap_or_default();
            identifier.kind == "dns" && name.eq_ignore_ascii_case(&identifier.value)
        }
        (Some(GeneralName::IpAddress(name)), None) => {
            identifier.kind == "ip" && name.addr().is_some_and(|own| own.to_string() == identifier.value)
        }
        _ => false,
    };
    if !is_same {
        return Err("the only subject alternative name must be the identifier (RFC 8737 §3)".to_owned());
    }
    let mut found = certificate.tbs_certificate.extensions.iter().flat_map(|list| list.iter()).map_while(Result::ok);
    let found = found.find(|extension| extension.extn_id == oids::PE_ACME_IDENTIFIER);
    let found = found.ok_or("the certificate has no acmeIdentifier (RFC 8737 §3)")?;
    if !found.critical {
        return Err("the extension acmeIdentifier is not critical (RFC 8737 §3)".to_owned());
    }
    let expected = [&[0x04, 0x20], digest].concat();
    if digest.len() != 32 || found.extn_value.as_bytes() != expected {
        return Err("acmeIdentifier is not the digest of the key authorization (RFC 8737 §3)".to_owned());
    }
    Ok(())
}

impl Validator {
    /// Validates `tls-alpn-01`: a self-signed certificate with the digest of the key authorization.
    pub(super) async fn tls_alpn(&self, attempt: &Attempt) -> Result<(), Problem> {
        let identifier = &attempt.identifier;
        let name = identifier.value.parse().map_or_else(|_| identifier.value.clone(), reverse);
        let name = ServerName::try_from(name).map_err(problem)?;
        let addresses = self.addresses(identifier).await?;
        let stream = connect(&addresses, self.policy.tls_port).await?;
        let stream = TlsConnector::from(Arc::clone(&self.tls.alpn)).connect(name, stream).await.map_err(problem)?;
        let (_, connection) = stream.get_ref();
        let wrong = |what: String| Problem::new(Kind::IncorrectResponse, what);
        if connection.alpn_protocol() != Some(PROTOCOL) {
            return Err(wrong("the server did not select the protocol acme-tls/1 (RFC 8737 §3)".to_owned()));
        }
        let certificate = connection.peer_certificates().and_then(|list| list.first());
        let certificate = certificate.ok_or_else(|| wrong("the server sent no certificate".to_owned()))?;
        check(certificate, identifier, &self.digest(attempt)?).map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reverse_names() {
        assert_eq!(reverse("192.0.2.1".parse().unwrap()), "1.2.0.192.in-addr.arpa");
        let expected = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa";
        assert_eq!(reverse("2001:db8::1".parse().unwrap()), expected);
    }
}

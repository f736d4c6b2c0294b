//! Signatures of handshakes, checked by the algorithms of a provider.

use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::CertificateDer;
use rustls::{CertificateError, DigitallySignedStruct, Error, PeerIncompatible, SignatureScheme};
use tagwise_codec::{Any, Decode, Options, RuleSet, encode};
use tagwise_pkix::ext::KeyUsage;
use tagwise_pkix::{Certificate, SubjectPublicKeyInfo};

/// Checks signatures of handshakes (RFC 8446 §4.4.3, RFC 5246 §7.4.8) by the key in a certificate.
///
/// ```
/// use rustls::SignatureScheme;
/// use tagwise_rustls::Handshake;
/// let provider = rustls::crypto::aws_lc_rs::default_provider();
/// let handshake = Handshake::new(provider.signature_verification_algorithms);
/// assert!(handshake.schemes().contains(&SignatureScheme::ED25519));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Handshake(WebPkiSupportedAlgorithms);

impl Handshake {
    /// Takes the algorithms of a provider: [`CryptoProvider::signature_verification_algorithms`].
    ///
    /// [`CryptoProvider::signature_verification_algorithms`]: rustls::crypto::CryptoProvider::signature_verification_algorithms
    #[must_use]
    pub const fn new(algorithms: WebPkiSupportedAlgorithms) -> Self {
        Self(algorithms)
    }

    /// The schemes that signatures are checked by, in order of preference.
    #[must_use]
    pub fn schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }

    /// Checks the signature of a TLS 1.2 handshake.
    ///
    /// # Errors
    /// If it does not verify, its scheme is not supported, or the key may not sign.
    pub fn verify_tls12(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<(), Error> {
        self.verify(message, certificate, signed)
    }

    /// Checks the signature of a TLS 1.3 handshake.
    ///
    /// # Errors
    /// If it does not verify, its scheme is not supported or not one of TLS 1.3, or the key may not sign.
    pub fn verify_tls13(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<(), Error> {
        // RFC 8446 §4.2.3: RSASSA-PKCS1-v1_5 and SHA-1 are for certificates only.
        let old = matches!(
            signed.scheme,
            SignatureScheme::RSA_PKCS1_SHA1
                | SignatureScheme::ECDSA_SHA1_Legacy
                | SignatureScheme::RSA_PKCS1_SHA256
                | SignatureScheme::RSA_PKCS1_SHA384
                | SignatureScheme::RSA_PKCS1_SHA512
        );
        if old {
            return Err(PeerIncompatible::NoSignatureSchemesInCommon.into());
        }
        self.verify(message, certificate, signed)
    }

    fn verify(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<(), Error> {
        let bad = || Error::InvalidCertificate(CertificateError::BadEncoding);
        // The certificate was, or will be, checked in full with its path; the key is all that is needed here.
        let read =
            Options::der().rules(RuleSet::ALL).outline::<Certificate<'_>>(certificate).map_err(|_error| bad())?;
        let tbs = read.value.tbs_certificate;
        // RFC 5280 §4.2.1.3, RFC 8446 §4.4.2.2: with a key usage, digitalSignature is set.
        let usage = match tbs.extensions {
            Some(extensions) => extensions.get::<KeyUsage<'_>>().map_err(|_error| bad())?,
            None => None,
        };
        if usage.is_some_and(|usage| !usage.0.contains(0)) {
            return Err(Error::InvalidCertificate(CertificateError::InvalidPurpose));
        }
        let key = tbs.subject_public_key_info;
        let algorithm = algorithm_content(&key).ok_or_else(bad)?;
        let octets = key.subject_public_key.octets().ok_or_else(bad)?;
        let (_, candidates) = self
            .0
            .mapping
            .iter()
            .find(|(scheme, _)| *scheme == signed.scheme)
            .ok_or(PeerIncompatible::NoSignatureSchemesInCommon)?;
        let mut fits = candidates
            .iter()
            .filter(|candidate| candidate.public_key_alg_id().as_ref() == algorithm.as_slice())
            .peekable();
        if fits.peek().is_none() {
            return Err(PeerIncompatible::NoSignatureSchemesInCommon.into());
        }
        if fits.any(|candidate| candidate.verify_signature(octets, message, signed.signature()).is_ok()) {
            return Ok(());
        }
        Err(Error::InvalidCertificate(CertificateError::BadSignature))
    }
}

/// The content octets of an AlgorithmIdentifier, which is how providers name the kind of a key.
fn algorithm_content(key: &SubjectPublicKeyInfo<'_>) -> Option<Vec<u8>> {
    let der = encode(&key.algorithm).ok()?;
    Some(Any::from_der(&der).ok()?.content().to_vec())
}

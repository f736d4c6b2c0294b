//! Verifies handshake signatures with a provider's algorithms.

use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::CertificateDer;
use rustls::{CertificateError, DigitallySignedStruct, Error, PeerIncompatible, SignatureScheme};
use tagwise_codec::{Any, Decode, Oid, Options, RuleSet, encode};
use tagwise_pkix::ext::KeyUsage;
use tagwise_pkix::{Certificate, SubjectPublicKeyInfo, oids};

/// Verifies handshake signatures (RFC 8446 §4.4.3, RFC 5246 §7.4.8) with a certificate's key.
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
    /// Creates a verifier with a provider's algorithms: [`CryptoProvider::signature_verification_algorithms`].
    ///
    /// [`CryptoProvider::signature_verification_algorithms`]: rustls::crypto::CryptoProvider::signature_verification_algorithms
    #[must_use]
    pub const fn new(algorithms: WebPkiSupportedAlgorithms) -> Self {
        Self(algorithms)
    }

    /// Returns the supported signature schemes, in order of preference.
    #[must_use]
    pub fn schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }

    /// Verifies a TLS 1.2 handshake signature.
    ///
    /// An ECDSA key may use any curve that the provider supports with the scheme's digest (RFC 8422 §5.4: the scheme
    /// does not determine the curve).
    ///
    /// # Errors
    /// Returns an error if the signature is invalid, its scheme is not supported or not valid for TLS 1.2, or the key may not
    /// sign.
    pub fn verify_tls12(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<(), Error> {
        use SignatureScheme as Scheme;
        let is_of_it = matches!(
            signed.scheme,
            Scheme::RSA_PKCS1_SHA256
                | Scheme::RSA_PKCS1_SHA384
                | Scheme::RSA_PKCS1_SHA512
                | Scheme::ECDSA_NISTP256_SHA256
                | Scheme::ECDSA_NISTP384_SHA384
                | Scheme::ECDSA_NISTP521_SHA512
                | Scheme::RSA_PSS_SHA256
                | Scheme::RSA_PSS_SHA384
                | Scheme::RSA_PSS_SHA512
                | Scheme::ED25519
                | Scheme::ED448
        );
        // SHA-1 (RFC 9155), and what came later: ML-DSA is for TLS 1.3 alone (draft-ietf-tls-mldsa §3).
        if !is_of_it {
            return Err(PeerIncompatible::NoSignatureSchemesInCommon.into());
        }
        self.verify(message, certificate, signed, None)
    }

    /// Verifies a TLS 1.3 handshake signature.
    ///
    /// A scheme determines the algorithm and, for ECDSA, the curve (RFC 8446 §4.2.3).
    ///
    /// # Errors
    /// Returns an error if the signature is invalid, its scheme is not supported or not valid for TLS 1.3, or the key may not
    /// sign.
    pub fn verify_tls13(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<(), Error> {
        use SignatureScheme as Scheme;
        // RFC 8446 §4.2.3: RSASSA-PKCS1-v1_5 and SHA-1 are for certificates only.
        let key = match signed.scheme {
            Scheme::ECDSA_NISTP256_SHA256 => (oids::EC_PUBLIC_KEY, Some(oids::SECP256R1)),
            Scheme::ECDSA_NISTP384_SHA384 => (oids::EC_PUBLIC_KEY, Some(oids::SECP384R1)),
            Scheme::ECDSA_NISTP521_SHA512 => (oids::EC_PUBLIC_KEY, Some(oids::SECP521R1)),
            // rsa_pss_rsae_*: "If the public key is carried in an X.509 certificate, it MUST use the rsaEncryption OID".
            Scheme::RSA_PSS_SHA256 | Scheme::RSA_PSS_SHA384 | Scheme::RSA_PSS_SHA512 => (oids::RSA_ENCRYPTION, None),
            Scheme::ED25519 => (oids::ED25519, None),
            Scheme::ED448 => (oids::ED448, None),
            Scheme::ML_DSA_44 => (oids::ML_DSA_44, None),
            Scheme::ML_DSA_65 => (oids::ML_DSA_65, None),
            Scheme::ML_DSA_87 => (oids::ML_DSA_87, None),
            _ => return Err(PeerIncompatible::NoSignatureSchemesInCommon.into()),
        };
        self.verify(message, certificate, signed, Some(key))
    }

    fn verify(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
        wanted: Option<(Oid<'_>, Option<Oid<'_>>)>,
    ) -> Result<(), Error> {
        let bad = || Error::InvalidCertificate(CertificateError::BadEncoding);
        // The certificate was, or will be, checked in full with its path, by the rules of its policy; the key is all that is needed here.
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
        if wanted.is_some_and(|wanted| !is_of(&key, wanted)) {
            return Err(PeerIncompatible::NoSignatureSchemesInCommon.into());
        }
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

/// Returns whether a key has the given algorithm and, if one is given, the given curve.
fn is_of(key: &SubjectPublicKeyInfo<'_>, (algorithm, curve): (Oid<'_>, Option<Oid<'_>>)) -> bool {
    let own = || key.algorithm.parameters.and_then(|parameters| parameters.decode_as::<Oid<'_>>().ok());
    key.algorithm.algorithm == algorithm && curve.is_none_or(|curve| own() == Some(curve))
}

/// Returns the content bytes of the key's AlgorithmIdentifier, with which providers identify key types.
fn algorithm_content(key: &SubjectPublicKeyInfo<'_>) -> Option<Vec<u8>> {
    let der = encode(&key.algorithm).ok()?;
    Some(Any::from_der(&der).ok()?.content().to_vec())
}

//! The signatures of requests and self-signed certificates, verified with the keys that they contain.

use tagwise_codec::Decode;
use tagwise_input::SignedPublicKeyAndChallenge;
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo};

use super::Scene;
use crate::tree::{Line, Record, Tone, Value};

/// The result of verifying a signature with the public key that the signed value contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelfSignature {
    /// The signature is valid.
    Valid,
    /// The signature is valid, but its algorithm or key is accepted only for legacy data. Contains the reason.
    Weak(String),
    /// The signature is invalid. Contains the reason.
    Invalid(String),
    /// The algorithm is not supported. Contains a description.
    Unknown(String),
}

impl SelfSignature {
    /// Returns the name in JSON: `valid`, `weak`, `invalid` or `unknown`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Weak(_) => "weak",
            Self::Invalid(_) => "invalid",
            Self::Unknown(_) => "unknown",
        }
    }

    /// Returns the reason why the signature is not valid, or `None` if it is.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Valid => None,
            Self::Weak(reason) | Self::Invalid(reason) | Self::Unknown(reason) => Some(reason),
        }
    }
}

/// A function that verifies a signature, given the key, the algorithm, the signed bytes and the signature.
pub type Verify = for<'a> fn(&SubjectPublicKeyInfo<'a>, &AlgorithmIdentifier<'a>, &'a [u8], &'a [u8]) -> SelfSignature;

/// Verifies a signature with the embedded backend. Intended for [`Scene::verify`].
#[cfg(feature = "crypto")]
#[must_use]
pub fn verify<'a>(
    key: &SubjectPublicKeyInfo<'a>,
    algorithm: &AlgorithmIdentifier<'a>,
    message: &'a [u8],
    signature: &'a [u8],
) -> SelfSignature {
    verify_with(&tagwise_crypto::backends::AwsLc::new(), key, algorithm, message, signature)
}

/// Verifies a signature with a backend.
#[cfg(feature = "verify")]
#[must_use]
pub fn verify_with(
    backend: &dyn tagwise_crypto::Backend,
    key: &SubjectPublicKeyInfo<'_>,
    algorithm: &AlgorithmIdentifier<'_>,
    message: &[u8],
    signature: &[u8],
) -> SelfSignature {
    use tagwise_crypto::{ErrorKind, verify, verify_legacy};
    use tagwise_pkix::oids;
    let refused = |error: &tagwise_crypto::Error| match error.kind() {
        // No backend verifies it, because a right signature would prove nothing.
        _ if [oids::MD5_WITH_RSA_ENCRYPTION, oids::MD2_WITH_RSA_ENCRYPTION].contains(&algorithm.algorithm) => {
            let name = oids::lookup(algorithm.algorithm).map_or("its algorithm", |info| info.short_name());
            SelfSignature::Unknown(format!(
                "{name} is refused, because such signatures can be forged (RFC 6149, RFC 6151 §2)"
            ))
        }
        ErrorKind::KeySize => SelfSignature::Unknown(error.to_string()),
        kind if kind.is_unsupported() => SelfSignature::Unknown(error.to_string()),
        _ => SelfSignature::Invalid(error.to_string()),
    };
    match verify(backend, key, algorithm, message, signature) {
        Ok(()) => SelfSignature::Valid,
        Err(error) if error.kind() == ErrorKind::Legacy => {
            match verify_legacy(backend, key, algorithm, message, signature) {
                Ok(()) => SelfSignature::Weak(error.to_string()),
                Err(error) => refused(&error),
            }
        }
        Err(error) => refused(&error),
    }
}

/// Verifies the proof of possession in a request (RFC 2986 §4.2). Returns `None` if verification is disabled.
pub(crate) fn of_request<'a>(request: &CertificationRequest<'a>, scene: &Scene) -> Option<Value<'a>> {
    let info = &request.certification_request_info;
    let signature = request.signature.octets().unwrap_or_default();
    let verified = (scene.verify?)(&info.subject_pk_info, &request.signature_algorithm, info.as_bytes(), signature);
    Some(shown(&verified))
}

/// Verifies the proof of possession in a signed public key and challenge (HTML 5.0 §4.10.15). Returns `None` if it does not decode, or
/// verification is disabled.
pub(crate) fn of_spkac<'a>(der: &[u8], scene: &Scene) -> Option<Value<'a>> {
    let read = SignedPublicKeyAndChallenge::from_der(der).ok()?;
    let message = tagwise_codec::encode(&read.public_key_and_challenge).ok()?;
    let signature = read.signature.octets().unwrap_or_default();
    let key = &read.public_key_and_challenge.spki;
    Some(shown(&(scene.verify?)(key, &read.signature_algorithm, &message, signature)))
}

/// Verifies the signature of a self-signed certificate. Returns `None` for other certificates, or if verification is disabled.
/// Self-issued certificates that another key of the CA signed (RFC 5280 §3.2) are recognized by their key identifiers.
pub(crate) fn of_certificate<'a>(certificate: &Certificate<'a>, scene: &Scene) -> Option<Value<'a>> {
    let verify = scene.verify?;
    let tbs = &certificate.tbs_certificate;
    if tbs.subject.is_empty() || tbs.issuer != tbs.subject || !certificate.is_self_signed() {
        return None;
    }
    let signature = certificate.signature_value.octets().unwrap_or_default();
    let key = &tbs.subject_public_key_info;
    Some(shown(&verify(key, &certificate.signature_algorithm, tbs.as_bytes(), signature)))
}

fn shown<'a>(signature: &SelfSignature) -> Value<'a> {
    let tone = match signature {
        SelfSignature::Valid => Tone::Good,
        SelfSignature::Weak(_) | SelfSignature::Unknown(_) => Tone::Warn,
        SelfSignature::Invalid(_) => Tone::Bad,
    };
    let words = match (signature, signature.reason()) {
        (SelfSignature::Unknown(_), Some(reason)) => format!("not verified: {reason}"),
        (_, Some(reason)) => format!("{}: {reason}", signature.name()),
        (_, None) => signature.name().to_owned(),
    };
    let record = Record::titled(Line::new(tone, words)).json("status", Value::word(signature.name()));
    match signature.reason() {
        Some(reason) => record.json("reason", Value::text(reason)),
        None => record,
    }
    .into()
}

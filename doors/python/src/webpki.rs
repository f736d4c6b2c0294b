//! Predicates on algorithms (BR §7.1.3) and host names, according to the Baseline Requirements.

use pyo3::prelude::*;
use tagwise::codec::Decode;
use tagwise::crypto::{Digest, KeyType, PssParameters, Scheme};
use tagwise::path::ExpectedName;
use tagwise::pkix::pss::RsassaPssParams;
use tagwise::pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};

/// The allowed signature algorithms of certificates: BR §7.1.3.2, and ML-DSA (RFC 9881).
const SCHEMES: [Scheme; 12] = [
    Scheme::RsaPkcs1(Digest::Sha256),
    Scheme::RsaPkcs1(Digest::Sha384),
    Scheme::RsaPkcs1(Digest::Sha512),
    Scheme::RsaPss(PssParameters::of(Digest::Sha256)),
    Scheme::RsaPss(PssParameters::of(Digest::Sha384)),
    Scheme::RsaPss(PssParameters::of(Digest::Sha512)),
    Scheme::Ecdsa(Digest::Sha256),
    Scheme::Ecdsa(Digest::Sha384),
    Scheme::Ecdsa(Digest::Sha512),
    Scheme::MlDsa44,
    Scheme::MlDsa65,
    Scheme::MlDsa87,
];

/// Returns whether certificates may have signatures with an algorithm: it must be one of those listed, in the required encoding.
#[pyfunction]
fn is_webpki_signature(algorithm: &[u8]) -> bool {
    let Ok(read) = AlgorithmIdentifier::from_der(algorithm) else { return false };
    match Scheme::of(&read).ok().filter(|scheme| SCHEMES.contains(scheme)) {
        Some(Scheme::RsaPss(_)) => read.parameters.is_some_and(|parameters| has_nulls(parameters.as_bytes())),
        Some(scheme) => scheme.identifier().is_ok_and(|identifier| identifier == algorithm),
        None => false,
    }
}

/// The encoding of NULL.
const NULL: [u8; 2] = [0x05, 0x00];

/// Returns whether the digests in RSASSA-PSS parameters have NULL parameters (BR §7.1.3.2.1).
fn has_nulls(parameters: &[u8]) -> bool {
    let is_null = |algorithm: AlgorithmIdentifier<'_>| algorithm.parameters.is_some_and(|null| null.as_bytes() == NULL);
    let Ok(read) = RsassaPssParams::from_der(parameters) else { return false };
    let mask =
        read.mask_gen_algorithm.parameters.map(|mask| AlgorithmIdentifier::from_der(mask.as_bytes()).map(is_null));
    is_null(read.hash_algorithm) && matches!(mask, Some(Ok(true)))
}

/// Returns whether an issuer may have a key, according to BR §7.1.3.1 or for ML-DSA (RFC 9881).
#[pyfunction]
fn is_webpki_key(public_key_info: &[u8]) -> bool {
    let Ok(info) = SubjectPublicKeyInfo::from_der(public_key_info) else { return false };
    match KeyType::of(&info) {
        Ok(KeyType::Rsa(_)) => {
            info.algorithm.algorithm == oids::RSA_ENCRYPTION
                && info.algorithm.parameters.is_some_and(|parameters| parameters.as_bytes() == NULL)
        }
        Ok(KeyType::P256 | KeyType::P384 | KeyType::P521) => true,
        Ok(KeyType::MlDsa44 | KeyType::MlDsa65 | KeyType::MlDsa87) => info.algorithm.parameters.is_none(),
        _ => false,
    }
}

/// Returns whether a text is a host name of letters, digits and hyphens, without a trailing dot.
#[pyfunction]
fn is_host(text: &str) -> bool {
    text.is_ascii() && !text.ends_with('.') && !text.contains('_') && ExpectedName::dns(text).is_ok()
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(is_webpki_signature, module)?)?;
    module.add_function(wrap_pyfunction!(is_webpki_key, module)?)?;
    module.add_function(wrap_pyfunction!(is_host, module)?)
}

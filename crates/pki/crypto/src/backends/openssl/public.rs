//! Public keys: parsed once, shared between threads.

use core::fmt;
use std::sync::Arc;

use openssl::error::ErrorStack;
use openssl::pkey::{HasPublic, PKey, PKeyRef, Public};
use openssl::pkey_ctx::PkeyCtx;
use openssl::rsa::Padding;
use openssl::sign::{RsaPssSaltlen, Verifier};
use tagwise_pkix::SubjectPublicKeyInfo;

use super::{OpenSsl, algorithms, because, failed, label, raw, transport};
use crate::backends::shared;
use crate::{Digest, Error, ErrorKind, KeyTransport, KeyType, Primitives, PublicKey, Scheme, Secret};

struct Held {
    key: KeyType,
    held: PKey<Public>,
}

/// Loads a public key.
///
/// # Errors
/// Returns any error from [`Backend::public_key`](crate::Backend::public_key).
pub(super) fn load(info: &SubjectPublicKeyInfo<'_>) -> Result<Arc<dyn PublicKey>, Error> {
    let key = KeyType::of(info).map_err(|error| error.by(label()))?;
    Ok(Arc::new(Held { key, held: parse(key, info)? }))
}

/// Parses a public key of a known type.
pub(super) fn parse(key: KeyType, info: &SubjectPublicKeyInfo<'_>) -> Result<PKey<Public>, Error> {
    if !algorithms::size_taken(key) {
        return Err(failed(ErrorKind::KeySize, key));
    }
    if !algorithms::offers(key) {
        return Err(failed(ErrorKind::NotOffered, key));
    }
    let malformed = || failed(ErrorKind::MalformedKey, key);
    let octets = info.subject_public_key.octets().ok_or_else(malformed)?;
    if let Some(name) = algorithms::raw_name(key) {
        return raw::public_key(name, octets).map_err(because(ErrorKind::MalformedKey, key));
    }
    if algorithms::curve(key).is_some() && !shared::is_point(key, octets) {
        return Err(malformed());
    }
    // Re-encoded, because the library accepts more than the standards allow, and treats RSASSA-PSS keys as another kind.
    let der = shared::public_info(key, octets).map_err(|error| malformed().because(error))?;
    PKey::public_key_from_der(&der).map_err(because(ErrorKind::MalformedKey, key))
}

/// RSA settings shared by signing and verification.
pub(super) enum Setting {
    Pkcs1,
    Pss(RsaPssSaltlen, openssl::hash::MessageDigest),
}

/// Returns the padding settings of an RSA scheme.
pub(super) fn setting(scheme: &Scheme) -> Option<Setting> {
    match scheme {
        Scheme::RsaPkcs1(_) => Some(Setting::Pkcs1),
        Scheme::RsaPss(parameters) => {
            let salt = RsaPssSaltlen::custom(i32::from(parameters.salt_len));
            algorithms::digest(parameters.mask).map(|mask| Setting::Pss(salt, mask))
        }
        _ => None,
    }
}

/// Returns the message digest of a scheme, or `None` if the algorithm has its own.
pub(super) fn digest(scheme: &Scheme) -> Option<openssl::hash::MessageDigest> {
    scheme.digest().and_then(|digest: Digest| algorithms::digest(digest))
}

/// Computes the digest of a message if the library cannot sign with it directly: ECDSA with SHAKE.
pub(super) fn prehashed(scheme: &Scheme, message: &[u8]) -> Result<Option<Vec<u8>>, Error> {
    match scheme {
        Scheme::Ecdsa(digest) if digest.is_extendable() => OpenSsl::new().digest(*digest, message).map(Some),
        _ => Ok(None),
    }
}

fn verifier<'k, T: HasPublic>(key: &'k PKeyRef<T>, scheme: &Scheme) -> Result<Verifier<'k>, ErrorStack> {
    let mut verifier = match digest(scheme) {
        Some(digest) => Verifier::new(digest, key)?,
        None => Verifier::new_without_digest(key)?,
    };
    match setting(scheme) {
        Some(Setting::Pkcs1) => verifier.set_rsa_padding(Padding::PKCS1)?,
        Some(Setting::Pss(salt, mask)) => {
            verifier.set_rsa_padding(Padding::PKCS1_PSS)?;
            verifier.set_rsa_pss_saltlen(salt)?;
            verifier.set_rsa_mgf1_md(mask)?;
        }
        None => {}
    }
    Ok(verifier)
}

/// Returns the signature input for a message. OpenSSL supports contexts, but not pre-hash SLH-DSA.
pub(super) fn said<'a>(
    scheme: &Scheme,
    context: &'a [u8],
    message: &'a [u8],
    framed: &'a mut Vec<u8>,
) -> raw::Said<'a> {
    match scheme {
        Scheme::HashSlhDsa(set) => {
            *framed = set.framed(true, context, message);
            raw::Said::Encoded(framed)
        }
        _ => raw::Said::Message(context, message),
    }
}

fn judged(verified: Result<bool, ErrorStack>, scheme: &Scheme) -> Result<(), Error> {
    match verified {
        Ok(true) => Ok(()),
        Ok(false) => Err(failed(ErrorKind::Signature, scheme)),
        Err(stack) => Err(because(ErrorKind::Signature, scheme)(stack)),
    }
}

impl PublicKey for Held {
    fn key_type(&self) -> KeyType {
        self.key
    }

    fn verify(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        if !scheme.fits(self.key) {
            return Err(failed(ErrorKind::WrongKey, scheme));
        }
        if !algorithms::verifies(scheme, self.key) {
            return Err(failed(ErrorKind::NotOffered, scheme));
        }
        if matches!(scheme, Scheme::HashSlhDsa(_)) {
            return self.verify_with_context(scheme, &[], message, signature);
        }
        if let Some(digest) = prehashed(scheme, message)? {
            let verified = PkeyCtx::new(&self.held).and_then(|mut context| {
                context.verify_init()?;
                context.verify(&digest, signature)
            });
            return judged(verified, scheme);
        }
        // A system policy may disable algorithms of the library: SHA-1, small keys.
        let mut verifier = verifier(&self.held, scheme).map_err(because(ErrorKind::NotOffered, scheme))?;
        judged(verifier.verify_oneshot(signature, message), scheme)
    }

    fn verify_with_context(
        &self,
        scheme: &Scheme,
        context: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        scheme.check_context(context).map_err(|error| error.by(label()))?;
        if context.is_empty() && !matches!(scheme, Scheme::HashSlhDsa(_)) {
            return self.verify(scheme, message, signature);
        }
        if !scheme.fits(self.key) {
            return Err(failed(ErrorKind::WrongKey, scheme));
        }
        let mut framed = Vec::new();
        judged(raw::verify(&self.held, said(scheme, context, message, &mut framed), signature), scheme)
    }

    fn encrypt(&self, transport: KeyTransport, plain: &[u8]) -> Result<Vec<u8>, Error> {
        transport::encrypt(self.key, &self.held, transport, plain)
    }

    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error> {
        if !self.key.encapsulates() {
            return Err(failed(ErrorKind::WrongKey, self.key));
        }
        raw::encapsulate(&self.held).map_err(because(ErrorKind::Failed, self.key))
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("backend", &label()).field("key", &self.key).finish_non_exhaustive()
    }
}

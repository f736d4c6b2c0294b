//! Private keys.

use core::fmt;
use std::sync::Arc;

use openssl::derive::Deriver;
use openssl::error::ErrorStack;
use openssl::pkey::{Id, PKey, Private};
use openssl::pkey_ctx::PkeyCtx;
use openssl::rsa::Padding;
use openssl::sign::Signer;
use tagwise_codec::Decode;
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::pkcs1::RsaPrivateKey;
use tagwise_pkix::private_key::pkcs8_from_pkcs1;

use super::public::{Setting, digest, parse, prehashed, said, setting};
use super::{algorithms, because, failed, label, raw, rsa, transport};
use crate::backends::shared;
use crate::private::Material;
use crate::{
    Error, ErrorKind, KeyTransport, KeyType, OaepParameters, PostQuantumForm, PrivateKey, PrivateKeyInfo, Scheme,
    Secret, Seeded,
};

struct Held {
    key: KeyType,
    held: PKey<Private>,
    /// The original encoding of an imported key. A generated key is encoded on export.
    pkcs8: Option<Secret>,
    /// The seed of a post-quantum key, if known.
    seed: Option<Secret>,
    public: Vec<u8>,
}

/// Loads a private key.
///
/// # Errors
/// Returns any error from [`Backend::private_key`](crate::Backend::private_key).
pub(super) fn load(info: &PrivateKeyInfo) -> Result<Arc<dyn PrivateKey>, Error> {
    let key = info.key_type();
    if !algorithms::size_taken(key) {
        return Err(failed(ErrorKind::KeySize, key));
    }
    if !algorithms::offers(key) {
        return Err(failed(ErrorKind::NotOffered, key));
    }
    let rejected = because(ErrorKind::MalformedKey, key);
    let mut seed = None;
    let held = match info.material() {
        Material::Rsa(der) => {
            let malformed = |error| failed(ErrorKind::MalformedKey, key).because(error);
            rsa::check(key, &RsaPrivateKey::from_der(der.expose()).map_err(malformed)?)?;
            let pkcs8 = pkcs8_from_pkcs1(der.expose());
            let pkcs8 = pkcs8.map_err(|error| failed(ErrorKind::MalformedKey, key).because(error))?;
            PKey::private_key_from_pkcs8(&pkcs8).map_err(rejected)?
        }
        Material::Scalar(scalar) => {
            let pkcs8 = shared::curve_info(key, scalar.expose())?;
            let held = PKey::private_key_from_pkcs8(pkcs8.expose()).map_err(rejected)?;
            // Checks that the scalar is below the order, and not zero.
            held.ec_key().and_then(|key| key.check_key()).map_err(rejected)?;
            held
        }
        Material::Octets(octets) => of_octets(key, octets.expose())?,
        Material::Seeded(forms) => {
            seed = forms.seed.clone();
            seeded(key, forms)?
        }
        // A composite key is taken apart above the backend.
        Material::Composite(_) => return Err(failed(ErrorKind::WrongKey, key)),
    };
    finished(key, held, Some(info), seed)
}

/// Generates a key.
///
/// # Errors
/// Returns [`ErrorKind::NotOffered`] if the library does not support the key type, or [`ErrorKind::Failed`] if it fails.
pub(super) fn generate(key: KeyType) -> Result<Arc<dyn PrivateKey>, Error> {
    let unable = because(ErrorKind::Failed, key);
    let held = match key {
        KeyType::Rsa(bits) => algorithms::generator(Id::RSA).and_then(|mut context| {
            context.set_rsa_keygen_bits(bits)?;
            context.keygen()
        }),
        KeyType::Ed25519 => PKey::generate_ed25519(),
        KeyType::Ed448 => PKey::generate_ed448(),
        KeyType::X25519 => PKey::generate_x25519(),
        KeyType::X448 => PKey::generate_x448(),
        KeyType::MlDsa44
        | KeyType::MlDsa65
        | KeyType::MlDsa87
        | KeyType::MlKem512
        | KeyType::MlKem768
        | KeyType::MlKem1024 => {
            // FIPS 204 §5.1: ξ; FIPS 203 §7.1: d and z.
            let mut seed = Secret::zeroed(if key.encapsulates() { 64 } else { 32 });
            openssl::rand::rand_priv_bytes(seed.expose_mut()).map_err(unable)?;
            let held = from_seed(key, seed.expose())?;
            return finished(key, held, None, Some(seed));
        }
        KeyType::SlhDsa(_) => raw::generate(algorithms::raw_name(key).unwrap_or_default()),
        _ => PKey::ec_gen(algorithms::curve(key).ok_or_else(|| failed(ErrorKind::NotOffered, key))?),
    };
    finished(key, held.map_err(unable)?, None, None)
}

/// Adds the public key to a loaded or generated key. It must match the public key in `read`, if there is one.
fn finished(
    key: KeyType,
    held: PKey<Private>,
    read: Option<&PrivateKeyInfo>,
    seed: Option<Secret>,
) -> Result<Arc<dyn PrivateKey>, Error> {
    let der = held.public_key_to_der().map_err(because(ErrorKind::MalformedKey, key))?;
    let malformed = |error| failed(ErrorKind::MalformedKey, key).because(error);
    let info = SubjectPublicKeyInfo::from_der(&der).map_err(malformed)?;
    let octets = info.subject_public_key.octets().unwrap_or_default();
    if read.and_then(PrivateKeyInfo::public).is_some_and(|claimed| !shared::same_public(claimed, octets)) {
        return Err(failed(ErrorKind::Inconsistent, key));
    }
    let public = shared::public_info(key, octets).map_err(|error| failed(ErrorKind::Failed, key).because(error))?;
    Ok(Arc::new(Held { key, held, pkcs8: read.map(|info| info.pkcs8().clone()), seed, public }))
}

fn of_octets(key: KeyType, octets: &[u8]) -> Result<PKey<Private>, Error> {
    let name = algorithms::raw_name(key).ok_or_else(|| failed(ErrorKind::NotOffered, key))?;
    raw::private_key(name, octets).map_err(because(ErrorKind::MalformedKey, key))
}

/// Creates an ML-DSA or ML-KEM key from its seed. The seed is passed as PKCS #8, which the library always parses, even if
/// the crate `openssl` was built without support for these keys.
pub(super) fn from_seed(key: KeyType, seed: &[u8]) -> Result<PKey<Private>, Error> {
    let forms = Seeded { seed: Some(Secret::from(seed)), expanded: None };
    let pkcs8 = forms.to_pkcs8(key, PostQuantumForm::Seed).map_err(|error| error.by(label()))?;
    PKey::private_key_from_pkcs8(pkcs8.expose()).map_err(because(ErrorKind::MalformedKey, key))
}

fn seeded(key: KeyType, forms: &Seeded) -> Result<PKey<Private>, Error> {
    match (&forms.seed, &forms.expanded) {
        (Some(seed), None) => from_seed(key, seed.expose()),
        (None, Some(expanded)) => {
            let held = of_octets(key, expanded.expose())?;
            if matches!(key, KeyType::SlhDsa(_)) {
                // FIPS 205 algorithm 18: the root is that of the seeds.
                raw::check(&held).map_err(because(ErrorKind::Inconsistent, key))?;
            }
            Ok(held)
        }
        (Some(seed), Some(expanded)) => {
            let held = from_seed(key, seed.expose())?;
            let from_seed = Secret::from(held.raw_private_key().map_err(because(ErrorKind::Failed, key))?);
            // RFC 9881 §8.2: if both are present, they must match.
            let same = from_seed.len() == expanded.len() && openssl::memcmp::eq(from_seed.expose(), expanded.expose());
            if same { Ok(held) } else { Err(failed(ErrorKind::Inconsistent, key)) }
        }
        (None, None) => Err(failed(ErrorKind::MalformedKey, key)),
    }
}

impl Held {
    fn signature(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, ErrorStack> {
        let mut signer = match digest(scheme) {
            Some(digest) => Signer::new(digest, &self.held)?,
            None => Signer::new_without_digest(&self.held)?,
        };
        match setting(scheme) {
            Some(Setting::Pkcs1) => signer.set_rsa_padding(Padding::PKCS1)?,
            Some(Setting::Pss(salt, mask)) => {
                signer.set_rsa_padding(Padding::PKCS1_PSS)?;
                signer.set_rsa_pss_saltlen(salt)?;
                signer.set_rsa_mgf1_md(mask)?;
            }
            None => {}
        }
        // The length is known: asking for it would sign twice with ML-DSA.
        let mut signature = vec![0; self.held.size()];
        let len = signer.sign_oneshot(&mut signature, message)?;
        signature.truncate(len);
        Ok(signature)
    }

    /// Returns the seed and expanded key of a post-quantum key.
    fn forms(&self) -> Result<Seeded, Error> {
        match self.key {
            KeyType::MlDsa44
            | KeyType::MlDsa65
            | KeyType::MlDsa87
            | KeyType::MlKem512
            | KeyType::MlKem768
            | KeyType::MlKem1024
            | KeyType::SlhDsa(_) => {
                let expanded = self.held.raw_private_key().map_err(because(ErrorKind::Failed, self.key))?;
                Ok(Seeded { seed: self.seed.clone(), expanded: Some(Secret::from(expanded)) })
            }
            _ => Err(failed(ErrorKind::WrongKey, self.key)),
        }
    }
}

impl PrivateKey for Held {
    fn key_type(&self) -> KeyType {
        self.key
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        if !scheme.fits(self.key) {
            return Err(failed(ErrorKind::WrongKey, scheme));
        }
        if !algorithms::signs(scheme, self.key) {
            return Err(failed(ErrorKind::NotOffered, scheme));
        }
        if matches!(scheme, Scheme::HashSlhDsa(_)) {
            return self.sign_with_context(scheme, &[], message);
        }
        if let Some(digest) = prehashed(scheme, message)? {
            let mut signature = Vec::new();
            let signed = PkeyCtx::new(&self.held).and_then(|mut context| {
                context.sign_init()?;
                context.sign_to_vec(&digest, &mut signature)
            });
            return signed.map(|_| signature).map_err(because(ErrorKind::Failed, scheme));
        }
        self.signature(scheme, message).map_err(because(ErrorKind::Failed, scheme))
    }

    fn sign_with_context(&self, scheme: &Scheme, context: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        scheme.check_context(context).map_err(|error| error.by(label()))?;
        if context.is_empty() && !matches!(scheme, Scheme::HashSlhDsa(_)) {
            return self.sign(scheme, message);
        }
        if !scheme.fits(self.key) {
            return Err(failed(ErrorKind::WrongKey, scheme));
        }
        let mut framed = Vec::new();
        raw::sign(&self.held, said(scheme, context, message, &mut framed)).map_err(because(ErrorKind::Failed, scheme))
    }

    fn decrypt(&self, transport: KeyTransport, ciphertext: &[u8]) -> Result<Secret, Error> {
        transport::decrypt(self.key, &self.held, transport, &[], ciphertext)
    }

    fn decrypt_labeled(&self, oaep: OaepParameters, label: &[u8], ciphertext: &[u8]) -> Result<Secret, Error> {
        transport::decrypt(self.key, &self.held, KeyTransport::Oaep(oaep), label, ciphertext)
    }

    fn to_pkcs8(&self) -> Result<Secret, Error> {
        if let Some(read) = &self.pkcs8 {
            return Ok(read.clone());
        }
        if self.seed.is_some() {
            return self.to_pkcs8_as(PostQuantumForm::Seed);
        }
        if matches!(self.key, KeyType::SlhDsa(_)) {
            return self.to_pkcs8_as(PostQuantumForm::Expanded);
        }
        self.held.private_key_to_pkcs8().map(Secret::from).map_err(because(ErrorKind::Failed, self.key))
    }

    fn to_pkcs8_as(&self, form: PostQuantumForm) -> Result<Secret, Error> {
        self.forms()?.to_pkcs8(self.key, form).map_err(|error| error.by(label()))
    }

    fn agree(&self, peer: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error> {
        if !self.key.agrees() || KeyType::of(peer).map_err(|error| error.by(label()))? != self.key {
            return Err(failed(ErrorKind::WrongKey, self.key));
        }
        let peer = parse(self.key, peer)?;
        let agreed = || {
            let mut deriver = Deriver::new(&self.held)?;
            deriver.set_peer(&peer)?;
            deriver.derive_to_vec()
        };
        // For X25519 and X448, a secret of zeros (RFC 7748 §6) ends here.
        agreed().map(Secret::from).map_err(because(ErrorKind::MalformedKey, self.key))
    }

    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Secret, Error> {
        if !self.key.encapsulates() {
            return Err(failed(ErrorKind::WrongKey, self.key));
        }
        raw::decapsulate(&self.held, ciphertext).map_err(because(ErrorKind::Length, self.key))
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("backend", &label()).field("key", &self.key).finish_non_exhaustive()
    }
}

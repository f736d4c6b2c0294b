//! SLH-DSA for the embedded backend, from the crate `slh-dsa`.

use core::fmt;
use std::sync::{Arc, OnceLock};

use slh_dsa::{
    ParameterSet, Sha2_128f, Sha2_128s, Sha2_192f, Sha2_192s, Sha2_256f, Sha2_256s, Shake128f, Shake128s, Shake192f,
    Shake192s, Shake256f, Shake256s, Signature, SigningKey, VerifyingKey,
};
use tagwise_pkix::SubjectPublicKeyInfo;

use super::SlhDsa;
use crate::backends::shared;
use crate::private::Material;
use crate::{
    Error, ErrorKind, KeyType, PostQuantumForm, PrivateKey, PrivateKeyInfo, PublicKey, Scheme, Secret, Seeded,
};

/// Calls a generic function with the type of a parameter set.
macro_rules! with {
    ($set:expr, $function:ident($($argument:expr),*)) => {
        match $set {
            SlhDsa::Sha2_128s => $function::<Sha2_128s>($($argument),*),
            SlhDsa::Sha2_128f => $function::<Sha2_128f>($($argument),*),
            SlhDsa::Sha2_192s => $function::<Sha2_192s>($($argument),*),
            SlhDsa::Sha2_192f => $function::<Sha2_192f>($($argument),*),
            SlhDsa::Sha2_256s => $function::<Sha2_256s>($($argument),*),
            SlhDsa::Sha2_256f => $function::<Sha2_256f>($($argument),*),
            SlhDsa::Shake128s => $function::<Shake128s>($($argument),*),
            SlhDsa::Shake128f => $function::<Shake128f>($($argument),*),
            SlhDsa::Shake192s => $function::<Shake192s>($($argument),*),
            SlhDsa::Shake192f => $function::<Shake192f>($($argument),*),
            SlhDsa::Shake256s => $function::<Shake256s>($($argument),*),
            SlhDsa::Shake256f => $function::<Shake256f>($($argument),*),
        }
    };
}

/// Expands SK.seed, SK.prf and PK.seed, of n bytes each, to a private key, which also contains PK.root (FIPS 205 algorithm
/// 18).
fn expand<P: ParameterSet>(seeds: &[u8], n: usize) -> Option<Secret> {
    let (one, rest) = seeds.split_at_checked(n)?;
    let (two, three) = rest.split_at_checked(n)?;
    if three.len() != n {
        return None;
    }
    let key = SigningKey::<P>::slh_keygen_internal(one, two, three);
    Some(Secret::from(key.to_bytes().to_vec()))
}

fn signature<P: ParameterSet>(key: &[u8], framed: &[u8], random: &[u8]) -> Option<Vec<u8>> {
    let key = SigningKey::<P>::try_from(key).ok()?;
    Some(key.slh_sign_internal(&[framed], Some(random)).to_vec())
}

fn verified<P: ParameterSet>(key: &[u8], framed: &[u8], signature: &[u8]) -> bool {
    let (Ok(key), Ok(signature)) = (VerifyingKey::<P>::try_from(key), Signature::<P>::try_from(signature)) else {
        return false;
    };
    key.slh_verify_internal(&[framed], &signature).is_ok()
}

struct Private {
    set: SlhDsa,
    by: &'static str,
    random: fn(&mut [u8]) -> Result<(), Error>,
    expanded: Secret,
    pkcs8: Secret,
    public: Vec<u8>,
    /// True if the first signature was verified successfully.
    checked: OnceLock<bool>,
}

struct Public {
    set: SlhDsa,
    by: &'static str,
    octets: Vec<u8>,
}

/// Returns the parameter set of a scheme, and whether it signs a digest.
fn set_of(scheme: &Scheme) -> Option<(SlhDsa, bool)> {
    match scheme {
        Scheme::SlhDsa(set) => Some((*set, false)),
        Scheme::HashSlhDsa(set) => Some((*set, true)),
        _ => None,
    }
}

/// Generates a key as PKCS #8.
pub(crate) fn generate(set: SlhDsa, random: fn(&mut [u8]) -> Result<(), Error>) -> Result<PrivateKeyInfo, Error> {
    let mut seeds = Secret::zeroed(3 * set.n());
    random(seeds.expose_mut())?;
    let expanded = with!(set, expand(seeds.expose(), set.n()));
    let pkcs8 = Seeded { seed: None, expanded }.to_pkcs8(KeyType::SlhDsa(set), PostQuantumForm::Expanded)?;
    PrivateKeyInfo::from_pkcs8(pkcs8.expose())
}

/// Loads a private key. It contains its public key (FIPS 205 §9.1), whose root takes seconds to compute. The check that the
/// public key matches the seeds is therefore deferred to the first signature.
pub(crate) fn private(
    set: SlhDsa,
    info: &PrivateKeyInfo,
    by: &'static str,
    random: fn(&mut [u8]) -> Result<(), Error>,
) -> Result<Arc<dyn PrivateKey>, Error> {
    let key = KeyType::SlhDsa(set);
    let failed = |kind| Error::new(kind, key).by(by);
    let Material::Seeded(Seeded { expanded: Some(expanded), .. }) = info.material() else {
        return Err(failed(ErrorKind::MalformedKey));
    };
    let n = set.n();
    let cut = expanded.expose().split_at_checked(2 * n).filter(|(_, public)| public.len() == 2 * n);
    let (_, public) = cut.ok_or_else(|| failed(ErrorKind::MalformedKey))?;
    if info.public().is_some_and(|claimed| claimed != public) {
        return Err(failed(ErrorKind::Inconsistent));
    }
    let public = shared::public_info(key, public).map_err(|error| failed(ErrorKind::Failed).because(error))?;
    let (expanded, pkcs8, checked) = (expanded.clone(), info.pkcs8().clone(), OnceLock::new());
    Ok(Arc::new(Private { set, by, random, expanded, pkcs8, public, checked }))
}

/// Loads a public key.
pub(crate) fn public(
    set: SlhDsa,
    info: &SubjectPublicKeyInfo<'_>,
    by: &'static str,
) -> Result<Arc<dyn PublicKey>, Error> {
    let octets = info.subject_public_key.octets().filter(|octets| octets.len() == 2 * set.n());
    let octets = octets.ok_or_else(|| Error::new(ErrorKind::MalformedKey, KeyType::SlhDsa(set)).by(by))?;
    Ok(Arc::new(Public { set, by, octets: octets.to_vec() }))
}

impl PrivateKey for Private {
    fn key_type(&self) -> KeyType {
        KeyType::SlhDsa(self.set)
    }

    fn public_key_info(&self) -> &[u8] {
        &self.public
    }

    fn sign(&self, scheme: &Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.sign_with_context(scheme, &[], message)
    }

    fn sign_with_context(&self, scheme: &Scheme, context: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        scheme.check_context(context).map_err(|error| error.by(self.by))?;
        let failed = |kind| Error::new(kind, scheme).by(self.by);
        let Some((set, hashed)) = set_of(scheme).filter(|(set, _)| *set == self.set) else {
            return Err(failed(ErrorKind::WrongKey));
        };
        // FIPS 205 §9.2: the hedged variant.
        let mut random = vec![0; set.n()];
        (self.random)(&mut random)?;
        let framed = set.framed(hashed, context, message);
        let signed = with!(set, signature(self.expanded.expose(), &framed, &random));
        let signed = signed.ok_or_else(|| failed(ErrorKind::Failed))?;
        // With the public key of another key, signatures would not verify.
        let public = self.expanded.expose().get(2 * set.n()..).unwrap_or_default();
        match self.checked.get_or_init(|| with!(set, verified(public, &framed, &signed))) {
            true => Ok(signed),
            false => Err(Error::new(ErrorKind::Inconsistent, self.key_type()).by(self.by)),
        }
    }

    fn to_pkcs8(&self) -> Result<Secret, Error> {
        Ok(self.pkcs8.clone())
    }

    fn to_pkcs8_as(&self, form: PostQuantumForm) -> Result<Secret, Error> {
        let forms = Seeded { seed: None, expanded: Some(self.expanded.clone()) };
        forms.to_pkcs8(self.key_type(), form).map_err(|error| error.by(self.by))
    }

    fn agree(&self, _: &SubjectPublicKeyInfo<'_>) -> Result<Secret, Error> {
        Err(Error::new(ErrorKind::WrongKey, self.key_type()).by(self.by))
    }

    fn decapsulate(&self, _: &[u8]) -> Result<Secret, Error> {
        Err(Error::new(ErrorKind::WrongKey, self.key_type()).by(self.by))
    }
}

impl PublicKey for Public {
    fn key_type(&self) -> KeyType {
        KeyType::SlhDsa(self.set)
    }

    fn verify(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_with_context(scheme, &[], message, signature)
    }

    fn verify_with_context(
        &self,
        scheme: &Scheme,
        context: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        scheme.check_context(context).map_err(|error| error.by(self.by))?;
        let Some((set, hashed)) = set_of(scheme).filter(|(set, _)| *set == self.set) else {
            return Err(Error::new(ErrorKind::WrongKey, scheme).by(self.by));
        };
        let framed = set.framed(hashed, context, message);
        match with!(set, verified(&self.octets, &framed, signature)) {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Signature, scheme).by(self.by)),
        }
    }

    fn encapsulate(&self) -> Result<(Vec<u8>, Secret), Error> {
        Err(Error::new(ErrorKind::WrongKey, self.key_type()).by(self.by))
    }
}

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("backend", &self.by).field("key", &self.key_type()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("backend", &self.by).field("key", &self.key_type()).finish_non_exhaustive()
    }
}

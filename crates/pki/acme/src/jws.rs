//! Signed requests: flattened JSON Web Signatures (RFC 7515, RFC 8555 §6.2).

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use tagwise_codec::{Decode, IntBuf, encode};
use tagwise_crypto::{Backend, KeyType};
use tagwise_keys::{Key, Limits, jwk};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::algorithms::EcdsaSigValue;

use crate::algorithm::{ALGORITHMS, Algorithm};
use crate::problem::{Kind, Problem};

/// The members of a request. Others are ignored (RFC 7515 §7.2.1).
#[derive(Deserialize)]
struct Flattened {
    protected: String,
    payload: String,
    signature: String,
    header: Option<IgnoredAny>,
    signatures: Option<IgnoredAny>,
}

/// The protected header.
#[derive(Deserialize)]
struct Header<'t> {
    alg: String,
    nonce: Option<String>,
    url: String,
    #[serde(borrow)]
    jwk: Option<&'t RawValue>,
    kid: Option<String>,
    crit: Option<IgnoredAny>,
    b64: Option<IgnoredAny>,
}

/// The signer, according to the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Signer {
    /// A public key: a SubjectPublicKeyInfo in DER.
    Key(Vec<u8>),
    /// The URL of an account, or the identifier of a key for external account bindings.
    Identifier(String),
}

/// A parsed request, whose signature is not yet verified.
#[derive(Clone, Debug)]
pub(crate) struct Jws {
    algorithm: Algorithm,
    pub(crate) signer: Signer,
    pub(crate) nonce: Option<String>,
    pub(crate) url: String,
    pub(crate) payload: Vec<u8>,
    input: Vec<u8>,
    signature: Vec<u8>,
}

fn decoded(name: &str, text: &str) -> Result<Vec<u8>, Problem> {
    let octets = jwk::from_base64url(text).map(tagwise_crypto::Secret::into_public);
    octets.ok_or_else(|| Problem::malformed(format!("{name} is not base64url without padding (RFC 7515 §2)")))
}

fn of_json(what: &str, error: &serde_json::Error) -> Problem {
    Problem::malformed(format!("{what} is malformed at line {}, column {}", error.line(), error.column()))
}

/// Reads a public key that may sign requests.
///
/// # Errors
/// [`Kind::BadPublicKey`] for private, weak, malformed and unsupported keys.
pub(crate) fn public_key(backend: &dyn Backend, text: &str) -> Result<Vec<u8>, Problem> {
    let bad = |detail: String| Problem::new(Kind::BadPublicKey, detail);
    // A set of one key would be accepted otherwise.
    #[derive(Deserialize)]
    struct OnlyKey {
        keys: Option<IgnoredAny>,
    }
    let key: OnlyKey = serde_json::from_str(text).map_err(|error| of_json("the JWK", &error))?;
    if key.keys.is_some() {
        return Err(bad("a JWK set is not a key".to_owned()));
    }
    let limits = Limits { keys: 1, ..Limits::DEFAULT };
    let found = jwk::read(text.as_bytes(), &limits).map_err(|error| bad(error.to_string()))?;
    let info = match found.into_iter().next().map(|found| found.key) {
        Some(Key::Public(info)) => info,
        Some(Key::Private(_)) => return Err(bad("the JWK contains the private key".to_owned())),
        _ => return Err(bad("the JWK is not a public key".to_owned())),
    };
    let key = backend.public_key_from_der(&info).map_err(|error| bad(error.to_string()))?.key_type();
    if let KeyType::Rsa(bits) = key
        && !(2048..=8192).contains(&bits)
    {
        return Err(bad(format!("an RSA key has {bits} bits, expected 2048 to 8192")));
    }
    if !ALGORITHMS.iter().any(|(_, algorithm)| algorithm.scheme(key).is_some()) {
        return Err(bad(format!("{key} keys are not supported")));
    }
    Ok(info)
}

impl Jws {
    /// Parses a request.
    ///
    /// # Errors
    /// [`Kind::Malformed`]; [`Kind::BadSignatureAlgorithm`]; [`Kind::BadPublicKey`].
    pub(crate) fn parse(backend: &dyn Backend, body: &[u8]) -> Result<Self, Problem> {
        let jws: Flattened = serde_json::from_slice(body).map_err(|error| of_json("the JWS", &error))?;
        // RFC 8555 §6.2: no unprotected header, and a single signature.
        if jws.header.is_some() || jws.signatures.is_some() {
            return Err(Problem::malformed("the JWS has an unprotected header or several signatures (RFC 8555 §6.2)"));
        }
        let protected = decoded("the protected header", &jws.protected)?;
        let header: Header<'_> =
            serde_json::from_slice(&protected).map_err(|error| of_json("the protected header", &error))?;
        // RFC 7515 §4.1.11: unknown critical extensions are rejected, and there are no known ones.
        if header.crit.is_some() || header.b64.is_some() {
            return Err(Problem::malformed("critical header extensions are not supported (RFC 7515 §4.1.11)"));
        }
        let algorithm = ALGORITHMS.iter().find(|(name, _)| *name == header.alg).map(|(_, algorithm)| *algorithm);
        let algorithm = algorithm.ok_or_else(|| {
            let name: String = header.alg.chars().filter(char::is_ascii_graphic).take(32).collect();
            Problem::new(Kind::BadSignatureAlgorithm, format!("the signature algorithm {name} is not supported"))
        })?;
        let signer = match (header.jwk, header.kid) {
            (Some(jwk), None) => Signer::Key(public_key(backend, jwk.get())?),
            (None, Some(kid)) => Signer::Identifier(kid),
            _ => return Err(Problem::malformed("expected either jwk or kid in the protected header (RFC 8555 §6.2)")),
        };
        let input = [jws.protected.as_bytes(), b".", jws.payload.as_bytes()].concat();
        Ok(Self {
            algorithm,
            signer,
            nonce: header.nonce,
            url: header.url,
            payload: decoded("the payload", &jws.payload)?,
            input,
            signature: decoded("the signature", &jws.signature)?,
        })
    }

    /// Verifies the signature with a public key, a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// [`Kind::BadSignatureAlgorithm`] if the algorithm does not suit the key; [`Kind::Malformed`] for an invalid signature.
    pub(crate) fn verify(&self, backend: &dyn Backend, info: &[u8]) -> Result<(), Problem> {
        let info = SubjectPublicKeyInfo::from_der(info).map_err(Problem::internal)?;
        let key = KeyType::of(&info).map_err(|error| Problem::new(Kind::BadPublicKey, error.to_string()))?;
        let scheme = self.algorithm.scheme(key).ok_or_else(|| {
            Problem::new(Kind::BadSignatureAlgorithm, format!("the signature algorithm does not suit a {key} key"))
        })?;
        let invalid = || Problem::malformed("the signature of the JWS is invalid");
        let converted;
        let signature = match self.algorithm {
            Algorithm::Ecdsa(_, _, len) => {
                converted = self.ecdsa(len).ok_or_else(invalid)?;
                &converted
            }
            _ => &self.signature,
        };
        let public = backend.public_key(&info).map_err(|error| Problem::new(Kind::BadPublicKey, error.to_string()))?;
        public.verify(&scheme, &self.input, signature).map_err(|_| invalid())
    }

    /// Converts r and s of fixed length (RFC 7518 §3.4) to two INTEGERs in a SEQUENCE.
    fn ecdsa(&self, len: usize) -> Option<Vec<u8>> {
        let (r, s) = self.signature.split_at_checked(len).filter(|(_, s)| s.len() == len)?;
        let (r, s) = (IntBuf::from_unsigned(r), IntBuf::from_unsigned(s));
        encode(&EcdsaSigValue { r: r.as_int(), s: s.as_int() }).ok()
    }

    /// Verifies the MAC of an external account binding (RFC 8555 §7.3.4).
    ///
    /// # Errors
    /// [`Kind::BadSignatureAlgorithm`] for other algorithms; [`Kind::Unauthorized`] for a wrong MAC.
    pub(crate) fn verify_mac(&self, backend: &dyn Backend, key: &[u8]) -> Result<(), Problem> {
        let Algorithm::Hmac(digest) = self.algorithm else {
            let what = "an external account binding requires HS256, HS384 or HS512 (RFC 8555 §7.3.4)";
            return Err(Problem::new(Kind::BadSignatureAlgorithm, what));
        };
        let mut hmac = backend.hmac(digest, key).map_err(Problem::internal)?;
        hmac.update(&self.input);
        let mac = hmac.finish().map_err(Problem::internal)?;
        if is_same(&mac, &self.signature) {
            Ok(())
        } else {
            Err(Problem::unauthorized("the MAC of the external account binding is wrong"))
        }
    }
}

/// Compares in a time that does not depend on the position of the first difference.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let difference = one.iter().zip(other).fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == other.len() && core::hint::black_box(difference) == 0
}

//! JSON Web Keys (RFC 7517, RFC 7518 §6, RFC 8037 §2), and their thumbprints (RFC 7638).

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use tagwise_codec::text::base64;
use tagwise_codec::{Decode, Options, RuleSet};
use tagwise_crypto::{Backend, Curve, Digest, Error, ErrorKind, KeyType, PrivateKeyInfo, Secret};
use tagwise_pkix::{Certificate, SubjectPublicKeyInfo};

use crate::parts::{
    Public, Rsa, coordinate_len, curve_private, edwards_private, public, rsa_of, rsa_public, secret_of,
};
use crate::{Found, Key, Limits, primes};

const FORM: &str = "JWK";

const CURVES: [(&str, KeyType); 4] = [
    ("P-256", KeyType::P256),
    ("P-384", KeyType::P384),
    ("P-521", KeyType::P521),
    // RFC 8812 §3.1.
    ("secp256k1", KeyType::Curve(Curve::Secp256k1)),
];

/// The algorithms of keys of the type AKP (draft-ietf-cose-dilithium, §4).
const POST_QUANTUM: [(&str, KeyType); 3] =
    [("ML-DSA-44", KeyType::MlDsa44), ("ML-DSA-65", KeyType::MlDsa65), ("ML-DSA-87", KeyType::MlDsa87)];

const EDWARDS: [(&str, KeyType); 4] =
    [("Ed25519", KeyType::Ed25519), ("Ed448", KeyType::Ed448), ("X25519", KeyType::X25519), ("X448", KeyType::X448)];

/// The supported members of a key. Values without escapes are borrowed, so that no copy remains in memory.
#[derive(Deserialize)]
struct Members<'t> {
    #[serde(borrow)]
    kty: Cow<'t, str>,
    #[serde(borrow, default)]
    kid: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    crv: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    x: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    y: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    n: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    e: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    d: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    p: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    q: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    dp: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    dq: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    qi: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    alg: Option<Cow<'t, str>>,
    #[serde(borrow, default, rename = "pub")]
    public: Option<Cow<'t, str>>,
    #[serde(borrow, default, rename = "priv")]
    private: Option<Cow<'t, str>>,
    #[serde(default)]
    oth: Option<IgnoredAny>,
    #[serde(default)]
    x5c: Vec<String>,
}

#[derive(Deserialize)]
struct Set<'t> {
    #[serde(borrow)]
    keys: Vec<&'t serde_json::value::RawValue>,
}

/// The secret members of a key, or those of the keys of a set.
#[derive(Deserialize)]
struct Secrets {
    #[serde(default)]
    d: Option<IgnoredAny>,
    #[serde(default)]
    k: Option<IgnoredAny>,
    #[serde(default, rename = "priv")]
    private: Option<IgnoredAny>,
    #[serde(default)]
    keys: Vec<Self>,
}

/// Returns whether a JWK or a JWK set has a private or symmetric key. JSON that cannot be read counts as one.
pub(crate) fn is_private(text: &[u8]) -> bool {
    let is_secret = |key: &Secrets| key.d.is_some() || key.k.is_some() || key.private.is_some();
    let text = text.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(text);
    let read = serde_json::from_slice::<Secrets>(text);
    // Sets are not nested: a set in a set is not read, so it counts.
    read.map_or(true, |read| is_secret(&read) || read.keys.iter().any(|key| is_secret(key) || !key.keys.is_empty()))
}

fn wrong(why: impl Into<String>) -> Error {
    Error::new(ErrorKind::MalformedKey, FORM).because(why.into())
}

/// Converts a parser error to its line and column. The parser's message is omitted, because it may quote the text.
fn of_json(error: &serde_json::Error) -> Error {
    let what = if error.is_data() { "a member is missing, duplicated or of the wrong type" } else { "malformed JSON" };
    wrong(format!("{what}, at line {}, column {}", error.line(), error.column()))
}

/// Decodes a member in base64url without padding (RFC 7515 §2).
fn octets(name: &str, member: Option<&Cow<'_, str>>) -> Result<Secret, Error> {
    let text = member.ok_or_else(|| wrong(format!("the member {name} is missing")))?;
    from_base64url(text).ok_or_else(|| wrong(format!("{name} is not base64url without padding (RFC 7515 §2)")))
}

/// Decodes base64url without padding (RFC 7515 §2). Returns `None` for any other text.
///
/// ```
/// use tagwise_keys::jwk;
/// assert_eq!(jwk::from_base64url("_-8").unwrap().expose(), [0xFF, 0xEF]);
/// assert!(jwk::from_base64url("_-8=").is_none() && jwk::from_base64url("/+8").is_none());
/// ```
#[must_use]
pub fn from_base64url(text: &str) -> Option<Secret> {
    if !text.bytes().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_')) {
        return None;
    }
    // The standard alphabet, and padding.
    let swapped = text.bytes().map(|octet| match octet {
        b'-' => b'+',
        b'_' => b'/',
        octet => octet,
    });
    let mut standard = Vec::with_capacity(text.len() + 3);
    standard.extend(swapped);
    standard.extend(core::iter::repeat_n(b'=', standard.len().next_multiple_of(4) - standard.len()));
    let standard = Secret::from(standard);
    base64::decode(standard.expose()).map(Secret::from).ok()
}

/// Encodes bytes in base64url without padding (RFC 7515 §2).
///
/// ```
/// assert_eq!(tagwise_keys::jwk::base64url(&[0xFF, 0xEF]), "_-8");
/// ```
#[must_use]
pub fn base64url(octets: &[u8]) -> String {
    let text = base64::encode(octets);
    text.trim_end_matches('=').replace('+', "-").replace('/', "_")
}

/// Reads a JWK or a JWK set.
///
/// Keys of unsupported types in a set are ignored (RFC 7517 §5), unless the set contains no other keys. The first
/// certificate in `x5c` must have the same public key (§4.7).
///
/// ```
/// use tagwise_keys::{Key, Limits, jwk};
/// // RFC 8037 §A.2.
/// let text = br#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
/// assert!(matches!(jwk::read(text, &Limits::DEFAULT)?[0].key, Key::Public(_)));
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// Returns [`ErrorKind::MalformedKey`] if the JSON or a key is invalid, [`ErrorKind::Unsupported`] for other key types and
/// curves, [`ErrorKind::Inconsistent`] if the certificate has a different public key, or [`ErrorKind::Limit`] if there are
/// too many keys.
pub fn read(text: &[u8], limits: &Limits) -> Result<Vec<Found>, Error> {
    if let Ok(set) = serde_json::from_slice::<Set<'_>>(text) {
        if set.keys.len() > limits.keys as usize {
            return Err(Error::new(ErrorKind::Limit, "the number of keys"));
        }
        let mut found = Vec::new();
        let mut last = None;
        for key in set.keys {
            let members = serde_json::from_str::<Members<'_>>(key.get()).map_err(|error| of_json(&error))?;
            match one(&members) {
                Ok(key) => found.push(key),
                Err(error) if error.kind().is_unsupported() => last = Some(error),
                Err(error) => return Err(error),
            }
        }
        return match last {
            Some(error) if found.is_empty() => Err(error),
            _ if found.is_empty() => Err(wrong("the set is empty")),
            _ => Ok(found),
        };
    }
    let members = serde_json::from_slice::<Members<'_>>(text).map_err(|error| of_json(&error))?;
    one(&members).map(|found| vec![found])
}

fn one(members: &Members<'_>) -> Result<Found, Error> {
    let (key, info) = match &*members.kty {
        "RSA" => rsa(members)?,
        "EC" | "OKP" => curve(members)?,
        "AKP" => post_quantum(members)?,
        other => {
            let other: String = other.chars().filter(char::is_ascii_graphic).take(32).collect();
            return Err(Error::new(ErrorKind::Unsupported, format_args!("the JWK type {other}")));
        }
    };
    let mut certificates = Vec::new();
    for (index, text) in members.x5c.iter().enumerate() {
        // RFC 7517 §4.7: base64, not base64url.
        let der = base64::decode(text.as_bytes()).map_err(|_| wrong(format!("x5c[{index}] is not base64")))?;
        let options = Options::der().rules(RuleSet::ALL);
        let certificate = options.outline::<Certificate<'_>>(&der);
        let certificate = certificate.map_err(|error| wrong(format!("x5c[{index}]: {error}")))?.value;
        if index == 0 && !is_same(&certificate.tbs_certificate.subject_public_key_info, &info)? {
            let why = "the public key of the first certificate in x5c does not match the JWK (RFC 7517 §4.7)";
            return Err(Error::new(ErrorKind::Inconsistent, FORM).because(why));
        }
        certificates.push(der);
    }
    let name = members.kid.as_ref().map(|kid| kid.clone().into_owned());
    let key = key.map_or(Key::Public(info), |key| Key::Private(Box::new(key)));
    Ok(Found { name, certificates, ..Found::new(FORM, key) })
}

/// Returns whether two public keys are equal, ignoring their parameters.
fn is_same(one: &SubjectPublicKeyInfo<'_>, other: &[u8]) -> Result<bool, Error> {
    let other = SubjectPublicKeyInfo::from_der(other).map_err(|error| wrong(error.to_string()))?;
    Ok(one.subject_public_key.octets() == other.subject_public_key.octets())
}

type Pair = (Option<PrivateKeyInfo>, Vec<u8>);

fn rsa(members: &Members<'_>) -> Result<Pair, Error> {
    let (modulus, public_exponent) = (octets("n", members.n.as_ref())?, octets("e", members.e.as_ref())?);
    let info = rsa_public(modulus.expose(), public_exponent.expose())?;
    if members.d.is_none() {
        return Ok((None, info));
    }
    if members.oth.is_some() {
        return Err(Error::new(ErrorKind::Unsupported, "a JWK with more than two primes"));
    }
    let others = [&members.p, &members.q, &members.dp, &members.dq, &members.qi];
    // RFC 7518 §6.3.2: all of them, or none.
    if others.iter().all(|member| member.is_none()) {
        let private_exponent = octets("d", members.d.as_ref())?;
        let [first, second, coefficient] =
            primes::recover(modulus.expose(), public_exponent.expose(), private_exponent.expose())?;
        let rsa = Rsa {
            modulus: modulus.expose(),
            public_exponent: public_exponent.expose(),
            private_exponent: private_exponent.expose(),
            primes: [first.expose(), second.expose()],
            exponents: None,
            coefficient: coefficient.expose(),
        };
        return Ok((Some(rsa.private_key()?), info));
    }
    let private_exponent = octets("d", members.d.as_ref())?;
    // RFC 7518 §6.3.2: with one of these, all others are there.
    let (first, second) = (octets("p", members.p.as_ref())?, octets("q", members.q.as_ref())?);
    let (one, other) = (octets("dp", members.dp.as_ref())?, octets("dq", members.dq.as_ref())?);
    let coefficient = octets("qi", members.qi.as_ref())?;
    let rsa = Rsa {
        modulus: modulus.expose(),
        public_exponent: public_exponent.expose(),
        private_exponent: private_exponent.expose(),
        primes: [first.expose(), second.expose()],
        exponents: Some([one.expose(), other.expose()]),
        coefficient: coefficient.expose(),
    };
    Ok((Some(rsa.private_key()?), info))
}

fn curve(members: &Members<'_>) -> Result<Pair, Error> {
    let is_point = members.kty == "EC";
    let name = members.crv.as_deref().ok_or_else(|| wrong("the member crv is missing"))?;
    let rows = if is_point { CURVES } else { EDWARDS };
    let key = rows.iter().find(|(known, _)| *known == name).map(|(_, key)| *key);
    let key = key.ok_or_else(|| {
        let name: String = name.chars().filter(char::is_ascii_graphic).take(32).collect();
        Error::new(ErrorKind::Unsupported, format_args!("the JWK curve {name}"))
    })?;
    let x = octets("x", members.x.as_ref())?;
    let private = members.d.as_ref().map(|d| octets("d", Some(d))).transpose()?;
    if !is_point {
        let info = public(key, x.expose())?;
        let private = private.map(|d| edwards_private(key, d.expose())).transpose()?;
        return Ok((private.map(|private| with_public(&private, x.expose())).transpose()?, info));
    }
    let y = octets("y", members.y.as_ref())?;
    // RFC 7518 §6.2.1.2: as many bytes as a coordinate has.
    let len = coordinate_len(key).unwrap_or_default();
    if x.len() != len || y.len() != len {
        return Err(wrong(format!("x and y have {} and {} bytes, expected {len} (RFC 7518 §6.2.1)", x.len(), y.len())));
    }
    let point = [&[4], x.expose(), y.expose()].concat();
    let info = public(key, &point)?;
    Ok((private.map(|d| curve_private(key, d.expose(), Some(&point))).transpose()?, info))
}

/// A key of the type AKP, whose algorithm is required.
fn post_quantum(members: &Members<'_>) -> Result<Pair, Error> {
    let name = members.alg.as_deref().ok_or_else(|| wrong("the member alg is missing"))?;
    let key = POST_QUANTUM.iter().find(|(known, _)| *known == name).map(|(_, key)| *key);
    let key = key.ok_or_else(|| {
        let name: String = name.chars().filter(char::is_ascii_graphic).take(32).collect();
        Error::new(ErrorKind::Unsupported, format_args!("the JWK algorithm {name}"))
    })?;
    if members.private.is_some() {
        return Err(Error::new(ErrorKind::Unsupported, "a private AKP JWK"));
    }
    Ok((None, public(key, octets("pub", members.public.as_ref())?.expose())?))
}

/// Adds the public key to a private key, so that a backend compares them (RFC 5958 §2).
fn with_public(info: &PrivateKeyInfo, half: &[u8]) -> Result<PrivateKeyInfo, Error> {
    use tagwise_codec::BitStr;
    use tagwise_pkix::pkcs8::OneAsymmetricKey;
    use tagwise_pkix::private_key::private_key_info;
    let key = OneAsymmetricKey::from_der(info.pkcs8().expose()).map_err(|error| wrong(error.to_string()))?;
    let inside = key.private_key.0.as_bytes();
    let whole = private_key_info(&key.private_key_algorithm, inside, &[], Some(BitStr::from_octets(half)));
    PrivateKeyInfo::from_pkcs8(&whole.map_err(|error| wrong(error.to_string()))?)
}

/// Returns the required members of a public key, in lexicographic order (RFC 7638 §3.2), as JSON without braces.
fn required(info: &[u8]) -> Result<String, Error> {
    let info = SubjectPublicKeyInfo::from_der(info).map_err(|error| wrong(error.to_string()))?;
    let name = |rows: &[(&'static str, KeyType)], key| {
        let found = rows.iter().find(|(_, known)| *known == key).map(|(name, _)| *name);
        found.ok_or_else(|| Error::new(ErrorKind::Unsupported, format_args!("{key} as a JWK")))
    };
    if let Some((alg, _)) = KeyType::of(&info).ok().and_then(|key| POST_QUANTUM.iter().find(|(_, own)| *own == key)) {
        let octets = info.subject_public_key.octets().unwrap_or_default();
        return Ok(format!(r#""alg":"{alg}","kty":"AKP","pub":"{}""#, base64url(octets)));
    }
    Ok(match Public::of(&info, "a JWK")? {
        Public::Rsa { modulus, exponent } => {
            let (n, e) = (base64url(modulus.magnitude()), base64url(exponent.magnitude()));
            format!(r#""e":"{e}","kty":"RSA","n":"{n}""#)
        }
        Public::Curve(key, point) => {
            let (x, y) = Public::coordinates(point);
            let crv = name(&CURVES, key)?;
            format!(r#""crv":"{crv}","kty":"EC","x":"{}","y":"{}""#, base64url(x), base64url(y))
        }
        Public::Edwards(key, x) => {
            format!(r#""crv":"{}","kty":"OKP","x":"{}""#, name(&EDWARDS, key)?, base64url(x))
        }
    })
}

/// Computes the SHA-256 thumbprint of a public key, in base64url (RFC 7638 §3). `info` is a SubjectPublicKeyInfo in DER.
///
/// ```
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_keys::{Key, Limits, jwk};
/// // RFC 8037 §A.3.
/// let text = br#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
/// let Key::Public(info) = &jwk::read(text, &Limits::DEFAULT)?[0].key else { panic!() };
/// assert_eq!(jwk::thumbprint(&AwsLc::new(), info)?, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] if JWK does not define the key type.
pub fn thumbprint(backend: &dyn Backend, info: &[u8]) -> Result<String, Error> {
    let digest = backend.digest(Digest::Sha256, format!("{{{}}}", required(info)?).as_bytes())?;
    Ok(base64url(&digest))
}

/// Writes a public key as a JWK. `info` is a SubjectPublicKeyInfo in DER.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] if JWK does not define the key type.
pub fn write_public(info: &[u8]) -> Result<String, Error> {
    Ok(format!("{{{}}}\n", required(info)?))
}

/// Writes a private key as a JWK. `public` is the SubjectPublicKeyInfo in DER.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] if JWK does not define the key type, or if it is an RSA key with more than two primes.
pub fn write_private(info: &PrivateKeyInfo, public: &[u8]) -> Result<Secret, Error> {
    let public = required(public)?;
    if POST_QUANTUM.iter().any(|(_, key)| *key == info.key_type()) {
        return Err(Error::new(ErrorKind::Unsupported, "a private AKP JWK"));
    }
    // Large enough not to grow, so that no copy is left behind.
    let mut text = Vec::with_capacity(2 * public.len() + 4 * info.pkcs8().len() + 64);
    text.extend(b"{");
    text.extend(public.bytes());
    let mut put = |name: &str, octets: &[u8]| {
        text.extend(format!(",\"{name}\":\"").bytes());
        let value = Secret::from(base64url(octets).into_bytes());
        text.extend_from_slice(value.expose());
        text.extend(b"\"");
    };
    if let KeyType::Rsa(_) = info.key_type() {
        let pkcs1 = info.to_pkcs1()?;
        let key = rsa_of(&pkcs1)?;
        let numbers = [
            ("d", key.private_exponent),
            ("p", key.prime1),
            ("q", key.prime2),
            ("dp", key.exponent1),
            ("dq", key.exponent2),
            ("qi", key.coefficient),
        ];
        numbers.iter().for_each(|(name, number)| put(name, number.magnitude()));
    } else {
        put("d", secret_of(info)?.expose());
    }
    text.extend(b"}\n");
    Ok(Secret::from(text))
}

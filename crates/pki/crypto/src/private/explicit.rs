//! Private keys with explicit curve parameters instead of the name of a curve (SEC 1 §C.2), as `openssl ecparam -param_enc explicit`
//! writes them.
//!
//! RFC 5915 §3 and RFC 5480 §2.1.1 require a named curve. A private key is accepted nevertheless if all of its parameters are those of
//! a known curve: its owner generated it, and no other generator can be substituted (CVE-2020-0601). The name then replaces the
//! parameters.

use tagwise_codec::{Any, BitStr, Fault, OctetStr, Oid, Options, Reader, Tag, encode};
use tagwise_pkix::algorithms::EcParameters;
use tagwise_pkix::pkcs8::OneAsymmetricKey;
use tagwise_pkix::private_key;
use tagwise_pkix::sec1::{EcPrivateKey, EcPrivateKeyVersion};
use tagwise_pkix::{AlgorithmIdentifier, oids, profile};

use crate::{Error, ErrorKind, Secret};

/// The components of an ECPrivateKey whose parameters are not decoded yet.
struct Open<'a> {
    key: OctetStr<'a>,
    parameters: Option<Any<'a>>,
    public: Option<BitStr<'a>>,
}

impl<'a> Open<'a> {
    fn read(sec1: &'a [u8]) -> Result<Self, Fault> {
        let mut reader = Reader::new(sec1)?;
        let read = reader.element(Tag::SEQUENCE, |reader| {
            let _version: EcPrivateKeyVersion = reader.read()?;
            let key = reader.read()?;
            let [zero, one] = [Tag::context(0).constructed(), Tag::context(1).constructed()];
            let parameters = if reader.at(zero) { Some(reader.read_explicit(zero)?) } else { None };
            let public = if reader.at(one) { Some(reader.read_explicit(one)?) } else { None };
            Ok(Self { key, parameters, public })
        })?;
        reader.finish()?;
        Ok(read)
    }
}

/// Returns whether an input is an ECPrivateKey with explicit parameters.
pub(crate) fn is_sec1(der: &[u8]) -> bool {
    Open::read(der).is_ok_and(|open| open.parameters.is_some_and(|parameters| parameters.tag() == Tag::SEQUENCE))
}

/// Converts an ECPrivateKey with explicit parameters to PKCS #8 with a named curve. Returns `None` for any other input.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] if the parameters are not those of a known curve.
pub(super) fn from_sec1(der: &[u8]) -> Option<Result<Secret, Error>> {
    let open = Open::read(der).ok()?;
    let parameters = open.parameters.filter(|parameters| parameters.tag() == Tag::SEQUENCE)?;
    Some(named(&open, &parameters, None))
}

/// Converts PKCS #8 with explicit parameters to PKCS #8 with a named curve. Attributes are omitted. Returns `None` for any other
/// input.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] if the parameters are not those of a known curve, and [`ErrorKind::Inconsistent`] if the key
/// contains different parameters or public keys.
pub(super) fn from_pkcs8(info: &OneAsymmetricKey<'_>) -> Option<Result<Secret, Error>> {
    let algorithm = info.private_key_algorithm;
    let is_curve = algorithm.algorithm == oids::EC_PUBLIC_KEY;
    let parameters = algorithm.parameters.filter(|parameters| is_curve && parameters.tag() == Tag::SEQUENCE)?;
    let malformed = |error: Fault| Error::new(ErrorKind::MalformedKey, "EC").because(error.to_string());
    let open = match Open::read(info.private_key.0.as_bytes()) {
        Ok(open) => open,
        Err(fault) => return Some(Err(malformed(fault))),
    };
    if open.parameters.is_some_and(|again| again.as_bytes() != parameters.as_bytes()) {
        return Some(Err(Error::new(ErrorKind::Inconsistent, "EC")));
    }
    Some(named(&open, &parameters, info.public_key))
}

fn named(open: &Open<'_>, parameters: &Any<'_>, outside: Option<BitStr<'_>>) -> Result<Secret, Error> {
    let malformed =
        |error: Box<dyn std::error::Error + Send + Sync>| Error::new(ErrorKind::MalformedKey, "EC").because(error);
    let curve = curve(parameters).ok_or_else(|| {
        Error::new(ErrorKind::Unsupported, "an elliptic curve key with explicit curve parameters")
            .because("they are not those of a known curve, expected a named curve (RFC 5915 §3)")
    })?;
    if let (Some(inside), Some(outside)) = (open.public, outside)
        && inside.octets() != outside.octets()
    {
        return Err(Error::new(ErrorKind::Inconsistent, "EC"));
    }
    let key = EcPrivateKey {
        version: EcPrivateKeyVersion::EC_PRIVKEY_VER1,
        private_key: open.key,
        parameters: Some(EcParameters::NamedCurve(curve)),
        public_key: open.public.or(outside),
    };
    let sec1 = Secret::from(encode(&key).map_err(|error| malformed(error.into()))?);
    private_key::pkcs8_from_sec1(sec1.expose()).map(Secret::from).map_err(|error| malformed(error.into()))
}

/// Returns the known curve that has exactly these parameters.
fn curve(parameters: &Any<'_>) -> Option<Oid<'static>> {
    let algorithm = AlgorithmIdentifier { algorithm: oids::EC_PUBLIC_KEY, parameters: Some(*parameters) };
    let der = encode(&algorithm).ok()?;
    let allowed = Options::der().allow(&profile::NAMED_CURVE);
    let curve = allowed.decode::<AlgorithmIdentifier<'_>>(&der).ok()?.value.curve()?;
    let known = [oids::SECP224R1, oids::SECP256R1, oids::SECP384R1, oids::SECP521R1, oids::SECP256K1];
    let brainpool = [
        oids::BRAINPOOL_P224R1,
        oids::BRAINPOOL_P256R1,
        oids::BRAINPOOL_P320R1,
        oids::BRAINPOOL_P384R1,
        oids::BRAINPOOL_P512R1,
    ];
    known.into_iter().chain(brainpool).find(|one| *one == curve)
}

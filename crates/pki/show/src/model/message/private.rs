//! Private keys, without secret parts (RFC 5958, RFC 8017, RFC 5915).

use tagwise_codec::{Decode, Oid};
use tagwise_pkix::algorithms::EcParameters;
use tagwise_pkix::pkcs1::RsaPrivateKey;
use tagwise_pkix::pkcs8::{EncryptedPrivateKeyInfo, OneAsymmetricKey};
use tagwise_pkix::sec1::EcPrivateKey;
use tagwise_pkix::{RsaPublicKey, oids};

use super::one;
use crate::lens::failed;
use crate::model::Scene;
use crate::model::key::algorithm;
use crate::tree::{Line, Record, Tone, Value};

/// Returns the placeholder for a secret key of the given length.
fn hidden<'a>(octets: usize) -> Value<'a> {
    Record::titled(Line::new(Tone::Dim, format!("{octets} bytes, not shown")))
        .json("octets", Value::number(octets))
        .into()
}

pub(super) fn rsa<'a>(key: &RsaPrivateKey<'a>) -> Value<'a> {
    let bits = key.modulus.bit_len();
    Record::titled(Line::new(Tone::Strong, format!("RSA {bits}")).and(Tone::Plain, " bits"))
        .json("bits", Value::Number(bits))
        .json("primes", Value::Number(if key.version.0 == 0 { 2 } else { 3 }))
        .with("modulus", Value::bulk(key.modulus.magnitude()))
        .with("exponent", Value::Integer(key.public_exponent))
        .with("private_parts", Record::titled(Line::new(Tone::Dim, "not shown")).into())
        .into()
}

pub(super) fn rsa_public<'a>(key: &RsaPublicKey<'a>) -> Value<'a> {
    let bits = key.modulus.bit_len();
    Record::titled(Line::new(Tone::Strong, format!("RSA {bits}")).and(Tone::Plain, " bits"))
        .json("bits", Value::Number(bits))
        .with("modulus", Value::bulk(key.modulus.magnitude()))
        .with("exponent", Value::Integer(key.public_exponent))
        .into()
}

/// Shows an elliptic curve key. `outside` is the curve named by the enclosing structure, if any.
pub(super) fn curve<'a>(key: &EcPrivateKey<'a>, outside: Option<Oid<'a>>) -> Value<'a> {
    let named = match &key.parameters {
        Some(EcParameters::NamedCurve(curve)) => Some(*curve),
        None => outside,
    };
    let curve = named.and_then(oids::lookup).map(|info| info.short_name().to_owned());
    let words = curve.or_else(|| named.map(|curve| curve.to_string())).unwrap_or_else(|| "unnamed curve".to_owned());
    Record::titled(Line::new(Tone::Strong, format!("EC {words}")))
        .with_some("curve", named.map(Value::Oid))
        .with_some("public_point", key.public_key.map(|point| Value::bulk(point.as_bytes())))
        .with("private_key", hidden(key.private_key.as_bytes().len()))
        .into()
}

pub(super) fn key<'a>(key: &OneAsymmetricKey<'a>, scene: &Scene) -> Value<'a> {
    let octets = key.private_key.0.as_bytes();
    let id = key.private_key_algorithm.algorithm;
    let inner = if id == oids::RSA_ENCRYPTION || id == oids::RSASSA_PSS {
        RsaPrivateKey::from_der(octets).ok().map(|found| rsa(&found))
    } else if id == oids::EC_PUBLIC_KEY {
        let outside =
            key.private_key_algorithm.parameters.and_then(|parameters| parameters.decode_as::<Oid<'a>>().ok());
        EcPrivateKey::from_der(octets).ok().map(|found| curve(&found, outside))
    } else {
        None
    };
    let attributes = key.attributes.map(|list| {
        let attribute = |read: Result<tagwise_pkix::cms::Attribute<'a>, _>| match read {
            Ok(attribute) => one(attribute.attr_type, &attribute.attr_values, scene),
            Err(bad) => failed(bad).0,
        };
        Value::List(scene.lens.set(&list).map(attribute).collect())
    });
    Record::default()
        .with("version", Value::Number(u64::from(key.version.0) + 1))
        .with("algorithm", algorithm(&key.private_key_algorithm))
        .with("private_key", inner.unwrap_or_else(|| hidden(octets.len())))
        .with_some("public_key", key.public_key.map(|public| Value::bulk(public.as_bytes())))
        .with_some("attributes", attributes)
        .into()
}

pub(super) fn encrypted<'a>(key: &EncryptedPrivateKeyInfo<'a>) -> Value<'a> {
    Record::default()
        .with("encryption_algorithm", algorithm(&key.encryption_algorithm))
        .with("encrypted_key", hidden(key.encrypted_data.as_bytes().len()))
        .into()
}

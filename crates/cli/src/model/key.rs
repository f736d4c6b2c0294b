//! Algorithms, public keys, signatures.

use sha2::{Digest, Sha256};
use tagwise_codec::{BitStr, Decode, Int, Oid, Tag, encode};
use tagwise_pkix::{AlgorithmIdentifier, RsaPublicKey, SubjectPublicKeyInfo, oids};

use super::any::any;
use crate::tree::{Line, Record, Tone, Value, decimal};

/// An algorithm with its parameters.
pub(crate) fn algorithm<'a>(algorithm: &AlgorithmIdentifier<'a>) -> Value<'a> {
    let mut record =
        Record::titled(oid_line(algorithm.algorithm, Tone::Plain)).json("oid", Value::text(algorithm.algorithm));
    if let Some(info) = oids::lookup(algorithm.algorithm) {
        record = record.json("name", Value::word(info.name));
    }
    match &algorithm.parameters {
        None => record,
        // What the RSA algorithms have for historical reasons is not worth a line.
        Some(parameters) if parameters.tag() == Tag::NULL => record.json("parameters", any(parameters)),
        Some(parameters) => record.with("parameters", any(parameters)),
    }
    .into()
}

/// An identifier by its name, with the dotted form behind it.
pub(crate) fn oid_line(oid: Oid<'_>, tone: Tone) -> Line {
    match oids::lookup(oid) {
        Some(info) => {
            // SKI and RSA-SHA1 are shorter than subjectKeyIdentifier and sha1WithRSAEncryption, but not how standards say it.
            let whole = matches!(info.kind, oids::Kind::Extension | oids::Kind::Signature);
            Line::new(tone, if whole { info.name } else { info.short_name() }).and(Tone::Dim, format!("  {oid}"))
        }
        None => Line::new(tone, oid),
    }
}

/// What there is to say of a public key in a few words: `RSA 2048`, `P-256`.
pub(crate) fn summary(key: &SubjectPublicKeyInfo<'_>) -> String {
    let algorithm = key.algorithm.algorithm;
    match Known::of(key) {
        Known::Rsa(rsa) => format!("RSA {}", bit_len(rsa.modulus)),
        Known::Curve(curve) => match oids::lookup(curve) {
            Some(info) => format!("EC {}", info.short_name()),
            None => format!("EC {curve}"),
        },
        Known::Dsa => "DSA".to_owned(),
        Known::Other => match oids::lookup(algorithm) {
            Some(info) => info.short_name().strip_prefix("id-").unwrap_or(info.short_name()).to_owned(),
            None => algorithm.to_string(),
        },
    }
}

enum Known<'a> {
    Rsa(RsaPublicKey<'a>),
    Curve(Oid<'a>),
    Dsa,
    Other,
}

impl<'a> Known<'a> {
    fn of(key: &SubjectPublicKeyInfo<'a>) -> Self {
        let algorithm = key.algorithm.algorithm;
        if algorithm == oids::RSA_ENCRYPTION {
            let rsa = key.subject_public_key.octets().and_then(|octets| RsaPublicKey::from_der(octets).ok());
            return rsa.map_or(Self::Other, Self::Rsa);
        }
        if algorithm == oids::EC_PUBLIC_KEY {
            let curve = key.algorithm.parameters.and_then(|parameters| parameters.decode_as::<Oid<'a>>().ok());
            return curve.map_or(Self::Other, Self::Curve);
        }
        if algorithm == oids::DSA { Self::Dsa } else { Self::Other }
    }
}

/// A public key: algorithm, size, and the numbers it is made of.
pub(crate) fn public_key<'a>(key: &SubjectPublicKeyInfo<'a>) -> Value<'a> {
    let mut title = Line::new(Tone::Strong, summary(key));
    let octets = key.subject_public_key;
    let mut parts = Record::default();
    let mut with_parameters = false;
    match Known::of(key) {
        Known::Rsa(rsa) => {
            title = title.and(Tone::Plain, " bits");
            if let Some(exponent) = decimal(rsa.public_exponent) {
                title = title.and(Tone::Dim, format!(", exponent {exponent}"));
            }
            parts = parts
                .json("bits", Value::Number(bit_len(rsa.modulus)))
                .with("modulus", Value::bulk(rsa.modulus.magnitude()))
                .json("exponent", Value::Integer(rsa.public_exponent));
        }
        Known::Curve(curve) => {
            let form = match octets.as_bytes() {
                [2 | 3, ..] => "compressed",
                [4, ..] => "uncompressed",
                _ => "unknown form",
            };
            title = title.and(Tone::Plain, format!(", {form} point"));
            parts = parts.json("curve", Value::Oid(curve)).with("point", Value::bulk(octets.as_bytes()));
            // Two coordinates, or one.
            let coordinate = match octets.as_bytes() {
                [4, rest @ ..] => rest.len() / 2,
                [_, rest @ ..] => rest.len(),
                [] => 0,
            };
            parts = parts.json("coordinate_octets", Value::number(coordinate));
        }
        Known::Dsa | Known::Other => {
            with_parameters = true;
            title = title.and(Tone::Plain, format!(", {} bits", octets.bit_len()));
            parts = parts.json("bits", Value::Number(octets.bit_len())).with("key", Value::bulk(octets.as_bytes()));
        }
    }
    let mut record = Record::titled(title).json("summary", Value::text(summary(key)));
    record = record.json("algorithm", algorithm(&key.algorithm));
    record.fields.append(&mut parts.fields);
    if with_parameters && let Some(parameters) = key.algorithm.parameters {
        record = record.with("parameters", any(&parameters));
    }
    // What rules tolerated does not encode again.
    if let Ok(der) = encode(key) {
        record = record.with("spki_sha256", Value::Hex(Sha256::digest(&der).to_vec().into()));
    }
    record.into()
}

/// A signature: how long it is, and its octets.
pub(crate) fn signature<'a>(signature: BitStr<'a>, of: &AlgorithmIdentifier<'a>) -> Value<'a> {
    let title = oid_line(of.algorithm, Tone::Plain).and(Tone::Plain, format!(", {} bits", signature.bit_len()));
    Record::titled(title)
        .json("algorithm", algorithm(of))
        .json("bits", Value::Number(signature.bit_len()))
        .bare("hex", Value::bulk(signature.as_bytes()))
        .into()
}

pub(crate) fn bit_len(int: Int<'_>) -> u64 {
    match int.magnitude() {
        [first, rest @ ..] => rest.len() as u64 * 8 + u64::from(8 - first.leading_zeros().min(8)),
        [] => 0,
    }
}

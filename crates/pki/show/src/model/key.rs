//! Algorithms, public keys, signatures.

use sha2::{Digest, Sha256};
use tagwise_codec::{Any, BitStr, Oid, Options, RuleSet, Tag, encode};
use tagwise_pkix::pss::RsassaPssParams;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};

use super::any::any;
use crate::tree::{Line, Record, Tone, Value, decimal};

/// Shows an algorithm with its parameters.
pub(crate) fn algorithm<'a>(algorithm: &AlgorithmIdentifier<'a>) -> Value<'a> {
    let mut record =
        Record::titled(oid_line(algorithm.algorithm, Tone::Plain)).json("oid", Value::text(algorithm.algorithm));
    if let Some(info) = oids::lookup(algorithm.algorithm) {
        record = record.json("name", Value::word(info.name));
    }
    match &algorithm.parameters {
        None => record,
        // NULL parameters, which RSA algorithms have for historical reasons, are omitted in text.
        Some(parameters) if parameters.tag() == Tag::NULL => record.json("parameters", any(parameters)),
        Some(parameters) => record.with("parameters", parameters_of(algorithm.algorithm, parameters)),
    }
    .into()
}

/// Returns the name of an object identifier, followed by its dotted form.
pub fn oid_line(oid: Oid<'_>, tone: Tone) -> Line {
    match oids::lookup(oid) {
        Some(info) => {
            // SKI and RSA-SHA1 are shorter than subjectKeyIdentifier and sha1WithRSAEncryption, but not how standards say it.
            let whole = matches!(info.kind, oids::ObjectKind::Extension | oids::ObjectKind::Signature);
            Line::new(tone, if whole { info.name } else { info.short_name() }).and(Tone::Dim, format!("  {oid}"))
        }
        None => Line::new(tone, oid),
    }
}

/// Returns a short description of a public key, such as `RSA 2048`, `EC P-256` or `DSA of unknown size`.
pub fn summary(key: &SubjectPublicKeyInfo<'_>) -> String {
    let (algorithm, info) = (key.algorithm.algorithm, key.info());
    if oids::lookup(algorithm).is_none() {
        return algorithm.to_string();
    }
    match curve(key) {
        // A curve that is not in the table.
        Some(curve) if info.curve.is_none() => format!("EC {curve}"),
        _ => info.to_string(),
    }
}

/// Returns the named curve of an elliptic curve key.
fn curve<'a>(key: &SubjectPublicKeyInfo<'a>) -> Option<Oid<'a>> {
    let is_curve = key.algorithm.algorithm == oids::EC_PUBLIC_KEY;
    key.algorithm.parameters.filter(|_| is_curve).and_then(|parameters| parameters.decode_as().ok())
}

/// Shows a public key: its algorithm, size and components.
pub(crate) fn public_key<'a>(key: &SubjectPublicKeyInfo<'a>) -> Value<'a> {
    let (mut title, summary, info) = (Line::new(Tone::Strong, summary(key)), summary(key), key.info());
    let octets = key.subject_public_key;
    let mut parts = Record::default();
    let bits = || info.bits.map_or(Value::Null, |bits| Value::Number(bits.into()));
    // The parameters of keys with no further structure. A named curve is shown separately.
    let mut parameters = key.algorithm.parameters;
    if let Some(rsa) = key.rsa() {
        title = title.and(Tone::Plain, " bits");
        if let Some(exponent) = decimal(rsa.public_exponent) {
            title = title.and(Tone::Dim, format!(", exponent {exponent}"));
        }
        parts = parts
            .json("bits", bits())
            .with("modulus", Value::bulk(rsa.modulus.magnitude()))
            .json("exponent", Value::Integer(rsa.public_exponent));
        parameters = parameters.filter(|parameters| parameters.tag() != Tag::NULL);
    } else if let Some(curve) = curve(key) {
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
        parameters = None;
    } else {
        // If the summary already ends with the key size, only the unit is added.
        title = match info.bits {
            Some(bits) if summary.ends_with(&format!(" {bits}")) => title.and(Tone::Plain, " bits"),
            Some(bits) => title.and(Tone::Plain, format!(", {bits} bits")),
            None => title.and(Tone::Plain, format!(", {} bytes", octets.as_bytes().len())),
        };
        parts = parts.json("bits", bits()).with("key", Value::bulk(octets.as_bytes()));
    }
    let mut record = Record::titled(title).json("summary", Value::text(summary));
    record = record.json("algorithm", algorithm(&key.algorithm));
    record.fields.append(&mut parts.fields);
    if let Some(found) = parameters {
        record = record.with("parameters", parameters_of(key.algorithm.algorithm, &found));
    }
    // A key that was decoded only with tolerated deviations may not encode again.
    if let Ok(der) = encode(key) {
        record = record.with("spki_sha256", Value::Hex(Sha256::digest(&der).to_vec().into()));
    }
    record.into()
}

/// Shows an algorithm's parameters. Those of RSASSA-PSS are described in words.
fn parameters_of<'a>(algorithm: Oid<'_>, parameters: &Any<'a>) -> Value<'a> {
    let Value::Record(mut record) = any(parameters) else { return any(parameters) };
    let options = Options::der().rules(RuleSet::ALL);
    if algorithm == oids::RSASSA_PSS
        && let Ok(read) = options.decode::<RsassaPssParams<'_>>(parameters.as_bytes())
    {
        let pss = read.value;
        let name =
            |oid: Oid<'_>| oids::lookup(oid).map_or_else(|| oid.to_string(), |info| info.short_name().to_owned());
        let inner = pss.mask_gen_algorithm.parameters;
        let inner = inner.and_then(|inner| inner.decode_as::<AlgorithmIdentifier<'_>>().ok());
        let (hash, mask) = (name(pss.hash_algorithm.algorithm), name(pss.mask_gen_algorithm.algorithm));
        let with = inner.map(|inner| format!(" with {}", name(inner.algorithm))).unwrap_or_default();
        record.title = Line::plain(format!("{hash}, {mask}{with}, salt of {} bytes", pss.salt_length));
        if pss.trailer_field != 1 {
            record.title = record.title.and(Tone::Bad, format!(", trailer field {}", pss.trailer_field));
        }
    }
    record.into()
}

/// Shows a signature: its length and bytes.
pub(crate) fn signature<'a>(signature: BitStr<'a>, of: &AlgorithmIdentifier<'a>) -> Value<'a> {
    let title = oid_line(of.algorithm, Tone::Plain).and(Tone::Plain, format!(", {} bits", signature.bit_len()));
    Record::titled(title)
        .json("algorithm", algorithm(of))
        .json("bits", Value::Number(signature.bit_len()))
        .bare("hex", Value::bulk(signature.as_bytes()))
        .into()
}

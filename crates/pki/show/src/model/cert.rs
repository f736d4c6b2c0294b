//! Certificates.

use sha2::{Digest, Sha256};
use tagwise_codec::text::hex::Hex;
use tagwise_codec::{Int, Oid, Options, RuleSet};
use tagwise_pkix::ext::SubjectAltName;
use tagwise_pkix::{Certificate, CertificateSerialNumber, Extensions, Name, oids};

use super::ext::{Spot, extensions};
use super::key::{algorithm, public_key, signature};
use super::name::name;
use super::{Scene, bits, period, signed};
use crate::tree::{Line, Record, Tone, Value, decimal};

/// Shows the contents of a certificate.
pub(crate) fn certificate<'a>(certificate: &Certificate<'a>, scene: &Scene) -> Value<'a> {
    let tbs = &certificate.tbs_certificate;
    let number = u64::from(tbs.version.0) + 1;
    let mut record = Record::default()
        .with("version", Value::Number(number))
        .with("serial_number", serial(tbs.serial_number))
        .with("subject", name(&tbs.subject, scene))
        .with("issuer", name(&tbs.issuer, scene))
        .with("validity", period(tbs.validity.not_before.civil(), tbs.validity.not_after.civil(), scene.now))
        .with("public_key", public_key(&tbs.subject_public_key_info))
        .with("signature_algorithm", algorithm(&tbs.signature))
        .with_some("issuer_unique_id", tbs.issuer_unique_id.map(bits))
        .with_some("subject_unique_id", tbs.subject_unique_id.map(bits));
    if let Some(list) = &tbs.extensions {
        record = record.with("extensions", extensions(list, Spot::Certificate, scene));
    }
    if let Some(proof) = scene.proof.and_then(|proof| proof(certificate)) {
        return record.with("proof", proof).into();
    }
    record
        .with("signature", signature(certificate.signature_value, &certificate.signature_algorithm))
        .with_some("self_signature", signed::of_certificate(certificate, scene))
        .into()
}

/// Shows a serial number.
pub(crate) fn serial<'a>(serial: CertificateSerialNumber<'a>) -> Value<'a> {
    number(serial.0)
}

/// Shows a serial number that refers to a certificate, and need not satisfy any rules.
pub(crate) fn number<'a>(serial: Int<'a>) -> Value<'a> {
    let title = Line::plain(Hex(serial.magnitude()));
    // Longer numbers are not readable in decimal.
    let small = decimal(serial).filter(|_| serial.as_bytes().len() <= 8);
    let title = match (&small, serial.is_negative()) {
        (Some(decimal), _) => title.and(Tone::Dim, format!(" ({decimal})")),
        (None, true) => title.and(Tone::Warn, " (negative)"),
        (None, false) => title,
    };
    let mut record = Record::titled(title).json("hex", Value::hex(serial.magnitude()));
    if let Some(decimal) = decimal(serial) {
        record = record.json("decimal", Value::text(decimal));
    }
    if serial.is_negative() {
        record = record.json("negative", Value::Bool(true));
    }
    record.into()
}

/// Returns a short label for the subject: part of its name, otherwise its first alternative name, otherwise the serial
/// number.
pub fn short_subject(certificate: &Certificate<'_>) -> String {
    let tbs = &certificate.tbs_certificate;
    let name = short_name_of(&tbs.subject);
    if !name.trim().is_empty() {
        return name;
    }
    // With an empty subject, the alternative names identify the certificate (RFC 5280 §4.1.2.6).
    let names = tbs.extensions.and_then(|list| list.get::<SubjectAltName<'_>>().ok().flatten());
    let first = names.and_then(|names| names.0.iter().map_while(Result::ok).next().map(|name| name.to_string()));
    first.unwrap_or_else(|| format!("serial number {}", Hex(tbs.serial_number.0.magnitude())))
}

/// Returns the label of a certificate in DER, like [`short_subject`]. Returns the SHA-256 hash if the certificate is
/// unreadable.
pub fn short_name_of_certificate(der: &[u8]) -> String {
    let lax = Options::der().rules(RuleSet::ALL);
    match lax.outline::<Certificate<'_>>(der) {
        Ok(read) => short_subject(&read.value),
        Err(_) => format!("SHA-256 {}", Hex(&Sha256::digest(der))),
    }
}

/// Returns a short form of a name: its most specific naming attribute, or otherwise the complete name. Empty for an empty
/// name.
pub fn short_name_of(name: &Name<'_>) -> String {
    let text = |attr_type: &Oid<'_>| {
        let attribute = name.get(*attr_type)?;
        let text = tagwise_pkix::name::visible(&*attribute.text()?).to_string();
        Some(text).filter(|text| !text.trim().is_empty())
    };
    [oids::COMMON_NAME, oids::ORGANIZATIONAL_UNIT_NAME, oids::ORGANIZATION_NAME]
        .iter()
        .find_map(text)
        .unwrap_or_else(|| name.oneline().to_string())
}

/// Counts the extensions in a list, without decoding them.
pub(crate) fn count(extensions: &Extensions<'_>) -> usize {
    extensions.as_seq_of().len()
}

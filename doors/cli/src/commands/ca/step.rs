//! Import of step-ca's records in JSON: certificates and their revocations.
//!
//! step-ca's database is read by `step-badger`. Its `x509Certs --emit json` prints an array of objects, each with a
//! `Certificate` (`Raw` is the DER in base64) and a `Revocation`. Its `dbTable` prints the revocations that step-ca
//! stores, which have the serial number in decimal.

use std::path::Path;

use serde::Deserialize;
use tagwise_ca::Serial;
use tagwise_ca::store::Revocation;
use tagwise_codec::Decode;
use tagwise_codec::text::base64;
use tagwise_pkix::Certificate;
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::name::visible;

use crate::shared::context::Context;
use crate::shared::moment::instant;
use crate::shared::output::{Failure, name_of};

/// The imported records.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) certificates: Vec<Vec<u8>>,
    pub(super) revoked: Vec<(Serial, Revocation)>,
}

#[derive(Deserialize)]
struct Record {
    #[serde(rename = "Certificate")]
    certificate: Option<RawCertificate>,
    #[serde(rename = "Revocation")]
    revocation: Option<RawRevocation>,
    #[serde(flatten)]
    alone: RawRevocation,
}

#[derive(Deserialize)]
struct RawCertificate {
    #[serde(rename = "Raw")]
    raw: String,
}

/// A revocation as step-ca stores it.
#[derive(Default, Deserialize)]
struct RawRevocation {
    /// The serial number in decimal.
    #[serde(rename = "Serial")]
    serial: Option<String>,
    #[serde(rename = "ReasonCode", default)]
    reason_code: u8,
    #[serde(rename = "RevokedAt")]
    revoked_at: Option<String>,
}

/// The zero time, which Go prints if no time is set.
const NEVER: &str = "0001-01-01T00:00:00Z";

/// Reads an array of records.
///
/// # Errors
/// Returns an error if the file cannot be read or is not such an array.
pub(super) fn read(context: &Context, path: &Path) -> Result<Records, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let negative = |what: String| Failure::negative(format!("{}: {}", name_of(path), visible(&what)));
    parse(&octets).map_err(negative)
}

fn parse(octets: &[u8]) -> Result<Records, String> {
    let list: Vec<Record> =
        serde_json::from_slice(octets).map_err(|error| format!("not a list of step-ca's records: {error}"))?;
    let mut records = Records::default();
    for (record, number) in list.into_iter().zip(1_usize..) {
        add(record, &mut records).map_err(|what| format!("record {number}: {what}"))?;
    }
    Ok(records)
}

fn add(record: Record, records: &mut Records) -> Result<(), String> {
    let Some(certificate) = record.certificate else {
        let text = record.alone.serial.as_deref().ok_or("neither a Certificate nor a Serial")?;
        let serial = decimal(text).ok_or_else(|| format!("`{text}` is not a serial number in decimal"))?;
        let revocation = revocation(&record.alone)?.ok_or("a revocation without the time RevokedAt")?;
        records.revoked.push((serial, revocation));
        return Ok(());
    };
    let der = base64::decode(certificate.raw.as_bytes()).map_err(|error| format!("Certificate.Raw: {error}"))?;
    if let Some(revocation) = record.revocation.as_ref().map(revocation).transpose()?.flatten() {
        let read = Certificate::outline(&der).map_err(|error| format!("Certificate.Raw: {error}"))?;
        records.revoked.push((Serial::from_int(read.tbs_certificate.serial_number.0), revocation));
    }
    records.certificates.push(der);
    Ok(())
}

fn revocation(raw: &RawRevocation) -> Result<Option<Revocation>, String> {
    let Some(text) = raw.revoked_at.as_deref().filter(|text| *text != NEVER) else { return Ok(None) };
    // Fractions of seconds are dropped.
    let whole = match (text.find('.'), text.ends_with('Z')) {
        (Some(at), true) => format!("{}Z", text.get(..at).unwrap_or_default()),
        _ => text.to_owned(),
    };
    let at = instant(&whole).map_err(|error| format!("RevokedAt: {error}"))?;
    let reason = CrlReason::from_der(&[0x0A, 1, raw.reason_code]).ok();
    let reason = reason.filter(|reason| *reason != CrlReason::RemoveFromCrl);
    let reason = reason.ok_or_else(|| format!("ReasonCode: {} is not a reason (RFC 5280 §5.3.1)", raw.reason_code))?;
    Ok(Some(Revocation { at, reason, invalid_since: None }))
}

/// Parses a decimal serial number of at most 20 bytes.
fn decimal(text: &str) -> Option<Serial> {
    if text.is_empty() || text.len() > 49 {
        return None;
    }
    let mut octets = [0_u8; 21];
    for character in text.chars() {
        let mut carry = character.to_digit(10)?;
        for octet in octets.iter_mut().rev() {
            let value = u32::from(*octet) * 10 + carry;
            *octet = u8::try_from(value & 0xFF).ok()?;
            carry = value >> 8;
        }
        if carry != 0 {
            return None;
        }
    }
    let serial = Serial::from_content(&octets);
    (serial.as_bytes().len() <= 20).then_some(serial)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tagwise_pkix::UnixTime;

    #[test]
    fn revocations_alone() {
        let text = br#"[{"Serial":"256","ReasonCode":4,"RevokedAt":"2026-11-28T21:00:38.123456Z","TokenID":""}]"#;
        let found = parse(text).unwrap();
        let at = UnixTime(1_795_899_638);
        let revocation = Revocation { at, reason: CrlReason::Superseded, invalid_since: None };
        assert_eq!(found.revoked, [("0100".parse().unwrap(), revocation)]);
        assert!(found.certificates.is_empty());
    }

    #[test]
    fn malformed_records() {
        for (text, words) in [
            ("{}", "not a list"),
            ("[{}]", "record 1: neither"),
            (r#"[{"Serial":"x","RevokedAt":"2026-11-28T21:00:38Z"}]"#, "decimal"),
            (r#"[{"Serial":"1","RevokedAt":"soon"}]"#, "RevokedAt"),
            (r#"[{"Serial":"1","RevokedAt":"0001-01-01T00:00:00Z"}]"#, "without the time"),
            (r#"[{"Serial":"1","ReasonCode":8,"RevokedAt":"2026-11-28T21:00:38Z"}]"#, "8 is not a reason"),
            (r#"[{"Certificate":{"Raw":"%"}}]"#, "Certificate.Raw"),
        ] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn decimals() {
        assert_eq!(decimal("128").unwrap().as_bytes(), [0, 128]);
        assert_eq!(decimal("0").unwrap().as_bytes(), [0]);
        assert_eq!(decimal(&"9".repeat(47)).unwrap().as_bytes().len(), 20);
        for text in ["", "-1", "1a", &"9".repeat(49), &"1".repeat(60)] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }
}

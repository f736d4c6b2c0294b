//! Import of step-ca's records: certificates and their revocations.
//!
//! step-ca's Badger database is read by `step-badger`. Its `x509Certs --emit json` prints an array of objects, each with a
//! `Certificate` (`Raw` is the DER in base64) and a `Revocation`. Its `dbTable` prints the revocations that step-ca
//! stores, which have the serial number in decimal.
//!
//! In MySQL and PostgreSQL, step-ca's tables have the columns `nkey` and `nvalue`. The key is the serial number in decimal. The
//! value is a certificate in DER (`x509_certs`), or a revocation in JSON (`revoked_x509_certs`). The rows are read as CSV, as
//! text with tabs, or as JSON objects, with the bytes in hexadecimal or base64, as the tools of these databases write them.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tagwise_ca::Serial;
use tagwise_ca::store::Revocation;
use tagwise_codec::Decode;
use tagwise_codec::text::{base64, hex};
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
    /// True if there are rows of the table `x509_certs`, which does not contain revocations.
    has_rows: bool,
}

#[derive(Deserialize)]
struct Record {
    #[serde(rename = "Certificate")]
    certificate: Option<RawCertificate>,
    #[serde(rename = "Revocation")]
    revocation: Option<RawRevocation>,
    /// The columns of a row, as text that encodes their bytes.
    nkey: Option<String>,
    nvalue: Option<String>,
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

/// Reads records, or rows of step-ca's tables. `others` is true if there is another source of revocations.
///
/// # Errors
/// Returns an error if the file cannot be read, or is in none of these formats.
pub(super) fn read_all(context: &Context, paths: &[PathBuf], others: bool) -> Result<Records, Failure> {
    let mut all = Records::default();
    let mut revocations = others;
    for path in paths {
        let Records { certificates, revoked, has_rows } = read(context, path)?;
        // The table of revocations can be empty.
        revocations |= certificates.is_empty();
        all.has_rows |= has_rows;
        all.certificates.extend(certificates);
        all.revoked.extend(revoked);
    }
    if all.has_rows && !revocations {
        return Err(Failure::usage(
            "the table x509_certs does not contain revocations: also give --step-records with the table revoked_x509_certs, --index or --last-crl",
        ));
    }
    Ok(all)
}

fn read(context: &Context, path: &Path) -> Result<Records, Failure> {
    if path.is_dir() {
        return Err(Failure::negative(format!(
            "{}: a folder, expected a file; step-ca's Badger database is not read directly: `step-badger x509Certs {} --emit json` prints its records",
            name_of(path),
            name_of(path)
        )));
    }
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let negative = |what: String| Failure::negative(format!("{}: {}", name_of(path), visible(&what)));
    parse(&octets).map_err(negative)
}

fn parse(octets: &[u8]) -> Result<Records, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("not step-ca's records: {error}");
    if octets.get(16..20).is_some_and(|magic| magic == BBOLT) {
        return Err("a bbolt database, which is not supported; expected JSON, or rows of nkey and nvalue".to_owned());
    }
    let text = core::str::from_utf8(octets).map_err(|error| wrong(&error))?;
    let text = text.trim_start_matches('\u{FEFF}').trim_start();
    // The export may have failed. A table without rows is exported with its header, or as `[]`.
    if text.is_empty() {
        return Err("empty, expected JSON, or rows of nkey and nvalue after a header".to_owned());
    }
    let mut records = Records::default();
    if text.starts_with('[') {
        let list: Vec<Record> = serde_json::from_str(text).map_err(|error| wrong(&error))?;
        for (record, number) in list.into_iter().zip(1_usize..) {
            add(record, &mut records).map_err(|what| format!("record {number}: {what}"))?;
        }
    } else if text.starts_with('{') {
        // One object after another, such as one on each line.
        let list = serde_json::Deserializer::from_str(text).into_iter::<Record>();
        for (record, number) in list.zip(1_usize..) {
            let record = record.map_err(|error| wrong(&error))?;
            add(record, &mut records).map_err(|what| format!("record {number}: {what}"))?;
        }
    } else {
        for (line, number) in text.lines().map(str::trim).zip(1_usize..) {
            let Some((key, value)) = line.split_once([',', '\t']).map(|(key, value)| (cell(key), cell(value))) else {
                if line.is_empty() {
                    continue;
                }
                return Err(format!("line {number}: expected two columns, nkey and nvalue"));
            };
            // The line with the names of the columns.
            if key.eq_ignore_ascii_case("nkey") || number == 1 && key.to_ascii_lowercase().contains("nkey") {
                continue;
            }
            row(key, value, &mut records).map_err(|what| format!("line {number}: {what}"))?;
        }
    }
    Ok(records)
}

/// The magic number of a bbolt database, in its first page.
const BBOLT: [u8; 4] = [0xED, 0xDA, 0x0C, 0xED];

/// Removes the quotation marks around a cell.
fn cell(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

/// Decodes the text of a column: hexadecimal as PostgreSQL (`\x`) and MySQL (`0x`, `HEX()`) write it, or base64.
fn column(text: &str) -> Result<Vec<u8>, String> {
    // MySQL writes binary columns in JSON like this.
    let text = text.strip_prefix("base64:").and_then(|text| text.split_once(':')).map_or(text, |(_, text)| text);
    let digits = ["\\\\x", "\\x", "0x", "0X"].iter().find_map(|prefix| text.strip_prefix(prefix));
    let is_hex = text.len().is_multiple_of(2) && text.bytes().all(|octet| octet.is_ascii_hexdigit());
    match digits.or_else(|| is_hex.then_some(text)) {
        Some(digits) => hex::decode(digits.as_bytes()).map_err(|error| error.to_string()),
        None => base64::decode(text.as_bytes()).map_err(|error| error.to_string()),
    }
}

/// Adds a row of the table `x509_certs` or `revoked_x509_certs`.
fn row(key: &str, value: &str, records: &mut Records) -> Result<(), String> {
    // Some tools leave readable text as it is. Digits may then also be hexadecimal; the value shows which.
    let encoded = column(key).ok().and_then(|key| decimal(core::str::from_utf8(&key).ok()?));
    let (plain, encoded) = (decimal(key), encoded);
    let serial = encoded.as_ref().or(plain.as_ref());
    let serial = serial.ok_or_else(|| format!("nkey `{key}` is not a serial number in decimal"))?;
    let is_same = |found: &Serial| [&plain, &encoded].into_iter().flatten().any(|serial| serial == found);
    let value = match value.starts_with('{') {
        true => value.replace("\"\"", "\"").into_bytes(),
        false => column(value).map_err(|error| format!("nvalue: {error}"))?,
    };
    let other = |found: &Serial| format!("nkey is the serial number {serial}, but nvalue has {found}");
    if value.starts_with(b"{") {
        let raw: RawRevocation = serde_json::from_slice(&value).map_err(|error| format!("nvalue: {error}"))?;
        let text = raw.serial.as_deref().ok_or("nvalue: not a revocation: it has no Serial")?;
        let found = decimal(text).ok_or_else(|| format!("`{text}` is not a serial number in decimal"))?;
        if !is_same(&found) {
            return Err(other(&found));
        }
        let revocation = revocation(&raw)?.ok_or("a revocation without the time RevokedAt")?;
        records.revoked.push((found, revocation));
        return Ok(());
    }
    let read = Certificate::outline(&value).map_err(|error| format!("nvalue: {error}"))?;
    let found = Serial::from_int(read.tbs_certificate.serial_number.0);
    if !is_same(&found) {
        return Err(other(&found));
    }
    records.certificates.push(value);
    records.has_rows = true;
    Ok(())
}

fn add(record: Record, records: &mut Records) -> Result<(), String> {
    if let (Some(key), Some(value)) = (&record.nkey, &record.nvalue) {
        return row(key, value, records);
    }
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

    /// A row of the table `revoked_x509_certs`, in the forms in which databases write it.
    #[test]
    fn rows_of_tables() {
        let json = r#"{"Serial":"256","ReasonCode":4,"RevokedAt":"2026-11-28T21:00:38Z"}"#;
        let hex = |text: &str| text.bytes().map(|octet| format!("{octet:02x}")).collect::<String>();
        let (key, value) = (hex("256"), hex(json));
        let base64 = base64::encode(json.as_bytes());
        let forms = [
            // PostgreSQL, `\copy … csv header` and `row_to_json`.
            format!("nkey,nvalue\n\\x{key},\\x{value}\n"),
            format!(r#"{{"nkey":"\\x{key}","nvalue":"\\x{value}"}}"#),
            // MySQL, `HEX()` with --batch, and JSON.
            format!("HEX(nkey)\tHEX(nvalue)\n{}\t{}\n", key.to_uppercase(), value.to_uppercase()),
            format!(r#"[{{"nkey":"base64:type252:MjU2","nvalue":"base64:type252:{base64}"}}]"#),
            format!("0x{key},0x{value}"),
            format!("256,\"{}\"", json.replace('"', "\"\"")),
        ];
        for form in forms {
            let found = parse(form.as_bytes()).unwrap();
            let serials: Vec<_> = found.revoked.iter().map(|(serial, _)| serial.to_string()).collect();
            assert_eq!(serials, ["0100"], "{form}");
        }
        for (text, words) in [
            (format!("\\x{},\\x{value}", hex("257")), "nkey is the serial number 0101, but nvalue has 0100"),
            (format!("\\x{key},\\x{}", hex("{}")), "it has no Serial"),
            (format!("\\x{key},\\x3000"), "nvalue"),
            ("x,y".to_owned(), "nkey `x`"),
        ] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn malformed_records() {
        for (text, words) in [
            ("{}", "record 1: neither"),
            ("[1]", "not step-ca's records"),
            ("word", "line 1: expected two columns"),
            ("", "empty, expected JSON"),
            ("\u{FEFF} \n", "empty, expected JSON"),
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

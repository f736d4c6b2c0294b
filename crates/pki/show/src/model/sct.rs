//! Signed certificate timestamps.

use tagwise_pkix::ext::{Sct, SctList};

use crate::tree::{Line, Record, Tone, Value};

/// Shows the signed certificate timestamps in a list.
pub(crate) fn list<'a>(list: &SctList<'a>) -> Value<'a> {
    Value::List(list.iter().map(|sct| timestamp(&sct)).collect())
}

fn timestamp<'a>(sct: &Sct<'a>) -> Value<'a> {
    match sct {
        Sct::V1(sct) => {
            let millis = sct.timestamp % 1000;
            let when = match sct.time() {
                // ISO 8601 with the fraction that the log wrote.
                Some(time) => time.to_string().replace('Z', &format!(".{millis:03}Z")),
                None => format!("{} ms after 1970", sct.timestamp),
            };
            let algorithm = match sct.algorithm_name() {
                Some(name) => name.to_owned(),
                None => format!("hash {} signature {}", sct.hash_algorithm, sct.signature_algorithm),
            };
            let mut record = Record::titled(Line::plain(&when).and(Tone::Dim, format!("  v1, {algorithm}")))
                .json("version", Value::Number(1))
                .with("log_id", Value::hex(sct.log_id))
                .json("time", Value::text(when))
                .json("timestamp_ms", Value::Number(sct.timestamp))
                .json("algorithm", Value::text(algorithm));
            if !sct.extensions.is_empty() {
                record = record.with("extensions", Value::hex(sct.extensions));
            }
            record.with("signature", Value::bulk(sct.signature)).into()
        }
        Sct::Unknown { version, bytes } => {
            Record::titled(Line::new(Tone::Warn, format!("timestamp of unknown version {version}")))
                .json("version", Value::Number(u64::from(*version) + 1))
                .bare("bytes", Value::hex(bytes))
                .into()
        }
        _ => Value::word("timestamp of unknown kind"),
    }
}

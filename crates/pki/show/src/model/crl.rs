//! CRLs.

use tagwise_codec::SeqOf;
use tagwise_codec::text::hex::Hex;
use tagwise_pkix::{CertificateList, RevokedCertificate};

use super::Scene;
use super::cert::serial;
use super::ext::{Spot, entry_reason, extensions};
use super::key::{algorithm, signature};
use super::name::name;
use crate::lens::{Depth, Failed, failed};
use crate::tree::{Line, Record, Seen, Tone, Value};

/// Shows the contents of a CRL.
pub(crate) fn list<'a>(list: &CertificateList<'a>, scene: &Scene) -> Value<'a> {
    let tbs = &list.tbs_cert_list;
    let number = tbs.version.map_or(1, |version| u64::from(version.0) + 1);
    let mut record = Record::default()
        .with("version", Value::Number(number))
        .with("issuer", name(&tbs.issuer, scene))
        .with("this_update", Value::Time(tbs.this_update.civil()));
    match tbs.next_update {
        Some(next) => {
            let title = Line::plain(next.civil()).and(Tone::Plain, "  ");
            let title = match next.unix().since(scene.now) {
                Some(left) => title.and(Tone::Good, format!("due in {}", super::span(left))),
                None => {
                    let late = scene.now.since(next.unix()).unwrap_or_default();
                    title.and(Tone::Bad, format!("overdue by {}", super::span(late)))
                }
            };
            record.push("next_update", Value::Time(next.civil()), Seen::Json);
            record.push("next_update", Record::titled(title).into(), Seen::Text);
        }
        None => record.push("next_update", Value::Null, Seen::Json),
    }
    record = record.with("signature_algorithm", algorithm(&tbs.signature));
    if let Some(list) = &tbs.crl_extensions {
        record = record.with("extensions", extensions(list, Spot::List, scene));
    }
    let empty = SeqOf::default();
    entries(tbs.revoked_certificates.as_ref().unwrap_or(&empty), scene, &mut record);
    record.with("signature", signature(list.signature_value, &list.signature_algorithm)).into()
}

/// Adds the entries, which are generated while rendering, because there may be half a million.
fn entries<'a>(list: &SeqOf<'a, RevokedCertificate<'a>>, scene: &Scene, record: &mut Record<'a>) {
    let total = list.len();
    let shown = scene.entries.unwrap_or(usize::MAX);
    let (list, scene) = (*list, *scene);
    record.push("entry_count", Value::number(total), Seen::Both);
    let make = move || {
        let items = scene.lens.items::<RevokedCertificate<'a>>(list.content(), list.offset(), Depth::Frame);
        let items = items.take(shown).map(move |read| entry(read, &scene));
        Box::new(items) as Box<dyn Iterator<Item = Value<'a>> + 'a>
    };
    record.push("entries", Value::Stream(Box::new(make)), Seen::Bare);
    let omitted = total.saturating_sub(shown);
    if omitted > 0 {
        record.push("entries_omitted", Value::number(omitted), Seen::Json);
        let line = Line::new(Tone::Warn, format!("… and {omitted} more entries; --entries all shows them"));
        record.push("entries_omitted_text", Record::titled(line).into(), Seen::BareText);
    }
}

fn entry<'a>(read: Result<RevokedCertificate<'a>, Failed<'a>>, scene: &Scene) -> Value<'a> {
    let entry = match read {
        Ok(entry) => entry,
        Err(bad) => {
            let (problem, octets) = failed(bad);
            return Record::titled(Line::new(Tone::Bad, "entry that does not decode"))
                .bare("error", problem)
                .bare("der", octets)
                .into();
        }
    };
    let date = entry.revocation_date.civil();
    let reason = entry.crl_entry_extensions.as_ref().and_then(|list| entry_reason(list, scene));
    let number = Hex(entry.user_certificate.0.magnitude()).to_string();
    let title = Line::plain(format!("{number:<34}")).and(Tone::Plain, format!("  {date}"));
    let title = match &reason {
        Some(reason) => title.and(Tone::Plain, format!("  {reason}")),
        None => title,
    };
    let mut record = Record::titled(title)
        .json("serial_number", serial(entry.user_certificate))
        .json("revocation_date", Value::Time(date))
        .json("reason", reason.map_or(Value::Null, Value::word));
    if let Some(list) = &entry.crl_entry_extensions {
        record.push("extensions", extensions(list, Spot::Entry, scene), Seen::Bare);
    }
    record.into()
}

//! Creates a report on a value: a tree with its kind, errors and content.

use sha2::{Digest, Sha256};
use tagwise_codec::{Rule, RuleSet};
use tagwise_input::ValueKind;
use tagwise_input::{Content, InputItem, Problem};
use tagwise_pkix::c509::{C509Certificate, C509Kind};
use tagwise_pkix::{Certificate, CertificateList};
use tagwise_text::openssl::TrustSettings;

use crate::MESSAGES;
use crate::lens::read;
use crate::model::message::{Shown, message};
use crate::model::{Scene, certificate, fingerprints, list};
use crate::tree::{Line, Record, Tone, Value, note};

/// Properties of a certificate in CBOR besides its fields, which follow it.
fn compact<'a>(octets: &'a [u8]) -> Value<'a> {
    let (ty, words) = match C509Certificate::read(octets).map(|read| read.kind()) {
        Ok(C509Kind::Native) => {
            (2, "natively signed: the fields follow in X.509 notation, but the signature covers the CBOR encoding")
        }
        Ok(C509Kind::ReEncoded) => (3, "a re-encoded X.509 certificate, whose fields follow"),
        Err(_) => (0, "not readable"),
    };
    Record::default()
        .with(
            "type",
            Record::titled(Line::plain(ty).and(Tone::Dim, format!("  {words}")))
                .json("number", Value::Number(ty))
                .into(),
        )
        .with("sha256", Value::Hex(Sha256::digest(octets).to_vec().into()))
        .json("cbor", Value::hex(octets))
        .into()
}

/// Shows the trust settings that follow a certificate in an OpenSSL `TRUSTED CERTIFICATE`.
fn trust(der: &[u8]) -> Option<Value<'_>> {
    let settings = TrustSettings::read(der)?;
    let uses = |list: Option<Vec<_>>| list.map(|list| Value::List(list.into_iter().map(Value::Oid).collect()));
    let alias = settings.alias.map(|alias| Value::Text(String::from_utf8_lossy(alias)));
    let record = Record::default()
        .with_some("trusted_uses", uses(settings.trusted))
        .with_some("rejected_uses", uses(settings.rejected))
        .with_some("alias", alias)
        .with_some("key_id", settings.key_id.map(Value::hex));
    Some(record.into())
}

/// A report on one value.
pub struct Report<'a> {
    /// The heading in text output.
    pub heading: Line,
    /// The content as a tree.
    pub record: Record<'a>,
    /// True if the value has no errors.
    pub sound: bool,
    /// True if the value's kind is known.
    pub known: bool,
    /// The value's error, on one line.
    pub error: Option<String>,
}

/// Creates a report on the value with the number `number` of `total` values in the input called `name`.
pub fn report<'a>(
    item: &'a InputItem<'a>,
    (number, total): (usize, usize),
    name: &str,
    rules: RuleSet,
    scene: &Scene,
) -> Report<'a> {
    let mut problems: Vec<Problem> = item.problem.iter().cloned().collect();
    let mut notes = item.notes.clone();
    let der: &'a [u8] = &item.der;
    let mut content = None;
    if problems.is_empty() {
        let (value, problem, more) = match item.content {
            Content::Kind(ValueKind::Certificate) => {
                let read = read::<Certificate<'a>>(der, rules);
                (read.value.map(|value| ("certificate", certificate(&value, scene))), read.problem, read.notes)
            }
            Content::Kind(ValueKind::CertificateList) => {
                let read = read::<CertificateList<'a>>(der, rules);
                (read.value.map(|value| ("crl", list(&value, scene))), read.problem, read.notes)
            }
            Content::Kind(what) => {
                let Shown { value, problem, notes } = message(what, der, rules, scene);
                (value.map(|value| ("message", value)), problem, notes)
            }
            Content::C509 if MESSAGES => (Some(("c509", compact(der))), None, Vec::new()),
            Content::Trust => (trust(der).map(|value| ("trust", value)), None, Vec::new()),
            Content::C509 | Content::Other(_) | Content::Nothing => (None, None, Vec::new()),
        };
        // A part may be malformed although the whole decodes, such as an extension in a request, or a certificate in a message. If the
        // rules tolerate malformed open types, this is not an error.
        let inner = value.as_ref().filter(|_| problem.is_none() && !rules.has(&Rule::OPEN_TYPE));
        problems.extend(problem.or_else(|| inner.and_then(|(_, value)| value.first_problem()).cloned()));
        content = value;
        notes.extend(more);
        // Parts that are read when they are shown: requested extensions, attributes, contents.
        if let (true, false, Some((_, value))) = (problems.is_empty(), rules.has(&Rule::OPEN_TYPE), &content) {
            problems.extend(value.problems().into_iter().cloned());
        }
    }
    let known = !matches!(item.content, Content::Other(_) | Content::Nothing);
    let sound = problems.is_empty();
    let error = problems.first().map(Problem::line);
    let mut record = Record::default()
        .json("kind", Value::word(item.content.name()))
        .json("label", item.label.clone().map_or(Value::Null, Value::text))
        .json("line", item.line.map_or(Value::Null, Value::number))
        .json("entry", item.entry.clone().map_or(Value::Null, Value::text))
        .json("offset", Value::number(item.offset))
        .json("size", Value::number(der.len()))
        .json("strict", Value::Bool(sound && notes.is_empty()))
        .json("sound", Value::Bool(sound));
    if let Content::Other(what) = &item.content {
        record = record.json("description", Value::text(what));
    }
    if let Some(foreign) = &item.foreign {
        record = record.with("advice", Value::word(foreign.advice));
    }
    let problems = problems.into_iter().map(|problem| Value::Problem(Box::new(problem)));
    let problems: Vec<Value<'a>> = problems.collect();
    record = if problems.is_empty() {
        record.json("errors", Value::List(problems))
    } else {
        record.bare("errors", Value::List(problems))
    };
    let shown = content.is_some();
    if let Some((key, value)) = content {
        record = record.bare(key, value);
    }
    if matches!(item.content, Content::Kind(ValueKind::Certificate | ValueKind::CertificateList)) && !der.is_empty() {
        record = record.with("fingerprints", fingerprints(der));
    }
    if notes.is_empty() {
        record = record.json("notes", Value::List(Vec::new()));
    } else {
        record = record.with("notes", Value::List(notes.iter().map(note).collect()));
    }
    let mut heading =
        Line::new(Tone::Strong, item.content.words().to_owned()).and(Tone::Plain, format!(" {number} of {total}"));
    let name = match &item.entry {
        Some(entry) => format!("{name}!{entry}"),
        None => name.to_owned(),
    };
    let place = match item.line {
        Some(line) => format!("{name}, line {line}"),
        None if item.offset > 0 => format!("{name}, byte {}", item.offset),
        None => name,
    };
    // An item in another format may have no DER to measure.
    let size = if der.is_empty() { String::new() } else { format!(", {} bytes", der.len()) };
    heading = heading.and(Tone::Dim, format!("  {place}{size}"));
    if item.ber {
        record = record.json("ber", Value::Bool(true));
        heading = heading.and(Tone::Dim, " of DER, converted from BER");
    }
    if !sound {
        let words = if shown { "  malformed; the readable parts follow" } else { "  malformed" };
        heading = heading.and(Tone::Bad, words);
    } else if !known {
        heading = heading.and(Tone::Dim, "  not shown");
    }
    Report { heading, record, sound, known, error }
}

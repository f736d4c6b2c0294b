//! Output with one line per certificate: CSV and JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::Writer;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use tagwise_codec::text::hex::Hex;
use tagwise_pkix::name::visible;
use tagwise_show::render::json;
use tagwise_store::Failure;

use crate::shared::stores::facts::{Facts, Judge};
use crate::shared::stores::place;

const COLUMNS: [&str; 24] = [
    "file",
    "entry",
    "offset",
    "line",
    "kind",
    "sha256",
    "size",
    "state",
    "subject",
    "issuer",
    "serial",
    "version",
    "not_before",
    "not_after",
    "status",
    "key",
    "bits",
    "curve",
    "signature",
    "ca",
    "deviations",
    "error",
    "error_offset",
    "lints",
];

/// Escapes a cell's text so that spreadsheets do not interpret it as a formula (OWASP, CSV Injection). An apostrophe is added before an
/// initial character that starts a formula, and before an initial apostrophe. Removing one apostrophe therefore restores the text.
#[must_use]
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '\'' | '\u{FF1D}' | '\u{FF0B}' | '\u{FF0D}' | '\u{FF20}') => {
            Cow::Owned(format!("'{text}"))
        }
        _ => Cow::Borrowed(text),
    }
}

/// A writer of CSV (RFC 4180).
pub(crate) struct Csv<'w>(Writer<&'w mut dyn Write>);

impl<'w> Csv<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> io::Result<Self> {
        let mut writer = Writer::from_writer(out);
        writer.write_record(COLUMNS).map_err(io_error)?;
        Ok(Self(writer))
    }

    pub(crate) fn row(&mut self, facts: &Facts<'_>, judge: &Judge) -> io::Result<()> {
        let text = |name: Option<tagwise_pkix::Name<'_>>| {
            let text = name.map(|name| visible(&name.rfc4514().extended()).to_string()).unwrap_or_default();
            csv_cell(&text).into_owned()
        };
        let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
        let time = |time: Option<tagwise_codec::CivilTime>| time.map(|time| time.to_string()).unwrap_or_default();
        let key = facts.key();
        let deviations = facts.deviations.iter().map(|note| format!("{}@{}", note.rule.name, note.offset));
        let place = &facts.item.place;
        self.0
            .write_record([
                &*csv_cell(facts.file),
                &*csv_cell(&place.entry.map(|entry| visible(entry).to_string()).unwrap_or_default()),
                &place.offset.to_string(),
                &number(place.line.map(|line| line as u64)),
                facts.kind(),
                &Hex(&facts.fingerprint).to_string(),
                &facts.item.der.len().to_string(),
                facts.state.name(),
                &text(facts.subject()),
                &text(facts.issuer()),
                &facts.serial().unwrap_or_default(),
                &number(facts.version()),
                &time(facts.not_before()),
                &time(facts.not_after()),
                judge.status(facts).map_or("", |status| status.name()),
                key.map_or("", |key| key.algorithm),
                &number(key.and_then(|key| key.bits).map(u64::from)),
                key.and_then(|key| key.curve).unwrap_or_default(),
                facts.signature().unwrap_or_default(),
                facts.ca().map_or("", |ca| if ca { "true" } else { "false" }),
                &deviations.collect::<Vec<_>>().join(" "),
                facts.error.as_ref().map_or("", |error| error.code()),
                &facts.error.as_ref().map(|error| error.offset().to_string()).unwrap_or_default(),
                &facts
                    .lints
                    .iter()
                    .map(|finding| format!("{}@{}", finding.lint.id, finding.offset))
                    .collect::<Vec<_>>()
                    .join(" "),
            ])
            .map_err(io_error)
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn io_error(error: csv::Error) -> io::Error {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(text),
    }
}

/// A writer of JSON lines (schema tagwise.scan/1).
pub(crate) struct Json<'w>(&'w mut dyn Write);

impl<'w> Json<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> io::Result<Self> {
        let head = Pairs(&[("schema", "tagwise.scan/1"), ("tool", concat!("tagwise ", env!("CARGO_PKG_VERSION")))]);
        json::line(&mut *out, &head)?;
        Ok(Self(out))
    }

    pub(crate) fn row(&mut self, facts: &Facts<'_>, judge: &Judge) -> io::Result<()> {
        json::line(&mut *self.0, &Row { facts, judge })
    }

    pub(crate) fn failure(&mut self, file: &str, failure: &Failure<'_>) -> io::Result<()> {
        json::line(&mut *self.0, &FailureRow { file, failure })
    }

    pub(crate) fn unreadable(&mut self, file: &str, message: &str) -> io::Result<()> {
        json::line(&mut *self.0, &Pairs(&[("file", file), ("unreadable", message)]))
    }
}

struct Pairs<'p>(&'p [(&'p str, &'p str)]);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

pub(crate) struct FailureRow<'f> {
    pub(crate) file: &'f str,
    pub(crate) failure: &'f Failure<'f>,
}

impl Serialize for FailureRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        place(&mut map, self.file, &self.failure.place)?;
        map.serialize_entry("failure", self.failure.code)?;
        map.serialize_entry("message", self.failure.message)?;
        map.end()
    }
}

struct Row<'r> {
    facts: &'r Facts<'r>,
    judge: &'r Judge,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let facts = self.facts;
        let mut map = serializer.serialize_map(None)?;
        place(&mut map, facts.file, &facts.item.place)?;
        map.serialize_entry("kind", facts.kind())?;
        map.serialize_entry("sha256", &Hex(&facts.fingerprint).to_string())?;
        map.serialize_entry("size", &facts.item.der.len())?;
        map.serialize_entry("state", facts.state.name())?;
        map.serialize_entry("sound", &facts.sound)?;
        let name = |name: Option<tagwise_pkix::Name<'_>>| name.map(|name| name.rfc4514().extended().to_string());
        map.serialize_entry("subject", &name(facts.subject()))?;
        map.serialize_entry("issuer", &name(facts.issuer()))?;
        map.serialize_entry("serial", &facts.serial())?;
        map.serialize_entry("version", &facts.version())?;
        map.serialize_entry("not_before", &facts.not_before().map(|time| time.to_string()))?;
        map.serialize_entry("not_after", &facts.not_after().map(|time| time.to_string()))?;
        map.serialize_entry("status", &self.judge.status(facts).map(|status| status.name()))?;
        match facts.key() {
            Some(key) => map.serialize_entry("key", &Key(&key))?,
            None => map.serialize_entry("key", &())?,
        }
        map.serialize_entry("signature", &facts.signature())?;
        map.serialize_entry("ca", &facts.ca())?;
        map.serialize_entry("dns_names", &facts.dns_names())?;
        map.serialize_entry("deviations", &Deviations(facts))?;
        match &facts.error {
            Some(error) => map.serialize_entry("error", &ErrorOf(error))?,
            None => map.serialize_entry("error", &())?,
        }
        map.serialize_entry("lints", &facts.lints.iter().map(LintOf).collect::<Vec<_>>())?;
        if let Some(trust) = facts.item.trust {
            let levels = [
                ("label", trust.label.as_str()),
                ("server_auth", trust.server_auth.name()),
                ("email_protection", trust.email_protection.name()),
                ("code_signing", trust.code_signing.name()),
            ];
            map.serialize_entry("trust", &Pairs(&levels))?;
        }
        map.end()
    }
}

struct Key<'k>(&'k tagwise_pkix::KeyInfo);

impl Serialize for Key<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("algorithm", self.0.algorithm)?;
        map.serialize_entry("bits", &self.0.bits)?;
        map.serialize_entry("curve", &self.0.curve)?;
        map.end()
    }
}

struct LintOf<'l>(&'l tagwise_pkix::lint::Finding);

impl Serialize for LintOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("id", self.0.lint.id)?;
        map.serialize_entry("severity", self.0.lint.severity.name())?;
        map.serialize_entry("offset", &self.0.offset)?;
        map.end()
    }
}

struct Deviations<'d>(&'d Facts<'d>);

impl Serialize for Deviations<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.deviations.len()))?;
        for deviation in &self.0.deviations {
            seq.serialize_element(&DeviationOf(deviation))?;
        }
        seq.end()
    }
}

struct DeviationOf<'d>(&'d tagwise_codec::Deviation);

impl Serialize for DeviationOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("rule", self.0.rule.name)?;
        map.serialize_entry("offset", &self.0.offset)?;
        map.serialize_entry("clause", self.0.rule.clause)?;
        map.end()
    }
}

/// An error, serialized with the same keys in all commands.
pub(crate) struct ErrorOf<'e>(pub(crate) &'e tagwise_codec::Error);

impl Serialize for ErrorOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let error = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", error.code())?;
        map.serialize_entry("path", error.path())?;
        map.serialize_entry("offset", &error.offset())?;
        map.serialize_entry("clause", error.clause())?;
        map.serialize_entry("message", &error.message().to_string())?;
        map.end()
    }
}

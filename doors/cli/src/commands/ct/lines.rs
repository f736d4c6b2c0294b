//! Entries as JSON lines.

use std::collections::{HashMap, VecDeque};

use serde::Serialize;
use tagwise_codec::text::{base64, hex};
use tagwise_codec::{Options, RuleSet};
use tagwise_ct::{Entry, EntryKind, Hash, hash};
use tagwise_pkix::ext::{GeneralName, SubjectAltName};
use tagwise_pkix::name::text;
use tagwise_pkix::{Certificate, TbsCertificate, UnixTime, oids};
use tagwise_show::render::json;

use super::names::Pattern;

/// The most entries whose counterparts are looked for, the most recent ones.
const KEPT: usize = 1 << 18;

/// Formats a time in milliseconds, in whole seconds.
pub(super) fn time(milliseconds: u64) -> String {
    UnixTime(i64::try_from(milliseconds / 1000).unwrap_or(i64::MAX)).to_string()
}

/// An entry.
#[derive(Serialize)]
struct Line<'a> {
    schema: &'static str,
    index: u64,
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: u64,
    time: String,
    log: &'a str,
    #[serde(flatten)]
    content: Option<Content>,
    /// The reason why the certificate could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The reason why the submitted precertificate does not belong to the logged one.
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<String>,
    sha256: String,
    leaf_hash: String,
    /// The hash that a certificate and its precertificate have in common.
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<String>,
    /// The earlier entry with the precertificate of this certificate, or the reverse.
    #[serde(skip_serializing_if = "Option::is_none")]
    partner: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issuer_key_sha256: Option<String>,
    chain: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    der: Option<String>,
}

#[derive(Serialize)]
struct Content {
    subject: String,
    issuer: String,
    serial: String,
    not_before: String,
    not_after: String,
    names: Vec<String>,
}

/// Selects entries and formats them.
pub(super) struct Lines<'a> {
    log: &'a str,
    patterns: &'a [Pattern],
    with_der: bool,
    pairs: HashMap<Hash, (u64, bool)>,
    order: VecDeque<Hash>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(log: &'a str, patterns: &'a [Pattern], with_der: bool) -> Self {
        Self { log, patterns, with_der, pairs: HashMap::new(), order: VecDeque::new() }
    }

    /// Appends the line of an entry, if it is selected. Entries whose names cannot be read are always selected.
    pub(super) fn add(&mut self, entry: &Entry, out: &mut Vec<u8>) -> std::io::Result<()> {
        let content = content(entry);
        if let Ok(content) = &content
            && !self.patterns.is_empty()
            && !content.names.iter().any(|name| self.patterns.iter().any(|pattern| pattern.matches(name)))
        {
            return Ok(());
        }
        let pair = entry.pair();
        let (kind, issuer_key, is_final) = match &entry.kind {
            EntryKind::Precertificate { issuer_key_hash, .. } => ("precertificate", Some(issuer_key_hash), false),
            _ => ("certificate", None, true),
        };
        let partner = pair.and_then(|pair| self.partner(pair, entry.index, is_final));
        let (content, error) = match content {
            Ok(content) => (Some(content), None),
            Err(error) => (None, Some(error)),
        };
        let line = Line {
            schema: "tagwise.ct-entry/1",
            index: entry.index,
            kind,
            timestamp: entry.timestamp,
            time: time(entry.timestamp),
            log: self.log,
            content,
            error,
            finding: entry.stray_precertificate(),
            sha256: hex::encode(&hash::plain(entry.der())),
            leaf_hash: hex::encode(&entry.leaf_hash),
            pair: pair.map(|pair| hex::encode(&pair)),
            partner,
            issuer_key_sha256: issuer_key.map(|hash| hex::encode(hash)),
            chain: entry.chain.iter().map(|hash| hex::encode(hash)).collect(),
            der: self.with_der.then(|| base64::encode(entry.der())),
        };
        json::line(&mut *out, &line)
    }

    /// Remembers an entry, and returns its counterpart of the other type.
    fn partner(&mut self, pair: Hash, index: u64, is_final: bool) -> Option<u64> {
        if let Some((other, kind)) = self.pairs.get(&pair) {
            return (*kind != is_final).then_some(*other);
        }
        if self.order.len() >= KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.pairs.remove(&oldest);
        }
        self.order.push_back(pair);
        self.pairs.insert(pair, (index, is_final));
        None
    }
}

/// Reads the fields of an entry: those of the leaf, which the tree protects.
fn content(entry: &Entry) -> Result<Content, String> {
    let lax = Options::der().rules(RuleSet::ALL);
    let failed = |error: tagwise_codec::Error| error.to_string();
    match &entry.kind {
        EntryKind::Certificate(der) => {
            fields(&lax.outline::<Certificate<'_>>(der).map_err(failed)?.value.tbs_certificate)
        }
        EntryKind::Precertificate { tbs, .. } => fields(&lax.outline::<TbsCertificate<'_>>(tbs).map_err(failed)?.value),
        _ => Err("unknown type of entry".to_owned()),
    }
}

fn fields(tbs: &TbsCertificate<'_>) -> Result<Content, String> {
    let mut names = Vec::new();
    let alternative = tbs.extensions.map(|list| list.get::<SubjectAltName<'_>>());
    if let Some(found) = alternative.transpose().map_err(|error| error.to_string())?.flatten() {
        for name in found.0.iter() {
            match name.map_err(|error| error.to_string())? {
                GeneralName::DnsName(name) => names.extend(name.as_str().map(str::to_owned)),
                other => names.push(other.to_string()),
            }
        }
    }
    let common = tbs.subject.attributes().filter(|attribute| attribute.attr_type == oids::COMMON_NAME);
    for name in common.filter_map(|attribute| text(&attribute.value).map(std::borrow::Cow::into_owned)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(Content {
        subject: tbs.subject.rfc4514().to_string(),
        issuer: tbs.issuer.rfc4514().to_string(),
        serial: hex::encode(tbs.serial_number.0.as_bytes()),
        not_before: tbs.validity.not_before.unix().to_string(),
        not_after: tbs.validity.not_after.unix().to_string(),
        names,
    })
}

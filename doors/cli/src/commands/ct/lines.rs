//! Entries as JSON lines.

use std::collections::{HashMap, VecDeque};

use serde::Serialize;
use tagwise_codec::text::{base64, hex};
use tagwise_codec::{Options, RuleSet};
use tagwise_ct::{Entry, EntryKind, Hash, hash};
use tagwise_pkix::ext::{GeneralName, KnownExtension, SubjectAltName};
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
    /// The reason why the certificate, one of its names or the submitted chain could not be read.
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
        let (content, error) = match content(entry) {
            Ok((content, error)) => (Some(content), error),
            Err(error) => (None, Some(error)),
        };
        if let (Some(content), None) = (&content, &error)
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
        let line = Line {
            schema: "tagwise.ct-entry/1",
            index: entry.index,
            kind,
            timestamp: entry.timestamp,
            time: time(entry.timestamp),
            log: self.log,
            content,
            error: error.or_else(|| entry.unreadable.clone()),
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

/// Reads the fields of an entry: those of the leaf, which the tree protects. The second value is the reason why a name cannot be read.
fn content(entry: &Entry) -> Result<(Content, Option<String>), String> {
    let lax = Options::der().rules(RuleSet::ALL);
    let failed = |error: tagwise_codec::Error| error.to_string();
    match &entry.kind {
        EntryKind::Certificate(der) => {
            Ok(fields(&lax.outline::<Certificate<'_>>(der).map_err(failed)?.value.tbs_certificate))
        }
        EntryKind::Precertificate { tbs, .. } => {
            Ok(fields(&lax.outline::<TbsCertificate<'_>>(tbs).map_err(failed)?.value))
        }
        _ => Err("unknown type of entry".to_owned()),
    }
}

fn fields(tbs: &TbsCertificate<'_>) -> (Content, Option<String>) {
    let mut names = Vec::new();
    let error = alternative_names(tbs, &mut names).and_then(|()| common_names(tbs, &mut names)).err();
    let content = Content {
        subject: tbs.subject.rfc4514().to_string(),
        issuer: tbs.issuer.rfc4514().to_string(),
        serial: hex::encode(tbs.serial_number.0.as_bytes()),
        not_before: tbs.validity.not_before.unix().to_string(),
        not_after: tbs.validity.not_after.unix().to_string(),
        names,
    };
    (content, error)
}

/// Adds the alternative names. Each extension counts, because relying parties differ in which one they read.
fn alternative_names(tbs: &TbsCertificate<'_>, names: &mut Vec<String>) -> Result<(), String> {
    let failed = |error: tagwise_codec::Error| error.to_string();
    let mut error = None;
    let mut count = 0;
    for extension in tbs.extensions.iter().flat_map(|list| list.iter()) {
        let extension = extension.map_err(failed)?;
        if extension.extn_id != SubjectAltName::ID {
            continue;
        }
        count += 1;
        for name in extension.extn_value.decode_as::<SubjectAltName<'_>>().map_err(failed)?.0.iter() {
            let read = match name.map_err(failed)? {
                GeneralName::DnsName(name) => name.as_str().filter(|name| is_plain(name)).map(str::to_owned),
                GeneralName::Rfc822Name(name) => {
                    name.as_str().filter(|name| is_plain(name)).map(|name| format!("email:{name}"))
                }
                other => Some(other.to_string()),
            };
            match read {
                Some(name) => names.push(name),
                None => error = Some("an alternative name is not printable ASCII (RFC 5280 §4.2.1.6)".to_owned()),
            }
        }
    }
    if count > 1 {
        error = Some(format!("{count} extensions with alternative names, expected at most 1 (RFC 5280 §4.2)"));
    }
    error.map_or(Ok(()), Err)
}

/// Adds the common names that are not alternative names.
fn common_names(tbs: &TbsCertificate<'_>, names: &mut Vec<String>) -> Result<(), String> {
    let failed = |error: tagwise_codec::Error| error.to_string();
    for rdn in tbs.subject.rdns() {
        for attribute in rdn.map_err(failed)?.0.iter() {
            let attribute = attribute.map_err(failed)?;
            if attribute.attr_type != oids::COMMON_NAME {
                continue;
            }
            let name = text(&attribute.value).filter(|name| !name.contains(char::is_control));
            let name = name.ok_or("a common name is not printable text")?;
            if !names.iter().any(|own| *own == name) {
                names.push(name.into_owned());
            }
        }
    }
    Ok(())
}

/// Returns whether a name consists of printable ASCII characters.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|octet| matches!(octet, b' '..=b'~'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes an element of less than 256 bytes.
    fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
        let content = parts.concat();
        let len = u8::try_from(content.len()).unwrap();
        let head = if len < 128 { vec![tag, len] } else { vec![tag, 0x81, len] };
        [head, content].concat()
    }

    fn alternative(tag: u8, name: &[u8]) -> Vec<u8> {
        let value = element(4, &[&element(0x30, &[&element(tag, &[name])])]);
        element(0x30, &[&[6, 3, 0x55, 0x1D, 0x11], &value])
    }

    fn tbs(common: &[u8], extensions: &[Vec<u8>]) -> Vec<u8> {
        let algorithm = element(0x30, &[&[6, 3, 0x2B, 0x65, 0x70]]);
        let name = |value: &[u8]| element(0x30, &[&element(0x31, &[&element(0x30, &[&[6, 3, 0x55, 4, 3], value])])]);
        let time = element(0x17, &[b"260101000000Z"]);
        let list: Vec<&[u8]> = extensions.iter().map(Vec::as_slice).collect();
        element(
            0x30,
            &[
                &[0xA0, 3, 2, 1, 2, 2, 1, 1],
                &algorithm,
                &name(b"\x0C\x02CA"),
                &element(0x30, &[&time, &time]),
                &name(common),
                &element(0x30, &[&algorithm, &[3, 2, 0, 7]]),
                &element(0xA3, &[&element(0x30, &list)]),
            ],
        )
    }

    fn read(common: &[u8], extensions: &[Vec<u8>]) -> (Vec<String>, Option<String>) {
        let der = tbs(common, extensions);
        let lax = Options::der().rules(RuleSet::ALL);
        let (content, error) = fields(&lax.outline::<TbsCertificate<'_>>(&der).unwrap().value);
        (content.names, error)
    }

    #[test]
    fn names_that_cannot_be_read() {
        let plain = b"\x0C\x03www".as_slice();
        let (names, error) = read(plain, &[alternative(0x82, b"a.example")]);
        assert_eq!((names, error), (vec!["a.example".to_owned(), "www".to_owned()], None));
        let good = || alternative(0x82, b"a.example");
        let cases: [(&[u8], Vec<Vec<u8>>); 8] = [
            (plain, vec![alternative(0x82, b"b\xFCcher.example")]),
            (plain, vec![alternative(0x82, "b\u{FC}cher.example".as_bytes())]),
            (plain, vec![alternative(0x82, b"a.example\0.b.example")]),
            (plain, vec![alternative(0x81, b"a\xFF@b.example")]),
            (plain, vec![good(), alternative(0x82, b"b.example")]),
            // UTF-8 that is invalid, an OCTET STRING, and a NUL character.
            (b"\x0C\x02\xFF\xFF", vec![good()]),
            (b"\x04\x03www", vec![good()]),
            (b"\x0C\x03w\0w", vec![good()]),
        ];
        for (common, extensions) in cases {
            let (names, error) = read(common, &extensions);
            assert!(error.is_some(), "{common:?} {extensions:?} {names:?}");
        }
        // The names of all extensions are known.
        let (names, _) = read(plain, &[good(), alternative(0x82, b"b.example")]);
        assert_eq!(names, ["a.example", "b.example"]);
    }
}

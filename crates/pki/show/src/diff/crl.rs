//! Comparison of two CRLs. Entries are compared by serial number, and the rest with the schema tables. Only the outer structure of
//! entries is decoded, because there may be half a million.

use std::collections::HashMap;

use tagwise_codec::ber::{Element, Elements};
use tagwise_codec::value::{Dynamic, Value};
use tagwise_codec::{BitStr, Captured, Error, Options, Reader, Session};
use tagwise_pkix::{AlgorithmIdentifier, CertificateList, Extensions, Name, RevokedCertificate, Time, Version};

use super::options;
use super::walk::{Difference, Walk, hex};
use crate::{Depth, Lens, every_rule as every, oid_name};

/// The index of the CRL that cannot be decoded, and its error.
type Failed = (usize, String);

/// An element and its offset.
#[derive(Clone, Copy)]
struct Part<'a> {
    octets: &'a [u8],
    offset: usize,
}

/// The components of a CRL. Decoding the outline has ensured that the required ones are present.
#[derive(Default)]
struct Parts<'a> {
    /// The components of the signed part, in order, including the entries.
    signed: [Option<Part<'a>>; 7],
    algorithm: Option<Part<'a>>,
    signature: Option<Part<'a>>,
}

/// Compares two CRLs.
///
/// # Errors
/// Returns the index of the CRL that cannot be decoded, and its error.
pub(super) fn compare(one: &[u8], other: &[u8]) -> Result<Vec<Difference>, Failed> {
    let first = outline(0, one)?;
    let second = outline(1, other)?;
    let (a, b) = (parts(one, &first), parts(other, &second));
    let [version, algorithm, issuer, this, next, _, extensions] = a.signed;
    let [version_b, algorithm_b, issuer_b, this_b, next_b, _, extensions_b] = b.signed;
    let mut found = Vec::new();
    by_table(Dynamic::of::<Version>(), "tbsCertList.version", version, version_b, &mut found);
    let identifier = Dynamic::of::<AlgorithmIdentifier<'_>>();
    by_table(identifier, "tbsCertList.signature", algorithm, algorithm_b, &mut found);
    by_table(Dynamic::of::<Name<'_>>(), "tbsCertList.issuer", issuer, issuer_b, &mut found);
    by_table(Dynamic::of::<Time<'_>>(), "tbsCertList.thisUpdate", this, this_b, &mut found);
    by_table(Dynamic::of::<Time<'_>>(), "tbsCertList.nextUpdate", next, next_b, &mut found);
    entries(&first, &second, &mut found);
    let (extensions, extensions_b) = (extensions.and_then(content), extensions_b.and_then(content));
    let list = Dynamic::of::<Extensions<'_>>();
    by_table(list, "tbsCertList.crlExtensions", extensions, extensions_b, &mut found);
    by_table(identifier, "signatureAlgorithm", a.algorithm, b.algorithm, &mut found);
    by_table(Dynamic::of::<BitStr<'_>>(), "signature", a.signature, b.signature, &mut found);
    Ok(found)
}

fn outline(index: usize, der: &[u8]) -> Result<CertificateList<'_>, Failed> {
    let read = options().outline::<CertificateList<'_>>(der);
    read.map(|read| read.value).map_err(|error: Error| (index, error.to_string()))
}

fn session() -> Session<'static> {
    Session::new(Options::der().rules(every()))
}

fn parts<'a>(der: &'a [u8], list: &CertificateList<'a>) -> Parts<'a> {
    let tbs = &list.tbs_cert_list;
    let mut parts = Parts::default();
    let (start, end) = (tbs.offset(), tbs.offset() + Captured::as_bytes(tbs).len());
    let mut walk = || {
        let mut fields = Element::read(der, start, end).ok()?.children();
        let mut next = |there: bool| if there { element(der, &mut fields) } else { None };
        parts.signed = [
            next(tbs.version.is_some()),
            next(true),
            next(true),
            next(true),
            next(tbs.next_update.is_some()),
            next(tbs.revoked_certificates.is_some()),
            next(tbs.crl_extensions.is_some()),
        ];
        let mut rest = Elements::new(end, der.len());
        parts.algorithm = element(der, &mut rest);
        parts.signature = element(der, &mut rest);
        Some(())
    };
    let _ = walk();
    parts
}

fn element<'a>(der: &'a [u8], elements: &mut Elements) -> Option<Part<'a>> {
    let element = elements.next(der).ok()?;
    Some(Part { octets: der.get(element.range())?, offset: element.start })
}

/// Returns the content of an explicit tag.
fn content(part: Part<'_>) -> Option<Part<'_>> {
    let mut inner = Element::read(part.octets, 0, part.octets.len()).ok()?.children();
    let found = element(part.octets, &mut inner)?;
    Some(Part { offset: part.offset + found.offset, ..found })
}

/// Compares a component with the schema tables.
fn by_table(
    dynamic: Dynamic<'static>,
    path: &str,
    one: Option<Part<'_>>,
    other: Option<Part<'_>>,
    found: &mut Vec<Difference>,
) {
    if one.map(|part| part.octets) == other.map(|part| part.octets) {
        return;
    }
    let session = session();
    let (one, other) =
        (one.map(|part| read(&dynamic, &session, part)), other.map(|part| read(&dynamic, &session, part)));
    match (one, other) {
        (Some(Err(bad)), other) => found.push(Difference::unread(path, Some(bad), other.map(|_| String::new()))),
        (one, Some(Err(bad))) => found.push(Difference::unread(path, one.map(|_| String::new()), Some(bad))),
        (one, other) => {
            let mut walk = Walk::new(dynamic.types());
            walk.compare(one.and_then(Result::ok).as_ref(), other.and_then(Result::ok).as_ref(), path);
            found.append(&mut walk.differences);
        }
    }
}

/// Decodes a component, or returns an error if it is malformed.
fn read<'a>(dynamic: &Dynamic<'static>, session: &Session<'_>, part: Part<'a>) -> Result<Value<'a>, String> {
    let read = || {
        let mut reader = Reader::with_session(part.octets, session)?.at_base(part.offset);
        dynamic.read(&mut reader)
    };
    read().map_err(|_fault| hex(part.octets))
}

/// A CRL entry, and its index among the entries.
type CrlEntry<'a> = (RevokedCertificate<'a>, usize);

/// Returns the entries by serial number. In an indirect CRL, entries with the same serial number are numbered.
fn by_serial<'a>(list: &CertificateList<'a>) -> Vec<((&'a [u8], usize), CrlEntry<'a>)> {
    let mut turns: HashMap<&'a [u8], usize> = HashMap::new();
    let entries = list.tbs_cert_list.revoked_certificates.unwrap_or_default();
    let lens = Lens::new(every());
    let items = lens.items::<RevokedCertificate<'a>>(entries.content(), entries.offset(), Depth::Frame);
    let mut all = Vec::new();
    for (index, entry) in items.enumerate() {
        let Ok(entry) = entry else { continue };
        let serial = entry.user_certificate.0.as_bytes();
        let turn = turns.entry(serial).or_default();
        all.push(((serial, *turn), (entry, index)));
        *turn += 1;
    }
    all
}

fn entries(one: &CertificateList<'_>, other: &CertificateList<'_>, found: &mut Vec<Difference>) {
    let content = |list: &CertificateList<'_>| {
        list.tbs_cert_list.revoked_certificates.as_ref().and_then(|entries| entries.content().map(<[u8]>::to_vec))
    };
    if content(one) == content(other) {
        return;
    }
    let (first, second) = (by_serial(one), by_serial(other));
    let of_second: HashMap<_, _> = second.iter().map(|(key, entry)| (*key, entry)).collect();
    let of_first: HashMap<_, _> = first.iter().map(|(key, entry)| (*key, entry)).collect();
    let path = |serial: &[u8]| format!("tbsCertList.revokedCertificates[{}]", hex(serial));
    for ((serial, turn), entry) in &first {
        match of_second.get(&(*serial, *turn)) {
            None => found.push(Difference::removed(&path(serial), line(&entry.0))),
            Some(there) => {
                let (before, after) = (line(&entry.0), line(&there.0));
                if before != after {
                    found.push(Difference::changed(&path(serial), before, after));
                }
            }
        }
    }
    for ((serial, turn), entry) in &second {
        if !of_first.contains_key(&(*serial, *turn)) {
            found.push(Difference::added(&path(serial), line(&entry.0)));
        }
    }
}

/// Formats an entry in one line: its date, and its extensions with their names and values.
fn line(entry: &RevokedCertificate<'_>) -> String {
    let mut line = format!("revoked {}", entry.revocation_date);
    let Some(list) = &entry.crl_entry_extensions else { return line };
    for extension in list.iter() {
        let Ok(extension) = extension else {
            line.push_str(", an extension that does not decode");
            continue;
        };
        let name = oid_name(extension.extn_id).unwrap_or_else(|| extension.extn_id.to_string());
        let critical = if extension.critical { " (critical)" } else { "" };
        let value = match extension.extn_value.get() {
            Ok(tagwise_pkix::ext::ExtensionValue::CrlReason(reason)) => reason.to_string(),
            Ok(tagwise_pkix::ext::ExtensionValue::InvalidityDate(date)) => date.0.to_string(),
            _ => hex(extension.extn_value.as_bytes()),
        };
        line.push_str(&format!(", {name}{critical} {value}"));
    }
    line
}

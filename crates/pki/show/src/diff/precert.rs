//! Comparison of a precertificate with its certificate (RFC 6962 §3.1, §3.2). The signed parts are the same except for the poison
//! extension of the precertificate and the SCT list of the certificate. If a precertificate signing certificate issued the
//! precertificate, issuer and authority key identifier may also differ.

use tagwise_codec::ber::Element;
use tagwise_codec::{Captured, Decode, OpenType, Options, Reader, Session, Tag};
use tagwise_pkix::Certificate;
use tagwise_pkix::ext::{AuthorityKeyIdentifier, ExtensionValue, KnownExtension, PrecertificatePoison, Sct, SctList};

use super::options;
use super::walk::{Difference, hex};
use crate::{every_rule as every, oid_name};

/// The result of comparing a precertificate with a certificate.
#[derive(Clone, Debug)]
pub struct Match {
    /// True if the signed parts are equal, apart from permitted differences.
    pub same: bool,
    /// True if nothing but issuer and authority key identifier differ beyond that, as they do with a precertificate signing certificate.
    /// It is not known whether the precertificate's issuer is one.
    pub other_issuer: bool,
    /// The index of the precertificate: 0 or 1.
    pub precertificate: usize,
    /// Remarks on the comparison.
    pub notes: Vec<String>,
    /// The certificate's SCTs.
    pub timestamps: Vec<Timestamp>,
}

/// An SCT.
#[derive(Clone, Debug)]
pub struct Timestamp {
    /// The version, from 1.
    pub version: u64,
    /// The log's identifier, in hexadecimal.
    pub log_id: String,
    /// The time of the timestamp.
    pub time: String,
    /// The signature algorithm.
    pub algorithm: String,
}

/// The components of a to-be-signed part that are compared.
struct Parts<'a> {
    /// The components before the extensions. The issuer is at the index `issuer`.
    fields: Vec<&'a [u8]>,
    issuer: usize,
    /// The extensions, each with its identifier's content bytes and its complete encoding.
    extensions: Vec<(&'a [u8], &'a [u8])>,
    poison: Option<bool>,
    timestamps: Option<SctList<'a>>,
}

/// Compares a precertificate and a certificate.
///
/// # Errors
/// Returns a description of the missing part if one of the two is not present.
pub(super) fn compare(one: &[u8], other: &[u8]) -> Result<Match, String> {
    let read =
        |der| options().outline::<Certificate<'_>>(der).map(|read| read.value).map_err(|error| error.to_string());
    let (first, second) = (read(one)?, read(other)?);
    let (first, second) = (parts(&first), parts(&second));
    let (precertificate, pre, certificate) = match (first.poison, second.poison) {
        (Some(_), None) => (0, &first, &second),
        (None, Some(_)) => (1, &second, &first),
        (Some(_), Some(_)) => return Err("both have the precertificate poison".to_owned()),
        (None, None) => return Err("neither has the precertificate poison".to_owned()),
    };
    let mut notes = Vec::new();
    if pre.poison == Some(false) {
        notes.push("the precertificate poison is not critical (RFC 6962 §3.1)".to_owned());
    }
    if pre.timestamps.is_some() {
        notes.push("the precertificate has timestamps".to_owned());
    }
    if certificate.timestamps.is_none() {
        notes.push("the certificate has no timestamps".to_owned());
    }
    let authority = AuthorityKeyIdentifier::ID;
    let kept = |parts: &Parts<'_>, but: Option<&[u8]>| -> Vec<Vec<u8>> {
        let known = [PrecertificatePoison::ID.as_bytes(), SctList::ID.as_bytes()];
        let keep = parts.extensions.iter().filter(|(id, _)| !known.contains(id) && Some(*id) != but);
        keep.map(|(_, whole)| whole.to_vec()).collect()
    };
    let fields = |parts: &Parts<'_>, issuer: bool| -> Vec<Vec<u8>> {
        let keep = parts.fields.iter().enumerate().filter(|(index, _)| issuer || *index != parts.issuer);
        keep.map(|(_, octets)| octets.to_vec()).collect()
    };
    let exact = fields(pre, true) == fields(certificate, true) && kept(pre, None) == kept(certificate, None);
    let reissued = !exact
        && fields(pre, false) == fields(certificate, false)
        && fields(pre, true) != fields(certificate, true)
        && kept(pre, Some(authority.as_bytes())) == kept(certificate, Some(authority.as_bytes()));
    Ok(Match {
        same: exact,
        other_issuer: reissued,
        precertificate,
        notes,
        timestamps: certificate.timestamps.iter().flat_map(SctList::iter).map(|sct| timestamp(&sct)).collect(),
    })
}

/// Returns whether a difference is expected between a precertificate and its certificate.
pub(super) fn is_expected(difference: &Difference) -> bool {
    let ids = [PrecertificatePoison::ID, SctList::ID];
    let names = ids.iter().filter_map(|id| oid_name(*id));
    let mut expected = names.map(|name| format!("tbsCertificate.extensions[{name}]"));
    difference.path == "signature" || expected.any(|path| difference.path == path)
}

/// The tag of `version` in TBSCertificate (RFC 5280 §4.1).
const VERSION: Tag = Tag::context(0).constructed();
const EXTENSIONS: Tag = Tag::context(3).constructed();

fn parts<'a>(certificate: &Certificate<'a>) -> Parts<'a> {
    let tbs = &certificate.tbs_certificate;
    let mut fields = Vec::new();
    let mut issuer = 2;
    let octets = Captured::as_bytes(tbs);
    let mut walk = || {
        let mut elements = Element::read(octets, 0, octets.len()).ok()?.children();
        while let Ok(element) = elements.next(octets)
            && element.tag != EXTENSIONS
        {
            // version comes first, if it is there.
            issuer += usize::from(fields.is_empty() && element.tag == VERSION);
            fields.push(octets.get(element.range())?);
        }
        Some(())
    };
    let _ = walk();
    let mut parts = Parts { fields, issuer, extensions: Vec::new(), poison: None, timestamps: None };
    let Some(list) = &tbs.extensions else { return parts };
    let mut walk = || {
        let session = Session::new(Options::der().rules(every()));
        let list = list.as_seq_of();
        let mut reader = Reader::with_session(list.content()?, &session).ok()?.at_base(list.offset()).outlined();
        while !reader.is_empty() {
            let start = reader.position();
            let extension = tagwise_pkix::Extension::decode(&mut reader).ok()?;
            let id = extension.extn_id.as_bytes();
            parts.extensions.push((id, reader.since(start)));
            if id == PrecertificatePoison::ID.as_bytes() {
                parts.poison = Some(extension.critical);
            }
            if id == SctList::ID.as_bytes() && ExtensionValue::knows(id) {
                parts.timestamps = SctList::from_der(extension.extn_value.as_bytes()).ok();
            }
        }
        Some(())
    };
    let _ = walk();
    parts
}

fn timestamp(sct: &Sct<'_>) -> Timestamp {
    match sct {
        Sct::V1(sct) => Timestamp {
            version: 1,
            log_id: hex(sct.log_id),
            time: match sct.time() {
                Some(time) => time.to_string().replace('Z', &format!(".{:03}Z", sct.timestamp % 1000)),
                None => format!("{} ms after 1970", sct.timestamp),
            },
            algorithm: sct.algorithm_name().map_or_else(
                || format!("hash {} signature {}", sct.hash_algorithm, sct.signature_algorithm),
                str::to_owned,
            ),
        },
        Sct::Unknown { version, bytes } => Timestamp {
            version: u64::from(*version) + 1,
            log_id: String::new(),
            time: String::new(),
            algorithm: hex(bytes),
        },
        _ => Timestamp { version: 0, log_id: String::new(), time: String::new(), algorithm: String::new() },
    }
}

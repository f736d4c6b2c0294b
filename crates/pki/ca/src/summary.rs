//! Lines about certificates for a log.

use std::fmt::Write;

use tagwise_codec::Decode;
use tagwise_pkix::Certificate;
use tagwise_pkix::ext::SubjectAltName;
use tagwise_pkix::name::visible;

use crate::{AltName, Serial};

/// The maximum number of alternative names in a line.
const NAMES: usize = 8;

/// Describes an issued certificate in a line: its serial number, its profile, the client to which it was issued, its subject, and up to eight
/// alternative names. Control characters are escaped.
///
/// ```
/// use tagwise_ca::describe;
/// assert_eq!(describe(b"", "server", "account/1"), "malformed certificate, profile server, to account/1");
/// ```
#[must_use]
pub fn describe(der: &[u8], profile: &str, client: &str) -> String {
    let Ok(certificate) = Certificate::from_der(der) else {
        return format!("malformed certificate, profile {profile}, to {client}");
    };
    let tbs = &certificate.tbs_certificate;
    let serial = Serial::from_int(tbs.serial_number.0);
    let mut line = format!("serial {serial}, profile {profile}, to {client}");
    if !tbs.subject.is_empty() {
        let _ = write!(line, ", subject {}", visible(&tbs.subject.rfc4514()));
    }
    let names = tbs.extensions.and_then(|list| list.get::<SubjectAltName<'_>>().ok().flatten());
    let mut names = names.iter().flat_map(|names| names.0.0.iter()).filter_map(Result::ok);
    for (at, name) in names.by_ref().take(NAMES).enumerate() {
        let before = if at == 0 { ", names" } else { "," };
        let _ = match AltName::of(&name) {
            Ok(name) => write!(line, "{before} {}", visible(&name)),
            Err(_) => write!(line, "{before} (of another kind)"),
        };
    }
    match names.count() {
        0 => {}
        more => {
            let _ = write!(line, " and {more} more");
        }
    }
    line
}

//! certdata.txt, NSS's list of roots: objects with one attribute per line, and bytes in octal.

use std::borrow::Cow;
use std::collections::HashMap;

use tagwise_codec::UtcTime;
use tagwise_pkix::UnixTime;

use super::trust::{Level, Trust};
use super::{ContentsKind, Found, Gather, Spot};

/// The object that is being parsed.
#[derive(Default)]
struct Object<'t> {
    class: &'t [u8],
    label: Cow<'t, str>,
    issuer: Vec<u8>,
    serial: Vec<u8>,
    /// ContentsPlace of its certificate among the decoded bytes.
    value: Option<(usize, usize, Spot)>,
    server: Level,
    email: Level,
    code: Level,
    server_after: Option<UnixTime>,
    email_after: Option<UnixTime>,
}

/// The issuer and serial number of a certificate.
type Id = (Vec<u8>, Vec<u8>);

#[derive(Default)]
struct Certificates {
    octets: Vec<u8>,
    found: Vec<Found>,
    /// The certificate's index, and the times after which its issued certificates are distrusted.
    by_id: HashMap<Id, (usize, Option<UnixTime>, Option<UnixTime>)>,
}

impl Gather<'_, '_> {
    /// Adds the certificates of a certdata.txt, and assigns its trust objects to them.
    pub(super) fn certdata(&mut self, text: &[u8], spot: Spot) {
        let mut certificates = Certificates::default();
        let mut trusts: Vec<(Id, Trust)> = Vec::new();
        let mut object = Object::default();
        let mut lines = Lines { rest: text, next: 0, offset: 0, line: 0 };
        while let Some(line) = lines.next() {
            let here = lines.spot(spot);
            let mut words = line.splitn(3, |octet| *octet == b' ');
            let (name, kind) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let value = words.next().unwrap_or_default();
            if kind == b"MULTILINE_OCTAL" {
                let start = certificates.octets.len();
                if let Err(at) = octal(&mut lines, &mut certificates.octets) {
                    let place = Spot { offset: spot.offset.saturating_add(at.0 as u32), line: at.1 as u32, ..spot };
                    self.fail(place, "octal", "invalid octal bytes: expected a backslash and three digits up to 377");
                    certificates.octets.truncate(start);
                    continue;
                }
                match name {
                    b"CKA_VALUE" => object.value = Some((start, certificates.octets.len(), here)),
                    name => object.octets(name, certificates.octets.split_off(start)),
                }
                continue;
            }
            match name {
                b"CKA_CLASS" => {
                    core::mem::replace(&mut object, Object { class: value, ..Object::default() })
                        .end(&mut certificates, &mut trusts);
                }
                b"CKA_LABEL" => object.label = String::from_utf8_lossy(quoted(value)),
                b"CKA_TRUST_SERVER_AUTH" => object.server = Level::of(value),
                b"CKA_TRUST_EMAIL_PROTECTION" => object.email = Level::of(value),
                b"CKA_TRUST_CODE_SIGNING" => object.code = Level::of(value),
                _ => {}
            }
        }
        object.end(&mut certificates, &mut trusts);
        let first_slot = self.contents.slots.len();
        let Certificates { octets, found, by_id } = certificates;
        self.keep(Cow::Owned(octets), found);
        for (id, mut trust) in trusts {
            let known = by_id.get(&id);
            if let Some((_, server_after, email_after)) = known {
                trust.server_distrust_after = *server_after;
                trust.email_distrust_after = *email_after;
                trust.has_certificate = true;
            }
            self.contents.trusts.push(trust);
            let count = self.contents.trusts.len() as u32;
            if let Some(slot) = known.and_then(|(index, ..)| self.contents.slots.get_mut(first_slot + index)) {
                slot.trust = count;
            }
        }
    }
}

impl Object<'_> {
    fn octets(&mut self, name: &[u8], value: Vec<u8>) {
        match name {
            b"CKA_ISSUER" => self.issuer = value,
            b"CKA_SERIAL_NUMBER" => self.serial = value,
            b"CKA_NSS_SERVER_DISTRUST_AFTER" => self.server_after = unix(&value),
            b"CKA_NSS_EMAIL_DISTRUST_AFTER" => self.email_after = unix(&value),
            _ => {}
        }
    }

    fn end(self, certificates: &mut Certificates, trusts: &mut Vec<(Id, Trust)>) {
        match (self.class, self.value) {
            (b"CKO_CERTIFICATE", Some((start, end, spot))) => {
                let index = certificates.found.len();
                certificates.found.push(Found {
                    kind: ContentsKind::Certificate,
                    start,
                    len: end - start,
                    spot,
                    settings: 0,
                });
                let id = (self.issuer, self.serial);
                certificates.by_id.insert(id, (index, self.server_after, self.email_after));
            }
            // The second is the name in PKCS #11 3.2.
            (b"CKO_NSS_TRUST" | b"CKO_TRUST", _) => {
                let trust = Trust {
                    label: self.label.into_owned(),
                    server_auth: self.server,
                    email_protection: self.email,
                    code_signing: self.code,
                    server_distrust_after: None,
                    email_distrust_after: None,
                    has_certificate: false,
                };
                trusts.push(((self.issuer, self.serial), trust));
            }
            _ => {}
        }
    }
}

/// Decodes the content of a UTCTime.
fn unix(octets: &[u8]) -> Option<UnixTime> {
    UtcTime::from_content(octets).ok().map(|time| time.unix())
}

/// Removes the quotation marks around a text.
fn quoted(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value)
}

struct Lines<'t> {
    rest: &'t [u8],
    /// The offset of the next line.
    next: usize,
    /// The offset of the current line.
    offset: usize,
    /// The number of the current line.
    line: usize,
}

impl<'t> Lines<'t> {
    /// Returns the next line without its line break.
    fn next(&mut self) -> Option<&'t [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest.get(1..).unwrap_or_default();
        self.offset = self.next;
        self.next += end + 1;
        self.line += 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Returns the position of the current line.
    const fn spot(&self, base: Spot) -> Spot {
        Spot { line: self.line as u32, offset: base.offset.saturating_add(self.offset as u32), ..base }
    }
}

/// Appends the bytes of the lines up to `END`. Returns the offset and line number of invalid octal digits as an error.
fn octal(lines: &mut Lines<'_>, out: &mut Vec<u8>) -> Result<(), (usize, usize)> {
    let mut wrong = None;
    while let Some(line) = lines.next() {
        if line == b"END" {
            return wrong.map_or(Ok(()), Err);
        }
        let (groups, rest) = line.as_chunks::<4>();
        for (index, group) in groups.iter().enumerate() {
            match group {
                [b'\\', high @ b'0'..=b'3', middle @ b'0'..=b'7', low @ b'0'..=b'7'] => {
                    out.push((high - b'0') << 6 | (middle - b'0') << 3 | (low - b'0'));
                }
                _ => _ = wrong.get_or_insert((lines.offset + index * 4, lines.line)),
            }
        }
        if !rest.is_empty() {
            wrong.get_or_insert((lines.offset + groups.len() * 4, lines.line));
        }
    }
    Err(wrong.unwrap_or((lines.offset, lines.line)))
}

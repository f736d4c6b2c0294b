//! Writes S/MIME mails (RFC 8551 §3): MIME entities to sign or encrypt, and the mails around the messages.

use std::collections::HashSet;

use memchr::memmem;
use tagwise_codec::text::base64;

use super::entity::{Entity, canonical};

/// A mail that is to be signed or encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The header fields that stay outside, with CRLF line endings.
    pub header: Vec<u8>,
    /// The MIME entity to sign or encrypt, with CRLF line endings (RFC 8551 §3.1.1).
    pub entity: Vec<u8>,
}

/// Makes a MIME entity of a file. A mail is split into the header that stays outside and the entity; other text becomes
/// text/plain, and anything else application/octet-stream in base64.
///
/// ```
/// use tagwise_input::mail::draft;
/// let mail = draft(b"From: eva@example.org\nContent-Type: text/html\n\n<p>Hi</p>\n");
/// assert_eq!(mail.header, b"From: eva@example.org\r\n");
/// assert_eq!(mail.entity, b"Content-Type: text/html\r\n\r\n<p>Hi</p>\r\n");
/// assert_eq!(draft(b"Hi").entity, b"Content-Type: text/plain; charset=us-ascii\r\n\r\nHi");
/// ```
#[must_use]
pub fn draft(input: &[u8]) -> Draft {
    let entity = Entity::read(input).filter(|entity| {
        !entity.body.is_empty()
            && ["mime-version", "content-type", "from"].iter().any(|name| entity.field(name).is_some())
    });
    let Some(entity) = entity else { return Draft { header: Vec::new(), entity: leaf(input) } };
    let (mut outside, mut inside, mut is_inside) = (Vec::new(), Vec::new(), false);
    let header = canonical(entity.header);
    for line in header.split_inclusive(|octet| *octet == b'\n') {
        // A folded line belongs to the field in front.
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            let name = line.get(..8).unwrap_or_default();
            is_inside = name.eq_ignore_ascii_case(b"content-");
            if line.get(..13).is_some_and(|name| name.eq_ignore_ascii_case(b"mime-version:")) {
                // The mail around it gets its own.
                continue;
            }
        }
        if is_inside { inside.extend_from_slice(line) } else { outside.extend_from_slice(line) }
    }
    let entity = match inside.is_empty() {
        true => leaf(entity.body),
        false => [&inside[..], b"\r\n", &canonical(entity.body)].concat(),
    };
    Draft { header: outside, entity }
}

/// A part with one body. Lines of clear-signed text have at most 998 bytes and no others than ASCII, so that nothing
/// reencodes them in transit (RFC 8551 §3.1.2).
fn leaf(body: &[u8]) -> Vec<u8> {
    let is_text = |octet: &u8| matches!(octet, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let is_short = body.split(|octet| *octet == b'\n').all(|line| line.len() <= 998);
    if body.iter().all(is_text) && is_short {
        return [b"Content-Type: text/plain; charset=us-ascii\r\n\r\n", &canonical(body)[..]].concat();
    }
    let kind = match core::str::from_utf8(body) {
        Ok(text) if !text.contains('\0') => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    };
    let mut entity = format!("Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n\r\n").into_bytes();
    wrapped(&mut entity, body);
    entity
}

/// Appends base64 in lines (RFC 2045 §6.8).
fn wrapped(out: &mut Vec<u8>, octets: &[u8]) {
    for line in base64::encode(octets).as_bytes().chunks(76) {
        out.extend_from_slice(line);
        out.extend_from_slice(b"\r\n");
    }
}

/// Writes a clear-signed mail (multipart/signed, RFC 8551 §3.5.3). `micalg` names the digests of the signature.
///
/// # Errors
/// Returns a description of the problem if the entity has bytes that are not ASCII, which are reencoded in transit.
pub fn signed_mail(draft: &Draft, signature: &[u8], micalg: &str) -> Result<Vec<u8>, String> {
    if !draft.entity.is_ascii() {
        let why = "the mail has bytes that are not ASCII, which do not survive transport in a clear-signed mail: encode its \
                   parts as quoted-printable or base64 (RFC 8551 §3.1.2), or sign it opaquely";
        return Err(why.to_owned());
    }
    let boundary = boundary(&draft.entity);
    let mut mail = draft.header.clone();
    mail.extend_from_slice(
        format!(
            "MIME-Version: 1.0\r\nContent-Type: multipart/signed; protocol=\"application/pkcs7-signature\";\r\n \
             micalg={micalg}; boundary=\"{boundary}\"\r\n\r\nThis is an S/MIME signed message\r\n\r\n--{boundary}\r\n"
        )
        .as_bytes(),
    );
    mail.extend_from_slice(&draft.entity);
    mail.extend_from_slice(
        format!(
            "\r\n--{boundary}\r\nContent-Type: application/pkcs7-signature; name=\"smime.p7s\"\r\n\
             Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=\"smime.p7s\"\r\n\r\n"
        )
        .as_bytes(),
    );
    wrapped(&mut mail, signature);
    mail.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    Ok(mail)
}

/// A boundary that is not in an entity.
fn boundary(entity: &[u8]) -> String {
    const START: &str = "----tagwise-";
    let number = |at: usize| {
        let digits = entity.get(at..)?.split(|octet| *octet == b'_').next()?;
        core::str::from_utf8(digits).ok()?.parse::<usize>().ok()
    };
    let used: HashSet<usize> =
        memmem::find_iter(entity, START).filter_map(|at| number(at.saturating_add(START.len()))).collect();
    // One of the first numbers is free, because each used one is in the set once.
    let free = (0..=used.len()).find(|number| !used.contains(number)).unwrap_or_default();
    format!("{START}{free}_")
}

/// Writes a mail that consists of a message (application/pkcs7-mime, RFC 8551 §3.2). The type is `signed-data`,
/// `enveloped-data`, `authEnveloped-data` or `compressed-data`.
#[must_use]
pub fn content_mail(header: &[u8], smime_type: &str, message: &[u8]) -> Vec<u8> {
    // RFC 8551 §3.2.1.
    let name = if smime_type == "compressed-data" { "smime.p7z" } else { "smime.p7m" };
    let mut mail = header.to_vec();
    mail.extend_from_slice(
        format!(
            "MIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime; smime-type={smime_type};\r\n name=\"{name}\"\r\n\
             Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=\"{name}\"\r\n\r\n"
        )
        .as_bytes(),
    );
    wrapped(&mut mail, message);
    mail
}

#[cfg(test)]
mod tests {
    use super::super::Mail;
    use super::*;

    #[test]
    fn clear_signed_mails_are_read_again() {
        for input in
            [&b"Dear Ben\n"[..], b"no end of line", "Grüße\n".as_bytes(), b"From: a@b\nSubject: c\n d\n\nbody\n"]
        {
            let draft = draft(input);
            let mail = signed_mail(&draft, &[0x30, 0], "sha-256").unwrap();
            let found = Mail::read(&mail).unwrap().unwrap();
            assert_eq!(found.message, [0x30, 0]);
            assert_eq!(found.content.as_deref(), Some(&draft.entity[..]));
        }
    }

    #[test]
    fn boundaries_are_not_in_the_content() {
        let inner = draft(b"Content-Type: multipart/mixed; boundary=\"----tagwise-0_\"\n\n------tagwise-0_\n\na\n------tagwise-0_--\n");
        let mail = signed_mail(&inner, &[0x30, 0], "sha-256").unwrap();
        assert_eq!(Mail::read(&mail).unwrap().unwrap().content, Some(inner.entity));
    }

    #[test]
    fn eight_bit_mails_are_not_signed_in_clear() {
        let draft = draft("Content-Type: text/plain; charset=utf-8\n\nGrüße\n".as_bytes());
        assert!(signed_mail(&draft, &[], "sha-256").is_err());
        let opaque = content_mail(&draft.header, "signed-data", &[0x30, 0]);
        assert_eq!(Mail::layer(&opaque).unwrap().unwrap().message, [0x30, 0]);
    }
}

//! Writes S/MIME mails (RFC 8551 §3): MIME entities to sign or encrypt, and the mails around the messages.

use std::collections::HashSet;

use memchr::memmem;

use super::entity::{Entity, canonical, field_name};
use super::protection::Scheme;
use super::transport::{canonical_entity, wrapped};

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
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    let (mut is_inside, mut is_dropped) = (false, false);
    let header = canonical(entity.header);
    for line in header.split_inclusive(|octet| *octet == b'\n') {
        // A folded line belongs to the field in front.
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            let name = field_name(line);
            is_inside = name.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"content-"));
            // The mail around it gets its own.
            is_dropped = name.eq_ignore_ascii_case(b"mime-version");
        }
        if is_dropped {
            continue;
        }
        if is_inside { inside.extend_from_slice(line) } else { outside.extend_from_slice(line) }
    }
    let entity = match inside.is_empty() {
        true => leaf(entity.body),
        false => canonical_entity(&[&inside[..], b"\r\n", entity.body].concat()),
    };
    Draft { header: outside, entity }
}

/// Moves copies of a mail's header fields into the entity, so that the signature or encryption protects them (RFC 9788 §5.2).
/// With [`Scheme::Cipher`], the fields outside are then those of the policy `hcp_baseline` (§3.2.2): the subject is `[...]`,
/// and keywords and comments are removed. `Bcc` stays outside only, because recipients must not see it (RFC 5322 §3.6.3).
///
/// ```
/// use tagwise_input::mail::{Scheme, draft, protect};
/// let mail = draft(b"From: eva@example.org\nSubject: Plan\nContent-Type: text/plain\n\nHi\n");
/// let mail = protect(&mail, Scheme::Cipher)?;
/// assert_eq!(mail.header, b"From: eva@example.org\r\nSubject: [...]\r\n");
/// assert!(mail.entity.starts_with(b"From: eva@example.org\r\nSubject: Plan\r\nHP-Outer: From: eva@example.org\r\n"));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Returns a description of the problem if the mail has no header, its header is already protected, or it is already signed
/// or encrypted, so that the fields would not be in its innermost layer (§2.1). [`Scheme::Wrapped`] is not written.
pub fn protect(draft: &Draft, scheme: Scheme) -> Result<Draft, String> {
    let is_cipher = match scheme {
        Scheme::Clear => false,
        Scheme::Cipher => true,
        Scheme::Wrapped => return Err("the scheme `wrapped` is only read, expected clear or cipher".to_owned()),
    };
    let payload = Entity::read(&draft.entity).ok_or("the mail has no MIME entity")?;
    if payload.parameter("hp").is_some() {
        return Err("the header is already protected (RFC 9788 §2.1)".to_owned());
    }
    if matches!(&*payload.kind(), "multipart/signed" | "application/pkcs7-mime" | "application/x-pkcs7-mime") {
        return Err(
            "the mail is already signed or encrypted: protect its header in that step (RFC 9788 §2.1)".to_owned()
        );
    }
    let (mut outside, mut inside, mut recorded) = (Vec::new(), Vec::new(), Vec::new());
    for field in unfolded_fields(&draft.header) {
        let name = field_name(field);
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        if is("hp-outer") {
            return Err("the header has a field HP-Outer, which must not be outside (RFC 9788 §2.2)".to_owned());
        }
        if is("bcc") || is("resent-bcc") {
            outside.extend_from_slice(field);
            continue;
        }
        inside.extend_from_slice(field);
        let hidden = [name, &b": [...]\r\n"[..]].concat();
        let outer: &[u8] = match is_cipher {
            true if is("subject") => &hidden,
            true if is("keywords") || is("comments") => &[],
            _ => field,
        };
        outside.extend_from_slice(outer);
        if is_cipher && !outer.is_empty() {
            recorded.extend_from_slice(b"HP-Outer: ");
            recorded.extend_from_slice(outer);
        }
    }
    if inside.is_empty() {
        return Err("the file has no mail header to protect".to_owned());
    }
    let mut entity = [inside, recorded].concat();
    let mut has_type = false;
    for field in unfolded_fields(payload.header) {
        let is_type = field_name(field).eq_ignore_ascii_case(b"content-type");
        if is_type && !has_type {
            has_type = true;
            let field = field.trim_ascii_end();
            let field = field.strip_suffix(b";").unwrap_or(field);
            entity.extend_from_slice(field);
            entity.extend_from_slice(format!(";\r\n hp=\"{}\"\r\n", scheme.name()).as_bytes());
        } else {
            entity.extend_from_slice(field);
        }
    }
    if !has_type {
        // RFC 2045 §5.2: the default.
        let line = format!("Content-Type: text/plain; charset=us-ascii; hp=\"{}\"\r\n", scheme.name());
        entity.extend_from_slice(line.as_bytes());
    }
    entity.extend_from_slice(draft.entity.get(payload.header.len()..).unwrap_or_default());
    Ok(Draft { header: outside, entity })
}

/// The fields of a header, each with its continuation lines and line endings.
fn unfolded_fields(header: &[u8]) -> Vec<&[u8]> {
    let mut ends = Vec::new();
    let mut at = 0_usize;
    for line in header.split_inclusive(|octet| *octet == b'\n') {
        if !line.starts_with(b" ") && !line.starts_with(b"\t") && at > 0 {
            ends.push(at);
        }
        at = at.saturating_add(line.len());
    }
    ends.push(at);
    let starts = core::iter::once(0).chain(ends.iter().copied());
    starts.zip(&ends).filter_map(|(from, to)| header.get(from..*to)).filter(|field| !field.is_empty()).collect()
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

/// Writes a clear-signed mail (multipart/signed, RFC 8551 §3.5.3). [`seven_bit`](super::seven_bit) prepares the entity, before it is signed.
/// `micalg` names the digests of the signature.
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
    fn protected_headers_are_read_again() {
        use super::super::Protection;
        let input = b"From: eva@example.org\nTo: ben@example.org,\n anna@example.org\nSubject: Plan\n of the day\nKeywords: x\n\
            Bcc: carl@example.org\nContent-Type: text/plain;\n charset=us-ascii;\nContent-Language: en\n\nHi\n";
        for (scheme, subject) in [(Scheme::Clear, "Plan\r\n of the day"), (Scheme::Cipher, "[...]")] {
            let made = protect(&draft(input), scheme).unwrap();
            let text = String::from_utf8(made.entity.clone()).unwrap();
            assert!(text.contains(&format!("charset=us-ascii;\r\n hp=\"{}\"\r\n", scheme.name())), "{text}");
            assert!(text.ends_with("Content-Language: en\r\n\r\nHi\r\n") && !text.contains("Bcc"), "{text}");
            let outside = String::from_utf8(made.header.clone()).unwrap();
            assert!(outside.contains(&format!("Subject: {subject}\r\n")) && outside.contains("Bcc: carl"), "{outside}");
            assert_eq!(outside.contains("Keywords"), scheme == Scheme::Clear);
            assert_eq!(
                text.contains("HP-Outer: To: ben@example.org,\r\n anna@example.org\r\n"),
                scheme == Scheme::Cipher
            );
            let header = [&made.header[..], b"\r\n"].concat();
            let found = Protection::of(&Entity::read(&header).unwrap().fields, &made.entity).unwrap();
            assert_eq!(found.scheme, scheme);
            let confidential = found.fields.iter().filter(|field| field.confidential).map(|field| &*field.field.name);
            let expected: &[&str] = if scheme == Scheme::Cipher { &["Subject", "Keywords"] } else { &[] };
            assert_eq!(confidential.collect::<Vec<_>>(), expected);
            assert!(found.fields.iter().all(|field| !field.changed), "{found:?}");
            assert_eq!(found.unprotected.iter().map(|field| &*field.name).collect::<Vec<_>>(), ["Bcc"]);
        }
        // Without a type, it is that of RFC 2045.
        let made = protect(&draft(b"From: a@b\nContent-Transfer-Encoding: 7bit\n\nHi\n"), Scheme::Clear).unwrap();
        assert_eq!(
            String::from_utf8(made.entity).unwrap(),
            "From: a@b\r\nContent-Transfer-Encoding: 7bit\r\nContent-Type: text/plain; charset=us-ascii; hp=\"clear\"\r\n\r\nHi\r\n"
        );
    }

    #[test]
    fn headers_that_cannot_be_protected() {
        let refused = |input: &[u8], scheme: Scheme| protect(&draft(input), scheme).unwrap_err();
        assert!(refused(b"Hi\n", Scheme::Clear).contains("no mail header"));
        assert!(
            refused(b"From: a@b\nContent-Type: text/plain; hp=\"clear\"\n\nHi\n", Scheme::Clear)
                .contains("already protected")
        );
        assert!(
            refused(b"From: a@b\nContent-Type: multipart/signed; boundary=x\n\nHi\n", Scheme::Cipher)
                .contains("already signed")
        );
        assert!(
            refused(b"From: a@b\nHP-Outer: Subject: x\nContent-Type: text/plain\n\nHi\n", Scheme::Cipher)
                .contains("HP-Outer")
        );
        assert!(refused(b"From: a@b\n\nHi\n", Scheme::Wrapped).contains("only read"));
    }

    #[test]
    fn binary_content_is_not_changed() {
        let entity = b"Content-Type: image/png\r\nContent-Transfer-Encoding: binary\r\n\r\n\x89PNG\r\n\x1a\n\0\r\x01\n";
        let mail = draft(&[b"From: a@b\r\n", &entity[..]].concat());
        assert_eq!((&mail.header[..], &mail.entity[..]), (&b"From: a@b\r\n"[..], &entity[..]));
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

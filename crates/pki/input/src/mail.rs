//! S/MIME (RFC 8551): extracts the CMS message and clear-signed content from an email.
//!
//! Bodies are handled as bytes, because signatures cover bytes and a text parser would change them.

use std::collections::VecDeque;

use tagwise_codec::text::base64;

/// The first S/MIME message in an email.
///
/// ```
/// use tagwise_input::Mail;
/// let mail = b"MIME-Version: 1.0\nContent-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\nMAA=\n";
/// let found = Mail::read(mail).unwrap().unwrap();
/// assert_eq!((found.message.as_slice(), found.content), (&[0x30, 0x00][..], None));
/// assert!(Mail::read(b"\x30\x00").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The message in DER or BER.
    pub message: Vec<u8>,
    /// The MIME entity covered by a clear signature (multipart/signed, RFC 1847 §2.1), with CRLF line endings (RFC 8551
    /// §3.1.1).
    pub content: Option<Vec<u8>>,
}

/// The maximum number of MIME parts that are examined, and the maximum nesting depth.
const PARTS: usize = 1000;
const DEPTH: u8 = 16;

impl Mail {
    /// Reads an email. Returns `None` if the input does not begin with email headers.
    ///
    /// # Errors
    /// Returns a description of the problem if the email is malformed or does not contain an S/MIME message.
    #[must_use]
    pub fn read(input: &[u8]) -> Option<Result<Self, String>> {
        // The line before each mail in a mailbox file.
        let input = if input.starts_with(b"From ") { after_line(input) } else { input };
        let entity = Entity::read(input)?;
        let says = |name: &str| entity.field(name).is_some();
        (says("mime-version") || says("content-type")).then(|| found(entity))
    }
}

fn found(entity: Entity<'_>) -> Result<Mail, String> {
    let mut waiting = VecDeque::from([(entity.whole.to_vec(), 0_u8)]);
    let mut seen = 0_usize;
    while let Some((octets, depth)) = waiting.pop_front() {
        seen = seen.saturating_add(1);
        if seen > PARTS || depth > DEPTH {
            return Err(format!("the mail has more than {PARTS} parts or {DEPTH} nesting levels"));
        }
        let Some(entity) = Entity::read(&octets) else { continue };
        let kind = entity.kind();
        let deeper = depth.saturating_add(1);
        match kind.as_str() {
            "multipart/signed" if entity.is_smime() => {
                let parts = entity.parts()?;
                let [content, signature, ..] = parts.as_slice() else {
                    let count = parts.len();
                    return Err(format!("multipart/signed has {count} parts, expected 2 (RFC 1847 §2.1)"));
                };
                let signature = Entity::read(signature).ok_or("the signature part has no header")?;
                return Ok(Mail { message: signature.decoded()?, content: Some(canonical(content)) });
            }
            "application/pkcs7-mime" | "application/x-pkcs7-mime" => {
                return Ok(Mail { message: entity.decoded()?, content: None });
            }
            "message/rfc822" => waiting.push_back((entity.decoded()?, deeper)),
            _ if kind.starts_with("multipart/") => {
                waiting.extend(entity.parts()?.into_iter().map(|part| (part.to_vec(), deeper)));
            }
            _ => {}
        }
    }
    Err("no S/MIME message found: expected multipart/signed or application/pkcs7-mime (RFC 8551 §3)".to_owned())
}

/// A MIME entity: its header fields and its body.
struct Entity<'a> {
    whole: &'a [u8],
    fields: Vec<(String, String)>,
    body: &'a [u8],
}

impl<'a> Entity<'a> {
    /// Parses the header. Returns `None` if a line is not a header field.
    fn read(whole: &'a [u8]) -> Option<Self> {
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut rest = whole;
        while !rest.is_empty() {
            let (line, after) = line(rest);
            if line.is_empty() {
                rest = after;
                break;
            }
            let text = String::from_utf8_lossy(line);
            match fields.last_mut().filter(|_| text.starts_with([' ', '\t'])) {
                // A folded field (RFC 5322 §2.2.3).
                Some((_, value)) => value.push_str(&text),
                None => {
                    let (name, value) = text.split_once(':')?;
                    let is_name = !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_graphic());
                    if !is_name || fields.len() >= PARTS {
                        return None;
                    }
                    fields.push((name.to_ascii_lowercase(), value.trim().to_owned()));
                }
            }
            rest = after;
        }
        Some(Self { whole, fields, body: rest })
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Returns the media type, which is text by default (RFC 2045 §5.2).
    fn kind(&self) -> String {
        let value = self.field("content-type").unwrap_or("text/plain");
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// Returns a parameter of the media type (RFC 2045 §5.1).
    fn parameter(&self, name: &str) -> Option<String> {
        let value = self.field("content-type")?;
        let mut rest = value.split_once(';')?.1;
        loop {
            let (own, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let (value, tail) = match after.strip_prefix('"') {
                Some(quoted) => quoted_string(quoted),
                None => match after.split_once(';') {
                    Some((value, tail)) => (value.trim().to_owned(), tail),
                    None => (after.trim().to_owned(), ""),
                },
            };
            if own.trim_matches([' ', '\t', ';']).eq_ignore_ascii_case(name) {
                return Some(value);
            }
            rest = tail;
        }
    }

    /// Returns whether the signature protocol is S/MIME, rather than another one such as OpenPGP.
    fn is_smime(&self) -> bool {
        let protocol = self.parameter("protocol").unwrap_or_default().to_ascii_lowercase();
        matches!(protocol.as_str(), "" | "application/pkcs7-signature" | "application/x-pkcs7-signature")
    }

    /// Splits a multipart body. The line break before a boundary belongs to the boundary (RFC 2046 §5.1.1).
    fn parts(&self) -> Result<Vec<&'a [u8]>, String> {
        let boundary = self.parameter("boundary").filter(|boundary| !boundary.is_empty());
        let boundary = boundary.ok_or("multipart without a boundary (RFC 2046 §5.1.1)")?;
        let mark = [b"--", boundary.as_bytes()].concat();
        let mut parts = Vec::new();
        let (mut start, mut at) = (None, 0);
        while let Some(rest) = self.body.get(at..).filter(|rest| !rest.is_empty()) {
            let (own, after) = line(rest);
            let next = self.body.len().saturating_sub(after.len());
            if let Some(tail) = own.strip_prefix(mark.as_slice()) {
                let tail = tail.trim_ascii_end();
                if tail.is_empty() || tail == b"--" {
                    if let Some(start) = start {
                        parts.push(without_break(self.body.get(start..at).unwrap_or_default()));
                    }
                    start = Some(next);
                    if tail == b"--" || parts.len() >= PARTS {
                        return Ok(parts);
                    }
                }
            }
            at = next;
        }
        parts.extend(start.and_then(|start| self.body.get(start..)));
        Ok(parts)
    }

    /// Decodes the body's transfer encoding (RFC 2045 §6).
    fn decoded(&self) -> Result<Vec<u8>, String> {
        let encoding = self.field("content-transfer-encoding").unwrap_or("7bit");
        match encoding.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
            "base64" => {
                // RFC 2045 §6.8: decoders ignore characters outside the alphabet.
                let is_ours = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/' | b'=');
                let text: Vec<u8> = self.body.iter().copied().filter(is_ours).collect();
                base64::decode(&text).map_err(|fault| format!("malformed base64: {}", fault.kind().text()))
            }
            "quoted-printable" => Ok(unquoted(self.body)),
            _ => Ok(self.body.to_vec()),
        }
    }
}

/// Splits off the first line, and returns it without its line break.
fn line(octets: &[u8]) -> (&[u8], &[u8]) {
    let end = octets.iter().position(|octet| matches!(octet, b'\n' | b'\r')).unwrap_or(octets.len());
    let (line, rest) = octets.split_at(end);
    let rest = rest.strip_prefix(b"\r\n").or_else(|| rest.get(1..)).unwrap_or_default();
    (line, rest)
}

fn after_line(octets: &[u8]) -> &[u8] {
    line(octets).1
}

fn without_break(octets: &[u8]) -> &[u8] {
    let shorter = octets.strip_suffix(b"\r\n").or_else(|| octets.strip_suffix(b"\n"));
    shorter.or_else(|| octets.strip_suffix(b"\r")).unwrap_or(octets)
}

/// Converts the line breaks of an entity to CRLF.
fn canonical(octets: &[u8]) -> Vec<u8> {
    let mut made = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while !rest.is_empty() {
        let (own, after) = line(rest);
        made.extend_from_slice(own);
        if rest.len() > own.len() {
            made.extend_from_slice(b"\r\n");
        }
        rest = after;
    }
    made
}

/// Parses a quoted string (RFC 5322 §3.2.4), and returns its text and the rest.
fn quoted_string(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, text.get(at.saturating_add(1)..).unwrap_or_default()),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

/// Decodes quoted-printable text (RFC 2045 §6.7). Malformed sequences are kept.
fn unquoted(octets: &[u8]) -> Vec<u8> {
    let digit = |octet: u8| char::from(octet).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut made = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let Some((&octet, after)) = rest.split_first() {
        rest = after;
        if octet != b'=' {
            made.push(octet);
            continue;
        }
        match *after {
            [high, low, ref tail @ ..] if digit(high).is_some() && digit(low).is_some() => {
                made.push(digit(high).unwrap_or_default() << 4 | digit(low).unwrap_or_default());
                rest = tail;
            }
            [b'\r', b'\n', ref tail @ ..] | [b'\n', ref tail @ ..] => rest = tail,
            _ => made.push(octet),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::Mail;

    const SIGNED: &str = "MIME-Version: 1.0\nContent-Type: multipart/signed; protocol=\"application/pkcs7-signature\";\n \
                          micalg=sha-256; boundary=\"--a b\"\n\nfor others\n\n----a b\nContent-Type: text/plain\n\nDear Anna\n--\n\n\
                          ----a b\nContent-Type: application/pkcs7-signature\nContent-Transfer-Encoding: base64\n\nMA\nA=\n\n----a b--\n";

    fn read(mail: &str) -> Result<Mail, String> {
        Mail::read(mail.as_bytes()).unwrap()
    }

    #[test]
    fn a_clear_signature_is_over_its_first_part_byte_for_byte() {
        for mail in [SIGNED.to_owned(), SIGNED.replace('\n', "\r\n"), format!("From eva Thu\n{SIGNED}")] {
            let found = read(&mail).unwrap();
            assert_eq!(found.message, [0x30, 0]);
            assert_eq!(found.content.as_deref(), Some(&b"Content-Type: text/plain\r\n\r\nDear Anna\r\n--\r\n"[..]));
        }
    }

    #[test]
    fn messages_are_found_in_other_parts_and_mails() {
        let inner = "Content-Type: Application/PKCS7-MIME; smime-type=enveloped-data\nContent-Transfer-Encoding: QUOTED-PRINTABLE\n\n=30=\n=00";
        let mixed = format!(
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\nContent-Type: message/rfc822\n\n{inner}\n--b--\n"
        );
        for mail in [inner.to_owned(), mixed] {
            let found = read(&mail).unwrap();
            assert_eq!((found.message.as_slice(), found.content), (&b"\x30\0"[..], None));
        }
    }

    #[test]
    fn mail_without_a_message_is_a_problem_and_other_input_is_not_mail() {
        for mail in [
            "Content-Type: text/plain\n\nhello",
            "Content-Type: multipart/signed\n\n",
            "Content-Type: multipart/signed; boundary=a\n\n--a\n\n--a--",
            "Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=a\n\n--a\n\nx\n--a\n\ny\n--a--",
            "Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\nMAA",
        ] {
            assert!(read(mail).is_err(), "{mail}");
        }
        for other in
            [&b"\x30\x03\x02\x01\x05"[..], b"-----BEGIN CMS-----\n", b"", b"Subject: a text\n\nhello", b"hello\n"]
        {
            assert!(Mail::read(other).is_none());
        }
        let deep: String =
            (0..100).map(|depth| format!("Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n")).collect();
        assert!(read(&deep).is_err());
    }
}

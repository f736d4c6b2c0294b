//! A MIME entity (RFC 2045, RFC 5322): its header fields, parameters, parts and transfer encodings, in bytes.

use tagwise_codec::text::base64;

use super::PARTS;

/// A header field, unfolded.
///
/// ```
/// use tagwise_input::mail::Field;
/// let field = Field { name: "Subject".to_owned(), value: "Hello".to_owned() };
/// assert!(field.is("subject"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name as written.
    pub name: String,
    /// The value without white space around it.
    pub value: String,
}

impl Field {
    /// Returns whether this is the name of the field, which is not case-sensitive (RFC 5322 §1.2.2).
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns whether the field describes the body: `MIME-Version` and `Content-…` (RFC 9788 calls these structural).
    #[must_use]
    pub fn is_structural(&self) -> bool {
        self.is("mime-version") || self.name.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("content-"))
    }
}

/// A MIME entity: its fields and its body.
pub(super) struct Entity<'a> {
    pub(super) whole: &'a [u8],
    /// The fields in order, with their names as written and their values unfolded.
    pub(super) fields: Vec<Field>,
    /// The bytes of the header, up to the empty line.
    pub(super) header: &'a [u8],
    pub(super) body: &'a [u8],
}

/// The parts of a multipart body.
pub(super) struct Parts<'a> {
    pub(super) list: Vec<&'a [u8]>,
    /// The text after the closing boundary.
    pub(super) epilogue: &'a [u8],
    pub(super) is_closed: bool,
}

impl<'a> Entity<'a> {
    /// Reads the header; `None` if a line in it is not a field.
    pub(super) fn read(whole: &'a [u8]) -> Option<Self> {
        let mut fields: Vec<Field> = Vec::new();
        let mut rest = whole;
        let mut end = whole.len();
        while !rest.is_empty() {
            let (line, after) = line(rest);
            if line.is_empty() {
                end = whole.len().saturating_sub(rest.len());
                rest = after;
                break;
            }
            let text = String::from_utf8_lossy(line);
            match fields.last_mut().filter(|_| text.starts_with([' ', '\t'])) {
                // A folded field (RFC 5322 §2.2.3).
                Some(field) => field.value.push_str(&text),
                None => {
                    let (name, value) = text.split_once(':')?;
                    // RFC 5322 §4.5: the obsolete syntax, which readers must accept, has white space before the colon.
                    let name = name.trim_end_matches([' ', '\t']);
                    let is_name = !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_graphic());
                    if !is_name || fields.len() >= PARTS {
                        return None;
                    }
                    fields.push(Field { name: name.to_owned(), value: value.trim().to_owned() });
                }
            }
            rest = after;
        }
        let header = whole.get(..end).unwrap_or_default();
        Some(Self { whole, fields, header, body: rest })
    }

    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.is(name)).map(|field| field.value.as_str())
    }

    /// Returns an error if a field that tells readers what the body is occurs more than once, because another reader may take
    /// the other one (RFC 2045 §3).
    pub(super) fn demand_one_type(&self) -> Result<(), String> {
        for name in ["Content-Type", "Content-Transfer-Encoding"] {
            let count = self.fields.iter().filter(|field| field.is(name)).count();
            if count > 1 {
                return Err(format!("the header has {count} fields {name}, expected at most 1 (RFC 2045 §3)"));
            }
        }
        Ok(())
    }

    /// The media type; that of text where none is named (RFC 2045 §5.2).
    pub(super) fn kind(&self) -> String {
        let value = self.field("content-type").unwrap_or("text/plain");
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// A parameter of the media type (RFC 2045 §5.1).
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        self.parameter_of("content-type", name)
    }

    /// Returns whether a file name in the header is that of a message (RFC 8551 §3.2.1).
    pub(super) fn has_message_name(&self) -> bool {
        let names = [self.parameter("name"), self.parameter_of("content-disposition", "filename")];
        names.into_iter().flatten().any(|name| {
            let name = name.to_ascii_lowercase();
            name.ends_with(".p7m") || name.ends_with(".p7z")
        })
    }

    /// The transfer encoding in lower case (RFC 2045 §6.1).
    pub(super) fn transfer_encoding(&self) -> String {
        let encoding = self.field("content-transfer-encoding").unwrap_or("7bit");
        encoding.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    fn parameter_of(&self, field: &str, name: &str) -> Option<String> {
        let value = self.field(field)?;
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

    /// Returns whether signatures are of S/MIME, and not of another protocol such as OpenPGP.
    pub(super) fn is_smime(&self) -> bool {
        let protocol = self.parameter("protocol").unwrap_or_default().to_ascii_lowercase();
        matches!(protocol.as_str(), "" | "application/pkcs7-signature" | "application/x-pkcs7-signature")
    }

    /// The parts of a multipart body. The line break before a boundary belongs to the boundary (RFC 2046 §5.1.1).
    pub(super) fn parts(&self) -> Result<Parts<'a>, String> {
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
                        let epilogue = self.body.get(next..).unwrap_or_default();
                        return Ok(Parts { list: parts, epilogue, is_closed: tail == b"--" });
                    }
                }
            }
            at = next;
        }
        parts.extend(start.and_then(|start| self.body.get(start..)));
        Ok(Parts { list: parts, epilogue: &[], is_closed: false })
    }

    /// The body without its transfer encoding (RFC 2045 §6).
    pub(super) fn decoded(&self) -> Result<Vec<u8>, String> {
        match self.transfer_encoding().as_str() {
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

/// A line without its end, and what follows it.
pub(super) fn line(octets: &[u8]) -> (&[u8], &[u8]) {
    let end = octets.iter().position(|octet| matches!(octet, b'\n' | b'\r')).unwrap_or(octets.len());
    let (line, rest) = octets.split_at(end);
    let rest = rest.strip_prefix(b"\r\n").or_else(|| rest.get(1..)).unwrap_or_default();
    (line, rest)
}

/// The name of the field that begins with a line, without the white space before the colon (RFC 5322 §4.5).
pub(super) fn field_name(line: &[u8]) -> &[u8] {
    line.split(|octet| *octet == b':').next().unwrap_or_default().trim_ascii_end()
}

/// A mail without the line before it in a mailbox file (RFC 4155 appendix A), and not a `From` field with white space before its
/// colon (RFC 5322 §4.5.2).
pub(super) fn without_separator(octets: &[u8]) -> &[u8] {
    match octets.strip_prefix(b"From ") {
        Some(rest) if !rest.trim_ascii_start().starts_with(b":") => line(octets).1,
        _ => octets,
    }
}

fn without_break(octets: &[u8]) -> &[u8] {
    let shorter = octets.strip_suffix(b"\r\n").or_else(|| octets.strip_suffix(b"\n"));
    shorter.or_else(|| octets.strip_suffix(b"\r")).unwrap_or(octets)
}

/// An entity with CRLF at the ends of its lines.
pub(super) fn canonical(octets: &[u8]) -> Vec<u8> {
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

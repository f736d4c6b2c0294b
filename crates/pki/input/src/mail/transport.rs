//! The canonical form of MIME entities (RFC 8551 §3.1.1), and the encoding that survives transport (§3.1.2, §3.1.3).

use tagwise_codec::text::base64;

use super::entity::{Entity, canonical, field_name, line};
use super::{DEPTH, PARTS};

/// Returns the canonical form of a MIME entity, for a signature or encryption (RFC 8551 §3.1.1): lines end in CRLF. Bodies with the
/// transfer encoding `binary` have no lines (RFC 2045 §2.9) and stay unchanged.
///
/// ```
/// use tagwise_input::mail::canonical_entity;
/// let entity = b"Content-Type: image/png\nContent-Transfer-Encoding: binary\n\n\x89PNG\r\n\x1a\n";
/// let canonical = b"Content-Type: image/png\r\nContent-Transfer-Encoding: binary\r\n\r\n\x89PNG\r\n\x1a\n";
/// assert_eq!(canonical_entity(entity), canonical);
/// ```
#[must_use]
pub fn canonical_entity(entity: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(false);
    writer.all(entity);
    writer.made
}

/// Returns a canonical MIME entity for a clear-signed mail: bodies with the transfer encoding `binary` or `8bit` become base64, so
/// that no mail system changes them (RFC 8551 §3.1.2, §3.1.3).
///
/// ```
/// use tagwise_input::mail::seven_bit;
/// let entity = b"Content-Transfer-Encoding: binary\r\nContent-Type: image/png\r\n\r\n\0\n";
/// let encoded = b"Content-Transfer-Encoding: base64\r\nContent-Type: image/png\r\n\r\nAAo=\r\n";
/// assert_eq!(seven_bit(entity)?, encoded);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Returns a description of the problem if a part of a type message/… is `binary` or `8bit`, because it must not be encoded (RFC 2046
/// §5.2.1).
pub fn seven_bit(entity: &[u8]) -> Result<Vec<u8>, String> {
    let mut writer = Writer::new(true);
    writer.all(entity);
    writer.fault.map_or(Ok(writer.made), Err)
}

/// The treatment of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// Lines, which get CRLF endings.
    Lines,
    /// Bytes, which stay unchanged.
    Octets,
}

/// Copies an entity line by line. A part's body ends before the line break in front of a boundary (RFC 2046 §5.1.1).
struct Writer {
    made: Vec<u8>,
    /// Set if bodies that are not of 7-bit lines become base64.
    encodes: bool,
    /// The delimiters of the multiparts around the current part.
    marks: Vec<Vec<u8>>,
    body: Body,
    /// The body to encode at its end.
    held: Option<Vec<u8>>,
    fault: Option<String>,
}

impl Writer {
    const fn new(encodes: bool) -> Self {
        Self { made: Vec::new(), encodes, marks: Vec::new(), body: Body::Lines, held: None, fault: None }
    }

    fn all(&mut self, entity: &[u8]) {
        let mut rest = self.header(entity);
        // The line break after the previous line.
        let mut ending: &[u8] = b"";
        while !rest.is_empty() {
            let (own, after) = line(rest);
            if let Some((depth, is_last)) = self.boundary(own) {
                self.flush();
                self.made.extend_from_slice(if ending.is_empty() { b"" } else { b"\r\n" });
                self.marks.truncate(if is_last { depth } else { depth.saturating_add(1) });
                self.made.extend_from_slice(own);
                self.body = Body::Lines;
                ending = between(rest, own, after);
                rest = after;
                if !is_last && !ending.is_empty() {
                    self.made.extend_from_slice(b"\r\n");
                    ending = b"";
                    rest = self.header(after);
                }
                continue;
            }
            self.write_ending(ending);
            self.write(own);
            ending = between(rest, own, after);
            rest = after;
        }
        self.write_ending(ending);
        self.flush();
    }

    /// Copies a header and its empty line, and prepares for its body. Returns the body and what follows it.
    fn header<'a>(&mut self, octets: &'a [u8]) -> &'a [u8] {
        self.body = Body::Lines;
        let end = header_end(octets);
        let (Some(header), Some(rest)) = (octets.get(..end), octets.get(end..)) else { return octets };
        // Without a header, all lines are the body.
        let Some(entity) = Entity::read(header) else { return octets };
        let encoding = entity.transfer_encoding();
        let is_multipart = entity.kind().starts_with("multipart/");
        let is_raw = matches!(encoding.as_str(), "binary" | "8bit");
        let mark = entity.parameter("boundary").filter(|boundary| is_multipart && !boundary.is_empty());
        if let Some(boundary) = mark.filter(|_| self.marks.len() < usize::from(DEPTH)) {
            self.marks.push([b"--", boundary.as_bytes()].concat());
        } else if encoding == "binary" {
            self.body = Body::Octets;
        }
        if self.encodes && is_raw {
            if entity.kind().starts_with("message/") {
                let text = format!(
                    "a part {} has the transfer encoding {encoding}, expected 7bit (RFC 2046 §5.2.1)",
                    entity.kind()
                );
                self.fault.get_or_insert(text);
            }
            self.encoded_header(header, if is_multipart { "7bit" } else { "base64" });
            self.held = (!is_multipart).then(Vec::new);
        } else {
            self.made.extend_from_slice(&canonical(header));
        }
        rest
    }

    /// Copies a header with another transfer encoding.
    fn encoded_header(&mut self, header: &[u8], encoding: &str) {
        let header = canonical(header);
        let mut is_dropped = false;
        for line in header.split_inclusive(|octet| *octet == b'\n') {
            if !line.starts_with(b" ") && !line.starts_with(b"\t") {
                is_dropped = field_name(line).eq_ignore_ascii_case(b"content-transfer-encoding");
                if is_dropped {
                    self.made.extend_from_slice(format!("Content-Transfer-Encoding: {encoding}\r\n").as_bytes());
                }
            }
            if !is_dropped {
                self.made.extend_from_slice(line);
            }
        }
    }

    /// The depth of the multipart with this line as a boundary. The flag is true for its last boundary.
    fn boundary(&self, line: &[u8]) -> Option<(usize, bool)> {
        if !line.starts_with(b"--") {
            return None;
        }
        self.marks.iter().enumerate().rev().find_map(|(depth, mark)| {
            match line.strip_prefix(mark.as_slice())?.trim_ascii_end() {
                b"" => Some((depth, false)),
                b"--" => Some((depth, true)),
                _ => None,
            }
        })
    }

    fn write(&mut self, octets: &[u8]) {
        self.held.as_mut().unwrap_or(&mut self.made).extend_from_slice(octets);
    }

    fn write_ending(&mut self, ending: &[u8]) {
        match self.body {
            Body::Lines if !ending.is_empty() => self.write(b"\r\n"),
            Body::Lines | Body::Octets => self.write(ending),
        }
    }

    /// Encodes the body that has ended.
    fn flush(&mut self) {
        if let Some(body) = self.held.take() {
            let from = self.made.len();
            wrapped(&mut self.made, &body);
            // The line break before a boundary is the boundary's.
            if !self.marks.is_empty() && self.made.len() > from {
                self.made.truncate(self.made.len().saturating_sub(2));
            }
        }
    }
}

/// The bytes between a line and what follows it: its line break.
fn between<'a>(whole: &'a [u8], line: &[u8], after: &[u8]) -> &'a [u8] {
    whole.get(line.len()..whole.len().saturating_sub(after.len())).unwrap_or_default()
}

/// The length of a header with its empty line.
fn header_end(octets: &[u8]) -> usize {
    let mut rest = octets;
    for _ in 0..PARTS.saturating_mul(16) {
        if rest.is_empty() {
            break;
        }
        let (own, after) = line(rest);
        rest = after;
        if own.is_empty() {
            break;
        }
    }
    octets.len().saturating_sub(rest.len())
}

/// Appends base64 in lines (RFC 2045 §6.8).
pub(super) fn wrapped(out: &mut Vec<u8>, octets: &[u8]) {
    for line in base64::encode(octets).as_bytes().chunks(76) {
        out.extend_from_slice(line);
        out.extend_from_slice(b"\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIXED: &[u8] = b"Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: binary\n\npreamble\n--b\n\
        Content-Type: text/plain\n\nHi\n\n--b\nContent-Type: a/b\nContent-Transfer-Encoding: Binary\n\n\x00\n\r\x01\n\n--b--\nend\n";

    #[test]
    fn binary_bodies_stay_and_lines_end_in_crlf() {
        let expected = b"Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: binary\r\n\r\npreamble\r\n--b\r\n\
            Content-Type: text/plain\r\n\r\nHi\r\n\r\n--b\r\nContent-Type: a/b\r\nContent-Transfer-Encoding: Binary\r\n\r\n\
            \x00\n\r\x01\n\r\n--b--\r\nend\r\n";
        assert_eq!(canonical_entity(MIXED).escape_ascii().to_string(), expected.escape_ascii().to_string());
        assert_eq!(canonical_entity(expected), expected);
    }

    #[test]
    fn other_entities_have_crlf_at_the_ends_of_their_lines() {
        for octets in [
            &b""[..],
            b"\n",
            b"a\rb\r\nc\n\n",
            b"no header\n\nx\n",
            b"A: b",
            b"A: b\n\nx",
            b"--b\n",
            b"A: b\n\n--b\n\n--b--\n",
            b"Content-Type: multipart/mixed; boundary=b\n\n--b",
            b"Content-Type: multipart/mixed; boundary=b\n\n--b\n--b\n\n--b--x\n",
        ] {
            assert_eq!(canonical_entity(octets), canonical(octets), "{}", octets.escape_ascii());
        }
    }

    #[test]
    fn clear_signed_bodies_are_base64() {
        let expected = b"Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: 7bit\r\n\r\npreamble\r\n--b\r\n\
            Content-Type: text/plain\r\n\r\nHi\r\n\r\n--b\r\nContent-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\n\
            AAoNAQo=\r\n--b--\r\nend\r\n";
        assert_eq!(seven_bit(MIXED).unwrap().escape_ascii().to_string(), expected.escape_ascii().to_string());
        let eight = "Content-Transfer-Encoding: 8bit\n\nGrüße\n".as_bytes();
        assert_eq!(seven_bit(eight).unwrap(), b"Content-Transfer-Encoding: base64\r\n\r\nR3LDvMOfZQ0K\r\n");
        let mail = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: 8bit\n\nSubject: x\n\nx\n";
        let expected = "a part message/rfc822 has the transfer encoding 8bit, expected 7bit (RFC 2046 §5.2.1)";
        assert_eq!(seven_bit(mail).unwrap_err(), expected);
    }
}

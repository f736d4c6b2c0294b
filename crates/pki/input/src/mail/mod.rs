//! S/MIME (RFC 8551): extracts the CMS message and clear-signed content from a mail, compares the header fields that are
//! protected with those outside (RFC 9788), and writes mails.
//!
//! Bodies are handled as bytes, because signatures cover bytes and a text parser would change them.

mod compose;
mod entity;
mod protection;

use std::collections::VecDeque;

use entity::{Entity, after_line, canonical};

pub use compose::{Draft, content_mail, draft, protect, signed_mail};
pub use entity::Field;
pub use protection::{Protected, Protection, Scheme, addresses};

/// The first S/MIME message in a mail.
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
    /// The header fields of the mail around it.
    pub header: Vec<Field>,
}

/// The most parts of a mail that are examined, and the deepest.
const PARTS: usize = 1000;
const DEPTH: u8 = 16;

impl Mail {
    /// Reads a mail. Returns `None` if the input does not begin with mail headers.
    ///
    /// # Errors
    /// Returns a description of the problem if the mail is malformed or does not contain an S/MIME message.
    #[must_use]
    pub fn read(input: &[u8]) -> Option<Result<Self, String>> {
        // The line before each mail in a mailbox file.
        let input = if input.starts_with(b"From ") { after_line(input) } else { input };
        let entity = Entity::read(input)?;
        let says = |name: &str| entity.field(name).is_some();
        (says("mime-version") || says("content-type")).then(|| found(entity))
    }

    /// Reads the next cryptographic layer: a MIME entity that is itself an S/MIME message, such as decrypted content that is
    /// signed. Returns `None` for other content. Unlike [`read`](Self::read), it does not look into parts and forwarded mails.
    ///
    /// # Errors
    /// Returns a description of the problem if the layer is malformed.
    #[must_use]
    pub fn layer(entity: &[u8]) -> Option<Result<Self, String>> {
        message(&Entity::read(entity)?, &[]).transpose()
    }
}

/// The message of an entity; `None` if the entity is not one of S/MIME.
fn message(entity: &Entity<'_>, header: &[Field]) -> Result<Option<Mail>, String> {
    let header = header.to_vec();
    match entity.kind().as_str() {
        "multipart/signed" if entity.is_smime() => {
            let parts = entity.parts()?;
            let [content, signature, ..] = parts.as_slice() else {
                let count = parts.len();
                return Err(format!("multipart/signed has {count} parts, expected 2 (RFC 1847 §2.1)"));
            };
            let signature = Entity::read(signature).ok_or("the signature part has no header")?;
            Ok(Some(Mail { message: signature.decoded()?, content: Some(canonical(content)), header }))
        }
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => {
            Ok(Some(Mail { message: entity.decoded()?, content: None, header }))
        }
        _ => Ok(None),
    }
}

fn found(entity: Entity<'_>) -> Result<Mail, String> {
    let mut waiting = VecDeque::from([(entity.whole.to_vec(), 0_u8, entity.fields)]);
    let mut seen = 0_usize;
    while let Some((octets, depth, header)) = waiting.pop_front() {
        seen = seen.saturating_add(1);
        if seen > PARTS || depth > DEPTH {
            return Err(format!("too many parts in the mail: more than {PARTS}, or more than {DEPTH} levels"));
        }
        let Some(entity) = Entity::read(&octets) else { continue };
        if let Some(found) = message(&entity, &header)? {
            return Ok(found);
        }
        let kind = entity.kind();
        let deeper = depth.saturating_add(1);
        if kind == "message/rfc822" {
            let inner = entity.decoded()?;
            let fields = Entity::read(&inner).map(|inner| inner.fields).unwrap_or_default();
            waiting.push_back((inner, deeper, fields));
        } else if kind.starts_with("multipart/") {
            waiting.extend(entity.parts()?.into_iter().map(|part| (part.to_vec(), deeper, header.clone())));
        }
    }
    Err("no S/MIME message found: expected multipart/signed or application/pkcs7-mime (RFC 8551 §3)".to_owned())
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

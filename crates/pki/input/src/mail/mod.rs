//! S/MIME (RFC 8551): extracts the CMS message and clear-signed content from a mail, compares the header fields that are
//! protected with those outside (RFC 9788), and writes mails.
//!
//! Bodies are handled as bytes, because signatures cover bytes and a text parser would change them.

mod address;
mod compose;
mod entity;
mod protection;
mod transport;
mod verdict;

use std::collections::VecDeque;

use entity::{Entity, without_separator};

pub use address::addresses;
pub use compose::{Draft, content_mail, draft, protect, signed_mail};
pub use entity::Field;
pub use protection::{Protected, Protection, Scheme};
pub use transport::{canonical_entity, seven_bit};
pub use verdict::{HeaderFinding, HeaderVerdict, mailboxes};

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

/// All S/MIME messages in a mail. The signature of one does not cover the other parts of the mail.
///
/// ```
/// use tagwise_input::mail::Messages;
/// let mail = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nnot signed\n\
///     --b\nContent-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\nMAA=\n--b--\n";
/// let found = Messages::read(mail).unwrap().unwrap();
/// assert_eq!((found.list.len(), found.others), (1, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// The messages, in order. Those of a mail are at least one.
    pub list: Vec<Mail>,
    /// The number of parts with content that are not in a message, such as the footer of a mailing list, and of mails that follow
    /// this one.
    pub others: usize,
    /// The number of texts after the last part of a multipart, which readers ignore (RFC 2046 §5.1.1).
    pub ignored: usize,
}

impl Messages {
    /// Reads a mail. Returns `None` if the input does not begin with mail headers.
    ///
    /// # Errors
    /// Returns a description of the problem if the mail is malformed or does not contain an S/MIME message.
    #[must_use]
    pub fn read(input: &[u8]) -> Option<Result<Self, String>> {
        open(input).map(|entity| found(entity?, false))
    }

    /// Finds the messages in the parts of an entity, such as signed or decrypted content. Unlike [`read`](Self::read), it also accepts
    /// content without any. They have the given header, except for those in forwarded mails, which have their own.
    ///
    /// ```
    /// use tagwise_input::mail::Messages;
    /// let content = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n\
    ///     --b\nContent-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\nMAA=\n--b--\n";
    /// let found = Messages::inside(content, &[]).unwrap();
    /// assert_eq!((found.list.len(), found.others), (1, 1));
    /// assert!(Messages::inside(b"Hello", &[]).unwrap().list.is_empty());
    /// ```
    ///
    /// # Errors
    /// Returns a description of the problem if the entity or a message in it is malformed.
    pub fn inside(entity: &[u8], header: &[Field]) -> Result<Self, String> {
        match Entity::read(entity) {
            Some(entity) => walk(Entity { fields: header.to_vec(), ..entity }, false),
            None => Ok(Self::default()),
        }
    }
}

/// The most parts of a mail that are examined, and the deepest.
const PARTS: usize = 1000;
const DEPTH: u8 = 16;

fn with_type(input: &[u8]) -> Option<Entity<'_>> {
    let entity = Entity::read(without_separator(input))?;
    ["mime-version", "content-type"].iter().any(|name| entity.field(name).is_some()).then_some(entity)
}

/// The mail in a file. Returns `None` if the input does not begin with mail headers.
fn open(input: &[u8]) -> Option<Result<Entity<'_>, String>> {
    let blank = input.iter().take_while(|octet| matches!(octet, b'\r' | b'\n')).count();
    match input.get(blank..) {
        Some(rest) if blank > 0 => with_type(rest).map(|_| {
            Err("the mail begins with an empty line, which ends its header, expected a header field (RFC 5322 §2.1)".to_owned())
        }),
        _ => with_type(input).map(Ok),
    }
}

impl Mail {
    /// Reads the first message of a mail. Returns `None` if the input does not begin with mail headers. [`Messages`] has the
    /// others as well.
    ///
    /// # Errors
    /// Returns a description of the problem if the mail is malformed or does not contain an S/MIME message.
    #[must_use]
    pub fn read(input: &[u8]) -> Option<Result<Self, String>> {
        let mail = open(input)?.and_then(|entity| found(entity, true));
        // There is at least one.
        mail.map(|found| found.list.into_iter().next()).transpose()
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
            entity.demand_one_type()?;
            let parts = entity.parts()?;
            // The mail may be truncated.
            if !parts.is_closed {
                return Err("multipart/signed has no closing boundary (RFC 2046 §5.1.1)".to_owned());
            }
            // A third part would be shown with the first two, but no signature covers it.
            let [content, signature] = parts.list.as_slice() else {
                let count = parts.list.len();
                return Err(format!("multipart/signed has {count} parts, expected 2 (RFC 1847 §2.1)"));
            };
            let signature = Entity::read(signature).ok_or("the signature part has no header")?;
            signature.demand_one_type()?;
            let kind = signature.kind();
            if !matches!(kind.as_str(), "application/pkcs7-signature" | "application/x-pkcs7-signature") {
                return Err(format!(
                    "the second part of multipart/signed is {kind}, expected application/pkcs7-signature (RFC 1847 §2.1)"
                ));
            }
            Ok(Some(Mail { message: signature.decoded()?, content: Some(canonical_entity(content)), header }))
        }
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => {
            entity.demand_one_type()?;
            Ok(Some(Mail { message: entity.decoded()?, content: None, header }))
        }
        // RFC 8551 §3.9: a message by its file name only.
        "application/octet-stream" if entity.has_message_name() => {
            entity.demand_one_type()?;
            Ok(Some(Mail { message: entity.decoded()?, content: None, header }))
        }
        _ => Ok(None),
    }
}

/// Reads the messages of a mail, of which there must be one.
fn found(entity: Entity<'_>, only_first: bool) -> Result<Messages, String> {
    let found = walk(entity, only_first)?;
    if found.list.is_empty() {
        return Err(
            "no S/MIME message found: expected multipart/signed or application/pkcs7-mime (RFC 8551 §3)".to_owned()
        );
    }
    Ok(found)
}

/// Reads the messages of an entity in order, or only the first.
fn walk(entity: Entity<'_>, only_first: bool) -> Result<Messages, String> {
    let mut waiting = VecDeque::from([(entity.whole.to_vec(), 0_u8, entity.fields)]);
    let mut seen = 0_usize;
    let mut found = Messages::default();
    while let Some((octets, depth, header)) = waiting.pop_front() {
        seen = seen.saturating_add(1);
        if seen > PARTS || depth > DEPTH {
            return Err(format!("too many parts in the mail: more than {PARTS}, or more than {DEPTH} levels"));
        }
        let Some(entity) = Entity::read(&octets) else {
            found.others = found.others.saturating_add(1);
            continue;
        };
        let kind = entity.kind();
        let parts = if kind.starts_with("multipart/") { Some(entity.parts()) } else { None };
        if let Some(Ok(parts)) = &parts {
            match () {
                () if parts.epilogue.trim_ascii().is_empty() => {}
                () if has_mail(parts.epilogue) => found.others = found.others.saturating_add(1),
                () => found.ignored = found.ignored.saturating_add(1),
            }
        }
        if let Some(message) = message(&entity, &header)? {
            found.list.push(message);
            if only_first {
                return Ok(found);
            }
            continue;
        }
        let deeper = depth.saturating_add(1);
        let mut inner = Vec::new();
        if kind == "message/rfc822" {
            let mail = entity.decoded()?;
            let fields = Entity::read(&mail).map(|mail| mail.fields).unwrap_or_default();
            // A reader shows the header of the outer mail, which the signature of the inner one does not cover (RFC 8550 §3).
            found.others = found.others.saturating_add(1);
            inner.push((mail, deeper, fields));
        } else if let Some(parts) = parts {
            inner.extend(parts?.list.into_iter().map(|part| (part.to_vec(), deeper, header.clone())));
        } else if !(kind.starts_with("text/") && entity.body.trim_ascii().is_empty()) {
            // Empty text shows nothing.
            found.others = found.others.saturating_add(1);
        }
        inner.into_iter().rev().for_each(|part| waiting.push_front(part));
    }
    Ok(found)
}

/// Returns whether text after a mail contains another one, as in a mailbox file (RFC 4155 appendix A).
fn has_mail(text: &[u8]) -> bool {
    with_type(text.trim_ascii_start()).is_some()
        || text.split(|octet| *octet == b'\n').any(|line| line.starts_with(b"From "))
}

#[cfg(test)]
mod tests {
    use super::{Mail, Messages};

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
    fn every_message_is_found_and_other_parts_are_counted() {
        let part = |text: &str| format!("--outer\n{text}\n");
        let mixed = |parts: &[&str]| {
            let parts: String = parts.iter().map(|text| part(text)).collect();
            let mail = format!("Content-Type: multipart/mixed; boundary=outer\n\n{parts}--outer--\n");
            let found = Messages::read(mail.as_bytes()).unwrap().unwrap();
            (found.list.len(), found.others)
        };
        assert_eq!(mixed(&[SIGNED]), (1, 0));
        assert_eq!(mixed(&[SIGNED, SIGNED]), (2, 0));
        // Text before and after, and an attachment.
        assert_eq!(mixed(&["\nbefore", SIGNED, "Content-Type: image/png\n\n"]), (1, 2));
        // Empty text shows nothing; a part whose header cannot be read may be shown.
        assert_eq!(mixed(&[SIGNED, "Content-Type: text/plain\n\n\n"]), (1, 0));
        assert_eq!(mixed(&[SIGNED, "no header"]), (1, 1));
        let alternative = "Content-Type: multipart/alternative; boundary=in\n\n--in\n\na\n--in\n\nb\n--in--\n";
        assert_eq!(mixed(&[alternative, SIGNED]), (1, 2));
        assert_eq!(mixed(&[&format!("Content-Type: message/rfc822\n\n{SIGNED}"), "\nfooter"]), (1, 2));
        let forwarded =
            format!("From: mal@example.org\nContent-Type: message/rfc822\n\nFrom: eva@example.org\n{SIGNED}");
        let found = Messages::read(forwarded.as_bytes()).unwrap().unwrap();
        assert_eq!((found.list.len(), found.others), (1, 1));
    }

    #[test]
    fn a_clear_signed_mail_has_two_parts() {
        // RFC 1847 §2.1.
        let third = SIGNED.replace("\n\n----a b--", "\n\n----a b\n\nnot signed\n----a b--");
        assert!(read(&third).unwrap_err().contains("multipart/signed has 3 parts, expected 2"));
        let twice = SIGNED.replacen("MIME-Version: 1.0\n", "MIME-Version: 1.0\nContent-type: text/html\n", 1);
        assert!(read(&twice).is_err());
        let twice = format!("{}Content-Type: text/html\n\nx", SIGNED.split("\n\n").next().unwrap().to_owned() + "\n");
        assert!(read(&twice).unwrap_err().contains("2 fields Content-Type"));
    }

    #[test]
    fn what_follows_the_last_part_is_not_signed() {
        let count = |after: &str| {
            let found = Messages::read(format!("{SIGNED}{after}").as_bytes()).unwrap().unwrap();
            (found.list.len(), found.others, found.ignored)
        };
        assert_eq!(count("\n \n"), (1, 0, 0));
        assert_eq!(count("\ntext\n"), (1, 0, 1));
        // Another mail.
        assert_eq!(count(SIGNED), (1, 1, 0));
        assert_eq!(count("\nFrom eva Thu\nSubject: x\n\ntext"), (1, 1, 0));
    }

    #[test]
    fn a_clear_signed_mail_is_closed() {
        for cut in ["----a b--\n", "--\n"] {
            let mail = SIGNED.strip_suffix(cut).unwrap();
            assert_eq!(read(mail).unwrap_err(), "multipart/signed has no closing boundary (RFC 2046 §5.1.1)", "{cut}");
        }
    }

    #[test]
    fn messages_are_found_inside_content() {
        let header = [super::Field { name: "From".to_owned(), value: "mal@example.org".to_owned() }];
        let mixed = format!("Content-Type: multipart/mixed; boundary=in\n\n--in\n{SIGNED}\n--in\n\ntext\n--in--\n");
        let found = Messages::inside(mixed.as_bytes(), &header).unwrap();
        assert_eq!((found.list.len(), found.others, &found.list[0].header[..]), (1, 1, &header[..]));
        let forwarded = format!("Content-Type: message/rfc822\n\nSubject: x\n{SIGNED}");
        let found = Messages::inside(forwarded.as_bytes(), &header).unwrap();
        assert_eq!(found.list[0].header[0].name, "Subject");
        assert!(Messages::inside(b"Content-Type: text/plain\n\nHi", &header).unwrap().list.is_empty());
        assert!(Messages::inside(b"\x25PDF", &[]).unwrap().list.is_empty());
    }

    #[test]
    fn the_second_part_of_a_clear_signed_mail_is_a_signature() {
        let other = SIGNED.replace("Content-Type: application/pkcs7-signature", "Content-Type: text/plain");
        let expected =
            "the second part of multipart/signed is text/plain, expected application/pkcs7-signature (RFC 1847 §2.1)";
        assert_eq!(read(&other).unwrap_err(), expected);
    }

    #[test]
    fn messages_are_recognised_by_their_file_names() {
        // RFC 8551 §3.9.
        for header in [
            "Content-Type: application/octet-stream; name=smime.p7m",
            "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"A.P7Z\"",
        ] {
            let mail = format!("{header}\nContent-Transfer-Encoding: base64\n\nMAA=\n");
            assert_eq!(read(&mail).unwrap().message, [0x30, 0], "{header}");
        }
        assert!(read("Content-Type: application/octet-stream; name=a.txt\n\nMAA=\n").is_err());
    }

    #[test]
    fn from_fields_are_not_separators() {
        // RFC 5322 §4.5.2 allows white space before the colon.
        for (line, count) in
            [("From : eva@x\n", 1), ("From \t: eva@x\n", 1), ("From\t: eva@x\n", 1), ("From eva Thu 10:00\n", 0)]
        {
            let found = read(&format!("{line}{SIGNED}")).unwrap();
            assert_eq!(found.header.iter().filter(|field| field.is("from")).count(), count, "{line}");
        }
        let found = read(&SIGNED.replacen("MIME-Version:", "Subject\t: x\nMIME-Version :", 1)).unwrap();
        assert_eq!(found.header.iter().find(|field| field.is("subject")).unwrap().value, "x");
        assert!(read(&format!("\r\n{SIGNED}")).unwrap_err().contains("begins with an empty line"));
        assert!(Mail::read(b"\n\nhello").is_none());
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

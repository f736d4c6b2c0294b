//! XMPP (RFC 6120 §5): the stream's header, its features, and a request for TLS.

use std::io::{Read, Write};

use tagwise_pkix::name::visible;

use super::{octet, send};

/// The most bytes before the server's consent.
const LARGEST: usize = 64 * 1024;

/// Opens a stream and asks for TLS.
pub(super) fn start(stream: &mut (impl Read + Write), namespace: &str, host: &str) -> Result<(), String> {
    // A host has neither quotation marks nor angle brackets.
    let header = format!(
        "<?xml version='1.0'?><stream:stream to='{host}' xmlns='{namespace}' \
         xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"
    );
    send(stream, header.as_bytes())?;
    let mut left = LARGEST;
    let mut is_offered = false;
    loop {
        let tag = tag(stream, &mut left)?;
        match (tag.is_end, tag.name()) {
            (false, "starttls") => is_offered = true,
            (true, "features") => break,
            (false, "features") if tag.is_empty => break,
            (_, "error") => return Err(refusal(stream, &mut left)),
            (true, "stream") => return Err("the server closed the stream".to_owned()),
            _ => {}
        }
    }
    if !is_offered {
        return Err("the server does not offer STARTTLS".to_owned());
    }
    send(stream, b"<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")?;
    let mut tag_of_reply = tag(stream, &mut left)?;
    if tag_of_reply.name() == "proceed" && !tag_of_reply.is_empty {
        tag_of_reply = tag(stream, &mut left)?;
    }
    match tag_of_reply.name() {
        "proceed" => Ok(()),
        "failure" => Err("the server refused STARTTLS".to_owned()),
        other => Err(format!("the server's reply to STARTTLS is not XMPP: {}", visible(other))),
    }
}

/// The condition of a stream error.
fn refusal(stream: &mut impl Read, left: &mut usize) -> String {
    match tag(stream, left) {
        Ok(tag) => format!("the server says: {}", visible(tag.name())),
        Err(error) => error,
    }
}

/// A tag of XML.
struct Tag {
    /// The text between the angle brackets, without slashes at its ends.
    text: String,
    /// Set for an end tag.
    is_end: bool,
    /// Set for a tag that is an element of its own.
    is_empty: bool,
}

impl Tag {
    /// The element's name, without its namespace's prefix.
    fn name(&self) -> &str {
        let name = self.text.split(|letter: char| letter.is_ascii_whitespace()).next().unwrap_or_default();
        name.rsplit(':').next().unwrap_or_default()
    }
}

/// Reads up to the end of the next tag. Declarations are skipped like text: XMPP has no comments and no document types (RFC 6120
/// §11.1).
fn tag(stream: &mut impl Read, left: &mut usize) -> Result<Tag, String> {
    let mut next = || -> Result<u8, String> {
        *left = left.checked_sub(1).ok_or_else(|| format!("the server sent more than {LARGEST} bytes before TLS"))?;
        octet(stream)
    };
    loop {
        while next()? != b'<' {}
        let mut text = Vec::new();
        let mut quote = None;
        loop {
            let octet = next()?;
            match (quote, octet) {
                (None, b'>') => break,
                (None, b'"' | b'\'') => quote = Some(octet),
                (Some(mark), _) if mark == octet => quote = None,
                _ => {}
            }
            text.push(octet);
        }
        if matches!(text.first(), Some(b'?' | b'!')) {
            continue;
        }
        let text = String::from_utf8_lossy(&text);
        let (is_end, is_empty) = (text.starts_with('/'), text.ends_with('/'));
        return Ok(Tag { text: text.trim_matches('/').trim().to_owned(), is_end, is_empty });
    }
}

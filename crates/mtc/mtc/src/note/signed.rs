//! A signed note: a text, an empty line, and signatures.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use tagwise_codec::text::base64;

use crate::error::{Error, ErrorKind};

/// The maximum size of a parsed note, in bytes.
const MAX: usize = 1 << 20;
/// The maximum number of signatures in a parsed note.
const MAX_SIGNATURES: usize = 100;
/// The beginning of a signature line: an em dash and a space.
const DASH: &str = "\u{2014} ";

/// A note with its signatures (C2SP signed-note).
///
/// ```
/// use tagwise_mtc::note::Note;
/// let note = Note::parse("example.com/log\n0\n\n\u{2014} example.com/log AAAAAQI=\n")?;
/// assert_eq!(note.text(), "example.com/log\n0\n");
/// assert_eq!(note.signatures()[0].payload, [2]);
/// # Ok::<(), tagwise_mtc::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<NoteSignature>,
}

/// An unverified signature on a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    /// The name of the key that created the signature.
    pub name: String,
    /// The key ID: four bytes of a hash, which need not be unique.
    pub key_id: [u8; 4],
    /// The signature bytes. In a cosignature, the payload starts with an eight-byte timestamp.
    pub payload: Vec<u8>,
}

impl Note {
    /// Creates a note without signatures. The text must end with a line feed, and must not contain other control characters.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Note`] if the text is invalid.
    pub fn new(text: &str) -> Result<Self, Error> {
        check(text)?;
        Ok(Self { text: text.to_string(), signatures: Vec::new() })
    }

    /// Parses a note.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Note`] or [`ErrorKind::NoteSignature`] if the text or a signature line is malformed, or
    /// [`ErrorKind::TooLong`] if the note exceeds its limits.
    pub fn parse(note: &str) -> Result<Self, Error> {
        if note.len() > MAX {
            return Err(Error::new(ErrorKind::TooLong, MAX));
        }
        // The last empty line, because the text may contain others.
        let split = note.rfind("\n\n").ok_or(Error::new(ErrorKind::Note, note.len()))?;
        let text_len = split.saturating_add(1);
        let text = note.get(..text_len).unwrap_or_default();
        check(text)?;
        let mut at = text_len.saturating_add(1);
        let mut signatures = Vec::new();
        let mut rest = note.get(at..).unwrap_or_default();
        while !rest.is_empty() {
            let fail = Error::new(ErrorKind::NoteSignature, at);
            let (line, after) = rest.split_once('\n').ok_or(fail)?;
            if signatures.len() >= MAX_SIGNATURES {
                return Err(Error::new(ErrorKind::TooLong, at));
            }
            signatures.push(NoteSignature::parse_line(line).ok_or(fail)?);
            at = at.saturating_add(line.len()).saturating_add(1);
            rest = after;
        }
        if signatures.is_empty() {
            return Err(Error::new(ErrorKind::NoteSignature, at));
        }
        Ok(Self { text: text.to_string(), signatures })
    }

    /// Returns the signed text, including its final line feed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the signatures in order.
    #[must_use]
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// Adds a signature, replacing any by the same key.
    pub fn add(&mut self, signature: NoteSignature) {
        self.signatures.retain(|one| (&one.name, one.key_id) != (&signature.name, signature.key_id));
        self.signatures.push(signature);
    }
}

impl core::fmt::Display for Note {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|signature| writeln!(f, "{signature}"))
    }
}

impl NoteSignature {
    /// Parses one line, without its line feed.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NoteSignature`] if the line is malformed.
    pub fn parse(line: &str) -> Result<Self, Error> {
        Self::parse_line(line).ok_or(Error::new(ErrorKind::NoteSignature, 0))
    }

    fn parse_line(line: &str) -> Option<Self> {
        let (name, encoded) = line.strip_prefix(DASH)?.split_once(' ')?;
        if !is_name(name) {
            return None;
        }
        let bytes = base64::decode(encoded.as_bytes()).ok()?;
        let (key_id, payload) = bytes.split_first_chunk::<4>()?;
        // The base64 must be canonical, including the padding, so that a note has only one form.
        (!payload.is_empty() && base64::encode(&bytes) == encoded).then(|| Self {
            name: name.to_string(),
            key_id: *key_id,
            payload: payload.to_vec(),
        })
    }

    /// Splits a cosignature's payload into its time and signature.
    #[must_use]
    pub fn timed(&self) -> Option<(u64, &[u8])> {
        let (time, signature) = self.payload.split_first_chunk::<8>()?;
        Some((u64::from_be_bytes(*time), signature))
    }
}

impl core::fmt::Display for NoteSignature {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let bytes = [self.key_id.as_slice(), &self.payload].concat();
        write!(f, "{DASH}{} {}", self.name, base64::encode(&bytes))
    }
}

/// Returns whether a name is valid: it must not contain spaces or plus signs (C2SP signed-note).
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|sign: char| sign.is_whitespace() || sign == '+' || sign.is_control())
}

fn check(text: &str) -> Result<(), Error> {
    if text.len() > MAX {
        return Err(Error::new(ErrorKind::TooLong, MAX));
    }
    // C2SP: no ASCII control characters (below U+0020) except line feeds.
    let control = text.bytes().position(|byte| byte < 0x20 && byte != b'\n');
    match control {
        Some(at) => Err(Error::new(ErrorKind::Note, at)),
        None if !text.ends_with('\n') => Err(Error::new(ErrorKind::Note, text.len())),
        None => Ok(()),
    }
}

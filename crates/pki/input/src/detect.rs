//! Detects containers by their bytes, ignoring file names.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memmem, memrchr};
use tagwise_codec::text;

use crate::kind::{is_signed_data, security_object};
use crate::{ct_entry, mtc_entry, tar_header};

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InputForm {
    /// DER: one or more values.
    Der,
    /// A PKCS #7 or CMS signed-data bundle in BER.
    Pkcs7,
    /// PEM.
    Pem,
    /// NSS's certdata.txt.
    Certdata,
    /// CSV with a certificate column.
    Csv,
    /// A zip archive.
    Zip,
    /// A gzip file.
    Gzip,
    /// A tar archive.
    Tar,
    /// A zstd file.
    Zstd,
    /// Entries of a CT log: the answer to `get-entries` (RFC 6962 §4.6).
    CtEntries,
    /// A data tile of a static CT log (static-ct-api).
    CtTile,
    /// An entry bundle of a Merkle Tree Certificate log (C2SP tlog-tiles).
    MtcEntries,
    /// Hexadecimal digits.
    Hex,
    /// Base64.
    Base64,
    /// Certificates in CBOR (C509).
    Cbor,
    /// A Java keystore (JKS or JCEKS).
    Keystore,
    /// The certificates that a TLS server presented.
    Tls,
    /// Other text that may contain base64 values: Kubernetes manifests, LDIF, JSON, XML.
    Text,
    /// A format that does not contain certificates.
    Unknown,
}

impl InputForm {
    /// Returns whether an input in this format contains other inputs, so that its values cannot be replaced.
    pub(crate) const fn is_container(self) -> bool {
        self.is_unpacked() || matches!(self, Self::Keystore | Self::Cbor)
    }

    /// Returns whether an input in this format is unpacked to its parts.
    pub(crate) const fn is_unpacked(self) -> bool {
        matches!(
            self,
            Self::Csv
                | Self::Certdata
                | Self::Zip
                | Self::Gzip
                | Self::Tar
                | Self::Zstd
                | Self::CtEntries
                | Self::CtTile
                | Self::MtcEntries
                | Self::Text
        )
    }

    /// Returns the name of the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Der => "DER",
            Self::Pkcs7 => "PKCS #7",
            Self::Pem => "PEM",
            Self::Certdata => "certdata.txt",
            Self::Csv => "CSV",
            Self::Zip => "zip",
            Self::Gzip => "gzip",
            Self::Tar => "tar",
            Self::Zstd => "zstd",
            Self::CtEntries => "CT entries",
            Self::CtTile => "CT tile",
            Self::MtcEntries => "MTC entries",
            Self::Hex => "hexadecimal",
            Self::Base64 => "base64",
            Self::Cbor => "CBOR",
            Self::Keystore => "Java keystore",
            Self::Tls => "TLS",
            Self::Text => "text",
            Self::Unknown => "unknown",
        }
    }
}

/// The start of a boundary line's text (RFC 7468), or of a line that is leniently accepted as one.
const BEGIN: &[u8] = b"BEGIN ";

/// Detects the format of an input, and returns the bytes to read, with UTF-16 text converted to UTF-8.
pub(crate) fn detect(octets: Cow<'_, [u8]>) -> (InputForm, Cow<'_, [u8]>) {
    match text::from_utf16(&octets).map(String::into_bytes) {
        Some(text) => match form_of(&text) {
            // Anything may begin like UTF-16.
            InputForm::Unknown => (form_of(&octets), octets),
            InputForm::Text if text.contains(&b'\0') => (form_of(&octets), octets),
            form => (form, Cow::Owned(text)),
        },
        None => match form_of(&octets) {
            // A hex dump comes back as its digits.
            InputForm::Hex => match text::recognise(&octets).1 {
                Cow::Owned(digits) => (InputForm::Hex, Cow::Owned(digits)),
                Cow::Borrowed(_) => (InputForm::Hex, octets),
            },
            form => (form, octets),
        },
    }
}

/// Returns whether bytes are text: UTF-8 or Latin-1 without control characters, or UTF-16.
pub(crate) fn is_text(octets: &[u8]) -> bool {
    let is_plain =
        |octet: &u8| *octet >= b' ' && !matches!(octet, 0x7F | 0xFE | 0xFF) || matches!(octet, b'\t'..=b'\r' | 0x1B);
    match text::from_utf16(octets) {
        Some(text) => !text.is_empty() && text.chars().all(|char| !char.is_control() || char.is_whitespace()),
        None => !octets.is_empty() && octets.iter().all(is_plain),
    }
}

fn form_of(octets: &[u8]) -> InputForm {
    match octets {
        // A local header, or the end of an archive without members.
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => return InputForm::Zip,
        [0x1F, 0x8B, ..] => return InputForm::Gzip,
        // A frame, or a skippable frame (RFC 8878 §3.1.2).
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => return InputForm::Zstd,
        // A length, no extensions, and a known type.
        [_, _, 0, 0, 0, 0 | 1, ..] if mtc_entry::is_bundle(octets) => return InputForm::MtcEntries,
        // A time in milliseconds since 1970, until the year 10889.
        [0, 0, ..] if ct_entry::is_tile(octets) => return InputForm::CtTile,
        _ if crate::keystore::is_java(octets) => return InputForm::Keystore,
        // EF.SOD of a passport: signed data under [APPLICATION 23] (ICAO Doc 9303-10 §4.6.2).
        [0x77, 0x80..=0xFE, ..] if security_object(octets).is_some() => return InputForm::Der,
        // Text has no such octet: 30 is a digit, 80 and above no ASCII.
        [0x30, 0x80..=0xFE, ..] => return if is_signed_data(octets) { InputForm::Pkcs7 } else { InputForm::Der },
        // A member's name, which may begin with a digit.
        _ if tar_header::is_tar(octets) => return InputForm::Tar,
        _ => {}
    }
    // NUL is in no text; most other binary files have one early.
    let is_text = memchr(0, octets.get(..octets.len().min(4096)).unwrap_or_default()).is_none();
    if is_text {
        if ct_entry::is_entries(octets) {
            return InputForm::CtEntries;
        }
        if let Some(form) = text_form(octets) {
            return form;
        }
        // Words with tabs between them would pass for base64.
        if has_columns(octets, b"\t") {
            return InputForm::Csv;
        }
    }
    match text::recognise(octets).0 {
        text::TextForm::Pem => InputForm::Pem,
        text::TextForm::Hex => InputForm::Hex,
        text::TextForm::Base64 => InputForm::Base64,
        text::TextForm::Der if is_signed_data(octets) => InputForm::Pkcs7,
        // Other elements are what binary files of any kind seem to begin with.
        text::TextForm::Der if octets.first() == Some(&0x30) => InputForm::Der,
        _ if is_text && has_columns(octets, b",;") => InputForm::Csv,
        _ if self::is_text(octets) => InputForm::Text,
        _ => InputForm::Unknown,
    }
}

fn text_form(octets: &[u8]) -> Option<InputForm> {
    if memmem::find(octets, b"BEGINDATA").is_some() && memmem::find(octets, b"CKA_CLASS").is_some() {
        return Some(InputForm::Certdata);
    }
    let dashes = memmem::find_iter(octets, BEGIN)
        .find(|at| at.checked_sub(1).and_then(|before| octets.get(before)).is_some_and(|octet| *octet == b'-'))?;
    // A string of JSON or YAML has its line breaks escaped.
    let after = octets.get(dashes..)?;
    let after = after.get(..memchr(b'\n', after).unwrap_or(after.len()))?;
    if memmem::find(after, b"-----\\n").or_else(|| memmem::find(after, b"-----\\r\\n")).is_some() {
        return Some(InputForm::Text);
    }
    // What stands before the boundary in its line: nothing in PEM, a quotation mark in CSV.
    let before = octets.get(..dashes)?;
    let line = memrchr(b'\n', before).map_or(0, |end| end + 1);
    let lead = before.get(line..)?;
    if memchr2(b'"', b',', lead).is_some() { Some(InputForm::Csv) } else { Some(InputForm::Pem) }
}

/// Returns whether the first line contains a delimiter.
fn has_columns(octets: &[u8], delimiters: &[u8]) -> bool {
    let line = memchr2(b'\r', b'\n', octets).and_then(|end| octets.get(..end)).unwrap_or_default();
    line.iter().any(|octet| delimiters.contains(octet))
}

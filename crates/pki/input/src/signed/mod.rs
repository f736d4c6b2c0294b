//! Files with CMS signatures inside: PE images (Authenticode) and PDF documents. Locates the signatures and the bytes that they
//! cover; nothing is verified here.

pub mod digests;
mod pdf;
mod pe;

use std::ops::Range;

/// A kind of signed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignedKind {
    /// A program or library of Windows (Portable Executable), signed with Authenticode.
    Pe,
    /// A PDF document (ISO 32000-2 §12.8).
    Pdf,
}

impl SignedKind {
    /// The name: `pe`, `pdf`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pe => "pe",
            Self::Pdf => "pdf",
        }
    }
}

/// A signature in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The name of the signature: `signature 1`.
    pub name: String,
    /// The message in DER or BER, possibly with zero bytes after it.
    pub message: Vec<u8>,
    /// The ranges of the file that the signature covers, in order.
    pub covered: Vec<Range<usize>>,
    /// The format that the file states, such as `ETSI.CAdES.detached`.
    pub format: Option<String>,
    /// The reason why the covered bytes are not those of a proper signature.
    pub fault: Option<String>,
    /// The reason why it is not known to be a signature of the file, such as an unknown format.
    pub doubt: Option<String>,
    /// The number of bytes after the covered ones, apart from white space: later changes of the file.
    pub after: usize,
}

/// A signed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedFile {
    /// The kind of file.
    pub kind: SignedKind,
    /// The signatures, in the order of the file.
    pub signatures: Vec<Signature>,
}

/// The maximum number of signatures in a file.
const SIGNATURES: usize = 256;

impl SignedFile {
    /// Locates the signatures. Returns `None` for other files.
    ///
    /// ```
    /// use tagwise_input::signed::SignedFile;
    /// assert!(SignedFile::read(b"\x30\x00").is_none());
    /// assert!(SignedFile::read(b"%PDF-1.7\n").unwrap().unwrap().signatures.is_empty());
    /// ```
    ///
    /// # Errors
    /// Returns a description of the problem if the file is malformed.
    #[must_use]
    pub fn read(file: &[u8]) -> Option<Result<Self, String>> {
        let (kind, signatures) = if pe::is_pe(file) {
            (SignedKind::Pe, pe::signatures(file))
        } else if pdf::is_pdf(file) {
            (SignedKind::Pdf, pdf::signatures(file))
        } else {
            return None;
        };
        Some(signatures.map(|signatures| Self { kind, signatures }))
    }
}

/// The ranges of a PE image that Authenticode covers: everything but the checksum, the entry of the certificate table and the
/// table. Also computed for unsigned images, whose digests are in catalogs. Returns `None` for other files.
///
/// # Errors
/// Returns a description of the problem if the image is malformed.
#[must_use]
pub fn image_ranges(file: &[u8]) -> Option<Result<Vec<Range<usize>>, String>> {
    pe::is_pe(file).then(|| pe::covered(file))
}

/// Joins ranges of a file.
#[must_use]
pub fn joined(file: &[u8], ranges: &[Range<usize>]) -> Vec<u8> {
    ranges.iter().filter_map(|range| file.get(range.clone())).flatten().copied().collect()
}

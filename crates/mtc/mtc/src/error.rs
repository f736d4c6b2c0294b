//! Decoding and encoding errors, with their position and the violated clause.

use core::fmt;

use tagwise_codec::{Fault, FaultKind};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $text:literal, $clause:literal;)*) => {
        /// The kind of error. Each has a stable code and a clause.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            /// A DER error.
            Der(FaultKind),
            $($(#[$doc])* $name,)*
        }

        impl ErrorKind {
            /// Returns the error's stable code, such as `truncated`.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    Self::Der(kind) => kind.code(),
                    $(Self::$name => $code,)*
                }
            }

            /// Returns the violated clause. `MTC` means draft-ietf-plants-merkle-tree-certs-07, and `TAI` means
            /// draft-ietf-tls-trust-anchor-ids-06.
            #[must_use]
            pub const fn clause(self) -> &'static str {
                match self {
                    Self::Der(kind) => kind.clause(),
                    $(Self::$name => $clause,)*
                }
            }

            /// Returns the error message, a sentence without a full stop.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    Self::Der(kind) => kind.text(),
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

kinds! {
    /// A structure is shorter than its length field.
    Truncated = "truncated", "the structure is shorter than its length", "RFC 8446 §3.4";
    /// Data follows the end of a structure.
    Trailing = "trailing", "trailing data after the structure", "RFC 8446 §3.4";
    /// A value is too long for its length field.
    TooLong = "too-long", "the content is too long for its length field", "RFC 8446 §3.4";
    /// A vector is shorter than its minimum length.
    TooShort = "too-short", "the vector has fewer bytes than its definition allows", "RFC 8446 §3.4";
    /// A trust anchor ID is empty, or longer than 32 bytes.
    IdLength = "id-length", "a trust anchor ID must have 1 to 32 bytes", "TAI §4";
    /// A component of a trust anchor ID is padded or unterminated.
    IdComponent = "id-component", "a component of the trust anchor ID is padded or truncated", "TAI §4";
    /// The text is not a trust anchor ID.
    IdText = "id-text", "expected numbers separated by dots, without leading zeros", "TAI §4";
    /// The name is not an OID under the private enterprise arc.
    IdName = "id-name", "expected oid/1.3.6.1.4.1. and a trust anchor ID", "MTC §5.1";
    /// The distinguished name is not a trust anchor ID.
    IdDistinguishedName = "id-dn", "expected one RDN with one attribute, a trust anchor ID", "MTC §5.1";
    /// A pattern is malformed.
    Pattern = "pattern", "expected a minimum and a maximum for each component, with the minimum not above the maximum", "TAI §4.1";
    /// Properties are not in ascending order of type.
    PropertyOrder = "property-order", "certificate properties must ascend by type, without duplicates", "TAI §6";
    /// A property that must be empty is not.
    PropertyContent = "property-content", "the certificate property must be empty", "TAI §6";
    /// Extensions of an entry are not in ascending order of type.
    EntryExtensionOrder = "entry-extension-order", "extensions of a log entry must ascend by type, without duplicates", "MTC §5.2.1";
    /// An entry is longer than 65535 bytes.
    EntryLength = "entry-length", "a log entry must have at most 65535 bytes", "MTC §5.2.1";
    /// A null entry is not empty.
    NullEntryContent = "null-entry-content", "a null entry must not have content", "MTC §5.2.1";
    /// An entry's key hash has the wrong length.
    KeyHashLength = "key-hash-length", "subjectPublicKeyInfoHash must have 32 bytes", "MTC §5.2.1";
    /// The public key does not match the entry.
    KeyMismatch = "key-mismatch", "the public key does not match the entry", "MTC §5.2.1";
    /// The entry is not for a certificate.
    NotACertificate = "not-a-certificate", "the entry is not a tbs_cert_entry, so it has no certificate", "MTC §5.2.1";
    /// The range is not a valid subtree.
    Subtree = "subtree", "start and end do not form a subtree", "MTC §4.1";
    /// The inclusion proof is not a sequence of hashes.
    ProofLength = "proof-length", "the inclusion proof must be a sequence of 32-byte hashes", "MTC §6.2";
    /// Cosignatures are out of order or duplicated.
    CosignatureOrder = "cosignature-order", "cosignatures must be ordered by cosigner ID, shorter first, without duplicates", "MTC §6.2";
    /// A number is above 2⁴⁸-1.
    Uint48 = "uint48", "the number is above 2^48-1", "MTC §5.2";
    /// The serial number is negative or above 2⁶⁴-1.
    SerialRange = "serial-range", "the serial number must be between 0 and 2^64-1", "MTC §7.2";
    /// The serial number contains log number 0.
    LogNumber = "log-number", "log numbers must be 1 to 65535", "MTC §5.2";
    /// The certificate's signature algorithm is not `id-alg-mtcProof`.
    NotMtcProof = "not-mtc-proof", "the signature algorithm must be id-alg-mtcProof, without parameters", "MTC §6.2";
    /// Identifiers from different drafts are mixed.
    MixedDrafts = "mixed-drafts", "the issuer and the signature algorithm belong to different drafts", "MTC §6.2";
    /// The outer and inner signature algorithms differ.
    AlgorithmMismatch = "algorithm-mismatch", "signatureAlgorithm must be the same as tbsCertificate.signature", "RFC 5280 §4.1.1.2";
    /// A CA certificate does not contain the MTC extension.
    NoAuthorityExtension = "no-ca-extension", "a CA certificate must have the extension id-pe-mtcCertificationAuthority", "MTC §5.5";
    /// The MTC extension is not critical.
    NotCritical = "not-critical", "the extension must be critical", "MTC §5.5";
    /// A CA certificate lacks the CA flag or the key usage keyCertSign.
    NotAuthority = "not-a-ca", "a CA certificate must have keyCertSign and cA", "MTC §5.5";
    /// An extension is duplicated.
    DuplicateExtension = "duplicate-extension", "duplicate extension", "RFC 5280 §4.2";
    /// A critical extension is not supported.
    CriticalExtension = "critical-extension", "unknown critical extension", "RFC 5280 §4.2";
    /// The serial number bounds are out of range or reversed.
    SerialBounds = "serial-bounds", "minSerial and maxSerial must be ascending and within range", "MTC §5.5";
    /// The signature algorithm does not match the key.
    CosignerAlgorithm = "cosigner-algorithm", "sigAlg does not match the public key", "MTC §5.5";
    /// The log's hash is not SHA-256.
    LogHash = "log-hash", "the log's hash must be SHA-256", "MTC §5.5";
    /// A line of a landmark document is malformed.
    LandmarkLine = "landmark-line", "expected decimal numbers without leading zeros, one space between, and a line feed", "MTC §6.4.3";
    /// Landmarks are out of order.
    LandmarkOrder = "landmark-order", "tree sizes must descend strictly, and expiries must not ascend", "MTC §6.4.3";
    /// A landmark document has too many lines, or no expired landmark.
    LandmarkEnd = "landmark-end", "the document must end with an expired landmark and have at most one line per landmark", "MTC §6.4.3";
    /// A note is malformed.
    Note = "note", "expected lines of text, an empty line, and signature lines", "C2SP signed-note";
    /// A signature line is malformed.
    NoteSignature = "note-signature", "expected an em dash, a name, and base64 of at least five bytes", "C2SP signed-note";
    /// A verifier key is malformed.
    NoteKey = "note-key", "expected name+keyid+base64, the key ID of that key", "C2SP signed-note";
    /// A checkpoint is malformed.
    Checkpoint = "checkpoint", "expected origin, size and base64 root, a line each", "C2SP tlog-checkpoint";
    /// A tile's path is malformed.
    TilePath = "tile-path", "expected tile/<level or entries>/<groups of three digits>[.p/<width>]", "C2SP tlog-tiles";
    /// A tile has the wrong size.
    TileLength = "tile-length", "the tile's size does not match its width", "C2SP tlog-tiles";
    /// A request to a witness or mirror is malformed.
    Request = "request", "the request is malformed", "C2SP tlog-witness";
    /// A proof contains more hashes than any valid proof can.
    ProofHashes = "proof-hashes", "a proof must have at most 63 hashes", "C2SP tlog-witness";
}

/// A decoding or encoding error: its kind and byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    offset: usize,
}

impl Error {
    /// Creates an error at a byte offset.
    #[cold]
    #[must_use]
    pub const fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// Returns the kind of error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the byte offset in the input, or 0 for an encoding error.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Adds `base` to the offset, for an error in a part of a larger input.
    #[must_use]
    pub const fn rebase(self, base: usize) -> Self {
        Self { kind: self.kind, offset: self.offset.saturating_add(base) }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::new(ErrorKind::Der(fault.kind()), fault.offset())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {} ({})", self.kind.text(), self.offset, self.kind.clause())
    }
}

impl core::error::Error for Error {}

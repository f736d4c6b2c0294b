//! Log entries: the certified data in a CA's log.

use alloc::vec::Vec;

use tagwise_codec::{GeneralizedTime, Reader, Tag, UnixTime, UtcTime};

use crate::error::{Error, ErrorKind};
use crate::hash::{self, Hash};
use crate::id::put_header;
use crate::wire::{Wire, put_number, put_vector};

/// The maximum length of an entry in bytes, which an entry bundle stores as a 16-bit number.
const MAX: usize = 65_535;
const NULL: u16 = 0;
const TBS_CERT: u16 = 1;

/// A log entry (MTC §5.2.1).
///
/// ```text
/// struct {
///     MTCLogEntryExtension extensions<0..2^16-1>;
///     MTCLogEntryType type;
///     select (type) {
///        case null_entry: Empty;
///        case tbs_cert_entry: opaque tbs_cert_entry_data[N];
///     }
/// } MTCLogEntry;
/// ```
///
/// ```
/// use tagwise_mtc::{EntryContent, LogEntry};
/// let entry = LogEntry::decode(&[0, 0, 0, 0])?;
/// assert_eq!(entry.content, EntryContent::Null);
/// assert_eq!(entry.encode()?, [0, 0, 0, 0]);
/// # Ok::<(), tagwise_mtc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEntry<'a> {
    /// The entry's extensions. None are defined yet.
    pub extensions: EntryExtensions<'a>,
    /// The entry's content.
    pub content: EntryContent<'a>,
}

/// The content of a log entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryContent<'a> {
    /// A null entry, which does not belong to any certificate.
    Null,
    /// A certificate: the contents bytes of a TBSCertificateLogEntry. See [`TbsCertificateLogEntry::from_contents`].
    TbsCert(&'a [u8]),
    /// An entry of an unknown type. Cosigners must not sign a subtree that contains one.
    Unknown {
        /// The number of the entry type.
        kind: u16,
        /// The bytes of the entry after its type.
        data: &'a [u8],
    },
}

impl<'a> LogEntry<'a> {
    /// An entry without content or extensions.
    pub const NULL: LogEntry<'static> = LogEntry { extensions: EntryExtensions::NONE, content: EntryContent::Null };

    /// Creates a certificate entry without extensions.
    #[must_use]
    pub const fn certificate(contents: &'a [u8]) -> Self {
        Self { extensions: EntryExtensions::NONE, content: EntryContent::TbsCert(contents) }
    }

    /// Decodes an entry, but not its content.
    ///
    /// # Errors
    /// Returns an error if the entry is malformed: [`ErrorKind::EntryLength`], [`ErrorKind::NullEntryContent`],
    /// [`ErrorKind::EntryExtensionOrder`], or any error in a vector.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.len() > MAX {
            return Err(Error::new(ErrorKind::EntryLength, MAX));
        }
        let mut wire = Wire::new(bytes);
        let extensions = EntryExtensions::read(&mut wire)?;
        let kind = wire.u16()?;
        let content = match kind {
            NULL if !wire.is_empty() => return Err(wire.fail(ErrorKind::NullEntryContent)),
            NULL => EntryContent::Null,
            TBS_CERT => EntryContent::TbsCert(wire.rest()),
            _ => EntryContent::Unknown { kind, data: wire.rest() },
        };
        Ok(Self { extensions, content })
    }

    /// Encodes the entry.
    ///
    /// # Errors
    /// Returns [`ErrorKind::EntryLength`] if the entry is too long.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let (kind, data): (u16, &[u8]) = match self.content {
            EntryContent::Null => (NULL, &[]),
            EntryContent::TbsCert(contents) => (TBS_CERT, contents),
            EntryContent::Unknown { kind, data } => (kind, data),
        };
        let mut out = Vec::with_capacity(data.len().saturating_add(4));
        put_vector(&mut out, 2, self.extensions.as_bytes())?;
        put_number(&mut out, u64::from(kind), 2);
        out.extend_from_slice(data);
        if out.len() > MAX {
            return Err(Error::new(ErrorKind::EntryLength, MAX));
        }
        Ok(out)
    }

    /// Returns whether the type and all extensions are recognized, so that a cosigner may sign the entry.
    #[must_use]
    pub fn is_recognised(&self) -> bool {
        self.extensions.as_bytes().is_empty() && !matches!(self.content, EntryContent::Unknown { .. })
    }

    /// Computes the entry's leaf hash.
    ///
    /// # Errors
    /// Returns any error from [`encode`](Self::encode).
    pub fn leaf_hash(&self) -> Result<Hash, Error> {
        Ok(hash::leaf(&self.encode()?))
    }
}

/// The extensions of an entry, in ascending order of type.
///
/// ```text
/// struct { MTCLogEntryExtensionType extension_type; opaque extension_data<0..2^16-1>; } MTCLogEntryExtension;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryExtensions<'a>(&'a [u8]);

/// An extension of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryExtension<'a> {
    /// The number of the extension type.
    pub kind: u16,
    /// The extension's content.
    pub data: &'a [u8],
}

impl<'a> EntryExtensions<'a> {
    /// An empty list of extensions.
    pub const NONE: EntryExtensions<'static> = EntryExtensions(&[]);

    /// Decodes extensions from their bytes, without the length prefix.
    ///
    /// # Errors
    /// Returns [`ErrorKind::EntryExtensionOrder`] if the extensions are not in ascending order, [`ErrorKind::TooLong`] if they
    /// are too long, or any error in a vector.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.len() > MAX {
            return Err(Error::new(ErrorKind::TooLong, 0));
        }
        Self::check(Wire::new(bytes))
    }

    /// Reads a length-prefixed vector of extensions.
    pub(crate) fn read(wire: &mut Wire<'a>) -> Result<Self, Error> {
        Self::check(wire.vector(2, 0)?)
    }

    fn check(list: Wire<'a>) -> Result<Self, Error> {
        let mut rest = list.clone();
        let mut last = None;
        while !rest.is_empty() {
            let at = rest.fail(ErrorKind::EntryExtensionOrder);
            let kind = rest.u16()?;
            rest.vector(2, 0)?;
            if last.is_some_and(|last| kind <= last) {
                return Err(at);
            }
            last = Some(kind);
        }
        Ok(Self(list.rest()))
    }

    /// Returns the bytes without the length prefix.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Iterates over the extensions in order.
    pub fn iter(&self) -> impl Iterator<Item = EntryExtension<'a>> + use<'a> {
        let mut rest = Wire::new(self.0);
        core::iter::from_fn(move || {
            let kind = rest.u16().ok()?;
            let data = rest.vector(2, 0).ok()?;
            Some(EntryExtension { kind, data: data.rest() })
        })
    }
}

/// The fields of a certificate in a log entry (MTC §5.2.1), each as complete DER.
///
/// ```text
/// TBSCertificateLogEntry ::= SEQUENCE {
///     version               [0] EXPLICIT Version DEFAULT v1,
///     issuer                    Name,
///     validity                  Validity,
///     subject                   Name,
///     subjectPublicKeyAlgorithm AlgorithmIdentifier{PUBLIC-KEY,{PublicKeyAlgorithms}},
///     subjectPublicKeyInfoHash  OCTET STRING,
///     issuerUniqueID        [1] IMPLICIT UniqueIdentifier OPTIONAL,
///     subjectUniqueID       [2] IMPLICIT UniqueIdentifier OPTIONAL,
///     extensions            [3] EXPLICIT Extensions{{CertExtensions}} OPTIONAL
/// }
/// ```
///
/// An entry contains only the content bytes of the SEQUENCE, without its tag and length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TbsCertificateLogEntry<'a> {
    /// The version, `[0]`, or `None` for v1.
    pub version: Option<&'a [u8]>,
    /// The CA's name, which contains its ID.
    pub issuer: &'a [u8],
    /// The validity period.
    pub validity: &'a [u8],
    /// The subject's name.
    pub subject: &'a [u8],
    /// The algorithm of the subject's key, from its SubjectPublicKeyInfo.
    pub key_algorithm: &'a [u8],
    /// The hash of the SubjectPublicKeyInfo.
    pub key_hash: Hash,
    /// The remaining fields: unique identifiers and extensions.
    pub rest: &'a [u8],
}

impl<'a> TbsCertificateLogEntry<'a> {
    /// Parses the content bytes of an entry.
    ///
    /// # Errors
    /// Returns [`ErrorKind::KeyHashLength`] if the key hash has the wrong length, or any DER error.
    pub fn from_contents(contents: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(contents)?;
        let version = reader.at(Tag::context(0)).then(|| reader.skip()).transpose()?;
        let mut sequence = || -> Result<&'a [u8], Error> { sequence(&mut reader) };
        let (issuer, validity, subject, key_algorithm) = (sequence()?, sequence()?, sequence()?, sequence()?);
        let len = reader.expect(Tag::OCTET_STRING)?;
        let at = reader.offset();
        let key_hash = Hash::try_from(reader.take(len)?);
        let key_hash = key_hash.map_err(|_wrong_length| Error::new(ErrorKind::KeyHashLength, at))?;
        let rest = optional_fields(&mut reader)?;
        reader.finish()?;
        Ok(Self { version, issuer, validity, subject, key_algorithm, key_hash, rest })
    }

    /// Returns the validity period. Both ends are inclusive.
    ///
    /// # Errors
    /// Returns any DER error.
    pub fn validity(&self) -> Result<(UnixTime, UnixTime), Error> {
        read_validity(self.validity)
    }

    /// Encodes the content bytes of the entry.
    #[must_use]
    pub fn to_contents(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.subject.len().saturating_add(self.rest.len()).saturating_add(128));
        let fields = [self.version.unwrap_or_default(), self.issuer, self.validity, self.subject, self.key_algorithm];
        fields.iter().for_each(|field| out.extend_from_slice(field));
        put_header(&mut out, Tag::OCTET_STRING, self.key_hash.len());
        out.extend_from_slice(&self.key_hash);
        out.extend_from_slice(self.rest);
        out
    }
}

/// Reads a SEQUENCE, and returns its complete encoding.
pub(crate) fn sequence<'a>(reader: &mut Reader<'a, '_>) -> Result<&'a [u8], Error> {
    let start = reader.position();
    let len = reader.expect(Tag::SEQUENCE)?;
    reader.take(len)?;
    Ok(reader.since(start))
}

/// Reads `[1]`, `[2]` and `[3]` at the end of a TBSCertificate, each at most once and in order. Their contents are not
/// decoded.
pub(crate) fn optional_fields<'a>(reader: &mut Reader<'a, '_>) -> Result<&'a [u8], Error> {
    let start = reader.position();
    for number in 1..=3 {
        let tag = Tag::context(number);
        if reader.at(tag) {
            let len = reader.expect(if number == 3 { tag.constructed() } else { tag })?;
            reader.take(len)?;
        }
    }
    Ok(reader.since(start))
}

/// Reads `Validity ::= SEQUENCE { notBefore Time, notAfter Time }`.
pub(crate) fn read_validity(der: &[u8]) -> Result<(UnixTime, UnixTime), Error> {
    let mut reader = Reader::new(der)?;
    let len = reader.expect(Tag::SEQUENCE)?;
    let outer = reader.enter(len)?;
    let (from, to) = (read_time(&mut reader)?, read_time(&mut reader)?);
    reader.leave(outer)?;
    reader.finish()?;
    Ok((from, to))
}

fn read_time(reader: &mut Reader<'_, '_>) -> Result<UnixTime, Error> {
    if reader.at(Tag::UTC_TIME) {
        Ok(reader.read::<UtcTime>()?.unix())
    } else {
        Ok(reader.read::<GeneralizedTime<'_>>()?.unix())
    }
}

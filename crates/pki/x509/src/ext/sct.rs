//! Signed certificate timestamps (RFC 6962 §3.2, §3.3): a TLS structure in an OCTET STRING, read without copying.
//! Signatures are not verified here.

use core::fmt;

use tagwise_codec::text::hex::Hex;
use tagwise_codec::{CivilTime, Fault, OctetStr, Reader, UnixTime};
use tagwise_derive::Asn1;

use crate::profile;

/// ```asn1
/// SignedCertificateTimestampList ::= OCTET STRING
/// ```
///
/// A list of signed certificate timestamps (RFC 6962 §3.3), as a TLS structure:
///
/// ```text
/// opaque SerializedSCT<1..2^16-1>;
///
/// struct {
///     SerializedSCT sct_list <1..2^16-1>;
/// } SignedCertificateTimestampList;
/// ```
///
/// Decoding checks all lengths. [`profile::SCT_LIST`] tolerates wrong ones, which end the iteration.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::{Sct, SctList};
/// // A list of one timestamp of a version that is not known.
/// let list = SctList::from_der(&[0x04, 0x06, 0x00, 0x04, 0x00, 0x02, 0x09, 0xAB])?;
/// let all: Vec<Sct<'_>> = list.iter().collect();
/// assert_eq!(all, [Sct::Unknown { version: 9, bytes: &[0x09, 0xAB] }]);
/// // The list is said to be longer than it is.
/// let error = SctList::from_der(&[0x04, 0x06, 0x00, 0x05, 0x00, 0x02, 0x09, 0xAB]).unwrap_err();
/// assert_eq!((error.code(), error.offset()), ("sct-list", 2));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "SignedCertificateTimestampList", check = check_list, rules(profile::SCT_LIST))]
pub struct SctList<'a>(
    /// The TLS structure.
    pub OctetStr<'a>,
);

impl SctList<'_> {
    /// Encodes a list as the content of the OCTET STRING (RFC 6962 §3.3). Returns `None` if a part is too long.
    ///
    /// ```
    /// use tagwise_codec::OctetStr;
    /// use tagwise_x509::ext::{Sct, SctList, SctV1};
    /// let sct = SctV1 {
    ///     log_id: &[7; 32],
    ///     timestamp: 1_795_255_200_000,
    ///     extensions: &[],
    ///     hash_algorithm: 4,
    ///     signature_algorithm: 3,
    ///     signature: &[0x30, 0x00],
    /// };
    /// let bytes = SctList::bytes_of(&[Sct::V1(sct)]).unwrap();
    /// assert!(SctList(OctetStr::new(&bytes)).iter().eq([Sct::V1(sct)]));
    /// ```
    #[must_use]
    pub fn bytes_of(scts: &[Sct<'_>]) -> Option<Vec<u8>> {
        let mut list = Vec::new();
        for sct in scts {
            put(&mut list, &sct.to_bytes()?)?;
        }
        let mut bytes = Vec::new();
        put(&mut bytes, &list)?;
        Some(bytes)
    }
}

/// Appends a vector with its length in two bytes (RFC 8446 §3.4).
fn put(bytes: &mut Vec<u8>, vector: &[u8]) -> Option<()> {
    bytes.extend(u16::try_from(vector.len()).ok()?.to_be_bytes());
    bytes.extend(vector);
    Some(())
}

impl<'a> SctList<'a> {
    /// Iterates over the timestamps, up to the first malformed one. Malformed timestamps are possible only if the list was not
    /// checked, or if violations of [`profile::SCT_LIST`] were tolerated.
    #[must_use]
    pub fn iter(&self) -> Scts<'a> {
        let mut rest = Tls { octets: self.0.as_bytes() };
        let list = rest.vector().filter(|_| rest.octets.is_empty()).unwrap_or_default();
        Scts { rest: Tls { octets: list } }
    }
}

/// Iterator over the timestamps of an [`SctList`].
#[derive(Clone, Debug)]
pub struct Scts<'a> {
    rest: Tls<'a>,
}

impl<'a> Iterator for Scts<'a> {
    type Item = Sct<'a>;

    fn next(&mut self) -> Option<Sct<'a>> {
        let sct = self.rest.vector().and_then(Sct::read);
        if sct.is_none() {
            self.rest = Tls { octets: &[] };
        }
        sct
    }
}

/// A signed certificate timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sct<'a> {
    /// Version 1.
    V1(SctV1<'a>),
    /// An unknown version.
    Unknown {
        /// The version number.
        version: u8,
        /// The whole timestamp, including the version.
        bytes: &'a [u8],
    },
}

impl<'a> Sct<'a> {
    /// Encodes the structure (RFC 6962 §3.2). Returns `None` if the extensions or signature are too long.
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let sct = match self {
            Self::V1(sct) => sct,
            Self::Unknown { bytes, .. } => return Some(bytes.to_vec()),
        };
        let mut bytes = vec![0];
        bytes.extend(sct.log_id);
        bytes.extend(sct.timestamp.to_be_bytes());
        put(&mut bytes, sct.extensions)?;
        bytes.extend([sct.hash_algorithm, sct.signature_algorithm]);
        put(&mut bytes, sct.signature)?;
        Some(bytes)
    }

    fn read(bytes: &'a [u8]) -> Option<Self> {
        match bytes {
            [0, rest @ ..] => SctV1::read(rest).map(Self::V1),
            [version, ..] => Some(Self::Unknown { version: *version, bytes }),
            [] => None,
        }
    }
}

/// A version 1 timestamp:
///
/// ```text
/// struct {
///     Version sct_version;
///     LogID id;
///     uint64 timestamp;
///     CtExtensions extensions;
///     digitally-signed struct { … };
/// } SignedCertificateTimestamp;
/// ```
///
/// See RFC 6962 §3.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SctV1<'a> {
    /// The log ID: the SHA-256 hash of the log's public key.
    pub log_id: &'a [u8; 32],
    /// The time in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    pub timestamp: u64,
    /// The extensions, of which none are defined.
    pub extensions: &'a [u8],
    /// The hash algorithm (RFC 5246 §7.4.1.4.1): 4 is SHA-256.
    pub hash_algorithm: u8,
    /// The signature algorithm: 1 is RSA, 3 is ECDSA.
    pub signature_algorithm: u8,
    /// The signature.
    pub signature: &'a [u8],
}

impl<'a> SctV1<'a> {
    /// Decodes a timestamp without its version.
    fn read(octets: &'a [u8]) -> Option<Self> {
        let (log_id, octets) = octets.split_first_chunk::<32>()?;
        let (timestamp, octets) = octets.split_first_chunk::<8>()?;
        let mut rest = Tls { octets };
        let extensions = rest.vector()?;
        let (algorithms, octets) = rest.octets.split_first_chunk::<2>()?;
        let mut rest = Tls { octets };
        let signature = rest.vector()?;
        let [hash_algorithm, signature_algorithm] = *algorithms;
        let timestamp = u64::from_be_bytes(*timestamp);
        rest.octets.is_empty().then_some(Self {
            log_id,
            timestamp,
            extensions,
            hash_algorithm,
            signature_algorithm,
            signature,
        })
    }

    /// Returns the time of the timestamp in whole seconds, or `None` for years above 9999.
    ///
    /// ```
    /// use tagwise_x509::ext::SctV1;
    /// let sct = SctV1 {
    ///     log_id: &[0; 32],
    ///     timestamp: 1_795_255_200_123,
    ///     extensions: &[],
    ///     hash_algorithm: 4,
    ///     signature_algorithm: 3,
    ///     signature: &[],
    /// };
    /// assert_eq!(sct.time().unwrap().to_string(), "2026-11-21T10:00:00Z");
    /// assert_eq!(sct.algorithm_name(), Some("ecdsa-sha256"));
    /// ```
    #[must_use]
    pub fn time(&self) -> Option<CivilTime> {
        CivilTime::from_unix(UnixTime(i64::try_from(self.timestamp / 1000).ok()?)).ok()
    }

    /// Returns the name of the signature algorithm, if RFC 6962 §2.1.4 allows it.
    #[must_use]
    pub const fn algorithm_name(&self) -> Option<&'static str> {
        match (self.hash_algorithm, self.signature_algorithm) {
            (4, 1) => Some("rsa-sha256"),
            (4, 3) => Some("ecdsa-sha256"),
            _ => None,
        }
    }
}

/// Displays the timestamp, such as `ecdsa-sha256 of log 0A1B… at 2026-11-21T10:00:00Z + 123 ms`.
impl fmt::Display for SctV1<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.algorithm_name() {
            Some(name) => f.write_str(name)?,
            None => write!(f, "algorithm {}.{}", self.hash_algorithm, self.signature_algorithm)?,
        }
        write!(f, " of log {:X}", Hex(self.log_id))?;
        match self.time() {
            Some(time) => write!(f, " at {time} + {} ms", self.timestamp % 1000),
            None => write!(f, " at {} ms", self.timestamp),
        }
    }
}

/// A reader for data in TLS encoding (RFC 5246 §4).
#[derive(Clone, Copy, Debug, Default)]
struct Tls<'a> {
    octets: &'a [u8],
}

impl<'a> Tls<'a> {
    /// Reads an `opaque <0..2^16-1>`: a two-byte length and the bytes.
    fn vector(&mut self) -> Option<&'a [u8]> {
        let (len, rest) = self.octets.split_first_chunk::<2>()?;
        let (vector, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*len)))?;
        self.octets = rest;
        Some(vector)
    }
}

/// Returns the offset of the first error in a list.
fn fault(octets: &[u8]) -> Option<usize> {
    let mut rest = Tls { octets };
    let Some(list) = rest.vector().filter(|list| !list.is_empty()) else { return Some(0) };
    if !rest.octets.is_empty() {
        return Some(octets.len() - rest.octets.len());
    }
    let mut rest = Tls { octets: list };
    while !rest.octets.is_empty() {
        let at = octets.len() - rest.octets.len();
        if rest.vector().and_then(Sct::read).is_none() {
            return Some(at);
        }
    }
    None
}

fn check_list(list: &SctList<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    match fault(list.0.as_bytes()) {
        None => Ok(()),
        Some(offset) => reader.deviate_profile(&profile::SCT_LIST, at.saturating_add(offset)),
    }
}

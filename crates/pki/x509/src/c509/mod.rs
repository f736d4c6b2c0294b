//! C509 certificates in CBOR (draft-ietf-cose-cbor-encoded-cert): reading, and lossless conversion from and to X.509.
//!
//! A type 3 certificate is a compressed X.509 certificate. Its signature covers the DER, so conversion restores the
//! exact DER or fails. A type 2 certificate is signed in its CBOR form. Its fields can be displayed in X.509 form, but
//! not as an X.509 certificate with a valid signature.
//!
//! RFC 3779 and RFC 8360 addresses (registry values 32 and 34) are written as identifiers and bytes. Their compact form is
//! not supported, because versions of the draft define it differently.
//!
//! ```
//! use tagwise_x509::c509::{C509Certificate, C509Kind};
//! // §A.1.1 of the draft.
//! let octets = b"\x03\x43\x01\xF5\x0D\x00\x6BRFC test CA\x1A\x63\xB0\xCD\x00\x1A\x69\x55\xB9\x00\
//!     \xD8\x30\x46\x01\x23\x45\x67\x89\xAB\x01\x58\x21\xFE\xB1\x21\x6A\xB9\x6E\x5B\x3B\x33\x40\xF5\xBD\xF0\
//!     \x2E\x69\x3F\x16\x21\x3A\x04\x52\x5E\xD4\x44\x50\xB1\x01\x9C\x2D\xFD\x38\x38\xAB\x01\x58\x40\xD4\x32\
//!     \x0B\x1D\x68\x49\xE3\x09\x21\x9D\x30\x03\x7E\x13\x81\x66\xF2\x50\x82\x47\xDD\xDA\xE7\x6C\xCE\xEA\x55\
//!     \x05\x3C\x10\x8E\x90\xD5\x51\xF6\xD6\x01\x06\xF1\xAB\xB4\x84\xCF\xBE\x62\x56\xC1\x78\xE4\xAC\x33\x14\
//!     \xEA\x19\x19\x1E\x8B\x60\x7D\xA5\xAE\x3B\xDA\x16";
//! let certificate = C509Certificate::read(octets)?;
//! assert_eq!(certificate.kind(), C509Kind::ReEncoded);
//! let der = certificate.to_x509()?;
//! assert_eq!(der.len(), 316);
//! assert_eq!(tagwise_x509::c509::from_x509(&der)?, octets);
//! # Ok::<(), tagwise_x509::c509::Error>(())
//! ```

mod der;
mod error;
mod extension;
mod item;
mod key;
mod name;
mod point;
mod registry;
mod resources;
#[cfg(test)]
mod tests;

pub use self::error::Error;

use tagwise_codec::{Any, CivilTime, Decode, GeneralizedTime, UnixTime, UtcTime};

use self::der::{children, element, magnitude, sequence, unsigned};
use self::error::{field, unsupported};
use self::extension::Context;
use self::item::CborItem;
use crate::cert::Certificate;

/// The encoding that is signed (§9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum C509Kind {
    /// Type 2: the CBOR is signed.
    Native,
    /// Type 3: the DER of an X.509 certificate is signed.
    ReEncoded,
}

/// A decoded C509 certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct C509Certificate {
    kind: C509Kind,
    octets: Vec<u8>,
    signed: usize,
    x509: Vec<u8>,
}

impl C509Certificate {
    /// Decodes a certificate: `~C509Certificate` (a CBOR sequence), `C509Certificate` (an array, §3.1), or the byte
    /// string used in COSE (`C509CertData`, §3.4).
    ///
    /// # Errors
    /// Returns an error if the certificate violates the draft.
    pub fn read(octets: &[u8]) -> Result<Self, Error> {
        let mut items = item::read(octets)?;
        items = match items.as_slice() {
            [CborItem::Array(inner)] => inner.clone(),
            [CborItem::Bytes(inner)] => item::read(inner)?,
            _ => items,
        };
        let [ty, serial, algorithm, issuer, not_before, not_after, subject, key_algorithm, key, extensions, signature] =
            items.as_slice()
        else {
            return Err(field("number of items", "§3.1"));
        };
        let kind = match ty.as_int() {
            Some(2) => C509Kind::Native,
            Some(3) => C509Kind::ReEncoded,
            _ => return Err(field("certificate type", "§3.1.1, §9.1")),
        };
        let native = kind == C509Kind::Native;
        let serial =
            serial.as_bytes().filter(|octets| octets.first() != Some(&0)).ok_or(field("serial number", "§3.1.2"))?;
        let start = not_before.as_u64().ok_or(field("start of the validity period", "§3.1.5"))?;
        let end = match not_after {
            CborItem::Null => None,
            item => Some(item.as_u64().ok_or(field("end of the validity period", "§3.1.5"))?),
        };
        let subject = name::decode(subject, native)?;
        let issuer = match issuer {
            CborItem::Null => subject.clone(),
            item => {
                let issuer = name::decode(item, native)?;
                if issuer == subject {
                    return Err(field("an issuer equal to the subject", "§3.1.4"));
                }
                issuer
            }
        };
        let algorithm_der = key::decode_signature_algorithm(algorithm)?;
        let context = Context { not_before: start, native };
        let mut tbs = vec![
            vec![0xA0, 3, 2, 1, 2],
            unsigned(serial),
            algorithm_der.clone(),
            issuer,
            sequence(&[time(start)?, end.map_or_else(|| Ok(forever()), time)?]),
            subject,
            key::decode_key(key_algorithm, key)?,
        ];
        tbs.extend(extension::decode(extensions, context)?);
        let x509 = sequence(&[sequence(&tbs), algorithm_der, key::decode_signature(algorithm, signature)?]);
        let whole = item::write(&items);
        let signed = items.get(..10).map_or(0, |items| item::write(items).len());
        Ok(Self { kind, octets: whole, signed, x509 })
    }

    /// Decodes one certificate, or an array of several in `COSE_C509` (§3.4).
    ///
    /// # Errors
    /// Returns an error if a certificate violates the draft.
    pub fn read_all(octets: &[u8]) -> Result<Vec<Self>, Error> {
        let items = item::read(octets)?;
        match items.as_slice() {
            [CborItem::Array(several)] if several.len() > 1 && several.iter().all(|one| one.as_bytes().is_some()) => {
                several.iter().filter_map(CborItem::as_bytes).map(Self::read).collect()
            }
            _ => Self::read(octets).map(|one| vec![one]),
        }
    }

    /// Returns the encoding that is signed.
    #[must_use]
    pub const fn kind(&self) -> C509Kind {
        self.kind
    }

    /// Returns the certificate as a CBOR sequence.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.octets
    }

    /// Returns the bytes covered by a native certificate's signature (§3.1.12): all items but the last.
    #[must_use]
    pub fn signed_part(&self) -> &[u8] {
        self.octets.get(..self.signed).unwrap_or_default()
    }

    /// Restores the original X.509 certificate.
    ///
    /// # Errors
    /// Returns [`Error::Native`] for a native certificate, and [`Error::Der`] if the resulting DER is not a certificate.
    pub fn to_x509(&self) -> Result<Vec<u8>, Error> {
        if self.kind == C509Kind::Native {
            return Err(Error::Native);
        }
        Certificate::outline(&self.x509).map_err(Error::Der)?;
        Ok(self.x509.clone())
    }

    /// Returns the fields in the form of an X.509 certificate. A native certificate's signature does not cover this form, so
    /// use it only for display.
    #[must_use]
    pub fn fields(&self) -> &[u8] {
        &self.x509
    }
}

/// Compresses an X.509 certificate to a `~C509Certificate` of type 3. The result always restores the same bytes.
///
/// # Errors
/// Returns [`Error::Der`] if the input is not DER, and [`Error::Unsupported`] or [`Error::Field`] if C509 cannot represent
/// it.
pub fn from_x509(der: &[u8]) -> Result<Vec<u8>, Error> {
    Certificate::outline(der).map_err(Error::Der)?;
    let bad = || field("certificate", "§3.1");
    let outer = Any::from_der(der).map_err(Error::Der)?;
    let parts = children(&outer).ok_or_else(bad)?;
    let [tbs, outer_algorithm, signature] = parts.as_slice() else { return Err(bad()) };
    let tbs = children(tbs).ok_or_else(bad)?;
    let (first, rest) = tbs.split_first().ok_or_else(bad)?;
    if first.as_bytes() != [0xA0, 3, 2, 1, 2] {
        return Err(unsupported("a version other than 3", "§3.1.1"));
    }
    let [serial, algorithm, issuer, validity, subject, key, rest @ ..] = rest else { return Err(bad()) };
    let extensions = match rest {
        [] => None,
        [extensions] if extensions.tag().first_octet() == 0xA3 => Some(extensions),
        _ => return Err(unsupported("unique identifiers", "§3.1.8, §3.1.9")),
    };
    if algorithm.as_bytes() != outer_algorithm.as_bytes() {
        return Err(unsupported("two different signature algorithms", "§3.1.11"));
    }
    let serial = magnitude(serial).ok_or(unsupported("a negative serial number", "§3.1.2"))?;
    let times = children(validity).ok_or_else(bad)?;
    let [not_before, not_after] = times.as_slice() else { return Err(bad()) };
    let start = seconds(not_before)?.ok_or(unsupported("a validity period without a start", "§3.1.5"))?;
    let algorithm = key::encode_signature_algorithm(algorithm)?;
    let extensions = match extensions {
        None => CborItem::Array(Vec::new()),
        Some(outer) => {
            let list = children(outer).ok_or_else(bad)?;
            let [list] = list.as_slice() else { return Err(bad()) };
            extension::encode(list, Context { not_before: start, native: false })?
        }
    };
    let [key_algorithm, key] = key::encode_key(key)?;
    let items = [
        CborItem::Int(3),
        CborItem::bytes(serial),
        algorithm.clone(),
        if issuer.as_bytes() == subject.as_bytes() { CborItem::Null } else { name::encode(issuer)? },
        CborItem::Int(i128::from(start)),
        seconds(not_after)?.map_or(CborItem::Null, |end| CborItem::Int(i128::from(end))),
        name::encode(subject)?,
        key_algorithm,
        key,
        extensions,
        key::encode_signature(&algorithm, signature)?,
    ];
    let octets = item::write(&items);
    // Whatever was overlooked: what does not come back is not given.
    match C509Certificate::read(&octets).and_then(|read| read.to_x509()) {
        Ok(again) if again == der => Ok(octets),
        Ok(_) => Err(unsupported("a component in a non-canonical encoding", "§3.1")),
        Err(error) => Err(error),
    }
}

/// Encodes certificates for COSE (`COSE_C509`, §3.4): a single one as a byte string, several as an array.
#[must_use]
pub fn cose(certificates: &[Vec<u8>]) -> Vec<u8> {
    let items: Vec<CborItem> = certificates.iter().map(|certificate| CborItem::bytes(certificate)).collect();
    match items.as_slice() {
        [one] => item::write(std::slice::from_ref(one)),
        _ => item::write(&[CborItem::Array(items)]),
    }
}

/// Returns the encoded notAfter time of certificates without an expiration date (RFC 5280 §4.1.2.5).
fn forever() -> Vec<u8> {
    element(0x18, &[b"99991231235959Z"])
}

/// Converts an encoded time to Unix time in seconds. Returns `None` if it means that there is no expiration date.
fn seconds(time: &Any<'_>) -> Result<Option<u64>, Error> {
    let bad = || unsupported("a time that violates RFC 5280", "§3.1.5");
    if time.as_bytes() == forever() {
        return Ok(None);
    }
    let civil = match time.tag().first_octet() {
        0x17 => UtcTime::from_content(time.content()).map(|time| time.civil()),
        0x18 => GeneralizedTime::from_content(time.content()).map(|time| time.civil()),
        _ => return Err(bad()),
    };
    let Ok(civil) = civil else { return Err(bad()) };
    let Ok(seconds) = u64::try_from(civil.unix().0) else {
        return Err(unsupported("a time before 1970", "§3.1.5"));
    };
    Ok(Some(seconds))
}

/// Converts Unix time to an encoded time: UTCTime through 2049.
fn time(seconds: u64) -> Result<Vec<u8>, Error> {
    let bad = || field("validity", "§3.1.5");
    let civil =
        i64::try_from(seconds).ok().and_then(|unix| CivilTime::from_unix(UnixTime(unix)).ok()).ok_or_else(bad)?;
    let digits: String = civil.to_string().chars().filter(char::is_ascii_digit).collect();
    Ok(match civil.year() {
        ..2050 => element(0x17, &[digits.get(2..).ok_or_else(bad)?.as_bytes(), b"Z"]),
        _ => element(0x18, &[digits.as_bytes(), b"Z"]),
    })
}

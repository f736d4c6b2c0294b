//! CA certificates: the CA's identity, its key, and its serial number range.

use alloc::vec::Vec;

use tagwise_codec::{BitStr, CivilTime, GeneralizedTime, Int, Oid, Reader, Tag, UnixTime, UtcTime, encode};

use crate::algorithm::read_key;
use crate::draft::{self, Draft};
use crate::entry::{optional_fields, read_validity, sequence};
use crate::error::{Error, ErrorKind};
use crate::id::{algorithm, element};
use crate::{CosignerAlgorithm, RevokedRanges, Serial, TrustAnchorId};

/// A CA certificate (MTC §5.5), which identifies a CA. It may be unsigned, because trust depends on where it was obtained.
///
/// ```text
/// MTCCertificationAuthority ::= SEQUENCE {
///     sigAlg    AlgorithmIdentifier{SIGNATURE-ALGORITHM, {...}},
///     minSerial INTEGER (mtcMinSerial..mtcMaxSerial),
///     maxSerial INTEGER (mtcMinSerial..mtcMaxSerial) }
/// ```
///
/// In draft -05, the log's hash algorithm comes first, and the smallest serial number may be 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaCertificate<'a> {
    /// The CA's ID.
    pub id: TrustAnchorId,
    /// The draft that defines the certificate's identifiers.
    pub draft: Draft,
    /// The public key of the CA's cosigner, as a DER SubjectPublicKeyInfo.
    pub key_info: &'a [u8],
    /// The algorithm of the CA's cosigner.
    pub algorithm: CosignerAlgorithm,
    /// The smallest serial number of the CA's certificates.
    pub min_serial: Serial,
    /// The largest serial number of the CA's certificates.
    pub max_serial: Serial,
    /// The validity period. Both ends are inclusive.
    pub validity: (UnixTime, UnixTime),
}

impl<'a> CaCertificate<'a> {
    /// Decodes a CA certificate. Its signature, if any, is not verified.
    ///
    /// # Errors
    /// Returns an error if the certificate is malformed or is not a CA certificate: [`ErrorKind::NoAuthorityExtension`],
    /// [`ErrorKind::NotCritical`], [`ErrorKind::NotAuthority`], [`ErrorKind::SerialBounds`], [`ErrorKind::CosignerAlgorithm`],
    /// [`ErrorKind::MixedDrafts`], [`ErrorKind::LogHash`], [`ErrorKind::DuplicateExtension`],
    /// [`ErrorKind::CriticalExtension`], any error in a name, or any DER error.
    pub fn from_der(der: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(der)?;
        let len = reader.expect(Tag::SEQUENCE)?;
        let whole = reader.enter(len)?;
        let len = reader.expect(Tag::SEQUENCE)?;
        let tbs = reader.enter(len)?;
        if reader.at(Tag::context(0)) {
            reader.skip()?;
        }
        let _: Int<'_> = reader.read()?;
        sequence(&mut reader)?;
        sequence(&mut reader)?;
        let validity = read_validity(sequence(&mut reader)?)?;
        let at = reader.offset();
        let subject = sequence(&mut reader)?;
        let (id, draft) = TrustAnchorId::from_distinguished_name(subject).map_err(|error| error.rebase(at))?;
        let start = reader.position();
        read_key(&mut reader)?;
        let key_info = reader.since(start);
        let rest_at = reader.offset();
        let rest = optional_fields(&mut reader)?;
        reader.leave(tbs)?;
        sequence(&mut reader)?;
        let _: BitStr<'_> = reader.read()?;
        reader.leave(whole)?;
        reader.finish()?;
        let found = Found::read(rest, draft).map_err(|error| error.rebase(rest_at))?;
        let (algorithm, min, max) = found.authority.ok_or(Error::new(ErrorKind::NoAuthorityExtension, rest_at))?;
        if !found.signs_certificates || !found.is_authority {
            return Err(Error::new(ErrorKind::NotAuthority, rest_at));
        }
        if CosignerAlgorithm::of_key(key_info)? != algorithm {
            return Err(Error::new(ErrorKind::CosignerAlgorithm, rest_at));
        }
        Ok(Self { id, draft, key_info, algorithm, min_serial: min, max_serial: max, validity })
    }

    /// Returns the serial numbers outside the CA's range.
    #[must_use]
    pub fn revoked(&self) -> RevokedRanges {
        RevokedRanges::outside(self.min_serial.number(), self.max_serial.number())
    }
}

/// The relevant information in a CA certificate's extensions.
#[derive(Default)]
struct Found {
    authority: Option<(CosignerAlgorithm, Serial, Serial)>,
    signs_certificates: bool,
    is_authority: bool,
}

impl Found {
    /// Reads `extensions [3] EXPLICIT SEQUENCE OF SEQUENCE { extnID, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING }`.
    fn read(rest: &[u8], draft: Draft) -> Result<Self, Error> {
        let mut out = Self::default();
        let mut reader = Reader::new(rest)?;
        while !reader.is_empty() && !reader.at(Tag::context(3)) {
            reader.skip()?;
        }
        if reader.is_empty() {
            return Ok(out);
        }
        let mut seen: Vec<Oid<'_>> = Vec::new();
        let len = reader.expect(Tag::context(3).constructed())?;
        let explicit = reader.enter(len)?;
        let len = reader.expect(Tag::SEQUENCE)?;
        let list = reader.enter(len)?;
        while !reader.is_empty() {
            let at = reader.offset();
            let len = reader.expect(Tag::SEQUENCE)?;
            let extension = reader.enter(len)?;
            let id: Oid<'_> = reader.read()?;
            let critical = reader.read_optional::<bool>()?.unwrap_or(false);
            let len = reader.expect(Tag::OCTET_STRING)?;
            let value = reader.enter(len)?;
            if seen.contains(&id) {
                return Err(Error::new(ErrorKind::DuplicateExtension, at));
            }
            seen.push(id);
            if id == draft.authority_extension() {
                if !critical {
                    return Err(Error::new(ErrorKind::NotCritical, at));
                }
                out.authority = Some(read_authority(&mut reader, draft)?);
            } else if Draft::ALL.into_iter().any(|other| other.authority_extension() == id) {
                return Err(Error::new(ErrorKind::MixedDrafts, at));
            } else if id == draft::KEY_USAGE {
                // keyCertSign (5)
                out.signs_certificates = reader.read::<BitStr<'_>>()?.bit(5) == Some(true);
            } else if id == draft::BASIC_CONSTRAINTS {
                let len = reader.expect(Tag::SEQUENCE)?;
                let constraints = reader.enter(len)?;
                out.is_authority = reader.read_optional::<bool>()?.unwrap_or(false);
                let _: Option<Int<'_>> = reader.read_optional()?;
                reader.leave(constraints)?;
            } else if critical {
                // RFC 5280 §4.2: such as name constraints, which are not enforced here.
                return Err(Error::new(ErrorKind::CriticalExtension, at));
            } else {
                reader.take(reader.remaining())?;
            }
            reader.leave(value)?;
            reader.leave(extension)?;
        }
        reader.leave(list)?;
        reader.leave(explicit)?;
        reader.finish()?;
        Ok(out)
    }
}

fn read_authority(reader: &mut Reader<'_, '_>, draft: Draft) -> Result<(CosignerAlgorithm, Serial, Serial), Error> {
    let len = reader.expect(Tag::SEQUENCE)?;
    let outer = reader.enter(len)?;
    if draft == Draft::V05 {
        let at = reader.offset();
        if sequence(reader)? != algorithm(draft::SHA256) {
            return Err(Error::new(ErrorKind::LogHash, at));
        }
    }
    let at = reader.offset();
    let found = CosignerAlgorithm::of_identifier(sequence(reader)?);
    let found = found.ok_or(Error::new(ErrorKind::CosignerAlgorithm, at))?;
    let at = reader.offset();
    let mut serial = || -> Result<Serial, Error> {
        let number: Int<'_> = reader.read()?;
        Serial::from_content(number.as_bytes()).map_err(|error| error.rebase(at))
    };
    let (min, max) = (serial()?, serial()?);
    reader.leave(outer)?;
    if min > max || (draft != Draft::V05 && min < Serial::MIN) {
        return Err(Error::new(ErrorKind::SerialBounds, at));
    }
    Ok((found, min, max))
}

/// A CA certificate to create. It is unsigned (RFC 9925), as the draft requires, because the key never signs
/// certificates.
#[derive(Clone, Copy, Debug)]
pub struct NewCaCertificate<'a> {
    /// The CA's ID.
    pub id: TrustAnchorId,
    /// The draft that defines the certificate's identifiers.
    pub draft: Draft,
    /// The public key of the CA's cosigner, as a DER SubjectPublicKeyInfo.
    pub key_info: &'a [u8],
    /// The smallest serial number of the CA's certificates.
    pub min_serial: Serial,
    /// The largest serial number of the CA's certificates.
    pub max_serial: Serial,
    /// The validity period. Both ends are inclusive.
    pub validity: (UnixTime, UnixTime),
}

impl NewCaCertificate<'_> {
    /// Encodes the certificate in DER.
    ///
    /// # Errors
    /// Returns [`ErrorKind::CosignerAlgorithm`] for unsupported keys, [`ErrorKind::SerialBounds`], or
    /// [`FaultKind::TimeYear`](tagwise_codec::FaultKind) for times that a certificate cannot represent.
    pub fn to_der(&self) -> Result<Vec<u8>, Error> {
        if self.min_serial > self.max_serial || self.min_serial < Serial::MIN {
            return Err(Error::new(ErrorKind::SerialBounds, 0));
        }
        let cosigner = CosignerAlgorithm::of_key(self.key_info)?;
        let unsigned = algorithm(draft::UNSIGNED);
        let issuer = {
            let mut attribute = element(Tag::OBJECT_IDENTIFIER, draft::UNSIGNED_ATTRIBUTE.as_bytes());
            attribute.extend_from_slice(&element(Tag::UTF8_STRING, &[]));
            element(Tag::SEQUENCE, &element(Tag::SET, &element(Tag::SEQUENCE, &attribute)))
        };
        let mut authority = Vec::new();
        if self.draft == Draft::V05 {
            authority.extend_from_slice(&algorithm(draft::SHA256));
        }
        authority.extend_from_slice(&cosigner.to_der());
        authority.extend_from_slice(&self.min_serial.to_der());
        authority.extend_from_slice(&self.max_serial.to_der());
        let authority = element(Tag::SEQUENCE, &authority);
        let extensions = [
            // BIT STRING { keyCertSign }
            extension(draft::KEY_USAGE, &[0x03, 0x02, 0x02, 0x04]),
            // SEQUENCE { BOOLEAN TRUE }
            extension(draft::BASIC_CONSTRAINTS, &[0x30, 0x03, 0x01, 0x01, 0xFF]),
            extension(self.draft.authority_extension(), &authority),
        ];
        let extensions = element(Tag::SEQUENCE, &extensions.concat());
        let validity = [time(self.validity.0)?, time(self.validity.1)?].concat();
        let tbs = [
            // version [0] { INTEGER 2 }, serialNumber INTEGER 1
            &[0xA0, 0x03, 0x02, 0x01, 0x02, 0x02, 0x01, 0x01],
            unsigned.as_slice(),
            &issuer,
            &element(Tag::SEQUENCE, &validity),
            &self.id.to_distinguished_name(self.draft),
            self.key_info,
            &element(Tag::context(3).constructed(), &extensions),
        ];
        let mut whole = element(Tag::SEQUENCE, &tbs.concat());
        whole.extend_from_slice(&unsigned);
        whole.extend_from_slice(&element(Tag::BIT_STRING, &[0]));
        Ok(element(Tag::SEQUENCE, &whole))
    }
}

/// Encodes a critical extension.
fn extension(id: Oid<'_>, value: &[u8]) -> Vec<u8> {
    let mut content = element(Tag::OBJECT_IDENTIFIER, id.as_bytes());
    content.extend_from_slice(&element(Tag::BOOLEAN, &[0xFF]));
    content.extend_from_slice(&element(Tag::OCTET_STRING, value));
    element(Tag::SEQUENCE, &content)
}

/// Encodes a `Time`: UTCTime from 1950 to 2049, otherwise GeneralizedTime (RFC 5280 §4.1.2.5).
fn time(unix: UnixTime) -> Result<Vec<u8>, Error> {
    let civil = CivilTime::from_unix(unix).map_err(|error| Error::new(ErrorKind::Der(error.kind()), 0))?;
    let der = match UtcTime::new(civil) {
        Ok(time) => encode(&time),
        Err(_later) => encode(&GeneralizedTime::new(civil)),
    };
    der.map_err(|error| Error::new(ErrorKind::Der(error.kind()), 0))
}

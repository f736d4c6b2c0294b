//! Templates for many similar certificates.

use tagwise_codec::{
    Decode, Encode, EncodeError, OctetStr, Oid, Reader, Tag, Writer, element_len, encode, explicit_len,
};

use super::error::demand;
use super::unsigned::Encoded;
use super::{BuildError, Unsigned, certificate, errors, judged};
use tagwise_lint as lint;
use tagwise_x509::alg::SubjectPublicKeyInfo;
use tagwise_x509::cert::{Certificate, CertificateSerialNumber, Extension, TbsCertificate, Version};
use tagwise_x509::ext::{AuthorityKeyIdentifier, GeneralNames, KnownExtension, SubjectAltName, SubjectKeyIdentifier};
use tagwise_x509::name::Name;
use tagwise_x509::time::Validity;

/// A template for issuing many certificates with the same profile. It contains their common parts, which are checked only
/// once: the issuer, the algorithm, and all extensions except the subject key identifier and subject alternative names.
///
/// ```
/// use tagwise_codec::{BitStr, Ia5, NamedBits, oid};
/// use tagwise_build::{self as build, CertificateFields, CertificateForm, ExtensionList};
/// use tagwise_x509::ext::{AuthorityKeyIdentifier, GeneralName, GeneralNames, KeyUsage, SubjectAltName, SubjectKeyIdentifier};
/// use tagwise_x509::name::NameBuf;
/// use tagwise_x509::*;
///
/// let algorithm = AlgorithmIdentifier { algorithm: oid!("1.3.101.112"), parameters: None };
/// let key = SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(&[7; 32]) };
/// let (issuer, subject) = (NameBuf::parse("CN=Example CA")?, NameBuf::parse("CN=one.example.org")?);
/// let names = [GeneralName::DnsName(Ia5::new("one.example.org").unwrap())];
/// let serial = build::SerialNumber::generate()?;
/// let mut list = ExtensionList::new();
/// let by = AuthorityKeyIdentifier { key_identifier: Some(b"issuer"[..].into()), ..Default::default() };
/// list.add(true, &KeyUsage(NamedBits::from_mask(1)))?.add(false, &by)?;
/// list.add(false, &SubjectKeyIdentifier(b"one"[..].into()))?;
/// list.add(false, &SubjectAltName(GeneralNames(names[..].into())))?;
/// let extensions = list.extensions();
/// let first = TbsCertificate {
///     version: Version::V3,
///     serial_number: serial.number(),
///     signature: algorithm,
///     issuer: issuer.name(),
///     validity: Validity {
///         not_before: Time::from_unix(UnixTime(1_790_000_000))?,
///         not_after: Time::from_unix(UnixTime(1_800_000_000))?,
///     },
///     subject: subject.name(),
///     subject_public_key_info: key,
///     issuer_unique_id: None,
///     subject_unique_id: None,
///     extensions: Extensions::new(&extensions),
/// };
/// let form = CertificateForm::of(&first)?;
/// let fields = CertificateFields {
///     serial_number: first.serial_number,
///     validity: first.validity,
///     subject: subject.name(),
///     subject_public_key_info: key,
///     key_identifier: Some(b"one"),
///     alt_names: Some(GeneralNames(names[..].into())),
/// };
/// assert_eq!(form.fill(&fields)?, build::certificate(&first)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CertificateForm {
    /// The signature AlgorithmIdentifier, in DER.
    algorithm: Vec<u8>,
    issuer: Vec<u8>,
    has_subject: bool,
    /// True if the length of the validity period is limited.
    is_limited: bool,
    /// The extensions in order.
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
enum Piece {
    /// Extensions that are copied unchanged.
    Same(Vec<u8>),
    KeyIdentifier(ExtensionSlot),
    AltNames(ExtensionSlot),
}

/// The variable parts of a certificate.
#[derive(Clone, Copy, Debug)]
pub struct CertificateFields<'a> {
    /// The serial number.
    pub serial_number: CertificateSerialNumber<'a>,
    /// The validity period.
    pub validity: Validity<'a>,
    /// The subject's distinguished name.
    pub subject: Name<'a>,
    /// The subject's public key.
    pub subject_public_key_info: SubjectPublicKeyInfo<'a>,
    /// The subject key identifier.
    pub key_identifier: Option<&'a [u8]>,
    /// The subject alternative names.
    pub alt_names: Option<GeneralNames<'a>>,
}

impl CertificateForm {
    /// Creates a template from a certificate, which undergoes the checks of [`certificate`].
    ///
    /// # Errors
    /// Returns any error from [`certificate`]. Also fails if the certificate is not version 3, contains unique identifiers, or
    /// does not contain an authority key identifier. Self-signed certificates do not contain one, and cannot share a template.
    pub fn of(first: &TbsCertificate<'_>) -> Result<Self, BuildError> {
        const CLAUSE: &str = "RFC 5280 §4.1";
        demand(first.version == Version::V3, "a template must have version 3", CLAUSE)?;
        let unique = first.issuer_unique_id.or(first.subject_unique_id);
        demand(unique.is_none(), "a template must not have unique identifiers", CLAUSE)?;
        certificate(first)?;
        let (mut pieces, mut same, mut names_issuer) = (Vec::new(), Vec::new(), false);
        for extension in first.extensions.iter().flat_map(|list| list.iter()) {
            let extension = extension?;
            names_issuer |= extension.extn_id == AuthorityKeyIdentifier::ID;
            let place = |id| ExtensionSlot { id, critical: extension.critical };
            let own = match extension.extn_id {
                SubjectKeyIdentifier::ID => Piece::KeyIdentifier(place(SubjectKeyIdentifier::ID)),
                SubjectAltName::ID => Piece::AltNames(place(SubjectAltName::ID)),
                _ => {
                    same.extend(encode(&extension)?);
                    continue;
                }
            };
            if !same.is_empty() {
                pieces.push(Piece::Same(std::mem::take(&mut same)));
            }
            pieces.push(own);
        }
        if !same.is_empty() {
            pieces.push(Piece::Same(same));
        }
        demand(names_issuer, "a template must identify the issuer's key", "RFC 5280 §4.2.1.1")?;
        let (algorithm, issuer) = (encode(&first.signature)?, encode(&first.issuer)?);
        let is_limited = lint::has_server_limit(first);
        Ok(Self { algorithm, issuer, has_subject: !first.subject.is_empty(), is_limited, pieces })
    }

    /// Builds an unsigned certificate from the template. Its variable parts undergo the checks of [`certificate`]. Extensions
    /// for which no value is given are omitted.
    ///
    /// # Errors
    /// Returns any error from [`certificate`]. Also fails if a value is given for an extension that the template does not
    /// contain.
    pub fn fill(&self, fields: &CertificateFields<'_>) -> Result<Unsigned, BuildError> {
        let keys = self.pieces.iter().any(|piece| matches!(piece, Piece::KeyIdentifier(_)));
        let names = self.pieces.iter().any(|piece| matches!(piece, Piece::AltNames(_)));
        let (key, alt_names) = (fields.key_identifier.is_some(), fields.alt_names.is_some());
        demand(keys || !key, "the template has no subject key identifier", "RFC 5280 §4.2.1.2")?;
        demand(names || !alt_names, "the template has no subject alternative name", "RFC 5280 §4.2.1.6")?;
        let unsigned = Unsigned::new(&Filled { form: self, fields }, &Encoded(&self.algorithm))?;
        if (keys, names) != (key, alt_names) || self.are_good(unsigned.tbs()).is_none() {
            // Check all of it, to find the error and its location.
            let whole = unsigned.attach(&[])?;
            judged(&lint::certificate(&Certificate::from_der(&whole)?, errors()))?;
        }
        Ok(unsigned)
    }

    /// Checks the fields of a certificate, given that [`certificate`] accepts another one that differs only in these fields. Returns
    /// `None` unless they are certainly acceptable.
    fn are_good(&self, tbs: &[u8]) -> Option<()> {
        let mut reader = Reader::new(tbs).ok()?;
        reader.expect(Tag::SEQUENCE).ok()?;
        reader.take(VERSION_3.len()).ok()?;
        let serial = CertificateSerialNumber::decode(&mut reader).ok()?;
        reader.take(self.algorithm.len() + self.issuer.len()).ok()?;
        let validity = Validity::decode(&mut reader).ok()?;
        let subject = Name::decode(&mut reader).ok()?;
        SubjectPublicKeyInfo::decode(&mut reader).ok()?;
        reader.expect(EXTENSIONS).ok()?;
        reader.expect(Tag::SEQUENCE).ok()?;
        let mut names = None;
        for piece in &self.pieces {
            match piece {
                Piece::Same(octets) => drop(reader.take(octets.len()).ok()?),
                Piece::KeyIdentifier(_) => drop(Extension::decode(&mut reader).ok()?),
                Piece::AltNames(_) => {
                    // Decoding the extension also decodes its value.
                    let value = Extension::decode(&mut reader).ok()?.extn_value.as_bytes();
                    names = Some(SubjectAltName::outline(value).ok()?.0);
                }
            }
        }
        reader.finish().ok()?;
        let same = self.has_subject != subject.is_empty()
            && serial.0.as_bytes() != [0]
            && !(self.is_limited && lint::exceeds_server_limit(&validity));
        (same && lint::are_good_fields(&validity, &subject, names.as_ref(), errors())).then_some(())
    }
}

/// The encoding of `version [0] EXPLICIT INTEGER 2`.
const VERSION_3: [u8; 5] = [0xA0, 3, 2, 1, 2];
/// The tag of `extensions [3] EXPLICIT`.
const EXTENSIONS: Tag = Tag::context(3).constructed();

/// The position of a variable extension.
#[derive(Clone, Copy, Debug)]
struct ExtensionSlot {
    id: Oid<'static>,
    critical: bool,
}

impl ExtensionSlot {
    fn critical(self) -> &'static [u8] {
        if self.critical { &[0x01, 0x01, 0xFF] } else { &[] }
    }

    fn len<T: Encode>(self, value: &T) -> usize {
        let value = explicit_len(Tag::OCTET_STRING, value);
        element_len(Tag::SEQUENCE, self.id.encoded_len() + self.critical().len() + value)
    }

    fn write<T: Encode>(self, value: &T, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.element(Tag::SEQUENCE, |w| {
            w.element(Tag::OCTET_STRING, |w| w.write(value))?;
            w.bytes(self.critical())?;
            w.write(&self.id)
        })
    }
}

/// A TBSCertificate built from the template.
struct Filled<'a> {
    form: &'a CertificateForm,
    fields: &'a CertificateFields<'a>,
}

impl Filled<'_> {
    fn extensions_len(&self) -> usize {
        let of = |piece: &Piece| match piece {
            Piece::Same(octets) => octets.len(),
            Piece::KeyIdentifier(place) => self.fields.key_identifier.map_or(0, |key| place.len(&OctetStr::new(key))),
            Piece::AltNames(place) => self.fields.alt_names.as_ref().map_or(0, |names| place.len(names)),
        };
        self.form.pieces.iter().map(of).sum()
    }

    fn write_extensions(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        self.form.pieces.iter().rev().try_for_each(|piece| match piece {
            Piece::Same(octets) => writer.bytes(octets),
            Piece::KeyIdentifier(place) => {
                self.fields.key_identifier.map_or(Ok(()), |key| place.write(&OctetStr::new(key), writer))
            }
            Piece::AltNames(place) => self.fields.alt_names.as_ref().map_or(Ok(()), |names| place.write(names, writer)),
        })
    }
}

impl Encode for Filled<'_> {
    fn encoded_len(&self) -> usize {
        let Self { form, fields } = self;
        let own = fields.serial_number.encoded_len() + fields.validity.encoded_len() + fields.subject.encoded_len();
        let own = own + fields.subject_public_key_info.encoded_len();
        let extensions = element_len(EXTENSIONS, element_len(Tag::SEQUENCE, self.extensions_len()));
        element_len(Tag::SEQUENCE, VERSION_3.len() + form.algorithm.len() + form.issuer.len() + own + extensions)
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        let Self { form, fields } = self;
        writer.element(Tag::SEQUENCE, |w| {
            w.element(EXTENSIONS, |w| w.element(Tag::SEQUENCE, |w| self.write_extensions(w)))?;
            w.write(&fields.subject_public_key_info)?;
            w.write(&fields.subject)?;
            w.write(&fields.validity)?;
            w.bytes(&form.issuer)?;
            w.bytes(&form.algorithm)?;
            w.write(&fields.serial_number)?;
            w.bytes(&VERSION_3)
        })
    }
}

#[cfg(test)]
mod tests;

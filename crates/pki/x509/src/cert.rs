//! Certificates (RFC 5280 §4.1).

use core::cmp::Ordering;
use core::fmt;

use tagwise_codec::{BitStr, Captured, Decode, Fault, Int, IntBuf, Items, Oid, Open, Reader, SeqOf, Tag};
use tagwise_derive::Asn1;

use crate::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use crate::ext::{ExtensionValue, KnownExtension};
use crate::name::Name;
use crate::profile;
use crate::time::Validity;

/// ```asn1
/// Certificate  ::=  SEQUENCE  {
///      tbsCertificate       TBSCertificate,
///      signatureAlgorithm   AlgorithmIdentifier,
///      signature            BIT STRING  }
/// ```
///
/// An X.509 certificate (RFC 5280 §4.1). `from_der` checks the complete encoding, including names, known extension values
/// and public keys of known algorithms. [`outline`](tagwise_codec::Decode::outline) checks the top-level structure, object
/// identifiers and times, but not the contents of names, parameters, extensions and the key.
///
/// ```no_run
/// use tagwise_codec::Decode;
/// use tagwise_x509::Certificate;
/// let der = std::fs::read("certificate.der")?;
/// let certificate = Certificate::from_der(&der)?;
/// println!("{}", certificate.tbs_certificate.subject.oneline());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(check = check_algorithms, rules(profile::ALGORITHM_MISMATCH), shape = crate::fast::certificate)]
pub struct Certificate<'a> {
    /// The to-be-signed part, with its bytes.
    pub tbs_certificate: Captured<'a, TbsCertificate<'a>>,
    /// The signature algorithm.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// The signature.
    #[asn1(name = "signature")]
    pub signature_value: BitStr<'a>,
}

/// ```asn1
/// TBSCertificate  ::=  SEQUENCE  {
///      version         [0]  EXPLICIT Version DEFAULT v1,
///      serialNumber         CertificateSerialNumber,
///      signature            AlgorithmIdentifier,
///      issuer               Name,
///      validity             Validity,
///      subject              Name,
///      subjectPublicKeyInfo SubjectPublicKeyInfo,
///      issuerUniqueID  [1]  IMPLICIT UniqueIdentifier OPTIONAL,
///      subjectUniqueID [2]  IMPLICIT UniqueIdentifier OPTIONAL,
///      extensions      [3]  EXPLICIT Extensions OPTIONAL }
/// ```
///
/// The to-be-signed part of a certificate (RFC 5280 §4.1).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TBSCertificate", verbatim, check = check_tbs, rules(profile::VERSION, profile::EMPTY_ISSUER))]
pub struct TbsCertificate<'a> {
    /// The version: v3 if there are extensions.
    #[asn1(explicit = 0, default = Version::V1)]
    pub version: Version,
    /// The serial number.
    pub serial_number: CertificateSerialNumber<'a>,
    /// The signature algorithm, as covered by the signature.
    pub signature: AlgorithmIdentifier<'a>,
    /// The issuer's distinguished name.
    pub issuer: Name<'a>,
    /// The validity period.
    pub validity: Validity<'a>,
    /// The subject's distinguished name.
    pub subject: Name<'a>,
    /// The subject's public key.
    pub subject_public_key_info: SubjectPublicKeyInfo<'a>,
    /// The issuer's unique identifier, in v2 and v3 only. Deprecated (RFC 5280 §4.1.2.8).
    #[asn1(implicit = 1, name = "issuerUniqueID")]
    pub issuer_unique_id: Option<BitStr<'a>>,
    /// The subject's unique identifier, in v2 and v3 only. Deprecated.
    #[asn1(implicit = 2, name = "subjectUniqueID")]
    pub subject_unique_id: Option<BitStr<'a>>,
    /// The extensions, in v3 only.
    #[asn1(explicit = 3)]
    pub extensions: Option<Extensions<'a>>,
}

/// ```asn1
/// Version  ::=  INTEGER  {  v1(0), v2(1), v3(2)  }
/// ```
///
/// A certificate version (RFC 5280 §4.1.2.1).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[asn1(value(0..=2))]
pub struct Version(
    /// The encoded version number.
    pub u8,
);

/// Displays the conventional version name, such as `v3`.
impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", u16::from(self.0) + 1)
    }
}

impl Version {
    /// Version 1: encoded as 0, which is the DEFAULT.
    pub const V1: Self = Self(0);
    /// Version 2.
    pub const V2: Self = Self(1);
    /// Version 3.
    pub const V3: Self = Self(2);
}

/// ```asn1
/// CertificateSerialNumber  ::=  INTEGER
/// ```
///
/// A serial number: nonnegative, at most 20 bytes (RFC 5280 §4.1.2.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[asn1(check = check_serial, rules(profile::NEGATIVE_SERIAL, profile::LONG_SERIAL))]
pub struct CertificateSerialNumber<'a>(
    /// The serial number.
    pub Int<'a>,
);

/// Displays the serial number in decimal.
impl fmt::Display for CertificateSerialNumber<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a> From<Int<'a>> for CertificateSerialNumber<'a> {
    fn from(number: Int<'a>) -> Self {
        Self(number)
    }
}

impl<'a> From<&'a IntBuf> for CertificateSerialNumber<'a> {
    fn from(number: &'a IntBuf) -> Self {
        Self(number.as_int())
    }
}

/// ```asn1
/// Extensions  ::=  SEQUENCE SIZE (1..MAX) OF Extension
/// ```
///
/// A list of extensions without duplicates (RFC 5280 §4.1.2.9, §4.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), check = check_duplicates, rules(profile::DUPLICATE_EXTENSION))]
pub struct Extensions<'a>(SeqOf<'a, Extension<'a>>);

/// ```asn1
/// Extension  ::=  SEQUENCE  {
///      extnID      OBJECT IDENTIFIER,
///      critical    BOOLEAN DEFAULT FALSE,
///      extnValue   OCTET STRING
///                  -- contains the DER encoding of an ASN.1 value
///                  -- corresponding to the extension type identified
///                  -- by extnID
///      }
/// ```
///
/// An extension (RFC 5280 §4.1). Decoding checks the value if its type is known. The typed value is decoded on each access.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(shape = crate::fast::extension)]
pub struct Extension<'a> {
    /// The identifier of the extension.
    #[asn1(name = "extnID")]
    pub extn_id: Oid<'a>,
    /// True if implementations that do not recognize the extension must reject the certificate.
    #[asn1(default = false)]
    pub critical: bool,
    /// The extension's value.
    #[asn1(defined_by = extn_id, octet_string)]
    pub extn_value: Open<'a, ExtensionValue<'a>>,
}

impl<'a> Extensions<'a> {
    /// Creates an extension list to encode. Returns `None` if it is empty or contains duplicates.
    #[must_use]
    pub fn new(extensions: &'a [Extension<'a>]) -> Option<Self> {
        let twice = |(index, extension): (usize, &Extension<'_>)| {
            extensions.iter().take(index).any(|other| other.extn_id == extension.extn_id)
        };
        let valid = !extensions.is_empty() && !extensions.iter().enumerate().any(twice);
        valid.then_some(Self(SeqOf::from_slice(extensions)))
    }

    pub(crate) const fn deferred(extensions: SeqOf<'a, Extension<'a>>) -> Self {
        Self(extensions)
    }

    /// Iterates over the extensions in order. Yields an error for each malformed extension, and continues. Errors are only
    /// possible if just the outline (the top-level structure) was decoded.
    pub fn iter(&self) -> impl Iterator<Item = Result<Extension<'a>, tagwise_codec::Error>> + use<'a> {
        self.0.iter()
    }

    /// Returns the extensions as a list, for access to their encodings.
    #[must_use]
    pub const fn as_seq_of(&self) -> SeqOf<'a, Extension<'a>> {
        self.0
    }

    /// Decodes the extension of type `T`. Returns `None` if it is absent.
    ///
    /// To find out whether it is critical, use [`Extensions::find`].
    ///
    /// ```
    /// use tagwise_codec::{Decode, Open, encode};
    /// use tagwise_x509::ext::{BasicConstraints, ExtensionValue, KeyUsage, KnownExtension};
    /// use tagwise_x509::{Extension, Extensions};
    /// let list = [Extension {
    ///     extn_id: KeyUsage::ID,
    ///     critical: true,
    ///     extn_value: Open::<ExtensionValue<'_>>::new(KeyUsage::ID.as_bytes(), &[0x03, 0x02, 0x01, 0x06]),
    /// }];
    /// let der = encode(&Extensions::new(&list).unwrap())?;
    /// let extensions = Extensions::from_der(&der)?;
    /// let usage = extensions.get::<KeyUsage<'_>>()?.expect("there is one");
    /// assert!(usage.key_cert_sign() && usage.crl_sign());
    /// assert_eq!(extensions.get::<BasicConstraints<'_>>()?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the value is malformed, with its offset in the original input, or any error from
    /// [`Extensions::find`]. This is only possible if just the outline (the top-level structure) was decoded.
    pub fn get<T: KnownExtension + Decode<'a>>(&self) -> Result<Option<T>, tagwise_codec::Error> {
        self.find(T::ID)?.map(|extension| extension.extn_value.decode_as::<T>()).transpose()
    }

    /// Returns the extension with the given identifier. Malformed extensions do not hide others.
    ///
    /// # Errors
    /// If no readable extension matches, returns the error of the first malformed one, which may be the wanted extension. This
    /// is only possible if just the outline (the top-level structure) was decoded.
    pub fn find(&self, extn_id: Oid<'_>) -> Result<Option<Extension<'a>>, tagwise_codec::Error> {
        let mut unreadable = None;
        for extension in self.0.iter() {
            match extension {
                Ok(extension) if extension.extn_id == extn_id => return Ok(Some(extension)),
                Ok(_) => {}
                Err(error) => unreadable = unreadable.or(Some(error)),
            }
        }
        unreadable.map_or(Ok(None), Err)
    }
}

/// An empty list, which represents the absence of extensions.
impl Default for Extensions<'_> {
    fn default() -> Self {
        Self(SeqOf::default())
    }
}

impl<'a> IntoIterator for Extensions<'a> {
    type Item = Result<Extension<'a>, tagwise_codec::Error>;
    type IntoIter = Items<'a, Extension<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &Extensions<'a> {
    type Item = Result<Extension<'a>, tagwise_codec::Error>;
    type IntoIter = Items<'a, Extension<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[inline]
fn check_serial(serial: &CertificateSerialNumber<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if serial.0.is_negative() {
        reader.deviate_profile(&profile::NEGATIVE_SERIAL, at)?;
    }
    if serial.0.as_bytes().len() > 20 {
        reader.deviate_profile(&profile::LONG_SERIAL, at)?;
    }
    Ok(())
}

#[inline]
fn check_tbs(tbs: &TbsCertificate<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    let unique = tbs.issuer_unique_id.is_some() || tbs.subject_unique_id.is_some();
    let least = if tbs.extensions.is_some() {
        Version::V3
    } else if unique {
        Version::V2
    } else {
        Version::V1
    };
    if tbs.version < least {
        reader.deviate_profile(&profile::VERSION, at)?;
    }
    check_issuer(&tbs.issuer, reader, at)
}

/// Checks that the issuer of a signed structure is not empty (RFC 5280 §4.1.2.4, §5.1.2.3). Its content starts at `at`
/// and ends at the reader's position. When only the outline is decoded, the contents of names are not checked.
#[inline]
pub(crate) fn check_issuer(issuer: &Name<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if reader.is_deep() && issuer.is_empty() { empty_issuer(reader, at) } else { Ok(()) }
}

#[cold]
fn empty_issuer(reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    // In both types, the issuer follows the first SEQUENCE, which is the algorithm.
    let find = || {
        let mut inside = reader.revisit(at, reader.position())?;
        while !inside.at(Tag::SEQUENCE) {
            inside.skip()?;
        }
        inside.skip()?;
        Ok(inside.position())
    };
    let place: Result<usize, Fault> = find();
    reader.deviate_profile(&profile::EMPTY_ISSUER, place.unwrap_or(at))
}

#[inline]
fn check_algorithms(certificate: &Certificate<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if certificate.tbs_certificate.signature == certificate.signature_algorithm {
        Ok(())
    } else {
        reader.deviate_profile(&profile::ALGORITHM_MISMATCH, at)
    }
}

/// The maximum number of identifiers that are compared pairwise. Longer lists are sorted.
const FEW: usize = 32;

fn check_duplicates(extensions: &Extensions<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if !reader.is_deep() {
        return Ok(());
    }
    let mut seen: [&[u8]; FEW] = [&[]; FEW];
    let mut count = 0;
    let mut identifiers = extensions.0.iter().map_while(Result::ok).map(|extension| extension.extn_id.as_bytes());
    for (slot, identifier) in seen.iter_mut().zip(&mut identifiers) {
        *slot = identifier;
        count += 1;
    }
    let seen = seen.get(..count).unwrap_or_default();
    let mut twice = seen.iter().enumerate().any(|(index, one)| seen.iter().take(index).any(|other| other == one));
    if let Some(next) = identifiers.next() {
        let mut all: Vec<&[u8]> = seen.iter().copied().chain([next]).chain(identifiers).collect();
        all.sort_unstable();
        twice = all.windows(2).any(|pair| matches!(pair, [one, other] if one.cmp(other) == Ordering::Equal));
    }
    if twice { reader.deviate_profile(&profile::DUPLICATE_EXTENSION, at) } else { Ok(()) }
}

//! PKCS #12 files (RFC 7292), in layouts for common programs, encrypted using a
//! [`Protection`](tagwise_messages::pkcs12::Protection) or unencrypted.

use core::fmt;

use tagwise_codec::{Any, Bmp, Decode, Encode, OctetStr, Oid, Open, SeqOf, SetOf, encode};
use zeroize::Zeroizing;

use super::BuildError;
use super::error::demand;
use tagwise_messages::cms::{CmsVersion, EncryptedContentInfoType, EncryptedData, ID_DATA, ID_ENCRYPTED_DATA};
use tagwise_messages::pkcs5::{
    ID_PBES2, ID_PBKDF2, ID_PBMAC1, Pbes2Params, Pbkdf2Params, Pbkdf2ParamsSalt, Pbmac1Params,
};
use tagwise_messages::pkcs8::{EncryptedPrivateKeyInfo, PrivateKeyInfo};
use tagwise_messages::pkcs12::{
    AuthSafe, CertBag, CrlBag, DigestInfo, MacData, MacParameters, PBE_WITH_SHA_AND3_KEY_TRIPLE_DES_CBC, Pfx,
    PfxVersion, Pkcs12Attribute, Pkcs12PbeParams, Protection, SafeBag, SafeContentInfo, SecretBag,
};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::oids;

/// An item of a PKCS #12 file, with its attributes.
#[derive(Clone, Copy, Debug)]
pub struct Pkcs12Item<'a> {
    /// The item's value.
    pub value: Pkcs12Value<'a>,
    /// The display name: `friendlyName`, or the alias in Java. Limited to the Basic Multilingual Plane.
    pub friendly_name: Option<&'a str>,
    /// The identifier that links a key to its certificate, with the same bytes in both. It is usually a hash of the certificate
    /// or key, or 1.
    pub local_key_id: Option<&'a [u8]>,
    /// The purposes for which a certificate is trusted (attribute `trustedKeyUsage`). The layout
    /// [`Pkcs12Layout::JavaTruststore`] sets it automatically.
    pub trusted_for: &'a [Oid<'a>],
}

/// A value in a PKCS #12 file.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Pkcs12Value<'a> {
    /// A DER certificate.
    Certificate(&'a [u8]),
    /// A DER CRL.
    CertificateList(&'a [u8]),
    /// An unencrypted PKCS #8 private key, in DER.
    PrivateKey(&'a [u8]),
    /// Another secret, such as a symmetric key, whose type is identified by an OID.
    Secret {
        /// The object identifier of the secret's type.
        id: Oid<'a>,
        /// The secret in DER.
        value: &'a [u8],
    },
}

/// Omits private content.
impl fmt::Debug for Pkcs12Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Certificate(_) => "Certificate(..)",
            Self::CertificateList(_) => "CertificateList(..)",
            Self::PrivateKey(_) => "PrivateKey(..)",
            Self::Secret { .. } => "Secret(..)",
        })
    }
}

impl<'a> Pkcs12Item<'a> {
    /// Creates an item without attributes.
    #[must_use]
    pub const fn new(value: Pkcs12Value<'a>) -> Self {
        Self { value, friendly_name: None, local_key_id: None, trusted_for: &[] }
    }

    /// Sets the display name.
    #[must_use]
    pub const fn named(mut self, friendly_name: &'a str) -> Self {
        self.friendly_name = Some(friendly_name);
        self
    }

    /// Sets the identifier that links a key to its certificate.
    #[must_use]
    pub const fn tied(mut self, local_key_id: &'a [u8]) -> Self {
        self.local_key_id = Some(local_key_id);
        self
    }

    const fn is_certificate(&self) -> bool {
        matches!(self.value, Pkcs12Value::Certificate(_))
    }

    const fn is_private_key(&self) -> bool {
        matches!(self.value, Pkcs12Value::PrivateKey(_))
    }
}

/// The protection and structure of a PKCS #12 file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pkcs12Layout {
    /// PBES2 with PBKDF2, HMAC-SHA-256 and AES-256-CBC, and a MAC with SHA-256. Supported by OpenSSL 3, Java since
    /// 8u301, NSS, Windows since Server 2019 and macOS since 15.
    Modern,
    /// Like [`Modern`](Self::Modern), with the RFC 9579 MAC: PBMAC1 with PBKDF2 and HMAC-SHA-256. Supported by OpenSSL
    /// 3.4, Java 26 and NSS 3.104.
    Pbmac1,
    /// Triple DES and a MAC with SHA-1, for Windows before Server 2019 and old Java versions. This is weak, and requires a
    /// strong password.
    LegacyWindows,
    /// Certificates that Java trusts. They are protected as in [`Modern`](Self::Modern), and each has an alias and the
    /// attribute that Java requires.
    JavaTruststore,
}

impl Pkcs12Layout {
    /// Returns the default number of key derivation iterations. Legacy and Java layouts use the same number as common programs. The
    /// modern layouts use more.
    #[must_use]
    pub const fn iterations(self) -> u32 {
        match self {
            Self::Modern | Self::Pbmac1 => 100_000,
            Self::LegacyWindows => 2_000,
            Self::JavaTruststore => 10_000,
        }
    }
}

/// The reason why a PKCS #12 file could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProtectError<E> {
    /// The file cannot be built.
    Build(BuildError),
    /// A cryptographic operation failed.
    Protection(E),
}

impl<E: fmt::Display> fmt::Display for ProtectError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(error) => error.fmt(f),
            Self::Protection(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for ProtectError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Build(error) => Some(error),
            Self::Protection(error) => Some(error),
        }
    }
}

impl<E> From<BuildError> for ProtectError<E> {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl<E> From<tagwise_codec::EncodeError> for ProtectError<E> {
    fn from(error: tagwise_codec::EncodeError) -> Self {
        Self::Build(error.into())
    }
}

/// Builds an unprotected file, without a MAC or password. Anyone who can read the file can read the keys.
///
/// ```
/// use tagwise_codec::encode;
/// use tagwise_messages::Bundle;
/// use tagwise_build::{Pkcs12Item, Pkcs12Value, pkcs12_plain};
/// use tagwise_x509::oids;
/// let value = Pkcs12Value::Secret { id: oids::DATA, value: b"\x04\x02\xCA\xFE" };
/// let file = pkcs12_plain(&[Pkcs12Item::new(value).named("coffee")])?;
/// let bundle = Bundle::read(&file)?;
/// assert_eq!(bundle.items().next().unwrap().friendly_name().as_deref(), Some("coffee"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if a certificate, CRL or key is not DER, or a name contains unsupported characters.
pub fn pkcs12_plain(items: &[Pkcs12Item<'_>]) -> Result<Vec<u8>, BuildError> {
    let bags = items.iter().map(|item| bag(item, &[])).collect::<Result<Vec<_>, _>>()?;
    let contents = safe_contents(&bags);
    let data = Zeroizing::new(encode(&OctetStr::new(&contents))?);
    pfx(&authenticated_safe(&[(ID_DATA, &data)])?, None)
}

/// Builds a password-protected file with the layout's default iterations. Salts come from the system's random number
/// generator.
///
/// # Errors
/// Returns any error from [`pkcs12_with`].
pub fn pkcs12<P: Protection>(
    items: &[Pkcs12Item<'_>],
    layout: Pkcs12Layout,
    protection: &P,
) -> Result<Vec<u8>, ProtectError<P::Error>> {
    pkcs12_with(items, layout, layout.iterations(), protection)
}

/// Builds a password-protected file like [`pkcs12`], but with the given number of iterations.
///
/// # Errors
/// Returns an error if a certificate, CRL or key is not DER, a name contains unsupported characters, or the number of
/// iterations is zero. Also fails if a Java truststore contains anything other than certificates with aliases, a
/// cryptographic operation fails, or the system's random number generator fails.
pub fn pkcs12_with<P: Protection>(
    items: &[Pkcs12Item<'_>],
    layout: Pkcs12Layout,
    iterations: u32,
    protection: &P,
) -> Result<Vec<u8>, ProtectError<P::Error>> {
    demand(iterations > 0, "the iteration count must not be 0", "RFC 8018 §4.2")?;
    let java = layout == Pkcs12Layout::JavaTruststore;
    let aliased = |item: &Pkcs12Item<'_>| item.is_certificate() && item.friendly_name.is_some();
    demand(
        !java || items.iter().all(aliased),
        "a truststore must contain only certificates with aliases",
        "Java's KeyStore, PKCS12",
    )?;
    // Java trusts a certificate with this attribute, regardless of its value. Java itself writes anyExtendedKeyUsage.
    let trusted: &[Oid<'_>] = if java { &[oids::ANY_EXTENDED_KEY_USAGE] } else { &[] };

    // As in other programs, keys are encrypted individually, and everything else together.
    let mut encrypted_bags = Vec::new();
    let mut plain_bags = Vec::new();
    for item in items {
        if let Pkcs12Value::PrivateKey(key) = item.value {
            check_key(key)?;
            let algorithm = encryption(layout, iterations)?;
            let algorithm = AlgorithmIdentifier::from_der(&algorithm).map_err(BuildError::from)?;
            let encrypted = protection.encrypt(&algorithm, key).map_err(ProtectError::Protection)?;
            let shrouded =
                EncryptedPrivateKeyInfo { encryption_algorithm: algorithm, encrypted_data: OctetStr::new(&encrypted) };
            plain_bags.push(finish_bag(item, trusted, oids::PKCS8_SHROUDED_KEY_BAG, &encode(&shrouded)?)?);
        } else {
            encrypted_bags.push(bag(item, trusted)?);
        }
    }
    let mut safes = Vec::new();
    if !encrypted_bags.is_empty() || plain_bags.is_empty() {
        let algorithm = encryption(layout, iterations)?;
        let algorithm = AlgorithmIdentifier::from_der(&algorithm).map_err(BuildError::from)?;
        let contents = safe_contents(&encrypted_bags);
        let ciphertext = protection.encrypt(&algorithm, &contents).map_err(ProtectError::Protection)?;
        let encrypted = EncryptedData {
            version: CmsVersion::V0,
            encrypted_content_info: EncryptedContentInfoType {
                content_type: ID_DATA,
                content_encryption_algorithm: algorithm,
                encrypted_content: Some(OctetStr::new(&ciphertext)),
            },
            additions: tagwise_codec::Additions::default(),
            unprotected_attrs: None,
        };
        safes.push((ID_ENCRYPTED_DATA, encode(&encrypted)?));
    }
    if !plain_bags.is_empty() {
        safes.push((ID_DATA, encode(&OctetStr::new(&safe_contents(&plain_bags)))?));
    }
    let safes: Vec<_> = safes.iter().map(|(id, content)| (*id, content.as_slice())).collect();
    let content = authenticated_safe(&safes)?;
    let (algorithm, salt, shown) = mac_algorithm(layout, iterations)?;
    let algorithm = AlgorithmIdentifier::from_der(&algorithm).map_err(BuildError::from)?;
    let parameters = MacParameters { algorithm, salt: &salt, iterations: shown };
    let mac = protection.mac(&parameters, &content).map_err(ProtectError::Protection)?;
    demand(!mac.is_empty(), "the MAC is empty", "RFC 7292 §4")?;
    let mac = MacData {
        mac: DigestInfo { digest_algorithm: algorithm, digest: OctetStr::new(&mac) },
        mac_salt: OctetStr::new(&salt),
        iterations: shown,
    };
    Ok(pfx(&content, Some(mac))?)
}

fn random<const N: usize>() -> Result<[u8; N], BuildError> {
    let mut octets = [0; N];
    getrandom::fill(&mut octets).map_err(BuildError::Random)?;
    Ok(octets)
}

/// Encodes an AlgorithmIdentifier with parameters in DER.
fn identifier<T: Encode>(algorithm: Oid<'_>, parameters: &T) -> Result<Vec<u8>, BuildError> {
    let parameters = encode(parameters)?;
    let parameters = Some(Any::from_der(&parameters)?);
    Ok(encode(&AlgorithmIdentifier { algorithm, parameters })?)
}

/// Encodes the AlgorithmIdentifier of PBKDF2 with HMAC-SHA-256.
fn pbkdf2(salt: &[u8], iterations: u32, key_length: Option<u64>) -> Result<Vec<u8>, BuildError> {
    let parameters = Pbkdf2Params {
        salt: Pbkdf2ParamsSalt::Specified(OctetStr::new(salt)),
        iteration_count: iterations.into(),
        key_length,
        prf: HMAC_SHA256,
    };
    identifier(ID_PBKDF2, &parameters)
}

const HMAC_SHA256: AlgorithmIdentifier<'static> =
    AlgorithmIdentifier { algorithm: oids::HMAC_WITH_SHA256, parameters: Some(Any::null(0)) };

/// Encodes the layout's encryption algorithm, with a fresh salt.
fn encryption(layout: Pkcs12Layout, iterations: u32) -> Result<Vec<u8>, BuildError> {
    if layout == Pkcs12Layout::LegacyWindows {
        let salt = random::<8>()?;
        let parameters = Pkcs12PbeParams { salt: OctetStr::new(&salt), iterations: iterations.into() };
        return identifier(PBE_WITH_SHA_AND3_KEY_TRIPLE_DES_CBC, &parameters);
    }
    let derivation = pbkdf2(&random::<16>()?, iterations, None)?;
    let iv = random::<16>()?;
    let scheme = identifier(oids::AES256_CBC, &OctetStr::new(&iv))?;
    let parameters = Pbes2Params {
        key_derivation_func: AlgorithmIdentifier::from_der(&derivation)?,
        encryption_scheme: AlgorithmIdentifier::from_der(&scheme)?,
    };
    identifier(ID_PBES2, &parameters)
}

/// Returns the MAC algorithm, with its salt and iteration count.
fn mac_algorithm(layout: Pkcs12Layout, iterations: u32) -> Result<(Vec<u8>, Vec<u8>, u64), BuildError> {
    let with_null = |algorithm| encode(&AlgorithmIdentifier { algorithm, parameters: Some(Any::null(0)) });
    Ok(match layout {
        Pkcs12Layout::Pbmac1 => {
            // RFC 9579 §5: the key derivation includes the key length. The other MAC fields are unused, and state that.
            let derivation = pbkdf2(&random::<16>()?, iterations, Some(32))?;
            let parameters = Pbmac1Params {
                key_derivation_func: AlgorithmIdentifier::from_der(&derivation)?,
                message_auth_scheme: HMAC_SHA256,
            };
            (identifier(ID_PBMAC1, &parameters)?, b"NOT USED".to_vec(), 1)
        }
        Pkcs12Layout::LegacyWindows => (with_null(oids::SHA1)?, random::<20>()?.to_vec(), iterations.into()),
        Pkcs12Layout::Modern | Pkcs12Layout::JavaTruststore => {
            (with_null(oids::SHA256)?, random::<20>()?.to_vec(), iterations.into())
        }
    })
}

/// Checks the content of a key bag (RFC 5958 §2).
fn check_key(key: &[u8]) -> Result<(), BuildError> {
    PrivateKeyInfo::from_der(key)?;
    Ok(())
}

/// Encodes an unencrypted bag.
fn bag(item: &Pkcs12Item<'_>, trusted: &[Oid<'_>]) -> Result<Zeroizing<Vec<u8>>, BuildError> {
    match item.value {
        Pkcs12Value::Certificate(der) => {
            tagwise_x509::Certificate::outline(der)?;
            let value = encode(&OctetStr::new(der))?;
            let cert_value = Open::new(oids::X509_CERTIFICATE.as_bytes(), &value);
            let bag = CertBag { cert_id: oids::X509_CERTIFICATE, cert_value };
            finish_bag(item, trusted, oids::CERT_BAG, &encode(&bag)?)
        }
        Pkcs12Value::CertificateList(der) => {
            tagwise_x509::CertificateList::outline(der)?;
            let value = encode(&OctetStr::new(der))?;
            let crlt_value = Open::new(oids::X509_CRL.as_bytes(), &value);
            finish_bag(item, trusted, oids::CRL_BAG, &encode(&CrlBag { crl_id: oids::X509_CRL, crlt_value })?)
        }
        Pkcs12Value::PrivateKey(der) => {
            check_key(der)?;
            finish_bag(item, trusted, oids::KEY_BAG, der)
        }
        Pkcs12Value::Secret { id, value } => {
            let secret = SecretBag { secret_type_id: id, secret_value: Any::from_der(value)? };
            let secret = Zeroizing::new(encode(&secret)?);
            finish_bag(item, trusted, oids::SECRET_BAG, &secret)
        }
    }
}

/// Encodes a bag with its attributes.
fn finish_bag(
    item: &Pkcs12Item<'_>,
    trusted: &[Oid<'_>],
    bag_id: Oid<'_>,
    value: &[u8],
) -> Result<Zeroizing<Vec<u8>>, BuildError> {
    demand(
        item.trusted_for.is_empty() || !item.is_private_key(),
        "a key cannot be marked as trusted",
        "Java's KeyStore, PKCS12",
    )?;
    let mut attributes: Vec<(Oid<'_>, Vec<Vec<u8>>)> = Vec::new();
    if let Some(name) = item.friendly_name {
        let len = name.chars().count();
        demand((1..=255).contains(&len), "a name must have 1 to 255 characters", "RFC 2985 §5.5.1")?;
        let what = "a name must not contain characters outside the Basic Multilingual Plane";
        let name = Bmp::new(name).ok().ok_or(BuildError::Invalid { what, clause: "RFC 2985 §5.5.1" })?;
        attributes.push((oids::FRIENDLY_NAME, vec![encode(&name)?]));
    }
    if let Some(id) = item.local_key_id {
        attributes.push((oids::LOCAL_KEY_ID, vec![encode(&OctetStr::new(id))?]));
    }
    let usages = if item.trusted_for.is_empty() { trusted } else { item.trusted_for };
    if !usages.is_empty() {
        let usages = usages.iter().map(encode).collect::<Result<_, _>>()?;
        attributes.push((oids::TRUSTED_KEY_USAGE, usages));
    }
    let values: Vec<Vec<Any<'_>>> = attributes
        .iter()
        .map(|(_, values)| values.iter().map(|value| Any::from_der(value)).collect::<Result<_, _>>())
        .collect::<Result<_, _>>()?;
    let attributes: Vec<_> = attributes
        .iter()
        .zip(&values)
        .map(|((id, _), values)| Pkcs12Attribute { attr_id: *id, attr_values: SetOf::from_slice(values) })
        .collect();
    let bag = SafeBag {
        bag_id,
        bag_value: Open::new(bag_id.as_bytes(), value),
        bag_attributes: (!attributes.is_empty()).then(|| SetOf::from_slice(&attributes)),
    };
    Ok(Zeroizing::new(encode(&bag)?))
}

/// Encodes `SafeContents ::= SEQUENCE OF SafeBag`.
fn safe_contents(bags: &[Zeroizing<Vec<u8>>]) -> Zeroizing<Vec<u8>> {
    let len = bags.iter().map(|bag| bag.len()).sum();
    let size = tagwise_codec::element_len(tagwise_codec::Tag::SEQUENCE, len);
    let mut octets = Zeroizing::new(vec![0; size]);
    let mut writer = tagwise_codec::Writer::new(&mut octets);
    // The size is exact.
    let _ = writer.element(tagwise_codec::Tag::SEQUENCE, |w| bags.iter().rev().try_for_each(|bag| w.bytes(bag)));
    octets
}

/// Encodes `AuthenticatedSafe ::= SEQUENCE OF ContentInfo`.
fn authenticated_safe(safes: &[(Oid<'_>, &[u8])]) -> Result<Zeroizing<Vec<u8>>, BuildError> {
    let infos: Vec<_> = safes
        .iter()
        .map(|(id, content)| SafeContentInfo { content_type: *id, content: Open::new(id.as_bytes(), content) })
        .collect();
    Ok(Zeroizing::new(encode(&SeqOf::from_slice(&infos))?))
}

/// Encodes the file, and decodes it again as a check.
fn pfx(content: &[u8], mac_data: Option<MacData<'_>>) -> Result<Vec<u8>, BuildError> {
    let data = Zeroizing::new(encode(&OctetStr::new(content))?);
    let auth_safe = AuthSafe { content_type: ID_DATA, content: Open::new(ID_DATA.as_bytes(), &data) };
    let der = encode(&Pfx { version: PfxVersion::V3, auth_safe, mac_data })?;
    Pfx::from_der(&der)?;
    Ok(der)
}

//! The certificate builder.

use core::time::Duration;

use tagwise_codec::{Decode, Encode, Flags, Int, IntBuf, Oid, OidBuf, SeqOf, encode};

use super::names::{Names, setters};
use super::{SigningKey, add, algorithm, may, once, signed, time};
use crate::error::demand;
use crate::{BuildError, ExtensionList, KeyIdentifierMethod, SerialNumber, Unsigned};
use tagwise_x509::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use tagwise_x509::cert::{CertificateSerialNumber, Extensions, TbsCertificate, Version};
use tagwise_x509::ext::{
    AuthorityKeyIdentifier, BasicConstraints, Count, ExtKeyUsage, KeyUsage, KnownExtension, SubjectAltName,
    SubjectKeyIdentifier,
};
use tagwise_x509::name::{Name, NameBuf, ParseError};
use tagwise_x509::time::{UnixTime, Validity};
use tagwise_x509::{AsCertificate, CertificateBuf, CsrBuf};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A certificate under construction.
///
/// By default, the serial number is random, and the validity period is 90 days from now, or ten years for a CA. A CA
/// certificate has the key usages `keyCertSign` and `cRLSign`. Subject and authority key identifiers are added. The result
/// undergoes the checks of [`build::certificate`](crate::certificate).
///
/// ```
/// # struct Key(Vec<u8>);
/// # impl tagwise_build::SigningKey for Key {
/// #     fn signature_algorithm(&self) -> Result<std::borrow::Cow<'_, [u8]>, tagwise_build::SigningError> {
/// #         Ok(b"\x30\x05\x06\x03\x2B\x65\x70"[..].into())
/// #     }
/// #     fn subject_public_key_info(&self) -> &[u8] {
/// #         &self.0
/// #     }
/// #     fn sign_message(&self, _: &[u8]) -> Result<Vec<u8>, tagwise_build::SigningError> {
/// #         Ok(vec![1; 64])
/// #     }
/// # }
/// # let key = |octet: u8| Key([&b"\x30\x2A\x30\x05\x06\x03\x2B\x65\x70\x03\x21\x00"[..], &[octet; 32]].concat());
/// # let (root_key, server_key) = (key(7), key(8));
/// use tagwise_build::{CertificateBuilder, SigningKey};
/// use tagwise_x509::ext::KeyUsage;
/// let root = CertificateBuilder::new().subject("CN=Example Root,O=Example")?.ca(None).self_signed(&root_key)?;
/// let server = CertificateBuilder::new()
///     .subject("CN=www.example.org")?
///     .dns("www.example.org")
///     .key_usage(KeyUsage::DIGITAL_SIGNATURE)
///     .public_key(server_key.subject_public_key_info())?
///     .issuer(&root)?
///     .sign(&root_key)?;
/// assert_eq!(server.issuer(), root.subject());
/// assert_eq!(server.names().next().unwrap()?.to_string(), "DNS:www.example.org");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct CertificateBuilder {
    serial: Option<IntBuf>,
    subject: NameBuf,
    issuer: Option<Issuer>,
    not_before: Option<UnixTime>,
    not_after: Option<UnixTime>,
    days: Option<u32>,
    /// The subject's public key, a SubjectPublicKeyInfo in DER.
    key: Option<Vec<u8>>,
    /// The path length constraint, if this is a CA certificate.
    ca: Option<Option<u8>>,
    usage: Option<Flags<KeyUsage<'static>>>,
    purposes: Vec<OidBuf>,
    names: Names,
    identifier: KeyIdentifierMethod,
    extensions: ExtensionList,
}

#[derive(Clone, Debug)]
struct Issuer {
    name: NameBuf,
    /// The issuer's subject key identifier.
    key: Option<Vec<u8>>,
    /// The issuer's public key, if the issuer was given as a certificate.
    public_key: Option<Vec<u8>>,
}

impl Default for CertificateBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl CertificateBuilder {
    /// Creates a builder with the defaults.
    pub fn new() -> Self {
        Self {
            serial: None,
            subject: NameBuf::default(),
            issuer: None,
            not_before: None,
            not_after: None,
            days: None,
            key: None,
            ca: None,
            usage: None,
            purposes: Vec::new(),
            names: Names::default(),
            identifier: KeyIdentifierMethod::Sha256,
            extensions: ExtensionList::new(),
        }
    }

    /// Creates a builder with the public key, subject and subject alternative names of a CSR. The CSR's other extensions are
    /// ignored, and its signature is not verified.
    ///
    /// # Errors
    /// Returns an error if the CSR's extensions are malformed, or a value cannot be encoded.
    pub fn for_request(request: &CsrBuf) -> Result<Self, BuildError> {
        let mut builder = Self::new().subject_name(&request.subject())?;
        builder.key = Some(encode(&request.public_key())?);
        for name in request.names() {
            builder = builder.name(&name?)?;
        }
        Ok(builder)
    }

    /// Sets the subject from RFC 4514 text: see [`NameBuf::parse`].
    ///
    /// # Errors
    /// Returns an error if the text is not a valid name (RFC 4514).
    pub fn subject(mut self, name: &str) -> Result<Self, ParseError> {
        self.subject = NameBuf::parse(name)?;
        Ok(self)
    }

    /// Sets the subject to a decoded name, preserving its string types.
    ///
    /// # Errors
    /// Returns an error if the name cannot be encoded.
    pub fn subject_name(mut self, name: &Name<'_>) -> Result<Self, BuildError> {
        self.subject = NameBuf::new(name)?;
        Ok(self)
    }

    setters!();

    /// Sets the issuer to the name and key identifier of a CA certificate.
    ///
    /// # Errors
    /// Returns an error if the CA is not allowed to sign certificates (RFC 5280 §4.2.1.3, §4.2.1.9), its name cannot be
    /// encoded, or its extensions cannot be decoded.
    pub fn issuer(mut self, certificate: &impl AsCertificate) -> Result<Self, BuildError> {
        let certificate = certificate.as_certificate();
        demand(certificate.is_authority()?, "the issuer is not a CA", "RFC 5280 §4.2.1.9")?;
        let may_sign = may(certificate, KeyUsage::KEY_CERT_SIGN)?;
        demand(may_sign, "the issuer's key usage does not include keyCertSign", "RFC 5280 §4.2.1.3")?;
        let key = certificate.extension::<SubjectKeyIdentifier<'_>>()?.map(|own| own.0.to_vec());
        let public_key = Some(encode(&certificate.public_key())?);
        self.issuer = Some(Issuer { name: NameBuf::new(&certificate.subject())?, key, public_key });
        Ok(self)
    }

    /// Sets the issuer's name and, if available, its key identifier.
    ///
    /// # Errors
    /// Returns an error if the name cannot be encoded.
    pub fn issuer_name(mut self, name: &Name<'_>, key_identifier: Option<&[u8]>) -> Result<Self, BuildError> {
        let key = key_identifier.map(<[u8]>::to_vec);
        self.issuer = Some(Issuer { name: NameBuf::new(name)?, key, public_key: None });
        Ok(self)
    }

    /// Sets the subject's public key, given as a DER SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// Returns an error if the key is malformed.
    pub fn public_key(mut self, info: &[u8]) -> Result<Self, BuildError> {
        SubjectPublicKeyInfo::from_der(info)?;
        self.key = Some(info.to_vec());
        Ok(self)
    }

    /// Sets the serial number from a native integer or an [`IntBuf`].
    pub fn serial(mut self, number: impl Into<IntBuf>) -> Self {
        self.serial = Some(number.into());
        self
    }

    /// Sets the start of the validity period, inclusive.
    pub fn not_before(mut self, time: impl Into<UnixTime>) -> Self {
        self.not_before = Some(time.into());
        self
    }

    /// Sets the end of the validity period, inclusive.
    pub fn not_after(mut self, time: impl Into<UnixTime>) -> Self {
        self.not_after = Some(time.into());
        self
    }

    /// Sets the length of the validity period in days. Both ends are inclusive (RFC 5280 §4.1.2.5), so notAfter is one second
    /// before the last day is complete.
    pub fn days(mut self, days: u32) -> Self {
        self.days = Some(days);
        self
    }

    /// Makes this a CA certificate. `path_len` is the maximum number of intermediates below it, or `None` for no limit.
    pub fn ca(mut self, path_len: Option<u8>) -> Self {
        self.ca = Some(path_len);
        self
    }

    /// Sets the key usage, such as `KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN`.
    pub fn key_usage(mut self, usage: Flags<KeyUsage<'static>>) -> Self {
        self.usage = Some(usage);
        self
    }

    /// Adds an extended key usage (RFC 5280 §4.2.1.12), such as
    /// [`oids::KP_SERVER_AUTH`](tagwise_facts::KP_SERVER_AUTH).
    pub fn purpose(mut self, purpose: Oid<'_>) -> Self {
        self.purposes.push(purpose.into());
        self
    }

    /// Sets the method for deriving the subject key identifier.
    pub fn key_identifier(mut self, method: KeyIdentifierMethod) -> Self {
        self.identifier = method;
        self
    }

    /// Adds an extension, critical if its standard requires that. It overrides the default key identifiers and CA key usage.
    /// Setting the same extension with another method as well is an error.
    ///
    /// # Errors
    /// Returns an error if the extension is already present, or cannot be encoded.
    pub fn extension<T: KnownExtension + Encode>(mut self, value: &T) -> Result<Self, BuildError> {
        add(&mut self.extensions, value)?;
        Ok(self)
    }

    /// Adds any extension, given its value in DER.
    ///
    /// # Errors
    /// Returns an error if the extension is already present.
    pub fn extension_der(mut self, id: Oid<'_>, critical: bool, value: impl Into<Vec<u8>>) -> Result<Self, BuildError> {
        self.extensions.add_der(id, critical, value)?;
        Ok(self)
    }

    /// Builds the unsigned certificate, for signing with an external key: sign [`Unsigned::tbs`], then call
    /// [`Unsigned::attach`]. Without an issuer, the certificate is self-issued.
    ///
    /// # Errors
    /// Returns an error if no public key is set. Also returns any error from [`build::certificate`](crate::certificate).
    pub fn tbs(&self, algorithm: &AlgorithmIdentifier<'_>) -> Result<Unsigned, BuildError> {
        const NO_KEY: BuildError =
            BuildError::Invalid { what: "the certificate has no public key", clause: "RFC 5280 §4.1.2.7" };
        let key = self.key.as_deref().ok_or(NO_KEY)?;
        let key = SubjectPublicKeyInfo::from_der(key)?;
        let random = match self.serial {
            None => Some(SerialNumber::generate()?),
            Some(_) => None,
        };
        let serial = match (&self.serial, &random) {
            (Some(serial), _) => CertificateSerialNumber::from(serial),
            (None, Some(random)) => random.number(),
            (None, None) => CertificateSerialNumber(Int::ZERO),
        };
        let list = self.all_extensions(&key)?;
        let extensions = list.extensions();
        crate::certificate(&TbsCertificate {
            version: Version::V3,
            serial_number: serial,
            signature: *algorithm,
            issuer: self.issuer.as_ref().map_or_else(|| self.subject.name(), |issuer| issuer.name.name()),
            validity: self.validity()?,
            subject: self.subject.name(),
            subject_public_key_info: key,
            issuer_unique_id: None,
            subject_unique_id: None,
            extensions: Extensions::new(&extensions),
        })
    }

    fn validity(&self) -> Result<Validity<'static>, BuildError> {
        const CLAUSE: &str = "RFC 5280 §4.1.2.5";
        demand(self.days != Some(0), "the validity period is empty", CLAUSE)?;
        demand(self.days.is_none() || self.not_after.is_none(), "the end of validity can be set only once", CLAUSE)?;
        let default = if self.ca.is_some() { 3653 } else { 90 };
        let start = self.not_before.unwrap_or_else(UnixTime::now);
        let end = self.not_after.unwrap_or_else(|| Validity::end(start, DAY * self.days.unwrap_or(default)));
        demand(start <= end, "the validity period is empty", CLAUSE)?;
        Ok(Validity { not_before: time(start, CLAUSE)?, not_after: time(end, CLAUSE)? })
    }

    fn all_extensions(&self, key: &SubjectPublicKeyInfo<'_>) -> Result<ExtensionList, BuildError> {
        let mut list = ExtensionList::new();
        let own = |id: Oid<'_>| self.extensions.has(id);
        once(&self.extensions, BasicConstraints::ID, self.ca.is_some())?;
        once(&self.extensions, KeyUsage::ID, self.usage.is_some())?;
        once(&self.extensions, ExtKeyUsage::ID, !self.purposes.is_empty())?;
        once(&self.extensions, SubjectAltName::ID, !self.names.is_empty())?;
        if let Some(path_len) = self.ca {
            add(&mut list, &BasicConstraints { ca: true, path_len_constraint: path_len.map(Count::new) })?;
        }
        let authority = self.ca.map(|_| KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN);
        if let Some(usage) = self.usage.or(authority)
            && !own(KeyUsage::ID)
        {
            add(&mut list, &KeyUsage::from(usage))?;
        }
        if !self.purposes.is_empty() {
            let purposes: Vec<Oid<'_>> = self.purposes.iter().map(OidBuf::as_oid).collect();
            // RFC 3161 §2.3: a time-stamping key's purpose is critical.
            let critical = purposes.contains(&tagwise_facts::KP_TIME_STAMPING);
            list.add(critical, &ExtKeyUsage(SeqOf::from_slice(&purposes)))?;
        }
        if !own(SubjectKeyIdentifier::ID) {
            let identifier = self.identifier.of(key)?;
            add(&mut list, &SubjectKeyIdentifier(identifier.as_slice().into()))?;
        }
        if let Some(identifier) = self.issuer.as_ref().and_then(|issuer| issuer.key.as_deref())
            && !own(AuthorityKeyIdentifier::ID)
        {
            let identifier = AuthorityKeyIdentifier { key_identifier: Some(identifier.into()), ..Default::default() };
            add(&mut list, &identifier)?;
        }
        // RFC 5280 §4.2.1.6: critical if the subject is empty.
        let critical = self.subject.name().is_empty();
        self.names.with(|names| list.add(critical, names).map(|_| ()))?;
        for extension in &self.extensions.extensions() {
            list.copy(extension)?;
        }
        Ok(list)
    }

    /// Builds the certificate and signs it with the issuer's key.
    ///
    /// # Errors
    /// Returns an error if no issuer is set, or the key does not match the issuer's certificate. Also returns any error from
    /// [`tbs`](Self::tbs) or the key.
    pub fn sign(&self, key: &(impl SigningKey + ?Sized)) -> Result<CertificateBuf, BuildError> {
        const NO_ISSUER: BuildError =
            BuildError::Invalid { what: "the certificate has no issuer", clause: "RFC 5280 §4.1.2.4" };
        let issuer = self.issuer.as_ref().ok_or(NO_ISSUER)?;
        let same = issuer.public_key.as_ref().is_none_or(|public| *public == key.subject_public_key_info());
        demand(
            same,
            "the signer's public key is not byte-for-byte equal to the issuer certificate's; use `issuer_name` for a key in another encoding",
            "RFC 5280 §6.1.3 (a)(1)",
        )?;
        self.signed(key)
    }

    /// Builds the certificate and signs it with its own key.
    ///
    /// # Errors
    /// Returns an error if a different key or an issuer is set. Also returns any error from [`tbs`](Self::tbs) or the key.
    pub fn self_signed(&self, key: &(impl SigningKey + ?Sized)) -> Result<CertificateBuf, BuildError> {
        const CLAUSE: &str = "RFC 5280 §3.2";
        demand(self.issuer.is_none(), "a self-signed certificate must not have a different issuer", CLAUSE)?;
        let public = key.subject_public_key_info();
        let same = self.key.as_ref().is_none_or(|own| own == public);
        demand(same, "a self-signed certificate must certify the signing key", CLAUSE)?;
        Self { key: Some(public.to_vec()), ..self.clone() }.signed(key)
    }

    fn signed(&self, key: &(impl SigningKey + ?Sized)) -> Result<CertificateBuf, BuildError> {
        let identifier = key.signature_algorithm().map_err(BuildError::Signing)?;
        let unsigned = self.tbs(&algorithm(&identifier)?)?;
        Ok(CertificateBuf::from_der(signed(&unsigned, key)?)?)
    }
}

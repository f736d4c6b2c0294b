//! The builder for certification requests (PKCS #10).

use core::fmt;

use tagwise_codec::{Any, Decode, Encode, Oid, SetOf, encode};

use super::names::{Names, setters};
use super::{SigningKey, add, algorithm, once, signed};
use crate::error::demand;
use crate::{BuildError, ExtensionList, Unsigned, errors};
use tagwise_lint as lint;
use tagwise_x509::CsrBuf;
use tagwise_x509::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use tagwise_x509::cert::Extensions;
use tagwise_x509::csr::{CertificationRequestInfo, Version};
use tagwise_x509::ext::{Attribute, GeneralNames, KnownExtension, SubjectAltName};
use tagwise_x509::name::{Name, NameBuf, ParseError};
use tagwise_x509::oids;

/// A certification request under construction. Subject alternative names and other extensions are stored in the attribute
/// `extensionRequest` (RFC 2985 §5.4.2).
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
/// # let key = Key([&b"\x30\x2A\x30\x05\x06\x03\x2B\x65\x70\x03\x21\x00"[..], &[7; 32]].concat());
/// use tagwise_codec::Utf8;
/// use tagwise_build::CsrBuilder;
/// use tagwise_x509::oids;
/// let request = CsrBuilder::new()
///     .subject("CN=www.example.org")?
///     .dns("www.example.org")
///     .attribute(oids::CHALLENGE_PASSWORD, &Utf8::new("to be agreed upon"))?
///     .sign(&key)?;
/// assert_eq!(request.names().next().unwrap()?.to_string(), "DNS:www.example.org");
/// assert_eq!(request.get().certification_request_info.attributes.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct CsrBuilder {
    subject: NameBuf,
    names: Names,
    extensions: ExtensionList,
    /// The attribute types, and their values in DER.
    attributes: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
}

/// Omits the attribute values, which may include a challenge password.
impl fmt::Debug for CsrBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, names, extensions, attributes } = self;
        let types: Vec<_> = attributes.iter().map(|(id, _)| Oid::from_content(id)).collect();
        f.debug_struct("CsrBuilder")
            .field("subject", subject)
            .field("names", names)
            .field("extensions", extensions)
            .field("attributes", &types)
            .finish()
    }
}

impl CsrBuilder {
    /// Creates a builder for an empty request.
    pub fn new() -> Self {
        Self::default()
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

    /// Requests an extension, critical if its standard requires that.
    ///
    /// # Errors
    /// Returns an error if the extension is already present, or cannot be encoded.
    pub fn extension<T: KnownExtension + Encode>(mut self, value: &T) -> Result<Self, BuildError> {
        add(&mut self.extensions, value)?;
        Ok(self)
    }

    /// Requests any extension, given its value in DER.
    ///
    /// # Errors
    /// Returns an error if the extension is already present.
    pub fn extension_der(mut self, id: Oid<'_>, critical: bool, value: impl Into<Vec<u8>>) -> Result<Self, BuildError> {
        self.extensions.add_der(id, critical, value)?;
        Ok(self)
    }

    /// Adds an attribute with a single value. To add further values of the same type, call this method again. The challenge
    /// password can only have one value.
    ///
    /// # Errors
    /// Returns an error if the value or type cannot be encoded, for `extensionRequest` (which is generated from the
    /// extensions), or for a second `challengePassword`.
    pub fn attribute<T: Encode>(mut self, id: Oid<'_>, value: &T) -> Result<Self, BuildError> {
        demand(
            id != oids::EXTENSION_REQUEST,
            "extensionRequest is generated from the extensions: use the extension methods",
            "RFC 2985 §5.4.2",
        )?;
        encode(&id)?;
        let value = encode(value)?;
        let is_second =
            id == oids::CHALLENGE_PASSWORD && self.attributes.iter().any(|(other, _)| other == id.as_bytes());
        demand(!is_second, "a challenge password must have a single value", "RFC 2985 §5.4.1")?;
        match self.attributes.iter_mut().find(|(other, _)| other == id.as_bytes()) {
            Some((_, values)) => values.push(value),
            None => self.attributes.push((id.as_bytes().to_vec(), vec![value])),
        }
        Ok(self)
    }

    /// Builds the unsigned request, for signing with an external key: see
    /// [`CertificateBuilder::tbs`](super::CertificateBuilder::tbs). The public key is a DER SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// Returns an error if the key is malformed. Also returns any error from [`build::request`](crate::request).
    pub fn tbs(&self, public_key: &[u8], algorithm: &AlgorithmIdentifier<'_>) -> Result<Unsigned, BuildError> {
        let mut list = ExtensionList::new();
        once(&self.extensions, SubjectAltName::ID, !self.names.is_empty())?;
        let critical = self.subject.name().is_empty();
        self.names.with(|names| {
            // Encoded first, because lints report byte offsets.
            let der = encode(&names.0)?;
            let good = lint::are_good_names(&GeneralNames::from_der(&der)?, errors());
            demand(good, "an alternative name is malformed", "RFC 5280 §4.2.1.6")?;
            list.add(critical, names).map(|_| ())
        })?;
        for extension in &self.extensions.extensions() {
            list.copy(extension)?;
        }
        let mut attributes = self.attributes.clone();
        if let Some(extensions) = Extensions::new(&list.extensions()) {
            attributes.push((oids::EXTENSION_REQUEST.as_bytes().to_vec(), vec![encode(&extensions)?]));
        }
        let values = attributes
            .iter()
            .map(|(_, values)| values.iter().map(|value| Any::from_der(value)).collect::<Result<Vec<_>, _>>())
            .collect::<Result<Vec<_>, _>>()?;
        let attributes: Vec<Attribute<'_>> = attributes
            .iter()
            .zip(&values)
            .filter_map(|((id, _), values)| {
                // Does not fail, because the bytes come from an OID.
                Some(Attribute { attr_type: Oid::from_content(id).ok()?, values: SetOf::from_slice(values) })
            })
            .collect();
        let info = CertificationRequestInfo {
            version: Version::V1,
            subject: self.subject.name(),
            subject_pk_info: SubjectPublicKeyInfo::from_der(public_key)?,
            attributes: SetOf::from_slice(&attributes),
        };
        crate::request(&info, algorithm)
    }

    /// Builds the request and signs it with the subject's key.
    ///
    /// # Errors
    /// Returns any error from [`tbs`](Self::tbs) or the key.
    pub fn sign(&self, key: &(impl SigningKey + ?Sized)) -> Result<CsrBuf, BuildError> {
        let identifier = key.signature_algorithm().map_err(BuildError::Signing)?;
        let unsigned = self.tbs(key.subject_public_key_info(), &algorithm(&identifier)?)?;
        Ok(CsrBuf::from_der(signed(&unsigned, key)?)?)
    }
}

//! A CA's name and key identifier, to which existing certificates and CRLs refer.
//!
//! Renewal or cross-signing of a CA certificate must preserve both byte for byte. Certificates issued by the CA refer to
//! its subject (RFC 5280 §4.1.2.6) and key identifier (§4.2.1.1).

use tagwise_codec::{Decode, encode};
use tagwise_pkix::ext::{AuthorityKeyIdentifier, BasicConstraints, SubjectKeyIdentifier};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{Certificate, CertificateList};

use crate::{Error, Restrictions};

/// The identity of a CA: its name and key identifier, to be preserved.
///
/// ```
/// # use tagwise_ca::Identity;
/// # fn renew(old: &[u8]) -> Result<(), tagwise_ca::Error> {
/// let identity = Identity::of_certificate(old)?;
/// println!("{}", identity.subject);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Identity {
    /// The CA's distinguished name, in its original encoding.
    pub subject: NameBuf,
    /// The subject key identifier, if known.
    pub key_identifier: Option<Vec<u8>>,
    /// The path length constraint in the CA's certificate, if any.
    pub path_len: Option<u8>,
    /// The restrictions in the CA's certificate.
    pub restrictions: Restrictions,
    /// The SubjectPublicKeyInfo in DER, if known.
    pub public_key: Option<Vec<u8>>,
}

impl Identity {
    /// Reads the subject's identity from a DER certificate.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the certificate cannot be decoded.
    pub fn of_certificate(der: &[u8]) -> Result<Self, Error> {
        let malformed = Error::malformed("the certificate");
        let read = Certificate::from_der(der).map_err(&malformed)?;
        let tbs = &read.tbs_certificate;
        let list = tbs.extensions;
        let own = list.map_or(Ok(None), |list| list.get::<SubjectKeyIdentifier<'_>>()).map_err(&malformed)?;
        let basic = list.map_or(Ok(None), |list| list.get::<BasicConstraints<'_>>()).map_err(&malformed)?;
        let mut restrictions = Restrictions::default();
        for extension in list.iter().flat_map(|list| list.iter()) {
            restrictions.add(&extension.map_err(&malformed)?).map_err(&malformed)?;
        }
        Ok(Self {
            restrictions,
            subject: NameBuf::new(&tbs.subject).map_err(failed)?,
            key_identifier: own.map(|own| own.0.as_bytes().to_vec()),
            path_len: basic.and_then(path_len),
            public_key: Some(encode(&tbs.subject_public_key_info).map_err(failed)?),
        })
    }

    /// Reads the issuer's identity from a DER CRL. The signature is not verified.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the CRL cannot be decoded.
    pub fn of_crl(der: &[u8]) -> Result<Self, Error> {
        let malformed = Error::malformed("the CRL");
        let read = CertificateList::from_der(der).map_err(&malformed)?;
        let tbs = &read.tbs_cert_list;
        let key = tbs.crl_extensions.map_or(Ok(None), |list| list.get::<AuthorityKeyIdentifier<'_>>());
        let key = key.map_err(&malformed)?.and_then(|key| key.key_identifier);
        Ok(Self {
            subject: NameBuf::new(&tbs.issuer).map_err(failed)?,
            key_identifier: key.map(|key| key.as_bytes().to_vec()),
            path_len: None,
            restrictions: Restrictions::default(),
            public_key: None,
        })
    }

    /// Returns the name in its original encoding if `name` matches it (RFC 5280 §7.1), otherwise `name`.
    #[must_use]
    pub fn preserved(&self, name: NameBuf) -> NameBuf {
        if self.subject.name().matches(&name.name()) { self.subject.clone() } else { name }
    }
}

fn failed(error: tagwise_codec::EncodeError) -> Error {
    Error::Build(error.into())
}

/// Returns the path length constraint, capped at 255, or `None` if there is none.
pub(crate) fn path_len(basic: BasicConstraints<'_>) -> Option<u8> {
    basic.path_len_constraint.map(|count| u8::try_from(count.get()).unwrap_or(u8::MAX))
}

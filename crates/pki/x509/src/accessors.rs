//! Accessors for certificates, CRLs and requests. The owned types have the same accessors.

use tagwise_codec::{Decode, Error};

use crate::alg::SubjectPublicKeyInfo;
use crate::cert::{Certificate, CertificateSerialNumber, Extensions, Version};
use crate::crl::{CertificateList, RevokedCertificate};
use crate::csr::CertificationRequest;
use crate::ext::{CrlNumber, GeneralName, KnownExtension, SubjectAltName};
use crate::name::Name;
use crate::oids;
use crate::time::Time;

/// Iterates over the names of a decoded SubjectAltName. Yields nothing if it is absent, and only the error if it is
/// malformed.
fn names<'a>(
    read: Result<Option<SubjectAltName<'a>>, Error>,
) -> impl Iterator<Item = Result<GeneralName<'a>, Error>> + use<'a> {
    let (names, error) = match read {
        Ok(names) => (names, None),
        Err(error) => (None, Some(error)),
    };
    error.into_iter().map(Err).chain(names.into_iter().flat_map(|names| names.0.0.iter()))
}

impl<'a> Certificate<'a> {
    /// Returns the version.
    #[must_use]
    pub fn version(&self) -> Version {
        self.tbs_certificate.version
    }

    /// Returns the serial number.
    #[must_use]
    pub fn serial_number(&self) -> CertificateSerialNumber<'a> {
        self.tbs_certificate.serial_number
    }

    /// Returns the issuer's distinguished name.
    #[must_use]
    pub fn issuer(&self) -> Name<'a> {
        self.tbs_certificate.issuer
    }

    /// Returns the subject's distinguished name.
    #[must_use]
    pub fn subject(&self) -> Name<'a> {
        self.tbs_certificate.subject
    }

    /// Returns the start of the validity period, inclusive.
    #[must_use]
    pub fn not_before(&self) -> Time<'a> {
        self.tbs_certificate.validity.not_before
    }

    /// Returns the end of the validity period, inclusive.
    #[must_use]
    pub fn not_after(&self) -> Time<'a> {
        self.tbs_certificate.validity.not_after
    }

    /// Returns the subject's public key.
    #[must_use]
    pub fn public_key(&self) -> SubjectPublicKeyInfo<'a> {
        self.tbs_certificate.subject_public_key_info
    }

    /// Returns the extensions. Empty if the list is absent.
    #[must_use]
    pub fn extensions(&self) -> Extensions<'a> {
        self.tbs_certificate.extensions.unwrap_or_default()
    }

    /// Decodes the extension of type `T`. Returns `None` if it is absent.
    ///
    /// # Errors
    /// Returns any error from [`Extensions::get`].
    pub fn extension<T: KnownExtension + Decode<'a>>(&self) -> Result<Option<T>, Error> {
        self.extensions().get()
    }

    /// Iterates over the subject alternative names, if any. Yields an error only if the certificate was decoded as an outline
    /// (only its top-level structure) or tolerantly.
    pub fn names(&self) -> impl Iterator<Item = Result<GeneralName<'a>, Error>> + use<'a> {
        names(self.extension())
    }
}

impl<'a> CertificateList<'a> {
    /// Returns the issuer's distinguished name.
    #[must_use]
    pub fn issuer(&self) -> Name<'a> {
        self.tbs_cert_list.issuer
    }

    /// Returns the time of issue.
    #[must_use]
    pub fn this_update(&self) -> Time<'a> {
        self.tbs_cert_list.this_update
    }

    /// Returns the time by which the next CRL will be issued.
    #[must_use]
    pub fn next_update(&self) -> Option<Time<'a>> {
        self.tbs_cert_list.next_update
    }

    /// Iterates over the revoked certificates. Yields an error only if the CRL was decoded as an outline (only its top-level
    /// structure) or tolerantly.
    pub fn entries(&self) -> impl Iterator<Item = Result<RevokedCertificate<'a>, Error>> + use<'a> {
        self.tbs_cert_list.revoked_certificates.into_iter().flatten()
    }

    /// Returns the CRL's extensions. Empty if the list is absent.
    #[must_use]
    pub fn extensions(&self) -> Extensions<'a> {
        self.tbs_cert_list.crl_extensions.unwrap_or_default()
    }

    /// Decodes the extension of type `T`. Returns `None` if it is absent.
    ///
    /// # Errors
    /// Returns any error from [`Extensions::get`].
    pub fn extension<T: KnownExtension + Decode<'a>>(&self) -> Result<Option<T>, Error> {
        self.extensions().get()
    }

    /// Returns the CRL number, if present.
    ///
    /// # Errors
    /// Returns any error from [`Extensions::get`].
    pub fn number(&self) -> Result<Option<CrlNumber<'a>>, Error> {
        self.extension()
    }
}

impl<'a> CertificationRequest<'a> {
    /// Returns the requested subject name.
    #[must_use]
    pub fn subject(&self) -> Name<'a> {
        self.certification_request_info.subject
    }

    /// Returns the public key to certify.
    #[must_use]
    pub fn public_key(&self) -> SubjectPublicKeyInfo<'a> {
        self.certification_request_info.subject_pk_info
    }

    /// Returns the requested extensions (RFC 2985 §5.4.2). Empty if the attribute is absent.
    ///
    /// # Errors
    /// Returns an error if the attribute or its extension list does not decode.
    pub fn extensions(&self) -> Result<Extensions<'a>, Error> {
        for attribute in self.certification_request_info.attributes {
            let attribute = attribute?;
            if attribute.attr_type == oids::EXTENSION_REQUEST
                && let Some(value) = attribute.values.iter().next()
            {
                return value?.decode_as();
            }
        }
        Ok(Extensions::default())
    }

    /// Decodes the requested extension of type `T`. Returns `None` if it is absent.
    ///
    /// # Errors
    /// Returns any error from [`extensions`](Self::extensions) or [`Extensions::get`].
    pub fn extension<T: KnownExtension + Decode<'a>>(&self) -> Result<Option<T>, Error> {
        self.extensions()?.get()
    }

    /// Iterates over the requested subject alternative names. Yields an error if they do not decode.
    pub fn names(&self) -> impl Iterator<Item = Result<GeneralName<'a>, Error>> + use<'a> {
        names(self.extension())
    }
}

//! Getters of certificates, lists and requests for callers who need not know how they are put together; the owned ones have the same.

use tagwise_codec::{Decode, Error};

use crate::alg::SubjectPublicKeyInfo;
use crate::cert::{Certificate, CertificateSerialNumber, Extensions, Version};
use crate::crl::{CertificateList, RevokedCertificate};
use crate::csr::CertificationRequest;
use crate::ext::{CrlNumber, GeneralName, KnownExtension, SubjectAltName};
use crate::name::Name;
use crate::oids;
use crate::time::Time;

/// The names of a SubjectAltName that may be absent or wrong.
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
    /// The version.
    #[must_use]
    pub fn version(&self) -> Version {
        self.tbs_certificate.version
    }

    /// The serial number.
    #[must_use]
    pub fn serial_number(&self) -> CertificateSerialNumber<'a> {
        self.tbs_certificate.serial_number
    }

    /// The issuer's name.
    #[must_use]
    pub fn issuer(&self) -> Name<'a> {
        self.tbs_certificate.issuer
    }

    /// The subject's name.
    #[must_use]
    pub fn subject(&self) -> Name<'a> {
        self.tbs_certificate.subject
    }

    /// The first moment at which it is valid.
    #[must_use]
    pub fn not_before(&self) -> Time<'a> {
        self.tbs_certificate.validity.not_before
    }

    /// The last moment at which it is valid.
    #[must_use]
    pub fn not_after(&self) -> Time<'a> {
        self.tbs_certificate.validity.not_after
    }

    /// The key.
    #[must_use]
    pub fn public_key(&self) -> SubjectPublicKeyInfo<'a> {
        self.tbs_certificate.subject_public_key_info
    }

    /// The extensions; none where the list is absent.
    #[must_use]
    pub fn extensions(&self) -> Extensions<'a> {
        self.tbs_certificate.extensions.unwrap_or_default()
    }

    /// The value of the extension that a type is of; nothing if there is no such extension.
    ///
    /// # Errors
    /// Those of [`Extensions::get`].
    pub fn extension<T: KnownExtension + Decode<'a>>(&self) -> Result<Option<T>, Error> {
        self.extensions().get()
    }

    /// The subject's alternative names; none where that extension is absent. An error, possible only after an outline or where a rule
    /// tolerated something, is an item.
    pub fn names(&self) -> impl Iterator<Item = Result<GeneralName<'a>, Error>> + use<'a> {
        names(self.extension())
    }
}

impl<'a> CertificateList<'a> {
    /// The issuer's name.
    #[must_use]
    pub fn issuer(&self) -> Name<'a> {
        self.tbs_cert_list.issuer
    }

    /// Time of issue.
    #[must_use]
    pub fn this_update(&self) -> Time<'a> {
        self.tbs_cert_list.this_update
    }

    /// Time of the next list.
    #[must_use]
    pub fn next_update(&self) -> Option<Time<'a>> {
        self.tbs_cert_list.next_update
    }

    /// The entries. An error, possible only after an outline or where a rule tolerated something, is an item.
    pub fn entries(&self) -> impl Iterator<Item = Result<RevokedCertificate<'a>, Error>> + use<'a> {
        self.tbs_cert_list.revoked_certificates.into_iter().flatten()
    }

    /// The extensions of the list; none where they are absent.
    #[must_use]
    pub fn extensions(&self) -> Extensions<'a> {
        self.tbs_cert_list.crl_extensions.unwrap_or_default()
    }

    /// The value of the extension that a type is of; nothing if there is no such extension.
    ///
    /// # Errors
    /// Those of [`Extensions::get`].
    pub fn extension<T: KnownExtension + Decode<'a>>(&self) -> Result<Option<T>, Error> {
        self.extensions().get()
    }

    /// The number of the list, if it has one.
    ///
    /// # Errors
    /// Those of [`Extensions::get`].
    pub fn number(&self) -> Result<Option<CrlNumber<'a>>, Error> {
        self.extension()
    }
}

impl<'a> CertificationRequest<'a> {
    /// The name that is asked for.
    #[must_use]
    pub fn subject(&self) -> Name<'a> {
        self.certification_request_info.subject
    }

    /// The key that is to be certified.
    #[must_use]
    pub fn public_key(&self) -> SubjectPublicKeyInfo<'a> {
        self.certification_request_info.subject_pk_info
    }

    /// The extensions that are asked for (RFC 2985 §5.4.2); none where that attribute is absent.
    ///
    /// # Errors
    /// An attribute or a list of extensions that does not decode.
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

    /// The value of the extension that is asked for and that a type is of; nothing if there is no such extension.
    ///
    /// # Errors
    /// Those of [`extensions`](Self::extensions) and of [`Extensions::get`].
    pub fn extension<T: KnownExtension + Decode<'a>>(&self) -> Result<Option<T>, Error> {
        self.extensions()?.get()
    }

    /// The alternative names that are asked for; an error is an item.
    pub fn names(&self) -> impl Iterator<Item = Result<GeneralName<'a>, Error>> + use<'a> {
        names(self.extension())
    }
}

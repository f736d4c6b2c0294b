//! Owned values, for storage in collections, sharing between threads, and language bindings.

use core::fmt;
use core::hash::{Hash, Hasher};
use std::sync::Arc;

use tagwise_codec::pem::{self, PemError};
use tagwise_codec::{Decode, EncodeError, Error, Options};
use tagwise_facts::files;

use crate::alg::SubjectPublicKeyInfo;
use crate::cert::{Certificate, CertificateSerialNumber, Extensions, Version};
use crate::crl::{CertificateList, RevokedCertificate};
use crate::csr::CertificationRequest;
use crate::ext::{CrlNumber, GeneralName, KnownExtension};
use crate::name::Name;
use crate::time::Time;

/// Not part of the public API: used by the `tagwise-messages` crate.
#[doc(hidden)]
#[macro_export]
macro_rules! __owned {
    ($(#[$doc:meta])* $name:ident, $ty:ident, $cell:ident, $kind:ident) => {
        mod $cell {
            use self_cell::self_cell;

            use super::$ty;

            self_cell!(
                pub(super) struct Cell {
                    owner: Box<[u8]>,
                    #[covariant]
                    dependent: $ty,
                }
            );
        }

        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(Arc<$cell::Cell>);

        impl $name {
            /// The PEM label.
            pub const PEM_LABEL: &'static str = match files::$kind.labels {
                [label, ..] => label,
                [] => "",
            };

            /// Decodes and checks every byte, like [`from_der`](Decode::from_der).
            ///
            /// # Errors
            /// Returns the first error found.
            pub fn from_der(der: impl Into<Box<[u8]>>) -> Result<Self, Error> {
                let cell = $cell::Cell::try_new(der.into(), |der| $ty::from_der(der))?;
                Ok(Self(Arc::new(cell)))
            }

            /// Decodes with the given options, checking every byte.
            ///
            /// # Errors
            /// Returns the first error that is not tolerated.
            pub fn decode_with(der: impl Into<Box<[u8]>>, options: &Options<'_>) -> Result<Self, Error> {
                let cell = $cell::Cell::try_new(der.into(), |der| options.decode::<$ty<'_>>(der).map(|read| read.value))?;
                Ok(Self(Arc::new(cell)))
            }

            /// Decodes the top-level structure, like [`outline`](Decode::outline).
            ///
            /// # Errors
            /// Returns the first error in the top-level structure.
            pub fn outline(der: impl Into<Box<[u8]>>) -> Result<Self, Error> {
                let cell = $cell::Cell::try_new(der.into(), |der| $ty::outline(der))?;
                Ok(Self(Arc::new(cell)))
            }

            /// Decodes the top-level structure with the given options.
            ///
            /// # Errors
            /// Returns the first error in the top-level structure that is not tolerated.
            pub fn outline_with(der: impl Into<Box<[u8]>>, options: &Options<'_>) -> Result<Self, Error> {
                let cell = $cell::Cell::try_new(der.into(), |der| options.outline::<$ty<'_>>(der).map(|read| read.value))?;
                Ok(Self(Arc::new(cell)))
            }

            /// Decodes the first PEM block with a label for this type ([`files`]). Other blocks and text are skipped, and OpenSSL's
            /// auxiliary trust data after a certificate is removed.
            ///
            /// # Errors
            /// Returns an error if there is no such block, or it is malformed.
            pub fn from_pem(text: impl AsRef<[u8]>) -> Result<Self, PemError> {
                Ok(Self::from_der($crate::pem::first(&files::$kind, text.as_ref())?)?)
            }

            /// Decodes all PEM blocks with a label for this type, in order. Blocks with other labels are skipped, as are
            /// blocks without an END line in a truncated text ([`pem::all`] reports their errors).
            ///
            /// # Errors
            /// Returns the first error in a block.
            pub fn from_pem_many(text: impl AsRef<[u8]>) -> Result<Vec<Self>, PemError> {
                let (mut values, mut cut) = (Vec::new(), None);
                for der in $crate::pem::all(&files::$kind, text.as_ref()) {
                    match der {
                        Ok(der) => values.push(Self::from_der(der)?),
                        Err(PemError::Pem(error)) if error.kind() == tagwise_codec::FaultKind::PemUnterminated => cut = cut.or(Some(error)),
                        Err(error) => return Err(error),
                    }
                }
                cut.filter(|_| values.is_empty()).map_or(Ok(values), |error| Err(error.into()))
            }

            /// Encodes the value as a PEM block.
            ///
            /// # Errors
            /// Returns an error if the value exceeds the maximum size of an encoding.
            pub fn to_pem(&self) -> Result<String, EncodeError> {
                pem::encode(Self::PEM_LABEL, self.as_der())
            }

            /// Borrows the value.
            #[must_use]
            pub fn get(&self) -> &$ty<'_> {
                self.0.borrow_dependent()
            }

            /// Returns the value's DER.
            #[must_use]
            pub fn as_der(&self) -> &[u8] {
                self.0.borrow_owner()
            }

            /// Copies the value's DER.
            #[must_use]
            pub fn to_der(&self) -> Vec<u8> {
                self.as_der().to_vec()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.get().fmt(f)
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.as_der() == other.as_der()
            }
        }

        impl Eq for $name {}

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.as_der().hash(state);
            }
        }

        impl AsRef<[u8]> for $name {
            fn as_ref(&self) -> &[u8] {
                self.as_der()
            }
        }

        impl TryFrom<Vec<u8>> for $name {
            type Error = Error;

            fn try_from(der: Vec<u8>) -> Result<Self, Error> {
                Self::from_der(der)
            }
        }

        impl TryFrom<&[u8]> for $name {
            type Error = Error;

            fn try_from(der: &[u8]) -> Result<Self, Error> {
                Self::from_der(der)
            }
        }

        /// Parses the first PEM block, like `from_pem`.
        impl core::str::FromStr for $name {
            type Err = PemError;

            fn from_str(text: &str) -> Result<Self, PemError> {
                Self::from_pem(text)
            }
        }

        const _: () = {
            const fn is_shared_among_threads<T: Send + Sync>() {}
            is_shared_among_threads::<$name>();
        };
    };
}

__owned! {
    /// An owned [`Certificate`]: pointer-sized, parsed once, and shared by its clones.
    ///
    /// ```no_run
    /// use tagwise_x509::CertificateBuf;
    /// let certificate = CertificateBuf::from_pem(std::fs::read("certificate.pem")?)?;
    /// let subject = std::thread::spawn(move || certificate.subject().to_string());
    /// println!("{}", subject.join().unwrap());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    CertificateBuf, Certificate, certificate, CERTIFICATE
}

__owned! {
    /// An owned [`CertificateList`]: pointer-sized, parsed once, and shared by its clones.
    CrlBuf, CertificateList, list, CRL
}

__owned! {
    /// An owned [`CertificationRequest`]: pointer-sized, parsed once, and shared by its clones.
    CsrBuf, CertificationRequest, request, CERTIFICATION_REQUEST
}

/// Forwards getters of an owned value to the borrowed one.
macro_rules! getters {
    ($name:ident: $($(#[$doc:meta])* $method:ident -> $ty:ty;)*) => {
        impl $name {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $method(&self) -> $ty {
                    self.get().$method()
                }
            )*
        }
    };
}

getters! { CertificateBuf:
    /// The version.
    version -> Version;
    /// The serial number.
    serial_number -> CertificateSerialNumber<'_>;
    /// The issuer's distinguished name.
    issuer -> Name<'_>;
    /// The subject's distinguished name.
    subject -> Name<'_>;
    /// The start of the validity period, inclusive.
    not_before -> Time<'_>;
    /// The end of the validity period, inclusive.
    not_after -> Time<'_>;
    /// The subject's public key.
    public_key -> SubjectPublicKeyInfo<'_>;
    /// The extensions. Empty if the list is absent.
    extensions -> Extensions<'_>;
}

getters! { CrlBuf:
    /// The issuer's distinguished name.
    issuer -> Name<'_>;
    /// The time of issue.
    this_update -> Time<'_>;
    /// The time by which the next CRL will be issued.
    next_update -> Option<Time<'_>>;
    /// The CRL's extensions. Empty if the list is absent.
    extensions -> Extensions<'_>;
}

getters! { CsrBuf:
    /// The requested subject name.
    subject -> Name<'_>;
    /// The public key to certify.
    public_key -> SubjectPublicKeyInfo<'_>;
}

impl CertificateBuf {
    /// Decodes the extension of type `T`: see [`Certificate::extension`].
    ///
    /// # Errors
    /// Returns the errors of [`Extensions::get`].
    pub fn extension<'a, T: KnownExtension + Decode<'a>>(&'a self) -> Result<Option<T>, Error> {
        self.get().extension()
    }

    /// Iterates over the subject alternative names: see [`Certificate::names`].
    pub fn names(&self) -> impl Iterator<Item = Result<GeneralName<'_>, Error>> {
        self.get().names()
    }
}

impl CrlBuf {
    /// Decodes the extension of type `T`: see [`CertificateList::extension`].
    ///
    /// # Errors
    /// Returns the errors of [`Extensions::get`].
    pub fn extension<'a, T: KnownExtension + Decode<'a>>(&'a self) -> Result<Option<T>, Error> {
        self.get().extension()
    }

    /// Iterates over the revoked certificates: see [`CertificateList::entries`].
    pub fn entries(&self) -> impl Iterator<Item = Result<RevokedCertificate<'_>, Error>> {
        self.get().entries()
    }

    /// Returns the CRL number, if present.
    ///
    /// # Errors
    /// Returns the errors of [`Extensions::get`].
    pub fn number(&self) -> Result<Option<CrlNumber<'_>>, Error> {
        self.get().number()
    }
}

impl CsrBuf {
    /// Decodes the requested extension of type `T`: see [`CertificationRequest::extension`].
    ///
    /// # Errors
    /// Returns the errors of [`CertificationRequest::extension`].
    pub fn extension<'a, T: KnownExtension + Decode<'a>>(&'a self) -> Result<Option<T>, Error> {
        self.get().extension()
    }

    /// Returns the requested extensions: see [`CertificationRequest::extensions`].
    ///
    /// # Errors
    /// Returns the errors of [`CertificationRequest::extensions`].
    pub fn extensions(&self) -> Result<Extensions<'_>, Error> {
        self.get().extensions()
    }

    /// Iterates over the requested subject alternative names: see [`CertificationRequest::names`].
    pub fn names(&self) -> impl Iterator<Item = Result<GeneralName<'_>, Error>> {
        self.get().names()
    }
}

/// A certificate, borrowed or owned.
pub trait AsCertificate {
    /// Borrows the certificate.
    fn as_certificate(&self) -> &Certificate<'_>;
}

impl AsCertificate for Certificate<'_> {
    fn as_certificate(&self) -> &Certificate<'_> {
        self
    }
}

impl AsCertificate for CertificateBuf {
    fn as_certificate(&self) -> &Certificate<'_> {
        self.get()
    }
}

impl<T: AsCertificate + ?Sized> AsCertificate for &T {
    fn as_certificate(&self) -> &Certificate<'_> {
        (**self).as_certificate()
    }
}

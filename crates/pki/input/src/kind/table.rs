//! The table of file kinds: their names, ASN.1 types and recognition functions.

use tagwise_codec::table::{Type, Typed};
use tagwise_codec::{Any, Decode, ber};
use tagwise_pkix::{
    Certificate, CertificateList, RsaPublicKey, SubjectPublicKeyInfo, TbsCertificateLogEntry, ac, algorithms, cmc, cmp,
    cms, crmf, csr, ocsp, pkcs1, pkcs8, pkcs12, sec1, tsp,
};

use tagwise_pkix::oids::files::{self, FileKind};

use super::detect as looks;
use crate::MESSAGES;

use super::frame::Frame;
use super::spkac::SignedPublicKeyAndChallenge;

/// A function that converts BER to DER. It returns `None` if the input is already DER or cannot be converted.
type ToDer = fn(&[u8]) -> Option<Vec<u8>>;

/// The properties of a kind.
struct Row {
    kind: ValueKind,
    file: &'static FileKind,
    ty: fn() -> &'static Type,
    to_der: Option<ToDer>,
    looks: fn(&Frame<'_>) -> bool,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $file:ident, $ty:ty, $looks:path, $der:expr;)*) => {
        /// A kind of value that files contain, such as a certificate or a private key.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ValueKind {
            $($(#[$doc])* $kind,)*
        }

        impl ValueKind {
            /// All kinds, in the order in which they are tried.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            const fn row(self) -> &'static Row {
                match self {
                    $(Self::$kind => const { &Row {
                        kind: Self::$kind,
                        file: &files::$file,
                        ty: if Self::$kind.is_read() { <$ty as Typed>::ty } else { <Any<'static> as Typed>::ty },
                        to_der: if MESSAGES { $der } else { None },
                        looks: $looks,
                    } },)*
                }
            }
        }
    };
}

// The row in `files`, the type, the frame, and the conversion from BER. The first kind whose frame fits is taken, so the order
// counts where frames resemble each other.
kinds! {
    /// A CMS or PKCS #7 message: `ContentInfo` (RFC 5652 §3).
    Cms = CMS, cms::ContentInfo<'static>, looks::cms, Some(|ber| der_of::<cms::ContentInfo<'_>>(ber));
    /// A time stamp request: `TimeStampReq` (RFC 3161 §2.4.1).
    TimeStampRequest = TIME_STAMP_REQUEST, tsp::TimeStampReq<'static>, looks::time_stamp_request, None;
    /// A PKCS #8 private key: `OneAsymmetricKey` (RFC 5958 §2).
    PrivateKey = PRIVATE_KEY, pkcs8::OneAsymmetricKey<'static>, looks::private_key, None;
    /// A PKCS #12 file: `PFX` (RFC 7292 §4).
    Pkcs12 = PKCS12, pkcs12::Pfx<'static>, looks::pkcs12, Some(|ber| der_of::<pkcs12::Pfx<'_>>(ber));
    /// A bare RSA public key: `RSAPublicKey` (RFC 8017 App. A.1.1).
    RsaPublicKey = RSA_PUBLIC_KEY, RsaPublicKey<'static>, looks::rsa_public_key, None;
    /// A bare RSA private key: `RSAPrivateKey` (RFC 8017 App. A.1.2).
    RsaPrivateKey = RSA_PRIVATE_KEY, pkcs1::RsaPrivateKey<'static>, looks::rsa_private_key, None;
    /// A bare elliptic-curve private key: `ECPrivateKey` (RFC 5915 §3).
    EcPrivateKey = EC_PRIVATE_KEY, sec1::EcPrivateKey<'static>, looks::ec_private_key, None;
    /// A public key with its algorithm: `SubjectPublicKeyInfo` (RFC 5280 §4.1.2.7).
    PublicKey = PUBLIC_KEY, SubjectPublicKeyInfo<'static>, looks::public_key, None;
    /// A passphrase-encrypted private key: `EncryptedPrivateKeyInfo` (RFC 5958 §3).
    EncryptedPrivateKey = ENCRYPTED_PRIVATE_KEY, pkcs8::EncryptedPrivateKeyInfo<'static>, looks::encrypted_private_key, None;
    /// An OCSP response (RFC 6960 §4.2.1).
    OcspResponse = OCSP_RESPONSE, ocsp::OcspResponse<'static>, looks::ocsp_response, None;
    /// A CMP message: `PKIMessage` (RFC 9810 §5.1).
    Cmp = CMP, cmp::PkiMessage<'static>, looks::cmp, None;
    /// Certificate request messages: `CertReqMessages`, CRMF (RFC 4211 §3).
    CertificateRequestMessages = CERTIFICATE_REQUEST_MESSAGES, crmf::CertReqMessages<'static>, looks::crmf, None;
    /// A full CMC request: `PKIData` (RFC 5272 §3.2.1).
    CmcRequest = CMC_REQUEST, cmc::PkiData<'static>, looks::cmc_request, None;
    /// A full CMC response: `PKIResponse` (RFC 5272 §4.2).
    CmcResponse = CMC_RESPONSE, cmc::PkiResponse<'static>, looks::cmc_response, None;
    /// An OCSP request (RFC 6960 §4.1.1).
    OcspRequest = OCSP_REQUEST, ocsp::OcspRequest<'static>, looks::ocsp_request, None;
    /// A time stamp response: `TimeStampResp` (RFC 3161 §2.4.2).
    TimeStampResponse = TIME_STAMP_RESPONSE, tsp::TimeStampResp<'static>, looks::time_stamp_response, Some(|ber| der_of::<tsp::TimeStampResp<'_>>(ber));
    /// An entry of a Merkle Tree Certificate log: `TBSCertificateLogEntry` (draft-ietf-plants-merkle-tree-certs-07 §5.2.1).
    LogEntry = LOG_ENTRY, TbsCertificateLogEntry<'static>, looks::log_entry, None;
    /// A CRL: `CertificateList` (RFC 5280 §5.1).
    CertificateList = CRL, CertificateList<'static>, looks::crl, None;
    /// A certification request: PKCS #10 (RFC 2986 §4.2).
    CertificationRequest = CERTIFICATION_REQUEST, csr::CertificationRequest<'static>, looks::certification_request, None;
    /// A signed public key and challenge, SPKAC (HTML 5.0 §4.10.15).
    SignedPublicKeyAndChallenge = SIGNED_PUBLIC_KEY_AND_CHALLENGE, SignedPublicKeyAndChallenge<'static>, looks::signed_public_key_and_challenge, None;
    /// An attribute certificate (RFC 5755 §4.1).
    AttributeCertificate = ATTRIBUTE_CERTIFICATE, ac::AttributeCertificate<'static>, looks::attribute_certificate, None;
    /// Curve parameters, which `openssl ecparam` writes before a key: `ECParameters` (RFC 5480 §2.1.1).
    EcParameters = EC_PARAMETERS, algorithms::EcParameters<'static>, looks::by_label_only, None;
    /// An X.509 certificate (RFC 5280 §4.1).
    Certificate = CERTIFICATE, Certificate<'static>, looks::certificate, None;
}

impl ValueKind {
    /// The name in JSON and options, in kebab case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().file.name
    }

    /// Returns the descriptive name, such as `certification request (PKCS #10)`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        self.row().file.words
    }

    /// Returns the PEM label for writing (from RFC 7468, or otherwise OpenSSL's).
    #[must_use]
    pub fn label(self) -> Option<&'static str> {
        self.row().file.labels.first().copied()
    }

    /// Returns the kind's row in the table of file kinds.
    #[must_use]
    pub const fn file(self) -> &'static FileKind {
        self.row().file
    }

    /// All accepted PEM labels.
    #[must_use]
    pub const fn labels(self) -> &'static [&'static str] {
        self.row().file.labels
    }

    /// Returns the kind for a PEM label.
    ///
    /// ```
    /// use tagwise_input::ValueKind;
    /// assert_eq!(ValueKind::of_label("X509 CRL"), Some(ValueKind::CertificateList));
    /// assert_eq!(ValueKind::of_label("DH PARAMETERS"), None);
    /// ```
    #[must_use]
    pub fn of_label(label: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.labels().contains(&label))
    }

    /// Returns the kind with the given ASN.1 type.
    #[must_use]
    pub fn of_type(ty: &Type) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| *kind.ty().name == *ty.name)
    }

    /// Returns the ASN.1 type of the kind, or `ANY` if values of this kind are not [read](Self::is_read).
    #[must_use]
    pub fn ty(self) -> &'static Type {
        (self.row().ty)()
    }

    /// Returns whether values of this kind are read. Without the feature `messages`, only certificates, CRLs and public keys are, and
    /// [`find`](crate::find) only names the others.
    #[must_use]
    pub const fn is_read(self) -> bool {
        MESSAGES || matches!(self, Self::Certificate | Self::CertificateList | Self::PublicKey | Self::RsaPublicKey)
    }

    /// Returns whether the kind is a key, public or private.
    #[must_use]
    pub const fn is_key(self) -> bool {
        self.row().file.is_key
    }

    /// Returns whether the kind is a certificate or CRL, which are signed in DER and never re-encoded.
    #[must_use]
    pub const fn is_certificate_or_list(self) -> bool {
        matches!(self, Self::Certificate | Self::CertificateList)
    }

    /// Converts a BER value to DER, if the kind's standard allows BER. Returns `None` if it is already DER or cannot be
    /// converted.
    #[must_use]
    pub fn to_der(self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.row().to_der.and_then(|to_der| to_der(bytes))
    }

    pub(crate) fn looks(self, frame: &Frame<'_>) -> bool {
        let row = self.row();
        debug_assert!(row.kind == self);
        (row.looks)(frame)
    }
}

fn der_of<'a, T: Decode<'a> + Typed>(ber: &'a [u8]) -> Option<Vec<u8>> {
    let der = ber::to_der::<T>(ber).ok()?.into_bytes();
    (*der != *ber).then(|| der.into_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_and_labels_are_unique() {
        let names: BTreeSet<&str> = ValueKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), ValueKind::ALL.len());
        assert_eq!(names, files::ALL.iter().map(|file| file.name).collect());
        let mut seen = BTreeSet::new();
        for kind in ValueKind::ALL {
            for label in kind.labels() {
                assert!(seen.insert(*label), "{label} is listed twice");
                assert_eq!(ValueKind::of_label(label), Some(*kind));
            }
            assert_eq!(ValueKind::of_type(kind.ty()), Some(*kind));
        }
    }

    #[test]
    fn der_is_made_of_ber() {
        let ber = [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01, 0, 0];
        let der = ValueKind::Cms.to_der(&ber).unwrap();
        assert_eq!(der.get(..2).unwrap(), [0x30, 0x0B]);
        assert_eq!(ValueKind::Cms.to_der(&der), None);
        assert_eq!(ValueKind::Certificate.to_der(&ber), None);
    }
}

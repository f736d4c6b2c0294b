//! The table of kinds.

use tagwise_codec::table::{Type, Typed};
use tagwise_codec::{Decode, ber};
use tagwise_pkix::{
    Certificate, CertificateList, RsaPublicKey, SubjectPublicKeyInfo, ac, algorithms, cmc, cmp, cms, crmf, csr, ocsp,
    pkcs1, pkcs8, pkcs12, sec1, tsp,
};

use crate::detect as looks;
use crate::frame::Frame;
use crate::spkac::SignedPublicKeyAndChallenge;

/// Makes DER of BER; `None` if it is DER already or cannot be converted.
type ToDer = fn(&[u8]) -> Option<Vec<u8>>;

/// Everything that is known of one kind.
struct Row {
    kind: Kind,
    name: &'static str,
    words: &'static str,
    labels: &'static [&'static str],
    ty: fn() -> &'static Type,
    to_der: Option<ToDer>,
    is_key: bool,
    looks: fn(&Frame<'_>) -> bool,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident {
        name: $name:literal, words: $words:literal, labels: $labels:expr, ty: $ty:ty, looks: $looks:path, to_der: $der:expr, is_key: $key:literal,
    })*) => {
        /// A kind of value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// All kinds, in the order in which they are tried.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            const fn row(self) -> &'static Row {
                match self {
                    $(Self::$kind => const { &Row {
                        kind: Self::$kind,
                        name: $name,
                        words: $words,
                        labels: $labels,
                        ty: <$ty as Typed>::ty,
                        to_der: $der,
                        is_key: $key,
                        looks: $looks,
                    } },)*
                }
            }
        }
    };
}

// The first kind whose frame fits is taken, so the order counts where frames resemble each other.
kinds! {
    /// A CMS or PKCS #7 message: `ContentInfo` (RFC 5652 §3).
    Cms {
        name: "cms", words: "CMS (PKCS #7) message", labels: &["CMS", "PKCS7", "PKCS #7 SIGNED DATA"],
        ty: cms::ContentInfo<'static>, looks: looks::cms, to_der: Some(|ber| der_of::<cms::ContentInfo<'_>>(ber)), is_key: false,
    }
    /// A time stamp request: `TimeStampReq` (RFC 3161 §2.4.1).
    TimeStampRequest {
        name: "time-stamp-request", words: "time-stamp request", labels: &["TIMESTAMP QUERY", "TIME STAMP REQUEST"],
        ty: tsp::TimeStampReq<'static>, looks: looks::time_stamp_request, to_der: None, is_key: false,
    }
    /// A PKCS #8 private key: `OneAsymmetricKey` (RFC 5958 §2).
    PrivateKey {
        name: "private-key", words: "private key (PKCS #8)", labels: &["PRIVATE KEY"],
        ty: pkcs8::OneAsymmetricKey<'static>, looks: looks::private_key, to_der: None, is_key: true,
    }
    /// A PKCS #12 file: `PFX` (RFC 7292 §4).
    Pkcs12 {
        name: "pkcs12", words: "PKCS #12 file", labels: &["PKCS12"],
        ty: pkcs12::Pfx<'static>, looks: looks::pkcs12, to_der: Some(|ber| der_of::<pkcs12::Pfx<'_>>(ber)), is_key: false,
    }
    /// A bare RSA public key: `RSAPublicKey` (RFC 8017 App. A.1.1).
    RsaPublicKey {
        name: "rsa-public-key", words: "RSA public key (PKCS #1)", labels: &["RSA PUBLIC KEY"],
        ty: RsaPublicKey<'static>, looks: looks::rsa_public_key, to_der: None, is_key: true,
    }
    /// A bare RSA private key: `RSAPrivateKey` (RFC 8017 App. A.1.2).
    RsaPrivateKey {
        name: "rsa-private-key", words: "RSA private key (PKCS #1)", labels: &["RSA PRIVATE KEY"],
        ty: pkcs1::RsaPrivateKey<'static>, looks: looks::rsa_private_key, to_der: None, is_key: true,
    }
    /// A bare elliptic-curve private key: `ECPrivateKey` (RFC 5915 §3).
    EcPrivateKey {
        name: "ec-private-key", words: "EC private key", labels: &["EC PRIVATE KEY"],
        ty: sec1::EcPrivateKey<'static>, looks: looks::ec_private_key, to_der: None, is_key: true,
    }
    /// A public key with its algorithm: `SubjectPublicKeyInfo` (RFC 5280 §4.1.2.7).
    PublicKey {
        name: "public-key", words: "public key", labels: &["PUBLIC KEY"],
        ty: SubjectPublicKeyInfo<'static>, looks: looks::public_key, to_der: None, is_key: true,
    }
    /// A passphrase-encrypted private key: `EncryptedPrivateKeyInfo` (RFC 5958 §3).
    EncryptedPrivateKey {
        name: "encrypted-private-key", words: "encrypted private key (PKCS #8)", labels: &["ENCRYPTED PRIVATE KEY"],
        ty: pkcs8::EncryptedPrivateKeyInfo<'static>, looks: looks::encrypted_private_key, to_der: None, is_key: true,
    }
    /// An OCSP response (RFC 6960 §4.2.1).
    OcspResponse {
        name: "ocsp-response", words: "OCSP response", labels: &["OCSP RESPONSE"],
        ty: ocsp::OcspResponse<'static>, looks: looks::ocsp_response, to_der: None, is_key: false,
    }
    /// A CMP message: `PKIMessage` (RFC 9810 §5.1).
    Cmp {
        name: "cmp", words: "CMP message", labels: &[],
        ty: cmp::PkiMessage<'static>, looks: looks::cmp, to_der: None, is_key: false,
    }
    /// Certificate request messages: `CertReqMessages`, CRMF (RFC 4211 §3).
    CertificateRequestMessages {
        name: "certificate-request-messages", words: "certificate request messages (CRMF)", labels: &[],
        ty: crmf::CertReqMessages<'static>, looks: looks::crmf, to_der: None, is_key: false,
    }
    /// A full CMC request: `PKIData` (RFC 5272 §3.2.1).
    CmcRequest {
        name: "cmc-request", words: "CMC request (PKIData)", labels: &[],
        ty: cmc::PkiData<'static>, looks: looks::cmc_request, to_der: None, is_key: false,
    }
    /// A full CMC response: `PKIResponse` (RFC 5272 §4.2).
    CmcResponse {
        name: "cmc-response", words: "CMC response (PKIResponse)", labels: &[],
        ty: cmc::PkiResponse<'static>, looks: looks::cmc_response, to_der: None, is_key: false,
    }
    /// An OCSP request (RFC 6960 §4.1.1).
    OcspRequest {
        name: "ocsp-request", words: "OCSP request", labels: &["OCSP REQUEST"],
        ty: ocsp::OcspRequest<'static>, looks: looks::ocsp_request, to_der: None, is_key: false,
    }
    /// A time stamp response: `TimeStampResp` (RFC 3161 §2.4.2).
    TimeStampResponse {
        name: "time-stamp-response", words: "time-stamp response", labels: &["TIMESTAMP REPLY", "TIME STAMP RESPONSE"],
        ty: tsp::TimeStampResp<'static>, looks: looks::time_stamp_response, to_der: Some(|ber| der_of::<tsp::TimeStampResp<'_>>(ber)), is_key: false,
    }
    /// A CRL: `CertificateList` (RFC 5280 §5.1).
    CertificateList {
        name: "crl", words: "CRL", labels: &["X509 CRL", "CRL"],
        ty: CertificateList<'static>, looks: looks::crl, to_der: None, is_key: false,
    }
    /// A certification request: PKCS #10 (RFC 2986 §4.2).
    CertificationRequest {
        name: "certification-request", words: "certification request (PKCS #10)", labels: &["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"],
        ty: csr::CertificationRequest<'static>, looks: looks::certification_request, to_der: None, is_key: false,
    }
    /// A signed public key and challenge, SPKAC (HTML 5.0 §4.10.15).
    SignedPublicKeyAndChallenge {
        name: "signed-public-key-and-challenge", words: "signed public key and challenge (SPKAC)", labels: &[],
        ty: SignedPublicKeyAndChallenge<'static>, looks: looks::signed_public_key_and_challenge, to_der: None, is_key: false,
    }
    /// An attribute certificate (RFC 5755 §4.1).
    AttributeCertificate {
        name: "attribute-certificate", words: "attribute certificate", labels: &["ATTRIBUTE CERTIFICATE"],
        ty: ac::AttributeCertificate<'static>, looks: looks::attribute_certificate, to_der: None, is_key: false,
    }
    /// Curve parameters, which `openssl ecparam` writes before a key: `ECParameters` (RFC 5480 §2.1.1).
    EcParameters {
        name: "ec-parameters", words: "curve (EC parameters)", labels: &["EC PARAMETERS"],
        ty: algorithms::EcParameters<'static>, looks: looks::by_label_only, to_der: None, is_key: false,
    }
    /// An X.509 certificate (RFC 5280 §4.1).
    Certificate {
        name: "certificate", words: "certificate", labels: &["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"],
        ty: Certificate<'static>, looks: looks::certificate, to_der: None, is_key: false,
    }
}

impl Kind {
    /// The name in JSON and options, in kebab case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The descriptive name, such as `certification request (PKCS #10)`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        self.row().words
    }

    /// The PEM label to write (from RFC 7468, or else OpenSSL's).
    #[must_use]
    pub fn label(self) -> Option<&'static str> {
        self.row().labels.first().copied()
    }

    /// All PEM labels to read.
    #[must_use]
    pub const fn labels(self) -> &'static [&'static str] {
        self.row().labels
    }

    /// Returns the kind for a PEM label.
    ///
    /// ```
    /// use tagwise_kind::Kind;
    /// assert_eq!(Kind::of_label("X509 CRL"), Some(Kind::CertificateList));
    /// assert_eq!(Kind::of_label("DH PARAMETERS"), None);
    /// ```
    #[must_use]
    pub fn of_label(label: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.labels().contains(&label))
    }

    /// Returns the kind whose ASN.1 type has this table.
    #[must_use]
    pub fn of_type(ty: &Type) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| *kind.ty().name == *ty.name)
    }

    /// The ASN.1 type of the kind.
    #[must_use]
    pub fn ty(self) -> &'static Type {
        (self.row().ty)()
    }

    /// Returns whether the kind is a key, public or private.
    #[must_use]
    pub const fn is_key(self) -> bool {
        self.row().is_key
    }

    /// Returns whether the kind is a certificate or CRL, which are signed in DER and kept unchanged.
    #[must_use]
    pub const fn is_certificate_or_list(self) -> bool {
        matches!(self, Self::Certificate | Self::CertificateList)
    }

    /// Converts a BER value to DER, if the kind's standard allows BER. Returns `None` if it already is DER or cannot be
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
        let names: BTreeSet<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), Kind::ALL.len());
        let mut seen = BTreeSet::new();
        for kind in Kind::ALL {
            for label in kind.labels() {
                assert!(seen.insert(*label), "{label} is listed twice");
                assert_eq!(Kind::of_label(label), Some(*kind));
            }
            assert_eq!(Kind::of_type(kind.ty()), Some(*kind));
        }
    }

    #[test]
    fn der_is_made_of_ber() {
        let ber = [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01, 0, 0];
        let der = Kind::Cms.to_der(&ber).unwrap();
        assert_eq!(der.get(..2).unwrap(), [0x30, 0x0B]);
        assert_eq!(Kind::Cms.to_der(&der), None);
        assert_eq!(Kind::Certificate.to_der(&ber), None);
    }
}

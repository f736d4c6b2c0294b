//! The message types that `tagwise-pkix` generates from the schemas, each with its schema name.

use tagwise_codec::table::Shape;
use tagwise_codec::value::Dynamic;
use tagwise_codec::{Decode, Error, Options, RuleSet, Typed, ber, encode};

/// Passes all top-level types to a macro, as a list of `"Module.Type" => Type`.
#[macro_export]
macro_rules! messages {
    ($with:ident) => {
        $with! {
            "CryptographicMessageSyntax-2010.ContentInfo" => tagwise_pkix::cms::ContentInfo<'_>,
            "CryptographicMessageSyntax-2010.RecipientInfo" => tagwise_pkix::cms::RecipientInfo<'_>,
            "CryptographicMessageSyntax-2010.SignedAttributes" => tagwise_pkix::cms::SignedAttributes<'_>,
            "CryptographicMessageSyntax-2010.SignerInfo" => tagwise_pkix::cms::SignerInfo<'_>,
            "CryptographicMessageSyntax-2010.SignedData" => tagwise_pkix::cms::SignedData<'_>,
            "CryptographicMessageSyntax-2010.EnvelopedData" => tagwise_pkix::cms::EnvelopedData<'_>,
            "CMS-AuthEnvelopedData-2010.AuthEnvelopedData" => tagwise_pkix::cms::auth_enveloped::AuthEnvelopedData<'_>,
            "CompressedDataContent-2010.CompressedData" => tagwise_pkix::cms::compressed::CompressedData<'_>,
            "CMS-KEMRecipientInfo-2023.KEMRecipientInfo" => tagwise_pkix::cms::kem::KemRecipientInfo<'_>,
            "OCSP-2013-08.OCSPRequest" => tagwise_pkix::ocsp::OcspRequest<'_>,
            "OCSP-2013-08.OCSPResponse" => tagwise_pkix::ocsp::OcspResponse<'_>,
            "PKIXTSP.TimeStampReq" => tagwise_pkix::tsp::TimeStampReq<'_>,
            "PKIXTSP.TimeStampResp" => tagwise_pkix::tsp::TimeStampResp<'_>,
            "PKIXTSP.TSTInfo" => tagwise_pkix::tsp::TstInfo<'_>,
            "PKIXAttributeCertificate-2009.AttributeCertificate" => tagwise_pkix::ac::AttributeCertificate<'_>,
            "PKCS-10.CertificationRequest" => tagwise_pkix::csr::CertificationRequest<'_>,
            "PKCS-12.PFX" => tagwise_pkix::pkcs12::Pfx<'_>,
            "PKCS-12.AuthenticatedSafe" => tagwise_pkix::pkcs12::AuthenticatedSafe<'_>,
            "PKCS-12.SafeContents" => tagwise_pkix::pkcs12::SafeContents<'_>,
            "PKCS-12.SafeBag" => tagwise_pkix::pkcs12::SafeBag<'_>,
            "PKCS-12.CertBag" => tagwise_pkix::pkcs12::CertBag<'_>,
            "AsymmetricKeyPackageModuleV1.OneAsymmetricKey" => tagwise_pkix::pkcs8::OneAsymmetricKey<'_>,
            "AsymmetricKeyPackageModuleV1.EncryptedPrivateKeyInfo" => tagwise_pkix::pkcs8::EncryptedPrivateKeyInfo<'_>,
            "PKCS-1.RSAPrivateKey" => tagwise_pkix::pkcs1::RsaPrivateKey<'_>,
            "PKCS-1.DigestInfo" => tagwise_pkix::pkcs1::DigestInfo<'_>,
            "ECPrivateKey.ECPrivateKey" => tagwise_pkix::sec1::EcPrivateKey<'_>,
            "PKCS5v2-1.PBES2-params" => tagwise_pkix::pkcs5::Pbes2Params<'_>,
            "PKCS5v2-1.PBKDF2-params" => tagwise_pkix::pkcs5::Pbkdf2Params<'_>,
            "Scrypt-0.Scrypt-params" => tagwise_pkix::scrypt::ScryptParams<'_>,
            "X509-ML-DSA-2025.ML-DSA-44-PrivateKey" => tagwise_pkix::ml_dsa::MlDsa44PrivateKey<'_>,
            "X509-ML-DSA-2025.ML-DSA-65-PrivateKey" => tagwise_pkix::ml_dsa::MlDsa65PrivateKey<'_>,
            "X509-ML-DSA-2025.ML-DSA-87-PrivateKey" => tagwise_pkix::ml_dsa::MlDsa87PrivateKey<'_>,
            "X509-ML-KEM-2025.ML-KEM-512-PrivateKey" => tagwise_pkix::ml_kem::MlKem512PrivateKey<'_>,
            "X509-ML-KEM-2025.ML-KEM-768-PrivateKey" => tagwise_pkix::ml_kem::MlKem768PrivateKey<'_>,
            "X509-ML-KEM-2025.ML-KEM-1024-PrivateKey" => tagwise_pkix::ml_kem::MlKem1024PrivateKey<'_>,
            "PKIXCMP-2023.PKIMessage" => tagwise_pkix::cmp::PkiMessage<'_>,
            "PKIXCMP-2023.PKIHeader" => tagwise_pkix::cmp::PkiHeader<'_>,
            "PKIXCMP-2023.PKIBody" => tagwise_pkix::cmp::PkiBody<'_>,
            "PKIXCRMF-2009.CertReqMessages" => tagwise_pkix::crmf::CertReqMessages<'_>,
            "PKIXCRMF-2009.CertReqMsg" => tagwise_pkix::crmf::CertReqMsg<'_>,
            "PKIXCRMF-2009.CertRequest" => tagwise_pkix::crmf::CertRequest<'_>,
            "PKIXCRMF-2009.CertTemplate" => tagwise_pkix::crmf::CertTemplate<'_>,
            "EnrollmentMessageSyntax-2011-v08.PKIData" => tagwise_pkix::cmc::PkiData<'_>,
            "EnrollmentMessageSyntax-2011-v08.PKIResponse" => tagwise_pkix::cmc::PkiResponse<'_>,
            "ExtendedSecurityServices-2009.SigningCertificate" => tagwise_pkix::ess::SigningCertificate<'_>,
            "ExtendedSecurityServices-2009.SigningCertificateV2" => tagwise_pkix::ess::SigningCertificateV2<'_>,
            "ExtendedSecurityServices-2009.ESSSecurityLabel" => tagwise_pkix::ess::EssSecurityLabel<'_>,
            "PKIX1-PSS-OAEP-Algorithms-2009.RSASSA-PSS-params" => tagwise_pkix::pss::RsassaPssParams<'_>,
            "PKIX1Explicit-2009.Certificate" => tagwise_pkix::Certificate<'_>,
            "PKIX1Explicit-2009.CertificateList" => tagwise_pkix::CertificateList<'_>,
            "PKIX1Explicit-2009.SubjectPublicKeyInfo" => tagwise_pkix::SubjectPublicKeyInfo<'_>,
            "PKIX1Implicit-2009.GeneralName" => tagwise_pkix::ext::GeneralName<'_>,
            "PKIXAlgs-2009.RSAPublicKey" => tagwise_pkix::RsaPublicKey<'_>,
            "Samples.Algorithm" => tagwise_pkix::AlgorithmIdentifier<'_>,
            "PKIXAlgs-2009.DSA-Params" => tagwise_pkix::algorithms::DsaParams<'_>,
            "PKIXAlgs-2009.ECParameters" => tagwise_pkix::algorithms::EcParameters<'_>,
            "PKIXAlgs-2009.DomainParameters" => tagwise_pkix::algorithms::DomainParameters<'_>,
            "PKIX1Explicit-2009.TBSCertificate" => tagwise_pkix::TbsCertificate<'_>,
            "Samples.CertificateExtension" => tagwise_pkix::Extension<'_>,
            "CryptographicMessageSyntax-2010.DigestedData" => tagwise_pkix::cms::DigestedData<'_>,
            "CryptographicMessageSyntax-2010.EncryptedData" => tagwise_pkix::cms::EncryptedData<'_>,
        }
    };
}

/// The operations on a type.
#[derive(Clone, Copy)]
pub struct Message {
    /// The module and name in the schemas.
    pub name: &'static str,
    /// Decodes DER, checking every byte, and encodes it again.
    pub again: fn(&[u8]) -> Result<Vec<u8>, Error>,
    /// Whether the bytes have the type's outer structure, with every deviation tolerated where possible.
    pub framed: fn(&[u8]) -> bool,
    /// Whether the type has components. Only then is the position of an error meaningful, because almost anything can be a list
    /// or a CHOICE.
    pub of_components: fn() -> bool,
    /// Converts BER to DER.
    pub to_der: fn(&[u8]) -> Result<Vec<u8>, Error>,
    /// The type as a table.
    pub dynamic: fn() -> Dynamic<'static>,
}

fn written<'a, T: Decode<'a> + tagwise_codec::Encode>(octets: &'a [u8]) -> Result<Vec<u8>, Error> {
    let value = T::from_der(octets)?;
    Ok(encode(&value).unwrap_or_else(|error| panic!("{error}: what was decoded strictly is encoded")))
}

fn definite<T: Typed>(octets: &[u8]) -> Result<Vec<u8>, Error> {
    ber::to_der::<T>(octets).map(|canonical| canonical.into_bytes().into_owned())
}

fn framed<'a, T: Decode<'a>>(octets: &'a [u8]) -> bool {
    Options::der().rules(RuleSet::ALL).outline::<T>(octets).is_ok()
}

macro_rules! all {
    ($($name:literal => $ty:ty),* $(,)?) => {
        /// All types.
        pub const ALL: &[Message] = &[$(Message {
            name: $name,
            again: |octets| written::<$ty>(octets),
            framed: |octets| framed::<$ty>(octets),
            of_components: || matches!(<$ty>::ty().shape, Shape::Sequence(_) | Shape::Set(_)),
            to_der: |octets| definite::<$ty>(octets),
            dynamic: || Dynamic::of::<$ty>(),
        }),*];
    };
}
messages!(all);

/// Returns the type with the given name in the schemas.
#[must_use]
pub fn named(name: &str) -> Option<&'static Message> {
    ALL.iter().find(|message| message.name == name)
}

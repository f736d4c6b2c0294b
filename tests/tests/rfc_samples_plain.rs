//! Every sample, read as the Rust that a user's build script makes of the schemas, with no overlay, and by the tables that the same
//! schemas become at run time: both take it, with the same JSON and the same octets again, or refuse it alike.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;

use tagwise_codec::value::Dynamic;
use tagwise_codec::{Options, Rule};
use tagwise_plain::*;
use tagwise_tests::generated::{Outcome, hold};
use tagwise_tests::samples::{UNNAMED, samples, schema, ty};

/// [`hold`] for one type in Rust.
type Hold = for<'a> fn(&str, bool, &'a [u8], Dynamic<'a>, Options<'a>) -> Outcome;

macro_rules! types {
    ($($name:literal = $ty:ty,)*) => {
        const TYPES: &[(&str, Hold)] = &[$((
            $name,
            |name, lax, data, tables, options| hold::<$ty>(name, lax, data, tables, options),
        )),*];
    };
}

types! {
    "AsymmetricKeyPackageModuleV1.EncryptedPrivateKeyInfo" = asymmetric_key_package_module_v1::EncryptedPrivateKeyInfo<'_>,
    "AsymmetricKeyPackageModuleV1.OneAsymmetricKey" = asymmetric_key_package_module_v1::OneAsymmetricKey<'_>,
    "CMS-AuthEnvelopedData-2010.AuthEnvelopedData" = cms_auth_enveloped_data_2010::AuthEnvelopedData<'_>,
    "CompressedDataContent-2010.CompressedData" = compressed_data_content_2010::CompressedData<'_>,
    "CryptographicMessageSyntax-2010.ContentInfo" = cryptographic_message_syntax_2010::ContentInfo<'_>,
    "CryptographicMessageSyntax-2010.RecipientInfo" = cryptographic_message_syntax_2010::RecipientInfo<'_>,
    "CryptographicMessageSyntax-2010.SignedAttributes" = cryptographic_message_syntax_2010::SignedAttributes<'_>,
    "ECPrivateKey.ECPrivateKey" = ec_private_key::EcPrivateKey<'_>,
    "OCSP-2013-08.OCSPRequest" = ocsp_2013_08::OcspRequest<'_>,
    "OCSP-2013-08.OCSPResponse" = ocsp_2013_08::OcspResponse<'_>,
    "PKCS-1.RSAPrivateKey" = pkcs_1::RsaPrivateKey<'_>,
    "PKCS-10.CertificationRequest" = pkcs_10::CertificationRequest<'_>,
    "PKCS-12.PFX" = pkcs_12::Pfx<'_>,
    "PKIX-X400Address-2009.ORAddress" = pkix_x400_address_2009::OrAddress<'_>,
    "PKIX1Explicit-2009.Certificate" = pkix1_explicit_2009::Certificate<'_>,
    "PKIX1Explicit-2009.CertificateList" = pkix1_explicit_2009::CertificateList<'_>,
    "PKIX1Explicit-2009.SubjectPublicKeyInfo" = pkix1_explicit_2009::SubjectPublicKeyInfo<'_>,
    "PKIX1Implicit-2009.GeneralName" = pkix1_implicit_2009::GeneralName<'_>,
    "PKIXAttributeCertificate-2009.AttributeCertificate" = pkix_attribute_certificate_2009::AttributeCertificate<'_>,
    "PKIXCMP-2023.PKIMessage" = pkix_cmp_2023::PkiMessage<'_>,
    "PKIXCRMF-2009.CertReqMessages" = pkixcrmf_2009::CertReqMessages<'_>,
    "PKIXCRMF-2009.CertRequest" = pkixcrmf_2009::CertRequest<'_>,
    "PKIXTSP.TimeStampReq" = pkixtsp::TimeStampReq<'_>,
    "PKIXTSP.TimeStampResp" = pkixtsp::TimeStampResp<'_>,
    "Samples.Algorithm" = samples::Algorithm<'_>,
    "Samples.AnyAttribute" = samples::AnyAttribute<'_>,
    "Samples.AttributeSet" = samples::AttributeSet<'_>,
    "Samples.Capabilities" = samples::Capabilities<'_>,
    "Samples.CertificateBundle" = samples::CertificateBundle<'_>,
    "Samples.CertificateExtension" = samples::CertificateExtension<'_>,
    "Samples.CertificateExtensions" = samples::CertificateExtensions<'_>,
    "Samples.CsrAttrs" = samples::CsrAttrs<'_>,
    "Samples.DSAPrivateKey" = samples::DsaPrivateKey<'_>,
    "Samples.EvidenceRecord" = samples::EvidenceRecord<'_>,
    "Samples.GostKeyTransport" = samples::GostKeyTransport<'_>,
    "Samples.InitialContextToken" = samples::InitialContextToken<'_>,
    "Samples.IssuerAndSubject" = samples::IssuerAndSubject<'_>,
    "Samples.JWTClaimConstraints" = samples::JwtClaimConstraints<'_>,
    "Samples.Nonce" = samples::Nonce<'_>,
    "Samples.OtherInfo" = samples::OtherInfo<'_>,
    "Samples.PkiPath" = samples::PkiPath<'_>,
    "Samples.ShortCompressedData" = samples::ShortCompressedData<'_>,
    "Samples.TLSGostKeyTransportBlob" = samples::TlsGostKeyTransportBlob<'_>,
    "Samples.TNAuthorizationList" = samples::TnAuthorizationList<'_>,
}

#[test]
fn samples_are_the_same_to_both() {
    let Some(samples) = samples() else { return };
    let schema = schema();
    let all = Rule::ALL.iter().fold(Options::der(), |options, rule| options.allow(rule));
    let mut outcomes = BTreeMap::new();
    for sample in &samples {
        let octets = &sample.octets;
        let name = match &sample.class {
            Some(class) => ty(class),
            None => UNNAMED.into_iter().find(|name| schema.ty(name).unwrap().decode(octets).is_ok()),
        };
        let Some(name) = name else { continue };
        let (_, hold) = TYPES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name} is not here"));
        for (rules, options) in [("DER", Options::der()), ("BER", Options::ber_definite()), ("all rules", all)] {
            let outcome = hold(name, false, octets, schema.ty(name).unwrap(), options);
            *outcomes.entry((rules, format!("{outcome:?}"))).or_insert(0) += 1;
        }
    }
    println!("{outcomes:?}");
    let count = |rules, outcome: &str| outcomes.get(&(rules, outcome.to_owned())).copied().unwrap_or(0);
    assert_eq!((count("DER", "Taken"), count("DER", "Refused"), outcomes.len()), (269, 10, 6));
}

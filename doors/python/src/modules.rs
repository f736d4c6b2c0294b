//! The ASN.1 modules of the repository, for `tagwise.asn1.modules`.

use pyo3::prelude::*;

use crate::errors;

/// Modules for certificates, messages and related types: `schemas/` without Kerberos. `tests/test_modules.py` compares this list with the
/// folder.
const PKIX: &[&str] = &[
    include_str!("../schemas/en319412-5/ETSIQCstatements.asn1"),
    include_str!("../schemas/rfc2634/ExtendedSecurityServices-2009.asn1"),
    include_str!("../schemas/rfc2985/PKCS-9.asn1"),
    include_str!("../schemas/rfc2986/PKCS-10.asn1"),
    include_str!("../schemas/rfc3161/PKIXTSP.asn1"),
    include_str!("../schemas/rfc3274/CompressedDataContent-2010.asn1"),
    include_str!("../schemas/rfc3565/CMSAesRsaesOaep-2009.asn1"),
    include_str!("../schemas/rfc3739/PKIXqualified97.asn1"),
    include_str!("../schemas/rfc3779/IPAddrAndASCertExtn-2010.asn1"),
    include_str!("../schemas/rfc4043/PKIXpermanentidentifier93.asn1"),
    include_str!("../schemas/rfc4073/ContentCollectionModule-2010.asn1"),
    include_str!("../schemas/rfc4108/HardwareModuleName.asn1"),
    include_str!("../schemas/rfc4211/PKIXCRMF-2009.asn1"),
    include_str!("../schemas/rfc4334/WLANCertExtn-2010.asn1"),
    include_str!("../schemas/rfc4985/PKIXServiceNameSAN93.asn1"),
    include_str!("../schemas/rfc5083/CMS-AuthEnvelopedData-2010.asn1"),
    include_str!("../schemas/rfc5084/CMS-AES-CCM-and-AES-GCM-2009.asn1"),
    include_str!("../schemas/rfc5272/EnrollmentMessageSyntax-2011-v08.asn1"),
    include_str!("../schemas/rfc5652/AttributeCertificateVersion1-2009.asn1"),
    include_str!("../schemas/rfc5652/CryptographicMessageSyntax-2010.asn1"),
    include_str!("../schemas/rfc5652/CryptographicMessageSyntaxAlgorithms-2009.asn1"),
    include_str!("../schemas/rfc5752/MultipleSignatures-2010.asn1"),
    include_str!("../schemas/rfc5753/CMSECCAlgs-2009-02.asn1"),
    include_str!("../schemas/rfc5755/PKIXAttributeCertificate-2009.asn1"),
    include_str!("../schemas/rfc5912/AlgorithmInformation-2009.asn1"),
    include_str!("../schemas/rfc5912/PKIX-CommonTypes-2009.asn1"),
    include_str!("../schemas/rfc5912/PKIX-X400Address-2009.asn1"),
    include_str!("../schemas/rfc5912/PKIX1-PSS-OAEP-Algorithms-2009.asn1"),
    include_str!("../schemas/rfc5912/PKIX1Explicit-2009.asn1"),
    include_str!("../schemas/rfc5912/PKIX1Implicit-2009.asn1"),
    include_str!("../schemas/rfc5912/PKIXAlgs-2009.asn1"),
    include_str!("../schemas/rfc5915/ECPrivateKey.asn1"),
    include_str!("../schemas/rfc5958/AsymmetricKeyPackageModuleV1.asn1"),
    include_str!("../schemas/rfc6019/BinarySigningTimeModule-2010.asn1"),
    include_str!("../schemas/rfc6211/CMSAlgorithmProtectionAttribute.asn1"),
    include_str!("../schemas/rfc6268/HMAC-2010.asn1"),
    include_str!("../schemas/rfc6960/OCSP-2013-08.asn1"),
    include_str!("../schemas/rfc6962/CertificateTransparency.asn1"),
    include_str!("../schemas/rfc7292/PKCS-12.asn1"),
    include_str!("../schemas/rfc7633/TLS-Feature-Module-2015.asn1"),
    include_str!("../schemas/rfc7914/Scrypt-0.asn1"),
    include_str!("../schemas/rfc8017/PKCS-1.asn1"),
    include_str!("../schemas/rfc8018/PKCS5v2-1.asn1"),
    include_str!("../schemas/rfc8410/Safecurves-pkix-18.asn1"),
    include_str!("../schemas/rfc8551/SecureMimeMessageV3dot1-2009.asn1"),
    include_str!("../schemas/rfc8692/PKIXAlgsForSHAKE-2019.asn1"),
    include_str!("../schemas/rfc8737/AcmeIdentifierExtn.asn1"),
    include_str!("../schemas/rfc9286/RPKIManifest.asn1"),
    include_str!("../schemas/rfc9345/DelegatedCredentialExtn.asn1"),
    include_str!("../schemas/rfc9399/LogotypeCertExtn-2022.asn1"),
    include_str!("../schemas/rfc9582/RPKI-ROA-2023.asn1"),
    include_str!("../schemas/rfc9598/LAMPS-EaiAddresses-2016.asn1"),
    include_str!("../schemas/rfc9608/NoRevAvailExtn.asn1"),
    include_str!("../schemas/rfc9629/CMS-KEMRecipientInfo-2023.asn1"),
    include_str!("../schemas/rfc9629/KEMAlgorithmInformation-2023.asn1"),
    include_str!("../schemas/rfc9810/PKIXCMP-2023.asn1"),
    include_str!("../schemas/rfc9814/SLH-DSA-Module-2024.asn1"),
    include_str!("../schemas/rfc9881/X509-ML-DSA-2025.asn1"),
    include_str!("../schemas/rfc9909/X509-SLH-DSA-Module-2025.asn1"),
    include_str!("../schemas/rfc9935/X509-ML-KEM-2025.asn1"),
    include_str!("../schemas/rfc9936/CMS-ML-KEM-2024.asn1"),
];

/// Modules for Kerberos: `schemas/krb5/`.
const KRB5: &[&str] = &[
    include_str!("../schemas/krb5/KerberosMicrosoft.asn1"),
    include_str!("../schemas/krb5/KerberosMit.asn1"),
    include_str!("../schemas/krb5/KerberosPreauthFramework.asn1"),
    include_str!("../schemas/krb5/KerberosV5-PK-INIT-Agility-SPEC.asn1"),
    include_str!("../schemas/krb5/KerberosV5-PK-INIT-SPEC.asn1"),
    include_str!("../schemas/krb5/KerberosV5CAMMAC.asn1"),
    include_str!("../schemas/krb5/KerberosV5SPAKE.asn1"),
    include_str!("../schemas/krb5/KerberosV5Spec2.asn1"),
    include_str!("../schemas/krb5/OTPKerberos.asn1"),
    include_str!("../schemas/krb5/SPNEGOASNOneSpec.asn1"),
];

/// Returns the texts of a set of modules.
#[pyfunction]
fn module_texts(name: &str) -> PyResult<Vec<&'static str>> {
    Ok(match name {
        "pkix" => PKIX.to_vec(),
        // PKINIT carries messages of CMS.
        "krb5" => [KRB5, PKIX].concat(),
        _ => return Err(errors::argument(format!("unknown modules `{name}`; expected pkix or krb5"))),
    })
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(module_texts, module)?)
}

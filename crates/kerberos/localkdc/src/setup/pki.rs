//! Certificates for anonymous PKINIT (RFC 4556, RFC 8062), from a dedicated CA whose key is discarded.

use tagwise_codec::{Encode as _, General, Open, SeqOf, pem};
use tagwise_crypto::{Backend as _, Digest, KeySigner, KeyType, Scheme, backends::AwsLc};
use tagwise_pkix::build::CertificateBuilder;
use tagwise_pkix::ext::{GeneralName, KeyUsage, Krb5PrincipalName, OtherName, PrincipalName};
use tagwise_pkix::oids::{self, files::label};
use zeroize::Zeroizing;

use crate::policy::Realm;

/// The validity period in days: ten years. Renewal requires a new setup.
const DAYS: u32 = 3650;
/// `NT-SRV-INST` (RFC 4120 §6.2).
const NT_SRV_INST: i32 = 2;

/// Certificates and keys in PEM.
pub(super) struct Pki {
    pub(super) ca: String,
    pub(super) certificate: String,
    pub(super) key: Zeroizing<String>,
}

/// Creates a CA and the KDC's certificate.
pub(super) fn make(realm: &Realm) -> Result<Pki, Box<dyn std::error::Error>> {
    let backend = AwsLc::new();
    let ca_key = KeySigner::new(backend.generate(KeyType::P256)?, Scheme::Ecdsa(Digest::Sha256))?;
    // Which authority a file is of is seen in its name.
    let ca = CertificateBuilder::new().subject(&format!("CN=Local KDC of {realm}"))?.ca(Some(0)).days(DAYS);
    let ca = ca.self_signed(&ca_key)?;
    // MIT's PKINIT before 1.22 signs with RSA only.
    let key = backend.generate(KeyType::Rsa(3072))?;
    let realm = realm.as_str().as_bytes();
    let components = [&b"krbtgt"[..], realm].map(General::from_content);
    let principal = Krb5PrincipalName {
        realm: General::from_content(realm),
        principal_name: PrincipalName { name_type: NT_SRV_INST, name_string: SeqOf::from_slice(&components) },
    };
    let der = principal.to_der()?;
    let type_id = oids::PKINIT_SAN;
    let name = GeneralName::OtherName(OtherName { type_id, value: Open::new(type_id.as_bytes(), &der) });
    let certificate = CertificateBuilder::new()
        .subject("CN=Local KDC")?
        .name(&name)?
        .key_usage(KeyUsage::DIGITAL_SIGNATURE)
        .purpose(oids::PKINIT_KP_KDC)
        .days(DAYS)
        .public_key(key.public_key_info())?
        .issuer(&ca)?
        .sign(&ca_key)?;
    Ok(Pki {
        ca: pem::encode(label::CERTIFICATE, ca.as_der())?,
        certificate: pem::encode(label::CERTIFICATE, certificate.as_der())?,
        key: Zeroizing::new(pem::encode(label::PRIVATE_KEY, key.to_pkcs8()?.expose())?),
    })
}

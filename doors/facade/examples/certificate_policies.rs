//! Creates a self-signed certificate with policies and their qualifiers.

use std::error::Error;

use tagwise::codec::{Ia5, OidBuf, Open, SeqOf, encode};
use tagwise::crypto::{Backend, KeySigner, KeyType, backends::AwsLc};
use tagwise::pkix::build::CertificateBuilder;
use tagwise::pkix::ext::{CertificatePolicies, CpsUri, PolicyInformation, PolicyQualifierInfo};
use tagwise::pkix::oids;

fn main() -> Result<(), Box<dyn Error>> {
    let statement = encode(&CpsUri(Ia5::new("https://www.example.org/cps")?))?;
    let qualifiers = [PolicyQualifierInfo {
        policy_qualifier_id: oids::QT_CPS,
        qualifier: Open::new(oids::QT_CPS.as_bytes(), &statement),
    }];
    let own: OidBuf = "2.999.1".parse()?;
    let policies = [
        PolicyInformation { policy_identifier: oids::CABF_DOMAIN_VALIDATED, policy_qualifiers: None },
        PolicyInformation { policy_identifier: own.as_oid(), policy_qualifiers: Some(SeqOf::from(&qualifiers)) },
    ];
    let key = KeySigner::preferred(AwsLc::new().generate(KeyType::P256)?)?;
    let certificate = CertificateBuilder::new()
        .subject("CN=Example Server")?
        .extension(&CertificatePolicies(SeqOf::from(&policies)))?
        .self_signed(&key)?;
    let read = certificate.extension::<CertificatePolicies<'_>>()?.ok_or("there are policies")?;
    for policy in &read.0 {
        println!("{}", policy?.policy_identifier);
    }
    Ok(())
}

//! Makes a key and a certification request (PKCS #10), and prints the request as PEM.

use std::error::Error;

use tagwise::codec::{Decode, SetOf, pem};
use tagwise::crypto::{Backend, KeySigner, KeyType, Signer, backends::AwsLc};
use tagwise::pkix::csr::{CertificationRequestInfo, Version};
use tagwise::pkix::name::NameBuf;
use tagwise::pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, build};

fn main() -> Result<(), Box<dyn Error>> {
    let signer = KeySigner::preferred(AwsLc::new().generate(KeyType::Ed25519)?)?;
    let algorithm = signer.identifier()?;
    let name = NameBuf::parse("CN=www.example.org,O=Example")?;
    let info = CertificationRequestInfo {
        version: Version::V1,
        subject: name.name(),
        subject_pk_info: SubjectPublicKeyInfo::from_der(signer.public_key_info())?,
        attributes: SetOf::from_slice(&[]),
    };
    let unsigned = build::request(&info, &AlgorithmIdentifier::from_der(&algorithm)?)?;
    let der = unsigned.attach(&signer.sign(unsigned.tbs())?)?;
    print!("{}", pem::encode("CERTIFICATE REQUEST", &der)?);
    Ok(())
}

//! Makes a key and a self-signed certificate for it, and prints both as PEM.

use std::error::Error;

use tagwise::codec::{CivilTime, Decode, NamedBits, pem};
use tagwise::crypto::{Backend, KeySigner, KeyType, Primitives, Signer, backends::AwsLc};
use tagwise::pkix::build::{self, ExtensionList, KeyIdentifierMethod, SerialNumber};
use tagwise::pkix::ext::{BasicConstraints, KeyUsage, SubjectKeyIdentifier};
use tagwise::pkix::name::NameBuf;
use tagwise::pkix::{AlgorithmIdentifier, Extensions, SubjectPublicKeyInfo, TbsCertificate, Time, Validity, Version};

fn main() -> Result<(), Box<dyn Error>> {
    let backend = AwsLc::new();
    let signer = KeySigner::preferred(backend.generate(KeyType::P256)?)?;
    let algorithm = signer.identifier()?;
    let algorithm = AlgorithmIdentifier::from_der(&algorithm)?;
    let key = SubjectPublicKeyInfo::from_der(signer.public_key_info())?;

    let name = NameBuf::parse("CN=Example Root,O=Example")?;
    let mut random = [0; 20];
    backend.random(&mut random)?;
    let serial = SerialNumber::from_random(random);
    let identifier = KeyIdentifierMethod::Sha256.of(&key)?;

    let mut list = ExtensionList::new();
    list.add(true, &BasicConstraints { ca: true, path_len_constraint: None })?;
    list.add(true, &KeyUsage(NamedBits::from_mask(1 << 5 | 1 << 6)))?;
    list.add(false, &SubjectKeyIdentifier(identifier.as_slice().into()))?;
    let extensions = list.extensions();

    // The struct is encoded, read back strictly, and held to the lints before anything is signed.
    let unsigned = build::certificate(&TbsCertificate {
        version: Version::V3,
        serial_number: serial.number(),
        signature: algorithm,
        issuer: name.name(),
        validity: Validity {
            not_before: Time::new(CivilTime::from_unix(1_790_000_000)?),
            not_after: Time::new(CivilTime::from_unix(2_100_000_000)?),
        },
        subject: name.name(),
        subject_public_key_info: key,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Extensions::new(&extensions),
    })?;
    let der = unsigned.attach(&signer.sign(unsigned.tbs())?)?;

    print!("{}", pem::encode("CERTIFICATE", &der)?);
    print!("{}", pem::encode("PRIVATE KEY", signer.key().to_pkcs8()?.expose())?);
    Ok(())
}

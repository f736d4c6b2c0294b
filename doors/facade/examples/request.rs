//! Creates a key and a certification request (PKCS #10) with attributes, verifies it, and prints it as PEM.

use std::error::Error;

use tagwise::codec::Utf8;
use tagwise::crypto::{Backend, KeySigner, KeyType, VerifySelfSigned, backends::AwsLc};
use tagwise::pkix::{build::CsrBuilder, ext::KeyUsage, oids};

fn main() -> Result<(), Box<dyn Error>> {
    let backend = AwsLc::new();
    let key = KeySigner::preferred(backend.generate(KeyType::Ed25519)?)?;
    let request = CsrBuilder::new()
        .subject("CN=www.example.org,O=Example")?
        .dns("www.example.org")
        .extension(&KeyUsage::from(KeyUsage::DIGITAL_SIGNATURE))?
        .attribute(oids::CHALLENGE_PASSWORD, &Utf8::new("to be agreed upon"))?
        .sign(&key)?;
    request.verify(&backend)?;
    print!("{}", request.to_pem()?);
    Ok(())
}

//! Creates a CA, a certificate that it issues for a request, and a request with attributes, then verifies all signatures.

use std::error::Error;

use tagwise::codec::{SeqOf, Utf8};
use tagwise::crypto::{Backend, KeySigner, KeyType, VerifySelfSigned, VerifySigned, backends::AwsLc};
use tagwise::pkix::build::{CertificateBuilder, CsrBuilder};
use tagwise::pkix::ext::{ExtKeyUsage, KeyUsage};
use tagwise::pkix::{CertificateBuf, CsrBuf, oids};

fn key() -> Result<KeySigner, Box<dyn Error>> {
    Ok(KeySigner::preferred(AwsLc::new().generate(KeyType::Rsa(2048))?)?)
}

/// Creates a CA, and returns its certificate and key.
fn authority() -> Result<(CertificateBuf, KeySigner), Box<dyn Error>> {
    let key = key()?;
    let builder = CertificateBuilder::new().subject("CN=ca test,O=Some CA organization,ST=TX,C=US")?;
    Ok((builder.ca(None).days(365).self_signed(&key)?, key))
}

/// Creates a request, and the certificate that a CA issues for it.
fn signed(ca: &CertificateBuf, ca_key: &KeySigner) -> Result<CertificateBuf, Box<dyn Error>> {
    let request = CsrBuilder::new().subject("CN=www.example.com,O=Some organization,ST=TX,C=US")?.sign(&key()?)?;
    request.verify(&AwsLc::new())?;
    let builder = CertificateBuilder::for_request(&request)?
        .dns("*.example.com")
        .dns("hello.com")
        .key_usage(KeyUsage::NON_REPUDIATION | KeyUsage::DIGITAL_SIGNATURE | KeyUsage::KEY_ENCIPHERMENT)
        .days(365)
        .issuer(ca)?;
    Ok(builder.sign(ca_key)?)
}

/// Creates a request with extensions and a challenge password.
fn request_with_attributes() -> Result<CsrBuf, Box<dyn Error>> {
    let builder = CsrBuilder::new()
        .subject("CN=myserver.localhost")?
        .dns("myserver.localhost")
        .ip([127, 0, 0, 1])
        .ip(std::net::Ipv6Addr::LOCALHOST)
        .extension(&KeyUsage::from(KeyUsage::DIGITAL_SIGNATURE | KeyUsage::KEY_ENCIPHERMENT))?
        .extension(&ExtKeyUsage(SeqOf::from(&[oids::KP_SERVER_AUTH])))?
        .attribute(oids::CHALLENGE_PASSWORD, &Utf8::new("my_secret_challenge_password"))?;
    Ok(builder.sign(&key()?)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let (ca, ca_key) = authority()?;
    let certificate = signed(&ca, &ca_key)?;
    certificate.verify_signed_by(&ca, &AwsLc::new())?;
    println!("{} is verified", certificate.subject());
    print!("{}", request_with_attributes()?.to_pem()?);
    Ok(())
}

//! Signs a certificate with a CA's key and certificate from files, and writes the new key and certificate: `cargo run
//! --example sign_with_files -- ca-key.pem ca.pem key.pem certificate.pem`.

use std::error::Error;
use std::{env, fs};

use tagwise::codec::pem;
use tagwise::crypto::{Backend, KeySigner, KeyType, Signer, backends::AwsLc};
use tagwise::pkix::build::CertificateBuilder;
use tagwise::pkix::{CertificateBuf, ext::KeyUsage, oids};

fn main() -> Result<(), Box<dyn Error>> {
    const USAGE: &str = "usage: sign_with_files CA-KEY CA-CERTIFICATE KEY CERTIFICATE";
    let files: Vec<_> = env::args_os().skip(1).collect();
    let [ca_key, ca, key_out, certificate_out] = files.as_slice() else { return Err(USAGE.into()) };

    let backend = AwsLc::new();
    let ca_key = backend.private_key_from_pkcs8(&pem::first(&["PRIVATE KEY"], &fs::read(ca_key)?)?)?;
    let ca = CertificateBuf::from_pem(fs::read(ca)?)?;

    let key = KeySigner::preferred(backend.generate(KeyType::P256)?)?;
    let certificate = CertificateBuilder::new()
        .subject("CN=www.example.org")?
        .dns("www.example.org")
        .key_usage(KeyUsage::DIGITAL_SIGNATURE)
        .purpose(oids::KP_SERVER_AUTH)
        .days(30)
        .public_key(key.public_key_info())?
        .issuer(&ca)?
        .sign(&KeySigner::preferred(ca_key)?)?;

    fs::write(key_out, pem::encode("PRIVATE KEY", key.key().to_pkcs8()?.expose())?)?;
    fs::write(certificate_out, certificate.to_pem()?)?;
    println!("signed {} by {}", certificate.subject(), ca.subject());
    Ok(())
}

//! Creates a CA and a certificate signed by it, valid from yesterday to tomorrow, and prints both as PEM.

use std::error::Error;
use std::time::Duration;

use tagwise::crypto::{Backend, KeySigner, KeyType, Signer, VerifySigned, backends::AwsLc};
use tagwise::pkix::build::CertificateBuilder;
use tagwise::pkix::{UnixTime, ext::KeyUsage, oids};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn main() -> Result<(), Box<dyn Error>> {
    let backend = AwsLc::new();
    let now = UnixTime::now();
    let (yesterday, tomorrow) = (now.saturating_sub(DAY), now.saturating_add(DAY));

    let ca_key = KeySigner::preferred(backend.generate(KeyType::P256)?)?;
    let ca = CertificateBuilder::new()
        .subject("O=Example Authority,C=BR")?
        .ca(None)
        .key_usage(KeyUsage::DIGITAL_SIGNATURE | KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN)
        .not_before(yesterday)
        .not_after(tomorrow)
        .self_signed(&ca_key)?;

    let key = KeySigner::preferred(backend.generate(KeyType::P256)?)?;
    let leaf = CertificateBuilder::new()
        .subject("CN=entity.example.org")?
        .dns("entity.example.org")
        .key_usage(KeyUsage::DIGITAL_SIGNATURE)
        .purpose(oids::KP_SERVER_AUTH)
        .not_before(yesterday)
        .not_after(tomorrow)
        .public_key(key.public_key_info())?
        .issuer(&ca)?
        .sign(&ca_key)?;

    leaf.verify_signed_by(&ca, &backend)?;
    print!("{}{}", leaf.to_pem()?, ca.to_pem()?);
    Ok(())
}

//! Creates a key and a self-signed certificate for a server, and writes both as PEM: `cargo run --example self_signed --
//! DIRECTORY`.

use std::error::Error;
use std::{env, fs};

use tagwise::codec::pem;
use tagwise::crypto::{Backend, KeySigner, KeyType, backends::AwsLc};
use tagwise::pkix::build::CertificateBuilder;

fn main() -> Result<(), Box<dyn Error>> {
    let key = KeySigner::preferred(AwsLc::new().generate(KeyType::P256)?)?;
    let certificate = CertificateBuilder::new()
        .subject("CN=Example Server,O=Example")?
        .dns("server.example.org")
        .dns("localhost")
        .days(365)
        .self_signed(&key)?;
    let (certificate, key) = (certificate.to_pem()?, pem::encode("PRIVATE KEY", key.key().to_pkcs8()?.expose())?);
    match env::args_os().nth(1).map(std::path::PathBuf::from) {
        Some(directory) => {
            fs::create_dir_all(&directory)?;
            fs::write(directory.join("certificate.pem"), certificate)?;
            fs::write(directory.join("key.pem"), key)?;
        }
        None => print!("{certificate}{key}"),
    }
    Ok(())
}

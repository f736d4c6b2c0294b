//! Prints the certificates in PEM or DER files: `cargo run --example print_certificate -- cert.pem`.

use std::error::Error;
use std::{env, fs};

use tagwise::pkix::{CertificateBuf, oids};

fn main() -> Result<(), Box<dyn Error>> {
    for file in env::args_os().skip(1) {
        let input = fs::read(file)?;
        if input.starts_with(&[0x30]) {
            print(&CertificateBuf::from_der(input)?)?;
        } else {
            CertificateBuf::from_pem_many(input)?.iter().try_for_each(print)?;
        }
    }
    Ok(())
}

/// Prints a certificate, after checking all of its bytes.
fn print(certificate: &CertificateBuf) -> Result<(), Box<dyn Error>> {
    println!("version     {}", certificate.version());
    println!("subject     {}", certificate.subject().oneline());
    println!("issuer      {}", certificate.issuer().oneline());
    println!("serial      {}", certificate.serial_number().hex());
    println!("valid       {} to {}", certificate.not_before(), certificate.not_after());
    println!("key         {}", certificate.public_key().info());
    for extension in &certificate.extensions() {
        let extension = extension?;
        let name =
            oids::lookup(extension.extn_id).map_or_else(|| extension.extn_id.to_string(), |info| info.name.to_owned());
        println!("extension   {name}{}", if extension.critical { " (critical)" } else { "" });
    }
    for name in certificate.names() {
        println!("name        {}", name?);
    }
    Ok(())
}

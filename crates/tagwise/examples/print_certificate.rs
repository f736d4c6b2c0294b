//! Prints the certificates of files, in PEM or DER: `cargo run --example print_certificate -- cert.pem`.

use std::error::Error;
use std::{env, fs};

use tagwise::codec::{Decode, pem};
use tagwise::pkix::{Certificate, ext::ExtensionValue, oids};

fn main() -> Result<(), Box<dyn Error>> {
    for file in env::args_os().skip(1) {
        let input = fs::read(file)?;
        if input.starts_with(&[0x30]) {
            print(&input)?;
            continue;
        }
        for block in pem::blocks(&input) {
            let block = block?;
            if block.label() == "CERTIFICATE" {
                print(&block.decode()?)?;
            }
        }
    }
    Ok(())
}

/// Prints one certificate. Every byte of it has been checked once `from_der` returns.
fn print(der: &[u8]) -> Result<(), Box<dyn Error>> {
    let certificate = Certificate::from_der(der)?;
    let tbs = &certificate.tbs_certificate;
    println!("subject     {}", tbs.subject.oneline());
    println!("issuer      {}", tbs.issuer.oneline());
    println!("serial      {}", tbs.serial_number.hex());
    println!("valid       {} to {}", tbs.validity.not_before, tbs.validity.not_after);
    println!("key         {}", tbs.subject_public_key_info.info());
    for extension in tbs.extensions.iter().flat_map(|extensions| extensions.iter()) {
        let extension = extension?;
        let name =
            oids::lookup(extension.extn_id).map_or_else(|| extension.extn_id.to_string(), |info| info.name.to_owned());
        println!("extension   {name}{}", if extension.critical { " (critical)" } else { "" });
        if let ExtensionValue::SubjectAltName(names) = extension.extn_value.get()? {
            names.dns_names().for_each(|host| println!("            {host}"));
        }
    }
    Ok(())
}

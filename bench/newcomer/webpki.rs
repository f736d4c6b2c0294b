use webpki::EndEntityCert;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: program FILE")?;
    let der = CertificateDer::from_pem_file(file)?;
    let certificate = EndEntityCert::try_from(&der)?;
    let name = ServerName::try_from("www.example.com")?;
    certificate.verify_is_valid_for_subject_name(&name)?;
    println!("{name:?} is valid");
    Ok(())
}

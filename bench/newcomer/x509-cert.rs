use x509_cert::Certificate;
use x509_cert::der::DecodePem;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: program FILE")?;
    let certificate = Certificate::from_pem(std::fs::read(file)?)?;
    println!("{}", certificate.tbs_certificate().subject());
    let validity = certificate.tbs_certificate().validity();
    println!("{} to {}", validity.not_before, validity.not_after);
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: program FILE")?;
    let text = std::fs::read(file)?;
    let (_, pem) = x509_parser::pem::parse_x509_pem(&text).map_err(|error| error.to_string())?;
    let certificate = pem.parse_x509().map_err(|error| error.to_string())?;
    println!("{}", certificate.subject());
    println!("{} to {}", certificate.validity().not_before, certificate.validity().not_after);
    Ok(())
}

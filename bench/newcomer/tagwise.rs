use tagwise::pkix::CertificateBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: program FILE")?;
    let certificate = CertificateBuf::from_pem(std::fs::read(file)?)?;
    println!("{}", certificate.subject().oneline());
    println!("{} to {}", certificate.not_before(), certificate.not_after());
    Ok(())
}

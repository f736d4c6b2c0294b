//! Reads the toy of the certificate that is given, by its type.

use tagwise::pkix::CertificateBuf;
use tagwise::pkix::ext::Toy;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("no certificate is given")?;
    let certificate = CertificateBuf::from_der(std::fs::read(path)?)?;
    let toy = certificate.extension::<Toy<'_>>()?.ok_or("the certificate has no toy")?;
    assert_eq!((toy.color.as_str(), toy.wheels, toy.loud), ("red", Some(4), false));
    Ok(())
}

use rasn_pkix::Certificate;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: program FILE")?;
    let (_, der) = pem_rfc7468::decode_vec(&std::fs::read(file)?).map_err(|error| error.to_string())?;
    let certificate: Certificate = rasn::der::decode(&der).map_err(|error| error.to_string())?;
    let rasn_pkix::Name::RdnSequence(names) = &certificate.tbs_certificate.subject;
    for attribute in names.iter().flat_map(|name| name.to_vec()) {
        println!("{} {}", attribute.r#type, String::from_utf8_lossy(attribute.value.as_bytes()));
    }
    let validity = &certificate.tbs_certificate.validity;
    println!("{:?} to {:?}", validity.not_before, validity.not_after);
    Ok(())
}

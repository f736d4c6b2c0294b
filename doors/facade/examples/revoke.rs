//! Creates a CA and a CRL, verifies the CRL and prints its content.

use std::error::Error;

use tagwise::crypto::{Backend, KeySigner, KeyType, VerifySigned, backends::AwsLc};
use tagwise::pkix::build::{CertificateBuilder, CrlBuilder};
use tagwise::pkix::{UnixTime, ext::CrlReason};

fn main() -> Result<(), Box<dyn Error>> {
    let backend = AwsLc::new();
    let key = KeySigner::preferred(backend.generate(KeyType::P256)?)?;
    let ca = CertificateBuilder::new().subject("CN=Example Root")?.ca(None).self_signed(&key)?;
    let list = CrlBuilder::new(&ca, 1)?
        .revoke(1234, UnixTime::now())
        .revoke_for(5678, UnixTime::now(), CrlReason::KeyCompromise)
        .days(30)
        .sign(&key)?;
    list.verify_signed_by(&ca, &backend)?;
    println!("{} until {:?}", list.issuer(), list.next_update().map(|time| time.to_string()));
    for entry in list.entries() {
        let entry = entry?;
        let reason = entry.crl_entry_extensions.unwrap_or_default().get::<CrlReason>()?;
        println!("{} since {}, {reason:?}", entry.user_certificate, entry.revocation_date);
    }
    Ok(())
}

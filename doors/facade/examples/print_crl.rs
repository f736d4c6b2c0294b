//! Prints the entries of a CRL in DER, whatever its size: `cargo run --example print_crl -- list.crl`.

use std::error::Error;
use std::{env, fs};

use tagwise::codec::{Typed, stream};
use tagwise::pkix::{CertificateList, RevokedCertificate};

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).ok_or("usage: print_crl FILE")?;
    let mut entries = stream::items(fs::File::open(file)?, CertificateList::ty(), "tbsCertList.revokedCertificates")?;
    while let Some(entry) = entries.next::<RevokedCertificate<'_>>()? {
        let RevokedCertificate { user_certificate, revocation_date, .. } = entry.value;
        println!("{} since {revocation_date}, at byte {}", user_certificate.hex(), entry.offset);
    }
    // The rest of the list is checked, too.
    entries.finish()?;
    Ok(())
}

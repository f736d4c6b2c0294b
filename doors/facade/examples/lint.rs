//! Reports deviations of a certificate from RFC 5280: `cargo run --example lint -- cert.pem`.

use std::error::Error;
use std::{env, fs};

use tagwise::codec::{Decode, pem};
use tagwise::pkix::{Certificate, lint};

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).ok_or("usage: lint FILE")?;
    for block in pem::blocks(&fs::read(file)?) {
        let der = block?.decode()?;
        let certificate = Certificate::from_der(&der)?;
        for finding in &lint::certificate(&certificate, &lint::Options::default()).sorted() {
            let path = finding.path::<Certificate<'_>>(&der);
            println!("{:?}: {} at byte {}", finding.lint.severity, finding.lint.title, finding.offset);
            println!("    {path} ({}), {}", finding.lint.clause, finding.lint.id);
        }
    }
    Ok(())
}

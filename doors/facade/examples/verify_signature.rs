//! Verifies that one certificate signed another: `cargo run --example verify_signature -- certificate.pem issuer.pem`. This
//! does not decide whether either is trusted: that requires path validation.

use std::error::Error;
use std::{env, fs};

use tagwise::crypto::{VerifySigned, backends::AwsLc};
use tagwise::pkix::{CertificateBuf, UnixTime};

fn main() -> Result<(), Box<dyn Error>> {
    let (Some(file), Some(issuer)) = (env::args_os().nth(1), env::args_os().nth(2)) else {
        return Err("usage: verify_signature CERTIFICATE ISSUER".into());
    };
    let certificate = CertificateBuf::from_pem(fs::read(file)?)?;
    let issuer = CertificateBuf::from_pem(fs::read(issuer)?)?;
    certificate.verify_signed_by(&issuer, &AwsLc::new())?;
    let now = UnixTime::now();
    let valid = UnixTime::from(certificate.not_before()) <= now && now <= certificate.not_after().into();
    println!(
        "{}: signed by {}, {}",
        certificate.subject(),
        issuer.subject(),
        if valid { "valid now" } else { "not valid now" }
    );
    Ok(())
}

//! A tour of the library with the certificates in Mozilla's root program. It reads each certificate strictly, lists them,
//! measures the time for reading, and shows one certificate with its extensions.
//!
//! `./x demo` runs it. An argument selects another certificate by number: `./x demo 7`.

use std::error::Error;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use tagwise::codec::{Decode, Options, RuleSet};
use tagwise::pkix::{Certificate, CertificateBuf, oids};

/// The time for measuring each way of reading.
const MEASURED: Duration = Duration::from_millis(500);

fn main() -> Result<(), Box<dyn Error>> {
    let roots: Vec<&[u8]> = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().map(|root| &**root).collect();
    let number = match std::env::args().nth(1).map(|text| text.parse::<usize>()) {
        None => roots.iter().position(|der| der.windows(12).any(|part| part == b"ISRG Root X1")).unwrap_or(0),
        Some(Ok(number @ 1..)) if number <= roots.len() => number - 1,
        Some(_) => return Err(format!("usage: demo [NUMBER]   (1 to {})", roots.len()).into()),
    };
    match tour(&mut io::stdout().lock(), &roots, number) {
        Err(error)
            if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) =>
        {
            Ok(())
        }
        result => result,
    }
}

fn tour(out: &mut dyn Write, roots: &[&[u8]], number: usize) -> Result<(), Box<dyn Error>> {
    let bytes: usize = roots.iter().map(|der| der.len()).sum();
    writeln!(out, "{} root certificates, {bytes} bytes of DER, each read strictly", roots.len())?;
    row(out, ["subject", "key", "signature", "until"])?;
    let mut strict = 0;
    for der in roots {
        match CertificateBuf::from_der(*der) {
            Ok(certificate) => {
                strict += 1;
                list(out, &certificate)?;
            }
            // The frame is read even so; the error names field, byte and clause.
            Err(error) => {
                let lenient = Options::der().rules(RuleSet::ALL).outline::<Certificate<'_>>(der)?;
                writeln!(
                    out,
                    "  {}\n    rejected: {error}",
                    short(&lenient.value.tbs_certificate.subject.oneline().to_string())
                )?;
            }
        }
    }
    writeln!(out, "\nTime on one core (the best of many passes)")?;
    let whole = measure(roots, |der| Certificate::from_der(der).is_ok());
    let frame = measure(roots, |der| Certificate::outline(der).is_ok());
    for (name, what, each) in
        [("from_der", "every byte checked", whole), ("outline", "the frame; the rest on demand", frame)]
    {
        writeln!(out, "  {name:<9} {:>6.0} ns per certificate: {what}", each)?;
    }
    writeln!(out, "  {strict} of {} certificates are strict DER and conform to RFC 5280\n", roots.len())?;
    let Some(der) = roots.get(number) else { return Ok(()) };
    writeln!(out, "Certificate {} of {}", number + 1, roots.len())?;
    show(out, &CertificateBuf::from_der(*der)?)
}

/// Writes one line of the table.
fn list(out: &mut dyn Write, certificate: &CertificateBuf) -> io::Result<()> {
    let algorithm = certificate.get().tbs_certificate.signature.algorithm;
    let algorithm = oids::lookup(algorithm).map_or_else(|| algorithm.to_string(), |info| info.name.to_owned());
    let until = certificate.not_after().to_string();
    let subject = certificate.subject().oneline().to_string();
    let key = certificate.public_key().info().to_string();
    row(out, [&short(&subject), &key, &algorithm, until.split('T').next().unwrap_or_default()])
}

fn row(out: &mut dyn Write, [subject, key, signature, until]: [&str; 4]) -> io::Result<()> {
    writeln!(out, "  {subject:<46}  {key:<10}  {signature:<23}  {until}")
}

/// Returns the first 46 characters of a name.
fn short(name: &str) -> String {
    if name.chars().count() <= 46 { name.to_owned() } else { name.chars().take(45).chain(['…']).collect() }
}

fn show(out: &mut dyn Write, certificate: &CertificateBuf) -> Result<(), Box<dyn Error>> {
    writeln!(out, "  subject     {}", certificate.subject().oneline())?;
    writeln!(out, "  issuer      {}", certificate.issuer().oneline())?;
    writeln!(out, "  serial      {}", certificate.serial_number().hex())?;
    writeln!(out, "  valid       {} to {}", certificate.not_before(), certificate.not_after())?;
    writeln!(out, "  key         {}", certificate.public_key().info())?;
    for extension in &certificate.extensions() {
        let extension = extension?;
        let id = extension.extn_id;
        let name = oids::lookup(id).map_or_else(|| id.to_string(), |info| info.name.to_owned());
        writeln!(out, "  extension   {name}{}", if extension.critical { " (critical)" } else { "" })?;
    }
    Ok(())
}

/// Returns the nanoseconds per certificate in the fastest pass over all of them. Slower passes may be disturbed by other programs.
fn measure(certificates: &[&[u8]], read: impl Fn(&[u8]) -> bool) -> f64 {
    let (start, mut best) = (Instant::now(), Duration::MAX);
    while start.elapsed() < MEASURED {
        let pass = Instant::now();
        for der in certificates {
            std::hint::black_box(read(std::hint::black_box(der)));
        }
        best = best.min(pass.elapsed());
    }
    best.as_secs_f64() * 1e9 / certificates.len() as f64
}

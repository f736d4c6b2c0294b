//! Certificates from files in any format, with their locations.

use std::path::Path;

use tagwise_path::Pool;
use tagwise_store::{Contents, ContentsKind, Limits};

use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};
use crate::shared::stores::place_text;

/// A certificate and its location in a file.
#[derive(Clone, Debug)]
pub(crate) struct CertificateSource {
    pub(crate) der: Vec<u8>,
    /// The location as text, such as `chain.pem, line 12`.
    pub(crate) place: String,
    pub(crate) line: Option<usize>,
    pub(crate) offset: usize,
}

/// Reads the certificates of a file.
///
/// # Errors
/// Returns an error if the file or a part of it cannot be read, or if it contains no certificate.
pub(crate) fn certificates(context: &Context, path: &Path) -> Result<Vec<CertificateSource>, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let name = name_of(path);
    let found = certificates_in(&octets, &name);
    complete(&Contents::read(&octets, &Limits::DEFAULT), &name)?;
    if found.is_empty() {
        return Err(Failure::Said(3, format!("{name}: {}", nothing(&octets, "certificate"))));
    }
    Ok(found)
}

/// Reads the first certificate of a file.
///
/// # Errors
/// Returns the errors of [`certificates`], and an error if a part of the file cannot be read: it may be the first certificate.
pub(crate) fn first_certificate(context: &Context, path: &Path) -> Result<CertificateSource, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let name = name_of(path);
    let failure =
        Contents::read(&octets, &Limits::DEFAULT).failures().next().map(|failure| failure.message.to_string());
    let failure = failure.map(|message| format!("no readable certificate: {message}"));
    let found = certificates_in(&octets, &name).into_iter().next().filter(|_| failure.is_none());
    found.ok_or_else(|| {
        let nothing = failure.unwrap_or_else(|| nothing(&octets, "certificate"));
        Failure::Said(3, format!("{name}: {nothing}"))
    })
}

/// Returns the certificates in an input.
pub(crate) fn certificates_in(octets: &[u8], name: &str) -> Vec<CertificateSource> {
    let contents = Contents::read(octets, &Limits::DEFAULT);
    let items = contents.items().filter(|item| item.kind == ContentsKind::Certificate);
    let several = contents.len() > 1;
    items
        .map(|item| CertificateSource {
            der: item.der.to_vec(),
            place: if several { place_text(name, &item.place) } else { name.to_owned() },
            line: item.place.line,
            offset: item.place.offset,
        })
        .collect()
}

/// Checks that every part of an input could be read, so that no part of what was given is left out without a word.
///
/// # Errors
/// Returns an error that names the first part that could not be read.
pub(super) fn complete(contents: &Contents<'_>, name: &str) -> Result<(), Failure> {
    match contents.failures().next() {
        Some(failure) if !contents.is_empty() => {
            Err(Failure::Said(3, format!("{}: {}", place_text(name, &failure.place), failure.message)))
        }
        _ => Ok(()),
    }
}

/// Returns the reason why an input contains none of the wanted objects.
pub(crate) fn nothing(octets: &[u8], wanted: &str) -> String {
    let contents = Contents::read(octets, &Limits::DEFAULT);
    match contents.failures().next() {
        Some(failure) => format!("no readable {wanted}: {}", failure.message),
        None => tagwise_input::find(octets, tagwise_codec::RuleSet::NONE).nothing(wanted, octets.len()),
    }
}

/// Creates a pool of the certificates in files.
///
/// # Errors
/// Returns any error from [`certificates`].
pub(crate) fn pool(context: &Context, paths: &[std::path::PathBuf]) -> Result<Pool, Failure> {
    let mut pool = Pool::new();
    for path in paths {
        for found in certificates(context, path)? {
            // One that does not decode is of no use here, and does no harm.
            let _ = pool.add(found.der);
        }
    }
    Ok(pool)
}

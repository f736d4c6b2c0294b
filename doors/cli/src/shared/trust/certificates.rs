//! Certificates out of files of any form, with their places.

use std::path::Path;

use tagwise_path::Pool;
use tagwise_store::{Contents, Kind, Limits};

use crate::shared::files;
use crate::shared::output::{Failure, name_of};
use crate::shared::stores::place_text;

/// A certificate and its place in a file.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) der: Vec<u8>,
    /// The place in words: `chain.pem, line 12`.
    pub(crate) place: String,
    pub(crate) line: Option<usize>,
    pub(crate) offset: usize,
}

/// Reads the certificates of a file.
///
/// # Errors
/// A file that cannot be read, or has no certificate.
pub(crate) fn certificates(path: &Path) -> Result<Vec<Place>, Failure> {
    let octets = files::load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let name = name_of(path);
    let found = of(&octets, &name);
    if found.is_empty() {
        return Err(Failure::Said(3, format!("{name}: {}", nothing(&octets, "certificate"))));
    }
    Ok(found)
}

/// The certificates of an input.
fn of(octets: &[u8], name: &str) -> Vec<Place> {
    let contents = Contents::read(octets, &Limits::DEFAULT);
    let items = contents.items().filter(|item| item.kind == Kind::Certificate);
    let several = contents.len() > 1;
    items
        .map(|item| Place {
            der: item.der.to_vec(),
            place: if several { place_text(name, &item.place) } else { name.to_owned() },
            line: item.place.line,
            offset: item.place.offset,
        })
        .collect()
}

/// The reason why an input has nothing of what was looked for.
pub(crate) fn nothing(octets: &[u8], wanted: &str) -> String {
    let contents = Contents::read(octets, &Limits::DEFAULT);
    match contents.failures().next() {
        Some(failure) => format!("no {wanted} can be read: {}", failure.message),
        None => tagwise_input::find(octets, tagwise_codec::RuleSet::NONE).nothing(wanted, octets.len()),
    }
}

/// A pool of the certificates of files.
///
/// # Errors
/// Those of [`certificates`].
pub(crate) fn pool(paths: &[std::path::PathBuf]) -> Result<Pool, Failure> {
    let mut pool = Pool::new();
    for path in paths {
        for found in certificates(path)? {
            // One that does not decode is of no use here, and does no harm.
            let _ = pool.add(found.der);
        }
    }
    Ok(pool)
}

//! Certificates from files in any format, with their locations.

use std::io::{self, Read};
use std::path::Path;

use tagwise_path::Pool;
use tagwise_pkix::name::visible;
use tagwise_store::{Contents, ContentsKind, ContentsPlace, Limits};

use crate::shared::context::Context;
use crate::shared::files;
use crate::shared::output::{Failure, name_of};
use crate::shared::parts_read::{complete, place_text};

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
    let octets = context.load_again(path).map_err(|error| Failure::file(path, "read", &error))?;
    let name = name_of(path);
    let found = certificates_in(&octets, &name);
    complete(context, &Contents::read(&octets, &Limits::DEFAULT), &name)?;
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
    let octets = context.load_again(path).map_err(|error| Failure::file(path, "read", &error))?;
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

/// The size of the pieces in which large PEM files are read, in bytes.
const PIECE: usize = 4 << 20;

/// Some of the certificates of a file.
pub(crate) struct CertificatePiece {
    pub(crate) found: Vec<CertificateSource>,
    /// True if the file contains several certificates.
    pub(crate) several: bool,
}

/// Calls a function with the certificates of a file, piece by piece. PEM is divided between blocks, so a file of any size takes little
/// memory. Other formats are one piece.
///
/// # Errors
/// Returns an error if the file cannot be read or contains no certificate, or the function's error.
pub(crate) fn in_pieces(
    context: &Context,
    path: &Path,
    visit: impl FnMut(CertificatePiece) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::file(path, "read", &error);
    let source = files::open(path, context.limit).map_err(failed)?;
    pieces(context, source, PIECE, &name_of(path), failed, visit)
}

fn pieces(
    context: &Context,
    mut source: impl Read,
    size: usize,
    name: &str,
    failed: impl Fn(io::Error) -> Failure,
    mut visit: impl FnMut(CertificatePiece) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let limit = context.limit;
    // Bytes that are not yet visited, and their position in the file.
    let (mut text, mut start, mut lines, mut any) = (Vec::new(), 0usize, 0usize, false);
    loop {
        let read = source.by_ref().take(size as u64).read_to_end(&mut text).map_err(&failed)?;
        let mut is_last = read < size;
        if !is_last && start == 0 && !text.starts_with(b"-----BEGIN ") {
            source.by_ref().take(limit.saturating_add(1)).read_to_end(&mut text).map_err(&failed)?;
            is_last = true;
        }
        if start.saturating_add(text.len()) as u64 > limit {
            return Err(failed(files::too_large(limit)));
        }
        let end = if is_last { Some(text.len()) } else { end_of_blocks(&text) };
        let Some(end) = end else { continue };
        let rest = text.split_off(end);
        let is_divided = start > 0 || !is_last;
        let found = {
            let contents = Contents::read(&text, &Limits::DEFAULT);
            let piece = if start == 0 { name.to_owned() } else { format!("{name}, from byte {start}") };
            complete(context, &contents, &piece)?;
            sources(&contents, name, is_divided || contents.len() > 1, (start, lines))
        };
        any |= !found.is_empty();
        if is_last && !any {
            return Err(Failure::Said(3, format!("{name}: {}", nothing(&text, "certificate"))));
        }
        let several = is_divided || found.len() > 1;
        visit(CertificatePiece { found, several })?;
        if is_last {
            return Ok(());
        }
        start = start.saturating_add(end);
        lines = lines.saturating_add(text.iter().filter(|octet| **octet == b'\n').count());
        text = rest;
    }
}

/// Returns the end of the last line that ends a PEM block, if it is complete.
fn end_of_blocks(text: &[u8]) -> Option<usize> {
    const END: &[u8] = b"\n-----END ";
    let mut end = text.len();
    loop {
        let at = text.get(..end)?.windows(END.len()).rposition(|window| window == END)?;
        let line = text.get(at.checked_add(1)?..)?;
        if let Some(len) = line.iter().position(|octet| *octet == b'\n') {
            return at.checked_add(len)?.checked_add(2);
        }
        end = at;
    }
}

/// Returns the certificates in an input.
pub(crate) fn certificates_in(octets: &[u8], name: &str) -> Vec<CertificateSource> {
    let contents = Contents::read(octets, &Limits::DEFAULT);
    sources(&contents, name, contents.len() > 1, (0, 0))
}

/// Returns the certificates of contents that begin at an offset, after a number of lines.
fn sources(
    contents: &Contents<'_>,
    name: &str,
    several: bool,
    (start, lines): (usize, usize),
) -> Vec<CertificateSource> {
    let items = contents.items().filter(|item| item.kind == ContentsKind::Certificate);
    items
        .map(|item| {
            let line = item.place.line.map(|line| line.saturating_add(lines));
            let place = ContentsPlace { offset: item.place.offset.saturating_add(start), line, ..item.place };
            CertificateSource {
                der: item.der.to_vec(),
                place: if several { place_text(name, &place) } else { name.to_owned() },
                line,
                offset: place.offset,
            }
        })
        .collect()
}

/// Returns the reason why an input contains none of the wanted objects.
pub(crate) fn nothing(octets: &[u8], wanted: &str) -> String {
    let contents = Contents::read(octets, &Limits::DEFAULT);
    // The other description says more about unknown values.
    match contents.incomplete().filter(|part| part.code != "unrecognized") {
        Some(failure) => format!("no readable {wanted}: {}", visible(failure.message)),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Four blocks on four lines each, with text between them.
    fn bundle(label: &str) -> String {
        // The outer structure of a certificate.
        let block = format!("-----BEGIN {label}-----\nMAwwBqADAgECMAIw\nAAMAMA==\n-----END {label}-----\n");
        format!("{block}{block}CN=Text\n{block}{block}The end")
    }

    /// The line and offset of each certificate, by piece.
    #[allow(clippy::type_complexity, reason = "a result of tests only")]
    fn read(text: &str, size: usize) -> (Result<(), Failure>, Vec<Vec<(String, usize)>>) {
        let mut seen = Vec::new();
        let failed = |error: io::Error| Failure::Said(3, error.to_string());
        let mut context = Context::plain();
        context.limit = 1 << 20;
        let result = pieces(&context, text.as_bytes(), size, "all.pem", failed, |piece| {
            assert!(piece.several);
            seen.push(piece.found.into_iter().map(|one| (one.place, one.offset)).collect());
            Ok(())
        });
        (result, seen)
    }

    #[test]
    fn certificates_have_the_same_places_in_pieces_of_any_size() {
        let text = bundle("CERTIFICATE");
        let whole = certificates_in(text.as_bytes(), "all.pem").into_iter();
        let whole: Vec<_> = whole.map(|one| (one.place, one.offset)).collect();
        assert_eq!(whole.iter().map(|one| one.1).collect::<Vec<_>>(), [0, 80, 168, 248]);
        for size in 1..=text.len() + 1 {
            let (result, seen) = read(&text, size);
            assert!(result.is_ok(), "{size}");
            assert_eq!(seen.concat(), whole, "{size}");
        }
        // Two blocks of 80 bytes, the text, and the start of the third.
        assert_eq!(read(&text, 170).1.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    }

    #[test]
    fn text_before_the_first_block_makes_a_file_one_piece() {
        let (result, seen) = read(&format!("CN=Text\n{}", bundle("CERTIFICATE")), 100);
        assert!(result.is_ok());
        assert_eq!(seen.iter().map(Vec::len).collect::<Vec<_>>(), [4]);
    }

    #[test]
    fn a_file_without_certificates_or_beyond_the_limit_fails() {
        let Err(Failure::Said(3, message)) = read(&bundle("PUBLIC KEY"), 100).0 else { panic!("no failure") };
        assert!(message.starts_with("all.pem: "), "{message}");
        let long = bundle("CERTIFICATE").repeat(4_000);
        let Err(Failure::Said(3, message)) = read(&long, 100_000).0 else { panic!("no failure") };
        assert!(message.contains("1 MiB"), "{message}");
    }
}

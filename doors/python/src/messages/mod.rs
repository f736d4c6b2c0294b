//! CMS messages, PKCS #12 files and time stamps: operations with keys.

mod cms;
mod encrypted;
pub(crate) mod failure;
mod mail;
mod pipe;
mod pkcs12;
mod signer;
mod tsp;

pub(crate) use self::pipe::Source;
use pyo3::prelude::*;
use tagwise::codec::{Oid, Options, RuleSet};
use tagwise::crypto::Digest;
use tagwise::pkix::Certificate;

use crate::{errors, input};

/// Decodes only a certificate's outer structure, because errors inside it are the issuer's.
fn certificate<'a>(py: Python<'_>, der: &'a [u8]) -> PyResult<Certificate<'a>> {
    let read = Options::der().rules(RuleSet::ALL).parts(RuleSet::NONE).outline::<Certificate<'_>>(der);
    Ok(read.map_err(|error| errors::decoding(py, &error))?.value)
}

/// Creates an object identifier from its content bytes.
fn oid(content: &[u8]) -> PyResult<Oid<'_>> {
    Oid::from_content(content).map_err(|fault| errors::argument(fault.kind().text()))
}

/// Normalizes a name: `SHA-256` becomes `sha256`.
fn plain(name: &str) -> String {
    name.replace('-', "").to_ascii_lowercase()
}

fn digest(name: &str) -> PyResult<Digest> {
    let found = Digest::ALL.iter().copied().find(|digest| plain(digest.name()) == plain(name));
    let names = || Digest::ALL.iter().map(|digest| digest.name()).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| errors::argument(format!("unknown hash `{name}`; expected one of {}", names())))
}

/// Returns the content bytes of a content type in dotted form.
fn content_type(dotted: &str) -> PyResult<Vec<u8>> {
    input::oid(dotted)
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    cms::add(module)?;
    encrypted::add(module)?;
    mail::add(module)?;
    pkcs12::add(module)?;
    tsp::add(module)
}

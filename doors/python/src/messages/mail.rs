//! S/MIME mails (RFC 8551): the messages in them, the verdict on their headers, and mails around messages.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::input::mail::{
    Draft, Field, HeaderVerdict, Messages, canonical_entity, content_mail, mailboxes, seven_bit, signed_mail,
};

use super::certificate;
use crate::{errors, input};

/// A message in a mail: the CMS message, the content of a clear signature, and the fields of the header around it.
type Part<'py> = (Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>, Vec<(String, String)>);

/// Returns the S/MIME messages of a mail, and the number of other parts with content. Returns `None` if the input is not a mail.
#[pyfunction]
fn mail_messages<'py>(py: Python<'py>, mail: &Bound<'py, PyAny>) -> PyResult<Option<(Vec<Part<'py>>, usize)>> {
    let mail = input::bytes(mail)?;
    let Some(found) = Messages::read(mail.as_bytes()) else { return Ok(None) };
    let found = found.map_err(errors::argument)?;
    let parts = found.list.into_iter().map(|mail| {
        let header = mail.header.into_iter().map(|field| (field.name, field.value));
        let content = mail.content.map(|content| PyBytes::new(py, &content));
        (PyBytes::new(py, &mail.message), content, header.collect())
    });
    Ok(Some((parts.collect(), found.others)))
}

/// A code and its text.
type Problem = (&'static str, String);

/// Judges the header of a verified mail by its content and its signers' certificates. Returns the problems, each with its code, and notes.
#[pyfunction]
fn mail_verdict(
    py: Python<'_>,
    header: Vec<(String, String)>,
    content: &Bound<'_, PyAny>,
    certificates: Option<Vec<Vec<u8>>>,
) -> PyResult<(Vec<Problem>, Vec<String>)> {
    let header: Vec<Field> = header.into_iter().map(|(name, value)| Field { name, value }).collect();
    let mut known = None;
    for der in certificates.iter().flatten() {
        known.get_or_insert_with(Vec::new).extend(mailboxes(&certificate(py, der)?));
    }
    let content = input::bytes(content)?;
    let verdict = HeaderVerdict::of(&header, content.as_bytes(), false, known.as_deref());
    let findings = verdict.findings.iter().map(|finding| (finding.name(), finding.text().to_owned()));
    Ok((findings.collect(), verdict.notes))
}

/// Returns the canonical form of a MIME entity, for a clear signature with bodies of 7-bit lines only.
#[pyfunction]
fn mail_entity<'py>(py: Python<'py>, entity: &Bound<'py, PyAny>, is_clear: bool) -> PyResult<Bound<'py, PyBytes>> {
    let entity = input::bytes(entity)?;
    let made = match is_clear {
        true => seven_bit(entity.as_bytes()).map_err(errors::argument)?,
        false => canonical_entity(entity.as_bytes()),
    };
    Ok(PyBytes::new(py, &made))
}

/// Writes a clear-signed mail. The header has CRLF line endings.
#[pyfunction]
fn mail_signed<'py>(
    py: Python<'py>,
    header: Vec<u8>,
    entity: Vec<u8>,
    message: &[u8],
    micalg: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let mail = signed_mail(&Draft { header, entity }, message, micalg).map_err(errors::argument)?;
    Ok(PyBytes::new(py, &mail))
}

/// Writes a mail that consists of a message. The header has CRLF line endings.
#[pyfunction]
fn mail_message<'py>(py: Python<'py>, header: &[u8], smime_type: &str, message: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &content_mail(header, smime_type, message))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mail_messages, module)?)?;
    module.add_function(wrap_pyfunction!(mail_verdict, module)?)?;
    module.add_function(wrap_pyfunction!(mail_entity, module)?)?;
    module.add_function(wrap_pyfunction!(mail_signed, module)?)?;
    module.add_function(wrap_pyfunction!(mail_message, module)?)
}

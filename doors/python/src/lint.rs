//! Lints: the list of lints, and findings on certificates and CRLs.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use tagwise::codec::path_at;
use tagwise::codec::table::Type;
use tagwise::pkix::lint::{self, Lint, Options, Scope, Severity};
use tagwise::pkix::{Certificate, CertificateList};

/// A lint: identifier, clause, severity, scope, title, and explanation.
type Listed = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

/// A finding: lint, severity, clause, offset, title, path.
pub(crate) type Found = (&'static str, &'static str, &'static str, usize, &'static str, String);

fn scope(lint: &Lint) -> &'static str {
    match lint.scope {
        Scope::Certificate => "certificate",
        Scope::Crl => "crl",
        Scope::Both => "both",
    }
}

/// Returns all lints.
#[pyfunction]
fn lints() -> Vec<Listed> {
    let listed = |lint: &Lint| (lint.id, lint.clause, lint.severity.name(), scope(lint), lint.title, lint.about);
    lint::ALL.iter().copied().map(listed).collect()
}

/// Returns the options for the lints to run: those with the given identifiers, or all, with at least the given severity.
fn options(only: Option<&[String]>, severity: &str) -> PyResult<Options> {
    let options = match only {
        None => Options::all(),
        Some(ids) => ids.iter().try_fold(Options::none(), |options, id| {
            let lint = lint::by_id(id).ok_or_else(|| PyKeyError::new_err(id.clone()))?;
            PyResult::Ok(options.with(lint))
        })?,
    };
    match severity {
        "warning" => Ok(options),
        "error" => Ok(options.at_least(Severity::Error)),
        _ => Err(crate::errors::argument("the severity must be `warning` or `error`")),
    }
}

fn told(findings: &lint::Findings, ty: &'static Type, der: &[u8]) -> Vec<Found> {
    let told = |found: &lint::Finding| {
        let lint = found.lint;
        (lint.id, lint.severity.name(), lint.clause, found.offset, lint.title, path_at(ty, der, found.offset))
    };
    findings.iter().map(told).collect()
}

/// Returns the findings on a certificate.
pub(crate) fn certificate(
    read: &Certificate<'_>,
    der: &[u8],
    only: Option<&[String]>,
    severity: &str,
) -> PyResult<Vec<Found>> {
    use tagwise::codec::table::Typed as _;
    Ok(told(&lint::certificate(read, &options(only, severity)?).sorted(), Certificate::ty(), der))
}

/// Returns the findings on a CRL.
pub(crate) fn list(
    read: &CertificateList<'_>,
    der: &[u8],
    only: Option<&[String]>,
    severity: &str,
) -> PyResult<Vec<Found>> {
    use tagwise::codec::table::Typed as _;
    Ok(told(&lint::crl(read, &options(only, severity)?).sorted(), CertificateList::ty(), der))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(lints, module)?)
}

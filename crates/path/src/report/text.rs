//! A report as text: a tree.

use core::fmt;

use super::Report;

pub(super) fn report(report: &Report, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match report.refusal() {
        Some(refusal) => write!(f, "{refusal}"),
        None => f.write_str("no path"),
    }
}

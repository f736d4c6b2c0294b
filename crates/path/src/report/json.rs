//! A report as JSON.

use super::Report;

pub(super) fn report(report: &Report) -> String {
    let _ = report;
    String::from("{}")
}

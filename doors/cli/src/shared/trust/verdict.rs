//! The verdict on a certificate, and its JSON.

use std::io;

use serde::Serialize;
use serde_json::value::RawValue;
use tagwise_path::verify::Survey;
use tagwise_path::{Path, Report};

use tagwise_show::render::json;

/// The verdict on a certificate.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// There is a valid path.
    Valid(Box<Path>),
    /// There is no valid path, or the result is undecided.
    Not(Report),
    /// All valid paths were searched for. Contains them, and a report on the rejected candidates.
    Survey(Survey),
}

/// The answer derived from a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answer {
    /// There is a valid path.
    Valid,
    /// The budget or the revocation evidence was not sufficient to decide.
    Undecided,
    /// There is no valid path.
    Invalid,
}

impl Answer {
    /// Returns the exit code.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Valid => 0,
            Self::Invalid => 1,
            Self::Undecided => 4,
        }
    }

    /// Returns the stable name of the answer.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Undecided => "undecided",
        }
    }
}

impl Verdict {
    pub(crate) fn status(&self) -> Answer {
        let of_report = |report: &Report| if report.is_undecided() { Answer::Undecided } else { Answer::Invalid };
        match self {
            Self::Valid(_) => Answer::Valid,
            Self::Not(report) => of_report(report),
            Self::Survey(survey) if survey.paths.is_empty() => of_report(&survey.report),
            Self::Survey(_) => Answer::Valid,
        }
    }

    /// Returns the valid paths.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        match self {
            Self::Valid(path) => vec![path],
            Self::Not(_) => Vec::new(),
            Self::Survey(survey) => survey.paths.iter().collect(),
        }
    }

    /// Returns the name of the profile.
    pub(crate) fn profile(&self) -> &'static str {
        match self {
            Self::Valid(path) => path.explanation.profile,
            Self::Not(report) => report.explanation().profile,
            Self::Survey(survey) => {
                survey.paths.first().map_or(survey.report.explanation(), |path| &path.explanation).profile
            }
        }
    }

    /// Returns the report, if there is one.
    pub(crate) const fn report(&self) -> Option<&Report> {
        match self {
            Self::Valid(_) => None,
            Self::Not(report) => Some(report),
            Self::Survey(survey) => Some(&survey.report),
        }
    }
}

/// A verdict in JSON: the status, the valid paths, and the report, if any.
#[derive(Debug, Serialize)]
pub(crate) struct Document {
    status: &'static str,
    /// The paths in the library's own JSON format, which has its own version.
    paths: Vec<Box<RawValue>>,
    report: Option<Box<RawValue>>,
}

/// Creates the JSON document of a verdict.
///
/// # Errors
/// No error is expected: the library always writes valid JSON.
pub(crate) fn document(verdict: &Verdict) -> io::Result<Document> {
    document_as(verdict, verdict.status())
}

/// Creates the JSON document of a verdict from which another answer was derived.
///
/// # Errors
/// No error is expected: the library always writes valid JSON.
pub(crate) fn document_as(verdict: &Verdict, answer: Answer) -> io::Result<Document> {
    Ok(Document {
        status: answer.name(),
        paths: verdict.paths().iter().map(|path| json::raw(path.to_json())).collect::<io::Result<_>>()?,
        report: verdict.report().map(|report| json::raw(report.to_json())).transpose()?,
    })
}

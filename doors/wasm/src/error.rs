//! Errors as JSON, which JavaScript throws as `TagwiseError`.

use std::fmt::Display;

use serde::Serialize;
use tagwise_codec::Error;
use tagwise_input::Problem;

/// An error. The fields are those of `TagwiseError`.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Failure {
    message: String,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'static str>,
    /// The rule whose violation `allow` tolerates.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
}

impl Failure {
    /// The caller's arguments are wrong.
    pub(crate) fn usage(message: impl Display) -> Self {
        Self { message: message.to_string(), code: "usage", ..Self::default() }
    }

    /// The input can't be read, without a position.
    pub(crate) fn input(message: impl Display) -> Self {
        Self { message: message.to_string(), code: "input", ..Self::default() }
    }

    /// The requested component is absent.
    pub(crate) fn absent(message: impl Display) -> Self {
        Self { message: message.to_string(), code: "absent", ..Self::default() }
    }

    /// The password is wrong.
    #[cfg(all(feature = "full", feature = "verify"))]
    pub(crate) fn password(message: impl Display) -> Self {
        Self { message: message.to_string(), code: "password", ..Self::default() }
    }

    pub(crate) fn json(&self) -> Vec<u8> {
        // Text and numbers always have a JSON form.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self {
            message: error.to_string(),
            code: error.code(),
            path: Some(error.path().to_owned()),
            offset: Some(error.offset()),
            clause: Some(error.clause()),
            rule: error.rule().map(|rule| rule.name),
        }
    }
}

#[cfg(feature = "schema")]
impl From<tagwise_tables::untagged::Error> for Failure {
    fn from(error: tagwise_tables::untagged::Error) -> Self {
        Self {
            message: error.to_string(),
            code: error.code(),
            offset: error.bit().and_then(|bit| usize::try_from(bit / 8).ok()),
            clause: error.clause(),
            path: Some(error.path().to_owned()),
            rule: error.rule().map(tagwise_tables::untagged::Rule::name),
        }
    }
}

impl From<&Problem> for Failure {
    fn from(problem: &Problem) -> Self {
        Self {
            message: problem.line(),
            code: problem.code,
            path: Some(problem.path.clone()),
            offset: Some(problem.offset),
            clause: Some(problem.clause),
            rule: problem.rule,
        }
    }
}

//! Answers, before they are sent.

use serde_json::Value;

use crate::problem::Problem;

/// A callback that reports internal errors to the operator.
pub type Report = dyn Fn(&str) + Send + Sync;

/// A challenge to validate after the answer was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) authorization: String,
    pub(crate) challenge: usize,
    /// The claim of this node, which another node may replace later.
    pub(crate) claimed: i64,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) jobs: Vec<Job>,
    /// An internal error, for the operator.
    pub(crate) internal: Option<String>,
}

impl Reply {
    pub(crate) const fn empty(status: u16) -> Self {
        Self { status, kind: "", headers: Vec::new(), body: Vec::new(), jobs: Vec::new(), internal: None }
    }

    pub(crate) fn new(kind: &'static str, body: Vec<u8>) -> Self {
        Self { kind, body, ..Self::empty(200) }
    }

    pub(crate) fn json(status: u16, value: &Value) -> Self {
        Self { kind: "application/json", body: value.to_string().into_bytes(), ..Self::empty(status) }
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn with_jobs(self, jobs: Vec<Job>) -> Self {
        Self { jobs, ..self }
    }
}

impl From<Problem> for Reply {
    fn from(problem: Problem) -> Self {
        let body = problem.to_json().to_string().into_bytes();
        let mut reply = Self { kind: "application/problem+json", body, ..Self::empty(problem.status()) };
        reply.internal = problem.internal;
        if let Some(seconds) = problem.retry_after {
            reply = reply.header("retry-after", seconds.to_string());
        }
        if let Some(location) = problem.location {
            reply = reply.header("location", location);
        }
        reply
    }
}

//! The reason why an input was not processed. An exceeded limit has its own exit code, because the input may be valid.

use std::fmt;
use std::path::Path;

use tagwise_codec::{EncodeError, Error, Fault};
use tagwise_pkix::name::visible;

use super::output::{Failure, name_of};

/// An error about an input.
#[derive(Debug)]
pub(crate) struct Refused {
    text: String,
    /// True if a budget or an implementation limit was exceeded.
    is_limit: bool,
}

impl Refused {
    /// Creates the error of a library, followed by a hint.
    pub(crate) fn with_hint(error: &Error, hint: impl fmt::Display) -> Self {
        Self { text: format!("{error}{hint}"), is_limit: error.kind().is_limit() }
    }

    /// Adds a prefix that says where the error occurred.
    pub(crate) fn inside(self, place: impl fmt::Display) -> Self {
        Self { text: format!("{place}{}", self.text), ..self }
    }

    /// Returns the failure of a command: not known (exit code 4) for an exceeded limit, otherwise negative (exit code 1).
    pub(crate) fn failure(self, path: &Path) -> Failure {
        let code = if self.is_limit { 4 } else { 1 };
        Failure::Said(code, format!("{}: {}", name_of(path), visible(&self.text)))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

macro_rules! refused {
    ($($error:ty: $is_limit:expr;)*) => {$(
        impl From<$error> for Refused {
            fn from(error: $error) -> Self {
                let is_limit: fn(&$error) -> bool = $is_limit;
                Self { is_limit: is_limit(&error), text: error.to_string() }
            }
        }
    )*};
}

refused! {
    String: |_| false;
    &String: |_| false;
    &str: |_| false;
    fmt::Arguments<'_>: |_| false;
    std::io::Error: |_| false;
    Error: |error| error.kind().is_limit();
    EncodeError: |error| error.kind().is_limit();
    Fault: |fault| fault.kind().is_limit();
    tagwise_jer::Error: |error| error.is_limit;
    tagwise_tables::untagged::Error: tagwise_tables::untagged::Error::is_limit;
    tagwise_codec::stream::Error: |error| error.kind().is_some_and(tagwise_codec::FaultKind::is_limit);
}

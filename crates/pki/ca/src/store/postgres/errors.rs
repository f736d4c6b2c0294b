//! Errors of the connection and the server.

use postgres::error::SqlState;

use crate::Error;

/// An error of the connection or the server, with its reason, which the client library prints separately.
#[derive(Debug)]
pub(super) struct Reason(pub(super) postgres::Error);

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(error) = self.0.as_db_error() {
            return f.write_str(error.message());
        }
        self.0.fmt(f)?;
        let reason = std::error::Error::source(&self.0).map(ToString::to_string);
        match reason.as_deref() {
            None => Ok(()),
            // What follows may be a part of a password with a space or an equals sign that is not quoted.
            Some(text) if text.starts_with("unknown option") => f.write_str(": unknown option"),
            Some(text) if text.starts_with("unexpected character") => {
                write!(f, ": {}", text.split_once(": ").map_or(text, |(place, _)| place))
            }
            Some(text) => write!(f, ": {text}"),
        }
    }
}

impl std::error::Error for Reason {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Creates the error of a failed operation.
pub(super) fn failed_at(doing: &'static str) -> impl Fn(postgres::Error) -> Error {
    move |error| Error::Store { doing, source: Reason(error).into() }
}

/// Returns whether the connection is lost: it was closed, or the server shuts down, starts, or refuses more connections.
pub(super) fn is_lost(error: &postgres::Error) -> bool {
    let is_io = || std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<std::io::Error>);
    match error.code() {
        Some(code) => code.code().starts_with("08") || ["57P01", "57P02", "57P03", "53300"].contains(&code.code()),
        None => error.is_closed() || is_io(),
    }
}

/// Returns whether the server aborted the transaction because of a deadlock or conflict.
pub(super) fn is_given_up(error: &postgres::Error) -> bool {
    matches!(error.code(), Some(code) if [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE].contains(code))
}

/// Returns whether the server refused to commit, because it aborted the transaction or a deferred constraint failed. After any
/// other error, such as a lost connection, the outcome is unknown.
pub(super) fn is_refused(error: &postgres::Error) -> bool {
    is_given_up(error) || error.code().is_some_and(|code| code.code().starts_with("23"))
}

/// Returns whether a row with the same key exists.
pub(super) fn is_taken(error: &postgres::Error) -> bool {
    error.code() == Some(&SqlState::UNIQUE_VIOLATION)
}

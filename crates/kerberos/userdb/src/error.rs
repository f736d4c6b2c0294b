//! Errors.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// An error returned by a service. It is either defined in `io.systemd.UserDatabase`, or identified by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServiceError {
    /// There is no matching user, group or membership.
    NoRecordFound,
    /// A record with the given name or number exists, but does not match the rest of the query.
    NonMatchingRecordFound,
    /// The name and number belong to different records.
    ConflictingRecordFound,
    /// The requested service name is not the name of this service.
    BadService,
    /// The service is currently unavailable.
    ServiceNotAvailable,
    /// The service does not support enumeration.
    EnumerationNotSupported,
    /// The service does not have this method.
    MethodNotFound,
    /// A parameter is invalid. Contains its name.
    InvalidParameter(String),
    /// The caller lacks permission.
    PermissionDenied,
    /// A system call failed. Contains its `errno`.
    System(i32),
    /// Another error. Contains its name.
    Other(String),
}

impl ServiceError {
    /// Returns the error's name in the protocol.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::NoRecordFound => "io.systemd.UserDatabase.NoRecordFound",
            Self::NonMatchingRecordFound => "io.systemd.UserDatabase.NonMatchingRecordFound",
            Self::ConflictingRecordFound => "io.systemd.UserDatabase.ConflictingRecordFound",
            Self::BadService => "io.systemd.UserDatabase.BadService",
            Self::ServiceNotAvailable => "io.systemd.UserDatabase.ServiceNotAvailable",
            Self::EnumerationNotSupported => "io.systemd.UserDatabase.EnumerationNotSupported",
            Self::MethodNotFound => "org.varlink.service.MethodNotFound",
            Self::InvalidParameter(_) => "org.varlink.service.InvalidParameter",
            Self::PermissionDenied => "org.varlink.service.PermissionDenied",
            Self::System(_) => "io.systemd.System",
            Self::Other(name) => name,
        }
    }

    /// Returns a stable identifier for use by programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoRecordFound => "no-record",
            Self::NonMatchingRecordFound => "non-matching-record",
            Self::ConflictingRecordFound => "conflicting-record",
            Self::BadService => "bad-service",
            Self::ServiceNotAvailable => "service-not-available",
            Self::EnumerationNotSupported => "enumeration-not-supported",
            Self::MethodNotFound => "method-not-found",
            Self::InvalidParameter(_) => "invalid-parameter",
            Self::PermissionDenied => "permission-denied",
            Self::System(_) => "system",
            Self::Other(_) => "service",
        }
    }
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRecordFound => f.write_str("no matching record"),
            Self::NonMatchingRecordFound => f.write_str("the record does not match the whole query"),
            Self::ConflictingRecordFound => f.write_str("name and number belong to different records"),
            Self::BadService => f.write_str("the query names a different service"),
            Self::ServiceNotAvailable => f.write_str("the service is not available"),
            Self::EnumerationNotSupported => f.write_str("the service does not list its records"),
            Self::MethodNotFound => f.write_str("the service has no such method"),
            Self::InvalidParameter(name) => write!(f, "the parameter {name:?} is not supported"),
            Self::PermissionDenied => f.write_str("the service does not permit this caller"),
            Self::System(errno) => write!(f, "the service failed: {}", io::Error::from_raw_os_error(*errno)),
            Self::Other(name) => write!(f, "the service answered with the error {name:?}"),
        }
    }
}

impl std::error::Error for ServiceError {}

/// The reason why a query failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// No service listens at the path.
    NoService(PathBuf),
    /// The socket failed.
    Io(io::Error),
    /// The query exceeded the time limit.
    Time(Duration),
    /// The answers exceeded the size limit.
    Bytes(usize),
    /// The answers exceeded the record limit.
    Records(usize),
    /// The answer is not a varlink message, or does not match the interface. Contains a description.
    Malformed(String),
    /// A record is invalid. Contains the field and a description.
    Record(&'static str, String),
    /// The service returned a record other than the requested one.
    Mismatch(String),
    /// Several records match instead of one.
    Several,
    /// The service returned an error.
    Service(ServiceError),
}

impl Error {
    /// Returns a stable identifier for use by programs.
    ///
    /// ```
    /// assert_eq!(tagwise_userdb::Error::Several.code(), "several-records");
    /// ```
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoService(_) => "no-service",
            Self::Io(_) => "connection",
            Self::Time(_) => "time",
            Self::Bytes(_) => "bytes",
            Self::Records(_) => "records",
            Self::Malformed(_) => "malformed-answer",
            Self::Record(..) => "record",
            Self::Mismatch(_) => "other-record",
            Self::Several => "several-records",
            Self::Service(error) => error.code(),
        }
    }

    /// Returns whether the error means that there is no such record.
    #[must_use]
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Self::Service(ServiceError::NoRecordFound))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoService(path) => write!(f, "no service listens at {path:?}"),
            Self::Io(error) => write!(f, "the connection to the service failed: {error}"),
            Self::Time(limit) => write!(f, "the service took longer than {} ms", limit.as_millis()),
            Self::Bytes(limit) => write!(f, "the service sent more than {limit} bytes"),
            Self::Records(limit) => write!(f, "the service sent more than {limit} records"),
            Self::Malformed(what) => write!(f, "malformed reply from the service: {what}"),
            Self::Record(field, what) => write!(f, "the record is rejected: {field} {what}"),
            Self::Mismatch(what) => write!(f, "the service returned a different record: {what}"),
            Self::Several => f.write_str("expected one matching record, found several"),
            Self::Service(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Service(error) => Some(error),
            _ => None,
        }
    }
}

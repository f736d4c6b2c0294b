//! Messages: calls, replies and errors of `io.systemd.UserDatabase`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::ServiceError;
use crate::query::{Filter, GroupQuery, MembershipQuery, UserQuery};

pub(crate) const GET_USER: &str = "io.systemd.UserDatabase.GetUserRecord";
pub(crate) const GET_GROUP: &str = "io.systemd.UserDatabase.GetGroupRecord";
pub(crate) const GET_MEMBERSHIPS: &str = "io.systemd.UserDatabase.GetMemberships";

/// A method call. The parameters of a received call are initially an untyped JSON object.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Method<P> {
    pub(crate) method: String,
    pub(crate) parameters: P,
}

/// The parameters of the three `io.systemd.UserDatabase` methods.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Parameters {
    pub(crate) service: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gid: Option<u32>,
    #[serde(flatten)]
    pub(crate) filter: Filter,
}

impl Parameters {
    pub(crate) fn user(service: &str, query: &UserQuery) -> Self {
        let UserQuery { name, uid, filter } = query.clone();
        Self { service: service.to_owned(), user_name: name, uid, filter, ..Self::default() }
    }

    pub(crate) fn group(service: &str, query: &GroupQuery) -> Self {
        let GroupQuery { name, gid, filter } = query.clone();
        Self { service: service.to_owned(), group_name: name, gid, filter, ..Self::default() }
    }

    pub(crate) fn membership(service: &str, query: &MembershipQuery) -> Self {
        let MembershipQuery { user, group } = query.clone();
        Self { service: service.to_owned(), user_name: user, group_name: group, ..Self::default() }
    }
}

/// A reply that contains a record.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Found<R> {
    pub(crate) record: R,
    /// True if parts of the record were omitted. Services before systemd 257 always send this field, although the interface
    /// makes it optional.
    #[serde(default)]
    pub(crate) incomplete: Option<bool>,
}

/// The wire format of an error.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) error: String,
    #[serde(default)]
    pub(crate) parameters: Map<String, Value>,
}

impl From<Refusal> for ServiceError {
    fn from(refusal: Refusal) -> Self {
        let plain = [
            Self::NoRecordFound,
            Self::NonMatchingRecordFound,
            Self::ConflictingRecordFound,
            Self::BadService,
            Self::ServiceNotAvailable,
            Self::EnumerationNotSupported,
            Self::MethodNotFound,
            Self::PermissionDenied,
        ];
        if let Some(known) = plain.into_iter().find(|known| known.name() == refusal.error) {
            return known;
        }
        let text = |name: &str| refusal.parameters.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number =
            refusal.parameters.get("errno").and_then(Value::as_i64).and_then(|number| i32::try_from(number).ok());
        match (&*refusal.error, number) {
            ("org.varlink.service.InvalidParameter", _) => Self::InvalidParameter(text("parameter")),
            ("io.systemd.System", Some(errno)) => Self::System(errno),
            _ => Self::Other(refusal.error),
        }
    }
}

impl From<&ServiceError> for Refusal {
    fn from(error: &ServiceError) -> Self {
        let mut parameters = Map::new();
        match error {
            ServiceError::InvalidParameter(name) => {
                parameters.insert("parameter".to_owned(), Value::from(name.as_str()));
            }
            ServiceError::System(errno) => {
                parameters.insert("errno".to_owned(), Value::from(*errno));
            }
            _ => {}
        }
        Self { error: error.name().to_owned(), parameters }
    }
}

//! The service to query.

use std::path::PathBuf;
use std::time::Duration;

use tagwise_userdb::{
    Budget, Client, Disposition, Error, Filter, GroupQuery, GroupRecord, MULTIPLEXER, UserQuery, UserRecord, blocking,
};

use crate::shared::output::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct Source {
    /// Query this service instead of the one that combines all
    #[arg(long, value_name = "NAME")]
    service: Option<String>,
    /// Query the service that listens at this path
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// Time to wait for the answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

impl Source {
    /// Creates a client for the service.
    pub(super) fn client(&self) -> Result<blocking::Client, Error> {
        let service = self.service.as_deref().unwrap_or(MULTIPLEXER);
        let client = self.socket.as_ref().map_or_else(|| Client::service(service), |path| Client::at(path, service));
        blocking::Client::new(client.with_budget(Budget::DEFAULT.with_time(Duration::from_secs(self.timeout))))
    }

    /// Looks up a user. If no service was named and none is running, the host's own user tables (NSS) are used.
    pub(super) fn user(&self, query: &UserQuery) -> Result<UserRecord, Error> {
        self.or_tables(self.client()?.user(query), || tagwise_userdb::nss::user(query))
    }

    /// Looks up a group. If no service was named and none is running, the host's own group tables (NSS) are used.
    pub(super) fn group(&self, query: &GroupQuery) -> Result<GroupRecord, Error> {
        self.or_tables(self.client()?.group(query), || tagwise_userdb::nss::group(query))
    }

    fn or_tables<R>(
        &self,
        answer: Result<R, Error>,
        tables: impl FnOnce() -> Result<Option<R>, Error>,
    ) -> Result<R, Error> {
        match answer {
            Err(error @ Error::NoService(_)) if self.service.is_none() && self.socket.is_none() => {
                tables()?.ok_or(error)
            }
            answer => answer,
        }
    }
}

/// Converts a service error, or an error in a service's reply, to a command failure.
pub(super) fn failed(error: Error) -> Failure {
    match error {
        Error::Service(_) | Error::Several => Failure::negative(error.to_string()),
        other => Failure::Said(3, other.to_string()),
    }
}

/// Parses a UID or GID. Returns `None` for a name, which cannot consist only of digits.
pub(super) fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Filter conditions for users and groups.
#[derive(Debug, clap::Args)]
pub(super) struct Conditions {
    /// List only entries of this kind: regular, system, intrinsic, dynamic, container, reserved, foreign
    #[arg(long = "kind", value_name = "KIND", value_parser = kind, value_delimiter = ',')]
    kinds: Vec<Disposition>,
    /// List only entries with this text in a name
    #[arg(long = "match", value_name = "TEXT")]
    texts: Vec<String>,
    /// List only numbers from this one on
    #[arg(long, value_name = "NUMBER")]
    min: Option<u32>,
    /// List only numbers up to this one
    #[arg(long, value_name = "NUMBER")]
    max: Option<u32>,
}

impl Conditions {
    /// Returns whether no conditions are set.
    pub(super) fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.texts.is_empty() && self.min.is_none() && self.max.is_none()
    }

    /// Creates a user query with the conditions. They are not sent to the service, because services before systemd 257 reject
    /// them.
    pub(super) fn of_users(&self) -> UserQuery {
        let filter = Filter { uid_min: self.min, uid_max: self.max, ..self.filter() };
        UserQuery { filter, ..UserQuery::all() }
    }

    /// Creates a group query with the conditions.
    pub(super) fn of_groups(&self) -> GroupQuery {
        let filter = Filter { gid_min: self.min, gid_max: self.max, ..self.filter() };
        GroupQuery { filter, ..GroupQuery::all() }
    }

    fn filter(&self) -> Filter {
        let some = |empty: bool| (!empty).then_some(());
        Filter {
            disposition_mask: some(self.kinds.is_empty()).map(|()| self.kinds.clone()),
            fuzzy_names: some(self.texts.is_empty()).map(|()| self.texts.clone()),
            ..Filter::default()
        }
    }
}

fn kind(text: &str) -> Result<Disposition, String> {
    serde_json::from_value(serde_json::Value::from(text)).map_err(|_| {
        let kinds = "regular, system, intrinsic, dynamic, container, reserved, foreign";
        format!("unknown kind {text:?}, expected one of {kinds}")
    })
}

//! The async client.

use std::future::Future;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use tokio::net::UnixStream;
use tokio::time::timeout;
use zlink::connection::Connection;
use zlink::varlink_service;
use zlink::{Call, Reply};

use crate::bounded::{Allowance, Bounded};
use crate::budget::Budget;
use crate::error::{Error, ServiceError};
use crate::query::{Filter, GroupQuery, MembershipQuery, UserQuery};
use crate::record::{GroupRecord, Membership, UserRecord};
use crate::wire::{Found, GET_GROUP, GET_MEMBERSHIPS, GET_USER, Method, Parameters, Refusal};

/// The directory of the services' sockets. Each socket is named after its service.
pub const DIRECTORY: &str = "/run/systemd/userdb";

/// The service that combines all others.
pub const MULTIPLEXER: &str = "io.systemd.Multiplexer";

/// A client of one service. Each query uses its own connection, so a failed query does not affect later ones.
///
/// ```no_run
/// # async fn example() -> Result<(), tagwise_userdb::Error> {
/// use tagwise_userdb::{Client, UserQuery};
/// let client = Client::multiplexer();
/// let root = client.user(&UserQuery::uid(0)).await?;
/// assert_eq!(root.user_name, "root");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Client {
    path: PathBuf,
    service: String,
    budget: Budget,
}

impl Client {
    /// Creates a client for the multiplexer.
    #[must_use]
    pub fn multiplexer() -> Self {
        Self::service(MULTIPLEXER)
    }

    /// Creates a client for the service with the given name: `io.systemd.NameServiceSwitch`, `io.systemd.DropIn`,
    /// `io.systemd.Home` …
    #[must_use]
    pub fn service(name: &str) -> Self {
        Self::at(Path::new(DIRECTORY).join(name), name)
    }

    /// Creates a client for the service with the given name and socket path.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>, service: &str) -> Self {
        Self { path: path.into(), service: service.to_owned(), budget: Budget::DEFAULT }
    }

    /// Sets the budget.
    #[must_use]
    pub const fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Returns the path of the socket.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the single matching user.
    ///
    /// # Errors
    /// Returns [`Error::Service`] with [`ServiceError::NoRecordFound`] if there is none, [`Error::Several`] if there are
    /// several, or another error if the service fails or its answer is invalid.
    pub async fn user(&self, query: &UserQuery) -> Result<UserRecord, Error> {
        one(self.users(query).await?)
    }

    /// Returns all matching users.
    ///
    /// # Errors
    /// Returns any error from [`Client::user`], except for [`Error::Several`].
    pub async fn users(&self, query: &UserQuery) -> Result<Vec<UserRecord>, Error> {
        let mut users = Vec::new();
        self.each_user(query, |user| {
            users.push(user);
            ControlFlow::Continue(())
        })
        .await?;
        found(users)
    }

    /// Calls `with` for each matching user as it arrives, without storing them. `with` may stop early.
    ///
    /// # Errors
    /// Returns any error from [`Client::user`]. It is not an error if no user passes the filter.
    pub async fn each_user(
        &self,
        query: &UserQuery,
        mut with: impl FnMut(UserRecord) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let parameters = Parameters::user(&self.service, query);
        self.ask(GET_USER, parameters, query.is_enumeration(), |mut found: Found<UserRecord>| {
            found.record.incomplete = found.incomplete == Some(true);
            found.record.check()?;
            if !query.names(&found.record) {
                return Err(Error::Mismatch(format!("{:?}, number {:?}", found.record.user_name, found.record.uid)));
            }
            Ok(if query.takes(&found.record) { with(found.record) } else { ControlFlow::Continue(()) })
        })
        .await
    }

    /// Returns the single matching group.
    ///
    /// # Errors
    /// Returns any error from [`Client::user`].
    pub async fn group(&self, query: &GroupQuery) -> Result<GroupRecord, Error> {
        one(self.groups(query).await?)
    }

    /// Returns all matching groups.
    ///
    /// # Errors
    /// Returns any error from [`Client::users`].
    pub async fn groups(&self, query: &GroupQuery) -> Result<Vec<GroupRecord>, Error> {
        let mut groups = Vec::new();
        let parameters = Parameters::group(&self.service, query);
        self.ask(GET_GROUP, parameters, query.is_enumeration(), |mut found: Found<GroupRecord>| {
            found.record.incomplete = found.incomplete == Some(true);
            found.record.check()?;
            if !query.names(&found.record) {
                return Err(Error::Mismatch(format!("{:?}, number {:?}", found.record.group_name, found.record.gid)));
            }
            if query.takes(&found.record) {
                groups.push(found.record);
            }
            Ok(ControlFlow::Continue(()))
        })
        .await?;
        found(groups)
    }

    /// Returns all matching memberships, possibly none.
    ///
    /// # Errors
    /// Returns an error if the service fails, or its answer is invalid.
    pub async fn memberships(&self, query: &MembershipQuery) -> Result<Vec<Membership>, Error> {
        let mut memberships = Vec::new();
        let parameters = Parameters::membership(&self.service, query);
        let asked = self.ask(GET_MEMBERSHIPS, parameters, true, |membership: Membership| {
            membership.check()?;
            if !query.takes(&membership) {
                return Err(Error::Mismatch(format!("{:?} in {:?}", membership.user_name, membership.group_name)));
            }
            memberships.push(membership);
            Ok(ControlFlow::Continue(()))
        });
        match asked.await {
            Err(error) if !error.is_not_found() => Err(error),
            _ => Ok(memberships),
        }
    }

    /// Sends a query and calls `with` for each reply, within the budget.
    async fn ask<R: DeserializeOwned + std::fmt::Debug>(
        &self,
        method: &str,
        parameters: Parameters,
        more: bool,
        with: impl FnMut(R) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let limit = self.budget.time;
        let mut with = with;
        let asked = async {
            match self.ask_untimed(method, parameters.clone(), more, &mut with).await {
                // systemd before 257 refuses a parameter that it does not know, by `EADDRNOTAVAIL`, before it answers anything. What it
                // answers without the filter is filtered here.
                Err(Error::Service(error)) if is_unknown_parameter(&error) && !parameters.filter.is_empty() => {
                    let plain = Parameters { filter: Filter::default(), ..parameters };
                    self.ask_untimed(method, plain, more, &mut with).await
                }
                answer => answer,
            }
        };
        timeout(limit, asked).await.unwrap_or(Err(Error::Time(limit)))
    }

    fn ask_untimed<R: DeserializeOwned + std::fmt::Debug>(
        &self,
        method: &str,
        parameters: Parameters,
        more: bool,
        with: &mut impl FnMut(R) -> Result<ControlFlow<()>, Error>,
    ) -> impl Future<Output = Result<(), Error>> {
        let call = Call::new(Method { method: method.to_owned(), parameters }).set_more(more);
        async move {
            let mut connection = self.connect().await?;
            connection.send_call(&call, Vec::new()).await.map_err(|error| self.fault(error))?;
            for _ in 0..self.budget.records {
                let received = connection.receive_reply::<R, Refusal>().await;
                let (reply, _descriptors) = received.map_err(|error| self.fault(error))?;
                let reply: Reply<R> = reply.map_err(|refusal| Error::Service(refusal.into()))?;
                let continues = reply.continues() == Some(true);
                let parameters =
                    reply.into_parameters().ok_or_else(|| Error::Malformed("a reply has no parameters".to_owned()))?;
                if with(parameters)?.is_break() || !continues {
                    return Ok(());
                }
                if !more {
                    return Err(Error::Malformed("several replies, expected one".to_owned()));
                }
            }
            Err(Error::Records(self.budget.records))
        }
    }

    async fn connect(&self) -> Result<Connection<Bounded>, Error> {
        let stream = UnixStream::connect(&self.path).await.map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::ConnectionRefused => Error::NoService(self.path.clone()),
            _ => Error::Io(error),
        })?;
        Ok(Connection::new(Bounded { stream, allowance: Allowance::new(self.budget.bytes) }))
    }

    /// Converts a connection error.
    fn fault(&self, error: zlink::Error) -> Error {
        match error {
            zlink::Error::BufferOverflow => Error::Bytes(self.budget.bytes),
            zlink::Error::Io(error) => Error::Io(error),
            zlink::Error::UnexpectedEof => Error::Malformed("truncated reply".to_owned()),
            zlink::Error::UnknownErrorReply(name) => Error::Service(ServiceError::Other(name)),
            zlink::Error::VarlinkService(error) => Error::Service(standard(error.inner())),
            other => Error::Malformed(other.to_string()),
        }
    }
}

/// Returns whether a service rejected a call because of an unknown parameter.
fn is_unknown_parameter(error: &ServiceError) -> bool {
    const EADDRNOTAVAIL: i32 = 99;
    matches!(error, ServiceError::System(EADDRNOTAVAIL) | ServiceError::InvalidParameter(_))
}

/// Converts an error defined by varlink itself.
fn standard(error: &varlink_service::Error<'_>) -> ServiceError {
    match error {
        varlink_service::Error::InvalidParameter { parameter } => ServiceError::InvalidParameter(parameter.to_string()),
        varlink_service::Error::PermissionDenied => ServiceError::PermissionDenied,
        varlink_service::Error::MethodNotFound { .. } => ServiceError::MethodNotFound,
        other => ServiceError::Other(other.to_string()),
    }
}

/// Returns the only element of a list, or an error.
fn one<R>(list: Vec<R>) -> Result<R, Error> {
    let mut list = list.into_iter();
    match (list.next(), list.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => Err(Error::Service(ServiceError::NoRecordFound)),
        (Some(_), Some(_)) => Err(Error::Several),
    }
}

/// Returns a list, or `NoRecordFound` if it is empty, for example because of filters.
fn found<R>(list: Vec<R>) -> Result<Vec<R>, Error> {
    if list.is_empty() { Err(Error::Service(ServiceError::NoRecordFound)) } else { Ok(list) }
}

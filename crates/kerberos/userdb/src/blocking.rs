//! A blocking client, which falls back to the host's own tables if no service is running.
//!
//! Within an async runtime, use [`crate::Client`] instead.

use std::ops::ControlFlow;

use tokio::runtime::{Builder, Runtime};

use crate::budget::Budget;
use crate::client;
use crate::error::Error;
use crate::nss;
use crate::query::{GroupQuery, MembershipQuery, UserQuery};
use crate::record::{GroupRecord, Membership, UserRecord};

/// A blocking client of one service. For its methods, see [`crate::Client`].
#[derive(Debug)]
pub struct Client {
    inner: client::Client,
    runtime: Runtime,
}

impl Client {
    /// Creates a client for the multiplexer.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the system cannot create an event queue.
    pub fn multiplexer() -> Result<Self, Error> {
        Self::new(client::Client::multiplexer())
    }

    /// Creates a client for the service with the given name.
    ///
    /// # Errors
    /// Returns any error from [`Client::multiplexer`].
    pub fn service(name: &str) -> Result<Self, Error> {
        Self::new(client::Client::service(name))
    }

    /// Wraps an async client.
    ///
    /// # Errors
    /// Returns any error from [`Client::multiplexer`].
    pub fn new(client: client::Client) -> Result<Self, Error> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build().map_err(Error::Io)?;
        Ok(Self { inner: client, runtime })
    }

    /// Sets the budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { inner: self.inner.with_budget(budget), ..self }
    }

    /// Returns the single matching user.
    ///
    /// # Errors
    /// Returns any error from [`crate::Client::user`].
    pub fn user(&mut self, query: &UserQuery) -> Result<UserRecord, Error> {
        self.runtime.block_on(self.inner.user(query))
    }

    /// Returns all matching users.
    ///
    /// # Errors
    /// Returns any error from [`crate::Client::users`].
    pub fn users(&mut self, query: &UserQuery) -> Result<Vec<UserRecord>, Error> {
        self.runtime.block_on(self.inner.users(query))
    }

    /// Calls `with` for each matching user.
    ///
    /// # Errors
    /// Returns any error from [`crate::Client::each_user`].
    pub fn each_user(
        &mut self,
        query: &UserQuery,
        with: impl FnMut(UserRecord) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.runtime.block_on(self.inner.each_user(query, with))
    }

    /// Returns the single matching group.
    ///
    /// # Errors
    /// Returns any error from [`crate::Client::group`].
    pub fn group(&mut self, query: &GroupQuery) -> Result<GroupRecord, Error> {
        self.runtime.block_on(self.inner.group(query))
    }

    /// Returns all matching groups.
    ///
    /// # Errors
    /// Returns any error from [`crate::Client::groups`].
    pub fn groups(&mut self, query: &GroupQuery) -> Result<Vec<GroupRecord>, Error> {
        self.runtime.block_on(self.inner.groups(query))
    }

    /// Returns all matching memberships.
    ///
    /// # Errors
    /// Returns any error from [`crate::Client::memberships`].
    pub fn memberships(&mut self, query: &MembershipQuery) -> Result<Vec<Membership>, Error> {
        self.runtime.block_on(self.inner.memberships(query))
    }
}

/// Finds a user by name or UID, through the multiplexer or, if it is not running, in the host's own tables.
///
/// ```
/// use tagwise_userdb::{UserQuery, blocking};
/// assert_eq!(blocking::find_user(&UserQuery::uid(0))?.user_name, "root");
/// # Ok::<(), tagwise_userdb::Error>(())
/// ```
///
/// # Errors
/// Returns any error from [`crate::Client::user`], or [`Error::NoService`] for an enumeration, which the host's tables do
/// not support.
pub fn find_user(query: &UserQuery) -> Result<UserRecord, Error> {
    match Client::multiplexer()?.user(query) {
        Err(error @ Error::NoService(_)) => nss::user(query)?.ok_or(error),
        answer => answer,
    }
}

/// Finds a group by name or GID, through the multiplexer or, if it is not running, in the host's own tables.
///
/// # Errors
/// Returns any error from [`find_user`].
pub fn find_group(query: &GroupQuery) -> Result<GroupRecord, Error> {
    match Client::multiplexer()?.group(query) {
        Err(error @ Error::NoService(_)) => nss::group(query)?.ok_or(error),
        answer => answer,
    }
}

//! The client for programs without an async runtime, with the host's own tables where no service runs.
//!
//! Not to be called from within a runtime: there, [`crate::Client`] is to be used.

use std::ops::ControlFlow;

use tokio::runtime::{Builder, Runtime};

use crate::budget::Budget;
use crate::client;
use crate::error::Error;
use crate::nss;
use crate::query::{GroupQuery, MembershipQuery, UserQuery};
use crate::record::{GroupRecord, Membership, UserRecord};

/// A client of one service that waits for its answers: see [`crate::Client`], whose methods these are.
#[derive(Debug)]
pub struct Client {
    inner: client::Client,
    runtime: Runtime,
}

impl Client {
    /// A client of the multiplexer.
    ///
    /// # Errors
    /// [`Error::Io`] if the system gives no event queue.
    pub fn multiplexer() -> Result<Self, Error> {
        Self::new(client::Client::multiplexer())
    }

    /// A client of one service, by name.
    ///
    /// # Errors
    /// Those of [`Client::multiplexer`].
    pub fn service(name: &str) -> Result<Self, Error> {
        Self::new(client::Client::service(name))
    }

    /// A client that waits, of one that does not.
    ///
    /// # Errors
    /// Those of [`Client::multiplexer`].
    pub fn new(client: client::Client) -> Result<Self, Error> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build().map_err(Error::Io)?;
        Ok(Self { inner: client, runtime })
    }

    /// The client with another budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { inner: self.inner.with_budget(budget), ..self }
    }

    /// The one user that fits.
    ///
    /// # Errors
    /// Those of [`crate::Client::user`].
    pub fn user(&mut self, query: &UserQuery) -> Result<UserRecord, Error> {
        self.runtime.block_on(self.inner.user(query))
    }

    /// All users that fit.
    ///
    /// # Errors
    /// Those of [`crate::Client::users`].
    pub fn users(&mut self, query: &UserQuery) -> Result<Vec<UserRecord>, Error> {
        self.runtime.block_on(self.inner.users(query))
    }

    /// Calls `with` for each user that fits.
    ///
    /// # Errors
    /// Those of [`crate::Client::each_user`].
    pub fn each_user(
        &mut self,
        query: &UserQuery,
        with: impl FnMut(UserRecord) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.runtime.block_on(self.inner.each_user(query, with))
    }

    /// The one group that fits.
    ///
    /// # Errors
    /// Those of [`crate::Client::group`].
    pub fn group(&mut self, query: &GroupQuery) -> Result<GroupRecord, Error> {
        self.runtime.block_on(self.inner.group(query))
    }

    /// All groups that fit.
    ///
    /// # Errors
    /// Those of [`crate::Client::groups`].
    pub fn groups(&mut self, query: &GroupQuery) -> Result<Vec<GroupRecord>, Error> {
        self.runtime.block_on(self.inner.groups(query))
    }

    /// All memberships that fit.
    ///
    /// # Errors
    /// Those of [`crate::Client::memberships`].
    pub fn memberships(&mut self, query: &MembershipQuery) -> Result<Vec<Membership>, Error> {
        self.runtime.block_on(self.inner.memberships(query))
    }
}

/// The user of a name or number: from the multiplexer, or from the host's own tables where no multiplexer runs.
///
/// ```
/// use tagwise_userdb::{UserQuery, blocking};
/// assert_eq!(blocking::find_user(&UserQuery::uid(0))?.user_name, "root");
/// # Ok::<(), tagwise_userdb::Error>(())
/// ```
///
/// # Errors
/// Those of [`crate::Client::user`]; [`Error::NoService`] for a question that names nobody, which the host's tables do not answer.
pub fn find_user(query: &UserQuery) -> Result<UserRecord, Error> {
    match Client::multiplexer()?.user(query) {
        Err(error @ Error::NoService(_)) => nss::user(query)?.ok_or(error),
        answer => answer,
    }
}

/// The group of a name or number: from the multiplexer, or from the host's own tables where no multiplexer runs.
///
/// # Errors
/// Those of [`find_user`].
pub fn find_group(query: &GroupQuery) -> Result<GroupRecord, Error> {
    match Client::multiplexer()?.group(query) {
        Err(error @ Error::NoService(_)) => nss::group(query)?.ok_or(error),
        answer => answer,
    }
}

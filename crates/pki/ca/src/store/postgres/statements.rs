//! Prepared statements, which a connection prepares once. Otherwise, the server would parse and plan each statement again,
//! and each would take another round trip.

use std::collections::HashMap;
use std::time::Duration;

use postgres::error::SqlState;
use postgres::types::ToSql;
use postgres::{Client, NoTls, Row, Statement};

/// The values of a statement's parameters.
pub(super) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// The maximum number of statements of a connection. The store has fewer; SQL text that differs each time would have more.
const MOST: usize = 256;

/// The prepared statements by their SQL.
#[derive(Default)]
pub(super) struct Statements(HashMap<String, Statement>);

impl Statements {
    /// Returns a prepared statement.
    fn prepared(
        &mut self,
        sql: &str,
        prepare: impl FnOnce() -> Result<Statement, postgres::Error>,
    ) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.0.get(sql) {
            return Ok(statement.clone());
        }
        let statement = prepare()?;
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

/// Returns whether a prepared statement cannot be used any more: the tables were upgraded since, or a proxy has discarded
/// the statements of the session.
pub(super) fn is_stale(error: &postgres::Error) -> bool {
    let codes = [SqlState::FEATURE_NOT_SUPPORTED, SqlState::INVALID_SQL_STATEMENT_NAME];
    error.code().is_some_and(|code| codes.contains(code))
}

/// A connection with its prepared statements.
pub(super) struct Connection {
    client: Client,
    statements: Statements,
}

impl Connection {
    /// Connects, and sets up the session.
    pub(super) fn open(text: &str, patience: Duration, read_only: bool) -> Result<Self, postgres::Error> {
        let mut client = super::config(text)?.connect(NoTls)?;
        // Commits are on the server's disk, regardless of its default setting.
        let setup = format!(
            "SET synchronous_commit = on; SET lock_timeout = {}; SET default_transaction_read_only = {read_only}",
            patience.as_millis()
        );
        client.batch_execute(&setup)?;
        Ok(Self { client, statements: Statements::default() })
    }

    /// Discards the prepared statements.
    pub(super) fn forget(&mut self) {
        self.statements = Statements::default();
    }

    pub(super) fn query(&mut self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, postgres::Error> {
        let statement = self.statements.prepared(sql, || self.client.prepare(sql))?;
        self.client.query(&statement, values)
    }

    pub(super) fn query_opt(&mut self, sql: &str, values: Values<'_>) -> Result<Option<Row>, postgres::Error> {
        let statement = self.statements.prepared(sql, || self.client.prepare(sql))?;
        self.client.query_opt(&statement, values)
    }

    pub(super) fn query_one(&mut self, sql: &str, values: Values<'_>) -> Result<Row, postgres::Error> {
        let statement = self.statements.prepared(sql, || self.client.prepare(sql))?;
        self.client.query_one(&statement, values)
    }

    pub(super) fn transaction(&mut self) -> Result<Transaction<'_>, postgres::Error> {
        Ok(Transaction { inner: self.client.transaction()?, statements: &mut self.statements })
    }
}

/// A transaction of a connection.
pub(super) struct Transaction<'a> {
    inner: postgres::Transaction<'a>,
    statements: &'a mut Statements,
}

impl Transaction<'_> {
    fn prepared(&mut self, sql: &str) -> Result<Statement, postgres::Error> {
        self.statements.prepared(sql, || self.inner.prepare(sql))
    }

    pub(super) fn execute(&mut self, sql: &str, values: Values<'_>) -> Result<u64, postgres::Error> {
        let statement = self.prepared(sql)?;
        self.inner.execute(&statement, values)
    }

    pub(super) fn query(&mut self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, postgres::Error> {
        let statement = self.prepared(sql)?;
        self.inner.query(&statement, values)
    }

    pub(super) fn query_opt(&mut self, sql: &str, values: Values<'_>) -> Result<Option<Row>, postgres::Error> {
        let statement = self.prepared(sql)?;
        self.inner.query_opt(&statement, values)
    }

    pub(super) fn query_one(&mut self, sql: &str, values: Values<'_>) -> Result<Row, postgres::Error> {
        let statement = self.prepared(sql)?;
        self.inner.query_one(&statement, values)
    }

    /// Runs several statements without values, which are not prepared.
    pub(super) fn batch_execute(&mut self, sql: &str) -> Result<(), postgres::Error> {
        self.inner.batch_execute(sql)
    }

    pub(super) fn commit(self) -> Result<(), postgres::Error> {
        self.inner.commit()
    }
}

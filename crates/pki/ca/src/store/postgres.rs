//! A PostgreSQL store, for CAs that run on several machines or need PostgreSQL's backups.
//!
//! The connection does not use TLS. Use a local socket, or a network as trusted as the machine. `schema` defines the
//! tables and their versions. Locks are per row: revocations and CRLs of one CA wait for each other, and issuance never
//! waits.

mod crls;
mod documents;
mod errors;
mod revocations;
mod schema;
mod seals;
mod statements;

use std::time::{Duration, Instant};

use postgres::error::SqlState;
use postgres::{Config, Row};
use tagwise_pkix::UnixTime;

use self::errors::{Reason, failed_at, is_given_up, is_lost, is_refused, is_taken};
use self::revocations::status;
use self::statements::{Connection, Transaction, Values, is_stale};
use super::{
    AuthorityId, AuthorityRecord, CertificateRecord, CrlRecord, Cursor, Elsewhere, MakeCrl, NewCertificate,
    NewOcspResponse, OcspRecord, Past, Revocation, Series, SeriesCrl, Status, Store, StoredKey, Unanswered, Visit,
    digests, listed, series, values,
};
use crate::authority::Urls;
use crate::{Error, Now, Serial};

/// A store in a PostgreSQL database.
pub struct PostgresStore {
    connection: Connection,
    patience: Duration,
    /// The connection string, to connect again.
    text: String,
    /// True after the connection was lost.
    lost: bool,
    read_only: bool,
}

impl std::fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}

/// The maximum number of attempts at a transaction that the server aborts because of a conflict.
const ATTEMPTS: u32 = 10;

/// The interval between attempts to connect again.
const AGAIN: Duration = Duration::from_millis(100);

/// The default time limit for connecting, and for the acknowledgment of sent data. Without it, a connection whose packets are
/// dropped silently blocks for many minutes.
const UNREACHABLE: Duration = Duration::from_secs(10);

/// Parses a connection string, and adds time limits that it does not contain.
fn config(text: &str) -> Result<Config, postgres::Error> {
    let mut config: Config = text.parse()?;
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(UNREACHABLE);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNREACHABLE);
    }
    // While the server is working, only keepalives show that it is reachable. The default is two hours.
    if !text.contains("keepalives") {
        config.keepalives_idle(UNREACHABLE).keepalives_interval(UNREACHABLE / 5).keepalives_retries(5);
    }
    Ok(config)
}

impl PostgresStore {
    /// Connects, and upgrades the tables in the first schema of the search path.
    ///
    /// `text` is a libpq connection string (`host=/run/postgresql user=ca dbname=ca`) or a URL. If the connection is lost
    /// later, operations connect again for up to `patience`, unless the loss leaves their outcome unknown.
    ///
    /// # Errors
    /// Returns [`Error::NewerDatabase`] if the tables are from a newer version, [`Error::Locked`] if others hold a lock for
    /// longer than `patience`, or any error from the server.
    pub fn connect(text: &str, patience: Duration) -> Result<Self, Error> {
        Self::connect_with(text, patience, false)
    }

    /// Connects for reading only. The tables are not upgraded, so they must have the current version.
    ///
    /// # Errors
    /// Returns any error from [`connect`](Self::connect), or the server's error if the tables need an upgrade.
    pub fn connect_to_read(text: &str, patience: Duration) -> Result<Self, Error> {
        Self::connect_with(text, patience, true)
    }

    fn connect_with(text: &str, patience: Duration, read_only: bool) -> Result<Self, Error> {
        let connection = Connection::open(text, patience, read_only).map_err(failed_at("connecting"))?;
        let mut store = Self { connection, patience, text: text.to_owned(), lost: false, read_only };
        store.write("updating the tables", &mut schema::migrate)?;
        Ok(store)
    }

    /// Runs a transaction, and retries it if the server aborts it because of a deadlock or conflict.
    fn write<T>(
        &mut self,
        doing: &'static str,
        run: &mut dyn FnMut(&mut Transaction<'_>) -> Result<T, Failed>,
    ) -> Result<T, Error> {
        let (mut attempt, since) = (0, Instant::now());
        loop {
            attempt += 1;
            match self.attempt(run) {
                Ok(value) => return Ok(value),
                Err(Failed::Said(error)) => return Err(error),
                // The server rolls back a transaction whose connection is lost before the commit was sent.
                Err(Failed::Server(error)) if self.is_recoverable(&error, since) => {}
                Err(Failed::Server(error)) if attempt < ATTEMPTS && is_stale(&error) => self.connection.forget(),
                Err(Failed::Server(error) | Failed::AtCommit(error)) if attempt < ATTEMPTS && is_given_up(&error) => {}
                Err(Failed::Server(error)) => return Err(self.told(doing, error)),
                Err(Failed::AtCommit(error)) if is_refused(&error) => return Err(self.told(doing, error)),
                Err(Failed::AtCommit(error)) => {
                    self.lost |= is_lost(&error);
                    return Err(Error::Unconfirmed { doing, source: Reason(error).into() });
                }
            }
        }
    }

    /// Connects again if the connection was lost.
    fn connected(&mut self) -> Result<&mut Connection, postgres::Error> {
        if self.lost {
            self.connection = Connection::open(&self.text, self.patience, self.read_only)?;
            self.lost = false;
        }
        Ok(&mut self.connection)
    }

    /// Returns whether an error is the loss of the connection, and there is time left for another attempt.
    fn is_recoverable(&mut self, error: &postgres::Error, since: Instant) -> bool {
        if !is_lost(error) {
            return false;
        }
        self.lost = true;
        let more = since.elapsed() < self.patience;
        if more {
            std::thread::sleep(AGAIN);
        }
        more
    }

    /// Runs a query, and repeats it if the connection is lost.
    fn read<T>(
        &mut self,
        doing: &'static str,
        mut run: impl FnMut(&mut Connection) -> Result<T, postgres::Error>,
    ) -> Result<T, Error> {
        let (mut attempt, since) = (0, Instant::now());
        loop {
            attempt += 1;
            match self.connected().and_then(&mut run) {
                Ok(value) => return Ok(value),
                Err(error) if attempt < ATTEMPTS && is_stale(&error) => self.connection.forget(),
                Err(error) if self.is_recoverable(&error, since) => {}
                Err(error) => return Err(self.told(doing, error)),
            }
        }
    }

    fn attempt<T>(&mut self, run: &mut dyn FnMut(&mut Transaction<'_>) -> Result<T, Failed>) -> Result<T, Failed> {
        let mut transaction = self.connected()?.transaction()?;
        let value = run(&mut transaction)?;
        transaction.commit().map_err(Failed::AtCommit)?;
        Ok(value)
    }

    fn one(&mut self, doing: &'static str, sql: &str, values: Values<'_>) -> Result<Option<Row>, Error> {
        self.read(doing, |connection| connection.query_opt(sql, values))
    }

    fn all(&mut self, doing: &'static str, sql: &str, values: Values<'_>) -> Result<Vec<Row>, Error> {
        self.read(doing, |connection| connection.query(sql, values))
    }

    /// Visits rows with a position and bytes, page by page. The query's last parameter is the position at which to continue.
    fn pages(
        &mut self,
        doing: &'static str,
        sql: &str,
        wanted: Values<'_>,
        behind: Cursor,
        visit: &mut Visit<'_>,
    ) -> Result<Cursor, Error> {
        let mut behind = behind.0;
        loop {
            let from = behind;
            let mut values = wanted.to_vec();
            values.push(&from);
            let rows = self.all(doing, sql, &values)?;
            if rows.is_empty() {
                return Ok(Cursor(behind));
            }
            for row in &rows {
                behind = row.try_get(0).map_err(failed_at(doing))?;
                if visit(row.try_get(1).map_err(failed_at(doing))?)?.is_break() {
                    return Ok(Cursor(behind));
                }
            }
        }
    }

    fn told(&self, doing: &'static str, error: postgres::Error) -> Error {
        match error.code() {
            Some(code) if *code == SqlState::LOCK_NOT_AVAILABLE => Error::Locked(self.patience.as_secs()),
            _ => failed_at(doing)(error),
        }
    }
}

/// The reason why a transaction failed.
enum Failed {
    /// The server reported an error.
    Server(postgres::Error),
    /// The commit failed: the server reported an error or did not answer.
    AtCommit(postgres::Error),
    /// A check by this program failed.
    Said(Error),
}

impl From<postgres::Error> for Failed {
    fn from(error: postgres::Error) -> Self {
        Self::Server(error)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Said(error)
    }
}

const CERTIFICATE: &str = "SELECT c.serial, c.subject, c.profile, c.not_before, c.not_after, c.issued, c.der, \
     r.revoked, r.reason, r.invalid_since, c.id FROM certificate c \
     LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL WHERE c.authority = $1";

impl Store for PostgresStore {
    fn add_authority(
        &mut self,
        authority: &AuthorityRecord,
        own: Option<&NewCertificate>,
        past: &Past,
    ) -> Result<AuthorityId, Error> {
        let (form, key) = values::key_columns(&authority.key);
        let number = values::count(authority.crl_number)?;
        let urls = &authority.urls;
        self.write("adding a CA", &mut |transaction| {
            let added = transaction.query_one(
                "INSERT INTO authority (label, certificate, key_form, private_key, crl_number, ocsp_url, crl_url, issuer_url, \
                 created, past, crl_issuer) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id",
                &[
                    &authority.label,
                    &authority.certificate,
                    &form,
                    &key,
                    &number,
                    &urls.ocsp,
                    &urls.crl,
                    &urls.issuer,
                    &authority.created.0,
                    &values::past(past),
                    &urls.crl_issuer,
                ],
            );
            let row = match added {
                Err(error) if is_taken(&error) => return Err(Error::AuthorityExists(authority.label.clone()).into()),
                added => added?,
            };
            let id = AuthorityId(row.try_get(0)?);
            seals::authority(transaction, id)?;
            own.map_or(Ok(()), |own| insert(transaction, id, std::slice::from_ref(own)))?;
            if let Past::TakenOver(history) = past {
                revocations::take_over(transaction, id, history)?;
            }
            Ok(id)
        })
    }

    fn renew(&mut self, of: AuthorityId, certificate: &[u8], own: Option<&NewCertificate>) -> Result<(), Error> {
        self.write("renewing a CA", &mut |transaction| {
            transaction.execute("UPDATE authority SET certificate = $2 WHERE id = $1", &[&of.0, &certificate])?;
            seals::authority(transaction, of)?;
            own.map_or(Ok(()), |own| insert(transaction, of, std::slice::from_ref(own)))
        })
    }

    fn set_key(&mut self, of: AuthorityId, key: &StoredKey) -> Result<(), Error> {
        self.write("replacing the CA's key", &mut |transaction| {
            let (form, octets) = values::key_columns(key);
            let sql = "UPDATE authority SET key_form = $2, private_key = $3 WHERE id = $1";
            transaction.execute(sql, &[&of.0, &form, &octets])?;
            seals::authority(transaction, of)
        })
    }

    fn take_over(&mut self, of: AuthorityId, past: &Past) -> Result<(), Error> {
        self.write("importing a CA's history", &mut |transaction| revocations::know(transaction, of, past))
    }

    fn knows_past(&mut self, of: AuthorityId) -> Result<bool, Error> {
        const DOING: &str = "reading a CA";
        let row = self.one(DOING, "SELECT past <> 'unknown' FROM authority WHERE id = $1", &[&of.0])?;
        let read = || -> Result<bool, Failed> { row.map_or(Ok(false), |row| Ok(row.try_get(0)?)) };
        read().map_err(|error| said(DOING, error))
    }

    fn unchecked_authority(&mut self, label: &str) -> Result<Option<(AuthorityId, AuthorityRecord)>, Error> {
        let row = self.one(
            "reading the CA",
            "SELECT id, label, certificate, key_form, private_key, crl_number, ocsp_url, crl_url, issuer_url, created, \
             crl_issuer FROM authority WHERE label = $1",
            &[&label],
        )?;
        row.map(|row| authority(&row)).transpose()
    }

    fn authority(&mut self, label: &str) -> Result<Option<(AuthorityId, AuthorityRecord)>, Error> {
        const DOING: &str = "reading the CA";
        let Some((id, record)) = self.unchecked_authority(label)? else { return Ok(None) };
        let row = self.one(DOING, seals::AUTHORITY, &[&id.0])?;
        let digests = row.map(|row| seals::of_authority(&row)).transpose().map_err(failed_at(DOING))?;
        if let Some((digest, stored)) = digests {
            digests::check(Some(&stored), || digest, || "the row of the CA".to_owned())?;
        }
        Ok(Some((id, record)))
    }

    fn add_certificates(&mut self, of: AuthorityId, certificates: &[NewCertificate]) -> Result<(), Error> {
        self.write("storing certificates", &mut |transaction| insert(transaction, of, certificates))
    }

    fn complete(&mut self, of: AuthorityId, before: &[u8], new: &NewCertificate) -> Result<(), Error> {
        self.write("storing a certificate", &mut |transaction| {
            let mut subject = String::new();
            values::write_subject(&new.der, &mut subject)?;
            let (digest, _) = values::seals(of, new, &subject);
            let sql = "UPDATE certificate SET der = $4, digest = $5 WHERE authority = $1 AND serial = $2 AND der = $3";
            match transaction.execute(sql, &[&of.0, &new.serial.as_bytes(), &before, &new.der, &digest])? {
                1 => Ok(()),
                _ => Err(Error::NoSuchSerial(new.serial.clone()).into()),
            }
        })
    }

    fn certificate(&mut self, of: AuthorityId, serial: &Serial) -> Result<Option<CertificateRecord>, Error> {
        const DOING: &str = "reading a certificate";
        let sql = format!("{CERTIFICATE} AND c.serial = $2").replace("c.id FROM", "c.id, c.digest FROM");
        let Some(row) = self.one(DOING, &sql, &[&of.0, &serial.as_bytes()])? else { return Ok(None) };
        let record = certificate(&row)?;
        values::check_certificate(of, &record, Some(row.try_get(11).map_err(failed_at(DOING))?))?;
        Ok(Some(record))
    }

    fn certificates(
        &mut self,
        of: AuthorityId,
        visit: &mut dyn FnMut(CertificateRecord) -> Result<(), Error>,
    ) -> Result<(), Error> {
        const DOING: &str = "reading certificates";
        let sql = format!("{CERTIFICATE} AND c.id > $2 ORDER BY c.id LIMIT 256");
        let mut behind = 0_i64;
        loop {
            let rows = self.all(DOING, &sql, &[&of.0, &behind])?;
            let Some(last) = rows.last() else { return Ok(()) };
            behind = last.try_get(10).map_err(failed_at(DOING))?;
            rows.iter().try_for_each(|row| visit(certificate(row)?))?;
        }
    }

    fn compromised(
        &mut self,
        of: AuthorityId,
        visit: &mut dyn FnMut(Serial, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        const DOING: &str = "reading certificates";
        let mut behind = 0_i64;
        loop {
            let rows = self.all(DOING, listed::COMPROMISED_POSTGRES, &[&of.0, &behind])?;
            let Some(last) = rows.last() else { return Ok(()) };
            behind = last.try_get(0).map_err(failed_at(DOING))?;
            for row in &rows {
                let read = || Ok((Serial::from_content(row.try_get(1)?), row.try_get(2)?));
                let (serial, der) = read().map_err(failed_at(DOING))?;
                visit(serial, der)?;
            }
        }
    }

    fn certificate_octets(&mut self, of: AuthorityId, behind: Cursor, visit: &mut Visit<'_>) -> Result<Cursor, Error> {
        // A certificate issued elsewhere may have no stored bytes.
        let sql = "SELECT id, der FROM certificate WHERE authority = $1 AND id > $2 AND length(der) > 0 ORDER BY id LIMIT 256";
        self.pages("reading certificates", sql, &[&of.0], behind, visit)
    }

    fn revoke_all(&mut self, of: AuthorityId, list: &[(Serial, Revocation)]) -> Result<(), Error> {
        self.write("revoking a certificate", &mut |transaction| {
            revocations::lock(transaction, of)?;
            list.iter().try_for_each(|(serial, revocation)| revocations::revoke(transaction, of, serial, revocation))
        })
    }

    fn revoke_elsewhere(
        &mut self,
        of: AuthorityId,
        certificate: &Elsewhere,
        revocation: &Revocation,
    ) -> Result<(), Error> {
        self.write("revoking a certificate", &mut |transaction| {
            revocations::lock(transaction, of)?;
            revocations::add_elsewhere(transaction, of, certificate, revocation.at)?;
            revocations::revoke(transaction, of, &certificate.serial, revocation)
        })
    }

    fn release(&mut self, of: AuthorityId, serial: &Serial, at: UnixTime) -> Result<(), Error> {
        self.write("releasing a certificate from hold", &mut |transaction| {
            revocations::release(transaction, of, serial, at)
        })
    }

    fn put_clock_right(&mut self, of: AuthorityId, now: UnixTime) -> Result<(), Error> {
        self.write("correcting the clock", &mut |transaction| revocations::put_clock_right(transaction, of, now))
    }

    fn add_crl(&mut self, of: AuthorityId, now: Now, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error> {
        self.write("storing a CRL", &mut |transaction| crls::add(transaction, of, now, make))
    }

    fn add_delta_crl(&mut self, of: AuthorityId, now: Now, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error> {
        self.write("storing a CRL", &mut |transaction| crls::add_delta(transaction, of, now, make))
    }

    fn add_indirect_crl(&mut self, of: AuthorityId, now: Now, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error> {
        self.write("storing a CRL", &mut |transaction| crls::add_indirect(transaction, of, now, make))
    }

    fn revoked(
        &mut self,
        of: AuthorityId,
        last: Option<UnixTime>,
        now: UnixTime,
    ) -> Result<Vec<(Serial, Revocation)>, Error> {
        self.write("reading revocations", &mut |transaction| {
            // The lock makes several queries consistent with each other.
            revocations::lock(transaction, of)?;
            crls::current(transaction, of, last, now)
        })
    }

    fn series(&mut self, of: AuthorityId) -> Result<Vec<Series>, Error> {
        const DOING: &str = "reading CRLs";
        let rows = self.all(DOING, "SELECT name FROM series WHERE authority = $1 ORDER BY name", &[&of.0])?;
        rows.iter().map(|row| series::named(row.try_get(0).map_err(failed_at(DOING))?)).collect()
    }

    fn series_crl(&mut self, of: AuthorityId, series: Series) -> Result<Option<SeriesCrl>, Error> {
        const DOING: &str = "reading a CRL";
        let row = self.one(DOING, crls::NEWEST, &[&of.0, &series.to_string()])?;
        row.map(|row| crls::newest(&row, of, series)).transpose().map_err(|error| said(DOING, error))
    }

    fn last_update(&mut self, of: AuthorityId) -> Result<Option<UnixTime>, Error> {
        const DOING: &str = "reading the time of the last CRL";
        let row = self.one(DOING, seals::LAST, &[&of.0])?;
        let last = row.map(|row| seals::last(&row)).transpose().map_err(|error| said(DOING, error))?;
        Ok(last.map(|(moment, _)| moment))
    }

    fn has_changed(&mut self, of: AuthorityId) -> Result<bool, Error> {
        const DOING: &str = "reading revocations";
        let Some(row) = self.one(DOING, seals::LAST, &[&of.0])? else { return Ok(false) };
        let (moment, revocation) = seals::last(&row).map_err(|error| said(DOING, error))?;
        let sql = format!("SELECT EXISTS ({})", listed::CHANGED_POSTGRES);
        let row = self.one(DOING, &sql, &[&of.0, &revocation, &moment.0])?;
        row.map_or(Ok(false), |row| row.try_get(0).map_err(|error| said(DOING, error.into())))
    }

    fn crl(&mut self, of: AuthorityId, number: Option<u64>) -> Result<Option<CrlRecord>, Error> {
        const DOING: &str = "reading a CRL";
        let number = number.map(values::count).transpose()?;
        let row = self.one(
            DOING,
            "SELECT number, this_update, next_update, der FROM crl \
             WHERE authority = $1 AND ($2::bigint IS NULL OR number = $2) ORDER BY number DESC LIMIT 1",
            &[&of.0, &number],
        )?;
        row.map(|row| crl(&row)).transpose().map_err(|error| said(DOING, error))
    }

    fn crl_after(&mut self, of: AuthorityId, number: u64) -> Result<Option<CrlRecord>, Error> {
        const DOING: &str = "reading a CRL";
        let number = values::count(number)?;
        let sql = "SELECT number, this_update, next_update, der FROM crl WHERE authority = $1 AND number > $2 ORDER BY number LIMIT 1";
        let row = self.one(DOING, sql, &[&of.0, &number])?;
        row.map(|row| crl(&row)).transpose().map_err(|error| said(DOING, error))
    }

    fn status(&mut self, of: AuthorityId, serial: &Serial) -> Result<Option<Status>, Error> {
        let row = self.one(
            "reading a status",
            "SELECT c.serial, c.id, c.revision, r.revoked, r.reason, r.invalid_since, \
             c.authority, c.serial, c.not_after, c.revision, c.state FROM certificate c \
             LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
             WHERE c.authority = $1 AND c.serial = $2",
            &[&of.0, &serial.as_bytes()],
        )?;
        row.map(|row| status(&row)).transpose()
    }

    fn ocsp_response(
        &mut self,
        of: AuthorityId,
        serial: &Serial,
        digest: &str,
        after: UnixTime,
    ) -> Result<Option<OcspRecord>, Error> {
        const DOING: &str = "reading an OCSP response";
        let row = self.one(
            DOING,
            "SELECT o.this_update, o.next_update, o.der FROM certificate c \
             JOIN ocsp_response o ON o.certificate = c.id \
             WHERE c.authority = $1 AND c.serial = $2 AND o.digest = $3 AND o.next_update > $4",
            &[&of.0, &serial.as_bytes(), &digest, &after.0],
        )?;
        let read = |row: Row| -> Result<OcspRecord, postgres::Error> {
            Ok(OcspRecord {
                this_update: UnixTime(row.try_get(0)?),
                next_update: UnixTime(row.try_get(1)?),
                der: row.try_get(2)?,
            })
        };
        row.map(read).transpose().map_err(failed_at(DOING))
    }

    fn add_ocsp_responses(&mut self, of: AuthorityId, responses: &[NewOcspResponse]) -> Result<(), Error> {
        if responses.is_empty() {
            return Ok(());
        }
        // In a fixed order, to avoid deadlocks.
        let mut sorted: Vec<&NewOcspResponse> = responses.iter().collect();
        sorted.sort_by_key(|response| response.certificate);
        self.write("storing OCSP responses", &mut |transaction| {
            // The row is locked against revocation, and read again after waiting for one.
            let sql = "WITH c AS (SELECT id FROM certificate WHERE authority = $1 AND id = $2 AND revision = $4 FOR SHARE) \
                 INSERT INTO ocsp_response (certificate, digest, this_update, next_update, der) \
                 SELECT id, $3, $5, $6, $7 FROM c ON CONFLICT (certificate, digest) DO UPDATE \
                 SET this_update = EXCLUDED.this_update, next_update = EXCLUDED.next_update, der = EXCLUDED.der \
                 WHERE EXCLUDED.this_update >= ocsp_response.this_update";
            for response in &sorted {
                transaction.execute(
                    sql,
                    &[
                        &of.0,
                        &response.certificate.0,
                        &response.digest,
                        &response.revision,
                        &response.this_update.0,
                        &response.next_update.0,
                        &response.der,
                    ],
                )?;
            }
            Ok(())
        })
    }

    fn ocsp_octets(
        &mut self,
        of: AuthorityId,
        digest: &str,
        after: UnixTime,
        behind: Cursor,
        visit: &mut Visit<'_>,
    ) -> Result<Cursor, Error> {
        let sql = "SELECT o.certificate, o.der FROM ocsp_response o JOIN certificate c ON c.id = o.certificate \
             WHERE c.authority = $1 AND o.digest = $2 AND o.next_update > $3 AND o.certificate > $4 \
             ORDER BY o.certificate LIMIT 256";
        self.pages("reading OCSP responses", sql, &[&of.0, &digest, &after.0], behind, visit)
    }

    fn damages(&mut self, of: AuthorityId, tell: &mut dyn FnMut(String)) -> Result<(), Error> {
        self.tell_damages(of, tell).map_err(|error| said("checking digests of rows", error))
    }

    fn unanswered(
        &mut self,
        of: AuthorityId,
        digest: &str,
        now: UnixTime,
        good_after: UnixTime,
        (behind, limit): (Cursor, u32),
    ) -> Result<Unanswered, Error> {
        const DOING: &str = "reading certificates";
        let rows = self.all(
            DOING,
            "SELECT c.serial, c.id, c.revision, r.revoked, r.reason, r.invalid_since, \
             c.authority, c.serial, c.not_after, c.revision, c.state FROM certificate c \
             LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
             WHERE c.authority = $1 AND c.id > $2 AND c.not_after >= $3 AND c.profile <> 'root' AND NOT EXISTS \
             (SELECT 1 FROM ocsp_response o WHERE o.certificate = c.id AND o.digest = $4 AND o.next_update > $5) \
             ORDER BY c.id LIMIT $6",
            &[&of.0, &behind.0, &now.0, &digest, &good_after.0, &i64::from(limit)],
        )?;
        let list = rows.iter().map(status).collect::<Result<Vec<_>, Error>>()?;
        Ok(Unanswered::page(list, limit))
    }
}

/// Reads a CRL from a row: number, dates, content.
fn crl(row: &Row) -> Result<CrlRecord, Failed> {
    Ok(CrlRecord {
        number: values::number(row.try_get(0)?)?,
        this_update: UnixTime(row.try_get(1)?),
        next_update: UnixTime(row.try_get(2)?),
        der: row.try_get(3)?,
    })
}

fn insert(transaction: &mut Transaction<'_>, of: AuthorityId, certificates: &[NewCertificate]) -> Result<(), Failed> {
    let sql = "INSERT INTO certificate (authority, serial, subject, profile, not_before, not_after, issued, der, digest, state) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let mut subject = String::new();
    for new in certificates {
        values::write_subject(&new.der, &mut subject)?;
        let (serial, from, to) = (new.serial.as_bytes(), new.not_before.0, new.not_after.0);
        let (digest, state) = values::seals(of, new, &subject);
        let added = transaction.execute(
            sql,
            &[&of.0, &serial, &subject, &new.profile, &from, &to, &new.issued.0, &new.der, &digest, &state],
        );
        match added {
            Err(error) if is_taken(&error) => return Err(Error::SerialTaken(new.serial.clone()).into()),
            added => drop(added?),
        }
    }
    Ok(())
}

fn said(doing: &'static str, error: Failed) -> Error {
    match error {
        Failed::Server(error) | Failed::AtCommit(error) => failed_at(doing)(error),
        Failed::Said(error) => error,
    }
}

fn authority(row: &Row) -> Result<(AuthorityId, AuthorityRecord), Error> {
    let read = || -> Result<_, Failed> {
        let record = AuthorityRecord {
            label: row.try_get(1)?,
            certificate: row.try_get(2)?,
            key: values::key(row.try_get(3)?, row.try_get(4)?)?,
            crl_number: values::number(row.try_get(5)?)?,
            urls: Urls {
                ocsp: row.try_get(6)?,
                crl: row.try_get(7)?,
                issuer: row.try_get(8)?,
                crl_issuer: row.try_get(10)?,
            },
            created: UnixTime(row.try_get(9)?),
        };
        Ok((AuthorityId(row.try_get(0)?), record))
    };
    read().map_err(|error| said("reading the CA", error))
}

fn certificate(row: &Row) -> Result<CertificateRecord, Error> {
    let read = || -> Result<_, Failed> {
        Ok(CertificateRecord {
            serial: Serial::from_content(row.try_get(0)?),
            subject: row.try_get(1)?,
            profile: row.try_get(2)?,
            not_before: UnixTime(row.try_get(3)?),
            not_after: UnixTime(row.try_get(4)?),
            issued: UnixTime(row.try_get(5)?),
            der: row.try_get(6)?,
            revocation: revocation(row, 7)?,
        })
    };
    read().map_err(|error| said("reading a certificate", error))
}

/// Reads a revocation from three columns: its time, its reason, and its invalidity date.
fn revocation(row: &Row, at: usize) -> Result<Option<Revocation>, Failed> {
    let code: Option<i16> = row.try_get(at + 1)?;
    Ok(values::revocation(row.try_get(at)?, code.map(i64::from), row.try_get(at + 2)?)?)
}

#[cfg(test)]
mod tests;

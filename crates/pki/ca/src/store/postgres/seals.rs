//! Writes and checks row digests in PostgreSQL.

use postgres::Row;

use super::statements::Transaction;
use super::{Failed, PostgresStore, documents, revocation};
use crate::store::digests::{self, Authority, Fixed, State};
use crate::store::{AuthorityId, Revocation, values};
use crate::{Error, Serial};

/// The SQL query for the highest number of a stored CRL.
pub(super) const HIGHEST: &str = "SELECT greatest((SELECT coalesce(max(number), 0) FROM crl WHERE authority = $1), \
     (SELECT coalesce(max(number), 0) FROM series WHERE authority = $1))";

/// Returns the computed and the stored digest of a CA's row.
pub(super) fn of_authority(row: &Row) -> Result<(Vec<u8>, Vec<u8>), postgres::Error> {
    let found = Authority {
        label: row.try_get(0)?,
        certificate: row.try_get(1)?,
        key_form: row.try_get(2)?,
        private_key: row.try_get(3)?,
        urls: [row.try_get(4)?, row.try_get(5)?, row.try_get(6)?],
        created: row.try_get(7)?,
        past: row.try_get(8)?,
        crl_issuer: row.try_get(10)?,
    };
    Ok((found.digest(), row.try_get(9)?))
}

/// The SQL query for a CA's row, with its digest.
pub(super) const AUTHORITY: &str = "SELECT label, certificate, key_form, private_key, ocsp_url, crl_url, issuer_url, created, past, digest, crl_issuer \
     FROM authority WHERE id = $1";

/// Updates the digest in a CA's row.
pub(super) fn authority(transaction: &mut Transaction<'_>, of: AuthorityId) -> Result<(), Failed> {
    let Some(row) = transaction.query_opt(AUTHORITY, &[&of.0])? else { return Ok(()) };
    let (digest, _) = of_authority(&row)?;
    transaction.execute("UPDATE authority SET digest = $2 WHERE id = $1", &[&of.0, &digest])?;
    Ok(())
}

/// Updates the state digest in a certificate's row after a change.
pub(super) fn state(transaction: &mut Transaction<'_>, certificate: i64) -> Result<(), Failed> {
    let row = transaction.query_one(
        "SELECT c.authority, c.serial, c.not_after, c.revision, c.state, r.revoked, r.reason, r.invalid_since \
         FROM certificate c LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL WHERE c.id = $1",
        &[&certificate],
    )?;
    let revocation = revocation(&row, 5)?;
    let (state, _) = state_of(&row, 0, revocation.as_ref())?;
    transaction.execute("UPDATE certificate SET state = $2 WHERE id = $1", &[&certificate, &state.digest()])?;
    Ok(())
}

/// Reads the state and the stored digest from columns: the CA, the serial number, notAfter, the revision and the digest.
fn state_of<'r>(
    row: &'r Row,
    at: usize,
    revocation: Option<&'r Revocation>,
) -> Result<(State<'r>, &'r [u8]), postgres::Error> {
    let state = State {
        authority: row.try_get(at)?,
        serial: row.try_get(at + 1)?,
        not_after: row.try_get(at + 2)?,
        revision: row.try_get(at + 3)?,
        revocation,
    };
    Ok((state, row.try_get(at + 4)?))
}

/// Checks the state digest in a row.
pub(super) fn check_state(row: &Row, at: usize, revocation: Option<&Revocation>) -> Result<(), Failed> {
    let (state, stored) = state_of(row, at, revocation)?;
    Ok(state.check(Some(stored))?)
}

/// The SQL query for whether rows of a CA are missing that were there when its last CRL was stored, or a certificate of a revocation is,
/// or such a certificate's row says that its status has never changed.
const MISSING: &str = "SELECT EXISTS (SELECT 1 FROM revocation r WHERE NOT EXISTS (SELECT 1 FROM certificate c WHERE c.id = r.certificate AND c.revision > 0)) \
     OR coalesce((SELECT \
     (SELECT count(*) FROM revocation r JOIN certificate c ON c.id = r.certificate WHERE c.authority = $1 AND r.id <= l.revocations) \
     < l.revoked_rows \
     OR (SELECT count(*) FROM certificate WHERE authority = $1 AND id <= l.last_issued) < l.issued_rows \
     FROM crl l WHERE authority = $1 ORDER BY number DESC LIMIT 1), false)";

/// The description of the damage that [`MISSING`] finds.
const ROWS: &str = "the number of certificates or revocations";

/// Checks the state digests of all certificates whose status has changed, and that no row is missing. This detects a lost revocation.
pub(super) fn check_changed(transaction: &mut Transaction<'_>, of: AuthorityId) -> Result<(), Failed> {
    let rows = transaction.query(
        "SELECT c.authority, c.serial, c.not_after, c.revision, c.state, r.revoked, r.reason, r.invalid_since \
         FROM certificate c LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
         WHERE c.authority = $1 AND c.revision > 0",
        &[&of.0],
    )?;
    for row in &rows {
        check_state(row, 0, revocation(row, 5)?.as_ref())?;
    }
    match transaction.query_one(MISSING, &[&of.0])?.try_get(0)? {
        true => Err(Error::Damaged { what: ROWS.to_owned() }.into()),
        false => Ok(()),
    }
}

/// The SQL query for a page of certificate rows after a row number.
const PAGE: &str = "SELECT c.id, c.authority, c.serial, c.subject, c.profile, c.not_before, c.not_after, c.issued, c.der, c.digest, \
     c.authority, c.serial, c.not_after, c.revision, c.state, r.revoked, r.reason, r.invalid_since \
     FROM certificate c LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
     WHERE c.id > $1 ORDER BY c.id LIMIT 256";

fn fixed(row: &Row) -> Result<Fixed<'_>, postgres::Error> {
    Ok(Fixed {
        authority: row.try_get(1)?,
        serial: row.try_get(2)?,
        subject: row.try_get(3)?,
        profile: row.try_get(4)?,
        not_before: row.try_get(5)?,
        not_after: row.try_get(6)?,
        issued: row.try_get(7)?,
        der: row.try_get(8)?,
    })
}

/// Updates the digest in a CRL's row.
pub(super) fn crl(transaction: &mut Transaction<'_>, id: i64) -> Result<(), Failed> {
    let sql = "SELECT authority, number, this_update, next_update, revocations FROM crl WHERE id = $1";
    let row = transaction.query_one(sql, &[&id])?;
    let digest = of_crl(&row)?;
    transaction.execute("UPDATE crl SET digest = $2 WHERE id = $1", &[&id, &digest])?;
    Ok(())
}

fn of_crl(row: &Row) -> Result<Vec<u8>, postgres::Error> {
    Ok(digests::crl(row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?))
}

/// The SQL query for the row of the last CRL, with its digest.
pub(super) const LAST: &str = "SELECT authority, number, this_update, next_update, revocations, digest FROM crl \
     WHERE authority = $1 ORDER BY number DESC LIMIT 1";

/// Checks a CRL's row, and returns the CRL's time and the highest revocation number at that time.
pub(super) fn last(row: &Row) -> Result<(tagwise_pkix::UnixTime, i64), Failed> {
    let (number, stored): (i64, &[u8]) = (row.try_get(1)?, row.try_get(5)?);
    let digest = of_crl(row)?;
    digests::check(Some(stored), || digest, || format!("the row of CRL {number}"))?;
    Ok((tagwise_pkix::UnixTime(row.try_get(2)?), row.try_get(4)?))
}

/// Adds digests to all rows, except for certificate rows that contradict their certificate.
pub(super) fn all(transaction: &mut Transaction<'_>) -> Result<(), Failed> {
    for row in transaction.query("SELECT id FROM authority", &[])? {
        authority(transaction, AuthorityId(row.try_get(0)?))?;
    }
    let mut behind = 0_i64;
    loop {
        let rows = transaction.query(PAGE, &[&behind])?;
        let Some(last) = rows.last() else { break };
        behind = last.try_get(0)?;
        for row in &rows {
            let (id, fixed): (i64, _) = (row.try_get(0)?, fixed(row)?);
            if !fixed.agrees() {
                continue;
            }
            let revocation = revocation(row, 15)?;
            let (state, _) = state_of(row, 10, revocation.as_ref())?;
            let sql = "UPDATE certificate SET digest = $2, state = $3 WHERE id = $1";
            transaction.execute(sql, &[&id, &fixed.digest(), &state.digest()])?;
        }
    }
    for row in transaction.query("SELECT id FROM crl", &[])? {
        crl(transaction, row.try_get(0)?)?;
    }
    Ok(())
}

impl PostgresStore {
    /// Checks all rows of a CA, and reports damaged ones to `tell`.
    pub(super) fn tell_damages(&mut self, of: AuthorityId, tell: &mut dyn FnMut(String)) -> Result<(), Failed> {
        if let Some(row) = self.connection.query_opt(AUTHORITY, &[&of.0])? {
            let (digest, stored) = of_authority(&row)?;
            if digest != stored {
                tell("the row of the CA".to_owned());
            }
        }
        let mut behind = 0_i64;
        loop {
            let rows = self.connection.query(PAGE, &[&behind])?;
            let Some(last) = rows.last() else { break };
            behind = last.try_get(0)?;
            for row in &rows {
                let (fixed, stored): (_, &[u8]) = (fixed(row)?, row.try_get(9)?);
                if fixed.authority != of.0 {
                    continue;
                }
                let revocation = match revocation(row, 15) {
                    Err(Failed::Said(error)) => {
                        tell(error.to_string());
                        continue;
                    }
                    revocation => revocation?,
                };
                let serial = Serial::from_content(fixed.serial);
                let (state, stored_state) = state_of(row, 10, revocation.as_ref())?;
                if !fixed.agrees() {
                    tell(digests::other_certificate(&serial));
                } else if stored != fixed.digest() {
                    tell(format!("the row of the certificate {serial}"));
                } else if let Err(Error::Damaged { what }) = state.check(Some(stored_state)) {
                    tell(what);
                }
            }
        }
        let sql =
            "SELECT authority, number, this_update, next_update, revocations, digest FROM crl WHERE authority = $1";
        for row in &self.connection.query(sql, &[&of.0])? {
            if let Err(Failed::Said(Error::Damaged { what })) = last(row) {
                tell(what);
            }
        }
        let row = self.connection.query_opt("SELECT crl_number FROM authority WHERE id = $1", &[&of.0])?;
        if let Some(row) = row {
            let highest: i64 = self.connection.query_one(HIGHEST, &[&of.0])?.try_get(0)?;
            if let Err(what) = values::check_last_number(row.try_get(0)?, highest) {
                tell(what);
            }
        }
        if self.connection.query_one(MISSING, &[&of.0])?.try_get(0)? {
            tell(ROWS.to_owned());
        }
        self.check_triggers(tell)?;
        self.check_documents(of, tell)
    }

    /// Checks that the triggers that keep CRL numbers growing and revocations from being deleted are present and enabled.
    fn check_triggers(&mut self, tell: &mut dyn FnMut(String)) -> Result<(), Failed> {
        let sql = "SELECT w.name FROM (VALUES ('crl', 'crl_numbers_grow'), ('series', 'series_numbers_grow'), \
                   ('revocation', 'revocations_stay'), ('revocation', 'revocations_stay_all')) AS w (tab, name) \
                   WHERE NOT EXISTS (SELECT 1 FROM pg_trigger t \
                   WHERE t.tgrelid = to_regclass(w.tab) AND t.tgname = w.name AND t.tgenabled <> 'D')";
        for row in &self.connection.query(sql, &[])? {
            tell(format!("the trigger {} is missing or disabled", row.try_get::<_, String>(0)?));
        }
        Ok(())
    }

    /// Checks that the content of each document is a JSON object, and its digest.
    fn check_documents(&mut self, of: AuthorityId, tell: &mut dyn FnMut(String)) -> Result<(), Failed> {
        let (mut kind, mut id) = (String::new(), String::new());
        loop {
            let rows = self.connection.query(&documents_after(), &[&of.0, &kind, &id])?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in &rows {
                let found = documents::document(row)?;
                let done = values::check_document(&found.kind, &found.id, found.content.as_bytes());
                (kind, id) = (found.kind.clone(), found.id.clone());
                if let Err(what) = done {
                    tell(what);
                } else if let Err(Error::Damaged { what }) = found.checked(of, Some(row.try_get(6)?)) {
                    tell(what);
                }
            }
        }
    }
}

/// The SQL query for a page of a CA's documents, after a kind and identifier.
fn documents_after() -> String {
    let columns = documents::COLUMNS;
    format!("SELECT {columns} FROM document WHERE authority = $1 AND (kind, id) > ($2, $3) ORDER BY kind, id LIMIT 256")
}

/// Adds digests to all documents.
pub(super) fn documents(transaction: &mut Transaction<'_>) -> Result<(), Failed> {
    let sql = "UPDATE document SET digest = $4 WHERE authority = $1 AND kind = $2 AND id = $3";
    for row in transaction.query("SELECT id FROM authority", &[])? {
        let of = AuthorityId(row.try_get(0)?);
        let (mut kind, mut id) = (String::new(), String::new());
        loop {
            let rows = transaction.query(&documents_after(), &[&of.0, &kind, &id])?;
            if rows.is_empty() {
                break;
            }
            for row in &rows {
                let found = documents::document(row)?;
                transaction.execute(sql, &[&of.0, &found.kind, &found.id, &found.digest(of)])?;
                (kind, id) = (found.kind, found.id);
            }
        }
    }
    Ok(())
}

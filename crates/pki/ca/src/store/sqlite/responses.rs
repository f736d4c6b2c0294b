//! OCSP responses, keyed by a number composed of CA, digest and certificate, so that a CA's responses are stored in
//! certificate order and need no index.

use rusqlite::{Connection, OptionalExtension, params};
use tagwise_pkix::UnixTime;

use super::failed;
use super::seen::Seen;
use crate::Error;
use crate::store::{AuthorityId, NewOcspResponse};

const DOING: &str = "storing OCSP responses";

/// Returns the number that represents a digest algorithm in the database.
pub(super) fn digest(name: &str) -> Option<i64> {
    Some(match name {
        "sha1" => 0,
        "sha256" => 1,
        "sha384" => 2,
        "sha512" => 3,
        _ => return None,
    })
}

/// The exclusive upper bound of certificate numbers, which is also the distance between the ranges of two CAs or digests.
const CERTIFICATES: i64 = 1 << 40;
const AUTHORITIES: i64 = 1 << 20;

/// Returns the exclusive range of row numbers for a CA's OCSP responses with one digest. A row number is the start plus
/// the certificate's number. Responses are stored only for the first million CAs.
pub(super) fn range(of: AuthorityId, digest: i64) -> Option<(i64, i64)> {
    let room = (0..AUTHORITIES).contains(&of.0) && (0..8).contains(&digest);
    // The end of the very last range saturates at the highest row number.
    let start = (of.0 << 3 | digest) << 40;
    room.then_some((start, start.saturating_add(CERTIFICATES)))
}

/// Deletes the responses about a certificate.
pub(super) fn forget(transaction: &Connection, of: AuthorityId, certificate: i64) -> Result<(), Error> {
    let mut statement = transaction.prepare_cached("DELETE FROM ocsp_response WHERE id = ?1").map_err(failed(DOING))?;
    for (start, _) in (0..4).filter_map(|digest| range(of, digest)) {
        if (0..CERTIFICATES).contains(&certificate) {
            statement.execute([start + certificate]).map_err(failed(DOING))?;
        }
    }
    Ok(())
}

/// Deletes a CA's responses that were created later than the given time.
pub(super) fn forget_later(transaction: &Connection, of: AuthorityId, moment: UnixTime) -> Result<(), Error> {
    let sql = "DELETE FROM ocsp_response WHERE id > ?1 AND id < ?2 AND this_update > ?3";
    let mut statement = transaction.prepare_cached(sql).map_err(failed(DOING))?;
    for (start, end) in (0..4).filter_map(|digest| range(of, digest)) {
        statement.execute([start, end, moment.0]).map_err(failed(DOING))?;
    }
    Ok(())
}

/// Stores the responses whose status is still current. The transaction holds the lock, so the status cannot change
/// meanwhile.
pub(super) fn add(
    transaction: &Connection,
    of: AuthorityId,
    responses: &[NewOcspResponse],
    seen: Option<&Seen>,
) -> Result<(), Error> {
    let mut sorted: Vec<&NewOcspResponse> = responses.iter().collect();
    sorted.sort_by_key(|response| response.certificate);
    let known = seen.map_or(Ok(false), |seen| seen.holds(transaction, of, &sorted)).map_err(failed(DOING))?;
    let current = match sorted.as_slice() {
        _ if known => Ok(sorted),
        [first, .., last] if last.certificate.0.abs_diff(first.certificate.0) < 2 * sorted.len() as u64 => {
            neighbours(transaction, of, &sorted)
        }
        _ => apart(transaction, of, &sorted),
    };
    // A newer one is never replaced.
    let sql = "INSERT INTO ocsp_response (id, next_update, der, this_update) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) \
         DO UPDATE SET next_update = excluded.next_update, der = excluded.der, this_update = excluded.this_update \
         WHERE excluded.this_update >= this_update";
    let mut statement = transaction.prepare_cached(sql).map_err(failed(DOING))?;
    current.map_err(failed(DOING))?.into_iter().try_for_each(|response| {
        let unknown = || Error::inconsistent(format!("responses by {} of CA {} cannot be kept", response.digest, of.0));
        let (start, _) = digest(response.digest).and_then(|digest| range(of, digest)).ok_or_else(unknown)?;
        // A certificate number is always in this range, unless the database has more certificates than the range has numbers.
        let certificate = Some(response.certificate.0).filter(|number| (0..CERTIFICATES).contains(number));
        let id = start + certificate.ok_or_else(unknown)?;
        let row = params![id, response.next_update.0, response.der, response.this_update.0];
        statement.execute(row).map(drop).map_err(failed(DOING))
    })
}

/// Filters responses about certificates with nearby numbers, such as a batch, in a single scan. Returns the current ones.
fn neighbours<'r>(
    transaction: &Connection,
    of: AuthorityId,
    sorted: &[&'r NewOcspResponse],
) -> rusqlite::Result<Vec<&'r NewOcspResponse>> {
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return Ok(Vec::new()) };
    if are_all(transaction, of, sorted)? {
        return Ok(sorted.to_vec());
    }
    let sql = "SELECT id, revision FROM certificate WHERE +authority = ?1 AND id BETWEEN ?2 AND ?3 ORDER BY id";
    let mut statement = transaction.prepare_cached(sql)?;
    let mut rows = statement.query([of.0, first.certificate.0, last.certificate.0])?;
    let (mut current, mut rest) = (Vec::with_capacity(sorted.len()), sorted.iter().peekable());
    while let Some(row) = rows.next()? {
        let (id, revision): (i64, i64) = (row.get(0)?, row.get(1)?);
        // The ones before it do not belong to certificates of this CA.
        while let Some(response) = rest.next_if(|response| response.certificate.0 <= id) {
            if response.certificate.0 == id && response.revision == revision {
                current.push(*response);
            }
        }
    }
    Ok(current)
}

/// Returns whether the responses are about consecutive certificates of the CA, and all still have the same revision. Counting
/// the rows in the database is faster than reading each.
fn are_all(transaction: &Connection, of: AuthorityId, sorted: &[&NewOcspResponse]) -> rusqlite::Result<bool> {
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return Ok(true) };
    let beside = sorted.windows(2).all(|pair| match pair {
        [one, next] => one.certificate.0.checked_add(1) == Some(next.certificate.0) && one.revision == next.revision,
        _ => true,
    });
    if !beside {
        return Ok(false);
    }
    let sql = "SELECT count(*) FROM certificate WHERE +authority = ?1 AND id BETWEEN ?2 AND ?3 AND revision = ?4";
    let wanted = [of.0, first.certificate.0, last.certificate.0, first.revision];
    let count = transaction.prepare_cached(sql)?.query_row(wanted, |row| row.get::<_, i64>(0))?;
    Ok(usize::try_from(count).is_ok_and(|count| count == sorted.len()))
}

/// Filters responses about any certificates, looking each one up. Returns the current ones.
fn apart<'r>(
    transaction: &Connection,
    of: AuthorityId,
    sorted: &[&'r NewOcspResponse],
) -> rusqlite::Result<Vec<&'r NewOcspResponse>> {
    let mut statement =
        transaction.prepare_cached("SELECT revision FROM certificate WHERE id = ?1 AND authority = ?2")?;
    let mut current = Vec::with_capacity(sorted.len());
    for response in sorted {
        let found = statement.query_row([response.certificate.0, of.0], |row| row.get::<_, i64>(0)).optional()?;
        if found == Some(response.revision) {
            current.push(*response);
        }
    }
    Ok(current)
}

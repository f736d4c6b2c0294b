//! How OCSP responses are kept: each at the number that its CA, its digest and its certificate make, so that those of a CA lie
//! together in the order of the certificates, and need no index.

use rusqlite::{OptionalExtension, Transaction, params};

use super::failed;
use crate::Error;
use crate::store::{AuthorityId, NewOcspResponse};

const DOING: &str = "storing OCSP responses";

/// The number of a digest.
pub(super) fn digest(name: &str) -> Option<i64> {
    Some(match name {
        "sha1" => 0,
        "sha256" => 1,
        "sha384" => 2,
        "sha512" => 3,
        _ => return None,
    })
}

/// Numbers of certificates are below this, and those of responses by one CA and digest lie so far apart.
const CERTIFICATES: i64 = 1 << 40;
const AUTHORITIES: i64 = 1 << 20;

/// The number before that of the first response of a CA by a digest, to which the number of a certificate is added; and the one behind
/// the last.
pub(super) fn range(of: AuthorityId, digest: i64) -> Result<(i64, i64), Error> {
    if !(0..AUTHORITIES).contains(&of.0) || !(0..8).contains(&digest) {
        return Err(Error::inconsistent("there are more CAs than responses can be kept of"));
    }
    let start = (of.0 << 3 | digest) << 40;
    // Of the very last range, the last number is the highest that there is.
    Ok((start, start.saturating_add(CERTIFICATES)))
}

/// Forgets those about a certificate.
pub(super) fn forget(transaction: &Transaction<'_>, of: AuthorityId, certificate: i64) -> Result<(), Error> {
    let mut statement = transaction.prepare_cached("DELETE FROM ocsp_response WHERE id = ?1").map_err(failed(DOING))?;
    for digest in 0..4 {
        statement.execute([range(of, digest)?.0 + certificate]).map_err(failed(DOING))?;
    }
    Ok(())
}

/// Keeps those that tell of a status that is still so. Nothing changes it meanwhile: the transaction holds the lock.
pub(super) fn add(transaction: &Transaction<'_>, of: AuthorityId, responses: &[NewOcspResponse]) -> Result<(), Error> {
    let mut sorted: Vec<&NewOcspResponse> = responses.iter().collect();
    sorted.sort_by_key(|response| response.certificate);
    let current = match sorted.as_slice() {
        [first, .., last] if last.certificate.0 - first.certificate.0 < 2 * sorted.len() as i64 => {
            neighbours(transaction, of, &sorted)
        }
        _ => apart(transaction, of, &sorted),
    };
    let mut statement = transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO ocsp_response (id, next_update, der, this_update) VALUES (?1, ?2, ?3, ?4)",
        )
        .map_err(failed(DOING))?;
    for response in current.map_err(failed(DOING))? {
        let unknown = || Error::inconsistent(format!("responses by {} cannot be kept", response.digest));
        let (start, _) = range(of, digest(response.digest).ok_or_else(unknown)?)?;
        // A certificate that was found has such a number, unless there are more than this has room for.
        let certificate = Some(response.certificate.0).filter(|number| (0..CERTIFICATES).contains(number));
        let id = start + certificate.ok_or_else(unknown)?;
        let (made, next) = (response.this_update, response.next_update);
        statement.execute(params![id, next, response.der, made]).map_err(failed(DOING))?;
    }
    Ok(())
}

/// Of responses about certificates that lie close together, as all of a batch do: one walk over them.
fn neighbours<'r>(
    transaction: &Transaction<'_>,
    of: AuthorityId,
    sorted: &[&'r NewOcspResponse],
) -> rusqlite::Result<Vec<&'r NewOcspResponse>> {
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return Ok(Vec::new()) };
    let sql = "SELECT id, revision FROM certificate WHERE +authority = ?1 AND id BETWEEN ?2 AND ?3 ORDER BY id";
    let mut statement = transaction.prepare_cached(sql)?;
    let mut rows = statement.query([of.0, first.certificate.0, last.certificate.0])?;
    let (mut current, mut rest) = (Vec::with_capacity(sorted.len()), sorted.iter().peekable());
    while let Some(row) = rows.next()? {
        let (id, revision): (i64, i64) = (row.get(0)?, row.get(1)?);
        // Those before it are of no certificate of this CA.
        while let Some(response) = rest.next_if(|response| response.certificate.0 <= id) {
            if response.certificate.0 == id && response.revision == revision {
                current.push(*response);
            }
        }
    }
    Ok(current)
}

/// Of any responses: each certificate looked up.
fn apart<'r>(
    transaction: &Transaction<'_>,
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

//! Converts rows of SQLite tables to stored values.

use rusqlite::Row;
use tagwise_pkix::UnixTime;

use super::{failed, seals};
use crate::authority::Urls;
use crate::store::{
    AuthorityId, AuthorityRecord, CertificateId, CertificateRecord, CrlRecord, Revocation, Status, values,
};
use crate::{Error, Serial};

pub(super) fn authority(row: &Row<'_>) -> Result<(AuthorityId, AuthorityRecord), Error> {
    let read = || -> rusqlite::Result<_> {
        let urls = Urls { ocsp: row.get(6)?, crl: row.get(7)?, issuer: row.get(8)?, crl_issuer: row.get(10)? };
        Ok((
            row.get(0)?,
            row.get(1)?,
            row.get(2)?,
            row.get::<_, String>(3)?,
            row.get(4)?,
            row.get(5)?,
            urls,
            row.get(9)?,
        ))
    };
    let (id, label, certificate, form, key, crl_number, urls, created) = read().map_err(failed("reading the CA"))?;
    let key = values::key(&form, key)?;
    let record = AuthorityRecord {
        label,
        certificate,
        key,
        urls,
        crl_number: values::number(crl_number)?,
        created: UnixTime(created),
    };
    Ok((AuthorityId(id), record))
}

pub(super) fn certificate(row: &Row<'_>) -> Result<CertificateRecord, Error> {
    let revocation = revocation(row, 7)?;
    let read = || -> rusqlite::Result<_> {
        Ok(CertificateRecord {
            serial: Serial::from_content(row.get_ref(0)?.as_blob()?),
            subject: row.get(1)?,
            profile: row.get(2)?,
            not_before: UnixTime(row.get(3)?),
            not_after: UnixTime(row.get(4)?),
            issued: UnixTime(row.get(5)?),
            der: row.get(6)?,
            revocation,
        })
    };
    read().map_err(failed("reading a certificate"))
}

/// Reads a revocation from three columns: its time, its reason, and its invalidity date.
pub(super) fn revocation(row: &Row<'_>, at: usize) -> Result<Option<Revocation>, Error> {
    let read = || -> rusqlite::Result<(Option<i64>, Option<i64>, Option<i64>)> {
        Ok((row.get(at)?, row.get(at + 1)?, row.get(at + 2)?))
    };
    let (revoked, code, invalid_since) = read().map_err(failed("reading a revocation"))?;
    values::revocation(revoked, code, invalid_since)
}

/// Reads a status: the serial number, the certificate's number, the revision, the revocation, and five columns for the
/// state digest.
pub(super) fn status(row: &Row<'_>) -> Result<Status, Error> {
    let read = || -> rusqlite::Result<_> {
        Ok((Serial::from_content(row.get_ref(0)?.as_blob()?), CertificateId(row.get(1)?), row.get(2)?))
    };
    let (serial, certificate, revision) = read().map_err(failed("reading a status"))?;
    let revocation = revocation(row, 3)?;
    seals::check_state(row, 6, revocation.as_ref())?;
    Ok(Status { serial, certificate, revision, revocation })
}

pub(super) fn crl(row: &Row<'_>) -> Result<CrlRecord, Error> {
    let read = || -> rusqlite::Result<_> { Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)) };
    let (at, this_update, next_update, der) = read().map_err(failed("reading a CRL"))?;
    let (this_update, next_update) = (UnixTime(this_update), UnixTime(next_update));
    Ok(CrlRecord { number: values::number(at)?, this_update, next_update, der })
}

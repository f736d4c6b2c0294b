//! The PostgreSQL tables and their upgrades.

use super::statements::Transaction;
use super::{Failed, seals};
use crate::Error;

/// The SQL scripts that upgrade the tables, each to the version that is its position in the list, starting at 1.
const MIGRATIONS: [&str; 10] =
    [VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5, VERSION_6, VERSION_7, VERSION_8, VERSION_9, VERSION_10];

/// The current version.
const VERSION: i64 = MIGRATIONS.len() as i64;

/// The first version with row digests.
const SEALED: i64 = 3;

/// The first version whose documents have digests.
const SEALED_DOCUMENTS: i64 = 7;

/// The advisory lock that serializes upgrades: `TWCA`.
const LOCK: i64 = 0x5457_4341;

/// Version 1. Certificates are never changed or deleted, except for their status revision. Revocations are lifted, but never deleted.
const VERSION_1: &str = "
CREATE TABLE authority (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    label TEXT NOT NULL UNIQUE,
    certificate BYTEA NOT NULL,
    key_form TEXT NOT NULL CHECK (key_form IN ('encrypted', 'plain', 'elsewhere')),
    private_key BYTEA,
    crl_number BIGINT NOT NULL CHECK (crl_number >= 0),
    ocsp_url TEXT,
    crl_url TEXT,
    issuer_url TEXT,
    created BIGINT NOT NULL,
    CHECK ((key_form = 'elsewhere') = (private_key IS NULL))
);
CREATE TABLE certificate (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    authority BIGINT NOT NULL REFERENCES authority (id),
    serial BYTEA NOT NULL,
    subject TEXT NOT NULL,
    profile TEXT NOT NULL,
    not_before BIGINT NOT NULL,
    not_after BIGINT NOT NULL,
    issued BIGINT NOT NULL,
    revision BIGINT NOT NULL DEFAULT 0,
    der BYTEA NOT NULL,
    UNIQUE (authority, serial)
);
CREATE TABLE revocation (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    certificate BIGINT NOT NULL REFERENCES certificate (id),
    revoked BIGINT NOT NULL,
    reason SMALLINT NOT NULL CHECK (reason BETWEEN 0 AND 10 AND reason NOT IN (7, 8)),
    invalid_since BIGINT,
    lifted BIGINT
);
CREATE UNIQUE INDEX revocation_in_force ON revocation (certificate) WHERE lifted IS NULL;
CREATE TABLE crl (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    authority BIGINT NOT NULL REFERENCES authority (id),
    number BIGINT NOT NULL CHECK (number > 0),
    this_update BIGINT NOT NULL,
    next_update BIGINT NOT NULL,
    der BYTEA NOT NULL,
    UNIQUE (authority, number)
);
CREATE FUNCTION crl_numbers_grow () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number <= (SELECT crl_number FROM authority WHERE id = NEW.authority) THEN
        RAISE EXCEPTION 'the number of a CRL does not grow';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER crl_numbers_grow BEFORE INSERT ON crl FOR EACH ROW EXECUTE FUNCTION crl_numbers_grow ();
CREATE TABLE ocsp_response (
    certificate BIGINT NOT NULL REFERENCES certificate (id),
    digest TEXT NOT NULL,
    this_update BIGINT NOT NULL,
    next_update BIGINT NOT NULL,
    der BYTEA NOT NULL,
    PRIMARY KEY (certificate, digest)
);
";

/// Version 2. The CA's row records whether its earlier revocations are known. They are unknown if it issued CRLs elsewhere that are
/// not in the store. A CRL records which revocations existed when it was issued, because dates are unreliable if a clock was wrong. For
/// older CRLs, these are at least the revocations before the first one dated at or after the CRL's time.
const VERSION_2: &str = "
ALTER TABLE authority ADD COLUMN past TEXT NOT NULL DEFAULT 'nothing' CHECK (past IN ('nothing', 'unknown', 'taken-over'));
UPDATE authority a SET past = 'unknown' WHERE a.crl_number > (SELECT count(*) FROM crl WHERE crl.authority = a.id);
ALTER TABLE crl ADD COLUMN revocations BIGINT NOT NULL DEFAULT 0;
UPDATE crl SET revocations = coalesce(
    (SELECT min(r.id) - 1 FROM revocation r JOIN certificate c ON c.id = r.certificate
        WHERE c.authority = crl.authority AND r.revoked >= crl.this_update),
    (SELECT max(id) FROM revocation), 0)
    WHERE number = (SELECT max(number) FROM crl other WHERE other.authority = crl.authority);
";

/// Version 3. Rows have digests, which [`seals`] computes. An inconsistent row has no matching digest.
const VERSION_3: &str = "
ALTER TABLE authority ADD COLUMN digest BYTEA NOT NULL DEFAULT '';
ALTER TABLE certificate ADD COLUMN digest BYTEA NOT NULL DEFAULT '';
ALTER TABLE certificate ADD COLUMN state BYTEA NOT NULL DEFAULT '';
ALTER TABLE crl ADD COLUMN digest BYTEA NOT NULL DEFAULT '';
CREATE INDEX certificate_changed ON certificate (authority, id) WHERE revision > 0;
";

/// Documents of servers that issue on request, which [`Documents`](crate::Documents) describes.
const VERSION_4: &str = "
CREATE TABLE document (
    authority BIGINT NOT NULL REFERENCES authority (id),
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    expires BIGINT NOT NULL,
    version BIGINT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (authority, kind, id)
);
CREATE INDEX document_owner ON document (authority, kind, owner, id);
CREATE INDEX document_expires ON document (expires);
";

/// Version 5. The newest CRL of each series besides the complete CRLs, and the name of the issuer of an indirect CRL.
const VERSION_5: &str = "
ALTER TABLE authority ADD COLUMN crl_issuer BYTEA;
CREATE TABLE series (
    authority BIGINT NOT NULL REFERENCES authority (id),
    name TEXT NOT NULL,
    number BIGINT NOT NULL CHECK (number > 0),
    base BIGINT CHECK (base < number),
    this_update BIGINT NOT NULL,
    next_update BIGINT NOT NULL,
    der BYTEA NOT NULL,
    digest BYTEA NOT NULL,
    PRIMARY KEY (authority, name)
);
CREATE FUNCTION series_numbers_grow () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number <= OLD.number THEN
        RAISE EXCEPTION 'the number of a CRL does not grow';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER series_numbers_grow BEFORE UPDATE ON series FOR EACH ROW EXECUTE FUNCTION series_numbers_grow ();
";

/// Version 6. The number of a complete CRL is higher than those of all stored CRLs, whatever the CA's row has (RFC 5280 §5.2.3).
const VERSION_6: &str = "
CREATE OR REPLACE FUNCTION crl_numbers_grow () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number <= (SELECT crl_number FROM authority WHERE id = NEW.authority)
        OR EXISTS (SELECT 1 FROM crl WHERE authority = NEW.authority AND number >= NEW.number)
        OR EXISTS (SELECT 1 FROM series WHERE authority = NEW.authority AND number >= NEW.number) THEN
        RAISE EXCEPTION 'the number of a CRL does not grow';
    END IF;
    RETURN NEW;
END $$;
";

/// Version 7. Documents have digests, which [`seals`] computes.
const VERSION_7: &str = "ALTER TABLE document ADD COLUMN digest BYTEA NOT NULL DEFAULT '';";

/// Version 8. Certificates with compromised keys are found without reading all revocations.
const VERSION_8: &str = "CREATE INDEX IF NOT EXISTS revocation_compromised ON revocation (certificate) WHERE reason IN (1, 2) AND lifted IS NULL;";

/// Version 9. A CRL has the numbers of the CA's revocations and certificates at its time, and the last row number of the certificates.
/// Rows are never deleted, so the next CRL finds missing ones. Row numbers alone cannot show them: an aborted transaction leaves a gap.
const VERSION_9: &str = "
ALTER TABLE crl ADD COLUMN IF NOT EXISTS revoked_rows BIGINT NOT NULL DEFAULT 0;
ALTER TABLE crl ADD COLUMN IF NOT EXISTS issued_rows BIGINT NOT NULL DEFAULT 0;
ALTER TABLE crl ADD COLUMN IF NOT EXISTS last_issued BIGINT NOT NULL DEFAULT 0;
";

/// Version 10. Rows of revocations cannot be deleted. A count of them would make concurrent revocations wait for each other.
const VERSION_10: &str = "
CREATE OR REPLACE FUNCTION revocations_stay () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'revocations are lifted, but never deleted';
END $$;
CREATE OR REPLACE TRIGGER revocations_stay BEFORE DELETE ON revocation FOR EACH STATEMENT EXECUTE FUNCTION revocations_stay ();
CREATE OR REPLACE TRIGGER revocations_stay_all BEFORE TRUNCATE ON revocation FOR EACH STATEMENT EXECUTE FUNCTION revocations_stay ();
";

/// Upgrades the tables to the current version.
///
/// # Errors
/// Returns [`Error::NewerDatabase`] if the tables are from a newer version, or any error from the server.
pub(super) fn migrate(transaction: &mut Transaction<'_>) -> Result<(), Failed> {
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
    // Not only `IF NOT EXISTS`, which prints a notice each time.
    let there: bool = transaction.query_one("SELECT to_regclass('tagwise_ca') IS NOT NULL", &[])?.try_get(0)?;
    if !there {
        transaction
            .batch_execute("CREATE TABLE tagwise_ca (version BIGINT NOT NULL); INSERT INTO tagwise_ca VALUES (0)")?;
    }
    let found: i64 = transaction.query_one("SELECT version FROM tagwise_ca", &[])?.try_get(0)?;
    if found > VERSION {
        return Err(Error::NewerDatabase { found, known: VERSION }.into());
    }
    let from =
        usize::try_from(found).map_err(|error| Error::Store { doing: "reading a version", source: error.into() })?;
    for migration in MIGRATIONS.iter().skip(from) {
        transaction.batch_execute(migration)?;
    }
    // Later versions keep the digests, which also show damage from before the upgrade.
    if found < SEALED {
        seals::all(transaction)?;
    }
    if found < SEALED_DOCUMENTS {
        seals::documents(transaction)?;
    }
    if found < VERSION {
        transaction.execute("UPDATE tagwise_ca SET version = $1", &[&VERSION])?;
    }
    Ok(())
}

//! The SQLite tables of each version.

use rusqlite::Connection;

use crate::Error;

/// The application identifier in the file's header: `TWCA`.
pub(super) const APPLICATION: i64 = 0x5457_4341;

/// The SQL scripts that upgrade the tables, each to the version that is its position in the list, starting at 1.
pub(super) const MIGRATIONS: [&str; 12] = [
    VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5, VERSION_6, VERSION_7, VERSION_8, VERSION_9, VERSION_10,
    VERSION_11, VERSION_12,
];

/// The first version with row digests.
pub(super) const SEALED: i64 = 6;

/// The first version with documents.
pub(super) const DOCUMENTS: i64 = 7;

/// The first version with series of CRLs.
pub(super) const SERIES: i64 = 8;

/// The first version whose documents have digests.
pub(super) const SEALED_DOCUMENTS: i64 = 10;

/// The first version with the number of rows of revocations in the CA's row.
pub(super) const COUNTED: i64 = 12;

/// The current version.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// Version 1. Certificates are never changed or deleted, except for their status revision. Revocations are lifted, but never deleted.
const VERSION_1: &str = "
CREATE TABLE authority (
    id INTEGER PRIMARY KEY,
    label TEXT NOT NULL UNIQUE,
    certificate BLOB NOT NULL,
    key_form TEXT NOT NULL CHECK (key_form IN ('encrypted', 'plain', 'elsewhere')),
    private_key BLOB,
    crl_number INTEGER NOT NULL CHECK (crl_number >= 0),
    ocsp_url TEXT,
    crl_url TEXT,
    issuer_url TEXT,
    created INTEGER NOT NULL,
    CHECK ((key_form = 'elsewhere') = (private_key IS NULL))
) STRICT;
CREATE TABLE certificate (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    authority INTEGER NOT NULL REFERENCES authority (id),
    serial BLOB NOT NULL,
    subject TEXT NOT NULL,
    profile TEXT NOT NULL,
    not_before INTEGER NOT NULL,
    not_after INTEGER NOT NULL,
    issued INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    der BLOB NOT NULL,
    UNIQUE (authority, serial)
) STRICT;
CREATE TABLE revocation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    certificate INTEGER NOT NULL REFERENCES certificate (id),
    revoked INTEGER NOT NULL,
    reason INTEGER NOT NULL CHECK (reason BETWEEN 0 AND 10 AND reason NOT IN (7, 8)),
    invalid_since INTEGER,
    lifted INTEGER
) STRICT;
CREATE UNIQUE INDEX revocation_in_force ON revocation (certificate) WHERE lifted IS NULL;
CREATE TABLE crl (
    id INTEGER PRIMARY KEY,
    authority INTEGER NOT NULL REFERENCES authority (id),
    number INTEGER NOT NULL CHECK (number > 0),
    this_update INTEGER NOT NULL,
    next_update INTEGER NOT NULL,
    der BLOB NOT NULL,
    UNIQUE (authority, number)
) STRICT;
CREATE TRIGGER crl_numbers_grow BEFORE INSERT ON crl
WHEN NEW.number <= (SELECT crl_number FROM authority WHERE id = NEW.authority)
BEGIN
    SELECT RAISE (ABORT, 'the number of a CRL does not grow');
END;
CREATE TABLE ocsp_response (
    certificate INTEGER NOT NULL REFERENCES certificate (id),
    digest TEXT NOT NULL,
    this_update INTEGER NOT NULL,
    next_update INTEGER NOT NULL,
    der BLOB NOT NULL,
    PRIMARY KEY (certificate, digest)
) STRICT;
";

/// Version 2. Responses record their CA, and have increasing numbers: they are read in that order, and a response that replaces
/// another comes after all others.
const VERSION_2: &str = "
ALTER TABLE ocsp_response RENAME TO ocsp_response_1;
CREATE TABLE ocsp_response (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    authority INTEGER NOT NULL,
    certificate INTEGER NOT NULL REFERENCES certificate (id),
    digest TEXT NOT NULL,
    this_update INTEGER NOT NULL,
    next_update INTEGER NOT NULL,
    der BLOB NOT NULL,
    UNIQUE (certificate, digest)
) STRICT;
INSERT INTO ocsp_response (authority, certificate, digest, this_update, next_update, der)
    SELECT c.authority, c.id, o.digest, o.this_update, o.next_update, o.der
    FROM ocsp_response_1 o JOIN certificate c ON c.id = o.certificate ORDER BY c.id;
DROP TABLE ocsp_response_1;
";

/// Version 3. Responses are stored by CA, digest and certificate, from which their number is composed, so that they need no index.
/// The number of the next CRL follows the last CRL's, so that creating a CRL changes no other row. The number in the CA's row is that of
/// the last CRL from before the CA was added to the store.
const VERSION_3: &str = "
ALTER TABLE ocsp_response RENAME TO ocsp_response_2;
CREATE TABLE ocsp_response (
    -- From the highest bit: 20 of the CA, 3 of the digest (sha1, sha256, sha384, sha512), 40 of the certificate.
    id INTEGER PRIMARY KEY,
    next_update INTEGER NOT NULL,
    der BLOB NOT NULL,
    this_update INTEGER NOT NULL
) STRICT;
INSERT INTO ocsp_response (id, next_update, der, this_update)
    SELECT (authority << 43) + (code << 40) + certificate, next_update, der, this_update FROM (
        SELECT *, CASE digest WHEN 'sha1' THEN 0 WHEN 'sha256' THEN 1 WHEN 'sha384' THEN 2 ELSE 3 END AS code
        FROM ocsp_response_2 WHERE digest IN ('sha1', 'sha256', 'sha384', 'sha512')
    ) ORDER BY authority, code, certificate;
DROP TABLE ocsp_response_2;
DROP TRIGGER crl_numbers_grow;
CREATE TRIGGER crl_numbers_grow BEFORE INSERT ON crl
WHEN NEW.number <= max((SELECT crl_number FROM authority WHERE id = NEW.authority),
    (SELECT coalesce(max(number), 0) FROM crl WHERE authority = NEW.authority))
BEGIN
    SELECT RAISE (ABORT, 'the number of a CRL does not grow');
END;
CREATE TRIGGER last_crl_stays BEFORE DELETE ON crl
WHEN OLD.number = (SELECT max(number) FROM crl WHERE authority = OLD.authority)
BEGIN
    SELECT RAISE (ABORT, 'the last CRL has the number that the next one follows');
END;
";

/// Version 4. A certificate's number follows the last one's, because a separate counter took up to a quarter of the time per row.
/// The last certificate must therefore remain, and responses to later ones are deleted, because responses are stored under these
/// numbers. (`REPLACE` and changes of a number bypass the trigger, but are not used.)
const VERSION_4: &str = "
CREATE TABLE certificate_4 (
    id INTEGER PRIMARY KEY,
    authority INTEGER NOT NULL REFERENCES authority (id),
    serial BLOB NOT NULL,
    subject TEXT NOT NULL,
    profile TEXT NOT NULL,
    not_before INTEGER NOT NULL,
    not_after INTEGER NOT NULL,
    issued INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    der BLOB NOT NULL,
    UNIQUE (authority, serial)
) STRICT;
-- The columns are the same in the same order: SQLite copies rows as they are.
INSERT INTO certificate_4 SELECT * FROM certificate;
DROP TABLE certificate;
ALTER TABLE certificate_4 RENAME TO certificate;
CREATE TRIGGER last_certificate_stays BEFORE DELETE ON certificate
WHEN OLD.id = (SELECT max(id) FROM certificate)
BEGIN
    SELECT RAISE (ABORT, 'the last certificate has the number that the next one follows');
END;
DELETE FROM ocsp_response WHERE (id & 0xFFFFFFFFFF) > (SELECT coalesce(max(id), 0) FROM certificate);
";

/// Version 5. The CA's row records whether its earlier revocations are known. They are unknown if it issued CRLs elsewhere that are
/// not in the store. A CRL records which revocations existed when it was issued, because dates are unreliable if a clock was wrong. For
/// older CRLs, these are at least the revocations before the first one dated at or after the CRL's time.
const VERSION_5: &str = "
ALTER TABLE authority ADD COLUMN past TEXT NOT NULL DEFAULT 'nothing' CHECK (past IN ('nothing', 'unknown', 'taken-over'));
UPDATE authority SET past = 'unknown'
    WHERE crl_number > (SELECT count(*) FROM crl WHERE crl.authority = authority.id AND number <= crl_number);
ALTER TABLE crl ADD COLUMN revocations INTEGER NOT NULL DEFAULT 0;
UPDATE crl SET revocations = coalesce(
    (SELECT min(r.id) - 1 FROM revocation r JOIN certificate c ON c.id = r.certificate
        WHERE c.authority = crl.authority AND r.revoked >= crl.this_update),
    (SELECT max(id) FROM revocation), 0)
    WHERE number = (SELECT max(number) FROM crl other WHERE other.authority = crl.authority);
";

/// Version 6. Rows have digests, which the upgrade computes. An inconsistent row has no matching digest.
const VERSION_6: &str = "
ALTER TABLE authority ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
ALTER TABLE certificate ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
ALTER TABLE certificate ADD COLUMN state BLOB NOT NULL DEFAULT x'';
ALTER TABLE crl ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
CREATE INDEX certificate_changed ON certificate (authority, id) WHERE revision > 0;
";

/// Documents of servers that issue on request, which [`Documents`](crate::Documents) describes.
const VERSION_7: &str = "
CREATE TABLE document (
    authority INTEGER NOT NULL REFERENCES authority (id),
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    expires INTEGER NOT NULL,
    version INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (authority, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_owner ON document (authority, kind, owner, id);
CREATE INDEX document_expires ON document (expires);
";

/// Version 8. The newest CRL of each series besides the complete CRLs, and the name of the issuer of an indirect CRL.
const VERSION_8: &str = "
ALTER TABLE authority ADD COLUMN crl_issuer BLOB;
CREATE TABLE series (
    authority INTEGER NOT NULL REFERENCES authority (id),
    name TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    base INTEGER CHECK (base < number),
    this_update INTEGER NOT NULL,
    next_update INTEGER NOT NULL,
    der BLOB NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (authority, name)
) STRICT;
CREATE TRIGGER series_numbers_grow BEFORE UPDATE ON series WHEN NEW.number <= OLD.number
BEGIN
    SELECT RAISE (ABORT, 'the number of a CRL does not grow');
END;
";

/// Version 9. The number of a complete CRL is also higher than those of the other series (RFC 5280 §5.2.3).
const VERSION_9: &str = "
DROP TRIGGER IF EXISTS crl_numbers_grow;
CREATE TRIGGER crl_numbers_grow BEFORE INSERT ON crl
WHEN NEW.number <= max((SELECT crl_number FROM authority WHERE id = NEW.authority),
    (SELECT coalesce(max(number), 0) FROM crl WHERE authority = NEW.authority),
    (SELECT coalesce(max(number), 0) FROM series WHERE authority = NEW.authority))
BEGIN
    SELECT RAISE (ABORT, 'the number of a CRL does not grow');
END;
";

/// Version 10. Documents have digests, which the upgrade computes.
const VERSION_10: &str = "
ALTER TABLE document ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
";

/// Version 11. Certificates with compromised keys are found without reading all revocations.
const VERSION_11: &str = "
CREATE INDEX IF NOT EXISTS revocation_compromised ON revocation (certificate) WHERE reason IN (1, 2) AND lifted IS NULL;
";

/// Version 12. A CA's row has the number of its rows in the table of revocations, which are never deleted. Their own numbers cannot
/// show a missing one: restoring a backup leaves a gap.
const VERSION_12: &str = "
ALTER TABLE authority ADD COLUMN revocation_rows INTEGER NOT NULL DEFAULT 0;
UPDATE authority SET revocation_rows =
    (SELECT count(*) FROM revocation r JOIN certificate c ON c.id = r.certificate WHERE c.authority = authority.id);
";

/// The tables above that reference other tables.
pub(super) const REFERRING: [&str; 5] = ["certificate", "revocation", "crl", "series", "document"];

/// Returns the version of a file's tables, or zero for an empty file.
///
/// # Errors
/// Returns any error from SQLite, or an error if the file belongs to another program or is from a newer version.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<Result<i64, Error>> {
    let number = |text: &str| connection.query_row(text, [], |row| row.get::<_, i64>(0));
    let (application, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    Ok(match (application, version) {
        (0, 0) if tables == 0 => Ok(0),
        (APPLICATION, found) if found > VERSION => Err(Error::NewerDatabase { found, known: VERSION }),
        (APPLICATION, found) => Ok(found),
        _ => Err(Error::ForeignDatabase("a SQLite file that belongs to another program".to_owned())),
    })
}

//! The battery on a PostgreSQL server, and what is its own: locks, versions.

#[path = "../common/postgres.rs"]
mod server;

use std::sync::Arc;
use std::time::Duration;

use tagwise_ca::store::{NewCrl, Past};
use tagwise_ca::{Documents, Error, PostgresStore, Store};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

use self::server::Server;
use super::{Clock, Open, battery, certificate, new_authority, revocation, serial};

impl Server {
    fn open(&self, patience: Duration) -> Result<PostgresStore, Error> {
        PostgresStore::connect(&self.text(), patience)
    }
}

#[test]
fn postgresql() {
    let Some(server) = Server::start() else { return };
    let patience = Duration::from_secs(30);
    let text = server.text();
    let open = move || Box::new(PostgresStore::connect(&text, patience).unwrap()) as Box<dyn Documents>;
    battery(&(Arc::new(open) as Open));

    locks(&server);
    earlier_tables(&server);
    missing_rows(&server);

    // Somebody holds the row: patience ends, and says so.
    let mut holder = ::postgres::Client::connect(&server.text(), ::postgres::NoTls).unwrap();
    let mut held = holder.transaction().unwrap();
    held.execute("SELECT 1 FROM authority FOR UPDATE", &[]).unwrap();
    let mut store = server.open(Duration::from_secs(1)).unwrap();
    let of = store.authority("crls").unwrap().unwrap().0;
    let error = store.add_crl(of, 2000.now(), &mut |_| Err(Error::NoKey)).unwrap_err();
    assert!(matches!(error, Error::Locked(1)), "{error}");
    held.rollback().unwrap();
    // Whatever happens to the counter, the table refuses a number that does not grow.
    let insert = "INSERT INTO crl (authority, number, this_update, next_update, der) \
         SELECT id, crl_number, 0, 1, '' FROM authority WHERE label = 'many'";
    let error = holder.execute(insert, &[]).unwrap_err();
    assert!(format!("{error:?}").contains("does not grow"), "{error:?}");
    // An audit finds a lost number, and what is not a document.
    let of = store.authority("many").unwrap().unwrap().0;
    let mut damages = || {
        let mut found = Vec::new();
        store.damages(of, &mut |what| found.push(what)).unwrap();
        // The certificates of this test are made up.
        found.retain(|what| !what.starts_with("the certificate "));
        found
    };
    assert_eq!(damages(), [""; 0]);
    let lose = "UPDATE authority SET crl_number = 0 WHERE label = 'many'; \
         INSERT INTO document SELECT id, 'order', 'o1', '', 0, 0, 'garbage', '' FROM authority WHERE label = 'many'; \
         INSERT INTO document SELECT id, 'order', 'o2', '', 0, 0, '{}', '' FROM authority WHERE label = 'many'";
    holder.batch_execute(lose).unwrap();
    let found = damages();
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[2], "the document `o2` of kind `order`");
    assert!(found[0].contains("the number of the last CRL: 0, expected at least"), "{found:?}");
    assert!(found[1].contains("the document `o1` of kind `order`"), "{found:?}");
    // An upgrade adds the digests.
    assert!(matches!(store.document(of, "order", "o2"), Err(Error::Damaged { .. })));
    holder.batch_execute("ALTER TABLE document DROP COLUMN digest; UPDATE tagwise_ca SET version = 6").unwrap();
    let mut store = server.open(patience).unwrap();
    assert_eq!(store.document(of, "order", "o2").unwrap().unwrap().content, "{}");
    let error = holder.execute(&insert.replace("crl_number", "1"), &[]).unwrap_err();
    assert!(format!("{error:?}").contains("does not grow"), "{error:?}");
    holder.execute("UPDATE tagwise_ca SET version = 99", &[]).unwrap();
    let error = server.open(patience).unwrap_err();
    assert!(matches!(error, Error::NewerDatabase { found: 99, known: 10 }), "{error}");
}

/// Row numbers have gaps after aborted transactions, so that rows are counted by each CRL.
fn missing_rows(server: &Server) {
    let mut store = server.open(Duration::from_secs(30)).unwrap();
    let mut holder = ::postgres::Client::connect(&server.text(), ::postgres::NoTls).unwrap();
    let of = new_authority(&mut store, "rows");
    let (one, two, three) = (serial(), serial(), serial());
    store.add_certificates(of, &[certificate(&one), certificate(&two)]).unwrap();
    assert!(matches!(
        store.add_certificates(of, &[certificate(&three), certificate(&one)]),
        Err(Error::SerialTaken(_))
    ));
    store.add_certificates(of, &[certificate(&three)]).unwrap();
    store.revoke(of, &one, &revocation(20, CrlReason::Superseded)).unwrap();
    let crl = |store: &mut PostgresStore, now: i64| {
        let make = &mut |draft: &tagwise_ca::store::CrlDraft| {
            let (this_update, next_update) = (draft.this_update, UnixTime(now + 9));
            Ok(NewCrl { this_update, next_update, der: vec![], beside: vec![] })
        };
        store.add_crl(of, now.now(), make).map(|_| ())
    };
    crl(&mut store, 100).unwrap();
    crl(&mut store, 200).unwrap();
    for sql in ["DELETE FROM revocation", "TRUNCATE revocation"] {
        let error = holder.batch_execute(sql).unwrap_err();
        let message = error.as_db_error().map(|error| error.message().to_owned());
        assert_eq!(message.as_deref(), Some("revocations are lifted, but never deleted"), "{sql}");
    }
    // A revoked certificate with its revocation, and one that is valid.
    for (serial, time) in [(&one, 300), (&three, 400)] {
        let lost = holder.query("SELECT id FROM certificate WHERE serial = $1", &[&serial.as_bytes()]).unwrap();
        let lost: i64 = lost[0].get(0);
        let mut transaction = holder.transaction().unwrap();
        transaction.execute("CREATE TEMP TABLE kept AS SELECT * FROM certificate WHERE id = $1", &[&lost]).unwrap();
        transaction
            .batch_execute(
                "CREATE TEMP TABLE kept_too AS SELECT * FROM revocation WHERE certificate IN (SELECT id FROM kept)",
            )
            .unwrap();
        transaction.batch_execute("ALTER TABLE revocation DISABLE TRIGGER USER").unwrap();
        transaction.execute("DELETE FROM revocation WHERE certificate = $1", &[&lost]).unwrap();
        transaction.batch_execute("ALTER TABLE revocation ENABLE TRIGGER USER").unwrap();
        transaction.execute("DELETE FROM certificate WHERE id = $1", &[&lost]).unwrap();
        transaction.commit().unwrap();
        let error = crl(&mut store, time).unwrap_err();
        let what = "the number of certificates or revocations";
        assert!(matches!(&error, Error::Damaged { what: found } if found == what), "{error}");
        let mut found = Vec::new();
        store.damages(of, &mut |what| found.push(what)).unwrap();
        assert!(found.iter().any(|found| found == what), "{found:?}");
        // With the rows, it goes on.
        holder
            .batch_execute(
                "INSERT INTO certificate OVERRIDING SYSTEM VALUE SELECT * FROM kept; \
                 INSERT INTO revocation OVERRIDING SYSTEM VALUE SELECT * FROM kept_too; DROP TABLE kept; DROP TABLE kept_too",
            )
            .unwrap();
        crl(&mut store, time).unwrap();
    }
}

/// While a CRL is made, certificates are issued, and what is revoked waits, so that it is on this one or the next.
fn locks(server: &Server) {
    let mut store = server.open(Duration::from_secs(30)).unwrap();
    let mut other = server.open(Duration::from_secs(1)).unwrap();
    let of = new_authority(&mut store, "locks");
    let one = serial();
    store
        .add_crl(of, 10.now(), &mut |draft| {
            other.add_certificates(of, &[certificate(&one)]).unwrap();
            let error = other.revoke(of, &one, &revocation(10, CrlReason::Superseded)).unwrap_err();
            assert!(matches!(error, Error::Locked(1)), "{error}");
            assert!(draft.revoked.is_empty());
            Ok(NewCrl { this_update: UnixTime(10), next_update: UnixTime(20), der: vec![], beside: vec![] })
        })
        .unwrap();
    other.revoke(of, &one, &revocation(10, CrlReason::Superseded)).unwrap();
    let list = &mut |draft: &tagwise_ca::store::CrlDraft| {
        assert_eq!(draft.revoked.len(), 1);
        Ok(NewCrl { this_update: UnixTime(5000), next_update: UnixTime(6000), der: vec![], beside: vec![] })
    };
    store.add_crl(of, 5000.now(), list).unwrap();
}

/// Tables as the first version made them, of a CA that was founded here and one that made CRLs elsewhere.
const FIRST: &str = "
    CREATE SCHEMA first; SET search_path = first;
    CREATE TABLE authority (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, label TEXT NOT NULL UNIQUE, certificate BYTEA NOT NULL,
        key_form TEXT NOT NULL, private_key BYTEA, crl_number BIGINT NOT NULL, ocsp_url TEXT, crl_url TEXT, issuer_url TEXT,
        created BIGINT NOT NULL);
    CREATE TABLE certificate (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, authority BIGINT NOT NULL REFERENCES authority (id),
        serial BYTEA NOT NULL, subject TEXT NOT NULL, profile TEXT NOT NULL, not_before BIGINT NOT NULL, not_after BIGINT NOT NULL,
        issued BIGINT NOT NULL, revision BIGINT NOT NULL DEFAULT 0, der BYTEA NOT NULL, UNIQUE (authority, serial));
    CREATE TABLE revocation (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, certificate BIGINT NOT NULL REFERENCES certificate (id),
        revoked BIGINT NOT NULL, reason SMALLINT NOT NULL, invalid_since BIGINT, lifted BIGINT);
    CREATE TABLE crl (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, authority BIGINT NOT NULL REFERENCES authority (id),
        number BIGINT NOT NULL, this_update BIGINT NOT NULL, next_update BIGINT NOT NULL, der BYTEA NOT NULL, UNIQUE (authority, number));
    CREATE TABLE ocsp_response (certificate BIGINT NOT NULL REFERENCES certificate (id), digest TEXT NOT NULL, this_update BIGINT NOT NULL,
        next_update BIGINT NOT NULL, der BYTEA NOT NULL, PRIMARY KEY (certificate, digest));
    CREATE TABLE tagwise_ca (version BIGINT NOT NULL); INSERT INTO tagwise_ca VALUES (1);
    INSERT INTO authority (label, certificate, key_form, crl_number, created)
        VALUES ('here', '\\x3000', 'elsewhere', 1, 0), ('there', '\\x3000', 'elsewhere', 43, 0);
    INSERT INTO certificate (authority, serial, subject, profile, not_before, not_after, issued, revision, der) SELECT 1, serial, '', 'server', 0, 1000, 0, 1, ''::bytea
        FROM (VALUES ('\\x05'::bytea), ('\\x06'), ('\\x07')) AS rows (serial);
    INSERT INTO revocation (certificate, revoked, reason) VALUES (1, 5, 1), (2, 5000, 1), (3, 7, 1);
    INSERT INTO crl (authority, number, this_update, next_update, der) VALUES (1, 1, 5000, 6000, ''), (2, 42, 10, 20, ''), (2, 43, 20, 30, '');";

fn earlier_tables(server: &Server) {
    let mut client = ::postgres::Client::connect(&server.text(), ::postgres::NoTls).unwrap();
    client.batch_execute(FIRST).unwrap();
    let text = format!("{} options='-c search_path=first'", server.text());
    let mut store = PostgresStore::connect(&text, Duration::from_secs(30)).unwrap();
    let mut next = |label: &str, at: i64| {
        let (of, _) = store.authority(label).unwrap().unwrap();
        let mut listed = Vec::new();
        let make = &mut |draft: &tagwise_ca::store::CrlDraft| {
            listed = draft.revoked.iter().map(|(serial, _)| serial.as_bytes().to_vec()).collect();
            Ok(NewCrl { this_update: UnixTime(at), next_update: UnixTime(at + 1), der: vec![], beside: vec![] })
        };
        let made = store.add_crl(of, at.now(), make);
        made.map(|made| (made.number, listed))
    };
    // All have expired. The first was on the last CRL by its date; the second was not, and the third, which came after it, may not.
    assert_eq!(next("here", 5001).unwrap(), (2, vec![vec![6], vec![7]]));
    assert_eq!(next("here", 5002).unwrap(), (3, vec![]));
    assert!(matches!(next("there", 5001), Err(Error::PastUnknown)));
    let (of, _) = store.authority("there").unwrap().unwrap();
    store.take_over(of, &Past::Nothing).unwrap();
    let make =
        &mut |_: &_| Ok(NewCrl { this_update: UnixTime(30), next_update: UnixTime(31), der: vec![], beside: vec![] });
    assert_eq!(store.add_crl(of, 30.now(), make).unwrap().number, 44);
}

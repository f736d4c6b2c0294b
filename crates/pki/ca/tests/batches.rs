//! Several writes in one transaction, and connections whose commits are synced together.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(all(feature = "sqlite", feature = "serve"))]

use std::sync::Arc;

use tagwise_ca::serve::Pool;
use tagwise_ca::store::{AuthorityId, AuthorityRecord, CommitGroup, Past, StoredKey};
use tagwise_ca::{Document, Documents, Error, SqliteOptions, SqliteStore, Store, Urls};
use tagwise_pkix::UnixTime;

/// A file with a CA, and two connections of a group.
fn group() -> (tempfile::TempDir, AuthorityId, [SqliteStore; 2], Arc<CommitGroup>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let record = AuthorityRecord {
        label: "ca".to_owned(),
        certificate: vec![0x30, 0],
        key: StoredKey::Elsewhere,
        urls: Urls::default(),
        crl_number: 0,
        created: UnixTime(0),
    };
    let mut store = SqliteStore::create(&path, &SqliteOptions::DEFAULT).unwrap();
    let id = store.add_authority(&record, None, &Past::Nothing).unwrap();
    let group = CommitGroup::new(&path);
    let open = || SqliteStore::open_in(&group, &path, &SqliteOptions::DEFAULT).unwrap();
    (folder, id, [open(), open()], group)
}

fn document(id: &str) -> Document {
    Document::new("order", id, "", UnixTime(100), "{}".to_owned())
}

fn has(store: &mut dyn Documents, of: AuthorityId, id: &str) -> bool {
    store.document(of, "order", id).unwrap().is_some()
}

#[test]
fn a_batch_is_one_transaction() {
    let (_folder, of, [mut one, mut other], group) = group();
    one.combine();
    // Nothing is locked before the first write.
    assert!(other.insert_document(of, &document("a")).unwrap());
    assert!(one.insert_document(of, &document("b")).unwrap());
    assert!(!one.insert_document(of, &document("a")).unwrap());
    // A write that fails is undone alone.
    let error = one.insert_document(AuthorityId(99), &document("c")).unwrap_err();
    assert!(matches!(error, Error::Store { .. }), "{error}");
    assert!(one.take_document(of, "order", "a").unwrap().is_some());
    assert_eq!((has(&mut one, of, "a"), has(&mut one, of, "b")), (false, true));
    assert_eq!((has(&mut other, of, "a"), has(&mut other, of, "b")), (true, false));
    one.commit().unwrap();
    assert_eq!((has(&mut other, of, "a"), has(&mut other, of, "b")), (false, true));
    group.settle().unwrap();
    // Afterwards, each write is a transaction again.
    assert!(one.insert_document(of, &document("d")).unwrap());
    assert!(has(&mut other, of, "d"));
    one.commit().unwrap();
}

#[test]
fn a_batch_is_undone() {
    let (_folder, of, [mut one, mut other], _group) = group();
    one.combine();
    assert!(one.insert_document(of, &document("a")).unwrap());
    one.roll_back();
    assert!(!has(&mut one, of, "a") && !has(&mut other, of, "a"));
    // A batch that was not ended is undone by the next one.
    one.combine();
    assert!(one.insert_document(of, &document("b")).unwrap());
    one.combine();
    one.commit().unwrap();
    assert!(other.insert_document(of, &document("c")).unwrap());
    assert!(!has(&mut other, of, "b"));
    // Reads of several rows are possible within a batch.
    one.combine();
    assert!(one.insert_document(of, &document("d")).unwrap());
    assert!(one.revoked(of, None, UnixTime(0)).unwrap().is_empty());
    one.settle().unwrap();
    assert!(has(&mut other, of, "d"));
}

#[test]
fn operations_of_a_pool_are_atomic() {
    let (_folder, of, [one, other], _group) = group();
    let pool = Pool::new(vec![Box::new(one) as Box<dyn Documents>, Box::new(other)]);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let insert =
        move |id: &'static str| move |store: &mut (dyn Documents + 'static)| store.insert_document(of, &document(id));
    runtime.block_on(async {
        assert!(pool.run_combined(insert("a")).await.unwrap());
        let failing = pool.run_combined(move |store| {
            insert("b")(store)?;
            Err::<(), _>(Error::Conflict)
        });
        assert!(matches!(failing.await, Err(Error::Conflict)));
        let panicking = pool.run_combined(move |store| -> Result<(), Error> {
            insert("c")(store)?;
            panic!("an operation that panics");
        });
        assert!(panicking.await.is_err());
        // The panic has not kept the lock.
        assert!(pool.run(insert("d")).await.unwrap());
        let found = pool.run(move |store| Ok(["a", "b", "c", "d"].map(|id| has(store, of, id))));
        assert_eq!(found.await.unwrap(), [true, false, false, true]);
        // Many at once, with two connections.
        let all = (0..64).map(|index| {
            let pool = pool.clone();
            tokio::spawn(async move {
                let name = format!("n{index}");
                pool.run_combined(move |store| store.insert_document(of, &document(&name))).await.unwrap()
            })
        });
        for one in all.collect::<Vec<_>>() {
            assert!(one.await.unwrap());
        }
        let count = pool.run(move |store| Ok(store.documents_of(of, "order", "", "n", 100)?.len())).await;
        assert_eq!(count.unwrap(), 64);
    });
}

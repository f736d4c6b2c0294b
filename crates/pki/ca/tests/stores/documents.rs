//! Documents: taken once, and updated by one of several.

use std::sync::{Arc, Barrier};

use tagwise_ca::Document;
use tagwise_pkix::UnixTime;

use super::{Open, new_authority};

pub(super) fn all(open: &Open) {
    let store = &mut *open();
    let (of, other) = (new_authority(store, "documents"), new_authority(store, "documents of another"));
    let new = |id: &str, owner: &str, expires| {
        Document::new("order", id, owner, UnixTime(expires), format!("{{\"id\":\"{id}\"}}"))
    };
    for id in ["b", "B", "a", "c"] {
        assert!(store.insert_document(of, &new(id, "eva", 10)).unwrap());
        assert!(!store.insert_document(of, &new(id, "adam", 10)).unwrap());
    }
    store.insert_document(of, &new("d", "adam", 20)).unwrap();
    let mut ids = |after, limit| {
        let found = store.documents_of(of, "order", "eva", after, limit).unwrap();
        found.into_iter().map(|document| document.id).collect::<Vec<_>>()
    };
    assert_eq!(
        (ids("", 9), ids("a", 1), ids("c", 9)),
        (vec!["B".into(), "a".into(), "b".into(), "c".into()], vec!["b".into()], vec![])
    );
    // Each CA and kind has its own.
    assert_eq!(store.document(other, "order", "a").unwrap(), None);
    assert_eq!(store.document(of, "nonce", "a").unwrap(), None);

    let read = store.document(of, "order", "a").unwrap().unwrap();
    assert_eq!(read, new("a", "eva", 10));
    let changed = Document { content: "{}".to_owned(), expires: UnixTime(30), ..read.clone() };
    assert!(store.update_document(of, &changed).unwrap());
    assert!(!store.update_document(of, &read).unwrap());
    assert!(!store.update_document(other, &changed).unwrap());
    let read = store.document(of, "order", "a").unwrap().unwrap();
    assert_eq!(read, Document { version: 1, ..changed });

    assert_eq!(store.take_document(of, "order", "a").unwrap(), Some(read));
    assert_eq!(store.take_document(of, "order", "a").unwrap(), None);
    assert_eq!(store.purge_documents(of, UnixTime(10), 9).unwrap(), 0);
    assert_eq!(store.purge_documents(of, UnixTime(11), 2).unwrap(), 2);
    assert_eq!(store.purge_documents(of, UnixTime(11), 9).unwrap(), 1);
    assert!(store.document(of, "order", "d").unwrap().is_some());

    // Of many at once, one takes a document and one updates it.
    store.insert_document(of, &new("update", "eva", 99)).unwrap();
    store.insert_document(of, &new("take", "eva", 99)).unwrap();
    let start = Arc::new(Barrier::new(8));
    let each = || {
        let (open, start, update) = (Arc::clone(open), Arc::clone(&start), new("update", "eva", 99));
        std::thread::spawn(move || {
            let store = &mut *open();
            start.wait();
            let updated = store.update_document(of, &update).unwrap();
            (updated, store.take_document(of, "order", "take").unwrap().is_some())
        })
    };
    let threads: Vec<_> = (0..8).map(|_| each()).collect();
    let done: Vec<(bool, bool)> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let count = |which: fn(&(bool, bool)) -> bool| done.iter().filter(|done| which(done)).count();
    assert_eq!((count(|done| done.0), count(|done| done.1)), (1, 1));
}

//! Stores: any octets are taken apart within their limits; what comes out lies where it says; hierarchies are forests.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_store::{Contents, ContentsKind, InputForm, Limits, Record, Role, Store, StoreEntry};

const LIMITS: Limits = Limits { output: 1 << 20, ratio: 50, entries: 50, depth: 4, items: 1000 };

fuzz_target!(|data: &[u8]| {
    let contents = Contents::read(data, &LIMITS);
    assert!(contents.len() <= 1000 && contents.failures().len() <= 1001);
    let again = Contents::read(data, &LIMITS);
    assert_eq!(contents.len(), again.len());
    for (item, other) in contents.items().zip(again.items()) {
        assert_eq!((item.der, item.place), (other.der, other.place));
        // In DER each stands where its place says; one of indefinite length was brought into DER.
        if contents.form() == InputForm::Der {
            let there = &data[item.place.offset..];
            assert!(there.starts_with(item.der) || there.get(1) == Some(&0x80));
        }
    }
    for failure in contents.failures() {
        assert!(!failure.code.is_empty() && !failure.message.is_empty());
    }
    let certificates = contents.items().filter(|item| item.kind == ContentsKind::Certificate);
    let entries: Vec<StoreEntry<'_>> = certificates
        .filter_map(|item| Some(StoreEntry { der: item.der, record: Record::read(item.der).ok()? }))
        .collect();
    let store = Store::new(entries);
    let tree = store.hierarchy();
    // Each certificate that is no duplicate is met once from the top down.
    let mut open: Vec<u32> = tree.tops().to_vec();
    let mut met = 0;
    while let Some(number) = open.pop() {
        met += 1;
        for child in tree.children(number) {
            assert_eq!(tree.parent(*child).map(|(parent, _)| parent), Some(number));
            assert_eq!(tree.level(*child), tree.level(number) + 1);
        }
        open.extend(tree.children(number));
    }
    assert_eq!(met + tree.of_role(Role::Duplicate).count(), store.len());
    for number in 0..store.len() as u32 {
        let subject = store.subject(number).unwrap();
        assert!(store.by_subject(&subject).contains(&number));
        if let Some((parent, _)) = tree.parent(number) {
            let entry = store.get(number).unwrap();
            assert!(store.subject(parent).unwrap().matches(&entry.record.issuer(entry.der)));
        }
    }
});

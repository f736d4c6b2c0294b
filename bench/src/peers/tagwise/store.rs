//! Stores: the compact index of each certificate, who issued whom, and everything that a scan does.

use crate::peer::{Input, Task, decode_each};
use std::collections::HashMap;
use std::hint::black_box;
use tagwise_codec::{Decode, Oid};
use tagwise_pkix::{Certificate, UnixTime};
use tagwise_store::{Record, Role, Store, StoreEntry};

const TREE: &str = "`Record::read` (outline, key identifiers, SHA-256), `Store::new`, `Store::hierarchy`: issuers by name and key \
    identifier, nearest to a root, duplicates told";

const RECORD: &str =
    "`Record::with_fingerprint`: outline, key identifiers and cA decoded, 136 octets each; no fingerprint taken";

const SCAN: &str = "`Certificate::from_der`, every octet checked; `Record::read` with SHA-256; counts by signature and key algorithm and \
    by validity";

/// The dependency tree by the library's own store.
pub(super) fn tree(input: &Input) -> Task<'_> {
    let task = Task::new(TREE, input.items.len(), move || {
        let entry = |der| {
            Some(StoreEntry {
                der,
                record: Record::read(black_box(der)).ok()?,
            })
        };
        let store = Store::new(input.items.iter().copied().filter_map(entry).collect());
        let hierarchy = store.hierarchy();
        let linked = |number: &u32| hierarchy.parent(*number).is_some() || hierarchy.role(*number) == Some(Role::Root);
        (0..store.len() as u32).filter(linked).count() as u64
    });
    task.named("store")
}

/// The compact index alone.
pub(super) fn records(input: &Input) -> Task<'_> {
    decode_each(RECORD, input, |der| Record::with_fingerprint(der, [0; 32]).ok()).named("record")
}

/// Checks, fingerprints and summarises everything.
pub(super) fn scan(input: &Input) -> Task<'_> {
    Task::new(SCAN, input.items.len(), move || {
        let mut algorithms: HashMap<[Oid<'_>; 2], u64> = HashMap::new();
        let mut fingerprints = Vec::with_capacity(input.items.len());
        let (mut accepted, mut first, mut last) = (0, UnixTime::MAX, UnixTime::MIN);
        for der in &input.items {
            let der = black_box(*der);
            let Ok(record) = Record::read(der) else { continue };
            fingerprints.push(*record.fingerprint());
            (first, last) = (first.min(record.not_before()), last.max(record.not_after()));
            let Ok(certificate) = Certificate::from_der(der) else {
                continue;
            };
            let key = certificate.tbs_certificate.subject_public_key_info.algorithm.algorithm;
            *algorithms
                .entry([certificate.signature_algorithm.algorithm, key])
                .or_default() += 1;
            accepted += 1;
        }
        black_box((&algorithms, &fingerprints, first, last));
        accepted
    })
}

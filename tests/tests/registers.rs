//! Every certificate and revocation list of the corpora decodes strictly and encodes to the same octets, or is registered
//! with what exactly is wrong with it; and the other way round. So is every circle of imports in the source.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::path::Path;

use tagwise_tests::imports::{Imports, circle};
use tagwise_tests::{register, sets};

#[test]
fn every_item_is_strict_or_registered() {
    let mut count = 0;
    for (name, items) in sets::all() {
        if let Some(items) = items {
            count += items.len();
            register::hold_set(name, &items);
        }
    }
    println!("{count} items");
}

/// The crates in which no circle of imports runs through more than three files.
const WITHOUT_CIRCLES: [&str; 16] = [
    "crates/asn1/jer",
    "crates/kerberos/krb5",
    "crates/mtc/mtc",
    "crates/mtc/mtc-log",
    "crates/pki/build",
    "crates/pki/facts",
    "crates/pki/kind",
    "crates/pki/lint",
    "crates/pki/messages",
    "crates/pki/pkix",
    "crates/pki/source",
    "crates/pki/store",
    "crates/pki/text",
    "crates/pki/x509",
    "doors/cli",
    "doors/rustls",
];

/// `register/import-circles.tsv` has the imports that may close a longer circle: `folder/src/file`, the file that it imports, and the reason.
/// One that closes none has no place there.
#[test]
fn no_circle_of_imports_is_long() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let rows = register::rows("import-circles");
    let mut allowed = Vec::new();
    for row in rows.values() {
        let columns: Vec<&str> = row.split('\t').collect();
        let [from, to, why] = columns.as_slice() else { panic!("{row}: expected three columns") };
        let (name, from) = from.split_once("/src/").unwrap();
        assert!(WITHOUT_CIRCLES.contains(&name) && !why.is_empty(), "{row}");
        allowed.push((name, (from.to_owned(), (*to).to_owned())));
    }
    for name in WITHOUT_CIRCLES {
        let mut edges = Imports::read(&root.join(name).join("src")).edges();
        let own: Vec<_> = allowed.iter().filter(|(of, _)| *of == name).map(|(_, edge)| edge).collect();
        for edge in &own {
            assert!(edges.remove(edge), "{name}: registered, but not there: {edge:?}");
        }
        let found = circle(&edges);
        assert!(found.is_none(), "{name}: a circle of imports through {}", found.unwrap().join(", "));
        for edge in own {
            edges.insert(edge.clone());
            assert!(circle(&edges).is_some(), "{name}: registered, but it closes no circle: {edge:?}");
            edges.remove(edge);
        }
    }
}

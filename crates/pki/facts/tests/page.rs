//! The guide's page of identifiers is generated from the table: `TAGWISE_BLESS=1` rewrites it.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;
use std::{env, fs};

use tagwise_facts::{Info, ObjectKind, all};

const KINDS: &[ObjectKind] = &[
    ObjectKind::Attribute,
    ObjectKind::Extension,
    ObjectKind::KeyPurpose,
    ObjectKind::AccessMethod,
    ObjectKind::Policy,
    ObjectKind::PolicyQualifier,
    ObjectKind::QcStatement,
    ObjectKind::OtherName,
    ObjectKind::PublicKey,
    ObjectKind::Signature,
    ObjectKind::Curve,
    ObjectKind::Digest,
    ObjectKind::Mac,
    ObjectKind::Cipher,
    ObjectKind::KeyManagement,
    ObjectKind::Derivation,
    ObjectKind::ContentType,
    ObjectKind::CmsAttribute,
    ObjectKind::Bag,
    ObjectKind::Management,
    ObjectKind::Directory,
    ObjectKind::Mechanism,
    ObjectKind::Other,
];

fn page() -> String {
    let mut page = String::from(
        "# Identifiers\n\nTagwise recognizes these object identifiers by name. Every command that accepts or prints an identifier uses these names. In \
         Rust, each is a constant of `tagwise::pkix::oids`.\n",
    );
    for kind in KINDS {
        let rows: Vec<&Info> = all().filter(|info| info.kind == *kind).collect();
        let title = kind.text();
        let title = title[..1].to_uppercase() + &title[1..];
        write!(page, "\n## {title}: {}\n\n| Name | Short | Identifier | Defined by |\n|---|---|---|---|\n", rows.len())
            .unwrap();
        for info in rows {
            let short = info.short.map(|short| format!("`{short}`")).unwrap_or_default();
            writeln!(page, "| `{}` | {short} | {} | {} |", info.name, info.oid, info.standard).unwrap();
        }
    }
    page
}

#[test]
fn the_guide_lists_what_the_table_has() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/src/identifiers.md");
    let page = page();
    assert_eq!(page.matches("\n| `").count(), all().count(), "a kind is missing here");
    if env::var_os("TAGWISE_BLESS").is_some_and(|value| value == "1") {
        fs::write(path, &page).unwrap();
    }
    assert!(fs::read_to_string(path).unwrap() == page, "docs/src/identifiers.md is stale: TAGWISE_BLESS=1 rewrites it");
}

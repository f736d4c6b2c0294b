//! The table of methods has every function of the interfaces, as MIT's headers declare them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;

const METHODS: &str = include_str!("methods.tsv");
const HEADERS: &str = include_str!("../../krb5-plugin-sys/src/gen/v1_22.rs");
const AUDIT: &str = include_str!("../../krb5-plugin-sys/src/audit.rs");

/// Interfaces, and the structs of their functions in the newest release, which has all of older ones.
const INTERFACES: [(&str, &str); 12] = [
    ("audit", "krb5_audit_vtable_st"),
    ("ccselect", "krb5_ccselect_vtable_st"),
    ("certauth", "krb5_certauth_vtable_st"),
    ("clpreauth", "krb5_clpreauth_vtable_st"),
    ("hostrealm", "krb5_hostrealm_vtable_st"),
    ("kadm5_auth", "kadm5_auth_vtable_st"),
    ("kadm5_hook", "kadm5_hook_vtable_1_st"),
    ("kdb", "_kdb_vftabl"),
    ("kdcpolicy", "krb5_kdcpolicy_vtable_st"),
    ("kdcpreauth", "krb5_kdcpreauth_vtable_st"),
    ("localauth", "krb5_localauth_vtable_st"),
    ("pwqual", "krb5_pwqual_vtable_st"),
];

/// Members that are data.
const DATA: [&str; 6] = ["name", "maj_ver", "min_ver", "an2ln_types", "pa_type_list", "enctype_list"];

/// What the traits have and no struct has: what a module does later.
const MORE: [(&str, &str); 1] = [("kdcpreauth", "resume")];

fn members(name: &str) -> BTreeSet<&str> {
    let head = format!("pub struct {name} {{");
    let (_, rest) = HEADERS.split_once(&head).or_else(|| AUDIT.split_once(&head)).unwrap();
    let (body, _) = rest.split_once("\n}").unwrap();
    let fields = body.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(':'));
    // A word of Rust's has a mark behind it in the declarations.
    fields.map(|(field, _)| field.trim_end_matches('_')).filter(|field| !DATA.contains(field)).collect()
}

#[test]
fn every_function_is_in_the_table() {
    let mut seen = 0;
    for (interface, name) in INTERFACES {
        let rows = METHODS.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
        let mut listed: BTreeSet<&str> =
            rows.filter(|row| row.first() == Some(&interface)).filter_map(|row| row.get(1).copied()).collect();
        for (of, more) in MORE {
            assert!(of != interface || listed.remove(more), "{of} {more}");
        }
        let declared = members(name);
        assert_eq!(listed, declared, "{interface}");
        seen += declared.len();
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn whoever_has_no_host_has_a_reason() {
    for line in METHODS.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let [_, _, hosts, reason, ..] = row[..] else { panic!("{line:?}") };
        assert_eq!(hosts == "-", !reason.is_empty(), "{line:?}");
    }
}

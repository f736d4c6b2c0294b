//! Many operations with a module of each interface and a database module loaded: nothing fails, memory does not grow.
//!
//! `./x krb5-plugins asan` runs all of them, and the modules are built with AddressSanitizer.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fmt::Write as _;

use common::{INTERFACES, Realm, example};

/// Kilobytes by which a program may grow in the second half of a run. In the first half krb5kdc fills its cache of replies, of ten megabytes.
const GROWTH: u64 = 6 << 10;

/// Queries of one round, and those that only an administrator may ask.
const ROUND: usize = 14;
const BY_ADMINISTRATOR: usize = 2;

#[test]
fn memory_stays_flat_under_load() {
    let Some(mut realm) = Realm::with_driver("kdb_whole", "") else { return };
    let Some(logins) = realm.built("logins") else { return };
    let all = std::env::var_os("TAGWISE_ALL").is_some_and(|value| value == "1");
    let (operations, many) = if all { (1000, 10_000) } else { (2 * ROUND, 40) };
    realm.create();
    let object = example("modules");
    let mut plugins = String::new();
    for kind in INTERFACES {
        let more = if *kind == "kdcpreauth" { "  disable = encrypted_timestamp\n" } else { "" };
        write!(plugins, " {kind} = {{\n  module = example:{}\n{more} }}\n", object.display()).unwrap();
    }
    realm.append("krb5.conf", &plugins);
    for query in [
        "addprinc -pw adminpw root/admin",
        "addprinc -pw deputypw chief/deputy",
        "addprinc -pw alicepw alice",
        "addprinc -pw tokenpw +requires_preauth token",
        "setstr token token blue",
    ] {
        let said = realm.local(query);
        assert!(!said.contains("while"), "{query}: {said}");
    }
    realm.start(true);
    let (local, network) = administration(&realm, operations);
    let (kinits, loops) = tickets(&realm, &logins, many);
    for (interface, method) in
        [("kadm5_hook", "modify"), ("pwqual", "check"), ("kdcpreauth", "verify"), ("kdb", "put_principal")]
    {
        assert!(!realm.calls(interface, method).is_empty(), "{interface} {method}");
    }
    realm.stop();
    let reports = realm.reports();
    assert!(reports.is_empty(), "{}", reports.join("\n"));
    let how = if common::sanitizer().is_some() { "no report of AddressSanitizer" } else { "without AddressSanitizer" };
    println!("kadmin.local {local}, kadmin {network}, kinit {kinits}, logins in one process {loops}: {how}");
}

/// Rounds of queries, by turns with kadmin.local and over the network. Returns how many there were of each.
fn administration(realm: &Realm, operations: usize) -> (usize, usize) {
    let (mut local, mut network, mut round, mut half) = (0, 0, 0, None);
    while local + network < operations {
        let queries = queries(round);
        let (by_deputy, by_administrator) = queries.split_at(ROUND - BY_ADMINISTRATOR);
        if round % 2 == 0 {
            ask(realm, "kadmin.local", &[], &queries);
            local += ROUND;
        } else {
            ask(realm, "kadmin", &["-p", "chief/deputy", "-w", "deputypw"], by_deputy);
            ask(realm, "kadmin", &["-p", "root/admin", "-w", "adminpw"], by_administrator);
            network += ROUND;
        }
        round += 1;
        if half.is_none() && (local + network) * 2 >= operations {
            half = Some(realm.resident("kadmind"));
        }
    }
    flat("kadmind", half.unwrap(), realm.resident("kadmind"));
    (local, network)
}

fn queries(round: usize) -> [String; ROUND] {
    let name = format!("user{round}");
    [
        format!("addpol -minlength 4 strict{round}"),
        format!("modpol -minlength 5 strict{round}"),
        format!("getpol strict{round}"),
        "listpols".to_owned(),
        format!("addprinc -pw firstpw -policy strict{round} {name}"),
        format!("modprinc -maxlife 2days {name}"),
        format!("cpw -pw secondpw {name}"),
        format!("cpw -randkey {name}"),
        format!("setstr {name} colour blue"),
        format!("getprinc {name}"),
        format!("renprinc -force {name} {name}.old"),
        "listprincs".to_owned(),
        format!("delprinc -force {name}.old"),
        format!("delpol -force strict{round}"),
    ]
}

/// Feeds queries to one program, none of which may fail.
fn ask(realm: &Realm, program: &str, arguments: &[&str], queries: &[String]) {
    let (success, said) = realm.fed(program, arguments, &(queries.join("\n") + "\nquit\n"));
    assert!(success && !said.contains("while") && !said.contains("privilege"), "{program}: {said}");
    // One query was understood as one.
    assert!(!said.contains("Unknown request"), "{said}");
}

/// Tickets by kinit, one of twenty, and in a loop of one process. Returns how many there were of each.
fn tickets(realm: &Realm, logins: &str, many: usize) -> (usize, usize) {
    let kinits = many / 20;
    let before = realm.resident("krb5kdc");
    for at in 0..kinits {
        let (granted, said) = match at % 2 {
            0 => realm.kinit("token", "tokenpw", &["-X", "token=blue"]),
            _ => realm.kinit("alice", "alicepw", &[]),
        };
        assert!(granted, "kinit {at}: {said}");
    }
    let loops = many - kinits;
    let (first, second) = (loops / 2, loops - loops / 2);
    for (count, arguments) in [(first, ["token", "tokenpw", "blue"].as_slice()), (second, &["alice", "alicepw"])] {
        let half = (arguments[0] == "alice").then(|| realm.resident("krb5kdc"));
        let said = realm.run(logins, &[&[count.to_string().as_str()], arguments].concat());
        let told: Vec<u64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [done, warm, end] = told[..] else { panic!("{said}") };
        assert_eq!(done, count as u64);
        // Pages of four kilobytes.
        flat("a client", warm * 4, end * 4);
        if let Some(half) = half {
            flat("krb5kdc", half, realm.resident("krb5kdc"));
        }
    }
    println!("krb5kdc: {before} kB before, {} kB after", realm.resident("krb5kdc"));
    (kinits, loops)
}

fn flat(program: &str, before: u64, after: u64) {
    assert!(after <= before + GROWTH, "{program} grew from {before} kB to {after} kB");
}

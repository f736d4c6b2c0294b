//! Modules that panic, sleep or talk nonsense: the host answers with an error, and lives.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::time::{Duration, Instant};

use common::Realm;

#[test]
fn no_module_takes_its_host_down() {
    let Some(mut realm) = Realm::new("hostile", "hostile", &["audit", "kdcpolicy", "localauth"], "") else { return };
    for name in ["alice", "panic", "sleep", "zero", "nonsense"] {
        realm.local(&format!("addprinc -pw pw{name} {name}"));
    }
    realm.local("addprinc -randkey host/localhost");
    realm.start(false);
    let kinit = |name: &str| realm.kinit(name, &format!("pw{name}"), &["-r", "7d"]);
    for name in ["panic", "zero"] {
        let (granted, said) = kinit(name);
        assert!(!granted && said.contains("Generic error"), "{name}: {said}");
    }
    let begun = Instant::now();
    assert!(kinit("sleep").0);
    assert!(begun.elapsed() >= Duration::from_secs(2));
    // A life of nothing is not a life without limit.
    assert!(kinit("nonsense").0);
    let cache = tagwise_krb5::Ccache::from_bytes(&std::fs::read(realm.path("cc")).unwrap()).unwrap();
    let ticket = cache.tickets().find(|found| found.server.to_string().starts_with("krbtgt/")).unwrap();
    assert_eq!(ticket.end_time.0 - ticket.auth_time.0, 1);
    // Every audit event panicked, the last kind with a value that panics when it is dropped.
    assert!(kinit("alice").0);
    realm.run("kvno", &["host/localhost"]);
    let log = std::fs::read_to_string(realm.path("kdc.log")).unwrap();
    assert!(log.contains("PLUGIN_FAILED") && log.contains("DENIED_BY_PLUGIN"), "{log}");
    if let Some(ask) = realm.built("ask") {
        assert_eq!(realm.run(&ask, &["userok", "daemon@KRB.TEST", "daemon"]).lines().next().unwrap(), "no");
        let (found, said) = realm.tried(&ask, &["an2ln", "alice@KRB.TEST"]);
        assert!(!found && said.contains("error "), "{said}");
    }
    realm.stop();
}

#[test]
fn passwords_are_not_set_by_a_check_that_panics() {
    let Some(realm) = Realm::new("hostile", "hostile", &["pwqual"], "") else { return };
    let said = realm.local("addprinc -pw secret1 alice");
    assert!(said.contains("the plugin panicked"), "{said}");
    assert!(realm.local("getprinc alice").contains("not exist"));
}

#[test]
fn a_panic_in_the_last_method_and_another_in_drop_end_no_program() {
    let Some(mut realm) = Realm::new("hostile", "hostile", &["kadm5_hook", "pwqual", "kdcpolicy", "audit"], "") else {
        return;
    };
    // The program goes on to its own end: `local` expects that it succeeds.
    realm.local("addprinc -randkey alice");
    assert!(realm.local("modprinc -maxlife 1h alice").contains("the plugin panicked"));
    realm.start(true);
    realm.stop();
    for (server, ends) in [("krb5kdc", &["close", "fini"][..]), ("kadmind", &["close", "fini"])] {
        let said = std::fs::read_to_string(realm.path(&format!("{server}.out"))).unwrap();
        for end in ends {
            assert!(said.lines().any(|line| line == *end), "{server} {end}: {said}");
        }
        assert!(said.contains("dropped"), "{server}: {said}");
    }
}

#[test]
fn no_database_takes_its_host_down() {
    let Some(mut realm) = Realm::with_driver("kdb_hostile", "") else { return };
    realm.create();
    for name in ["alice", "policied", "zeroed", "unsearched", "behind", "again", "host/localhost"] {
        realm.local(&format!("addprinc -pw pw{name} {name}"));
    }
    for (name, attribute, value) in [
        ("policied", "policy", "panic"),
        ("zeroed", "policy", "zero"),
        ("unsearched", "search", "panic"),
        ("behind", "search", "behind"),
        ("again", "search", "again"),
    ] {
        realm.local(&format!("setstr {name} {attribute} {value}"));
    }
    for kvno in ["77", "78"] {
        realm.local(&format!("addprinc -pw pwkvno kvno{kvno}"));
        realm.local(&format!("modprinc -kvno {kvno} kvno{kvno}"));
    }
    realm.start(true);
    let begun = Instant::now();
    for name in [
        "panic",
        "zero",
        "empty",
        "foreign",
        "nobody",
        "garbage",
        "short",
        "data",
        "policied",
        "zeroed",
        "unsearched",
        "behind",
        "kvno77",
        "kvno78",
    ] {
        for options in [&[][..], &["-C"], &["-n"], &["-S", name]] {
            let (granted, said) = realm.kinit(name, &format!("pw{name}"), options);
            assert!(!granted || options.contains(&"-n") || name == "data", "{name} {options:?}: {said}");
        }
        assert!(realm.kinit("alice", "pwalice", &[]).0, "after {name}");
        realm.tried("kvno", &[name]);
        realm.tried("kvno", &["-U", name, "host/localhost"]);
    }
    assert!(begun.elapsed() < Duration::from_secs(300));
    realm.kinit("again", "pwagain", &[]);
    realm.kinit("sleep", "pwalice", &[]);
    realm.signal("krb5kdc", "HUP");
    let (granted, said) = realm.kinit("alice", "pwalice", &[]);
    assert!(granted, "{said}");
    realm.run("kvno", &["host/localhost"]);
    // A panic in the middle of the iteration of db2, which goes on to hold no lock.
    let said = realm.local("listprincs");
    assert!(said.contains("the plugin panicked") || said.contains("nternal"), "{said}");
    realm.local("addprinc -pw latepw late");
    assert!(realm.kinit("late", "latepw", &[]).0);
    realm.stop();
}

//! The database of SQLite inside of MIT's own programs.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../../krb5-plugin/tests/common/mod.rs"]
mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use common::{REALM, Realm, text};

/// A realm on a file of SQLite; skips the test without MIT's programs. The database is not created yet.
fn realm() -> Option<Realm> {
    let test = std::env::current_exe().unwrap();
    let object = test.parent().unwrap().join("libtagwise_localkdc.so");
    let realm = Realm::with_object(&object, "localkdc", |root| {
        format!("  database_name = {root}/principal.sqlite\n  policy = {root}/localkdc.toml\n")
    })?;
    fs::write(realm.path("localkdc.toml"), format!("realm = '{REALM}'\n")).unwrap();
    Some(realm)
}

fn quiet(realm: &Realm, queries: &[&str]) {
    for query in queries {
        realm.run("kadmin.local", &[&["-r", REALM], &query.split(' ').collect::<Vec<_>>()[..]].concat());
    }
}

fn dump(realm: &Realm, file: &str) -> String {
    realm.run("kdb5_util", &["dump", &realm.path(file)]);
    fs::read_to_string(realm.path(file)).unwrap()
}

#[test]
fn a_realm_on_sqlite() {
    let Some(mut realm) = realm() else { return };
    let database = realm.path("principal.sqlite");
    let (opened, said) = realm.tried("kadmin.local", &["-r", REALM, "-q", "listprincs"]);
    assert!(!opened && said.contains("no such database; `kdb5_util create` creates one"), "{said}");
    realm.create();
    let mode = fs::metadata(&database).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let (again, said) = realm.tried("kdb5_util", &["create", "-s", "-P", "masterpw"]);
    assert!(!again && said.contains("exists"), "{said}");
    quiet(
        &realm,
        &[
            "addpol -minlength 6 -history 2 strict",
            "addprinc -pw alicepw -policy strict alice",
            "addprinc -pw rootpw root/admin",
            "addprinc -randkey host/web.test",
            "addprinc -pw oddpw odd\\/name",
            "addprinc -pw gonepw gone",
            "renprinc -force gone going",
            "cpw -pw alicepw2 alice",
            "setstr alice colour blue",
            "modpol -minlength 7 strict",
            "addpol unused",
            "delpol -force unused",
        ],
    );
    assert!(realm.local("addpol strict").contains("already exists"));
    assert!(realm.local("modpol -minlength 3 nobody").contains("not exist"));
    assert!(realm.local("delprinc -force nobody").contains("not exist"));
    assert!(realm.local("cpw -pw alicepw2 alice").contains("Cannot reuse password"));
    assert!(realm.local("getstrs alice").contains("colour: blue"));
    assert!(realm.local("getprinc gone").contains("not exist"));
    assert!(realm.local("addprinc -x colour=blue -pw argumentpw argument").contains("takes no arguments"));
    assert_eq!(realm.local("listpols").lines().last().unwrap(), "strict");
    let listed = realm.local("listprincs *a*c*");
    assert!(listed.contains("alice@") && !listed.contains("going@"), "{listed}");
    // What is dumped, loaded and dumped again is the same; the file that servers have open stays.
    let first = dump(&realm, "first");
    realm.local("delprinc -force alice");
    realm.local("addprinc -pw laterpw later");
    realm.start(true);
    assert!(realm.kinit("later", "laterpw", &[]).0);
    realm.run("kdb5_util", &["load", &realm.path("first")]);
    assert_eq!(dump(&realm, "second"), first);
    assert!(!Path::new(&realm.path("principal.sqlite.loading")).exists());
    let (granted, said) = realm.kinit("later", "laterpw", &[]);
    assert!(!granted && said.contains("not found"), "{said}");
    for (name, password) in [("odd\\/name", "oddpw"), ("going", "gonepw"), ("alice", "alicepw2")] {
        assert!(!realm.kinit(name, "wrongpw", &[]).0);
        let (granted, said) = realm.kinit(name, password, &[]);
        assert!(granted, "{name}: {said}{}", fs::read_to_string(realm.path("kdc.log")).unwrap());
    }
    let (granted, said) = realm.tried("kvno", &["host/web.test"]);
    assert!(granted, "{said}{}", fs::read_to_string(realm.path("kdc.log")).unwrap());
    // Over the network; the KDC sees it at once.
    let said = realm.run("kadmin", &["-p", "root/admin", "-w", "rootpw", "-q", "cpw -pw alicepw3 alice"]);
    assert!(said.contains("changed"), "{said}");
    assert!(!realm.kinit("alice", "alicepw2", &[]).0);
    assert!(realm.kinit("alice", "alicepw3", &[]).0);
    // A stash that is lost is made again from the password.
    fs::remove_file(realm.path("stash")).unwrap();
    let (opened, said) = realm.tried("kadmin.local", &["-r", REALM, "-q", "addprinc -pw newpw new"]);
    assert!(!opened && said.contains("stash: No such file"), "{said}");
    let (done, said) = realm.fed("kdb5_util", &["-P", "masterpw", "stash"], "");
    assert!(done, "{said}");
    quiet(&realm, &["addprinc -pw newpw new"]);
    // Another master key: each entry is visited and changed.
    let (done, said) = realm.fed("kdb5_util", &["add_mkey", "-s"], "masterpw2\nmasterpw2\n");
    assert!(done, "{said}");
    realm.run("kdb5_util", &["use_mkey", "2"]);
    realm.run("kdb5_util", &["update_princ_encryption", "-f"]);
    assert!(realm.local("getprinc alice").contains("MKey: vno 2"));
    realm.stop();
    realm.start(false);
    assert!(realm.kinit("alice", "alicepw3", &[]).0);
    realm.stop();
    realm.run("kdb5_util", &["destroy", "-f"]);
    for ending in ["", "-wal", "-shm"] {
        assert!(!Path::new(&format!("{database}{ending}")).exists(), "{ending}");
    }
}

/// A server forks after it has read its master key.
#[test]
fn servers_that_fork() {
    let Some(realm) = realm() else { return };
    realm.create();
    quiet(&realm, &["addprinc -pw alicepw alice"]);
    let pids = [realm.path("kdc.pid"), realm.path("workers.pid")];
    for (pid, workers) in pids.iter().zip([&[][..], &["-w", "2"]]) {
        let output = realm.command("krb5kdc").args(["-r", REALM, "-P", pid]).args(workers).output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        let begun = std::time::Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", realm.port)).is_err() {
            assert!(begun.elapsed().as_secs() < 30, "the KDC does not start");
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
        for round in 0..4 {
            let password = format!("alicepw{round}");
            // Each change is seen by every worker, and no log is lost by one that ends.
            quiet(&realm, &[&format!("cpw -pw {password} alice")]);
            for _ in 0..3 {
                let (granted, said) = realm.kinit("alice", &password, &[]);
                assert!(granted, "{said}{}", fs::read_to_string(realm.path("kdc.log")).unwrap());
            }
        }
        let running = fs::read_to_string(pid).unwrap();
        assert!(std::process::Command::new("kill").arg(running.trim()).status().unwrap().success());
        let begun = std::time::Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", realm.port)).is_ok() {
            assert!(begun.elapsed().as_secs() < 30, "the KDC does not end");
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
    }
    let checked = rusqlite::Connection::open(realm.path("principal.sqlite")).unwrap();
    let said: String = checked.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(said, "ok");
}

//! `tagwise localkdc`, as far as no server has to run: what is planned, made, shown and removed.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;

use common::{Run, tagwise};
use serde_json::Value;

fn run(prefix: &Path, args: &[&str]) -> Run {
    let mut all = vec!["localkdc"];
    all.extend(args);
    all.extend(["--prefix", prefix.to_str().unwrap()]);
    tagwise(&all)
}

fn installed() -> bool {
    ["krb5kdc", "kadmin.local", "kdb5_util", "klist"].iter().all(|name| {
        let places = ["/usr/sbin", "/usr/bin", "/usr/local/sbin"].map(|folder| format!("{folder}/{name}"));
        let found = places.into_iter().find(|path| Path::new(path).exists());
        tagwise_testing::tool(found.as_deref().unwrap_or(name), &["-?"])
    })
}

#[test]
fn setup_and_teardown() {
    if !installed() {
        return;
    }
    let folder = tempfile::Builder::new().prefix("lkdc").tempdir_in("/tmp").unwrap();
    let root = folder.path().join("root");
    // Cargo puts it beside the tests.
    let module = std::env::current_exe().unwrap().with_file_name("libtagwise_localkdc.so");
    let setup = ["setup", "--json", "--module", module.to_str().unwrap()];
    let planned = run(&root, &[&setup[..], &["--dry-run"]].concat());
    assert_eq!(planned.code, Some(0), "{}", planned.err);
    let document: Value = serde_json::from_str(&planned.out).unwrap();
    assert_eq!((&document["schema"], &document["realm"]), (&"tagwise.localkdc-setup/1".into(), &"LOCALKDC".into()));
    assert!(!root.exists(), "a dry run changes nothing");

    // A policy of one's own, without users of this host.
    fs::create_dir_all(root.join("etc/localkdc")).unwrap();
    let policy = root.join("etc/localkdc/localkdc.toml");
    fs::write(&policy, "realm = 'HERE'\n[users]\nmin_uid = 59999\nmax_uid = 59999\n[[servces]]\n").unwrap();
    let refused = run(&root, &setup);
    assert_eq!((refused.code, refused.err.contains("unknown field `servces`")), (Some(2), true), "{}", refused.err);
    let own = "realm = 'HERE'\n[users]\nmin_uid = 59999\nmax_uid = 59999\n[[services]]\nname = 'HTTP/web.local'\n";
    fs::write(&policy, own).unwrap();
    let conflict = root.join("etc/localkdc/kdc.conf");
    fs::write(&conflict, "mine").unwrap();
    let refused = run(&root, &setup);
    assert_eq!((refused.code, refused.err.contains("kdc.conf")), (Some(1), true), "{}", refused.err);
    assert_eq!(fs::read_to_string(&conflict).unwrap(), "mine");
    assert!(!root.join("var").exists());
    fs::remove_file(&conflict).unwrap();

    let made = run(&root, &setup);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let state = run(&root, &["status", "--json"]);
    let document: Value = serde_json::from_str(&state.out).unwrap();
    assert_eq!((state.code, &document["realm"], &document["kdc"]), (Some(1), &"HERE".into(), &false.into()));
    assert!(document["parts"].as_array().unwrap().iter().all(|part| part["state"] == "present"), "{document}");
    let certificate = root.join("var/lib/localkdc/kdc.pem");
    let shown = tagwise(&["show", certificate.to_str().unwrap()]);
    assert!(shown.out.contains("krbtgt/HERE@HERE"), "{}", shown.out);
    let keytab = tagwise(&["krb5", "klist", "-k", root.join("etc/localkdc/host.keytab").to_str().unwrap()]);
    assert!(keytab.out.contains("HTTP/web.local@HERE"), "{}{}", keytab.out, keytab.err);
    let again = run(&root, &["setup", "--module", module.to_str().unwrap()]);
    assert!(again.code == Some(0) && again.out.contains("are unchanged"), "{}{}", again.out, again.err);
    assert!(!again.out.contains("update"), "{}", again.out);

    let planned = run(&root, &["teardown", "--dry-run"]);
    assert!(planned.out.ends_with("Nothing was changed.\n") && certificate.exists(), "{}", planned.out);
    let removed = run(&root, &["teardown"]);
    assert_eq!(removed.code, Some(0), "{}", removed.err);
    assert_eq!(fs::read_to_string(&policy).unwrap(), own);
    let left: Vec<_> = walk(&root).into_iter().filter(|path| path.is_file()).collect();
    assert_eq!(left, [policy]);
    assert_eq!(run(&root, &["status"]).out, "No local KDC is set up.\n");
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path.clone());
            }
            found.push(path);
        }
    }
    found
}

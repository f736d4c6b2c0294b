//! The whole of it on small batches: every stage is there with its floor, what it leaves behind is what was asked for, and what a
//! backend lacks is told. What stages make is checked by the program itself, which fails if it is wrong.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const STAGES: [&str; 15] = [
    "ca_self_sign",
    "cert_gen",
    "db_insert_certs",
    "cert_verify",
    "db_read_certs",
    "crl_build",
    "crl_sign",
    "db_insert_crl",
    "crl_verify",
    "db_read_crl",
    "ocsp_build",
    "ocsp_sign",
    "db_insert_ocsp",
    "ocsp_verify",
    "db_read_ocsp",
];

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tagwise-pipeline"))
        .args(arguments)
        .output()
        .unwrap()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn every_stage_beside_its_floor() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (db, js, html) = (path("run.db"), path("run.json"), path("run.html"));
    let outputs = [
        "--db",
        db.to_str().unwrap(),
        "--json",
        js.to_str().unwrap(),
        "--html",
        html.to_str().unwrap(),
    ];
    let small = [
        "--batch",
        "1,5",
        "--min-seconds",
        "0",
        "--backend",
        "aws-lc",
        "--jobs",
        "2",
    ];
    let done = run(&[&small[..], &outputs, &["--ca-key-algo", "ecdsa-p256,ed25519"]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    // Not on a terminal: no bar.
    assert!(done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8(done.stdout).unwrap();

    let report = json(&js);
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
    for run in report["runs"].as_array().unwrap() {
        let batches = run["batches"].as_array().unwrap();
        assert_eq!(batches.iter().map(|batch| &batch["batch"]).collect::<Vec<_>>(), [1, 5]);
        for batch in batches {
            let lines = batch["stages"].as_array().unwrap();
            for stage in STAGES {
                assert!(text.contains(stage), "{stage}");
                let line = lines
                    .iter()
                    .find(|line| line["stage"] == stage)
                    .unwrap_or_else(|| panic!("no {stage}"));
                assert!(line["ms"].as_f64().unwrap() > 0.0, "{line}");
                let below = if stage.ends_with("_build") {
                    "by_synta"
                } else {
                    "by_floor"
                };
                assert!(line[below].as_f64().unwrap() > 0.0, "{line}");
            }
            // Three rounds at least, for two of which there is no middle.
            assert!(batch["rounds"].as_u64().unwrap() >= 3);
        }
        assert_eq!(run["scaling"].as_array().unwrap().len(), 4);
    }

    let page = std::fs::read_to_string(&html).unwrap();
    assert_eq!(page.matches("<svg").count(), 2 * (STAGES.len() + 1));
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("NaN"));

    // What the CAs have made, and the results beside it.
    let connection = rusqlite::Connection::open(&db).unwrap();
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(
        count("SELECT count(*) FROM pipeline_stage"),
        2 * 2 * (STAGES.len() as i64 + 1)
    );
    let authorities = count("SELECT count(*) FROM authority");
    assert!(authorities >= 2 * 2 * 4, "a fresh CA for each round: {authorities}");
    let batches = authorities / 2;
    assert_eq!(
        count("SELECT count(*) FROM certificate WHERE profile = 'server'"),
        batches + batches * 5
    );
    assert_eq!(count("SELECT count(*) FROM ocsp_response"), batches + batches * 5);
    assert_eq!(count("SELECT count(*) FROM crl"), authorities);
    assert!(!path("run.db.floor").exists());

    // Again into the same file.
    let again = run(&[&small[..], &outputs, &["--ca-key-algo", "ecdsa-p256", "--reuse-keys"]].concat());
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(count("SELECT count(*) FROM pipeline_run"), 3);
}

#[test]
fn what_is_not_offered_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let js = folder.path().join("run.json");
    let done = run(&[
        "--backend",
        "nss",
        "--ca-key-algo",
        "ml-dsa-44",
        "--batch",
        "2",
        "--json",
        js.to_str().unwrap(),
    ]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let report = json(&js);
    let run = &report["runs"][0];
    assert!(run["not_offered"].as_str().unwrap().contains("not offered"), "{run}");
    assert!(run["batches"].as_array().unwrap().is_empty());
    assert!(String::from_utf8(done.stdout).unwrap().contains("nss: "));
}

#[test]
fn what_cannot_be_is_refused() {
    for wrong in [
        ["--batch", "0"],
        ["--jobs", "0"],
        ["--min-seconds", "-1"],
        ["--backend", "gnutls"],
    ] {
        assert_eq!(run(&wrong).status.code(), Some(2), "{wrong:?}");
    }
    // A database of something else is left as it is.
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("other.db");
    rusqlite::Connection::open(&db)
        .unwrap()
        .execute_batch("CREATE TABLE other (id INTEGER)")
        .unwrap();
    let before = std::fs::read(&db).unwrap();
    let done = run(&[
        "--backend",
        "aws-lc",
        "--batch",
        "1",
        "--min-seconds",
        "0",
        "--db",
        db.to_str().unwrap(),
    ]);
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8(done.stderr).unwrap().contains("another program"));
    assert_eq!(std::fs::read(&db).unwrap(), before);
}

//! Messages and time stamps under a clock that is wrong or far ahead. `faketime` sets it; where it is absent the test says so, and
//! under `CI=true` that is a failure.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::openssl::{has_openssl, openssl};
use common::{Run, run_of};

fn has_faketime() -> bool {
    let found = Command::new("faketime").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "there is no faketime command");
        println!("skipped: no faketime command");
    }
    found
}

/// A folder with a signer and a time-stamping authority, valid from 2020 to 2070, and a request.
fn place() -> Option<tempfile::TempDir> {
    if !has_faketime() || !has_openssl() {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let party = |name: &str, extension: &str| {
        let subject = format!("/CN={name}");
        let (key, request, pem) = (format!("{name}.key"), format!("{name}.csr"), format!("{name}.pem"));
        let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
        openssl(
            folder.path(),
            &[&["req", "-new", "-subj", &subject, "-keyout", &key, "-out", &request], &curve[..]].concat(),
        );
        fs::write(folder.path().join("ext"), extension).unwrap();
        fs::write(folder.path().join("index"), "").unwrap();
        fs::write(folder.path().join("serial"), "01\n").unwrap();
        fs::write(folder.path().join("cnf"), CONFIGURATION).unwrap();
        let args = [
            "ca",
            "-batch",
            "-selfsign",
            "-config",
            "cnf",
            "-in",
            &request,
            "-keyfile",
            &key,
            "-out",
            &pem,
            "-extfile",
            "ext",
            "-startdate",
            "20200101000000Z",
            "-enddate",
            "20700101000000Z",
            "-notext",
        ];
        openssl(folder.path(), &args);
    };
    party("me", "keyUsage = digitalSignature\n");
    party("tsa", "extendedKeyUsage = critical,timeStamping\n");
    fs::write(folder.path().join("letter"), "what is said\n").unwrap();
    Some(folder)
}

const CONFIGURATION: &str = "[ca]\ndefault_ca = own\n[own]\ndatabase = index\nserial = serial\nnew_certs_dir = .\n\
                             default_md = sha256\npolicy = any\nunique_subject = no\n[any]\ncommonName = supplied\n";

/// Runs the command while the clock stands at a moment of UTC.
fn at(folder: &Path, moment: &str, args: &str) -> Run {
    let mut command = Command::new("faketime");
    command.arg("-f").arg(moment).arg(env!("CARGO_BIN_EXE_tagwise")).args(args.split(' '));
    run_of(&command.env("TZ", "UTC").current_dir(folder).stdin(Stdio::null()).output().unwrap())
}

#[test]
fn signing_times_over_the_turn_of_2050() {
    let Some(folder) = place() else { return };
    let folder = folder.path();
    for (moment, tag, time) in [
        ("2026-11-21 10:00:00", "17", "2026-11-21T10:00:00Z"),
        // RFC 5652 §11.3: UTCTime through 2049, GeneralizedTime from 2050 on.
        ("2049-12-31 23:59:59", "17", "2049-12-31T23:59:59Z"),
        ("2050-01-01 00:00:00", "18", "2050-01-01T00:00:00Z"),
        ("2069-06-01 12:30:00", "18", "2069-06-01T12:30:00Z"),
    ] {
        let run = at(folder, moment, "cms sign letter --key me.key --certificate me.pem -o signed");
        assert_eq!((run.code, &*run.err), (Some(0), ""), "{moment}");
        let path = "content.signerInfos.signedAttrs[signingTime].attrValues[0]";
        let found = at(folder, moment, &format!("get --hex {path} signed"));
        assert!(found.code == Some(0) && found.out.starts_with(tag), "{moment}: {}{}", found.out, found.err);
        // The clock of whoever verifies is another one.
        for clock in [moment, "2030-01-01 00:00:00"] {
            let run = at(folder, clock, "cms verify --json signed");
            let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
            assert_eq!((run.code, &shown["signers"][0]["signing_time"]), (Some(0), &time.into()), "{moment}");
        }
        openssl(folder, &["cms", "-verify", "-in", "signed", "-inform", "DER", "-noverify", "-out", "out"]);
    }
}

#[test]
fn a_clock_outside_of_the_certificate() {
    let Some(folder) = place() else { return };
    let folder = folder.path();
    let sign = "cms sign letter --key me.key --certificate me.pem -o signed";
    let before = "the certificate is not yet valid at 1999-01-01T00:00:00Z: it is valid from 2020-01-01T00:00:00Z to \
                  2070-01-01T00:00:00Z";
    let after = "the certificate has expired at 2071-01-01T00:00:00Z: it is valid from 2020-01-01T00:00:00Z to \
                 2070-01-01T00:00:00Z";
    for (moment, wanted) in [("1999-01-01 00:00:00", before), ("2071-01-01 00:00:00", after)] {
        let run = at(folder, moment, sign);
        assert_eq!((run.code, run.err), (Some(0), format!("tagwise: me.pem: warning: {wanted}\n")));
        assert_eq!(at(folder, moment, "tsp request letter -o request").code, Some(0));
        let reply = "tsp reply request --key tsa.key --certificate tsa.pem --policy 1.3.6.1.4.1.99999.1 -o response";
        let run = at(folder, moment, reply);
        assert_eq!(run.code, Some(1), "{}", run.err);
        assert!(run.err.starts_with(&format!("tagwise: tsa.pem: {wanted}; set the clock")), "{}", run.err);
        assert!(!folder.join("response").exists());
    }
    // Stamps of a clock that jumps: each has the time that it was given at, in the one form of RFC 3161 §2.4.2.
    for (moment, time) in [
        ("2050-01-01 00:00:00", "20500101000000Z"),
        ("2026-11-21 10:00:00", "20261121100000Z"),
        ("2049-12-31 23:59:59", "20491231235959Z"),
    ] {
        let _ = fs::remove_file(folder.join("response"));
        assert_eq!(at(folder, moment, "tsp request letter -o request").code, Some(0));
        let reply = "tsp reply request --key tsa.key --certificate tsa.pem --policy 1.3.6.1.4.1.99999.1 -o response";
        let run = at(folder, moment, reply);
        assert_eq!((run.code, &*run.err), (Some(0), ""), "{moment}");
        let text = openssl(folder, &["asn1parse", "-in", "response", "-inform", "DER", "-strparse", &nested(folder)]);
        assert!(text.contains(&format!("GENERALIZEDTIME   :{time}")), "{text}");
    }
}

/// Where the OCTET STRING with what is stamped begins.
fn nested(folder: &Path) -> String {
    let text = openssl(folder, &["asn1parse", "-in", "response", "-inform", "DER"]);
    let info = text.find("id-smime-ct-TSTInfo").unwrap();
    let line = text[info..].lines().find(|line| line.contains("OCTET STRING")).unwrap();
    line.split(':').next().unwrap().trim().to_owned()
}

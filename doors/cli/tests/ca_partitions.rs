//! CRLs of partitions: each certificate names the CRL of its partition, and only that one covers it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::path::Path;

use common::openssl::{has_openssl, openssl_try};
use common::tagwise;
use tagwise_codec::Decode;
use tagwise_pkix::CertificateList;
use tagwise_pkix::ext::{CrlNumber, IssuingDistributionPoint};

const COUNT: u16 = 4;

fn run(args: &[&str]) -> String {
    let run = tagwise(args);
    assert_eq!(run.code, Some(0), "{args:?}: {}{}", run.out, run.err);
    run.out
}

/// A CA with partitions, and certificates; the partition of each.
fn ca(folder: &Path, certificates: usize) -> Vec<u16> {
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let url = format!("http://ca.example.org/{{{COUNT}}}.crl");
    let init = ["ca", "init", "--db", &at("ca.db"), "--subject", "CN=Root", "--no-passphrase", "--crl-url", &url];
    run(&[&init[..], &["-o", &at("root.pem")]].concat());
    run(&["key", "new", "ecdsa-p256", "--no-passphrase", "-o", &at("key"), "--public", &at("pub")]);
    let issue = |number: usize| {
        let file = at(&format!("{number}.pem"));
        let base = ["ca", "issue", "--db", &at("ca.db"), "--public-key", &at("pub"), "--dns", "www.example.org"];
        run(&[&base[..], &["-o", &file]].concat());
        let text = run(&["show", &file]);
        let place = text.find("http://ca.example.org/").unwrap() + "http://ca.example.org/".len();
        let number = text[place..].split(".crl").next().unwrap().parse().unwrap();
        assert!((1..=COUNT).contains(&number), "{text}");
        number
    };
    (0..certificates).map(issue).collect()
}

#[test]
fn each_partition_has_a_crl() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let partitions = ca(folder, 12);
    assert!(partitions.iter().any(|number| *number != partitions[0]), "{partitions:?}");
    // Every second one is revoked.
    for number in (0..12).step_by(2) {
        let file = at(&format!("{number}.pem"));
        run(&["ca", "revoke", "--db", &at("ca.db"), "--certificate", &file, "--reason", "superseded"]);
    }
    let made = tagwise(&["ca", "crl", "--db", &at("ca.db"), "-o", &at("all.crl"), "--partitions", &at("crl")]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert!(!made.err.contains("note:"), "{}", made.err);
    let mut entries = 0;
    for number in 1..=COUNT {
        let der = std::fs::read(at(&format!("crl/{number}.crl"))).unwrap();
        let list = CertificateList::from_der(&der).unwrap().tbs_cert_list;
        let extensions = list.crl_extensions.unwrap();
        assert_eq!(extensions.get::<CrlNumber<'_>>().unwrap().unwrap().to_string(), "1");
        assert!(extensions.get::<IssuingDistributionPoint<'_>>().unwrap().is_some());
        entries += list.revoked_certificates.map_or(0, |list| list.iter().count());
    }
    assert_eq!(entries, 6);
    let verify = |number: usize, crl: &str| {
        let (leaf, root) = (at(&format!("{number}.pem")), at("root.pem"));
        tagwise(&["verify", &leaf, "--trust", &root, "--crl", &at(crl), "--revocation", "require"])
    };
    for (number, partition) in partitions.iter().enumerate() {
        let is_revoked = number % 2 == 0;
        for crl in [format!("crl/{partition}.crl"), "all.crl".to_owned()] {
            let run = verify(number, &crl);
            assert_eq!(run.code, Some(i32::from(is_revoked)), "{number} {crl}: {}{}", run.out, run.err);
        }
        // The CRL of another partition says nothing of it.
        let other = partition % COUNT + 1;
        let run = verify(number, &format!("crl/{other}.crl"));
        assert_eq!(run.code, Some(4), "{number}: {}{}", run.out, run.err);
        if !has_openssl() {
            continue;
        }
        let check = |crl: &str| {
            let leaf = format!("{number}.pem");
            openssl_try(folder, &["verify", "-crl_check", "-CRLfile", crl, "-CAfile", "root.pem", &leaf])
        };
        for name in ["own", "other"] {
            let number = if name == "own" { *partition } else { other };
            run_openssl(folder, number, name);
        }
        let (is_good, said) = check("own.pem");
        assert!(is_good != is_revoked && (is_good || said.contains("certificate revoked")), "{number}: {said}");
        let (is_good, said) = check("other.pem");
        assert!(!is_good && said.contains("scope"), "{number}: {said}");
    }
    // The next ones have the next number, and without the option there is a reminder.
    let made = tagwise(&["ca", "crl", "--db", &at("ca.db"), "-o", &at("all.crl")]);
    assert!(
        made.code == Some(0) && made.err.contains("note: certificates name the CRLs of 4 partitions"),
        "{}",
        made.err
    );
    run(&["ca", "crl", "--db", &at("ca.db"), "-o", &at("all.crl"), "--partitions", &at("crl")]);
    let der = std::fs::read(at("crl/1.crl")).unwrap();
    let list = CertificateList::from_der(&der).unwrap().tbs_cert_list;
    assert_eq!(list.crl_extensions.unwrap().get::<CrlNumber<'_>>().unwrap().unwrap().to_string(), "3");
    assert_eq!(tagwise(&["ca", "audit", "--db", &at("ca.db")]).code, Some(0));
}

/// A partition's CRL in PEM, as OpenSSL's option requires.
fn run_openssl(folder: &Path, number: u16, name: &str) {
    let (from, to) = (format!("crl/{number}.crl"), format!("{name}.pem"));
    let (done, said) = openssl_try(folder, &["crl", "-inform", "DER", "-in", &from, "-out", &to]);
    assert!(done, "{said}");
}

#[test]
fn partitions_that_do_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    ca(folder, 0);
    let export = |series: &str| {
        let run = tagwise(&["ca", "export", "--db", &at("ca.db"), "--series", series]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{}", run.err);
        run.err
    };
    for series in ["partition 0", "partition 9", "partition 5 delta"] {
        assert!(export(series).contains("the CA has the partitions 1 to 4"), "{}", export(series));
    }
    assert!(export("partition 4").contains("no CRL of the series \"partition 4\" yet"));

    // A folder that cannot be written is refused before a number is used.
    std::fs::write(at("file"), "").unwrap();
    let crl = |folder: &str| {
        tagwise(&["ca", "crl", "--db", &at("ca.db"), "-o", &at("all.crl"), "--partitions", folder, "--json"])
    };
    let refused = crl(&at("file"));
    assert_eq!((refused.code, refused.out.as_str()), (Some(3), ""), "{}", refused.err);
    assert!(!Path::new(&at("all.crl")).exists());
    let made = crl(&at("crl"));
    let made: serde_json::Value = serde_json::from_str(&made.out).unwrap();
    assert_eq!(made["crl"]["number"], 1);
}

#[test]
fn urls_that_name_no_partitions() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for url in ["http://ca.example.org/{}.crl", "http://ca.example.org/{1}", "http://ca.example.org/{2}{2}", "x:{9999}"]
    {
        let init = ["ca", "init", "--db", &at("ca.db"), "--subject", "CN=Root", "--no-passphrase", "-o", "/dev/null"];
        let run = tagwise(&[&init[..], &["--crl-url", url]].concat());
        assert!(run.code == Some(1) && run.err.contains("malformed number of partitions"), "{url}: {}", run.err);
    }
    run(&["ca", "init", "--db", &at("one.db"), "--subject", "CN=Root", "--no-passphrase", "-o", "/dev/null"]);
    let made = tagwise(&["ca", "crl", "--db", &at("one.db"), "-o", &at("a.crl"), "--partitions", &at("crl")]);
    assert!(made.code == Some(2) && made.err.contains("the CA has no partitions"), "{}", made.err);
}

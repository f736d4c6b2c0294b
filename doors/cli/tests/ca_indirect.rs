//! Indirect CRLs: one CRL for several CAs, which this program and OpenSSL accept only for certificates that name its issuer.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::path::Path;

use common::openssl::{has_openssl, openssl_try};
use common::{Run, tagwise};

fn at(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// Runs a command; words with `@` in front are files of the folder.
fn run(folder: &Path, line: &str) -> Run {
    let word = |word: &str| word.strip_prefix('@').map_or_else(|| word.to_owned(), |name| at(folder, name));
    let words: Vec<String> = line.split(' ').map(word).collect();
    tagwise(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn good(folder: &Path, line: &str) -> Run {
    let run = run(folder, line);
    assert_eq!(run.code, Some(0), "{line}: {}{}", run.out, run.err);
    run
}

const URL: &str = "http://ca.example.org/crl/indirect";

/// A root, which issues the CRL, and two CAs below it with two certificates each; the first of each is revoked.
fn lab(folder: &Path) {
    good(folder, "ca init --db @root.db --subject CN=Root --no-passphrase -o @root.pem");
    good(folder, "key new ecdsa-p256 --no-passphrase -o @leaf.key --public @leaf.pub");
    for name in ["one", "two"] {
        good(folder, &format!("key new ecdsa-p256 --no-passphrase -o @{name}.key --public @{name}.pub"));
        good(
            folder,
            &format!("ca issue --db @root.db --profile ca --subject CN={name} --public-key @{name}.pub -o @{name}.pem"),
        );
        let init =
            format!("ca init --db @{name}.db --key @{name}.key --certificate @{name}.pem --no-history --no-passphrase");
        good(folder, &format!("{init} --crl-url {URL} --crl-issuer @root.pem"));
        for leaf in ["bad", "good"] {
            let file = format!("{name}-{leaf}.pem");
            good(
                folder,
                &format!("ca issue --db @{name}.db --public-key @leaf.pub --dns {leaf}.example.org -o @{file}"),
            );
        }
        good(folder, &format!("ca revoke --db @{name}.db --certificate @{name}-bad.pem --reason superseded"));
    }
}

#[test]
fn one_crl_for_several_cas() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lab(folder);
    let made = good(folder, "ca crl --db @root.db --indirect --of @one.db --of @two.db -o @all.pem");
    assert!(made.err.contains("CRL 1: 2 revoked") && !made.err.contains("note:"), "{}", made.err);
    good(folder, "ca crl --db @root.db -o @root.crl");
    for name in ["one", "two"] {
        for (leaf, code) in [("bad", 1), ("good", 0)] {
            let line = format!(
                "verify @{name}-{leaf}.pem --untrusted @{name}.pem --trust @root.pem --crl @all.pem --crl @root.crl --revocation require"
            );
            let run = run(folder, &line);
            assert_eq!(run.code, Some(code), "{name} {leaf}: {}{}", run.out, run.err);
            if has_openssl() {
                let leaf = format!("{name}-{leaf}.pem");
                let chain = format!("{name}.pem");
                let args = [
                    "verify",
                    "-crl_check",
                    "-extended_crl",
                    "-CRLfile",
                    "all.pem",
                    "-CAfile",
                    "root.pem",
                    "-untrusted",
                    &chain,
                    &leaf,
                ];
                let (is_good, said) = openssl_try(folder, &args);
                assert_eq!(is_good, code == 0, "{said}");
                assert!(is_good || said.contains("certificate revoked"), "{said}");
            }
        }
    }
    // The root's complete CRL, which is not indirect, says nothing of them.
    let verify = "verify @one-good.pem --untrusted @one.pem --trust @root.pem --crl @root.crl --revocation require";
    let verified = run(folder, verify);
    assert_eq!(verified.code, Some(4), "{}{}", verified.out, verified.err);
    // It is stored, and the next CRL of any kind has the next number.
    let exported = good(folder, "ca export --db @root.db --series indirect");
    assert_eq!(exported.out.as_bytes(), std::fs::read(at(folder, "all.pem")).unwrap());
    let next = good(folder, "ca crl --db @root.db --indirect --of @one.db --of @two.db -o @next.pem");
    assert!(next.err.contains("CRL 3: 2 revoked"), "{}", next.err);
    // No CA is forgotten, unless that is stated.
    let fewer = run(folder, "ca crl --db @root.db --indirect --of @one.db -o @fewer.pem");
    assert!(fewer.code == Some(1) && fewer.err.contains("also lists certificates of CN=two"), "{}", fewer.err);
    let fewer = good(folder, "ca crl --db @root.db --indirect --of @one.db --leave-out CN=two -o @fewer.pem");
    assert!(fewer.err.contains("CRL 4: 1 revoked"), "{}", fewer.err);
    good(folder, "ca audit --db @root.db");
}

#[test]
fn cas_that_do_not_name_the_issuer() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lab(folder);
    good(
        folder,
        "ca init --db @other.db --subject CN=Other --no-passphrase --crl-url http://ca.example.org/other -o @other.pem",
    );
    let made = good(folder, "ca crl --db @root.db --indirect --of @one.db --of @other.db -o @all.pem");
    assert!(made.err.contains("other.db: the CRL does not count for its certificates"), "{}", made.err);
    // The same CA twice, and other URLs.
    let twice = run(folder, "ca crl --db @root.db --indirect --of @one.db --of @one.db -o @all.pem");
    assert!(
        twice.code == Some(1) && twice.err.contains("two CAs of the indirect CRL have the name CN=one"),
        "{}",
        twice.err
    );
    let init = "ca init --db @third.db --subject CN=Third --no-passphrase --crl-issuer @root.pem -o @third.pem";
    good(folder, &format!("{init} --crl-url http://ca.example.org/third"));
    let urls = run(folder, "ca crl --db @root.db --indirect --of @one.db --of @third.db -o @all.pem");
    assert!(urls.code == Some(1) && urls.err.contains("name different CRLs"), "{}", urls.err);
    let parted = run(folder, &format!("{} --crl-url http://ca.example.org/{{2}}", init.replace("third", "fourth")));
    assert!(parted.code == Some(1) && parted.err.contains("without partitions"), "{}", parted.err);
    let alone = run(folder, &init.replace("third", "fifth"));
    assert_eq!(alone.code, Some(2), "{}", alone.err);
}

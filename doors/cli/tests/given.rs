//! Everything that is given is used, or the command says that it was not: parts of files, and options.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;

use common::openssl::{has_openssl, openssl};
use common::{Run, tagwise, tagwise_with};

/// Runs the command; words with `@` in front are files of the folder.
fn run(folder: &Path, line: &str) -> Run {
    let words: Vec<String> = line
        .split(' ')
        .map(|word| match word.strip_prefix('@') {
            Some(name) => folder.join(name).to_str().unwrap().to_owned(),
            None => word.replace('_', " "),
        })
        .collect();
    tagwise(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn good(folder: &Path, line: &str) -> String {
    let run = run(folder, line);
    assert_eq!(run.code, Some(0), "{line}: {}", run.err);
    run.out
}

fn fails(folder: &Path, line: &str, code: i32, text: &str) {
    let run = run(folder, line);
    assert_eq!(run.code, Some(code), "{line}: {} {}", run.out, run.err);
    assert!(run.err.contains(text), "{line}: {}", run.err);
}

/// Writes a file that consists of others, which are text.
fn joined(folder: &Path, name: &str, parts: &[&[u8]]) {
    fs::write(folder.join(name), parts.concat()).unwrap();
}

/// A CA with two end-entity certificates, of which the second is revoked in the second CRL.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    good(at, "ca init --db @ca.db --subject CN=Root --no-passphrase -o @root.pem");
    for name in ["a", "b"] {
        good(at, &format!("key new ecdsa-p256 --no-passphrase -o @{name}.key --public @{name}.pub"));
        good(at, &format!("ca issue --db @ca.db --public-key @{name}.pub --dns {name}.example.org -o @{name}.pem"));
    }
    good(at, "ca crl --db @ca.db -o @1.crl");
    good(at, "ca revoke --db @ca.db --certificate @b.pem --reason keyCompromise");
    good(at, "ca crl --db @ca.db -o @2.crl");
    for name in ["a.pem", "b.pem", "1.crl", "2.crl"] {
        good(at, &format!("convert @{name} --to der -o @{name}.der"));
    }
    folder
}

#[test]
fn every_crl_of_a_file_is_used_or_the_file_is_refused() {
    let folder = folder();
    let at = folder.path();
    let [first, second] = ["1.crl", "2.crl"].map(|name| fs::read(at.join(name)).unwrap());
    let [first_der, second_der] = ["1.crl.der", "2.crl.der"].map(|name| fs::read(at.join(name)).unwrap());
    let verify = "verify @b.pem --trust @root.pem --revocation require --crl";
    assert_eq!(run(at, &format!("{verify} @1.crl")).code, Some(0));
    // Several in one form are all read.
    joined(at, "pem", &[&first, &second]);
    joined(at, "der", &[&first_der, &second_der]);
    for name in ["pem", "der"] {
        assert_eq!(run(at, &format!("{verify} @{name}")).code, Some(1), "{name}");
    }
    joined(at, "der-pem", &[&first_der, &second]);
    joined(at, "der-line-der", &[&first_der, b"\n", &second_der]);
    for name in ["der-pem", "der-line-der"] {
        fails(at, &format!("{verify} @{name}"), 3, name);
    }
    // What stands beside a PEM block is text.
    joined(at, "text", &[b"two CRLs\n", &second]);
    assert_eq!(run(at, &format!("{verify} @text")).code, Some(1));
}

#[test]
fn every_certificate_of_a_file_is_verified_or_the_file_is_refused() {
    let folder = folder();
    let at = folder.path();
    let [a, b, root] = ["a.pem", "b.pem", "root.pem"].map(|name| fs::read(at.join(name)).unwrap());
    let a_der = fs::read(at.join("a.pem.der")).unwrap();
    joined(at, "der-pem", &[&a_der, &b]);
    joined(at, "junk", &[&a_der, b"\0\0junk"]);
    joined(at, "bad.pem", &[&root, b"-----BEGIN CERTIFICATE-----\nMAA!\n-----END CERTIFICATE-----\n"]);
    for name in ["der-pem", "junk"] {
        fails(at, &format!("verify @{name} --trust @root.pem"), 3, name);
        fails(at, &format!("verify @a.pem --trust @root.pem --untrusted @{name}"), 3, name);
    }
    fails(at, "verify @a.pem --trust @root.pem --untrusted @bad.pem", 3, "bad.pem");
    fails(at, "verify @a.pem --trust @bad.pem", 3, "bad.pem");
    // Differences beyond the first certificate are differences.
    joined(at, "ab.pem", &[&a, &b]);
    joined(at, "aa.pem", &[&a, &a]);
    fails(at, "diff @ab.pem @aa.pem", 1, "the other values differ");
    fails(at, "diff @ab.pem @a.pem", 1, "the other values differ");
    assert_eq!(run(at, "diff @ab.pem @ab.pem").code, Some(0));
    assert_eq!(run(at, "diff @junk @a.pem").code, Some(1));
    // So are those of keys, and of zeros behind a value.
    let key = |name: &str| assert_eq!(run(at, &format!("key new ed25519 --no-passphrase -o @{name}")).code, Some(0));
    key("one.key");
    key("other.key");
    let [one, other] = ["one.key", "other.key"].map(|name| fs::read(at.join(name)).unwrap());
    joined(at, "a-one.pem", &[&a, &one]);
    joined(at, "a-other.pem", &[&a, &other]);
    joined(at, "a-zeros.der", &[&a_der, &[0; 4]]);
    fails(at, "diff @a-one.pem @a-other.pem", 1, "the other values differ");
    fails(at, "diff @a.pem @a-zeros.der", 1, "no zero bytes may follow the outermost value");
    let run = run(at, "diff --json @a-one.pem @a-other.pem");
    assert!(run.out.contains("\"same\": false") && run.out.contains("\"exit_code\": 1"), "{}", run.out);
}

/// Each file of a folder given with --trust is used, contains nothing to use, or is an error.
#[test]
fn every_file_of_a_folder_is_used_or_named() {
    let folder = folder();
    let at = folder.path();
    let trust = at.join("trust");
    fs::create_dir(&trust).unwrap();
    let verify = "verify @b.pem --trust @trust";
    fs::copy(at.join("root.pem"), trust.join("root.pem")).unwrap();
    fs::write(trust.join("README"), "Our roots.\n").unwrap();
    assert_eq!(run(at, verify).code, Some(0));
    // CRLs and OCSP responses are evidence.
    fs::copy(at.join("2.crl"), trust.join("2.crl")).unwrap();
    assert_eq!(run(at, verify).code, Some(1));
    fs::remove_file(trust.join("2.crl")).unwrap();
    // SEQUENCE { ENUMERATED 6 }: unauthorized.
    let response = b"\x30\x03\x0A\x01\x06";
    fs::write(trust.join("response"), response).unwrap();
    let named = "OCSP response 1 of the evidence: unusable: the responder answered Unauthorized";
    let out = good(at, verify);
    assert!(out.contains(named), "{out}");
    fs::remove_file(trust.join("response")).unwrap();
    let pem = b"-----BEGIN OCSP RESPONSE-----\nMAMKAQY=\n-----END OCSP RESPONSE-----\n";
    joined(at, "root-response.pem", &[&fs::read(at.join("root.pem")).unwrap(), pem]);
    let out = good(at, "verify @b.pem --trust @root-response.pem");
    assert!(out.contains(named), "{out}");
    // Damaged files may be any of these.
    let crl = fs::read(at.join("2.crl.der")).unwrap();
    let certificate = fs::read(at.join("root.pem")).unwrap();
    for (octets, text) in [
        (&crl[..crl.len() - 1], "damaged: not an element, or longer than the remaining input"),
        (b"-----BEGIN X509 CRL-----\nMAA!\n-----END X509 CRL-----\n", "damaged, line 2: "),
        (&certificate[..certificate.len() / 2], "damaged"),
    ] {
        fs::write(trust.join("damaged"), octets).unwrap();
        fails(at, verify, 3, text);
    }
    fs::remove_file(trust.join("damaged")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("missing", trust.join("link")).unwrap();
        fails(at, verify, 3, "link: cannot be read");
    }
}

/// SSH certificates are not X.509. Each command that expects X.509 says so, and names the one that shows them.
#[test]
fn ssh_certificates_are_named() {
    let folder = folder();
    let at = folder.path();
    let line = "ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5LWNlcnQtdjAxQG9wZW5zc2guY29t user\n";
    fs::write(at.join("ssh.pub"), line).unwrap();
    let text = "an SSH certificate: its format is OpenSSH's own, not X.509; show it: tagwise key show FILE";
    for (line, code) in [
        ("show @ssh.pub", 1),
        ("lint @ssh.pub", 1),
        ("check @ssh.pub", 1),
        ("scan @ssh.pub", 1),
        ("tree @ssh.pub", 1),
        ("get subject @ssh.pub", 1),
        ("convert --to der @ssh.pub", 1),
        ("diff @ssh.pub @a.pem", 1),
        ("verify @ssh.pub --trust @root.pem", 3),
        ("verify @a.pem --trust @ssh.pub", 3),
        ("verify @a.pem --trust @root.pem --untrusted @ssh.pub", 3),
    ] {
        fails(at, line, code, text);
    }
}

#[test]
fn one_message_is_expected() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("text"), "hello").unwrap();
    good(at, "cms sign @text --key @a.key --certificate @a.pem -o @one.der");
    good(at, "convert @one.der --to pem -o @one.pem");
    let one = fs::read(at.join("one.pem")).unwrap();
    joined(at, "two.pem", &[&one, &one]);
    assert_eq!(run(at, "cms verify @one.pem --trust @root.pem --purpose any").code, Some(0));
    fails(at, "cms verify @two.pem --trust @root.pem --purpose any", 1, "2 values, expected one message");
}

/// RFC 5280 §4.2.1.3: the key usage says whether a key encrypts.
#[test]
fn a_recipient_has_a_key_for_encryption() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("text"), "hello").unwrap();
    for (name, usage) in [("agree", "keyAgreement"), ("sign", "digitalSignature")] {
        let subject = format!("cert self-signed --subject CN={name} --key-usage {usage}");
        good(at, &format!("{subject} --key-out @{name}.key -o @{name}.pem"));
    }
    assert_eq!(run(at, "cms encrypt @text --to @agree.pem -o @m").err, "");
    let reported = run(at, "cms encrypt @text --to @sign.pem -o @n");
    assert_eq!(reported.code, Some(0));
    assert!(reported.err.contains("key usage does not include keyAgreement"), "{}", reported.err);
}

#[test]
fn an_output_does_not_replace_an_input() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("text"), "hello").unwrap();
    let sign = "cms sign @text --detached --key @a.key --certificate @a.pem -o @text";
    fails(at, sign, 2, "is an input, and the output would replace it; --force replaces it");
    assert_eq!(fs::read(at.join("text")).unwrap(), b"hello");
    good(at, &format!("{sign} --force"));
    // Conversion keeps the content.
    good(at, "convert @a.pem --to der -o @a.pem");
}

#[test]
fn options_that_contradict_each_other_or_have_no_effect() {
    let folder = folder();
    let at = folder.path();
    let verify = "verify @a.pem --trust @root.pem";
    for options in ["--allow validity --enforce validity", "--enforce validity --allow validity"] {
        fails(at, &format!("{verify} {options}"), 2, "--enforce validity: --allow disables it");
    }
    fails(at, &format!("{verify} --servername evil.example"), 2, "--servername is for servers");
    fails(at, "show @a.pem --servername evil.example", 2, "--servername is for servers");
    fails(at, &format!("{verify} --client-certificate @a.pem"), 2, "--client-certificate is for servers");
}

#[test]
fn parts_that_nothing_recognizes_are_named() {
    let folder = folder();
    let at = folder.path();
    let [first, second, root] = ["1.crl", "2.crl", "root.pem"].map(|name| fs::read(at.join(name)).unwrap());
    let [first_der, second_der] = ["1.crl.der", "2.crl.der"].map(|name| fs::read(at.join(name)).unwrap());
    let misspelt = |text: &[u8], label: &str, other: &str| -> Vec<u8> {
        String::from_utf8(text.to_vec()).unwrap().replace(label, other).into_bytes()
    };
    let crl = misspelt(&second, "X509 CRL", "X50 CRL");
    let verify = "verify @b.pem --trust @root.pem --revocation require --crl";
    // The only CRL that names the revocation, after one that does not.
    for (name, parts, text) in [
        ("label", vec![&first[..], &crl], "label, line 9: unknown PEM label \"X50 CRL\""),
        ("only", vec![&crl[..]], "only: no readable CRL: unknown PEM label \"X50 CRL\""),
        ("binary", vec![&first[..], &second_der], "binary data outside of the PEM blocks"),
        ("value", vec![&first_der[..], b"\x30\x02\x05\x00"], "a value of an unknown type"),
    ] {
        joined(at, name, &parts);
        if name == "label" {
            let run = run(at, &format!("{verify} @{name}"));
            assert_eq!(run.code, Some(3), "{}", run.out);
            assert!(run.err.contains("unknown PEM label \"X50 CRL\""), "{}", run.err);
        } else {
            fails(at, &format!("{verify} @{name}"), 3, text);
        }
    }
    // Base64 without its boundaries is read, and other known content is not evidence.
    let bare: Vec<u8> = second
        .split(|octet| *octet == b'\n')
        .filter(|line| !line.starts_with(b"-----"))
        .collect::<Vec<_>>()
        .join(&b'\n');
    joined(at, "bare", &[&first, &bare, b"\n"]);
    let key = fs::read(at.join("a.key")).unwrap();
    let parameters = b"-----BEGIN DH PARAMETERS-----\nMAYCAQMCAQI=\n-----END DH PARAMETERS-----\n";
    joined(at, "beside", &[&key, parameters, &second]);
    for name in ["bare", "beside"] {
        let run = run(at, &format!("{verify} @{name}"));
        assert_eq!(run.code, Some(1), "{name}: {} {}", run.out, run.err);
    }
    joined(at, "padded", &[&first_der, &[0; 20]]);
    fails(at, &format!("{verify} @padded"), 3, "--allow trailing-zeros tolerates this");
    assert_eq!(run(at, &format!("{verify} @padded --allow trailing-zeros")).code, Some(0));
    // Certificates.
    joined(at, "bundle", &[&fs::read(at.join("b.pem")).unwrap(), &misspelt(&root, "CERTIFICATE", "CERTIFCATE")]);
    for line in ["@bundle --trust @root.pem", "@a.pem --untrusted @bundle --trust @root.pem", "@a.pem --trust @bundle"]
    {
        fails(at, &format!("verify {line}"), 3, "unknown PEM label \"CERTIFCATE\"");
    }
}

#[test]
fn crls_count_wherever_they_are_given() {
    let folder = folder();
    let at = folder.path();
    let [b, crl, root] = ["b.pem", "2.crl", "root.pem"].map(|name| fs::read(at.join(name)).unwrap());
    let path = |name: &str| at.join(name).to_str().unwrap().to_owned();
    for (args, input) in [
        (["verify", "-", "--trust", &path("root.pem")], [&b[..], &crl].concat()),
        (["verify", &path("b.pem"), "--trust", "-"], [&root[..], &crl].concat()),
    ] {
        let run = tagwise_with(&args, &input);
        assert_eq!(run.code, Some(1), "{args:?}: {} {}", run.out, run.err);
        assert!(run.out.contains("revoked on"), "{}", run.out);
    }
    fs::write(at.join("text"), "hello").unwrap();
    good(at, "cms sign @text --key @b.key --certificate @b.pem -o @one.der");
    joined(at, "beside.pem", &[&b, &crl]);
    let verify = "cms verify @one.der --trust @root.pem --purpose any";
    assert_eq!(run(at, verify).code, Some(0));
    let reported = run(at, &format!("{verify} --certificate @beside.pem"));
    assert_eq!(reported.code, Some(1), "{}", reported.out);
    assert!(reported.out.contains("revoked on"), "{}", reported.out);
    // What is not a detached signature has its own content.
    good(at, "cms compress @text -o @small");
    fails(at, "cms verify @small --content @text", 2, "the message is compressed and contains its content");
}

#[test]
fn keys_are_those_of_whole_values() {
    let folder = folder();
    let at = folder.path();
    let [a, b] = ["a.pem.der", "b.pem.der"].map(|name| fs::read(at.join(name)).unwrap());
    joined(at, "junk", &[&a, b"junk"]);
    joined(at, "both", &[&a, &b]);
    assert_eq!(run(at, "match @a.key @a.pem.der").code, Some(0));
    fails(at, "match @a.key @junk", 1, "junk");
    // The first certificate counts.
    assert_eq!(run(at, "match @a.key @both").code, Some(0));
    assert_eq!(run(at, "match @b.key @both").code, Some(1));
}

#[test]
fn certificates_of_cas_are_made_deliberately() {
    let folder = folder();
    let at = folder.path();
    for (options, text) in [
        ("--extension 2.5.29.19=30030101FF", "makes the subject a CA: pass --ca"),
        ("--ca --extension 2.5.29.19=3000", "contradicts --ca"),
    ] {
        fails(at, &format!("cert self-signed --subject CN=x {options} --key-out @x.key -o @x.pem"), 2, text);
        fails(at, &format!("csr new --key @a.key --subject CN=x {options} -o @x.csr"), 2, text);
    }
    // RFC 5280 §4.1.2.6: nobody else has the CA's name.
    good(at, "cert self-signed --ca --subject CN=Small --key-out @small.key -o @small.pem");
    good(at, "csr new --key @a.key --subject CN=Small -o @a.csr");
    let sign = "csr sign @a.csr --ca @small.pem --ca-key @small.key --profile ca -o @below.pem";
    fails(at, sign, 1, "the subject is the CA's own name");
    let renewed = run(at, "ca renew --db @ca.db --days 1 -o @renewed.pem");
    assert_eq!(renewed.code, Some(0), "{}", renewed.err);
    for text in ["before the current one, which ends on", "no certificate can be issued for the usual 90 days"] {
        assert!(renewed.err.contains(text), "{}", renewed.err);
    }
    let renewed = run(at, "ca renew --db @ca.db -o @renewed.pem --force");
    assert!(!renewed.err.contains("ends on"), "{}", renewed.err);
}

#[test]
fn a_damaged_database_is_not_backed_up() {
    let folder = folder();
    let at = folder.path();
    good(at, "ca backup --db @ca.db -o @good.db");
    let connection = rusqlite::Connection::open(at.join("ca.db")).unwrap();
    connection.execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM certificate WHERE id = 2").unwrap();
    drop(connection);
    let before = fs::read_dir(at).unwrap().count();
    fails(at, "ca backup --db @ca.db -o @bad.db", 3, "damaged, so no backup was written: 1 row was deleted");
    assert_eq!(fs::read_dir(at).unwrap().count(), before);
}

#[test]
fn weak_keys_are_remarked() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    good(at, "cert self-signed --ca --subject CN=Root --key-out @ca.key -o @ca.pem");
    openssl(
        at,
        &["req", "-new", "-newkey", "rsa:512", "-nodes", "-subj", "/CN=weak", "-keyout", "w.key", "-out", "w.csr"],
    );
    let sign = ["x509", "-req", "-in", "w.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"];
    openssl(at, &[&sign[..], &["-out", "w.pem"]].concat());
    let out = good(at, "verify @w.pem --trust @ca.pem");
    assert!(out.contains("the weak key of CN=weak (RSA 512) is not broken"), "{out}");
    fails_out(at, "verify @w.pem --trust @ca.pem --enforce key-size", 1, "key-size: ");
}

/// `--allow weak-digest` accepts SHA-1 alone, and `--allow key-size` weak keys alone. The answer lists each use.
#[test]
fn each_leniency_allows_only_what_its_name_says() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    openssl(
        at,
        &["req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=leaf", "-keyout", "k", "-out", "leaf.csr"],
    );
    let small = "the weak key of CN=small (RSA 512) is not broken";
    let curve = "the weak key of CN=curve (EC P-192) is not broken";
    let sha1 = "the signature of CN=leaf (sha1WithRSAEncryption) is not forged by a collision of its weak digest";
    for (name, key, digest, wrong, right, assumed) in [
        ("small", "rsa:512", "-sha256", "weak-digest", "key-size", small),
        ("curve", "ec -pkeyopt ec_paramgen_curve:prime192v1", "-sha256", "weak-digest", "key-size", curve),
        ("sha1", "rsa:2048", "-sha1", "key-size", "weak-digest", sha1),
    ] {
        let subject = format!("/CN={name}");
        let new =
            ["req", "-x509", "-nodes", "-sha256", "-subj", &subject, "-keyout", "ca.key", "-out", "ca.pem", "-newkey"];
        openssl(at, &new.into_iter().chain(key.split(' ')).collect::<Vec<_>>());
        openssl(
            at,
            &[
                "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2", digest, "-out",
                "leaf.pem",
            ],
        );
        let hint = format!("pass --allow {right} to accept it");
        for line in ["verify @leaf.pem --trust @ca.pem", &format!("verify @leaf.pem --trust @ca.pem --allow {wrong}")] {
            fails_out(at, line, 1, &hint);
        }
        let allowed = format!("verify @leaf.pem --trust @ca.pem --allow {right}");
        let out = good(at, &allowed);
        assert_eq!(out.matches(assumed).count(), 1, "{name}: {out}");
        let json: serde_json::Value = serde_json::from_str(&good(at, &format!("{allowed} --json"))).unwrap();
        let assumptions = json["results"][0]["paths"][0]["assumptions"].as_array().unwrap();
        assert_eq!(assumptions.iter().filter(|text| text.as_str().unwrap().starts_with(assumed)).count(), 1, "{json}");
    }
    openssl(
        at,
        &[
            "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2", "-md5", "-out",
            "md5.pem",
        ],
    );
    fails_out(at, "verify @md5.pem --trust @ca.pem", 1, "such signatures can be forged");
    fails_out(at, "verify @md5.pem --trust @ca.pem --allow weak-digest", 4, "RSA-MD5 is not supported");
    // Each name has its own clause.
    fails_out(
        at,
        "verify @leaf.pem --trust @ca.pem --allow weak-digest --email a@b.example",
        1,
        "Clause:      RFC 8550 §3",
    );
    fails_out(
        at,
        "verify @leaf.pem --trust @ca.pem --allow weak-digest --host b.example",
        1,
        "Clause:      RFC 9525 §6",
    );
}

/// A truststore of Java is opened by its passphrase, which proves that it was not modified.
#[test]
fn truststores_of_java() {
    if !has_openssl() {
        return;
    }
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("right"), "changeit\n").unwrap();
    fs::write(at.join("wrong"), "changed\n").unwrap();
    let export = ["pkcs12", "-export", "-in", "root.pem", "-passout", "pass:changeit"];
    openssl(at, &[&export[..], &["-nokeys", "-out", "trust.p12"]].concat());
    openssl(
        at,
        &[
            &["pkcs12", "-export", "-in", "a.pem", "-inkey", "a.key", "-passout", "pass:changeit"][..],
            &["-out", "key.p12"],
        ]
        .concat(),
    );
    let verify = "verify @a.pem --trust";
    good(at, &format!("{verify} @trust.p12 --trust-passphrase-file @right"));
    fails(at, &format!("{verify} @trust.p12"), 3, "a password is required: give --trust-passphrase-file FILE");
    fails(at, &format!("{verify} @trust.p12 --trust-passphrase-file @wrong"), 3, "a PKCS #12 file: wrong passphrase");
    let with_key = "a PKCS #12 file with a private key is not a truststore";
    fails(at, &format!("{verify} @key.p12 --trust-passphrase-file @right"), 3, with_key);

    // JKS: version 2, one trusted certificate, and SHA-1 of the password in UTF-16, a phrase and all bytes before.
    let root = run(at, "convert @root.pem --to der -o @root.der");
    assert_eq!(root.code, Some(0), "{}", root.err);
    let root = fs::read(at.join("root.der")).unwrap();
    let head = b"\xFE\xED\xFE\xED\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\x01a\0\0\0\0\0\0\0\0\0\x05X.509";
    let store = [&head[..], &u32::try_from(root.len()).unwrap().to_be_bytes(), &root].concat();
    let password: Vec<u8> = "changeit".encode_utf16().flat_map(u16::to_be_bytes).collect();
    fs::write(at.join("hashed"), [&password[..], b"Mighty Aphrodite", &store].concat()).unwrap();
    openssl(at, &["dgst", "-sha1", "-binary", "-out", "digest", "hashed"]);
    let digest = fs::read(at.join("digest")).unwrap();
    fs::write(at.join("trust.jks"), [&store[..], &digest].concat()).unwrap();
    let assumed = "the Java keystore with the trust anchor was not modified: its digest was not checked";
    assert!(!good(at, &format!("{verify} @trust.jks --trust-passphrase-file @right")).contains("Java keystore"));
    assert!(good(at, &format!("{verify} @trust.jks")).contains(assumed));
    // The alias is modified.
    let mut store = [&store[..], &digest].concat();
    store[18] = b'b';
    fs::write(at.join("bad.jks"), &store).unwrap();
    assert!(good(at, &format!("{verify} @bad.jks")).contains(assumed));
    let modified = "wrong passphrase, or the keystore was modified: its digest does not match";
    fails(at, &format!("{verify} @bad.jks --trust-passphrase-file @right"), 3, modified);

    // A folder with words is read, and one with a database of NSS says what to do.
    fs::create_dir(at.join("trust")).unwrap();
    fs::copy(at.join("root.pem"), at.join("trust/root.pem")).unwrap();
    fs::write(at.join("trust/README"), "README").unwrap();
    good(at, &format!("{verify} @trust"));
    fs::create_dir(at.join("nss")).unwrap();
    fs::write(at.join("nss/cert9.db"), b"SQLite format 3\0").unwrap();
    fails(at, &format!("{verify} @nss"), 3, "the folder contains no certificates, but ");
    fails(
        at,
        &format!("{verify} @nss"),
        3,
        "cert9.db, an SQLite database: export the certificates: certutil -L -d FOLDER -n NAME -a",
    );
}

/// Malformed parts are not read by one command and refused by another.
#[test]
fn every_command_refuses_a_block_without_end() {
    let folder = folder();
    let at = folder.path();
    for name in ["a", "root"] {
        let block = fs::read_to_string(at.join(format!("{name}.pem"))).unwrap();
        fs::write(at.join(format!("{name}-cut.pem")), block.replace("-----END CERTIFICATE-----\n", "")).unwrap();
    }
    let reason = "the PEM block has no END line";
    fails(at, "verify @a-cut.pem --trust @root.pem", 3, reason);
    fails(at, "verify @a.pem --trust @root-cut.pem", 3, reason);
    fails(at, "show @a-cut.pem", 1, reason);
    fails(at, "scan @a-cut.pem", 1, reason);
    let run = run(at, "check --expires-within 1d @a-cut.pem");
    assert!(run.code != Some(0) && (run.out + &run.err).contains(reason));

    // A CRL that is cut off is one, and CRLs expire.
    let crl = fs::read(at.join("1.crl.der")).unwrap();
    let cut = &crl[..crl.len() - 40];
    joined(at, "two.crl", &[&crl, cut]);
    fails_out(at, "lint @two.crl", 1, "2 CRLs: ");
    let summary = good(at, "scan --json --at 2100-01-01 @1.crl @2.crl");
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!((&summary["crls"], &summary["crl_validity"]), (&2.into(), &serde_json::json!({"expired": 2})));
    assert!(good(at, "scan --summary @1.crl --at 2100-01-01").contains("validity of CRLs\n  expired"));
}

fn fails_out(folder: &Path, line: &str, code: i32, text: &str) {
    let run = run(folder, line);
    assert_eq!(run.code, Some(code), "{line}: {} {}", run.out, run.err);
    assert!(run.out.contains(text), "{line}: {}", run.out);
}

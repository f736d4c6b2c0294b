//! The command on fixtures: forms of input, what is shown, exit codes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use common::{data, der, show, tagwise, tagwise_with};
use tagwise_codec::text::{base64, hex};

/// Compares with a checked-in file; `BLESS=1` rewrites it.
fn snapshot(name: &str, text: &str) {
    let path = data(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap();
    assert!(wanted == text, "{name} differs (BLESS=1 rewrites it):\n{text}");
}

/// The output without the folder that the fixtures are in.
fn portable(text: &str) -> String {
    text.replace(&data(""), "")
}

#[test]
fn everything_in_text() {
    let files = ["root.pem", "leaf.pem", "list.pem"].map(data);
    let run = show(&files.each_ref().map(String::as_str));
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    snapshot("show.txt", &portable(&run.out));
    for line in run.out.lines().filter(|line| !line.contains("tests/data")) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

/// The texts themselves are held to the `openssl` command by the workspace's tests.
#[test]
fn text_as_openssl_has_it() {
    let (root, leaf, list) = (data("root.pem"), data("leaf.pem"), data("list.pem"));
    let run = show(&["--text=openssl", &leaf, &root, &list]);
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    assert_eq!(run.out.matches("Certificate:\n    Data:\n        Version: 3 (0x2)\n").count(), 2);
    assert_eq!(run.out.matches("Certificate Revocation List (CRL):\n        Version 2 (0x1)\n").count(), 1);
    snapshot("openssl.txt", &run.out);
    // What is not strict is printed all the same, and said to be wrong; what is neither is not printed.
    let bad = show(&["--text=openssl", &data("negative.pem")]);
    assert_eq!(bad.code, Some(1));
    assert!(bad.out.starts_with("Certificate:\n") && bad.err.contains("serial"), "{}", bad.err);
    let nothing = tagwise_with(&["show", "--text=openssl", "-"], b"\x30\x03\x02\x01\x00");
    assert_eq!((nothing.code, &*nothing.out), (Some(1), ""));
    assert_eq!(show(&["--text=gnutls", &root]).code, Some(2));
    assert_eq!(show(&["--text=openssl", "--json", &root]).code, Some(2));
    assert_eq!(show(&["--text=openssl", "/nowhere"]).code, Some(3));
}

/// The trust settings that OpenSSL keeps beside a certificate are printed after it, as the `openssl` command does.
#[test]
fn trust_settings_as_openssl_has_them() {
    if !common::openssl::has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let openssl = |args: &[&str]| common::openssl::openssl(folder.path(), args);
    openssl(&["req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", "key", "-subj", "/CN=x", "-out", "crt"]);
    let all =
        ["-addtrust", "serverAuth", "-addtrust", "1.2.3.4", "-addreject", "clientAuth", "-setalias", "the \u{e9}lan"];
    for options in [&all[..], &all[..2], &all[4..6], &all[6..], &["-clrtrust"], &["-clrreject"], &[]] {
        openssl(&[&["x509", "-in", "crt", "-trustout", "-out", "trusted"][..], options].concat());
        let wanted = openssl(&["x509", "-in", "trusted", "-text", "-noout"]);
        let run = show(&["--text=openssl", folder.path().join("trusted").to_str().unwrap()]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{options:?}");
        assert_eq!(run.out, wanted, "{options:?}");
    }
    openssl(&[&["x509", "-in", "crt", "-trustout", "-out", "trusted"][..], &all].concat());
    let run = show(&[folder.path().join("trusted").to_str().unwrap()]);
    for line in
        ["trusted uses   serverAuth  1.3.6.1.5.5.7.3.1", "rejected uses  clientAuth", "alias          the \u{e9}lan"]
    {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
}

#[test]
fn the_same_from_every_form() {
    let der = der("root.pem");
    let wanted = show(&[&data("root.pem")]).out;
    let body = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    let base64_text = base64::encode(&der);
    let wrapped: String =
        base64_text.as_bytes().chunks(50).map(|l| std::str::from_utf8(l).unwrap().to_owned() + "\r\n").collect();
    let colons: String = der.iter().map(|octet| format!("{octet:02X}:")).collect();
    let forms = [
        der.clone(),
        base64_text.into_bytes(),
        wrapped.into_bytes(),
        hex::encode(&der).into_bytes(),
        colons.trim_end_matches(':').as_bytes().to_vec(),
    ];
    for form in forms {
        let run = tagwise_with(&["show", "--at", "2027-01-01", "-"], &form);
        assert_eq!((run.code, &*run.err), (Some(0), ""));
        assert_eq!(body(&run.out), body(&wanted));
    }
}

#[test]
fn values_in_a_row_and_what_follows_them() {
    let mut row = der("root.pem");
    row.extend(der("list.pem"));
    row.extend(der("leaf.pem"));
    let run = tagwise_with(&["show", "-"], &row);
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    for heading in ["certificate 1 of 3", "CRL 2 of 3  standard input, byte 692", "certificate 3 of 3"] {
        assert!(run.out.contains(heading), "{heading}\n{}", run.out);
    }
    row.extend(b"\0\0more");
    let run = tagwise_with(&["show", "-"], &row);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("4 of 4: unexpected data after the last element, at byte 2325"), "{}", run.err);
    let run = tagwise_with(&["show", "--allow", "trailing-data", "-"], &row);
    assert_eq!(run.code, Some(0));
    assert!(run.out.contains("trailing-data at byte 2325"), "{}", run.out);
}

#[test]
fn a_bundle_of_everything() {
    let run = show(&[&data("bundle.pem")]);
    assert_eq!(run.code, Some(1));
    for heading in [
        "certification request (PKCS #10) 1 of 5",
        "certificate 2 of 5",
        "public key 3 of 5",
        "CRL 4 of 5",
        "unreadable block 5 of 5",
    ] {
        assert!(run.out.contains(heading), "{heading}\n{}", run.out);
    }
    assert!(run.err.contains("5 of 5: the PEM block has no END line"), "{}", run.err);
    let run = show(&["--subject", &data("bundle.pem")]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("5 of 5: the PEM block has no END line"), "{}", run.err);
    let run = show(&["--allow", "pem-missing-end", &data("bundle.pem")]);
    assert!(run.err.contains("5 of 5: the encoding ends inside an element"), "{}", run.err);
}

#[test]
fn exit_codes() {
    let root = data("root.pem");
    assert_eq!(show(&[&root]).code, Some(0));
    // Malformed, nothing to show.
    assert_eq!(show(&[&data("negative.pem")]).code, Some(1));
    for nothing in [&b""[..], b"hello", b"\x05\x00", b"-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----\n"] {
        let run = tagwise_with(&["show", "-"], nothing);
        assert_eq!(run.code, Some(1), "{nothing:?}");
        assert!(run.err.starts_with("tagwise: standard input: "), "{}", run.err);
    }
    // Usage.
    assert_eq!(tagwise(&["show"]).code, Some(2));
    assert_eq!(tagwise(&["shew"]).code, Some(2));
    assert_eq!(show(&["--at", "yesterday", &root]).code, Some(2));
    // Unreadable; what can be read is shown all the same.
    let run = show(&[&data("absent.pem"), &data(""), &root]);
    assert_eq!(run.code, Some(3));
    assert!(
        run.err.contains("absent.pem: cannot be read: No such file") && run.err.contains("it is a folder"),
        "{}",
        run.err
    );
    assert!(run.out.contains("certificate 1 of 1"));
}

#[test]
fn rules_by_name() {
    let negative = data("negative.pem");
    let run = show(&["--allow", "negative-serial", &negative]);
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    assert!(run.out.contains("negative-serial at byte 15 (RFC 5280 §4.1.2.2)"), "{}", run.out);
    assert_eq!(show(&["--allow", "ber,pem", "--allow", "all", &negative]).code, Some(0));
    assert_eq!(show(&["--allow", "ber", &negative]).code, Some(1));
    let run = show(&["--allow", "negative-seriel", &negative]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("did you mean negative-serial"), "{}", run.err);
    let run = tagwise(&["rules"]);
    assert!(run.code == Some(0) && run.out.contains("long-length") && run.out.contains("pem-dashes"));
    let run = tagwise(&["rules", "--json"]);
    assert!(run.out.contains("\"tagwise.rules/1\"") && run.out.contains("\"negative-serial\""));
}

#[test]
fn one_bad_extension_hides_nothing() {
    let mut der = der("root.pem");
    // keyUsage 03 02 01 06 becomes one with a trailing zero bit.
    let at = der.windows(4).position(|part| part == [0x03, 0x02, 0x01, 0x06]).unwrap();
    der[at + 2] = 0;
    let run = tagwise_with(&["show", "-"], &der);
    assert_eq!(run.code, Some(1));
    let path = "tbsCertificate.extensions[1].extnValue";
    let wanted =
        format!("{path}: a BIT STRING with named bits must not end in zero bits, at byte {} (X.690 §11.2.2)", at + 3);
    assert!(run.err.contains(&wanted), "{}", run.err);
    assert!(run.out.contains("03 02 00 [06]"), "{}", run.out);
    for part in ["malformed; the readable parts follow", "path length  1", "permitted", "Only for tests.", "SHA-256  "]
    {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    let run = tagwise_with(&["show", "--allow", "named-bits", "-"], &der);
    assert_eq!(run.code, Some(0));
    assert!(run.out.contains("keyCertSign, cRLSign"), "{}", run.out);
}

#[test]
fn hostile_names_are_made_visible() {
    for args in [&["--color", "never"][..], &["--color", "always"], &["--json"]] {
        let mut all = args.to_vec();
        let path = data("hostile.pem");
        all.push(&path);
        let run = show(&all);
        assert_eq!(run.code, Some(0));
        let plain = run.out.replace("\u{1b}[0m", "").replace("\u{1b}[1m", "").replace("\u{1b}[2m", "");
        let plain = plain.replace("\u{1b}[36m", "").replace("\u{1b}[33m", "").replace("\u{1b}[32m", "");
        for hidden in ['\u{1b}', '\u{7}', '\u{80}', '\u{202e}', '\r'] {
            assert!(!plain.contains(hidden), "{args:?} {hidden:?}\n{plain}");
        }
    }
    let run = show(&[&data("hostile.pem")]);
    assert!(run.out.contains(r"CN=ev\u{1b}[31mil\u{80}\u{202e}moc.elgoog, O=Acme\, CN=admin"), "{}", run.out);
    assert!(!run.out.contains('\u{1b}'));
}

#[test]
fn entries_can_be_limited() {
    let run = show(&["--entries", "1", &data("list.pem")]);
    assert!(run.out.contains("keyCompromise") && !run.out.contains("cACompromise"), "{}", run.out);
    assert!(run.out.contains("… and 2 more entries; --entries all shows them"), "{}", run.out);
}

#[test]
fn bulk_is_whole_when_asked_for() {
    let short = show(&[&data("leaf.pem")]).out;
    let full = show(&["--full", &data("leaf.pem")]).out;
    assert!(short.contains("… 256 bytes") && !full.contains('…'), "{full}");
}

/// Whoever closes the pipe has seen enough: no complaint, and no exit code that says otherwise.
#[test]
#[cfg(unix)]
fn a_pipe_that_is_closed() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    // More than a pipe and the buffers on both sides hold.
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let many = folder.join("many.der");
    std::fs::write(&many, der("root.pem").repeat(500)).unwrap();
    for args in [&["show"][..], &["show", "--json"], &["edit", "--text"], &["convert", "--to", "hex"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args(args).arg(&many).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        let mut first = [0; 20];
        out.read_exact(&mut first).unwrap();
        drop(out);
        let output = child.wait_with_output().unwrap();
        // As other tools end: by SIGPIPE, for the answer is not complete.
        #[cfg(unix)]
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(13), "{args:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
    }
}

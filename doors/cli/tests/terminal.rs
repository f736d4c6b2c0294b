//! Drawing on a terminal does not hold up the work, and input cannot send control sequences to it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{data, tagwise};

/// The output of the command on a terminal; `None` without `script` to make one.
fn on_terminal(args: &str) -> Option<String> {
    let command = format!("{} {args}", env!("CARGO_BIN_EXE_tagwise"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env("NO_COLOR", "1").stdin(Stdio::null());
    match script.output() {
        Ok(output) => Some(String::from_utf8(output.stdout).unwrap()),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "no script: {error}");
            eprintln!("skipped: no script: {error}");
            None
        }
    }
}

/// The first character that a terminal would obey or not show.
fn obeyed(text: &str) -> Option<char> {
    let hidden = |char: &char| tagwise_codec::text::visible(char).to_string().starts_with("\\u");
    text.chars().filter(|char| !matches!(char, '\n' | '\r')).find(hidden)
}

/// Everything that prints a certificate; `F` is the file.
const LINES: [&str; 24] = [
    "show F",
    "show --full F",
    "show --text openssl F",
    "show --json F",
    "get --json '' F",
    "get '' F",
    "dump F",
    "dump --json F",
    "edit --text F",
    "convert --to json F",
    "lint F",
    "lint --json F",
    "lint --sarif F",
    "scan --no-progress F",
    "scan --csv --no-progress F",
    "scan --ndjson --no-progress F",
    "scan --summary --no-progress F",
    "tree --no-progress F",
    "check --no-progress --at 2200-01-01 F",
    "diff F F",
    "explain 10 F",
    "verify --trust F F",
    "verify --trust mozilla --explain F",
    "verify --trust mozilla --json F",
];

/// A certificate with escape sequences, C1 controls and bidirectional marks in its names.
#[test]
fn nothing_hostile_is_obeyed() {
    let hostile = data("hostile.pem");
    for line in LINES {
        let Some(text) = on_terminal(&line.replace('F', &hostile)) else { return };
        assert_eq!(obeyed(&text), None, "{line}: {text:?}");
    }
}

/// The same where the output goes into a file or a pager, from a file whose name is hostile, too.
#[cfg(unix)]
#[test]
fn nothing_hostile_is_passed_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a\u{1B}]0;pwn\u{7}\u{202E}\nb.pem");
    std::fs::copy(data("hostile.pem"), &file).unwrap();
    let broken = folder.path().join("c\u{1B}[31m.pem");
    std::fs::write(&broken, "-----BEGIN \u{1B}[31mX-----\nMAA=\n-----END \u{1B}[31mX-----\n").unwrap();
    for path in [&file, &broken] {
        let path = path.to_str().unwrap();
        for line in LINES {
            let word = |word| match word {
                "F" => path,
                "''" => "",
                word => word,
            };
            let run = tagwise(&line.split(' ').map(word).collect::<Vec<_>>());
            assert_eq!(obeyed(&run.err), None, "{line}: {:?}", run.err);
            assert_eq!(obeyed(&run.out), None, "{line}: {:?}", run.out);
        }
    }
    let run = tagwise(&["scan", "--no-progress", "--at", "2027-01-01", folder.path().to_str().unwrap()]);
    assert_eq!((obeyed(&run.out), obeyed(&run.err)), (None, None), "{:?}", run.out);
}

/// A SAN with an escape sequence and a line break, in OpenSSL's layout: one line, escaped as OpenSSL does it in names.
#[test]
fn openssl_text_escapes() {
    let run = tagwise(&["show", "--text=openssl", &data("hostile.pem")]);
    assert!(run.out.contains(r"DNS:a\1B]0;pwn\07.example.com"), "{}", run.out);
}

/// JSON is safe to look at also where it does not go to a terminal, and says the same.
#[test]
fn json_escapes_what_is_hidden() {
    let hostile = data("hostile.pem");
    for args in [
        &["show", "--json"][..],
        &["get", "--json", ""],
        &["convert", "--to", "json"],
        &["scan", "--ndjson"],
        &["lint", "--json"],
        &["dump", "--json"],
    ] {
        let run = tagwise(&[args, &[hostile.as_str()]].concat());
        assert_eq!(obeyed(&run.out), None, "{args:?}: {}", run.out);
    }
    let path = "tbsCertificate.extensions[subjectAltName].dNSName";
    let run = tagwise(&["get", "--json", path, &hostile]);
    assert!(run.out.contains(r"a\u001b]0;pwn\u0007.example.com"), "{}", run.out);
    let read: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&read["schema"], &read["path"]), (&"tagwise.get/1".into(), &path.into()));
    assert_eq!(read["values"][0]["value"], "a\u{1B}]0;pwn\u{7}.example.com");
    // What serde leaves as it is: a C1 control and directions.
    let folder = tempfile::tempdir().unwrap();
    let (schema, note) = (folder.path().join("m.asn1"), folder.path().join("note"));
    std::fs::write(&schema, "M DEFINITIONS ::= BEGIN Note ::= UTF8String END\n").unwrap();
    let text = "a\u{9B}b\u{202E}c\u{2066}d}";
    std::fs::write(&note, [&[0x0C, text.len() as u8], text.as_bytes()].concat()).unwrap();
    for form in ["--json", "--jer"] {
        let args = ["decode", "--schema", schema.to_str().unwrap(), form, note.to_str().unwrap()];
        let run = tagwise(&args);
        assert!(run.out.contains(r#""a\u009bb\u202ec\u2066d}""#), "{}{}", run.out, run.err);
        let read: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(if form == "--jer" { &read } else { &read["values"][0]["value"] }, text);
    }
    // Out of its JSON comes the same certificate.
    let json = folder.path().join("json");
    std::fs::write(&json, tagwise(&["convert", "--to", "json", &hostile]).out).unwrap();
    let back = tagwise(&["convert", "--from", "json", "--to", "der,hex", json.to_str().unwrap()]);
    assert_eq!(back.out, tagwise(&["convert", "--to", "der,hex", &hostile]).out);
}

/// Names in a CA's database are shown, not obeyed.
#[test]
fn a_hostile_name_in_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (db, key, out) = (path("ca.db"), path("key"), path("out"));
    let made = tagwise(&[
        "ca",
        "init",
        "--subject",
        "CN=a\u{9B}31mb\u{202E}c",
        "--key-type",
        "ecdsa-p256",
        "--no-passphrase",
        "--db",
        &db,
        "-o",
        &out,
    ]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let made = tagwise(&[
        "ca",
        "issue",
        "--new-key",
        "ecdsa-p256",
        "--key-out",
        &key,
        "--key-no-passphrase",
        "--profile",
        "client",
        "--subject",
        "CN=x\u{85}y\u{2066}z",
        "--db",
        &db,
        "-o",
        &out,
    ]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    for json in [&[][..], &["--json"]] {
        let run = tagwise(&[&["ca", "list", "--db", &db], json].concat());
        assert_eq!((run.code, obeyed(&run.out)), (Some(0), None), "{}", run.out);
    }
    let listed = tagwise(&["ca", "list", "--db", &db]).out;
    assert!(listed.contains(r"CN=a\u{9b}31mb\u{202e}c") && listed.contains(r"CN=x\u{85}y\u{2066}z"), "{listed}");
}

/// The bar is drawn by a thread of its own, which writes to standard error as the command does.
#[test]
fn a_progress_bar_ends_with_the_work() {
    let command = format!("{} scan --summary {} > /dev/null", env!("CARGO_BIN_EXE_tagwise"), data("leaf.pem"));
    // util-linux's script gives the command a terminal.
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = match script.spawn() {
        Ok(child) => child,
        Err(error) => {
            tagwise_testing::skip(&format!("no command `script`: {error}"));
            return;
        }
    };
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(0));
            return;
        }
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("the command does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// On 80 columns, neither the name nor the file is cut.
#[cfg(unix)]
#[test]
fn scan_keeps_names_on_a_narrow_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a-rather-long-name-of-a-file-with-a-certificate-in-it.pem");
    std::fs::copy(data("leaf.pem"), &file).unwrap();
    let command = format!(
        "stty cols 80; {} scan --no-progress --at 2027-01-01 {}",
        env!("CARGO_BIN_EXE_tagwise"),
        file.display()
    );
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env("NO_COLOR", "1").stdin(Stdio::null());
    let Ok(output) = script.output() else { return tagwise_testing::skip("no script") };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("www.example.com"), "{text}");
    assert!(text.contains(&format!("{}, line 3", file.display())), "{text}");
    assert!(!text.contains('\u{2026}'), "{text}");
}

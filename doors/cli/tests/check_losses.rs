//! `check` tells of everything that it could not read, in every format.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;

use common::{data, tagwise};
use serde_json::Value;

const AT: &str = "2027-01-01";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn check(format: &str, folder: &Path) -> common::Run {
    tagwise(&["check", "--at", AT, "--format", format, text(folder)])
}

/// A folder with a certificate and another file.
fn folder(name: &str, content: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(data("root.pem"), folder.path().join("a.pem")).unwrap();
    fs::write(folder.path().join(name), content).unwrap();
    folder
}

#[test]
fn archives_that_are_not_opened_are_a_loss() {
    let packed: [(&str, &[u8]); 4] = [
        ("a.bz2", b"BZh91AY&SY\x00\x01\x02\x03"),
        ("a.xz", b"\xFD7zXZ\x00\x00\x04\xE6\xD6"),
        ("a.lz4", b"\x04\x22\x4D\x18\x60\x40\x82\x00"),
        ("a.7z", b"7z\xBC\xAF\x27\x1C\x00\x04"),
    ];
    for (name, content) in packed {
        let folder = folder(name, content);
        let run = check("text", folder.path());
        assert_eq!(run.code, Some(1), "{name}: {}", run.out);
        assert!(run.out.starts_with("1 valid at least until "), "{name}: {}", run.out);
        assert!(run.out.ends_with("skipped 1 file: 1 archive not opened\n"), "{name}: {}", run.out);
        assert!(run.err.contains("decompress it first (not-opened)"), "{name}: {}", run.err);
        let run = check("nagios", folder.path());
        assert_eq!(run.code, Some(1), "{name}");
        assert!(run.out.starts_with("CERTIFICATES WARNING - ") && run.out.contains("1 skipped"), "{}", run.out);
        let run = check("openmetrics", folder.path());
        assert!(run.out.contains("tagwise_skipped_files{reason=\"not-opened\"} 1\n"), "{name}: {}", run.out);
        let run = tagwise(&["check", "--at", AT, "--skip-unreadable", text(folder.path())]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.out);
        assert_eq!(tagwise(&["scan", text(folder.path())]).code, Some(1), "{name}");
    }
    // Other files without certificates are no loss.
    assert_eq!(check("text", folder("a.pdf", b"%PDF-1.7\n\x00\x01").path()).code, Some(0));
}

#[test]
fn malformed_parts_are_counted() {
    let pem = b"-----BEGIN CERTIFICATE-----\nMAMCAQ\n-----END CERTIFICATE-----\n";
    // A SEQUENCE other than a certificate, and one with truncated base64.
    let whole = b"-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----\n";
    for (content, line) in [(&pem[..], 3), (whole, 1)] {
        let folder = folder("bad.pem", content);
        let run = check("text", folder.path());
        assert_eq!(run.code, Some(1), "{}", run.out);
        assert_eq!(run.out, "1 valid at least until 2027-01-01T00:00:00Z; 1 malformed\n");
        let read: Value = serde_json::from_str(&check("json", folder.path()).out).unwrap();
        assert_eq!((&read["checked"], &read["malformed"]), (&1.into(), &1.into()));
        let parts = read["malformed_files"].as_array().unwrap();
        assert!(parts.len() == 1 && parts[0]["file"].as_str().unwrap().ends_with("bad.pem"), "{parts:?}");
        assert!(
            parts[0]["entry"].is_null() && parts[0]["line"] == line && parts[0]["message"].is_string(),
            "{parts:?}"
        );
        assert!(check("openmetrics", folder.path()).out.contains("tagwise_malformed 1\n"));
        let run = check("nagios", folder.path());
        assert_eq!(run.code, Some(1), "{}", run.out);
        assert!(run.out.contains(", of 1, 1 malformed") && run.out.contains(" malformed=1;;;0"), "{}", run.out);
        fs::remove_file(folder.path().join("a.pem")).unwrap();
        assert_eq!(check("text", folder.path()).out, "none checked; 1 malformed\n");
    }
    let read: Value = serde_json::from_str(&check("json", folder("words", b"words").path()).out).unwrap();
    assert_eq!((&read["malformed"], &read["malformed_files"]), (&0.into(), &serde_json::json!([])));
}

/// A plugin's exit code 2 would be CRITICAL.
#[test]
fn usage_errors_are_unknown_for_nagios() {
    let root = data("root.pem");
    for arguments in [
        &["check", "--format", "nagios"][..],
        &["check", "--format=nagios", "--no-such-option", &root],
        &["check", "--format", "nagios", "--expires-within", "soon", &root],
    ] {
        assert_eq!(tagwise(arguments).code, Some(3), "{arguments:?}");
    }
    assert_eq!(tagwise(&["check", "--no-such-option", &root]).code, Some(2));
    assert_eq!(tagwise(&["check", "--format", "nagios", "--help"]).code, Some(0));
}

/// A certificate that is not read is not skipped silently, wherever its boundary is.
#[test]
fn a_block_within_a_line_is_read_once() {
    let pem = fs::read_to_string(data("root.pem")).unwrap();
    let begin = pem.find("-----BEGIN").unwrap();
    let pem = &pem[begin..];
    let one_line = pem.replace('\n', "");
    let quoted: String = pem.lines().map(|line| format!("> {line}\n")).collect();
    for (content, code) in [
        (format!("cert: {pem}"), 0),
        (format!("cert={pem}"), 0),
        (format!("a\nkey: value; {pem}"), 0),
        (format!("{one_line}\n"), 0),
        (format!("cert: {one_line}\n"), 0),
        (quoted, 1),
    ] {
        let folder = folder("other", content.as_bytes());
        let read: Value = serde_json::from_str(&check("json", folder.path()).out).unwrap();
        let (checked, malformed) = (read["checked"].as_u64().unwrap(), read["malformed"].as_u64().unwrap());
        assert_eq!((checked, malformed), if code == 0 { (2, 0) } else { (1, 1) }, "{content}");
        assert_eq!(check("text", folder.path()).code, Some(code), "{content}");
    }
}

//! `check` for monitoring: servers, `--strict`, Nagios, OpenMetrics and the report.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;

use common::{data, tagwise};

const AT: &str = "2027-01-01";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A folder with a certificate and a file without one.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(data("root.pem"), folder.path().join("a.pem")).unwrap();
    fs::write(folder.path().join("README"), "words\n").unwrap();
    folder
}

#[test]
fn strict_fails_on_every_skipped_file() {
    let folder = folder();
    assert_eq!(tagwise(&["check", "--at", AT, text(folder.path())]).code, Some(0));
    let run = tagwise(&["check", "--at", AT, "--strict", text(folder.path())]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("skipped 1 file: 1 without certificates or CRLs"), "{}", run.out);
    assert!(run.err.contains("--strict does not permit"), "{}", run.err);
    let run = tagwise(&["check", "--at", AT, "--strict", "--format", "nagios", text(folder.path())]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.starts_with("CERTIFICATES WARNING - ") && run.out.contains("1 skipped"), "{}", run.out);
    fs::remove_file(folder.path().join("README")).unwrap();
    assert_eq!(tagwise(&["check", "--at", AT, "--strict", text(folder.path())]).code, Some(0));
}

#[test]
fn codes_of_nagios() {
    let root = data("root.pem");
    let run = |args: &[&str]| {
        let mut all = vec!["check", "--format", "nagios"];
        all.extend(args);
        tagwise(&all)
    };
    let of = |run: &common::Run| (run.code, run.out.split(" - ").next().unwrap().to_owned());
    let code = |code, word: &str| (Some(code), format!("CERTIFICATES {word}"));
    assert_eq!(of(&run(&["--at", AT, &root])), code(0, "OK"));
    assert_eq!(of(&run(&["--at", AT, "--expires-within", "200y", &root])), code(1, "WARNING"));
    assert_eq!(
        of(&run(&["--at", AT, "--expires-within", "200y", "--critical-within", "200y", &root])),
        code(2, "CRITICAL")
    );
    assert_eq!(of(&run(&["--at", "2200-01-01", &root])), code(2, "CRITICAL"));
    assert_eq!(of(&run(&["--at", "1980-01-01", &root])), code(2, "CRITICAL"));
    assert_eq!(of(&run(&["--at", AT, "/no/such/file", &root])), code(3, "UNKNOWN"));
    // What has expired counts more than what could not be read.
    assert_eq!(of(&run(&["--at", "2200-01-01", "/no/such/file", &root])), code(2, "CRITICAL"));
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(of(&run(&[text(folder.path())])), code(3, "UNKNOWN"));
    // One line, with one bar, in front of the performance data.
    let run = run(&["--at", "2200-01-01", &root, &data("leaf.pem")]);
    assert_eq!((run.out.lines().count(), run.out.matches('|').count()), (1, 1), "{}", run.out);
    assert!(run.out.contains(" | days_left=-"), "{}", run.out);
}

/// A name with a bar, markup, quotation marks and control characters.
#[test]
fn hostile_names_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a<b>|\"c\".pem");
    fs::copy(data("hostile.pem"), &file).unwrap();
    let page = folder.path().join("page.html");
    let run = tagwise(&["check", "--at", "2200-01-01", "--format", "nagios", "--html", text(&page), text(&file)]);
    assert_eq!(run.out.matches('|').count(), 1, "{}", run.out);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("a&lt;b&gt;|&quot;c&quot;.pem") && !html.contains("<b>"), "{html}");
    assert!(!html.contains("<script") && html.chars().all(|char| char == '\n' || !char.is_control()), "{html}");
    let run = tagwise(&["check", "--at", "2200-01-01", "--format", "openmetrics", text(&file)]);
    assert!(run.out.contains("place=\"") && run.out.contains("|\\\"c\\\".pem"), "{}", run.out);
}

#[test]
fn metrics() {
    let run = tagwise(&["check", "--at", AT, "--format", "openmetrics", &data("root.pem"), &data("list.pem")]);
    assert!(run.out.ends_with("# EOF\n"), "{}", run.out);
    let kinds = |kind: &str| run.out.matches(&format!("tagwise_not_before_seconds{{kind=\"{kind}\"")).count();
    assert_eq!((kinds("certificate"), kinds("crl")), (1, 1), "{}", run.out);
    let end = tagwise(&["get", "notAfter", &data("root.pem")]).out;
    let unix = tagwise(&["show", "--json", &data("root.pem")]).out;
    let unix: serde_json::Value = serde_json::from_str(&unix).unwrap();
    let until = &unix["files"][0]["items"][0]["certificate"]["validity"]["not_after"];
    assert_eq!(until["iso"], end.trim());
    assert!(run.out.contains(&format!("}} {}\n", until["unix"])), "{}", run.out);
    // A file that is given twice has one series.
    let twice = tagwise(&["check", "--at", AT, "--format", "openmetrics", &data("root.pem"), &data("root.pem")]);
    assert_eq!(twice.out.matches("tagwise_not_after_seconds{").count(), 1, "{}", twice.out);
    // Each family has its type once.
    let types: Vec<&str> = run.out.lines().filter(|line| line.starts_with("# TYPE ")).collect();
    assert_eq!(types.len(), 6);
}

#[test]
fn the_report_has_a_row_and_a_bar_for_each() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let run =
        tagwise(&["check", "--at", AT, "--html", text(&page), &data("root.pem"), &data("leaf.pem"), &data("list.pem")]);
    let html = fs::read_to_string(&page).unwrap();
    assert_eq!((html.matches("<rect ").count(), html.matches("<tr><td>").count()), (3, 3), "{}", run.out);
    assert!(html.contains("class=\"now\"") && html.contains("Content-Security-Policy"), "{html}");
}

#[test]
fn a_server_that_does_not_answer() {
    let run = tagwise(&["check", "tls://127.0.0.1:1"]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("tls://127.0.0.1:1: cannot be read: "), "{}", run.err);
    // Other commands take it for a file.
    let run = tagwise(&["scan", "tls://127.0.0.1:1"]);
    assert!(run.err.contains("No such file"), "{}", run.err);
}

/// Certificates in CBOR, which stores do not contain, are checked as well.
#[test]
fn certificates_in_cbor() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("root.c509");
    let made = tagwise(&["convert", "--to", "c509", &data("root.pem"), "-o", text(&file)]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let run = tagwise(&["check", "--at", AT, "--strict", text(&file)]);
    assert_eq!((run.code, &*run.out), (Some(0), "all 1 valid at least until 2027-01-01T00:00:00Z\n"), "{}", run.err);
    assert_eq!(tagwise(&["check", "--at", "2200-01-01", text(&file)]).code, Some(1));
}

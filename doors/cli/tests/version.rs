//! `tagwise version`, and `--version` with and without `--verbose`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod common;

use common::tagwise;

#[test]
fn the_option_prints_one_line() {
    for option in ["--version", "-V"] {
        let run = tagwise(&[option]);
        assert_eq!((run.code, &*run.out), (Some(0), concat!("tagwise ", env!("CARGO_PKG_VERSION"), "\n")), "{option}");
    }
}

#[test]
fn the_command_reports_features_and_backends() {
    let run = tagwise(&["version"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.first(), Some(&concat!("tagwise ", env!("CARGO_PKG_VERSION"))));
    let field = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    let (with, without) = (field("features: "), field("omitted features: "));
    for (feature, on) in [("tls", cfg!(feature = "tls")), ("openssl", cfg!(feature = "openssl"))] {
        assert_eq!(with.split(", ").any(|name| name == feature), on, "{feature}: {with}");
        assert_eq!(without.split(", ").any(|name| name == feature), !on, "{feature}: {without}");
    }
    let library = field("backend aws-lc: ").strip_prefix("AWS-LC ").unwrap_or_default();
    assert!(
        library.split('.').count() == 3 && library.split('.').all(|part| part.parse::<u32>().is_ok()),
        "{}",
        run.out
    );
}

#[test]
fn verbose_is_the_command() {
    let wanted = tagwise(&["version"]).out;
    for options in [&["--version", "--verbose"][..], &["--verbose", "--version"], &["-V", "-v"], &["-vV"], &["-Vv"]] {
        let run = tagwise(options);
        assert_eq!((run.code, &*run.out), (Some(0), &*wanted), "{options:?}: {}", run.err);
    }
    assert_eq!(tagwise(&["--verbose"]).code, Some(2));
    assert_eq!(tagwise(&["--verbose", "--version", "oid"]).code, Some(2));
}

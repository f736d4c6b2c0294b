//! What is said about the policy, and what systemd says about the units.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod stored;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use stored::{Lab, text};
use tagwise_localkdc::policy::Policy;

const MAN: &str = include_str!("../../../../docs/man/localkdc.toml.5");
const GUIDE: &str = include_str!("../../../../docs/src/localkdc.md");

/// The names between backquotes that the parser would take at this place, by its error.
fn expected(policy: &str) -> Vec<String> {
    let said = Policy::parse(policy).unwrap_err().to_string();
    let (_, list) = said.split_once("expected").unwrap_or_else(|| panic!("{said}"));
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The keys of the policy, with their sections.
fn keys() -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for name in expected("nonsense = 1\n") {
        match name.as_str() {
            "realm" | "database" => drop(keys.insert(name)),
            "services" => {
                let inner = expected("[[services]]\nnonsense = 1\n");
                keys.extend(inner.iter().map(|key| format!("services.{key}")));
            }
            _ => keys.extend(expected(&format!("[{name}]\nnonsense = 1\n")).iter().map(|key| format!("{name}.{key}"))),
        }
    }
    assert!(keys.len() > 25, "{keys:?}");
    keys
}

#[test]
fn the_man_page_and_the_guide_have_every_key() {
    let items = MAN.lines().filter_map(|line| line.strip_prefix(".It Ic "));
    let man: BTreeSet<String> = items.flat_map(|item| item.split(" , ").map(|key| key.trim().to_owned())).collect();
    assert_eq!(man, keys(), "docs/man/localkdc.toml.5");
    let (_, table) = GUIDE.split_once("| Key | Default | Meaning |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let first = rows.map(|row| row.split('|').nth(1).unwrap().to_owned());
    let guide: BTreeSet<String> =
        first.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect();
    assert_eq!(guide, keys(), "docs/src/localkdc.md");
}

#[test]
fn systemd_takes_the_units() {
    if !tagwise_testing::tool("systemd-analyze", &["--version"]) {
        return;
    }
    let Some(lab) = Lab::new("") else { return };
    lab.setup().unwrap();
    let folder = lab.layout.prefix().join("etc/systemd/system");
    let units: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(units.len(), 5, "{units:?}");
    // The programs that the units name are not all where a prefix of a test has them.
    let output = Command::new("systemd-analyze").args(["verify", "--man=no"]).args(&units).output().unwrap();
    let said = text(&output);
    let faults: Vec<&str> = said.lines().filter(|line| !line.contains("is not executable")).collect();
    assert!(faults.is_empty(), "{said}");
    // That it finds faults at all.
    let broken = lab.folder.path().join("broken.service");
    fs::write(&broken, "[Service]\nExecStart=/bin/true\nRestart=perhaps\n").unwrap();
    let output = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&broken).output().unwrap();
    assert!(text(&output).contains("perhaps"), "{}", text(&output));
}

#[test]
fn services_are_restricted() {
    if !tagwise_testing::tool("systemd-analyze", &["--version"]) {
        return;
    }
    let Some(lab) = Lab::new("") else { return };
    lab.setup().unwrap();
    let units = fs::read_dir(lab.layout.units()).unwrap().map(|entry| entry.unwrap().path());
    let services: Vec<_> = units.filter(|unit| unit.extension().is_some_and(|ending| ending == "service")).collect();
    assert_eq!(services.len(), 3, "{services:?}");
    for service in services {
        let output =
            Command::new("systemd-analyze").args(["security", "--offline=true"]).arg(&service).output().unwrap();
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        let level = report.lines().last().and_then(|line| line.split_once(".service: "));
        let level = level.and_then(|(_, level)| level.split(' ').next()?.parse::<f64>().ok());
        assert!(level.is_some_and(|level| level <= 3.0), "{}: {report}", service.display());
    }
}

/// A FIFO in place of a file would be waited for without end.
#[test]
fn inputs_are_regular_files() {
    let folder = tempfile::tempdir().unwrap();
    let layout = tagwise_localkdc::setup::Layout::new(folder.path()).unwrap();
    std::fs::create_dir_all(layout.policy().parent().unwrap()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(layout.policy()).status();
    if !made.is_ok_and(|status| status.success()) {
        tagwise_testing::skip("no mkfifo");
        return;
    }
    let error = tagwise_localkdc::policy::Policy::read(&layout.policy()).unwrap_err().to_string();
    assert!(error.contains("not a regular file"), "{error}");
}

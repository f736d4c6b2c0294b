//! `./x coverage`: the lines that tests run, with and without the corpora.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use anyhow::Result;
use serde_json::Value;
use xshell::cmd;

use crate::project::{Project, files, read, run};
use crate::runner;
use crate::steps::Steps;
use crate::tests::{extension, prepare};

const LLVM: &str = "/usr/lib/llvm-22/bin";

pub(crate) fn coverage(project: &Project) -> Result<bool> {
    prepare(project, "coverage")?;
    let mut steps = Steps::new(project, "x coverage");
    extension(project, &mut steps);
    let Project { sh, target, .. } = project;
    let profiles = project.scratch()?.join("profiles");
    sh.set_var("RUSTFLAGS", "-C instrument-coverage");
    sh.set_var("CARGO_TARGET_DIR", target.join("coverage"));
    // Programs that tests start write there, too, some of them as other users.
    for kind in ["with", "without"] {
        let folder = profiles.join(kind);
        fs::create_dir_all(&folder)?;
        fs::set_permissions(&folder, Permissions::from_mode(0o777))?;
    }
    sh.set_var("TAGWISE_PROFILES", &profiles);
    sh.set_var("LLVM_PROFILE_FILE", "/dev/null");
    sh.set_var("CARGO_INCREMENTAL", "0");
    sh.set_var("CARGO_PROFILE_DEV_DEBUG", "0");
    steps.step("tests, with coverage", || runner::run(project, &["--workspace", "--all-features"]));
    let (with, mut without) = (files(profiles.join("with/*.profraw")), files(profiles.join("without/*")));
    // A binary that uses the corpora ran once more without them.
    let again: Vec<String> = without.iter().map(|profile| binary(profile)).collect();
    without.extend(with.iter().filter(|profile| !again.contains(&binary(profile))).cloned());
    steps.step("lines that run with the corpora", || report(project, "with", &with));
    steps.step("lines that run without them", || report(project, "without", &without));
    steps.summary()
}

/// The name of the binary that wrote a profile.
fn binary(profile: &Path) -> String {
    let name = profile.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

fn is_program(path: &Path) -> bool {
    path.extension().is_none()
        && path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Prints the share of the lines of each crate that ran.
fn report(project: &Project, name: &str, profiles: &[PathBuf]) -> Result<()> {
    let Project { sh, target, .. } = project;
    let (list, merged) =
        (project.scratch()?.join(format!("{name}.list")), project.scratch()?.join(format!("{name}.profdata")));
    let lines: String = profiles.iter().map(|profile| format!("{}\n", profile.display())).collect();
    std::fs::write(&list, lines)?;
    run(cmd!(sh, "{LLVM}/llvm-profdata merge -sparse --failure-mode=all --input-files={list} -o {merged}"))?;
    // The tests that wrote profiles, and the programs that they start.
    let debug = target.join("coverage/debug");
    let tests: BTreeSet<String> = profiles.iter().map(|profile| binary(profile)).collect();
    let programs = files(debug.join("*")).into_iter().filter(|path| is_program(path));
    let objects = tests.iter().map(|name| debug.join("deps").join(name)).filter(|path| path.is_file()).chain(programs);
    let objects: Vec<PathBuf> = objects.flat_map(|path| [PathBuf::from("-object"), path]).collect();
    let left_out = "-ignore-filename-regex=/(tests|examples|registry|gen)/|/rustc/";
    let json = read(cmd!(sh, "{LLVM}/llvm-cov export -summary-only -instr-profile={merged} {objects...} {left_out}"))?;
    for (krate, (covered, count)) in by_crate(&serde_json::from_str(&json)?) {
        let share = 100.0 * covered as f64 / count.max(1) as f64;
        println!("{name}\t{krate}\t{covered}\t{count}\t{share:.1} %");
    }
    Ok(())
}

/// Covered and all lines of each crate and in total, from what `llvm-cov export` writes.
fn by_crate(export: &Value) -> BTreeMap<String, (u64, u64)> {
    let mut totals = BTreeMap::new();
    let list = |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    for entry in list(export, "data").iter().flat_map(|data| list(data, "files")) {
        let path = PathBuf::from(entry.get("filename").and_then(Value::as_str).unwrap_or_default());
        let parts: Vec<String> =
            path.components().map(|part: Component<'_>| part.as_os_str().to_string_lossy().into_owned()).collect();
        let Some([krate, _]) = parts.windows(2).find(|pair| pair.last().is_some_and(|part| part == "src")) else {
            continue;
        };
        let number = |name: &str| entry.pointer(&format!("/summary/lines/{name}")).and_then(Value::as_u64).unwrap_or(0);
        for key in [krate.as_str(), "total"] {
            let total: &mut (u64, u64) = totals.entry(key.to_owned()).or_default();
            *total = (total.0 + number("covered"), total.1 + number("count"));
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_added_up_by_crate() {
        let file = |name: &str, covered: u64, count: u64| serde_json::json!({"filename": name, "summary": {"lines": {"covered": covered, "count": count}}});
        let files = [
            file("/x/crates/a/src/lib.rs", 1, 2),
            file("/x/crates/a/src/b/c.rs", 3, 4),
            file("/x/crates/b/src/lib.rs", 0, 5),
            file("/x/build.rs", 9, 9),
        ];
        let totals = by_crate(&serde_json::json!({"data": [{"files": files}]}));
        let expected = [("a", (4, 6)), ("b", (0, 5)), ("total", (4, 11))].map(|(name, lines)| (name.to_owned(), lines));
        assert_eq!(totals, BTreeMap::from(expected));
    }

    #[test]
    fn profiles_name_their_binary() {
        assert_eq!(binary(Path::new("/p/with/corpora-0123.4711.profraw")), "corpora-0123");
    }
}

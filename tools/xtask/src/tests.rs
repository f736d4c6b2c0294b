//! `./x test` and its variants.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use xshell::{Cmd, cmd};

use crate::count::{self, LOG, SKIPS};
use crate::krb5::heimdal;
use crate::lint::clippy;
use crate::needs::provide;
use crate::project::{Project, run};
use crate::python;
use crate::runner;
use crate::steps::Steps;

/// Runs `cargo test`, shows its output, and counts from it. Returns whether all tests passed, and the counts.
pub(crate) fn counted(project: &Project, arguments: &[&str]) -> Result<(bool, String)> {
    let Project { sh, locked, .. } = project;
    count_output(project, cmd!(sh, "cargo test {locked...} {arguments...}"))
}

/// The same for a call of `cargo test` that is ready.
fn count_output(project: &Project, cargo: Cmd<'_>) -> Result<(bool, String)> {
    let scratch = project.scratch()?;
    std::fs::write(scratch.join(SKIPS), "")?;
    let mut child = Command::from(cargo.env("TAGWISE_SKIPS", scratch.join(SKIPS)))
        .stdout(Stdio::piped())
        .spawn()
        .context("cargo")?;
    let mut output = BufReader::new(child.stdout.take().context("cargo's output")?);
    let (mut log, mut shown, mut line) = (File::create(scratch.join(LOG))?, std::io::stdout().lock(), Vec::new());
    while output.read_until(b'\n', &mut line)? > 0 {
        log.write_all(&line)?;
        shown.write_all(&line)?;
        line.clear();
    }
    drop(shown);
    let passed = child.wait()?.success();
    Ok((passed, count::note(scratch)?))
}

/// Provides what the workspace's tests need; `command` is a row of the table.
pub(crate) fn prepare(project: &Project, command: &str) -> Result<()> {
    provide(project, command)?;
    if let Err(why) = heimdal(project) {
        eprintln!("x: without Heimdal, the Kerberos client is not tested with its KDC: {why:#}");
    }
    Ok(())
}

/// Every test, or those that `arguments` of `cargo test` choose.
pub(crate) fn test(project: &Project, arguments: &[String]) -> Result<bool> {
    prepare(project, "test")?;
    let mut steps = Steps::new(project, "x test");
    if !arguments.is_empty() {
        let arguments: Vec<&str> = scope(arguments)
            .into_iter()
            .chain(["--all-features"])
            .chain(arguments.iter().map(String::as_str))
            .collect();
        steps.step("the tests asked for", || counted(project, &arguments));
        return steps.summary();
    }
    extension(project, &mut steps);
    let workspace = ["--workspace", "--all-features"];
    let bench = ["--manifest-path", "bench/Cargo.toml", "--no-fail-fast"];
    let counted = |arguments: &[&[&str]]| counted(project, &arguments.concat());
    steps.step("workspace, all features", || runner::run(project, &workspace));
    steps.step("examples in the documentation", || counted(&[&workspace, &["--doc", "--no-fail-fast"]]));
    steps.step("what this script is made of", || {
        // In the folder that `./x` builds it in.
        let Project { sh, locked, target, .. } = project;
        let cargo = cmd!(sh, "cargo test {locked...} --manifest-path tools/xtask/Cargo.toml");
        count_output(project, cargo.env("CARGO_TARGET_DIR", target.join("xtask")))
    });
    steps.step("the generator of C functions", || {
        let Project { sh, locked, .. } = project;
        count_output(project, cmd!(sh, "cargo test {locked...} --manifest-path tools/c-header/Cargo.toml"))
    });
    // Only unit tests, and one file of tests, depend on these features.
    let codec = ["-p", "tagwise-codec", "--no-default-features", "--lib"];
    steps.step("codec, alloc without std", || counted(&[&codec, &["--features", "alloc"]]));
    steps.step("codec, no alloc", || counted(&[&codec, &["--test", "no_alloc"]]));
    steps.step("codec links no standard library", || no_std(project));
    steps.step("facade, default features", || counted(&[&["-p", "tagwise", "--test", "rare_extensions"]]));
    steps.step("the pipeline of a CA, small batches", || counted(&[&bench, &["-p", "tagwise-pipeline"]]));
    steps.step("a log of Merkle Tree Certificates, small sizes", || {
        counted(&[&bench, &["-p", "tagwise-mtcbench", "-p", "tagwise-plot"]])
    });
    steps.summary()
}

/// Checks and tests the program `tagwise-query`. `./x test` leaves it out, because DataFusion takes minutes to build.
pub(crate) fn query(project: &Project, arguments: &[String]) -> Result<bool> {
    let manifest = ["--manifest-path", "doors/query/Cargo.toml"];
    let mut steps = Steps::new(project, "x query");
    if arguments.is_empty() {
        steps.step("clippy", || clippy(project, &[&manifest[..], &["--all-targets"]].concat()));
    }
    let arguments: Vec<&str> = manifest.into_iter().chain(arguments.iter().map(String::as_str)).collect();
    steps.step("tests", || counted(project, &arguments));
    steps.summary()
}

/// Builds Python's extension: among the workspace's tests, stories of the Python package need it.
pub(crate) fn extension(project: &Project, steps: &mut Steps) {
    steps.step("Python's extension", || {
        if cmd!(project.sh, "python3 --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
            eprintln!("x: without python3, stories of the Python package are skipped");
            return Ok(());
        }
        project.sh.set_var("TAGWISE_PYTHON_PATH", python::importable(project)?);
        Ok(())
    });
}

/// `--workspace`, unless the arguments choose packages themselves.
fn scope(arguments: &[String]) -> Option<&'static str> {
    let own = arguments.iter().take_while(|argument| *argument != "--");
    let chosen =
        |argument: &String| argument.starts_with("-p") || argument == "--package" || argument.starts_with("--package=");
    (!own.into_iter().any(chosen)).then_some("--workspace")
}

fn no_std(project: &Project) -> Result<()> {
    let Project { sh, locked, .. } = project;
    run(cmd!(sh, "cargo check {locked...} --manifest-path tools/no-std/Cargo.toml"))?;
    run(cmd!(sh, "cargo check {locked...} --manifest-path tools/no-std/Cargo.toml --features alloc"))
}

/// The workspace's tests in an optimized build.
pub(crate) fn optimized(project: &Project) -> Result<bool> {
    prepare(project, "test-optimised")?;
    let mut steps = Steps::new(project, "x test-optimised");
    extension(project, &mut steps);
    // Close to a release build, but quicker: fat LTO of two hundred test binaries takes an hour, and level 3 half an hour.
    for (name, value) in [("LTO", "false"), ("CODEGEN_UNITS", "16"), ("DEBUG", "0"), ("OPT_LEVEL", "1")] {
        project.sh.set_var(format!("CARGO_PROFILE_RELEASE_{name}"), value);
    }
    if std::env::var_os("TAGWISE_ALL").is_none() {
        project.sh.set_var("TAGWISE_ALL", "1");
    }
    let arguments =
        ["--workspace", "--all-features", "--release", "--config", r#"profile.release.package."*".opt-level=3"#];
    steps.step("workspace, all features, optimised", || runner::run(project, &arguments));
    steps.summary()
}

/// The tests of keys and signatures with a vendored OpenSSL.
pub(crate) fn vendored(project: &Project, arguments: &[String]) -> Result<bool> {
    provide(project, "test-vendored")?;
    // A folder of its own: other builds use the system's library, and each change of this variable rebuilds everything.
    project.sh.set_var("OPENSSL_NO_VENDOR", "0");
    project.sh.set_var("CARGO_TARGET_DIR", project.target.join("vendored"));
    let mut words = vec!["-p", "tagwise-crypto", "--all-features", "--no-fail-fast"];
    words.extend(arguments.iter().map(String::as_str));
    let mut steps = Steps::new(project, "x test-vendored");
    steps.step("keys and signatures, OpenSSL built along", || counted(project, &words));
    steps.summary()
}

/// The failover test of `tagwise serve`, with 200 kills instead of 10.
pub(crate) fn failover(project: &Project) -> Result<bool> {
    provide(project, "serve-failover")?;
    project.sh.set_var("TAGWISE_KILLS", "200");
    let words = ["--workspace", "--all-features", "--test", "failover", "--", "--nocapture"];
    let mut steps = Steps::new(project, "x serve-failover");
    steps.step("200 kills under load", || counted(project, &words));
    steps.summary()
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn packages_replace_the_workspace() {
        let scope = |text: &str| scope(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(scope("oid"), Some("--workspace"));
        assert_eq!(scope("--test book -- -p"), Some("--workspace"));
        for chosen in ["-p tagwise-codec", "-ptagwise-codec oid", "--package x", "--package=x"] {
            assert_eq!(scope(chosen), None, "{chosen}");
        }
    }
}

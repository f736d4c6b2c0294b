//! `./x fuzz`: fuzz targets under AddressSanitizer.

use std::fs::File;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use xshell::cmd;

use crate::needs::provide;
use crate::project::{Project, misuse, read, run};

/// Fuzzes one target, or all of them.
#[derive(clap::Args)]
pub(crate) struct Fuzz {
    /// A target: the name of a file in fuzz/fuzz_targets [default: all]
    #[arg(value_name = "TARGET")]
    first: Option<String>,
    /// Seconds for each target [default: 60], or the path of one input, including its folder, to run with the full report
    #[arg(value_name = "SECONDS|FILE")]
    second: Option<String>,
}

const USAGE: &str = "expected SECONDS, a positive number, or a FILE with its folder";

impl Fuzz {
    /// Fuzzes, or runs one input again.
    pub(crate) fn run(&self, project: &Project) -> Result<bool> {
        let all = targets(project)?;
        let (named, rest) = match self.first.as_deref() {
            Some(first) if !first.bytes().all(|byte| byte.is_ascii_digit()) => (Some(first), self.second.as_deref()),
            first => {
                if let Some(second) = &self.second {
                    return Err(misuse(format_args!("unexpected argument {second:?} without a target")));
                }
                (None, first)
            }
        };
        if let Some(name) = named.filter(|name| !all.iter().any(|target| target == name)) {
            return Err(misuse(format_args!("no fuzz target {name}, expected one of: {}", all.join(" "))));
        }
        if let (Some(target), Some(file)) = (named, rest.filter(|rest| rest.contains('/'))) {
            let input =
                project.here.join(file).canonicalize().map_err(|error| misuse(format_args!("{file}: {error}")))?;
            return again(project, target, &input);
        }
        let seconds =
            rest.map_or(Ok(60), |text| text.parse::<u32>().ok().filter(|seconds| *seconds > 0).ok_or(misuse(USAGE)))?;
        prepare(project)?;
        fuzz(project, named, &named.map_or(all, |name| vec![name.to_owned()]), seconds)
    }
}

/// The targets, in alphabetical order.
fn targets(project: &Project) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in project.root.join("fuzz/fuzz_targets").read_dir()? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// Installs cargo-fuzz if it is missing, and sets the environment that it builds in.
fn prepare(project: &Project) -> Result<()> {
    provide(project, "fuzz")?;
    let Project { sh, target, .. } = project;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(target.join("tools/bin")).chain(std::env::split_paths(&path));
    sh.set_var("PATH", std::env::join_paths(folders)?);
    // cargo-fuzz appends a backtrace of itself to every error.
    sh.set_var("RUST_LIB_BACKTRACE", "0");
    let version = cmd!(sh, "cargo fuzz --version").quiet().ignore_stderr().read().unwrap_or_default();
    if !version.starts_with("cargo-fuzz 0.13.") {
        eprintln!("x: installing cargo-fuzz into {}/tools", target.display());
        run(cmd!(sh, "cargo install --locked --root {target}/tools --version '^0.13' cargo-fuzz"))?;
    }
    // Instrumentation and AddressSanitizer are unstable flags; this lets the stable compiler accept them.
    sh.set_var("RUSTC_BOOTSTRAP", "1");
    Ok(())
}

/// Runs one input with the whole report.
fn again(project: &Project, target: &str, input: &std::path::Path) -> Result<bool> {
    prepare(project)?;
    let sh = &project.sh;
    run(cmd!(sh, "cargo fuzz run --sanitizer address {target} {input} -- -timeout=10"))?;
    Ok(true)
}

fn fuzz(project: &Project, named: Option<&str>, targets: &[String], seconds: u32) -> Result<bool> {
    let Project { sh, locked, corpora, root, .. } = project;
    if !corpora.is_dir() {
        eprintln!("x: no corpora at {}: fuzzing from fuzz/seeds and fuzz/corpus alone", corpora.display());
    }
    // cargo-fuzz has no --locked; this fails first if the lock file is stale.
    read(cmd!(sh, "cargo metadata {locked...} --format-version=1 --manifest-path fuzz/Cargo.toml"))?;
    run(cmd!(sh, "cargo fuzz build --sanitizer address {named...}"))?;
    let logs = project.folder("x/fuzz")?;
    let (mut rows, mut passed) = (Vec::new(), true);
    for name in targets {
        let path = logs.join(format!("{name}.log"));
        println!("fuzzing {name} for {seconds} s (log: {})", path.display());
        std::fs::create_dir_all(root.join("fuzz/corpus").join(name))?;
        let seeds = seeds(project, name);
        // 64 KiB holds every seed that matters and keeps executions short; an input that needs 10 s is a hang.
        let options = [&format!("-max_total_time={seconds}"), "-max_len=65536", "-timeout=10", "-print_final_stats=1"];
        let fuzzer =
            cmd!(sh, "cargo fuzz run --sanitizer address {name} fuzz/corpus/{name} {seeds...} -- {options...}");
        let file = File::create(&path)?;
        let held = Command::from(fuzzer).stdout(file.try_clone()?).stderr(file).status()?.success();
        let log = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        rows.push(row(name, if held { "ok" } else { "FAILED" }, &log));
        if !held {
            passed = false;
            finding(&log).iter().for_each(|line| println!("{line}"));
            let prefix = format!("Test unit written to {}/", root.display());
            for (_, input) in log.lines().filter_map(|line| line.split_once(prefix.as_str())) {
                println!("again: ./x fuzz {name} {input}");
            }
        }
    }
    println!(
        "\n  {:<24} {:>14} {:>10} {:>8} {:>16}  result",
        "target", "executions", "per-second", "edges", "corpus (n/size)"
    );
    println!("{}", rows.join("\n"));
    Ok(passed)
}

/// Folders that libFuzzer only reads. `fuzz/seeds/TARGET` is the project's own; the corpora stay where they are.
fn seeds(project: &Project, target: &str) -> Vec<PathBuf> {
    let ours = |name: &str| project.root.join(name);
    let own = ours(&format!("fuzz/seeds/{target}"));
    if target == "pkcs11_uri" {
        return vec![own];
    }
    let mut folders = vec![own];
    let sets: &[&str] = if target.starts_with("mtc_") {
        &["mtc"]
    } else if target == "schema" || target == "schema_memory" {
        // Texts, not encodings.
        folders.extend([ours("fuzz/seeds/schema"), ours("schemas")]);
        &["asn1-modules"]
    } else if target.starts_with("krb5_") {
        &["kerberos/captures/raw", "kerberos/captures/ccache", "kerberos/captures/keys"]
    } else {
        &[
            "fuzz/boringssl",
            "pkits",
            "ber-strozhevsky",
            "asn1crypto",
            "rustcrypto-formats",
            "rfc-samples",
            "pyca",
            "lamps-pqc",
            "kerberos/captures/raw",
        ]
    };
    folders.extend(sets.iter().map(|set| project.corpora.join(set)));
    folders.dedup();
    folders.retain(|folder| folder.is_dir());
    folders
}

/// libFuzzer's last status line and final statistics as one row.
fn row(name: &str, result: &str, log: &str) -> String {
    let (mut runs, mut edges, mut corpus, mut rate) = ("0", "0", "-", "0");
    for line in log.lines() {
        if let Some(status) = line.strip_prefix('#').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            let words: Vec<&str> = status.split_whitespace().collect();
            runs = words.first().copied().unwrap_or(runs);
            let after = |label: &str| words.iter().skip_while(|word| **word != label).nth(1).copied();
            edges = after("cov:").unwrap_or(edges);
            corpus = after("corp:").unwrap_or(corpus);
            rate = after("exec/s:").unwrap_or(rate);
        } else if let Some(count) = line.strip_prefix("stat::number_of_executed_units:") {
            runs = count.trim();
        }
    }
    format!("  {name:<24} {runs:>14} {rate:>10} {edges:>8} {corpus:>16}  {result}")
}

/// The lines of a log that say what was found, each with the next one; the end of the log if there are none.
fn finding(log: &str) -> Vec<&str> {
    const SHOWN: usize = 20;
    let lines: Vec<&str> = log.lines().collect();
    let says = |line: &str| ["panicked at", "ERROR: ", "SUMMARY: "].iter().any(|mark| line.contains(mark));
    let previous = std::iter::once(&"").chain(&lines);
    let found: Vec<&str> = lines
        .iter()
        .zip(previous)
        .filter(|(line, previous)| says(line) || says(previous))
        .map(|(line, _)| *line)
        .take(SHOWN)
        .collect();
    if found.is_empty() { lines.iter().rev().take(SHOWN).rev().copied().collect() } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "#2\tINITED cov: 10 ft: 12 corp: 1/2b exec/s: 0 rss: 30Mb\n#4096\tpulse  cov: 77 ft: 90 corp: 12/345b lim: 4 exec/s: 2048 rss: 31Mb\n\
                       stat::number_of_executed_units: 5000\n";

    #[test]
    fn row_has_the_last_figures() {
        let row = row("pem", "ok", LOG);
        assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["pem", "5000", "2048", "77", "12/345b", "ok"]);
        assert_eq!(
            super::row("x", "FAILED", "").split_whitespace().collect::<Vec<_>>(),
            ["x", "0", "0", "0", "-", "FAILED"]
        );
    }

    #[test]
    fn finding_has_the_lines_after_errors() {
        assert_eq!(
            finding("a\nthread panicked at x\nmessage\nb\nSUMMARY: y\n"),
            ["thread panicked at x", "message", "SUMMARY: y"]
        );
        assert_eq!(finding("a\nb\n"), ["a", "b"]);
    }

    #[test]
    fn every_target_has_seeds_that_exist() {
        let project = Project::new().unwrap();
        let targets = targets(&project).unwrap();
        assert!(targets.len() > 20, "{targets:?}");
        for target in targets {
            let seeds = seeds(&project, &target);
            assert!(seeds.iter().all(|folder| folder.is_dir()), "{target}: {seeds:?}");
            let own = project.root.join("fuzz/seeds").join(&target);
            assert_eq!(seeds.contains(&own), own.is_dir(), "{target}");
        }
    }

    #[test]
    fn texts_and_encodings_have_different_seeds() {
        let project = Project::new().unwrap();
        let of = |target| seeds(&project, target);
        let schemas = project.root.join("schemas");
        assert!(
            of("schema").contains(&schemas) && of("schema_memory").contains(&schemas) && !of("pem").contains(&schemas)
        );
        let pkits = project.corpora.join("pkits");
        assert!(
            !of("pkcs11_uri").contains(&pkits) && !of("mtc_tile").contains(&pkits) && !of("krb5_pac").contains(&pkits)
        );
    }
}

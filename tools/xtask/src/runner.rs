//! Runs test binaries, as many at a time as there are processors and one that waits, and those that use the corpora once more without
//! them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::count::{self, LOG, SKIPS};
use crate::manifests;
use crate::project::{Project, read};

/// The file that tests that use the corpora write the paths of their binaries to.
const USERS: &str = "users";

/// Binaries that take longest, the longest in front: they go first, so that none is still running when all others have ended.
const LONG: [&str; 22] = [
    "wycheproof",
    "modules_mutated",
    "scan",
    "bombs",
    "messages",
    "wycheproof_encryption",
    "tagwise_codec",
    "dump",
    "rules",
    "key_formats",
    "openssl_text",
    "libtagwise",
    "value",
    "tagwise_x509",
    "book",
    "from_openssl",
    "registers",
    "round_trip",
    "tagwise_path",
    "across",
    "corpora",
    "overlays",
];

/// Binaries that mostly wait, for servers, time limits and other programs, the longest in front: one at a time runs beside the others
/// and takes no processor from them.
const WAITING: [&str; 15] = [
    "ca_kill",
    "network",
    "otp",
    "ca_acme",
    "transports",
    "fetch",
    "standing",
    "remote_protocols",
    "failover",
    "story",
    "faults",
    "remote_real",
    "ca_serve",
    "remote",
    "kill",
];

/// A test binary.
pub(crate) struct Binary {
    /// Its package's folder, in which cargo runs it.
    folder: PathBuf,
    package: String,
    pub(crate) executable: PathBuf,
    /// The name of the test target.
    pub(crate) target: String,
}

impl Binary {
    /// The folder's name and the target's.
    fn name(&self) -> String {
        let folder = self.folder.file_name().unwrap_or_default().to_string_lossy();
        format!("{folder}/{}", self.target)
    }
}

/// What every run of a binary has in common.
struct Setting<'a> {
    scratch: &'a Path,
    /// Variables of the environment.
    variables: Vec<(OsString, OsString)>,
    /// An empty folder in place of the corpora.
    hidden: Option<PathBuf>,
}

/// Builds the test binaries of a call of `cargo test` and runs them. Returns whether all passed, and the counts.
pub(crate) fn run(project: &Project, arguments: &[&str]) -> Result<(bool, String)> {
    let binaries = build(project, arguments)?;
    if binaries.is_empty() {
        bail!("cargo built no test binary");
    }
    let scratch = project.scratch()?;
    std::fs::write(scratch.join(SKIPS), "")?;
    std::fs::write(scratch.join(USERS), "")?;
    let mut variables = project.variables();
    variables.push(("LD_LIBRARY_PATH".into(), libraries(&project.sh)?));
    let mut setting = Setting { scratch, variables, hidden: None };
    let holds = side_by_side(binaries.iter().map(|binary| (binary, Vec::new())), &setting)?;
    let note = count::note(scratch)?;
    // Tests that use the corpora must pass without them, too: a register is compared only with data that is there.
    let users = users(&std::fs::read_to_string(scratch.join(USERS))?);
    let tests = |binary: &Binary| users.get(&*binary.executable.to_string_lossy()).cloned();
    let affected: Vec<_> = binaries.iter().filter_map(|binary| Some((binary, tests(binary)?))).collect();
    let hidden = scratch.join("no-corpora");
    std::fs::create_dir_all(&hidden)?;
    std::fs::write(scratch.join(SKIPS), "")?;
    println!("\nonce more without the corpora ({} binaries):", affected.len());
    setting.hidden = Some(hidden);
    let bare = side_by_side(affected.into_iter(), &setting)?;
    let counts = count::short(scratch)?;
    Ok((holds && bare, format!("{note}; without the corpora: {counts}")))
}

/// The tests that used the corpora, for each binary. An empty list stands for all of its tests: one of them did not give its name.
fn users(lines: &str) -> BTreeMap<String, Vec<String>> {
    let mut users: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (binary, test) in lines.lines().filter_map(|line| line.split_once('\t')) {
        users.entry(binary).or_default().insert(test);
    }
    let named = |tests: BTreeSet<&str>| {
        if tests.contains("") { Vec::new() } else { tests.into_iter().map(str::to_owned).collect() }
    };
    users.into_iter().map(|(binary, tests)| (binary.to_owned(), named(tests))).collect()
}

/// A binary, and its tests to run: all, if none is named.
type Task<'a> = (&'a Binary, Vec<String>);

/// Binaries that have not run: those that work, and those that wait.
struct Queues<'a>(Mutex<[VecDeque<Task<'a>>; 2]>);

impl<'a> Queues<'a> {
    fn new(tasks: impl Iterator<Item = Task<'a>>) -> Self {
        let (wait, work) = tasks.partition(|(binary, _)| WAITING.contains(&binary.target.as_str()));
        Self(Mutex::new([work, wait]))
    }

    /// The next binary. Who takes those that wait takes no others, so that no more binaries work than there are processors.
    fn next(&self, waits: bool) -> Option<Task<'a>> {
        let [work, wait] = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waits { wait.pop_front() } else { work.pop_front().or_else(|| wait.pop_front()) }
    }
}

/// Runs tests of binaries, as many binaries at a time as there are processors, and one that waits; whether all passed.
fn side_by_side<'a>(binaries: impl Iterator<Item = Task<'a>>, setting: &Setting<'_>) -> Result<bool> {
    let queues = Queues::new(binaries);
    let log = Mutex::new(File::create(setting.scratch.join(LOG))?);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let work = |waits: bool| -> Result<bool> {
        let mut holds = true;
        loop {
            let Some((binary, tests)) = queues.next(waits) else { return Ok(holds) };
            let start = Instant::now();
            let (passed, output) = one(binary, &tests, setting)?;
            let (seconds, name) = (start.elapsed().as_secs(), binary.name());
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            log.write_all(&output)?;
            let text = String::from_utf8_lossy(&output);
            match passed {
                Ok(()) => println!("{seconds:4} s  {name}"),
                Err(why) => {
                    println!("{seconds:4} s  {name}: FAILED ({why})\n{text}");
                    if !text.lines().any(|line| line.starts_with("test result:")) {
                        writeln!(log, "\ntest result: FAILED. 0 passed; 1 failed; the binary ended early")?;
                    }
                    holds = false;
                }
            }
        }
    };
    let results: Vec<Result<bool>> = std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..=workers).map(|number| scope.spawn(move || work(number == workers))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<bool>>| {
            thread.join().unwrap_or_else(|_| bail!("a thread of the runner panicked"))
        };
        threads.into_iter().map(join).collect()
    });
    results.into_iter().try_fold(true, |holds, result| Ok(holds & result?))
}

/// The test binaries of a call of `cargo test`, those that take long in front.
pub(crate) fn build(project: &Project, arguments: &[&str]) -> Result<Vec<Binary>> {
    let Project { sh, locked, .. } = project;
    let cargo = cmd!(sh, "cargo test --no-run --message-format=json-render-diagnostics {locked...} {arguments...}");
    let mut child = Command::from(cargo).stdout(Stdio::piped()).spawn().context("cargo")?;
    let output = child.stdout.take().context("cargo's output")?;
    let mut binaries = Vec::new();
    for line in BufReader::new(output).lines() {
        let line = line?;
        // Programs that cargo runs may print lines of their own.
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        let text = |path: &str| message.pointer(path).and_then(Value::as_str);
        let is_test = message.pointer("/profile/test") == Some(&Value::Bool(true));
        let (true, Some(executable)) = (is_test, text("/executable")) else { continue };
        let manifest = Path::new(text("/manifest_path").context("an artifact without a manifest")?);
        let table = manifests::table(manifest)?;
        let name = table.get("package").and_then(|package| package.get("name")).and_then(|name| name.as_str());
        binaries.push(Binary {
            folder: manifest.parent().context("a manifest without a folder")?.into(),
            package: name.context("a package without a name")?.to_owned(),
            executable: executable.into(),
            target: text("/target/name").context("an artifact without a target")?.to_owned(),
        });
    }
    if !child.wait()?.success() {
        bail!("the tests do not compile");
    }
    binaries.sort_by_key(|binary| place(&binary.target));
    Ok(binaries)
}

/// The place of a binary in the order that they run in.
fn place(target: &str) -> usize {
    LONG.iter().chain(&WAITING).position(|name| *name == target).unwrap_or(usize::MAX)
}

/// Runs tests of a binary, or all, as cargo does. Returns whether it passed, and its output, which is kept until it ends: others run beside it.
fn one(binary: &Binary, tests: &[String], setting: &Setting<'_>) -> Result<(Result<(), String>, Vec<u8>)> {
    let Setting { scratch, variables, hidden } = setting;
    let path = scratch.join(format!("{}.log", binary.name().replace('/', "-")));
    let file = File::create(&path)?;
    let mut command = Command::new(&binary.executable);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    if let Some(folder) = hidden {
        command.env("TAGWISE_CORPORA", folder).env("TAGWISE_CASES", folder.join("cases")).env_remove("CI");
    }
    // Under `./x coverage`, each binary writes profiles, merged over its processes, whose names say which binary it was and whether it had the corpora.
    if let Some((_, folder)) = variables.iter().find(|(name, _)| name == "TAGWISE_PROFILES") {
        let kind = if hidden.is_some() { "without" } else { "with" };
        let executable = binary.executable.file_name().unwrap_or_default().to_string_lossy();
        command.env("LLVM_PROFILE_FILE", Path::new(folder).join(kind).join(format!("{executable}.%2m.profraw")));
    }
    let status = command
        .arg("--quiet")
        .args((!tests.is_empty()).then_some("--exact"))
        .args(tests)
        .current_dir(&binary.folder)
        .env("CARGO_MANIFEST_DIR", &binary.folder)
        .env("CARGO_PKG_NAME", &binary.package)
        .env("TAGWISE_SKIPS", scratch.join(SKIPS))
        .env("TAGWISE_CORPORA_USERS", scratch.join(USERS))
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .status()
        .with_context(|| binary.executable.display().to_string())?;
    let output = std::fs::read(&path)?;
    std::fs::remove_file(&path)?;
    Ok((if status.success() { Ok(()) } else { Err(status.to_string()) }, output))
}

/// Where tests of compiler plugins find the compiler's libraries.
fn libraries(sh: &Shell) -> Result<OsString> {
    let (target, sysroot) = (read(cmd!(sh, "rustc --print target-libdir"))?, read(cmd!(sh, "rustc --print sysroot"))?);
    Ok(format!("{target}:{sysroot}/lib").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binaries_of_which_a_test_gave_no_name_run_again_whole() {
        let found = users("/a\tmod::one\n/a\ttwo\n/a\ttwo\n/b\t\n/b\tone\n");
        assert_eq!(found["/a"], ["mod::one", "two"]);
        assert!(found["/b"].is_empty() && found.len() == 2);
    }
    fn binary(target: &str) -> Binary {
        Binary { folder: PathBuf::new(), package: String::new(), executable: PathBuf::new(), target: target.to_owned() }
    }

    #[test]
    fn binaries_that_wait_run_beside_the_others() {
        let binaries = ["oid", "ca_kill", "scan", "fetch"].map(binary);
        let queues = Queues::new(binaries.iter().map(|binary| (binary, Vec::new())));
        let next = |waits| queues.next(waits).map(|(binary, _)| binary.target.as_str());
        assert_eq!([next(true), next(false), next(false)], [Some("ca_kill"), Some("oid"), Some("scan")]);
        assert_eq!([next(false), next(true), next(false)], [Some("fetch"), None, None]);
    }

    #[test]
    fn the_longest_go_first() {
        let mut targets = ["oid", "network", "ca_kill", "bombs", "wycheproof"];
        targets.sort_by_key(|target| place(target));
        assert_eq!(targets, ["wycheproof", "bombs", "ca_kill", "network", "oid"]);
    }
}

//! Runs test binaries, as many at a time as there are processors, and those that use the corpora once more without them.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use cargo_metadata::Message;

use crate::count::{self, LOG, SKIPS};

/// The file that tests that use the corpora write the paths of their binaries to.
const USERS: &str = "users";

/// Binaries that take longest; they go first.
const LONG: [&str; 12] = [
    "across",
    "ca_kill",
    "corpora",
    "dump",
    "messages",
    "mutations",
    "registers",
    "scan",
    "sequence",
    "ui",
    "wycheproof",
    "wycheproof_encryption",
];

struct Binary {
    /// Its package's folder, in which cargo runs it.
    folder: PathBuf,
    package: String,
    executable: PathBuf,
    target: String,
}

impl Binary {
    /// The folder's name and the target's.
    fn name(&self) -> String {
        let folder = self.folder.file_name().unwrap_or_default().to_string_lossy();
        format!("{folder}/{}", self.target)
    }
}

/// Builds and runs; whether all passed, and the counts.
pub(crate) fn run(root: &Path, scratch: &Path, arguments: &[String]) -> Result<(bool, String)> {
    let binaries = build(root, arguments)?;
    if binaries.is_empty() {
        bail!("cargo built no test binary");
    }
    std::fs::write(scratch.join(SKIPS), "")?;
    std::fs::write(scratch.join(USERS), "")?;
    let libraries = libraries()?;
    let holds = side_by_side(binaries.iter(), scratch, &libraries, None)?;
    let note = count::note(scratch)?;
    // What uses the corpora must hold without them, too: a register is compared only with data that is there.
    let users = std::fs::read_to_string(scratch.join(USERS))?;
    let users: BTreeSet<&str> = users.lines().collect();
    let affected = binaries.iter().filter(|binary| users.contains(&*binary.executable.to_string_lossy()));
    let hidden = scratch.join("no-corpora");
    std::fs::create_dir_all(&hidden)?;
    std::fs::write(scratch.join(SKIPS), "")?;
    println!("\nonce more without the corpora ({} binaries):", affected.clone().count());
    let bare = side_by_side(affected, scratch, &libraries, Some(&hidden))?;
    let counts = count::short(scratch)?;
    Ok((holds && bare, format!("{note}; without the corpora: {counts}")))
}

/// Runs binaries, as many at a time as there are processors; whether all passed. `hidden` is an empty folder in place of the corpora.
fn side_by_side<'a>(
    binaries: impl Iterator<Item = &'a Binary>,
    scratch: &Path,
    libraries: &OsString,
    hidden: Option<&Path>,
) -> Result<bool> {
    let queue = Mutex::new(binaries.collect::<VecDeque<_>>());
    let log = Mutex::new(File::create(scratch.join(LOG))?);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || -> Result<bool> {
        let mut holds = true;
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(binary) = next else { return Ok(holds) };
            let start = Instant::now();
            let (passed, output) = one(binary, scratch, libraries, hidden)?;
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
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<bool>>| {
            thread.join().unwrap_or_else(|_| bail!("a thread of the runner panicked"))
        };
        threads.into_iter().map(join).collect()
    });
    results.into_iter().try_fold(true, |holds, result| Ok(holds & result?))
}

/// The test binaries of a call of `cargo test`, those that take long in front.
fn build(root: &Path, arguments: &[String]) -> Result<Vec<Binary>> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["test", "--no-run", "--message-format=json-render-diagnostics"]).args(arguments);
    // Cargo sets these for this program; the tests are none of its package.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_")
            || name == "CARGO_MANIFEST_DIR"
            || name == "CARGO_MANIFEST_PATH"
        {
            cargo.env_remove(name);
        }
    }
    let mut child = cargo.stdout(Stdio::piped()).spawn().context("cargo")?;
    let output = child.stdout.take().context("cargo's output")?;
    let mut binaries = Vec::new();
    for message in Message::parse_stream(BufReader::new(output)) {
        let Message::CompilerArtifact(artifact) = message? else { continue };
        let (true, Some(executable)) = (artifact.profile.test, artifact.executable) else { continue };
        let folder = artifact.manifest_path.parent().context("a manifest without a folder")?;
        binaries.push(Binary {
            folder: folder.into(),
            package: package(artifact.manifest_path.as_std_path())?,
            executable: executable.into(),
            target: artifact.target.name,
        });
    }
    if !child.wait()?.success() {
        bail!("the tests do not compile");
    }
    binaries.sort_by_key(|binary| !LONG.contains(&binary.target.as_str()));
    Ok(binaries)
}

fn package(manifest: &Path) -> Result<String> {
    let table: toml::Table = std::fs::read_to_string(manifest)?.parse()?;
    let name = table.get("package").and_then(|package| package.get("name")).and_then(|name| name.as_str());
    Ok(name.context("a package without a name")?.to_owned())
}

/// Runs one as cargo does; its output, which is kept until it ends: others run beside it.
fn one(
    binary: &Binary,
    scratch: &Path,
    libraries: &OsString,
    hidden: Option<&Path>,
) -> Result<(Result<(), String>, Vec<u8>)> {
    let path = scratch.join(format!("{}.log", binary.name().replace('/', "-")));
    let file = File::create(&path)?;
    let mut command = Command::new(&binary.executable);
    if let Some(folder) = hidden {
        command.env("TAGWISE_CORPORA", folder).env("TAGWISE_CASES", folder.join("cases")).env_remove("CI");
    }
    // Under `./x coverage`, each run leaves a profile that says which binary it is of, and whether it had the corpora.
    if let Some(folder) = std::env::var_os("TAGWISE_PROFILES") {
        let kind = if hidden.is_some() { "without" } else { "with" };
        let executable = binary.executable.file_name().unwrap_or_default().to_string_lossy();
        command.env("LLVM_PROFILE_FILE", Path::new(&folder).join(kind).join(format!("{executable}.%p.profraw")));
    }
    let status = command
        .arg("--quiet")
        .current_dir(&binary.folder)
        .env("CARGO_MANIFEST_DIR", &binary.folder)
        .env("CARGO_PKG_NAME", &binary.package)
        .env("LD_LIBRARY_PATH", libraries)
        .env("TAGWISE_SKIPS", scratch.join(SKIPS))
        .env("TAGWISE_CORPORA_USERS", scratch.join(USERS))
        .stdout(file.try_clone()?)
        .stderr(file)
        .status()
        .with_context(|| binary.executable.display().to_string())?;
    let output = std::fs::read(&path)?;
    std::fs::remove_file(&path)?;
    Ok((if status.success() { Ok(()) } else { Err(status.to_string()) }, output))
}

/// Where tests of compiler plugins find the compiler's libraries.
fn libraries() -> Result<OsString> {
    let print = |what: &str| -> Result<String> {
        let output = Command::new("rustc").args(["--print", what]).output().context("rustc")?;
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    };
    Ok(format!("{}:{}/lib", print("target-libdir")?, print("sysroot")?).into())
}

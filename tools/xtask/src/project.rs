//! The checkout, the folder for builds, and how programs are started.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use xshell::{Cmd, Shell, cmd};

/// The folders that commands work in, and a shell whose working directory is the root.
pub(crate) struct Project {
    /// The checkout.
    pub(crate) root: PathBuf,
    /// The user's working directory, which relative paths in arguments start from.
    pub(crate) here: PathBuf,
    /// Where builds go, and everything else that commands keep.
    pub(crate) target: PathBuf,
    /// Third-party test data, which may be missing.
    pub(crate) corpora: PathBuf,
    /// `--locked` under `CI=true`.
    pub(crate) locked: Option<&'static str>,
    /// Starts programs in [`Self::root`] with the environment of all builds.
    pub(crate) sh: Shell,
    /// When the command began.
    pub(crate) started: Instant,
    scratch: OnceCell<PathBuf>,
}

impl Project {
    /// Reads the environment.
    pub(crate) fn new() -> Result<Self> {
        let here = std::env::current_dir()?;
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let root = variable("X_ROOT").unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into());
        let root = PathBuf::from(root).canonicalize()?;
        let target = variable("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| here.join(folder));
        let given = variable("TAGWISE_CORPORA").map(|folder| here.join(folder));
        let sh = Shell::new()?;
        sh.change_dir(&root);
        // The side workspaces share most crates with the root: one folder builds them once.
        sh.set_var("CARGO_TARGET_DIR", &target);
        let default = |name: &str, value: &str| {
            if variable(name).is_none() {
                sh.set_var(name, value);
            }
        };
        // For builds that start outside of the checkout, where cargo does not read .cargo/config.toml (SECURITY.md).
        default("AWS_LC_SYS_NO_JITTER_ENTROPY", "1");
        if let Some(folder) = &given {
            sh.set_var("TAGWISE_CORPORA", folder);
        }
        let frozen = std::env::var("CI").is_ok_and(|value| value == "true");
        if frozen {
            // Builds happen once, so incremental data and line tables (most of the size of test binaries) are not worth their space.
            default("CARGO_INCREMENTAL", "0");
            default("CARGO_PROFILE_DEV_DEBUG", "0");
        }
        Ok(Self {
            corpora: given.unwrap_or_else(|| root.join("../shared/corpora")),
            locked: frozen.then_some("--locked"),
            started: Instant::now(),
            scratch: OnceCell::new(),
            root,
            here,
            target,
            sh,
        })
    }

    /// A folder that is deleted when the command ends.
    pub(crate) fn scratch(&self) -> Result<&Path> {
        if let Some(folder) = self.scratch.get() {
            return Ok(folder);
        }
        let home = self.folder("x")?;
        // Interrupted commands leave theirs behind.
        for entry in home.read_dir()?.flatten() {
            let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
            let stale = age.is_some_and(|age| age > Duration::from_secs(24 * 3600));
            if stale && entry.file_name().to_string_lossy().starts_with("scratch.") {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        let folder = home.join(format!("scratch.{}", std::process::id()));
        fresh(&folder)?;
        Ok(self.scratch.get_or_init(|| folder))
    }

    /// A folder below the target folder, created if it is missing.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.target.join(name);
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(folder)
    }

    /// The variables that [`Self::sh`] adds, for programs that are started without it.
    pub(crate) fn variables(&self) -> Vec<(OsString, OsString)> {
        let command = Command::from(cmd!(self.sh, "env"));
        command.get_envs().filter_map(|(name, value)| Some((name.into(), value?.into()))).collect()
    }

    /// Runs a release build of a program from where the user is, in place of this process. `built` is its path in `release/`.
    pub(crate) fn release(&self, built: &str, arguments: &[&str], rest: &[String]) -> Result<bool> {
        if !self.target.join("release").join(built).is_file() {
            eprintln!("x: the first release build takes a few minutes");
        }
        let Self { sh, locked, here, .. } = self;
        sh.change_dir(here);
        Err(exec(cmd!(sh, "cargo run {locked...} -q --release {arguments...} -- {rest...}")))
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        if let Some(folder) = self.scratch.get() {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Why a command ended early, with its exit code. Other errors have code 1.
#[derive(Debug)]
pub(crate) struct Stop(pub(crate) u8, String);

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.1)
    }
}

impl std::error::Error for Stop {}

/// An error in the arguments: exit code 2.
pub(crate) fn misuse(text: impl std::fmt::Display) -> anyhow::Error {
    Stop(2, format!("{text}; see ./x help")).into()
}

/// The machine lacks something: exit code 3.
pub(crate) fn cannot(text: impl std::fmt::Display) -> anyhow::Error {
    Stop(3, text.to_string()).into()
}

/// Runs a program to its end without printing the command line. Fails if the program does.
pub(crate) fn run(command: Cmd<'_>) -> Result<()> {
    Ok(command.quiet().run()?)
}

/// The standard output of a program, without the last line break.
pub(crate) fn read(command: Cmd<'_>) -> Result<String> {
    Ok(command.quiet().read()?)
}

/// Whether a program can be started and succeeds; its output is discarded.
pub(crate) fn succeeds(command: Cmd<'_>) -> bool {
    command.quiet().ignore_stdout().ignore_stderr().run().is_ok()
}

/// Replaces this process, so that the program's input, signals and exit code are the user's. Returns only an error, so that nothing can
/// be planned for later.
pub(crate) fn exec(command: Cmd<'_>) -> anyhow::Error {
    let shown = command.to_string();
    cannot(format!("could not run `{shown}`: {}", Command::from(command).exec()))
}

/// Creates an empty folder, and deletes what was there.
pub(crate) fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())
}

/// The files that match a pattern, sorted by name.
pub(crate) fn files(pattern: impl AsRef<Path>) -> Vec<PathBuf> {
    glob::glob(&pattern.as_ref().to_string_lossy()).map_or_else(|_| Vec::new(), |found| found.flatten().collect())
}

/// The triple of this machine, as `--target` expects it.
pub(crate) fn host(sh: &Shell) -> Result<String> {
    let version = read(cmd!(sh, "rustc -vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}

//! Where packages are built, and the programs that build them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Folders, version and time of one run.
pub(super) struct Room {
    /// The workspace.
    pub(super) root: PathBuf,
    /// Cargo's target directory.
    pub(super) target: PathBuf,
    /// Scratch folders, one for each artifact.
    pub(super) work: PathBuf,
    /// The artifacts.
    pub(super) out: PathBuf,
    /// The workspace's version.
    pub(super) version: String,
    /// Seconds since 1970 of the last commit, or `SOURCE_DATE_EPOCH`.
    pub(super) epoch: String,
    /// Nothing is compiled.
    pub(super) prebuilt: bool,
}

impl Room {
    /// Makes the folders.
    pub(super) fn new(root: &Path, out: Option<&Path>, prebuilt: bool) -> Result<Self> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let target = std::path::absolute(target)?;
        let manifest: toml::Table = fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
        let version = manifest.get("workspace").and_then(|value| value.get("package")?.get("version")?.as_str());
        let version = version.context("Cargo.toml: expected workspace.package.version")?.to_owned();
        let epoch = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(epoch) => epoch,
            Err(_) => output(Command::new("git").arg("-C").arg(root).args(["log", "-1", "--format=%ct"]))?,
        };
        let work = target.join("package");
        let out = std::path::absolute(out.map_or_else(|| work.join("out"), Path::to_path_buf))?;
        fs::create_dir_all(&work)?;
        fs::create_dir_all(&out)?;
        Ok(Self { root: root.to_path_buf(), target, work, out, version, epoch: epoch.trim().to_owned(), prebuilt })
    }

    /// Makes an empty scratch folder.
    pub(super) fn fresh(&self, name: &str) -> Result<PathBuf> {
        let folder = self.work.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// A program that sees the time of the commit, and writes files that everybody may read.
    pub(super) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("SOURCE_DATE_EPOCH", &self.epoch).env("LC_ALL", "C.UTF-8").env("TZ", "UTC").current_dir(&self.root);
        command
    }

    /// Sizes and names of the artifacts.
    pub(super) fn listing(&self) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for entry in fs::read_dir(&self.out)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                lines.push(format!("{}  {:>11}", entry.path().display(), entry.metadata()?.len()));
            }
        }
        lines.sort();
        Ok(lines)
    }
}

/// Runs a program to its end.
pub(super) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| command.get_program().display().to_string())?;
    if !status.success() {
        bail!("{} failed: {status}", line(command));
    }
    Ok(())
}

/// Runs a program to its end; returns what it prints.
pub(super) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| command.get_program().display().to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        bail!("{} failed: {}\n{text}{}", line(command), output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(text)
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Files in a folder whose names have this ending, sorted.
pub(super) fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

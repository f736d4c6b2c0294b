//! Packages of the workspace, and the workspaces beside it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::Value;
use xshell::cmd;

use crate::project::{Project, read};

/// A member of the root's workspace.
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its folder, from the root.
    pub(crate) folder: PathBuf,
    /// Whether `cargo test --lib` finds something.
    pub(crate) library: bool,
    /// The packages of this repository that it depends on, in any kind of dependency.
    pub(crate) dependencies: Vec<String>,
}

/// The members of the workspace, in the order of cargo.
pub(crate) fn packages(project: &Project) -> Result<Vec<Package>> {
    let Project { sh, locked, root, .. } = project;
    let text = read(cmd!(sh, "cargo metadata {locked...} --no-deps --format-version 1"))?;
    let metadata: Value = serde_json::from_str(&text)?;
    list(&metadata, "packages")
        .map(|package| parsed(package, root))
        .collect::<Option<_>>()
        .context("unexpected output of cargo metadata")
}

fn parsed(package: &Value, root: &Path) -> Option<Package> {
    const LIBRARIES: [&str; 4] = ["lib", "rlib", "proc-macro", "cdylib"];
    let kinds = list(package, "targets").flat_map(|target| list(target, "kind")).filter_map(Value::as_str);
    let local = list(package, "dependencies").filter(|dependency| dependency.get("path").is_some_and(Value::is_string));
    let manifest = Path::new(package.get("manifest_path")?.as_str()?);
    Some(Package {
        name: package.get("name")?.as_str()?.to_owned(),
        folder: manifest.parent()?.strip_prefix(root).ok()?.to_owned(),
        library: kinds.into_iter().any(|kind| LIBRARIES.contains(&kind)),
        dependencies: local.filter_map(|dependency| Some(dependency.get("name")?.as_str()?.to_owned())).collect(),
    })
}

fn list<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// Folders of the crates, by layer, and of the doors, from the root.
pub(crate) fn folders(root: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for layer in root.join("crates").read_dir()? {
        folders.push(Path::new("crates").join(layer?.file_name()));
    }
    folders.push("doors".into());
    let mut found = Vec::new();
    for folder in folders {
        for entry in root.join(&folder).read_dir()? {
            found.push(folder.join(entry?.file_name()));
        }
    }
    found.retain(|folder| root.join(folder).join("Cargo.toml").is_file());
    found.sort();
    Ok(found)
}

/// Folders of the workspaces that have lock files of their own, from the root.
pub(crate) fn sides(root: &Path) -> Result<Vec<String>> {
    let mut sides: Vec<String> =
        ["bench", "doors/duckdb", "doors/python", "doors/query", "fuzz"].map(str::to_owned).into();
    let mut tools: Vec<String> = Vec::new();
    for entry in root.join("tools").read_dir()? {
        tools.push(format!("tools/{}", entry?.file_name().to_string_lossy()));
    }
    tools.sort();
    sides.extend(tools);
    sides.retain(|side| root.join(side).join("Cargo.toml").is_file());
    Ok(sides)
}

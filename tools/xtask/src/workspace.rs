//! Packages of the workspace, and the workspaces beside it.

use std::path::Path;

use anyhow::{Result, bail};
use cargo_metadata::{Metadata, MetadataCommand, Package, TargetKind};

/// What cargo says of the root's workspace: its members, and with `dependencies` all that they need.
pub(crate) fn metadata(root: &Path, dependencies: bool) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.manifest_path(root.join("Cargo.toml"));
    let mut options = Vec::new();
    if std::env::var("CI").is_ok_and(|value| value == "true") {
        options.push("--locked".to_owned());
    }
    if dependencies {
        command.features(cargo_metadata::CargoOpt::AllFeatures);
    } else {
        command.no_deps();
    }
    Ok(command.other_options(options).exec()?)
}

/// Names of the members, in the order of cargo; with `names`, those, each of which must be a member.
pub(crate) fn packages(root: &Path, crates: bool, libraries: bool, names: &[String]) -> Result<Vec<String>> {
    let metadata = metadata(root, false)?;
    let members = metadata.workspace_packages();
    if let Some(name) = names.iter().find(|name| members.iter().all(|package| package.name.as_str() != name.as_str())) {
        bail!("no crate {name}");
    }
    let folder = root.join("crates");
    let chosen = |package: &&&Package| {
        (!crates || package.manifest_path.as_std_path().starts_with(&folder))
            && (!libraries || has_library(package))
            && (names.is_empty() || names.iter().any(|name| name == package.name.as_str()))
    };
    Ok(members.iter().filter(chosen).map(|package| package.name.to_string()).collect())
}

/// Whether `cargo test --lib` finds something.
fn has_library(package: &Package) -> bool {
    let library = |kind: &TargetKind| {
        matches!(kind, TargetKind::Lib | TargetKind::RLib | TargetKind::ProcMacro | TargetKind::CDyLib)
    };
    package.targets.iter().any(|target| target.kind.iter().any(library))
}

/// Folders of the workspaces that have lock files of their own.
pub(crate) fn sides(root: &Path) -> Result<Vec<String>> {
    let mut sides: Vec<String> = ["bench", "bindings/python", "fuzz"].map(str::to_owned).into();
    let mut tools: Vec<String> = Vec::new();
    for entry in root.join("tools").read_dir()? {
        tools.push(format!("tools/{}", entry?.file_name().to_string_lossy()));
    }
    tools.sort();
    sides.extend(tools);
    sides.retain(|side| root.join(side).join("Cargo.toml").is_file());
    Ok(sides)
}

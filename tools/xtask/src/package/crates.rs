//! The crates, as `cargo publish` would upload them, in the order of publication.

use std::fs;

use anyhow::{Result, bail};

use crate::needs::program;

use super::room::{Room, files, output, run};

/// Packages every crate that may be published. What they contain is not compiled: `cargo package --workspace` does that.
pub(super) fn package(room: &Room) -> Result<()> {
    deny(room)?;
    let metadata = output(room.command("cargo").args(["metadata", "--locked", "--no-deps", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let none = Vec::new();
    let packages = metadata.get("packages").and_then(|value| value.as_array()).unwrap_or(&none);
    let folder = room.fresh("crates")?;
    let mut cargo = room.command("cargo");
    cargo.args(["package", "--locked", "--workspace", "--no-verify", "--allow-dirty"]).arg("--target-dir").arg(&folder);
    let mut published = 0;
    for package in packages {
        let name = package.get("name").and_then(|name| name.as_str()).unwrap_or_default();
        // `publish = false` is an empty list of registries.
        if package.get("publish").is_some_and(|registries| registries.as_array().is_some_and(Vec::is_empty)) {
            cargo.args(["--exclude", name]);
        } else {
            published += 1;
        }
    }
    let output = cargo.output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    for line in
        log.lines().filter(|line| line.contains("Packaging ") || line.contains("warning") || line.contains("error"))
    {
        println!("{}", line.trim());
    }
    if !output.status.success() || log.contains("warning: manifest has no") {
        bail!("cargo package: {}", log.trim());
    }
    let crates = files(&folder.join("package"), ".crate")?;
    if crates.len() != published {
        bail!("{} crates were packaged, expected {published}", crates.len());
    }
    let to = room.out.join("crates");
    fs::create_dir_all(&to)?;
    for file in crates {
        if let Some(name) = file.file_name() {
            fs::copy(&file, to.join(name))?;
        }
    }
    Ok(())
}

/// Checks licenses and sources of all dependencies by `deny.toml`.
fn deny(room: &Room) -> Result<()> {
    if program("cargo-deny").is_none() {
        println!(
            "cargo-deny is missing (cargo install cargo-deny): licenses and sources of dependencies were not checked"
        );
        return Ok(());
    }
    for manifest in ["Cargo.toml", "doors/python/Cargo.toml"] {
        let mut deny = room.command("cargo-deny");
        deny.arg("--config").arg(room.root.join("deny.toml")).arg("--manifest-path").arg(room.root.join(manifest));
        run(deny.args(["check", "licenses", "bans", "sources"]))?;
    }
    Ok(())
}

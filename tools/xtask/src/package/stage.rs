//! Files below a folder that stands for `/`, as packages install them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Context, Result};

use super::room::{Room, run};
use super::{build, python, sbom, systemd};

/// Copies a file, with this mode.
pub(super) fn put(from: &Path, to: &Path, mode: u32) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).with_context(|| format!("{} to {}", from.display(), to.display()))?;
    Ok(fs::set_permissions(to, fs::Permissions::from_mode(mode))?)
}

/// The command with its manual pages, completions, units and documents.
pub(super) fn command(room: &Room, stage: &Path) -> Result<()> {
    let programs = build::programs(room)?;
    let usr = stage.join("usr");
    put(&programs.join("tagwise"), &usr.join("bin/tagwise"), 0o755)?;
    run(room.command(programs.join("tagwise-manuals")).arg(&usr))?;
    systemd::install(room, stage)?;
    let documents = usr.join("share/doc/tagwise");
    put(&room.root.join("README.md"), &documents.join("README.md"), 0o644)?;
    put(&room.root.join("SECURITY.md"), &documents.join("SECURITY.md"), 0o644)?;
    Ok(())
}

/// The programs and the plugin of the local KDC.
pub(super) fn local_kdc(room: &Room, stage: &Path) -> Result<()> {
    let programs = build::programs(room)?;
    let usr = stage.join("usr");
    for name in ["localkdc-pam-auth", "localkdc-pam-check"] {
        put(&programs.join(name), &usr.join("bin").join(name), 0o755)?;
        let page = format!("{name}.8");
        put(&room.root.join("docs/man").join(&page), &usr.join("share/man/man8").join(&page), 0o644)?;
    }
    let plugin = "libtagwise_localkdc.so";
    put(&programs.join(plugin), &usr.join("lib/tagwise").join(plugin), 0o644)?;
    let page = "localkdc.toml.5";
    put(&room.root.join("docs/man").join(page), &usr.join("share/man/man5").join(page), 0o644)
}

/// The program for queries in SQL.
pub(super) fn query(room: &Room, stage: &Path) -> Result<()> {
    let usr = stage.join("usr");
    put(&build::query(room)?, &usr.join("bin/tagwise-query"), 0o755)?;
    licenses(room, &sbom::Artifact::Query, &usr.join("share/doc/tagwise-query/licenses.txt"))
}

/// The libraries for C, below `/usr/LIBDIR`.
pub(super) fn library(room: &Room, stage: &Path, libdir: &str) -> Result<()> {
    let mut install = room.command(room.root.join("doors/c/install/install"));
    install.arg(build::archive(room)?).args([room.version.as_str(), "/usr", libdir]).arg(stage);
    run(install.arg("openssl"))
}

/// The Python package, as pip unpacks its wheel.
pub(super) fn python(room: &Room, stage: &Path, packages: &str) -> Result<()> {
    let to = stage.join(packages);
    fs::create_dir_all(&to)?;
    run(room.command("unzip").arg("-q").arg(python::wheel(room)?).arg("-d").arg(&to))?;
    // What pip writes for itself, and licenses, which are where the system keeps them.
    let info = to.join(format!("tagwise-{}.dist-info", room.version));
    for name in ["RECORD", "sboms", "licenses"] {
        let path = info.join(name);
        if path.is_dir() {
            fs::remove_dir_all(path)?;
        } else if path.exists() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Licenses of what is linked into an artifact, as a document of a package.
pub(super) fn licenses(room: &Room, artifact: &sbom::Artifact, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(to, sbom::licenses(room, artifact)?)?)
}

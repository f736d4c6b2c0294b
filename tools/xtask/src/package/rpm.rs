//! The RPM packages: files are staged here, and rpmbuild makes packages of them by `packaging/rpm/tagwise.spec`.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::room::{Room, files, need, run};
use super::sbom::Artifact;
use super::stage;

/// Where packages for Python are on systems with RPM whose Python is 3.12.
const PYTHON: &str = "usr/lib64/python3.12/site-packages";

/// Builds the packages, and has rpmlint judge the spec and them.
pub(super) fn build(room: &Room) -> Result<()> {
    need(&["rpmbuild", "rpmlint", "unzip"], "rpm rpmlint unzip")?;
    let folder = room.fresh("rpm")?;
    let tree = folder.join("stage");
    staged(room, &tree)?;
    let packaging = room.root.join("packaging/rpm");
    let mut rpmbuild = room.command("rpmbuild");
    rpmbuild.arg("-bb").arg("--quiet");
    let place = folder.display().to_string();
    for (name, value) in [
        ("_topdir", place.as_str()),
        ("_docdir", "/usr/share/doc"),
        ("_buildhost", "reproducible"),
        ("use_source_date_epoch_as_buildtime", "1"),
        ("clamp_mtime_to_source_date_epoch", "1"),
        ("tagwise_version", &room.version),
        ("tagwise_stage", &format!("{place}/stage")),
        ("tagwise_python", &format!("/{PYTHON}")),
    ] {
        rpmbuild.arg("--define").arg(format!("{name} {value}"));
    }
    run(rpmbuild.arg(packaging.join("tagwise.spec")))?;
    let mut built = Vec::new();
    for entry in fs::read_dir(folder.join("RPMS"))? {
        built.extend(files(&entry?.path(), ".rpm")?);
    }
    let mut rpmlint = room.command("rpmlint");
    rpmlint.arg("-c").arg(packaging.join("rpmlint.toml"));
    run(rpmlint.arg(packaging.join("tagwise.spec")).args(&built))?;
    for package in built {
        if let Some(name) = package.file_name() {
            fs::copy(&package, room.out.join(name))?;
        }
    }
    Ok(())
}

/// What all packages contain together.
fn staged(room: &Room, tree: &Path) -> Result<()> {
    stage::command(room, tree)?;
    stage::local_kdc(room, tree)?;
    stage::library(room, tree, "lib64")?;
    stage::python(room, tree, PYTHON)?;
    let share = tree.join("usr/share");
    fs::rename(share.join("zsh/vendor-completions"), share.join("zsh/site-functions"))?;
    // Each package has its licenses under its own name.
    fs::remove_dir_all(share.join("doc/libtagwise"))?;
    for (package, artifact) in [
        ("tagwise", Artifact::Command),
        ("tagwise-localkdc", Artifact::Command),
        ("tagwise-libs", Artifact::Library),
        ("python3-tagwise", Artifact::Python),
    ] {
        stage::licenses(room, &artifact, &share.join("doc").join(package).join("licenses.txt"))?;
    }
    Ok(())
}

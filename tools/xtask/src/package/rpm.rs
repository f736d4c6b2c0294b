//! The RPM packages: files are staged here, and rpmbuild makes packages of them by `packaging/rpm/tagwise.spec.in`.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::room::{Room, files, output, run};
use super::sbom::Artifact;
use super::{chroot, stage};

/// Where packages for Python are on systems with RPM whose Python is 3.12.
const PYTHON: &str = "usr/lib64/python3.12/site-packages";

/// Builds the packages, and has rpmlint judge the spec and them. Where it is checked, they are installed into a chroot.
pub(super) fn build(room: &Room, check: bool) -> Result<()> {
    let folder = room.fresh("rpm")?;
    let tree = folder.join("stage");
    staged(room, &tree)?;
    let packaging = room.root.join("packaging/rpm");
    let mut rpmbuild = room.command("rpmbuild");
    rpmbuild.arg("-bb").arg("--quiet");
    let place = folder.display().to_string();
    let date = output(room.command("date").args(["-u", "+%a %b %d %Y", "-d", &format!("@{}", room.epoch)]))?;
    for (name, value) in [
        ("_topdir", place.as_str()),
        ("_docdir", "/usr/share/doc"),
        ("_buildhost", "reproducible"),
        ("use_source_date_epoch_as_buildtime", "1"),
        ("clamp_mtime_to_source_date_epoch", "1"),
        // They need Python's package `packaging`, and say nothing that the spec does not.
        ("__pythondist_provides", "%{nil}"),
        ("__pythondist_requires", "%{nil}"),
    ] {
        rpmbuild.arg("--define").arg(format!("{name} {value}"));
    }
    let spec = folder.join("tagwise.spec");
    let mut text = fs::read_to_string(packaging.join("tagwise.spec.in"))?;
    for (name, value) in [("VERSION", &*room.version), ("DATE", date.trim()), ("STAGE", &format!("{place}/stage"))] {
        text = text.replace(&format!("@{name}@"), value);
    }
    fs::write(&spec, text.replace("@PYTHON@", &format!("/{PYTHON}")))?;
    run(rpmbuild.arg(&spec))?;
    let mut built = Vec::new();
    for entry in fs::read_dir(folder.join("RPMS"))? {
        built.extend(files(&entry?.path(), ".rpm")?);
    }
    let mut rpmlint = room.command("rpmlint");
    rpmlint.arg("-c").arg(packaging.join("rpmlint.toml"));
    run(rpmlint.arg(&spec).args(&built))?;
    for package in &built {
        if let Some(name) = package.file_name() {
            fs::copy(package, room.out.join(name))?;
        }
    }
    if check { chroot::install(room, &built) } else { Ok(()) }
}

/// What all packages contain together.
fn staged(room: &Room, tree: &Path) -> Result<()> {
    stage::command(room, tree)?;
    stage::local_kdc(room, tree)?;
    stage::library(room, tree, "lib64")?;
    stage::python(room, tree, PYTHON)?;
    run(room.command("strip").arg("--strip-unneeded").args(files(&tree.join("usr/lib64"), ".0.0")?))?;
    let share = tree.join("usr/share");
    for section in fs::read_dir(share.join("man"))? {
        for entry in fs::read_dir(section?.path())? {
            run(room.command("gzip").args(["-n", "-9"]).arg(entry?.path()))?;
        }
    }
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

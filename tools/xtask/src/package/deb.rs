//! The Debian packages: files are staged here, and debhelper makes packages of them by `packaging/debian`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::room::{Room, files, output, run};
use super::sbom::Artifact;
use super::{chroot, stage};

/// Builds the packages and has lintian judge them. Where it is checked, a second build in another folder must give the same bytes, and
/// they are installed into a chroot.
pub(super) fn build(room: &Room, check: bool) -> Result<()> {
    let packages = packages(room, "deb", USUAL)?;
    judged(room, &packages, 5)?;
    if !check {
        return Ok(());
    }
    for (one, two) in packages.iter().zip(self::packages(room, "deb-again/elsewhere", USUAL)?) {
        if fs::read(one)? != fs::read(&two)? {
            bail!("two builds differ: {} and {}", one.display(), two.display());
        }
    }
    println!("two builds are identical");
    chroot::install(room, &packages)
}

/// Builds the package of the program for queries. Where it is checked, it is installed beside the others, which were built before.
pub(super) fn query(room: &Room, check: bool) -> Result<()> {
    let packages = packages(room, "deb-query", QUERY)?;
    judged(room, &packages, 1)?;
    if !check {
        return Ok(());
    }
    chroot::install(room, &files(&room.out, ".deb")?)
}

/// Has lintian judge packages, and puts them where artifacts go.
fn judged(room: &Room, packages: &[PathBuf], count: usize) -> Result<()> {
    // With `--show-overrides`, lintian 2.116 also fails for what an override permits.
    run(room.command("lintian").args(["--fail-on", "error,warning"]).args(packages))?;
    for package in packages {
        if let Some(name) = package.file_name() {
            fs::copy(package, room.out.join(name))?;
        }
    }
    if packages.len() != count {
        bail!("{} Debian packages were built, expected {count}", packages.len());
    }
    Ok(())
}

/// Packages that are built together: debhelper's option that selects them, and what puts their files into the stage.
type Together = (&'static str, fn(&Room, &Path) -> Result<()>);

const USUAL: Together = ("-Ntagwise-query", staged);
const QUERY: Together = ("-ptagwise-query", stage::query);

/// Builds packages in a folder of this name; returns their paths, sorted.
fn packages(room: &Room, name: &str, (selection, fill): Together) -> Result<Vec<PathBuf>> {
    let folder = room.fresh(name)?;
    let source = folder.join("tagwise");
    fs::create_dir(&source)?;
    run(room.command("cp").arg("-r").arg(room.root.join("packaging/debian")).arg(&source))?;
    fs::write(source.join("debian/changelog"), changelog(room)?)?;
    fill(room, &source.join("stage"))?;
    let mut package = room.command("dpkg-buildpackage");
    package.args(["-b", "-us", "-uc", "-d"]).current_dir(&source).env("DEB_BUILD_OPTIONS", "nocheck noautodbgsym");
    package.env("DH_OPTIONS", selection);
    // debhelper says more than anybody reads.
    fs::write(folder.join("log"), output(&mut package)?)?;
    files(&folder, ".deb")
}

/// Stages the files of the usual packages.
fn staged(room: &Room, tree: &Path) -> Result<()> {
    let triplet = output(room.command("dpkg-architecture").arg("-qDEB_HOST_MULTIARCH"))?;
    stage::command(room, tree)?;
    stage::local_kdc(room, tree)?;
    stage::library(room, tree, &format!("lib/{}", triplet.trim()))?;
    stage::python(room, tree, "usr/lib/python3/dist-packages")?;
    let documents = tree.join("usr/share/doc");
    for (package, artifact) in [
        ("tagwise", Artifact::Command),
        ("tagwise-localkdc", Artifact::Command),
        ("libtagwise1", Artifact::Library),
        ("python3-tagwise", Artifact::Python),
    ] {
        stage::licenses(room, &artifact, &documents.join(package).join("licenses.txt"))?;
    }
    Ok(())
}

/// One entry, of the version and the time that are built.
fn changelog(room: &Room) -> Result<String> {
    let date = output(room.command("date").args(["-u", "-R", "-d", &format!("@{}", room.epoch)]))?;
    Ok(format!(
        "tagwise ({}) unstable; urgency=medium\n\n  * Built from the project's repository.\n\n \
         -- The Tagwise developers <tagwise@example.org>  {}\n",
        room.version,
        date.trim()
    ))
}

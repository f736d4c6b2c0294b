//! The wheel and the source distribution of the Python package.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::build::reproducible;
use super::room::{Room, files, output, run};
use super::sbom;

/// A virtual environment with maturin and auditwheel.
fn environment(room: &Room) -> Result<PathBuf> {
    let venv = room.work.join("venv");
    if !venv.join("bin/auditwheel").is_file() {
        run(room.command("python3").args(["-m", "venv"]).arg(&venv))?;
        let mut pip = room.command(venv.join("bin/pip"));
        run(pip.args(["install", "--quiet", "--disable-pip-version-check", "maturin>=1.7,<2", "auditwheel"]))?;
    }
    Ok(venv.join("bin"))
}

/// The wheel's bill of materials.
const BILL: &str = "tagwise.cdx.json";

/// The package's sources, in a folder that has all crates below it. Cargo names crates by their paths in the workspace, and those outside
/// of it by absolute paths, which would change the order of symbols from folder to folder.
fn view(room: &Room) -> Result<PathBuf> {
    let (from, to) = (room.root.join("doors/python"), room.fresh("wheel-source")?);
    let manifest = fs::read_to_string(from.join("Cargo.toml"))?;
    let manifest = manifest.replace("path = \"../", "path = \"tree/doors/");
    fs::write(to.join("Cargo.toml"), manifest.replace("[workspace]\n", "[workspace]\nexclude = ['tree']\n"))?;
    symlink(&room.root, to.join("tree"))?;
    symlink("tree/schemas", to.join("schemas"))?;
    for name in ["Cargo.lock", "pyproject.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(from.join(name), to.join(name))?;
    }
    run(room.command("cp").arg("-r").args([from.join("src"), from.join("python")]).arg(&to))?;
    fs::write(to.join(BILL), sbom::text(room, sbom::Artifact::Python)?)?;
    Ok(to)
}

/// Builds the wheel, whose name has the oldest manylinux that its symbols allow, and has auditwheel confirm it.
pub(super) fn wheel(room: &Room) -> Result<PathBuf> {
    let programs = environment(room)?;
    if !room.prebuilt {
        for old in files(&room.out, ".whl")? {
            fs::remove_file(old)?;
        }
        let source = view(room)?;
        let mut maturin = reproducible(room, programs.join("maturin"))?;
        maturin.current_dir(&source).args(["build", "--release", "--locked", "--sbom-include", BILL, "--out"]);
        run(maturin.arg(&room.out))?;
    }
    let wheel = files(&room.out, ".whl")?.pop().context("no wheel was built")?;
    let name = wheel.to_string_lossy();
    let tag = name.split('-').next_back().and_then(|tag| tag.strip_suffix(".whl")).unwrap_or_default();
    let tag = tag.split('.').next().unwrap_or_default();
    let said = output(room.command(programs.join("auditwheel")).arg("show").arg(&wheel))?;
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    if !tag.starts_with("manylinux") || !said.contains(&format!("\"{tag}\"")) {
        bail!("{name} is not what its tag claims: {said}");
    }
    println!("auditwheel: {said}");
    Ok(wheel)
}

/// Builds the wheel; where it is checked, pip installs it into a new virtual environment, and a program uses it there.
pub(super) fn tried_wheel(room: &Room, check: bool) -> Result<()> {
    const PROGRAM: &str = "import sys, tagwise\nfrom tagwise import x509\n\
        certificate = x509.load_pem_x509_certificate(open(sys.argv[1], 'rb').read())\n\
        assert 'CN=www.example.com' in certificate.subject.rfc4514_string()\nprint(tagwise.__file__)";
    let wheel = wheel(room)?;
    if check {
        let venv = room.fresh("wheel")?;
        run(room.command("python3").args(["-m", "venv"]).arg(&venv))?;
        run(room.command(venv.join("bin/pip")).args(["install", "--quiet", "--no-index"]).arg(&wheel))?;
        let leaf = room.root.join("docs/samples/leaf.pem");
        // Not in the checkout, which has a folder of the same name.
        run(room.command(venv.join("bin/python")).args(["-c", PROGRAM]).arg(leaf).current_dir("/"))?;
    }
    Ok(())
}

/// Builds the source distribution; where it is checked, pip builds a wheel of it in an empty folder.
pub(super) fn sdist(room: &Room, check: bool) -> Result<()> {
    let programs = environment(room)?;
    let mut maturin = room.command(programs.join("maturin"));
    run(maturin.current_dir(room.root.join("doors/python")).args(["sdist", "--out"]).arg(&room.out))?;
    if check {
        let source = files(&room.out, ".tar.gz")?.pop().context("no source distribution was built")?;
        let folder = room.fresh("sdist")?;
        let mut pip = room.command(programs.join("pip"));
        pip.args(["wheel", "--no-deps", "--quiet", "--wheel-dir"]).arg(&folder).arg(&source).current_dir("/");
        run(pip.env_remove("CARGO_TARGET_DIR"))?;
        files(&folder, ".whl")?.pop().context("pip built no wheel of the source distribution")?;
    }
    Ok(())
}

//! The wheel and the source distribution of the Python package.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::build::reproducible;
use super::room::{Room, files, output, run};

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

/// Builds the wheel, whose name has the oldest manylinux that its symbols allow, and has auditwheel confirm it.
pub(super) fn wheel(room: &Room) -> Result<PathBuf> {
    let programs = environment(room)?;
    if !room.prebuilt {
        for old in files(&room.out, ".whl")? {
            fs::remove_file(old)?;
        }
        let mut maturin = reproducible(room, programs.join("maturin"))?;
        run(maturin
            .current_dir(room.root.join("doors/python"))
            .args(["build", "--release", "--locked", "--out"])
            .arg(&room.out))?;
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

//! `./x duckdb`: builds the extension of DuckDB, and compares its columns with those of the Python package.

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow, ensure};
use xshell::cmd;

use crate::lint::clippy;
use crate::needs::provide;
use crate::project::{Project, run};
use crate::python::{environment, importable, pip};
use crate::steps::Steps;

/// The version of DuckDB's C API that the extension needs. `doors/duckdb/src/entry.rs` passes it to DuckDB.
const API: &str = "v1.5.6";

/// Builds and tests `target/x/duckdb/tagwise.duckdb_extension`.
pub(crate) fn duckdb(project: &Project) -> Result<bool> {
    provide(project, "duckdb")?;
    let Project { sh, locked, target, root, corpora, .. } = project;
    let room = project.folder("x/duckdb")?;
    // DuckDB derives the name of the extension from the name of its file.
    let file = room.join("tagwise.duckdb_extension");
    let manifest = ["--manifest-path", "doors/duckdb/Cargo.toml"];
    let mut steps = Steps::new(project, "x duckdb");
    steps.step("clippy", || clippy(project, &manifest));
    steps.step("build", || {
        run(cmd!(sh, "cargo build {locked...} -q --release {manifest...}"))?;
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        write(&target.join(format!("release/{prefix}tagwise{suffix}")), &file)
    });
    steps.step("tests", || {
        let (venv, tests) = (room.join("venv"), root.join("doors/duckdb/tests"));
        environment(project, &venv, "python3")?;
        pip(project, &venv, &["-r", &tests.join("requirements.txt").to_string_lossy()])?;
        let python = venv.join("bin/python");
        run(cmd!(sh, "{python} -m pytest -q -rs -p no:cacheprovider {tests}")
            .env("PYTHONPATH", importable(project)?)
            .env("TAGWISE_CORPORA", corpora)
            .env("TAGWISE_DUCKDB", &file))
    });
    if steps.passed() {
        println!("\nwritten  {}", file.display());
    }
    steps.summary()
}

/// Writes a library as an extension: with the metadata that DuckDB expects at its end.
fn write(library: &Path, extension: &Path) -> Result<()> {
    let mut octets = fs::read(library)?;
    octets.extend(footer(platform()?, API, concat!("v", env!("CARGO_PKG_VERSION")))?);
    // Renamed into place: a process that has loaded the file before keeps it.
    let new = extension.with_extension("new");
    fs::write(&new, octets)?;
    fs::rename(new, extension)?;
    Ok(())
}

/// Returns DuckDB's name of this platform.
fn platform() -> Result<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("linux_amd64"),
        ("linux", "aarch64") => Ok("linux_arm64"),
        ("macos", "x86_64") => Ok("osx_amd64"),
        ("macos", "aarch64") => Ok("osx_arm64"),
        ("windows", "x86_64") => Ok("windows_amd64"),
        (system, machine) => Err(anyhow!("DuckDB has no name for the platform {system} {machine}")),
    }
}

/// Returns the metadata of an extension: eight fields of 32 bytes, the last one first, and 256 bytes for a signature.
fn footer(platform: &str, api: &str, version: &str) -> Result<Vec<u8>> {
    // The format of the metadata, the platform, the version of the C API, the extension's own version, and the kind of interface.
    let fields = ["4", platform, api, version, "C_STRUCT", "", "", ""];
    let mut octets = Vec::with_capacity(512);
    for field in fields.iter().rev() {
        ensure!(field.len() <= 32, "a field of the metadata has more than 32 bytes: {field}");
        octets.extend(field.as_bytes());
        octets.resize(octets.len() + 32 - field.len(), 0);
    }
    octets.resize(512, 0);
    Ok(octets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_has_its_fields_in_reverse_order() {
        let octets = footer("linux_amd64", "v1.5.6", "v0.1.0").unwrap();
        assert_eq!(octets.len(), 512);
        let field =
            |index: usize| std::str::from_utf8(&octets[index * 32..][..32]).unwrap().trim_end_matches('\0').to_owned();
        assert_eq!(["", "", "", "C_STRUCT", "v0.1.0", "v1.5.6", "linux_amd64", "4"], std::array::from_fn(field));
        assert!(octets[256..].iter().all(|octet| *octet == 0));
        assert!(footer(&"x".repeat(33), "v1.5.6", "v0.1.0").is_err());
    }
}

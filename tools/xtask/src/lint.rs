//! `./x lint`, `./x codegen` and `./x api`: everything that is checked without running tests.

use std::path::Path;

use anyhow::Result;
use xshell::cmd;

use crate::c::header;
use crate::needs::provide;
use crate::project::{Project, read, run};
use crate::steps::Steps;
use crate::{generated, layers, locks, manifests, newcomer, sizes, workspace};

pub(crate) fn lint(project: &Project) -> Result<bool> {
    provide(project, "lint")?;
    let sh = &project.sh;
    let mut steps = Steps::new(project, "x lint");
    steps.step("format", || format(project));
    steps.step("clippy, workspace", || clippy(project, &["--workspace", "--all-targets", "--all-features"]));
    steps.step("clippy, without default features", || bare(project));
    steps.step("clippy, bench, fuzz and tools", || sides(project));
    steps.step("docs and public API listings", || api(project, false, &[]));
    steps.step("generated files", || generated::hold(project, true));
    steps.step("the header for C", || header(project, true));
    steps.step("layers", || layers::hold(&project.root, true, &[]));
    steps.step("manifests", || manifests::hold(&project.root));
    steps.step("lock files", || locks::hold(&project.root));
    steps.step("file sizes", || sizes::hold(&project.root));
    steps.step("figures in README.md", || newcomer::hold(&project.root));
    steps.step("words", || run(cmd!(sh, "tools/words")));
    steps.summary()
}

fn format(project: &Project) -> Result<()> {
    let sh = &project.sh;
    run(cmd!(sh, "cargo fmt --all --check"))?;
    for side in workspace::sides(&project.root)? {
        run(cmd!(sh, "cargo fmt --manifest-path {side}/Cargo.toml --check"))?;
    }
    Ok(())
}

/// Runs clippy with warnings denied.
pub(crate) fn clippy(project: &Project, arguments: &[&str]) -> Result<()> {
    let Project { sh, locked, .. } = project;
    run(cmd!(sh, "cargo clippy {locked...} --keep-going {arguments...} -- -D warnings"))
}

/// Features only add: each crate must build without its own.
fn bare(project: &Project) -> Result<()> {
    for package in workspace::packages(project)?
        .iter()
        .filter(|package| ["crates", "doors"].iter().any(|room| package.folder.starts_with(room)))
    {
        clippy(project, &["-p", &package.name, "--no-default-features"])?;
    }
    for (package, feature) in [
        ("tagwise-codec", "alloc"),
        ("tagwise-codec", "ber"),
        ("tagwise-codec", "stream"),
        ("tagwise-codec", "dynamic"),
        ("tagwise", "pkix"),
        ("tagwise", "cms"),
        ("tagwise", "ocsp"),
        ("tagwise", "pkcs12"),
    ] {
        clippy(project, &["-p", package, "--no-default-features", "--features", feature])?;
    }
    Ok(())
}

fn sides(project: &Project) -> Result<()> {
    for side in workspace::sides(&project.root)? {
        let manifest = format!("{side}/Cargo.toml");
        match side.as_str() {
            // A test build of this one would have two panic handlers. `./x test` checks it.
            "tools/no-std" => {}
            // Their dependencies take minutes to build. `./x query` and `./x duckdb` check them; this fails if a lock file is stale.
            "doors/duckdb" | "doors/query" => {
                let Project { sh, locked, .. } = project;
                read(cmd!(sh, "cargo metadata {locked...} --format-version=1 --manifest-path {manifest}"))?;
            }
            _ => clippy(project, &["--manifest-path", &manifest, "--workspace", "--all-targets"])?,
        }
    }
    Ok(())
}

/// Rewrites the generated sources, or checks them.
pub(crate) fn codegen(project: &Project, check: bool) -> Result<bool> {
    let mut steps = Steps::new(project, "x codegen");
    steps.step(if check { "codegen --check" } else { "codegen" }, || generated::hold(project, check));
    steps.summary()
}

/// Compares the public APIs with `api/`, or rewrites the listings. One run of rustdoc, with warnings denied, writes the documentation
/// as JSON, which the listings are read from.
pub(crate) fn api(project: &Project, bless: bool, crates: &[String]) -> Result<()> {
    let Project { sh, locked, root, target, .. } = project;
    // The JSON is unstable: this wrapper lets rustdoc, and nothing else, write it with the stable toolchain.
    // `--lib`: the command and the facade are both named `tagwise`, and their files would overwrite each other.
    // An example: with it, features are those of a build with all targets.
    let mut doc = cmd!(sh, "cargo doc {locked...} --workspace --lib --example demo --no-deps --all-features")
        .env("RUSTDOC", root.join("tools/api/rustdoc"))
        .env("RUSTDOCFLAGS", "-D warnings -Zunstable-options --output-format=json");
    // Rustdoc needs the metadata of every dependency. With the driver and the arguments of clippy, it is what `clippy` has made.
    if !bless {
        let driver = Path::new(&read(cmd!(sh, "rustc --print sysroot"))?).join("bin/clippy-driver");
        doc = doc
            .env("RUSTC_WORKSPACE_WRAPPER", driver)
            .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    }
    run(doc)?;
    let bless = bless.then_some("--bless");
    run(cmd!(
        sh,
        "cargo run {locked...} -q --manifest-path tools/api/Cargo.toml -- {root} {target}/doc {locked...} {bless...} {crates...}"
    ))
}

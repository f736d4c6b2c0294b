//! `./x wasm`: the npm package `@tagwise/tagwise`, with the WebAssembly module.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use xshell::cmd;

use crate::needs::{provide, unpack_packages};
use crate::project::{Project, exec, files, fresh, read, run};

#[derive(Args)]
pub(crate) struct Wasm {
    /// Build for certificates, CRLs, public keys and paths alone
    #[arg(long)]
    small: bool,
    /// Test the package with Node
    #[arg(long)]
    test: bool,
    /// Test the viewer in Chromium
    #[arg(long, conflicts_with = "test")]
    browser: bool,
    /// Measure the package beside asn1js, pkijs, @peculiar/x509 and node-forge
    #[arg(long, conflicts_with_all = ["test", "browser"])]
    bench: bool,
    /// Package this module instead of building one
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

const TARGET: &str = "wasm32-unknown-unknown";

/// Debian's compiler for web browsers with the sources of the standard library. It conflicts with Debian's other compiler, so it is
/// unpacked instead of installed.
const PACKAGES: &str = "cargo-web libgit2-1.5 libhttp-parser2.9 liblld-22 libllvm22 libmbedcrypto7 libmbedtls14 libmbedx509-1 \
                        libstd-rust-web-1.96 libstd-rust-web-dev lld-22 rust-web-llvm rust-web-src rustc-web";

/// Packages from npm for tests of the viewer and for comparisons.
const PEERS: &str = "@peculiar/x509@2.2.0 asn1js@4.0.0 axe-core@4.14.1 node-forge@1.4.3 pkijs@4.0.0 \
                     playwright-core@1.65.1 reflect-metadata@0.2.2";

/// The maximum sizes after gzip, in bytes. A larger module is tested and measured, too, but the command fails.
const MOST: u64 = 2_000_000;
const MOST_SMALL: u64 = 900_000;

/// A toolchain: the variables that select it, and whether the standard library must be built.
struct Toolchain {
    variables: Vec<(&'static str, String)>,
    builds_std: bool,
}

/// Finds a toolchain: the one in use if it has the target, or else Debian's.
fn toolchain(project: &Project) -> Result<Toolchain> {
    let sh = &project.sh;
    let library = PathBuf::from(read(cmd!(sh, "rustc --print sysroot"))?).join("lib/rustlib");
    if library.join(TARGET).is_dir() {
        return Ok(Toolchain { variables: Vec::new(), builds_std: false });
    }
    let folder = project.folder("x/wasm")?.join("toolchain");
    if !folder.join("usr/bin/rustc").is_file() {
        let packages = project.folder("x/wasm/packages")?;
        fresh(&folder)?;
        let names: Vec<&str> = PACKAGES.split_whitespace().collect();
        unpack_packages(sh, &packages, &names, &folder)?;
    }
    let (bin, libraries) = (folder.join("usr/bin"), folder.join("usr/lib"));
    let multiarch =
        read(cmd!(sh, "dpkg-architecture -qDEB_HOST_MULTIARCH")).unwrap_or_else(|_| "x86_64-linux-gnu".into());
    let path = std::env::var("PATH").unwrap_or_default();
    Ok(Toolchain {
        variables: vec![
            ("PATH", format!("{}:{path}", bin.display())),
            ("RUSTC", bin.join("rustc").display().to_string()),
            ("LD_LIBRARY_PATH", format!("{}:{}", libraries.join(multiarch).display(), libraries.display())),
            ("RUSTC_BOOTSTRAP", "1".to_owned()),
            ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", bin.join("wasm-ld-22").display().to_string()),
        ],
        builds_std: true,
    })
}

/// Builds the module, and returns its path.
fn module(project: &Project, small: bool) -> Result<PathBuf> {
    let Project { sh, locked, .. } = project;
    let toolchain = toolchain(project)?;
    let target = project.folder("x/wasm/target")?;
    // The module has no imports: nothing that it does needs random numbers.
    let mut flags = "--cfg getrandom_backend=\"unsupported\"".to_owned();
    let mut std: &[&str] = &[];
    if toolchain.builds_std {
        // A panic is a trap, so nobody sees its message and position.
        std = &["-Zbuild-std=std,panic_abort", "-Zpanic-immediate-abort"];
        flags.push_str(" -Zlocation-detail=none");
    }
    let features: &[&str] = if small { &["--no-default-features", "--features", "verify"] } else { &[] };
    let cargo = toolchain.variables.iter().find(|(name, _)| *name == "RUSTC");
    let cargo = cargo.map_or_else(|| "cargo".to_owned(), |(_, rustc)| rustc.replace("/rustc", "/cargo"));
    // Not `build`: with the package's other crate type, rlib, cargo ignores the profile's `lto`.
    let arguments = ["rustc", "--crate-type", "cdylib", "--profile", "wasm", "--target", TARGET, "-p", "tagwise-wasm"];
    let mut command = cmd!(sh, "{cargo} {arguments...} {locked...} {std...} {features...}")
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
    if toolchain.builds_std {
        command = command.env("CARGO_PROFILE_WASM_PANIC", "immediate-abort");
    }
    for (name, value) in toolchain.variables {
        command = command.env(name, value);
    }
    run(command)?;
    Ok(target.join(TARGET).join("wasm/tagwise_wasm.wasm"))
}

/// The names that the package exports.
const EXPORTS: &str =
    "Parsed, Schema, TagwiseError, compile, diff, init, lint, openPkcs12, parse, verify, verifyAsync, version";

/// Writes the package's files into a folder.
fn assemble(sources: &Path, module: &Path, folder: &Path) -> Result<()> {
    let text = |name: &str| fs::read_to_string(sources.join(name)).with_context(|| name.to_owned());
    let (core, node, browser) = (text("core.js")?, text("node.js")?, text("browser.js")?);
    let write = |name: &str, text: String| fs::write(folder.join(name), text).with_context(|| name.to_owned());
    write(
        "node.mjs",
        format!(
            "import {{ readFileSync }} from 'node:fs';\nconst WASM = new URL('./tagwise.wasm', import.meta.url);\n{core}\n{node}\nexport {{ {EXPORTS} }};\n"
        ),
    )?;
    write(
        "node.cjs",
        format!(
            "const {{ readFileSync }} = require('node:fs');\nconst WASM = require('node:path').join(__dirname, 'tagwise.wasm');\n{core}\n{node}\nmodule.exports = {{ {EXPORTS} }};\n"
        ),
    )?;
    write("browser.mjs", format!("{core}\n{browser}\nexport {{ {EXPORTS} }};\n"))?;
    for name in ["index.d.ts", "package.json", "README.md"] {
        fs::copy(sources.join(name), folder.join(name)).with_context(|| name.to_owned())?;
    }
    fs::copy(sources.join("index.d.ts"), folder.join("index.d.cts"))?;
    fs::copy(module, folder.join("tagwise.wasm"))?;
    Ok(())
}

/// Installs the packages from npm, and returns their folder.
fn peers(project: &Project) -> Result<PathBuf> {
    let sh = &project.sh;
    let folder = project.folder("x/wasm/peers")?;
    let packages: Vec<&str> = PEERS.split_whitespace().collect();
    fs::write(folder.join("package.json"), "{\"private\": true}\n")?;
    run(cmd!(sh, "npm install --silent --no-audit --no-fund --ignore-scripts --prefix {folder} {packages...}"))?;
    Ok(folder)
}

impl Wasm {
    pub(crate) fn run(&self, project: &Project) -> Result<bool> {
        provide(project, "wasm")?;
        if self.browser || self.bench {
            provide(project, "wasm/browser")?;
        }
        let Project { sh, root, target, .. } = project;
        let built = match &self.module {
            Some(module) => module.clone(),
            None => module(project, self.small)?,
        };
        let folder = project.folder("npm")?.join("package");
        fresh(&folder)?;
        assemble(&root.join("doors/wasm/js"), &built, &folder)?;
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            fs::copy(root.join(name), folder.join(name))?;
        }
        let wasm = folder.join("tagwise.wasm");
        let packed: u64 = read(cmd!(sh, "sh -c 'gzip -9 -c \"$1\" | wc -c' sh {wasm}"))?.trim().parse()?;
        let most = if self.small { MOST_SMALL } else { MOST };
        eprintln!("x: tagwise.wasm: {} bytes, {packed} after gzip -9", fs::metadata(&wasm)?.len());
        let imports = "const m = new WebAssembly.Module(require('fs').readFileSync(process.argv[1])); console.log(WebAssembly.Module.imports(m).length)";
        ensure!(read(cmd!(sh, "node -e {imports} {wasm}"))?.trim() == "0", "the module has imports");
        {
            let _inside = sh.push_dir(target.join("npm"));
            run(cmd!(sh, "npm pack --silent ./package"))?;
        }
        let is_small = packed <= most;
        if !is_small {
            eprintln!("x: the module has {packed} bytes after gzip, expected at most {most}");
        }
        sh.set_var("TAGWISE_PACKAGE", &folder);
        if self.small {
            sh.set_var("TAGWISE_SMALL", "1");
        }
        let command = target.join("debug/tagwise");
        if command.is_file() {
            sh.set_var("TAGWISE_COMMAND", command);
        }
        if self.browser || self.bench {
            sh.set_var("TAGWISE_PEERS", peers(project)?);
        }
        if self.bench {
            let bench = root.join("doors/wasm/bench/run.mjs");
            return Err(exec(cmd!(sh, "node {bench}")));
        }
        let tests = match (self.test, self.browser) {
            (true, _) => "doors/wasm/tests/*.test.mjs",
            (_, true) => "web/tests/*.test.mjs",
            _ => return Ok(is_small),
        };
        let tests = files(root.join(tests));
        run(cmd!(sh, "node --test {tests...}"))?;
        Ok(is_small)
    }
}

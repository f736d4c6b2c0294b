//! `./x bench`: Tagwise beside its peers.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use xshell::cmd;

use crate::needs::{program, provide};
use crate::peers::recent_go;
use crate::project::{Project, exec, files, misuse, run, succeeds};

/// Peers that need more than a Rust toolchain.
const OPTIONAL: [&str; 6] = ["cryptography", "nss", "aws-lc", "openssl", "ossl", "go"];

#[derive(clap::Args)]
pub(crate) struct Bench {
    /// `all`, or peers separated by commas [default: those that need only Rust]
    #[arg(long, value_name = "LIST")]
    peers: Option<String>,
    /// Build with Cargo's default profile for release builds, as users do
    #[arg(long)]
    users: bool,
    /// Run another program of `bench` instead, with its arguments: paths (certification paths), processes (short commands),
    /// localkdc (AS exchanges), serve (ACME, OCSP and EST over HTTP), mtc-http (entries of a log over HTTP), per (messages in
    /// PER)
    #[arg(long, value_name = "NAME", conflicts_with_all = ["peers", "users"])]
    program: Option<Program>,
    /// Arguments of the benchmark, such as `--list`; without any, every row, heap and stack, instruction counts, then Kerberos
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// A benchmark with peers of its own.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Program {
    Paths,
    Processes,
    Localkdc,
    Serve,
    MtcHttp,
    Per,
}

impl Program {
    /// Builds the program and what it measures, and runs it.
    fn run(self, project: &Project, arguments: &[String]) -> Result<bool> {
        let Project { sh, locked, root, target, .. } = project;
        let manifest = root.join("bench/Cargo.toml");
        let build = || cmd!(sh, "cargo build {locked...} --quiet --release --manifest-path {root}/Cargo.toml");
        match self {
            Self::Paths => {
                let features = ["--no-default-features", "--features", "paths", "--bin", "paths"];
                Err(exec(
                    cmd!(sh, "cargo run {locked...} --release --manifest-path {manifest} {features...} --")
                        .env("OPENSSL_NO_VENDOR", "1")
                        .args(arguments),
                ))
            }
            Self::Processes => {
                run(build().args(["-p", "tagwise-cli"]))?;
                Err(exec(
                    cmd!(sh, "python3 {root}/bench/scripts/processes.py {target}/release/tagwise").args(arguments),
                ))
            }
            Self::Serve => {
                run(build().args(["-p", "tagwise-cli"]))?;
                Err(exec(cmd!(sh, "python3 {root}/bench/scripts/serve.py {target}/release/tagwise").args(arguments)))
            }
            Self::MtcHttp => {
                let package = ["-p", "tagwise-mtcbench", "--features", "http", "--bin", "mtchttp"];
                run(cmd!(
                    sh,
                    "cargo build {locked...} --quiet --profile users --manifest-path {manifest} {package...}"
                ))?;
                Err(exec(cmd!(sh, "python3 {root}/bench/scripts/mtc_http.py {target}/users/mtchttp").args(arguments)))
            }
            Self::Localkdc => {
                run(build().args(["-p", "tagwise-localkdc", "--lib"]))?;
                let driver = target.join("release/libtagwise_localkdc.so");
                let package = ["-p", "tagwise-localkdcbench", "--"];
                Err(exec(
                    cmd!(sh, "cargo run {locked...} --release --manifest-path {manifest} {package...} {driver}")
                        .args(arguments),
                ))
            }
            Self::Per => {
                // The comparison leaves the messages and the peers.
                let (room, messages) = (target.join("per-peers"), target.join("per-peers/messages.tsv"));
                if !messages.exists() {
                    crate::peers::per_peers(project)?;
                }
                let sources = room.join(format!("asn1tools-{}", crate::peers::ASN1TOOLS));
                let (telecom, python) = (room.join("telecom"), room.join("venv/bin/python"));
                let native = if program("asn1c").is_some() { "cam" } else { "" };
                let package = ["-p", "tagwise-perbench", "--"];
                Err(exec(
                    cmd!(sh, "cargo run {locked...} --profile users --manifest-path {manifest} {package...}")
                        .args([&messages, &sources, &telecom, &python])
                        .args(arguments)
                        .env("TAGWISE_PER_SOURCES", &sources)
                        .env("TAGWISE_PER_TELECOM", &telecom)
                        .env("TAGWISE_PER_MESSAGES", &messages)
                        .env("TAGWISE_PER_ASN1C", native),
                ))
            }
        }
    }
}

impl Bench {
    pub(crate) fn run(&self, project: &Project) -> Result<bool> {
        if let Some(program) = self.program {
            return program.run(project, &self.args);
        }
        let Project { sh, locked, root, here, target, corpora, .. } = project;
        let manifest = root.join("bench/Cargo.toml");
        let wanted = Wanted::parse(self.peers.as_deref(), &std::fs::read_to_string(&manifest)?)?;
        let (mut features, mut why, mut unpacked) = (wanted.features(), String::new(), None);
        for name in OPTIONAL {
            if !wanted.includes(name) {
                why += &format!("{name}=not asked for\n");
                continue;
            }
            match available(project, name) {
                Ok(source) => {
                    unpacked = unpacked.or(source);
                    features.push(format!("--features=peer-{name}"));
                }
                Err(error) => {
                    let reason = format!("{error:#}").replace('\n', " ");
                    eprintln!("x: without {name}: {reason}");
                    why += &format!("{name}={reason}\n");
                }
            }
        }
        sh.set_var("TAGWISE_BENCH_INPUTS", rekeyed(project));
        let profile = if self.users { "users" } else { "release" };
        sh.set_var("TAGWISE_BENCH_WHY", why);
        sh.set_var("TAGWISE_BENCH_PROFILE", profile);
        sh.set_var("TAGWISE_CORPORA", corpora.canonicalize().unwrap_or_else(|_| corpora.clone()));
        // Both manifests build into one folder. It has a vendored OpenSSL, unlike the project's other builds.
        sh.set_var("OPENSSL_NO_VENDOR", "0");
        sh.set_var("CARGO_TARGET_DIR", target.join("bench"));
        sh.change_dir(here);
        let (chosen, frozen) = match &unpacked {
            Some(sdist) => {
                sh.set_var("TAGWISE_BENCH_CRYPTOGRAPHY", sdist.version());
                // Its lock file is a copy with one crate more.
                (target.join("x/bench/package/Cargo.toml"), None)
            }
            None => (manifest.clone(), *locked),
        };
        let cargo = |binary: &str| {
            let features = &features;
            cmd!(
                sh,
                "cargo run {frozen...} --profile {profile} --manifest-path {chosen} {features...} --bin {binary} --"
            )
        };
        if !self.args.is_empty() {
            return Err(exec(cargo("tagwise-bench").args(&self.args)));
        }
        run(cargo("tagwise-bench"))?;
        run(cargo("memory"))?;
        provide(project, "bench")?;
        if program("valgrind").is_some() {
            run(cargo("tagwise-bench").arg("--instructions"))?;
        }
        let captures = corpora.join("kerberos/captures");
        if captures.is_dir() {
            run(cmd!(
                sh,
                "cargo run {locked...} --profile {profile} --manifest-path {manifest} -p tagwise-krb5bench --bin krb5bench"
            ))?;
        } else {
            eprintln!("x: without Kerberos: {} is missing", captures.display());
        }
        Ok(true)
    }
}

/// The peers that the user named.
enum Wanted {
    /// Those that need only Rust.
    Default,
    All,
    Names(Vec<String>),
}

impl Wanted {
    fn parse(list: Option<&str>, manifest: &str) -> Result<Self> {
        let known = |name: &&str| {
            manifest.contains(&format!("\npeer-{name} = ")) || manifest.contains(&format!("`peer-{name}`"))
        };
        let names: Vec<&str> = match list {
            None => return Ok(Self::Default),
            Some("all") => return Ok(Self::All),
            Some(list) => list.split(',').filter(|name| !name.is_empty()).collect(),
        };
        if names.is_empty() {
            return Err(misuse("--peers expects a list of names, or all"));
        }
        match names.iter().find(|name| !known(name)) {
            Some(name) => Err(misuse(format_args!("no peer {name}"))),
            None => Ok(Self::Names(names.into_iter().map(str::to_owned).collect())),
        }
    }

    /// Returns whether an optional peer was named.
    fn includes(&self, name: &str) -> bool {
        match self {
            Self::Default => false,
            Self::All => true,
            Self::Names(names) => names.iter().any(|wanted| wanted == name),
        }
    }

    /// The features of cargo for the peers that need only Rust.
    fn features(&self) -> Vec<String> {
        let Self::Names(names) = self else { return Vec::new() };
        let mut features = vec!["--no-default-features".to_owned(), "--features=peer-tagwise,peer-synta".to_owned()];
        let rust = names.iter().filter(|name| !OPTIONAL.contains(&name.as_str()));
        features.extend(rust.map(|name| format!("--features=peer-{name}")));
        features
    }
}

/// Provides what a peer needs; the error says why it cannot be built. Returns the source of the one that is unpacked.
fn available(project: &Project, name: &str) -> Result<Option<Sdist>> {
    if name == "ossl" && std::env::var_os("LIBCLANG_PATH").is_some() {
        return Ok(None);
    }
    provide(project, &format!("bench/{name}"))?;
    match name {
        "go" => recent_go(project).map(|()| None),
        "cryptography" => cryptography(project).map(Some),
        _ => Ok(None),
    }
}

/// The source package of PyCA cryptography.
struct Sdist(PathBuf);

impl Sdist {
    /// The newest in a folder.
    fn newest(folder: &Path) -> Option<Self> {
        let mut all: Vec<Self> = files(folder.join("cryptography-*.tar.gz")).into_iter().map(Self).collect();
        all.sort_by_cached_key(|sdist| {
            sdist.version().split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u64>>()
        });
        all.pop()
    }

    /// `cryptography-50.0.2`.
    fn name(&self) -> String {
        let name = self.0.file_name().unwrap_or_default().to_string_lossy();
        name.trim_end_matches(".tar.gz").to_owned()
    }

    fn version(&self) -> String {
        self.name().rsplit('-').next().unwrap_or_default().to_owned()
    }
}

/// PyCA's crate is not on crates.io: its source comes with the Python package. It is unpacked below the target folder, beside a copy
/// of the benchmark's manifest that depends on it.
fn cryptography(project: &Project) -> Result<Sdist> {
    let (sh, root) = (&project.sh, &project.root);
    let (home, sdists, package) =
        (project.folder("x/bench")?, project.folder("x/bench/sdist")?, project.folder("x/bench/package")?);
    if Sdist::newest(&sdists).is_none() {
        run(cmd!(sh, "python3 -m pip download -q --no-deps --no-binary cryptography -d {sdists} cryptography"))
            .context("pip could not get its source")?;
    }
    let sdist = Sdist::newest(&sdists).context("pip downloaded no source of it")?;
    let unpacked = home.join(sdist.name());
    if !unpacked.is_dir() {
        let archive = &sdist.0;
        run(cmd!(sh, "tar -xzf {archive} -C {home}"))?;
    }
    let linked = ["src", "native", "build.rs", "results"].map(|name| root.join("bench").join(name));
    run(cmd!(sh, "ln -sfn {linked...} {package}/"))?;
    let manifest = with_cryptography(&std::fs::read_to_string(root.join("bench/Cargo.toml"))?, root, &unpacked);
    // Cargo rebuilds what has a newer manifest.
    let path = package.join("Cargo.toml");
    if std::fs::read_to_string(&path).unwrap_or_default() != manifest {
        std::fs::write(&path, manifest)?;
    }
    let lock = package.join("Cargo.lock");
    if !lock.is_file() {
        std::fs::copy(root.join("bench/Cargo.lock"), lock)?;
    }
    Ok(sdist)
}

/// The benchmark's manifest for another folder, with one more peer.
fn with_cryptography(manifest: &str, root: &Path, unpacked: &Path) -> String {
    let (root, unpacked) = (root.display(), unpacked.display());
    let mut text = String::new();
    for line in manifest.lines().filter(|line| !line.starts_with("members = ")) {
        let line = line.replacen("path = \"../", &format!("path = \"{root}/"), 1).replacen(
            "path = \"plot\"",
            &format!("path = \"{root}/bench/plot\""),
            1,
        );
        text += &(line + "\n");
        if text.ends_with("\n[features]\n") {
            text += "peer-cryptography = [\"dep:cryptography-x509\", \"dep:asn1\"]\n";
        } else if text.ends_with("\n[dependencies]\n") {
            text += &format!(
                "cryptography-x509 = {{ path = \"{unpacked}/src/rust/cryptography-x509\", optional = true }}\n"
            );
        }
    }
    text
}

/// The folder with the CCADB certificates with ML-DSA keys, 70 MB, which is generated once. Its rows are left out if that fails.
fn rekeyed(project: &Project) -> PathBuf {
    let inputs = project.target.join("x/bench/inputs");
    let script = project.corpora.join("ccadb/make_mldsa_rekeyed.py");
    let missing = script.is_file() && !inputs.join("mldsa-ccadb.der").is_file();
    if let Err(error) = if missing { rekey(project, &script, &inputs) } else { Ok(()) } {
        eprintln!("x: no ML-DSA set, which needs Python's cryptography 47 or later: {error:#}");
    }
    inputs
}

fn rekey(project: &Project, script: &Path, inputs: &Path) -> Result<()> {
    let (sh, venv) = (&project.sh, project.folder("x/bench")?.join("venv"));
    let mut python = PathBuf::from("python3");
    if !succeeds(cmd!(sh, "{python} -c 'import cryptography.hazmat.primitives.asymmetric.mldsa'")) {
        crate::python::environment(project, &venv, "python3")?;
        crate::python::pip(project, &venv, &["cryptography>=47"])?;
        python = venv.join("bin/python");
    }
    let (script, new) = (script.canonicalize()?, inputs.with_extension("new"));
    let source = script.parent().context("a script without a folder")?;
    std::fs::create_dir_all(&new)?;
    run(cmd!(sh, "ln -sf {source}/certs.der {source}/index.csv {new}/"))?;
    eprintln!("x: generating the ML-DSA set, 20 s");
    {
        let _new = sh.push_dir(&new);
        run(cmd!(sh, "{python} {script}").ignore_stdout())?;
    }
    Ok(std::fs::rename(&new, inputs)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[workspace]\nmembers = [\"x\"]\n\n[features]\npeer-der = [\"dep:der\"]\n# `peer-cryptography` is elsewhere\n\n\
                            [dependencies]\na = { path = \"../crates/a\" }\nplot = { path = \"plot\" }\n";

    #[test]
    fn peers_are_checked() {
        let parse = |list| Wanted::parse(list, MANIFEST);
        assert!(!parse(None).unwrap().includes("go") && parse(None).unwrap().features().is_empty());
        assert!(parse(Some("all")).unwrap().includes("go") && parse(Some("all")).unwrap().features().is_empty());
        let some = parse(Some("cryptography,der")).unwrap();
        assert!(some.includes("cryptography") && !some.includes("go"));
        assert_eq!(
            some.features(),
            ["--no-default-features", "--features=peer-tagwise,peer-synta", "--features=peer-der"]
        );
        assert!(parse(Some("none")).is_err() && parse(Some("")).is_err());
    }

    #[test]
    fn manifest_elsewhere_names_the_same_crates() {
        let expected = "[workspace]\n\n[features]\npeer-cryptography = [\"dep:cryptography-x509\", \"dep:asn1\"]\npeer-der = [\"dep:der\"]\n\
                        # `peer-cryptography` is elsewhere\n\n[dependencies]\n\
                        cryptography-x509 = { path = \"/u/src/rust/cryptography-x509\", optional = true }\n\
                        a = { path = \"/r/crates/a\" }\nplot = { path = \"/r/bench/plot\" }\n";
        assert_eq!(with_cryptography(MANIFEST, Path::new("/r"), Path::new("/u")), expected);
    }

    #[test]
    fn newest_source_has_the_greatest_version() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Sdist::newest(folder.path()).is_none());
        for version in ["9.0.1", "50.0.2", "50.0.10"] {
            std::fs::write(folder.path().join(format!("cryptography-{version}.tar.gz")), "").unwrap();
        }
        assert_eq!(Sdist::newest(folder.path()).unwrap().version(), "50.0.10");
    }
}

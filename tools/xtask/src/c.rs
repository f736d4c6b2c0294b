//! `./x c`: libtagwise, the library for C.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::{Args, Subcommand};
use xshell::cmd;

use crate::manifests;
use crate::needs::provide;
use crate::project::{Project, files, fresh, read, run, succeeds};
use crate::steps::Steps;

#[derive(Args)]
pub(crate) struct C {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// Rewrite tagwise.h and the listing of the interface
    Header {
        /// Only report whether they are up to date
        #[arg(long)]
        check: bool,
    },
    /// Install the library, its header, and its pkg-config and CMake files
    Install(Install),
    /// Measure LDAP messages, compared with asn1c and liblber, and certificates
    Bench,
}

#[derive(Args)]
struct Install {
    /// Folder from which the library will be used
    #[arg(long, value_name = "DIR", default_value = "/usr/local")]
    prefix: PathBuf,
    /// Folder for libraries, absolute or below the prefix
    #[arg(long, value_name = "DIR", default_value = "lib")]
    libdir: PathBuf,
    /// Folder to prepend to every written path, for packages
    #[arg(long, value_name = "DIR")]
    destdir: Option<PathBuf>,
    /// Features of the library, separated by commas: openssl adds the system's OpenSSL; x509 alone leaves out keys, messages, paths,
    /// schemas and users
    #[arg(long, value_name = "LIST")]
    features: Option<String>,
}

impl C {
    pub(crate) fn run(&self, project: &Project) -> Result<bool> {
        match &self.what {
            Some(What::Header { check }) => {
                provide(project, "c/header")?;
                header(project, *check)?;
            }
            Some(What::Install(options)) => {
                provide(project, "c/install")?;
                let Project { here, .. } = project;
                let destdir = options.destdir.as_ref().map(|folder| here.join(folder));
                install(
                    project,
                    &here.join(&options.prefix),
                    &options.libdir,
                    destdir.as_deref(),
                    options.features.as_deref(),
                )?;
            }
            Some(What::Bench) => {
                provide(project, "c/bench")?;
                bench(project)?;
            }
            None => return test(project),
        }
        Ok(true)
    }
}

/// Writes the header from the sources, or compares it.
pub(crate) fn header(project: &Project, check: bool) -> Result<()> {
    let Project { sh, locked, root, .. } = project;
    let check = check.then_some("--check");
    run(cmd!(sh, "cargo run {locked...} -q --manifest-path tools/c-header/Cargo.toml -- {root} {check...}"))
}

fn test(project: &Project) -> Result<bool> {
    const VALGRIND: &str = "valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite";
    provide(project, "c")?;
    let mut steps = Steps::new(project, "x c");
    steps.step("the header is fresh", || header(project, true));
    steps.step("gcc, clang, g++, clang++", || {
        tests(project, "gcc -std=c99\nclang -std=c99\ng++ -x c++ -std=c++11\nclang++ -x c++ -std=c++17", "")
    });
    steps.step("sanitizers", || {
        tests(project, "gcc -std=c99 -fsanitize=address,undefined -fno-sanitize-recover=all", "")
    });
    // valgrind reports constant tables, which are built once and point into themselves, as possibly lost.
    steps.step("valgrind", || tests(project, "gcc -std=c99", VALGRIND));
    steps.step("what is installed", || consumers(project));
    steps.summary()
}

/// Runs the tests of `./x test` under these compilers, a command on each line, and a program that runs what they build.
fn tests(project: &Project, compilers: &str, runner: &str) -> Result<()> {
    let Project { sh, locked, .. } = project;
    run(cmd!(sh, "cargo test {locked...} --workspace --all-features --test libtagwise")
        .env("TAGWISE_C_COMPILERS", compilers)
        .env("TAGWISE_C_RUNNER", runner)
        .env("TAGWISE_ALL", "1"))
}

/// Builds the optimized archive with these features.
fn archive(project: &Project, features: Option<&str>) -> Result<PathBuf> {
    let Project { sh, locked, target, .. } = project;
    let small = (features == Some("x509")).then_some("--no-default-features");
    let features = features.into_iter().flat_map(|list| ["--features", list]);
    run(cmd!(
        sh,
        "cargo rustc {locked...} -q --release -p tagwise-c --lib --crate-type staticlib {small...} {features...}"
    ))?;
    Ok(target.join("release/libtagwise_c.a"))
}

fn install(
    project: &Project,
    prefix: &Path,
    libdir: &Path,
    destdir: Option<&Path>,
    features: Option<&str>,
) -> Result<()> {
    let Project { sh, root, .. } = project;
    let archive = archive(project, features)?;
    let manifest = manifests::table(&root.join("Cargo.toml"))?;
    let package = manifest.get("workspace").and_then(|workspace| workspace.get("package"));
    let version =
        package.and_then(|package| package.get("version")?.as_str()).context("the workspace has no version")?;
    let destdir = destdir.unwrap_or(Path::new(""));
    let features = features.unwrap_or_default().replace(',', " ");
    run(cmd!(sh, "doors/c/install/install {archive} {version} {prefix} {libdir} {destdir} {features}"))
}

/// Builds programs that know only where the library is installed.
fn consumers(project: &Project) -> Result<()> {
    let Project { sh, root, .. } = project;
    let (stage, room) = (project.scratch()?.join("stage"), project.scratch()?.join("consumer"));
    fresh(&stage)?;
    fresh(&room)?;
    install(project, &stage, Path::new("lib"), None, Some("openssl"))?;
    exported_symbols(project, &stage.join("lib"))?;

    let source = root.join("doors/c/examples/print_certificate.c");
    let certificate = root.join("doors/cli/tests/data/leaf.pem");
    let prints = |program: &Path, libraries: &Path| {
        let output = read(cmd!(sh, "{program} {certificate}").env("LD_LIBRARY_PATH", libraries))?;
        ensure!(output.contains("DNS:www.example.com"), "{} printed no name:\n{output}", program.display());
        Ok(())
    };
    let libraries = stage.join("lib");
    let none = Path::new("");
    let flags = |options: &[&str]| {
        let output = read(
            cmd!(sh, "pkg-config {options...} --cflags --libs tagwise")
                .env("PKG_CONFIG_PATH", libraries.join("pkgconfig")),
        )?;
        Ok::<_, anyhow::Error>(output.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    };
    let compile = |name: &str, options: &[&str], flags: &[String]| {
        let program = room.join(name);
        run(cmd!(sh, "cc -std=c99 {options...} -o {program} {source} {flags...}"))?;
        Ok::<_, anyhow::Error>(program)
    };

    prints(&compile("shared", &[], &flags(&[])?)?, &libraries)?;
    println!("ok       pkg-config, shared");

    run(cmd!(sh, "cmake --log-level=WARNING -S doors/c/install/consumer -B {room}/cmake -DCMAKE_PREFIX_PATH={stage}")
        .ignore_stdout())?;
    let built = cmd!(sh, "cmake --build {room}/cmake").quiet().ignore_status().output()?;
    ensure!(
        built.status.success(),
        "cmake --build failed:\n{}{}",
        String::from_utf8_lossy(&built.stdout),
        String::from_utf8_lossy(&built.stderr)
    );
    for name in ["consumer", "consumer_static"] {
        prints(&room.join("cmake").join(name), none)?;
    }
    println!("ok       CMake, shared and static");

    // The linker prefers the shared library where it finds one.
    for shared in files(libraries.join("libtagwise.so*")) {
        std::fs::remove_file(shared)?;
    }
    let linked = flags(&["--static"])?;
    prints(&compile("static", &[], &linked)?, none)?;
    // A fully static program, where the host has static libraries of OpenSSL and C.
    let probe = cmd!(sh, "cc -static -o {room}/probe -x c - -lssl -lcrypto").stdin("int main(void) { return 0; }");
    if succeeds(probe) {
        prints(&compile("whole", &["-static"], &linked)?, none)?;
        println!("ok       pkg-config, static as a whole");
    }
    println!("ok       pkg-config, static");

    let small = project.scratch()?.join("small");
    fresh(&small)?;
    install(project, &small, Path::new("lib"), None, Some("x509"))?;
    exported_symbols(project, &small.join("lib"))?;
    let program = room.join("small");
    run(cmd!(sh, "cc -std=c99 -o {program} {source} -I {small}/include -L {small}/lib -ltagwise"))?;
    prints(&program, &small.join("lib"))?;
    println!("ok       the library with x509 alone");
    Ok(())
}

/// Fails if a library exports anything but its own functions.
fn exported_symbols(project: &Project, libraries: &Path) -> Result<()> {
    let sh = &project.sh;
    let shared = read(cmd!(sh, "nm -D --defined-only {libraries}/libtagwise.so"))?;
    let is_ours =
        |line: &&str| line.ends_with(" TAGWISE_1") || (line.contains(" tagwise_") && line.ends_with("@@TAGWISE_1"));
    if let Some(line) = shared.lines().find(|line| !is_ours(line)) {
        bail!("the shared library exports more than its own functions: {line}");
    }
    let archive = read(cmd!(sh, "nm -g --defined-only {libraries}/libtagwise.a"))?;
    let mut symbols = archive.lines().filter(|line| line.split_whitespace().count() == 3);
    if let Some(line) = symbols.find(|line| !line.contains(" tagwise_")) {
        bail!("the static library exports more than its own functions: {line}");
    }
    let dynamic = read(cmd!(sh, "readelf -d {libraries}/libtagwise.so"))?;
    ensure!(
        dynamic.lines().any(|line| line.contains("SONAME") && line.contains("[libtagwise.so.1]")),
        "the soname is not libtagwise.so.1"
    );
    Ok(())
}

fn bench(project: &Project) -> Result<()> {
    let Project { sh, locked, root, corpora, .. } = project;
    let room = project.scratch()?.join("bench");
    let asn1c = room.join("asn1c");
    std::fs::create_dir_all(&asn1c)?;
    let archive = archive(project, None)?;
    let module = root.join("doors/c/examples/ldap.asn1");
    {
        let _asn1c = sh.push_dir(&asn1c);
        run(cmd!(sh, "asn1c -fcompound-names {module}").ignore_stdout().ignore_stderr())?;
    }
    // A program of asn1c's own.
    std::fs::remove_file(asn1c.join("converter-sample.c"))?;
    run(cmd!(
        sh,
        "cargo run {locked...} -q -p tagwise-cli -- compile --lang c --name ldap --prefix tw_ -o {room} {module}"
    ))?;
    let skeletons = files(asn1c.join("*.c"));
    let libraries = ["-llber", "-lpthread", "-ldl", "-lm", "-lgcc_s"];
    run(cmd!(sh, "cc -std=c99 -O2 -w -I {room} -I {asn1c} -I doors/c/include -o {room}/bench bench/c/bench.c {room}/ldap.c {skeletons...}")
        .arg(archive)
        .args(libraries))?;
    let mut certificates = Vec::new();
    if corpora.join("pkits/certs").is_dir() {
        let names = [
            "GoodCACert",
            "ValidCertificatePathTest1EE",
            "TrustAnchorRootCertificate",
            "nameConstraintsDN1CACert",
            "ValidPolicyMappingTest12EE",
        ];
        certificates.extend(names.map(|name| corpora.join(format!("pkits/certs/{name}.crt"))));
    }
    for pem in files(corpora.join("lamps-pqc/ml-dsa/ML-DSA-[0-9][0-9].crt")) {
        let text = std::fs::read_to_string(&pem)?;
        let base64: String = text.lines().filter(|line| !line.contains("-----")).collect();
        let der = room.join(pem.with_extension("der").file_name().context("a certificate without a name")?);
        let output = cmd!(sh, "base64 -d").stdin(base64).quiet().output()?;
        std::fs::write(&der, output.stdout)?;
        certificates.push(der);
    }
    run(cmd!(sh, "{room}/bench {certificates...}"))
}

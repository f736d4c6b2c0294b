//! Comparisons with other implementations: ASN.1 compilers, fields of certificates, certification paths, Merkle Tree Certificates.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use xshell::cmd;

use crate::krb5::cache;
use crate::needs::{apt_get, program, provide};
use crate::project::{Project, cannot, exec, files, fresh, read, run};
use crate::python::{environment, extension, pip};

/// Its messages and verdicts have reasons in the registers: another version has others.
const CRYPTOGRAPHY: &str = "cryptography==50.0.2";

/// Compiles the Rust of each set of published modules, below `target/modules`; tests/register/codegen.tsv lists what does not compile.
pub(crate) fn modules(project: &Project, names: &[String]) -> Result<bool> {
    let Project { sh, locked, target, .. } = project;
    Err(exec(cmd!(sh, "cargo run {locked...} -q -p tagwise-codegen --example corpora -- {target}/modules {names...}")))
}

/// Other compilers on the same sets, one in Rust and two in Python, each with its time per set.
pub(crate) fn modules_peers(project: &Project) -> Result<bool> {
    provide(project, "modules/peers")?;
    let Project { sh, locked, root, .. } = project;
    let room = project.folder("modules/peers")?;
    let venv = room.join("venv");
    environment(project, &venv, "python3")?;
    pip(project, &venv, &[&format!("asn1tools=={ASN1TOOLS}"), "pycrate==0.8.1"])?;
    let list = read(cmd!(sh, "cargo run {locked...} -q -p tagwise-codegen --example corpora -- --list"))?;
    let sets: Vec<&str> = list.lines().collect();
    std::fs::write(room.join("list.tsv"), format!("{list}\n"))?;
    let peers = root.join("tools/schema-peers");
    run(cmd!(
        sh,
        "cargo build {locked...} -q --release --manifest-path {peers}/Cargo.toml --target-dir {room}/target"
    ))?;
    let compiler = room.join("target/release/tagwise-schema-peers");
    for which in ["check", "tables", "rust", "doc", "rasn"] {
        std::fs::write(
            room.join(format!("{which}.tsv")),
            rows(&sets, &room, |rest| {
                Ok(Command::from(cmd!(sh, "{compiler} {which}")).stdin(rest).stderr(Stdio::null()).output()?.stdout)
            })?,
        )?;
    }
    let (python, script) = (venv.join("bin/python"), peers.join("peers.py"));
    for which in ["asn1tools", "pycrate"] {
        let output = read(cmd!(sh, "{python} {script} run {which}").stdin(format!("{list}\n")))?;
        std::fs::write(room.join(format!("{which}.tsv")), format!("{output}\n"))?;
    }
    let columns = [
        ("Tagwise", "check"),
        ("Tagwise, tables", "tables"),
        ("Tagwise, Rust", "rust"),
        ("Tagwise, pages", "doc"),
        ("rasn-compiler 0.16.0", "rasn"),
        ("asn1tools 0.169.0", "asn1tools"),
        ("pycrate 0.8.1", "pycrate"),
    ];
    let columns = columns.map(|(name, which)| format!("{name}={}/{which}.tsv", room.display()));
    let table = read(cmd!(sh, "{python} {script} table {room}/list.tsv {columns...}"))?;
    // Sections below the table come from other measurements, and stay.
    let page = root.join("bench/results/schema.md");
    let old = std::fs::read_to_string(&page)?;
    let below: Vec<&str> = old.lines().skip_while(|line| !line.starts_with("## ")).collect();
    std::fs::write(&page, format!("{table}\n{}\n", below.join("\n")))?;
    println!("written  bench/results/schema.md");
    Ok(true)
}

/// A row for each set. A compiler prints one for each set that it reads; where its process ends early (rasn-compiler overflows the
/// stack), the row says so, and the next process continues after it.
fn rows(sets: &[&str], room: &Path, mut compile: impl FnMut(File) -> Result<Vec<u8>>) -> Result<String> {
    let mut rows: Vec<String> = Vec::new();
    while let Some(rest) = sets.get(rows.len()..).filter(|rest| !rest.is_empty()) {
        let input = room.join("rest.tsv");
        std::fs::write(&input, format!("{}\n", rest.join("\n")))?;
        let output = String::from_utf8_lossy(&compile(File::open(&input)?)?).into_owned();
        // The last line may be cut off.
        let whole = output.rsplit_once('\n').map_or("", |(whole, _)| whole);
        rows.extend(whole.lines().map(str::to_owned));
        if let Some(set) = sets.get(rows.len()) {
            rows.push(format!("{}\tpanic\t0\t", set.split('\t').next().unwrap_or_default()));
        }
    }
    Ok(rows.iter().map(|row| format!("{row}\n")).collect())
}

/// Fails unless each of these sets of the corpora is there.
fn sets(project: &Project, names: &[&str]) -> Result<()> {
    match names.iter().find(|name| !project.corpora.join(name).is_dir()) {
        Some(name) => Err(cannot(format_args!("the set {name} is missing in {}", project.corpora.display()))),
        None => Ok(()),
    }
}

/// Compares fields that PyCA cryptography reports with `tagwise show --json`; tests/register/agreement.tsv has every difference.
pub(crate) fn agree(project: &Project, bless: bool) -> Result<bool> {
    sets(project, &["ccadb", "pyca"])?;
    provide(project, "agree")?;
    let Project { sh, locked, target, corpora, root, .. } = project;
    let venv = target.join("x/agree/venv");
    environment(project, &venv, "python3")?;
    pip(project, &venv, &[CRYPTOGRAPHY])?;
    run(cmd!(sh, "cargo build {locked...} -q --release -p tagwise-cli --bin tagwise"))?;
    let bless = bless.then_some("--bless");
    Err(exec(cmd!(
        sh,
        "{venv}/bin/python {root}/tools/agreement/agree.py {target}/release/tagwise {corpora} {bless...}"
    )))
}

/// Compares verdicts on certification paths; tools/paths/reasons.tsv has the clause for each kind of difference.
pub(crate) fn agree_paths(project: &Project, count: u32) -> Result<bool> {
    sets(project, &["pkits", "x509-limbo"])?;
    provide(project, "agree-paths")?;
    recent_go(project)?;
    let Project { sh, locked, target, corpora, root, .. } = project;
    let (room, tools) = (project.folder("x/paths")?, root.join("tools/paths"));
    let venv = room.join("venv");
    environment(project, &venv, "python3")?;
    pip(project, &venv, &[CRYPTOGRAPHY])?;
    {
        let _go = sh.push_dir(tools.join("go"));
        run(cmd!(sh, "go build -o {room}/go-verify ."))?;
    }
    run(cmd!(sh, "cargo build {locked...} -q --manifest-path {tools}/webpki/Cargo.toml"))?;
    // A debug build has the same verdicts, and exists already.
    run(cmd!(sh, "cargo build {locked...} -q -p tagwise-cli --bin tagwise"))?;
    let python = venv.join("bin/python");
    {
        let _tools = sh.push_dir(&tools);
        run(cmd!(sh, "{python} -W ignore test_agree.py"))?;
    }
    let openssl = program("openssl").context("no openssl in PATH")?;
    let count = count.to_string();
    Err(exec(
        cmd!(sh, "{python} -W ignore {tools}/agree.py --tagwise {target}/debug/tagwise --openssl {openssl}")
            .args(["--go".into(), room.join("go-verify"), "--webpki".into(), target.join("debug/paths-webpki")])
            .args([
                "--pyca".into(),
                "--corpora".into(),
                corpora.clone(),
                "--scratch".into(),
                room.clone(),
                "--count".into(),
                count.into(),
            ]),
    ))
}

/// Fails unless Go is 1.22 or later.
pub(crate) fn recent_go(project: &Project) -> Result<()> {
    let sh = &project.sh;
    let version = read(cmd!(sh, "go env GOVERSION"))?;
    let minor = version
        .strip_prefix("go1.")
        .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok());
    if minor.is_none_or(|minor| minor < 22) {
        return Err(cannot(format_args!("Go is too old: {version}, expected go1.22 or later")));
    }
    Ok(())
}

/// The version of asn1tools whose modules and messages are used.
pub(crate) const ASN1TOOLS: &str = "0.169.0";

/// Compares PER, OER and XER encodings with asn1tools, pycrate and, if they are installed, Erlang's compiler and asn1c; then messages and
/// values of the protocols of mobile networks with pycrate.
pub(crate) fn per_peers(project: &Project) -> Result<bool> {
    provide(project, "per-peers")?;
    let Project { sh, locked, target, root, .. } = project;
    let room = project.folder("per-peers")?;
    let venv = room.join("venv");
    environment(project, &venv, "python3")?;
    pip(project, &venv, &[&format!("asn1tools=={ASN1TOOLS}"), "pycrate==0.8.1"])?;
    // Tests are in the source distributions only.
    let sources = |name: &str, version: &str| -> Result<PathBuf> {
        let folder = room.join(format!("{name}-{version}"));
        if !folder.exists() {
            let python = venv.join("bin/python");
            run(cmd!(sh, "{python} -m pip download -q --no-deps --no-binary :all: -d {room} {name}=={version}"))?;
            run(cmd!(sh, "tar -xzf {folder}.tar.gz -C {room}"))?;
        }
        Ok(folder)
    };
    let (asn1tools, pycrate) = (sources("asn1tools", ASN1TOOLS)?, sources("pycrate", "0.8.1")?);
    run(cmd!(sh, "cargo build {locked...} -q -p tagwise-tables --example per"))?;
    let tools = root.join("tools/per-peers");
    run(cmd!(sh, "cargo build {locked...} -q --manifest-path {tools}/Cargo.toml")
        .env("TAGWISE_PER_SOURCES", &asn1tools))?;
    let (python, script) = (venv.join("bin/python"), tools.join("peers.py"));
    let (recoder, generated) = (target.join("debug/examples/per"), target.join("debug/tagwise-per-peers"));
    run(cmd!(sh, "{python} {script} {recoder} {generated} {asn1tools} {pycrate} {room}/messages.tsv"))?;
    let installed = [("erlc", "erlang"), ("asn1c", "asn1c")].into_iter().filter(|(name, _)| program(name).is_some());
    let peers: Vec<&str> = ["asn1tools", "pycrate"].into_iter().chain(installed.map(|(_, peer)| peer)).collect();
    let script = root.join("tools/per-peers/boundaries.py");
    run(cmd!(sh, "{python} {script} {recoder} {room}/boundaries {peers...}"))?;
    let modules = telecom(project)?;
    let script = root.join("tools/per-peers/telecom.py");
    run(cmd!(sh, "{python} {script} {recoder} {room}/telecom {modules} {pycrate} {room}/messages.tsv"))?;
    Ok(true)
}

/// The folder with the modules of 3GPP: those in Debian's sources of Wireshark, which all clones of a user share, or in the folder
/// `TAGWISE_TELECOM`.
fn telecom(project: &Project) -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("TAGWISE_TELECOM") {
        return Ok(folder.into());
    }
    let (sh, folder) = (&project.sh, cache(project).join("telecom"));
    if !folder.join("ngap").is_dir() {
        ensure!(
            program("apt-get").is_some(),
            "the modules of 3GPP are unpacked from Debian's sources of Wireshark only"
        );
        let room = folder.with_extension(std::process::id().to_string());
        eprintln!("x: unpacking 3GPP's modules of Debian's sources of Wireshark in {}", folder.display());
        fresh(&room)?;
        std::fs::create_dir_all(room.join("lists/partial"))?;
        // The system's own lists may not name any sources.
        let targets = read(cmd!(sh, "apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(CODENAME) $(COMPONENT)'"))?;
        let of_debian = targets.lines().filter_map(|line| line.strip_prefix("Debian "));
        // One line for each architecture. Mirrors may lack the sources of security updates, whose modules are the same.
        let is_plain = |line: &&str| line.ends_with(" main") && !line.contains("-security");
        let unique: BTreeSet<&str> = of_debian.filter(is_plain).collect();
        let sources: String = unique.into_iter().map(|line| format!("deb-src {line}\n")).collect();
        std::fs::write(room.join("sources.list"), sources)?;
        let options: Vec<String> =
            [("Etc::sourcelist", "sources.list"), ("Etc::sourceparts", "none"), ("State::lists", "lists")]
                .map(|(name, path)| format!("-oDir::{name}={}", room.join(path).display()))
                .into();
        let words = |words: &[&str]| -> Vec<String> {
            options.iter().cloned().chain(words.iter().map(|word| (*word).to_owned())).collect()
        };
        let get = |list: &[&str]| {
            let words = words(list);
            apt_get(sh, &words.iter().map(String::as_str).collect::<Vec<_>>())
        };
        get(&["update"])?;
        {
            let _inside = sh.push_dir(&room);
            get(&["source", "--download-only", "wireshark"])?;
        }
        let archive = files(room.join("*.orig.tar.*")).into_iter().next().context("no sources of Wireshark")?;
        let unpacked = room.join("unpacked");
        std::fs::create_dir_all(&unpacked)?;
        run(cmd!(
            sh,
            "tar -xf {archive} -C {unpacked} --strip-components 4 --wildcards '*/epan/dissectors/asn1/*/*.asn'"
        ))?;
        fresh(&folder)?;
        std::fs::rename(&unpacked, &folder)?;
        std::fs::remove_dir_all(&room)?;
    }
    Ok(folder)
}

const SAIL: &str = "tests/test_column_engines.py::test_sail";

/// Tests the columns of the Python package in the engines of `doors/python/tests/columns.txt`.
pub(crate) fn columns(project: &Project) -> Result<bool> {
    provide(project, "columns")?;
    let Project { sh, target, root, .. } = project;
    let (venv, sources) = (project.folder("x/columns")?.join("venv"), root.join("doors/python"));
    environment(project, &venv, "python3")?;
    pip(project, &venv, &["-r", &sources.join("tests/columns.txt").to_string_lossy()])?;
    extension(project, (root, target), &sources.join("python/tagwise"))?;
    sh.change_dir(&sources);
    sh.set_var("PYTHONPATH", sources.join("python"));
    let test = |venv: &Path, tests: &[&str]| {
        let python = venv.join("bin/python");
        // The other tests' configuration needs their packages.
        run(cmd!(sh, "{python} -m pytest -q -rs --noconftest -p no:cacheprovider {tests...}"))
    };
    // No test is skipped.
    sh.set_var("TAGWISE_ENGINES", "1");
    let most = test(&venv, &["tests/test_columns.py", "tests/test_column_engines.py", "--deselect", SAIL]);
    // Sail does not support the version of pyspark that the other test uses.
    let venv = project.folder("x/columns")?.join("venv-sail");
    environment(project, &venv, "python3")?;
    pip(project, &venv, &["-r", &sources.join("tests/columns-sail.txt").to_string_lossy()])?;
    most.and(test(&venv, &[SAIL]))?;
    Ok(true)
}

/// Builds the PostgreSQL extension over libtagwise, and tests it on a server of its own, with the certificates of CCADB if they are
/// present.
pub(crate) fn postgres(project: &Project) -> Result<bool> {
    provide(project, "postgres")?;
    let Project { sh, locked, target, root, .. } = project;
    run(cmd!(sh, "cargo rustc {locked...} -q --release -p tagwise-c --lib --crate-type staticlib"))?;
    run(cmd!(sh, "cargo build {locked...} -q --release -p tagwise-cli --bin tagwise"))?;
    let release = target.join("release");
    let (library, tagwise) = (release.join("libtagwise_c.a"), release.join("tagwise"));
    let certificates = project.corpora.join("ccadb/certs.der");
    let certificates = certificates.exists().then_some(certificates);
    Err(exec(cmd!(sh, "{root}/doors/postgres/tests/run.sh {library} {tagwise} {certificates...}")))
}

/// Certificates and proofs of Tagwise, the crate mtcs and Boulder, each verified by the others.
pub(crate) fn mtc_peers(project: &Project) -> Result<bool> {
    provide(project, "mtc-peers")?;
    let Project { sh, locked, target, root, .. } = project;
    let room = project.folder("x/mtc-peers")?;
    let (log, tools, ours) = (room.join("log"), root.join("tools/mtc-peers"), target.join("debug/tagwise-mtc-peers"));
    fresh(&log)?;
    run(cmd!(sh, "cargo build {locked...} -q --manifest-path {tools}/Cargo.toml"))?;
    run(cmd!(sh, "{ours} make {log}"))?;
    {
        // Boulder needs a newer Go than most systems have; the go command fetches it.
        let _go = sh.push_dir(tools.join("go"));
        run(cmd!(sh, "go build -o {room}/go-peers .").env("GOTOOLCHAIN", "auto"))?;
    }
    run(cmd!(sh, "{room}/go-peers {log}"))?;
    run(cmd!(sh, "{ours} check {log}/vectors.txt"))?;
    Ok(true)
}

/// Reads a log of Certificate Transparency by Tessera, with the certificates of CCADB.
pub(crate) fn ct_peers(project: &Project) -> Result<bool> {
    sets(project, &["ccadb"])?;
    provide(project, "ct-peers")?;
    let Project { sh, locked, target, root, corpora, .. } = project;
    let room = project.folder("x/ct-peers")?;
    let (run_folder, tools) = (room.join("run"), root.join("tools/ct-peers"));
    fresh(&run_folder)?;
    run(cmd!(sh, "cargo build {locked...} -q -p tagwise-cli --bin tagwise"))?;
    {
        let _go = sh.push_dir(tools.join("go"));
        run(cmd!(sh, "go build -o {room}/ct-peers .").env("GOTOOLCHAIN", "auto"))?;
    }
    let tagwise = target.join("debug/tagwise");
    Err(exec(cmd!(sh, "python3 {tools}/check.py {tagwise} {room}/ct-peers {corpora}/ccadb/certs.der {run_folder}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn set_that_ends_the_process_is_a_row() {
        let room = tempfile::tempdir().unwrap();
        let compile = |mut rest: File| {
            let mut text = String::new();
            rest.read_to_string(&mut text)?;
            // Prints a row for each set up to the bad one, and half of that one's.
            let good = text.lines().take_while(|line| !line.starts_with("bad")).map(|line| format!("{line}\tok\n"));
            Ok((good.collect::<String>() + if text.contains("bad") { "ba" } else { "" }).into_bytes())
        };
        let rows = rows(&["a\t1", "bad\t2", "c\t3"], room.path(), compile).unwrap();
        assert_eq!(rows, "a\t1\tok\nbad\tpanic\t0\t\nc\t3\tok\n");
    }
}

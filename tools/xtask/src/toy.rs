//! `./x toy`: adds an extension to a copy of the sources, and finds it at every door. `tests/toy` has what is added.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use xshell::cmd;

use crate::needs::provide;
use crate::project::{Project, fresh, read, run};
use crate::python;
use crate::steps::Steps;

/// What is added: the file in `tests/toy`, the file of the sources that gets it, and the text before which it goes.
const ADDED: [(&str, &str, &str); 5] = [
    ("oid.rs", "crates/pki/facts/src/extensions.rs", "    Extension \"RFC 8649\" {\n"),
    ("type.rs", "crates/pki/x509/src/ext/rare.rs", "macro_rules! known {"),
    ("known.rs", "crates/pki/x509/src/ext/rare.rs", "    SubjectAltPublicKeyInfo<'_> = SUBJECT_ALT_PUBLIC_KEY_INFO;\n"),
    ("lint.rs", "crates/pki/lint/src/list.rs", "    PROXY_CERT_INFO_NOT_CRITICAL = "),
    // At the end.
    ("extension.py", "doors/python/python/tagwise/x509/_extensions_policy.py", ""),
];

/// A file with an addition.
fn with(text: &str, addition: &str, before: &str) -> Result<String> {
    if before.is_empty() {
        return Ok(format!("{text}{addition}"));
    }
    let mut parts = text.split(before);
    let (first, second) = (parts.next().unwrap_or_default(), parts.next());
    let second = second.with_context(|| format!("there is no {before:?}"))?;
    ensure!(parts.next().is_none(), "there is more than one {before:?}");
    Ok(format!("{first}{addition}{before}{second}"))
}

fn add(root: &Path, copy: &Path) -> Result<()> {
    for (addition, file, before) in ADDED {
        let addition = std::fs::read_to_string(root.join("tests/toy").join(addition))?;
        let path = copy.join(file);
        let text = with(&std::fs::read_to_string(&path)?, &addition, before).with_context(|| file.to_owned())?;
        std::fs::write(path, text)?;
    }
    Ok(())
}

pub(crate) fn toy(project: &Project) -> Result<bool> {
    provide(project, "toy")?;
    let Project { sh, root, locked, .. } = project;
    let (copy, target) = (project.folder("x/toy")?.join("sources"), project.folder("x/toy/target")?);
    fresh(&copy)?;
    // Cargo names what it builds by the paths within a workspace: in the usual folder, the copy's crates would pass for the real ones.
    sh.set_var("CARGO_TARGET_DIR", &target);
    for file in read(cmd!(sh, "git ls-files --cached --others --exclude-standard"))?.lines() {
        let (from, to) = (root.join(file), copy.join(file));
        // A file that was deleted is still in the index.
        let Ok(kind) = from.symlink_metadata() else { continue };
        std::fs::create_dir_all(to.parent().context("a file without a folder")?)?;
        if kind.is_symlink() {
            std::os::unix::fs::symlink(from.read_link()?, to)?;
        } else {
            std::fs::copy(from, to)?;
        }
    }
    add(root, &copy)?;
    let toy = copy.join("tests/toy");
    std::fs::copy(toy.join("rust.rs"), copy.join("doors/facade/examples/toy.rs"))?;
    sh.change_dir(&copy);
    let (certificate, command) = (copy.join("toy.der"), target.join("debug/tagwise"));
    let mut steps = Steps::new(project, "x toy");
    let what =
        ["-p", "tagwise-cli", "--bin", "tagwise", "-p", "tagwise", "--example", "toy", "-p", "tagwise-c", "--lib"];
    steps.step("build", || run(cmd!(sh, "cargo build {locked...} -q --all-features {what...}")));
    if !steps.passed() {
        return steps.summary();
    }
    steps.step("the fixture", || run(cmd!(sh, "{command} edit --assemble {toy}/certificate.txt -o {certificate}")));
    steps.step("Rust", || run(cmd!(sh, "{target}/debug/examples/toy {certificate}")));
    steps.step("text", || {
        let text = read(cmd!(sh, "{command} show {certificate}"))?;
        ensure!(["toy", "critical", "red"].iter().all(|word| text.contains(word)), "{text}");
        Ok(())
    });
    steps.step("JSON", || {
        let text = read(cmd!(sh, "{command} show --json {certificate}"))?;
        ensure!(text.contains("\"id-pe-toy\"") && text.contains("\"red\""), "{text}");
        Ok(())
    });
    steps.step("lint", || {
        let text = read(cmd!(sh, "{command} lint --json {certificate}").ignore_status())?;
        ensure!(
            text.contains("\"rfc9999.1.critical\"") && text.contains("tbsCertificate.extensions[0].critical"),
            "{text}"
        );
        Ok(())
    });
    steps.step("C", || {
        let (program, door) = (copy.join("toy"), copy.join("doors/c"));
        let system = ["-lssl", "-lcrypto", "-lpthread", "-ldl", "-lm", "-lgcc_s"];
        let include = ["include", "tests/c"].map(|folder| format!("-I{}", door.join(folder).display()));
        run(cmd!(
            sh,
            "cc -std=c99 -Wall -Wextra {include...} -o {program} {toy}/check.c {target}/debug/libtagwise_c.a {system...}"
        ))?;
        run(cmd!(sh, "{program} {certificate}"))
    });
    steps.step("Python", || {
        python::extension(project, (&copy, &target), &copy.join("doors/python/python/tagwise"))?;
        run(cmd!(sh, "python3 {toy}/check.py {certificate}").env("PYTHONPATH", copy.join("doors/python/python")))
    });
    sh.change_dir(root);
    sh.set_var("CARGO_TARGET_DIR", &project.target);
    steps.summary()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The additions have their places in the sources, so that the command does not fail after minutes.
    #[test]
    fn additions_have_their_places() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let copy = tempfile::tempdir().unwrap();
        for (_, file, _) in ADDED {
            let to = copy.path().join(file);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(root.join(file), to).unwrap();
        }
        add(&root, copy.path()).unwrap();
        let rare = std::fs::read_to_string(copy.path().join("crates/pki/x509/src/ext/rare.rs")).unwrap();
        assert!(rare.contains("pub struct Toy<'a>") && rare.contains("    Toy<'_> = PE_TOY;"));
        assert!(with("aa", "b", "a").is_err() && with("c", "b", "a").is_err());
    }
}

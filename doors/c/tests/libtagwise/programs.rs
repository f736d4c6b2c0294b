//! The programs of `tests/c`, each of which checks one part of the library.

use std::path::PathBuf;
use std::process::Command;

use super::build::{compilers, home, program, room, run, running};

/// Compiles and runs `tests/c/NAME.c` with every compiler.
fn check(name: &str, arguments: &[PathBuf]) {
    let source = home().join("tests/c").join(format!("{name}.c"));
    for (index, compiler) in compilers().iter().enumerate() {
        let binary = program(&source, &format!("{name}-{index}"), compiler);
        let out = run(running(&binary).args(arguments));
        assert!(out.ends_with("ok\n"), "{name}, {compiler}: {out}");
    }
}

/// Files of the command's tests.
fn data(name: &str) -> PathBuf {
    home().join("../cli/tests/data").join(name)
}

#[test]
fn codec() {
    check("codec", &[]);
}

#[test]
fn certificate() {
    check("certificate", &[data("leaf.pem"), data("root.pem"), data("negative.pem")]);
}

#[test]
fn allocations() {
    check("allocations", &[data("leaf.pem")]);
}

#[test]
fn crl() {
    check("crl", &[data("list.pem")]);
}

/// Every field of an extension by its name, and what regular types have.
#[test]
fn fields() {
    check("fields", &[data("leaf.pem")]);
}

#[test]
fn inputs() {
    check("inputs", &[home().join("../../tests/register/inputs.tsv")]);
}

#[test]
fn pki() {
    check("pki", &[]);
}

/// A setter that fails leaves nothing to be used.
#[test]
fn setters() {
    check("setters", &[]);
}

#[test]
fn messages() {
    let files = ["response.ocsp", "chain.p7b", "locked.p12", "stamp.tsr"];
    check("messages", &files.map(|name| data(&format!("messages/{name}"))));
}

#[test]
fn schema() {
    check("schema", &[]);
}

/// Compilers warn of results that are not looked at, unless a program says otherwise.
#[test]
fn results_must_be_used() {
    let text = "#include <tagwise.h>\nvoid careless(tagwise_policy *policy) { tagwise_policy_require_dns(policy, \"\", NULL); }\n";
    let source = room().join("careless.c");
    std::fs::write(&source, text).unwrap();
    for compiler in compilers() {
        let mut words = compiler.split_whitespace();
        let mut compile = Command::new(words.next().unwrap());
        compile.args(words).args(["-c", "-Wall", "-o", "/dev/null", "-I"]).arg(home().join("include"));
        let output = compile.arg(&source).output().unwrap();
        let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && warnings.contains("tagwise_policy_require_dns"), "{compiler}: {warnings}");
        let quiet = compile.args(["-Werror", "-DTAGWISE_MUST_USE="]).output().unwrap();
        assert!(quiet.status.success(), "{compiler}: {}", String::from_utf8_lossy(&quiet.stderr));
    }
}

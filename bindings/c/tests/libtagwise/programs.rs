//! The programs of `tests/c`, each of which checks one part of the library.

use std::path::PathBuf;

use super::build::{compilers, home, program, run, running};

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
    home().join("../../crates/cli/tests/data").join(name)
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

#[test]
fn pki() {
    check("pki", &[]);
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

//! Builds what the chosen peers need besides Rust: small adapters in C and one library in Go.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=native");
    let chosen = |peer: &str| env::var_os(format!("CARGO_FEATURE_PEER_{peer}")).is_some();
    if chosen("GO") {
        go();
    }
    #[cfg(feature = "c-adapters")]
    adapters(&chosen);
}

/// The libraries written in C, each by its own headers.
#[cfg(feature = "c-adapters")]
fn adapters(chosen: &dyn Fn(&str) -> bool) {
    let adapter = |source: &str| {
        let mut build = cc::Build::new();
        build.file(format!("native/{source}")).include("native").opt_level(2);
        build
    };
    if chosen("OPENSSL") {
        let include = env::var("DEP_OPENSSL_INCLUDE").expect("openssl-sys says where its headers are");
        adapter("d2i.c")
            .include(include)
            .define("TABLE", "tagwise_bench_openssl")
            .compile("tagwise_bench_openssl");
    }
    if chosen("AWS_LC") {
        // The crate's version is part of the variable's name, and of every symbol.
        let (name, include) = env::vars()
            .find(|(name, _)| name.starts_with("DEP_AWS_LC_") && name.ends_with("_INCLUDE"))
            .expect("aws-lc-sys says where its headers are");
        let prefix = name
            .trim_start_matches("DEP_")
            .trim_end_matches("_INCLUDE")
            .to_lowercase();
        adapter("d2i.c")
            .include(include)
            .define("BORINGSSL_PREFIX", prefix.as_str())
            .define("TABLE", "tagwise_bench_aws_lc")
            .compile("tagwise_bench_aws_lc");
    }
    if chosen("NSS") {
        #[cfg(feature = "peer-nss")]
        {
            let nss = pkg_config::Config::new()
                .probe("nss")
                .expect("NSS with its headers (Debian: libnss3-dev)");
            adapter("nss.c")
                .includes(&nss.include_paths)
                .compile("tagwise_bench_nss");
        }
    }
}

/// A shared library, loaded only where it is asked for: Go's runtime starts threads when it is loaded.
fn go() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("libtagwise_bench_go.so");
    let source = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("native/go");
    let status = Command::new("go")
        .args(["build", "-trimpath", "-buildmode=c-shared", "-o"])
        .arg(&out)
        .arg(".")
        .current_dir(source)
        .env("CGO_ENABLED", "1")
        .env("GOTOOLCHAIN", "local")
        .env("GOFLAGS", "-mod=mod")
        .status()
        .expect("a Go toolchain");
    assert!(status.success(), "the Go peer does not build");
    println!("cargo::rustc-env=TAGWISE_BENCH_GO={}", out.display());
}

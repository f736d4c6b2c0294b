//! Programs and libraries, built so that no path of this machine is in them.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::room::{Room, output, run};

/// Separates the words of `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\u{1f}";

/// A program that builds crates, with the variables that make the result the same everywhere.
pub(super) fn reproducible(room: &Room, program: impl AsRef<std::ffi::OsStr>) -> Result<Command> {
    let about = output(Command::new("rustc").arg("-vV"))?;
    let commit =
        about.lines().find_map(|line| line.strip_prefix("commit-hash: ")).context("rustc -vV: no commit-hash")?;
    let library = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).context("no home directory")?;
    let maps = [
        (cargo.join("registry/src"), "/usr/src/crates".to_owned()),
        (room.root.clone(), "/usr/src/tagwise".to_owned()),
        // Sources that build scripts generate, where it is elsewhere.
        (room.target.clone(), "/usr/src/tagwise/target".to_owned()),
        // Where the sources of the standard library are installed, generic code names them there.
        (PathBuf::from(library.trim()).join("lib/rustlib/src/rust"), format!("/rustc/{commit}")),
    ];
    let flags = |option: &str, separator: &str| {
        let flags = maps.iter().map(|(from, to)| format!("{option}{}={to}", from.display()));
        flags.collect::<Vec<_>>().join(separator)
    };
    let mut command = room.command(program);
    command.env("CARGO_ENCODED_RUSTFLAGS", flags("--remap-path-prefix=", SEPARATOR));
    command.env("CFLAGS", flags("-ffile-prefix-map=", " ")).env("CXXFLAGS", flags("-ffile-prefix-map=", " "));
    command.env("CARGO_TARGET_DIR", &room.target);
    // Compilers read it for `__DATE__` alone: with the commit's time, C libraries would be compiled again at each commit. This is the
    // first day of ZIP's calendar, which a wheel needs.
    command.env("SOURCE_DATE_EPOCH", "315532800");
    Ok(command)
}

/// The command, the programs of the local KDC and the generator of manuals; returns their folder.
pub(super) fn programs(room: &Room) -> Result<PathBuf> {
    if !room.prebuilt {
        let mut cargo = reproducible(room, "cargo")?;
        cargo.args(["build", "--locked", "--release", "--features", "tagwise-localkdc/pam"]);
        run(cargo.args(["-p", "tagwise-cli", "-p", "tagwise-localkdc", "-p", "tagwise-manuals"]))?;
    }
    Ok(room.target.join("release"))
}

/// The program for queries in SQL, of a workspace of its own.
pub(super) fn query(room: &Room) -> Result<PathBuf> {
    if !room.prebuilt {
        let mut cargo = reproducible(room, "cargo")?;
        run(cargo
            .args(["build", "--locked", "--release", "--manifest-path"])
            .arg(room.root.join("doors/query/Cargo.toml")))?;
    }
    Ok(room.target.join("release/tagwise-query"))
}

/// The archive that the libraries for C are linked from, with the backend on the system's OpenSSL.
pub(super) fn archive(room: &Room) -> Result<PathBuf> {
    if !room.prebuilt {
        let mut cargo = reproducible(room, "cargo")?;
        cargo.args(["rustc", "--locked", "--release", "-p", "tagwise-c", "--lib", "--crate-type", "staticlib"]);
        run(cargo.args(["--features", "openssl"]))?;
    }
    Ok(room.target.join("release/libtagwise_c.a"))
}

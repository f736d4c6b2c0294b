//! Execution of MIT's programs.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::SetupError;

/// The version of MIT Kerberos, such as `(1, 20)`.
pub(super) type Version = (u32, u32);

/// Finds a program, including in directories that are not always in a user's `PATH`.
pub(super) fn find(name: &'static str, package: &'static str) -> Result<PathBuf, SetupError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let more = ["/usr/sbin", "/usr/local/sbin", "/sbin"].map(PathBuf::from);
    let found = std::env::split_paths(&path).chain(more).map(|folder| folder.join(name)).find(|path| path.is_file());
    found.ok_or(SetupError::Missing(name, package))
}

/// Runs a program with the given input, and returns its output.
pub(super) fn run(command: &mut Command, name: &'static str, input: &[u8]) -> Result<String, SetupError> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).env("LC_ALL", "C");
    let failed = |error: std::io::Error| SetupError::Program(name, error.to_string());
    let mut child = command.spawn().map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that reads nothing says itself what is wrong.
        let _ = stdin.write_all(input);
    }
    let output = child.wait_with_output().map_err(failed)?;
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(out),
        false => Err(SetupError::Program(name, format!("{out}{}", String::from_utf8_lossy(&output.stderr)))),
    }
}

/// Returns the version of the installed MIT Kerberos.
pub(super) fn version() -> Result<Version, SetupError> {
    let klist = find("klist", "krb5-user")?;
    let said = run(Command::new(klist).arg("-V"), "klist", b"")?;
    parse(&said).ok_or_else(|| SetupError::Other(format!("klist is not MIT's: {}", said.trim())))
}

/// Parses version output such as `Kerberos 5 version 1.20.1`.
fn parse(said: &str) -> Option<Version> {
    let (_, version) = said.trim().strip_prefix("Kerberos 5 ")?.split_once("version ")?;
    let mut parts = version.split(['.', '-']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Returns the path of this program.
pub(super) fn own() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("/usr/bin/tagwise"))
}

/// Returns the path of the shared object that the KDC loads, from this program's directory or its installation path.
pub(super) fn module() -> Option<PathBuf> {
    const NAME: &str = "libtagwise_localkdc.so";
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?;
    let places =
        [folder.join(NAME), folder.join("../lib/tagwise").join(NAME), Path::new("/usr/lib/tagwise").join(NAME)];
    places.into_iter().find(|path| path.is_file()).and_then(|path| path.canonicalize().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        for (said, version) in [
            ("Kerberos 5 version 1.20.1\n", Some((1, 20))),
            ("Kerberos 5 version 1.22-beta1", Some((1, 22))),
            ("klist (Heimdal 7.8.0)", None),
        ] {
            assert_eq!(parse(said), version, "{said}");
        }
    }
}

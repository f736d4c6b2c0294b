//! The `openssl` command as a witness. Where it is absent the test says so; under `CI=true` that is a failure.

use std::path::Path;
use std::process::{Command, Stdio};

/// Whether the command is there.
pub(crate) fn has_openssl() -> bool {
    let found = Command::new("openssl").arg("version").output().is_ok_and(|output| output.status.success());
    if !found {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "there is no openssl command");
        println!("skipped: no openssl command");
    }
    found
}

/// Runs the command; what it says, and whether it succeeded.
pub(crate) fn openssl_try(folder: &Path, args: &[&str]) -> (bool, String) {
    let output = Command::new("openssl").current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// The same, which must succeed.
pub(crate) fn openssl(folder: &Path, args: &[&str]) -> String {
    let (good, said) = openssl_try(folder, args);
    assert!(good, "openssl {args:?}: {said}");
    said
}

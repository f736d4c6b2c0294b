//! The `openssl` command as a witness. Where it is absent the test is skipped.

use std::path::Path;
use std::process::{Command, Stdio};

/// Whether the command is there.
pub(crate) fn has_openssl() -> bool {
    tagwise_testing::tool("openssl", &["version"])
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

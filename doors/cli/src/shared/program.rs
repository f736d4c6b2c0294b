//! Programs that have parts of the command: they are started with the arguments of the command.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use super::output::Failure;

/// Runs the program `name` with the arguments of this process, and returns its exit code. On Unix, it replaces this process.
///
/// It is looked for in the folder of this program, and then in PATH. If it is absent, the error names `part`.
pub(crate) fn run(name: &OsStr, part: &str) -> Result<u8, Failure> {
    let mut command = Command::new(beside(name).unwrap_or_else(|| PathBuf::from(name)));
    command.args(std::env::args_os().skip(1));
    let error = match status(&mut command) {
        Ok(code) => return Ok(code),
        Err(error) => error,
    };
    let name = name.display();
    Err(if error.kind() == io::ErrorKind::NotFound {
        Failure::Said(
            3,
            format!(
                "{part} need the program {name}, which is not installed (Debian: apt install {name}; cargo install {name})"
            ),
        )
    } else {
        Failure::Said(3, format!("{name}: cannot be started: {error}"))
    })
}

/// Returns the path of a program in the folder of this one.
fn beside(name: &OsStr) -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name(name).with_extension(std::env::consts::EXE_EXTENSION);
    path.is_file().then_some(path)
}

#[cfg(unix)]
fn status(command: &mut Command) -> io::Result<u8> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

#[cfg(not(unix))]
fn status(command: &mut Command) -> io::Result<u8> {
    let code = command.status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

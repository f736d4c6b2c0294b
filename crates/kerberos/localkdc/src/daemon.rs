//! The command `localkdc-pam-auth`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::log::log;
use crate::policy::Policy;
use crate::process;
use crate::radius::Server;

const USAGE: &str = "\
usage: localkdc-pam-auth --config FILE [--socket PATH]

Check passwords for a local KDC: a RADIUS server on a UNIX stream socket, which asks PAM, tokens or a program.

  --config FILE   the policy, as in /etc/localkdc/localkdc.toml
  --socket PATH   listen at this path; without it, on the socket of LISTEN_FDS

Exit codes: 0 help; 1 the socket failed; 2 usage or policy.
";

/// Runs the command.
#[must_use]
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, text)) => {
            log!("localkdc-pam-auth: {text}");
            ExitCode::from(code)
        }
    }
}

fn run(mut arguments: impl Iterator<Item = OsString>) -> Result<(), (u8, String)> {
    let (mut config, mut socket) = (None::<PathBuf>, None::<PathBuf>);
    while let Some(argument) = arguments.next() {
        let place = match argument.to_str() {
            Some("--config") => &mut config,
            Some("--socket") => &mut socket,
            Some("--help" | "-h") => {
                use std::io::Write as _;
                let _ = std::io::stdout().write_all(USAGE.as_bytes());
                return Ok(());
            }
            _ => return Err((2, format!("unknown argument {argument:?}; see --help"))),
        };
        let value = arguments.next().ok_or_else(|| (2, format!("{} needs a value", argument.display())))?;
        *place = Some(value.into());
    }
    let config = config.ok_or_else(|| (2, "expected --config FILE".to_owned()))?;
    process::seal().map_err(|error| (1, format!("core dumps of the process cannot be disabled: {error}")))?;
    let policy = Policy::read(&config).map_err(|error| (2, error.to_string()))?;
    let passwords = &policy.passwords;
    let check = passwords.checker(&helper()).map_err(|error| (2, error.to_string()))?;
    let mut server = Server::new(check, passwords.limits());
    if passwords.message_authenticator {
        server = server.require_message_authenticator();
    }
    let listener = match socket {
        Some(path) => process::listen(&path).map_err(|error| (1, format!("{}: {error}", path.display())))?,
        None => process::inherited()
            .map_err(|error| (1, format!("LISTEN_FDS: {error}")))?
            .ok_or_else(|| (2, "expected --socket PATH, or a socket in LISTEN_FDS".to_owned()))?,
    };
    server.serve(&listener).map_err(|error| (1, error.to_string()))
}

/// Returns the path of the program that calls PAM, in the same directory as this program.
fn helper() -> PathBuf {
    const NAME: &str = "localkdc-pam-check";
    std::env::current_exe().map_or_else(|_| Path::new("/usr/libexec").join(NAME), |path| path.with_file_name(NAME))
}

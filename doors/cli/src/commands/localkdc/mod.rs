//! `tagwise localkdc`: Kerberos for one machine.

mod rotate;
mod setup;
mod status;
mod teardown;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Subcommand;
use serde::Serialize;
use tagwise_localkdc::setup::{Layout, SetupError};

use crate::shared::output::{Failure, finish};

pub(crate) const ABOUT: &str = "\
Run Kerberos for this machine alone, with its existing passwords.

MIT's KDC serves the users and services of this machine, over loopback or a UNIX socket. PAM checks a user's password, which is sent \
as a one-time password in an anonymous FAST tunnel. Users need no second password, and the database contains none.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise localkdc setup --dry-run               print what would be created
  tagwise localkdc setup                         create it, and print what to start
  tagwise localkdc setup --prefix /tmp/lab       the same for a trial, without root
  tagwise localkdc status
  tagwise localkdc rotate --krbtgt               a new key for future tickets
  tagwise localkdc teardown                      remove what setup created, and nothing else

Exit codes: 0 done, or for status: a ticket can be obtained; 1 a conflict, or for status: not working; 2 usage or policy error; 3 a \
file or a program failed.";

#[derive(Debug, Subcommand)]
pub(crate) enum LocalkdcCommand {
    /// Create a realm: its database, certificates, configuration and systemd units
    #[command(long_about = setup::ABOUT)]
    Setup(setup::SetupArgs),
    /// Replace the keys of services and of the ticket-granting service
    #[command(long_about = rotate::ABOUT)]
    Rotate(rotate::RotateArgs),
    /// Check that the realm is complete and its servers respond
    Status(status::StatusArgs),
    /// Remove everything that setup created
    #[command(long_about = teardown::ABOUT)]
    Teardown(teardown::TeardownArgs),
}

impl LocalkdcCommand {
    /// Runs the command and returns the exit code.
    pub(crate) fn run(
        self,
        _: &crate::shared::context::Context,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> io::Result<u8> {
        let done = match self {
            Self::Setup(args) => args.setup(out),
            Self::Rotate(args) => args.rotate(out),
            Self::Status(args) => args.status(out),
            Self::Teardown(args) => args.teardown(out),
        };
        finish(done, err)
    }
}

#[derive(Debug, clap::Args)]
struct RootArgs {
    /// Folder to use as the root of the file system, such as /tmp/lab
    #[arg(long, value_name = "DIR", default_value = "/")]
    prefix: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl RootArgs {
    fn layout(&self) -> Result<Layout, Failure> {
        Layout::new(&self.prefix).map_err(|error| failed(&error))
    }
}

fn failed(error: &SetupError) -> Failure {
    let code = match error {
        SetupError::Conflict(_) | SetupError::Other(_) => 1,
        SetupError::Policy(_) => 2,
        _ => 3,
    };
    Failure::Said(code, error.to_string())
}

#[derive(Serialize)]
struct Document<'a, T> {
    schema: &'static str,
    #[serde(flatten)]
    content: &'a T,
}

fn json(schema: &'static str, content: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, &Document { schema, content }).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

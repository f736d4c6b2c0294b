//! `tagwise userdb`: the users and groups of this host, over Varlink.

mod get;
mod groups;
mod list;
mod serve;
mod source;
mod table;

use std::io::{self, Write};

use clap::Subcommand;

use crate::shared::context::Context;
use crate::shared::output::finish;

pub(crate) const ABOUT: &str = "\
Look up the users and groups of this host, or serve records from a file.

With systemd, one service combines all sources of users: /etc/passwd, home directories, drop-in files and domain services. Its \
records contain more than the host's tables, and it distinguishes an unknown user from a source that does not respond. If no such \
service is running, users and groups are looked up by name and number in the host's tables.";

pub(crate) const EXAMPLES: &str = "\
Examples
  tagwise userdb get root 1000              users by name and number
  tagwise userdb list --kind regular        human users
  tagwise userdb groups --of ann            the groups that ann is in
  tagwise userdb get --json ann | jq .      for programs
  tagwise userdb serve --socket ./users users.json

Exit codes: 0 found; 1 not found, or the service refused; 2 usage error; 3 no service answered, or its answer is malformed.";

#[derive(Debug, Subcommand)]
pub(crate) enum UserdbCommand {
    /// Show users by name or number
    #[command(long_about = get::ABOUT)]
    Get(get::GetArgs),
    /// List users
    #[command(long_about = list::ABOUT)]
    List(list::ListArgs),
    /// Show or list groups, the groups of a user, or the members of a group
    #[command(long_about = groups::ABOUT)]
    Groups(groups::GroupsArgs),
    /// Serve users and groups from a file
    #[command(long_about = serve::ABOUT)]
    Serve(serve::ServeArgs),
}

impl UserdbCommand {
    /// Runs the command and returns the exit code.
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Get(args) => args.get(context.color, out, err),
            Self::List(args) => args.list(context.color, out),
            Self::Groups(args) => args.groups(context.color, out, err),
            Self::Serve(args) => args.serve(context, out),
        };
        finish(done, err)
    }
}

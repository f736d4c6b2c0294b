//! `tagwise userdb`: the users and groups of this host, by varlink.

mod get;
mod groups;
mod list;
mod serve;
mod source;
mod table;

use std::io::{self, Write};

use clap::Subcommand;

use crate::shared::output::finish;

pub(crate) const ABOUT: &str = "\
Ask for the users and groups of this host, or serve some.

With systemd, one service answers for all sources of users: /etc/passwd, homes, drop-in files, services of domains. Its records say \
more than the host's tables do, and it tells an absent user from a source that does not answer. Where no such service runs, users and \
groups are looked up by name and number in the host's tables.";

pub(crate) const EXAMPLES: &str = "\
Examples
  tagwise userdb get root 1000              users by name and number
  tagwise userdb list --kind regular        the people
  tagwise userdb groups --of ann            the groups that ann is in
  tagwise userdb get --json ann | jq .      for programs
  tagwise userdb serve --socket ./users users.json

Exit codes: 0 found; 1 not found, or the service refuses; 2 usage; 3 no service answers, or its answer is malformed.";

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
    /// Runs the command; the exit code.
    pub(crate) fn run(self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Get(args) => args.get(color, out, err),
            Self::List(args) => args.list(color, out),
            Self::Groups(args) => args.groups(color, out, err),
            Self::Serve(args) => args.serve(out),
        };
        finish(done, err)
    }
}

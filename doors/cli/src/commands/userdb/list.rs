//! `tagwise userdb list`: lists all users.

use std::io::Write;
use std::ops::ControlFlow;

use tagwise_userdb::{UserQuery, UserRecord};

use super::get::Users;
use super::source::{Conditions, Source, failed};
use super::table::{cell, columns, json, kind};
use crate::shared::output::Failure;

pub(super) const ABOUT: &str = "\
List users, by number.

If no service is running, the exit code is 3: the host's tables are not listed.";

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    source: Source,
    /// Print JSON (schema tagwise.userdb-users/1)
    #[arg(long)]
    json: bool,
}

impl ListArgs {
    pub(super) fn list(&self, color: bool, out: &mut dyn Write) -> Result<u8, Failure> {
        let conditions = self.conditions.of_users();
        let mut users: Vec<UserRecord> = Vec::new();
        let asked = self.source.client().and_then(|mut client| {
            client.each_user(&UserQuery::all(), |user| {
                if conditions.takes(&user) {
                    users.push(user.public());
                }
                ControlFlow::Continue(())
            })
        });
        asked.map_err(failed)?;
        users.sort_by(|a, b| (a.uid, &a.user_name).cmp(&(b.uid, &b.user_name)));
        let code = u8::from(users.is_empty());
        if self.json {
            json("tagwise.userdb-users/1", &Users { users }, out)?;
            return Ok(code);
        }
        let mut rows =
            vec![["NAME", "NUMBER", "GROUP", "KIND", "FULL NAME", "HOME", "SHELL"].map(str::to_owned).to_vec()];
        rows.extend(users.iter().map(|user| {
            vec![
                cell(Some(&user.user_name)),
                cell(user.uid),
                cell(user.gid),
                cell(user.kind().map(kind)),
                cell(user.real_name.as_ref()),
                cell(user.home_directory.as_ref()),
                cell(user.shell.as_ref()),
            ]
        }));
        if code == 0 {
            columns(&rows, color, out)?;
        }
        Ok(code)
    }
}

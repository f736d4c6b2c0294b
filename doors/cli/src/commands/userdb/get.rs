//! `tagwise userdb get`: shows users by name or UID.

use std::io::Write;

use serde::Serialize;
use tagwise_userdb::{UserQuery, UserRecord};

use super::source::{Source, failed, number};
use super::table;
use crate::shared::output::Failure;

pub(super) const ABOUT: &str = "\
Show users by name or number.

An argument that consists of digits is a number. Password hashes and other privileged fields are not shown; with --privileged, --json \
contains those that the service returns to you.";

#[derive(Debug, clap::Args)]
pub(crate) struct GetArgs {
    /// Name or number of a user
    #[arg(required = true, value_name = "USER")]
    users: Vec<String>,
    #[command(flatten)]
    source: Source,
    /// Print JSON (schema tagwise.userdb-users/1)
    #[arg(long)]
    json: bool,
    /// With --json, also print privileged fields
    #[arg(long, requires = "json")]
    privileged: bool,
}

#[derive(Serialize)]
pub(super) struct Users {
    pub(super) users: Vec<UserRecord>,
}

impl GetArgs {
    pub(super) fn get(&self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let mut users = Vec::new();
        let mut code = 0;
        for asked in &self.users {
            let query = number(asked).map_or_else(|| UserQuery::name(asked), UserQuery::uid);
            match self.source.user(&query) {
                Ok(user) => users.push(user),
                Err(error) => {
                    let Failure::Said(this, message) = failed(error) else { continue };
                    writeln!(err, "tagwise: {}", tagwise_pkix::name::visible(&format!("{asked}: {message}")))?;
                    code = code.max(this);
                }
            }
        }
        if self.json {
            let shown = |user: UserRecord| if self.privileged { user } else { user.public() };
            table::json("tagwise.userdb-users/1", &Users { users: users.into_iter().map(shown).collect() }, out)?;
        } else {
            for (index, user) in users.iter().enumerate() {
                if index > 0 {
                    writeln!(out)?;
                }
                table::user(user, color, out)?;
            }
        }
        Ok(code)
    }
}

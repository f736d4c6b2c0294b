//! `tagwise userdb groups`: shows groups and their members.

use std::io::Write;

use serde::Serialize;
use tagwise_userdb::{Error, GroupQuery, GroupRecord, Membership, MembershipQuery};

use super::source::{Conditions, Source, failed, number};
use super::table::{self, cell, columns, json, kind};
use crate::shared::output::Failure;

pub(super) const ABOUT: &str = "\
Show groups by name or number, list them all, or show memberships.

--of lists the groups of a user, and --members the users in a group, as reported by the services. A user's primary group is in the \
user's record, not among the memberships.";

#[derive(Debug, clap::Args)]
pub(crate) struct GroupsArgs {
    /// Name or number of a group
    #[arg(value_name = "GROUP", conflicts_with_all = ["of", "members"])]
    groups: Vec<String>,
    /// List the groups of this user
    #[arg(long, value_name = "USER")]
    of: Option<String>,
    /// List the users in this group
    #[arg(long, value_name = "GROUP")]
    members: Option<String>,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    source: Source,
    /// Print JSON (schemas tagwise.userdb-groups/1, tagwise.userdb-memberships/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Groups {
    groups: Vec<GroupRecord>,
}

#[derive(Serialize)]
struct Memberships {
    memberships: Vec<Membership>,
}

impl GroupsArgs {
    pub(super) fn groups(&self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        if self.of.is_some() || self.members.is_some() {
            if !self.conditions.is_empty() {
                return Err(Failure::usage("conditions apply to groups, not to memberships"));
            }
            return self.memberships(out);
        }
        if !self.groups.is_empty() {
            return self.named(color, out, err);
        }
        let asked = self.source.client().and_then(|mut client| client.groups(&GroupQuery::all()));
        let conditions = self.conditions.of_groups();
        let mut groups: Vec<GroupRecord> = match asked {
            Err(error) if error.is_not_found() => Vec::new(),
            asked => asked.map_err(failed)?.into_iter().filter(|group| conditions.takes(group)).collect(),
        };
        groups.sort_by(|a, b| (a.gid, &a.group_name).cmp(&(b.gid, &b.group_name)));
        let code = u8::from(groups.is_empty());
        if self.json {
            let groups = groups.into_iter().map(GroupRecord::public).collect();
            json("tagwise.userdb-groups/1", &Groups { groups }, out)?;
            return Ok(code);
        }
        let mut rows = vec![["NAME", "NUMBER", "KIND", "ABOUT"].map(str::to_owned).to_vec()];
        rows.extend(groups.iter().map(|group| {
            vec![
                cell(Some(&group.group_name)),
                cell(group.gid),
                cell(group.kind().map(kind)),
                cell(group.description.as_ref()),
            ]
        }));
        if code == 0 {
            columns(&rows, color, out)?;
        }
        Ok(code)
    }

    fn named(&self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let (mut groups, mut code) = (Vec::new(), 0);
        for asked in &self.groups {
            let query = number(asked).map_or_else(|| GroupQuery::name(asked), GroupQuery::gid);
            match self.source.group(&query) {
                Ok(group) => groups.push(group.public()),
                Err(error) => {
                    let Failure::Said(this, message) = failed(error) else { continue };
                    writeln!(err, "tagwise: {}", tagwise_pkix::name::visible(&format!("{asked}: {message}")))?;
                    code = code.max(this);
                }
            }
        }
        if self.json {
            json("tagwise.userdb-groups/1", &Groups { groups }, out)?;
            return Ok(code);
        }
        for (index, group) in groups.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            table::group(group, color, out)?;
        }
        Ok(code)
    }

    fn memberships(&self, out: &mut dyn Write) -> Result<u8, Failure> {
        let query = MembershipQuery { user: self.of.clone(), group: self.members.clone() };
        let asked = self.source.client().and_then(|mut client| client.memberships(&query));
        let mut memberships = asked.map_err(|error: Error| failed(error))?;
        memberships.sort();
        let code = u8::from(memberships.is_empty());
        if self.json {
            json("tagwise.userdb-memberships/1", &Memberships { memberships }, out)?;
            return Ok(code);
        }
        for membership in &memberships {
            let name = if self.of.is_some() { &membership.group_name } else { &membership.user_name };
            writeln!(out, "{}", cell(Some(name)))?;
        }
        Ok(code)
    }
}

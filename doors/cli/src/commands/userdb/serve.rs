//! `tagwise userdb serve`: serves users and groups from a file.

use std::io::Write;
use std::path::PathBuf;

use serde::Deserialize;
use tagwise_userdb::{
    DIRECTORY, GroupQuery, GroupRecord, MULTIPLEXER, Membership, MembershipQuery, Provider, Service, ServiceError,
    UserQuery, UserRecord, serve,
};
use tokio::signal::unix::{SignalKind, signal};

use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of, reason};

pub(super) const ABOUT: &str = "\
Serve users and groups from a file until a signal arrives.

The file is JSON, as printed by `userdb list --json` and `userdb groups --json`: an object with the optional lists `users`, `groups` \
and `memberships`. Records are systemd's JSON User Records and JSON Group Records. The privileged section of a record is returned \
only to root and to the record's user.

The socket is created in /run/systemd/userdb under the name of the service, where systemd finds it and only root can write. Use \
--socket for another path.";

#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Users, groups and memberships (JSON)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The name of the service
    #[arg(long, value_name = "NAME", default_value = "org.tagwise.Users")]
    service: String,
    /// Listen at this path
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
}

/// The content of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    /// The schema name, if the file was printed by a command.
    #[serde(default, rename = "schema")]
    _schema: Option<String>,
    #[serde(default)]
    users: Vec<UserRecord>,
    #[serde(default)]
    groups: Vec<GroupRecord>,
    #[serde(default)]
    memberships: Vec<Membership>,
}

impl Provider for Content {
    fn users(&mut self, query: &UserQuery) -> Result<Vec<UserRecord>, ServiceError> {
        Ok(self.users.iter().filter(|user| query.names(user)).cloned().collect())
    }

    fn groups(&mut self, query: &GroupQuery) -> Result<Vec<GroupRecord>, ServiceError> {
        Ok(self.groups.iter().filter(|group| query.names(group)).cloned().collect())
    }

    fn memberships(&mut self, query: &MembershipQuery) -> Result<Vec<Membership>, ServiceError> {
        Ok(self.memberships.iter().filter(|membership| query.takes(membership)).cloned().collect())
    }
}

impl ServeArgs {
    pub(super) fn serve(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        if self.service.contains('/') {
            return Err(Failure::usage("--service requires a name; use --socket for a path"));
        }
        let octets = context.load(&self.file).map_err(|error| Failure::file(&self.file, "read", &error))?;
        let content: Content = serde_json::from_slice(&octets)
            .map_err(|error| Failure::negative(format!("{}: {error}", name_of(&self.file))))?;
        let path = self.socket.clone().unwrap_or_else(|| PathBuf::from(DIRECTORY).join(&self.service));
        let failed = |error: &std::io::Error| Failure::Said(3, format!("{}: {}", name_of(&path), reason(error)));
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        runtime
            .block_on(async {
                let (mut interrupt, mut terminate) =
                    (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
                let stop = async {
                    // It listens by now.
                    let _ = writeln!(out, "{}", name_of(&path));
                    let _ = out.flush();
                    tokio::select! {
                        _ = interrupt.recv() => {}
                        _ = terminate.recv() => {}
                    }
                };
                let mut service = Service::new(&self.service);
                // Whoever asks at a path of its own knows no name.
                if self.socket.is_some() {
                    service.aliases = vec![MULTIPLEXER.to_owned()];
                }
                serve(service, &path, content, stop).await
            })
            .map_err(|error: std::io::Error| failed(&error))?;
        Ok(0)
    }
}

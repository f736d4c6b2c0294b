//! `tagwise ca enroll`: secrets of EST, SCEP and CMP clients, and requests that wait for a decision.

use std::io::Write;

use clap::Subcommand;
use tagwise_ca::{AltName, Error};
use tagwise_enroll::requests;
use tagwise_enroll::secret::{self, NewSecret, Usage};
use tagwise_pkix::name::visible;

use super::common::{DAY, DbArgs};
use crate::shared::backend::EMBEDDED;
use crate::shared::moment::now;
use crate::shared::output::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca enroll add user --grant servers            a user's name and password for EST, printed once
  tagwise ca enroll add challenge --grant devices --name dns:a.example.org
                                                        a challenge password for SCEP, for one certificate with that name
  tagwise ca enroll add shared --grant devices          a reference and a secret for CMP
  tagwise ca enroll list
  tagwise ca enroll remove ID
  tagwise ca enroll pending                             requests for grants with approval = 'manual'
  tagwise ca enroll approve ID
  tagwise ca enroll reject ID

A grant is a section [[enroll.grants]] in the configuration of `tagwise serve run`. Passwords are stored as hashes. Shared secrets are \
stored unencrypted.
Exit codes: 0 done; 1 no such secret or request; 2 usage error; 3 the database cannot be used.";

#[derive(Debug, Subcommand)]
pub(crate) enum EnrollCommand {
    /// Create a secret, and print its identifier and value
    #[command(after_long_help = EXAMPLES)]
    Add(AddArgs),
    /// List the secrets, without their values
    #[command(after_long_help = EXAMPLES)]
    List(OnlyDb),
    /// Remove a secret
    #[command(after_long_help = EXAMPLES)]
    Remove(IdArgs),
    /// List the requests that wait for a decision
    #[command(after_long_help = EXAMPLES)]
    Pending(OnlyDb),
    /// Approve a request; the client receives the certificate when it asks again
    #[command(after_long_help = EXAMPLES)]
    Approve(IdArgs),
    /// Reject a request
    #[command(after_long_help = EXAMPLES)]
    Reject(IdArgs),
}

/// The purpose of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Purpose {
    /// A user and password for EST
    User,
    /// A challenge password for SCEP
    Challenge,
    /// A shared secret for CMP
    Shared,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AddArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Purpose of the secret
    #[arg(value_enum)]
    purpose: Purpose,
    /// Grant of the policy that the secret belongs to
    #[arg(long, value_name = "NAME")]
    grant: String,
    /// Only name that certificates may contain, such as dns:a.example.org; may be repeated [default: all that the grant allows]
    #[arg(long, value_name = "NAME", value_parser = AltName::parse)]
    name: Vec<AltName>,
    /// Note for the list
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    note: String,
    /// Validity in days
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=36500))]
    days: u32,
    /// Let the secret be used for one certificate only; challenge passwords always are
    #[arg(long)]
    once: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct OnlyDb {
    #[command(flatten)]
    db: DbArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct IdArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Identifier of the secret or request
    #[arg(value_name = "ID")]
    id: String,
}

impl EnrollCommand {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<u8, Failure> {
        match self {
            Self::Add(args) => args.add(out)?,
            Self::List(OnlyDb { db }) => {
                let (mut store, authority) = db.open()?;
                for one in secret::list(&mut *store, &authority).map_err(|error| db.failed(&error))? {
                    let purpose = match one.usage {
                        Usage::User => "user",
                        Usage::Challenge => "challenge",
                        Usage::Shared => "shared",
                    };
                    let state = if one.used { "used" } else { "unused" };
                    let (id, grant, note) = (visible(&one.id), visible(&one.grant), visible(&one.note));
                    writeln!(out, "{id}  {purpose:<9}  {state:<6}  until {}  {grant}  {note}", one.expires)?;
                }
            }
            Self::Pending(OnlyDb { db }) => {
                let (mut store, authority) = db.open()?;
                for one in requests::list(&mut *store, &authority).map_err(|error| db.failed(&error))? {
                    let (id, client, profile) = (visible(&one.id), visible(&one.client), visible(&one.profile));
                    writeln!(out, "{id}  {}  {profile}  {client}", one.received)?;
                }
            }
            Self::Remove(args) => args.apply("secret", secret::remove)?,
            Self::Approve(args) => args.apply("pending request", requests::approve)?,
            Self::Reject(args) => args.apply("pending request", requests::reject)?,
        }
        Ok(0)
    }
}

type Apply = fn(&mut dyn tagwise_ca::Documents, &tagwise_ca::Authority, &str) -> Result<bool, Error>;

impl IdArgs {
    fn apply(&self, what: &str, apply: Apply) -> Result<(), Failure> {
        let (mut store, authority) = self.db.open()?;
        if apply(&mut *store, &authority, &self.id).map_err(|error| self.db.failed(&error))? {
            return Ok(());
        }
        Err(Failure::negative(format!("no {what} has the identifier {}", visible(&self.id))))
    }
}

impl AddArgs {
    fn add(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (mut store, authority) = self.db.open()?;
        let now = now();
        let new = NewSecret {
            usage: match self.purpose {
                Purpose::User => Usage::User,
                Purpose::Challenge => Usage::Challenge,
                Purpose::Shared => Usage::Shared,
            },
            grant: &self.grant,
            note: &self.note,
            names: &self.name,
            expires: now.saturating_add(DAY * self.days),
            once: self.once,
        };
        let added = secret::add(&mut *store, &authority, EMBEDDED, &new, now);
        let (id, value) = added.map_err(|error| self.db.failed(&error))?;
        writeln!(out, "id:     {id}")?;
        out.write_all(b"secret: ")?;
        out.write_all(value.expose())?;
        Ok(writeln!(out)?)
    }
}

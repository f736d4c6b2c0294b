//! `tagwise ca enroll`: secrets of EST, SCEP and CMP clients, and requests that wait for a decision.

use std::io::Write;

use clap::Subcommand;
use serde::Serialize;
use tagwise_ca::{AltName, Error, Requested};
use tagwise_codec::Decode;
use tagwise_codec::text::hex;
use tagwise_crypto::Digest;
use tagwise_enroll::requests::{self, PendingRequest};
use tagwise_enroll::secret::{self, NewSecret, Usage};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::crmf::CertRequest;
use tagwise_pkix::name::{NameBuf, visible};
use tagwise_show::summary;

use super::common::{DAY, DbArgs, Moment, document};
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
    /// List the requests that wait for a decision, with the subject, names and key that each certificate would contain
    #[command(after_long_help = EXAMPLES)]
    Pending(PendingArgs),
    /// Approve a request; the client receives the certificate when it asks again, if the policy still allows it
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
pub(crate) struct PendingArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Write JSON (schema tagwise.ca/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PendingDocument {
    requests: Vec<RequestDocument>,
}

/// A pending request in the JSON output.
#[derive(Serialize)]
struct RequestDocument {
    id: String,
    received: Moment,
    profile: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    grant: Option<String>,
    client: String,
    form: &'static str,
    #[serde(flatten)]
    content: Content,
}

/// The content of a request, or the reason why it cannot be read.
#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Read { subject: String, names: Vec<String>, refused: Vec<String>, public_key: String, public_key_sha256: String },
    Unreadable { error: String },
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
            Self::Pending(args) => args.list(out)?,
            Self::Remove(args) => {
                args.apply("secret", secret::remove)?;
                args.tell_pending(out)?;
            }
            Self::Approve(args) => {
                args.apply("pending request", requests::approve)?;
                writeln!(out, "approved; the server issues the certificate if the policy still allows it")?;
            }
            Self::Reject(args) => args.apply("pending request", requests::reject)?,
        }
        Ok(0)
    }
}

impl Content {
    fn of(request: &PendingRequest) -> Self {
        Self::read(request).unwrap_or_else(|error| Self::Unreadable { error })
    }

    fn read(request: &PendingRequest) -> Result<Self, String> {
        let requested = if request.is_crmf { of_crmf(&request.request)? } else { of_pkcs10(&request.request)? };
        let key = SubjectPublicKeyInfo::from_der(&requested.public_key).map_err(|error| error.to_string())?;
        let digest = EMBEDDED.digest(Digest::Sha256, &requested.public_key).map_err(|error| error.to_string())?;
        Ok(Self::Read {
            subject: requested.subject.name().rfc4514().to_string(),
            names: requested.names.iter().map(ToString::to_string).collect(),
            refused: requested.refused.iter().map(ToString::to_string).collect(),
            public_key: summary(&key),
            public_key_sha256: hex::encode(&digest),
        })
    }
}

fn of_pkcs10(der: &[u8]) -> Result<Requested, String> {
    Requested::from_der(EMBEDDED, der).map_err(|error| error.to_string())
}

/// Reads a CertRequest (RFC 4211 §5). A template without a subject has an empty one.
fn of_crmf(der: &[u8]) -> Result<Requested, String> {
    let request = CertRequest::from_der(der).map_err(|error| error.to_string())?;
    let template = &request.cert_template;
    let key = template.public_key.ok_or("the template has no public key")?;
    let key = tagwise_codec::encode(&key).map_err(|error| error.to_string())?;
    let empty = NameBuf::parse("").map_err(|error| error.to_string())?;
    let subject = template.subject.unwrap_or_else(|| empty.name());
    Requested::of_template(key, &subject, template.extensions).map_err(|error| error.to_string())
}

impl PendingArgs {
    fn list(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (mut store, authority) = self.db.open()?;
        let list = requests::list(&mut *store, &authority).map_err(|error| self.db.failed(&error))?;
        let requests = list.into_iter().map(|one| RequestDocument {
            content: Content::of(&one),
            id: one.id,
            received: Moment::of(one.received),
            profile: one.profile,
            grant: one.grant,
            client: one.client,
            form: if one.is_crmf { "crmf" } else { "pkcs10" },
        });
        let requests: Vec<_> = requests.collect();
        if self.json {
            return document("enroll-pending", &PendingDocument { requests }, out);
        }
        for one in &requests {
            let (id, client, profile) = (visible(&one.id), visible(&one.client), visible(&one.profile));
            writeln!(out, "{id}  {}  {profile}  {client}", one.received)?;
            if let Some(grant) = &one.grant {
                writeln!(out, "    grant:   {}, checked again at issuance", visible(grant))?;
            }
            match &one.content {
                Content::Read { subject, names, refused, public_key, public_key_sha256 } => {
                    let subject = if subject.is_empty() { "none" } else { subject };
                    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                    writeln!(out, "    subject: {}", visible(&subject))?;
                    writeln!(out, "    names:   {}", visible(&names))?;
                    for refused in refused {
                        writeln!(out, "    refused: {}", visible(refused))?;
                    }
                    writeln!(out, "    key:     {}, SHA-256 {public_key_sha256}", visible(public_key))?;
                }
                Content::Unreadable { error } => writeln!(out, "    cannot be read: {}", visible(error))?,
            }
        }
        Ok(())
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

impl IdArgs {
    /// Names the pending requests of a removed secret. Nothing else stops their approval.
    fn tell_pending(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (mut store, authority) = self.db.open()?;
        let list = requests::list(&mut *store, &authority).map_err(|error| self.db.failed(&error))?;
        for one in list.iter().filter(|one| one.client.strip_prefix("secret/") == Some(self.id.as_str())) {
            let id = visible(&one.id);
            writeln!(
                out,
                "note: request {id} of this secret is still pending: `tagwise ca enroll reject {id}` rejects it"
            )?;
        }
        Ok(())
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

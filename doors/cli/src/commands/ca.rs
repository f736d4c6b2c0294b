//! `tagwise ca`: a certificate authority in a SQLite file or a PostgreSQL database. The library implements the CA. Files, passphrases and messages
//! are handled here.

mod acme;
mod audit;
mod backup;
mod batch;
mod common;
mod crl;
mod enroll;
mod export;
mod history;
mod import;
mod init;
mod issue;
mod list;
mod mtc;
mod ocsp;
mod passphrase;
mod profile;
mod rekey;
mod renew;
mod restore;
mod revoke;
mod serve;
mod serve_acme;
mod step;
mod submission;

use std::io::{self, Write};

use clap::Subcommand;

pub(super) use self::common::openable;
use crate::shared::context::Context;
use crate::shared::output::finish;
use crate::shared::rules::Door;

pub(crate) const ABOUT: &str = "\
Run a certificate authority from a SQLite file or a PostgreSQL database: issue and revoke certificates, issue CRLs, and answer OCSP requests.

The database contains everything: the CA's certificate, its key (encrypted with a passphrase unless --no-passphrase was given), and every \
certificate, revocation and CRL. You can run several commands at once, and kill any of them at any time: a certificate is stored \
before it is printed, serial numbers are never reused, and CRL numbers only increase.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise ca init --subject 'CN=Example Root,O=Example' -o root.pem
  tagwise ca issue server.csr --dns www.example.org -o server.pem
  tagwise ca issue --new-key ecdsa-p256 --key-out eva.key --subject CN=Eva --profile client -o eva.pem
  tagwise ca list
  tagwise ca revoke 3F9A… --reason key-compromise
  tagwise ca crl -o root.crl

A CA that was run elsewhere:
  tagwise ca import pki --db ca.db      the folder of easy-rsa; see tagwise ca import --help

A CA below another:
  tagwise key new ecdsa-p384 -o sub.key --public sub.pub
  tagwise ca issue --db root.db --public-key sub.pub --subject 'CN=Sub CA' --profile ca -o sub.pem
  tagwise ca init --db sub.db --key sub.key --certificate sub.pem --no-history";

#[derive(Debug, Subcommand)]
pub(crate) enum CaCommand {
    /// Create a CA: self-signed, or with an existing key and certificate
    #[command(after_long_help = init::EXAMPLES)]
    Init(Box<init::InitArgs>),
    /// Import a CA that was run elsewhere, with its certificates and revocations
    #[command(after_long_help = import::EXAMPLES)]
    Import(Box<import::ImportArgs>),
    /// Renew the CA's own certificate
    #[command(after_long_help = renew::EXAMPLES)]
    Renew(renew::RenewArgs),
    /// Create a CA with the same name and a new key, and certify the keys with each other
    #[command(after_long_help = rekey::EXAMPLES)]
    Rekey(Box<rekey::RekeyArgs>),
    /// Issue a certificate for a request, a public key or a new key
    #[command(after_long_help = issue::EXAMPLES)]
    Issue(Box<issue::IssueArgs>),
    /// Revoke certificates, put them on hold, or release them
    #[command(after_long_help = revoke::EXAMPLES)]
    Revoke(revoke::RevokeArgs),
    /// Issue the next CRL
    #[command(after_long_help = crl::EXAMPLES)]
    Crl(crl::CrlArgs),
    /// Answer an OCSP request, or create an OCSP response for a certificate
    #[command(after_long_help = ocsp::EXAMPLES)]
    Ocsp(ocsp::OcspArgs),
    /// Answer OCSP requests over HTTP, and serve the CRL
    #[command(after_long_help = serve::EXAMPLES)]
    ServeOcsp(serve::ServeArgs),
    /// Issue certificates to ACME clients over HTTP
    #[command(after_long_help = serve_acme::EXAMPLES)]
    ServeAcme(serve_acme::ServeAcmeArgs),
    /// Manage who can create ACME accounts
    #[command(subcommand, after_long_help = acme::EXAMPLES)]
    Acme(acme::AcmeCommand),
    /// Manage secrets and requests of EST, SCEP and CMP clients
    #[command(subcommand, after_long_help = enroll::EXAMPLES)]
    Enroll(enroll::EnrollCommand),
    /// Export the CA's certificate, issued certificates, CRLs or key
    #[command(after_long_help = export::EXAMPLES)]
    Export(export::ExportArgs),
    /// Change the passphrase of the CA's key
    #[command(after_long_help = passphrase::EXAMPLES)]
    Passphrase(passphrase::PassphraseCommand),
    /// Back up the database, also while it is in use
    #[command(after_long_help = backup::EXAMPLES)]
    Backup(backup::BackupArgs),
    /// Restore a backup
    #[command(after_long_help = restore::EXAMPLES)]
    Restore(restore::RestoreArgs),
    /// List, print and check certificate profiles
    #[command(subcommand, after_long_help = profile::EXAMPLES)]
    Profile(profile::ProfileCommand),
    /// Check every row, certificate and signature of the database
    #[command(after_long_help = audit::EXAMPLES)]
    Audit(audit::AuditArgs),
    /// List the certificates that the CA has issued
    #[command(after_long_help = list::EXAMPLES)]
    List(list::ListArgs),
}

impl CaCommand {
    /// Returns the rules that `--allow` can disable. They apply only to external input.
    pub(crate) const fn door(&self) -> Door {
        match self {
            Self::Issue(_) => Door::READS,
            _ => Door { decoding: false, kerberos: false, paths: false },
        }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Init(args) => args.init(context, out, err),
            Self::Import(args) => args.import(context, out, err),
            Self::Renew(args) => args.renew(context, out, err),
            Self::Rekey(args) => args.rekey(out, err),
            Self::Issue(args) => batch::issue(context, args, out, err),
            Self::Revoke(args) => args.revoke(context, out, err),
            Self::Crl(args) => args.crl(context, out, err),
            Self::Ocsp(args) => args.ocsp(context, out, err),
            Self::ServeOcsp(args) => args.serve(context, out, err),
            Self::ServeAcme(args) => args.serve(context, out, err),
            Self::Acme(command) => command.run(out),
            Self::Enroll(command) => command.run(out),
            Self::Export(args) => args.export(out),
            Self::List(args) => args.list(context.color, out),
            Self::Passphrase(args) => args.change(err),
            Self::Backup(args) => args.back_up(err),
            Self::Restore(args) => args.restore(context, err),
            Self::Profile(command) => command.run(context, out, err),
            Self::Audit(args) => args.audit(out, err),
        };
        finish(done, err)
    }
}

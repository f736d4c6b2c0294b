//! `tagwise mtc`: Merkle Tree Certificates. The libraries implement logs, witnesses, mirrors and relying parties. Files and
//! messages are handled here.

mod audit;
mod checkpoint;
mod common;
mod cosigners;
mod init;
mod issue;
mod landmark;
mod prove;
mod serve;
mod show;
mod verify;
mod witness;

use std::io::{self, Write};

use clap::Subcommand;

use crate::shared::context::Context;
use crate::shared::output::finish;

pub(crate) const ABOUT: &str = "\
Run a log of Merkle Tree Certificates (draft-ietf-plants-merkle-tree-certs-07): certificates whose signature is a proof of inclusion \
in a log.

A CA appends entries to a log in a SQLite file and signs checkpoints; witnesses and mirrors cosign them. A certificate contains a \
proof and either these signatures (standalone), or none if the verifier knows a landmark of the log. You can run several commands at \
once, and kill any of them at any time: the log only grows, and entries are on disk before they are signed.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise mtc init --id 32473.1 --new-key --no-passphrase -o ca.pem
  tagwise mtc issue server.csr -o server.pem
  tagwise mtc verify server.pem --ca ca.pem
  tagwise mtc landmark
  tagwise mtc prove 0 --landmark -o small.pem
  tagwise mtc serve
  tagwise mtc audit http://127.0.0.1:8081/1 --ca ca.pem --state audit.txt

With a witness and a mirror, whose keys `tagwise key new ml-dsa-44` generates:
  tagwise mtc witness --id 32473.20 --key witness.key --ca ca.pem > cosigners.txt &
  tagwise mtc mirror --id 32473.30 --key mirror.key --ca ca.pem >> cosigners.txt &
  tagwise mtc issue server.csr --cosigners cosigners.txt -o server.pem";

#[derive(Debug, Subcommand)]
pub(crate) enum MtcCommand {
    /// Create a CA: its log, key and certificate
    #[command(after_long_help = init::EXAMPLES)]
    Init(init::InitArgs),
    /// Log requests or public keys, sign a checkpoint, and write the certificates
    #[command(after_long_help = issue::EXAMPLES)]
    Issue(Box<issue::IssueArgs>),
    /// Sign a checkpoint of the log, have it cosigned, and publish it
    #[command(after_long_help = checkpoint::EXAMPLES)]
    Checkpoint(checkpoint::CheckpointArgs),
    /// Allocate the next landmark if one is due, and list the landmarks
    #[command(after_long_help = landmark::EXAMPLES)]
    Landmark(landmark::LandmarkArgs),
    /// Serve the log over HTTP
    #[command(after_long_help = serve::EXAMPLES)]
    Serve(serve::ServeArgs),
    /// Cosign the checkpoints of logs over HTTP, if each is consistent with the previous one
    #[command(after_long_help = witness::WITNESS)]
    Witness(witness::WitnessArgs),
    /// Mirror a log, cosign its checkpoints, and serve the copy over HTTP
    #[command(after_long_help = witness::MIRROR)]
    Mirror(witness::MirrorArgs),
    /// Write the certificate of an entry, or a proof of its inclusion in the log
    #[command(after_long_help = prove::EXAMPLES)]
    Prove(prove::ProveArgs),
    /// Verify certificates as a relying party: proofs, cosignatures, trusted subtrees
    #[command(after_long_help = verify::EXAMPLES)]
    Verify(verify::VerifyArgs),
    /// Follow a log: check each entry's hash, each tile and checkpoint, and report names of interest
    #[command(after_long_help = audit::EXAMPLES)]
    Audit(audit::AuditArgs),
    /// Show proofs, CA certificates, checkpoints, landmarks and certificate properties
    #[command(after_long_help = show::EXAMPLES)]
    Show(show::ShowArgs),
}

impl MtcCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Init(args) => args.init(context, out, err),
            Self::Issue(args) => args.issue(context, out, err),
            Self::Checkpoint(args) => args.checkpoint(context, out, err),
            Self::Landmark(args) => args.landmark(out),
            Self::Serve(args) => args.serve(out),
            Self::Witness(args) => args.witness(context, out),
            Self::Mirror(args) => args.mirror(context, out),
            Self::Prove(args) => args.prove(out),
            Self::Verify(args) => args.verify(context, out, err),
            Self::Audit(args) => args.audit(context, out, err),
            Self::Show(args) => args.show(context, out, err),
        };
        finish(done, err)
    }
}

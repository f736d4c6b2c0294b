//! `tagwise krb5`: Kerberos messages, files and tickets. The library implements the formats. Files, passwords and the
//! configuration are handled here.

mod decode;
mod decrypt;
mod dissect;
mod environment;
mod kdestroy;
mod kinit;
mod klist;
mod kpasswd;
mod kswitch;
mod ktutil;
mod kvno;
mod network;
mod output;
mod pkinit;
mod pkinit_token;

use std::io::{self, Write};

use clap::Subcommand;

use crate::shared::context::Context;
use crate::shared::output::finish;
use crate::shared::rules::Door;

pub(crate) const ABOUT: &str = "\
Decode and decrypt Kerberos messages, captures, keytabs and credential caches; get tickets; change passwords.

The configuration is read from KRB5_CONFIG or /etc/krb5.conf; its settings for realms, servers, files, encryption types and lifetimes \
are used. Supported credential caches are FILE, DIR, KCM and, on Linux, KEYRING; keytabs are files. Both are compatible with MIT \
Kerberos and Heimdal. Passwords are read from the terminal or a file, never from an argument. Keys and passwords are shown only with \
an explicit option.";

#[derive(Debug, Subcommand)]
pub(crate) enum Krb5Command {
    /// Show messages, tickets, tokens, keytabs, credential caches and PACs
    #[command(after_long_help = decode::EXAMPLES)]
    Decode(decode::DecodeArgs),
    /// Decrypt messages with the keys of a keytab or a credential cache
    #[command(after_long_help = decrypt::EXAMPLES)]
    Decrypt(decrypt::DecryptArgs),
    /// Show the Kerberos traffic in a capture (pcap, pcapng), decrypted if keys are given
    #[command(after_long_help = dissect::EXAMPLES)]
    Dissect(dissect::DissectArgs),
    /// List the tickets of a credential cache, or the entries of a keytab
    #[command(after_long_help = klist::EXAMPLES)]
    Klist(klist::KlistArgs),
    /// List, create and change keytabs
    #[command(subcommand, long_about = ktutil::ABOUT)]
    Ktutil(ktutil::KtutilCommand),
    /// Get an initial ticket with a password, a keytab or a certificate, or renew it
    #[command(after_long_help = kinit::EXAMPLES)]
    Kinit(kinit::KinitArgs),
    /// Get tickets for services, and print their key versions
    #[command(after_long_help = kvno::EXAMPLES)]
    Kvno(kvno::KvnoArgs),
    /// Make a credential cache the primary one of its collection
    #[command(after_long_help = kswitch::EXAMPLES)]
    Kswitch(kswitch::KswitchArgs),
    /// Remove a credential cache
    #[command(after_long_help = kdestroy::EXAMPLES)]
    Kdestroy(kdestroy::KdestroyArgs),
    /// Change a password
    #[command(after_long_help = kpasswd::EXAMPLES)]
    Kpasswd(kpasswd::KpasswdArgs),
}

impl Krb5Command {
    /// Returns the rules that `--allow` can disable. They apply only to external input.
    pub(crate) const fn door(&self) -> Door {
        match self {
            Self::Decode(_) | Self::Decrypt(_) | Self::Dissect(_) => Door::READS_ANY,
            _ => Door { decoding: false, kerberos: false, paths: false },
        }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Decode(args) => args.decode(context, out, err),
            Self::Decrypt(args) => args.decrypt(context, out, err),
            Self::Dissect(args) => args.dissect(context, out, err),
            Self::Klist(args) => args.list(context, out),
            Self::Ktutil(args) => args.change(context, out),
            Self::Kinit(args) => args.get(context, out, err),
            Self::Kvno(args) => args.get(context, out, err),
            Self::Kswitch(args) => args.switch(),
            Self::Kdestroy(args) => args.destroy(),
            Self::Kpasswd(args) => args.change(out, err),
        };
        finish(done, err)
    }
}

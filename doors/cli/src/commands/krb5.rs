//! `tagwise krb5`: Kerberos messages, files and tickets. What they are is the library's; files, passwords and the configuration are here.

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

use crate::shared::output::finish;
use crate::shared::rules::Door;

pub(crate) const ABOUT: &str = "\
Read and decrypt Kerberos messages, captures, keytabs and credential caches; get tickets and change passwords.

The configuration is that of KRB5_CONFIG or /etc/krb5.conf; of its settings those are used that name realms, servers, files, \
encryption types and lifetimes. Credential caches are FILE, DIR, KCM and on Linux KEYRING, keytabs files, as MIT's and Heimdal's \
programs read and write them. Passwords are asked for on the terminal or come from a file, never from an argument. Keys and passwords are shown only \
where an option asks for it by name.";

#[derive(Debug, Subcommand)]
pub(crate) enum Krb5Command {
    /// Show messages, tickets, tokens, keytabs, credential caches and PACs
    #[command(after_long_help = decode::EXAMPLES)]
    Decode(decode::DecodeArgs),
    /// Open the encrypted parts of messages with the keys of a keytab or a credential cache
    #[command(after_long_help = decrypt::EXAMPLES)]
    Decrypt(decrypt::DecryptArgs),
    /// Show the Kerberos traffic of a capture (pcap, pcapng), decrypted where a key is given
    #[command(after_long_help = dissect::EXAMPLES)]
    Dissect(dissect::DissectArgs),
    /// List the tickets of a credential cache, or the entries of a keytab
    #[command(after_long_help = klist::EXAMPLES)]
    Klist(klist::KlistArgs),
    /// List, make and change keytabs
    #[command(subcommand, long_about = ktutil::ABOUT)]
    Ktutil(ktutil::KtutilCommand),
    /// Get an initial ticket with a password, a keytab or a certificate, or renew it
    #[command(after_long_help = kinit::EXAMPLES)]
    Kinit(kinit::KinitArgs),
    /// Get tickets for services, and print the versions of their keys
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
    /// The rules that it can do without: those of what others have written.
    pub(crate) const fn door(&self) -> Door {
        match self {
            Self::Decode(_) | Self::Decrypt(_) | Self::Dissect(_) => Door::READS_ANY,
            _ => Door { decoding: false, kerberos: false, paths: false },
        }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Those of the writers.
    pub(crate) fn run(&self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Decode(args) => args.decode(color, out),
            Self::Decrypt(args) => args.decrypt(color, out),
            Self::Dissect(args) => args.dissect(color, out, err),
            Self::Klist(args) => args.list(out),
            Self::Ktutil(args) => args.change(color, out),
            Self::Kinit(args) => args.get(out, err),
            Self::Kvno(args) => args.get(out, err),
            Self::Kswitch(args) => args.switch(),
            Self::Kdestroy(args) => args.destroy(),
            Self::Kpasswd(args) => args.change(out, err),
        };
        finish(done, err)
    }
}

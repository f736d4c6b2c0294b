//! `tagwise cms`: signs, verifies, encrypts, decrypts and compresses messages. The library implements the formats. Files and keys are
//! handled here.

mod compress;
mod container;
mod decrypt;
mod document;
mod encrypt;
mod inner;
mod mail;
mod outcome;
mod purpose;
mod sign;
mod verify;

use std::io::{self, Write};

use clap::Subcommand;

use crate::shared::context::Context;
use crate::shared::output::finish;
use crate::shared::rules::Door;

pub(crate) const ABOUT: &str = "\
Sign, verify, encrypt and decrypt CMS messages (RFC 5652), also known as PKCS #7, and S/MIME mails (RFC 8551).

Keys and certificates are files, in any form that `tagwise key show` and `tagwise show` read. Passphrases are read from the terminal, \
a file or a file descriptor, never from an argument. Results are written completely or not at all. Verification names the signer's \
certificate; with --trust, it also validates the path from that certificate to a trust anchor.";

#[derive(Debug, Subcommand)]
pub(crate) enum CmsCommand {
    /// Sign a file, with the content in the message or detached
    #[command(after_long_help = sign::EXAMPLES)]
    Sign(sign::SignArgs),
    /// Verify signatures, and extract the content
    #[command(after_long_help = verify::EXAMPLES)]
    Verify(Box<verify::VerifyArgs>),
    /// Encrypt a file for certificates, a password or a shared key
    #[command(after_long_help = encrypt::EXAMPLES)]
    Encrypt(encrypt::EncryptArgs),
    /// Decrypt a message
    #[command(after_long_help = decrypt::EXAMPLES)]
    Decrypt(decrypt::DecryptArgs),
    /// Compress a file (RFC 3274)
    #[command(after_long_help = compress::COMPRESS)]
    Compress(compress::CompressArgs),
    /// Decompress a message
    #[command(after_long_help = compress::DECOMPRESS)]
    Decompress(compress::DecompressArgs),
}

impl CmsCommand {
    /// Returns the rules that `--allow` can disable.
    pub(crate) const fn door(&self) -> Door {
        match self {
            Self::Verify(_) => Door::JUDGES,
            Self::Sign(_) | Self::Encrypt(_) | Self::Decrypt(_) | Self::Compress(_) | Self::Decompress(_) => {
                Door::READS
            }
        }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Sign(args) => args.backend.chosen().and_then(|backend| args.sign(context, backend, out, err)),
            Self::Verify(args) => args.backend.chosen().and_then(|backend| args.verify(backend, context, out, err)),
            Self::Encrypt(args) => args.backend.chosen().and_then(|backend| args.encrypt(context, backend, out, err)),
            Self::Decrypt(args) => args.backend.chosen().and_then(|backend| args.decrypt(context, backend, out, err)),
            Self::Compress(args) => args.compress(context, out),
            Self::Decompress(args) => args.decompress(context, out),
        };
        finish(done, err)
    }
}

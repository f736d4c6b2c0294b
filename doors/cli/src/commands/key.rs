//! `tagwise key`: generates, shows and converts keys, and signs with them. The library implements key formats and
//! operations. Files and passphrases are handled here.

mod convert;
mod make;
mod members;
mod show;
mod sign;

use std::io::{self, Write};

use clap::Subcommand;

use crate::shared::context::Context;
use crate::shared::output::finish;

pub(crate) const ABOUT: &str = "\
Generate, show and convert keys; sign and verify with them.

Private keys are encrypted with a passphrase (PBES2: PBKDF2 with HMAC-SHA256, AES-256-CBC) unless --no-passphrase is given. Their \
files are readable by their owner only, and never replace existing files. Passphrases are read from the terminal, a file or a file \
descriptor, never from an argument.";

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Generate a key
    #[command(after_long_help = make::EXAMPLES, visible_aliases = ["generate", "gen", "create"])]
    New(make::NewArgs),
    /// Describe keys, without secrets
    #[command(after_long_help = show::EXAMPLES, aliases = ["inspect", "info", "print"])]
    Show(show::ShowArgs),
    /// Convert a key to another form: PKCS #8, PKCS #1, SEC 1, OpenSSH, JWK, or its public key; seed or expanded
    #[command(after_long_help = convert::EXAMPLES)]
    Convert(convert::ConvertArgs),
    /// Sign a file, and write the bare signature
    #[command(after_long_help = sign::SIGN_EXAMPLES)]
    Sign(sign::SignArgs),
    /// Verify a signature made by `key sign`
    #[command(after_long_help = sign::VERIFY_EXAMPLES)]
    Verify(sign::VerifyArgs),
}

impl KeyCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::New(args) => args.backend.chosen().and_then(|backend| args.make(backend, out, err)),
            Self::Show(args) => args.backend.chosen().and_then(|backend| args.show(backend, context, out, err)),
            Self::Convert(args) => args.backend.chosen().and_then(|backend| args.convert(context, backend, out, err)),
            Self::Sign(args) => args.backend.chosen().and_then(|backend| args.sign(context, backend, out)),
            Self::Verify(args) => args.backend.chosen().and_then(|backend| args.verify(context, backend, out)),
        };
        finish(done, err)
    }
}

//! `tagwise version`: prints the version, the build's features, and the cryptographic backends.

use std::io::{self, Write};

use crate::shared::context::Context;
use tagwise_crypto::backends::all;

pub(crate) const ABOUT: &str = "\
Print the version, the platform, the enabled features, and the cryptographic backends with their library versions. A backend whose \
library cannot be loaded is left out. `tagwise --version --verbose` and `tagwise -vV` print the same; `tagwise --version` prints one \
line.";

/// This crate's features, with their state in this build.
const FEATURES: [(&str, bool); 5] = [
    ("keyring", cfg!(feature = "keyring")),
    ("krb5-network", cfg!(feature = "krb5-network")),
    ("nss", cfg!(feature = "nss")),
    ("openssl", cfg!(feature = "openssl")),
    ("tls", cfg!(feature = "tls")),
];

#[derive(Debug, clap::Args)]
pub(crate) struct VersionArgs {}

impl VersionArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, _context: &Context, out: &mut dyn Write, _err: &mut dyn Write) -> io::Result<u8> {
        let names = |wanted: bool| {
            let names: Vec<&str> = FEATURES.iter().filter(|(_, on)| *on == wanted).map(|(name, _)| *name).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        writeln!(out, "tagwise {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "platform: {} {}", std::env::consts::OS, std::env::consts::ARCH)?;
        writeln!(out, "features: {}", names(true))?;
        writeln!(out, "omitted features: {}", names(false))?;
        for backend in all() {
            writeln!(out, "backend {}: {}", backend.name(), backend.version())?;
        }
        Ok(0)
    }
}

/// Returns whether the arguments are exactly `--version` and `--verbose`, in long or short form.
pub(crate) fn is_verbose(arguments: impl Iterator<Item = std::ffi::OsString>) -> bool {
    let (mut version, mut verbose) = (false, false);
    for argument in arguments {
        match argument.to_str() {
            Some("--version" | "-V") => version = true,
            Some("--verbose" | "-v") => verbose = true,
            Some("-vV" | "-Vv") => (version, verbose) = (true, true),
            _ => return false,
        }
    }
    version && verbose
}

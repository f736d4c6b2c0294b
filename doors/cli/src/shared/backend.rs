//! Selection of the backend, and the capabilities of each built-in backend.

use std::io::Write;

use tagwise_crypto::backends::{AwsLc, all, named};
use tagwise_crypto::{Backend, KeyType, Scheme};
use tagwise_schema::nearest;

use crate::shared::output::Failure;

/// The selected backend, which commands pass on.
pub(crate) type Chosen = &'static dyn Backend;

/// The default backend, also for commands without `--backend`.
pub(crate) const EMBEDDED: Chosen = &AwsLc::new();

/// The option that selects the backend.
#[derive(Debug, clap::Args)]
pub(crate) struct BackendArgs {
    /// Cryptographic backend: aws-lc (built in), or openssl or nss if this command was built with them
    #[arg(long, value_name = "NAME", default_value = "aws-lc")]
    backend: String,
}

impl BackendArgs {
    /// Returns the selected backend.
    ///
    /// # Errors
    /// Returns an error if the backend was not built in, or its library is not installed.
    pub(crate) fn chosen(&self) -> Result<Chosen, Failure> {
        named(&self.backend).map_err(|error| {
            let names: Vec<&str> = all().iter().map(|backend| backend.name()).collect();
            Failure::usage(format!("{error}; available: {}", names.join(", ")))
        })
    }
}

/// Parses a kind of key, as the value of an option.
///
/// # Errors
/// Returns a message with the nearest kind and the usual ones.
pub(crate) fn key_kind(text: &str) -> Result<KeyType, String> {
    text.parse().map_err(|_unknown: tagwise_crypto::Error| {
        let names: Vec<String> = KeyType::ALL.iter().filter(|kind| is_usual(**kind)).map(KeyType::to_string).collect();
        let wanted = text.to_ascii_lowercase();
        let prefixed = names.iter().find(|name| !wanted.is_empty() && name.starts_with(&wanted));
        let near = prefixed.map(String::as_str).or_else(|| nearest(&wanted, names.iter().map(String::as_str)));
        let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        format!("unsupported key type; expected {}, or another of `tagwise key new --list`{hint}", names.join(", "))
    })
}

/// Returns whether a key type is listed in messages. Other curves, SLH-DSA and composite keys are too many.
fn is_usual(kind: KeyType) -> bool {
    !matches!(kind, KeyType::Curve(_) | KeyType::SlhDsa(_) | KeyType::CompositeMlDsa(_) | KeyType::CompositeMlKem(_))
}

/// Prints a table of key types and backends.
///
/// # Errors
/// Returns an error if writing fails.
pub(crate) fn list(out: &mut dyn Write) -> Result<(), Failure> {
    let backends = all();
    let mut line = |first: &str, cells: &[&str]| {
        let mut text = format!("{first:<31}");
        for (cell, backend) in cells.iter().zip(&backends) {
            let width = backend.name().len().max("verifies".len()) + 2;
            text.push_str(&format!("{cell:<width$}"));
        }
        writeln!(out, "{}", text.trim_end())
    };
    line("", &backends.iter().map(|backend| backend.name()).collect::<Vec<_>>())?;
    for &kind in KeyType::ALL {
        let does = backends.iter().map(|backend| does(*backend, kind));
        line(&kind.to_string(), &does.collect::<Vec<_>>())?;
    }
    writeln!(out)?;
    for backend in &backends {
        writeln!(out, "{}: {}", backend.name(), backend.version())?;
    }
    Ok(())
}

/// Returns the operations that a backend supports for a key type. Some backends can use keys that they cannot generate.
fn does(backend: &dyn Backend, kind: KeyType) -> &'static str {
    let scheme = Scheme::preferred(kind);
    if backend.generates(kind) {
        "makes"
    } else if scheme.is_some_and(|scheme| backend.signs(&scheme, kind)) {
        "signs"
    } else if scheme.is_some_and(|scheme| backend.verifies(&scheme, kind)) {
        "verifies"
    } else {
        "-"
    }
}

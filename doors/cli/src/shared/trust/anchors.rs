//! Sources of trust anchors on the command line: `system`, `mozilla`, files and folders.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use tagwise_crypto::Secret;
use tagwise_input::{Recognised, ValueKind, recognise};
use tagwise_keys::java::{Store, is_java};
use tagwise_mtc::relying::RelyingParty;
use tagwise_path::Anchors;
use tagwise_pkix::BundleKind;
use tagwise_pkix::name::visible;
use tagwise_store::{Contents, Limits};

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::keystores::Keystores;
use crate::shared::output::{Failure, name_of, reason};
use crate::shared::parts_read::{complete, place_text};
use crate::shared::passphrase::PassphraseArgs;

/// A source of trust anchors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The system's trust store.
    System,
    /// Mozilla's roots for TLS servers, which are included in this command.
    Mozilla,
    /// A file, or all files in a folder.
    Path(PathBuf),
}

impl FromStr for Origin {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "system" => Self::System,
            "mozilla" => Self::Mozilla,
            path => Self::Path(path.into()),
        })
    }
}

impl Origin {
    /// Returns the path, if the source is a file or a folder.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::System | Self::Mozilla => None,
            Self::Path(path) => Some(path),
        }
    }

    /// Returns the description of the source.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::System => "the system's store".to_owned(),
            Self::Mozilla => "Mozilla's roots".to_owned(),
            Self::Path(path) => name_of(path),
        }
    }
}

/// The option for the passphrase of keystores.
const OPTION: &str = "--trust-passphrase-file";

/// Reads the anchors from all sources. The passphrase in the first line of a file opens PKCS #12 files, and checks the integrity of
/// Java keystores.
///
/// # Errors
/// Returns an error if a source or the passphrase cannot be read, or a source contains no anchor.
pub(crate) fn read(context: &Context, origins: &[Origin], passphrase: Option<&Path>) -> Result<Anchors, Failure> {
    let passphrase = PassphraseArgs::named_by(OPTION, passphrase).named()?;
    let mut anchors = Anchors::new();
    for origin in origins {
        anchors.merge(match origin {
            Origin::System => system()?,
            Origin::Mozilla => Anchors::mozilla(),
            Origin::Path(path) => below(context, path, passphrase.as_ref())?,
        });
    }
    Ok(tagwise_mtc::path::recognize(anchors))
}

/// Removes the certificates that are not self-signed from the anchors, and returns them: they are intermediates, as for OpenSSL without
/// `-partial_chain`.
pub(crate) fn keep_self_signed(anchors: &mut Anchors) -> Vec<Vec<u8>> {
    let mut intermediates = Vec::new();
    anchors.retain(|anchor| {
        let other = anchor.certificate().filter(|certificate| !certificate.get().is_self_signed());
        intermediates.extend(other.map(|other| other.as_der().to_vec()));
        other.is_none()
    });
    intermediates
}

/// Creates the relying party for the Merkle Tree CAs among the anchors, with the policies from files.
///
/// # Errors
/// Returns an error if a file cannot be read or its statements are invalid.
pub(crate) fn relying_party(
    context: &Context,
    anchors: &Anchors,
    policies: &[PathBuf],
) -> Result<RelyingParty, Failure> {
    let mut party = tagwise_mtc::path::relying_party(anchors).map_err(|error| Failure::negative(error.to_string()))?;
    for path in policies {
        configure(context, &mut party, path)?;
    }
    Ok(party)
}

/// Configures a relying party with the statements of a Merkle Tree Certificate policy file.
///
/// # Errors
/// Returns any error from [`relying_party`].
pub(crate) fn configure(context: &Context, party: &mut RelyingParty, path: &Path) -> Result<(), Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let failed = |error: &dyn std::fmt::Display| Failure::Said(3, format!("{}: {error}", name_of(path)));
    let text = std::str::from_utf8(&octets).map_err(|error| failed(&error))?;
    party.configure(text).map_err(|error| failed(&error))
}

fn system() -> Result<Anchors, Failure> {
    Anchors::system().map_err(|error| {
        let reason = reason(&error);
        Failure::Said(
            3,
            format!("the system's trust anchors cannot be read: {reason}: pass --trust FILE or --trust mozilla"),
        )
    })
}

/// Reads the anchors in a file, or in the files of a folder, sorted by name.
fn below(context: &Context, path: &Path, passphrase: Option<&Secret>) -> Result<Anchors, Failure> {
    let failed = |path: &Path, error: &std::io::Error| Failure::file(path, "read", error);
    if !path.is_dir() {
        let octets = context.load_again(path).map_err(|error| failed(path, &error))?;
        let octets = opened(context, path, octets, passphrase)?;
        let anchors = whole(path, &octets)?;
        complete(context, &Contents::read(&octets, &Limits::DEFAULT), &name_of(path))?;
        return if anchors.is_empty() { Err(nothing(path, &octets)) } else { Ok(anchors) };
    }
    let entries = std::fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let mut files: Vec<PathBuf> =
        entries.map_err(|error| failed(path, &error))?.iter().map(std::fs::DirEntry::path).collect();
    files.sort();
    let (mut all, mut other) = (Anchors::new(), None);
    // A symbolic link without a target is an error, like any other file that cannot be read.
    for file in files.iter().filter(|file| file.is_file() || (file.is_symlink() && !file.exists())) {
        let octets = context.load(file).map_err(|error| failed(file, &error))?;
        let octets = opened(context, file, octets, passphrase)?;
        all.merge(whole(file, &octets)?);
        // Folders also contain other files. A damaged part could be a certificate, a CRL or an OCSP response.
        let contents = Contents::read(&octets, &Limits::DEFAULT);
        complete(context, &contents, &name_of(file))?;
        if let Some(failure) = contents.failures().next() {
            let place = place_text(&name_of(file), &failure.place);
            return Err(Failure::Said(3, format!("{place}: {}", visible(failure.message))));
        }
        other = other.or_else(|| contents.foreign().map(|foreign| format!(", but {}, {foreign}", name_of(file))));
    }
    if all.is_empty() {
        let other = other.unwrap_or_default();
        return Err(Failure::Said(3, format!("{}: the folder contains no certificates{other}", name_of(path))));
    }
    Ok(all)
}

/// Opens a keystore with the passphrase, which proves its integrity, and returns its certificates in DER, one after another. Other inputs
/// are returned unchanged, and so are Java keystores without a passphrase, whose certificates are not encrypted.
fn opened(context: &Context, path: &Path, octets: Vec<u8>, passphrase: Option<&Secret>) -> Result<Vec<u8>, Failure> {
    let failed = |why: &str| Failure::Said(3, format!("{}: {why}", name_of(path)));
    if is_java(&octets) {
        let Some(passphrase) = passphrase else { return Ok(octets) };
        let said = |error: tagwise_crypto::Error| failed(&error.to_string());
        let store = Store::read(&octets, &tagwise_keys::Limits::DEFAULT).map_err(said)?;
        if !store.verifies(EMBEDDED, passphrase.expose()).map_err(said)? {
            return Err(failed("wrong passphrase, or the keystore was modified: its digest does not match"));
        }
        return Ok(store.entries().iter().flat_map(|entry| entry.certificates.concat()).collect());
    }
    if recognise(&octets) != Recognised::Kind(ValueKind::Pkcs12) {
        return Ok(octets);
    }
    if passphrase.is_none() && !context.offers(OPTION.trim_start_matches('-')) {
        return Ok(octets);
    }
    let opened = Keystores::new(passphrase.cloned())?.named_by(OPTION).opened(&octets);
    let opened = opened.map_err(|why| failed(&format!("a PKCS #12 file: {why}")))?;
    let is_key =
        |kind| matches!(kind, BundleKind::PrivateKey | BundleKind::EncryptedPrivateKey | BundleKind::Encrypted);
    if opened.items().any(|item| is_key(item.kind)) {
        let why = "a PKCS #12 file with a private key is not a truststore: extract the certificates to trust: \
                   tagwise p12 extract FILE --certificates -o NEW";
        return Err(failed(why));
    }
    let certificates = opened.items().filter(|item| item.kind == BundleKind::Certificate);
    Ok(certificates.flat_map(|item| item.octets.to_vec()).collect())
}

/// Reads the anchors in the bytes of a file. A malformed certificate is an error: otherwise a missing anchor would be noticed much later.
fn whole(path: &Path, octets: &[u8]) -> Result<Anchors, Failure> {
    let mut anchors = Anchors::new();
    match anchors.read(octets).first() {
        Some(error) => Err(Failure::Said(3, format!("{}: malformed certificate: {error}", name_of(path)))),
        None => Ok(anchors),
    }
}

/// Creates the failure for a file without anchors. It names the file's actual content.
fn nothing(path: &Path, octets: &[u8]) -> Failure {
    let nothing = super::nothing(octets, "certificate");
    Failure::Said(3, format!("{}: no trust anchor found: {nothing}", name_of(path)))
}

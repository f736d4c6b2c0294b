//! `tagwise key convert`.

use std::io::Write;
use std::path::PathBuf;
use tagwise_pkix::oids::files::label;

use clap::ValueEnum;
use tagwise_codec::Decode as _;
use tagwise_crypto::{KeyType, PostQuantumForm, Secret};
use tagwise_keys::{jwk, ssh};
use tagwise_pkix::name::visible;
use tagwise_pkix::{SubjectPublicKeyInfo, oids};

use super::members::Members;
use crate::shared::backend::{BackendArgs, Chosen};
use crate::shared::context::Context;
use crate::shared::credentials::negative;
use crate::shared::keys::{Key, armoured, deliver_key, deliver_private, one_named, refused};
use crate::shared::output::{Failure, deliver as deliver_public, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise key convert --to public server.key -o server.pub
  tagwise key convert --to pkcs8 old-rsa.key -o new.key          encrypted with a new passphrase
  tagwise key convert --to pkcs8 --hold both --no-passphrase ml-dsa.key -o both.key
  tagwise key convert --to sec1 --no-passphrase ec.key
  tagwise key convert --to pkcs8 ~/.ssh/id_ed25519 -o ssh.key    from OpenSSH, PVK, a JWK or a DNSSEC key file
  tagwise key convert --to openssh --comment me@host server.key -o id_server
  tagwise key convert --to openssh-public server.key >> authorized_keys
  tagwise key convert --to jwk-public server.key
  tagwise key convert --to pkcs8 --name server store.jks -o server.key

PKCS #1, SEC 1 and JWK have no encryption of their own and require --no-passphrase.
Exit codes: 0 converted; 1 the key is malformed, or does not have this form; 2 usage error; 3 a file could not be read or written.";

/// Forms of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum To {
    /// PKCS #8, RFC 5958
    Pkcs8,
    /// RSAPrivateKey, RFC 8017
    Pkcs1,
    /// ECPrivateKey, RFC 5915
    Sec1,
    /// SubjectPublicKeyInfo, RFC 5280
    Public,
    /// OpenSSH private key
    Openssh,
    /// SSH public key on one line, as in authorized_keys
    OpensshPublic,
    /// SSH public key with headers, RFC 4716
    Rfc4716,
    /// JSON Web Key, RFC 7517: private or public, as the key is
    Jwk,
    /// JSON Web Key of the public key
    JwkPublic,
}

/// Forms of post-quantum private keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Hold {
    Seed,
    Expanded,
    Both,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ConvertArgs {
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Target form
    #[arg(long, value_name = "FORM")]
    to: To,
    /// Convert the key with this name: an alias of a keystore, a comment, or a key identifier
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Comment of an SSH key [default: the name of the key, if it has one]
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Content of a post-quantum private key [default: unchanged]
    #[arg(long, value_name = "PART")]
    hold: Option<Hold>,
    /// Write to this file, which must not exist yet for a private key [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write the key unencrypted
    #[arg(long)]
    no_passphrase: bool,
    /// Read the new passphrase from the first line of this file [default: the key's current passphrase, or prompt]
    #[arg(long, value_name = "FILE", conflicts_with = "no_passphrase")]
    new_passphrase_file: Option<PathBuf>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

impl ConvertArgs {
    pub(super) fn convert(
        &self,
        context: &Context,
        backend: Chosen,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let octets = context.load_again(&self.file).map_err(|error| Failure::file(&self.file, "read", &error))?;
        let octets = Secret::from(octets);
        let members = Members::read(octets.expose(), self.name.as_deref());
        let code = self.converted(context, backend, members.as_ref(), out)?;
        let is_jwk = matches!(self.to, To::Jwk | To::JwkPublic);
        let is_ssh = matches!(self.to, To::Openssh | To::OpensshPublic | To::Rfc4716) && self.comment.is_none();
        let lost = members.as_ref().map(|members| members.lost(is_jwk, is_ssh)).unwrap_or_default().join(", ");
        if !lost.is_empty() {
            let name = name_of(&self.file);
            writeln!(err, "tagwise: {name}: members of the JWK that the result does not have: {}", visible(&lost))?;
        }
        Ok(code)
    }

    fn converted(
        &self,
        context: &Context,
        backend: Chosen,
        members: Option<&Members<'_>>,
        out: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let found = one_named(context, backend, &self.file, &self.passphrase, self.name.as_deref())?;
        let to = match (self.to, &found.key) {
            (To::Jwk, Key::Public(_)) => To::JwkPublic,
            (to, _) => to,
        };
        let is_ssh = matches!(to, To::Openssh | To::OpensshPublic | To::Rfc4716);
        if self.comment.is_some() && !is_ssh {
            return Err(Failure::usage("--comment requires --to openssh, openssh-public or rfc4716"));
        }
        if !matches!(to, To::Public | To::Pkcs8) && is_restricted(&found.key) {
            return Err(Failure::negative(format!(
                "{}: the key is restricted to RSASSA-PSS (RFC 4055 §1.2), which this form cannot express: expected \
                 --to pkcs8 or public",
                name_of(&self.file)
            )));
        }
        let comment = self.comment.as_deref().or(found.name.as_deref()).unwrap_or_default();
        if let To::Public | To::OpensshPublic | To::Rfc4716 | To::JwkPublic = to {
            if self.hold.is_some() {
                return Err(Failure::usage("--hold requires a private key"));
            }
            let public = found.key.public(backend)?;
            let text = match to {
                To::OpensshPublic => ssh::write_line(&public, comment),
                To::Rfc4716 => ssh::write_ssh2(&public, comment),
                To::JwkPublic => {
                    let text = jwk::write_public(&public).map_err(|error| negative(&self.file, &error))?;
                    let text = members
                        .map_or_else(|| Secret::from(text.as_bytes()), |members| members.in_jwk(text.as_bytes()));
                    deliver_public(text.expose(), self.output.as_ref(), false, out)?;
                    return Ok(0);
                }
                _ => {
                    let text = armoured(label::PUBLIC_KEY, &public)?;
                    deliver_public(text.expose(), self.output.as_ref(), false, out)?;
                    return Ok(0);
                }
            };
            let text = text.map_err(|error| negative(&self.file, &error))?;
            deliver_public(text.as_bytes(), self.output.as_ref(), false, out)?;
            return Ok(0);
        }
        if let (To::Pkcs8, Key::Dsa(key)) = (to, &found.key) {
            let passphrase = if self.no_passphrase { None } else { Some(self.new_passphrase()?) };
            deliver_key(backend, &key.pkcs8, passphrase.as_ref(), self.output.as_ref(), out)?;
            return Ok(0);
        }
        let Key::Private(info) = &found.key else {
            let why = match &found.key {
                Key::Dsa(_) => "a DSA private key can only be converted to pkcs8, public, openssh-public and rfc4716",
                _ => "expected a private key, found a public key",
            };
            return Err(Failure::negative(format!("{}: {why}", name_of(&self.file))));
        };
        // Inconsistent keys are not converted.
        let key = backend.private_key(info).map_err(|error| refused(&error))?;
        if let To::Openssh | To::Jwk = to {
            if self.hold.is_some() {
                return Err(Failure::usage("--hold requires --to pkcs8"));
            }
            if to == To::Jwk && !self.no_passphrase {
                return Err(Failure::usage("a JWK cannot be encrypted: give --no-passphrase"));
            }
            let passphrase = if self.no_passphrase { None } else { Some(self.new_passphrase()?) };
            let text = match to {
                To::Openssh => {
                    let passphrase = passphrase.as_ref().map(Secret::expose);
                    ssh::write_private(backend, info, key.public_key_info(), comment, passphrase)
                }
                _ => jwk::write_private(info, key.public_key_info()).map(|text| {
                    members.map_or_else(|| Secret::from(text.expose()), |members| members.in_jwk(text.expose()))
                }),
            };
            let text = text.map_err(|error| negative(&self.file, &error))?;
            deliver_private(text.expose(), self.output.as_ref(), out)?;
            return Ok(0);
        }
        let pkcs8 = match self.hold {
            Some(hold) => key.to_pkcs8_as(match hold {
                Hold::Seed => PostQuantumForm::Seed,
                Hold::Expanded => PostQuantumForm::Expanded,
                Hold::Both => PostQuantumForm::Both,
            }),
            None => key.to_pkcs8(),
        };
        let pkcs8 = pkcs8.map_err(|error| refused(&error))?;
        if self.to == To::Pkcs8 {
            let passphrase = if self.no_passphrase { None } else { Some(self.new_passphrase()?) };
            deliver_key(backend, &pkcs8, passphrase.as_ref(), self.output.as_ref(), out)?;
            return Ok(0);
        }
        let (label, fits) = match self.to {
            To::Pkcs1 => (label::RSA_PRIVATE_KEY, matches!(key.key_type(), KeyType::Rsa(_))),
            _ => (label::EC_PRIVATE_KEY, key.key_type().is_curve()),
        };
        if !fits {
            return Err(Failure::negative(format!(
                "{}: {} keys do not support this format; use --to pkcs8",
                name_of(&self.file),
                key.key_type()
            )));
        }
        if !self.no_passphrase {
            return Err(Failure::usage("PKCS #1 and SEC 1 keys cannot be encrypted: give --no-passphrase"));
        }
        let inside = match self.to {
            To::Sec1 => info.to_sec1(),
            _ => info.to_pkcs1(),
        };
        let inside = inside.map_err(|error| refused(&error))?;
        deliver_private(armoured(label, inside.expose())?.expose(), self.output.as_ref(), out)?;
        Ok(0)
    }

    /// Returns the passphrase for encryption: the given new one, the given current one, or the answer to a prompt.
    fn new_passphrase(&self) -> Result<Secret, Failure> {
        match &self.new_passphrase_file {
            Some(path) => PassphraseArgs::of_file(path).fresh(),
            None => self.passphrase.kept_or_fresh(),
        }
    }
}

/// Returns whether a key is restricted to RSASSA-PSS signatures.
fn is_restricted(key: &Key) -> bool {
    match key {
        Key::Private(info) => info.restriction().is_some(),
        Key::Dsa(_) => false,
        Key::Public(der) => {
            SubjectPublicKeyInfo::from_der(der).is_ok_and(|info| info.algorithm.algorithm == oids::RSASSA_PSS)
        }
    }
}

//! `tagwise key sign` and `tagwise key verify`: detached signatures without a message format.

use std::io::Write;
use std::path::{Path, PathBuf};

use tagwise_codec::Decode;
use tagwise_crypto::{ErrorKind, KeySigner, KeyType, PssParameters, Scheme, Signer};
use tagwise_pkix::{SubjectPublicKeyInfo, oids};

use crate::shared::backend::{BackendArgs, Chosen};
use crate::shared::context::Context;
use crate::shared::credentials::octets;
use crate::shared::keys::{by_digest, by_name, one, private_key_of, refused};
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const SIGN_EXAMPLES: &str = "\
Examples:
  tagwise key sign release.tar --key release.key -o release.sig
  tagwise key sign invoice.xml --key ml-dsa.key --context invoices -o invoice.sig
  tagwise key sign firmware.bin --key rsa.key --pss -o firmware.sig
  tagwise key sign letter.txt --key rsa.key --scheme RSA-SHA512 -o letter.sig

The bare signature is written: for ECDSA a SEQUENCE of two INTEGERs, otherwise the algorithm's own format. Certificates and CMS use \
no context.
Exit codes: 0 signed; 1 the key is unusable, or does not support this signature; 2 usage error; 3 a file could not be read or written.";

pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  tagwise key verify release.tar --key release.pub --signature release.sig
  tagwise key verify invoice.xml --key ml-dsa.pub --context invoices --signature invoice.sig

Exit codes: 0 the signature is good; 1 it is not, or the key is unusable; 2 usage error; 3 a file could not be read.";

/// Signature scheme, if the key allows several.
#[derive(Debug, clap::Args)]
struct SchemeArgs {
    /// Signature algorithm, such as ECDSA-SHA384 or RSA-SHA512 [default: the usual one for the key]
    #[arg(long, value_name = "NAME", conflicts_with = "pss")]
    scheme: Option<String>,
    /// Digest of an RSA (PKCS #1) or ECDSA signature, such as sha256 [default: the usual one for the key]
    #[arg(long, value_name = "DIGEST", conflicts_with_all = ["pss", "scheme"])]
    digest: Option<String>,
    /// Sign with RSASSA-PSS and the usual digest for the key
    #[arg(long)]
    pss: bool,
    /// Salt length of an RSASSA-PSS signature in bytes [default: that of the digest, or what the key requires]
    #[arg(long, value_name = "BYTES")]
    salt_length: Option<u16>,
    /// Context string of the signature, at most 255 bytes; for ML-DSA, SLH-DSA and composite ML-DSA
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    context: String,
}

impl SchemeArgs {
    /// Returns the signature scheme for a key. `preferred` is the key's default scheme.
    fn of(&self, key: KeyType, preferred: Option<Scheme>) -> Result<Scheme, Failure> {
        let scheme = self.named(key, preferred)?;
        match (scheme, self.salt_length) {
            (Scheme::RsaPss(parameters), Some(salt_len)) => {
                Ok(Scheme::RsaPss(PssParameters { salt_len, ..parameters }))
            }
            (_, Some(_)) => Err(Failure::usage(format!("--salt-length requires RSASSA-PSS; the scheme is {scheme}"))),
            (_, None) => Ok(scheme),
        }
    }

    fn named(&self, key: KeyType, preferred: Option<Scheme>) -> Result<Scheme, Failure> {
        if self.pss && !matches!(preferred, Some(Scheme::RsaPss(_))) {
            let wrong = || Failure::usage(format!("--pss requires an RSA key; this key is {key}"));
            return Scheme::preferred_pss(key).ok_or_else(wrong);
        }
        let wanted = match (&self.digest, &self.scheme) {
            (Some(digest), _) => Some(by_digest(key, digest)?),
            (None, Some(name)) => Some(by_name(name)?),
            (None, None) => preferred,
        };
        wanted.ok_or_else(|| Failure::negative(format!("{key} keys do not support signing")))
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct SignArgs {
    /// File to sign; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Private key
    #[arg(long, value_name = "KEY")]
    key: PathBuf,
    /// Write the signature to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    scheme: SchemeArgs,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

impl SignArgs {
    pub(super) fn sign(&self, context: &Context, backend: Chosen, out: &mut dyn Write) -> Result<u8, Failure> {
        let key = private_key_of(context, backend, &self.key, &self.passphrase)?;
        let scheme = self.scheme.of(key.key_type(), key.preferred_scheme())?;
        let message = octets(context, &self.file)?;
        let signer = KeySigner::new(key, scheme).and_then(|signer| signer.with_context(self.scheme.context.as_bytes()));
        let signature = signer.and_then(|signer| signer.sign(&message));
        let signature = signature.map_err(|error| named(&self.key, &error))?;
        deliver(&signature, self.output.as_ref(), self.force, out)?;
        Ok(0)
    }
}

/// Returns the parameters that a public key requires for its signatures.
fn bound_of(info: &SubjectPublicKeyInfo<'_>) -> Result<Option<PssParameters>, tagwise_crypto::Error> {
    if info.algorithm.algorithm != oids::RSASSA_PSS || info.algorithm.parameters.is_none() {
        return Ok(None);
    }
    match Scheme::of_legacy(&info.algorithm)? {
        Scheme::RsaPss(least) => Ok(Some(least)),
        _ => Ok(None),
    }
}

fn named(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::negative(format!("{}: {error}", name_of(path)))
}

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// Signed file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Public or private key
    #[arg(long, value_name = "KEY")]
    key: PathBuf,
    /// Signature
    #[arg(long, value_name = "SIG")]
    signature: PathBuf,
    /// Accept weak signatures: with SHA-1, or by RSA keys below 2,048 bits
    #[arg(long)]
    legacy: bool,
    #[command(flatten)]
    scheme: SchemeArgs,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

impl VerifyArgs {
    pub(super) fn verify(&self, context: &Context, backend: Chosen, out: &mut dyn Write) -> Result<u8, Failure> {
        let der = one(context, backend, &self.key, &self.passphrase)?.key.public(backend)?;
        let info = SubjectPublicKeyInfo::from_der(&der).map_err(|error| Failure::negative(error.to_string()))?;
        let key = backend.public_key(&info).map_err(|error| refused(&error))?;
        let bound = bound_of(&info).map_err(|error| refused(&error))?;
        let preferred = match (bound, info.algorithm.algorithm == oids::RSASSA_PSS) {
            // As the private key signs.
            (Some(least), _) => {
                let salt_len = least.salt_len.max(PssParameters::of(least.digest).salt_len);
                Some(Scheme::RsaPss(PssParameters { salt_len, ..least }))
            }
            (None, true) => Scheme::preferred_pss(key.key_type()),
            (None, false) => Scheme::preferred(key.key_type()),
        };
        let scheme = self.scheme.of(key.key_type(), preferred)?;
        // RFC 4055 §3.3: the parameters of an RSASSA-PSS key bind its signatures.
        let fits = match (bound, scheme) {
            (Some(least), Scheme::RsaPss(parameters)) => parameters.satisfies(&least),
            (Some(_), _) => false,
            (None, scheme) => info.algorithm.algorithm != oids::RSASSA_PSS || matches!(scheme, Scheme::RsaPss(_)),
        };
        if !fits {
            let error = tagwise_crypto::Error::new(ErrorKind::WrongKey, scheme);
            return Err(named(&self.key, &format_args!("{error}: it is restricted to RSASSA-PSS (RFC 4055 §3.3)")));
        }
        // SHA-1 is broken, and small keys are weak.
        let old = match (scheme.is_legacy(), key.key_type().is_legacy()) {
            (true, _) => Some(scheme.to_string()),
            (false, true) => Some(key.key_type().to_string()),
            (false, false) => None,
        };
        if let Some(old) = old.filter(|_| !self.legacy) {
            let error = tagwise_crypto::Error::new(ErrorKind::Legacy, old);
            return Err(named(&self.key, &format_args!("{error}; pass --legacy to accept it")));
        }
        let (message, signature) = (octets(context, &self.file)?, octets(context, &self.signature)?);
        match key.verify_with_context(&scheme, self.scheme.context.as_bytes(), &message, &signature) {
            Ok(()) => {
                writeln!(out, "{}: good, {scheme}", name_of(&self.file))?;
                Ok(0)
            }
            Err(error) if error.kind() == ErrorKind::Signature => {
                writeln!(out, "{}: NOT GOOD, {scheme}", name_of(&self.file))?;
                Ok(1)
            }
            Err(error) => Err(named(&self.key, &error)),
        }
    }
}

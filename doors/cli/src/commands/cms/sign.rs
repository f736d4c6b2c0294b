//! `tagwise cms sign`.

use std::io::Write;
use std::path::{Path, PathBuf};
use tagwise_pkix::oids::files::label;

use clap::ValueEnum;
use tagwise_codec::pem;
use tagwise_crypto::cms::{Identifier, SignedOptions, Signing, objections, sign, sign_stream};
use tagwise_crypto::{Digest, KeySigner};
use tagwise_input::mail::{Draft, Scheme, content_mail, draft, protect, seven_bit, signed_mail};
use tagwise_pkix::build::{AttributeList, Digest as BuildDigest};
use tagwise_pkix::cms::SignedReader;
use tagwise_pkix::name::visible;
use tagwise_pkix::{Time, UnixTime, oids};

use crate::shared::backend::{BackendArgs, Chosen};
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, certificate, negative, octets, out_of_time, slices};
use crate::shared::keys::{by_digest, private_key_of};
use crate::shared::moment::{moment, now};
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise cms sign letter.txt --key me.key --certificate me.pem -o letter.p7m
  tagwise cms sign letter.txt --key me.key --certificate chain.pem --detached --pem -o letter.sig
  tagwise cms sign letter.txt --smime --key me.key --certificate me.pem -o letter.eml
  tagwise cms sign mail.eml --smime --protect-headers --key me.key --certificate me.pem -o signed.eml
  tagwise cms sign letter.txt --key a.key --certificate a.pem --key b.key --certificate b.pem -o both.p7m

The first certificate in a file is the signer's; all of them are added to the message. The signed attributes contain the signing time \
and a reference to the signer's certificate. A warning is printed if the certificate is not valid at that time, or not for signatures.
Exit codes: 0 signed; 1 a key and its certificate do not match; 2 usage error; 3 a file could not be read or written.";

/// Forms of signed mails (RFC 8551 §3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    Clear,
    Opaque,
}

/// Schemes of header protection (RFC 9788 §2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HeaderScheme {
    Clear,
    Cipher,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SignArgs {
    /// File to sign; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Private key; repeat it for each further signer
    #[arg(long, required = true, value_name = "KEY")]
    key: Vec<PathBuf>,
    /// Certificate of the key, optionally followed by others to add; once for each key, in the same order
    #[arg(long, required = true, value_name = "CERT")]
    certificate: Vec<PathBuf>,
    /// Add these certificates and CRLs to the message
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Omit the content from the message
    #[arg(long)]
    detached: bool,
    /// Omit the certificates from the message
    #[arg(long)]
    no_certificates: bool,
    /// Identify signers by subject key identifier, not by issuer and serial number
    #[arg(long)]
    key_id: bool,
    /// Sign the content itself, without signed attributes (no signing time, no certificate reference)
    #[arg(long)]
    no_attributes: bool,
    /// With --no-attributes, accept content that could itself be read as signed attributes
    #[arg(long, requires = "no_attributes")]
    allow_attributes_as_content: bool,
    /// Digest of RSA (PKCS #1) and ECDSA signatures, such as sha512 [default: the usual one for the key]
    #[arg(long, value_name = "DIGEST", conflicts_with = "pss")]
    digest: Option<String>,
    /// Sign with RSASSA-PSS if the key is an RSA key
    #[arg(long)]
    pss: bool,
    /// Signing time to record instead of now, such as 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<UnixTime>,
    /// Write an S/MIME mail: `clear` for readable text with a detached signature, `opaque` for text inside the message. The header of a
    /// mail is kept outside
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "clear",
        conflicts_with_all = ["pem", "detached"])]
    smime: Option<Form>,
    /// Protect the header fields of the mail with the signature (RFC 9788): `clear` keeps them outside, too; `cipher` hides the subject
    /// outside, for a mail that is encrypted next
    #[arg(long, value_name = "SCHEME", num_args = 0..=1, require_equals = true, default_missing_value = "clear", requires = "smime")]
    protect_headers: Option<HeaderScheme>,
    /// Write PEM
    #[arg(long)]
    pem: bool,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

/// The content size in bytes above which indefinite lengths are used.
const LARGE: usize = 16 << 20;

impl SignArgs {
    pub(super) fn sign(
        &self,
        context: &Context,
        backend: Chosen,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        if self.key.len() != self.certificate.len() {
            return Err(Failure::usage("give one --certificate for each --key"));
        }
        let mut signers = Vec::new();
        let mut own = Vec::new();
        let mut all = Credentials::read(context, &self.with)?;
        for (key, path) in self.key.iter().zip(&self.certificate) {
            let signer = self.signer(context, backend, key)?;
            let (first, rest) = Credentials::leading(context, path)?;
            all.certificates.push(first.clone());
            all.certificates.extend(rest);
            signers.push(signer);
            own.push(first);
        }
        if self.no_certificates {
            all.certificates.clear();
        }
        let mut seen = std::collections::HashSet::new();
        all.certificates.retain(|der| seen.insert(der.clone()));

        let malformed = |(der, path): (&Vec<u8>, &PathBuf)| match certificate(context, der) {
            Ok(_) => Ok(()),
            Err(error) => Err(negative(path, &error)),
        };
        own.iter().zip(&self.certificate).try_for_each(malformed)?;
        let read: Vec<_> = own.iter().filter_map(|der| certificate(context, der).ok()).collect();
        for (certificate, path) in read.iter().zip(&self.certificate) {
            if let Some(why) = out_of_time(certificate, self.at.unwrap_or_else(now)) {
                writeln!(err, "tagwise: {}: warning: {why}", name_of(path))?;
            }
            // Verifiers would reject the signature.
            let purpose = self.smime.map(|_| oids::KP_EMAIL_PROTECTION);
            let unfit = objections(certificate, self.at.unwrap_or_else(now), purpose);
            for objection in unfit.iter().filter(|objection| objection.kind() != "validity") {
                writeln!(err, "tagwise: {}: warning: {}", name_of(path), visible(objection))?;
            }
        }
        let lists = read.iter().map(|certificate| self.attributes(certificate)).collect::<Result<Vec<_>, _>>()?;
        let attributes: Vec<_> = lists.iter().map(AttributeList::attributes).collect();
        let identifier = if self.key_id { Identifier::SubjectKeyIdentifier } else { Identifier::IssuerAndSerialNumber };
        let signings: Vec<_> = signers
            .iter()
            .zip(&read)
            .zip(&attributes)
            .map(|((signer, certificate), attributes)| Signing {
                identifier,
                attributes: (!self.no_attributes).then_some(attributes.as_slice()),
                ..Signing::new(signer, certificate)
            })
            .collect();

        let mut content = octets(context, &self.file)?;
        let draft = self.smime.map(|_| draft(&content));
        let draft = match (draft, self.protect_headers) {
            (Some(draft), Some(scheme)) => {
                let scheme = if scheme == HeaderScheme::Clear { Scheme::Clear } else { Scheme::Cipher };
                Some(protect(&draft, scheme).map_err(|problem| negative(&self.file, &problem))?)
            }
            (draft, _) => draft,
        };
        let draft = match draft {
            Some(draft) if self.smime == Some(Form::Clear) => {
                let entity = seven_bit(&draft.entity).map_err(|problem| negative(&self.file, &problem))?;
                Some(Draft { entity, ..draft })
            }
            draft => draft,
        };
        if let Some(draft) = &draft {
            content.clone_from(&draft.entity);
        }
        let detached = self.detached || self.smime == Some(Form::Clear);
        let (certificates, crls) = (slices(&all.certificates), slices(&all.crls));
        let options = SignedOptions {
            detached,
            certificates: &certificates,
            crls: &crls,
            allow_attributes_as_content: self.allow_attributes_as_content,
            ..SignedOptions::DEFAULT
        };
        let message = if content.len() > LARGE && !self.no_attributes && !detached {
            sign_stream(backend, &mut &content[..], Vec::new(), &signings, &options)
        } else {
            sign(backend, &content, &signings, &options)
        };
        let message = message.map_err(|error| negative(&self.file, &error))?;
        let message = match (draft, self.smime) {
            (Some(draft), Some(Form::Clear)) => {
                let mail = signed_mail(&draft, &message, &micalg(&message));
                mail.map_err(|problem| negative(&self.file, &problem))?
            }
            (Some(draft), _) => content_mail(&draft.header, "signed-data", &message),
            _ if self.pem => armour(&message)?,
            _ => message,
        };
        deliver(&message, self.output.as_ref(), self.force, out)?;
        Ok(0)
    }

    fn signer(&self, context: &Context, backend: Chosen, path: &Path) -> Result<KeySigner, Failure> {
        let key = private_key_of(context, backend, path, &self.passphrase)?;
        if let Some(digest) = &self.digest {
            let scheme = by_digest(key.key_type(), digest)?;
            return KeySigner::new(key, scheme).map_err(|error| negative(path, &error));
        }
        // Of several keys, those that are not RSA sign as they always do.
        let made = match tagwise_crypto::Scheme::preferred_pss(key.key_type()).filter(|_| self.pss) {
            Some(pss) => KeySigner::new(key, pss),
            None => KeySigner::preferred(key),
        };
        made.map_err(|error| negative(path, &error))
    }

    fn attributes(&self, certificate: &tagwise_pkix::Certificate<'_>) -> Result<AttributeList, Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::negative(error.to_string());
        let time = Time::from_unix(self.at.unwrap_or_else(now)).map_err(|error| failed(&error))?;
        let mut list = AttributeList::new();
        list.signing_time(time).map_err(|error| failed(&error))?;
        list.signing_certificate(certificate, BuildDigest::Sha256).map_err(|error| failed(&error))?;
        Ok(list)
    }
}

/// The names of a message's digests for mails (RFC 8551 §3.5.3.2).
fn micalg(message: &[u8]) -> String {
    let reader = SignedReader::new(message).ok();
    let found = reader.iter().flat_map(|reader| reader.digest_algorithms());
    let mut names: Vec<&str> = found
        .map(|algorithm| match Digest::from_identifier(&algorithm) {
            Ok(Digest::Sha1) => "sha-1",
            Ok(Digest::Sha224) => "sha-224",
            Ok(Digest::Sha256) => "sha-256",
            Ok(Digest::Sha384) => "sha-384",
            Ok(Digest::Sha512) => "sha-512",
            _ => "unknown",
        })
        .collect();
    names.dedup();
    match names.as_slice() {
        [name] => (*name).to_owned(),
        names => format!("\"{}\"", names.join(",")),
    }
}

/// Encodes a message as PEM (RFC 7468 §9).
pub(super) fn armour(der: &[u8]) -> Result<Vec<u8>, Failure> {
    pem::encode(label::CMS, der).map(String::into_bytes).map_err(|error| Failure::negative(error.to_string()))
}

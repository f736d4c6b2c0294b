//! `tagwise cms encrypt`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tagwise_codec::text::hex;
use tagwise_crypto::cms::{EncryptOptions, Identifier, RecipientKey, encrypt};
use tagwise_crypto::{Cipher, Digest, KeyTransport, OaepParameters, PasswordOptions, Secret};
use tagwise_input::mail::{Scheme, content_mail, draft, protect};
use tagwise_pkix::ext::KeyUsage;
use tagwise_pkix::{Certificate, Extensions, oids};

use super::sign::armour;
use crate::shared::backend::{BackendArgs, Chosen};
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, certificate, negative, octets, out_of_time};
use crate::shared::moment::now;
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise cms encrypt letter.txt --to anna.pem --to ben.pem -o letter.p7m
  tagwise cms encrypt letter.txt --password --passphrase-file secret.txt -o letter.p7m
  tagwise cms encrypt letter.txt --to old.pem --cipher aes-128-cbc --rsa pkcs1 -o letter.p7m
  tagwise cms encrypt signed.eml --smime --to anna.pem -o encrypted.eml
  tagwise cms encrypt mail.eml --smime --protect-headers --to anna.pem -o encrypted.eml
  tagwise cms encrypt letter.txt --shared-key-file key.bin --shared-key-id 01 -o letter.p7m

The default, GCM, detects changes; programs from before about 2020 read only CBC.
Exit codes: 0 encrypted; 1 a certificate is malformed, or its key does not encrypt; 2 usage error; 3 a file could not be read or written.";

/// Content ciphers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CipherName {
    #[value(name = "aes-128-gcm")]
    Aes128Gcm,
    #[value(name = "aes-256-gcm")]
    Aes256Gcm,
    #[value(name = "aes-128-cbc")]
    Aes128Cbc,
    #[value(name = "aes-192-cbc")]
    Aes192Cbc,
    #[value(name = "aes-256-cbc")]
    Aes256Cbc,
}

/// Key encryption schemes for RSA recipients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rsa {
    /// RSAES-OAEP with SHA-256
    Oaep,
    /// RSAES-OAEP with SHA-1, for old programs
    OaepSha1,
    /// RSAES-OAEP with SHA-256, and MGF1 with SHA-1, which is Java's default; for --backend openssl or nss
    OaepMgf1Sha1,
    /// RSAES-PKCS1-v1_5
    Pkcs1,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EncryptArgs {
    /// File to encrypt; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Certificate of a recipient, with an RSA, elliptic-curve, X25519, ML-KEM or composite ML-KEM key; may be repeated
    #[arg(long, value_name = "CERT")]
    to: Vec<PathBuf>,
    /// Encrypt with a passphrase
    #[arg(long)]
    password: bool,
    /// Encrypt with a shared key: a file of 16, 24 or 32 bytes, in binary or hexadecimal
    #[arg(long, value_name = "FILE", requires = "shared_key_id")]
    shared_key_file: Option<PathBuf>,
    /// Identifier of the shared key, in hexadecimal
    #[arg(long, value_name = "HEX", requires = "shared_key_file")]
    shared_key_id: Option<String>,
    /// Cipher of the content
    #[arg(long, value_name = "CIPHER", default_value = "aes-256-gcm")]
    cipher: CipherName,
    /// Key encryption scheme for RSA recipients
    #[arg(long, value_name = "SCHEME", default_value = "oaep")]
    rsa: Rsa,
    /// Identify recipients by subject key identifier, not by issuer and serial number
    #[arg(long)]
    key_id: bool,
    /// Write an S/MIME mail; the header of a mail is kept outside, where it is not encrypted
    #[arg(long, conflicts_with = "pem")]
    smime: bool,
    /// Encrypt the header fields of the mail, too (RFC 9788); outside, the subject is `[...]`
    #[arg(long, requires = "smime")]
    protect_headers: bool,
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

impl EncryptArgs {
    pub(super) fn encrypt(
        &self,
        context: &Context,
        backend: Chosen,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        if self.to.is_empty() && !self.password && self.shared_key_file.is_none() {
            return Err(Failure::usage("no recipient: give --to, --password or --shared-key-file"));
        }
        let mut ders = Vec::new();
        for path in &self.to {
            ders.push((path, Credentials::leading(context, path)?.0));
        }
        let mut recipients = Vec::new();
        let identifier = if self.key_id { Identifier::SubjectKeyIdentifier } else { Identifier::IssuerAndSerialNumber };
        let transport = match self.rsa {
            Rsa::Oaep => KeyTransport::Oaep(OaepParameters::of(Digest::Sha256)),
            Rsa::OaepSha1 => KeyTransport::Oaep(OaepParameters::of(Digest::Sha1)),
            Rsa::OaepMgf1Sha1 => KeyTransport::Oaep(OaepParameters { digest: Digest::Sha256, mask: Digest::Sha1 }),
            Rsa::Pkcs1 => KeyTransport::Pkcs1,
        };
        let mut certificates = Vec::new();
        for (path, der) in &ders {
            certificates.push(certificate(context, der).map_err(|error| negative(path, &error))?);
        }
        for ((path, _), certificate) in ders.iter().zip(&certificates) {
            report_recipient(path, certificate, err)?;
        }
        recipients.extend(certificates.iter().map(|certificate| RecipientKey::Certificate {
            certificate,
            identifier,
            transport,
        }));
        let password = self.password.then(|| self.passphrase.fresh()).transpose()?;
        recipients.extend(
            password.as_ref().map(|password| RecipientKey::Password {
                password: password.expose(),
                options: PasswordOptions::DEFAULT,
            }),
        );
        let shared = self.shared_key_file.as_deref().map(|path| shared_key(context, path)).transpose()?;
        let id = self.shared_key_id.as_deref().map(hex_id).transpose()?;
        if let (Some(key), Some(id)) = (&shared, &id) {
            recipients.push(RecipientKey::SharedKey { id, key: key.expose() });
        }

        let options = EncryptOptions {
            cipher: match self.cipher {
                CipherName::Aes128Gcm => Cipher::Aes128Gcm,
                CipherName::Aes256Gcm => Cipher::Aes256Gcm,
                CipherName::Aes128Cbc => Cipher::Aes128Cbc,
                CipherName::Aes192Cbc => Cipher::Aes192Cbc,
                CipherName::Aes256Cbc => Cipher::Aes256Cbc,
            },
            ..EncryptOptions::DEFAULT
        };
        let mut content = Secret::from(octets(context, &self.file)?);
        let mut header = Vec::new();
        if self.smime {
            let draft = draft(content.expose());
            let draft = match self.protect_headers {
                true => protect(&draft, Scheme::Cipher).map_err(|problem| negative(&self.file, &problem))?,
                false => draft,
            };
            (content, header) = (Secret::from(draft.entity), draft.header);
        }
        let message = encrypt(backend, content.expose(), &recipients, &options);
        let message = message.map_err(|error| negative(&self.file, &error))?;
        let message = match (self.smime, self.pem) {
            (true, _) if options.cipher.is_authenticated() => content_mail(&header, "authEnveloped-data", &message),
            (true, _) => content_mail(&header, "enveloped-data", &message),
            (false, true) => armour(&message)?,
            (false, false) => message,
        };
        deliver(&message, self.output.as_ref(), self.force, out)?;
        Ok(0)
    }
}

/// The shortest RSA keys that are not reported, in bits (NIST SP 800-131A).
const RSA_BITS: u32 = 2048;

/// Reports a certificate with a weak key, or with a key usage that does not permit encryption, and one that is not valid now.
///
/// # Errors
/// Returns an error if the key usage is malformed.
fn report_recipient(path: &Path, certificate: &Certificate<'_>, err: &mut dyn Write) -> Result<(), Failure> {
    let tbs = &certificate.tbs_certificate;
    let key = &tbs.subject_public_key_info;
    let agrees = [oids::EC_PUBLIC_KEY, oids::X25519, oids::X448].contains(&key.algorithm.algorithm);
    let wanted = if agrees { "keyAgreement" } else { "keyEncipherment" };
    let usage = tbs.extensions.as_ref().map(Extensions::get::<KeyUsage<'_>>).transpose();
    let usage = usage.map_err(|error| negative(path, &error))?.flatten();
    if usage.is_some_and(|usage| !(if agrees { usage.key_agreement() } else { usage.key_encipherment() })) {
        let text = format!("the certificate's key usage does not include {wanted} (RFC 5280 §4.2.1.3)");
        writeln!(err, "tagwise: {}: {text}", name_of(path))?;
    }
    if let Some(text) = out_of_time(certificate, now()) {
        writeln!(err, "tagwise: {}: {text}", name_of(path))?;
    }
    if let Some(bits) = key.rsa().and_then(|rsa| rsa.bits()).filter(|bits| *bits < RSA_BITS) {
        writeln!(err, "tagwise: {}: the RSA key has {bits} bits, fewer than {RSA_BITS}", name_of(path))?;
    }
    Ok(())
}

/// Parses a hexadecimal identifier.
pub(super) fn hex_id(text: &str) -> Result<Vec<u8>, Failure> {
    hex::decode(text.as_bytes()).map_err(|error| Failure::usage(format!("--shared-key-id: {error}")))
}

/// Reads a secret key from a file, in binary or hexadecimal.
pub(super) fn shared_key(context: &Context, path: &Path) -> Result<Secret, Failure> {
    let key = Secret::from(octets(context, path)?);
    let fits = |len: usize| matches!(len, 16 | 24 | 32);
    // 32 hexadecimal digits are always a key of 16 bytes; a random key of 32 bytes never consists of digits only.
    let decoded = hex::decode(key.expose()).map(Secret::from).ok().filter(|key| fits(key.len()));
    let decoded = decoded.or_else(|| Some(key).filter(|key| fits(key.len())));
    let wrong = || Failure::negative(format!("{}: expected a key of 16, 24 or 32 bytes", name_of(path)));
    decoded.ok_or_else(wrong)
}

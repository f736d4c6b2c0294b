//! `tagwise key show`.

use std::io::Write;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use tagwise_codec::Decode;
use tagwise_codec::text::{base64, hex};
use tagwise_crypto::{Digest, ErrorKind, KeyType, PostQuantumForm, Scheme};
use tagwise_keys::jwk::thumbprint;
use tagwise_keys::ssh::SshCertificate;
use tagwise_pkix::name::visible;
use tagwise_pkix::{SubjectPublicKeyInfo, UnixTime, oids};
use tagwise_show::render::json;
use tagwise_show::{SelfSignature, summary};

use crate::shared::backend::{BackendArgs, Chosen};
use crate::shared::context::Context;
use crate::shared::found_key::Locked;
use crate::shared::keys::{Found, Key, keys, refused, unlocked};
use crate::shared::moment::now;
use crate::shared::output::{Failure, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise key show server.key
  tagwise key show --json *.key | jq .
  tagwise key show cert.pem request.csr        the public keys in them
  tagwise key show id_ed25519-cert.pub --ca ca.pub
  tagwise key show --passphrase-file secret.txt ca.key

Private keys are checked: the public key and all forms of the private key must match. Besides ASN.1, the formats are OpenSSH, SSH \
public keys and certificates, JWK, Java keystores, PKCS #12, PVK and key blobs, SPKAC, DNSSEC private keys and DNSKEY records. The signature of an SSH \
certificate is verified with the key in it; with --ca, that key must be one of those given. Its validity is shown, and does not \
change the exit code.
Exit codes: 0 all are keys; 1 something is malformed, the passphrase is wrong, the signature of an SPKAC or an SSH certificate is wrong or weak, \
or its CA is another one; 2 usage error; 3 a file could not be read; 4 such a signature could not be verified, \
or --ca has no SSH certificate to compare.";

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Key of the CA that SSH certificates must be signed with: a public key, or a file of several
    #[arg(long, value_name = "KEY")]
    ca: Vec<PathBuf>,
    /// Print JSON (schema tagwise.key/2)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

/// The description of a key.
#[derive(Debug, Serialize)]
struct Shown {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    private: bool,
    form: &'static str,
    /// The key's comment, alias, key identifier or owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    /// The size of the key, if it is known.
    bits: Option<u32>,
    /// The strength in bits, or `None` for key types that are only shown and cannot be used.
    strength: Option<u16>,
    /// The parameters that an RSASSA-PSS key requires; `None` if it is not restricted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pss: Option<Pss>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signs: Option<String>,
    /// The fingerprint of an SSH key, as printed by `ssh-keygen -l`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ssh_fingerprint: Option<String>,
    /// The JWK thumbprint (RFC 7638).
    #[serde(skip_serializing_if = "Option::is_none")]
    jwk_thumbprint: Option<String>,
    /// The challenge in a signed public key and challenge (SPKAC).
    #[serde(skip_serializing_if = "Option::is_none")]
    challenge: Option<String>,
    /// The signature algorithm of the SPKAC.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature_algorithm: Option<String>,
    /// The result of verifying the SPKAC's signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ssh_certificate: Option<Certificate>,
    #[serde(rename = "public_key_sha256")]
    fingerprint: String,
}

/// An OpenSSH certificate.
#[derive(Debug, Serialize)]
struct Certificate {
    #[serde(rename = "type")]
    kind: &'static str,
    serial: u64,
    key_id: String,
    principals: Vec<String>,
    valid_from: String,
    /// Absent if the certificate does not expire.
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_until: Option<String>,
    valid_now: bool,
    critical_options: Vec<String>,
    extensions: Vec<String>,
    ca_fingerprint: String,
    /// True if the CA is one of those given.
    #[serde(skip_serializing_if = "Option::is_none")]
    ca_given: Option<bool>,
}

impl Certificate {
    fn of(backend: Chosen, certificate: &SshCertificate, authorities: Option<&[Vec<u8>]>) -> Result<Self, Failure> {
        let shown = |text: &str| visible(&text).to_string();
        let options = |list: &[(String, String)]| {
            let one = |(name, value): &(String, String)| match value.as_str() {
                "" => shown(name),
                value => format!("{}={}", shown(name), shown(value)),
            };
            list.iter().map(one).collect()
        };
        let time = |seconds: u64| UnixTime(i64::try_from(seconds).unwrap_or(i64::MAX)).to_string();
        let now = u64::try_from(now().0).unwrap_or_default();
        Ok(Self {
            kind: if certificate.kind == 1 { "user" } else { "host" },
            serial: certificate.serial,
            key_id: shown(&certificate.key_id),
            principals: certificate.principals.iter().map(|principal| shown(principal)).collect(),
            valid_from: time(certificate.valid_after),
            valid_until: (certificate.valid_before != u64::MAX).then(|| time(certificate.valid_before)),
            valid_now: certificate.is_valid_at(now),
            critical_options: options(&certificate.critical_options),
            extensions: options(&certificate.extensions),
            ca_fingerprint: ssh_fingerprint(backend, &certificate.authority)?,
            ca_given: authorities.map(|authorities| authorities.contains(&certificate.authority)),
        })
    }

    fn text(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let list = |list: &[String], none: &str| if list.is_empty() { none.to_owned() } else { list.join(", ") };
        writeln!(out, "  SSH certificate: {}, serial {}, \"{}\"", self.kind, self.serial, self.key_id)?;
        writeln!(out, "    Principals: {}", list(&self.principals, "any"))?;
        let until = self.valid_until.as_deref().map_or("forever".to_owned(), |until| format!("until {until}"));
        let now = if self.valid_now { "" } else { " (NOT VALID now)" };
        writeln!(out, "    Valid:      from {} {until}{now}", self.valid_from)?;
        writeln!(out, "    Options:    {}", list(&self.critical_options, "none"))?;
        writeln!(out, "    Extensions: {}", list(&self.extensions, "none"))?;
        let given = match self.ca_given {
            Some(true) => " (given)",
            Some(false) => " (NOT a given CA)",
            None => " (not compared: pass --ca)",
        };
        writeln!(out, "    CA:         {}{given}", self.ca_fingerprint)?;
        Ok(())
    }
}

/// The parameters that signatures of an RSASSA-PSS key are bound to (RFC 4055 §3.3).
#[derive(Debug, Serialize)]
struct Pss {
    digest: String,
    mask: String,
    least_salt: u16,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    keys: &'a [Shown],
}

impl ShowArgs {
    pub(super) fn show(
        &self,
        backend: Chosen,
        context: &Context,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let mut authorities = Vec::new();
        for path in &self.ca {
            for found in keys(context, backend, path, &self.passphrase)? {
                authorities.push(found.key.public(backend)?);
            }
        }
        let authorities = (!self.ca.is_empty()).then_some(authorities.as_slice());
        let mut shown = Vec::new();
        let mut code = 0;
        for path in &self.files {
            // One bad file hides no other.
            let read = unlocked(context, backend, path, &self.passphrase, None).and_then(|keys| {
                let shown = keys.found.iter().map(|key| of(backend, name_of(path), key, authorities));
                Ok((shown.collect::<Result<Vec<_>, _>>()?, keys.locked, keys.unchecked))
            });
            match read {
                Ok((keys, locked, unchecked)) => {
                    if let Some(why) = unchecked {
                        writeln!(err, "tagwise: {}: warning: {why}", name_of(path))?;
                    }
                    for Locked { name, reason } in &locked {
                        writeln!(err, "tagwise: {}: entry {}: locked: {reason}", name_of(path), visible(name))?;
                        code = if code == 3 { 3 } else { 1 };
                    }
                    // The signature of a request for a key decides, too; what cannot be verified is not known.
                    let verdict = |key: &Shown| match key.signature {
                        Some("not-good" | "weak") => 1,
                        _ if key.ssh_certificate.as_ref().is_some_and(|shown| shown.ca_given == Some(false)) => 1,
                        Some("not-known") => 4,
                        // Only SSH certificates have a CA to compare.
                        _ if authorities.is_some() && key.ssh_certificate.is_none() => 4,
                        _ => 0,
                    };
                    let worst =
                        keys.iter().map(verdict).fold(0, |worst, of| if worst == 1 { 1 } else { worst.max(of) });
                    code = if code == 0 || worst == 1 && code == 4 { worst } else { code };
                    if authorities.is_some() && keys.iter().any(|key| key.ssh_certificate.is_none()) {
                        writeln!(err, "tagwise: {}: not an SSH certificate, so --ca was not compared", name_of(path))?;
                    }
                    shown.extend(keys);
                }
                Err(Failure::Said(worse, message)) => {
                    writeln!(err, "tagwise: {message}")?;
                    code = code.max(worse);
                }
                Err(other) => return Err(other),
            }
        }
        if self.json {
            json::write(out, &Document { schema: "tagwise.key/2", keys: &shown })?;
            return Ok(code);
        }
        for (index, key) in shown.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            key.text(context.color, out)?;
        }
        Ok(code)
    }
}

fn of(backend: Chosen, file: String, found: &Found, authorities: Option<&[Vec<u8>]>) -> Result<Shown, Failure> {
    let public = found.key.public(backend).map_err(|failure| match failure {
        Failure::Said(code, message) => Failure::Said(code, format!("{file}: {message}")),
        other => other,
    })?;
    let malformed = |error: tagwise_codec::Error| Failure::negative(format!("{file}: {error}"));
    let info = SubjectPublicKeyInfo::from_der(&public).map_err(malformed)?;
    // Kinds that no backend knows are shown all the same.
    let kind = match KeyType::of(&info) {
        Ok(kind) => Some(kind),
        Err(error) if error.kind() == ErrorKind::Unsupported => None,
        Err(error) => return Err(Failure::negative(format!("{file}: {error}"))),
    };
    let is_pss = info.algorithm.algorithm == oids::RSASSA_PSS;
    let bound = is_pss.then_some(info.algorithm.parameters).flatten();
    let bound = bound.map(|_| Scheme::of_legacy(&info.algorithm)).transpose();
    let bound = bound.map_err(|error| Failure::negative(format!("{file}: {error}")))?;
    let pss = match bound {
        Some(Scheme::RsaPss(pss)) => {
            Some(Pss { digest: pss.digest.to_string(), mask: pss.mask.to_string(), least_salt: pss.salt_len })
        }
        _ => None,
    };
    let forms = match &found.key {
        Key::Private(info) => info.post_quantum(),
        Key::Public(_) | Key::Dsa(_) => None,
    };
    Ok(Shown {
        file,
        line: found.line,
        private: !matches!(found.key, Key::Public(_)),
        form: found.form,
        name: found.name.clone(),
        ssh_fingerprint: found.form.contains("SSH").then(|| ssh_fingerprint(backend, &public)).transpose()?,
        jwk_thumbprint: (found.form == "JWK")
            .then(|| thumbprint(backend, &public))
            .transpose()
            .map_err(|error| refused(&error))?,
        challenge: found.spkac.as_ref().map(|spkac| spkac.challenge.clone()),
        signature_algorithm: match (&found.spkac, &found.ssh_certificate) {
            (Some(spkac), _) => Some(spkac.algorithm.clone()),
            (None, Some(certificate)) => Some(visible(&certificate.signature_algorithm).to_string()),
            (None, None) => None,
        },
        signature: match (&found.spkac, &found.ssh_certificate) {
            (Some(spkac), _) => Some(match spkac.signature {
                SelfSignature::Valid => "good",
                SelfSignature::Weak(_) => "weak",
                SelfSignature::Invalid(_) => "not-good",
                SelfSignature::Unknown(_) => "not-known",
            }),
            (None, Some(certificate)) => Some(word_of(&certificate.verify(backend))),
            (None, None) => None,
        },
        ssh_certificate: found
            .ssh_certificate
            .as_ref()
            .map(|certificate| Certificate::of(backend, certificate, authorities))
            .transpose()?,
        kind: match kind {
            Some(kind) if !is_pss => kind.to_string(),
            _ => summary(&info),
        },
        bits: info.info().bits,
        strength: kind.map(KeyType::strength),
        holds: forms.map(|forms| match forms.form() {
            PostQuantumForm::Seed => "seed",
            PostQuantumForm::Expanded => "expanded",
            PostQuantumForm::Both => "both",
        }),
        signs: match bound {
            Some(scheme) => Some(scheme.to_string()),
            None if is_pss => Some("RSASSA-PSS".to_owned()),
            None => kind.and_then(Scheme::preferred).map(|scheme| scheme.to_string()),
        },
        pss,
        fingerprint: fingerprint(backend, &public)?,
    })
}

/// The word for the outcome of verifying a signature.
fn word_of(signature: &Result<(), tagwise_crypto::Error>) -> &'static str {
    match signature {
        Ok(()) => "good",
        Err(error) if error.kind().is_unsupported() => "not-known",
        Err(_) => "not-good",
    }
}

/// The fingerprint that `ssh-keygen -l` prints: SHA-256 over the protocol's encoding, in base64 without padding.
fn ssh_fingerprint(backend: Chosen, public: &[u8]) -> Result<String, Failure> {
    let blob = tagwise_keys::ssh::write_blob(public).map_err(|error| refused(&error))?;
    let digest = backend.digest(Digest::Sha256, &blob).map_err(|error| refused(&error))?;
    Ok(format!("SHA256:{}", base64::encode(&digest).trim_end_matches('=')))
}

/// Returns the SHA-256 fingerprint of a SubjectPublicKeyInfo, in hexadecimal.
pub(super) fn fingerprint(backend: Chosen, public: &[u8]) -> Result<String, Failure> {
    let digest = backend.digest(Digest::Sha256, public).map_err(|error| refused(&error))?;
    Ok(hex::encode(&digest))
}

impl Shown {
    fn text(&self, color: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let style = if color { Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())) } else { Style::new() };
        let place = self.line.map_or(String::new(), |line| format!(", line {line}"));
        let what = if self.private { "private key" } else { "public key" };
        writeln!(out, "{style}{}{place}: {what}{style:#}", self.file)?;
        writeln!(out, "  Type:      {}", self.kind)?;
        writeln!(out, "  Form:      {}", self.form)?;
        if let Some(name) = &self.name {
            writeln!(out, "  Name:      {}", visible(name))?;
        }
        if let Some(holds) = self.holds {
            let holds = if holds == "both" { "seed and expanded key" } else { holds };
            writeln!(out, "  Holds:     {holds}")?;
        }
        if let Some(strength) = self.strength {
            writeln!(out, "  Strength:  {strength} bits")?;
        }
        if let Some(signs) = &self.signs {
            writeln!(out, "  Signs:     {signs}")?;
        }
        if let Some(Pss { digest, mask, least_salt }) = &self.pss {
            writeln!(out, "  Bound to:  {digest}, MGF1 with {mask}, a salt of at least {least_salt} bytes")?;
        }
        if let Some(challenge) = &self.challenge {
            writeln!(out, "  Challenge: {}", visible(challenge))?;
        }
        if let Some(signature) = self.signature {
            let verdict = match signature {
                "not-good" => "NOT GOOD",
                "weak" => "WEAK",
                "not-known" => "not known, its algorithm is not supported",
                good => good,
            };
            let algorithm = self.signature_algorithm.as_deref().unwrap_or_default();
            writeln!(out, "  Signature: {verdict} ({algorithm})")?;
        }
        if let Some(certificate) = &self.ssh_certificate {
            certificate.text(out)?;
        }
        if let Some(fingerprint) = &self.ssh_fingerprint {
            writeln!(out, "  SSH:       {fingerprint}")?;
        }
        if let Some(thumbprint) = &self.jwk_thumbprint {
            writeln!(out, "  JWK:       {thumbprint} (RFC 7638)")?;
        }
        writeln!(out, "  SHA-256:   {} (public key)", self.fingerprint)?;
        Ok(())
    }
}

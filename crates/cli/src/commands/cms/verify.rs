//! `tagwise cms verify`.

use std::io::Write;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use serde::Serialize;
use tagwise_codec::Oid;
use tagwise_crypto::cms::{Verification, VerifiedSigner, VerifyOptions, verify};
use tagwise_pkix::name::visible;
use tagwise_pkix::oids;
use tagwise_show::render::json;

use crate::shared::backend::{BackendArgs, backend};
use crate::shared::credentials::{Credentials, fingerprint, message, negative, octets, slices, subject};
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::rules;
use crate::shared::standing::{Standing, StandingArgs, TRUST};
use crate::shared::trust::{self, Beside, TrustArgs};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise cms verify letter.p7m -o letter.txt
  tagwise cms verify letter.sig --content letter.txt
  tagwise cms verify letter.p7m --certificate signer.pem --json | jq .
  tagwise cms verify old.p7m --at 2012-06-01 --purpose email
  tagwise cms verify old.p7m --allow validity
  tagwise cms verify letter.p7m --trust root.pem --crl root.crl --revocation require

A signer is good if the signature verifies, the certificate was valid at the time of signing and its key usage is for signatures. \
That time is the signer's claim (the signed attribute signingTime), else now; --at sets another. With --trust, there must also \
be a valid path from the signer's certificate to a trust anchor, as `tagwise verify` finds it; without, trust is not judged. \
CRLs and OCSP responses must be current now, or at the time that --evidence-at or --at states, and every revocation in them counts: \
a signer whose certificate is revoked by then is not good, whatever time of signing it claims. Only where you state the time yourself, \
with --at and a later --evidence-at, a later revocation without harm (superseded, cessationOfOperation, affiliationChanged, unspecified) does not count. \
The content is written only if every signer is good.
Exit codes: 0 every signer is good; 1 one is not, or the message is malformed; 2 usage; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// The message: DER, BER or PEM; `-` is standard input
    #[arg(value_name = "MESSAGE")]
    message: PathBuf,
    /// The content, where it is not in the message
    #[arg(long, value_name = "FILE")]
    content: Option<PathBuf>,
    /// Certificates where a signer's may be, besides those in the message
    #[arg(long, value_name = "FILE")]
    certificate: Vec<PathBuf>,
    /// Verify signatures with SHA-1, too
    #[arg(long)]
    legacy: bool,
    #[command(flatten)]
    standing: StandingArgs,
    #[command(flatten)]
    trust: TrustArgs,
    /// Demand this purpose of certificates that list purposes (extended key usage)
    #[arg(long, value_name = "PURPOSE", value_enum)]
    purpose: Option<Purpose>,
    /// Accept content signed without attributes that reads as signed attributes itself
    #[arg(long)]
    allow_attributes_as_content: bool,
    /// Write the content to this file; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(long)]
    force: bool,
    /// Print JSON (schema tagwise.cms-verify/2)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    schema: &'static str,
    file: String,
    good: bool,
    content_type: String,
    content_length: usize,
    trust: &'static str,
    signers: Vec<Signer>,
}

/// A purpose that can be required of a signer (RFC 5280 §4.2.1.12, RFC 9336).
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Purpose {
    /// S/MIME: emailProtection
    Email,
    /// Programs: codeSigning
    CodeSigning,
    /// Documents: documentSigning
    DocumentSigning,
}

impl Purpose {
    const fn oid(self) -> Oid<'static> {
        match self {
            Self::Email => oids::KP_EMAIL_PROTECTION,
            Self::CodeSigning => oids::KP_CODE_SIGNING,
            Self::DocumentSigning => oids::KP_DOCUMENT_SIGNING,
        }
    }

    /// The purpose that the signer's path is validated for.
    const fn of_path(self) -> trust::Purpose {
        match self {
            Self::Email => trust::Purpose::Email,
            Self::CodeSigning => trust::Purpose::Code,
            Self::DocumentSigning => trust::Purpose::Document,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Signer {
    good: bool,
    signature_good: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate_sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    algorithm: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signing_time: Option<String>,
    #[serde(flatten)]
    standing: Standing,
}

fn signer(signer: &VerifiedSigner, standing: Standing) -> Result<Signer, Failure> {
    let signature_good = signer.outcome.is_ok();
    Ok(Signer {
        good: signature_good && standing.is_good(),
        signature_good,
        error: signer.outcome.as_ref().err().map(|error| visible(error).to_string()),
        subject: signer.certificate.as_deref().map(subject),
        certificate_sha256: signer.certificate.as_deref().map(fingerprint).transpose()?,
        algorithm: signer.scheme.map(|scheme| scheme.to_string()),
        digest: signer.digest.map(|digest| digest.to_string()),
        signing_time: signer.signing_time.map(|time| time.to_string()),
        standing,
    })
}

impl VerifyArgs {
    pub(super) fn verify(&self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let to_stdout = self.output.as_ref().is_some_and(|path| path.as_os_str() == "-");
        if self.json && to_stdout {
            return Err(Failure::usage("--json and -o - would both write to standard output"));
        }
        let trusted = self.trust.read(self.standing.at)?;
        let octets_of = message(&self.message)?;
        let content = self.content.as_deref().map(octets).transpose()?;
        let others = Credentials::read(&self.certificate)?.certificates;
        let certificates = slices(&others);
        let options = VerifyOptions {
            certificates: &certificates,
            legacy: self.legacy,
            at: self.standing.at,
            purpose: self.purpose.map(Purpose::oid),
            allow_attributes_as_content: self.allow_attributes_as_content,
            tolerate: rules::in_force().decoding,
            ..VerifyOptions::DEFAULT
        };
        let verified = verify(backend(), &octets_of, content.as_deref(), &options);
        let verified = verified.map_err(|error| negative(&self.message, &error))?;
        let mut beside = slices(&verified.certificates);
        beside.extend(&certificates);
        let beside = Beside { certificates: &beside, crls: &verified.crls, allowed: StandingArgs::allowed_rules() };
        let purpose = self.purpose.map_or(trust::Purpose::Any, Purpose::of_path);
        let mut signers = Vec::new();
        for found in &verified.signers {
            let judged = match (&trusted, &found.certificate) {
                (Some(trusted), Some(own)) => Some(trusted.judge(own, &beside, purpose, found.at, None)?),
                _ => None,
            };
            let standing = self.standing.judge(found.at, found.at_from, &found.objections).with_trust(judged)?;
            signers.push(signer(found, standing)?);
        }
        let good = verified.is_signed() && signers.iter().all(|signer| signer.good);
        if good && let Some(path) = &self.output {
            deliver(&verified.content, Some(path), self.force, out)?;
        }
        if self.json {
            let document = Document {
                schema: "tagwise.cms-verify/2",
                file: name_of(&self.message),
                good,
                content_type: name_of_type(&verified),
                content_length: verified.content.len(),
                trust: if trusted.is_some() { "judged" } else { TRUST },
                signers,
            };
            json::write(out, &document)?;
        } else {
            // What is said does not stand in the content's way.
            match to_stdout {
                true => self.text(color, &verified, &signers, err)?,
                false => self.text(color, &verified, &signers, out)?,
            }
        }
        Ok(u8::from(!good))
    }

    fn text(
        &self,
        color: bool,
        verified: &Verification,
        signers: &[Signer],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let style = |colour: AnsiColor| match color {
            true => Style::new().bold().fg_color(Some(colour.into())),
            false => Style::new(),
        };
        writeln!(
            out,
            "{}: {}, {} bytes of content",
            name_of(&self.message),
            name_of_type(verified),
            verified.content.len()
        )?;
        if signers.is_empty() {
            writeln!(out, "  no signer")?;
        }
        for signer in signers {
            let (word, style) = match signer.good {
                true => (signer.standing.good("signature"), style(AnsiColor::Green)),
                false => ("NOT GOOD".to_owned(), style(AnsiColor::Red)),
            };
            let who = signer.subject.as_deref().unwrap_or("an unknown signer");
            writeln!(out, "  {style}{word}{style:#}: {who}")?;
            if let Some(error) = &signer.error {
                writeln!(out, "    Reason:      {error}")?;
            }
            if let Some(algorithm) = &signer.algorithm {
                writeln!(out, "    Algorithm:   {algorithm}")?;
            }
            if let Some(time) = &signer.signing_time {
                writeln!(out, "    Signed:      {time} (as the signer says)")?;
            }
            if let Some(hash) = &signer.certificate_sha256 {
                writeln!(out, "    SHA-256:     {hash} (certificate)")?;
                signer.standing.text(color, "    ", out)?;
            }
        }
        Ok(())
    }
}

/// The type of the content, by its name if it has one.
fn name_of_type(verified: &Verification) -> String {
    let oid = verified.content_type();
    oids::lookup(oid).map_or_else(|| oid.to_string(), |info| info.short_name().to_owned())
}

//! `tagwise cms verify`.

use std::io::Write;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use serde::Serialize;
use tagwise_codec::{Decode, Oid};
use tagwise_crypto::ErrorKind;
use tagwise_crypto::cms::{CmsError, TimeSource, Verification, VerifiedSigner, VerifyOptions, objections, verify};
use tagwise_crypto::tsp::{TspError, signature_time_stamps};
use tagwise_pkix::name::visible;
use tagwise_pkix::{Certificate, UnixTime, oids};
use tagwise_show::render::json;

use crate::shared::backend::{BackendArgs, Chosen};
use crate::shared::credentials::{Credentials, fingerprint, mail, negative, octets, slices, subject};
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::rules;
use crate::shared::standing::{Standing, StandingArgs, TRUST};
use crate::shared::trust::{self, Beside, Origin, SignerTrust, TrustArgs};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise cms verify letter.p7m -o letter.txt
  tagwise cms verify letter.sig --content letter.txt
  tagwise cms verify letter.p7m --certificate signer.pem --json | jq .
  tagwise cms verify old.p7m --at 2012-06-01 --purpose email
  tagwise cms verify old.p7m --allow validity
  tagwise cms verify letter.p7m --trust root.pem --crl root.crl --revocation require
  tagwise cms verify program.p7s --content program --trust root.pem --purpose code-signing
  tagwise cms verify old.p7m --trust root.pem --tsa-trust tsa-root.pem

A signer is good if the signature verifies, the certificate is currently valid, and its key usage allows signatures. The time that a \
signer claims (the signed attribute signingTime) is shown but never trusted. Instead, --at sets the time to check, and so does a time \
stamp over the signature (RFC 3161 appendix A) if its authority has a valid path to an anchor of --tsa-trust. With --trust, there \
must also be a valid path from the signer's certificate to a trust anchor, as `tagwise verify` finds it. Its extended key usage must \
be absent, or list emailProtection or anyExtendedKeyUsage (RFC 8550 §4.4.4); --purpose requires another purpose, or none with `any`. \
Without --trust, trust is not checked. CRLs and OCSP responses must be current now, or at the time of --evidence-at or --at. Every \
revocation in them counts, regardless of the claimed signing time. There is one exception: if you set the time yourself with --at and \
a later --evidence-at, a later revocation for a harmless reason (superseded, cessationOfOperation, affiliationChanged, unspecified) \
does not count. The content is written only if every signer is good.
Exit codes: 0 every signer is good; 1 one is not, or the message is malformed; 2 usage error; 3 a file could not be read or written; \
4 not known: an algorithm is not supported, or trust cannot be decided.";

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// Message: DER, BER, PEM or S/MIME; `-` is standard input
    #[arg(value_name = "MESSAGE")]
    message: PathBuf,
    /// The content, if it is not in the message
    #[arg(long, value_name = "FILE")]
    content: Option<PathBuf>,
    /// Certificates in which to look for a signer's, besides those in the message
    #[arg(long, value_name = "FILE")]
    certificate: Vec<PathBuf>,
    /// Accept weak signatures of the message and along the path: with SHA-1, or by RSA keys below 2,048 bits
    #[arg(long)]
    legacy: bool,
    #[command(flatten)]
    standing: StandingArgs,
    #[command(flatten)]
    trust: TrustArgs,
    /// Require this purpose of certificates that list purposes (extended key usage) [default: emailProtection with --trust]
    #[arg(long, value_name = "PURPOSE", value_enum)]
    purpose: Option<Purpose>,
    /// Trust time stamps over signatures from authorities with a valid path to these trust anchors: a file, a folder, `system` or
    /// `mozilla`; may be repeated
    #[arg(long, value_name = "SOURCE", requires = "trust", help_heading = "Trust")]
    tsa_trust: Vec<Origin>,
    /// Accept content signed without attributes that could itself be read as signed attributes
    #[arg(long)]
    allow_attributes_as_content: bool,
    /// Write the content to this file; `-` is standard output
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(long)]
    force: bool,
    /// Print JSON (schema tagwise.cms-verify/3)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

#[derive(Serialize)]
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
    /// S/MIME (emailProtection)
    Email,
    /// Code signing (codeSigning)
    CodeSigning,
    /// Document signing (documentSigning)
    DocumentSigning,
    /// Time stamping (timeStamping)
    Timestamping,
    /// Any purpose: the extended key usage is ignored
    Any,
}

impl Purpose {
    const fn oid(self) -> Option<Oid<'static>> {
        self.of_path().oid()
    }

    /// The purpose for which the signer's path is validated.
    const fn of_path(self) -> trust::Purpose {
        match self {
            Self::Email => trust::Purpose::Email,
            Self::CodeSigning => trust::Purpose::Code,
            Self::DocumentSigning => trust::Purpose::Document,
            Self::Timestamping => trust::Purpose::Timestamp,
            Self::Any => trust::Purpose::Any,
        }
    }
}

#[derive(Serialize)]
struct Signer {
    good: bool,
    status: Status,
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timestamps: Vec<TimeStamp>,
    #[serde(flatten)]
    standing: Standing,
}

/// The status of a signer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    Good,
    NotKnown,
    NotGood,
}

impl Status {
    const fn code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::NotKnown => 4,
            Self::NotGood => 1,
        }
    }
}

/// A time stamp on a signature.
#[derive(Debug, Serialize)]
struct TimeStamp {
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    authority: Option<String>,
    trusted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl TimeStamp {
    fn bad(error: &TspError) -> Self {
        Self { time: None, authority: None, trusted: false, error: Some(visible(error).to_string()) }
    }
}

/// Returns the reason for rejecting a signature. If the algorithm is only outdated, includes the option that accepts it.
fn reason(error: &CmsError) -> String {
    let hint = match error {
        CmsError::Crypto(error) if error.kind() == ErrorKind::Legacy => "; pass --legacy to accept it",
        _ => "",
    };
    format!("{}{hint}", visible(error))
}

fn signer(
    backend: Chosen,
    signer: &VerifiedSigner,
    standing: Standing,
    timestamps: Vec<TimeStamp>,
) -> Result<Signer, Failure> {
    let signature_good = signer.outcome.is_ok();
    let status = match &signer.outcome {
        Ok(()) if standing.is_good() => Status::Good,
        Ok(()) if standing.is_undecided() => Status::NotKnown,
        // Objections to the certificate still apply.
        Err(error) if error.is_unknown() && (standing.is_good() || standing.is_undecided()) => Status::NotKnown,
        _ => Status::NotGood,
    };
    Ok(Signer {
        good: status == Status::Good,
        status,
        signature_good,
        error: signer.outcome.as_ref().err().map(reason),
        subject: signer.certificate.as_deref().map(subject),
        certificate_sha256: signer.certificate.as_deref().map(|der| fingerprint(backend, der)).transpose()?,
        algorithm: signer.scheme.map(|scheme| scheme.to_string()),
        digest: signer.digest.map(|digest| digest.to_string()),
        signing_time: signer.signing_time.map(|time| time.to_string()),
        timestamps,
        standing,
    })
}

impl VerifyArgs {
    pub(super) fn verify(
        &self,
        backend: Chosen,
        color: bool,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let to_stdout = self.output.as_ref().is_some_and(|path| path.as_os_str() == "-");
        if self.json && to_stdout {
            return Err(Failure::usage("--json and -o - would both write to standard output"));
        }
        let trusted = self.trust.read(backend, self.standing.at)?;
        let mail = mail(&self.message)?;
        let octets_of = mail.message;
        let content = self.content.as_deref().map(octets).transpose()?.or(mail.content);
        let others = Credentials::read(&self.certificate)?.certificates;
        let certificates = slices(&others);
        let options = VerifyOptions {
            certificates: &certificates,
            legacy: self.legacy,
            at: self.standing.at,
            purpose: self.purpose(),
            allow_attributes_as_content: self.allow_attributes_as_content,
            tolerate: rules::in_force().decoding,
            ..VerifyOptions::DEFAULT
        };
        let verified = verify(backend, &octets_of, content.as_deref(), &options);
        let verified = verified.map_err(|error| negative(&self.message, &error))?;
        let mut beside = slices(&verified.certificates);
        beside.extend(&certificates);
        let beside = Beside {
            certificates: &beside,
            crls: &verified.crls,
            allowed: StandingArgs::allowed_rules(),
            legacy: self.legacy,
        };
        let mut signers = Vec::new();
        for found in &verified.signers {
            let (stamps, stamped) = self.timestamps(backend, found, &options, trusted.as_ref(), &beside)?;
            let at = stamped.unwrap_or(found.at);
            let judged = match (&trusted, &found.certificate, self.purpose) {
                (Some(trusted), Some(own), None) => Some(trusted.judge_smime(own, &beside, at, stamped)?),
                (Some(trusted), Some(own), Some(purpose)) => {
                    Some(trusted.judge(own, &beside, purpose.of_path(), at, stamped)?)
                }
                _ => None,
            };
            let standing = match (stamped, &found.certificate) {
                (Some(at), Some(own)) => {
                    let own = Certificate::outline(own).map_err(|error| negative(&self.message, &error))?;
                    self.standing.judge(at, TimeSource::GenTime, &objections(&own, at, options.purpose))
                }
                _ => self.standing.judge(at, found.at_from, &found.objections),
            };
            signers.push(signer(backend, found, standing.with_trust(judged)?, stamps)?);
        }
        let status = signers.iter().map(|signer| signer.status).max().unwrap_or(Status::NotGood);
        let good = status == Status::Good;
        if good && let Some(path) = &self.output {
            deliver(&verified.content, Some(path), self.force, out)?;
        }
        if self.json {
            let document = Document {
                schema: "tagwise.cms-verify/3",
                file: name_of(&self.message),
                good,
                content_type: name_of_type(&verified),
                content_length: verified.content.len(),
                trust: if trusted.is_some() { "judged" } else { TRUST },
                signers,
            };
            json::write(out, &document)?;
        } else {
            // Messages are not mixed with the content.
            match to_stdout {
                true => self.text(color, &verified, &signers, err)?,
                false => self.text(color, &verified, &signers, out)?,
            }
        }
        Ok(status.code())
    }

    /// Returns the extended key usage that a signer's certificate must allow.
    fn purpose(&self) -> Option<Oid<'static>> {
        match self.purpose {
            Some(purpose) => purpose.oid(),
            None => self.trust.is_given().then_some(oids::KP_EMAIL_PROTECTION),
        }
    }

    /// Verifies the time stamps over a signature, and returns the earliest time that a trusted authority attests. Authorities are
    /// validated at the current time, because the key of an expired certificate no longer proves anything.
    fn timestamps(
        &self,
        backend: Chosen,
        signer: &VerifiedSigner,
        options: &VerifyOptions<'_>,
        trusted: Option<&SignerTrust<'_>>,
        beside: &Beside<'_>,
    ) -> Result<(Vec<TimeStamp>, Option<UnixTime>), Failure> {
        let Some(trusted) = trusted.filter(|_| !self.tsa_trust.is_empty() && options.at.is_none()) else {
            return Ok((Vec::new(), None));
        };
        let anchors = trust::read_anchors(&self.tsa_trust)?;
        let found = match signature_time_stamps(backend, &signer.info, options) {
            Ok(found) => found,
            Err(error) => return Ok((vec![TimeStamp::bad(&error)], None)),
        };
        let (mut list, mut earliest) = (Vec::new(), None);
        for stamp in found {
            let stamp = match stamp {
                Ok(stamp) => stamp,
                Err(error) => {
                    list.push(TimeStamp::bad(&error));
                    continue;
                }
            };
            let certificates: Vec<&[u8]> =
                stamp.certificates.iter().map(Vec::as_slice).chain(beside.certificates.iter().copied()).collect();
            let beside = Beside { certificates: &certificates, ..*beside };
            let judged = trusted.judge_authority(&anchors, &stamp.certificate, &beside, signer.at, stamp.time)?;
            let is_trusted = judged.is_trusted() && stamp.objections.is_empty();
            if is_trusted {
                earliest = Some(earliest.map_or(stamp.time, |earliest: UnixTime| earliest.min(stamp.time)));
            }
            let error = (!is_trusted).then(|| match stamp.objections.first() {
                Some(objection) => visible(objection).to_string(),
                None => judged.summary(),
            });
            list.push(TimeStamp {
                time: Some(stamp.time.to_string()),
                authority: Some(subject(&stamp.certificate)),
                trusted: is_trusted,
                error,
            });
        }
        Ok((list, earliest))
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
            let (word, style) = match signer.status {
                Status::Good => (signer.standing.good("signature"), style(AnsiColor::Green)),
                Status::NotKnown => ("NOT KNOWN".to_owned(), style(AnsiColor::Yellow)),
                Status::NotGood => ("NOT GOOD".to_owned(), style(AnsiColor::Red)),
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
                writeln!(out, "    Signed:      {time} (as the signer claims)")?;
            }
            for stamp in &signer.timestamps {
                let time = stamp.time.as_deref().unwrap_or("no time");
                let authority = stamp.authority.as_deref().unwrap_or("an unknown authority");
                match &stamp.error {
                    None => writeln!(out, "    Stamped:     {time} by {authority}")?,
                    Some(error) => writeln!(out, "    Stamped:     not trusted: {time} by {authority}: {error}")?,
                }
            }
            if let Some(hash) = &signer.certificate_sha256 {
                writeln!(out, "    SHA-256:     {hash} (certificate)")?;
                signer.standing.text(color, "    ", out)?;
            }
        }
        Ok(())
    }
}

/// Returns the name of the content type, or its dotted form if the name is unknown.
fn name_of_type(verified: &Verification) -> String {
    let oid = verified.content_type();
    oids::lookup(oid).map_or_else(|| oid.to_string(), |info| info.short_name().to_owned())
}

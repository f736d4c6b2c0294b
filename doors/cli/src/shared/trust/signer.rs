//! Trust in a message's signer: the option `--trust` of commands that verify signatures.

use std::io::{self, Write};
use std::path::PathBuf;

use tagwise_path::{Anchors, Policy, Pool, Profile, RevocationPolicy, Rule, verify};
use tagwise_pkix::UnixTime;

use super::evidence::EvidenceArgs;
use super::policy::{ProfileName, Purpose, Signatures, allow, base, disable};
use super::text::Text;
use super::verdict::{self, Answer, Verdict};
use super::{Origin, keep_self_signed, pool, read_anchors};
use crate::shared::backend::{Chosen, EMBEDDED};
use crate::shared::context::Context;
use crate::shared::moment::now;
use crate::shared::output::Failure;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TrustArgs {
    /// Require a valid path from the signer's certificate to one of these trust anchors: a file, a folder, `system` or `mozilla`; may
    /// be repeated
    #[arg(long, value_name = "SOURCE", help_heading = "Trust")]
    trust: Vec<Origin>,
    /// Open PKCS #12 files of --trust, and check the digests of Java keystores, with the passphrase in the first line of this file
    #[arg(long, value_name = "FILE", requires = "trust", help_heading = "Trust")]
    trust_passphrase_file: Option<PathBuf>,
    /// Only self-signed certificates of --trust (and --tsa-trust) are trust anchors; the others are intermediates, as for OpenSSL
    /// without -partial_chain
    #[arg(long, requires = "trust", help_heading = "Trust")]
    self_signed_anchors: bool,
    /// Profile for the signer's path; see `tagwise verify --list-rules`
    #[arg(long, value_name = "NAME", requires = "trust", help_heading = "Trust")]
    profile: Option<ProfileName>,
    /// The same as `--allow`
    #[arg(long, value_name = "RULE", requires = "trust", hide = true)]
    allow_rule: Vec<String>,
    /// Show every candidate path, and the rule that rejected it
    #[arg(long, requires = "trust", help_heading = "Trust")]
    explain: bool,
    #[command(flatten)]
    evidence: EvidenceArgs,
}

/// The inputs for validating a signer.
pub(crate) struct SignerTrust<'a> {
    backend: Chosen,
    args: &'a TrustArgs,
    anchors: Anchors,
    /// The certificates of `--trust` that are not anchors.
    intermediates: Vec<Vec<u8>>,
    revocation: RevocationPolicy,
}

/// The certificates and CRLs in a message, and the rules to disable for its validation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Beside<'a> {
    /// Intermediate certificates.
    pub(crate) certificates: &'a [&'a [u8]],
    /// The CRLs in the message.
    pub(crate) crls: &'a [Vec<u8>],
    /// The OCSP responses in the message.
    pub(crate) responses: &'a [Vec<u8>],
    /// The rules to disable.
    pub(crate) allowed: &'a [&'static str],
    /// True if weak signatures are accepted along the path, because they are accepted in the message itself.
    pub(crate) legacy: bool,
}

/// The verdict on a signer.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    policy: Policy,
    explain: bool,
}

impl TrustArgs {
    /// Reads anchors and evidence. Returns `None` if trust should not be checked. Evidence must be current at the time of
    /// `--evidence-at`, otherwise of `--at`, otherwise now, but never at a time that a message claims.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or does not contain the expected objects.
    pub(crate) fn read(
        &self,
        context: &Context,
        backend: Chosen,
        at: Option<UnixTime>,
    ) -> Result<Option<SignerTrust<'_>>, Failure> {
        let evidence = &self.evidence;
        if self.trust.is_empty() {
            if !evidence.crl.is_empty()
                || !evidence.ocsp.is_empty()
                || evidence.revocation.is_some()
                || evidence.evidence_at.is_some()
            {
                return Err(Failure::usage("revocation is checked along a path: also pass --trust"));
            }
            return Ok(None);
        }
        let mut revocation = evidence.read(context, at)?;
        evidence.beside(context, self.trust.iter().filter_map(Origin::path), &mut revocation);
        revocation.evidence_time.get_or_insert_with(now);
        let (anchors, intermediates) = self.anchors(context, &self.trust)?;
        Ok(Some(SignerTrust { backend, args: self, anchors, intermediates, revocation }))
    }

    /// Reads anchors, and the certificates among them that are intermediates with `--self-signed-anchors`.
    fn anchors(&self, context: &Context, origins: &[Origin]) -> Result<(Anchors, Vec<Vec<u8>>), Failure> {
        let mut anchors = read_anchors(context, origins, self.trust_passphrase_file.as_deref())?;
        let intermediates = if self.self_signed_anchors { keep_self_signed(&mut anchors) } else { Vec::new() };
        Ok((anchors, intermediates))
    }
}

/// Validates a CA's certificate.
///
/// # Errors
/// Returns an error if a file cannot be read or contains no certificate.
pub(crate) fn authority(
    context: &Context,
    certificate: &[u8],
    trust: &[Origin],
    untrusted: &[PathBuf],
    time: UnixTime,
) -> Result<Judged, Failure> {
    let (anchors, pool) = (read_anchors(context, trust, None)?, pool(context, untrusted)?);
    let mut policy = base(None, Some(Purpose::Any), time);
    allow(context, &mut policy)?;
    let found = verify::path(certificate, &pool, &anchors, &policy, &Signatures::allowing(context, EMBEDDED, &[]));
    let verdict = found.map_or_else(Verdict::Not, |path| Verdict::Valid(Box::new(path)));
    Ok(Judged { verdict, policy, explain: false })
}

impl SignerTrust<'_> {
    /// Validates a signer's certificate at the given time, with the certificates and CRLs in its message. If the signer is a
    /// TSA, `stamped` is the time in its time stamp: later revocations for harmless reasons are then ignored (RFC 3161 §4).
    ///
    /// # Errors
    /// Returns an error if a rule cannot be disabled.
    pub(crate) fn judge(
        &self,
        context: &Context,
        signer: &[u8],
        beside: &Beside<'_>,
        purpose: Purpose,
        time: UnixTime,
        stamped: Option<UnixTime>,
    ) -> Result<Judged, Failure> {
        let policy = base(self.args.profile, Some(purpose), time);
        self.judge_by(context, (&self.anchors, &self.intermediates), policy, signer, beside, stamped)
    }

    /// Validates a signer's certificate for the purpose of its content, such as S/MIME, as `openssl cms` does: extended key usages
    /// along the path must allow the purpose (RFC 8550 §4.4.4). The default profile is rfc5280.
    ///
    /// # Errors
    /// Returns the errors of [`judge`](Self::judge).
    pub(crate) fn judge_by_content(
        &self,
        context: &Context,
        signer: &[u8],
        beside: &Beside<'_>,
        purpose: Purpose,
        time: UnixTime,
        stamped: Option<UnixTime>,
    ) -> Result<Judged, Failure> {
        let profile = self.args.profile.unwrap_or(ProfileName(&Profile::RFC5280));
        let mut policy = base(Some(profile), Some(purpose), time);
        policy.rules = policy.rules.with(Rule::PurposeChain);
        self.judge_by(context, (&self.anchors, &self.intermediates), policy, signer, beside, stamped)
    }

    /// Reads the trust anchors of time-stamping authorities, for [`judge_authority`](Self::judge_authority).
    ///
    /// # Errors
    /// Returns an error if a source cannot be read or contains no anchor.
    pub(crate) fn authorities(
        &self,
        context: &Context,
        origins: &[Origin],
    ) -> Result<(Anchors, Vec<Vec<u8>>), Failure> {
        self.args.anchors(context, origins)
    }

    /// Validates the TSA certificate of a signature time stamp against the TSA trust anchors.
    ///
    /// # Errors
    /// Returns any error from [`judge`](Self::judge).
    pub(crate) fn judge_authority(
        &self,
        context: &Context,
        (anchors, intermediates): &(Anchors, Vec<Vec<u8>>),
        authority: &[u8],
        beside: &Beside<'_>,
        time: UnixTime,
        stamped: UnixTime,
    ) -> Result<Judged, Failure> {
        let policy = base(None, Some(Purpose::Timestamp), time);
        self.judge_by(context, (anchors, intermediates), policy, authority, beside, Some(stamped))
    }

    fn judge_by(
        &self,
        context: &Context,
        (anchors, intermediates): (&Anchors, &[Vec<u8>]),
        mut policy: Policy,
        signer: &[u8],
        beside: &Beside<'_>,
        stamped: Option<UnixTime>,
    ) -> Result<Judged, Failure> {
        allow(context, &mut policy)?;
        disable(&mut policy, &self.args.allow_rule).map_err(Failure::usage)?;
        for rule in beside.allowed {
            policy.disable(rule).map_err(|error| Failure::usage(error.to_string()))?;
        }
        if beside.legacy {
            policy.rules = policy.rules.without(Rule::WeakDigest);
        }
        policy.revocation = self.revocation.clone();
        policy.revocation.proven_at = policy.revocation.proven_at.max(stamped);
        let (crls, responses) = (beside.crls.iter().cloned(), beside.responses.iter().cloned());
        self.args.evidence.add(crls, responses, &mut policy.revocation);
        let intermediates = intermediates.iter().map(Vec::as_slice);
        let pool: Pool = beside.certificates.iter().copied().chain(intermediates).collect();
        let signatures = Signatures::allowing(context, self.backend, &self.args.allow_rule).or_legacy(beside.legacy);
        let found = verify::path(signer, &pool, anchors, &policy, &signatures);
        let verdict = found.map_or_else(Verdict::Not, |path| Verdict::Valid(Box::new(path)));
        Ok(Judged { verdict, policy, explain: self.args.explain })
    }
}

impl Judged {
    /// Returns whether there is a valid path.
    pub(crate) fn is_trusted(&self) -> bool {
        self.verdict.status() == Answer::Valid
    }

    /// Returns whether the existence of a valid path could not be determined.
    pub(crate) fn is_undecided(&self) -> bool {
        self.verdict.status() == Answer::Undecided
    }

    /// Returns the stable name of the answer.
    pub(crate) fn name(&self) -> &'static str {
        match self.verdict.status() {
            Answer::Valid => "trusted",
            Answer::Invalid => "not-trusted",
            Answer::Undecided => "not-known",
        }
    }

    /// Returns the reason for a negative verdict, in one line.
    pub(crate) fn summary(&self) -> String {
        let report = match &self.verdict {
            Verdict::Valid(_) => return "trusted".to_owned(),
            Verdict::Not(report) => report,
            Verdict::Survey(survey) => &survey.report,
        };
        report.refusal().map_or_else(|| "no path to a trust anchor".to_owned(), ToString::to_string)
    }

    /// Writes the verdict as text.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn text(&self, context: &Context, indent: &str, out: &mut dyn Write) -> io::Result<()> {
        let deeper = format!("{indent}  ");
        let text = Text { context, explain: self.explain, indent: &deeper, policy: &self.policy, by_anchor: false };
        writeln!(out, "{indent}{:<13}{}", "Trust:", text.word(self.verdict.status()))?;
        text.write(&self.verdict, out)
    }

    /// Creates the verdict's JSON document.
    ///
    /// # Errors
    /// No error is expected.
    pub(crate) fn document(&self) -> io::Result<verdict::Document> {
        verdict::document(&self.verdict)
    }
}

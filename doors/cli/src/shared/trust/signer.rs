//! Trust in the signer of a message: `--trust` of commands that verify signatures.

use std::io::{self, Write};
use std::path::PathBuf;

use tagwise_path::{Anchors, Policy, Pool, Profile, RevocationPolicy, Rule, verify};
use tagwise_pkix::UnixTime;

use super::evidence::EvidenceArgs;
use super::policy::{ProfileName, Purpose, Signatures, allow, base, disable};
use super::text::Text;
use super::verdict::{self, Answer, Verdict};
use super::{Origin, pool, read_anchors};
use crate::shared::moment::now;
use crate::shared::output::Failure;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TrustArgs {
    /// Judge the signer's certificate by these trust anchors: a file, a folder, `system` or `mozilla`; may be repeated
    #[arg(long, value_name = "SOURCE", help_heading = "Trust")]
    trust: Vec<Origin>,
    /// Profile of the signer's path; `tagwise verify --list-rules` has their rules
    #[arg(long, value_name = "NAME", requires = "trust", help_heading = "Trust")]
    profile: Option<ProfileName>,
    /// The same as `--allow`
    #[arg(long, value_name = "RULE", requires = "trust", hide = true)]
    allow_rule: Vec<String>,
    /// Show every candidate path and the rule that ended it
    #[arg(long, requires = "trust", help_heading = "Trust")]
    explain: bool,
    #[command(flatten)]
    evidence: EvidenceArgs,
}

/// Everything that a signer is judged by.
pub(crate) struct SignerTrust<'a> {
    args: &'a TrustArgs,
    anchors: Anchors,
    revocation: RevocationPolicy,
}

/// The certificates and CRLs of a message, and the rules to do without.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Beside<'a> {
    /// Certificates that a path may lead through.
    pub(crate) certificates: &'a [&'a [u8]],
    /// CRLs of the message.
    pub(crate) crls: &'a [Vec<u8>],
    /// Rules to do without.
    pub(crate) allowed: &'a [&'static str],
    /// Set if old signatures are accepted along the path, as the message's own are.
    pub(crate) legacy: bool,
}

/// A signer's verdict.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    policy: Policy,
    explain: bool,
}

impl TrustArgs {
    /// Returns whether trust is to be judged.
    pub(crate) const fn is_given(&self) -> bool {
        !self.trust.is_empty()
    }

    /// Reads anchors and evidence; `None` if trust is not asked for. Evidence is held against `--evidence-at`, else against the time that
    /// the user states by `--at`, else against the clock: never against a time that a message claims.
    ///
    /// # Errors
    /// Files that cannot be read, or hold nothing of what they should.
    pub(crate) fn read(&self, at: Option<UnixTime>) -> Result<Option<SignerTrust<'_>>, Failure> {
        let evidence = &self.evidence;
        if self.trust.is_empty() {
            if !evidence.crl.is_empty()
                || !evidence.ocsp.is_empty()
                || evidence.revocation.is_some()
                || evidence.evidence_at.is_some()
            {
                return Err(Failure::usage("revocation is checked along a path: say --trust as well"));
            }
            return Ok(None);
        }
        let mut revocation = evidence.read(at)?;
        revocation.evidence_time.get_or_insert_with(now);
        Ok(Some(SignerTrust { args: self, anchors: read_anchors(&self.trust)?, revocation }))
    }
}

/// Judges the certificate of a CA.
///
/// # Errors
/// Files that cannot be read, or hold no certificate.
pub(crate) fn authority(
    certificate: &[u8],
    trust: &[Origin],
    untrusted: &[PathBuf],
    time: UnixTime,
) -> Result<Judged, Failure> {
    let (anchors, pool) = (read_anchors(trust)?, pool(untrusted)?);
    let mut policy = base(None, Some(Purpose::Any), time);
    allow(&mut policy)?;
    let found = verify::path(certificate, &pool, &anchors, &policy, &Signatures::allowing(&[]));
    let verdict = found.map_or_else(Verdict::Not, |path| Verdict::Valid(Box::new(path)));
    Ok(Judged { verdict, policy, explain: false })
}

impl SignerTrust<'_> {
    /// Judges a signer's certificate at a time, with what came with its message. `stamped` is the time that a time-stamping authority
    /// has put into its own stamp: revocations after it do not count if they are innocent (RFC 3161 §4).
    ///
    /// # Errors
    /// A rule that cannot be switched off.
    pub(crate) fn judge(
        &self,
        signer: &[u8],
        beside: &Beside<'_>,
        purpose: Purpose,
        time: UnixTime,
        stamped: Option<UnixTime>,
    ) -> Result<Judged, Failure> {
        self.judge_by(&self.anchors, base(self.args.profile, Some(purpose), time), signer, beside, stamped)
    }

    /// Judges a signer's certificate for S/MIME, as `openssl cms` does: no extended key usage along the path excludes
    /// emailProtection (RFC 8550 §4.4.4). The profile is rfc5280 unless one is named.
    ///
    /// # Errors
    /// Those of [`judge`](Self::judge).
    pub(crate) fn judge_smime(
        &self,
        signer: &[u8],
        beside: &Beside<'_>,
        time: UnixTime,
        stamped: Option<UnixTime>,
    ) -> Result<Judged, Failure> {
        let profile = self.args.profile.unwrap_or(ProfileName(&Profile::RFC5280));
        let mut policy = base(Some(profile), Some(Purpose::Email), time);
        policy.rules = policy.rules.with(Rule::PurposeChain);
        self.judge_by(&self.anchors, policy, signer, beside, stamped)
    }

    /// Judges the authority of a time stamp over a signature by anchors of its own.
    ///
    /// # Errors
    /// Those of [`judge`](Self::judge).
    pub(crate) fn judge_authority(
        &self,
        anchors: &Anchors,
        authority: &[u8],
        beside: &Beside<'_>,
        time: UnixTime,
        stamped: UnixTime,
    ) -> Result<Judged, Failure> {
        self.judge_by(anchors, base(None, Some(Purpose::Timestamp), time), authority, beside, Some(stamped))
    }

    fn judge_by(
        &self,
        anchors: &Anchors,
        mut policy: Policy,
        signer: &[u8],
        beside: &Beside<'_>,
        stamped: Option<UnixTime>,
    ) -> Result<Judged, Failure> {
        allow(&mut policy)?;
        disable(&mut policy, &self.args.allow_rule).map_err(Failure::usage)?;
        for rule in beside.allowed {
            policy.disable(rule).map_err(|error| Failure::usage(error.to_string()))?;
        }
        if beside.legacy {
            policy.rules = policy.rules.without(Rule::WeakDigest);
        }
        policy.revocation = self.revocation.clone();
        policy.revocation.proven_at = policy.revocation.proven_at.max(stamped);
        beside.crls.iter().for_each(|crl| policy.revocation.evidence.add_crl(crl.as_slice()));
        let pool: Pool = beside.certificates.iter().collect();
        let signatures = Signatures::allowing(&self.args.allow_rule).or_legacy(beside.legacy);
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

    /// Returns whether it is unknown if there is a valid path.
    pub(crate) fn is_undecided(&self) -> bool {
        self.verdict.status() == Answer::Undecided
    }

    /// The stable name of the answer.
    pub(crate) fn name(&self) -> &'static str {
        match self.verdict.status() {
            Answer::Valid => "trusted",
            Answer::Invalid => "not-trusted",
            Answer::Undecided => "not-known",
        }
    }

    /// The reason of a negative verdict, in a line.
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
    /// Those of the writer.
    pub(crate) fn text(&self, color: bool, indent: &str, out: &mut dyn Write) -> io::Result<()> {
        let deeper = format!("{indent}  ");
        let text = Text { color, explain: self.explain, indent: &deeper, policy: &self.policy, by_anchor: false };
        writeln!(out, "{indent}{:<13}{}", "Trust:", text.word(self.verdict.status()))?;
        text.write(&self.verdict, out)
    }

    /// Makes the JSON of the verdict.
    ///
    /// # Errors
    /// None that can be expected.
    pub(crate) fn document(&self) -> io::Result<verdict::Document> {
        verdict::document(&self.verdict)
    }
}

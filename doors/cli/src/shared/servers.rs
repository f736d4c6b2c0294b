//! The options for validating servers, and the verdict on a server's certificates, as text and as JSON.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use tagwise_codec::text::hex;
use tagwise_path::RevocationMode;
use tagwise_pkix::UnixTime;

use crate::shared::backend::EMBEDDED;
use crate::shared::output::Failure;
use crate::shared::remote::{Key, Session, Target};
use crate::shared::trust::{
    self, Answer, Choice, EvidenceArgs, Origin, ProfileName, Purpose, Signatures, Text, Verdict,
};

/// The options for contacting and validating servers.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Trust anchors for servers: a file, a folder, `system` or `mozilla`; may be repeated [default: system]
    #[arg(long, value_name = "SOURCE", help_heading = "Servers")]
    trust: Vec<Origin>,
    /// Intermediate certificates besides those that a server sends; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Servers")]
    untrusted: Vec<PathBuf>,
    /// Profile to validate servers by, as for `tagwise verify` [default: webpki below publicly trusted roots, rfc5280 below others]
    #[arg(long, value_name = "NAME", help_heading = "Servers")]
    profile: Option<ProfileName>,
    /// Apply these rules or lints in addition to the profile's, comma-separated; may be repeated
    #[arg(long, value_name = "RULE", help_heading = "Servers")]
    enforce: Vec<String>,
    /// Show every candidate path of a server's certificate, and the rule that rejected it
    #[arg(long, help_heading = "Servers")]
    explain: bool,
    /// Time to wait for a server, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600), help_heading = "Servers")]
    timeout: u64,
    #[command(flatten)]
    evidence: EvidenceArgs,
}

impl Options {
    /// Returns the time to wait for a server.
    pub(crate) const fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }
}

/// The verdict on a server, with the data from its connection.
pub(crate) struct Judged<'s> {
    session: &'s Session,
    choice: Choice,
    verdict: Verdict,
    explain: bool,
}

/// A server's JSON document.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) struct Document {
    version: Option<String>,
    cipher_suite: Option<String>,
    key_exchange_group: Option<String>,
    ocsp_response: Option<String>,
    handshake_error: Option<String>,
    signature_error: Option<String>,
    key_proven: bool,
    status: &'static str,
    verification: trust::Document,
}

/// Judges a server at the given time. `at` is the time that the user specified, if any.
///
/// # Errors
/// Returns an error if trust anchors or evidence cannot be read.
pub(crate) fn judge<'s>(
    target: &Target,
    session: &'s Session,
    options: &Options,
    at: Option<UnixTime>,
    now: UnixTime,
) -> Result<Judged<'s>, Failure> {
    let origins = if options.trust.is_empty() { &[Origin::System][..] } else { &options.trust };
    let anchors = trust::read_anchors(origins)?;
    let mut revocation = options.evidence.read(at)?;
    if !session.stapled.is_empty() {
        revocation.evidence.add_ocsp(session.stapled.as_slice());
        if options.evidence.revocation.is_none() {
            revocation.mode = RevocationMode::Prefer;
        }
    }
    let choice = Choice::new(options.profile, Some(Purpose::Server), now, &anchors, origins, |policy| {
        trust::enforce(policy, &options.enforce)?;
        trust::allow(policy)?;
        policy.names.push(target.name.clone());
        policy.revocation = revocation.clone();
        policy.stapled = Some(!session.stapled.is_empty());
        Ok(())
    })?;
    let (leaf, others) = session.certificates.split_first().map_or((&[][..], &[][..]), |(leaf, rest)| (leaf, rest));
    let mut pool = trust::pool(&options.untrusted)?;
    for other in others {
        // One that does not decode is of no use in a path.
        let _ = pool.add(other.as_slice());
    }
    let verdict = choice.judge(leaf, &pool, false, &Signatures::allowing(EMBEDDED, &[]));
    Ok(Judged { session, choice, verdict, explain: options.explain })
}

impl Judged<'_> {
    /// Returns the verdict on the certificate, provided that the server proved possession of its private key.
    pub(crate) fn status(&self) -> Answer {
        match self.session.key {
            Key::Proven => self.verdict.status(),
            Key::Wrong(_) | Key::Unproven => Answer::Invalid,
        }
    }

    /// Writes the connection and the verdict.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn text(&self, name: &str, color: bool, out: &mut dyn Write) -> io::Result<()> {
        let session = self.session;
        let (policy, by_anchor) = (self.choice.policy(), self.choice.is_by_anchor());
        let text = Text { color, explain: self.explain, indent: "  ", policy, by_anchor };
        writeln!(out, "{name}: {}", text.word(self.status()))?;
        match &session.key {
            Key::Proven => {}
            Key::Wrong(why) => text.line(out, "Handshake", &format!("NOT signed with the certificate's key: {why}"))?,
            Key::Unproven => {
                text.line(
                    out,
                    "Handshake",
                    "NOT signed: the server has not proved possession of the certificate's key",
                )?;
            }
        }
        text.write(&self.verdict, out)?;
        let parts = [&session.version, &session.suite, &session.group];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        if !parts.is_empty() {
            text.line(out, "Connection", &parts.join(", "))?;
        }
        if !session.stapled.is_empty() {
            text.line(out, "Stapled", &format!("an OCSP response of {} bytes", session.stapled.len()))?;
        }
        if let Some(why) = &session.broken_off {
            text.line(out, "Handshake", &format!("aborted after the certificates: {why}"))?;
        }
        Ok(())
    }

    /// Creates the JSON document.
    ///
    /// # Errors
    /// No error is expected.
    pub(crate) fn document(&self) -> io::Result<Document> {
        let session = self.session;
        let stapled = (!session.stapled.is_empty()).then(|| hex::encode(&session.stapled));
        Ok(Document {
            version: session.version.clone(),
            cipher_suite: session.suite.clone(),
            key_exchange_group: session.group.clone(),
            ocsp_response: stapled,
            handshake_error: session.broken_off.clone(),
            signature_error: match &session.key {
                Key::Wrong(why) => Some(why.clone()),
                Key::Proven | Key::Unproven => None,
            },
            key_proven: matches!(session.key, Key::Proven),
            status: self.status().name(),
            verification: trust::document(&self.verdict)?,
        })
    }
}

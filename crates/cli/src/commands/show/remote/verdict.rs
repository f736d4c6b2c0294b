//! The verdict on what a server has sent, as text and as JSON.

use std::io::{self, Write};

use serde::Serialize;
use tagwise_codec::text::hex;
use tagwise_path::{Policy, Pool, Profile, RevocationMode, verify};
use tagwise_pkix::UnixTime;

use super::{Key, Options, Session, Target};
use crate::shared::output::Failure;
use crate::shared::trust::{self, Answer, Origin, Signatures, Text, Verdict};

/// The verdict on a server, with its connection.
pub(crate) struct Judged<'s> {
    session: &'s Session,
    policy: Policy,
    verdict: Verdict,
}

/// The JSON of a server.
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

/// Judges a server at a time.
///
/// # Errors
/// Trust anchors that cannot be read.
pub(crate) fn judge<'s>(
    target: &Target,
    session: &'s Session,
    options: &Options,
    now: UnixTime,
) -> Result<Judged<'s>, Failure> {
    let system = [Origin::System];
    let anchors = trust::read_anchors(if options.trust.is_empty() { &system } else { &options.trust })?;
    let mut policy = Policy::new(&Profile::WEBPKI, now);
    trust::allow(&mut policy)?;
    policy.names.push(target.name.clone());
    if !session.stapled.is_empty() {
        policy.revocation.mode = RevocationMode::Prefer;
        policy.revocation.evidence.add_ocsp(session.stapled.as_slice());
    }
    let (leaf, others) = session.certificates.split_first().map_or((&[][..], &[][..]), |(leaf, rest)| (leaf, rest));
    let pool: Pool = others.iter().collect();
    let found = verify::path(leaf, &pool, &anchors, &policy, &Signatures::allowing(&[]));
    let verdict = found.map_or_else(Verdict::Not, |path| Verdict::Valid(Box::new(path)));
    Ok(Judged { session, policy, verdict })
}

impl Judged<'_> {
    /// The answer: that of the certificate, if the server has shown that it has the key.
    pub(crate) fn status(&self) -> Answer {
        match self.session.key {
            Key::Proven => self.verdict.status(),
            Key::Wrong(_) | Key::Unproven => Answer::Invalid,
        }
    }

    /// Writes the connection and the verdict.
    ///
    /// # Errors
    /// Those of the writer.
    pub(crate) fn text(&self, name: &str, color: bool, out: &mut dyn Write) -> io::Result<()> {
        let session = self.session;
        let text = Text { color, explain: false, indent: "  ", policy: &self.policy };
        writeln!(out, "{name}: {}", text.word(self.status()))?;
        match &session.key {
            Key::Proven => {}
            Key::Wrong(why) => text.line(out, "Handshake", &format!("NOT signed with the certificate's key: {why}"))?,
            Key::Unproven => {
                text.line(out, "Handshake", "NOT signed: the server has not shown that it has the certificate's key")?;
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
            text.line(out, "Handshake", &format!("broken off after the certificates: {why}"))?;
        }
        Ok(())
    }

    /// Makes the JSON.
    ///
    /// # Errors
    /// None that can be expected.
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

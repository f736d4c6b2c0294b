//! The options for validating servers, and the verdict on a server's certificates, as text and as JSON.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use tagwise_codec::text::hex;
use tagwise_path::{Report, RevocationMode, RevocationPolicy, Rule};
use tagwise_pkix::UnixTime;

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::output::Failure;
use crate::shared::remote::{Client, ConnectArgs, Key, Session, Target};
use crate::shared::trust::{
    self, Answer, Choice, EvidenceArgs, Origin, ProfileName, Purpose, Signatures, Text, Verdict,
};
use crate::shared::web::{FetchArgs, Fetched, Fetcher};

/// The options for contacting and validating servers.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Trust anchors for servers: a file, a folder, `system` or `mozilla`; may be repeated [default: system]
    #[arg(long, value_name = "SOURCE", help_heading = "Servers")]
    trust: Vec<Origin>,
    /// Open PKCS #12 files of --trust, and check the digests of Java keystores, with the passphrase in the first line of this file
    #[arg(long, value_name = "FILE", requires = "trust", help_heading = "Servers")]
    trust_passphrase_file: Option<PathBuf>,
    /// Only self-signed certificates of --trust are trust anchors; the others are intermediates, as for OpenSSL without
    /// -partial_chain
    #[arg(long, help_heading = "Servers")]
    self_signed_anchors: bool,
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
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
    #[command(flatten)]
    evidence: EvidenceArgs,
    #[command(flatten)]
    fetching: FetchArgs,
}

/// The verdict on a server, with its connection.
pub(crate) struct Judged<'s> {
    session: &'s Session,
    choice: Choice,
    verdict: Verdict,
    explain: bool,
    /// The fetched files.
    fetched: Vec<Fetched>,
}

/// A server's JSON document.
#[derive(Serialize)]
pub(crate) struct Document {
    #[serde(flatten)]
    connection: Connection,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fetched: Vec<Fetched>,
    status: &'static str,
    verification: trust::Document,
}

/// A connection in JSON.
#[derive(Serialize)]
pub(crate) struct Connection {
    version: Option<String>,
    cipher_suite: Option<String>,
    key_exchange_group: Option<String>,
    ocsp_response: Option<String>,
    handshake_error: Option<String>,
    signature_error: Option<String>,
    key_proven: bool,
    client_certificate: &'static str,
}

impl Connection {
    /// Creates the JSON document of a connection.
    pub(crate) fn of(session: &Session) -> Self {
        let (handshake_error, signature_error) = match &session.key {
            Key::Wrong(why) => (session.broken_off.clone(), Some(why.clone())),
            Key::Unsupported(why) => (Some(why.clone()), None),
            Key::Proven | Key::Unproven => (session.broken_off.clone(), None),
        };
        Self {
            version: session.version.clone(),
            cipher_suite: session.suite.clone(),
            key_exchange_group: session.group.clone(),
            ocsp_response: (!session.stapled.is_empty()).then(|| hex::encode(&session.stapled)),
            handshake_error,
            signature_error,
            key_proven: matches!(session.key, Key::Proven),
            client_certificate: session.client.name(),
        }
    }
}

/// Returns the answer on a server: that on its certificate, provided that it proved possession of the private key. If that is not
/// known, the server is not known to be valid.
pub(crate) fn answer(session: &Session, verdict: Answer) -> Answer {
    match session.key {
        Key::Proven => verdict,
        Key::Unsupported(_) => verdict.max(Answer::Undecided),
        Key::Wrong(_) | Key::Unproven => Answer::Invalid,
    }
}

/// Returns the answer of a verdict: an issuer that could not be fetched may complete the path.
pub(crate) fn with_fetched(verdict: &Verdict, fetched: &[Fetched]) -> Answer {
    let is_lost = |report: &Report| report.refusal().is_some_and(|refusal| refusal.rule == Rule::NoIssuer);
    match verdict.status() {
        Answer::Invalid if verdict.report().is_some_and(is_lost) && fetched.iter().any(Fetched::is_missing_issuer) => {
            Answer::Undecided
        }
        answer => answer,
    }
}

/// Adds what a server stapled to the evidence. It is used unless the user chose otherwise.
pub(crate) fn staple(session: &Session, evidence: &EvidenceArgs, revocation: &mut RevocationPolicy) {
    if !session.stapled.is_empty() {
        revocation.evidence.add_ocsp(session.stapled.as_slice());
        if evidence.revocation.is_none() {
            revocation.mode = RevocationMode::Prefer;
        }
    }
}

/// Writes the proof of possession, unless there is one, above the verdict.
///
/// # Errors
/// Returns an error if writing fails.
pub(crate) fn proof(session: &Session, text: &Text<'_>, out: &mut dyn Write) -> io::Result<()> {
    let line = match &session.key {
        Key::Proven => return Ok(()),
        Key::Wrong(why) => format!("NOT signed with the certificate's key: {why}"),
        Key::Unproven => "NOT signed: the server has not proved possession of the certificate's key".to_owned(),
        Key::Unsupported(why) => format!("NOT completed, so possession of the certificate's key is unknown: {why}"),
    };
    text.line(out, "Handshake", &line)
}

/// Writes the connection, below the verdict.
///
/// # Errors
/// Returns an error if writing fails.
pub(crate) fn connection(session: &Session, text: &Text<'_>, out: &mut dyn Write) -> io::Result<()> {
    let parts = [&session.version, &session.suite, &session.group];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    if !parts.is_empty() {
        text.line(out, "Connection", &parts.join(", "))?;
    }
    if !session.stapled.is_empty() {
        text.line(out, "Stapled", &format!("an OCSP response of {} bytes", session.stapled.len()))?;
    }
    match session.client {
        Client::NotRequested => {}
        Client::Requested => text.line(out, "Client", "the server requested a certificate, and none was sent")?,
        Client::Sent => text.line(out, "Client", "the server requested a certificate, and it was sent")?,
    }
    if let Some(why) = &session.broken_off {
        text.line(out, "Handshake", &format!("aborted after the certificates: {why}"))?;
    }
    Ok(())
}

/// Judges a server at the given time. `at` is the time that the user specified, if any.
///
/// # Errors
/// Returns an error if trust anchors, CRLs or OCSP responses cannot be read.
pub(crate) fn judge<'s>(
    context: &Context,
    target: &Target,
    session: &'s Session,
    options: &Options,
    at: Option<UnixTime>,
    now: UnixTime,
) -> Result<Judged<'s>, Failure> {
    let origins = if options.trust.is_empty() { &[Origin::System][..] } else { &options.trust };
    let mut anchors = trust::read_anchors(context, origins, options.trust_passphrase_file.as_deref())?;
    let intermediates = if options.self_signed_anchors { trust::keep_self_signed(&mut anchors) } else { Vec::new() };
    let mut revocation = options.evidence.read(context, at)?;
    let files = options.untrusted.iter().map(PathBuf::as_path).chain(origins.iter().filter_map(Origin::path));
    options.evidence.beside(context, files, &mut revocation);
    staple(session, &options.evidence, &mut revocation);
    let mut fetcher =
        options.fetching.fetcher(context, options.connect.timeout(), options.evidence.evidence_at.or(at))?;
    if fetcher.is_some() && options.evidence.revocation.is_none() {
        revocation.mode = RevocationMode::Prefer;
    }
    let mut choice = Choice::new(context, options.profile, Some(Purpose::Server), now, &anchors, origins, |policy| {
        trust::enforce(context, policy, &options.enforce)?;
        trust::allow(context, policy)?;
        policy.names.push(options.connect.name_for(target).clone());
        policy.revocation = revocation.clone();
        policy.stapled = Some(!session.stapled.is_empty());
        Ok(())
    })?;
    let (leaf, others) = session.certificates.split_first().map_or((&[][..], &[][..]), |(leaf, rest)| (leaf, rest));
    let mut pool = trust::pool(context, &options.untrusted)?;
    for other in others.iter().chain(&intermediates) {
        // One that does not decode is of no use in a path.
        let _ = pool.add(other.as_slice());
    }
    let signatures = Signatures::allowing(context, EMBEDDED, &[]);
    if let Some(fetcher) = &mut fetcher {
        fetcher.issuers(context, leaf, &mut pool, &anchors);
        fetcher.evidence(context, &mut choice, |choice| choice.judge(leaf, &pool, false, &signatures));
    }
    let fetched = fetcher.as_mut().map(Fetcher::take_log).unwrap_or_default();
    let verdict = choice.judge(leaf, &pool, false, &signatures);
    Ok(Judged { session, choice, verdict, explain: options.explain, fetched })
}

impl Judged<'_> {
    /// Returns the answer on the server.
    pub(crate) fn status(&self) -> Answer {
        answer(self.session, with_fetched(&self.verdict, &self.fetched))
    }

    /// Writes the connection and the verdict.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn text(&self, name: &str, context: &Context, out: &mut dyn Write) -> io::Result<()> {
        let (policy, by_anchor) = (self.choice.policy(), self.choice.is_by_anchor());
        let text = Text { context, explain: self.explain, indent: "  ", policy, by_anchor };
        writeln!(out, "{name}: {}", text.word(self.status()))?;
        proof(self.session, &text, out)?;
        text.write(&self.verdict, out)?;
        for fetched in &self.fetched {
            let (label, line) = fetched.line();
            text.line(out, label, &line)?;
        }
        connection(self.session, &text, out)
    }

    /// Creates the JSON document.
    ///
    /// # Errors
    /// No error is expected.
    pub(crate) fn document(&self) -> io::Result<Document> {
        Ok(Document {
            connection: Connection::of(self.session),
            fetched: self.fetched.clone(),
            status: self.status().name(),
            verification: trust::document(&self.verdict)?,
        })
    }
}

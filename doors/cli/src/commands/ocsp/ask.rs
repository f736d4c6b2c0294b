//! `tagwise ocsp ask`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use tagwise_codec::text::{base64, hex};
use tagwise_path::{Anchor, Anchors, Pool, RevocationMode, TrustedResponder, verify};
use tagwise_pkix::name::visible;
use tagwise_pkix::ocsp::{CertStatus, ResponderId};
use tagwise_show::render::json;

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, certificate, negative, subject};
use crate::shared::moment::{duration, now};
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::trust::{Origin, Signatures};
use crate::shared::web::{Asked, Reach, Revocation, Tls, Web, is_supported, judge, policy, request, responders};

pub(super) const ABOUT: &str = "\
Ask an OCSP responder whether a certificate is revoked, and verify its response.

The request is sent over HTTP to --url, or to the first http URL in the certificate, or https URL with --fetch-trust. The response must be signed by the issuer, by a \
responder that the issuer certified for OCSP, or by --responder, and must be current. With --nonce, it must repeat the request's \
nonce; many responders send responses that were signed in advance, without one. The issuer is trusted for its certificates: \
`tagwise verify` validates paths. Loopback and link-local addresses in certificates are not contacted; --local permits loopback.";

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ocsp ask www.pem --issuer ca.pem
  tagwise ocsp ask www.pem --issuer ca.pem --url http://ocsp.example.org/ --nonce
  tagwise ocsp ask www.pem --issuer ca.pem -o www.ocsp && tagwise verify www.pem --trust ca.pem --ocsp www.ocsp
  tagwise ocsp ask www.pem --issuer ca.pem --json | jq -r .status

Exit codes: 0 good; 1 revoked; 2 usage error; 3 a file could not be read or written; 4 unknown, with the reason: no response, one that \
cannot be used, or one that states `unknown`.";

/// The length of nonces, in bytes (RFC 9654 §2.1).
const NONCE: usize = 32;
/// The longest request that is sent by GET, in base64 (RFC 6960 Appendix A.1).
const LONGEST_GET: usize = 255;

#[derive(Debug, clap::Args)]
pub(crate) struct AskArgs {
    /// Certificate to ask about: the first one in the file whose issuer is in --issuer; `-` is standard input
    #[arg(value_name = "CERT")]
    file: PathBuf,
    /// Certificate of its issuer, also among others
    #[arg(long, value_name = "FILE", alias = "ca")]
    issuer: PathBuf,
    /// URL of the responder [default: the first http URL in the certificate, or https URL with --fetch-trust]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Send a nonce, and require that the response repeats it
    #[arg(long)]
    nonce: bool,
    /// Send the request by GET, for caches (RFC 6960 Appendix A.1)
    #[arg(long, conflicts_with = "nonce")]
    get: bool,
    /// Also accept responses signed by this certificate
    #[arg(long, value_name = "FILE")]
    responder: Option<PathBuf>,
    /// Time to wait for the responder, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
    /// Tolerated difference between the clocks, and time after the next update: 30s, 5m, 1h
    #[arg(long, value_name = "SPAN", value_parser = span, default_value = "5m")]
    tolerance: Duration,
    /// Also contact loopback addresses that the certificate names
    #[arg(long)]
    local: bool,
    /// Also send requests to https URLs, and verify the servers with these anchors: system, mozilla, or a file or folder; may be
    /// repeated
    #[arg(long, value_name = "ANCHORS")]
    fetch_trust: Vec<Origin>,
    /// Write the response to this file
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Print JSON (schema tagwise.ocsp-ask/1)
    #[arg(long)]
    json: bool,
}

fn span(text: &str) -> Result<Duration, String> {
    duration(text).ok_or_else(|| "expected a duration of the form 90m, 5m or 1h".to_owned())
}

/// The result.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    file: String,
    subject: String,
    issuer: String,
    url: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The response's statement, if it could be read.
    response: Option<Statement>,
}

/// A response's statement.
#[derive(Serialize)]
struct Statement {
    status: &'static str,
    responder: String,
    produced_at: String,
    this_update: String,
    next_update: Option<String>,
    revoked_at: Option<String>,
    revocation_reason: Option<String>,
}

impl Statement {
    fn of(asked: &Asked<'_>) -> Self {
        let data = &asked.basic.tbs_response_data;
        let (status, revoked) = match &asked.single.cert_status {
            CertStatus::Good => ("good", None),
            CertStatus::Revoked(revoked) => ("revoked", Some(revoked)),
            CertStatus::Unknown(_) => ("unknown", None),
        };
        Self {
            status,
            responder: match &data.responder_id {
                ResponderId::ByName(name) => visible(&name.rfc4514().extended()).to_string(),
                ResponderId::ByKey(key) => format!("SHA-1 of its key {}", hex::encode(key.as_bytes())),
            },
            produced_at: data.produced_at.unix().to_string(),
            this_update: asked.single.this_update.unix().to_string(),
            next_update: asked.single.next_update.map(|time| time.unix().to_string()),
            revoked_at: revoked.map(|revoked| revoked.revocation_time.unix().to_string()),
            revocation_reason: revoked.and_then(|revoked| revoked.revocation_reason).map(|reason| reason.to_string()),
        }
    }
}

impl AskArgs {
    pub(super) fn ask(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let (der, issuer_der) = self.pair(context)?;
        let read = certificate(context, &der).map_err(|error| negative(&self.file, &error))?;
        let issuer = certificate(context, &issuer_der).map_err(|error| negative(&self.issuer, &error))?;
        let responder = self.responder(context)?;
        let anchor = Anchor::from_certificate(issuer_der.as_slice()).map_err(|error| negative(&self.issuer, &error))?;
        let url = match &self.url {
            Some(url) => url.clone(),
            None => {
                let urls = responders(&read);
                let named = |tls: bool| urls.iter().find(|url| is_supported(url, tls)).cloned();
                named(!self.fetch_trust.is_empty()).ok_or_else(|| {
                    let also = if named(true).is_some() { ", or --fetch-trust for its https URL" } else { "" };
                    let file = name_of(&self.file);
                    Failure::usage(format!("{file}: no http URL of an OCSP responder; pass --url{also}"))
                })?
            }
        };
        let nonce = self.nonce.then(random).transpose()?;
        let asked = request(&read, &issuer, nonce.as_deref()).map_err(|error| negative(&self.file, &error))?;
        let (status, reason, response) = match self.send(context, &url, &asked)? {
            Err(error) => ("unknown", Some(error), None),
            Ok(response) => {
                // A response that is signed on request is not older than the request.
                let mut policy = policy(context, &read, now())?;
                policy.revocation.tolerance = self.tolerance;
                policy.revocation.responders.extend(responder);
                match &nonce {
                    Some(nonce) => {
                        policy.revocation.evidence.add_ocsp_with_nonce(response.as_slice(), nonce.as_slice())
                    }
                    None => policy.revocation.evidence.add_ocsp(response.as_slice()),
                }
                let (status, reason) = match judge(context, &der, anchor, &policy) {
                    Revocation::Good => ("good", None),
                    Revocation::Revoked(reason) => ("revoked", Some(reason)),
                    Revocation::Unknown(reason) => ("unknown", Some(reason)),
                    Revocation::Unnamed => ("unknown", None),
                };
                (status, reason, Some(response))
            }
        };
        if let (Some(path), Some(response)) = (&self.output, &response) {
            deliver(response, Some(path), false, out)?;
        }
        let statement = response.as_deref().and_then(|der| Asked::read(der, &read).ok()).as_ref().map(Statement::of);
        let document = Document {
            schema: "tagwise.ocsp-ask/1",
            file: name_of(&self.file),
            subject: subject(context, &der),
            issuer: subject(context, &issuer_der),
            url,
            status,
            reason,
            response: statement,
        };
        if self.json {
            json::write(out, &document)?;
        } else {
            document.text(context.color, out)?;
        }
        Ok(match status {
            "good" => 0,
            "revoked" => 1,
            _ => 4,
        })
    }

    /// The first certificate of the file with an issuer among those of `--issuer`, and that issuer. Certificates that others
    /// issued come before self-issued ones, and of issuers with the same name the one whose key signed the certificate comes first.
    fn pair(&self, context: &Context) -> Result<(Vec<u8>, Vec<u8>), Failure> {
        let all = |path: &PathBuf| {
            let (first, others) = Credentials::leading(context, path)?;
            Ok::<_, Failure>([vec![first], others].concat())
        };
        let (certificates, issuers) = (all(&self.file)?, all(&self.issuer)?);
        let mut first = None;
        let mut pairs = Vec::new();
        for der in &certificates {
            let read = certificate(context, der).map_err(|error| negative(&self.file, &error))?;
            let tbs = &read.tbs_certificate;
            for issuer_der in &issuers {
                let issuer = certificate(context, issuer_der).map_err(|error| negative(&self.issuer, &error))?;
                let subject = issuer.tbs_certificate.subject;
                if tbs.issuer.matches(&subject) {
                    let rank = (tbs.issuer.matches(&tbs.subject), !is_signed(context, der, issuer_der)?);
                    if rank == (false, false) {
                        return Ok((der.clone(), issuer_der.clone()));
                    }
                    pairs.push((rank, der, issuer_der));
                }
                first.get_or_insert_with(|| (subject.oneline().to_string(), tbs.issuer.oneline().to_string()));
            }
        }
        // The first of those with the same rank.
        if let Some((_, der, issuer)) = pairs.into_iter().min_by_key(|(rank, ..)| *rank) {
            return Ok((der.clone(), issuer.clone()));
        }
        let (subject, expected) = first.unwrap_or_default();
        let (issuer, file) = (name_of(&self.issuer), name_of(&self.file));
        let (subject, expected) = (visible(&subject), visible(&expected));
        Err(Failure::usage(format!(
            "{issuer}: not the issuer of {file}: its subject is {subject}, expected {expected}"
        )))
    }

    /// The responder that the user trusts.
    fn responder(&self, context: &Context) -> Result<Option<TrustedResponder>, Failure> {
        let read = |path: &PathBuf| {
            let (der, _) = Credentials::leading(context, path)?;
            TrustedResponder::from_certificate(der).map_err(|error| negative(path, &error))
        };
        self.responder.as_ref().map(read).transpose()
    }

    /// Sends a request. The inner error is the reason why there is no response.
    fn send(&self, context: &Context, url: &str, asked: &[u8]) -> Result<Result<Vec<u8>, String>, Failure> {
        // A URL that the user gives is the user's choice.
        let reach = if self.local || self.url.is_some() { Reach::Everywhere } else { Reach::NotLocal };
        let web = Web::new(Duration::from_secs(self.timeout), reach)?;
        let mut web = web.trusting(Tls::new(context, &self.fetch_trust)?);
        if !self.get {
            return Ok(web.request(url, Some(("application/ocsp-request", asked))));
        }
        let text = base64::encode(asked).replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
        if text.len() > LONGEST_GET {
            return Err(Failure::usage(format!(
                "the request has {} characters, expected at most {LONGEST_GET} for --get",
                text.len()
            )));
        }
        Ok(web.request(&format!("{}/{text}", url.trim_end_matches('/')), None))
    }
}

/// Returns whether the issuer's key signed a certificate.
fn is_signed(context: &Context, der: &[u8], issuer: &[u8]) -> Result<bool, Failure> {
    let (Ok(read), Ok(anchor)) = (certificate(context, der), Anchor::from_certificate(issuer)) else {
        return Ok(false);
    };
    let mut policy = policy(context, &read, now())?;
    policy.revocation.mode = RevocationMode::Ignore;
    let mut anchors = Anchors::new();
    anchors.add(anchor);
    let signatures = Signatures::allowing(context, EMBEDDED, &[]);
    Ok(verify::path(der, &Pool::new(), &anchors, &policy, &signatures).is_ok())
}

fn random() -> Result<Vec<u8>, Failure> {
    let mut nonce = vec![0; NONCE];
    EMBEDDED.random(&mut nonce).map_err(|error| Failure::negative(error.to_string()))?;
    Ok(nonce)
}

impl Document {
    fn text(&self, color: bool, out: &mut dyn Write) -> std::io::Result<()> {
        let (word, color_of) = match self.status {
            "good" => ("good", AnsiColor::Green),
            "revoked" => ("REVOKED", AnsiColor::Red),
            _ => ("UNKNOWN", AnsiColor::Yellow),
        };
        let style = if color { Style::new().bold().fg_color(Some(color_of.into())) } else { Style::new() };
        writeln!(out, "{}: {style}{word}{style:#}", self.file)?;
        let mut line = |label: &str, text: &str| writeln!(out, "  {:<13}{}", format!("{label}:"), visible(text));
        if let Some(reason) = &self.reason {
            line("Reason", reason)?;
        }
        line("URL", &self.url)?;
        let Some(response) = &self.response else { return Ok(()) };
        line("Responder", &response.responder)?;
        line("Produced", &response.produced_at)?;
        let until = response.next_update.as_ref().map(|time| format!(", next {time}")).unwrap_or_default();
        line("Updated", &format!("{}{until}", response.this_update))?;
        if let Some(time) = &response.revoked_at {
            let reason = response.revocation_reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            line("Revoked", &format!("{time}{reason}"))?;
        }
        Ok(())
    }
}

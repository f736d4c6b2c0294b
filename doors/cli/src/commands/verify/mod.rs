//! `tagwise verify`: builds and validates certification paths, or explains why there is no valid one.

mod args;
mod leaf;
pub(crate) mod limbo;
mod list;
mod openssl;
mod server;
mod subtree;

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use tagwise_codec::text::hex;
use tagwise_crypto::Digest;
use tagwise_mtc::crypto::BackendCheck;
use tagwise_mtc::path::MtcVerifier;
use tagwise_mtc::relying::RelyingParty;
use tagwise_path::{Anchors, Pool, RevocationPolicy};
use tagwise_pkix::name::visible;

pub(crate) use args::VerifyArgs;
pub(crate) use leaf::ends;
pub(crate) use openssl::advice;

use crate::shared::backend::Chosen;
use crate::shared::context::Context;
use crate::shared::credentials::subject;
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::remote::{self, Session};
use crate::shared::servers;
use crate::shared::trust::{self, Answer, CertificateSource, Choice, Signatures, Text, Verdict};
use crate::shared::web::{Fetched, Fetcher};
use tagwise_show::render::json;

pub(crate) const ABOUT: &str = "\
Build and validate certification paths (RFC 5280 §6), with revocation, and explain every decision.

Each FILE contains the certificate to verify, and may contain others, in any order and form. All end-entity certificates are \
verified, and the exit code is that of the worst result; if all are CA certificates, the lowest one is verified. The others, and \
those of --untrusted, can become part of the path; only those of --trust can end it.

A server, tls://HOST:PORT, is verified by the certificates that it sends, for its host name, and must prove possession of the key. The \
schemes are those of `tagwise show`: imap, imaps, smtp, ldaps, postgres and others.

Nothing is downloaded without --fetch: intermediate certificates, CRLs and OCSP responses are files. With --fetch, missing issuers \
are fetched from the URLs in certificates, and then OCSP responses and CRLs for a path that ends at a trust anchor. Only http is \
supported, and with --fetch-trust also https, on the usual port or ports from 1024, without redirects; loopback and link-local addresses are not contacted, unless --fetch-local \
permits loopback. Number, time and size are limited. Everything is verified like files, and the report lists it. What cannot be fetched \
is unknown: with --revocation require, the exit code is 4. All work is limited by budgets: for a \
certificate that exceeds one, the result is neither valid nor invalid.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise verify chain.pem --host www.example.org      a server's certificate, with the system's trust anchors
  tagwise verify leaf.pem --untrusted ca.pem --trust root.pem
  tagwise verify mail.pem --email eva@example.org --trust company-root.pem
  tagwise verify leaf.pem --trust root.pem --crl root.crl --revocation require
  tagwise verify leaf.pem --trust root.pem --fetch --revocation require
  tagwise verify leaf.pem --trust root.pem --at 2012-06-01 --allow weak-digest
  tagwise verify tls://www.example.org imaps://mail.example.org --trust company-root.pem
  tagwise verify --all-paths --explain leaf.pem        the roots that accept it, and why others do not
  tagwise verify leaf.pem --permit dns:example.org --exclude dns:dev.example.org
  tagwise verify server.pem --trust mtc-ca.pem         a Merkle Tree Certificate
  tagwise verify --list-rules                          every rule, its clause and its profiles
  tagwise verify --limbo limbo.json                    every case of a file in x509-limbo's format

Exit codes: 0 every certificate is valid; 1 one is not; 2 usage error; 3 a file or a server could not be read; 4 not known, because \
of a budget or missing evidence.";

/// The criteria by which certificates are judged.
struct Judge<'a> {
    backend: Chosen,
    args: &'a VerifyArgs,
    anchors: Anchors,
    untrusted: Pool,
    revocation: RevocationPolicy,
    choice: Choice,
    fetcher: Option<RefCell<Fetcher>>,
    /// The verifier of Merkle Tree Certificates.
    party: RelyingParty,
}

/// A file or server, and the verdict on one of its certificates, or the reason why it could not be read.
type Judged = (String, Result<Finding, String>);

/// The verdict on a certificate.
struct Finding {
    leaf: CertificateSource,
    verdict: Verdict,
    /// The policies, if they are not those for files.
    choice: Option<Choice>,
    /// The connection, if the file is a server.
    session: Option<Session>,
    /// The fetched files.
    fetched: Vec<Fetched>,
}

impl Finding {
    fn answer(&self) -> Answer {
        let verdict = servers::with_fetched(&self.verdict, &self.fetched);
        self.session.as_ref().map_or(verdict, |session| servers::answer(session, verdict))
    }
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    tool: &'static str,
    /// The profile of the first result. Each result has its own.
    profile: &'static str,
    /// `anchor` if the profile depends on the trust anchor, or `option` if only options determine it.
    profile_by: &'static str,
    time: String,
    trust: Vec<String>,
    anchors: usize,
    results: Vec<Row>,
    exit_code: u8,
}

#[derive(Serialize)]
struct Row {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    #[serde(flatten)]
    verdict: Option<trust::Document>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fetched: Vec<Fetched>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tls: Option<servers::Connection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The reason why a file or server could not be read.
fn reason(name: &str, failure: Failure) -> String {
    match failure {
        Failure::Said(_, message) => message,
        Failure::Output(error) => format!("{name}: {error}"),
    }
}

impl VerifyArgs {
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.backend.chosen().and_then(|backend| self.verify(backend, context, out, err));
        finish(done, err)
    }

    fn verify(
        &self,
        backend: Chosen,
        context: &Context,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        if self.list_rules {
            return Ok(list::write(self.json, context.color, out).map(|()| 0)?);
        }
        if let Some(set) = &self.limbo {
            return self.limbo(context, backend, set, out, err);
        }
        if let [file] = &*self.files
            && remote::target(file).is_none()
            && file.extension().is_some_and(|extension| extension == "json")
            && context.load(file).is_ok_and(|octets| limbo::is_set(&octets))
        {
            return self.limbo(context, backend, file, out, err);
        }
        let mut anchors = trust::read_anchors(context, &self.origins(), self.trust_passphrase_file.as_deref())?;
        let mut untrusted = trust::pool(context, &self.untrusted)?;
        if self.self_signed_anchors {
            for other in trust::keep_self_signed(&mut anchors) {
                // It was decoded as an anchor before, so that it can be added.
                let _ = untrusted.add(other);
            }
        }
        let (revocation, warnings) = self.revocation(context)?;
        for warning in warnings {
            writeln!(err, "tagwise: {warning}")?;
        }
        let fetcher = self.fetcher(context)?.map(RefCell::new);
        let choice = self.choice(context, &anchors, &revocation, None)?;
        let party = trust::relying_party(context, &anchors, &self.mtc_policy)?;
        let judge = Judge { backend, args: self, anchors, untrusted, revocation, choice, fetcher, party };
        let judged: Vec<Judged> = self.files.iter().flat_map(|file| judge.file(context, file)).collect();
        let code = code(&judged);
        if self.json {
            judge.json(context, judged, code, out)?;
        } else {
            judge.text(&judged, context, out, err)?;
        }
        Ok(code)
    }

    /// Runs a set of test cases.
    fn limbo(
        &self,
        context: &Context,
        backend: Chosen,
        set: &Path,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        if self.json {
            return Err(Failure::usage("--json cannot be combined with --limbo: its output is a table"));
        }
        let run = limbo::Run { backend, profile: self.profile, at: self.at };
        run.file(context, set, out, err)
    }
}

/// The exit code: unreadable files before negative answers, these before unknown ones.
fn code(judged: &[Judged]) -> u8 {
    if judged.iter().any(|(_, found)| found.is_err()) {
        return 3;
    }
    let worst = judged.iter().filter_map(|(_, found)| Some(found.as_ref().ok()?.answer())).max();
    worst.map_or(0, Answer::code)
}

impl Judge<'_> {
    /// Verifies the end certificates of a file, or a server.
    fn file(&self, context: &Context, path: &Path) -> Vec<Judged> {
        let name = name_of(path);
        if let Some(target) = remote::target(path) {
            let done = target.map_err(Failure::usage).and_then(|target| self.server(context, &name, &target));
            let done = done.map_err(|failure| reason(&name, failure));
            return vec![(name, done)];
        }
        let found = match self.args.first {
            true => trust::first_certificate(context, path).map(|found| vec![found]),
            false => trust::certificates(context, path),
        };
        let found = found.and_then(|found| Ok((leaf::ends(&name, &found)?, found)));
        let (leaves, all) = match found {
            Ok(found) => found,
            Err(failure) => {
                let why = reason(&name, failure);
                return vec![(name, Err(why))];
            }
        };
        let mut pool = self.untrusted.clone();
        for other in all {
            // One that does not decode is of no use in a path.
            let _ = pool.add(other.der);
        }
        let judge = |leaf: CertificateSource| {
            let found = self.one(context, leaf, &pool, &self.choice);
            (name.clone(), Ok(found))
        };
        leaves.into_iter().map(judge).collect()
    }

    /// Verifies a certificate, with what can be fetched, if that is enabled.
    fn one(&self, context: &Context, leaf: CertificateSource, pool: &Pool, choice: &Choice) -> Finding {
        let (signatures, cosignatures) =
            (Signatures::allowing(context, self.backend, &[]), BackendCheck::new(self.backend));
        let verifier = MtcVerifier { signatures: &signatures, party: &self.party, cosignatures: &cosignatures };
        let judge = |pool: &Pool, choice: &Choice| choice.judge(&leaf.der, pool, self.args.all_paths, &verifier);
        let Some(fetcher) = &self.fetcher else {
            let verdict = judge(pool, choice);
            return Finding { leaf, verdict, choice: None, session: None, fetched: Vec::new() };
        };
        let (mut fetcher, mut pool, mut choice) = (fetcher.borrow_mut(), pool.clone(), choice.clone());
        fetcher.issuers(context, &leaf.der, &mut pool, &self.anchors);
        fetcher.evidence(context, &mut choice, |choice| judge(&pool, choice));
        let (verdict, fetched) = (judge(&pool, &choice), fetcher.take_log());
        Finding { leaf, verdict, choice: Some(choice), session: None, fetched }
    }

    fn text(
        &self,
        judged: &[Judged],
        context: &Context,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<(), Failure> {
        for (_, found) in judged {
            match found {
                Ok(found) => {
                    let choice = found.choice.as_ref().unwrap_or(&self.choice);
                    let (policy, by_anchor) = (choice.policy(), choice.is_by_anchor());
                    let text = Text { context, explain: self.args.explain, indent: "  ", policy, by_anchor };
                    let count = match &found.verdict {
                        Verdict::Survey(survey) if survey.paths.len() > 1 => format!(", {} paths", survey.paths.len()),
                        _ => String::new(),
                    };
                    writeln!(out, "{}: {}{count}", visible(&found.leaf.place), text.word(found.answer()))?;
                    if let Some(session) = &found.session {
                        servers::proof(session, &text, out)?;
                    }
                    text.write(&found.verdict, out)?;
                    for fetched in &found.fetched {
                        let (label, line) = fetched.line();
                        text.line(out, label, &line)?;
                    }
                    if let Some(session) = &found.session {
                        servers::connection(session, &text, out)?;
                    }
                }
                Err(error) => {
                    out.flush()?;
                    writeln!(err, "tagwise: {}", visible(error))?;
                }
            }
        }
        Ok(())
    }

    fn json(&self, context: &Context, judged: Vec<Judged>, code: u8, out: &mut dyn Write) -> Result<(), Failure> {
        let mut verdicts = judged.iter().filter_map(|(_, found)| found.as_ref().ok());
        let profile = verdicts.next().map_or(self.choice.policy().profile, |found| found.verdict.profile());
        let mut results = Vec::new();
        for (file, found) in judged {
            let (found, error) = found.map_or_else(|error| (None, Some(error)), |found| (Some(found), None));
            let leaf = found.as_ref().map(|found| &found.leaf);
            let verdict = found.as_ref().map(|found| trust::document_as(&found.verdict, found.answer()));
            let tls = found.as_ref().and_then(|found| found.session.as_ref()).map(servers::Connection::of);
            let fetched = found.as_ref().map(|found| found.fetched.clone()).unwrap_or_default();
            let digest = |leaf: &CertificateSource| {
                self.backend.digest(Digest::Sha256, &leaf.der).map(|digest| hex::encode(&digest))
            };
            results.push(Row {
                file,
                line: leaf.and_then(|leaf| leaf.line),
                offset: leaf.map(|leaf| leaf.offset),
                subject: leaf.map(|leaf| subject(context, &leaf.der)),
                sha256: leaf.and_then(|leaf| digest(leaf).ok()),
                verdict: verdict.transpose()?,
                fetched,
                tls,
                error,
            });
        }
        let (policy, by_anchor) = (self.choice.policy(), self.choice.is_by_anchor());
        let document = Document {
            schema: "tagwise.verify/2",
            tool: concat!("tagwise ", env!("CARGO_PKG_VERSION")),
            profile,
            profile_by: if by_anchor { "anchor" } else { "option" },
            time: policy.time.to_string(),
            trust: self.args.origins().iter().map(trust::Origin::name).collect(),
            anchors: self.anchors.len(),
            results,
            exit_code: code,
        };
        Ok(json::write(out, &document)?)
    }
}

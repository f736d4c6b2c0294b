//! Submission of precertificates to the logs that a profile names.

use std::io::Write;
use std::time::Duration;

use tagwise_ca::{Authority, CtLog, Error, Issued, Order, Store, Transparency};
use tagwise_crypto::Signer;
use tagwise_pkix::UnixTime;
use tagwise_pkix::name::visible;

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::ct::web;
use crate::shared::output::Failure;
use crate::shared::trust::Origin;
use crate::shared::web::Web;

/// The number of requests to a busy log, and the longest pause between them, in seconds.
const ATTEMPTS: usize = 3;
const PAUSE: u64 = 10;

#[derive(Debug, clap::Args)]
pub(super) struct SubmissionArgs {
    /// Verify Certificate Transparency logs that have https URLs with these anchors: system, mozilla, or a file or folder; may be
    /// repeated [default: system]
    #[arg(long, value_name = "ANCHORS")]
    log_trust: Vec<Origin>,
    /// Time to wait for each log, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    log_timeout: u64,
}

/// The connection to logs.
pub(super) struct Logs(Web);

impl SubmissionArgs {
    /// Prepares the connection, before anything is issued.
    pub(super) fn logs(&self, context: &Context, wanted: &Transparency) -> Result<Logs, Failure> {
        let urls = wanted.logs.iter().map(|log| log.url.as_str());
        web(context, urls, &self.log_trust, Duration::from_secs(self.log_timeout)).map(Logs)
    }
}

impl Logs {
    /// Issues a certificate with timestamps, and reports the logs that have failed.
    pub(super) fn issue(
        &mut self,
        authority: &Authority,
        store: &mut dyn Store,
        signer: &dyn Signer,
        order: &Order<'_>,
        now: UnixTime,
        err: &mut dyn Write,
    ) -> Result<Issued, Error> {
        let done =
            authority.issue_logged(store, EMBEDDED, signer, order, now, &mut |log, body| self.submit(log, body))?;
        for (url, why) in &done.failed {
            // The certificate is issued, whether or not this can be written.
            let _ = writeln!(err, "tagwise: no timestamp: {}: {}", visible(url), visible(why));
        }
        for url in &done.logs {
            let _ = writeln!(err, "{}: timestamp of {}", done.issued.serial, visible(url));
        }
        Ok(done.issued)
    }

    fn submit(&mut self, log: &CtLog, body: &[u8]) -> Result<Vec<u8>, String> {
        let url = format!("{}/ct/v1/add-pre-chain", log.url.trim_end_matches('/'));
        let mut attempt = 1;
        loop {
            let answer = self.0.ask(&url, Some(("application/json", body)))?;
            match (answer.status, answer.retry_after) {
                (200, _) => return Ok(answer.body),
                // RFC 6962 §4; RFC 6585 §4.
                (429 | 503, Some(pause)) if pause <= PAUSE && attempt < ATTEMPTS => {
                    attempt += 1;
                    std::thread::sleep(Duration::from_secs(pause));
                }
                (status, _) => return Err(format!("the server answered with status {status}")),
            }
        }
    }
}

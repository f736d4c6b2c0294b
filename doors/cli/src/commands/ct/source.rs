//! The options that identify a log, and the connection to it.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use tagwise_ct::{Api, Client, Error, Log, TreeHead};

use super::lines::time;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::ct::{log_key, web};
use crate::shared::output::{Failure, name_of};
use crate::shared::trust::Origin;
use crate::shared::web::Web;

/// The number of requests to a busy log, and the longest pause between them, in seconds.
const ATTEMPTS: usize = 5;
const PAUSE: u64 = 60;

/// The interface of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Interface {
    /// RFC 6962 if the log has a tree head there, otherwise tiles
    Auto,
    /// RFC 6962
    Rfc6962,
    /// Checkpoints and tiles (static-ct-api)
    Static,
}

#[derive(Debug, clap::Args)]
pub(super) struct LogArgs {
    /// URL of the log; for tiles, its monitoring prefix
    #[arg(value_name = "URL")]
    pub(super) url: String,
    /// The log's public key: a file in PEM or DER, or the key in base64 as in log lists
    #[arg(long, value_name = "KEY")]
    key: String,
    /// Interface of the log
    #[arg(long, value_enum, default_value = "auto", value_name = "API")]
    api: Interface,
    /// Verify a server with an https URL with these anchors: system, mozilla, or a file or folder; may be repeated [default: system]
    #[arg(long, value_name = "ANCHORS")]
    trust: Vec<Origin>,
    /// Time to wait for each answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
}

/// A log and the connection to it.
pub(super) struct Source {
    pub(super) log: Log,
    api: Api,
    url: String,
    web: Web,
}

/// Returns the failure for an error of a log.
pub(super) fn failed(error: &Error) -> Failure {
    let code = match error {
        Error::Unreachable(_) | Error::Malformed(_) => 3,
        Error::Unsupported(_) | Error::Missing(_) => 4,
        _ => 1,
    };
    Failure::Said(code, error.to_string())
}

/// Returns the finding about a tree head that is older than the maximum merge delay.
pub(super) fn stale(head: &TreeHead) -> String {
    format!(
        "stale: the tree head of {} is older than 24 hours (RFC 6962 §3.5); if the log is frozen, pass --frozen",
        time(head.timestamp)
    )
}

impl LogArgs {
    /// Reads the key, and finds out the interface.
    ///
    /// # Errors
    /// Returns an error if the key cannot be read, or the log does not answer.
    pub(super) fn open(&self, context: &Context) -> Result<Source, Failure> {
        let path = PathBuf::from(&self.key);
        let key = match log_key(self.key.as_bytes()) {
            Ok(key) => key,
            Err(_not_a_key) => {
                let octets = context.load(&path).map_err(|error| Failure::file(&path, "read", &error))?;
                log_key(&octets).map_err(|error| Failure::negative(format!("{}: {error}", name_of(&path))))?
            }
        };
        let log = Log::new(&key, "", self.url.as_str());
        let log = log.map_err(|error| Failure::negative(format!("the log's key: {error}")))?;
        let web = web(context, [self.url.as_str()].into_iter(), &self.trust, Duration::from_secs(self.timeout))?;
        let url = self.url.trim_end_matches('/').to_owned();
        let mut source = Source { log, api: Api::Rfc6962, url, web };
        source.api = match self.api {
            Interface::Rfc6962 => Api::Rfc6962,
            Interface::Static => Api::Static,
            Interface::Auto => match source.get("ct/v1/get-sth") {
                Ok(_) => Api::Rfc6962,
                Err(why) => match source.get("checkpoint") {
                    Ok(_) => Api::Static,
                    Err(other) => {
                        let text = format!("no tree head: ct/v1/get-sth: {why}; checkpoint: {other}");
                        return Err(Failure::Said(3, text));
                    }
                },
            },
        };
        Ok(source)
    }
}

impl Source {
    /// Calls a function with a client of the log.
    pub(super) fn with<T>(&mut self, run: impl FnOnce(&Client<'_>) -> T) -> T {
        let Self { log, api, url, web } = self;
        let mut fetch = |path: &str| get(web, url, path);
        run(&Client::new(log, *api, EMBEDDED, &mut fetch))
    }

    fn get(&mut self, path: &str) -> Result<Vec<u8>, String> {
        get(&mut self.web, &self.url, path)
    }
}

/// Gets a resource of the log. Waits if the log is busy, as long as it asks for, within limits.
fn get(web: &mut Web, url: &str, path: &str) -> Result<Vec<u8>, String> {
    let url = format!("{url}/{path}");
    let mut attempt = 1;
    loop {
        let answer = web.ask(&url, None)?;
        match (answer.status, answer.retry_after) {
            (200, _) => return Ok(answer.body),
            (429 | 503, Some(pause)) if pause <= PAUSE && attempt < ATTEMPTS => {
                attempt += 1;
                std::thread::sleep(Duration::from_secs(pause));
            }
            (status, _) => return Err(format!("the server answered with status {status}")),
        }
    }
}

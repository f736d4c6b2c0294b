//! The server's log: one line for each event, in text or JSON, without secrets.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::Serialize;
use tagwise_pkix::UnixTime;
use tagwise_pkix::name::visible;

use crate::config::{LogConfig, LogFormat};

/// The destination of a log, such as standard error.
pub type Sink = Box<dyn Write + Send>;

/// An answered request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) service: &'static str,
    pub(crate) peer: Option<SocketAddr>,
    pub(crate) method: &'a str,
    /// The path without the query, which may contain messages of clients.
    pub(crate) path: &'a str,
    pub(crate) status: u16,
    pub(crate) size: u64,
    pub(crate) elapsed: Duration,
}

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    level: &'static str,
    event: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    service: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    microseconds: Option<u128>,
}

/// A log.
pub(crate) struct Log {
    sink: Mutex<Sink>,
    is_json: AtomicBool,
    requests: AtomicBool,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log").finish_non_exhaustive()
    }
}

impl Log {
    pub(crate) fn new(sink: Sink) -> Self {
        Self { sink: Mutex::new(sink), is_json: AtomicBool::new(false), requests: AtomicBool::new(true) }
    }

    pub(crate) fn configure(&self, config: &LogConfig) {
        self.is_json.store(config.format == LogFormat::Json, Ordering::Relaxed);
        self.requests.store(config.requests, Ordering::Relaxed);
    }

    pub(crate) fn info(&self, event: &str, message: &str) {
        self.write(&self.line("info", event, message));
    }

    pub(crate) fn error(&self, event: &str, message: &str) {
        self.write(&self.line("error", event, message));
    }

    pub(crate) fn request(&self, request: &Request<'_>) {
        if !self.requests.load(Ordering::Relaxed) {
            return;
        }
        let level = if request.status >= 500 { "error" } else { "info" };
        self.write(&Line {
            message: None,
            service: Some(request.service),
            peer: request.peer.map(|peer| peer.to_string()),
            method: Some(request.method),
            path: Some(request.path),
            status: Some(request.status),
            size: Some(request.size),
            microseconds: Some(request.elapsed.as_micros()),
            ..self.line(level, "request", "")
        });
    }

    fn line<'a>(&self, level: &'static str, event: &'a str, message: &'a str) -> Line<'a> {
        let time = UnixTime::from(SystemTime::now()).to_string();
        Line {
            time,
            level,
            event,
            message: Some(message),
            service: None,
            peer: None,
            method: None,
            path: None,
            status: None,
            size: None,
            microseconds: None,
        }
    }

    fn write(&self, line: &Line<'_>) {
        let mut text = if self.is_json.load(Ordering::Relaxed) {
            serde_json::to_string(line).unwrap_or_default()
        } else {
            line.to_text()
        };
        text.push('\n');
        // One write for each line. A full disk does not keep the server from answering.
        let _ = self.sink.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes());
    }
}

impl Line<'_> {
    fn to_text(&self) -> String {
        let mut text = format!("{} {} {}", self.time, self.level, self.event);
        if let Some(message) = self.message {
            text.push_str(&format!(": {}", visible(&message)));
        }
        let fields = [
            ("service", self.service.map(ToOwned::to_owned)),
            ("peer", self.peer.clone()),
            ("method", self.method.map(|method| visible(&method).to_string())),
            ("path", self.path.map(|path| visible(&path).to_string())),
            ("status", self.status.map(|status| status.to_string())),
            ("size", self.size.map(|size| size.to_string())),
            ("microseconds", self.microseconds.map(|time| time.to_string())),
        ];
        for (name, value) in fields {
            if let Some(value) = value {
                text.push_str(&format!(" {name}={value}"));
            }
        }
        text
    }
}

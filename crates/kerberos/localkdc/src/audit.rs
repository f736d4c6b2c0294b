//! Audit records: JSON lines in a file, and the journal.
//!
//! ```
//! use tagwise_localkdc::audit::{EventKind, Record};
//! let record = Record { client: Some("ann@LOCAL".into()), ..Record::new(EventKind::AsReq, true, 1_790_000_000) };
//! let line = r#"{"time":"2026-09-21T14:13:20Z","event":"as_req","success":true,"client":"ann@LOCAL"}"#;
//! assert_eq!(record.line(), line);
//! ```

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::net::IpAddr;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tagwise_codec::UnixTime;

use crate::policy;

/// The socket of systemd's journal.
const JOURNAL: &str = "/run/systemd/journal/socket";

/// The kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// The KDC starts.
    KdcStart,
    /// The KDC stops.
    KdcStop,
    /// An initial ticket was requested.
    AsReq,
    /// A service ticket was requested.
    TgsReq,
    /// A service requested a ticket to itself on behalf of a user (S4U2Self).
    S4u2self,
    /// A service requested a ticket to another service on behalf of a user (S4U2Proxy).
    S4u2proxy,
    /// A user-to-user ticket was requested.
    U2u,
}

impl EventKind {
    /// The name used in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::KdcStart => "kdc_start",
            Self::KdcStop => "kdc_stop",
            Self::AsReq => "as_req",
            Self::TgsReq => "tgs_req",
            Self::S4u2self => "s4u2self",
            Self::S4u2proxy => "s4u2proxy",
            Self::U2u => "u2u",
        }
    }
}

/// An event: the KDC's start or stop, or the outcome of a request. Unknown fields are omitted from the line.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// The event's time in UTC (ISO 8601).
    pub time: String,
    /// The kind of event.
    pub event: EventKind,
    /// Outcome.
    pub success: bool,
    /// The client's principal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The server's principal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The user on whose behalf a service acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The client's address, or `None` over a UNIX socket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<IpAddr>,
    /// The client's port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u32>,
    /// The step at which processing the request ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<&'static str>,
    /// The KDC's status text. For a failure, it names the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The violation: `protocol` or `policy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<&'static str>,
    /// The preauthentication data types in the request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preauth: Vec<i32>,
    /// The encryption type of the reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enctype: Option<i32>,
    /// The request identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The identifier of the ticket in the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket_in: Option<String>,
    /// The identifier of the issued ticket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket_out: Option<String>,
    /// The identifier of the evidence ticket, or of the second ticket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

impl Record {
    /// Creates a record with the given Unix time.
    #[must_use]
    pub fn new(event: EventKind, success: bool, time: i64) -> Self {
        Self {
            time: UnixTime(time).to_string(),
            event,
            success,
            client: None,
            server: None,
            user: None,
            address: None,
            port: None,
            stage: None,
            status: None,
            violation: None,
            preauth: Vec::new(),
            enctype: None,
            request: None,
            ticket_in: None,
            ticket_out: None,
            evidence: None,
        }
    }

    /// Formats the record as a JSON line, without a line break.
    #[must_use]
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Formats the record as a human-readable line.
    fn message(&self) -> String {
        let mut text = format!("{} {}", self.event.name(), if self.success { "succeeded" } else { "failed" });
        for (word, value) in [("for", &self.client), ("to", &self.server), ("as", &self.user), (":", &self.status)] {
            if let Some(value) = value {
                text += &format!(" {word} {value}");
            }
        }
        text
    }
}

/// The destinations of audit records.
#[derive(Debug)]
pub struct Sinks {
    file: Option<PathBuf>,
    journal: Option<UnixDatagram>,
    socket: PathBuf,
}

impl Sinks {
    /// Opens the sinks configured in a policy.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written. A missing journal is ignored.
    pub fn open(policy: &policy::Audit) -> io::Result<Self> {
        Self::with_journal(policy, Path::new(JOURNAL))
    }

    /// Opens the sinks configured in a policy, with a different journal socket.
    ///
    /// # Errors
    ///
    /// Returns any error from [`Sinks::open`].
    pub fn with_journal(policy: &policy::Audit, socket: &Path) -> io::Result<Self> {
        if let Some(path) = &policy.file {
            append(path)?;
        }
        let journal = match policy.journal && socket.exists() {
            true => {
                let journal = UnixDatagram::unbound()?;
                // A KDC waits for no journal.
                journal.set_nonblocking(true)?;
                Some(journal)
            }
            false => None,
        };
        Ok(Self { file: policy.file.clone(), journal, socket: socket.to_owned() })
    }

    /// Writes a record.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the file fails. If no file is configured, returns an error if writing to the journal fails.
    pub fn write(&self, record: &Record) -> io::Result<()> {
        let line = record.line();
        let told = match &self.journal {
            Some(journal) => journal.send_to(&datagram(record, &line), &self.socket).map(|_| ()),
            None => Ok(()),
        };
        match &self.file {
            // Opened each time: a file that was moved away is not written on. One write a line: lines of two processes do not mix.
            Some(path) => append(path)?.write_all(format!("{line}\n").as_bytes()),
            None => told,
        }
    }
}

fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

/// Encodes a record in the journal's native protocol: fields, with a length if the value contains a line break.
fn datagram(record: &Record, line: &str) -> Vec<u8> {
    let mut packet = Vec::new();
    let message = record.message();
    let priority = if record.success { "6" } else { "5" };
    let fields = [
        ("MESSAGE", message.as_str()),
        ("PRIORITY", priority),
        ("SYSLOG_IDENTIFIER", "localkdc"),
        ("LOCALKDC_EVENT", record.event.name()),
        ("LOCALKDC_CLIENT", record.client.as_deref().unwrap_or_default()),
        ("LOCALKDC_SERVER", record.server.as_deref().unwrap_or_default()),
        ("LOCALKDC_RECORD", line),
    ];
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
        packet.extend_from_slice(name.as_bytes());
        if value.contains('\n') {
            packet.push(b'\n');
            packet.extend(u64::try_from(value.len()).unwrap_or(u64::MAX).to_le_bytes());
        } else {
            packet.push(b'=');
        }
        packet.extend_from_slice(value.as_bytes());
        packet.push(b'\n');
    }
    packet
}

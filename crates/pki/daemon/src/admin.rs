//! The administration socket: one command for each connection, answered with a JSON object.
//!
//! Only root and the server's own user can use it.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream as Blocking;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{mpsc, oneshot};

/// The time limit for receiving a command.
const READ: Duration = Duration::from_secs(5);

/// The time limit for an answer. A reload may wait for the database.
const ANSWER: Duration = Duration::from_secs(60);

/// A command for a running server. The result is sent back.
#[derive(Debug)]
pub enum Command {
    /// Reports the status.
    Status(oneshot::Sender<Status>),
    /// Reads the configuration again, and replaces the TLS certificate. If the configuration has errors, the old one stays.
    Reload(oneshot::Sender<Result<(), String>>),
    /// Reports that the server is not ready, so that load balancers send no new clients. Requests are still answered. A
    /// reload ends it.
    Drain(oneshot::Sender<()>),
    /// Completes current requests, and stops.
    Stop,
}

/// A listener in a status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListenerStatus {
    /// The local address and port.
    pub address: String,
    /// True if connections use TLS.
    pub tls: bool,
    /// The services.
    pub services: Vec<String>,
}

/// A service's counters in a status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceStatus {
    /// The service's name.
    pub name: String,
    /// The number of requests since the start.
    pub requests: u64,
    /// The number of requests that failed because of an internal error.
    pub errors: u64,
}

/// The status of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// `serving`, or `draining` if the server reports that it is not ready.
    pub state: String,
    /// The process's identifier.
    pub pid: u32,
    /// The time since the start, in seconds.
    pub uptime: u64,
    /// The listeners.
    pub listeners: Vec<ListenerStatus>,
    /// The services.
    pub services: Vec<ServiceStatus>,
    /// The end of the TLS certificate's validity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_not_after: Option<String>,
    /// The number of certificates that were issued to clients.
    pub issued: u64,
    /// The number of database errors.
    pub database_errors: u64,
    /// The number of successful reloads.
    pub reloads: u64,
}

#[derive(Serialize, Deserialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Listens at a path. The socket of a server that no longer runs is replaced.
pub(crate) fn bind(path: &Path) -> Result<Socket, String> {
    let failed = |error: io::Error| format!("{}: {error}", path.display());
    match std::fs::symlink_metadata(path) {
        Ok(there) if !there.file_type().is_socket() => {
            return Err(format!("{}: the file exists and is not a socket", path.display()));
        }
        Ok(_) if Blocking::connect(path).is_ok() => {
            return Err(format!("{}: another server uses this socket", path.display()));
        }
        Ok(_) => std::fs::remove_file(path).map_err(failed)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let listener = UnixListener::bind(path).map_err(failed)?;
    // Until then, and in addition, the peer's user is checked.
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(failed)?;
    Ok(Socket { listener, path: path.to_owned() })
}

/// A bound socket, which is removed on drop.
pub(crate) struct Socket {
    listener: UnixListener,
    path: PathBuf,
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Socket {
    /// Accepts commands until the task is aborted.
    pub(crate) async fn serve(self, commands: mpsc::Sender<Command>) {
        let own = rustix::process::geteuid().as_raw();
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let allowed = stream.peer_cred().is_ok_and(|peer| peer.uid() == 0 || peer.uid() == own);
            if allowed {
                tokio::spawn(connection(stream, commands.clone()));
            }
        }
    }
}

async fn connection(mut stream: UnixStream, commands: mpsc::Sender<Command>) {
    let mut line = Vec::new();
    let read = async {
        let mut octet = [0; 1];
        while line.len() < 64 && stream.read(&mut octet).await? == 1 && octet != *b"\n" {
            line.extend(octet);
        }
        Ok::<_, io::Error>(())
    };
    if !matches!(tokio::time::timeout(READ, read).await, Ok(Ok(()))) {
        return;
    }
    let answer = match line.as_slice() {
        b"status" => ask(&commands, Command::Status).await.map(|status| Answer { status: Some(status), error: None }),
        b"reload" => ask(&commands, Command::Reload).await.map(|done| Answer { status: None, error: done.err() }),
        b"drain" => ask(&commands, Command::Drain).await.map(|()| Answer { status: None, error: None }),
        _ => Some(Answer { status: None, error: Some("unknown command, expected status, reload or drain".to_owned()) }),
    };
    let stopping = || Answer { status: None, error: Some("the server is stopping".to_owned()) };
    let mut text = serde_json::to_vec(&answer.unwrap_or_else(stopping)).unwrap_or_default();
    text.push(b'\n');
    let _ = tokio::time::timeout(READ, stream.write_all(&text)).await;
}

async fn ask<T>(commands: &mpsc::Sender<Command>, command: impl FnOnce(oneshot::Sender<T>) -> Command) -> Option<T> {
    let (tell, told) = oneshot::channel();
    commands.send(command(tell)).await.ok()?;
    told.await.ok()
}

/// Sends a command to a server: `status`, `reload` or `drain`. Returns the status for `status`.
///
/// # Errors
/// An error of the socket, or [`io::ErrorKind::Other`] with the server's message, if it refused the command.
pub fn send(socket: &Path, command: &str) -> io::Result<Option<Status>> {
    let mut stream = Blocking::connect(socket)?;
    stream.set_read_timeout(Some(ANSWER))?;
    stream.write_all(format!("{command}\n").as_bytes())?;
    let mut line = String::new();
    BufReader::new(io::Read::take(stream, 1 << 20)).read_line(&mut line)?;
    let answer: Answer = serde_json::from_str(&line).map_err(io::Error::other)?;
    match answer.error {
        Some(error) => Err(io::Error::other(error)),
        None => Ok(answer.status),
    }
}

//! A CA in a folder, a server on loopback, and clients.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests; each file uses a part")]

use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tagwise_ca::{AltName, Authority, Definition, Founding, Order, Profile, Protection, Restrictions, SqliteOptions};
use tagwise_ca::{SqliteStore, Store, Urls};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeyType, PrivateKey};
use tagwise_daemon::{Command, Failure, Options, Parts, Started, run};
use tagwise_pkix::UnixTime;
use tagwise_pkix::name::NameBuf;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

pub(crate) static BACKEND: AwsLc = AwsLc::new();

pub(crate) const PASSPHRASE: &str = "correct horse battery staple";

pub(crate) fn now() -> UnixTime {
    SystemTime::now().into()
}

pub(crate) fn parts() -> Parts {
    let profiles = |name: &str| match name {
        "server" | "client" => Ok(Definition::new(name)),
        "ca" => Ok(Definition { ca: true, ..Definition::new(name) }),
        _ => Err(format!("unknown profile `{name}`")),
    };
    Parts { backend: &BACKEND, profiles: Arc::new(profiles) }
}

/// Creates a CA with a key that is protected by [`PASSPHRASE`].
pub(crate) fn found(store: &mut dyn Store) -> Authority {
    let founding = Founding {
        label: Authority::LABEL,
        subject: NameBuf::parse("CN=Root").unwrap(),
        key_identifier: None,
        not_before: UnixTime(now().0 - 3600),
        not_after: UnixTime(now().0 + 3650 * 86_400),
        path_len: None,
        urls: Urls::default(),
        pss: false,
    };
    let key = BACKEND.generate(KeyType::P256).unwrap();
    Authority::found(store, &BACKEND, &key, &founding, &Protection::passphrase(PASSPHRASE.as_bytes())).unwrap()
}

/// A folder with a CA and a passphrase file.
pub(crate) struct Folder {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) authority: Authority,
}

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::create(&folder.path().join("ca.db"), &SqliteOptions::DEFAULT).unwrap();
        let authority = found(&mut store);
        let own = Self { folder, authority };
        own.write("passphrase", &format!("{PASSPHRASE}\n"));
        for name in ["passphrase", "ca.db"] {
            own.protect(name, 0o600);
        }
        own
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    pub(crate) fn protect(&self, name: &str, mode: u32) {
        std::fs::set_permissions(self.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }

    pub(crate) fn store(&self) -> SqliteStore {
        SqliteStore::open(&self.path("ca.db"), &SqliteOptions::DEFAULT).unwrap()
    }

    /// Issues a certificate for a new key.
    pub(crate) fn issue(&self, profile: Profile, name: &str) -> (Vec<u8>, Arc<dyn PrivateKey>) {
        let key = BACKEND.generate(KeyType::P256).unwrap();
        let signer = self.authority.unlock(&BACKEND, Some(PASSPHRASE.as_bytes())).unwrap();
        let order = Order {
            subject: NameBuf::parse("CN=Client").unwrap(),
            names: vec![AltName::dns(name).unwrap()],
            public_key: key.public_key_info(),
            key_identifier: None,
            restrictions: Restrictions::default(),
            profile,
            not_before: UnixTime(now().0 - 60),
            not_after: UnixTime(now().0 + 86_400),
        };
        let issued = self.authority.issue(&mut self.store(), &BACKEND, &signer, &order, now()).unwrap();
        (issued.der, key)
    }

    /// The TLS configuration of a client that trusts the CA.
    pub(crate) fn client(&self, protocols: &[&[u8]]) -> ClientConfig {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from(self.authority.certificate_der().to_vec())).unwrap();
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let mut config = builder.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        config
    }
}

/// A log in memory.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Memory {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(buffer);
        Ok(buffer.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A running server, which is stopped on drop.
pub(crate) struct Server {
    pub(crate) started: Started,
    pub(crate) log: Memory,
    commands: mpsc::Sender<Command>,
    thread: Option<JoinHandle<Result<(), Failure>>>,
}

impl Server {
    pub(crate) fn start(config: &Path) -> Self {
        let (commands, receiver) = mpsc::channel(4);
        let (tell, told) = std::sync::mpsc::channel();
        let log = Memory::default();
        let options =
            Options { config: config.to_owned(), parts: parts(), log: Box::new(log.clone()), commands: Some(receiver) };
        let thread = std::thread::spawn(move || run(options, |started| tell.send(started.clone()).unwrap()));
        let Ok(started) = told.recv_timeout(Duration::from_secs(60)) else {
            panic!("not started: {:?}", thread.join());
        };
        Self { started, log, commands, thread: Some(thread) }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.started.listeners.first().unwrap().1
    }

    pub(crate) fn send(&self, command: Command) {
        self.commands.try_send(command).unwrap();
    }

    pub(crate) fn reload(&self) -> Result<(), String> {
        let (tell, told) = oneshot::channel();
        self.send(Command::Reload(tell));
        told.blocking_recv().unwrap()
    }

    pub(crate) fn stop(mut self) -> Result<(), Failure> {
        self.send(Command::Stop);
        self.thread.take().unwrap().join().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.commands.try_send(Command::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Runs a client.
pub(crate) fn client<T>(run: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap().block_on(run)
}

pub(crate) async fn tls(address: SocketAddr, config: ClientConfig) -> std::io::Result<TlsStream<TcpStream>> {
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::from(address.ip());
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

/// Sends a request with HTTP/1.1, and returns the status and the body.
pub(crate) async fn send(
    mut stream: impl AsyncReadExt + AsyncWriteExt + Unpin,
    line: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> std::io::Result<(u16, Vec<u8>)> {
    let mut head = format!("{line} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    if !body.is_empty() {
        head += &format!("Content-Length: {}\r\n", body.len());
    }
    head += "\r\n";
    stream.write_all(&[head.as_bytes(), body].concat()).await?;
    let mut octets = Vec::new();
    // The server may close the connection without a TLS alert.
    let _ = stream.read_to_end(&mut octets).await;
    let end = octets.windows(4).position(|four| four == b"\r\n\r\n").ok_or(std::io::ErrorKind::UnexpectedEof)?;
    let body = octets.split_off(end + 4);
    let head = String::from_utf8_lossy(&octets);
    Ok((head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default(), body))
}

/// Sends a GET request with HTTP/1.1, and returns the status and the body.
pub(crate) async fn get(
    stream: impl AsyncReadExt + AsyncWriteExt + Unpin,
    path: &str,
) -> std::io::Result<(u16, String)> {
    let (status, body) = send(stream, &format!("GET {path}"), &[], b"").await?;
    Ok((status, String::from_utf8_lossy(&body).into_owned()))
}

/// Sends a GET request over TLS.
pub(crate) fn get_tls(folder: &Folder, address: SocketAddr, path: &str) -> (u16, String) {
    client(async { get(tls(address, folder.client(&[])).await.unwrap(), path).await.unwrap() })
}

/// Sends a GET request over TCP.
pub(crate) fn get_plain(address: SocketAddr, path: &str) -> (u16, String) {
    client(async { get(TcpStream::connect(address).await.unwrap(), path).await.unwrap() })
}

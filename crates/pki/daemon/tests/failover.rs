//! Several servers on one PostgreSQL database. While clients order certificates, servers and the database are killed, and the
//! network between them is cut: no confirmed certificate is lost, no serial number is used twice, and a client's next attempt
//! succeeds.
//!
//! `TAGWISE_KILLS` is the number of kills [default: 10].
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(unix)]

mod common;
#[path = "../../ca/tests/common/postgres.rs"]
mod postgres;
#[path = "common/wire.rs"]
mod wire;

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::path::PathBuf;
use std::pin::Pin;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use instant_acme::{
    Account, AuthorizationStatus, BodyWrapper, BytesResponse, ChallengeType, Error, HttpClient, Identifier, NewAccount,
    NewOrder, OrderStatus, RetryPolicy,
};
use tagwise_ca::{Authority, PostgresStore, Serial, Store};
use tagwise_codec::Decode;
use tagwise_crypto::{Backend, KeySigner, KeyType};
use tagwise_daemon::{Options, run};
use tagwise_pkix::Certificate;
use tagwise_pkix::build::CsrBuilder;
use wire::{Network, Wire};

const NODES: usize = 3;
const CLIENTS: usize = 3;

/// The server of a node's process, which this test starts. Otherwise, it does nothing.
#[test]
fn node() {
    let Ok(config) = std::env::var("TAGWISE_NODE") else { return };
    let log = Box::new(std::io::sink());
    let (sender, commands) = tokio::sync::mpsc::channel(1);
    // The pipe ends with the test.
    thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        let _ = sender.blocking_send(tagwise_daemon::Command::Stop);
    });
    let options = Options { config: config.into(), parts: common::parts(), log, commands: Some(commands) };
    run(options, |_| {}).unwrap();
}

/// A server in a process of its own.
struct Node {
    config: PathBuf,
    address: SocketAddr,
    child: Child,
}

fn spawn(config: &PathBuf) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "node", "--nocapture"]).env("TAGWISE_NODE", config);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().unwrap()
}

impl Node {
    fn restart(&mut self) {
        self.child = spawn(&self.config);
        self.wait();
    }

    /// Waits until the node is ready.
    fn wait(&mut self) {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < Duration::from_secs(90), "a node does not start");
            let ready = common::client(async {
                let stream = tokio::net::TcpStream::connect(self.address).await?;
                common::get(stream, "/readyz").await
            });
            if ready.is_ok_and(|(status, _)| status == 200) {
                return;
            }
            if self.child.try_wait().unwrap().is_some() {
                // The database was starting.
                self.child = spawn(&self.config);
            }
            thread::sleep(Duration::from_millis(100));
        }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends each request to the next node that accepts connections, as a load balancer does, whatever the URL's host is.
#[derive(Clone)]
struct Nodes(Arc<(Vec<SocketAddr>, AtomicUsize)>);

impl HttpClient for Nodes {
    fn request(
        &self,
        request: hyper::Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let next = self.0.1.fetch_add(1, Ordering::Relaxed);
        let nodes = self.0.0.clone();
        Box::pin(async move {
            let other = |error: Box<dyn std::error::Error + Send + Sync>| Error::Other(error);
            let sent = async {
                let mut stream = Err(std::io::ErrorKind::NotConnected.into());
                for index in 0..nodes.len() {
                    stream = tokio::net::TcpStream::connect(nodes[(next + index) % nodes.len()]).await;
                    if stream.is_ok() {
                        break;
                    }
                }
                let stream = stream.map_err(|error: std::io::Error| other(error.into()))?;
                let (mut sender, driver) =
                    http1::handshake(TokioIo::new(stream)).await.map_err(|error| other(error.into()))?;
                tokio::spawn(driver);
                let (mut parts, body) = request.into_parts();
                parts.headers.insert("host", "ca.test".parse().unwrap());
                parts.uri = parts.uri.path_and_query().unwrap().as_str().parse().unwrap();
                let request = hyper::Request::from_parts(parts, body);
                let response = sender.send_request(request).await.map_err(|error| other(error.into()))?;
                Ok(BytesResponse::from(response))
            };
            let sent = tokio::time::timeout(Duration::from_secs(15), sent).await;
            sent.unwrap_or_else(|error| Err(other(error.into())))
        })
    }
}

/// Answers every A query with 127.0.0.1, and every other query with no records.
fn dns() -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 1500];
        while let Ok((_, from)) = socket.recv_from(&mut buffer) {
            let mut at = 12;
            while buffer[at] != 0 {
                at += 1 + usize::from(buffer[at]);
            }
            let is_a = buffer[at + 1..at + 3] == [0, 1];
            let mut answer =
                [&buffer[..2], &[0x81, 0x80, 0, 1, 0, u8::from(is_a), 0, 0, 0, 0], &buffer[12..at + 5]].concat();
            if is_a {
                answer.extend([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
            }
            let _ = socket.send_to(&answer, from);
        }
    });
    address
}

type Challenges = Arc<Mutex<HashMap<String, String>>>;

/// Serves key authorizations by their tokens.
fn web(challenges: Challenges) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut line = String::new();
            let mut reader = BufReader::new(&stream);
            let _ = reader.read_line(&mut line);
            let token = line.split(' ').nth(1).and_then(|path| path.rsplit('/').next()).unwrap_or_default().to_owned();
            let mut head = String::new();
            while reader.read_line(&mut head).unwrap_or(0) > 2 {
                head.clear();
            }
            let text = challenges.lock().unwrap().get(&token).cloned().unwrap_or_default();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", text.len());
            let _ = (&stream).write_all((head + &text).as_bytes());
        }
    });
    port
}

/// Orders a certificate, from the order to the certificate.
async fn order(account: &Account, name: &str, challenges: &Challenges) -> Result<Vec<u8>, Error> {
    let identifiers = [Identifier::Dns(name.to_owned())];
    let retries = RetryPolicy::new().initial_delay(Duration::from_millis(50)).timeout(Duration::from_secs(15));
    let mut order = account.new_order(&NewOrder::new(&identifiers)).await?;
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        if authorization.status == AuthorizationStatus::Pending {
            let mut challenge = authorization.challenge(ChallengeType::Http01).ok_or(Error::Str("no challenge"))?;
            let (token, text) = (challenge.token.clone(), challenge.key_authorization().as_str().to_owned());
            challenges.lock().unwrap().insert(token, text);
            challenge.set_ready().await?;
        }
    }
    if order.poll_ready(&retries).await? != OrderStatus::Ready {
        return Err(Error::Str("the order is not ready"));
    }
    let key = common::BACKEND.generate(KeyType::P256).unwrap();
    let signer = KeySigner::preferred(Arc::clone(&key)).unwrap();
    let csr = CsrBuilder::new().subject("").unwrap().dns(name).sign(&signer).unwrap();
    order.finalize_csr(csr.as_der()).await?;
    let pem = order.poll_certificate(&retries).await?;
    let block = pem.split("-----BEGIN CERTIFICATE-----").nth(1).unwrap().split("-----END").next().unwrap();
    let text: String = block.split_whitespace().collect();
    Ok(tagwise_codec::text::base64::decode(text.as_bytes()).unwrap())
}

#[test]
fn kills_lose_nothing() {
    let Some(mut database) = postgres::Server::start() else { return };
    let kills: usize = std::env::var("TAGWISE_KILLS").map_or(10, |text| text.parse().unwrap());
    let patience = Duration::from_secs(30);
    let mut store = PostgresStore::connect(&database.text(), patience).unwrap();
    let authority = common::found(&mut store);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("passphrase"), common::PASSPHRASE).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(folder.path().join("passphrase"), mode).unwrap();
    let challenges = Challenges::default();
    let (dns, port) = (dns(), web(Arc::clone(&challenges)));
    let listeners: Vec<_> = (0..NODES).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<_> = listeners.iter().map(|listener| listener.local_addr().unwrap()).collect();
    drop(listeners);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let wires: Vec<_> = addresses.iter().map(|_| Wire::start(&runtime, database.port())).collect();
    let node = |(address, wire): (&SocketAddr, &Wire)| {
        let config = folder.path().join(format!("{}.toml", address.port()));
        let text = format!(
            "[ca]\npostgresql = '{}'\npassphrase-file = 'passphrase'\nconnections = 3\n\
             [[listen]]\naddress = '{address}'\nplain = true\n\
             [acme]\nurl = 'http://ca.test/acme'\ndns = ['example.test']\nresolver = '{dns}'\nhttp-port = {port}\n\
             allow-addresses = ['127.0.0.1']\npreauthorization = true\norders-per-hour = 1000000\n\
             failures-per-hour = 1000000\n",
            database.text().replace(&database.port().to_string(), &wire.port.to_string())
        );
        std::fs::write(&config, text).unwrap();
        Node { child: spawn(&config), config, address: *address }
    };
    let mut nodes: Vec<Node> = addresses.iter().zip(&wires).map(node).collect();
    nodes.iter_mut().for_each(Node::wait);

    let (confirmed, failed) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
    let stop = Arc::new(AtomicBool::new(false));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|index| {
            let http = Nodes(Arc::new((addresses.clone(), AtomicUsize::new(index))));
            let (confirmed, failed) = (Arc::clone(&confirmed), Arc::clone(&failed));
            let (challenges, stop) = (Arc::clone(&challenges), Arc::clone(&stop));
            thread::spawn(move || {
                common::client(async move {
                    let new = NewAccount { contact: &[], terms_of_service_agreed: true, only_return_existing: false };
                    let url = "http://ca.test/acme/directory".to_owned();
                    let mut attempts = 0;
                    let account = loop {
                        let builder = Account::builder_with_http(Box::new(http.clone()));
                        match builder.create(&new, url.clone(), None).await {
                            Ok((account, _)) => break account,
                            Err(error) => assert!(attempts < 5, "no account: {error}"),
                        }
                        attempts += 1;
                        tokio::time::sleep(Duration::from_millis(200)).await;
                    };
                    let name = format!("client{index}.example.test");
                    while !stop.load(Ordering::Relaxed) {
                        match order(&account, &name, &challenges).await {
                            Ok(der) => confirmed.lock().unwrap().push(der),
                            Err(_) => {
                                failed.fetch_add(1, Ordering::Relaxed);
                                tokio::time::sleep(Duration::from_millis(50)).await;
                            }
                        }
                    }
                    // All nodes run again: after the errors of lost connections, an attempt succeeds.
                    let mut last = String::new();
                    for _ in 0..3 {
                        match order(&account, &name, &challenges).await {
                            Ok(der) => return confirmed.lock().unwrap().push(der),
                            Err(error) => last = error.to_string(),
                        }
                    }
                    panic!("the next attempt fails: {last}");
                });
            })
        })
        .collect();

    for kill in 0..kills {
        thread::sleep(Duration::from_millis(300 + 37 * u64::try_from(kill % 11).unwrap()));
        let (node, wire) = (&mut nodes[kill % NODES], &wires[kill % NODES]);
        match kill % 10 {
            5 => {
                database.crash();
                nodes.iter_mut().for_each(Node::wait);
            }
            2 => {
                wire.set(Network::Down);
                thread::sleep(Duration::from_millis(500));
                wire.set(Network::Up);
                node.wait();
            }
            7 => {
                wire.set(Network::Silent);
                thread::sleep(Duration::from_secs(2));
                wire.set(Network::Down);
                thread::sleep(Duration::from_millis(50));
                wire.set(Network::Up);
                node.wait();
            }
            _ => {
                node.kill();
                thread::sleep(Duration::from_millis(50));
                node.restart();
            }
        }
    }
    stop.store(true, Ordering::Relaxed);
    for client in clients {
        client.join().unwrap();
    }

    let confirmed = confirmed.lock().unwrap();
    let mut serials = HashSet::new();
    let mut store = PostgresStore::connect(&database.text(), patience).unwrap();
    for der in &*confirmed {
        let certificate = Certificate::from_der(der).unwrap();
        let serial = Serial::from_int(certificate.tbs_certificate.serial_number.0);
        assert!(serials.insert(serial.to_string()), "the serial number {serial} is used twice");
        let record = store.certificate(authority.id(), &serial).unwrap();
        assert!(record.is_some_and(|record| record.der == *der), "the certificate {serial} is lost");
    }
    assert!(confirmed.len() >= CLIENTS);
    let found = store.authority(Authority::LABEL).unwrap();
    assert!(found.is_some());
    println!("{kills} kills: {} certificates, {} failed attempts", confirmed.len(), failed.load(Ordering::Relaxed));
}

/// A service manager opens the socket and passes it with a name.
#[test]
fn sockets_are_inherited() {
    let folder = common::Folder::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let text = "[ca]\nsqlite = 'ca.db'\npassphrase-file = 'passphrase'\n\
                [[listen]]\naddress = 'fd:web'\nplain = true\n[ocsp]\n[crl]\n";
    let config = folder.write("server.toml", text);
    // The node stops when its standard input ends. Until the shell has moved it there, the socket takes its place.
    let (input, keep) = std::io::pipe().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "exec 3<&0 0<&1 1>&2; exec \"$@\"", "sh"]).arg(std::env::current_exe().unwrap());
    command.args(["--exact", "node", "--nocapture"]).env("TAGWISE_NODE", &config);
    command.env("LISTEN_FDS", "1").env("LISTEN_FDNAMES", "web").env_remove("LISTEN_PID");
    command.stdin(std::os::fd::OwnedFd::from(listener)).stdout(input);
    let mut node = Node { child: command.spawn().unwrap(), config, address };
    drop(command);
    node.wait();
    assert_eq!(common::get_plain(address, "/crl").0, 200);
    assert!(node.child.try_wait().unwrap().is_none());
    drop(keep);
    assert!(node.child.wait().unwrap().success());
}

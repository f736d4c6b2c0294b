//! Several servers on one PostgreSQL database. While clients order certificates, servers and the database are killed, and the
//! network between them is cut: no confirmed certificate is lost, no serial number is used twice, and a client's next attempt
//! succeeds.
//!
//! `TAGWISE_KILLS` is the number of kills [default: 10].
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(unix)]

#[path = "common/acme.rs"]
mod acme;
mod common;
#[path = "../../ca/tests/common/postgres.rs"]
mod postgres;
#[path = "common/wire.rs"]
mod wire;

use std::collections::HashSet;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use acme::{Challenges, Nodes, certificates, dns, order, web};
use instant_acme::{Account, NewAccount};
use tagwise_ca::{Authority, PostgresStore, Serial, Store};
use tagwise_codec::Decode;
use tagwise_daemon::{Options, run};
use tagwise_pkix::Certificate;
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
            let http = Nodes::new(addresses.clone(), index);
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
                        match order(&account, &name, None, &challenges).await {
                            Ok(pem) => confirmed.lock().unwrap().push(certificates(&pem).remove(0)),
                            Err(_) => {
                                failed.fetch_add(1, Ordering::Relaxed);
                                tokio::time::sleep(Duration::from_millis(50)).await;
                            }
                        }
                    }
                    // All nodes run again: after the errors of lost connections, an attempt succeeds.
                    let mut last = String::new();
                    for _ in 0..3 {
                        match order(&account, &name, None, &challenges).await {
                            Ok(pem) => return confirmed.lock().unwrap().push(certificates(&pem).remove(0)),
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

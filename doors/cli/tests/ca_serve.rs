//! `tagwise ca serve-ocsp`: held to OpenSSL's client, to plain sockets, and to many clients at once, some of whom misbehave.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::openssl::{has_openssl, openssl};
use common::tagwise;
use tagwise_codec::text::base64;
use tagwise_codec::{Decode, Int, pem};
use tagwise_pkix::build::{self, Digest, ExtensionList, IssuerHashes};
use tagwise_pkix::ocsp::{
    BasicOcspResponse, CertStatus, Nonce, OcspResponse, OcspResponseStatus, Request, Response, TbsRequest, Version,
};
use tagwise_pkix::{Certificate, CertificateList, CertificateSerialNumber, Extensions};

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// A CA with some certificates.
struct Ca {
    folder: tempfile::TempDir,
    db: String,
    root: Vec<u8>,
    leaves: Vec<Vec<u8>>,
}

fn der(pem: &str) -> Vec<u8> {
    pem::blocks(pem.as_bytes()).next().unwrap().unwrap().decode().unwrap()
}

fn ca(count: usize) -> Ca {
    let folder = tempfile::tempdir().unwrap();
    let (db, public) = (path(folder.path(), "ca.db"), path(folder.path(), "key.pub"));
    let init =
        ["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "-o", &path(folder.path(), "root.pem")];
    assert_eq!(tagwise(&init).code, Some(0));
    let key = path(folder.path(), "key");
    assert_eq!(tagwise(&["key", "new", "ed25519", "--no-passphrase", "-o", &key, "--public", &public]).code, Some(0));
    let leaves = (0..count)
        .map(|number| {
            let file = path(folder.path(), &format!("{number}.pem"));
            let issue = ["ca", "issue", "--db", &db, "--public-key", &public, "--dns", "a.example.org", "-o", &file];
            assert_eq!(tagwise(&issue).code, Some(0));
            der(&std::fs::read_to_string(file).unwrap())
        })
        .collect();
    let root = der(&std::fs::read_to_string(folder.path().join("root.pem")).unwrap());
    Ca { folder, db, root, leaves }
}

/// A server that is running; it is killed if a test fails.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(db: &str, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args(["ca", "serve-ocsp", "--db", db, "--listen", "127.0.0.1:0"]).args(args);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Self { child, address }
    }

    /// Ends it as an operator does, and gives what it says at the end.
    fn stop(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    }

    fn connect(&self) -> Client {
        Client::new(&self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One connection, over which requests go one after the other.
struct Client {
    stream: BufReader<TcpStream>,
}

struct Reply {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Client {
    fn new(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream) }
    }

    fn send(&mut self, octets: &[u8]) {
        self.stream.get_mut().write_all(octets).unwrap();
    }

    /// The next reply; nothing if the connection is closed instead.
    fn reply(&mut self) -> Option<Reply> {
        let mut head = String::new();
        loop {
            let before = head.len();
            if self.stream.read_line(&mut head).ok()? == 0 {
                return None;
            }
            if &head[before..] == "\r\n" {
                break;
            }
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let header =
            |line: &str| line.to_ascii_lowercase().strip_prefix("content-length: ").map(|len| len.parse().unwrap());
        let mut body = vec![0; head.lines().find_map(header).unwrap_or(0)];
        self.stream.read_exact(&mut body).ok()?;
        Some(Reply { status, head, body })
    }

    fn get(&mut self, path: &str) -> Option<Reply> {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: ca\r\n\r\n").as_bytes());
        self.reply()
    }

    fn post(&mut self, kind: &str, body: &[u8]) -> Option<Reply> {
        let head =
            format!("POST / HTTP/1.1\r\nHost: ca\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n", body.len());
        self.send(&[head.as_bytes(), body].concat());
        self.reply()
    }
}

const REQUEST: &str = "application/ocsp-request";

fn request(root: &[u8], leaf: &[u8], nonce: Option<&[u8]>) -> Vec<u8> {
    let hashes = IssuerHashes::of(Digest::Sha1, &Certificate::from_der(root).unwrap()).unwrap();
    let leaf = Certificate::from_der(leaf).unwrap();
    request_for(&hashes, leaf.tbs_certificate.serial_number, nonce)
}

fn request_for(hashes: &IssuerHashes, serial: CertificateSerialNumber<'_>, nonce: Option<&[u8]>) -> Vec<u8> {
    let list = [Request { req_cert: hashes.cert_id(serial), single_request_extensions: None }];
    let mut extensions = ExtensionList::new();
    if let Some(nonce) = nonce {
        extensions.add(false, &Nonce(nonce.into())).unwrap();
    }
    let extensions = extensions.extensions();
    build::ocsp_request(&TbsRequest {
        version: Version::V1,
        requestor_name: None,
        request_list: list.as_slice().into(),
        request_extensions: Extensions::new(&extensions),
    })
    .unwrap()
}

/// What RFC 6960 §A.1 makes of it.
fn escaped(request: &[u8]) -> String {
    base64::encode(request).replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
}

fn basic(response: &[u8]) -> BasicOcspResponse<'_> {
    let response = OcspResponse::from_der(response).unwrap();
    assert_eq!(response.response_status, OcspResponseStatus::Successful);
    match response.response_bytes.unwrap().response.get().unwrap() {
        Response::Response(basic) => basic,
        Response::Unknown(_) => panic!("no basic response"),
    }
}

fn is_good(response: &[u8]) -> bool {
    let first = basic(response).tbs_response_data.responses.iter().next().unwrap().unwrap();
    matches!(first.cert_status, CertStatus::Good)
}

const MALFORMED: [u8; 5] = [0x30, 3, 0x0A, 1, 1];

#[test]
fn openssl_asks() {
    if !has_openssl() {
        return;
    }
    let ca = ca(2);
    let folder = ca.folder.path();
    let server = Server::start(&ca.db, &[]);
    let url = format!("http://{}/", server.address);
    let ask = ["ocsp", "-url", &url, "-issuer", "root.pem", "-CAfile", "root.pem", "-cert"];
    for more in [&["0.pem"][..], &["0.pem", "-no_nonce"], &["0.pem", "-cert", "1.pem"], &["0.pem", "-serial", "0x1234"]]
    {
        let said = openssl(folder, &[&ask[..], more].concat());
        assert!(said.contains("Response verify OK") && said.contains("0.pem: good"), "{more:?}: {said}");
        assert!(!said.contains("WARNING") && !said.contains("Nonce Verify error"), "{said}");
        assert_eq!(said.contains("0x1234: unknown"), more.contains(&"0x1234"), "{said}");
    }
    let by_sha256 = ["ocsp", "-url", &url, "-issuer", "root.pem", "-CAfile", "root.pem", "-sha256", "-cert", "0.pem"];
    assert!(openssl(folder, &by_sha256).contains("0.pem: good"));
    // Another process revokes: the next answer says so, with the cached one gone.
    let leaf = path(folder, "0.pem");
    assert_eq!(
        tagwise(&["ca", "revoke", "--db", &ca.db, "--certificate", &leaf, "--reason", "superseded"]).code,
        Some(0)
    );
    for more in [&["0.pem"][..], &["0.pem", "-no_nonce"]] {
        let said = openssl(folder, &[&ask[..], more].concat());
        assert!(said.contains("0.pem: revoked") && said.contains("Reason: superseded"), "{said}");
    }
    server.stop();
}

#[test]
fn requests_of_every_kind() {
    let ca = ca(2);
    // What is signed in advance may take the place of what a client has just got.
    let server = Server::start(&ca.db, &["--no-advance"]);
    let mut client = server.connect();
    let asked = request(&ca.root, &ca.leaves[0], None);
    let posted = client.post(REQUEST, &asked).unwrap();
    assert!(
        posted.head.to_ascii_lowercase().contains("content-type: application/ocsp-response\r\n"),
        "{}",
        posted.head
    );
    assert!(posted.status == 200 && is_good(&posted.body));
    // The same answer by GET, in the forms that clients have of it, and to be cached.
    for path in
        [escaped(&asked), base64::encode(&asked), format!("ocsp/{}", escaped(&asked)), format!("/{}", escaped(&asked))]
    {
        let got = client.get(&format!("/{path}")).unwrap();
        assert_eq!((got.status, &got.body), (200, &posted.body), "{path}");
        for header in ["cache-control: max-age=", "etag: \"", "expires: ", "last-modified: "] {
            assert!(got.head.to_ascii_lowercase().contains(header), "{}", got.head);
        }
    }
    let nonced = client.get(&format!("/{}", escaped(&request(&ca.root, &ca.leaves[0], Some(&[9; 16]))))).unwrap();
    assert!(nonced.head.contains("no-store") && is_good(&nonced.body));
    // What was never issued is not good, and is not kept.
    let hashes = IssuerHashes::of(Digest::Sha1, &Certificate::from_der(&ca.root).unwrap()).unwrap();
    let unknown = request_for(&hashes, CertificateSerialNumber(Int::from_signed(&[0x12, 0x34])), None);
    assert!(!is_good(&client.post(REQUEST, &unknown).unwrap().body));
    // Another CA's.
    let stranger = request(&ca.leaves[0], &ca.leaves[1], None);
    assert_eq!(client.post(REQUEST, &stranger).unwrap().body, [0x30, 3, 0x0A, 1, 6]);
    // What is malformed is answered as OCSP has it.
    for body in [&b""[..], b"0", &asked[1..], &asked[..asked.len() - 1], &[0x30; 300]] {
        let reply = client.post(REQUEST, body).unwrap();
        assert_eq!((reply.status, reply.body.as_slice()), (200, &MALFORMED[..]));
    }
    for path in ["/MAA=", "/M", "/M%", "/MEo%ZZ", &format!("/{}", base64::encode(&asked[..40]))] {
        assert_eq!(client.get(path).unwrap().body, MALFORMED, "{path}");
    }
    // Nonces of 1 to 128 octets, and no others (RFC 9654 §2.1): a length octet makes one of 128 a longer one.
    assert!(is_good(&client.post(REQUEST, &request(&ca.root, &ca.leaves[0], Some(&[9; 128]))).unwrap().body));

    let crl = client.get("/crl").unwrap();
    assert!(crl.head.to_ascii_lowercase().contains("content-type: application/pkix-crl\r\n"));
    let list = CertificateList::from_der(&crl.body).unwrap();
    assert_eq!(list.tbs_cert_list.number().unwrap().unwrap().0.get(), 1);
    assert_eq!(client.get("/ca").unwrap().body, ca.root);
    for (path, status) in [("/", 404), ("/other", 404), ("/crl/1", 404)] {
        assert_eq!(client.get(path).unwrap().status, status, "{path}");
    }
    assert_eq!(client.post("text/plain", &asked).unwrap().status, 415);
    client.send(b"DELETE / HTTP/1.1\r\nHost: ca\r\n\r\n");
    assert_eq!(client.reply().unwrap().status, 405);
    client.send(b"HEAD /crl HTTP/1.1\r\nHost: ca\r\nConnection: close\r\n\r\n");
    let mut all = String::new();
    client.stream.read_to_string(&mut all).unwrap();
    assert!(all.starts_with("HTTP/1.1 200") && all.ends_with("\r\n\r\n"), "{all}");
    // More than a request can need.
    assert_eq!(server.connect().post(REQUEST, &[0x30; 20_000]).unwrap().status, 413);
    let mut client = server.connect();
    client.send(b"POST / HTTP/1.1\r\nHost: ca\r\nTransfer-Encoding: chunked\r\n\r\n");
    let chunk = [&b"2000\r\n"[..], &[0x30; 0x2000], b"\r\n"].concat();
    (0..3).for_each(|_| drop(client.stream.get_mut().write_all(&chunk)));
    assert_eq!(client.reply().unwrap().status, 413);
    let long = format!("/M{}", "A".repeat(40_000));
    let reply = server.connect().get(&long);
    assert!(reply.is_none_or(|reply| reply.status >= 400));
    let said = server.stop();
    assert!(said.contains(" answered, ") && said.contains(", 0 failed"), "{said}");
}

/// Clients that are slow, broken off or mad beside many that are not.
#[test]
fn under_load() {
    const TIME: Duration = Duration::from_secs(6);
    let ca = Arc::new(ca(20));
    let server = Server::start(&ca.db, &["--connections", "64"]);
    let requests: Arc<Vec<Vec<u8>>> = Arc::new(ca.leaves.iter().map(|leaf| request(&ca.root, leaf, None)).collect());
    let (good, bad) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let stop = Arc::new(AtomicBool::new(false));
    let mut threads = Vec::new();
    for number in 0..4_usize {
        let (address, requests) = (server.address.clone(), Arc::clone(&requests));
        let (good, bad, stop) = (Arc::clone(&good), Arc::clone(&bad), Arc::clone(&stop));
        threads.push(std::thread::spawn(move || {
            let mut at = number;
            while !stop.load(Ordering::Relaxed) {
                let mut client = Client::new(&address);
                for _ in 0..40 {
                    at += 1;
                    let asked = &requests[at % requests.len()];
                    let reply = match at % 4 {
                        0 => client.get(&format!("/{}", escaped(asked))),
                        1 => client.get("/crl"),
                        _ => client.post(REQUEST, asked),
                    };
                    let reply = reply.unwrap();
                    assert_eq!(reply.status, 200);
                    assert!(at % 4 == 1 || is_good(&reply.body));
                    good.fetch_add(1, Ordering::Relaxed);
                    // And between them what is malformed: octets of a request that are others.
                    let mut spoilt = asked.clone();
                    let len = spoilt.len();
                    spoilt[at % 4] ^= 0x41;
                    spoilt.truncate(len - at % 3);
                    let reply = client.post(REQUEST, &spoilt).unwrap();
                    assert_eq!((reply.status, reply.body.as_slice()), (200, &MALFORMED[..]), "{at}");
                    bad.fetch_add(1, Ordering::Relaxed);
                }
            }
        }));
    }
    // Those that never end what they begin: after a while they are let go. Others send what is no HTTP, or leave in the middle.
    let mut slow: Vec<Client> = (0..20)
        .map(|number| {
            let mut client = server.connect();
            client.send(if number % 2 == 0 {
                b"GET /crl HT"
            } else {
                b"POST / HTTP/1.1\r\nHost: ca\r\nContent-Length: 90\r\n\r\n0"
            });
            client
        })
        .collect();
    let start = Instant::now();
    let mut round = 0_usize;
    while start.elapsed() < TIME {
        round += 1;
        let mut client = server.connect();
        match round % 4 {
            0 => client.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
            1 => client.send(b"POST / HTTP/1.1\r\nHost: ca\r\nContent-Length: 99999999999999999999\r\n\r\n"),
            2 => client.send(b"GET / HTTP/9.9\r\n\r\n"),
            _ => client.send(b"POST / HTTP/1.1\r\nHost: ca\r\nContent-Length: 80\r\n\r\n0000"),
        }
        if round % 4 != 3 {
            assert!(client.reply().is_none_or(|reply| reply.status >= 400));
        }
        drop(client);
        std::thread::sleep(Duration::from_millis(3));
    }
    stop.store(true, Ordering::Relaxed);
    for thread in threads {
        thread.join().unwrap();
    }
    for client in &mut slow {
        assert!(client.reply().is_none_or(|reply| reply.status == 408));
    }
    assert!(is_good(&server.connect().post(REQUEST, &requests[0]).unwrap().body));
    let (good, bad) = (good.load(Ordering::Relaxed), bad.load(Ordering::Relaxed));
    println!("{good} good and {bad} malformed requests, {round} broken connections in {:?}", start.elapsed());
    assert!(good > 200 && bad > 200);
    let said = server.stop();
    assert!(said.contains(", 0 failed"), "{said}");
}

/// A key of the responder's own: the CA's stays under its passphrase, and nobody is asked for it.
#[test]
fn with_a_key_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let at = |name: &str| path(folder, name);
    std::fs::write(folder.join("secret"), "secret\n").unwrap();
    let (db, secret, root) = (at("ca.db"), at("secret"), at("root.pem"));
    let init = ["ca", "init", "--db", &db, "--subject", "CN=Root", "--passphrase-file", &secret, "-o", &root];
    assert_eq!(tagwise(&init).code, Some(0));
    let (key, own) = (at("ocsp.key"), at("ocsp.pem"));
    let issue = [
        "ca",
        "issue",
        "--db",
        &db,
        "--passphrase-file",
        &secret,
        "--new-key",
        "ecdsa-p256",
        "--key-out",
        &key,
        "--key-no-passphrase",
        "--subject",
        "CN=OCSP",
        "--profile",
        "ocsp",
        "-o",
        &own,
    ];
    let run = tagwise(&issue);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let server = Server::start(&db, &["--responder-key", &key, "--responder-certificate", &own]);
    let [root, own] = [root, own].map(|file| der(&std::fs::read_to_string(file).unwrap()));
    let mut client = server.connect();
    let reply = client.post(REQUEST, &request(&root, &own, None)).unwrap();
    let response = basic(&reply.body);
    assert_eq!(response.certs.unwrap().iter().count(), 1);
    // No CRL was made: that takes the CA's key.
    assert_eq!(client.get("/crl").unwrap().status, 404);
    server.stop();
}

/// Clients that keep their connections and ask for nothing hold up no other: the one that has been idle longest makes room.
#[test]
fn idle_clients_make_room() {
    let ca = ca(1);
    let server = Server::start(&ca.db, &["--connections", "8"]);
    let asked = request(&ca.root, &ca.leaves[0], None);
    let mut idle: Vec<Client> = (0..8).map(|_| server.connect()).collect();
    for client in &mut idle {
        assert!(is_good(&client.post(REQUEST, &asked).unwrap().body));
    }
    // The oldest of them asks again: it is no longer the one that has been idle longest.
    assert!(is_good(&idle[0].post(REQUEST, &asked).unwrap().body));
    for _ in 0..3 {
        let start = Instant::now();
        let mut client = server.connect();
        assert!(is_good(&client.post(REQUEST, &asked).unwrap().body));
        assert!(start.elapsed() < Duration::from_secs(3), "a new client waited for {:?}", start.elapsed());
    }
    assert!(is_good(&idle[0].post(REQUEST, &asked).unwrap().body));
    assert!(idle[1].reply().is_none(), "the one that was idle longest is still there");
    // Those that never ask for anything are let go after a while, whether their place is wanted or not.
    let start = Instant::now();
    let mut silent = server.connect();
    assert!(silent.reply().is_none());
    assert!(start.elapsed() < Duration::from_secs(15), "an idle connection was kept for {:?}", start.elapsed());
    server.stop();
}

/// Responses by a delegated key, whose certificate they include, and a line of the log for each request.
#[test]
fn delegated_and_logged() {
    if !has_openssl() {
        return;
    }
    let ca = ca(2);
    let log = path(ca.folder.path(), "access.jsonl");
    let server = Server::start(&ca.db, &["--delegate-days", "7", "--access-log", &log]);
    let url = format!("http://{}/", server.address);
    let ask = ["ocsp", "-url", &url, "-issuer", "root.pem", "-cert", "0.pem", "-CAfile", "root.pem", "-resp_text"];
    let said = openssl(ca.folder.path(), &ask);
    for words in ["Response verify OK", "0.pem: good", "OCSP responder", "OCSP No Check:", "OCSP Signing"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let serial = tagwise(&["ca", "list", "--db", &ca.db, "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&serial.out).unwrap();
    let listed = listed["certificates"].as_array().unwrap();
    let responders = listed.iter().filter(|one| one["profile"] == "ocsp").count();
    assert_eq!(responders, 1);
    // The CA's key still signs CRLs.
    let crl = server.connect().get("/crl").unwrap();
    assert_eq!(crl.status, 200);
    CertificateList::from_der(&crl.body).unwrap();
    assert_eq!(server.connect().get("/nothing").unwrap().status, 404);
    server.stop();
    let text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<(&str, &str, u64)> = lines
        .iter()
        .map(|line| {
            (line["method"].as_str().unwrap(), line["path"].as_str().unwrap(), line["status"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(kinds, [("POST", "/", 200), ("GET", "/crl", 200), ("GET", "/nothing", 404)]);
    assert_eq!((&lines[0]["ocsp"], &lines[0]["serials"][0]), (&"successful".into(), &listed[1]["serial"]));
    assert!(lines.iter().all(|line| line["peer"].as_str().unwrap().starts_with("127.0.0.1:")));
}

/// Each CRL is at a path of its own, and at the path of its URL in certificates.
#[test]
fn every_series_of_crls() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(folder.path(), name);
    let run = |line: &str| {
        let words: Vec<String> =
            line.split(' ').map(|word| word.strip_prefix('@').map_or_else(|| word.to_owned(), &at)).collect();
        let run = tagwise(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "{line}: {}{}", run.out, run.err);
    };
    run("ca init --db @ca.db --subject CN=CA --no-passphrase --crl-url http://ca.example.org/crls/{2}.crl -o @ca.pem");
    run("ca init --db @sub.db --subject CN=Sub --no-passphrase -o @sub.pem");
    let server = Server::start(&at("ca.db"), &["--no-advance"]);
    let get = |path: &str| server.connect().get(path).unwrap();
    // The server issues the complete CRL, and those of the partitions, when it starts.
    for (path, status) in [
        ("/crl", 200),
        ("/crl/1", 200),
        ("/crl/2", 200),
        ("/crls/2.crl", 200),
        ("/crl/3", 404),
        ("/crl/01", 404),
        ("/crls/3.crl", 404),
        ("/crl/delta", 404),
        ("/crl/indirect", 404),
        ("/crl/x", 404),
    ] {
        assert_eq!(get(path).status, status, "{path}");
    }
    run("ca crl --db @ca.db --delta --partitions @deltas -o @delta.crl --der");
    run("ca crl --db @ca.db --indirect --of @sub.db -o @indirect.crl --der");
    for (path, file) in [
        ("/crl/delta", "delta.crl"),
        ("/crl/1/delta", "deltas/1.crl"),
        ("/crl/2/delta", "deltas/2.crl"),
        ("/crl/indirect", "indirect.crl"),
    ] {
        let reply = get(path);
        assert!(reply.head.to_ascii_lowercase().contains("content-type: application/pkix-crl\r\n"), "{}", reply.head);
        assert_eq!(reply.body, std::fs::read(at(file)).unwrap(), "{path}");
    }
    assert_eq!(get("/crl/1").body, get("/crls/1.crl").body);
    server.stop();
}

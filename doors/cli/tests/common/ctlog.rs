//! Logs of Certificate Transparency on the loopback interface: the log of `tagwise-ct`'s tests behind HTTP, with submission.
#![allow(dead_code, reason = "no test uses all of it")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tagwise_codec::Decode;
use tagwise_codec::text::base64;
use tagwise_ct::LogEntry;
use tagwise_pkix::Certificate;

use crate::log::TestLog;

/// The answers of a log to submissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Honest,
    /// With this status, and with `Retry-After: 1` until so many requests have been answered.
    Status(u16, usize),
    /// The signature is that of another key.
    WrongKey,
    /// The signature is of other bytes.
    BadSignature,
    /// Not JSON.
    Garbage,
    /// The timestamp is an hour ahead.
    Future,
    /// The timestamp is an hour old.
    Past,
    /// No answer.
    Silent,
}

/// A running log.
pub(crate) struct Served {
    pub(crate) log: Arc<Mutex<TestLog>>,
    pub(crate) manner: Arc<Mutex<Manner>>,
    /// The paths of all requests.
    pub(crate) seen: Arc<Mutex<Vec<String>>>,
    pub(crate) port: u16,
    stop: Arc<AtomicBool>,
}

impl Served {
    /// Starts a log whose tree head is from now.
    pub(crate) fn start(mut log: TestLog) -> Self {
        log.time = milliseconds();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let served = Self {
            log: Arc::new(Mutex::new(log)),
            manner: Arc::new(Mutex::new(Manner::Honest)),
            seen: Arc::default(),
            port,
            stop: Arc::default(),
        };
        let (log, manner) = (Arc::clone(&served.log), Arc::clone(&served.manner));
        let (seen, stop) = (Arc::clone(&served.seen), Arc::clone(&served.stop));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let (log, manner, seen) = (Arc::clone(&log), Arc::clone(&manner), Arc::clone(&seen));
                std::thread::spawn(move || {
                    let stream = stream.unwrap();
                    while answer(&stream, &log, &manner, &seen).is_some() {}
                });
            }
        });
        served
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn key(&self) -> String {
        self.log.lock().unwrap().key_text()
    }

    pub(crate) fn be(&self, manner: Manner) {
        *self.manner.lock().unwrap() = manner;
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

/// Answers one request. Returns `None` at the end of the connection.
fn answer(stream: &TcpStream, log: &Mutex<TestLog>, manner: &Mutex<Manner>, seen: &Mutex<Vec<String>>) -> Option<()> {
    let mut input = BufReader::new(stream);
    let mut line = String::new();
    input.read_line(&mut line).ok().filter(|len| *len > 0)?;
    let path = line.split(' ').nth(1)?.trim_start_matches('/').to_owned();
    let (mut length, mut closes) = (0, false);
    loop {
        line.clear();
        input.read_line(&mut line).ok()?;
        let field = line.trim().to_ascii_lowercase();
        if field.is_empty() {
            break;
        }
        if let Some(value) = field.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        closes |= field == "connection: close";
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    seen.lock().unwrap().push(path.clone());
    let manner = manner.lock().unwrap().clone();
    if manner == Manner::Silent {
        std::thread::sleep(std::time::Duration::from_secs(5));
        return None;
    }
    let (status, fields, body) = if path == "ct/v1/add-pre-chain" {
        let asked = seen.lock().unwrap().iter().filter(|one| **one == path).count();
        submitted(&mut log.lock().unwrap(), &manner, &body, asked)
    } else {
        let log = log.lock().unwrap();
        match log.rfc6962(&path).filter(|_| log.has_api).or_else(|| log.tiles(&path).filter(|_| !log.has_api)) {
            Some(body) => (200, "", body),
            None => (404, "", b"none".to_vec()),
        }
    };
    let close = if closes { "Connection: close\r\n" } else { "" };
    let head = format!("HTTP/1.1 {status} X\r\n{fields}{close}Content-Length: {}\r\n\r\n", body.len());
    (&*stream).write_all(&[head.as_bytes(), &body].concat()).ok()?;
    (!closes).then_some(())
}

/// The time in milliseconds since 1970.
fn milliseconds() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64
}

fn submitted(log: &mut TestLog, manner: &Manner, body: &[u8], asked: usize) -> (u16, &'static str, Vec<u8>) {
    let read: serde_json::Value = serde_json::from_slice(body).unwrap();
    let chain: Vec<Vec<u8>> = read["chain"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| base64::decode(one.as_str().unwrap().as_bytes()).unwrap())
        .collect();
    let (precertificate, issuer) =
        (Certificate::from_der(&chain[0]).unwrap(), Certificate::from_der(&chain[1]).unwrap());
    let key = tagwise_codec::encode(&issuer.tbs_certificate.subject_public_key_info).unwrap();
    let entry = LogEntry::precert(precertificate.tbs_certificate.as_bytes(), &key).unwrap();
    let now = milliseconds();
    let answer = match manner {
        Manner::Status(status, until) if asked <= *until => return (*status, "Retry-After: 1\r\n", b"busy".to_vec()),
        Manner::Garbage => "{\"sct_version\":".to_owned(),
        Manner::Future => log.add(&entry, &chain[0], chain[1..].to_vec(), now + 3_600_000),
        Manner::Past => log.add(&entry, &chain[0], chain[1..].to_vec(), now - 3_600_000),
        Manner::WrongKey => TestLog::new().add(&entry, &chain[0], Vec::new(), now),
        Manner::BadSignature => {
            let good = log.add(&entry, &chain[0], chain[1..].to_vec(), now);
            good.replace(&format!("\"timestamp\":{now}"), &format!("\"timestamp\":{}", now - 1))
        }
        _ => log.add(&entry, &chain[0], chain[1..].to_vec(), now),
    };
    (200, "", answer.into_bytes())
}

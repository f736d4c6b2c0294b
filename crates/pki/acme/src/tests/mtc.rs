//! A CA with a log, whose certificates are made up: proofs are not this crate's concern.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tagwise_ca::{Error, IssuanceLog, LogCertificate, Serial, Store};

use super::*;

/// The counterpart of a certificate: an octet, and the certificate.
const STANDALONE: u8 = 1;
const RELATIVE: u8 = 2;

#[derive(Debug, Default)]
struct Log {
    entries: Mutex<Vec<(Serial, Vec<u8>)>>,
    fails: AtomicBool,
    has_landmark: AtomicBool,
}

impl Log {
    fn form(&self, serial: &Serial, form: u8) -> Option<LogCertificate> {
        let entries = self.entries.lock().unwrap();
        let (_, der) = entries.iter().find(|(own, _)| own == serial)?;
        Some(LogCertificate { der: [&[form], der.as_slice()].concat(), properties: vec![0, form] })
    }
}

impl IssuanceLog for Log {
    fn add(&self, certificates: &[(&Serial, &[u8])], _: UnixTime) -> Result<(), Error> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(Error::Unconfirmed { doing: "logging", source: "the disk is full".into() });
        }
        let mut entries = self.entries.lock().unwrap();
        for (serial, der) in certificates {
            if !entries.iter().any(|(own, _)| own == *serial) {
                entries.push(((*serial).clone(), der.to_vec()));
            }
        }
        Ok(())
    }

    fn standalone(&self, serial: &Serial) -> Result<Option<LogCertificate>, Error> {
        Ok(self.form(serial, STANDALONE))
    }

    fn landmark_relative(&self, serial: &Serial, _: UnixTime) -> Result<Option<LogCertificate>, Error> {
        Ok(self.form(serial, RELATIVE).filter(|_| self.has_landmark.load(Ordering::Relaxed)))
    }

    fn serial_of(&self, counterpart: &[u8]) -> Result<Option<Serial>, Error> {
        let entries = self.entries.lock().unwrap();
        Ok(entries.iter().find(|(_, der)| counterpart.ends_with(der)).map(|(serial, _)| serial.clone()))
    }

    fn anchor(&self) -> &[u8] {
        b"anchor"
    }

    fn landmark_interval(&self) -> Duration {
        Duration::from_secs(3600)
    }
}

/// A server whose CA has a log.
fn logged(policy: &str) -> (Server, Arc<Log>) {
    let mut store = SqliteStore::in_memory().unwrap();
    let log = Arc::new(Log::default());
    let authority = authority(&mut store, UnixTime(NOW.0 - 86_400)).with_log(Arc::clone(&log) as Arc<dyn IssuanceLog>);
    (Server { acme: acme(authority, &format!("{POLICY}\n{policy}"), URL), store, now: NOW }, log)
}

impl Client {
    /// Fetches a certificate as a client that accepts a media type.
    fn fetch(&self, server: &mut Server, path: &str, accept: Option<&str>) -> Reply {
        let header = self.header(server, path, false);
        let body = jws(&*self.key, &header, b"");
        let (path, content_type) = (format!("/acme/{path}"), Some(&b"application/jose+json"[..]));
        let accept = accept.map(str::as_bytes);
        server.call().answer(Asked { method: "POST", path: &path, content_type, accept, body: &body })
    }

    /// Orders a certificate with a profile, and returns the path of the certificate.
    fn issue_with(&self, server: &mut Server, profile: Option<&str>) -> String {
        let mut new = json!({ "identifiers": identifiers(&["a.example.org"]) });
        if let Some(profile) = profile {
            new["profile"] = json!(profile);
        }
        let reply = self.post(server, "new-order", &new);
        assert_eq!(reply.status, 201, "{}", body(&reply));
        let order = path(&json!(header(&reply, "location").unwrap()));
        for authorization in body(&reply)["authorizations"].as_array().unwrap() {
            let authorization = body(&self.read(server, &path(authorization)));
            let challenge = self.post(server, &path(&authorization["challenges"][0]["url"]), &json!({}));
            server.conclude(&challenge.jobs, Ok(()));
        }
        let key = BACKEND.generate(KeyType::P256).unwrap();
        let reply = self.finalize(server, &order, &csr(&key, &["a.example.org"], ""));
        assert_eq!(reply.status, 200, "{}", body(&reply));
        path(&body(&reply)["certificate"])
    }
}

#[test]
fn each_profile_has_a_counterpart() {
    let names = |server: &mut Server| {
        let directory = body(&server.get("directory"));
        directory["meta"]["profiles"].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
    };
    let (mut server, _) = logged("");
    assert_eq!(names(&mut server), "server server-mtc short short-mtc");
    assert_eq!(server.acme.profiles[0].name, "server");
    let (server, _) = logged("mtc-by-default = true");
    assert_eq!(server.acme.profiles[0].name, "server-mtc");
    assert_eq!(names(&mut Server::new(POLICY)), "server short");
}

#[test]
fn an_order_receives_the_form_of_its_profile() {
    let (mut server, log) = logged("");
    let client = Client::new(&mut server);
    let signed = client.issue_with(&mut server, None);
    let merkle = client.issue_with(&mut server, Some("server-mtc"));
    assert_eq!(log.entries.lock().unwrap().len(), 2);

    let reply = client.fetch(&mut server, &signed, Some("*/*"));
    let root = server.acme.authority.certificate_der().to_vec();
    assert_eq!(certificates(&reply.body)[1], root);
    assert_eq!(client.fetch(&mut server, &format!("{signed}/landmark"), None).status, 404);

    let reply = client.fetch(&mut server, &merkle, Some("*/*"));
    assert_eq!((reply.status, reply.kind), (200, "application/pem-certificate-chain"));
    let chain = certificates(&reply.body);
    assert_eq!((chain[0][0], chain[1].as_slice()), (STANDALONE, b"anchor".as_slice()));
    let link = format!("<{URL}/{merkle}/landmark>;rel=\"acme-optional-alternate\"");
    assert!(reply.headers.contains(&("link", link)), "{:?}", reply.headers);
    // The signed certificate is not what was ordered.
    assert_eq!(client.fetch(&mut server, &format!("{merkle}/0"), None).status, 404);

    let properties = "application/pem-certificate-chain-with-properties";
    let reply = client.fetch(&mut server, &merkle, Some(properties));
    assert_eq!((reply.status, reply.kind), (200, properties));
    let text = String::from_utf8(reply.body).unwrap();
    assert!(text.starts_with("-----BEGIN CERTIFICATE PROPERTIES-----\nAAE=\n"), "{text}");
    assert_eq!(text.matches("BEGIN CERTIFICATE-----").count(), 1);

    let landmark = format!("{merkle}/landmark");
    let reply = client.fetch(&mut server, &landmark, Some(properties));
    assert_eq!((reply.status, header(&reply, "retry-after").as_deref()), (202, Some("3600")));
    log.has_landmark.store(true, Ordering::Relaxed);
    let reply = client.fetch(&mut server, &landmark, None);
    assert_eq!((reply.status, certificates(&reply.body)[0][0]), (200, RELATIVE));
    // Another account's.
    let other = Client::new(&mut server);
    assert_eq!(problem(&other.fetch(&mut server, &landmark, None)), "unauthorized");
}

/// The certificate is stored and then logged. If the log fails in between, it is logged later, once.
#[test]
fn nothing_is_delivered_that_is_not_logged() {
    let (mut server, log) = logged("");
    let client = Client::new(&mut server);
    let order = client.ready(&mut server, &["a.example.org"]);
    log.fails.store(true, Ordering::Relaxed);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let reply = client.finalize(&mut server, &order, &csr(&key, &["a.example.org"], ""));
    assert_eq!((reply.status, problem(&reply).as_str()), (503, "serverInternal"));
    server.now = UnixTime(NOW.0 + 60);
    assert_eq!(client.read(&mut server, &order).status, 503);
    log.fails.store(false, Ordering::Relaxed);
    server.now = UnixTime(NOW.0 + 70);
    let reply = client.read(&mut server, &order);
    assert_eq!(body(&reply)["status"], "processing");
    assert_eq!(header(&reply, "retry-after").as_deref(), Some("2"));
    server.now = UnixTime(NOW.0 + 120);
    assert_eq!(body(&client.read(&mut server, &order))["status"], "valid");
    assert_eq!(log.entries.lock().unwrap().len(), 1);
    let mut count = 0;
    let id = server.acme.authority.id();
    let mut visit = |_| {
        count += 1;
        Ok(())
    };
    server.store.certificates(id, &mut visit).unwrap();
    // The CA's own certificate, and one for the order.
    assert_eq!(count, 2);
}

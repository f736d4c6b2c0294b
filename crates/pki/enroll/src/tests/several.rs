//! Several servers on one database, and servers that stop halfway.

use tagwise_ca::{Documents, SqliteOptions, SqliteStore};
use tagwise_codec::text::base64;

use super::net::Net;
use super::*;
use crate::{Cmp, Est, Request, Service, requests};

/// A CA in a file, and a number of connections to it.
fn opened(path: &std::path::Path, count: usize) -> (World, Vec<SqliteStore>) {
    let world = World::in_store(POLICY, KeyType::P256, SqliteStore::create(path, &SqliteOptions::DEFAULT).unwrap());
    (world, (0..count).map(|_| SqliteStore::open(path, &SqliteOptions::DEFAULT).unwrap()).collect())
}

fn enroll(est: &Est, store: &mut SqliteStore, login: &str, der: &[u8], now: UnixTime) -> u16 {
    let authorization = format!("Basic {}", base64::encode(login.as_bytes()));
    let body = base64::encode(der).into_bytes();
    let request = Request {
        method: "POST",
        path: "/.well-known/est/simpleenroll",
        content_type: Some(b"application/pkcs10"),
        authorization: Some(authorization.as_bytes()),
        body: &body,
        ..Request::default()
    };
    est.answer(store, &request, now).status
}

#[test]
fn one_secret_admits_once_and_one_request_has_one_certificate() {
    let directory = tempfile::tempdir().unwrap();
    let (mut world, stores) = opened(&directory.path().join("ca.db"), 8);
    let (user, password) = world.secret(Usage::User, "servers", true);
    let (again, again_password) = world.secret(Usage::User, "servers", false);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let same = csr(&key, "", &["same.example.org"]);
    let est = Est::new(world.enrollment.clone());
    let now = world.now;
    let statuses: Vec<(u16, u16)> = std::thread::scope(|scope| {
        let threads: Vec<_> = stores
            .into_iter()
            .enumerate()
            .map(|(at, mut store)| {
                let (est, key, same) = (&est, &key, &same);
                let (once, often) = (format!("{user}:{password}"), format!("{again}:{again_password}"));
                scope.spawn(move || {
                    let der = csr(key, "", &[&format!("host{at}.example.org")]);
                    (enroll(est, &mut store, &once, &der, now), enroll(est, &mut store, &often, same, now))
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|(once, _)| *once == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|(once, _)| [200, 403, 503].contains(once)), "{statuses:?}");
    assert!(statuses.iter().all(|(_, same)| [200, 202, 503].contains(same)), "{statuses:?}");
    assert_eq!(world.count(), 2);
    // Everybody receives the same certificate at last.
    assert_eq!(enroll(&est, &mut world.store, &format!("{again}:{again_password}"), &same, now), 200);
    assert_eq!(world.count(), 2);
}

#[test]
fn abandoned_requests_are_resumed() {
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", true);
    let login = format!("{user}:{password}");
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let der = csr(&key, "", &["www.example.org"]);
    let est = Est::new(world.enrollment.clone());
    let now = world.now;
    assert_eq!(enroll(&est, &mut world.store, &login, &der, now), 200);
    assert_eq!(world.count(), 1);
    let authority = world.authority();
    let found =
        world.store.documents_of(authority.id(), "enroll-transaction", &format!("secret/{user}"), "", 10).unwrap();
    let [document] = found.as_slice() else { panic!() };
    let mut content: serde_json::Value = serde_json::from_str(&document.content).unwrap();
    // As a server leaves it that stops after it has claimed the request.
    content["status"] = "processing".into();
    content["serial"] = serde_json::Value::Null;
    let document = tagwise_ca::Document { content: content.to_string(), ..document.clone() };
    assert!(world.store.update_document(authority.id(), &document).unwrap());
    assert_eq!(enroll(&est, &mut world.store, &login, &der, now), 202);
    assert_eq!(enroll(&est, &mut world.store, &login, &der, UnixTime(now.0 + 31)), 200);
    assert_eq!(world.count(), 2);
    // As it is left after the certificate was signed and stored, and before that was recorded.
    let id = &document.id;
    let document = world.store.document(authority.id(), "enroll-transaction", id).unwrap().unwrap();
    let mut content: serde_json::Value = serde_json::from_str(&document.content).unwrap();
    let serial = content["serial"].as_str().unwrap().parse().unwrap();
    let signed = authority.find(&mut world.store, &serial).unwrap().der;
    content["status"] = "processing".into();
    content["certificate"] = base64::encode(&signed).into();
    let document = tagwise_ca::Document { content: content.to_string(), ..document };
    assert!(world.store.update_document(authority.id(), &document).unwrap());
    assert_eq!(enroll(&est, &mut world.store, &login, &der, now), 200);
    assert_eq!(world.count(), 2);
}

/// Changes the only document of an owner.
fn change(world: &mut World, kind: &str, owner: &str, change: impl Fn(&mut serde_json::Value)) {
    let id = world.authority().id();
    let found = world.store.documents_of(id, kind, owner, "", 10).unwrap();
    let [document] = found.as_slice() else { panic!("{found:?}") };
    let mut content: serde_json::Value = serde_json::from_str(&document.content).unwrap();
    change(&mut content);
    let document = tagwise_ca::Document { content: content.to_string(), ..document.clone() };
    assert!(world.store.update_document(id, &document).unwrap());
}

#[test]
fn secrets_outlive_abandoned_transactions() {
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", true);
    let (login, owner) = (format!("{user}:{password}"), format!("secret/{user}"));
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let est = Est::new(world.enrollment.clone());
    let now = world.now;
    let request = |host: &str| csr(&key, "", &[host]);
    // As a server leaves it that stops before it has recorded the transaction.
    change(&mut world, "enroll-secret", "operator", |secret| secret["used"] = "est-0".into());
    assert_eq!(enroll(&est, &mut world.store, &login, &request("a.example.org"), now), 200);
    assert_eq!(enroll(&est, &mut world.store, &login, &request("b.example.org"), now), 403);
    // As it is left before the certificate is signed.
    change(&mut world, "enroll-transaction", &owner, |transaction| {
        transaction["status"] = "processing".into();
        transaction["serial"] = serde_json::Value::Null;
    });
    assert_eq!(enroll(&est, &mut world.store, &login, &request("b.example.org"), now), 403);
    let later = UnixTime(now.0 + 31);
    assert_eq!(enroll(&est, &mut world.store, &login, &request("b.example.org"), later), 200);
    assert_eq!(enroll(&est, &mut world.store, &login, &request("c.example.org"), later), 403);
    // When the document of the transaction has expired, the secret remains used.
    let much_later = UnixTime(now.0 + 7200);
    world.enrollment.clone().maintain(&mut world.store, much_later).unwrap();
    assert_eq!(enroll(&est, &mut world.store, &login, &request("c.example.org"), much_later), 403);
}

#[test]
fn openssl_polls_until_the_operator_approves() {
    if !has("openssl") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let policy = format!("polling-seconds = 1\n{POLICY}");
    let path = directory.path().join("ca.db");
    let mut world =
        World::in_store(&policy, KeyType::P256, SqliteStore::create(&path, &SqliteOptions::DEFAULT).unwrap());
    let mut operator = SqliteStore::open(&path, &SqliteOptions::DEFAULT).unwrap();
    let (id, secret) = world.secret(Usage::Shared, "reviewed", true);
    let authority = world.authority();
    std::fs::write(file("ca.pem"), pem("CERTIFICATE", authority.certificate_der())).unwrap();
    run("openssl", &["ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", &file("key.pem")]);
    let cmp = Arc::new(Cmp::new(world.enrollment.clone()));
    let net = Net::plain(world, cmp);
    let approved = std::thread::spawn(move || {
        for _ in 0..300 {
            let pending = requests::list(&mut operator, &authority).unwrap();
            if let [request] = pending.as_slice() {
                std::thread::sleep(std::time::Duration::from_millis(500));
                return requests::approve(&mut operator, &authority, &request.id).unwrap();
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        false
    });
    let (address, pass) = (net.address.to_string(), format!("pass:{secret}"));
    let text = run(
        "openssl",
        &[
            "cmp",
            "-config",
            "",
            "-server",
            &address,
            "-path",
            "cmp",
            "-trusted",
            &file("ca.pem"),
            "-cmd",
            "ir",
            "-ref",
            &id,
            "-secret",
            &pass,
            "-newkey",
            &file("key.pem"),
            "-subject",
            "/CN=a.review.example.org",
            "-certout",
            &file("cert.pem"),
        ],
    );
    assert!(approved.join().unwrap());
    assert!(text.contains("received 'waiting' PKIStatus") || text.contains("POLLREP"), "{text}");
    run("openssl", &["verify", "-CAfile", &file("ca.pem"), &file("cert.pem")]);
}

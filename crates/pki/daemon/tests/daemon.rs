//! A server on loopback: TLS, services, reload, shutdown, metrics, logs and the administration socket.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(unix)]

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{Folder, PASSPHRASE, Server, client, get, get_plain, get_tls, tls};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tagwise_ca::{
    Adoption, Authority, Definition, Document, Documents, Profile, Protection, SqliteOptions, SqliteStore, Store,
    Takeover, Urls,
};
use tagwise_codec::text::base64;
use tagwise_crypto::{Backend, Digest, KeySigner, KeyType};
use tagwise_daemon::{Command, Parts, admin, check};
use tagwise_enroll::secret::{self, NewSecret, Usage};
use tagwise_pkix::build::{CertificateBuilder, CsrBuilder};
use tagwise_pkix::ext::KeyUsage;
use tagwise_pkix::{UnixTime, oids};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const CA: &str = "[ca]\nsqlite = 'ca.db'\npassphrase-file = 'passphrase'\n";
const TLS: &str = "[[listen]]\naddress = '127.0.0.1:0'\n[tls]\nnames = ['127.0.0.1', 'localhost']\n";
const SERVICES: &str = "[acme]\ndns = ['example.test']\n[ocsp]\n[crl]\n";

#[test]
fn services_over_tls() {
    let folder = Folder::new();
    let config = folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}"));
    assert_eq!(check(&config, &common::parts()).to_string(), "");
    let server = Server::start(&config);
    let address = server.address();
    let (status, directory) = get_tls(&folder, address, "/acme/directory");
    assert_eq!(status, 200);
    assert!(directory.contains(&format!("https://127.0.0.1:{}/acme/new-nonce", address.port())), "{directory}");
    assert_eq!(server.started.urls, [format!("https://127.0.0.1:{}/acme/directory", address.port())]);
    for (path, expected) in [
        ("/crl", 200),
        ("/ca", 200),
        ("/ocsp", 404),
        ("/ocsp/MAA%3D", 200),
        ("/acmex/directory", 404),
        ("/directory", 404),
        ("/", 404),
        ("/healthz", 200),
        ("/readyz", 200),
        ("/metrics", 404),
    ] {
        assert_eq!(get_tls(&folder, address, path).0, expected, "{path}");
    }
    server.stop().unwrap();
}

#[test]
fn http2_is_negotiated() {
    let folder = Folder::new();
    let server = Server::start(&folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}")));
    let body = client(async {
        let stream = tls(server.address(), folder.client(&[b"h2", b"http/1.1"])).await.unwrap();
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
        let (mut sender, driver) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
        tokio::spawn(driver);
        let url = format!("https://127.0.0.1:{}/acme/directory", server.address().port());
        let request = hyper::Request::get(url).body(Full::new(Bytes::new())).unwrap();
        let response = sender.send_request(request).await.unwrap();
        assert_eq!(response.status(), 200);
        response.into_body().collect().await.unwrap().to_bytes()
    });
    assert!(String::from_utf8_lossy(&body).contains("newNonce"));
}

/// A client that sends more than a service accepts receives the response, although it is still sending.
#[test]
fn long_bodies_are_answered() {
    let folder = Folder::new();
    let server = Server::start(&folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}")));
    let port = server.address().port();
    for (path, content_type, expected) in [
        ("/acme/new-order", "application/jose+json", 413),
        ("/ocsp", "application/ocsp-request", 413),
        ("/ocsp", "text/plain", 415),
        ("/none", "text/plain", 404),
    ] {
        for size in [100_000, 3 << 20, 24 << 20] {
            let body = Bytes::from(vec![b'A'; size]);
            let expected = if expected == 413 && path != "/ocsp" && size == 100_000 { 400 } else { expected };
            let http2 = client(async {
                let stream = tls(server.address(), folder.client(&[b"h2"])).await.unwrap();
                let (mut sender, driver) =
                    hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
                tokio::spawn(driver);
                let url = format!("https://127.0.0.1:{port}{path}");
                let request = hyper::Request::post(url).header("content-type", content_type);
                let response = sender.send_request(request.body(Full::new(body.clone())).unwrap()).await.unwrap();
                let status = response.status();
                response.into_body().collect().await.unwrap();
                status
            });
            assert_eq!(http2, expected, "{path} {content_type} {size}");
            let http1 = client(async {
                let stream = tls(server.address(), folder.client(&[])).await.unwrap();
                common::send(stream, &format!("POST {path}"), &[("Content-Type", content_type)], &body).await.unwrap()
            });
            assert_eq!(http1.0, expected, "{path} {content_type} {size}");
        }
    }
}

/// Sends bytes, and then one byte after each pause, until the server closes the connection.
async fn trickle(mut stream: impl AsyncWriteExt + Unpin, first: &[u8], pause: Duration) {
    let mut next = first;
    while stream.write_all(next).await.is_ok() {
        next = b"1";
        tokio::time::sleep(pause).await;
    }
}

#[test]
fn idle_and_slow_connections_do_not_deny_service() {
    const IDLE: usize = 300;
    const SLOW: usize = 100;
    let folder = Folder::new();
    let server = Server::start(&folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}")));
    let address = server.address();
    client(async {
        let mut idle = Vec::new();
        for index in 0..IDLE {
            let stream = TcpStream::connect(address).await.unwrap();
            // A third of them are idle after a handshake.
            idle.push(if index % 3 == 0 && index < 30 {
                (None, Some(tls(address, folder.client(&[])).await.unwrap()))
            } else {
                (Some(stream), None)
            });
        }
        for index in 0..SLOW {
            let config = folder.client(&[]);
            let pause = Duration::from_millis(200 + index as u64);
            tokio::spawn(async move {
                loop {
                    if index % 4 == 0 {
                        // A request whose body arrives byte by byte.
                        let Ok(stream) = tls(address, config.clone()).await else { continue };
                        let head = b"POST /acme/new-account HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n{";
                        trickle(stream, head, pause).await;
                    } else {
                        // The header of a TLS record, and then a byte now and then.
                        let Ok(stream) = TcpStream::connect(address).await else { return };
                        trickle(stream, &[22, 3, 1, 1, 0], pause).await;
                    }
                }
            });
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        let mut slowest = Duration::ZERO;
        for _ in 0..20 {
            let start = Instant::now();
            let request = async {
                let stream = tls(address, folder.client(&[])).await.unwrap();
                get(stream, "/acme/directory").await.unwrap()
            };
            let (status, _) = tokio::time::timeout(Duration::from_secs(10), request).await.expect("service was denied");
            assert_eq!(status, 200);
            slowest = slowest.max(start.elapsed());
        }
        assert!(slowest < Duration::from_secs(5), "{slowest:?}");
        drop(idle);
    });
}

#[test]
fn client_certificates_are_verified() {
    let folder = Folder::new();
    let text = format!("{CA}{TLS}client-certificates = 'required'\n{SERVICES}");
    let server = Server::start(&folder.write("server.toml", &text));
    let other = Folder::new();
    let with = |(der, key): (Vec<u8>, Arc<dyn tagwise_crypto::PrivateKey>)| {
        let pkcs8 = key.to_pkcs8().unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pkcs8.expose().to_vec()));
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let certified = rustls::sign::CertifiedKey::from_der(vec![CertificateDer::from(der)], key, &provider).unwrap();
        let mut config = folder.client(&[]);
        config.client_auth_cert_resolver = Arc::new(rustls::sign::SingleCertAndKey::from(certified));
        config
    };
    let status = |config| {
        client(async {
            match tls(server.address(), config).await {
                Ok(stream) => get(stream, "/ca").await.map_or(0, |(status, _)| status),
                Err(_) => 0,
            }
        })
    };
    assert_eq!(status(with(folder.issue(Profile::Client, "a.example.test"))), 200);
    assert_eq!(status(folder.client(&[])), 0);
    assert_eq!(status(with(folder.issue(Profile::Server, "a.example.test"))), 0);
    assert_eq!(status(with(other.issue(Profile::Client, "a.example.test"))), 0);
    assert!(server.log.text().lines().filter(|line| line.contains("path=/ca ")).count() == 1);
}

/// The serial number of the server's certificate.
fn certificate(folder: &Folder, server: &Server) -> Vec<u8> {
    client(async {
        let stream = tls(server.address(), folder.client(&[])).await.unwrap();
        stream.get_ref().1.peer_certificates().unwrap()[0].to_vec()
    })
}

#[test]
fn a_reload_replaces_the_configuration_or_keeps_it() {
    let folder = Folder::new();
    let config = folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}"));
    let server = Server::start(&config);
    let address = server.address();
    let first = certificate(&folder, &server);
    assert_eq!(first, certificate(&folder, &server));

    // Wrong: everything stays.
    folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}unknown = 1\n"));
    let error = server.reload().unwrap_err();
    assert!(error.contains("unknown key `unknown` in [crl]"), "{error}");
    assert_eq!(get_tls(&folder, address, "/crl").0, 200);
    assert_eq!(first, certificate(&folder, &server));
    folder.write("server.toml", &format!("{CA}connections = 2\n{TLS}{SERVICES}"));
    assert!(server.reload().unwrap_err().contains("[ca] cannot be changed by a reload"));
    folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}").replace("127.0.0.1:0'", "127.0.0.1:0'\nplain = true"));
    assert!(server.reload().unwrap_err().contains("cannot be changed by a reload"));

    // Good: the services, the listeners and the certificate change, and the address stays.
    let more = "[[listen]]\naddress = '127.0.0.2:0'\nplain = true\n";
    folder.write("server.toml", &format!("{CA}{TLS}{more}{}", SERVICES.replace("[crl]\n", "")));
    server.reload().unwrap();
    assert_eq!(get_tls(&folder, address, "/crl").0, 404);
    assert_eq!(get_tls(&folder, address, "/acme/directory").0, 200);
    assert_ne!(first, certificate(&folder, &server));
    let log = server.log.text();
    assert!(log.contains(" info reloaded") && log.contains(" error reload: "), "{log}");
}

#[test]
fn listeners_come_and_go() {
    let folder = Folder::new();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let plain = format!("[[listen]]\naddress = '127.0.0.1:{port}'\nplain = true\nservices = ['ocsp', 'crl']\n");
    let config = folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}"));
    let server = Server::start(&config);
    folder.write("server.toml", &format!("{CA}{TLS}{plain}{SERVICES}"));
    server.reload().unwrap();
    let address = ([127, 0, 0, 1], port).into();
    assert_eq!(get_plain(address, "/crl").0, 200);
    assert_eq!(get_plain(address, "/acme/directory").0, 404);
    folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}"));
    server.reload().unwrap();
    let refused = (0..50).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        std::net::TcpStream::connect(address).is_err()
    });
    assert!(refused);
    assert_eq!(get_tls(&folder, server.address(), "/crl").0, 200);
}

#[test]
fn shutdown_completes_current_requests() {
    let folder = Folder::new();
    let server = Server::start(&folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}")));
    let address = server.address();
    let mut stream = client(async {
        let mut stream = tls(address, folder.client(&[])).await.unwrap();
        let head = "POST /acme/new-account HTTP/1.1\r\nHost: test\r\nContent-Type: application/jose+json\r\n\
                    Content-Length: 2\r\n\r\n{";
        stream.write_all(head.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
        server.send(Command::Stop);
        tokio::time::sleep(Duration::from_millis(300)).await;
        stream.write_all(b"}").await.unwrap();
        let mut octets = Vec::new();
        let _ = stream.read_to_end(&mut octets).await;
        octets
    });
    stream.truncate(15);
    // The request is malformed, but it is answered.
    assert_eq!(String::from_utf8(stream).unwrap(), "HTTP/1.1 400 Ba");
    drop(server);
    assert!(std::net::TcpStream::connect(address).is_err());
}

#[test]
fn metrics_and_logs_have_no_secrets() {
    let folder = Folder::new();
    let metrics = "[metrics]\naddress = '127.0.0.1:0'\n[log]\nformat = 'json'\n";
    let server = Server::start(&folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}{metrics}")));
    let (_, secret) =
        tagwise_acme::external::add(&mut folder.store(), &folder.authority, &common::BACKEND, "", common::now())
            .unwrap();
    get_tls(&folder, server.address(), "/acme/directory?token=hunter2");
    get_tls(&folder, server.address(), "/nothing");
    let address = server.started.metrics.unwrap();
    let (status, text) = get_plain(address, "/metrics");
    assert_eq!(status, 200);
    for line in [
        "tagwise_requests_total{service=\"acme\",status=\"200\"} 1",
        "tagwise_requests_total{service=\"none\",status=\"404\"} 1",
        "tagwise_request_duration_seconds_count{service=\"acme\"} 1",
        "tagwise_connections_total 2",
        "tagwise_database_errors_total 0",
        "tagwise_ready 1",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    let log = server.log.text();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let request = lines.iter().find(|line| line["event"] == "request" && line["service"] == "acme").unwrap();
    assert_eq!((&request["path"], &request["status"]), (&"/acme/directory".into(), &200.into()));
    let secret = String::from_utf8(secret.expose().to_vec()).unwrap();
    for secret in [PASSPHRASE, "hunter2", &secret] {
        assert!(!log.contains(secret) && !text.contains(secret), "{secret}");
    }
}

#[test]
fn the_administration_socket() {
    let folder = Folder::new();
    let config = folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}[admin]\nsocket = 'admin'\n"));
    let server = Server::start(&config);
    let socket = folder.path("admin");
    let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&socket).unwrap());
    assert_eq!(mode & 0o777, 0o600);
    let status = admin::send(&socket, "status").unwrap().unwrap();
    assert_eq!((status.state.as_str(), status.listeners.len(), status.services.len()), ("serving", 1, 3));
    assert!(status.listeners[0].tls && status.tls_not_after.is_some());
    admin::send(&socket, "drain").unwrap();
    assert_eq!(get_tls(&folder, server.address(), "/readyz").0, 503);
    assert_eq!(get_tls(&folder, server.address(), "/acme/directory").0, 200);
    assert_eq!(admin::send(&socket, "status").unwrap().unwrap().state, "draining");
    admin::send(&socket, "reload").unwrap();
    assert_eq!(get_tls(&folder, server.address(), "/readyz").0, 200);
    let error = admin::send(&socket, "other").unwrap_err();
    assert!(error.to_string().contains("unknown command"), "{error}");
    folder.write("server.toml", "[ca]\n");
    assert!(admin::send(&socket, "reload").unwrap_err().to_string().contains("no database"));
    server.stop().unwrap();
    assert!(!socket.exists());
}

#[test]
fn enrollment_and_time_stamps() {
    let folder = Folder::new();
    let stamping = Definition { purposes: vec![oids::KP_TIME_STAMPING.into()], ..Definition::new("time-stamping") };
    let (der, key) = folder.issue(Profile::Defined(Arc::new(stamping)), "tsa.example.test");
    folder.write("tsa.pem", &pem("CERTIFICATE", &der));
    folder.write("tsa.key", &pem("PRIVATE KEY", key.to_pkcs8().unwrap().expose()));
    folder.protect("tsa.key", 0o600);
    let services = "[enroll]\n[[enroll.grants]]\nname = 'servers'\nprofile = 'server'\ndns = ['example.test']\n[est]\n[cmp]\n\
                    [tsp]\ncertificate = 'tsa.pem'\nkey = 'tsa.key'\npolicies = ['1.2.3.4']\n";
    let config = folder.write("server.toml", &format!("{CA}{TLS}{services}"));
    assert_eq!(check(&config, &common::parts()).to_string(), "");
    let server = Server::start(&config);
    let new = NewSecret {
        usage: Usage::User,
        grant: "servers",
        note: "",
        names: &[],
        expires: UnixTime(common::now().0 + 3600),
        once: false,
    };
    let (user, secret) =
        secret::add(&mut folder.store(), &folder.authority, &common::BACKEND, &new, common::now()).unwrap();
    let password = String::from_utf8(secret.expose().to_vec()).unwrap();
    let send = |line: &str, headers: &[(&str, &str)], body: &[u8]| {
        client(async {
            let stream = tls(server.address(), folder.client(&[])).await.unwrap();
            common::send(stream, line, headers, body).await.unwrap()
        })
    };
    let enroll = |name: &str, password: &str| {
        let key = KeySigner::preferred(common::BACKEND.generate(KeyType::P256).unwrap()).unwrap();
        let csr = CsrBuilder::new().subject("").unwrap().dns(name).sign(&key).unwrap();
        let basic = format!("Basic {}", base64::encode(format!("{user}:{password}").as_bytes()));
        let headers = [("Content-Type", "application/pkcs10"), ("Authorization", &*basic)];
        send("POST /.well-known/est/simpleenroll", &headers, base64::encode(csr.as_der()).as_bytes()).0
    };
    assert_eq!(send("GET /.well-known/est/cacerts", &[], b"").0, 200);
    assert_eq!(enroll("a.example.test", &password), 200);
    assert_eq!(enroll("a.example.test", "wrong"), 401);
    assert_ne!(enroll("a.example.org", &password), 200);
    let long = vec![b'A'; 1 << 20];
    assert_eq!(send("POST /.well-known/est/simpleenroll", &[("Content-Type", "application/pkcs10")], &long).0, 413);
    let request = tagwise_crypto::tsp::request(&common::BACKEND, Digest::Sha256, &[7; 32], None, true).unwrap();
    let (status, reply) = send("POST /tsp", &[("Content-Type", "application/timestamp-query")], &request);
    // PKIStatus granted.
    assert_eq!((status, reply.windows(5).any(|five| five == [0x30, 0x03, 0x02, 0x01, 0x00])), (200, true));
    let (status, _) = send("POST /.well-known/cmp", &[("Content-Type", "application/pkixcmp")], b"0");
    assert!((400..500).contains(&status), "{status}");
    assert_eq!(send("GET /scep?operation=GetCACaps", &[], b"").0, 404);
    let log = server.log.text();
    assert!(log.contains("service=est") && log.contains("service=tsp") && !log.contains(&password), "{log}");
    let issued: Vec<&str> = log.lines().filter(|line| line.contains(" info issued: serial ")).collect();
    let expected = format!(", profile server, to secret/{user}, names DNS:a.example.test");
    assert!(matches!(*issued, [line] if line.ends_with(&expected)), "{log}");
}

#[test]
fn check_finds_a_revoked_authority_and_a_wrong_clock() {
    let folder = Folder::new();
    let stamping = Definition { purposes: vec![oids::KP_TIME_STAMPING.into()], ..Definition::new("time-stamping") };
    let (der, key) = folder.issue(Profile::Defined(Arc::new(stamping)), "tsa.example.test");
    folder.write("tsa.pem", &pem("CERTIFICATE", &der));
    folder.write("tsa.key", &pem("PRIVATE KEY", key.to_pkcs8().unwrap().expose()));
    folder.protect("tsa.key", 0o600);
    let tsp = "[tsp]\ncertificate = 'tsa.pem'\nkey = 'tsa.key'\npolicies = ['1.2.3.4']\n";
    let config = folder.write("server.toml", &format!("{CA}{TLS}[crl]\n{tsp}"));
    assert_eq!(check(&config, &common::parts()).to_string(), "");
    let own = tagwise_pkix::CertificateBuf::from_der(der).unwrap();
    let serial = tagwise_ca::Serial::from_int(own.get().tbs_certificate.serial_number.0);
    let (mut store, now, ca) = (folder.store(), common::now(), &folder.authority);
    ca.revoke(&mut store, &serial, tagwise_pkix::ext::CrlReason::KeyCompromise, None, now).unwrap();
    let found = check(&config, &common::parts()).to_string();
    assert!(found.contains("[tsp]: the certificate of the time stamp authority has been revoked since"), "{found}");
    // The other services are needed more than ever.
    let server = Server::start(&config);
    assert_eq!(get_tls(&folder, server.address(), "/crl").0, 200);
    assert_eq!(get_tls(&folder, server.address(), "/readyz"), (200, "ready without tsp\n".to_owned()));
    let log = server.log.text();
    assert!(log.contains("error tsp: the certificate of the time stamp authority has been revoked since"), "{log}");
    server.stop().unwrap();
    let signer = ca.unlock(&common::BACKEND, Some(common::PASSPHRASE.as_bytes())).unwrap();
    let (ahead, next) = (UnixTime(now.0 + 3600), UnixTime(now.0 + 7200));
    ca.crl(&mut store, &signer, ahead, next).unwrap();
    let found = check(&config, &common::parts()).to_string();
    assert!(found.contains("the last CRL was issued"), "{found}");
}

fn pem(label: &str, der: &[u8]) -> String {
    tagwise_codec::pem::encode(label, der).unwrap()
}

#[test]
fn check_reports_a_missing_folder_and_an_unknown_service_once() {
    let folder = Folder::new();
    let listen = "[[listen]]\naddress = '127.0.0.1:0'\nplain = true\nservices = ['nothing']\n";
    let more = "[crl]\n[admin]\nsocket = 'gone/admin.sock'\n";
    let found = check(&folder.write("server.toml", &format!("{CA}{listen}{more}")), &common::parts()).to_string();
    assert!(found.contains("nothing") && !found.contains("`services` is empty"), "{found}");
    assert!(found.contains("admin.socket: the folder ") && found.contains("gone does not exist"), "{found}");
    assert_eq!(found.lines().count(), 2, "{found}");
}

#[test]
fn check_reports_everything() {
    let folder = Folder::new();
    folder.write("wrong", "wrong");
    folder.protect("passphrase", 0o644);
    let (der, _) = folder.issue(Profile::Server, "a.example.test");
    let key = folder.issue(Profile::Server, "b.example.test").1.to_pkcs8().unwrap();
    folder.write("tls.pem", &pem("CERTIFICATE", &der));
    folder.write("tls.key", &pem("PRIVATE KEY", key.expose()));
    folder.protect("tls.key", 0o600);
    let listen = "[[listen]]\naddress = '127.0.0.1:0'\n[tls]\ncertificate = 'tls.pem'\nkey = 'tls.key'\n";
    let acme = "[acme]\nprofiles = ['server', 'ca', 'none']\n";
    let problems = |text: &str| check(&folder.write("server.toml", text), &common::parts()).to_string();
    let found = problems(&format!("{CA}{listen}{acme}"));
    for what in [
        "passphrase: mode 0644 gives others access to the passphrase",
        "acme.profiles: the profile ca is for signing certificates, which ACME cannot authorize",
        "acme.profiles: unknown profile `none`",
        "tls.key: ",
    ] {
        assert!(found.contains(what), "{what}: {found}");
    }
    assert!(problems("[ca]\nsqlite = 'ca.db'\n").contains("expected `passphrase-file`"));
    assert!(problems("[ca]\nsqlite = 'none.db'\n").contains("none.db: "));
    assert!(problems("[ca]\nsqlite = 'ca.db'\npassphrase-file = 'wrong'\n").contains("ca.db: "));
    assert!(check(&folder.path("none.toml"), &common::parts()).to_string().contains("none.toml: "));
}

/// A database that can be read, but not written, is not ready: nothing could be issued or revoked.
#[test]
fn a_database_that_cannot_be_written_is_not_ready() {
    let folder = Folder::new();
    let server = Server::start(&folder.write("server.toml", &format!("{CA}{TLS}{SERVICES}")));
    let ready = || get_tls(&folder, server.address(), "/readyz");
    assert_eq!(ready(), (200, "ready\n".to_owned()));
    let mut other = folder.store();
    other.combine();
    let held = Document::new("test", "one", "", UnixTime(common::now().0 + 60), "{}".to_owned());
    assert!(other.insert_document(folder.authority.id(), &held).unwrap());
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(ready(), (503, "the database does not answer, or cannot be written\n".to_owned()));
    other.commit().unwrap();
    let start = Instant::now();
    while ready().0 != 200 {
        assert!(start.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn check_finds_parts_that_do_not_fit() {
    let folder = Folder::new();
    let profiles = |name: &str| {
        let purposes = match name {
            "server" => vec![oids::KP_SERVER_AUTH.into()],
            "client" => vec![oids::KP_CLIENT_AUTH.into()],
            "any" => Vec::new(),
            _ => return Err(format!("unknown profile `{name}`")),
        };
        Ok(Definition { purposes, ..Definition::new(name) })
    };
    let parts = Parts { backend: &common::BACKEND, profiles: Arc::new(profiles) };
    let found = |text: &str| {
        let problems = check(&folder.write("server.toml", text), &parts);
        let list: Vec<String> = problems.list().iter().map(|problem| problem.what.clone()).collect();
        (list, problems.notes().to_vec())
    };
    let none = || (Vec::<String>::new(), Vec::<String>::new());
    let acme = |more: &str| format!("{CA}{TLS}[acme]\ndns = ['example.test']\n{more}");
    assert_eq!(found(&acme("url = 'https://LOCALHOST:8443/acme'\n")), none());
    let missing = "the host ca.example.test of acme.url is missing, so ACME clients cannot connect (RFC 9525 §6)";
    let purpose = "acme.profiles: the profile client does not include the purpose serverAuth, so TLS clients reject its certificates \
                   (RFC 5280 §4.2.1.12)";
    let text = acme("url = 'https://ca.example.test/acme'\nprofiles = ['any', 'client', 'server']\n");
    assert_eq!(found(&text), (vec![format!("tls.names: {missing}")], vec![purpose.to_owned()]));
    // A proxy speaks TLS.
    let plain = text.replace("'127.0.0.1:0'\n", "'127.0.0.1:0'\nplain = true\n").replace(", 'client'", "");
    assert_eq!(found(&plain), none());
    // The names in a certificate of another CA.
    let (der, key) = folder.issue(Profile::Server, "*.example.test");
    folder.write("tls.pem", &pem("CERTIFICATE", &der));
    folder.write("tls.key", &pem("PRIVATE KEY", key.to_pkcs8().unwrap().expose()));
    folder.protect("tls.key", 0o600);
    let own = acme("url = 'https://ca.example.test/acme'\n");
    let own = own.replace("names = ['127.0.0.1', 'localhost']", "certificate = 'tls.pem'\nkey = 'tls.key'");
    assert_eq!(found(&own), none());
    let other = own.replace("//ca.example.test", "//example.test");
    let words = missing.replace("ca.example.test", "example.test");
    assert_eq!(found(&other), (vec![format!("tls.certificate: {words}")], Vec::new()));
    // EST clients need a certificate for TLS.
    let est = format!(
        "{CA}{TLS}client-certificates = 'optional'\n[est]\n[[enroll.grants]]\nname = 'servers'\nprofile = 'server'\n\
         dns = ['example.test']\ncertificates = ['server', 'client']\n[[enroll.grants]]\nname = 'clients'\nprofile = 'client'\n\
         dns = ['example.test']\n"
    );
    let note = |what: &str| {
        format!(
            "enroll.grants: servers: the profile server does not include the purpose clientAuth, so its holders cannot {what} with EST \
             (RFC 7030 §3.3.2)"
        )
    };
    assert_eq!(found(&est), (Vec::new(), vec![note("renew their certificates"), note("authenticate")]));
    let renewed = est.replace("[est]", "[est]\n[enroll]\nrenewal = false");
    assert_eq!(found(&renewed), (Vec::new(), vec![note("authenticate")]));
    assert_eq!(found(&est.replace("client-certificates = 'optional'\n", "")), none());
}

/// The CA's certificate excludes CRLs, so none would ever be served.
#[test]
fn check_finds_a_ca_without_crl_sign() {
    let folder = Folder::new();
    let now = common::now();
    let key = common::BACKEND.generate(KeyType::P256).unwrap();
    let builder = CertificateBuilder::new().subject("CN=Limited").unwrap().ca(None).key_usage(KeyUsage::KEY_CERT_SIGN);
    let certificate =
        builder.not_before(UnixTime(now.0 - 60)).self_signed(&KeySigner::preferred(Arc::clone(&key)).unwrap()).unwrap();
    let adoption = Adoption {
        label: Authority::LABEL,
        certificate: certificate.as_der(),
        urls: &Urls::default(),
        takeover: Takeover::Nothing,
        last_number: 0,
        now,
    };
    let mut store = SqliteStore::create(&folder.path("limited.db"), &SqliteOptions::DEFAULT).unwrap();
    let protection = Protection::passphrase(PASSPHRASE.as_bytes());
    Authority::adopt(&mut store, &common::BACKEND, &key, &adoption, &protection).unwrap();
    let ca = CA.replace("ca.db", "limited.db");
    let found = |services: &str| check(&folder.write("server.toml", &format!("{ca}{TLS}{services}")), &common::parts());
    let what = "the CA cannot sign CRLs, because the key usage of its certificate does not include cRLSign (RFC 5280 §4.2.1.3)";
    let problems = found("[crl]\n");
    assert_eq!((problems.list().len(), problems.notes().len()), (1, 0));
    assert_eq!(problems.list()[0].what, format!("[crl]: {what}"));
    let problems = found("[ocsp]\n");
    assert_eq!((problems.list().len(), problems.notes()), (0, &[format!("[ca]: {what}")][..]));
}

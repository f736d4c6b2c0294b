//! Real connections: rustls at both ends, and OpenSSL at either.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::*;
use rustls::pki_types::UnixTime;
use rustls::{ClientConfig, ClientConnection, Stream};
use tagwise_path::Rule;
use tagwise_rustls::ClientVerifier;

fn clients(folder: &Path, root: &str) -> ClientVerifier<Verifying> {
    ClientVerifier::new(client_judge(folder, root), &provider())
}

fn plain_server(folder: &Path) -> Arc<rustls::ServerConfig> {
    server_config(folder, "server-chain.pem", "server.key", None)
}

#[test]
fn servers_of_rustls() {
    let Some(folder) = hierarchy() else { return };
    let folder = folder.path();
    for tls13 in [false, true] {
        for name in ["localhost", "127.0.0.1"] {
            let (client, server) =
                both(plain_server(folder), name, client_config(server_judge(folder, "root.pem"), None, tls13));
            assert_eq!((client, server), (Ok(()), Ok(())), "{name}");
        }
        for (name, root, error) in [
            (
                "www.example.org",
                "root.pem",
                "invalid peer certificate: certificate not valid for name \"www.example.org\"",
            ),
            ("127.0.0.2", "root.pem", "invalid peer certificate: certificate not valid for name"),
            ("localhost", "other.pem", "invalid peer certificate: UnknownIssuer"),
        ] {
            let (client, server) =
                both(plain_server(folder), name, client_config(server_judge(folder, root), None, tls13));
            assert!(client.as_ref().is_err_and(|said| said.starts_with(error)), "{name} {root}: {client:?}");
            assert!(server.is_err(), "the server is told by an alert");
        }
        // A client's certificate is no server's.
        let server = server_config(folder, "client-chain.pem", "client.key", None);
        let (client, _) = both(server, "localhost", client_config(server_judge(folder, "root.pem"), None, tls13));
        assert!(client.unwrap_err().contains("InvalidPurpose"));
        // The CA between is not sent.
        let server = server_config(folder, "server.pem", "server.key", None);
        let (client, _) =
            both(server.clone(), "localhost", client_config(server_judge(folder, "root.pem"), None, tls13));
        assert!(client.unwrap_err().contains("UnknownIssuer"));
        // But known.
        let between = certificates(folder, "ca.pem").iter().collect();
        let judge = server_judge(folder, "root.pem").intermediates(between);
        assert_eq!(both(server, "localhost", client_config(judge, None, tls13)), (Ok(()), Ok(())));
    }
}

/// The clock of a client that is wrong, or right when the certificate no longer is.
#[derive(Debug)]
struct Clock(u64);

impl rustls::time_provider::TimeProvider for Clock {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(Duration::from_secs(self.0)))
    }
}

#[test]
fn the_time_is_that_of_the_configuration() {
    let Some(folder) = hierarchy() else { return };
    let folder = folder.path();
    for (time, error) in [(1_000_000_000, "NotValidYet"), (4_000_000_000, "Expired")] {
        let reports = Arc::new(Mutex::new(Vec::new()));
        let kept = reports.clone();
        let judge = server_judge(folder, "root.pem")
            .on_refusal(move |report| kept.lock().unwrap().push(report.refusal().unwrap().rule));
        let mut config = ClientConfig::clone(&client_config(judge, None, true));
        config.time_provider = Arc::new(Clock(time));
        let (client, server) = both(plain_server(folder), "localhost", Arc::new(config));
        let client = client.unwrap_err();
        assert!(client.contains(error) || client.contains(&error.to_lowercase()), "{client}");
        assert_eq!(*reports.lock().unwrap(), [Rule::Validity]);
        if error == "Expired" {
            assert!(server.unwrap_err().contains("CertificateExpired"), "the alert that fits");
        }
    }
}

#[test]
fn clients_of_rustls() {
    let Some(folder) = hierarchy() else { return };
    let folder = folder.path();
    let config = |own: Option<&str>, tls13| {
        client_config(server_judge(folder, "root.pem"), own.map(|name| (folder, name)), tls13)
    };
    let server = |verifier| server_config(folder, "server-chain.pem", "server.key", Some(verifier));
    for tls13 in [false, true] {
        let (client, served) = both(server(clients(folder, "root.pem")), "localhost", config(Some("client"), tls13));
        assert_eq!((client, served), (Ok(()), Ok(())));
        // None, where one is needed, and where it is not.
        let (client, served) = both(server(clients(folder, "root.pem")), "localhost", config(None, tls13));
        assert!(client.is_err() && served.is_err());
        let optional = clients(folder, "root.pem").optional();
        assert_eq!(both(server(optional), "localhost", config(None, tls13)), (Ok(()), Ok(())));
        // Of another root, with names of roots and without: rustls's client sends none that does not fit a name.
        let (client, served) =
            both(server(clients(folder, "other.pem").without_hints()), "localhost", config(Some("client"), tls13));
        assert!(client.is_err() && served.unwrap_err().contains("UnknownIssuer"));
        // A server's certificate is no client's.
        let (client, served) = both(server(clients(folder, "root.pem")), "localhost", config(Some("server"), tls13));
        assert!(client.is_err() && served.unwrap_err().contains("InvalidPurpose"));
    }
}

fn backwards(port: u16, name: &str, config: Arc<ClientConfig>) -> Result<(), String> {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut connection = ClientConnection::new(config, name.to_owned().try_into().unwrap()).unwrap();
    let mut stream = Stream::new(&mut connection, &mut socket);
    stream.write_all(b"olleh\n").map_err(|error| error.to_string())?;
    let mut line = [0; 6];
    stream.read_exact(&mut line).map_err(|error| error.to_string())?;
    assert_eq!(&line, b"hello\n");
    Ok(())
}

#[test]
fn openssl_serves() {
    let Some(folder) = hierarchy() else { return };
    let folder = folder.path();
    let chain = "-cert server.pem -key server.key -cert_chain ca.pem";
    let server = OpensslServer::start(folder, chain);
    for tls13 in [false, true] {
        let config = |root: &str| client_config(server_judge(folder, root), None, tls13);
        assert_eq!(backwards(server.port, "localhost", config("root.pem")), Ok(()));
        assert!(
            backwards(server.port, "www.example.org", config("root.pem")).unwrap_err().contains("not valid for name")
        );
        assert!(backwards(server.port, "localhost", config("other.pem")).unwrap_err().contains("UnknownIssuer"));
    }
    drop(server);
    // With certificates of clients, which OpenSSL judges.
    let server = OpensslServer::start(folder, &format!("{chain} -CAfile root.pem -Verify 3 -verify_return_error"));
    for tls13 in [false, true] {
        let config =
            |own: Option<&str>| client_config(server_judge(folder, "root.pem"), own.map(|name| (folder, name)), tls13);
        assert_eq!(backwards(server.port, "localhost", config(Some("client"))), Ok(()));
        assert!(backwards(server.port, "localhost", config(None)).is_err());
    }
}

/// Runs `openssl s_client` against a server of rustls: whether it got its line back.
fn s_client(folder: &Path, config: Arc<rustls::ServerConfig>, line: &str) -> (bool, Result<(), String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = serve(listener, config);
    let mut command = Command::new("openssl");
    command.current_dir(folder).args([
        "s_client",
        "-connect",
        &format!("127.0.0.1:{port}"),
        "-quiet",
        "-CAfile",
        "root.pem",
    ]);
    command.args(["-verify_return_error"]).args(line.split_whitespace());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // It may have ended.
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(b"hello");
    let served = serving.join().unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    (output.stdout.starts_with(b"hello"), served)
}

#[test]
fn openssl_asks() {
    let Some(folder) = hierarchy() else { return };
    let folder = folder.path();
    for version in ["-tls1_2", "-tls1_3"] {
        assert_eq!(s_client(folder, plain_server(folder), version), (true, Ok(())));
        let server = |root: &str| server_config(folder, "server-chain.pem", "server.key", Some(clients(folder, root)));
        let own = format!("{version} -cert client.pem -key client.key -cert_chain ca.pem");
        assert_eq!(s_client(folder, server("root.pem"), &own), (true, Ok(())));
        let (answered, served) = s_client(folder, server("other.pem"), &own);
        assert!(!answered && served.unwrap_err().contains("UnknownIssuer"));
        let (answered, served) = s_client(folder, server("root.pem"), version);
        assert!(!answered && served.unwrap_err().contains("no certificates"));
        let wrong = format!("{version} -cert server.pem -key server.key -cert_chain ca.pem");
        let (answered, served) = s_client(folder, server("root.pem"), &wrong);
        assert!(!answered && served.unwrap_err().contains("InvalidPurpose"));
    }
}

/// A server that has a certificate and not its key.
#[test]
fn signatures_of_handshakes_count() {
    let Some(folder) = hierarchy() else { return };
    let folder = folder.path();
    // rustls looks whether a key fits; a resolver is not asked.
    let signer = provider().key_provider.load_private_key(key(folder, "client.key")).unwrap();
    let wrong = Arc::new(rustls::sign::CertifiedKey::new(certificates(folder, "server-chain.pem"), signer));
    #[derive(Debug)]
    struct Resolver(Arc<rustls::sign::CertifiedKey>);
    impl rustls::server::ResolvesServerCert for Resolver {
        fn resolve(&self, _: rustls::server::ClientHello<'_>) -> Option<Arc<rustls::sign::CertifiedKey>> {
            Some(self.0.clone())
        }
    }
    let config = rustls::ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(config.with_no_client_auth().with_cert_resolver(Arc::new(Resolver(wrong))));
    for tls13 in [false, true] {
        let client = client_config(server_judge(folder, "root.pem"), None, tls13);
        let (client, server) = both(config.clone(), "localhost", client);
        assert!(client.unwrap_err().contains("BadSignature"));
        assert!(server.is_err());
    }
}

//! A small hierarchy made by OpenSSL, and both ends of TLS connections on the loopback interface.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, ClientConnection, ServerConfig, ServerConnection, Stream};
use tagwise_crypto::backends::AwsLc;
use tagwise_path::{Anchors, CryptoVerifier, Policy, Profile};
use tagwise_pkix::{UnixTime, oids};
use tagwise_rustls::{ClientVerifier, Judge, ServerVerifier};
use tempfile::TempDir;

pub static BACKEND: AwsLc = AwsLc::new();

/// Time that either end waits for the other.
const PATIENCE: Duration = Duration::from_secs(20);

pub fn openssl(folder: &Path, line: &str) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let output = Command::new("openssl").current_dir(folder).args(&words).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "openssl {line}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A root, a CA below it, and certificates of servers and clients; another root. `None` without OpenSSL.
pub fn hierarchy() -> Option<TempDir> {
    if !tagwise_testing::tool("openssl", &["version"]) {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let new = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    let ca = "-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign";
    let end = "-addext basicConstraints=critical,CA:FALSE -addext keyUsage=critical,digitalSignature";
    let names = "-addext subjectAltName=DNS:localhost,IP:127.0.0.1";
    for root in ["root", "other"] {
        openssl(folder.path(), &format!("{new} -keyout {root}.key -out {root}.pem -subj /CN={root} -days 30 {ca}"));
    }
    openssl(
        folder.path(),
        &format!("{new} -keyout ca.key -out ca.pem -subj /CN=CA -days 30 {ca} -CA root.pem -CAkey root.key"),
    );
    let below = "-CA ca.pem -CAkey ca.key";
    for (name, rest) in [
        ("server", format!("-days 20 {end} {names} -addext extendedKeyUsage=serverAuth")),
        ("client", format!("-days 20 {end} -addext extendedKeyUsage=clientAuth")),
    ] {
        openssl(folder.path(), &format!("{new} -keyout {name}.key -out {name}.pem -subj /CN=localhost {below} {rest}"));
    }
    let chain = |name: &str| {
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let text = read(&format!("{name}.pem")) + &read("ca.pem");
        std::fs::write(folder.path().join(format!("{name}-chain.pem")), text).unwrap();
    };
    chain("server");
    chain("client");
    Some(folder)
}

pub fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::aws_lc_rs::default_provider())
}

pub fn certificates(folder: &Path, name: &str) -> Vec<CertificateDer<'static>> {
    CertificateDer::pem_file_iter(folder.join(name)).unwrap().map(Result::unwrap).collect()
}

pub fn key(folder: &Path, name: &str) -> PrivateKeyDer<'static> {
    PrivateKeyDer::from_pem_file(folder.join(name)).unwrap()
}

pub fn anchors(folder: &Path, name: &str) -> Anchors {
    let mut anchors = Anchors::new();
    assert!(anchors.read_path(folder.join(name)).unwrap().is_empty());
    assert_eq!(anchors.len(), 1);
    anchors
}

pub type Verifying = CryptoVerifier<'static>;

/// A judge of servers by one root.
pub fn server_judge(folder: &Path, root: &str) -> Judge<Verifying> {
    Judge::new(anchors(folder, root), Policy::new(&Profile::WEBPKI, UnixTime(0)), CryptoVerifier(&BACKEND))
}

/// A judge of clients by one root.
pub fn client_judge(folder: &Path, root: &str) -> Judge<Verifying> {
    let mut policy = Policy::new(&Profile::RFC5280, UnixTime(0));
    policy.require_purpose(oids::KP_CLIENT_AUTH);
    Judge::new(anchors(folder, root), policy, CryptoVerifier(&BACKEND))
}

/// A client's configuration, with a certificate of its own if one is named.
pub fn client_config(judge: Judge<Verifying>, own: Option<(&Path, &str)>, tls13: bool) -> Arc<ClientConfig> {
    let version = if tls13 { &rustls::version::TLS13 } else { &rustls::version::TLS12 };
    let verifier = Arc::new(ServerVerifier::new(judge, &provider()));
    let builder = ClientConfig::builder_with_provider(provider()).with_protocol_versions(&[version]).unwrap();
    let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
    Arc::new(match own {
        Some((folder, name)) => {
            let chain = certificates(folder, &format!("{name}-chain.pem"));
            builder.with_client_auth_cert(chain, key(folder, &format!("{name}.key"))).unwrap()
        }
        None => builder.with_no_client_auth(),
    })
}

/// A server's configuration, with the demand of a client's certificate if there is a judge of them.
pub fn server_config(
    folder: &Path,
    chain: &str,
    key_of: &str,
    clients: Option<ClientVerifier<Verifying>>,
) -> Arc<ServerConfig> {
    let builder = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().unwrap();
    let builder = match clients {
        Some(verifier) => builder.with_client_cert_verifier(Arc::new(verifier)),
        None => builder.with_no_client_auth(),
    };
    Arc::new(builder.with_single_cert(certificates(folder, chain), key(folder, key_of)).unwrap())
}

/// Echoes one line to one client; what went wrong, if something did.
pub fn serve(listener: TcpListener, config: Arc<ServerConfig>) -> std::thread::JoinHandle<Result<(), String>> {
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut connection = ServerConnection::new(config).unwrap();
        let mut stream = Stream::new(&mut connection, &mut socket);
        let mut line = [0; 5];
        stream.read_exact(&mut line).map_err(|error| error.to_string())?;
        stream.write_all(&line).map_err(|error| error.to_string())?;
        Ok(())
    })
}

/// Sends a line and expects it back; the error of the handshake, if it fails.
pub fn talk(port: u16, name: &str, config: Arc<ClientConfig>) -> Result<(), String> {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut connection = ClientConnection::new(config, name.to_owned().try_into().unwrap()).unwrap();
    let mut stream = Stream::new(&mut connection, &mut socket);
    stream.write_all(b"hello").map_err(|error| error.to_string())?;
    let mut line = [0; 5];
    stream.read_exact(&mut line).map_err(|error| error.to_string())?;
    assert_eq!(&line, b"hello");
    Ok(())
}

/// Both ends by rustls: what the client says, and what the server says.
pub fn both(
    server: Arc<ServerConfig>,
    name: &str,
    client: Arc<ClientConfig>,
) -> (Result<(), String>, Result<(), String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = serve(listener, server);
    let talked = talk(port, name, client);
    (talked, serving.join().unwrap())
}

/// A running `openssl s_server` that echoes lines backwards.
pub struct OpensslServer {
    child: Child,
    _stdin: ChildStdin,
    pub port: u16,
}

impl OpensslServer {
    pub fn start(folder: &Path, line: &str) -> Self {
        let mut command = Command::new("openssl");
        command.current_dir(folder).args(["s_server", "-accept", "127.0.0.1:0", "-rev"]).args(line.split_whitespace());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("ACCEPT ") {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "s_server ended");
        }
        // Nobody else reads what it says.
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        let port = line.trim().rsplit(':').next().unwrap().parse().unwrap();
        Self { child, _stdin: stdin, port }
    }
}

impl Drop for OpensslServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! A proxy to KDCs over HTTPS (MS-KKDCP) on loopback, with a certificate that the test makes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tagwise_codec::{Decode as _, OctetStr, encode};
use tagwise_krb5::microsoft::KdcProxyMessage;

/// What a proxy does with a request.
pub type Answer = Box<dyn Fn(&[u8], &str) -> Vec<u8> + Send + Sync>;

/// A proxy that runs, and the certificate to trust it by.
pub struct Proxy {
    pub address: SocketAddr,
    pub certificate: Vec<u8>,
}

/// Makes a certificate for localhost; `None` without OpenSSL's command.
fn certificate(folder: &Path) -> Option<(Vec<u8>, PrivateKeyDer<'static>)> {
    if !tagwise_testing::tool("openssl", &["version"]) {
        return None;
    }
    let (cert, key) = (folder.join("proxy.pem"), folder.join("proxy.key"));
    let done = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-out")
        .arg(&cert)
        .arg("-keyout")
        .arg(&key)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let der = CertificateDer::from_pem_file(&cert).unwrap().to_vec();
    Some((der, PrivateKeyDer::from_pem_file(&key).unwrap()))
}

/// Starts one, whose threads end with the process. It answers with what `answer` makes of a message with its length in front, and
/// of the realm.
pub fn start(folder: &Path, answer: Answer) -> Option<Proxy> {
    let (der, key) = certificate(folder)?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![CertificateDer::from(der.clone())], key).unwrap();
    let (config, answer) = (Arc::new(config), Arc::new(answer));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (config, answer) = (Arc::clone(&config), Arc::clone(&answer));
            std::thread::spawn(move || serve(stream, config, &answer));
        }
    });
    Some(Proxy { address, certificate: der })
}

fn serve(stream: TcpStream, config: Arc<rustls::ServerConfig>, answer: &Answer) -> Option<()> {
    let connection = rustls::ServerConnection::new(config).ok()?;
    let mut stream = BufReader::new(rustls::StreamOwned::new(connection, stream));
    let (mut line, mut len, mut is_kerberos) = (String::new(), 0, false);
    stream.read_line(&mut line).ok()?;
    let mut words = line.split(' ');
    let is_posted = (words.next(), words.next()) == (Some("POST"), Some("/KdcProxy"));
    loop {
        let mut header = String::new();
        stream.read_line(&mut header).ok()?;
        let header = header.trim_end().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(text) = header.strip_prefix("content-length:") {
            len = text.trim().parse().ok()?;
        }
        is_kerberos |= header.strip_prefix("content-type:").is_some_and(|text| text.trim() == "application/kerberos");
    }
    let mut body = vec![0; len];
    stream.read_exact(&mut body).ok()?;
    let (status, body) = match KdcProxyMessage::from_der(&body) {
        Ok(asked) if is_posted && is_kerberos => {
            let realm = asked.target_domain.map(|realm| realm.to_string()).unwrap_or_default();
            let reply = answer(asked.kerb_message.as_bytes(), &realm);
            let kerb_message = OctetStr::new(&reply);
            let wrapped = KdcProxyMessage { kerb_message, target_domain: None, dclocator_hint: None };
            ("200 OK", encode(&wrapped).unwrap())
        }
        _ => ("400 Bad Request", Vec::new()),
    };
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: application/kerberos\r\nContent-Length: {}\r\n\r\n", body.len());
    let stream = stream.get_mut();
    stream.write_all(&[head.as_bytes(), &body].concat()).ok()?;
    stream.conn.send_close_notify();
    stream.flush().ok()
}

/// Passes a message with its length in front on to a KDC over TCP.
pub fn pass_on(kdc: SocketAddr, framed: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(kdc).unwrap();
    stream.write_all(framed).unwrap();
    let mut len = [0; 4];
    stream.read_exact(&mut len).unwrap();
    let mut reply = vec![0; u32::from_be_bytes(len) as usize];
    stream.read_exact(&mut reply).unwrap();
    [&len[..], &reply].concat()
}

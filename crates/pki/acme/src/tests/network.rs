//! Validation, with a DNS server, web servers and TLS servers of the test on loopback.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

use tagwise_pkix::build::CertificateBuilder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, UdpSocket};

use super::*;
use crate::authorization::Attempt;
use crate::policy::ChallengeType;
use crate::problem::{Identifier, Kind};
use crate::validate::Validator;

const A: u16 = 1;
const TXT: u16 = 16;
const CAA: u16 = 257;

/// A DNS server for records by name and type. The name `broken` fails. It ends with the runtime.
pub(super) async fn dns(records: Vec<(&str, u16, Vec<u8>)>) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let mut table: HashMap<(String, u16), Vec<Vec<u8>>> = HashMap::new();
    for (name, kind, data) in records {
        table.entry((name.to_owned(), kind)).or_default().push(data);
    }
    tokio::spawn(async move {
        let mut buffer = [0; 1500];
        while let Ok((len, from)) = socket.recv_from(&mut buffer).await {
            let query = &buffer[..len];
            let (mut name, mut at) = (Vec::new(), 12);
            while query[at] != 0 {
                let end = at + 1 + usize::from(query[at]);
                name.push(String::from_utf8_lossy(&query[at + 1..end]).to_ascii_lowercase());
                at = end;
            }
            let name = name.join(".");
            let kind = u16::from_be_bytes([query[at + 1], query[at + 2]]);
            let found = table.get(&(name.clone(), kind)).cloned().unwrap_or_default();
            let code = if name.starts_with("broken") && kind == CAA { 2 } else { 0 };
            let mut answer =
                [&query[..2], &[0x81, 0x80 | code, 0, 1, 0, u8::try_from(found.len()).unwrap(), 0, 0, 0, 0]].concat();
            answer.extend(&query[12..at + 5]);
            for data in found {
                answer.extend([0xC0, 12]);
                answer.extend(kind.to_be_bytes());
                answer.extend([0, 1, 0, 0, 0, 0]);
                answer.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
                answer.extend(data);
            }
            let _ = socket.send_to(&answer, from).await;
        }
    });
    address
}

pub(super) fn loopback() -> Vec<u8> {
    vec![127, 0, 0, 1]
}

fn txt(text: &str) -> Vec<u8> {
    [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat()
}

fn caa(tag: &str, value: &str) -> Vec<u8> {
    [&[0, u8::try_from(tag.len()).unwrap()], tag.as_bytes(), value.as_bytes()].concat()
}

/// A web server that answers each path; `PORT` in an answer is its port.
async fn web(answer: impl Fn(&str) -> String + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut octet = [0];
                if stream.read(&mut octet).await.unwrap_or(0) == 0 {
                    break;
                }
                head.push(octet[0]);
            }
            let head = String::from_utf8_lossy(&head).into_owned();
            let path = head.split(' ').nth(1).unwrap_or_default();
            let text = answer(path).replace("PORT", &address.port().to_string());
            let _ = stream.write_all(text.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    address
}

fn ok(text: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{text}", text.len())
}

fn to(location: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n")
}

fn attempt(kind: ChallengeType, value: &str) -> Attempt {
    let identifier_kind = if value.parse::<std::net::IpAddr>().is_ok() { "ip" } else { "dns" };
    Attempt {
        kind,
        identifier: Identifier { kind: identifier_kind.to_owned(), value: value.to_owned() },
        wildcard: false,
        token: "token".to_owned(),
        key_authorization: "token.thumbprint".to_owned(),
        account: "https://ca.test/account/1".to_owned(),
    }
}

fn policy(dns: SocketAddr, port: u16, more: &str) -> Arc<Policy> {
    let text = format!(
        "resolver = '{dns}'\nhttp-port = {port}\ntls-port = {port}\nallow-addresses = ['127.0.0.1']\n\
         caa-identities = ['ca.test']\n{more}"
    );
    Arc::new(Policy::from_toml(&text).unwrap())
}

#[tokio::test]
async fn http() {
    let server = web(|path| match path {
        "/.well-known/acme-challenge/token" => ok("token.thumbprint\n"),
        "/.well-known/acme-challenge/wrong" => ok("token.other"),
        "/.well-known/acme-challenge/large" => ok(&"x".repeat(9000)),
        "/.well-known/acme-challenge/missing" => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
        "/.well-known/acme-challenge/moved" => to("http://other.test:PORT/.well-known/acme-challenge/token"),
        "/.well-known/acme-challenge/loop" => to("/.well-known/acme-challenge/loop"),
        "/.well-known/acme-challenge/port" => to("http://www.test:22/"),
        "/.well-known/acme-challenge/denied" => to("http://denied.test:PORT/"),
        "/.well-known/acme-challenge/metadata" => to("http://169.254.169.254:PORT/latest"),
        "/.well-known/acme-challenge/mapped" => to("http://[::ffff:127.0.0.2]:PORT/"),
        "/.well-known/acme-challenge/number" => to("http://2130706433:PORT/"),
        "/.well-known/acme-challenge/file" => to("file:///etc/passwd"),
        _ => "garbage\r\n\r\n".to_owned(),
    });
    let port = server.await.port();
    let denied = vec![127, 0, 0, 2];
    let records = vec![("www.test", A, loopback()), ("other.test", A, loopback()), ("denied.test", A, denied)];
    let validator = Validator::new(policy(dns(records).await, port, ""), &BACKEND).unwrap();
    for (token, expected) in [
        ("token", None),
        ("moved", None),
        ("wrong", Some(Kind::IncorrectResponse)),
        ("missing", Some(Kind::IncorrectResponse)),
        ("large", Some(Kind::Connection)),
        ("loop", Some(Kind::Connection)),
        ("port", Some(Kind::Connection)),
        ("denied", Some(Kind::Connection)),
        ("metadata", Some(Kind::Connection)),
        ("mapped", Some(Kind::Connection)),
        ("number", Some(Kind::Connection)),
        ("file", Some(Kind::Connection)),
        ("garbage", Some(Kind::Connection)),
    ] {
        let attempt = Attempt { token: token.to_owned(), ..attempt(ChallengeType::Http, "www.test") };
        let result = validator.validate(&attempt).await;
        assert_eq!(result.as_ref().err().map(|problem| problem.kind), expected, "{token}: {result:?}");
    }
    let result = validator.validate(&attempt(ChallengeType::Http, "127.0.0.1")).await;
    assert_eq!(result, Ok(()));
    for (name, expected) in
        [("denied.test", Kind::Connection), ("nowhere.test", Kind::Dns), ("127.0.0.2", Kind::Connection)]
    {
        let problem = validator.validate(&attempt(ChallengeType::Http, name)).await.unwrap_err();
        assert_eq!(problem.kind, expected, "{name}");
    }
    // A wildcard is not validated on a web server.
    let wildcard = Attempt { wildcard: true, ..attempt(ChallengeType::Http, "www.test") };
    assert_eq!(validator.validate(&wildcard).await.unwrap_err().kind, Kind::Malformed);
}

#[tokio::test]
async fn slow_web_server() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let policy = policy(dns(vec![("www.test", A, loopback())]).await, port, "validation-seconds = 1");
    let validator = Validator::new(policy, &BACKEND).unwrap();
    let problem = validator.validate(&attempt(ChallengeType::Http, "www.test")).await.unwrap_err();
    assert!(problem.detail.contains("more than 1 seconds"), "{problem}");
    drop(listener);
}

#[tokio::test]
async fn txt_records_and_caa() {
    let digest =
        jwk::base64url(&tagwise_crypto::Primitives::digest(&BACKEND, Digest::Sha256, b"token.thumbprint").unwrap());
    let mut records = Vec::new();
    let names = ["www.test", "a.example.org", "b.example.org", "free.net", "broken.net", "wild.net", "strict.net"];
    for name in names {
        let name: &'static str = Box::leak(format!("_acme-challenge.{name}").into_boxed_str());
        records.push((name, TXT, txt("something else")));
        records.push((name, TXT, txt(&digest)));
    }
    records.push(("_olyvb6oxga3g4ahi._acme-challenge.account.test", TXT, txt(&digest)));
    let persistent = "ca.test; accounturi=https://ca.test/account/1";
    records.push(("_validation-persist.www.test", TXT, txt("ca.test; accounturi=https://ca.test/account/2")));
    records.push(("_validation-persist.www.test", TXT, txt(persistent)));
    records.push(("_validation-persist.wild.test", TXT, txt(&format!("{persistent}; policy=wildcard"))));
    records.push(("_validation-persist.a.example.org", TXT, txt(persistent)));
    records.push(("_acme-challenge.wrong.net", TXT, txt("something else")));
    records.push(("example.org", CAA, caa("issue", "other.test")));
    records.push(("b.example.org", CAA, caa("issue", "ca.test")));
    records.push(("wild.net", CAA, caa("issuewild", ";")));
    records.push(("strict.net", CAA, caa("issue", "ca.test; validationmethods=http-01")));
    let validator = Validator::new(policy(dns(records).await, 80, ""), &BACKEND).unwrap();
    for (name, wildcard, expected) in [
        // Not public: no CAA.
        ("www.test", true, None),
        // Of the parent.
        ("a.example.org", false, Some(Kind::Caa)),
        ("b.example.org", false, None),
        ("free.net", false, None),
        // The query fails.
        ("broken.net", false, Some(Kind::Caa)),
        ("wild.net", false, None),
        ("wild.net", true, Some(Kind::Caa)),
        ("strict.net", false, Some(Kind::Caa)),
        ("wrong.net", false, Some(Kind::IncorrectResponse)),
        ("none.net", false, Some(Kind::IncorrectResponse)),
    ] {
        let attempt = Attempt { wildcard, ..attempt(ChallengeType::Dns, name) };
        let result = validator.validate(&attempt).await;
        assert_eq!(result.as_ref().err().map(|problem| problem.kind), expected, "{name}: {result:?}");
    }
    let account =
        |account: &str, name: &str| Attempt { account: account.to_owned(), ..attempt(ChallengeType::DnsAccount, name) };
    let validated = [
        ("https://ca.test/account/1", "account.test", true),
        ("https://ca.test/account/2", "account.test", false),
        ("https://ca.test/account/1", "www.test", false),
    ];
    for (url, name, expected) in validated {
        assert_eq!(validator.validate(&account(url, name)).await.is_ok(), expected, "{url} {name}");
    }
    for (name, wildcard, expected) in [
        ("www.test", false, None),
        ("www.test", true, Some(Kind::IncorrectResponse)),
        ("wild.test", true, None),
        ("none.test", false, Some(Kind::IncorrectResponse)),
        // The CAA records still count.
        ("a.example.org", false, Some(Kind::Caa)),
    ] {
        let account = "https://ca.test/account/1".to_owned();
        let attempt = Attempt { wildcard, account, ..attempt(ChallengeType::DnsPersist, name) };
        let result = validator.validate(&attempt).await;
        assert_eq!(result.as_ref().err().map(|problem| problem.kind), expected, "{name}: {result:?}");
    }
    let problem = validator.validate(&attempt(ChallengeType::Dns, "127.0.0.1")).await.unwrap_err();
    assert_eq!(problem.kind, Kind::Malformed);
}

/// The certificate of a challenge, with the given parts.
fn certificate(names: &[&str], extension: Option<(bool, Vec<u8>)>) -> (Vec<u8>, Vec<u8>) {
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let mut builder = CertificateBuilder::new().subject("CN=challenge").unwrap().days(1);
    for name in names {
        builder = match name.parse::<std::net::IpAddr>() {
            Ok(address) => builder.ip(address),
            Err(_) => builder.dns(*name),
        };
    }
    // The builder refuses acmeIdentifier unless it is critical: it is given another identifier, which is then replaced.
    let (id, other) = (tagwise_pkix::oids::PE_ACME_IDENTIFIER, tagwise_codec::oid!("1.3.6.1.5.5.7.1.99"));
    if let Some((critical, value)) = extension {
        builder = builder.extension_der(other, critical, value).unwrap();
    }
    let pkcs8 = key.to_pkcs8().unwrap().expose().to_vec();
    let mut der = builder.self_signed(&KeySigner::preferred(key).unwrap()).unwrap().as_der().to_vec();
    if let Some(at) = der.windows(other.as_bytes().len()).position(|part| part == other.as_bytes()) {
        der[at..at + id.as_bytes().len()].copy_from_slice(id.as_bytes());
    }
    (der, pkcs8)
}

/// A TLS server with a certificate and a protocol.
async fn tls((certificate, key): (Vec<u8>, Vec<u8>), protocol: &[u8]) -> u16 {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let key = rustls::pki_types::PrivateKeyDer::Pkcs8(key.into());
    // The check of the key against the certificate does not know the critical extension.
    let key = rustls::crypto::aws_lc_rs::sign::any_supported_type(&key).unwrap();
    let certified = rustls::sign::CertifiedKey::new(vec![certificate.into()], key);
    let resolver = Arc::new(rustls::sign::SingleCertAndKey::from(certified));
    let mut config = config.with_no_client_auth().with_cert_resolver(resolver);
    config.alpn_protocols = vec![protocol.to_vec()];
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = acceptor.accept(stream).await;
        }
    });
    port
}

#[tokio::test]
async fn tls_alpn() {
    let digest = tagwise_crypto::Primitives::digest(&BACKEND, Digest::Sha256, b"token.thumbprint").unwrap();
    let value = [&[4, 32], digest.as_slice()].concat();
    let dns = dns(vec![("www.test", A, loopback())]).await;
    let acme: &[u8] = b"acme-tls/1";
    for (name, identifier, certificate, protocol, expected) in [
        ("good", "www.test", certificate(&["www.test"], Some((true, value.clone()))), acme, None),
        ("address", "127.0.0.1", certificate(&["127.0.0.1"], Some((true, value.clone()))), acme, None),
        (
            "not critical",
            "www.test",
            certificate(&["www.test"], Some((false, value.clone()))),
            acme,
            Some(Kind::IncorrectResponse),
        ),
        (
            "other digest",
            "www.test",
            certificate(&["www.test"], Some((true, [&[4, 32][..], &[7; 32]].concat()))),
            acme,
            Some(Kind::IncorrectResponse),
        ),
        ("no extension", "www.test", certificate(&["www.test"], None), acme, Some(Kind::IncorrectResponse)),
        (
            "two names",
            "www.test",
            certificate(&["www.test", "b.test"], Some((true, value.clone()))),
            acme,
            Some(Kind::IncorrectResponse),
        ),
        (
            "another name",
            "www.test",
            certificate(&["b.test"], Some((true, value.clone()))),
            acme,
            Some(Kind::IncorrectResponse),
        ),
        (
            "another protocol",
            "www.test",
            certificate(&["www.test"], Some((true, value.clone()))),
            b"h2",
            Some(Kind::Tls),
        ),
    ] {
        let port = tls(certificate, protocol).await;
        let validator = Validator::new(policy(dns, port, ""), &BACKEND).unwrap();
        let result = validator.validate(&attempt(ChallengeType::TlsAlpn, identifier)).await;
        assert_eq!(result.as_ref().err().map(|problem| problem.kind), expected, "{name}: {result:?}");
    }
}

//! Exchanges on tokio: what the blocking ones do, with the same servers, and many at once.
#![cfg(all(unix, feature = "dns", feature = "https", feature = "tokio"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/proxy.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod proxy;
#[path = "common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;
#[path = "common/servers.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod servers;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

use realm::Realm;
use servers::{kdc_error, kdc_of, tcp, udp, unix};
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::Principal;
use tagwise_krb5::client::net::{AsyncNetwork, Event, Proxies, Question, Service, Transport, ask, drive};
use tagwise_krb5::client::{AsExchange, AsOptions, ClientError, Login};
use tagwise_krb5::conf::{Config, NoIncludes};
use tagwise_krb5::numbers::error;
use tokio::runtime::Runtime;

const QUICK: Transport = Transport { timeout: Duration::from_millis(400), ..Transport::DEFAULT };

/// A network with these servers of `KRB.TEST`.
fn network(kdcs: &[String], transport: Transport) -> AsyncNetwork {
    let kdcs: String = kdcs.iter().map(|kdc| format!(" kdc = {kdc}\n")).collect();
    let text = format!("[realms]\n KRB.TEST = {{\n{kdcs} }}\n");
    AsyncNetwork::new(Config::parse(&text, &mut NoIncludes).unwrap(), transport)
}

fn asked(kdcs: &[String], message: &[u8]) -> Result<Vec<u8>, ClientError> {
    let network = network(kdcs, QUICK);
    Runtime::new().unwrap().block_on(network.ask("KRB.TEST", Service::Kdc, message, false))
}

#[test]
fn datagrams() {
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let silent_at = silent.local_addr().unwrap().to_string();
    let quick = udp(Duration::ZERO, b"quick".to_vec()).to_string();
    let begun = Instant::now();
    assert_eq!(asked(&[silent_at.clone(), quick], b"?").unwrap(), b"quick");
    assert!(begun.elapsed() < Duration::from_secs(2));
    // An answer that comes while another one is waited for is taken.
    let late = udp(Duration::from_millis(550), b"late".to_vec()).to_string();
    let begun = Instant::now();
    assert_eq!(asked(&[late, silent_at.clone()], b"?").unwrap(), b"late");
    assert!(begun.elapsed() < Duration::from_millis(1500), "it is not asked again");
    let gone = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let failed = asked(&[gone.clone(), silent_at.clone()], b"?").unwrap_err().to_string();
    for text in [format!("{gone} over UDP: Connection refused"), format!("{silent_at} over UDP: timed out")] {
        assert!(failed.contains(&text), "{failed}");
    }
    let failed = asked(&[], b"?").unwrap_err().to_string();
    assert!(failed.contains("no KDC found for the realm KRB.TEST"), "{failed}");
    // What is too long for a datagram goes over TCP at once. A busy server does not count while there are others.
    assert_eq!(asked(&[tcp(b"stream".to_vec()).to_string()], &[0; 2000]).unwrap(), b"stream");
    let busy = kdc_error(error::SVC_UNAVAILABLE);
    let first = udp(Duration::ZERO, busy.clone()).to_string();
    let second = udp(Duration::ZERO, b"here".to_vec()).to_string();
    // Both are asked by datagrams together; the busy one's TCP has nobody.
    let answer = asked(&[first, second], b"?").unwrap();
    assert!(answer == busy || answer == b"here");
}

/// A server that says that a megabyte follows, and one that gives a byte now and then.
fn lying(length: u32, pause: Duration) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 64]);
            let _ = stream.write_all(&length.to_be_bytes());
            while !pause.is_zero() && stream.write_all(b"x").is_ok() {
                std::thread::sleep(pause);
            }
        }
    });
    address
}

#[test]
fn servers_that_lie_about_lengths() {
    let of = |length, pause| asked(&[lying(length, pause).to_string()], &[0; 2000]).unwrap_err().to_string();
    assert!(of(0x7FFF_FFFF, Duration::ZERO).contains("a message is too long"));
    assert!(of(0x8000_0001, Duration::ZERO).contains("a message is too long"));
    assert!(of(1000, Duration::ZERO).contains("over TCP: "));
    let begun = Instant::now();
    let slow = of(1000, Duration::from_millis(50));
    assert!(slow.contains("timed out"), "{slow}");
    assert!(begun.elapsed() < Duration::from_secs(3), "a byte now and then does not keep a client");
}

fn login<'b>(backend: &'b AwsLc, password: &str) -> AsExchange<'b> {
    let alice = Principal::parse("alice@KRB.TEST", None).unwrap();
    AsExchange::new(backend, AsOptions::new(alice), Login::Password(Secret::from(password.as_bytes())))
}

#[test]
fn before_mits_kdc() {
    let Some(realm) = Realm::start() else { return };
    let (kdc, folder) = (kdc_of(&realm), realm.folder.path());
    let runtime = Runtime::new().unwrap();

    // Twenty at once, on threads of the runtime: the futures can be sent.
    let over_udp = Arc::new(network(&[kdc.to_string()], Transport::DEFAULT));
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let network = Arc::clone(&over_udp);
            runtime.spawn(async move {
                let backend = AwsLc::new();
                let mut events = Vec::new();
                let mut exchange = login(&backend, "alicepw");
                let got = network
                    .watch(&mut exchange, &mut |event| {
                        if let Event::Received { from, .. } = event {
                            events.push(from.transport());
                        }
                    })
                    .await;
                (got.unwrap().client.to_string(), events)
            })
        })
        .collect();
    for task in tasks {
        let (client, events) = runtime.block_on(task).unwrap();
        assert_eq!((client.as_str(), events.first(), events.len() >= 2), ("alice@KRB.TEST", Some(&"UDP"), true));
    }

    let backend = AwsLc::new();
    let got = |network: &AsyncNetwork, password: &str| {
        runtime.block_on(network.initial(&mut || login(&backend, password), &mut |_| ()))
    };
    let socket = folder.join("kdc.sock");
    unix(&socket, kdc);
    let over_unix = network(&[socket.display().to_string()], Transport::DEFAULT);
    assert_eq!(got(&over_unix, "alicepw").unwrap().client.to_string(), "alice@KRB.TEST");
    let refused = got(&over_unix, "wrong").unwrap_err();
    assert!(matches!(refused, ClientError::Kdc(refusal) if refusal.code == error::PREAUTH_FAILED));
    if let Some(proxy) = proxy::start(folder, Box::new(move |framed, _| proxy::pass_on(kdc, framed))) {
        let url = format!("https://localhost:{}/KdcProxy", proxy.address.port());
        let over_https = network(&[url], Transport::DEFAULT).with_https(Arc::new(Proxies::new(&[proxy.certificate])));
        assert_eq!(got(&over_https, "alicepw").unwrap().client.to_string(), "alice@KRB.TEST");
    }

    // Without a runtime: a function answers.
    let mut exchange = login(&backend, "alicepw");
    let by_hand = drive(&mut exchange, |question: Question| async move {
        assert_eq!(question.realm, "KRB.TEST");
        ask(&[kdc], &question.message, question.tcp, &Transport::DEFAULT)
    });
    assert_eq!(runtime.block_on(by_hand).unwrap().client.to_string(), "alice@KRB.TEST");
}

//! Transports and the location of servers: UDP with late answers, UNIX sockets, proxies over HTTPS, the DNS, primary servers; with
//! servers of the test, and before MIT's KDC.
#![cfg(all(unix, feature = "dns", feature = "https"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/dns.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod dns;
#[path = "common/proxy.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod proxy;
#[path = "common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;
#[path = "common/servers.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod servers_of_the_test;
#[path = "common/tamper.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod tamper;

use std::net::{TcpListener, UdpSocket};
use std::time::{Duration, Instant};

use realm::Realm;
use servers_of_the_test::{kdc_error, kdc_of, tcp, udp, unix};
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::Principal;
use tagwise_krb5::client::net::{Network, Proxies, Resolver as _, Server, Service, SystemDns, Transport, ask};
use tagwise_krb5::client::{AsExchange, AsOptions, ClientError, Login};
use tagwise_krb5::conf::{Config, NoIncludes};
use tagwise_krb5::numbers::error;
use tamper::Tampering;

/// Servers that answer quickly or not at all.
const QUICK: Transport = Transport { timeout: Duration::from_millis(400), ..Transport::DEFAULT };

fn config(text: &str) -> Config {
    Config::parse(text, &mut NoIncludes).unwrap()
}

#[test]
fn datagrams() {
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let silent = silent.local_addr().map(|address| (silent, address)).unwrap();
    let quick = udp(Duration::ZERO, b"quick".to_vec());
    // One that says nothing does not keep the next one from answering.
    let begun = Instant::now();
    assert_eq!(ask(&[silent.1, quick], b"?", false, &QUICK).unwrap(), b"quick");
    assert!(begun.elapsed() < Duration::from_secs(2));
    // An answer that comes while another one is waited for is taken.
    let late = udp(Duration::from_millis(550), b"late".to_vec());
    let begun = Instant::now();
    assert_eq!(ask(&[late, silent.1], b"?", false, &QUICK).unwrap(), b"late");
    assert!(begun.elapsed() < Duration::from_millis(1500), "it is not asked again");
    // Nobody is there: the error says what each did.
    let gone = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let failed = ask(&[gone, silent.1], b"?", false, &QUICK).unwrap_err().to_string();
    for text in [format!("{gone} over UDP: Connection refused"), format!("{} over UDP: timed out", silent.1)] {
        assert!(failed.contains(&text), "{failed}");
    }
    // What is too long for a datagram goes over TCP at once; a server of datagrams alone is then the last one.
    let stream = tcp(b"stream".to_vec());
    let long = vec![0; 2000];
    let only_udp = Server::Address { address: quick, udp: true, tcp: false };
    assert_eq!(ask(&[only_udp.clone(), stream.into()], &long, false, &QUICK).unwrap(), b"stream");
    assert_eq!(ask(std::slice::from_ref(&only_udp), &long, false, &QUICK).unwrap(), b"quick");
    assert!(matches!(ask(&[only_udp], &long, true, &QUICK), Err(ClientError::Network(_))));
}

/// Datagrams that are no replies come first: the KDC's own is waited for.
#[test]
fn garbage_does_not_end_a_login() {
    let Some(realm) = Realm::start() else { return };
    let (kdc, backend) = (kdc_of(&realm), AwsLc::new());
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let front = socket.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut buffer = vec![0; 65_536];
        while let Ok((len, client)) = socket.recv_from(&mut buffer) {
            for garbage in [&b"garbage"[..], b"", b"\x7e\x03\x02\x01\x05", b"\x6b\x00", b"\x6d\x00"] {
                let _ = socket.send_to(garbage, client);
            }
            let reply = ask(&[kdc], &buffer[..len], false, &Transport::DEFAULT).unwrap();
            let _ = socket.send_to(&reply, client);
        }
    });
    let configured = config(&format!("[realms]\n KRB.TEST = {{\n kdc = {front}\n }}\n"));
    let got = Network::new(&configured, Transport::DEFAULT).run(&mut login(&backend, "alicepw")).unwrap();
    assert_eq!(got.client.to_string(), "alice@KRB.TEST");
}

#[test]
fn servers_that_are_not_available() {
    let busy = kdc_error(error::SVC_UNAVAILABLE);
    let (first, second) = (udp(Duration::ZERO, busy.clone()), tcp(b"here".to_vec()));
    let second = Server::Address { address: second, udp: false, tcp: true };
    assert_eq!(ask(&[first.into(), second], b"?", false, &QUICK).unwrap(), b"here");
    // If all are busy, that is the answer.
    assert_eq!(ask(&[tcp(busy.clone())], b"?", true, &QUICK).unwrap(), busy);
}

#[test]
fn unix_sockets_and_proxies() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("kdc.sock");
    unix(&socket, tcp(b"from the socket".to_vec()));
    let text = format!("[realms]\n KRB.TEST = {{\n kdc = {}\n }}\n", socket.display());
    let configured = config(&text);
    let network = Network::new(&configured, QUICK);
    assert_eq!(network.ask("KRB.TEST", Service::Kdc, b"?", false).unwrap(), b"from the socket");
    let Some(proxy) = proxy::start(
        folder.path(),
        Box::new(|framed, realm| {
            assert_eq!((framed, realm), (&b"\0\0\0\x01?"[..], "KRB.TEST"));
            b"\0\0\0\x0efrom the proxy".to_vec()
        }),
    ) else {
        return;
    };
    let at = |path: &str| {
        let port = proxy.address.port();
        config(&format!("[realms]\n KRB.TEST = {{\n kdc = https://localhost:{port}/{path}\n }}\n"))
    };
    let slow = Transport { timeout: Duration::from_secs(20), ..QUICK };
    let (right, wrong) = (at("KdcProxy"), at("elsewhere"));
    let trusting = Proxies::new(std::slice::from_ref(&proxy.certificate));
    let asked = |config: &Config, https: &Proxies| {
        Network::new(config, slow).with_https(https).ask("KRB.TEST", Service::Kdc, b"?", false)
    };
    assert_eq!(asked(&right, &trusting).unwrap(), b"from the proxy");
    let refused = asked(&wrong, &trusting).unwrap_err().to_string();
    assert!(refused.contains("status 400"), "{refused}");
    // A certificate that leads to no anchor; no client of HTTPS at all.
    let other = Proxies::new(&[]);
    let refused = asked(&right, &other).unwrap_err().to_string();
    assert!(refused.contains("certificate"), "{refused}");
    let refused = Network::new(&right, slow).ask("KRB.TEST", Service::Kdc, b"?", false).unwrap_err().to_string();
    assert!(refused.contains("this program was built without HTTPS"), "{refused}");
}

fn record(name: &str, kind: u16, data: Vec<u8>) -> dns::Record {
    (name.to_owned(), kind, data)
}

#[test]
fn the_dns() {
    let server = dns::start(vec![
        record("_kerberos._udp.krb.test", dns::SRV, dns::srv(1, 2, 88, "a.krb.test")),
        record("_kerberos._udp.krb.test", dns::SRV, dns::srv(0, 0, 0, ".")),
        record("_kerberos.krb.test", dns::URI, dns::uri(7, "krb5srv:m:udp:127.0.0.1:99")),
        record("_kerberos.www.krb.test", dns::TXT, dns::txt("KRB.TEST")),
    ]);
    let dns = SystemDns::with_servers(&[server]).unwrap();
    let mut found = dns.srv("_kerberos._udp.KRB.TEST.").unwrap();
    found.sort_by_key(|record| record.priority);
    assert_eq!((found.len(), found[1].priority, found[1].weight, found[1].port), (2, 1, 2, 88));
    assert_eq!((found[0].target.as_str(), found[1].target.as_str()), (".", "a.krb.test."));
    let found = dns.uri("_kerberos.KRB.TEST.").unwrap();
    assert_eq!((found.len(), found[0].priority, found[0].target.as_str()), (1, 7, "krb5srv:m:udp:127.0.0.1:99"));
    assert!(dns.srv("_kerberos.KRB.TEST.").unwrap().is_empty() && dns.uri("_nothing.KRB.TEST.").unwrap().is_empty());
    // Realms of hosts are looked up only if the configuration says so.
    let (silent, asking) = (config(""), config("[libdefaults]\n dns_lookup_realm = true\n"));
    let realm = |config| Network::new(config, QUICK).with_resolver(&dns).realm_of_host("a.www.krb.test").unwrap();
    assert_eq!((realm(&silent), realm(&asking)), (None, Some("KRB.TEST".to_owned())));
    // A server that says nothing is an error, not an answer.
    let nobody = UdpSocket::bind("127.0.0.1:0").unwrap();
    let dead = SystemDns::with_servers(&[nobody.local_addr().unwrap()]).unwrap();
    assert!(dead.uri("_kerberos.KRB.TEST.").is_err());
    drop(nobody);
}

fn login<'b>(backend: &'b AwsLc, password: &str) -> AsExchange<'b> {
    let alice = Principal::parse("alice@KRB.TEST", None).unwrap();
    AsExchange::new(backend, AsOptions::new(alice), Login::Password(Secret::from(password.as_bytes())))
}

/// One realm for all: starting it is most of the time.
#[test]
fn before_mits_kdc() {
    let Some(realm) = Realm::start() else { return };
    let (kdc, backend, folder) = (kdc_of(&realm), AwsLc::new(), realm.folder.path());
    let got = |network: &Network<'_>| network.run(&mut login(&backend, "alicepw")).unwrap().client.to_string();

    let socket = folder.join("kdc.sock");
    unix(&socket, kdc);
    let configured = config(&format!("[realms]\n KRB.TEST = {{\n kdc = {}\n }}\n", socket.display()));
    assert_eq!(got(&Network::new(&configured, Transport::DEFAULT)), "alice@KRB.TEST");

    // By the DNS: as a service, as a URI, and through a proxy that a URI names.
    let empty = config("");
    let srv = |name: &str| record(name, dns::SRV, dns::srv(0, 0, kdc.port(), "localhost"));
    let of = |records| SystemDns::with_servers(&[dns::start(records)]).unwrap();
    let resolver = of(vec![srv("_kerberos._udp.krb.test"), srv("_kerberos._tcp.krb.test")]);
    assert_eq!(got(&Network::new(&empty, Transport::DEFAULT).with_resolver(&resolver)), "alice@KRB.TEST");
    let uri = dns::uri(0, &format!("krb5srv:m:tcp:localhost:{}", kdc.port()));
    let resolver = of(vec![record("_kerberos.krb.test", dns::URI, uri)]);
    assert_eq!(got(&Network::new(&empty, Transport::DEFAULT).with_resolver(&resolver)), "alice@KRB.TEST");
    let off = config("[libdefaults]\n dns_lookup_kdc = false\n");
    let network = Network::new(&off, Transport::DEFAULT).with_resolver(&resolver);
    assert!(matches!(network.run(&mut login(&backend, "alicepw")), Err(ClientError::Network(_))));
    if let Some(proxy) = proxy::start(folder, Box::new(move |framed, _| proxy::pass_on(kdc, framed))) {
        let place = format!("krb5srv:m:kkdcp:https://localhost:{}/KdcProxy", proxy.address.port());
        let resolver = of(vec![record("_kerberos.krb.test", dns::URI, dns::uri(0, &place))]);
        let https = Proxies::new(&[proxy.certificate]);
        let network = Network::new(&empty, Transport::DEFAULT).with_resolver(&resolver).with_https(&https);
        assert_eq!(got(&network), "alice@KRB.TEST");
    }

    // A replica that does not know the client yet: the primary KDC is asked, once.
    let replica = tcp(kdc_error(error::C_PRINCIPAL_UNKNOWN));
    let both = format!("[realms]\n KRB.TEST = {{\n kdc = {replica}\n kdc = {kdc}\n primary_kdc = {kdc}\n }}\n");
    let (both, alone) = (config(&both), config(&format!("[realms]\n KRB.TEST = {{\n kdc = {replica}\n }}\n")));
    let transport = Transport { udp_limit: 0, ..Transport::DEFAULT };
    let initial = |config: &Config, password: &str| {
        let mut begun = 0;
        let result = Network::new(config, transport).initial(
            &mut || {
                begun += 1;
                login(&backend, password)
            },
            &mut |_| (),
        );
        (begun, result)
    };
    let (begun, result) = initial(&both, "alicepw");
    assert_eq!((begun, result.unwrap().client.to_string()), (2, "alice@KRB.TEST".to_owned()));
    let (begun, result) = initial(&both, "wrong");
    assert!(matches!(result, Err(ClientError::Kdc(refusal)) if refusal.code == error::PREAUTH_FAILED && begun == 2));
    let (begun, result) = initial(&alone, "alicepw");
    assert!(
        matches!(result, Err(ClientError::Kdc(refusal)) if refusal.code == error::C_PRINCIPAL_UNKNOWN && begun == 1)
    );
    // A refusal of the primary one is not asked for twice; one that does not answer lets the first refusal stand.
    let primary = config(&format!("[realms]\n KRB.TEST = {{\n kdc = {kdc}\n primary_kdc = {kdc}\n }}\n"));
    assert_eq!(initial(&primary, "wrong").0, 1);
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = format!("[realms]\n KRB.TEST = {{\n kdc = {replica}\n primary_kdc = {gone}\n }}\n");
    let (begun, result) = initial(&config(&gone), "alicepw");
    assert!(
        matches!(result, Err(ClientError::Kdc(refusal)) if refusal.code == error::C_PRINCIPAL_UNKNOWN && begun == 2)
    );
}

/// Datagrams are lost, come twice, end early, are old or changed: a client gets its ticket or an error, and never another's ticket.
#[test]
fn before_a_proxy_that_tampers() {
    let Some(realm) = Realm::start() else { return };
    let (kdc, backend) = (kdc_of(&realm), AwsLc::new());
    let through = |tampering| {
        let proxy = tamper::start(kdc, tampering);
        let configured = config(&format!("[realms]\n KRB.TEST = {{\n kdc = {proxy}\n }}\n"));
        let backend = &backend;
        move || Network::new(&configured, Transport::DEFAULT).run(&mut login(backend, "alicepw"))
    };
    for tampering in [Tampering::Loses, Tampering::Doubles] {
        let ask = through(tampering);
        for _ in 0..2 {
            assert_eq!(ask().unwrap().client.to_string(), "alice@KRB.TEST", "{tampering:?}");
        }
    }
    let cut = through(Tampering::Cuts)().unwrap_err().to_string();
    assert!(cut.contains("the received data was not a reply to the request"), "{cut}");
    // An old answer is under another key where the exchange makes one (SPAKE), and has another nonce elsewhere (RFC 4120 §3.1.5).
    let ask = through(Tampering::Keeps);
    assert_eq!(ask().unwrap().client.to_string(), "alice@KRB.TEST");
    let old = ask().unwrap_err().to_string();
    assert!(old.contains("integrity check failed") || old.contains("nonce"), "{old}");
    // The names and the ticket are outside of what is encrypted; a changed ticket is its server's to refuse.
    let ask = through(Tampering::Changes(37));
    let mut refused = 0;
    for _ in 0..40 {
        match ask() {
            Ok(got) => {
                let names = (got.client.to_string(), got.server.to_string());
                assert_eq!(names, ("alice@KRB.TEST".to_owned(), "krbtgt/KRB.TEST@KRB.TEST".to_owned()));
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused >= 10, "only {refused} of 40 were refused");
}

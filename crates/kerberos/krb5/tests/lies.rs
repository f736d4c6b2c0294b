//! A client whose KDC is down, slow or lying: every reply cut anywhere, changed anywhere, or of another exchange; servers that hang up,
//! say nothing, or send too much.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::ops::Range;
use std::time::{Duration, Instant};

use realm::Realm;
use tagwise_codec::{Decode as _, encode};
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::Principal;
use tagwise_krb5::client::net::{Exchange, Server, Transport, ask, run, servers};
use tagwise_krb5::client::{
    AsExchange, AsOptions, ClientError, Login, Moment, PreauthMethod, Step, TgsExchange, TgsOptions,
};
use tagwise_krb5::crypto::EncType;
use tagwise_krb5::messages::{AsRep, TgsRep};

const TCP: Transport = Transport { udp_limit: 0, ..Transport::DEFAULT };

/// Drives an exchange until the reply that ends it, which is not given to it.
fn up_to_the_end<E: Exchange>(mut exchange: E, kdcs: &[Server]) -> (E, Vec<u8>) {
    let mut step = exchange.start(Moment::now()).unwrap();
    loop {
        let Step::Send { message, .. } = step else { panic!("the end") };
        let reply = ask(kdcs, &message, false, &TCP).unwrap();
        if reply[0] != 0x7E {
            return (exchange, reply);
        }
        step = exchange.reply(Moment::now(), &reply).unwrap();
    }
}

/// Where the ticket stands in a reply. It is not the client's to judge (RFC 4120 §3.1.5): the service refuses one that was changed.
fn ticket_in(reply: &[u8]) -> Range<usize> {
    let ticket = match reply[0] {
        0x6B => encode(&AsRep::from_der(reply).unwrap().0.ticket).unwrap(),
        _ => encode(&TgsRep::from_der(reply).unwrap().0.ticket).unwrap(),
    };
    let at = reply.windows(ticket.len()).position(|window| window == ticket).unwrap();
    at..at + ticket.len()
}

/// Changes and cuts a reply: the exchange refuses all, and then takes the right one.
fn lied_to<E: Exchange>(begin: impl Fn() -> (E, Vec<u8>), is_tunnelled: bool) {
    let (mut exchange, mut reply) = begin();
    let other = begin().1;
    assert!(exchange.reply(Moment::now(), &other).is_err(), "the reply to another request");
    let (mut unnoticed, mut at) = (0, 0);
    while at < reply.len() {
        let ticket = ticket_in(&reply);
        let mut changed = reply.clone();
        changed[at] ^= 1 << (at % 8);
        if exchange.reply(Moment::now(), &changed).is_ok() {
            // A tunnel covers the ticket and the client's name (RFC 6113 §5.4.3).
            assert!(!is_tunnelled || !ticket.contains(&at), "byte {at} of the ticket");
            unnoticed += usize::from(!ticket.contains(&at));
            (exchange, reply) = begin();
        }
        if at % 6 == 0 {
            assert!(exchange.reply(Moment::now(), &reply[..at]).is_err(), "cut at {at}");
        }
        at += if ticket.contains(&at) && !is_tunnelled { 61 } else { 3 };
    }
    // Types of names and hints how the key was made, which the client knows by then.
    assert!(unnoticed < 25, "{unnoticed}");
    assert!(exchange.reply(Moment::now(), &[&reply[..], b"\0"].concat()).is_err());
    assert!(matches!(exchange.reply(Moment::now(), &reply).unwrap(), Step::Done(_)));
    assert!(matches!(exchange.reply(Moment::now(), &reply), Err(ClientError::Over)));
}

#[test]
fn replies_that_were_changed() {
    let Some(realm) = Realm::start() else { return };
    let backend = AwsLc::new();
    let kdcs = servers(&realm.config.kdcs(realm::REALM), 88);
    let alice = Principal::parse("alice@KRB.TEST", None).unwrap();
    let login = |method| {
        let mut options = AsOptions::new(alice.clone());
        // The one of these whose keys cost least.
        (options.methods, options.enc_types) = (vec![method], vec![EncType::Aes256CtsHmacSha196]);
        AsExchange::new(&backend, options, Login::Password(Secret::from(&b"alicepw"[..])))
    };
    for method in [PreauthMethod::EncTimestamp, PreauthMethod::Spake] {
        lied_to(|| up_to_the_end(login(method), &kdcs), false);
    }
    let tgt = run(&mut login(PreauthMethod::EncTimestamp), &realm.config, &TCP).unwrap();
    for fast in [false, true] {
        let host = Principal::parse("host/localhost@KRB.TEST", None).unwrap();
        let start = || {
            let options = TgsOptions { fast, ..TgsOptions::new(host.clone()) };
            up_to_the_end(TgsExchange::new(&backend, options, tgt.clone()), &kdcs)
        };
        lied_to(start, fast);
    }
}

/// A server on loopback that does something with each connection.
fn server(what: impl Fn(TcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || listener.incoming().flatten().for_each(&what));
    address
}

/// Takes a request off a connection.
fn take(stream: &mut TcpStream) {
    let mut len = [0; 4];
    stream.read_exact(&mut len).unwrap();
    std::io::copy(&mut stream.take(u64::from(u32::from_be_bytes(len))), &mut std::io::sink()).unwrap();
}

#[test]
fn servers_that_do_not_answer() {
    let quick = Transport { udp_limit: 0, timeout: Duration::from_millis(300), tries: 2 };
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let hangs_up = server(drop);
    let silent = server(|mut stream| {
        take(&mut stream);
        std::thread::sleep(Duration::from_secs(2));
    });
    let cuts = server(|mut stream| {
        take(&mut stream);
        stream.write_all(b"\0\0\0\x09half").unwrap();
    });
    let too_much = server(|mut stream| {
        take(&mut stream);
        stream.write_all(b"\xFF\xFF\xFF\xFFall of it").unwrap();
    });
    let answers = server(|mut stream| {
        take(&mut stream);
        stream.write_all(b"\0\0\0\x05right").unwrap();
    });
    for (name, address) in
        [("closed", closed), ("hangs up", hangs_up), ("silent", silent), ("cuts", cuts), ("too much", too_much)]
    {
        let begun = Instant::now();
        let error = ask(&[address], b"request", true, &quick).unwrap_err();
        assert!(matches!(&error, ClientError::Network(text) if text.contains(&address.to_string())), "{name}: {error}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{name}");
        // The next server is asked.
        assert_eq!(ask(&[address, answers], b"request", true, &quick).unwrap(), b"right", "{name}");
    }
    // Over UDP: the first datagram is lost, the second answered; another one never answers, and TCP is asked.
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let loses = socket.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut buffer = [0; 100];
        socket.recv_from(&mut buffer).unwrap();
        let (_, client) = socket.recv_from(&mut buffer).unwrap();
        socket.send_to(b"late", client).unwrap();
    });
    let udp = Transport { udp_limit: 1465, ..quick };
    assert_eq!(ask(&[loses], b"request", false, &udp).unwrap(), b"late");
    let mute = UdpSocket::bind(answers).unwrap();
    assert_eq!(ask(&[mute.local_addr().unwrap()], b"request", false, &udp).unwrap(), b"right");
    assert!(matches!(ask::<Server>(&[], b"request", false, &udp), Err(ClientError::Network(_))));
}

/// An error that anybody can send asks for a key that is cheap to guess.
#[test]
fn few_iterations_are_refused() {
    use tagwise_krb5::client::AsOptions;
    use tagwise_krb5::crypto::{EncType, StringToKey, StringToKeyLimits};
    let options = AsOptions::new(tagwise_krb5::Principal::parse("alice@KRB.TEST", None).unwrap());
    assert_eq!(options.limits, StringToKeyLimits::CLIENT);
    let backend = tagwise_crypto::backends::AwsLc::new();
    let derive = |enc_type: EncType, iterations: u32, limits: StringToKeyLimits| {
        let parameters = iterations.to_be_bytes();
        StringToKey::new(enc_type).salt(b"salt").parameters(&parameters).limits(limits).derive(&backend, b"password")
    };
    for enc_type in [EncType::Aes256CtsHmacSha196, EncType::Aes128CtsHmacSha256128, EncType::Camellia128CtsCmac] {
        let refused = derive(enc_type, 1, options.limits).unwrap_err().to_string();
        assert!(refused.contains("1 iterations, expected 4096 to 16777216"), "{refused}");
        assert!(derive(enc_type, 4095, options.limits).is_err() && derive(enc_type, 4096, options.limits).is_ok());
        let allowed = StringToKeyLimits { min_iterations: 1, ..options.limits };
        assert!(derive(enc_type, 1, allowed).is_ok());
    }
}

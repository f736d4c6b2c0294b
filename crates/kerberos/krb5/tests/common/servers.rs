//! Servers of tests that say one thing.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::Duration;

use tagwise_codec::{General, encode};
use tagwise_krb5::client::Moment;
use tagwise_krb5::client::net::{Server, servers};
use tagwise_krb5::messages::{KrbError, Microseconds};
use tagwise_krb5::{KerberosTime, Principal};

use crate::proxy::pass_on;
use crate::realm::{self, Realm};

/// Answers each datagram after a while with a text.
pub fn udp(wait: Duration, answer: Vec<u8>) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut buffer = [0; 65_536];
        while let Ok((_, from)) = socket.recv_from(&mut buffer) {
            std::thread::sleep(wait);
            let _ = socket.send_to(&answer, from);
        }
    });
    address
}

/// Answers each message over TCP with a text.
pub fn tcp(answer: Vec<u8>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut len = [0; 4];
            if stream.read_exact(&mut len).is_ok() {
                let mut message = vec![0; u32::from_be_bytes(len) as usize];
                let _ = stream.read_exact(&mut message);
                let _ = stream.write_all(&[&(answer.len() as u32).to_be_bytes()[..], &answer].concat());
            }
        }
    });
    address
}

/// A UNIX socket before a server of TCP.
pub fn unix(path: &Path, kdc: SocketAddr) {
    let listener = UnixListener::bind(path).unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut len = [0; 4];
            if stream.read_exact(&mut len).is_ok() {
                let mut message = vec![0; u32::from_be_bytes(len) as usize];
                stream.read_exact(&mut message).unwrap();
                let _ = stream.write_all(&pass_on(kdc, &[&len[..], &message].concat()));
            }
        }
    });
}

/// An error that nobody signed.
pub fn kdc_error(code: i32) -> Vec<u8> {
    let now = KerberosTime::from_unix(Moment::now().unix).unwrap();
    let sname = Principal::parse("krbtgt/KRB.TEST@KRB.TEST", None).unwrap();
    let strings = sname.strings();
    let message = KrbError {
        pvno: 5,
        msg_type: 30,
        ctime: None,
        cusec: None,
        stime: now,
        susec: Microseconds(0),
        error_code: code,
        crealm: None,
        cname: None,
        realm: General::from_content(b"KRB.TEST"),
        sname: sname.name(&strings),
        e_text: None,
        e_data: None,
    };
    encode(&message).unwrap()
}

/// The address of a realm's KDC.
pub fn kdc_of(realm: &Realm) -> SocketAddr {
    match servers(&realm.config.kdcs(realm::REALM), 88).first() {
        Some(Server::Address { address, .. }) => *address,
        other => panic!("{other:?}"),
    }
}

//! A name server on loopback, over UDP, with a few records.

use std::net::{SocketAddr, UdpSocket};

/// A record: its name in lower case without the last dot, its type, and its data.
pub type Record = (String, u16, Vec<u8>);

pub const SRV: u16 = 33;
pub const TXT: u16 = 16;
pub const URI: u16 = 256;

/// The data of a record of type SRV.
pub fn srv(priority: u16, weight: u16, port: u16, target: &str) -> Vec<u8> {
    let mut data = [priority, weight, port].map(u16::to_be_bytes).concat();
    for label in target.split('.').filter(|label| !label.is_empty()) {
        data.push(u8::try_from(label.len()).unwrap());
        data.extend(label.as_bytes());
    }
    data.push(0);
    data
}

/// The data of a record of type URI.
pub fn uri(priority: u16, target: &str) -> Vec<u8> {
    [&priority.to_be_bytes()[..], &[0, 0], target.as_bytes()].concat()
}

/// The data of a record of type TXT.
pub fn txt(text: &str) -> Vec<u8> {
    [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat()
}

/// Starts one, whose thread ends with the process.
pub fn start(records: Vec<Record>) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok((len, from)) = socket.recv_from(&mut buffer) {
            if let Some(answer) = answer(&buffer[..len], &records) {
                let _ = socket.send_to(&answer, from);
            }
        }
    });
    address
}

fn answer(query: &[u8], records: &[Record]) -> Option<Vec<u8>> {
    let (mut at, mut labels) = (12, Vec::new());
    loop {
        let len = usize::from(*query.get(at)?);
        at += 1;
        if len == 0 {
            break;
        }
        labels.push(String::from_utf8(query.get(at..at + len)?.to_vec()).ok()?.to_ascii_lowercase());
        at += len;
    }
    let (name, kind) = (labels.join("."), u16::from_be_bytes([*query.get(at)?, *query.get(at + 1)?]));
    let question = query.get(12..at + 4)?;
    let found: Vec<&Record> = records.iter().filter(|(of, is, _)| *of == name && *is == kind).collect();
    let is_there = records.iter().any(|(of, ..)| *of == name);
    // A response, authoritative; what is not there at all has code 3.
    let flags: u16 = 0x8580 | if is_there { 0 } else { 3 };
    let mut out = query.get(..2)?.to_vec();
    out.extend(flags.to_be_bytes());
    for count in [1, u16::try_from(found.len()).ok()?, 0, 0] {
        out.extend(count.to_be_bytes());
    }
    out.extend(question);
    for (_, kind, data) in found {
        // The name of the question, the type, the class IN, a minute.
        out.extend([0xC0, 12]);
        out.extend(kind.to_be_bytes());
        out.extend([0, 1, 0, 0, 0, 60]);
        out.extend(u16::try_from(data.len()).ok()?.to_be_bytes());
        out.extend(data);
    }
    Some(out)
}

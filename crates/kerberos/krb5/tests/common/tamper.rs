//! A proxy over UDP that is no friend: it loses, doubles, cuts, keeps and changes what a KDC answers.

use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

/// One way to treat the datagrams between a client and a KDC.
#[derive(Clone, Copy, Debug)]
pub enum Tampering {
    /// Every other request is lost.
    Loses,
    /// Every answer comes twice.
    Doubles,
    /// Answers end in their middle.
    Cuts,
    /// The answers of the first exchange, up to its ticket, are given to all that come later.
    Keeps,
    /// A bit of each ticket's answer is changed, each time this many octets further behind.
    Changes(usize),
}

/// What a proxy did before.
#[derive(Default)]
struct Past {
    requests: usize,
    kept: Vec<Vec<u8>>,
    at: usize,
}

/// A proxy before a KDC, which runs until the process ends.
pub fn start(kdc: SocketAddr, tampering: Tampering) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut past, mut buffer) = (Past::default(), [0; 65_536]);
        while let Ok((len, from)) = socket.recv_from(&mut buffer) {
            past.requests += 1;
            for answer in past.answers(tampering, kdc, &buffer[..len]) {
                let _ = socket.send_to(&answer, from);
            }
        }
    });
    address
}

impl Past {
    fn answers(&mut self, tampering: Tampering, kdc: SocketAddr, request: &[u8]) -> Vec<Vec<u8>> {
        if matches!(tampering, Tampering::Loses) && self.requests % 2 == 1 {
            return Vec::new();
        }
        if self.kept.last().is_some_and(|answer| has_ticket(answer)) {
            return vec![self.kept[(self.requests - 1) % self.kept.len()].clone()];
        }
        let mut answer = asked(kdc, request);
        match tampering {
            Tampering::Loses => {}
            Tampering::Doubles => return vec![answer.clone(), answer],
            Tampering::Cuts => answer.truncate(answer.len() / 2),
            Tampering::Keeps => self.kept.push(answer.clone()),
            // Demands for preauthentication are left alone.
            Tampering::Changes(step) if has_ticket(&answer) => {
                self.at = (self.at + step) % answer.len();
                answer[self.at] ^= 1 << (self.at % 8);
            }
            Tampering::Changes(_) => {}
        }
        vec![answer]
    }
}

/// AS-REP ::= [APPLICATION 11] KDC-REP
fn has_ticket(answer: &[u8]) -> bool {
    answer.first() == Some(&0x6B)
}

fn asked(kdc: SocketAddr, request: &[u8]) -> Vec<u8> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    socket.connect(kdc).unwrap();
    socket.send(request).unwrap();
    let mut buffer = vec![0; 65_536];
    let len = socket.recv(&mut buffer).unwrap();
    buffer.truncate(len);
    buffer
}

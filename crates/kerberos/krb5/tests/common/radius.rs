//! A RADIUS server (RFC 2865) on a UNIX socket that takes one password: what MIT's KDC asks about one-time passwords.

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use md5::{Digest as _, Md5};

const ACCESS_ACCEPT: u8 = 2;
const ACCESS_REJECT: u8 = 3;
const USER_PASSWORD: u8 = 2;

/// Starts one, whose thread ends with the process. MIT's KDC has no secret to share over a UNIX socket.
pub fn start(path: &Path, password: &'static [u8]) {
    let listener = UnixListener::bind(path).unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || while answer(&stream, password).is_some() {});
        }
    });
}

fn answer(mut stream: &UnixStream, password: &[u8]) -> Option<()> {
    let mut head = [0; 20];
    stream.read_exact(&mut head).ok()?;
    let len = usize::from(u16::from_be_bytes([head[2], head[3]]));
    let mut attributes = vec![0; len.checked_sub(20)?];
    stream.read_exact(&mut attributes).ok()?;
    let given = find(&attributes, USER_PASSWORD).map(|hidden| shown(hidden, &head[4..]));
    let code = if given.as_deref() == Some(password) { ACCESS_ACCEPT } else { ACCESS_REJECT };
    let mut reply = vec![code, head[1], 0, 20];
    let authenticator = Md5::new().chain_update(&reply).chain_update(&head[4..]).finalize();
    reply.extend(authenticator);
    stream.write_all(&reply).ok()
}

fn find(mut attributes: &[u8], kind: u8) -> Option<&[u8]> {
    while let [of, len, ..] = *attributes {
        let (attribute, rest) = attributes.split_at_checked(usize::from(len).max(2))?;
        if of == kind {
            return Some(&attribute[2..]);
        }
        attributes = rest;
    }
    None
}

/// A hidden password (RFC 2865 §5.2), without a secret.
fn shown(hidden: &[u8], authenticator: &[u8]) -> Vec<u8> {
    let (mut out, mut before) = (Vec::new(), authenticator);
    for block in hidden.chunks(16) {
        let mask = Md5::digest(before);
        out.extend(block.iter().zip(mask).map(|(octet, mask)| octet ^ mask));
        before = block;
    }
    while out.last() == Some(&0) {
        out.pop();
    }
    out
}

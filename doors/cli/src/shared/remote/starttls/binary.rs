//! Protocols with binary messages: LDAP, PostgreSQL and MySQL.

use std::io::{Read, Write};
use std::ops::Range;

use tagwise_codec::ber::Elements;
use tagwise_codec::{Fault, Frame, Options, Tag, frame};
use tagwise_pkix::name::visible;

use super::{octet, send};

/// The largest message that is read, in bytes.
const LARGEST: usize = 4096;

/// RFC 4511 §4.14: an extended request, and a response whose result is success.
pub(super) fn ldap(stream: &mut (impl Read + Write)) -> Result<(), String> {
    // LDAPMessage ::= SEQUENCE { messageID INTEGER, protocolOp [APPLICATION 23] { requestName [0] LDAPOID } }
    send(stream, b"\x30\x1D\x02\x01\x01\x77\x18\x80\x161.3.6.1.4.1.1466.20037")?;
    let not_ldap = || "the server's reply is not LDAP".to_owned();
    let mut message = Vec::new();
    // LDAP's lengths are definite, and need not be minimal (RFC 4511 §5.1).
    while let Frame::NeedMore(count) = frame(&message, &Options::ber_definite()).map_err(|_fault| not_ldap())? {
        if message.len().saturating_add(count) > LARGEST {
            return Err(not_ldap());
        }
        for _ in 0..count {
            message.push(octet(stream)?);
        }
    }
    let response = || -> Result<(Vec<u8>, String), Fault> {
        let mut outer = Elements::new(0, message.len()).expect(&message, Tag::SEQUENCE)?.children();
        outer.expect(&message, Tag::INTEGER)?;
        // ExtendedResponse ::= [APPLICATION 24] SEQUENCE { resultCode ENUMERATED, matchedDN, diagnosticMessage, … }
        let mut response = outer.expect(&message, Tag::application(24).constructed())?.children();
        let code = response.expect(&message, Tag::ENUMERATED)?.content;
        let said = response.next(&message).and_then(|_name| response.next(&message)).map_or(0..0, |said| said.content);
        let text = |range: Range<usize>| message.get(range).unwrap_or_default();
        Ok((text(code).to_vec(), String::from_utf8_lossy(text(said)).into_owned()))
    };
    match response().map_err(|_fault| not_ldap())? {
        (code, _) if code == [0] => Ok(()),
        (code, said) => {
            let code = code.last().copied().unwrap_or_default();
            Err(format!("the server refused StartTLS with result {code}: {}", visible(&said)))
        }
    }
}

/// PostgreSQL: SSLRequest, and one byte in answer.
pub(super) fn postgres(stream: &mut (impl Read + Write)) -> Result<(), String> {
    send(stream, &[0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F])?;
    match octet(stream)? {
        b'S' => Ok(()),
        b'N' => Err("the server does not support TLS".to_owned()),
        _ => Err("the server's reply is not PostgreSQL".to_owned()),
    }
}

/// MySQL's capability flags: CLIENT_PROTOCOL_41, CLIENT_SSL, CLIENT_SECURE_CONNECTION.
const PROTOCOL_41: u16 = 0x0200;
const SSL: u16 = 0x0800;
const SECURE_CONNECTION: u16 = 0x8000;

/// MySQL and MariaDB: the server's initial handshake packet, and an SSLRequest in answer.
pub(super) fn mysql(stream: &mut (impl Read + Write)) -> Result<(), String> {
    let not_mysql = || "the server's reply is not MySQL".to_owned();
    // A packet's header: the length in three bytes, the lowest first, and a sequence number.
    let mut header = [0; 4];
    for place in &mut header {
        *place = octet(stream)?;
    }
    let [low, middle, high, _sequence] = header;
    let len = usize::from(low) | (usize::from(middle) << 8) | (usize::from(high) << 16);
    if len == 0 || len > LARGEST {
        return Err(not_mysql());
    }
    let mut packet = Vec::with_capacity(len);
    for _ in 0..len {
        packet.push(octet(stream)?);
    }
    match packet.split_first() {
        // An error packet: a code of two bytes, and a text.
        Some((0xFF, error)) => {
            let text = String::from_utf8_lossy(error.get(2..).unwrap_or_default());
            return Err(format!("the server says: {}", visible(&text)));
        }
        Some((10, rest)) => {
            // The version up to a zero byte, the connection's number (4), authentication data (8), a filler (1), and the flags.
            let end = rest.iter().position(|octet| *octet == 0).ok_or_else(not_mysql)?;
            let flags = rest.get(end + 14..end + 16).ok_or_else(not_mysql)?;
            let flags = flags.try_into().map(u16::from_le_bytes).map_err(|_error| not_mysql())?;
            if flags & SSL == 0 {
                return Err("the server does not support TLS".to_owned());
            }
        }
        _ => return Err(not_mysql()),
    }
    // The flags (4), the largest packet (4), a character set (1), and 23 zero bytes.
    let [one, two] = (PROTOCOL_41 | SSL | SECURE_CONNECTION).to_le_bytes();
    let mut request = vec![32, 0, 0, 1, one, two, 0, 0, 0, 0, 0, 1, 33];
    request.resize(36, 0);
    send(stream, &request)
}

//! The dialog before the handshake, in protocols that switch to TLS.

use std::io::{ErrorKind, Read, Write};

use std::ops::Range;

use tagwise_codec::ber::Elements;
use tagwise_codec::{Fault, Frame, Options, Tag, frame};
use tagwise_pkix::name::visible;

use super::target::Protocol;
use crate::shared::output::reason;

/// The maximum length of a line. RFC 5321 §4.5.3.1.5 limits lines to 512 bytes.
const LINE: usize = 2048;
const LINES: usize = 256;

/// Asks the server to switch to TLS. Reads one byte at a time, so that no handshake bytes are consumed.
///
/// # Errors
/// Returns an error message with the server's response.
pub(super) fn start(protocol: Protocol, stream: &mut (impl Read + Write)) -> Result<(), String> {
    match protocol {
        Protocol::Tls => Ok(()),
        Protocol::Smtp => smtp(stream),
        Protocol::Ldap => ldap(stream),
        Protocol::Postgres => postgres(stream),
    }
}

fn send(stream: &mut impl Write, octets: &[u8]) -> Result<(), String> {
    stream.write_all(octets).and_then(|()| stream.flush()).map_err(|error| reason(&error))
}

fn octet(stream: &mut impl Read) -> Result<u8, String> {
    let mut octet = [0];
    stream.read_exact(&mut octet).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => "the server closed the connection".to_owned(),
        _ => reason(&error),
    })?;
    let [octet] = octet;
    Ok(octet)
}

/// Switches to TLS in SMTP (RFC 3207): greeting, EHLO, STARTTLS.
fn smtp(stream: &mut (impl Read + Write)) -> Result<(), String> {
    expect(&reply(stream)?, "220")?;
    send(stream, b"EHLO tagwise.invalid\r\n")?;
    let offers = reply(stream)?;
    expect(&offers, "250")?;
    let is_offer = |line: &String| line.get(4..).is_some_and(|word| word.trim().eq_ignore_ascii_case("STARTTLS"));
    if !offers.iter().any(is_offer) {
        return Err("the server does not offer STARTTLS".to_owned());
    }
    send(stream, b"STARTTLS\r\n")?;
    expect(&reply(stream)?, "220")
}

/// Reads an SMTP reply, whose last line has a space after the code (RFC 5321 §4.2.1).
fn reply(stream: &mut impl Read) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    while lines.len() < LINES {
        let mut line = Vec::new();
        while !line.ends_with(b"\n") {
            if line.len() >= LINE {
                return Err(format!("the server sent a line of more than {LINE} bytes"));
            }
            line.push(octet(stream)?);
        }
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        let more = line.get(3..4) == Some("-");
        lines.push(line);
        if !more {
            return Ok(lines);
        }
    }
    Err(format!("the server sent a reply of more than {LINES} lines"))
}

fn expect(lines: &[String], code: &str) -> Result<(), String> {
    match lines.last() {
        Some(line) if line.starts_with(code) => Ok(()),
        line => Err(format!("the server says: {}", visible(line.map_or("", String::as_str)))),
    }
}

/// The maximum size of an LDAP message, in bytes.
const LARGEST: usize = 4096;

/// Switches to TLS in LDAP (RFC 4511 §4.14): sends an extended request, and expects a successful response.
fn ldap(stream: &mut (impl Read + Write)) -> Result<(), String> {
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

/// Switches to TLS in PostgreSQL: sends SSLRequest, and reads a reply of one byte.
fn postgres(stream: &mut (impl Read + Write)) -> Result<(), String> {
    send(stream, &[0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F])?;
    match octet(stream)? {
        b'S' => Ok(()),
        b'N' => Err("the server does not support TLS".to_owned()),
        _ => Err("the server's reply is not PostgreSQL".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor};

    use super::*;

    /// A server that replies with prepared data, regardless of its input.
    struct Script {
        says: Cursor<Vec<u8>>,
        told: Vec<u8>,
    }

    impl Read for Script {
        fn read(&mut self, octets: &mut [u8]) -> io::Result<usize> {
            self.says.read(octets)
        }
    }

    impl Write for Script {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            self.told.extend(octets);
            Ok(octets.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn run(protocol: Protocol, says: &[u8]) -> (Result<(), String>, Vec<u8>, u64) {
        let mut script = Script { says: Cursor::new(says.to_vec()), told: Vec::new() };
        let done = start(protocol, &mut script);
        (done, script.told, script.says.position())
    }

    #[test]
    fn mail() {
        let says = b"220 mail.example.org\r\n250-hello\r\n250-STARTTLS\r\n250 SIZE\r\n220 go\r\n\x16\x03";
        let (done, told, read) = run(Protocol::Smtp, says);
        assert_eq!((done, told), (Ok(()), b"EHLO tagwise.invalid\r\nSTARTTLS\r\n".to_vec()));
        assert_eq!(read as usize, says.len() - 2, "nothing of the handshake is read");
        for (says, why) in [
            (&b"554 no\x1b[2J\r\n"[..], "the server says: 554 no\\u{1b}[2J"),
            (b"220 x\r\n250 x\r\n", "the server does not offer STARTTLS"),
            (b"220 x\r\n250 STARTTLS\r\n454 later\r\n", "the server says: 454 later"),
            (b"220 x", "the server closed the connection"),
        ] {
            assert_eq!(run(Protocol::Smtp, says).0, Err(why.to_owned()));
        }
        assert!(run(Protocol::Smtp, &[b'2'; 5000]).0.is_err());
        assert!(run(Protocol::Smtp, &b"220-x\r\n".repeat(300)).0.is_err());
    }

    #[test]
    fn directories() {
        let good = b"\x30\x0C\x02\x01\x01\x78\x07\x0A\x01\x00\x04\x00\x04\x00";
        assert_eq!(run(Protocol::Ldap, good).0, Ok(()));
        // Active Directory's lengths.
        let long = b"\x30\x84\x00\x00\x00\x10\x02\x01\x01\x78\x84\x00\x00\x00\x07\x0A\x01\x00\x04\x00\x04\x00";
        assert_eq!(run(Protocol::Ldap, long).0, Ok(()));
        let refused = b"\x30\x0E\x02\x01\x01\x78\x09\x0A\x01\x34\x04\x00\x04\x02no";
        assert_eq!(run(Protocol::Ldap, refused).0, Err("the server refused StartTLS with result 52: no".to_owned()));
        for bad in [&b"HTTP/1.1 400"[..], b"\x30\x84\xFF\xFF\xFF\xFF", b"\x30\x03\x02\x01\x01", b"\x30"] {
            assert!(run(Protocol::Ldap, bad).0.is_err());
        }
    }

    #[test]
    fn databases() {
        assert_eq!(run(Protocol::Postgres, b"S").0, Ok(()));
        assert!(run(Protocol::Postgres, b"N").0.is_err());
        assert!(run(Protocol::Postgres, b"E").0.is_err());
        assert!(run(Protocol::Postgres, b"").0.is_err());
    }
}

//! The dialog before the handshake, in protocols that switch to TLS.
//!
//! Everything is read one byte at a time, so that no handshake bytes are consumed, and every reply is bounded. Bytes that
//! a server sends between its consent and the handshake are not TLS, and are an error (RFC 3207 §4.2: no plaintext after STARTTLS).

mod binary;
mod xmpp;

use std::io::{ErrorKind, Read, Write};

use tagwise_pkix::name::visible;

use super::target::Protocol;
use crate::shared::output::reason;

/// The maximum length of a line. RFC 5321 §4.5.3.1.5 limits lines to 512 bytes.
const LINE: usize = 2048;
const LINES: usize = 256;

/// Asks the server to switch to TLS. `host` is the name that the server is addressed by.
///
/// # Errors
/// Returns an error message with the server's response.
pub(super) fn start(protocol: Protocol, host: &str, stream: &mut (impl Read + Write)) -> Result<(), String> {
    match protocol {
        Protocol::Tls => Ok(()),
        Protocol::Smtp => mail(stream, "EHLO"),
        Protocol::Lmtp => mail(stream, "LHLO"),
        Protocol::Imap => imap(stream),
        Protocol::Pop3 => pop3(stream),
        Protocol::Ftp => ftp(stream),
        Protocol::Nntp => nntp(stream),
        Protocol::Sieve => sieve(stream),
        Protocol::Xmpp => xmpp::start(stream, "jabber:client", host),
        Protocol::XmppServer => xmpp::start(stream, "jabber:server", host),
        Protocol::Ldap => binary::ldap(stream),
        Protocol::Postgres => binary::postgres(stream),
        Protocol::Mysql => binary::mysql(stream),
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

/// Reads a line, without its end.
fn line(stream: &mut impl Read) -> Result<String, String> {
    let mut line = Vec::new();
    while !line.ends_with(b"\n") {
        if line.len() >= LINE {
            return Err(format!("the server sent a line of more than {LINE} bytes"));
        }
        line.push(octet(stream)?);
    }
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}

/// Reads lines up to the one that `is_last` recognizes.
fn lines(stream: &mut impl Read, mut is_last: impl FnMut(&[String], &str) -> bool) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    while lines.len() < LINES {
        let line = line(stream)?;
        let ends = is_last(&lines, &line);
        lines.push(line);
        if ends {
            return Ok(lines);
        }
    }
    Err(format!("the server sent a reply of more than {LINES} lines"))
}

/// Checks the beginning of the last line of a reply.
fn expect(lines: &[String], codes: &[&str]) -> Result<(), String> {
    match lines.last() {
        Some(line) if codes.iter().any(|code| line.starts_with(code)) => Ok(()),
        line => Err(format!("the server says: {}", visible(line.map_or("", String::as_str)))),
    }
}

/// RFC 3207: greeting, EHLO, STARTTLS. RFC 2033 §4.1: LMTP has LHLO instead.
fn mail(stream: &mut (impl Read + Write), hello: &str) -> Result<(), String> {
    // The last line of a reply has a space after the code (RFC 5321 §4.2.1).
    let is_last = |_: &[String], line: &str| line.get(3..4) != Some("-");
    expect(&lines(stream, is_last)?, &["220"])?;
    send(stream, format!("{hello} tagwise.invalid\r\n").as_bytes())?;
    let offers = lines(stream, is_last)?;
    expect(&offers, &["250"])?;
    let is_offer = |line: &String| line.get(4..).is_some_and(|word| word.trim().eq_ignore_ascii_case("STARTTLS"));
    if !offers.iter().any(is_offer) {
        return Err("the server does not offer STARTTLS".to_owned());
    }
    send(stream, b"STARTTLS\r\n")?;
    expect(&lines(stream, is_last)?, &["220"])
}

/// RFC 9051 §6.2.1: greeting, STARTTLS with a tag, and the reply with the same tag. Untagged lines between them are data.
fn imap(stream: &mut (impl Read + Write)) -> Result<(), String> {
    // RFC 9051 §7.1.4: a connection that is already authenticated (PREAUTH) does not support STARTTLS.
    expect(&[line(stream)?], &["* OK"])?;
    send(stream, b"a STARTTLS\r\n")?;
    let reply = lines(stream, |_, line| !line.starts_with('*'))?;
    expect(&reply, &["a OK"])
}

/// RFC 2595 §4: greeting, STLS.
fn pop3(stream: &mut (impl Read + Write)) -> Result<(), String> {
    expect(&[line(stream)?], &["+OK"])?;
    send(stream, b"STLS\r\n")?;
    expect(&[line(stream)?], &["+OK"])
}

/// RFC 4217 §4: greeting, AUTH TLS.
fn ftp(stream: &mut (impl Read + Write)) -> Result<(), String> {
    // RFC 959 §4.2: a reply of several lines begins with the code and a hyphen, and ends at the same code and a space. The lines
    // between them are free.
    let is_last = |before: &[String], line: &str| {
        let first = before.first().map_or(line, String::as_str);
        let is_end = line.get(..3) == first.get(..3) && matches!(line.get(3..4), None | Some(" "));
        is_end || first.get(3..4) != Some("-")
    };
    expect(&lines(stream, is_last)?, &["220"])?;
    send(stream, b"AUTH TLS\r\n")?;
    expect(&lines(stream, is_last)?, &["234"])
}

/// RFC 4642 §2.2: greeting (posting allowed or not), STARTTLS.
fn nntp(stream: &mut (impl Read + Write)) -> Result<(), String> {
    expect(&[line(stream)?], &["200", "201"])?;
    send(stream, b"STARTTLS\r\n")?;
    expect(&[line(stream)?], &["382"])
}

/// RFC 5804 §1.7, §2.2: the greeting is a list of capabilities in quotation marks that ends with OK.
fn sieve(stream: &mut (impl Read + Write)) -> Result<(), String> {
    let is_last = |_: &[String], line: &str| !line.starts_with('"');
    let offers = lines(stream, is_last)?;
    expect(&offers, &["OK"])?;
    if !offers.iter().any(|line| line.eq_ignore_ascii_case("\"STARTTLS\"")) {
        return Err("the server does not offer STARTTLS".to_owned());
    }
    send(stream, b"STARTTLS\r\n")?;
    expect(&lines(stream, is_last)?, &["OK"])
}

#[cfg(test)]
mod tests;

//! Dialogs with servers that say what was written down.

use std::io::{self, Cursor};

use super::*;

/// A server that says what was written down, whatever it is told.
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
    let done = start(protocol, "example.org", &mut script);
    (done, script.told, script.says.position())
}

/// A dialog that succeeds: nothing after it is read, and no beginning of it is enough.
fn succeeds(protocol: Protocol, says: &[u8], expected: &[u8]) {
    let (done, told, read) = run(protocol, &[says, b"\x16\x03"].concat());
    assert_eq!(done, Ok(()), "{protocol:?}");
    assert_eq!(String::from_utf8_lossy(&told), String::from_utf8_lossy(expected), "{protocol:?}");
    assert_eq!(read, says.len() as u64, "{protocol:?}: no byte of the handshake is read");
    for end in 0..says.len() {
        assert!(run(protocol, says.get(..end).unwrap_or_default()).0.is_err(), "{protocol:?} {end}");
    }
}

fn fails(protocol: Protocol, says: &[u8], why: &str) {
    assert_eq!(run(protocol, says).0, Err(why.to_owned()), "{protocol:?} {}", String::from_utf8_lossy(says));
}

#[test]
fn mail_servers() {
    let says = b"220 mail.example.org\r\n250-hello\r\n250-STARTTLS\r\n250 SIZE\r\n220 go\r\n";
    succeeds(Protocol::Smtp, says, b"EHLO tagwise.invalid\r\nSTARTTLS\r\n");
    succeeds(Protocol::Lmtp, says, b"LHLO tagwise.invalid\r\nSTARTTLS\r\n");
    fails(Protocol::Smtp, b"554 no\x1b[2J\r\n", "the server says: 554 no\\u{1b}[2J");
    fails(Protocol::Smtp, b"220 x\r\n250 x\r\n", "the server does not offer STARTTLS");
    fails(Protocol::Smtp, b"220 x\r\n250 STARTTLS\r\n454 later\r\n", "the server says: 454 later");
    fails(Protocol::Smtp, b"220 x", "the server closed the connection");
}

#[test]
fn mail_boxes() {
    let says = b"* OK [CAPABILITY IMAP4rev1] hi\r\n* CAPABILITY IMAP4rev1\r\na OK begin\r\n";
    succeeds(Protocol::Imap, says, b"a STARTTLS\r\n");
    fails(Protocol::Imap, b"* PREAUTH eva\r\n", "the server says: * PREAUTH eva");
    fails(Protocol::Imap, b"* BYE busy\r\n", "the server says: * BYE busy");
    fails(Protocol::Imap, b"* OK\r\na BAD unknown\r\n", "the server says: a BAD unknown");
    fails(Protocol::Imap, b"* OK\r\nb OK\r\n", "the server says: b OK");
    succeeds(Protocol::Pop3, b"+OK hi\r\n+OK begin\r\n", b"STLS\r\n");
    fails(Protocol::Pop3, b"+OK hi\r\n-ERR no\r\n", "the server says: -ERR no");
    succeeds(Protocol::Sieve, b"\"IMPLEMENTATION\" \"x\"\r\n\"STARTTLS\"\r\nOK\r\nOK \"go\"\r\n", b"STARTTLS\r\n");
    fails(Protocol::Sieve, b"\"SIEVE\" \"x\"\r\nOK\r\n", "the server does not offer STARTTLS");
    fails(Protocol::Sieve, b"\"STARTTLS\"\r\nOK\r\nNO\r\n", "the server says: NO");
}

#[test]
fn files_and_news() {
    // RFC 959 §4.2: lines within a reply are free, and may begin with a number.
    let says = b"220-Welcome\r\n  220 files\r\n230 others\r\n2201\r\n220 ready\r\n234 begin\r\n";
    succeeds(Protocol::Ftp, says, b"AUTH TLS\r\n");
    fails(Protocol::Ftp, b"220 hi\r\n530 no\r\n", "the server says: 530 no");
    succeeds(Protocol::Nntp, b"201 read only\r\n382 go\r\n", b"STARTTLS\r\n");
    fails(Protocol::Nntp, b"200 hi\r\n580 no\r\n", "the server says: 580 no");
    fails(Protocol::Nntp, b"400 busy\r\n", "the server says: 400 busy");
}

#[test]
fn messengers() {
    let open = b"<?xml version='1.0'?><stream:stream xmlns='jabber:client' from='example.org' id='a>b'>";
    let with = |rest: &str| [open, rest.as_bytes()].concat();
    let told = |namespace: &str| {
        format!(
            "<?xml version='1.0'?><stream:stream to='example.org' xmlns='{namespace}' \
             xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>\
             <starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"
        )
    };
    let features = "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>\
                    <mechanisms/></stream:features>";
    let says = with(&format!("{features}<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"));
    succeeds(Protocol::Xmpp, &says, told("jabber:client").as_bytes());
    succeeds(Protocol::XmppServer, &says, told("jabber:server").as_bytes());
    let says = with(&format!("{features}<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'></proceed>"));
    assert_eq!(run(Protocol::Xmpp, &says).0, Ok(()));
    for (rest, why) in [
        ("<stream:features/>".to_owned(), "the server does not offer STARTTLS"),
        ("<features><bind/></features>".to_owned(), "the server does not offer STARTTLS"),
        (format!("{features}<failure/>"), "the server refused STARTTLS"),
        ("<stream:error><host-unknown xmlns='x'/></stream:error>".to_owned(), "the server says: host-unknown"),
        ("</stream:stream>".to_owned(), "the server closed the stream"),
        (format!("{features}<iq/>"), "the server's reply to STARTTLS is not XMPP: iq"),
    ] {
        fails(Protocol::Xmpp, &with(&rest), why);
    }
    let endless = [open, "<a>".repeat(40_000).as_bytes()].concat();
    fails(Protocol::Xmpp, &endless, "the server sent more than 65536 bytes before TLS");
}

#[test]
fn directories() {
    let request = b"\x30\x1D\x02\x01\x01\x77\x18\x80\x161.3.6.1.4.1.1466.20037";
    succeeds(Protocol::Ldap, b"\x30\x0C\x02\x01\x01\x78\x07\x0A\x01\x00\x04\x00\x04\x00", request);
    // Active Directory's lengths.
    let long = b"\x30\x84\x00\x00\x00\x10\x02\x01\x01\x78\x84\x00\x00\x00\x07\x0A\x01\x00\x04\x00\x04\x00";
    assert_eq!(run(Protocol::Ldap, long).0, Ok(()));
    let refused = b"\x30\x0E\x02\x01\x01\x78\x09\x0A\x01\x34\x04\x00\x04\x02no";
    fails(Protocol::Ldap, refused, "the server refused StartTLS with result 52: no");
    for bad in [&b"HTTP/1.1 400"[..], b"\x30\x84\xFF\xFF\xFF\xFF", b"\x30\x03\x02\x01\x01", b"\x30"] {
        assert!(run(Protocol::Ldap, bad).0.is_err());
    }
}

/// MySQL's first packet, with these capability flags.
fn greeting(flags: u16) -> Vec<u8> {
    let payload =
        [b"\x0A8.0.40\0\x01\0\0\0abcdefgh\0".as_slice(), &flags.to_le_bytes(), &[33, 2, 0, 0, 0, 21]].concat();
    [&[payload.len() as u8, 0, 0, 0], payload.as_slice()].concat()
}

#[test]
fn databases() {
    succeeds(Protocol::Postgres, b"S", &[0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F]);
    fails(Protocol::Postgres, b"N", "the server does not support TLS");
    fails(Protocol::Postgres, b"E", "the server's reply is not PostgreSQL");
    let request = [&[32, 0, 0, 1, 0, 0x8A, 0, 0, 0, 0, 0, 1, 33][..], &[0; 23]].concat();
    succeeds(Protocol::Mysql, &greeting(0xFFFF), &request);
    fails(Protocol::Mysql, &greeting(0xF7FF), "the server does not support TLS");
    fails(Protocol::Mysql, b"\x0B\0\0\0\xFF\x10\x04no\x1b[2J  ", "the server says: no\\u{1b}[2J  ");
    for bad in [&b"HTTP/1.1 400 Bad Request"[..], b"\0\0\0\0", b"\x02\0\0\0\x0A8", b"\x01\0\0\0\x09"] {
        fails(Protocol::Mysql, bad, "the server's reply is not MySQL");
    }
}

/// No reply is read without end.
#[test]
fn replies_are_bounded() {
    for protocol in [Protocol::Smtp, Protocol::Imap, Protocol::Pop3, Protocol::Ftp, Protocol::Nntp, Protocol::Sieve] {
        fails(protocol, &[b'2'; 5000], "the server sent a line of more than 2048 bytes");
    }
    let many = "the server sent a reply of more than 256 lines";
    fails(Protocol::Smtp, &b"220-x\r\n".repeat(300), many);
    fails(Protocol::Ftp, &b"220-x\r\n".repeat(300), many);
    fails(Protocol::Sieve, &b"\"x\"\r\n".repeat(300), many);
    fails(Protocol::Imap, &[b"* OK\r\n".as_slice(), &b"* x\r\n".repeat(300)].concat(), many);
}

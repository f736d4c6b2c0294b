//! Servers that do not support TLS 1.2 with ephemeral keys on elliptic curves, or end such a handshake: their version, cipher suite,
//! group, signature algorithm and certificates.
//!
//! These are read from the first messages of a handshake that is not continued, which TLS up to version 1.2 sends in the clear
//! (RFC 5246 §7.4). It is not known then whether the server has the certificate's key.

use std::io::{Read, Write};

use rustls::crypto::CryptoProvider;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::{CipherSuite, NamedGroup, SignatureScheme};
use tagwise_path::ExpectedName;
use tagwise_rustls::Handshake;

use super::target::host_of;
use super::{Key, Session};
use crate::shared::output::reason;

/// The cipher suites offered: RSA and DHE key exchange, and the CBC, RC4 and 3DES suites of old servers.
const SUITES: &[u16] = &[
    0xC02F, 0xC030, 0xC02B, 0xC02C, 0xC013, 0xC014, 0xC009, 0xC00A, 0xC027, 0xC028, 0xC023, 0xC024, 0xC012, 0xC008,
    0xC011, 0xC007, 0x009E, 0x009F, 0x0033, 0x0039, 0x0067, 0x006B, 0x0032, 0x0038, 0x0016, 0x0013, 0x009C, 0x009D,
    0x002F, 0x0035, 0x003C, 0x003D, 0x000A, 0x0005, 0x0004,
    // TLS_EMPTY_RENEGOTIATION_INFO_SCSV (RFC 5746 §3.3).
    0x00FF,
];
/// The signature algorithms offered, with SHA-1 and DSA.
const SIGNATURES: &[u16] =
    &[0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0201, 0x0203, 0x0402, 0x0202];
/// The groups offered: X25519, P-256, P-384, P-521.
const GROUPS: &[u16] = &[0x001D, 0x0017, 0x0018, 0x0019];

/// The most bytes of handshake messages, and of a record (RFC 5246 §6.2.3).
const LARGEST: usize = 256 * 1024;
const RECORD: usize = (1 << 14) + 2048;

const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;
const SERVER_HELLO: u8 = 2;
const CERTIFICATE: u8 = 11;
const SERVER_KEY_EXCHANGE: u8 = 12;

/// The end of the random bytes of a server of TLS 1.3 that negotiates TLS 1.2 (RFC 8446 §4.1.3).
const DOWNGRADE: &[u8] = b"DOWNGRD\x01";

/// Returns what a server sends to an old client, or `None` if it does not answer with certificates. `failed` is the error of the first
/// handshake, which is the reason unless the server's answer explains it.
///
/// # Errors
/// Returns an error if reading or writing fails.
pub(super) fn run(
    name: &ExpectedName,
    stream: &mut (impl Read + Write),
    failed: &str,
) -> Result<Option<Session>, String> {
    stream.write_all(&hello(name)).and_then(|()| stream.flush()).map_err(|error| reason(&error))?;
    let mut messages = Vec::new();
    loop {
        if let Some(session) = session(&messages, failed) {
            return Ok(session);
        }
        let mut header = [0; 5];
        stream.read_exact(&mut header).map_err(|error| reason(&error))?;
        let [kind, _, _, high, low] = header;
        let len = usize::from(u16::from_be_bytes([high, low]));
        if kind != HANDSHAKE || len == 0 || len > RECORD || messages.len() > LARGEST {
            // An alert, or not TLS.
            return Ok(None);
        }
        let start = messages.len();
        messages.resize(start + len, 0);
        stream.read_exact(messages.get_mut(start..).unwrap_or_default()).map_err(|error| reason(&error))?;
    }
}

/// Appends a vector with a length of two bytes.
fn vector(out: &mut Vec<u8>, content: &[u8]) {
    out.extend(u16::try_from(content.len()).unwrap_or(u16::MAX).to_be_bytes());
    out.extend(content);
}

fn numbers(list: &[u16]) -> Vec<u8> {
    list.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// A ClientHello of TLS 1.2 in a record (RFC 5246 §7.4.1.2).
fn hello(name: &ExpectedName) -> Vec<u8> {
    let mut extensions = Vec::new();
    let mut extension = |kind: u16, content: &[u8]| {
        extensions.extend(kind.to_be_bytes());
        vector(&mut extensions, content);
    };
    let list = |content: &[u8]| {
        let mut list = Vec::new();
        vector(&mut list, content);
        list
    };
    // RFC 6066 §3: a server name is not an address.
    if let ExpectedName::Dns(_) = name {
        extension(0, &list(&[vec![0], list(host_of(name).as_bytes())].concat()));
    }
    extension(10, &list(&numbers(GROUPS)));
    extension(11, &[1, 0]);
    extension(13, &list(&numbers(SIGNATURES)));
    let mut body = vec![3, 3];
    // The random bytes need not be random, as no key is derived.
    body.extend([0x5A; 32]);
    body.push(0);
    vector(&mut body, &numbers(SUITES));
    body.extend([1, 0]);
    vector(&mut body, &extensions);
    let len = u32::try_from(body.len()).unwrap_or(u32::MAX).to_be_bytes();
    let message = [&[CLIENT_HELLO], len.get(1..).unwrap_or_default(), &body].concat();
    // RFC 5246 Appendix E.1: the version of the first record is that of the oldest servers.
    let mut record = vec![HANDSHAKE, 3, 1];
    vector(&mut record, &message);
    record
}

/// Splits off a part with a length of three bytes before it.
fn part(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = octets.split_first_chunk::<3>()?;
    let [high, middle, low] = *len;
    rest.split_at_checked(usize::try_from(u32::from_be_bytes([0, high, middle, low])).ok()?)
}

/// Reads the messages so far. The result is `None` if more are needed, and `Some(None)` if they are not those of a server of TLS up to
/// version 1.2.
fn session(mut messages: &[u8], failed: &str) -> Option<Option<Session>> {
    let (mut server, mut sent) = (None, None);
    loop {
        let (kind, rest) = messages.split_first()?;
        let (body, rest) = part(rest)?;
        messages = rest;
        match (*kind, &server, sent.take()) {
            (SERVER_HELLO, None, None) => match Chosen::read(body) {
                Some(chosen) => server = Some(chosen),
                None => return Some(None),
            },
            (CERTIFICATE, Some(chosen), None) => match certificates(body) {
                // The key exchange follows, and may be the reason.
                Some(list) if chosen.version == 0x0303 && chosen.suite().starts_with("TLS_ECDHE_") => sent = Some(list),
                Some(list) => return Some(found(chosen, list, None, failed)),
                None => return Some(None),
            },
            (SERVER_KEY_EXCHANGE, Some(chosen), Some(list)) => {
                return Some(found(chosen, list, exchange(body), failed));
            }
            _ => return Some(None),
        }
    }
}

/// The choices of a server in a ServerHello (RFC 5246 §7.4.1.3).
struct Chosen {
    version: u16,
    suite: CipherSuite,
    /// True if the server also supports TLS 1.3.
    is_downgraded: bool,
}

impl Chosen {
    fn read(body: &[u8]) -> Option<Self> {
        let (version, rest) = body.split_first_chunk::<2>()?;
        let (random, rest) = rest.split_at_checked(32)?;
        let (len, rest) = rest.split_first()?;
        let suite = rest.get(usize::from(*len)..)?.first_chunk::<2>()?;
        Some(Self {
            version: u16::from_be_bytes(*version),
            suite: u16::from_be_bytes(*suite).into(),
            is_downgraded: random.ends_with(DOWNGRADE),
        })
    }

    fn suite(&self) -> String {
        self.suite.as_str().map_or_else(|| format!("{:?}", self.suite), str::to_owned)
    }
}

/// The group and the signature algorithm of a ServerKeyExchange message of TLS 1.2 with a named curve (RFC 8422 §5.4).
fn exchange(body: &[u8]) -> Option<(NamedGroup, SignatureScheme)> {
    let (&[3, high, low, len], rest) = body.split_first_chunk::<4>()? else { return None };
    let scheme = rest.get(usize::from(len)..)?.first_chunk::<2>()?;
    Some((u16::from_be_bytes([high, low]).into(), u16::from_be_bytes(*scheme).into()))
}

/// The certificates of a Certificate message (RFC 5246 §7.4.2). The list is not empty.
fn certificates(body: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (mut list, _) = part(body)?;
    let mut found = Vec::new();
    while !list.is_empty() {
        let (certificate, rest) = part(list)?;
        found.push(certificate.to_vec());
        list = rest;
    }
    (!found.is_empty()).then_some(found)
}

/// The session, with the reason why the handshake failed.
fn found(
    chosen: &Chosen,
    certificates: Vec<Vec<u8>>,
    exchange: Option<(NamedGroup, SignatureScheme)>,
    failed: &str,
) -> Option<Session> {
    let suite = chosen.suite();
    let version_name = match chosen.version {
        0x0300 => "SSL 3.0",
        0x0301 => "TLS 1.0",
        0x0302 => "TLS 1.1",
        0x0303 => "TLS 1.2",
        _ => return None,
    };
    let mut faults = Vec::new();
    match chosen.version {
        0x0303 => {}
        0x0300 => faults.push("the server supports at most SSL 3.0, which is broken (RFC 7568 §3)".to_owned()),
        _ => faults.push(format!("the server supports at most {version_name}, which is obsolete (RFC 8996 §2)")),
    }
    let provider = default_provider();
    if suite.starts_with("TLS_RSA_WITH") {
        faults.push("it uses RSA key exchange, without forward secrecy (RFC 9325 §4.1)".to_owned());
    } else if suite.starts_with("TLS_DHE_") {
        faults.push("it uses finite-field Diffie-Hellman key exchange, which is not supported".to_owned());
    } else if faults.is_empty() && provider.cipher_suites.iter().all(|known| known.suite() != chosen.suite) {
        faults.push(format!("the server supports only cipher suites such as {suite}, which are not supported"));
    }
    faults.extend(exchange.into_iter().flat_map(|(group, scheme)| unsupported(&provider, group, scheme)));
    if faults.is_empty() {
        faults.push(format!("the handshake failed: {failed}"));
    }
    // A server of TLS 1.3 chose these only for this old client.
    let is_own = !chosen.is_downgraded;
    Some(Session {
        certificates,
        version: is_own.then(|| version_name.to_owned()),
        suite: is_own.then_some(suite),
        key: Key::Unsupported(faults.join("; ")),
        ..Session::default()
    })
}

/// Describes a group and a signature algorithm that the first handshake did not offer.
fn unsupported(provider: &CryptoProvider, group: NamedGroup, scheme: SignatureScheme) -> Vec<String> {
    let mut faults = Vec::new();
    if provider.kx_groups.iter().all(|known| known.name() != group) {
        let name = group.as_str().map_or_else(|| format!("{group:?}"), str::to_owned);
        faults.push(format!("the server uses the group {name}, which is not supported"));
    }
    if !Handshake::new(provider.signature_verification_algorithms).schemes().contains(&scheme) {
        let name = scheme.as_str().map_or_else(|| format!("{scheme:?}"), str::to_owned);
        faults.push(format!("the server signs with {name}, which is not supported"));
    }
    faults
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        [&[kind], &(body.len() as u32).to_be_bytes()[1..], body].concat()
    }

    fn server(version: [u8; 2], suite: [u8; 2]) -> Vec<u8> {
        let hello = [&version[..], &[7; 32], &[0], &suite, &[0]].concat();
        let list = [&[0, 0, 6][..], &[0, 0, 3], b"der"].concat();
        [message(SERVER_HELLO, &hello), message(CERTIFICATE, &list)].concat()
    }

    /// The answer to an old client of a server with random bytes, a group and a signature algorithm.
    fn modern(random: [u8; 32], suite: [u8; 2], group: [u8; 2], scheme: [u8; 2]) -> Vec<u8> {
        let hello = [&[3, 3][..], &random, &[0], &suite, &[0]].concat();
        let list = [&[0, 0, 6][..], &[0, 0, 3], b"der"].concat();
        let exchange = [&[3][..], &group, &[1, 4], &scheme, &[0, 1, 7]].concat();
        let messages = [(SERVER_HELLO, hello), (CERTIFICATE, list), (SERVER_KEY_EXCHANGE, exchange)];
        messages.iter().flat_map(|(kind, body)| message(*kind, body)).collect()
    }

    #[test]
    fn the_cause_is_named() {
        const GCM: [u8; 2] = [0xC0, 0x2B];
        let why = |suite, group, scheme| why(&modern([7; 32], suite, group, scheme));
        assert_eq!(why(GCM, [0, 0x19], [4, 3]), "the server uses the group secp521r1, which is not supported");
        assert_eq!(why(GCM, [0, 0x17], [2, 1]), "the server signs with RSA_PKCS1_SHA1, which is not supported");
        assert_eq!(why(GCM, [0, 0x17], [4, 3]), "the handshake failed: alert");
        assert_eq!(
            why([0xC0, 0x13], [0, 0x17], [4, 3]),
            "the server supports only cipher suites such as TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, which are not supported"
        );
        // A server of TLS 1.3 has neither the version nor the cipher suite of the old client.
        let mut random = [7; 32];
        let found = |random| session(&modern(random, GCM, [0, 0x17], [4, 3]), "alert").unwrap().unwrap();
        assert_eq!(found(random).version.as_deref(), Some("TLS 1.2"));
        random[24..].copy_from_slice(DOWNGRADE);
        let downgraded = found(random);
        assert_eq!((downgraded.version, downgraded.suite), (None, None));
    }

    fn why(messages: &[u8]) -> String {
        match session(messages, "alert").unwrap().unwrap().key {
            Key::Unsupported(why) => why,
            key => format!("{key:?}"),
        }
    }

    #[test]
    fn old_servers_are_named() {
        let found = session(&server([3, 1], [0, 0x2F]), "alert").unwrap().unwrap();
        assert_eq!(
            (found.version.as_deref(), found.suite.as_deref()),
            (Some("TLS 1.0"), Some("TLS_RSA_WITH_AES_128_CBC_SHA"))
        );
        assert_eq!(found.certificates, [b"der".to_vec()]);
        assert!(why(&server([3, 1], [0, 0x2F])).contains("TLS 1.0, which is obsolete (RFC 8996 §2); it uses RSA key"));
        assert!(why(&server([3, 2], [0xC0, 0x13])).contains("at most TLS 1.1"));
        assert!(why(&server([3, 3], [0, 0x9C])).starts_with("it uses RSA key exchange"));
        assert!(why(&server([3, 3], [0, 0x33])).contains("finite-field Diffie-Hellman"));
        assert!(why(&server([3, 0], [0, 5])).contains("SSL 3.0, which is broken"));
    }

    #[test]
    fn every_beginning_needs_more() {
        let whole = server([3, 1], [0, 0x2F]);
        for end in 0..whole.len() {
            assert!(session(&whole[..end], "alert").is_none(), "{end}");
        }
        // Another message first, no certificate, an unknown version, and lengths beyond the message.
        for bad in [
            message(14, &[]),
            [message(SERVER_HELLO, &[3; 38]), message(14, &[])].concat(),
            message(SERVER_HELLO, &[3, 3]),
            server([3, 4], [0x13, 1]),
            [message(SERVER_HELLO, &[&[3, 1][..], &[0; 33], &[0, 5, 0]].concat()), message(CERTIFICATE, &[0, 0, 0])]
                .concat(),
            [message(SERVER_HELLO, &[&[3, 1][..], &[0; 33], &[0, 5, 0]].concat()), message(CERTIFICATE, &[0, 0, 9, 1])]
                .concat(),
        ] {
            assert!(session(&bad, "alert").unwrap().is_none(), "{bad:?}");
        }
    }
}

//! Server addresses: `tls://HOST:PORT`, and the protocols that run over TLS or switch to it.

use std::net::IpAddr;
use std::path::Path;

use tagwise_path::ExpectedName;

/// The protocol with which TLS is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// TLS from the start of the connection.
    Tls,
    /// SMTP with STARTTLS (RFC 3207).
    Smtp,
    /// LMTP with STARTTLS (RFC 2033, RFC 3207).
    Lmtp,
    /// IMAP with STARTTLS (RFC 9051 §6.2.1).
    Imap,
    /// POP3 with STLS (RFC 2595 §4).
    Pop3,
    /// FTP with AUTH TLS (RFC 4217 §4).
    Ftp,
    /// NNTP with STARTTLS (RFC 4642 §2.2).
    Nntp,
    /// ManageSieve with STARTTLS (RFC 5804 §2.2).
    Sieve,
    /// XMPP between a client and a server, with STARTTLS (RFC 6120 §5).
    Xmpp,
    /// XMPP between servers, with STARTTLS (RFC 6120 §5).
    XmppServer,
    /// LDAP with StartTLS (RFC 4511 §4.14).
    Ldap,
    /// PostgreSQL's SSLRequest.
    Postgres,
    /// MySQL's SSLRequest.
    Mysql,
}

/// The schemes: name, protocol, and default port.
const SCHEMES: [(&str, Protocol, u16); 27] = [
    ("tls", Protocol::Tls, 443),
    ("smtp", Protocol::Smtp, 25),
    ("smtp+starttls", Protocol::Smtp, 25),
    ("submission", Protocol::Smtp, 587),
    ("smtps", Protocol::Tls, 465),
    ("submissions", Protocol::Tls, 465),
    ("lmtp", Protocol::Lmtp, 24),
    ("imap", Protocol::Imap, 143),
    ("imaps", Protocol::Tls, 993),
    ("pop3", Protocol::Pop3, 110),
    ("pop3s", Protocol::Tls, 995),
    ("sieve", Protocol::Sieve, 4190),
    ("nntp", Protocol::Nntp, 119),
    ("nntps", Protocol::Tls, 563),
    ("ldap", Protocol::Ldap, 389),
    ("ldap+starttls", Protocol::Ldap, 389),
    ("ldaps", Protocol::Tls, 636),
    ("ftp", Protocol::Ftp, 21),
    ("ftps", Protocol::Tls, 990),
    ("xmpp", Protocol::Xmpp, 5222),
    ("xmpps", Protocol::Tls, 5223),
    ("xmpp-server", Protocol::XmppServer, 5269),
    ("postgres", Protocol::Postgres, 5432),
    ("postgresql", Protocol::Postgres, 5432),
    ("mysql", Protocol::Mysql, 3306),
    ("mariadb", Protocol::Mysql, 3306),
    ("ircs", Protocol::Tls, 6697),
];

/// A server to contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) protocol: Protocol,
    /// The name or address of the host, which is expected in the certificate unless another name is given.
    pub(crate) name: ExpectedName,
    pub(crate) port: u16,
}

impl Target {
    /// The host as used for name resolution.
    pub(crate) fn host(&self) -> String {
        host_of(&self.name)
    }
}

/// A name as used in protocols.
pub(super) fn host_of(name: &ExpectedName) -> String {
    match name {
        ExpectedName::Dns(host) => host.clone(),
        ExpectedName::Ip(address) => address.to_string(),
        other => other.to_string(),
    }
}

/// Parses a server URL. Returns `None` if the argument is not a URL and therefore a file.
pub(crate) fn target(path: &Path) -> Option<Result<Target, String>> {
    let (scheme, rest) = path.to_str()?.split_once("://")?;
    if scheme == "https" {
        return Some(Err("URLs are not downloaded; use tls://HOST:PORT for the certificates of a server".to_owned()));
    }
    let (_, protocol, port) = SCHEMES.iter().find(|(name, ..)| *name == scheme)?;
    Some(parse(rest, *protocol, *port))
}

fn parse(text: &str, protocol: Protocol, default: u16) -> Result<Target, String> {
    let text = text.strip_suffix('/').unwrap_or(text);
    if text.contains(['/', '?', '#', '@']) {
        return Err("expected only HOST or HOST:PORT, such as tls://www.example.org:443".to_owned());
    }
    let bracketed = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (host, port) = match bracketed {
        Some((host, "")) => (host, None),
        Some((host, rest)) => (host, Some(rest.strip_prefix(':').ok_or("expected [ADDRESS]:PORT")?)),
        None if text.matches(':').count() > 1 => return Err("write an IPv6 address in brackets: [::1]:443".to_owned()),
        None => match text.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        },
    };
    let port = match port {
        None => default,
        Some(port) => port
            .parse()
            .ok()
            .filter(|number| *number != 0 && port.bytes().all(|digit| digit.is_ascii_digit()))
            .ok_or_else(|| format!("'{port}' is not a port number, expected 1 to 65535"))?,
    };
    let name = match host.parse::<IpAddr>() {
        Ok(address) => ExpectedName::Ip(address),
        Err(_) => ExpectedName::dns(host).map_err(|error| error.to_string())?,
    };
    Ok(Target { protocol, name, port })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn of(text: &str) -> Result<(Protocol, String, u16), String> {
        target(Path::new(text)).unwrap().map(|target| (target.protocol, target.host(), target.port))
    }

    #[test]
    fn servers() {
        for (text, protocol, host, port) in [
            ("tls://www.example.org", Protocol::Tls, "www.example.org", 443),
            ("tls://WWW.Example.org:8443/", Protocol::Tls, "www.example.org", 8443),
            ("tls://bücher.example:1", Protocol::Tls, "xn--bcher-kva.example", 1),
            ("tls://192.0.2.1:443", Protocol::Tls, "192.0.2.1", 443),
            ("tls://[2001:db8::1]", Protocol::Tls, "2001:db8::1", 443),
            ("tls://[::1]:8443", Protocol::Tls, "::1", 8443),
            ("smtp+starttls://mail.example.org", Protocol::Smtp, "mail.example.org", 25),
            ("ldap+starttls://ldap.example.org", Protocol::Ldap, "ldap.example.org", 389),
            ("postgres://db.example.org", Protocol::Postgres, "db.example.org", 5432),
            ("smtp://mail.example.org", Protocol::Smtp, "mail.example.org", 25),
            ("smtps://mail.example.org", Protocol::Tls, "mail.example.org", 465),
            ("imap://mail.example.org:1143", Protocol::Imap, "mail.example.org", 1143),
            ("imaps://mail.example.org", Protocol::Tls, "mail.example.org", 993),
            ("pop3s://mail.example.org", Protocol::Tls, "mail.example.org", 995),
            ("ldaps://ldap.example.org", Protocol::Tls, "ldap.example.org", 636),
            ("ftps://ftp.example.org", Protocol::Tls, "ftp.example.org", 990),
            ("xmpp-server://example.org", Protocol::XmppServer, "example.org", 5269),
            ("mysql://db.example.org", Protocol::Mysql, "db.example.org", 3306),
        ] {
            assert_eq!(of(text), Ok((protocol, host.to_owned(), port)), "{text}");
        }
    }

    #[test]
    fn not_servers() {
        for text in [
            "tls://",
            "tls://:443",
            "tls://a.example:",
            "tls://a.example:0",
            "tls://a.example:+443",
            "tls://a.example:65536",
            "tls://::1",
            "tls://[::1",
            "tls://[::1]443",
            "tls://user@a.example",
            "tls://a.example/path",
            "ldap://a.example/dc=example",
            "postgres://eva:secret@db.example/base",
            "https://www.example.org/",
        ] {
            assert!(of(text).is_err(), "{text}");
        }
        assert!(target(Path::new("cert.pem")).is_none());
        assert!(target(Path::new("./tls:/x")).is_none());
        assert!(target(Path::new("gopher://a.example")).is_none());
    }

    #[test]
    fn schemes_are_unique() {
        let names: std::collections::BTreeSet<&str> = SCHEMES.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names.len(), SCHEMES.len());
    }
}

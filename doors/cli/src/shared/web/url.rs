//! The parts of an HTTP URL.

use std::net::Ipv6Addr;

/// A URL that may be requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Url {
    /// True for `https`.
    pub(super) is_tls: bool,
    /// A host name or an address; an IPv6 address without brackets.
    pub(super) host: String,
    pub(super) port: u16,
    /// Host and port as written, for the field Host.
    pub(super) authority: String,
    /// The path and the query.
    pub(super) path: String,
}

/// The longest URL.
const LONGEST: usize = 2048;

/// The schemes that are requested; the second one only if servers can be verified.
const SCHEMES: [&str; 2] = ["http", "https"];

/// Returns whether a URL has a supported scheme.
pub(crate) fn is_supported(text: &str, tls: bool) -> bool {
    let is_known = |scheme: &str| SCHEMES.iter().take(1 + usize::from(tls)).any(|own| scheme.eq_ignore_ascii_case(own));
    text.split_once("://").is_some_and(|(scheme, _)| is_known(scheme))
}

impl Url {
    /// Parses a URL (RFC 3986 §3), and checks that it may be requested. `tls` permits `https`.
    ///
    /// # Errors
    /// Returns the reason why it may not.
    pub(super) fn parse(text: &str, tls: bool) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("the URL is longer than {LONGEST} bytes"));
        }
        if !text.bytes().all(|octet| octet.is_ascii_graphic()) {
            return Err("the URL has characters that must be escaped".to_owned());
        }
        let (scheme, rest) = text.split_once("://").ok_or("not a URL with a host")?;
        if !is_supported(text, tls) {
            let scheme = scheme.to_ascii_lowercase();
            let expected = match (tls, scheme.as_str()) {
                (true, _) => "http or https",
                (false, "https") => "http; https requires --fetch-trust",
                (false, _) => "http",
            };
            return Err(format!("unsupported scheme {scheme}, expected {expected}"));
        }
        let is_tls = !scheme.eq_ignore_ascii_case("http");
        let usual = if is_tls { 443 } else { 80 };
        let rest = rest.split('#').next().unwrap_or_default();
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if authority.contains('@') {
            return Err("the URL has a user name".to_owned());
        }
        let bracketed = authority.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let (host, port) = match bracketed {
            Some((host, port)) => {
                host.parse::<Ipv6Addr>().map_err(|_error| "malformed IPv6 address in the URL".to_owned())?;
                (host, port.strip_prefix(':').or_else(|| port.is_empty().then_some("")))
            }
            None => match authority.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (authority, Some("")),
            },
        };
        let port = match port {
            Some("") => Some(usual),
            Some(port) if port.bytes().all(|digit| digit.is_ascii_digit()) => port.parse::<u16>().ok(),
            _ => None,
        };
        let port = port.ok_or("malformed port in the URL")?;
        // Services on other low ports do not expect HTTP, and may take parts of a request for commands.
        if port != usual && port < 1024 {
            return Err(format!("port {port} is not allowed, expected {usual} or one from 1024"));
        }
        let is_name = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_');
        if host.is_empty() || bracketed.is_none() && !host.bytes().all(is_name) {
            return Err("malformed host in the URL".to_owned());
        }
        let slash = if path.starts_with('/') { "" } else { "/" };
        Ok(Self {
            is_tls,
            host: host.to_owned(),
            port,
            authority: authority.trim_end_matches(':').to_owned(),
            path: format!("{slash}{path}"),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        for (text, host, port, authority, path) in [
            ("http://ca.example", "ca.example", 80, "ca.example", "/"),
            ("HTTP://ca.example:8080/a?b=c#d", "ca.example", 8080, "ca.example:8080", "/a?b=c"),
            ("http://ca.example:/x", "ca.example", 80, "ca.example", "/x"),
            ("http://ca.example?x", "ca.example", 80, "ca.example", "/?x"),
            ("http://[2001:db8::1]:8080/", "2001:db8::1", 8080, "[2001:db8::1]:8080", "/"),
            ("http://192.0.2.1/", "192.0.2.1", 80, "192.0.2.1", "/"),
        ] {
            let url = Url::parse(text, false).unwrap();
            let found = (url.host.as_str(), url.port, url.authority.as_str(), url.path.as_str());
            assert_eq!(found, (host, port, authority, path), "{text}");
        }
    }

    #[test]
    fn not_requested() {
        for (text, why) in [
            ("https://ca.example/", "unsupported scheme https, expected http; https requires --fetch-trust"),
            ("ldap://ca.example/cn=CA", "unsupported scheme ldap, expected http"),
            ("file:///etc/passwd", "unsupported scheme file, expected http"),
            ("/etc/passwd", "not a URL with a host"),
            ("http://", "malformed host in the URL"),
            ("http:///x", "malformed host in the URL"),
            ("http://eva@ca.example/", "the URL has a user name"),
            ("http://ca.example:22/", "port 22 is not allowed, expected 80 or one from 1024"),
            ("http://ca.example:0/", "port 0 is not allowed, expected 80 or one from 1024"),
            ("http://ca.example:+80/", "malformed port in the URL"),
            ("http://ca.example:65536/", "malformed port in the URL"),
            ("http://[::1/", "malformed port in the URL"),
            ("http://[ca.example]/", "malformed IPv6 address in the URL"),
            ("http://[::1]x/", "malformed port in the URL"),
            ("http://ca.example/a b", "the URL has characters that must be escaped"),
            ("http://ca.example/\r\nX: y", "the URL has characters that must be escaped"),
            ("http://ca%2eexample/", "malformed host in the URL"),
        ] {
            assert_eq!(Url::parse(text, false).unwrap_err(), why, "{text}");
        }
        assert!(Url::parse(&format!("http://ca.example/{}", "x".repeat(3000)), false).is_err());
    }

    #[test]
    fn https() {
        for (text, port) in [("https://log.example/a", 443), ("HTTPS://log.example:8443/", 8443), ("http://a/", 80)] {
            let url = Url::parse(text, true).unwrap();
            assert_eq!((url.is_tls, url.port), (port != 80, port), "{text}");
        }
        for (text, why) in [
            ("https://log.example:80/", "port 80 is not allowed, expected 443 or one from 1024"),
            ("http://log.example:443/", "port 443 is not allowed, expected 80 or one from 1024"),
            ("ldap://log.example/", "unsupported scheme ldap, expected http or https"),
        ] {
            assert_eq!(Url::parse(text, true).unwrap_err(), why, "{text}");
        }
    }
}

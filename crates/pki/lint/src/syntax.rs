//! Syntax checks for the content of general names: domain names, mailboxes and URIs.

/// Returns whether the name is a domain name in preferred name syntax (RFC 1034 §3.5, RFC 1123 §2.1): labels of letters,
/// digits and hyphens.
pub(super) fn is_domain(name: &[u8]) -> bool {
    name.len() <= 253 && !name.is_empty() && name.split(|octet| *octet == b'.').all(is_label)
}

fn is_label(label: &[u8]) -> bool {
    let inside = |octet: &u8| octet.is_ascii_alphanumeric() || *octet == b'-';
    matches!(label, [first, ..] if *first != b'-')
        && matches!(label, [.., last] if *last != b'-')
        && label.len() <= 63
        && label.iter().all(inside)
}

/// Returns whether the name is a domain name in preferred name syntax, optionally with `*` as its first label.
pub(super) fn is_dns_name(name: &[u8]) -> bool {
    is_domain(name.strip_prefix(b"*.").unwrap_or(name))
}

/// Returns whether the last label of a domain name is a number, as in an IPv4 address.
pub(super) fn is_numeric(name: &[u8]) -> bool {
    let last = name.rsplit(|octet| *octet == b'.').next().unwrap_or_default();
    !last.is_empty() && last.iter().all(u8::is_ascii_digit)
}

/// Returns whether the name is a domain name with at least two labels, optionally followed by a dot.
pub(super) fn is_fully_qualified(name: &[u8]) -> bool {
    let name = name.strip_suffix(b".").unwrap_or(name);
    is_domain(name) && name.contains(&b'.') && !is_ipv4(name)
}

fn is_ipv4(text: &[u8]) -> bool {
    core::str::from_utf8(text).is_ok_and(|text| text.parse::<core::net::Ipv4Addr>().is_ok())
}

/// Returns whether the text is a Mailbox (RFC 2821 §4.1.2): local-part@domain. A domain with a single label is accepted, as
/// in RFC 5321.
pub(super) fn is_mailbox(text: &[u8]) -> bool {
    let Some(at) = text.iter().rposition(|octet| *octet == b'@') else { return false };
    let (local, domain) = text.split_at_checked(at).unwrap_or_default();
    let domain = domain.get(1..).unwrap_or_default();
    let is_local = match local {
        [b'"', inside @ .., b'"'] => is_quoted(inside),
        atoms => atoms.split(|octet| *octet == b'.').all(|atom| !atom.is_empty() && atom.iter().all(is_atext)),
    };
    let is_host = match domain {
        [b'[', inside @ .., b']'] => {
            !inside.is_empty()
                && inside.iter().all(|octet| octet.is_ascii_graphic() && !matches!(octet, b'[' | b']' | b'\\'))
        }
        domain => is_domain(domain),
    };
    is_local && is_host
}

const fn is_atext(octet: &u8) -> bool {
    octet.is_ascii_alphanumeric()
        || matches!(octet, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'/' | b'=' | b'?' | b'^'..=b'`' | b'{'..=b'~')
}

fn is_quoted(mut inside: &[u8]) -> bool {
    loop {
        inside = match inside {
            [] => return true,
            [b'\\', 1..=0x7F, rest @ ..] => rest,
            [b'"' | b'\\' | 0 | b'\r' | b'\n' | 0x80.., ..] => return false,
            [_, rest @ ..] => rest,
        }
    }
}

/// A parsed URI (RFC 3986 §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Uri<'a> {
    pub(super) scheme: &'a [u8],
    /// The authority, if present.
    pub(super) authority: Option<&'a [u8]>,
    /// The part after the scheme and authority, up to the query.
    pub(super) path: &'a [u8],
    /// The part after the first question mark, up to the fragment.
    pub(super) query: Option<&'a [u8]>,
}

impl<'a> Uri<'a> {
    /// Parses a URI. Returns `None` if there is no scheme, nothing follows it, or a character should be percent-encoded.
    pub(super) fn parse(text: &'a [u8]) -> Option<Self> {
        let colon = text.iter().position(|octet| *octet == b':')?;
        let (scheme, rest) = text.split_at_checked(colon)?;
        let rest = rest.get(1..)?;
        let in_scheme = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.');
        let is_scheme = matches!(scheme, [first, ..] if first.is_ascii_alphabetic()) && scheme.iter().all(in_scheme);
        if !is_scheme || rest.is_empty() || !are_characters(rest) {
            return None;
        }
        let (rest, fragment) = cut(rest, b'#');
        let (rest, query) = cut(rest, b'?');
        let (authority, path) = match rest.strip_prefix(b"//") {
            Some(rest) => {
                let end = rest.iter().position(|octet| *octet == b'/').unwrap_or(rest.len());
                let (authority, path) = rest.split_at_checked(end)?;
                (Some(authority), path)
            }
            None => (None, rest),
        };
        // Brackets stand around IP literals only, and a fragment has no second number sign.
        let bracket = |octets: &[u8]| octets.iter().any(|octet| matches!(octet, b'[' | b']'));
        let twice = fragment.is_some_and(|fragment| fragment.contains(&b'#'));
        let bracketed = bracket(path) || query.is_some_and(bracket) || fragment.is_some_and(bracket);
        (!twice && !bracketed).then_some(Self { scheme, authority, path, query })
    }

    /// Returns whether the URI has the given scheme, which must be in lower case.
    pub(super) fn is(&self, scheme: &[u8]) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme)
    }

    /// Returns whether the host of the authority is a fully qualified domain name or an IP address. Returns `true` if there is
    /// no authority.
    pub(super) fn has_host(&self) -> bool {
        let Some(authority) = self.authority else { return true };
        let after = authority.iter().rposition(|octet| *octet == b'@').map_or(0, |at| at + 1);
        let host = authority.get(after..).unwrap_or_default();
        if let Some(literal) = host.strip_prefix(b"[") {
            let Some(end) = literal.iter().position(|octet| *octet == b']') else { return false };
            let (literal, port) = literal.split_at_checked(end).unwrap_or_default();
            let address = core::str::from_utf8(literal).is_ok_and(|text| text.parse::<core::net::Ipv6Addr>().is_ok());
            let future = matches!(literal, [b'v' | b'V', rest @ ..] if rest.contains(&b'.'));
            return (address || future) && is_port(port.get(1..).unwrap_or_default());
        }
        let colon = host.iter().position(|octet| *octet == b':').unwrap_or(host.len());
        let (name, port) = host.split_at_checked(colon).unwrap_or_default();
        is_port(port) && (is_fully_qualified(name) || is_ipv4(name))
    }

    /// Returns the entry name and attribute descriptions of an LDAP URI (RFC 4516 §2), undecoded.
    pub(super) fn ldap(&self) -> (&'a [u8], &'a [u8]) {
        let dn = self.path.strip_prefix(b"/").unwrap_or_default();
        let attributes = self.query.map(|query| cut(query, b'?').0).unwrap_or_default();
        (dn, attributes)
    }
}

/// Splits at a separator.
fn cut(octets: &[u8], separator: u8) -> (&[u8], Option<&[u8]>) {
    match octets.iter().position(|octet| *octet == separator) {
        Some(at) => (octets.get(..at).unwrap_or_default(), octets.get(at + 1..)),
        None => (octets, None),
    }
}

fn is_port(text: &[u8]) -> bool {
    match text {
        [] => true,
        [b':', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Returns whether all bytes are URI characters (RFC 3986 §2), and each percent sign is followed by two hexadecimal digits.
fn are_characters(octets: &[u8]) -> bool {
    octets.iter().all(|octet| CHARACTERS.get(usize::from(*octet)) == Some(&true))
        && (!octets.contains(&b'%') || are_escapes(octets))
}

/// The characters allowed in URIs, by byte: unreserved characters, gen-delims, sub-delims, and the percent sign.
#[allow(clippy::indexing_slicing, reason = "evaluated when it is compiled")]
const CHARACTERS: [bool; 256] = {
    let mut table = [false; 256];
    let mut octet = 0_u8;
    while octet < 0x80 {
        let is = octet.is_ascii_alphanumeric()
            || matches!(octet, b'-' | b'.' | b'_' | b'~')
            || matches!(octet, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@')
            || matches!(octet, b'!' | b'$' | b'&'..=b',' | b';' | b'=' | b'%');
        table[octet as usize] = is;
        octet += 1;
    }
    table
};

/// Returns whether each percent sign is followed by two hexadecimal digits.
#[cold]
fn are_escapes(mut octets: &[u8]) -> bool {
    loop {
        octets = match octets {
            [] => return true,
            [b'%', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => rest,
            [b'%', ..] => return false,
            [_, rest @ ..] => rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains() {
        for (name, is) in [
            ("example.org", true),
            ("a", true),
            ("3com.com", true),
            ("xn--bcher-kva.example", true),
            ("-a.org", false),
            ("a-.org", false),
            ("a..b", false),
            (".a", false),
            ("a.", false),
            ("a_b.org", false),
            (" ", false),
            ("", false),
        ] {
            assert_eq!(is_domain(name.as_bytes()), is, "{name}");
        }
        assert!(is_domain(&[b'a'; 63]) && !is_domain(&[b'a'; 64]));
        let long = [&[b'a'; 63][..], b".", &[b'b'; 63], b".", &[b'c'; 63], b".", &[b'd'; 61]].concat();
        assert!(is_domain(&long) && !is_domain(&[&long[..], b"e"].concat()));
        assert!(is_dns_name(b"*.example.org") && !is_dns_name(b"*") && !is_dns_name(b"a.*.org"));
        assert!(is_fully_qualified(b"a.b.") && !is_fully_qualified(b"localhost") && !is_fully_qualified(b"192.0.2.1"));
    }

    #[test]
    fn mailboxes() {
        for (text, is) in [
            ("me@example.org", true),
            ("first.last+tag@a-b.org", true),
            ("me@localhost", true),
            ("\"a b\\\"@\"@example.org", true),
            ("me@[192.0.2.1]", true),
            ("Me <me@example.org>", false),
            ("me@example.org (comment)", false),
            ("<me@example.org>", false),
            ("example.org", false),
            ("@example.org", false),
            ("me@", false),
            (".me@example.org", false),
            ("a..b@example.org", false),
            ("\"a\"b\"@example.org", false),
            ("mailto:me@example.org", false),
        ] {
            assert_eq!(is_mailbox(text.as_bytes()), is, "{text}");
        }
    }

    #[test]
    fn uris() {
        for (text, is, host) in [
            ("http://example.org/a?b#c", true, true),
            ("HTTP://user:pass@example.org:80", true, true),
            ("http://192.0.2.1/", true, true),
            ("http://[2001:db8::1]:8080/", true, true),
            ("http://[v1.x]/", true, true),
            ("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", true, true),
            ("mailto:me@example.org", true, true),
            ("http://localhost/", true, false),
            ("http:///a", true, false),
            ("http://[2001:db8::1/", true, false),
            ("http://exa_mple.org/", true, false),
            ("http://example.org:x/", true, false),
            ("example.org/a", false, false),
            ("/a:b", false, false),
            ("http:", false, false),
            ("1http://example.org", false, false),
            ("http://example.org/a b", false, false),
            ("http://example.org/%4", false, false),
            ("http://example.org/[a]", false, false),
            ("http://example.org/#a#b", false, false),
            ("", false, false),
        ] {
            let uri = Uri::parse(text.as_bytes());
            assert_eq!(uri.is_some(), is, "{text}");
            assert_eq!(uri.is_some_and(|uri| uri.has_host()), host, "{text}");
        }
    }

    #[test]
    fn ldap() {
        let parts = |text: &'static str| Uri::parse(text.as_bytes()).unwrap().ldap();
        assert_eq!(parts("ldap://h.example/cn=a,o=b?crl;binary"), (&b"cn=a,o=b"[..], &b"crl;binary"[..]));
        assert_eq!(parts("ldap:///cn=a?x,y?base"), (&b"cn=a"[..], &b"x,y"[..]));
        assert_eq!(parts("ldap://h.example"), (&b""[..], &b""[..]));
        assert_eq!(parts("ldap://h.example/cn=a"), (&b"cn=a"[..], &b""[..]));
    }
}

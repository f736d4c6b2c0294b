//! Patterns of names.

use std::net::IpAddr;

use tagwise_path::ExpectedName;

/// A pattern: a host name, all names below a domain, an IP address, or a mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// In A-labels and lowercase.
    Host(String),
    /// All names below this domain.
    Below(String),
    Ip(IpAddr),
    /// In lowercase.
    Mail(String),
}

impl std::str::FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "expected www.example.org, *.example.org for all names below, an IP address or a mailbox".to_owned();
        let (name, below) = text.strip_prefix("*.").map_or((text, false), |name| (name, true));
        if name.contains('*') {
            return Err(wrong());
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return Ok(Self::Ip(address));
        }
        let read = if name.contains('@') && !below { ExpectedName::mail(name) } else { ExpectedName::dns(name) };
        match read {
            Ok(ExpectedName::Dns(name)) if below => Ok(Self::Below(name)),
            Ok(ExpectedName::Dns(name)) => Ok(Self::Host(name)),
            Ok(ExpectedName::Mail(name)) => Ok(Self::Mail(name.to_lowercase())),
            _ => Err(wrong()),
        }
    }
}

impl Pattern {
    /// Returns whether the pattern covers a name in a certificate. A wildcard in a certificate stands for one label (RFC 9525 §6.3),
    /// so it also matches each name that it covers. Patterns of hosts also match the hosts of mailboxes.
    pub(super) fn matches(&self, name: &str) -> bool {
        // A common name may be an address or a mailbox, too.
        let address = name.strip_prefix("IP:").unwrap_or(name);
        if matches!(self, Self::Ip(own) if address.parse() == Ok(*own)) {
            return true;
        }
        let mailbox = name.strip_prefix("email:").or_else(|| name.strip_prefix("SmtpUTF8Mailbox:"));
        match (mailbox.unwrap_or(name).rsplit_once('@'), self) {
            (Some((local, host)), Self::Mail(own)) => format!("{}@{}", local.to_lowercase(), labels(host)) == *own,
            (Some((_, host)), _) => self.covers(&labels(host)),
            (None, _) => self.covers(&labels(name)),
        }
    }

    /// Returns whether the pattern covers a host in A-labels and lowercase.
    fn covers(&self, host: &str) -> bool {
        match self {
            Self::Below(own) => host.strip_suffix(own.as_str()).is_some_and(|rest| rest.ends_with('.')),
            Self::Host(own) => match host.strip_prefix("*.") {
                Some(parent) => own.split_once('.').is_some_and(|(_, above)| above == parent),
                None => own == host,
            },
            Self::Ip(_) | Self::Mail(_) => false,
        }
    }
}

/// Converts a host in a certificate to A-labels and lowercase (RFC 5280 §7.2). Other text is only converted to lowercase.
fn labels(host: &str) -> String {
    let (star, rest) = host.strip_prefix("*.").map_or(("", host), |rest| ("*.", rest));
    match ExpectedName::dns(rest) {
        Ok(ExpectedName::Dns(name)) => format!("{star}{name}"),
        _ => host.trim_end_matches('.').to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, name, matches) in [
            ("*.example.org", "www.example.org", true),
            ("*.example.org", "a.b.Example.org", true),
            ("*.example.org", "*.example.org", true),
            ("*.example.org", "example.org", false),
            ("*.example.org", "wwwexample.org", false),
            ("*.example.org", "www.example.org.attacker.example", false),
            ("example.org", "example.org.", true),
            ("example.org", "www.example.org", false),
            ("www.example.org", "*.example.org", true),
            ("a.www.example.org", "*.example.org", false),
            // Labels in Unicode, in the pattern or in a common name.
            ("*.b\u{FC}cher.example", "www.xn--bcher-kva.example", true),
            ("B\u{DC}CHER.example", "xn--bcher-kva.example", true),
            ("xn--bcher-kva.example", "b\u{FC}cher.example", true),
            ("www.b\u{FC}cher.example", "*.xn--bcher-kva.example", true),
            ("192.0.2.1", "IP:192.0.2.1", true),
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "IP:192.0.2.11", false),
            ("2001:DB8::0:1", "IP:2001:db8::1", true),
            ("a@example.org", "email:a@example.org", true),
            ("A@example.org", "email:a@EXAMPLE.org", true),
            ("a@example.org", "email:b@example.org", false),
            ("a@example.org", "example.org", false),
            ("example.org", "email:b@example.org", true),
            ("*.example.org", "email:b@mail.example.org", true),
            ("example.org", "email:b@mail.example.org", false),
            ("_dmarc.example.org", "_dmarc.example.org", true),
        ] {
            assert_eq!(
                pattern.parse::<Pattern>().map(|pattern| pattern.matches(name)),
                Ok(matches),
                "{pattern} {name}"
            );
        }
        for text in [
            "",
            "*.",
            "*",
            "a.*.example",
            ".example.org",
            "https://www.example.org",
            "www.example.org/",
            "www.example.org:443",
            "DNS:www.example.org",
            "*@example.org",
            "*.a@example.org",
            "*.192.0.2.1",
            "192.0.2.0/24",
            "a b.example",
            "@example.org",
        ] {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
    }
}

//! The operator's policy, in TOML.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;
use tagwise_ca::AltName;

use crate::problem::{Identifier, Kind, Problem};

/// A challenge type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
pub enum ChallengeType {
    /// A file on the web server (RFC 8555 §8.3).
    #[serde(rename = "http-01")]
    Http,
    /// A TXT record (RFC 8555 §8.4).
    #[serde(rename = "dns-01")]
    Dns,
    /// A TXT record whose name depends on the account (draft-ietf-acme-dns-account-label-03).
    #[serde(rename = "dns-account-01")]
    DnsAccount,
    /// A TXT record that names the CA and the account, and stays (draft-ietf-acme-dns-persist-01).
    #[serde(rename = "dns-persist-01")]
    DnsPersist,
    /// A self-signed certificate during the TLS handshake (RFC 8737).
    #[serde(rename = "tls-alpn-01")]
    TlsAlpn,
}

impl ChallengeType {
    /// The name in requests: `http-01`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Http => "http-01",
            Self::Dns => "dns-01",
            Self::DnsAccount => "dns-account-01",
            Self::DnsPersist => "dns-persist-01",
            Self::TlsAlpn => "tls-alpn-01",
        }
    }

    /// Returns whether the challenge is answered with a record in the DNS.
    pub(crate) const fn is_dns(self) -> bool {
        matches!(self, Self::Dns | Self::DnsAccount | Self::DnsPersist)
    }

    /// Returns whether the challenge can validate an identifier.
    pub(crate) fn suits(self, identifier: &Identifier, is_wildcard: bool) -> bool {
        match self {
            // RFC 8738 §7: not for addresses.
            Self::Dns | Self::DnsAccount | Self::DnsPersist => identifier.kind == "dns",
            // Only control of the zone proves control of every name in it.
            Self::Http | Self::TlsAlpn => !is_wildcard,
        }
    }
}

/// The names whose CAA records are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caa {
    /// All names, except those that are reserved for private use.
    #[default]
    Public,
    /// All names.
    Always,
    /// No names.
    Never,
}

/// A range of IP addresses: `192.0.2.0/24`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Range {
    address: IpAddr,
    bits: u8,
}

impl Range {
    /// Returns whether the range contains an address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let shift = 32u32.saturating_sub(u32::from(self.bits));
                own.to_bits().checked_shr(shift) == other.to_bits().checked_shr(shift)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let shift = 128u32.saturating_sub(u32::from(self.bits));
                own.to_bits().checked_shr(shift) == other.to_bits().checked_shr(shift)
            }
            _ => false,
        }
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{}` is not a range of addresses, expected 192.0.2.0/24", text.escape_debug());
        let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits: u8 = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| wrong()))?;
        let shift = u32::from(most.checked_sub(bits).ok_or_else(wrong)?);
        let first: IpAddr = match address {
            IpAddr::V4(address) => {
                Ipv4Addr::from_bits(address.to_bits() & u32::MAX.checked_shl(shift).unwrap_or_default()).into()
            }
            IpAddr::V6(address) => {
                Ipv6Addr::from_bits(address.to_bits() & u128::MAX.checked_shl(shift).unwrap_or_default()).into()
            }
        };
        if first != address {
            return Err(format!("`{}` has bits after its prefix, expected {first}/{bits}", text.escape_debug()));
        }
        Ok(Self { address, bits })
    }
}

impl TryFrom<String> for Range {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// A server's policy. Names in TOML have hyphens: `external-account-required = true`.
///
/// ```
/// use tagwise_acme::Policy;
/// let policy = Policy::from_toml("dns = ['example.org']\nwildcards = true")?;
/// assert!(policy.wildcards);
/// assert!(Policy::from_toml("dns = ['exa mple']").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Policy {
    /// The server's URL for clients, such as `https://ca.example.org`. If absent, the address on which it listens.
    pub url: Option<String>,
    /// The URL of the terms of service, to which new accounts must agree.
    pub terms_of_service: Option<String>,
    /// The URL of a website about the CA.
    pub website: Option<String>,
    /// The CA's names in CAA records.
    pub caa_identities: Vec<String>,
    /// The names whose CAA records are checked.
    pub caa: Caa,
    /// True if new accounts require an external account binding.
    pub external_account_required: bool,
    /// The allowed domains: each allows itself and all names below it. `*` allows all.
    pub dns: Vec<String>,
    /// The allowed IP addresses.
    pub ip: Vec<Range>,
    /// True to allow wildcards.
    pub wildcards: bool,
    /// The offered challenges.
    pub challenges: Vec<ChallengeType>,
    /// The certificate profiles. The first is the default.
    pub profiles: Vec<String>,
    /// True if orders without a profile receive Merkle Tree Certificates. The CA must have a log.
    pub mtc_by_default: bool,
    /// PEM files with alternate chains, which clients can choose (RFC 8555 §7.4.2). Each begins with a certificate that
    /// another CA issued to this one.
    pub alternate_chains: Vec<PathBuf>,
    /// True to offer authorization before an order, and to reuse valid authorizations.
    pub preauthorization: bool,
    /// True if an authorization of a domain can cover the names below it (RFC 9444). Names whose CAA records are checked
    /// always have authorizations of their own.
    pub subdomains: bool,
    /// The DNS server for validation. If absent, those of the system.
    pub resolver: Option<SocketAddr>,
    /// The port for `http-01`.
    pub http_port: u16,
    /// The port for `tls-alpn-01` and for redirects to HTTPS.
    pub tls_port: u16,
    /// Addresses to which validation may connect although they are loopback, link-local or otherwise denied.
    pub allow_addresses: Vec<Range>,
    /// Further addresses to which validation must not connect.
    pub deny_addresses: Vec<Range>,
    /// The time limit for each validation.
    pub validation_seconds: u64,
    /// The maximum number of identifiers in an order.
    pub identifiers: usize,
    /// The lifetime of an order that is not finalized, and of its authorizations.
    pub order_hours: u64,
    /// The lifetime of a valid authorization. If CAA records are checked, at most 8 hours.
    pub authorization_hours: u64,
    /// The maximum number of orders of an account in each hour.
    pub orders_per_hour: u32,
    /// The maximum number of failed validations of an account and identifier in each hour.
    pub failures_per_hour: u32,
    /// The maximum number of new accounts from all clients in each hour.
    pub accounts_per_hour: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            url: None,
            terms_of_service: None,
            website: None,
            caa_identities: Vec::new(),
            caa: Caa::default(),
            external_account_required: false,
            dns: Vec::new(),
            ip: Vec::new(),
            wildcards: false,
            challenges: vec![ChallengeType::Http, ChallengeType::Dns, ChallengeType::TlsAlpn],
            profiles: vec!["server".to_owned()],
            mtc_by_default: false,
            alternate_chains: Vec::new(),
            preauthorization: false,
            subdomains: false,
            resolver: None,
            http_port: 80,
            tls_port: 443,
            allow_addresses: Vec::new(),
            deny_addresses: Vec::new(),
            validation_seconds: 10,
            identifiers: 100,
            order_hours: 24,
            authorization_hours: 8,
            orders_per_hour: 300,
            failures_per_hour: 5,
            accounts_per_hour: 1000,
        }
    }
}

/// Domains that do not exist in the public DNS (RFC 6761, RFC 6762, RFC 8375, and ICANN's reservation of `internal`).
const PRIVATE: [&str; 8] = ["internal", "local", "localhost", "test", "example", "invalid", "home.arpa", "onion"];

impl Policy {
    /// Parses and checks a policy.
    ///
    /// # Errors
    /// The first error, with its position or key.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let policy: Self = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        policy.check()?;
        Ok(policy)
    }

    /// Checks values that their types do not.
    ///
    /// # Errors
    /// The key and the reason.
    pub fn check(&self) -> Result<(), String> {
        for domain in self.dns.iter().filter(|domain| *domain != "*") {
            if domain.starts_with('*') || *domain != domain.to_ascii_lowercase() {
                return Err(format!("dns: `{}`: expected a domain in lower case, or *", domain.escape_debug()));
            }
            AltName::dns(domain).map_err(|error| format!("dns: {error}"))?;
        }
        let is_url = |url: &str| (url.starts_with("http://") || url.starts_with("https://")) && !url.ends_with('/');
        if let Some(url) = self.url.as_deref().filter(|url| !is_url(url) || AltName::uri(url).is_err()) {
            return Err(format!("url: `{}`: expected https://HOST without a slash at the end", url.escape_debug()));
        }
        // Clients compare URLs with those of the requests, so that they must be plain (RFC 8555 §6.4).
        let is_plain = |url: &str| !url.contains(['?', '#', '@']);
        if let Some(url) = self.url.as_deref().filter(|url| !is_plain(url)) {
            let url = url.escape_debug();
            return Err(format!("url: `{url}`: expected https://HOST/PATH without a user, query or fragment"));
        }
        let ports = [
            ("http-port", Some(self.http_port)),
            ("tls-port", Some(self.tls_port)),
            ("resolver", self.resolver.map(|resolver| resolver.port())),
        ];
        if let Some((key, _)) = ports.iter().find(|(_, port)| *port == Some(0)) {
            return Err(format!("{key}: the port is 0, expected 1 to 65535"));
        }
        if self.challenges.is_empty() {
            return Err("challenges: the list is empty, expected at least one".to_owned());
        }
        if self.challenges.contains(&ChallengeType::DnsPersist) && self.caa_identities.is_empty() {
            return Err("caa-identities: the list is empty, expected the names of the CA for dns-persist-01".to_owned());
        }
        if self.profiles.is_empty() {
            return Err("profiles: the list is empty, expected at least one".to_owned());
        }
        let positive = [
            ("validation-seconds", self.validation_seconds, 300),
            ("order-hours", self.order_hours, 8760),
            ("authorization-hours", self.authorization_hours, 8760),
            ("identifiers", u64::try_from(self.identifiers).unwrap_or(u64::MAX), 1000),
        ];
        let wrong = positive.iter().find(|(_, value, most)| !(1..=*most).contains(value));
        wrong.map_or(Ok(()), |(key, value, most)| Err(format!("{key}: {value} is out of range, expected 1 to {most}")))
    }

    /// Checks an identifier from a request, and returns its canonical form.
    ///
    /// # Errors
    /// [`Kind::UnsupportedIdentifier`], [`Kind::Malformed`] or [`Kind::RejectedIdentifier`].
    pub(crate) fn identifier(&self, asked: &Identifier) -> Result<Identifier, Problem> {
        let kind = asked.kind.clone();
        let rejected = |what: &str| Problem::new(Kind::RejectedIdentifier, what).about(asked);
        match kind.as_str() {
            "dns" => {
                let value = asked.value.to_ascii_lowercase();
                let name = AltName::dns(&value);
                name.map_err(|error| Problem::malformed(error.to_string()).about(asked))?;
                let base = value.strip_prefix("*.");
                if base.is_some() && !self.wildcards {
                    return Err(rejected("wildcards are not allowed"));
                }
                if base.is_some() && !self.challenges.iter().any(|challenge| challenge.is_dns()) {
                    return Err(rejected("a wildcard requires dns-01, which is not offered"));
                }
                let base = base.unwrap_or(&value);
                if !self.dns.iter().any(|domain| domain == "*" || is_below(base, domain)) {
                    return Err(rejected("the policy does not allow this name"));
                }
                Ok(Identifier { kind, value })
            }
            "ip" => {
                // RFC 8738 §3: the textual form of RFC 1123 or RFC 5952.
                let address: IpAddr = asked
                    .value
                    .parse()
                    .map_err(|_| Problem::malformed("the value is not an IP address (RFC 8738 §3)").about(asked))?;
                if !self.ip.iter().any(|range| range.contains(address)) {
                    return Err(rejected("the policy does not allow this address"));
                }
                if self.challenges.iter().all(|challenge| challenge.is_dns()) {
                    return Err(rejected("dns-01 cannot validate addresses (RFC 8738 §7)"));
                }
                Ok(Identifier { kind, value: address.to_string() })
            }
            _ => {
                let kind: String = kind.chars().filter(char::is_ascii_graphic).take(32).collect();
                let what = format!("identifiers of the type {kind} are not supported, expected dns or ip");
                Err(Problem::new(Kind::UnsupportedIdentifier, what).about(asked))
            }
        }
    }

    /// Returns whether CAA records are checked for a name.
    pub(crate) fn checks_caa(&self, identifier: &Identifier) -> bool {
        // RFC 8738 has no CAA for addresses.
        identifier.kind == "dns"
            && match self.caa {
                Caa::Always => true,
                Caa::Never => false,
                Caa::Public => !PRIVATE.iter().any(|domain| is_below(&identifier.value, domain)),
            }
    }

    /// Returns whether an authorization of a domain can cover a name below it.
    ///
    /// RFC 9444 §4 leaves this to the server. CAA records (RFC 8659 §3) are those of the name itself, and are checked
    /// during validation, so that a name with them is validated itself.
    pub(crate) fn is_covered(&self, identifier: &Identifier, domain: &str) -> bool {
        self.subdomains
            && identifier.kind == "dns"
            && !identifier.value.contains('*')
            && identifier.value != domain
            && is_below(&identifier.value, domain)
            && !self.checks_caa(identifier)
    }

    /// The lifetime of a valid authorization.
    pub(crate) fn authorization_lifetime(&self, identifier: &Identifier) -> Duration {
        // CA/Browser Forum BR §3.2.2.8: issuance within 8 hours of the check.
        let most = if self.checks_caa(identifier) { 8 } else { u64::MAX };
        Duration::from_secs(3600).saturating_mul(u32::try_from(self.authorization_hours.min(most)).unwrap_or(u32::MAX))
    }

    /// Returns whether validation may connect to an address.
    pub(crate) fn may_connect(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let in_any = |list: &[Range], address| list.iter().any(|range| range.contains(address));
        let inner = embedded(address);
        if in_any(&self.deny_addresses, address)
            || inner.is_some_and(|inner| in_any(&self.deny_addresses, IpAddr::V4(inner)))
        {
            return false;
        }
        in_any(&self.allow_addresses, address)
            || !(is_special(address) || inner.is_some_and(|inner| is_special(IpAddr::V4(inner)) || inner.is_private()))
    }
}

/// Returns whether a name is a domain or below it.
pub(crate) fn is_below(name: &str, domain: &str) -> bool {
    name.strip_suffix(domain).is_some_and(|front| front.is_empty() || front.ends_with('.'))
}

/// Addresses that are not those of hosts elsewhere, and the metadata services of cloud providers.
fn is_special(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address.octets().first() == Some(&0)
                || address.is_loopback()
                || address.is_link_local()
                || address.is_multicast()
                || address.is_broadcast()
        }
        IpAddr::V6(address) => {
            // The metadata service of Amazon EC2.
            const METADATA: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);
            address.is_unspecified()
                || address.is_loopback()
                || address.is_multicast()
                || address.is_unicast_link_local()
                || address == METADATA
        }
    }
}

/// The IPv4 address inside an IPv6 address that gateways translate: NAT64 (RFC 6052), 6to4 (RFC 3056), and the deprecated
/// IPv4-compatible form.
fn embedded(address: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(address) = address else { return None };
    match address.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0, 0, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identifier(kind: &str, value: &str) -> Identifier {
        Identifier { kind: kind.to_owned(), value: value.to_owned() }
    }

    #[test]
    fn identifiers_are_allowed_by_suffix_and_range() {
        let policy =
            Policy::from_toml("dns = ['example.org']\nip = ['192.0.2.0/24', '2001:db8::/32']\nwildcards = true");
        let policy = policy.unwrap();
        for (kind, value, canonical) in [
            ("dns", "Example.ORG", "example.org"),
            ("dns", "a.b.example.org", "a.b.example.org"),
            ("dns", "*.example.org", "*.example.org"),
            ("ip", "192.0.2.255", "192.0.2.255"),
            ("ip", "2001:DB8:0::1", "2001:db8::1"),
        ] {
            assert_eq!(policy.identifier(&identifier(kind, value)).unwrap().value, canonical);
        }
        for (kind, value, problem) in [
            ("dns", "badexample.org", Kind::RejectedIdentifier),
            ("dns", "example.org.evil", Kind::RejectedIdentifier),
            ("dns", "org", Kind::RejectedIdentifier),
            ("dns", "example.org.", Kind::Malformed),
            ("dns", "a.*.example.org", Kind::Malformed),
            ("dns", "192.0.2.1", Kind::Malformed),
            ("ip", "192.0.3.1", Kind::RejectedIdentifier),
            ("ip", "192.0.2", Kind::Malformed),
            ("email", "a@example.org", Kind::UnsupportedIdentifier),
        ] {
            assert_eq!(policy.identifier(&identifier(kind, value)).unwrap_err().kind, problem, "{value}");
        }
        let narrow = Policy { wildcards: false, ..policy };
        assert!(narrow.identifier(&identifier("dns", "*.example.org")).is_err());
    }

    #[test]
    fn special_addresses_are_denied() {
        let policy = Policy::default();
        for address in [
            "127.0.0.1",
            "0.0.0.0",
            "0.1.2.3",
            "169.254.169.254",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "2002:7f00:1::",
            "fd00:ec2::254",
            "::127.0.0.1",
        ] {
            assert!(!policy.may_connect(address.parse().unwrap()), "{address}");
        }
        for address in ["192.0.2.1", "10.0.0.1", "2001:db8::1", "fd00::1"] {
            assert!(policy.may_connect(address.parse().unwrap()), "{address}");
        }
        let policy = Policy::from_toml("allow-addresses = ['127.0.0.1']\ndeny-addresses = ['10.0.0.0/8']").unwrap();
        assert!(policy.may_connect("127.0.0.1".parse().unwrap()));
        assert!(!policy.may_connect("127.0.0.2".parse().unwrap()));
        assert!(!policy.may_connect("10.1.2.3".parse().unwrap()));
        assert!(!policy.may_connect("::ffff:10.1.2.3".parse().unwrap()));
    }

    #[test]
    fn wrong_policies_are_refused() {
        for text in [
            "dns = ['*.example.org']",
            "dns = ['']",
            "ip = ['192.0.2.0/33']",
            "challenges = []",
            "challenges = ['http-02']",
            "challenges = ['dns-persist-01']",
            "unknown = 1",
            "url = 'ftp://x'",
            "url = 'https://x/'",
            "validation-seconds = 0",
            "profiles = []",
        ] {
            assert!(Policy::from_toml(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_ports_and_urls_are_exact() {
        let error = |text: &str| Policy::from_toml(text).unwrap_err();
        for key in ["ip", "allow-addresses", "deny-addresses"] {
            let text = error(&format!("{key} = ['10.0.0.1/8']"));
            assert!(text.contains("`10.0.0.1/8` has bits after its prefix, expected 10.0.0.0/8"), "{text}");
        }
        let text = error("ip = ['2001:db8::1/32']");
        assert!(text.contains("`2001:db8::1/32` has bits after its prefix, expected 2001:db8::/32"), "{text}");
        for good in ["0.0.0.0/0", "::/0", "10.0.0.1/32", "10.0.0.1", "2001:db8::1"] {
            assert!(Policy::from_toml(&format!("ip = ['{good}']")).is_ok(), "{good}");
        }
        for (text, key) in
            [("http-port = 0", "http-port"), ("tls-port = 0", "tls-port"), ("resolver = '127.0.0.1:0'", "resolver")]
        {
            assert_eq!(error(text), format!("{key}: the port is 0, expected 1 to 65535"));
        }
        for url in ["https://ca.example/acme?x=1", "https://me@ca.example/acme", "https://ca.example/acme#x"] {
            let expected = format!("url: `{url}`: expected https://HOST/PATH without a user, query or fragment");
            assert_eq!(error(&format!("url = '{url}'")), expected);
        }
    }

    #[test]
    fn private_names_have_no_caa() {
        let policy = Policy::default();
        assert!(policy.checks_caa(&identifier("dns", "www.example.org")));
        assert!(!policy.checks_caa(&identifier("dns", "db.internal")));
        assert!(!policy.checks_caa(&identifier("ip", "192.0.2.1")));
    }
}

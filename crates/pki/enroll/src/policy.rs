//! The operator's policy, in TOML: the certificates that each client may request.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde::Deserialize;
use tagwise_ca::{AltName, NameKind, Requested};
use tagwise_pkix::name::{NameBuf, text};
use tagwise_pkix::{Name, oids};

use crate::refusal::{Kind, Refusal};

/// An enrollment protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Enrollment over Secure Transport (RFC 7030).
    Est,
    /// Simple Certificate Enrolment Protocol (RFC 8894).
    Scep,
    /// Certificate Management Protocol (RFC 9810).
    Cmp,
}

impl Protocol {
    /// The name in policies, such as `est`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Est => "est",
            Self::Scep => "scep",
            Self::Cmp => "cmp",
        }
    }
}

/// The decision about requests that the policy allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Approval {
    /// The certificate is issued immediately.
    #[default]
    Automatic,
    /// An operator decides about each request: see [`crate::requests`].
    Manual,
}

/// The certificates that some clients may request. Names in TOML have hyphens: `common-names = ["device-*"]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Grant {
    /// The name, to which secrets refer.
    pub name: String,
    /// The certificate profile.
    pub profile: String,
    /// The protocols in which it can be used.
    #[serde(default = "all_protocols")]
    pub protocols: Vec<Protocol>,
    /// The allowed domains: each allows itself and all names below it. `*` allows all.
    #[serde(default)]
    pub dns: Vec<String>,
    /// True to allow wildcards.
    #[serde(default)]
    pub wildcards: bool,
    /// The allowed IP addresses, such as `192.0.2.0/24`.
    #[serde(default)]
    pub ip: Vec<String>,
    /// The domains of allowed mailboxes.
    #[serde(default)]
    pub email: Vec<String>,
    /// Other allowed names, such as `uri:spiffe://example.org/a`.
    #[serde(default)]
    pub names: Vec<String>,
    /// The allowed common names that are not among the allowed names above. An asterisk at the end allows any rest.
    #[serde(default)]
    pub common_names: Vec<String>,
    /// The attributes that subjects may contain besides the common name, such as `O=Example,C=DE`.
    #[serde(default)]
    pub subject: String,
    /// The profiles of the CA's certificates whose holders may use the grant, for the names of their own certificate. Others
    /// need a secret.
    #[serde(default)]
    pub certificates: Vec<String>,
    /// True if the holders of these certificates are registration authorities, which may request every name of the grant.
    #[serde(default)]
    pub registration_authority: bool,
    /// The shared secrets of CMP whose holders are registration authorities, by their references. They may verify possession
    /// of the keys in their requests (RFC 9810 §5.2.8.1).
    #[serde(default)]
    pub registration_authority_secrets: Vec<String>,
    /// The decision about requests.
    #[serde(default)]
    pub approval: Approval,
}

fn all_protocols() -> Vec<Protocol> {
    vec![Protocol::Est, Protocol::Scep, Protocol::Cmp]
}

/// The policy of all enrollment protocols.
///
/// ```
/// use tagwise_enroll::Policy;
/// let policy = Policy::from_toml(
///     "[[grants]]\nname = 'servers'\nprofile = 'server'\ndns = ['example.org']\nip = ['192.0.2.0/24']",
/// )?;
/// assert_eq!(policy.grants[0].protocols.len(), 3);
/// assert!(Policy::from_toml("[[grants]]\nname = 'a'\nprofile = 'b'\ndns = ['*.example.org']").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Policy {
    /// The certificates that clients may request.
    pub grants: Vec<Grant>,
    /// True to let clients renew their certificates with the same names.
    pub renewal: bool,
    /// The maximum number of failed authentications with a name in an hour, whether it exists or not. Further ones are refused
    /// without a check. Only generated secrets, which cannot be guessed, are still accepted.
    pub failures_per_hour: u32,
    /// The maximum number of failed authentications from an address in an hour, with any names. Chosen passwords from there are then
    /// refused without a check. All addresses of an IPv6 subnet of 64 bits are counted together, and those of this machine, where a reverse proxy
    /// may run, are not counted.
    pub address_failures_per_hour: u32,
    /// The interval at which clients should ask for a pending certificate.
    pub polling_seconds: u32,
    /// The time for which answers to requests are repeated.
    pub transaction_hours: u32,
    /// True to accept SCEP messages with Triple DES and signatures with SHA-1. Responses are encrypted with AES, and the
    /// requests inside must be signed with SHA-256 or better.
    pub scep_legacy: bool,
    /// The maximum number of iterations of password-based MACs in CMP.
    pub cmp_iterations: u32,
    /// True to let CMP clients omit the confirmation of certificates (RFC 9810 §5.1.1.1).
    pub cmp_implicit_confirm: bool,
    /// The time after which a CMP client's certificate is revoked if the client has not confirmed it.
    pub cmp_confirm_seconds: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            grants: Vec::new(),
            renewal: true,
            failures_per_hour: 100,
            address_failures_per_hour: 300,
            polling_seconds: 60,
            transaction_hours: 168,
            scep_legacy: false,
            cmp_iterations: 100_000,
            cmp_implicit_confirm: true,
            cmp_confirm_seconds: 300,
        }
    }
}

impl Policy {
    /// Parses and checks a policy.
    ///
    /// # Errors
    /// The first error of the syntax with its position, or all errors of values with their keys.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let policy: Self = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        policy.check()?;
        Ok(policy)
    }

    /// Checks values that their types do not.
    ///
    /// # Errors
    /// The keys and reasons of all errors.
    pub fn check(&self) -> Result<(), String> {
        let mut problems = Vec::new();
        for (at, grant) in self.grants.iter().enumerate() {
            let of = |error: String| format!("grant {}: {error}", grant.name.escape_debug());
            if grant.name.is_empty()
                || grant.name.contains(|it: char| !it.is_ascii_alphanumeric() && !"-_.".contains(it))
            {
                problems.push(of("the name must consist of letters, digits, hyphens, underscores and dots".to_owned()));
            }
            if self.grants.iter().take(at).any(|other| other.name == grant.name) {
                problems.push(of("duplicate name".to_owned()));
            }
            problems.extend(grant.problems().into_iter().map(of));
        }
        let positive = [
            ("failures-per-hour", self.failures_per_hour, 1_000_000),
            ("address-failures-per-hour", self.address_failures_per_hour, 1_000_000),
            ("polling-seconds", self.polling_seconds, 86_400),
            ("transaction-hours", self.transaction_hours, 8760),
            ("cmp-confirm-seconds", self.cmp_confirm_seconds, 86_400),
            ("cmp-iterations", self.cmp_iterations, 10_000_000),
        ];
        let wrong = positive.iter().filter(|(_, value, most)| !(1..=*most).contains(value));
        problems
            .extend(wrong.map(|(key, value, most)| format!("{key}: {value} is out of range, expected 1 to {most}")));
        if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
    }

    /// The grant with a name.
    pub(crate) fn grant(&self, name: &str) -> Option<&Grant> {
        self.grants.iter().find(|grant| grant.name == name)
    }
}

impl Grant {
    /// Returns all errors of the grant's values.
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for domain in self.dns.iter().chain(&self.email).filter(|domain| *domain != "*") {
            if domain.starts_with('*') || *domain != domain.to_ascii_lowercase() {
                problems.push(format!("`{}`: expected a domain in lower case, or *", domain.escape_debug()));
            } else if let Err(error) = AltName::dns(domain) {
                problems.push(error.to_string());
            }
        }
        let names = self.names.iter().filter_map(|name| AltName::parse(name).err());
        problems.extend(names.map(|error| format!("names: {error}")));
        for range in self.ip.iter().filter(|range| subnet(range).is_none()) {
            let range = range.escape_debug();
            problems.push(format!("ip: `{range}` is not a range of addresses, expected 192.0.2.0/24"));
        }
        for (range, address, bits) in
            self.ip.iter().filter_map(|range| subnet(range).map(|(it, bits)| (range, it, bits)))
        {
            let first = first_of(address, bits);
            if first != address {
                problems.push(format!("ip: `{range}` has bits after its prefix, expected {first}/{bits}"));
            }
        }
        if self.protocols.is_empty() {
            problems.push("protocols: the list is empty, expected at least one of est, scep and cmp".to_owned());
        }
        if !self.registration_authority_secrets.is_empty() && !self.protocols.contains(&Protocol::Cmp) {
            problems.push("registration-authority-secrets: the grant's protocols do not include cmp".to_owned());
        }
        problems.extend(NameBuf::parse(&self.subject).err().map(|error| format!("subject: {error}")));
        problems
    }

    /// Checks that all names in a request are allowed.
    pub(crate) fn check_request(&self, requested: &Requested) -> Result<(), Refusal> {
        if let Some(error) = requested.refused.first() {
            return Err(Refusal::new(Kind::Template, error.to_string()));
        }
        self.check_names(&requested.names)?;
        self.check_subject(&requested.subject.name())
    }

    /// Checks that alternative names are allowed.
    pub(crate) fn check_names(&self, names: &[AltName]) -> Result<(), Refusal> {
        let wrong = names.iter().find(|name| !self.allows(name));
        wrong.map_or(Ok(()), |name| Err(Refusal::unauthorized(format!("the policy does not allow the name {name}"))))
    }

    fn allows(&self, name: &AltName) -> bool {
        let value = name.value();
        let listed = self.names.iter().any(|own| AltName::parse(own).is_ok_and(|own| own == *name));
        listed
            || match name.kind() {
                NameKind::Dns => self.allows_dns(&value.to_ascii_lowercase()),
                NameKind::Ip => value.parse().is_ok_and(|address| self.allows_ip(address)),
                NameKind::Email => value.rsplit_once('@').is_some_and(|(_, domain)| {
                    let domain = domain.to_ascii_lowercase();
                    self.email.iter().any(|own| own == "*" || *own == domain)
                }),
                _ => false,
            }
    }

    fn allows_dns(&self, name: &str) -> bool {
        let base = name.strip_prefix("*.");
        if base.is_some() && !self.wildcards {
            return false;
        }
        let base = base.unwrap_or(name);
        self.dns.iter().any(|domain| domain == "*" || is_below(base, domain))
    }

    fn allows_ip(&self, address: IpAddr) -> bool {
        self.ip.iter().filter_map(|range| subnet(range)).any(|(own, bits)| is_within(address, own, bits))
    }

    /// Checks a subject, because an unverified attribute would be an identifier without validation.
    fn check_subject(&self, subject: &Name<'_>) -> Result<(), Refusal> {
        let own = NameBuf::parse(&self.subject).map_err(|error| Refusal::internal(error.to_string()))?;
        let own = own.name();
        for attribute in subject.attributes() {
            let value = text(&attribute.value).unwrap_or_default();
            let is_allowed = if attribute.attr_type == oids::COMMON_NAME {
                self.allows_common_name(&value)
            } else {
                let mut known = own.attributes();
                known
                    .any(|own| own.attr_type == attribute.attr_type && text(&own.value).is_some_and(|own| own == value))
            };
            if !is_allowed {
                return Err(Refusal::unauthorized(format!("the policy does not allow the subject {subject}")));
            }
        }
        Ok(())
    }

    fn allows_common_name(&self, value: &str) -> bool {
        let matches = |own: &String| match own.strip_suffix('*') {
            Some(front) => value.starts_with(front) && !value.contains(char::is_control),
            None => *own == value,
        };
        let address = value.parse::<IpAddr>();
        let name = match (address, value.contains('@')) {
            (Ok(address), _) => Some(AltName::ip(address)),
            (Err(_), true) => AltName::email(value).ok(),
            (Err(_), false) => AltName::dns(value).ok(),
        };
        self.common_names.iter().any(matches) || name.is_some_and(|name| self.allows(&name))
    }
}

/// Returns whether a name is a domain or below it.
fn is_below(name: &str, domain: &str) -> bool {
    name.strip_suffix(domain).is_some_and(|front| front.is_empty() || front.ends_with('.'))
}

/// Parses a range of addresses.
fn subnet(text: &str) -> Option<(IpAddr, u32)> {
    let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
    let address: IpAddr = address.parse().ok()?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    let bits = bits.map_or(Some(most), |bits| bits.parse().ok())?;
    (bits <= most).then_some((address, bits))
}

/// Returns the first address of a range.
fn first_of(address: IpAddr, bits: u32) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32u32.saturating_sub(bits)).unwrap_or_default();
            Ipv4Addr::from_bits(address.to_bits() & mask).into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128u32.saturating_sub(bits)).unwrap_or_default();
            Ipv6Addr::from_bits(address.to_bits() & mask).into()
        }
    }
}

fn is_within(address: IpAddr, range: IpAddr, bits: u32) -> bool {
    match (address, range) {
        (IpAddr::V4(one), IpAddr::V4(other)) => {
            let shift = 32u32.saturating_sub(bits);
            one.to_bits().checked_shr(shift) == other.to_bits().checked_shr(shift)
        }
        (IpAddr::V6(one), IpAddr::V6(other)) => {
            let shift = 128u32.saturating_sub(bits);
            one.to_bits().checked_shr(shift) == other.to_bits().checked_shr(shift)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRANT: &str = "[[grants]]\nname = 'a'\nprofile = 'server'\ndns = ['example.org']\nip = ['192.0.2.0/24', \
        '2001:db8::/32']\nemail = ['example.org']\nnames = ['uri:spiffe://example.org/a']\ncommon-names = ['device-*', \
        'Printer']\nsubject = 'O=Example,C=DE'\n";

    #[test]
    fn ranges_begin_with_their_first_address() {
        let error = |ip: &str| Policy::from_toml(&GRANT.replace("192.0.2.0/24", ip)).unwrap_err();
        let expected = "grant a: ip: `10.0.0.1/8` has bits after its prefix, expected 10.0.0.0/8";
        assert_eq!(error("10.0.0.1/8"), expected);
        let expected = "grant a: ip: `2001:db8::1/32` has bits after its prefix, expected 2001:db8::/32";
        assert_eq!(error("2001:db8::1/32"), expected);
        for good in ["0.0.0.0/0", "::/0", "10.0.0.1/32", "10.0.0.1", "2001:db8::1"] {
            assert!(Policy::from_toml(&GRANT.replace("192.0.2.0/24", good)).is_ok(), "{good}");
        }
        let none = Policy::from_toml(&format!("{GRANT}protocols = []\n")).unwrap_err();
        assert_eq!(none, "grant a: protocols: the list is empty, expected at least one of est, scep and cmp");
    }

    #[test]
    fn names_are_allowed_by_suffix_range_and_list() {
        let policy = Policy::from_toml(GRANT).unwrap();
        let grant = policy.grant("a").unwrap();
        for name in [
            "dns:example.org",
            "dns:a.B.example.org",
            "ip:192.0.2.255",
            "ip:2001:db8::1",
            "email:me@Example.org",
            "uri:spiffe://example.org/a",
        ] {
            assert!(grant.allows(&AltName::parse(name).unwrap()), "{name}");
        }
        for name in [
            "dns:badexample.org",
            "dns:example.org.evil",
            "dns:org",
            "dns:*.example.org",
            "ip:192.0.3.1",
            "ip:2001:db9::1",
            "email:me@sub.example.org",
            "email:me@evil.example",
            "uri:spiffe://example.org/ab",
            "upn:me@example.org",
        ] {
            assert!(!grant.allows(&AltName::parse(name).unwrap()), "{name}");
        }
        let wild = Grant { wildcards: true, ..grant.clone() };
        assert!(wild.allows(&AltName::dns("*.example.org").unwrap()));
        assert!(!wild.allows(&AltName::dns("*.org").unwrap()));
    }

    #[test]
    fn subjects_contain_allowed_attributes_only() {
        let policy = Policy::from_toml(GRANT).unwrap();
        let grant = policy.grant("a").unwrap();
        let check = |subject: &str| grant.check_subject(&NameBuf::parse(subject).unwrap().name());
        for subject in ["", "CN=www.example.org", "CN=device-7,O=Example", "CN=Printer,C=DE", "CN=me@example.org"] {
            check(subject).unwrap();
        }
        for subject in ["CN=www.evil.example", "O=Evil", "OU=Example", "CN=Printers", "CN=www.example.org,CN=evil"] {
            assert_eq!(check(subject).unwrap_err().kind, Kind::Unauthorized, "{subject}");
        }
    }

    #[test]
    fn wrong_policies_are_refused() {
        for text in [
            "unknown = 1",
            "polling-seconds = 0",
            "failures-per-hour = 0",
            "address-failures-per-hour = 0",
            "[[grants]]\nname = ''\nprofile = 'a'",
            "[[grants]]\nname = 'a b'\nprofile = 'a'",
            "[[grants]]\nname = 'a'",
            "[[grants]]\nname = 'a'\nprofile = 'a'\ndns = ['*.a']",
            "[[grants]]\nname = 'a'\nprofile = 'a'\nip = ['192.0.2.0/33']",
            "[[grants]]\nname = 'a'\nprofile = 'a'\nnames = ['x:y']",
            "[[grants]]\nname = 'a'\nprofile = 'a'\nsubject = 'x'",
            "[[grants]]\nname = 'a'\nprofile = 'a'\nprotocols = ['acme']",
            "[[grants]]\nname = 'a'\nprofile = 'a'\nprotocols = ['est']\nregistration-authority-secrets = ['b']",
            "[[grants]]\nname = 'a'\nprofile = 'a'\n[[grants]]\nname = 'a'\nprofile = 'b'",
        ] {
            assert!(Policy::from_toml(text).is_err(), "{text}");
        }
        // All errors at once.
        let text =
            "polling-seconds = 0\n[[grants]]\nname = 'a'\nprofile = 'a'\ndns = ['*.a', 'B']\nip = ['x']\nsubject = 'x'";
        let error = Policy::from_toml(text).unwrap_err();
        for part in ["grant a: `*.a`:", "grant a: `B`:", "grant a: ip: `x`", "grant a: subject:", "polling-seconds: 0"]
        {
            assert!(error.contains(part), "{part}: {error}");
        }
    }
}

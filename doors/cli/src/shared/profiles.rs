//! Certificate profiles, in TOML.

mod logs;

use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use tagwise_ca::{Definition, Error, KeyRule, NameKind, Policy, Subtree};
use tagwise_codec::OidBuf;
use tagwise_pkix::name::visible;
use tagwise_pkix::oids;

use self::logs::Logging;
use crate::shared::context::Context;
use crate::shared::issuing::DAY;
use crate::shared::output::{Failure, name_of};

/// The built-in profiles.
pub(crate) const BUILT_IN: [(&str, &str); 10] = [
    ("server", include_str!("profiles/server.toml")),
    ("client", include_str!("profiles/client.toml")),
    ("server+client", include_str!("profiles/server+client.toml")),
    ("email", include_str!("profiles/email.toml")),
    ("code-signing", include_str!("profiles/code-signing.toml")),
    ("time-stamping", include_str!("profiles/time-stamping.toml")),
    ("smartcard-logon", include_str!("profiles/smartcard-logon.toml")),
    ("ipsec", include_str!("profiles/ipsec.toml")),
    ("ca", include_str!("profiles/ca.toml")),
    ("ocsp", include_str!("profiles/ocsp.toml")),
];

/// The JSON Schema of profiles.
pub(crate) const SCHEMA: &str = include_str!("profiles/schema.json");

/// Returns the built-in profile with the given name, or reads the profile in a file.
///
/// # Errors
/// Returns an error if the name is unknown, the file cannot be read, or the profile is invalid.
pub(crate) fn of(context: &Context, text: &str) -> Result<Definition, Failure> {
    let path = Path::new(text);
    if text.contains(['/', '\\']) || path.extension().is_some_and(|end| end.eq_ignore_ascii_case("toml")) {
        return read(context, path);
    }
    let definition = parsed(built_in(text)?).and_then(File::definition);
    definition.map_err(Failure::negative)
}

/// Returns a profile like [`of`] for a service, which cannot submit precertificates.
///
/// # Errors
/// Returns any error from [`of`], or an error if the profile requires timestamps of logs.
pub(crate) fn for_service(context: &Context, text: &str) -> Result<Definition, Failure> {
    let definition = of(context, text)?;
    unlogged(&definition)?;
    Ok(definition)
}

/// Checks that a profile does not require timestamps of logs.
///
/// # Errors
/// Returns an error if it does.
pub(crate) fn unlogged(definition: &Definition) -> Result<(), Failure> {
    match definition.transparency {
        None => Ok(()),
        Some(_) => Err(Failure::negative(format!(
            "the profile {} requires timestamps of Certificate Transparency logs, which only `tagwise ca issue` with one request \
             supports",
            visible(&definition.name)
        ))),
    }
}

/// Returns the text of a built-in profile.
///
/// # Errors
/// Returns an error if the name is unknown.
pub(crate) fn built_in(name: &str) -> Result<&'static str, Failure> {
    let found = BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    found.ok_or_else(|| {
        let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
        Failure::usage(format!(
            "unknown profile `{}`, expected {}, or a file in TOML",
            visible(&name),
            names.join(", ")
        ))
    })
}

/// Reads a profile from a file.
///
/// # Errors
/// Returns an error if the file cannot be read, or the profile is invalid.
pub(crate) fn read(context: &Context, path: &Path) -> Result<Definition, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let text = String::from_utf8(octets).map_err(|error| error.to_string());
    let definition = text.and_then(|text| parsed(&text)).and_then(File::definition);
    definition.map_err(|what| Failure::negative(format!("{}: {what}", name_of(path))))
}

/// Parses a profile.
///
/// # Errors
/// Returns the first error, with its position.
pub(crate) fn parsed(text: &str) -> Result<File, String> {
    toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())
}

/// The TOML representation of a profile.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct File {
    name: String,
    /// The description, for people.
    pub(crate) description: Option<String>,
    #[serde(default)]
    ca: bool,
    path_length: Option<u8>,
    key_usage: Option<Vec<String>>,
    #[serde(default)]
    extended_key_usage: Vec<String>,
    #[serde(default)]
    policies: Vec<PolicyEntry>,
    names: Option<Vec<String>>,
    #[serde(default)]
    required_names: Vec<String>,
    #[serde(default)]
    common_name: CommonName,
    subject: Option<String>,
    #[serde(default)]
    alternative_names: Vec<String>,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    keys: Vec<String>,
    /// The validity period in days.
    #[serde(default = "days")]
    pub(crate) days: u32,
    #[serde(default)]
    backdate_minutes: u32,
    #[serde(default)]
    name_constraints: Constraints,
    #[serde(default)]
    certificate_transparency: Logging,
}

/// Returns the default validity in days.
const fn days() -> u32 {
    90
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CommonName {
    #[default]
    Any,
    AmongNames,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum PolicyEntry {
    Id(String),
    Table(PolicyTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyTable {
    id: String,
    cps: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Constraints {
    permitted_dns: Vec<String>,
    permitted_email: Vec<String>,
    permitted_ip: Vec<String>,
    excluded_dns: Vec<String>,
    excluded_email: Vec<String>,
    excluded_ip: Vec<String>,
}

impl File {
    fn definition(self) -> Result<Definition, String> {
        if !(1..=36_500).contains(&self.days) {
            return Err(format!("days: {} is out of range, expected 1 to 36500", self.days));
        }
        if self.backdate_minutes > 10_080 {
            return Err(format!("backdate-minutes: {} is out of range, expected 0 to 10080", self.backdate_minutes));
        }
        let kinds = |list: &[String]| list.iter().map(|kind| kind.parse()).collect::<Result<Vec<NameKind>, Error>>();
        let said = |error: Error| error.to_string();
        let policy = |entry: &PolicyEntry| -> Result<Policy, String> {
            let (id, cps) = match entry {
                PolicyEntry::Id(id) => (id, None),
                PolicyEntry::Table(PolicyTable { id, cps }) => (id, cps.clone()),
            };
            Ok(Policy { id: identifier("policies", id)?, cps })
        };
        let all = |field: &str, list: &[String]| -> Result<Vec<OidBuf>, String> {
            list.iter().map(|name| identifier(field, name)).collect()
        };
        let Constraints { permitted_dns, permitted_email, permitted_ip, excluded_dns, excluded_email, excluded_ip } =
            &self.name_constraints;
        let definition = Definition {
            ca: self.ca,
            path_len: self.path_length,
            key_usage: self.key_usage.as_deref().map(usage).transpose()?,
            purposes: all("extended-key-usage", &self.extended_key_usage)?,
            policies: self.policies.iter().map(policy).collect::<Result<_, _>>()?,
            permitted: subtrees(permitted_dns, permitted_email, permitted_ip)?,
            excluded: subtrees(excluded_dns, excluded_email, excluded_ip)?,
            names: match &self.names {
                Some(list) => kinds(list).map_err(said)?,
                None => NameKind::ALL.to_vec(),
            },
            required_names: kinds(&self.required_names).map_err(said)?,
            common_name_in_names: self.common_name == CommonName::AmongNames,
            subject: self.subject.clone(),
            alternative_names: self.alternative_names.clone(),
            extensions: all("extensions", &self.extensions)?,
            keys: self.keys.iter().map(|text| key_rule(text)).collect::<Result<_, _>>()?,
            validity: DAY * self.days,
            backdate: Duration::from_secs(60) * self.backdate_minutes,
            transparency: self.certificate_transparency.transparency()?,
            ..Definition::new(&self.name)
        };
        definition.check().map_err(said)?;
        Ok(definition)
    }
}

/// Parses an object identifier by name or in dotted form.
fn identifier(field: &str, text: &str) -> Result<OidBuf, String> {
    if let Some(known) = oids::by_name(text) {
        return Ok(OidBuf::new(known.oid));
    }
    text.parse().map_err(|_not_dotted| {
        format!("{field}: `{}` is neither a known name nor an object identifier", visible(&text))
    })
}

/// Returns the key usage bits with the given names (RFC 5280 §4.2.1.3).
fn usage(names: &[String]) -> Result<u64, String> {
    const NAMES: [(&str, u32); 10] = [
        ("digitalSignature", 0),
        ("nonRepudiation", 1),
        ("contentCommitment", 1),
        ("keyEncipherment", 2),
        ("dataEncipherment", 3),
        ("keyAgreement", 4),
        ("keyCertSign", 5),
        ("cRLSign", 6),
        ("encipherOnly", 7),
        ("decipherOnly", 8),
    ];
    let bit = |name: &String| {
        let found = NAMES.iter().find(|(known, _)| known == name);
        found.map(|(_, bit)| 1_u64 << bit).ok_or_else(|| format!("key-usage: unknown usage `{}`", visible(name)))
    };
    names.iter().map(bit).try_fold(0, |all, bit| Ok(all | bit?))
}

/// Parses a key rule: `ecdsa-p256`, `rsa3072`, `rsa>=3072`, or `rsa` for at least 2048 bits.
fn key_rule(text: &str) -> Result<KeyRule, String> {
    if text == "rsa" {
        return Ok(KeyRule::RsaFrom(2048));
    }
    if let Some(bits) = text.strip_prefix("rsa>=") {
        let bits = bits.parse().ok().filter(|bits| (2048..=16_384).contains(bits));
        return bits
            .map(KeyRule::RsaFrom)
            .ok_or_else(|| format!("keys: `{}`, expected rsa>=2048 to rsa>=16384", visible(&text)));
    }
    text.parse().map(KeyRule::Exactly).map_err(|error| format!("keys: {error}"))
}

fn subtrees(dns: &[String], email: &[String], ip: &[String]) -> Result<Vec<Subtree>, String> {
    let mut all = Vec::new();
    for name in dns {
        let plain = name.strip_prefix('.').unwrap_or(name);
        tagwise_ca::AltName::dns(plain).map_err(|error| format!("name-constraints: {error}"))?;
        all.push(Subtree::Dns(name.clone()));
    }
    for name in email {
        if !name.is_ascii() || name.is_empty() {
            return Err(format!("name-constraints: `{}` is not a mail domain or mailbox", visible(name)));
        }
        all.push(Subtree::Email(name.clone()));
    }
    for text in ip {
        all.push(subnet(text).ok_or_else(|| {
            format!("name-constraints: `{}` is not a subnet, expected the form 10.0.0.0/8", visible(text))
        })?);
    }
    Ok(all)
}

/// Parses an IP address with a prefix length.
fn subnet(text: &str) -> Option<Subtree> {
    let (address, length) = text.split_once('/')?;
    let length: u32 = length.parse().ok()?;
    match address.parse().ok()? {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32_u32.checked_sub(length)?).unwrap_or_default();
            let address = u32::from(address);
            // RFC 5280 §4.2.1.10: bits behind the prefix are zero.
            let octets = [(address & mask).to_be_bytes(), mask.to_be_bytes()].concat();
            (address & !mask == 0).then(|| octets.try_into().ok().map(Subtree::V4)).flatten()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128_u32.checked_sub(length)?).unwrap_or_default();
            let address = u128::from(address);
            let octets = [(address & mask).to_be_bytes(), mask.to_be_bytes()].concat();
            (address & !mask == 0).then(|| octets.try_into().ok().map(Subtree::V6)).flatten()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_profiles_are_good() {
        for (name, text) in BUILT_IN {
            let definition = parsed(text).and_then(File::definition).unwrap();
            assert_eq!(definition.name, name);
        }
    }

    #[test]
    fn invalid_profiles() {
        for (text, words) in [
            ("", "missing field `name`"),
            ("name = 'a b'", "a profile's name"),
            ("name = 'a'\nlife = 3", "unknown field `life`"),
            ("name = 'a'\nkey-usage = ['sign']", "key-usage: unknown usage `sign`"),
            ("name = 'a'\nkey-usage = []", "at least one key usage"),
            ("name = 'a'\nkey-usage = ['keyCertSign']", "keyCertSign is only for CAs"),
            ("name = 'a'\nca = true\nkey-usage = ['cRLSign']", "needs the key usage keyCertSign"),
            ("name = 'a'\npath-length = 1", "a path length is only for CAs"),
            ("name = 'a'\nextended-key-usage = ['server']", "extended-key-usage: `server` is neither"),
            ("name = 'a'\nnames = ['dns']\nrequired-names = ['ip']", "ip names are required, but not allowed"),
            ("name = 'a'\nnames = ['host']", "unknown kind of name `host`"),
            ("name = 'a'\nextensions = ['basicConstraints']", "cannot be copied"),
            ("name = 'a'\nkeys = ['rsa>=1024']", "expected rsa>=2048"),
            ("name = 'a'\nkeys = ['dsa']", "keys: "),
            ("name = 'a'\ndays = 0", "days: 0 is out of range"),
            ("name = 'a'\ncertificate-transparency = true", "not supported"),
            ("name = 'a'\ncertificate-transparency = 3", "expected false or a table with logs"),
            ("name = 'a'\n[certificate-transparency]\nlog = []", "unknown field `log`"),
            ("name = 'a'\n[certificate-transparency]\nlogs = [{url = 'http://a.example/'}]", "missing field `key`"),
            ("name = 'a'\n[certificate-transparency]\nlogs = []", "no logs for Certificate Transparency"),
            (
                "name = 'a'\n[certificate-transparency]\nlogs = [{url = 'https://a.example/', key = 'AAAA'}]",
                "https://a.example/: not a public key",
            ),
            (
                "name = 'a'\n[certificate-transparency]\nlogs = [{url = 'ftp://a.example/', key = 'AAAA'}]",
                "is not an http or https URL",
            ),
            ("name = 'a'\n[name-constraints]\npermitted-dns = ['a.example']", "name constraints are only for CAs"),
            ("name = 'a'\nca = true\n[name-constraints]\npermitted-ip = ['10.0.0.1/8']", "is not a subnet"),
            ("name = 'a'\nca = true\n[name-constraints]\npermitted-dns = ['192.0.2.1']", "it is an IP address"),
        ] {
            let error = parsed(text).and_then(File::definition).map(|_| ()).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn subnets() {
        assert_eq!(subnet("10.0.0.0/8"), Some(Subtree::V4([10, 0, 0, 0, 255, 0, 0, 0])));
        assert_eq!(subnet("0.0.0.0/0"), Some(Subtree::V4([0; 8])));
        assert_eq!(subnet("192.0.2.1/32"), Some(Subtree::V4([192, 0, 2, 1, 255, 255, 255, 255])));
        assert!(matches!(subnet("2001:db8::/32"), Some(Subtree::V6(_))));
        for text in ["10.0.0.0", "10.0.0.0/33", "10.0.0.1/8", "::/129", "x/8"] {
            assert_eq!(subnet(text), None, "{text}");
        }
    }
}

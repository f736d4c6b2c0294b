//! Typed access to client settings.

use std::time::Duration;

use super::Config;
use crate::crypto::EncType;

impl Config {
    /// Returns the default realm.
    #[must_use]
    pub fn default_realm(&self) -> Option<&str> {
        self.text(&["libdefaults", "default_realm"])
    }

    /// Returns a setting: for a realm the first of [`settings`](Self::settings), otherwise from `[libdefaults]`.
    ///
    /// ```
    /// use tagwise_krb5::conf::{Config, NoIncludes};
    /// let text = "[realms]\n A.TEST = {\n  pkinit_require_crl_checking = true\n }\n";
    /// let config = Config::parse(text, &mut NoIncludes)?;
    /// assert_eq!(config.flag(Some("A.TEST"), "pkinit_require_crl_checking"), Some(true));
    /// assert_eq!(config.flag(Some("B.TEST"), "pkinit_require_crl_checking"), None);
    /// # Ok::<(), tagwise_krb5::conf::ConfigError>(())
    /// ```
    #[must_use]
    pub fn setting(&self, realm: Option<&str>, name: &str) -> Option<&str> {
        match realm {
            Some(realm) => self.settings(realm, name).first().copied(),
            None => self.text(&["libdefaults", name]),
        }
    }

    /// Returns a Boolean setting, or `None` if it is absent. [`parse`](Self::parse) refuses unreadable values of the settings that this
    /// crate uses. Those of other settings are also `None`.
    #[must_use]
    pub fn flag(&self, realm: Option<&str>, name: &str) -> Option<bool> {
        parse_flag(self.setting(realm, name)?)
    }

    /// Returns a duration setting, or `None` if it is absent or, for settings that this crate does not use, unreadable.
    #[must_use]
    pub fn duration(&self, realm: Option<&str>, name: &str) -> Option<Duration> {
        parse_duration(self.setting(realm, name)?)
    }

    /// The values of a setting from the realm's block in `[libdefaults]`, its block in `[realms]`, or `[libdefaults]`. The first of these
    /// that contains a value applies, as in MIT's clients for `pkinit_anchors` and similar settings.
    ///
    /// ```
    /// use tagwise_krb5::conf::{Config, NoIncludes};
    /// let text = "[libdefaults]\n pkinit_anchors = FILE:all.pem\n[realms]\n A.TEST = {\n  pkinit_anchors = FILE:a.pem\n }\n";
    /// let config = Config::parse(text, &mut NoIncludes)?;
    /// assert_eq!(config.settings("A.TEST", "pkinit_anchors"), ["FILE:a.pem"]);
    /// assert_eq!(config.settings("B.TEST", "pkinit_anchors"), ["FILE:all.pem"]);
    /// # Ok::<(), tagwise_krb5::conf::ConfigError>(())
    /// ```
    #[must_use]
    pub fn settings(&self, realm: &str, name: &str) -> Vec<&str> {
        let places: [&[&str]; 3] = [&["libdefaults", realm, name], &["realms", realm, name], &["libdefaults", name]];
        places.iter().map(|place| self.texts(place)).find(|values| !values.is_empty()).unwrap_or_default()
    }

    /// Returns the KDCs of a realm, unparsed: hosts with an optional port, paths or URLs.
    #[must_use]
    pub fn kdcs(&self, realm: &str) -> Vec<&str> {
        self.texts(&["realms", realm, "kdc"])
    }

    /// Returns the password servers of a realm.
    #[must_use]
    pub fn kpasswd_servers(&self, realm: &str) -> Vec<&str> {
        self.texts(&["realms", realm, "kpasswd_server"])
    }

    /// Returns the realm of a host in `[domain_realm]`: the entry for the host itself, or otherwise for the longest matching domain.
    ///
    /// ```
    /// use tagwise_krb5::conf::{Config, NoIncludes};
    /// let config = Config::parse("[domain_realm]\n .test = A.TEST\n web.test = B.TEST\n", &mut NoIncludes)?;
    /// assert_eq!(config.realm_of_host("WEB.test"), Some("B.TEST"));
    /// assert_eq!(config.realm_of_host("www.web.test"), Some("A.TEST"));
    /// assert_eq!(config.realm_of_host("example"), None);
    /// # Ok::<(), tagwise_krb5::conf::ConfigError>(())
    /// ```
    #[must_use]
    pub fn realm_of_host(&self, host: &str) -> Option<&str> {
        let host = host.to_ascii_lowercase();
        let mut name = host.as_str();
        loop {
            if let Some(realm) = self.text(&["domain_realm", name]) {
                return Some(realm);
            }
            // `.b.c` after `a.b.c`, `b.c` after `.b.c`: a domain without its dot stands for its hosts too (MIT).
            name = match name.strip_prefix('.') {
                Some(rest) if rest.contains('.') => rest.find('.').and_then(|dot| rest.get(dot..))?,
                Some(_) => return None,
                None => name.find('.').and_then(|dot| name.get(dot..))?,
            };
        }
    }

    /// Returns the intermediate realms on the path from each client realm to the given realm, from `[capaths]`. A single `.` means a
    /// direct path.
    ///
    /// ```
    /// use tagwise_krb5::conf::{Config, NoIncludes};
    /// let text = "[capaths]\n A = {\n  B = X\n  B = Y\n  C = .\n }\n";
    /// let config = Config::parse(text, &mut NoIncludes)?;
    /// assert_eq!(config.capaths("B"), [("A", vec!["X", "Y"])]);
    /// assert_eq!(config.capaths("C"), [("A", vec![])]);
    /// assert!(config.capaths("D").is_empty());
    /// # Ok::<(), tagwise_krb5::conf::ConfigError>(())
    /// ```
    #[must_use]
    pub fn capaths(&self, realm: &str) -> Vec<(&str, Vec<&str>)> {
        let mut clients = self.names(&["capaths"]);
        clients.sort_unstable();
        clients.dedup();
        let ways = clients.into_iter().map(|client| (client, self.texts(&["capaths", client, realm])));
        let named = ways.filter(|(_, between)| !between.is_empty());
        named.map(|(client, between)| (client, between.into_iter().filter(|one| *one != ".").collect())).collect()
    }

    /// Returns the encryption types in a setting such as `permitted_enctypes`, or `None` if it is absent.
    #[must_use]
    pub fn enc_types(&self, name: &str) -> Option<Vec<EncType>> {
        Some(parse_enc_types(self.text(&["libdefaults", name])?))
    }
}

/// Parses a Boolean value with the words of MIT's implementation.
pub(super) fn parse_flag(text: &str) -> Option<bool> {
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    match () {
        () if is(&["y", "yes", "true", "t", "1", "on"]) => Some(true),
        () if is(&["n", "no", "false", "nil", "0", "off"]) => Some(false),
        () => None,
    }
}

/// Parses a list of encryption types: names, aliases and families, separated by spaces or commas. A leading `-` removes an
/// entry. Unknown names are ignored, as in all implementations. [`Config::parse`] refuses lists without a supported type.
#[must_use]
pub fn parse_enc_types(text: &str) -> Vec<EncType> {
    let mut list: Vec<EncType> = Vec::new();
    for word in text.split([' ', ',', '\t']).filter(|word| !word.is_empty()) {
        let (word, removes) = word.strip_prefix('-').map_or((word, false), |word| (word, true));
        let word = word.strip_prefix('+').unwrap_or(word);
        let family = |prefix: &str| -> Vec<EncType> {
            let all = [EncType::DEFAULT, EncType::ALL].concat();
            let mut of = Vec::new();
            for enc_type in all.into_iter().filter(|enc_type| enc_type.name().starts_with(prefix)) {
                if !of.contains(&enc_type) {
                    of.push(enc_type);
                }
            }
            of
        };
        let found = match word.to_ascii_lowercase().as_str() {
            "default" => EncType::DEFAULT.to_vec(),
            "aes" => family("aes"),
            "camellia" => family("camellia"),
            "des3" => family("des3"),
            "rc4" => family("rc4"),
            name => name.parse().into_iter().collect(),
        };
        for enc_type in found {
            list.retain(|one| *one != enc_type);
            if !removes {
                list.push(enc_type);
            }
        }
    }
    list
}

/// Parses a duration: seconds, `1d12h`, `10m 30s`, `hh:mm[:ss]`, or `d-hh:mm:ss`.
///
/// ```
/// use std::time::Duration;
/// use tagwise_krb5::conf::parse_duration;
/// assert_eq!(parse_duration("1d 1h"), Some(Duration::from_secs(90_000)));
/// assert_eq!(parse_duration("10:00"), Some(Duration::from_secs(36_000)));
/// assert_eq!(parse_duration("2-01:00:00"), Some(Duration::from_secs(176_400)));
/// assert_eq!(parse_duration("300"), Some(Duration::from_secs(300)));
/// assert_eq!(parse_duration("soon"), None);
/// ```
#[must_use]
pub fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if text.contains(':') {
        let (days, text) = match text.split_once('-') {
            Some((days, rest)) => (days.parse::<u64>().ok()?, rest),
            None => (0, text),
        };
        let parts: Vec<u64> = text.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let (hours, minutes, seconds) = match parts.as_slice() {
            [hours, minutes] => (hours, minutes, &0),
            [hours, minutes, seconds] => (hours, minutes, seconds),
            _ => return None,
        };
        return Some(Duration::from_secs(
            days.checked_mul(86_400)?
                .checked_add(hours.checked_mul(3600)?)?
                .checked_add(minutes.checked_mul(60)?)?
                .checked_add(*seconds)?,
        ));
    }
    let (mut total, mut number) = (0_u64, None::<u64>);
    for char in text.chars().filter(|char| !char.is_whitespace()) {
        if let Some(digit) = char.to_digit(10) {
            number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(u64::from(digit))?);
            continue;
        }
        let unit = match char {
            'w' => 604_800,
            'd' => 86_400,
            'h' => 3600,
            'm' => 60,
            's' => 1,
            _ => return None,
        };
        total = total.checked_add(number.take()?.checked_mul(unit)?)?;
    }
    match number {
        // Seconds may stand without their letter.
        Some(rest) => total.checked_add(rest).map(Duration::from_secs),
        None if text.is_empty() => None,
        None => Some(Duration::from_secs(total)),
    }
}

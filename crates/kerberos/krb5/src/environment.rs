//! System and user settings: `krb5.conf`, and the names of credential caches and keytabs.

use core::fmt;
use core::time::Duration;
use std::io;
use std::path::{Path, PathBuf};

use crate::cache::Settings;
use crate::client::net::Transport;
use crate::client::{AsOptions, Moment, TgsOptions};
use crate::conf::{Config, ConfigError, Loader};
use crate::crypto::EncType;
use crate::flags::kdc;
use crate::{Ccache, Credential, Principal};

/// A configuration combined with environment variables.
///
/// ```
/// use tagwise_krb5::conf::{Config, NoIncludes};
/// use tagwise_krb5::Environment;
/// let config = Config::parse("[libdefaults]\n default_realm = KRB.TEST\n", &mut NoIncludes)?;
/// let environment = Environment::new(config);
/// assert_eq!(environment.cache_name(Some("FILE:/run/%{null}alice"))?, "FILE:/run/alice");
/// assert_eq!(environment.keytab_path(Some("FILE:/etc/web.keytab"))?.display().to_string(), "/etc/web.keytab");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The configuration.
    pub config: Config,
}

/// The reason why a setting could not be determined.
#[derive(Debug)]
#[non_exhaustive]
pub enum EnvironmentError {
    /// A configuration file cannot be read.
    File(PathBuf, io::Error),
    /// A configuration file is malformed.
    Config(PathBuf, ConfigError),
    /// The name of a cache, keytab or realm cannot be used, for the given reason.
    Name(String),
}

impl fmt::Display for EnvironmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Config(path, error) => write!(f, "{}:{error}", path.display()),
            Self::Name(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for EnvironmentError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(_, error) => Some(error),
            Self::Config(_, error) => Some(error),
            Self::Name(_) => None,
        }
    }
}

/// Loads included files from the file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Loader for Files {
    fn file(&mut self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|error| reason(&error))
    }

    fn directory(&mut self, path: &str) -> Result<Vec<String>, String> {
        let entries = std::fs::read_dir(path).map_err(|error| reason(&error))?;
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| is_included(name))
            .collect();
        names.sort();
        Ok(names.into_iter().map(|name| format!("{}/{name}", path.trim_end_matches('/'))).collect())
    }
}

/// Returns a system error's message without its number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// Returns whether `includedir` reads a file with this name.
fn is_included(name: &str) -> bool {
    let plain = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
    !name.starts_with('.') && (name.ends_with(".conf") || name.chars().all(plain))
}

impl Environment {
    /// Creates an environment from a configuration.
    #[must_use]
    pub const fn new(config: Config) -> Self {
        Self { config }
    }

    /// Reads the configuration from `KRB5_CONFIG` or `/etc/krb5.conf`. A missing file counts as empty.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or is malformed.
    pub fn read() -> Result<Self, EnvironmentError> {
        let paths = std::env::var("KRB5_CONFIG").unwrap_or_else(|_absent| "/etc/krb5.conf".to_owned());
        let mut config = Config::default();
        for path in paths.split(':').map(Path::new).filter(|path| path.exists()) {
            config.append(Self::file(path)?);
        }
        Ok(Self { config })
    }

    /// Reads a configuration file and the files that it includes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is malformed.
    pub fn file(path: &Path) -> Result<Config, EnvironmentError> {
        let text = std::fs::read(path).map_err(|error| EnvironmentError::File(path.to_owned(), error))?;
        let read = Config::parse(&String::from_utf8_lossy(&text), &mut Files);
        read.map_err(|error| EnvironmentError::Config(path.to_owned(), error))
    }

    /// Returns whether `kdc_timesync` is enabled, as by default: the client's clock is corrected by the KDC's.
    #[must_use]
    pub fn keeps_clock(&self) -> bool {
        self.config.flag(None, "kdc_timesync").unwrap_or(true)
    }

    /// Returns the seconds by which the clock of a cache's KDC is ahead, or 0 if [`keeps_clock`](Self::keeps_clock) is false.
    #[must_use]
    pub fn ahead_seconds(&self, cache: &Ccache) -> i64 {
        if self.keeps_clock() { cache.ahead_seconds() } else { 0 }
    }

    /// Returns the seconds by which the KDC's clock is ahead, from the initial ticket that it has just issued. Returns 0 if they are few or
    /// [`keeps_clock`](Self::keeps_clock) is false.
    #[must_use]
    pub fn clock_of(&self, ticket: &Credential, now: Moment) -> i64 {
        // The KDC's time is that of the authentication. Whole seconds differ by up to one, and the network takes time.
        let ahead = ticket.auth_time.0.saturating_sub(now.unix.0);
        if self.keeps_clock() && ahead.unsigned_abs() > 2 { ahead } else { 0 }
    }

    /// Returns the name of the credential cache: `given`, `KRB5CCNAME`, `default_ccache_name`, or `/tmp/krb5cc_UID`.
    ///
    /// # Errors
    /// Returns [`EnvironmentError::Name`] for an unsupported `%{…}` parameter.
    pub fn cache_name(&self, given: Option<&str>) -> Result<String, EnvironmentError> {
        self.name(given, "KRB5CCNAME", "default_ccache_name", "FILE:/tmp/krb5cc_%{uid}")
    }

    /// Returns the path of the keytab: `given`, `KRB5_KTNAME`, `default_keytab_name`, or `/etc/krb5.keytab`.
    ///
    /// # Errors
    /// Returns [`EnvironmentError::Name`] for types other than FILE.
    pub fn keytab_path(&self, given: Option<&str>) -> Result<PathBuf, EnvironmentError> {
        let name = self.name(given, "KRB5_KTNAME", "default_keytab_name", "FILE:/etc/krb5.keytab")?;
        let path = match name.split_once(':') {
            Some(("FILE" | "WRFILE", path)) => path,
            Some((kind, _)) if kind.len() > 1 && kind.chars().all(|char| char.is_ascii_uppercase()) => {
                let text = format!("{name}: a keytab of type {kind} is not supported, only FILE");
                return Err(EnvironmentError::Name(text));
            }
            _ => &name,
        };
        Ok(PathBuf::from(path))
    }

    fn name(
        &self,
        given: Option<&str>,
        variable: &str,
        setting: &str,
        usual: &str,
    ) -> Result<String, EnvironmentError> {
        let named = || std::env::var(variable).ok().filter(|name| !name.is_empty());
        let configured = || self.config.setting(None, setting).map(str::to_owned);
        expanded(&given.map(str::to_owned).or_else(named).or_else(configured).unwrap_or_else(|| usual.to_owned()))
    }

    /// Returns the settings for credential caches.
    #[must_use]
    pub fn cache_settings(&self) -> Settings {
        Settings::of(&self.config)
    }

    /// Returns the transport options, with `udp_preference_limit`.
    #[must_use]
    pub fn transport(&self) -> Transport {
        let limit = self.config.setting(None, "udp_preference_limit").and_then(|text| text.parse().ok());
        Transport { udp_limit: limit.unwrap_or(Transport::DEFAULT.udp_limit), ..Transport::DEFAULT }
    }

    /// Returns the encryption types from a setting, otherwise from `permitted_enctypes`, otherwise the default ones.
    #[must_use]
    pub fn enc_types(&self, setting: &str) -> Vec<EncType> {
        let named = self.config.enc_types(setting).or_else(|| self.config.enc_types("permitted_enctypes"));
        named.unwrap_or_else(|| EncType::DEFAULT.to_vec())
    }

    /// Returns the tolerated difference of an initial ticket's start time. If the client's clock is corrected by the KDC's, there is no
    /// limit, as in MIT's client: the reply is fresh because of its nonce, and its time is the KDC's.
    fn skew(&self, usual: Duration) -> Duration {
        let skew = self.config.duration(None, "clockskew").unwrap_or(usual);
        if self.keeps_clock() { Duration::MAX } else { skew }
    }

    /// Creates options for an initial ticket from the configuration: lifetimes (one day by default), flags, encryption
    /// types and clock skew.
    #[must_use]
    pub fn as_options(&self, client: Principal) -> AsOptions {
        let span = |name: &str| self.config.duration(None, name);
        let flag = |name: &str| self.config.flag(None, name).unwrap_or(false);
        let mut options = AsOptions::new(client);
        options.lifetime = span("ticket_lifetime").unwrap_or(Duration::from_secs(24 * 3600));
        options.renewable = span("renew_lifetime").filter(|span| !span.is_zero());
        options.skew = self.skew(options.skew);
        options.enc_types = self.enc_types("default_tkt_enctypes");
        options.options = vec![kdc::RENEWABLE_OK];
        let named =
            [("forwardable", kdc::FORWARDABLE), ("proxiable", kdc::PROXIABLE), ("canonicalize", kdc::CANONICALIZE)];
        options.options.extend(named.iter().filter(|(name, _)| flag(name)).map(|(_, number)| *number));
        options
    }

    /// Creates options for the short-lived ticket that changes a client's password.
    ///
    /// # Errors
    /// Returns [`EnvironmentError::Name`] if the realm is not valid UTF-8.
    pub fn password_options(&self, client: Principal) -> Result<AsOptions, EnvironmentError> {
        let realm = core::str::from_utf8(client.realm()).ok();
        let service = Principal::parse("kadmin/changepw", realm);
        let service = service.map_err(|error| EnvironmentError::Name(error.to_string()))?;
        let mut options = AsOptions::new(client);
        options.service = Some(service);
        options.options.clear();
        // The end is a time of the client's clock, which may be late. KDCs limit the lifetime of such tickets.
        options.lifetime = Duration::from_secs(if self.keeps_clock() { 24 * 3600 } else { 300 });
        options.skew = self.skew(options.skew);
        options.enc_types = self.enc_types("default_tkt_enctypes");
        Ok(options)
    }

    /// Creates options for a service ticket from the configuration.
    #[must_use]
    pub fn tgs_options(&self, service: Principal) -> TgsOptions {
        let realm = String::from_utf8_lossy(service.realm()).into_owned();
        let bytes = |text: &str| text.as_bytes().to_vec();
        let ways = self.config.capaths(&realm).into_iter();
        let mut options = TgsOptions::new(service);
        options.capaths =
            ways.map(|(client, between)| (bytes(client), between.into_iter().map(bytes).collect())).collect();
        options.enc_types = self.enc_types("default_tgs_enctypes");
        options
    }
}

/// Returns a name with `%{uid}`, `%{euid}`, `%{TEMP}` and `%{null}` expanded.
fn expanded(name: &str) -> Result<String, EnvironmentError> {
    let failed = |text: String| EnvironmentError::Name(format!("{name}: {text}"));
    let mut out = String::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once("%{") {
        let (token, behind) = after.split_once('}').ok_or_else(|| failed("unterminated `%{`".to_owned()))?;
        out.push_str(before);
        match token {
            "uid" | "euid" | "USERID" => out.push_str(&user()?),
            "TEMP" => out.push_str(&std::env::temp_dir().to_string_lossy()),
            "null" => {}
            _ => return Err(failed(format!("%{{{token}}} is not supported"))),
        }
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

/// Returns the UID of the user who runs the process.
fn user() -> Result<String, EnvironmentError> {
    #[cfg(unix)]
    if let Ok(own) = std::fs::metadata("/proc/self") {
        use std::os::unix::fs::MetadataExt;
        return Ok(own.uid().to_string());
    }
    Err(EnvironmentError::Name("the user ID is unknown: name the cache, or set KRB5CCNAME".to_owned()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::conf::NoIncludes;

    #[test]
    fn names_and_files() {
        let text = "[libdefaults]\n permitted_enctypes = aes128-cts\n udp_preference_limit = 1\n";
        let environment = Environment::new(Config::parse(text, &mut NoIncludes).unwrap());
        assert!(
            environment
                .cache_name(Some("DIR:/run/%{uid}"))
                .unwrap()
                .trim_start_matches("DIR:/run/")
                .parse::<u32>()
                .is_ok()
        );
        for (wrong, told) in [("%{uid", "unterminated `%{`"), ("a%{host}", "%{host} is not supported")] {
            assert_eq!(environment.cache_name(Some(wrong)).unwrap_err().to_string(), format!("{wrong}: {told}"));
        }
        assert_eq!(environment.keytab_path(Some("a.keytab")).unwrap(), Path::new("a.keytab"));
        let wrong = environment.keytab_path(Some("MEMORY:a")).unwrap_err();
        assert_eq!(wrong.to_string(), "MEMORY:a: a keytab of type MEMORY is not supported, only FILE");
        assert_eq!(environment.enc_types("default_tkt_enctypes"), [EncType::Aes128CtsHmacSha196]);
        assert_eq!(environment.transport().udp_limit, 1);
        let client = Principal::parse("alice@A.TEST", None).unwrap();
        let options = environment.as_options(client.clone());
        assert_eq!((options.options, options.enc_types), (vec![kdc::RENEWABLE_OK], vec![EncType::Aes128CtsHmacSha196]));
        let options = environment.password_options(client).unwrap();
        assert_eq!(options.service.unwrap().to_string(), "kadmin/changepw@A.TEST");
    }

    #[test]
    fn included_files_and_those_that_are_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let (main, part) = (folder.path().join("krb5.conf"), folder.path().join("part.conf"));
        std::fs::write(&main, format!("include {}\n", part.display())).unwrap();
        assert!(matches!(Environment::file(&main), Err(EnvironmentError::Config(path, _)) if path == main));
        std::fs::write(&part, "[libdefaults]\n default_realm = A.TEST\n").unwrap();
        assert_eq!(Environment::file(&main).unwrap().default_realm(), Some("A.TEST"));
        std::fs::write(folder.path().join("no~.bak"), "[").unwrap();
        std::fs::remove_file(&main).unwrap();
        assert!(matches!(Environment::file(&main), Err(EnvironmentError::File(..))));
        std::fs::write(&main, format!("includedir {}\n", folder.path().join("none").display())).unwrap();
        assert!(Environment::file(&main).is_err());
    }
}

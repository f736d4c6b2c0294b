//! The policy of a local KDC: a single TOML file, in which unknown keys are errors.
//!
//! ```
//! use tagwise_localkdc::policy::{Passwords, Policy};
//! let policy = Policy::parse(r#"
//!     realm = "LOCAL"
//!     [users]
//!     also = ["root"]
//!     [passwords]
//!     check = "pam"
//!     service = "login"
//!     [[services]]
//!     name = "HTTP/web.local"
//!     delegates_to = ["postgres/db.local"]
//! "#)?;
//! assert!(policy.users.takes("root", 0) && !policy.users.takes("daemon", 1));
//! assert!(Policy::parse("realms = 'LOCAL'").unwrap_err().to_string().contains("unknown field `realms`"));
//! # Ok::<(), tagwise_localkdc::policy::PolicyError>(())
//! ```

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::check::{Check, ProgramCheck, TokenCheck};
use crate::radius::ServerLimits;

/// The maximum size of a policy file, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The policy of a local KDC.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// The realm's name.
    pub realm: Realm,
    /// The database type. The default is SQLite, unless an earlier setup created another.
    pub database: Option<Database>,
    /// Ticket lifetimes.
    pub tickets: Tickets,
    /// The settings for long-term keys.
    pub keys: Keys,
    /// The selection of system users who have principals.
    pub users: Users,
    /// The machine's `host/…` services.
    pub hosts: Hosts,
    /// The settings for checking passwords.
    pub passwords: Passwords,
    /// The settings for recording requests.
    pub audit: Audit,
    /// Additional services.
    pub services: Vec<Service>,
}

/// The environment variable with the path of the policy file, for the KDC and its modules.
pub const VARIABLE: &str = "LOCALKDC_CONFIG";
/// The system's policy file.
pub const FILE: &str = "/etc/localkdc/localkdc.toml";

/// A realm name: printable ASCII, without characters that are special in principal names and configuration files.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Realm(String);

impl Realm {
    /// Returns the realm's name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Realm {
    fn default() -> Self {
        Self("LOCALKDC".to_owned())
    }
}

impl fmt::Display for Realm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Realm {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        match !name.is_empty() && name.len() <= 255 && name.bytes().all(good) {
            true => Ok(Self(name)),
            false => Err(format!("the realm {name:?} must be letters, digits, `.`, `-` and `_`")),
        }
    }
}

/// The database type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Database {
    /// A SQLite file.
    #[default]
    Sqlite,
    /// MIT's module `db2`.
    Db2,
    /// MIT's module `klmdb`, which some systems do not provide.
    Klmdb,
}

/// The protection of the master key on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seal {
    /// Encryption with `systemd-creds` if it is available. Otherwise, or for a KDC below a prefix, the key is not encrypted.
    #[default]
    Auto,
    /// Encryption with `systemd-creds`, using both the TPM's key and the system's key, or only the system's key.
    Systemd,
    /// Only the file's permissions.
    None,
}

/// The settings for long-term keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Keys {
    /// The age in days after which `tagwise localkdc rotate` replaces a key.
    pub max_age: u32,
    /// The protection of the master key.
    pub seal: Seal,
}

impl Default for Keys {
    fn default() -> Self {
        Self { max_age: 90, seal: Seal::Auto }
    }
}

/// Ticket lifetimes, in seconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tickets {
    /// The maximum ticket lifetime.
    pub max_life: u32,
    /// The maximum renewable lifetime.
    pub max_renewable_life: u32,
}

impl Default for Tickets {
    fn default() -> Self {
        Self { max_life: 10 * 3600, max_renewable_life: 7 * 86_400 }
    }
}

/// The selection of system users who have principals.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Users {
    /// The minimum UID.
    pub min_uid: u32,
    /// The maximum UID.
    pub max_uid: u32,
    /// Users who have principals regardless of their UID.
    pub also: Vec<String>,
    /// Users who do not have principals.
    pub except: Vec<String>,
    /// The userdb socket to use instead of the host's own.
    pub socket: Option<PathBuf>,
}

impl Default for Users {
    fn default() -> Self {
        Self { min_uid: 1000, max_uid: 60_000, also: Vec::new(), except: Vec::new(), socket: None }
    }
}

impl Users {
    /// Returns whether a user with this name and UID has a principal.
    #[must_use]
    pub fn takes(&self, name: &str, uid: u32) -> bool {
        let among = |names: &[String]| names.iter().any(|one| one == name);
        !among(&self.except) && (among(&self.also) || (self.min_uid..=self.max_uid).contains(&uid))
    }
}

/// The machine's `host/…` services.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Hosts {
    /// True if `host/ADDRESS` is a service for each of the machine's current addresses.
    pub addresses: bool,
    /// Additional names of the host.
    pub names: Vec<String>,
}

impl Default for Hosts {
    fn default() -> Self {
        Self { addresses: true, names: vec!["localhost".to_owned()] }
    }
}

/// The type of password check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckKind {
    /// PAM.
    #[default]
    Pam,
    /// The users' one-time password tokens.
    Tokens,
    /// An external program.
    Program,
}

/// The KDC module that handles one-time passwords (RFC 6560).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OtpModule {
    /// MIT's `otp`.
    #[default]
    Mit,
    /// `localkdc_otp`, which is contained in this crate's shared object.
    Own,
}

/// The settings for checking passwords.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Passwords {
    /// The type of check.
    pub check: CheckKind,
    /// The KDC module that receives passwords and passes them to the check.
    pub otp: OtpModule,
    /// The PAM service, a file in `/etc/pam.d`.
    pub service: String,
    /// The program that checks passwords. For PAM, it replaces `localkdc-pam-check`.
    pub program: Option<PathBuf>,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// The token file.
    pub tokens: Option<PathBuf>,
    /// The directory in which used one-time passwords are recorded.
    pub state: Option<PathBuf>,
    /// The timeout of a check in seconds.
    pub timeout: u32,
    /// The number of failures allowed before a user must wait.
    pub failures: u32,
    /// True to discard requests without a Message-Authenticator. MIT's module does not send one over a UNIX socket.
    pub message_authenticator: bool,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            check: CheckKind::Pam,
            otp: OtpModule::Mit,
            service: "localkdc".to_owned(),
            program: None,
            arguments: Vec::new(),
            tokens: None,
            state: None,
            timeout: 15,
            failures: 5,
            message_authenticator: false,
        }
    }
}

impl Passwords {
    /// Returns the limits for a RADIUS server.
    #[must_use]
    pub fn limits(&self) -> ServerLimits {
        let time = Duration::from_secs(self.timeout.into());
        ServerLimits { time, failures: self.failures, ..ServerLimits::default() }
    }

    /// Creates the check. `helper` is the program that calls PAM.
    ///
    /// # Errors
    ///
    /// Returns an error if the token file is unusable.
    pub fn checker(&self, helper: &Path) -> Result<Box<dyn Check>, PolicyError> {
        Ok(match (self.check, &self.program, &self.tokens, &self.state) {
            (CheckKind::Pam, program, ..) => {
                let program = program.as_deref().unwrap_or(helper);
                Box::new(ProgramCheck::new(program, [self.service.as_str()]))
            }
            (CheckKind::Program, Some(program), ..) => Box::new(ProgramCheck::new(program, &self.arguments)),
            (CheckKind::Tokens, _, Some(tokens), Some(state)) => {
                let opened = TokenCheck::open(tokens, state);
                Box::new(opened.map_err(|error| PolicyError::Invalid(error.to_string()))?)
            }
            _ => return Err(PolicyError::Invalid("passwords: missing key".to_owned())),
        })
    }
}

/// The settings for recording requests.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Audit {
    /// The file for JSON lines, one per event.
    pub file: Option<PathBuf>,
    /// True to send events to the journal, if it is running.
    pub journal: bool,
}

impl Default for Audit {
    fn default() -> Self {
        Self { file: None, journal: true }
    }
}

/// A service and its delegation rights.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// The principal without its realm, such as `HTTP/web.local`.
    pub name: String,
    /// The keytab for the service's keys.
    #[serde(default)]
    pub keytab: Option<PathBuf>,
    /// True to allow the service to delegate tickets that it obtains to itself on behalf of users (S4U2Self).
    #[serde(default)]
    pub protocol_transition: bool,
    /// The services to which it may delegate users' tickets (S4U2Proxy).
    #[serde(default)]
    pub delegates_to: Vec<String>,
    /// The services that may delegate users' tickets to it (resource-based delegation).
    #[serde(default)]
    pub accepts_from: Vec<String>,
}

/// A policy error.
#[derive(Debug)]
#[non_exhaustive]
pub enum PolicyError {
    /// The file could not be read.
    Io(PathBuf, io::Error),
    /// The text is not valid TOML, or contains an unknown key.
    Syntax(String),
    /// A value is invalid.
    Invalid(String),
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Syntax(text) | Self::Invalid(text) => f.write_str(text.trim_end()),
        }
    }
}

impl std::error::Error for PolicyError {}

impl Policy {
    /// Reads the policy of this process, from the file in `LOCALKDC_CONFIG` or the system's file.
    ///
    /// # Errors
    ///
    /// Returns any error from [`Policy::read`].
    pub fn of_process() -> Result<Self, PolicyError> {
        Self::read(&std::env::var_os(VARIABLE).map_or_else(|| PathBuf::from(FILE), PathBuf::from))
    }

    /// Reads a policy.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read. Also returns any error from [`Policy::parse`].
    pub fn read(path: &Path) -> Result<Self, PolicyError> {
        let mut text = String::new();
        let read = open(path).and_then(|file| file.take(MAX_FILE).read_to_string(&mut text));
        read.map_err(|error| PolicyError::Io(path.to_owned(), error))?;
        Self::parse(&text).map_err(|error| PolicyError::Invalid(format!("{}: {error}", path.display())))
    }

    /// Parses a policy.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not TOML, or contains unknown keys or inconsistent values.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let policy: Self = toml::from_str(text).map_err(|error| {
            // TOML's own text shows the line in several lines, which logs and tables cannot.
            let message = error.message().replace('\n', ", ");
            let at =
                error.span().and_then(|span| text.get(..span.start)).map(|before| before.matches('\n').count() + 1);
            PolicyError::Syntax(at.map_or(message.clone(), |line| format!("line {line}: {message}")))
        })?;
        policy.validate().map_err(PolicyError::Invalid)?;
        Ok(policy)
    }

    /// Checks the settings that require or exclude each other.
    fn validate(&self) -> Result<(), String> {
        let Self { users, hosts, passwords, services, tickets, keys, .. } = self;
        if !(1..=36_500).contains(&keys.max_age) {
            return Err("keys: max_age must be 1 to 36500 days".to_owned());
        }
        if users.min_uid > users.max_uid {
            return Err("users: min_uid is greater than max_uid".to_owned());
        }
        if !(1..=300).contains(&passwords.timeout) {
            return Err("passwords: timeout must be 1 to 300 seconds".to_owned());
        }
        if !(1..=1000).contains(&passwords.failures) {
            return Err("passwords: failures must be 1 to 1000".to_owned());
        }
        // Krb5's file has them in seconds of 32 bits with a sign.
        let most = i32::MAX.cast_unsigned();
        if !(60..=most).contains(&tickets.max_life) || tickets.max_renewable_life > most {
            return Err("tickets: a lifetime must be at least 60 seconds".to_owned());
        }
        let given = [
            ("program", passwords.program.is_some()),
            ("tokens", passwords.tokens.is_some()),
            ("state", passwords.state.is_some()),
            ("arguments", !passwords.arguments.is_empty()),
        ];
        let (needed, allowed): (&[&str], &[&str]) = match passwords.check {
            CheckKind::Pam => (&[], &["program"]),
            CheckKind::Program => (&["program"], &["program", "arguments"]),
            CheckKind::Tokens => (&["tokens", "state"], &["tokens", "state"]),
        };
        for (key, given) in given {
            if needed.contains(&key) && !given {
                return Err(format!("passwords: the configured check requires the setting `{key}`"));
            }
            if given && !allowed.contains(&key) {
                return Err(format!("passwords: the setting `{key}` does not apply to the configured check"));
            }
        }
        if passwords.service.is_empty()
            || !passwords.service.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        {
            return Err(format!("passwords: {:?} is not a valid PAM service name", passwords.service));
        }
        let files = [
            ("users: socket", &users.socket),
            ("passwords: program", &passwords.program),
            ("passwords: tokens", &passwords.tokens),
            ("passwords: state", &passwords.state),
            ("audit: file", &self.audit.file),
        ];
        let keytabs = services.iter().map(|service| ("services: keytab", &service.keytab));
        for (key, path) in files.into_iter().chain(keytabs) {
            path.iter().try_for_each(|path| absolute(key, path))?;
        }
        if let Some(argument) = passwords.arguments.iter().find(|argument| argument.contains(char::is_control)) {
            return Err(format!("passwords: arguments must not contain control characters: {argument:?}"));
        }
        let mut names = std::collections::BTreeSet::new();
        for service in services {
            service_name(&service.name)?;
            if !names.insert(&service.name) {
                return Err(format!("services: duplicate {}", service.name));
            }
            service.delegates_to.iter().chain(&service.accepts_from).try_for_each(|name| service_name(name))?;
        }
        hosts.names.iter().try_for_each(|name| service_name(&format!("host/{name}")))
    }
}

/// Opens a regular file. Other files are rejected, because a FIFO or device could block or never end.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let file = File::options().read(true).custom_flags(nix::libc::O_NONBLOCK).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a regular file")),
    }
}

/// Checks that a path is absolute, because daemons run in a different working directory than the policy's author.
pub(crate) fn absolute(key: &str, path: &Path) -> Result<(), String> {
    match path.to_str() {
        Some(text) if path.is_absolute() && !text.contains(char::is_control) => Ok(()),
        _ => Err(format!("{key}: unusable path {path:?}, expected an absolute path without control characters")),
    }
}

/// Checks a service name such as `HTTP/web.local`: two components, without characters that are special in principal names and
/// configuration files.
fn service_name(name: &str) -> Result<(), String> {
    let good = |part: &str| {
        !part.is_empty()
            && !part.starts_with('-')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:".contains(&byte))
    };
    match name.split_once('/') {
        // The KDC's own, and the door to its database.
        Some(("krbtgt" | "kadmin" | "WELLKNOWN" | "K", _)) => Err(format!("{name:?} is a principal of the KDC itself")),
        Some((service, host)) if good(service) && good(host) && name.len() <= 255 => Ok(()),
        _ => Err(format!("{name:?} must be a service and a host, such as HTTP/web.local")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named() {
        for (text, why) in [
            ("realm = 'A B'", "the realm \"A B\""),
            ("relm = 'A'", "unknown field `relm`"),
            ("[users]\nmin_uid = 5\nmax_uid = 4", "min_uid is greater"),
            ("[users]\nmin = 5", "unknown field `min`"),
            ("[passwords]\ncheck = 'ldap'", "unknown variant `ldap`"),
            ("[passwords]\ncheck = 'tokens'", "requires the setting `tokens`"),
            ("[passwords]\ntokens = '/x'", "`tokens` does not apply to the configured check"),
            ("[passwords]\ncheck = 'program'", "requires the setting `program`"),
            ("[passwords]\ncheck = 'program'\nprogram = 'check'", "passwords: program: unusable path \"check\""),
            ("[passwords]\ncheck = 'program'\nprogram = \"/a\\nb\"", "passwords: program: unusable path"),
            ("[passwords]\ncheck = 'program'\nprogram = '/a'\narguments = [\"a\\nb\"]", "control characters"),
            ("[users]\nsocket = 'users'", "users: socket: unusable path"),
            ("[audit]\nfile = \"/var/log/a\\n[x]\"", "audit: file: unusable path"),
            ("[[services]]\nname = 'a/b'\nkeytab = 'k'", "services: keytab: unusable path"),
            ("\n\nrelm = 'A'", "line 3: unknown field `relm`"),
            ("[passwords]\nservice = '../x/y'", "is not a valid PAM service name"),
            ("[passwords]\notp = 'pam'", "unknown variant `pam`"),
            ("[passwords]\ntimeout = 0", "timeout must be"),
            ("[tickets]\nmax_life = 0", "60 seconds"),
            ("database = 'ldap'", "unknown variant `ldap`"),
            ("[keys]\nmax_age = 0", "max_age must be"),
            ("[keys]\nseal = 'tpm'", "unknown variant `tpm`"),
            ("[[services]]\nname = 'krbtgt/LOCAL'", "a principal of the KDC itself"),
            ("[[services]]\nname = 'HTTP'", "a service and a host"),
            ("[[services]]\nname = '-q/web'", "a service and a host"),
            ("[[services]]\nname = 'a/b c'", "a service and a host"),
            ("[[services]]\nname = 'a/b'\n[[services]]\nname = 'a/b'", "services: duplicate a/b"),
            ("[[services]]\nname = 'a/b'\ndelegates_to = ['c']", "a service and a host"),
            ("[hosts]\nnames = ['a b']", "a service and a host"),
        ] {
            let said = Policy::parse(text).unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }

    #[test]
    fn users() {
        let policy = Policy::parse("[users]\nalso = ['root']\nexcept = ['bob']").unwrap();
        let takes = [("root", 0), ("ann", 1000), ("bob", 1001), ("daemon", 1), ("nobody", 65534)];
        assert_eq!(takes.map(|(name, uid)| policy.users.takes(name, uid)), [true, true, false, false, false]);
    }
}

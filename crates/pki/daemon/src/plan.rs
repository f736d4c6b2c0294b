//! The parts to which a configuration refers: the database, the CA's key, profiles, certificates and files.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;

use tagwise_acme::NamedProfile;
use tagwise_ca::{Authority, Error};
use tagwise_crypto::{Secret, Signer};

use crate::config::{CaConfig, Config, Problems, alt_name, days};
use crate::enroll::{self, Off, Services};
use crate::identity::{Identity, IdentityIssuer};
use crate::mtc::{CaLog, LogFiles};
use crate::parts::{Parts, named, now, open_to_read};

/// The maximum size of a configuration file.
const MAX_FILE: u64 = 1 << 20;

/// The default validity period of the server's certificate.
const TLS_DAYS: u32 = 30;

/// The source of the TLS certificate.
pub(crate) enum TlsSource {
    None,
    Files(Identity),
    Own(IdentityIssuer),
}

/// A configuration without errors, and what it refers to.
pub(crate) struct Plan {
    pub(crate) config: Config,
    pub(crate) authority: Arc<Authority>,
    pub(crate) signer: Arc<dyn Signer>,
    pub(crate) profiles: Vec<NamedProfile>,
    pub(crate) services: Services,
    /// The services that run, but refuse all requests.
    pub(crate) off: Off,
    pub(crate) tls: TlsSource,
}

/// Reads and parses a configuration.
pub(crate) fn load(file: &Path) -> (Option<Config>, Problems) {
    let failed = |what: String| {
        let mut problems = Problems::new(file, "");
        problems.add(what);
        (None, problems)
    };
    match fs::metadata(file) {
        Ok(found) if found.len() > MAX_FILE => return failed(format!("the file exceeds {MAX_FILE} bytes")),
        _ => {}
    }
    match fs::read_to_string(file) {
        Ok(text) => Config::parse(file, &text),
        Err(error) => failed(error.to_string()),
    }
}

impl Plan {
    /// Reads a configuration and everything that it refers to.
    pub(crate) fn make(file: &Path, parts: &Parts) -> Result<Self, Problems> {
        let (config, mut problems) = load(file);
        let Some(config) = config else { return Err(problems) };
        check_permissions(file, &config, &mut problems);
        if let Some(admin) = &config.admin {
            let folder = admin.socket.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                problems.add(format!("admin.socket: the folder {} does not exist", folder.display()));
            }
        }
        let found = Self::authority(&config, parts, &mut problems);
        let profiles = profiles(&config, parts, &mut problems);
        let files = files(&config, &mut problems);
        if let (Some(policy), Some((authority, _))) = (&config.acme, &found) {
            let chains = tagwise_acme::alternate_chains(policy, authority, parts.backend, now());
            chains.map_or_else(|what| problems.add(format!("acme.{what}")), drop);
            let offered = tagwise_acme::offered_profiles(policy, authority, profiles.clone());
            offered.map_or_else(|what| problems.add(format!("acme.{what}")), drop);
        }
        let services = found
            .as_ref()
            .map(|(authority, signer)| enroll::services(&config, parts, (authority, signer), &mut problems));
        let (services, off) = services.unwrap_or_default();
        let Some((authority, signer)) = found.filter(|_| problems.is_empty()) else {
            off.iter().for_each(|(service, what)| problems.add(format!("[{}]: {what}", service.name())));
            return Err(problems);
        };
        let tls = match (&config.tls, files) {
            (_, Some(identity)) => TlsSource::Files(identity),
            (Some(tls), None) => TlsSource::Own(IdentityIssuer {
                authority: Arc::clone(&authority),
                signer: Arc::clone(&signer),
                backend: parts.backend,
                // Already checked.
                names: tls.names.iter().filter_map(|name| alt_name(name).ok()).collect(),
                lifetime: days(tls.days.unwrap_or(TLS_DAYS)),
            }),
            (None, None) => TlsSource::None,
        };
        Ok(Self { config, authority, signer, profiles, services, off, tls })
    }

    /// Opens the CA and its key.
    fn authority(config: &Config, parts: &Parts, problems: &mut Problems) -> Option<(Arc<Authority>, Arc<dyn Signer>)> {
        let ca = &config.ca;
        let passphrase = match ca.passphrase_file.as_deref().map(passphrase).transpose() {
            Ok(passphrase) => passphrase,
            Err(what) => {
                problems.add(format!("ca.passphrase-file: {what}"));
                return None;
            }
        };
        let opened = open_to_read(ca).and_then(|mut store| {
            let authority = Authority::open(&mut *store, Authority::LABEL)?;
            let clock = authority.check_clock(&mut *store, now());
            Ok((authority, clock))
        });
        let authority = match opened {
            Ok((authority, clock)) => {
                if let Err(error) = clock {
                    problems.add(named(ca, &error));
                }
                authority
            }
            Err(error) => {
                problems.add(named(ca, &error));
                return None;
            }
        };
        let validity = authority.certificate().tbs_certificate.validity;
        if now() > validity.not_after.unix() {
            problems.add(format!("the CA's certificate expired at {}", validity.not_after.unix()));
        }
        match authority.unlock(parts.backend, passphrase.as_ref().map(Secret::expose)) {
            Ok(signer) => match log(ca, parts, passphrase.as_ref()) {
                Ok(None) => Some((Arc::new(authority), Arc::new(signer))),
                Ok(Some(log)) => Some((Arc::new(authority.with_log(Arc::new(log))), Arc::new(signer))),
                // Without the log, certificates would be issued that are not logged.
                Err(what) => {
                    problems.add(what);
                    None
                }
            },
            Err(Error::PassphraseNeeded) => {
                if !problems.is_incomplete("ca") {
                    problems.add("[ca]: the CA's key is encrypted, expected `passphrase-file`");
                }
                None
            }
            Err(error) => {
                problems.add(named(ca, &error));
                None
            }
        }
    }
}

/// Opens the CA's log, if it has one.
fn log(ca: &CaConfig, parts: &Parts, passphrase: Option<&Secret>) -> Result<Option<CaLog>, String> {
    let files = ca.sqlite.as_deref().map(LogFiles::beside).filter(LogFiles::are_there);
    files.map(|files| files.open(parts.backend, passphrase, now())).transpose()
}

/// Reads a passphrase from the first line of a file.
fn passphrase(path: &Path) -> Result<Secret, String> {
    let octets = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut secret = Secret::from(octets);
    let line = secret.expose().split(|octet| *octet == b'\n').next().unwrap_or_default();
    let end = line.strip_suffix(b"\r").unwrap_or(line).len();
    secret.truncate(end);
    Ok(secret)
}

/// The profiles of the ACME server.
fn profiles(config: &Config, parts: &Parts, problems: &mut Problems) -> Vec<NamedProfile> {
    let mut list = Vec::new();
    for name in config.acme.iter().flat_map(|policy| &policy.profiles) {
        match (parts.profiles)(name) {
            Ok(definition) => {
                if let Some(what) = definition.signs_for_ca() {
                    let what = format!("the profile {name} is for signing {what}, which ACME cannot authorize");
                    problems.add(format!("acme.profiles: {what}"));
                    continue;
                }
                let days = definition.validity.as_secs() / 86_400;
                let (name, description) = (definition.name.clone(), format!("valid for {days} days"));
                list.push(NamedProfile { name, description, definition: Arc::new(definition) });
            }
            Err(what) => problems.add(format!("acme.profiles: {what}")),
        }
    }
    list
}

/// The certificate from files, if it does not come from the CA.
fn files(config: &Config, problems: &mut Problems) -> Option<Identity> {
    let tls = config.tls.as_ref()?;
    let (certificate, key) = tls.certificate.as_deref().zip(tls.key.as_deref())?;
    Identity::read(certificate, key, now()).map_err(|what| problems.add(format!("[tls]: {what}"))).ok()
}

/// Checks that secret files are not accessible to everybody, and not writable by a group.
fn check_permissions(file: &Path, config: &Config, problems: &mut Problems) {
    let has_password = config.ca.postgresql.as_deref().is_some_and(|text| {
        let has_user_info = text.split_once("://").is_some_and(|(_, rest)| {
            rest.split('/').next().is_some_and(|host| host.split_once('@').is_some_and(|(user, _)| user.contains(':')))
        });
        has_user_info || text.contains("password")
    });
    let tls = config.tls.as_ref();
    let log = config.ca.sqlite.as_deref().map(LogFiles::beside);
    let secret = [
        ("the configuration, which contains a password", has_password.then_some(file)),
        ("the CA's database", config.ca.sqlite.as_deref()),
        ("the key of the CA's log", log.as_ref().map(|files| files.key.as_path())),
        ("the passphrase", config.ca.passphrase_file.as_deref()),
        ("the TLS key", tls.and_then(|tls| tls.key.as_deref())),
        ("the key of the registration authority", config.scep.as_ref().map(|scep| scep.key.as_path())),
        ("the key of the time stamp authority", config.tsp.as_ref().map(|tsp| tsp.key.as_path())),
    ];
    for (what, path) in secret {
        // Errors are reported where the file is read.
        let Some((path, found)) = path.and_then(|path| Some((path, fs::metadata(path).ok()?))) else { continue };
        let mode = found.mode() & 0o777;
        if mode & 0o027 != 0 {
            let path = path.display();
            problems.add(format!("{path}: mode {mode:04o} gives others access to {what}, expected 0640 or less"));
        }
    }
}

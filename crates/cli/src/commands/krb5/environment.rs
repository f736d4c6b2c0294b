//! The configuration of a client, and the names of its files: `krb5.conf`, the credential cache, the keytab.

use std::io::Write;
use std::path::{Path, PathBuf};

use tagwise_krb5::cache::{Cache, CacheError, Settings};
use tagwise_krb5::client::net::{Event, Exchange, Network, Transport};
use tagwise_krb5::client::{ClientError, Moment};
use tagwise_krb5::conf::{Config, Loader};
use tagwise_krb5::crypto::EncType;
use tagwise_krb5::numbers::name_type;
use tagwise_krb5::{Ccache, Credential, Keytab, Principal, summary};
use tagwise_pkix::name::visible;

use super::network::Ways;
use crate::shared::credentials::{negative, octets};
use crate::shared::output::{Access, Failure, name_of, write};

/// The settings of a client.
pub(super) struct Environment {
    pub(super) config: Config,
    ways: Ways,
}

/// Reads the files that a configuration includes.
struct Files;

impl Loader for Files {
    fn file(&mut self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|error| crate::shared::output::reason(&error))
    }

    fn directory(&mut self, path: &str) -> Result<Vec<String>, String> {
        let entries = std::fs::read_dir(path).map_err(|error| crate::shared::output::reason(&error))?;
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| is_included(name))
            .collect();
        names.sort();
        Ok(names.into_iter().map(|name| format!("{}/{name}", path.trim_end_matches('/'))).collect())
    }
}

/// Returns whether `includedir` reads a file of that name.
fn is_included(name: &str) -> bool {
    let plain = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
    !name.starts_with('.') && (name.ends_with(".conf") || name.chars().all(plain))
}

impl Environment {
    /// The configuration of `KRB5_CONFIG`, or of `/etc/krb5.conf`. A file that is not there counts as empty.
    pub(super) fn read() -> Result<Self, Failure> {
        let paths = std::env::var("KRB5_CONFIG").unwrap_or_else(|_absent| "/etc/krb5.conf".to_owned());
        let mut config = Config::default();
        for path in paths.split(':').map(Path::new).filter(|path| path.exists()) {
            let text = octets(path)?;
            let read = Config::parse(&String::from_utf8_lossy(&text), &mut Files);
            config.append(read.map_err(|error| Failure::negative(format!("{}:{}", name_of(path), visible(&error))))?);
        }
        Ok(Self { ways: Ways::new(&config), config })
    }

    /// A principal by its text, in the default realm if none is named.
    pub(super) fn principal(&self, text: &str) -> Result<Principal, Failure> {
        Principal::parse(text, self.config.default_realm()).map_err(|error| Failure::usage(format!("{text}: {error}")))
    }

    /// An enterprise name, in the default realm.
    pub(super) fn enterprise(&self, text: &str) -> Result<Principal, Failure> {
        let parsed = Principal::parse_enterprise(text, self.config.default_realm());
        parsed.map_err(|error| Failure::usage(format!("{text}: {error}")))
    }

    /// A service: `host/name` whose realm is that of the host by `[domain_realm]` or `dns_lookup_realm`, or else the client's.
    pub(super) fn service(&self, text: &str, client: &Principal) -> Result<Principal, Failure> {
        let home = String::from_utf8_lossy(client.realm()).into_owned();
        let parsed = Principal::parse(text, Some(&home)).map_err(|error| Failure::usage(format!("{text}: {error}")))?;
        let has_realm = Principal::parse(text, None).is_ok();
        let host = parsed.components().get(1).and_then(|host| core::str::from_utf8(host).ok()).map(str::to_owned);
        let realm = host.filter(|_| !has_realm && parsed.krbtgt_realm().is_none());
        let realm = match realm {
            Some(host) => self.network().realm_of_host(&host).map_err(|error| refused(&parsed, &error))?,
            None => None,
        };
        Ok(match realm {
            Some(realm) => parsed.in_realm(realm.as_bytes()).with_type(name_type::SRV_INST),
            None => parsed,
        })
    }

    /// The name of the credential cache: what is given, `KRB5CCNAME`, `default_ccache_name`, or `/tmp/krb5cc_UID`.
    pub(super) fn cache_name(&self, given: Option<&str>) -> Result<String, Failure> {
        let variable = std::env::var("KRB5CCNAME").ok().filter(|name| !name.is_empty());
        let configured = self.config.setting(None, "default_ccache_name").map(str::to_owned);
        let named = given.map(str::to_owned).or(variable).or(configured);
        expanded(&named.unwrap_or_else(|| "FILE:/tmp/krb5cc_%{uid}".to_owned()))
    }

    /// The credential cache of that name; for a collection, its primary one.
    pub(super) fn cache(&self, given: Option<&str>) -> Result<Cache, Failure> {
        Cache::resolve(&self.cache_name(given)?, &self.cache_settings()).map_err(|error| unusable(&error))
    }

    /// The cache of a principal in a collection.
    pub(super) fn cache_of(&self, name: &str, principal: &str) -> Result<Cache, Failure> {
        let client = self.principal(principal)?;
        let found = Cache::of_client(name, &client, &self.cache_settings()).map_err(|error| unusable(&error))?;
        found.ok_or_else(|| {
            Failure::Said(3, format!("{}: there is no credential cache of {}", visible(name), visible(&client)))
        })
    }

    /// The settings that caches need.
    pub(super) fn cache_settings(&self) -> Settings {
        Settings::of(&self.config)
    }

    /// The file of a keytab: what is given, `KRB5_KTNAME`, `default_keytab_name`, or `/etc/krb5.keytab`.
    pub(super) fn keytab(&self, given: Option<&str>) -> Result<PathBuf, Failure> {
        let variable = std::env::var("KRB5_KTNAME").ok().filter(|name| !name.is_empty());
        let configured = self.config.setting(None, "default_keytab_name").map(str::to_owned);
        let named = given.map(str::to_owned).or(variable).or(configured);
        file_of(&named.unwrap_or_else(|| "FILE:/etc/krb5.keytab".to_owned()))
    }

    /// The transport by `udp_preference_limit`.
    fn transport(&self) -> Transport {
        let limit = self.config.setting(None, "udp_preference_limit").and_then(|text| text.parse().ok());
        Transport { udp_limit: limit.unwrap_or(Transport::DEFAULT.udp_limit), ..Transport::DEFAULT }
    }

    /// The servers of realms.
    pub(super) fn network(&self) -> Network<'_> {
        self.ways.network(&self.config, self.transport())
    }

    /// The encryption types of a setting, or of `permitted_enctypes`, or the default ones.
    pub(super) fn enc_types(&self, setting: &str) -> Vec<EncType> {
        let named = self.config.enc_types(setting).or_else(|| self.config.enc_types("permitted_enctypes"));
        named.filter(|list| !list.is_empty()).unwrap_or_else(|| EncType::DEFAULT.to_vec())
    }

    /// Drives an exchange; with `trace`, its messages are told.
    pub(super) fn drive(
        &self,
        exchange: &mut dyn Exchange,
        trace: bool,
        err: &mut dyn Write,
    ) -> Result<Credential, ClientError> {
        self.network().watch(exchange, &mut |event| tell(event, trace, err))
    }

    /// Drives an initial exchange, and if another KDC than the primary one refuses, a new one with that.
    pub(super) fn drive_initial<E: Exchange>(
        &self,
        begin: &mut dyn FnMut() -> E,
        trace: bool,
        err: &mut dyn Write,
    ) -> Result<Credential, ClientError> {
        self.network().initial(begin, &mut |event| tell(event, trace, err))
    }
}

/// Tells a message of an exchange. A trace that cannot be written does not end it.
fn tell(event: Event<'_>, trace: bool, err: &mut dyn Write) {
    if !trace {
        return;
    }
    let _ = match event {
        Event::Sent { realm, message } => writeln!(err, "to {}: {}", visible(realm), visible(&summary(message))),
        Event::Received { from, message } => {
            let name = from.to_string();
            writeln!(err, "  {} over {}: {}", visible(&name), from.transport(), visible(&summary(message)))
        }
    };
}

/// The file of a keytab's name. Types other than FILE are not supported.
fn file_of(name: &str) -> Result<PathBuf, Failure> {
    let name = expanded(name)?;
    let path = match name.split_once(':') {
        Some(("FILE" | "WRFILE", path)) => path,
        Some((kind, _)) if kind.len() > 1 && kind.chars().all(|char| char.is_ascii_uppercase()) => {
            return Err(Failure::usage(format!("{name}: a keytab of type {kind} is not supported, only FILE")));
        }
        _ => &name,
    };
    Ok(PathBuf::from(path))
}

/// A name with `%{uid}`, `%{euid}`, `%{TEMP}` and `%{null}` replaced.
fn expanded(name: &str) -> Result<String, Failure> {
    let mut out = String::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once("%{") {
        let (token, behind) =
            after.split_once('}').ok_or_else(|| Failure::usage(format!("{name}: `%{{` is not closed")))?;
        out.push_str(before);
        match token {
            "uid" | "euid" | "USERID" => out.push_str(&user()?),
            "TEMP" => out.push_str(&std::env::temp_dir().to_string_lossy()),
            "null" => {}
            _ => return Err(Failure::usage(format!("{name}: %{{{token}}} is not supported"))),
        }
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

/// The number of the user who runs the command.
fn user() -> Result<String, Failure> {
    #[cfg(unix)]
    if let Ok(own) = std::fs::metadata("/proc/self") {
        use std::os::unix::fs::MetadataExt;
        return Ok(own.uid().to_string());
    }
    Err(Failure::usage("the user's number is not known here: name the file with -c FILE, or in KRB5CCNAME"))
}

/// Reads a credential cache.
pub(super) fn read_cache(cache: &Cache) -> Result<Ccache, Failure> {
    cache.read().map_err(|error| unusable(&error))
}

/// Reads a credential cache in a file.
pub(super) fn read_cache_file(path: &Path) -> Result<Ccache, Failure> {
    Ccache::from_bytes(&octets(path)?).map_err(|error| negative(path, &error))
}

/// Writes a credential cache.
pub(super) fn write_cache(cache: &Cache, content: &Ccache) -> Result<(), Failure> {
    cache.write(content).map_err(|error| unusable(&error))
}

/// A cache that cannot be used: malformed ones are a negative answer, a wrong name is one of usage.
pub(super) fn unusable(error: &CacheError) -> Failure {
    let code = match error {
        CacheError::Name(_) => 2,
        CacheError::Malformed(..) | CacheError::NotCache(_) => 1,
        _ => 3,
    };
    let text = error.to_string();
    Failure::Said(code, visible(text.split(" (os error").next().unwrap_or_default()).to_string())
}

/// The name of a cache as people see it: of a file, its path.
pub(super) fn shown_name(cache: &Cache) -> String {
    let name = cache.name();
    visible(name.strip_prefix("FILE:").unwrap_or(&name)).to_string()
}

/// Reads a keytab.
pub(super) fn read_keytab(path: &Path) -> Result<Keytab, Failure> {
    Keytab::from_bytes(&octets(path)?).map_err(|error| negative(path, &error))
}

/// Writes a keytab, as a whole and for its owner only.
pub(super) fn write_keytab(path: &Path, keytab: &Keytab) -> Result<(), Failure> {
    let octets = keytab.to_bytes().map_err(|error| negative(path, &error))?;
    write(path, &octets, Access::PrivateInPlace).map_err(|error| Failure::file(path, "written", &error))
}

/// The ticket-granting ticket of a cache: that of the service's realm if it is there, else of the client's.
pub(super) fn granting(cache: &Ccache, place: &Cache, realm: Option<&[u8]>) -> Result<Credential, Failure> {
    let (home, now) = (cache.principal().realm(), Moment::now().unix);
    let of = |realm: &[u8]| cache.find(&Principal::krbtgt(realm, home), now).cloned();
    // Nobody is of the anonymous realm (RFC 8062 §3), and the ticket is of the realm that gave it.
    let own = |realm: &[u8]| cache.find(&Principal::krbtgt(realm, realm), now).cloned();
    let own = realm.filter(|_| cache.principal().is_anonymous()).and_then(own);
    realm.and_then(of).or(own).or_else(|| of(home)).ok_or_else(|| {
        let client = visible(cache.principal()).to_string();
        Failure::negative(format!(
            "{}: no ticket-granting ticket of {client} that is valid now: get one with `tagwise krb5 kinit`",
            shown_name(place)
        ))
    })
}

/// An exchange that failed: a KDC's refusal is a negative answer, a KDC that does not answer something that could not be read.
pub(super) fn refused(of: &Principal, error: &ClientError) -> Failure {
    let code = if matches!(error, ClientError::Network(_)) { 3 } else { 1 };
    Failure::Said(code, format!("{}: {}", visible(of), visible(error)))
}

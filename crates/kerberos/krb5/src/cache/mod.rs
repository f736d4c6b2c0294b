//! Credential caches of all types: FILE, DIR, MEMORY, KCM and (feature `keyring`) KEYRING.
//!
//! A [`Cache`] is a location, and a [`Ccache`] is its content. Names have MIT's form, `TYPE:rest`. A name without a type
//! denotes a file. DIR, KCM and KEYRING are collections, whose names refer to their primary caches.
//!
//! ```
//! use tagwise_krb5::cache::{Cache, Settings};
//! use tagwise_krb5::{Ccache, Principal};
//! let cache = Cache::resolve("MEMORY:example", &Settings::default())?;
//! cache.write(&Ccache::new(Principal::parse("alice@KRB.TEST", None)?))?;
//! assert_eq!(cache.read()?.principal().to_string(), "alice@KRB.TEST");
//! cache.destroy()?;
//! assert!(cache.read().is_err_and(|error| error.is_missing()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dir;
mod error;
mod file;
#[cfg(unix)]
mod kcm;
#[cfg(all(target_os = "linux", feature = "keyring"))]
mod keyring;
mod lock;
mod memory;

use core::fmt;
use std::path::PathBuf;

pub use error::CacheError;

use crate::conf::Config;
use crate::{Ccache, Credential, Principal};

/// Settings for opening credential caches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The socket of the KCM service, or `None` to disable it.
    pub kcm_socket: Option<PathBuf>,
}

impl Settings {
    /// The default KCM socket.
    pub const KCM_SOCKET: &str = "/var/run/.heim_org.h5l.kcm-socket";

    /// Reads the settings from a configuration: `kcm_socket`, where `-` disables KCM.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        let socket = config.setting(None, "kcm_socket").unwrap_or(Self::KCM_SOCKET);
        Self { kcm_socket: Some(socket).filter(|socket| *socket != "-").map(PathBuf::from) }
    }
}

impl Default for Settings {
    /// Returns settings with KCM's default socket.
    fn default() -> Self {
        Self { kcm_socket: Some(PathBuf::from(Self::KCM_SOCKET)) }
    }
}

/// Access to one cache of a particular type.
trait Store: fmt::Debug + Send + Sync {
    fn name(&self) -> String;
    fn read(&self) -> Result<Ccache, CacheError>;
    fn write(&self, content: &Ccache) -> Result<(), CacheError>;
    fn add(&self, credential: &Credential) -> Result<(), CacheError>;
    fn destroy(&self) -> Result<(), CacheError>;

    fn switch(&self) -> Result<(), CacheError> {
        Err(CacheError::Name(format!("{}: the cache is not in a collection", self.name())))
    }
}

/// The type of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CacheType {
    File,
    Dir,
    Memory,
    Kcm,
    Keyring,
}

impl CacheType {
    /// Splits a name into its type and the rest.
    fn of(name: &str) -> Result<(Self, &str), CacheError> {
        // A drive's letter is not a type.
        let typed = name.split_once(':').filter(|(kind, _)| {
            kind.len() > 1 && kind.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-'))
        });
        match typed {
            None => Ok((Self::File, name)),
            Some(("FILE" | "WRFILE", rest)) => Ok((Self::File, rest)),
            Some(("DIR", rest)) => Ok((Self::Dir, rest)),
            Some(("MEMORY", rest)) => Ok((Self::Memory, rest)),
            Some(("KCM", rest)) => Ok((Self::Kcm, rest)),
            Some(("KEYRING", rest)) => Ok((Self::Keyring, rest)),
            Some((kind, _)) => Err(CacheError::Name(format!(
                "{name}: {kind} is not a type of credential cache: expected FILE, DIR, MEMORY, KCM or KEYRING"
            ))),
        }
    }
}

/// The location of a credential cache.
#[derive(Debug)]
pub struct Cache(Box<dyn Store>);

impl Cache {
    /// Resolves a cache's name, or a collection's name to its primary cache. The cache need not exist.
    ///
    /// # Errors
    /// Returns an error if the name is invalid, or its location cannot be reached.
    pub fn resolve(name: &str, settings: &Settings) -> Result<Self, CacheError> {
        let (kind, rest) = CacheType::of(name)?;
        match kind {
            CacheType::File => Ok(Self::at(file::File::new(rest)?)),
            CacheType::Dir => dir::resolve(rest).map(Self::at),
            CacheType::Memory => Ok(Self::at(memory::Memory::new(rest))),
            CacheType::Kcm => kcm_of(name, rest, settings),
            CacheType::Keyring => keyring_of(name, rest),
        }
    }

    /// Lists the non-empty caches of a collection, the primary one first. For a single cache's name, returns that cache.
    ///
    /// # Errors
    /// Returns an error if the name is invalid, or its location cannot be reached.
    pub fn list(name: &str, settings: &Settings) -> Result<Vec<Self>, CacheError> {
        match CacheType::of(name)? {
            (CacheType::Dir, rest) if !rest.starts_with(':') => {
                Ok(dir::list(rest)?.into_iter().map(Self::at).collect())
            }
            #[cfg(unix)]
            (CacheType::Kcm, "") => Ok(kcm::list(settings)?.into_iter().map(Self::at).collect()),
            #[cfg(all(target_os = "linux", feature = "keyring"))]
            (CacheType::Keyring, rest) if !keyring::is_subsidiary(rest) => {
                Ok(keyring::list(rest)?.into_iter().map(Self::at).collect())
            }
            _ => {
                let cache = Self::resolve(name, settings)?;
                match cache.read() {
                    Err(error) if error.is_missing() => Ok(Vec::new()),
                    _ => Ok(vec![cache]),
                }
            }
        }
    }

    /// Returns whether a name denotes a collection.
    #[must_use]
    pub fn is_collection(name: &str) -> bool {
        match CacheType::of(name) {
            Ok((CacheType::Dir, rest)) => !rest.starts_with(':'),
            Ok((CacheType::Kcm, rest)) => rest.is_empty(),
            Ok((CacheType::Keyring, rest)) => rest.matches(':').count() < 2,
            _ => false,
        }
    }

    /// Returns a new, unused cache in a collection.
    ///
    /// # Errors
    /// Returns an error if the name does not denote a collection, or the collection cannot be reached.
    pub fn unused(name: &str, settings: &Settings) -> Result<Self, CacheError> {
        match CacheType::of(name)? {
            (CacheType::Dir, rest) if !rest.starts_with(':') => dir::unused(rest).map(Self::at),
            #[cfg(unix)]
            (CacheType::Kcm, "") => kcm::unused(settings).map(Self::at),
            #[cfg(all(target_os = "linux", feature = "keyring"))]
            (CacheType::Keyring, rest) if !keyring::is_subsidiary(rest) => keyring::unused(rest).map(Self::at),
            _ => {
                let _ = settings;
                Err(CacheError::Name(format!("{name}: not a cache collection: expected DIR, KCM or KEYRING")))
            }
        }
    }

    /// Returns the first cache in a collection whose client is the given principal.
    ///
    /// # Errors
    /// Returns any error from [`list`](Self::list). Unreadable caches are skipped.
    pub fn of_client(name: &str, client: &Principal, settings: &Settings) -> Result<Option<Self>, CacheError> {
        let is_of = |cache: &Self| cache.read().is_ok_and(|content| content.principal() == client);
        Ok(Self::list(name, settings)?.into_iter().find(is_of))
    }

    fn at(store: impl Store + 'static) -> Self {
        Self(Box::new(store))
    }

    /// Returns the full name of this cache, with its type.
    #[must_use]
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Reads the cache.
    ///
    /// # Errors
    /// Returns an error if the cache does not exist, cannot be reached, or is malformed.
    pub fn read(&self) -> Result<Ccache, CacheError> {
        self.0.read()
    }

    /// Writes the cache, replacing its content. A file is replaced atomically. For a keyring or service, credentials are
    /// written one by one.
    ///
    /// # Errors
    /// Returns an error if the cache cannot be written.
    pub fn write(&self, content: &Ccache) -> Result<(), CacheError> {
        self.0.write(content)
    }

    /// Adds a credential to an existing cache. Existing credentials for the same service may remain. [`Ccache::find`] returns
    /// the one that expires last.
    ///
    /// # Errors
    /// Returns an error if the cache does not exist, or cannot be written.
    pub fn add(&self, credential: &Credential) -> Result<(), CacheError> {
        self.0.add(credential)
    }

    /// Deletes the cache. A file is overwritten with zeros first. Anything that is not a cache is left unchanged.
    ///
    /// # Errors
    /// Returns an error if the cache does not exist, is not a cache, or cannot be deleted.
    pub fn destroy(&self) -> Result<(), CacheError> {
        self.0.destroy()
    }

    /// Makes this the primary cache of its collection.
    ///
    /// # Errors
    /// Returns an error if the cache is not in a collection, or the collection cannot be changed.
    pub fn switch(&self) -> Result<(), CacheError> {
        self.0.switch()
    }
}

fn kcm_of(name: &str, rest: &str, settings: &Settings) -> Result<Cache, CacheError> {
    #[cfg(unix)]
    {
        let _ = name;
        kcm::resolve(rest, settings).map(Cache::at)
    }
    #[cfg(not(unix))]
    {
        let _ = (rest, settings);
        Err(CacheError::Name(format!("{name}: KCM needs UNIX sockets")))
    }
}

fn keyring_of(name: &str, rest: &str) -> Result<Cache, CacheError> {
    #[cfg(all(target_os = "linux", feature = "keyring"))]
    {
        let _ = name;
        keyring::resolve(rest).map(Cache::at)
    }
    #[cfg(not(all(target_os = "linux", feature = "keyring")))]
    {
        let _ = rest;
        Err(CacheError::Name(format!("{name}: keyrings require Linux and the feature `keyring`")))
    }
}

/// Returns random letters and digits that make a name unique. They are not secret.
fn unique() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut number = RandomState::new().build_hasher().finish();
    let mut text = String::new();
    for _ in 0..10 {
        text.extend(LETTERS.get((number % 32) as usize).map(|letter| char::from(*letter)));
        number /= 32;
    }
    text
}

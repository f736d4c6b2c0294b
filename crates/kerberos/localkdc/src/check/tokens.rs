//! One-time passwords: HOTP (RFC 4226) and TOTP (RFC 6238).

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use data_encoding::BASE32_NOPAD;
use hmac::Hmac;
use nix::fcntl::{Flock, FlockArg};
use serde::Deserialize;
use subtle::ConstantTimeEq as _;
use tagwise_codec::text::hex;
use zeroize::Zeroizing;

use super::{Check, Password, Verdict};

/// The maximum size of a token file, in bytes.
const MAX_FILE: u64 = 4 << 20;
/// The minimum length of a secret, in bytes (RFC 4226 §4, R6).
const MIN_SECRET: usize = 16;
/// The number of counter values to try after the last one used (RFC 4226 §7.4).
const LOOK_AHEAD: u64 = 10;
/// The number of time steps to try before and after the current one (RFC 6238 §5.2).
const DRIFT: u64 = 1;

/// The hash function of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// SHA-1, as in RFC 4226.
    #[default]
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
}

/// The moving factor of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenKind {
    /// A counter (HOTP).
    Hotp,
    /// The current time (TOTP).
    Totp,
}

/// A user's one-time password token.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// The moving factor.
    pub kind: TokenKind,
    /// The secret in base32.
    #[serde(deserialize_with = "wiped")]
    secret: Zeroizing<String>,
    /// The number of digits, 6 to 8.
    #[serde(default = "six")]
    pub digits: u32,
    /// The hash function.
    #[serde(default)]
    pub algorithm: Algorithm,
    /// The time step in seconds.
    #[serde(default = "half_a_minute")]
    pub period: u64,
}

fn wiped<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Zeroizing<String>, D::Error> {
    String::deserialize(from).map(Zeroizing::new)
}

const fn six() -> u32 {
    6
}

const fn half_a_minute() -> u64 {
    30
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("kind", &self.kind).field("digits", &self.digits).finish_non_exhaustive()
    }
}

/// An error in a token file.
#[derive(Debug)]
#[non_exhaustive]
pub enum TokenError {
    /// The file could not be read.
    Io(PathBuf, io::Error),
    /// The file is accessible to users other than its owner.
    Open(PathBuf),
    /// The file is not valid TOML, or contains unknown keys.
    Syntax(PathBuf, String),
    /// A user's token is invalid.
    Token(String, &'static str),
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Open(path) => write!(f, "{}: only its owner may have access (chmod 600)", path.display()),
            Self::Syntax(path, text) => write!(f, "{}: {text}", path.display()),
            Self::Token(user, text) => write!(f, "the token of {user:?}: {text}"),
        }
    }
}

impl std::error::Error for TokenError {}

/// Computes the HOTP value for a counter value (RFC 4226 §5.3), with leading zeros.
///
/// ```
/// use tagwise_localkdc::check::{Algorithm, hotp};
/// // RFC 4226, appendix D.
/// assert_eq!(hotp(b"12345678901234567890", 0, 6, Algorithm::Sha1).as_str(), "755224");
/// ```
#[must_use]
pub fn hotp(secret: &[u8], counter: u64, digits: u32, algorithm: Algorithm) -> Zeroizing<String> {
    let counter = counter.to_be_bytes();
    let mac = match algorithm {
        Algorithm::Sha1 => mac::<Hmac<sha1::Sha1>>(secret, &counter),
        Algorithm::Sha256 => mac::<Hmac<sha2::Sha256>>(secret, &counter),
        Algorithm::Sha512 => mac::<Hmac<sha2::Sha512>>(secret, &counter),
    };
    let offset = usize::from(mac.last().copied().unwrap_or(0) & 0xF);
    let word = mac.get(offset..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
    let number = u32::from_be_bytes(word) & 0x7FFF_FFFF;
    let number = u64::from(number) % 10u64.pow(digits.min(10));
    Zeroizing::new(format!("{number:0width$}", width = digits as usize))
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of every length")]
fn mac<M: hmac::Mac + hmac::KeyInit>(secret: &[u8], message: &[u8]) -> Zeroizing<Vec<u8>> {
    let mac = <M as hmac::KeyInit>::new_from_slice(secret).expect("a key of any length");
    Zeroizing::new(mac.chain_update(message).finalize().into_bytes().to_vec())
}

/// A one-time password check, based on a file with the users' tokens and a directory that records used values.
///
/// Each value is accepted once: the counter is written to disk before the result is returned.
#[derive(Debug)]
pub struct TokenCheck {
    tokens: BTreeMap<String, (Token, Zeroizing<Vec<u8>>)>,
    state: PathBuf,
}

impl TokenCheck {
    /// Reads tokens from a file such as this one:
    ///
    /// ```toml
    /// [ann]
    /// kind = "totp"
    /// secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is accessible to others, or contains unknown keys or secrets shorter than
    /// 128 bits.
    pub fn open(file: &Path, state: impl Into<PathBuf>) -> Result<Self, TokenError> {
        let io = |error| TokenError::Io(file.to_owned(), error);
        let opened = crate::policy::open(file).map_err(io)?;
        if opened.metadata().map_err(io)?.mode() & 0o077 != 0 {
            return Err(TokenError::Open(file.to_owned()));
        }
        let mut text = Zeroizing::new(String::new());
        opened.take(MAX_FILE).read_to_string(&mut text).map_err(io)?;
        // The message alone: the line that it stands in may have a secret.
        let syntax = |error: toml::de::Error| TokenError::Syntax(file.to_owned(), error.message().to_owned());
        let read: BTreeMap<String, Token> = toml::from_str(&text).map_err(syntax)?;
        let mut tokens = BTreeMap::new();
        for (user, token) in read {
            let wrong = |text| TokenError::Token(user.clone(), text);
            let secret = token.secret.to_ascii_uppercase();
            let secret = secret.trim_end_matches('=').as_bytes();
            let secret = BASE32_NOPAD.decode(secret).map_err(|_| wrong("the secret must be base32"))?;
            if secret.len() < MIN_SECRET {
                return Err(wrong("the secret must have 128 bits (RFC 4226 §4)"));
            }
            if !(6..=8).contains(&token.digits) {
                return Err(wrong("digits must be 6, 7 or 8 (RFC 4226 §5.3)"));
            }
            if !(1..=3600).contains(&token.period) {
                return Err(wrong("period must be 1 to 3600 seconds"));
            }
            tokens.insert(user, (token, Zeroizing::new(secret)));
        }
        Ok(Self { tokens, state: state.into() })
    }

    /// Checks a one-time password at the given Unix time.
    fn judge(&self, user: &str, password: &Password, now: u64) -> io::Result<bool> {
        let Some((token, secret)) = self.tokens.get(user) else { return Ok(false) };
        let mut used = Used::open(&self.state, user)?;
        // The next value that may be used.
        let next = used.last.map_or(0, |last| last.saturating_add(1));
        let (first, last) = match token.kind {
            TokenKind::Hotp => (next, next.saturating_add(LOOK_AHEAD)),
            TokenKind::Totp => {
                let step = now / token.period;
                (step.saturating_sub(DRIFT).max(next), step.saturating_add(DRIFT))
            }
        };
        let mut found = None;
        // All are compared, so that the time does not reveal which one matches.
        for counter in first..=last {
            let value = hotp(secret, counter, token.digits, token.algorithm);
            if bool::from(value.as_bytes().ct_eq(password.expose())) {
                found = found.or(Some(counter));
            }
        }
        let Some(counter) = found else { return Ok(false) };
        used.put(counter)?;
        Ok(true)
    }
}

impl Check for TokenCheck {
    fn check(&self, user: &str, password: &Password, _: Duration) -> Verdict {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        match self.judge(user, password, now) {
            Ok(true) => Verdict::Accepted,
            Ok(false) => Verdict::Rejected,
            Err(error) => Verdict::Unavailable(format!("{}: {error}", self.state.display())),
        }
    }
}

/// A user's last used counter value, locked during the check.
struct Used {
    folder: PathBuf,
    name: String,
    last: Option<u64>,
    _lock: Flock<File>,
}

impl Used {
    fn open(folder: &Path, user: &str) -> io::Result<Self> {
        // A name may hold what a file's name cannot.
        let name = hex::encode(user.as_bytes());
        let private = |options: &mut OpenOptions| options.mode(0o600).clone();
        let lock = private(OpenOptions::new().write(true).create(true).truncate(false));
        let lock = lock.open(folder.join(format!("{name}.lock")))?;
        let lock = Flock::lock(lock, FlockArg::LockExclusive).map_err(|(_, error)| io::Error::from(error))?;
        let last = match fs::read_to_string(folder.join(&name)) {
            Ok(text) => {
                let not_number = |error| io::Error::other(format!("{name}: not a counter: {error}"));
                Some(text.trim().parse().map_err(not_number)?)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(Self { folder: folder.to_owned(), name, last, _lock: lock })
    }

    /// Records a counter value. It is on disk when the function returns.
    fn put(&mut self, counter: u64) -> io::Result<()> {
        let new = self.folder.join(format!("{}.new", self.name));
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        writeln!(file, "{counter}")?;
        file.sync_all()?;
        fs::rename(&new, self.folder.join(&self.name))?;
        File::open(&self.folder)?.sync_all()?;
        self.last = Some(counter);
        Ok(())
    }
}

#[cfg(test)]
mod tests;

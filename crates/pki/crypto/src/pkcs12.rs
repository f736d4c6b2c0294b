//! Password-protected PKCS #12 files (RFC 7292, RFC 9579): the cryptography for [`tagwise_pkix::pkcs12::Store`] to open
//! them and for [`tagwise_pkix::build::pkcs12`] to write them.
//!
//! Opening supports the MACs of RFC 7292 and PBMAC1. Decryption supports PBES2 as in [`decrypt`](crate::decrypt), and
//! Triple DES, RC2 and RC4 with the identifiers of RFC 7292 Appendix C. Writing supports PBES2, and Triple DES for
//! compatibility with old Windows versions.

mod kdf;
mod password;
mod pbe;
mod protection;

use tagwise_pkix::pkcs12::{CostBudget, CostLimits, OpenError, Opened, Store};

pub(crate) use pbe::Pbe;

pub use kdf::{Purpose, derive};
pub use password::Password;
pub use protection::ByPassword;

use crate::{Backend, Error, ErrorKind};

/// Opens a file: verifies its MAC, if any, and decrypts its contents.
///
/// RFC 7292 distinguishes an empty password from none (Appendix B.1: two zero bytes, or nothing), but programs confuse
/// them. If either is given, the other is tried too.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_crypto::pkcs12::{self, ByPassword, Password};
/// use tagwise_pkix::build::{Pkcs12Item, Pkcs12Layout, Pkcs12Value, pkcs12_with};
/// use tagwise_pkix::{oids, pkcs12::{CostLimits, OpenError}};
/// let backend = AwsLc::new();
/// let item = Pkcs12Item::new(Pkcs12Value::Secret { id: oids::DATA, value: b"\x04\x02\xCA\xFE" }).named("coffee");
/// let protection = ByPassword::new(&backend, Password::new("Pässwort"));
/// let file = pkcs12_with(&[item], Pkcs12Layout::Pbmac1, 1000, &protection)?;
///
/// let opened = pkcs12::open(&backend, &file, &Password::new("Pässwort"), CostLimits::DEFAULT)?;
/// assert_eq!(opened.items().next().unwrap().friendly_name().as_deref(), Some("coffee"));
/// let wrong = pkcs12::open(&backend, &file, &Password::new("password"), CostLimits::DEFAULT);
/// assert!(matches!(wrong, Err(OpenError::Mac)));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an [`OpenError`] if the input is malformed or truncated, the MAC is wrong (usually because of a wrong
/// password), or the cost exceeds the limits. Also fails, with an [`Error`], if an algorithm or its parameters are not
/// supported.
pub fn open(
    backend: &dyn Backend,
    file: &[u8],
    password: &Password,
    limits: CostLimits,
) -> Result<Opened, OpenError<Error>> {
    open_with_others(backend, file, password, &[], limits)
}

/// Opens a file like [`open`], and tries further passwords for keys and encrypted bags that the first does not decrypt. The MAC
/// is always that of the first password.
///
/// # Errors
/// Returns any error from [`open`].
pub fn open_with_others(
    backend: &dyn Backend,
    file: &[u8],
    password: &Password,
    others: &[Password],
    limits: CostLimits,
) -> Result<Opened, OpenError<Error>> {
    let others: Vec<ByPassword<'_>> = others.iter().map(|other| ByPassword::new(backend, other.clone())).collect();
    let store = Store::read(file).map_err(|error| OpenError::Malformed { part: "PFX", error })?;
    // Both attempts share one budget.
    let mut budget = CostBudget::new(limits);
    let mut open = |password| store.open_within(&ByPassword::new(backend, password), &others, &mut budget);
    let first = open(password.clone());
    match (&first, password.other_nothing()) {
        (Err(error), Some(other)) if is_password(error) => open(other).or(first),
        _ => first,
    }
}

/// Returns whether a different password may open the file.
///
/// ```
/// use tagwise_crypto::{Error, ErrorKind, pkcs12::is_password};
/// use tagwise_pkix::pkcs12::OpenError;
/// assert!(is_password(&OpenError::Mac));
/// let error = Error::new(ErrorKind::Unsupported, "RC5");
/// assert!(!is_password(&OpenError::Protection { part: "a bag", error }));
/// ```
#[must_use]
pub fn is_password(error: &OpenError<Error>) -> bool {
    match error {
        OpenError::Mac | OpenError::Plaintext { .. } => true,
        OpenError::Protection { error, .. } => error.kind() == ErrorKind::Integrity,
        _ => false,
    }
}

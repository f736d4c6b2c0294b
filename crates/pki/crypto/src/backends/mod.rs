//! The built-in backends, each with its own feature.
//!
//! | feature | backend | requires |
//! |---|---|---|
//! | `aws-lc` (default) | AWS-LC, embedded | a C compiler |
//! | `openssl` | the system's OpenSSL ≥ 3.0 | its headers and `pkg-config` (Debian: `libssl-dev pkg-config`) |
//! | `openssl-vendored` | the same backend, with OpenSSL 3.6 built from source | a C compiler, `perl`, `make`, and several minutes for the first build |
//! | `nss` | the softoken of the system's NSS | nothing at build time; at run time, `libsoftokn3` (Debian: `libnss3`) |
//! | `rust` | verification in Rust alone, for WebAssembly; not part of [`all`] | nothing |
//! | `rust-common` | the same with RSA, P-256, P-384 and Ed25519 alone, and without passwords | nothing |
//!
//! The crate `openssl-src` determines the version of a vendored OpenSSL, which may be newer than 3.6. To use another
//! OpenSSL, set `OPENSSL_DIR`. With `OPENSSL_NO_VENDOR=1`, the system's OpenSSL is used regardless of features.

#[cfg(feature = "aws-lc")]
mod awslc;
#[cfg(feature = "nss")]
mod nss;
#[cfg(feature = "openssl")]
mod openssl;
#[cfg(feature = "rust-common")]
mod rust;
#[cfg_attr(
    not(all(feature = "openssl", feature = "pkcs11")),
    allow(dead_code, reason = "some parts are for some backends")
)]
pub(crate) mod shared;

#[cfg(feature = "aws-lc")]
pub use awslc::AwsLc;
#[cfg(feature = "nss")]
pub use nss::Nss;
#[cfg(feature = "openssl")]
pub use openssl::OpenSsl;
#[cfg(feature = "rust-common")]
pub use rust::PureRust;

/// Returns all built-in backends that are available on this system, with the embedded one first.
///
/// ```
/// # #[cfg(feature = "aws-lc")]
/// assert_eq!(tagwise_crypto::backends::all()[0].name(), "aws-lc");
/// ```
#[must_use]
pub fn all() -> Vec<&'static dyn crate::Backend> {
    let all: Vec<Option<&'static dyn crate::Backend>> = vec![
        #[cfg(feature = "aws-lc")]
        Some(&const { AwsLc::new() }),
        #[cfg(feature = "openssl")]
        Some(&const { OpenSsl::new() }),
        #[cfg(feature = "nss")]
        Nss::system().ok().map(|nss| nss as _),
    ];
    all.into_iter().flatten().collect()
}

/// Returns the backend with the given name, as in [`Backend::name`](crate::Backend::name).
///
/// # Errors
/// Returns [`ErrorKind::NotOffered`](crate::ErrorKind::NotOffered) if it is not built in, or its library is missing.
pub fn named(name: &str) -> Result<&'static dyn crate::Backend, crate::Error> {
    #[cfg(feature = "nss")]
    if name == "nss" {
        return Ok(Nss::system()?);
    }
    let found = all().into_iter().find(|backend| backend.name() == name);
    found.ok_or_else(|| crate::Error::new(crate::ErrorKind::NotOffered, format_args!("the backend {name}")))
}

/// Certification requests.
pub mod csr;
/// Extensions of certificates, revocation lists and their entries.
pub mod extensions;
/// Logotypes: pictures and sounds of communities, issuers and subjects.
#[cfg(feature = "rare-extensions")]
pub mod logotype;
/// Extensions that say which IP addresses and autonomous systems a subject holds.
#[cfg(feature = "rare-extensions")]
pub mod resources;

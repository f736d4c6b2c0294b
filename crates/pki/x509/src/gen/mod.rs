/// Certification requests.
pub mod csr;
/// Extensions of certificates, revocation lists and their entries.
pub mod extensions;
/// Logotypes: images and sounds that represent communities, issuers and subjects.
#[cfg(feature = "rare-extensions")]
pub mod logotype;
/// Extensions for the IP addresses and autonomous systems of a subject.
#[cfg(feature = "rare-extensions")]
pub mod resources;

//! A certificate that owns its octets: for collections, threads and bindings.

use core::fmt;
use std::sync::Arc;

use self_cell::self_cell;
use tagwise_codec::{Decode, Error, Options};

use crate::cert::Certificate;

self_cell!(
    struct Cell {
        owner: Box<[u8]>,
        #[covariant]
        dependent: Certificate,
    }
);

/// A [`Certificate`] and its octets in one value without a lifetime: as large as a pointer, parsed once, shared by its clones.
///
/// ```no_run
/// use tagwise_pkix::CertificateBuf;
/// let certificate = CertificateBuf::from_der(std::fs::read("certificate.der")?)?;
/// let subject = std::thread::spawn(move || certificate.get().tbs_certificate.subject.to_string());
/// println!("{}", subject.join().unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CertificateBuf(Arc<Cell>);

impl CertificateBuf {
    /// Checks every octet, as [`from_der`](Decode::from_der) does.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn from_der(der: impl Into<Box<[u8]>>) -> Result<Self, Error> {
        let cell = Cell::try_new(der.into(), |der| Certificate::from_der(der))?;
        Ok(Self(Arc::new(cell)))
    }

    /// Reads the frame, as [`outline`](Decode::outline) does.
    ///
    /// # Errors
    /// What is wrong with the frame.
    pub fn outline(der: impl Into<Box<[u8]>>) -> Result<Self, Error> {
        Self::outline_with(der, &Options::der())
    }

    /// Reads the frame under options.
    ///
    /// # Errors
    /// What is wrong with the frame and not tolerated.
    pub fn outline_with(der: impl Into<Box<[u8]>>, options: &Options<'_>) -> Result<Self, Error> {
        let cell = Cell::try_new(der.into(), |der| options.outline::<Certificate<'_>>(der).map(|read| read.value))?;
        Ok(Self(Arc::new(cell)))
    }

    /// The certificate.
    #[must_use]
    pub fn get(&self) -> &Certificate<'_> {
        self.0.borrow_dependent()
    }

    /// Its octets.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        self.0.borrow_owner()
    }
}

impl fmt::Debug for CertificateBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl PartialEq for CertificateBuf {
    fn eq(&self, other: &Self) -> bool {
        self.as_der() == other.as_der()
    }
}

impl Eq for CertificateBuf {}

const _: () = {
    const fn is_shared_among_threads<T: Send + Sync>() {}
    is_shared_among_threads::<CertificateBuf>();
};

impl core::hash::Hash for CertificateBuf {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.as_der().hash(state);
    }
}

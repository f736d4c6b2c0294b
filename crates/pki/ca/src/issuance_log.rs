//! The log in which a CA records the certificates that it issues, for Merkle Tree Certificates.

use core::fmt::Debug;
use core::time::Duration;

use tagwise_pkix::UnixTime;

use crate::{Error, Serial};

/// A log in which a CA records each certificate that it issues. Each logged certificate has a counterpart with the same
/// subject, names, key and validity: a Merkle Tree Certificate, which is proved by the log instead of signed by the CA.
pub trait IssuanceLog: Debug + Send + Sync {
    /// Logs issued certificates in DER, unless they are already logged. When this method returns, the log's signed
    /// checkpoint contains them.
    ///
    /// # Errors
    /// Returns [`Error::Unconfirmed`] if the log fails.
    fn add(&self, certificates: &[(&Serial, &[u8])], now: UnixTime) -> Result<(), Error>;

    /// Returns the standalone counterpart of a certificate, which contains the signatures of the log. Returns `None` if the
    /// certificate is not logged.
    ///
    /// # Errors
    /// Returns any error from the log.
    fn standalone(&self, serial: &Serial) -> Result<Option<LogCertificate>, Error>;

    /// Returns the counterpart of a certificate relative to a landmark, which contains no signatures. Returns `None` if
    /// there is no landmark yet that contains it.
    ///
    /// # Errors
    /// Returns any error from the log.
    fn landmark_relative(&self, serial: &Serial, now: UnixTime) -> Result<Option<LogCertificate>, Error>;

    /// Finds the certificate of a counterpart in either form, and returns its serial number. Returns `None` for other
    /// certificates.
    ///
    /// # Errors
    /// Returns any error from the log.
    fn serial_of(&self, counterpart: &[u8]) -> Result<Option<Serial>, Error>;

    /// Returns the certificate of the log's CA in DER, the trust anchor of the counterparts.
    fn anchor(&self) -> &[u8];

    /// The time between two landmarks.
    fn landmark_interval(&self) -> Duration;
}

/// A certificate proved by a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogCertificate {
    /// The certificate in DER.
    pub der: Vec<u8>,
    /// The encoded list of properties (`CertificatePropertyList`, draft-ietf-tls-trust-anchor-ids), from which a TLS server
    /// selects a certificate.
    pub properties: Vec<u8>,
}

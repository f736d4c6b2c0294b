//! The Merkle Tree Certificate log of a CA, in files beside its database.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tagwise_ca::{Error, IssuanceLog, LogCertificate, Serial};
use tagwise_codec::{Decode, pem};
use tagwise_crypto::{Backend, PasswordOptions, PrivateKey, PrivateKeyInfo, Secret, decrypt_key};
use tagwise_mtc::MtcCertificate;
use tagwise_mtc::crypto::CosignerKey;
use tagwise_mtc::landmark::LandmarkSchedule;
use tagwise_mtc_log::{Certified, Log, Synchronous, entry_of_tbs};
use tagwise_pkix::oids::files::label;
use tagwise_pkix::{Certificate, UnixTime};

/// The files of a CA's log. For the database `ca.db`, they are `ca.mtc.db`, `ca.mtc.key` and `ca.mtc.pem`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFiles {
    /// The log.
    pub log: PathBuf,
    /// The log's private key, which is encrypted if there is a passphrase.
    pub key: PathBuf,
    /// The certificate of the log's CA.
    pub certificate: PathBuf,
}

/// A CA's log with its key, in use by a service.
pub struct CaLog {
    files: LogFiles,
    /// One operation at a time: SQLite has one writer.
    state: Mutex<(Log, CosignerKey)>,
    anchor: Vec<u8>,
}

impl fmt::Debug for CaLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CaLog").field("files", &self.files).finish_non_exhaustive()
    }
}

fn said(path: &Path, error: impl fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

/// A time as logs store it.
fn seconds(time: UnixTime) -> u64 {
    u64::try_from(time.0).unwrap_or_default()
}

impl LogFiles {
    /// Returns the paths for a database, even if the files do not exist.
    #[must_use]
    pub fn beside(db: &Path) -> Self {
        let with = |ending: &str| db.with_extension(ending);
        Self { log: with("mtc.db"), key: with("mtc.key"), certificate: with("mtc.pem") }
    }

    /// Returns whether the CA was created with a log. If only its key is left, opening the log fails.
    #[must_use]
    pub fn are_there(&self) -> bool {
        self.log.exists() || self.key.exists()
    }

    /// Reads the log's private key. The passphrase is only needed if the key is encrypted.
    ///
    /// # Errors
    /// The file and the reason.
    pub fn private_key(
        &self,
        backend: &dyn Backend,
        passphrase: Option<&Secret>,
    ) -> Result<Arc<dyn PrivateKey>, String> {
        let failed = |error: &dyn fmt::Display| said(&self.key, error);
        let text = Secret::from(std::fs::read(&self.key).map_err(|error| failed(&error))?);
        let block = pem::blocks(text.expose()).next().and_then(Result::ok);
        let block = block.ok_or_else(|| failed(&"it contains no private key"))?;
        let der = Secret::from(block.decode().map_err(|error| failed(&error))?);
        let info = match (block.label(), passphrase) {
            (label::PRIVATE_KEY, _) => PrivateKeyInfo::from_pkcs8(der.expose()),
            (_, Some(passphrase)) => decrypt_key(backend, der.expose(), passphrase.expose(), &PasswordOptions::DEFAULT),
            (_, None) => return Err(failed(&"it is encrypted with a passphrase, but the CA's own key is not")),
        };
        let info = info.map_err(|error| failed(&error))?;
        backend.private_key(&info).map_err(|error| failed(&error))
    }

    /// Opens the log and its key, and checks that the key is that of the log and of the certificate.
    ///
    /// # Errors
    /// The file and the reason, also if the log was last signed later than `now`.
    pub fn open(&self, backend: &dyn Backend, passphrase: Option<&Secret>, now: UnixTime) -> Result<CaLog, String> {
        let failed = |error: tagwise_mtc_log::Error| said(&self.log, error);
        let log = Log::open(&self.log, Synchronous::Full).map_err(failed)?;
        let key = self.private_key(backend, passphrase)?;
        let key = CosignerKey::new(log.info().ca, key).map_err(|error| said(&self.key, error))?;
        log.check_key(&key).map_err(|error| said(&self.key, error))?;
        log.check_clock(seconds(now)).map_err(failed)?;
        let anchor = self.anchor()?;
        let own = tagwise_mtc::CaCertificate::from_der(&anchor);
        let own = own.and_then(|own| tagwise_mtc::relying::TrustedAuthority::new(&own));
        let own = own.map_err(|error| said(&self.certificate, error))?;
        if own.cosigner() != key.cosigner() {
            return Err(said(&self.certificate, "it is not the certificate of the log's CA and key"));
        }
        Ok(CaLog { files: self.clone(), state: Mutex::new((log, key)), anchor })
    }

    /// Reads the certificate of the log's CA, in DER.
    fn anchor(&self) -> Result<Vec<u8>, String> {
        let failed = |error: &dyn fmt::Display| said(&self.certificate, error);
        let text = std::fs::read(&self.certificate).map_err(|error| failed(&error))?;
        let block = pem::blocks(&text).next().and_then(Result::ok);
        let block = block.filter(|block| block.label() == label::CERTIFICATE);
        let block = block.ok_or_else(|| failed(&"it contains no certificate"))?;
        block.decode().map_err(|error| failed(&error))
    }
}

/// The schedule of landmarks.
const SCHEDULE: LandmarkSchedule = LandmarkSchedule::DEFAULT;

impl CaLog {
    fn state(&self) -> MutexGuard<'_, (Log, CosignerKey)> {
        // Every change is a transaction, so a panic leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An error of the log that leaves the CA's database as it is.
    fn failed(&self, error: impl fmt::Display) -> Error {
        Error::Store { doing: "reading the log", source: said(&self.files.log, error).into() }
    }

    fn log_all(&self, certificates: &[(&Serial, &[u8])], now: UnixTime) -> Result<(), tagwise_mtc_log::Error> {
        let mut state = self.state();
        let (log, key) = &mut *state;
        let mut new = Vec::new();
        for (serial, der) in certificates {
            let index = log.index_of(serial.as_bytes())?;
            if index.map_or(Ok(None), |index| log.checkpoint_with(index))?.is_none() {
                let read = Certificate::from_der(der).map_err(|error| tagwise_mtc_log::Error::Store {
                    doing: "reading a certificate",
                    source: error.into(),
                })?;
                new.push((serial.as_bytes(), entry_of_tbs(log.info(), read.tbs_certificate.as_bytes())?));
            }
        }
        if !new.is_empty() {
            log.append_once(&new)?;
            log.checkpoint(key, &[], seconds(now))?;
        }
        Ok(())
    }
}

/// Converts a certificate of a log.
fn converted(one: Certified) -> Result<LogCertificate, tagwise_mtc_log::Error> {
    Ok(LogCertificate { properties: one.properties.encode()?, der: one.der })
}

impl IssuanceLog for CaLog {
    fn add(&self, certificates: &[(&Serial, &[u8])], now: UnixTime) -> Result<(), Error> {
        self.log_all(certificates, now).map_err(|error| Error::Unconfirmed {
            doing: "logging a certificate",
            source: said(&self.files.log, error).into(),
        })
    }

    fn standalone(&self, serial: &Serial) -> Result<Option<LogCertificate>, Error> {
        let read = || {
            let state = self.state();
            let index = state.0.index_of(serial.as_bytes())?;
            let found = index.map_or(Ok(None), |index| state.0.certificate(index))?;
            found.map(converted).transpose()
        };
        read().map_err(|error| self.failed(error))
    }

    fn landmark_relative(&self, serial: &Serial, now: UnixTime) -> Result<Option<LogCertificate>, Error> {
        let read = || {
            let mut state = self.state();
            let log = &mut state.0;
            let Some(index) = log.index_of(serial.as_bytes())? else { return Ok(None) };
            let now = seconds(now);
            let found = match log.landmark_certificate(index, now)? {
                Some(found) => Some(found),
                // Landmarks are created when they are wanted, but not before they are due.
                None if log.add_landmark(&SCHEDULE, now)?.is_some() => log.landmark_certificate(index, now)?,
                None => None,
            };
            found.map(converted).transpose()
        };
        read().map_err(|error: tagwise_mtc_log::Error| self.failed(error))
    }

    fn serial_of(&self, counterpart: &[u8]) -> Result<Option<Serial>, Error> {
        let Ok(read) = MtcCertificate::from_der(counterpart) else { return Ok(None) };
        let find = || {
            let state = self.state();
            let (log, serial) = (&state.0, read.serial());
            let is_own = *read.issuer() == log.info().ca && serial.log() == log.info().number;
            if !is_own || serial.index() >= log.size()? {
                return Ok(None);
            }
            // The proof may be that of another subtree, but the entry has every other field.
            let entries = log.entries(serial.index(), serial.index().saturating_add(1))?;
            if entries.first() != Some(&read.entry()?) {
                return Ok(None);
            }
            log.source_of(serial.index())
        };
        let source = find().map_err(|error: tagwise_mtc_log::Error| self.failed(error))?;
        Ok(source.map(|source| Serial::from_content(&source)))
    }

    fn anchor(&self) -> &[u8] {
        &self.anchor
    }

    fn landmark_interval(&self) -> Duration {
        Duration::from_secs(SCHEDULE.interval)
    }
}

//! The Merkle Tree Certificate log of a CA, in files beside its database.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tagwise_ca::{Error, IssuanceLog, LogCertificate, Serial};
use tagwise_codec::{Decode, pem};
use tagwise_crypto::{Backend, PasswordOptions, PrivateKey, PrivateKeyInfo, Secret, decrypt_key};
use tagwise_mtc::MtcCertificate;
use tagwise_mtc::crypto::CosignerKey;
use tagwise_mtc::landmark::LandmarkSchedule;
use tagwise_mtc_log::{Certified, Log, LogInfo, NewEntry, Synchronous, entry_of_tbs};
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
    info: LogInfo,
    /// One operation at a time: SQLite has one writer.
    state: Mutex<(Log, CosignerKey)>,
    /// The certificates that wait for the log.
    waiting: Mutex<Vec<Arc<Waiting>>>,
    anchor: Vec<u8>,
}

/// The certificates of a request, as serial numbers and entries, and what became of them.
struct Waiting {
    entries: Vec<(Vec<u8>, NewEntry)>,
    done: OnceLock<Result<(), String>>,
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
        let info = log.info().clone();
        Ok(CaLog { files: self.clone(), info, state: Mutex::new((log, key)), waiting: Mutex::default(), anchor })
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

    /// The certificates that wait for the log.
    fn waiting(&self) -> MutexGuard<'_, Vec<Arc<Waiting>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, serial: &Serial, der: &[u8]) -> Result<(Vec<u8>, NewEntry), String> {
        let read = Certificate::from_der(der).map_err(|error| said(&self.files.log, error))?;
        let entry = entry_of_tbs(&self.info, read.tbs_certificate.as_bytes());
        Ok((serial.as_bytes().to_vec(), entry.map_err(|error| said(&self.files.log, error))?))
    }

    /// Logs entries that are not in a signed checkpoint yet.
    fn log_all(&self, (log, key): &mut (Log, CosignerKey), jobs: &[Arc<Waiting>], now: UnixTime) -> Result<(), String> {
        let mut write = || {
            let mut new = Vec::new();
            for (source, entry) in jobs.iter().flat_map(|job| &job.entries) {
                let index = log.index_of(source)?;
                if index.map_or(Ok(None), |index| log.checkpoint_with(index))?.is_none() {
                    new.push((source.as_slice(), entry.clone()));
                }
            }
            if !new.is_empty() {
                log.append_once(&new)?;
                log.checkpoint(key, &[], seconds(now))?;
            }
            Ok(())
        };
        write().map_err(|error: tagwise_mtc_log::Error| said(&self.files.log, error))
    }

    /// Logs what is waiting, at least `own`.
    fn log_waiting(&self, own: &Arc<Waiting>, now: UnixTime) {
        let mut state = self.state();
        if own.done.get().is_some() {
            return;
        }
        let mut jobs = std::mem::take(&mut *self.waiting());
        // Another request has taken it, and has panicked.
        if !jobs.iter().any(|job| Arc::ptr_eq(job, own)) {
            jobs.push(Arc::clone(own));
        }
        let done = self.log_all(&mut state, &jobs, now);
        for job in &jobs {
            // An entry that the log refuses must not fail the others.
            let done = if done.is_err() && jobs.len() > 1 {
                self.log_all(&mut state, std::slice::from_ref(job), now)
            } else {
                done.clone()
            };
            let _ = job.done.set(done);
        }
    }
}

/// Converts a certificate of a log.
fn converted(one: Certified) -> Result<LogCertificate, tagwise_mtc_log::Error> {
    Ok(LogCertificate { properties: one.properties.encode()?, der: one.der })
}

impl IssuanceLog for CaLog {
    fn add(&self, certificates: &[(&Serial, &[u8])], now: UnixTime) -> Result<(), Error> {
        let entries = certificates.iter().map(|(serial, der)| self.entry(serial, der)).collect::<Result<_, _>>();
        let done = entries.and_then(|entries| {
            let own = Arc::new(Waiting { entries, done: OnceLock::new() });
            self.waiting().push(Arc::clone(&own));
            self.log_waiting(&own, now);
            own.done.get().cloned().unwrap_or_else(|| Err(said(&self.files.log, "nothing was logged")))
        });
        done.map_err(|what| Error::Unconfirmed { doing: "logging a certificate", source: what.into() })
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

#[cfg(test)]
mod tests {
    use tagwise_crypto::backends::AwsLc;
    use tagwise_crypto::{KeySigner, KeyType};
    use tagwise_mtc::{Draft, NewCaCertificate, Serial as LogSerial, TrustAnchorId};
    use tagwise_pkix::build::CertificateBuilder;

    use super::*;

    const NOW: UnixTime = UnixTime(1_800_000_000);

    fn open(folder: &Path) -> CaLog {
        let backend = AwsLc::new();
        let files = LogFiles::beside(&folder.join("ca.db"));
        let id: TrustAnchorId = "32473.1".parse().unwrap();
        let info = LogInfo::new(id, 1, Draft::V07).unwrap();
        let key = backend.generate(KeyType::MlDsa44).unwrap();
        let new = NewCaCertificate {
            id,
            draft: info.draft,
            key_info: key.public_key_info(),
            min_serial: LogSerial::MIN,
            max_serial: LogSerial::MAX,
            validity: (NOW, UnixTime(NOW.0 + 86_400)),
        };
        let der = new.to_der().unwrap();
        std::fs::write(&files.certificate, pem::encode(label::CERTIFICATE, &der).unwrap()).unwrap();
        let pkcs8 = key.to_pkcs8().unwrap();
        std::fs::write(&files.key, pem::encode(label::PRIVATE_KEY, pkcs8.expose()).unwrap()).unwrap();
        let mut log = Log::create(&files.log, &info, Synchronous::Normal, seconds(NOW)).unwrap();
        log.checkpoint(&CosignerKey::new(id, key).unwrap(), &[], seconds(NOW)).unwrap();
        drop(log);
        files.open(&backend, None, NOW).unwrap()
    }

    fn certificate(name: &str) -> (Serial, Vec<u8>) {
        let key = AwsLc::new().generate(KeyType::P256).unwrap();
        let signer = KeySigner::preferred(key).unwrap();
        let built = CertificateBuilder::new().subject(name).unwrap().self_signed(&signer).unwrap();
        let der = built.as_der().to_vec();
        let serial = Serial::from_int(Certificate::from_der(&der).unwrap().tbs_certificate.serial_number.0);
        (serial, der)
    }

    #[test]
    fn waiting_certificates_share_a_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let log = open(folder.path());
        let all: Vec<_> = (0..8).map(|index| certificate(&format!("CN={index}"))).collect();
        std::thread::scope(|scope| {
            let busy = log.state();
            for (serial, der) in &all {
                scope.spawn(|| log.add(&[(serial, der)], NOW).unwrap());
            }
            while log.waiting().len() < all.len() {
                std::thread::yield_now();
            }
            drop(busy);
        });
        for (serial, _) in &all {
            assert!(log.standalone(serial).unwrap().is_some());
        }
        let state = log.state();
        assert_eq!(state.0.checkpoint_with(0).unwrap().unwrap().size, 8);
        assert_eq!((state.0.size().unwrap(), log.waiting().len()), (8, 0));
    }

    #[test]
    fn refused_entries_fail_alone() {
        let folder = tempfile::tempdir().unwrap();
        let log = open(folder.path());
        let (good, bad) = (certificate("CN=good"), certificate("CN=bad"));
        let broken = NewEntry { entry: vec![0; 3], key: None };
        let broken = Arc::new(Waiting { entries: vec![(bad.0.as_bytes().to_vec(), broken)], done: OnceLock::new() });
        log.waiting().push(Arc::clone(&broken));
        log.add(&[(&good.0, &good.1)], NOW).unwrap();
        assert!(broken.done.get().unwrap().is_err());
        assert!(log.standalone(&good.0).unwrap().is_some());
        assert!(log.standalone(&bad.0).unwrap().is_none());
        // Another request has taken this one, and has panicked.
        let entries = vec![log.entry(&bad.0, &bad.1).unwrap()];
        let lost = Arc::new(Waiting { entries, done: OnceLock::new() });
        log.log_waiting(&lost, NOW);
        assert_eq!(lost.done.get(), Some(&Ok(())));
        assert_eq!(log.state().0.size().unwrap(), 2);
    }
}

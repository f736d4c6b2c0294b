//! The log of a CA that was created with `--mtc`. Everything that the CA signs is also logged, so that each certificate has
//! a Merkle Tree Certificate counterpart.
//!
//! The log, its key and its CA certificate are files next to the database: for `ca.db`, they are `ca.mtc.db`, `ca.mtc.key`
//! and `ca.mtc.pem`.

use std::path::Path;

use tagwise_ca::store::AuthorityId;
use tagwise_ca::{IssuanceLog, Issued, LogCertificate, Store};
use tagwise_crypto::{KeyType, Secret};
use tagwise_daemon::CaLog;
use tagwise_mtc::crypto::CosignerKey;
use tagwise_mtc::{Draft, MtcCertificate, NewCaCertificate, Serial, TrustAnchorId};
use tagwise_mtc_log::{Log, LogInfo, Synchronous};
use tagwise_pkix::UnixTime;
use tagwise_pkix::oids::files::label;

use crate::shared::backend::EMBEDDED;
use crate::shared::issuing::armoured;
use crate::shared::keys::{deliver_key, key_text, refused};
use crate::shared::moment::now;
use crate::shared::output::{Access, Failure, name_of, write};

/// The files of a CA's log.
pub(super) struct LogFiles(pub(super) tagwise_daemon::LogFiles);

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::negative(format!("{}: {error}", name_of(path)))
}

fn seconds(time: UnixTime) -> u64 {
    u64::try_from(time.0).unwrap_or_default()
}

impl LogFiles {
    /// Returns the paths of the log files for the given database, even if the files do not exist.
    pub(super) fn beside(db: &Path) -> Self {
        Self(tagwise_daemon::LogFiles::beside(db))
    }

    /// Returns whether the CA was created with a log.
    pub(super) fn are_there(&self) -> bool {
        self.0.are_there()
    }

    /// Returns an error if any of the log files already exists.
    pub(super) fn are_free(&self) -> Result<(), Failure> {
        match [&self.0.log, &self.0.key, &self.0.certificate].into_iter().find(|path| path.exists()) {
            Some(path) => Err(failed(path, &"it already exists")),
            None => Ok(()),
        }
    }

    /// Creates a log with a new key, which is encrypted if there is a passphrase.
    pub(super) fn make(
        &self,
        id: TrustAnchorId,
        passphrase: Option<&Secret>,
        validity: (UnixTime, UnixTime),
    ) -> Result<(), Failure> {
        let info = LogInfo::new(id, 1, Draft::V07).map_err(|error| failed(&self.0.log, &error))?;
        let key = EMBEDDED.generate(KeyType::MlDsa44).map_err(|error| refused(&error))?;
        let new = NewCaCertificate {
            id,
            draft: info.draft,
            key_info: key.public_key_info(),
            min_serial: Serial::MIN,
            max_serial: Serial::MAX,
            validity,
        };
        let pem = armoured(label::CERTIFICATE, &new.to_der().map_err(|error| failed(&self.0.certificate, &error))?)?;
        let pkcs8 = key.to_pkcs8().map_err(|error| refused(&error))?;
        // The key is on disk before anything is signed with it.
        deliver_key(EMBEDDED, &pkcs8, passphrase, Some(&self.0.key), &mut std::io::sink())?;
        let written = write(&self.0.certificate, pem.as_bytes(), Access::Public);
        written.map_err(|error| Failure::file(&self.0.certificate, "written", &error))?;
        let made = Log::create(&self.0.log, &info, Synchronous::Full, seconds(validity.0));
        // The empty tree is signed, so that the log knows its key from the beginning.
        let cosigner = CosignerKey::new(id, key).map_err(|error| failed(&self.0.key, &error))?;
        let signed = made.and_then(|mut log| log.checkpoint(&cosigner, &[], seconds(validity.0)));
        signed.map(drop).map_err(|error| failed(&self.0.log, &error))
    }

    /// Opens the log and its key. Called before anything is signed.
    pub(super) fn open(&self, passphrase: Option<&Secret>) -> Result<CaLog, Failure> {
        self.0.open(EMBEDDED, passphrase, now()).map_err(Failure::negative)
    }

    /// Returns the policy statements with which relying parties reject revoked certificates: a line for each range of entries
    /// whose certificates are revoked or on hold, and have not expired.
    pub(super) fn revoked(&self, store: &mut dyn Store, of: AuthorityId, now: UnixTime) -> Result<String, Failure> {
        let log_failed = |error: tagwise_mtc_log::Error| failed(&self.0.log, &error);
        let log = Log::open(&self.0.log, Synchronous::Full).map_err(log_failed)?;
        let mut serials = Vec::new();
        let walk = store.certificates(of, &mut |record| {
            if record.revocation.is_some() && record.not_after >= now {
                serials.push(record.serial);
            }
            Ok(())
        });
        walk.map_err(|error| Failure::negative(error.to_string()))?;
        let mut indexes = Vec::new();
        for serial in serials {
            indexes.extend(log.index_of(serial.as_bytes()).map_err(log_failed)?);
        }
        indexes.sort_unstable();
        let (ca, number) = (log.info().ca, log.info().number);
        let ranges = indexes.chunk_by(|before, after| before.saturating_add(1) == *after);
        let ends = ranges.filter_map(|range| range.first().zip(range.last()));
        Ok(ends.map(|(first, last)| format!("revoke-range {ca} {number}:{first} {number}:{last}\n")).collect())
    }

    /// Encrypts the log's key with a new passphrase. If an earlier attempt did so but did not change the CA's own key, the log's key is
    /// left as it is.
    pub(super) fn protect(&self, old: Option<&Secret>, new: Option<&Secret>) -> Result<(), Failure> {
        let read = |passphrase| self.0.private_key(EMBEDDED, passphrase).map_err(Failure::negative);
        let key = match read(old) {
            Ok(key) => key,
            Err(failure) => return read(new).map(drop).map_err(|_changed_before| failure),
        };
        let pkcs8 = key.to_pkcs8().map_err(|error| refused(&error))?;
        let text = key_text(EMBEDDED, &pkcs8, new)?;
        let written = write(&self.0.key, text.expose(), Access::PrivateInPlace);
        written.map_err(|error| Failure::file(&self.0.key, "written", &error))
    }
}

/// Logs one of the CA's certificates, signs the log, and returns the Merkle Tree Certificate with its serial number.
pub(super) fn certify(log: &CaLog, issued: &Issued, now: UnixTime) -> Result<(Serial, LogCertificate), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::negative(error.to_string());
    log.add(&[(&issued.serial, &issued.der)], now).map_err(|error| failed(&error))?;
    let found = log.standalone(&issued.serial).map_err(|error| failed(&error))?;
    let found = found.ok_or_else(|| failed(&format_args!("the certificate {} is not logged", issued.serial)))?;
    let serial = MtcCertificate::from_der(&found.der).map_err(|error| failed(&error))?.serial();
    Ok((serial, found))
}

//! The log of a CA that was created with `--mtc`. Everything that the CA signs is also logged, so that each certificate has
//! a Merkle Tree Certificate counterpart.
//!
//! The log, its key and its CA certificate are files next to the database: for `ca.db`, they are `ca.mtc.db`, `ca.mtc.key`
//! and `ca.mtc.pem`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tagwise_pkix::oids::files::label;

use tagwise_codec::{Decode, pem};
use tagwise_crypto::{KeyType, PasswordOptions, PrivateKey, PrivateKeyInfo, Secret, decrypt_key};
use tagwise_mtc::crypto::CosignerKey;
use tagwise_mtc::{Draft, NewCaCertificate, Serial, TrustAnchorId};
use tagwise_mtc_log::{Certified, Log, LogInfo, Synchronous, entry_of_tbs};
use tagwise_pkix::{Certificate, UnixTime};

use crate::shared::backend::EMBEDDED;
use crate::shared::issuing::armoured;
use crate::shared::keys::{deliver_key, key_text, refused};
use crate::shared::moment::now;
use crate::shared::output::{Access, Failure, name_of, write};

/// The files of a CA's log.
pub(super) struct LogFiles {
    pub(super) log: PathBuf,
    pub(super) key: PathBuf,
    pub(super) certificate: PathBuf,
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::negative(format!("{}: {error}", name_of(path)))
}

fn seconds(time: UnixTime) -> u64 {
    u64::try_from(time.0).unwrap_or_default()
}

impl LogFiles {
    /// Returns the paths of the log files for the given database, even if the files do not exist.
    pub(super) fn beside(db: &Path) -> Self {
        let with = |ending: &str| db.with_extension(ending);
        Self { log: with("mtc.db"), key: with("mtc.key"), certificate: with("mtc.pem") }
    }

    /// Returns whether the log's files exist, so that the CA was created with a log.
    pub(super) fn are_there(&self) -> bool {
        self.log.exists()
    }

    /// Returns an error if any of the log files already exists.
    pub(super) fn are_free(&self) -> Result<(), Failure> {
        match [&self.log, &self.key, &self.certificate].into_iter().find(|path| path.exists()) {
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
        let info = LogInfo::new(id, 1, Draft::V07).map_err(|error| failed(&self.log, &error))?;
        let key = EMBEDDED.generate(KeyType::MlDsa44).map_err(|error| refused(&error))?;
        let new = NewCaCertificate {
            id,
            draft: info.draft,
            key_info: key.public_key_info(),
            min_serial: Serial::MIN,
            max_serial: Serial::MAX,
            validity,
        };
        let pem = armoured(label::CERTIFICATE, &new.to_der().map_err(|error| failed(&self.certificate, &error))?)?;
        let pkcs8 = key.to_pkcs8().map_err(|error| refused(&error))?;
        // The key is on disk before anything is signed with it.
        deliver_key(EMBEDDED, &pkcs8, passphrase, Some(&self.key), &mut std::io::sink())?;
        let written = write(&self.certificate, pem.as_bytes(), Access::Public);
        written.map_err(|error| Failure::file(&self.certificate, "written", &error))?;
        let made = Log::create(&self.log, &info, Synchronous::Full, seconds(validity.0));
        // The empty tree is signed, so that the log knows its key from the beginning.
        let cosigner = CosignerKey::new(id, key).map_err(|error| failed(&self.key, &error))?;
        let signed = made.and_then(|mut log| log.checkpoint(&cosigner, &[], seconds(validity.0)));
        signed.map(drop).map_err(|error| failed(&self.log, &error))
    }

    /// Opens the log and its key. Called before anything is signed.
    pub(super) fn open(&self, passphrase: Option<&Secret>) -> Result<(Log, CosignerKey), Failure> {
        let log = Log::open(&self.log, Synchronous::Full).map_err(|error| failed(&self.log, &error))?;
        let key = self.private_key(passphrase)?;
        let key = CosignerKey::new(log.info().ca, key).map_err(|error| failed(&self.key, &error))?;
        log.check_key(&key).map_err(|error| failed(&self.key, &error))?;
        log.check_clock(seconds(now())).map_err(|error| failed(&self.log, &error))?;
        Ok((log, key))
    }

    fn private_key(&self, passphrase: Option<&Secret>) -> Result<Arc<dyn PrivateKey>, Failure> {
        let octets = std::fs::read(&self.key).map_err(|error| Failure::file(&self.key, "read", &error))?;
        let text = Secret::from(octets);
        let block = pem::blocks(text.expose()).next().and_then(Result::ok);
        let block = block.ok_or_else(|| failed(&self.key, &"it contains no private key"))?;
        let der = Secret::from(block.decode().map_err(|error| failed(&self.key, &error))?);
        let info = match (block.label(), passphrase) {
            (label::PRIVATE_KEY, _) => PrivateKeyInfo::from_pkcs8(der.expose()),
            (_, Some(passphrase)) => {
                decrypt_key(EMBEDDED, der.expose(), passphrase.expose(), &PasswordOptions::DEFAULT)
            }
            (_, None) => {
                return Err(failed(&self.key, &"it is encrypted with a passphrase, but the CA's own key is not"));
            }
        };
        let info = info.map_err(|error| failed(&self.key, &error))?;
        EMBEDDED.private_key(&info).map_err(|error| failed(&self.key, &error))
    }

    /// Encrypts the log's key with a new passphrase. If an earlier attempt did so but did not change the CA's own key, the log's key is
    /// left as it is.
    pub(super) fn protect(&self, old: Option<&Secret>, new: Option<&Secret>) -> Result<(), Failure> {
        let key = match self.private_key(old) {
            Ok(key) => key,
            Err(failure) => return self.private_key(new).map(drop).map_err(|_changed_before| failure),
        };
        let pkcs8 = key.to_pkcs8().map_err(|error| refused(&error))?;
        let text = key_text(EMBEDDED, &pkcs8, new)?;
        let written = write(&self.key, text.expose(), Access::PrivateInPlace);
        written.map_err(|error| Failure::file(&self.key, "written", &error))
    }

    /// Logs one of the CA's certificates, signs the log, and returns the Merkle Tree Certificate.
    pub(super) fn certify(
        &self,
        (log, key): &mut (Log, CosignerKey),
        certificate: &[u8],
        now: UnixTime,
    ) -> Result<Certified, Failure> {
        let read = Certificate::from_der(certificate).map_err(|error| failed(&self.log, &error))?;
        let entry = entry_of_tbs(log.info(), read.tbs_certificate.as_bytes());
        let log_failed = |error: tagwise_mtc_log::Error| failed(&self.log, &error);
        let index = log.append(&[entry.map_err(log_failed)?]).map_err(log_failed)?;
        log.checkpoint(key, &[], seconds(now)).map_err(log_failed)?;
        let found = log.certificate(index).map_err(log_failed)?;
        found.ok_or_else(|| failed(&self.log, &"the entry has no certificate"))
    }
}

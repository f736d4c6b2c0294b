//! Request handlers: tlog-tiles and landmarks for logs, tlog-witness, and tlog-mirror.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use tagwise_codec::pem;
use tagwise_codec::text::hex;
use tagwise_crypto::Backend;
use tagwise_mtc::crypto::BackendCheck;
use tagwise_mtc::tile::TilePath;
use tagwise_mtc::{PROPERTIES_LABEL, hash};
use tagwise_pkix::oids::files::label;

use super::{Answer, IMMUTABLE, Service};
use crate::witness::TEXT;
use crate::{Certified, Error, Log, Mirror, Reply, Witness, publish};

const TILE: &str = "application/octet-stream";
const CHAIN: &str = "application/pem-certificate-chain-with-properties";
/// The maximum size of an `add-checkpoint` request, in bytes: enough for 63 hashes and a hundred ML-DSA signatures.
const MAX_CHECKPOINT: usize = 512 * 1024;
/// The maximum size of an `add-entries` request, in bytes: enough for several thousand entries.
const MAX_ENTRIES: usize = 16 * 1024 * 1024;

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Locks a mutex. A poisoned mutex is safe to use, because the state is in the database and is never left half-changed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn not_found() -> Answer {
    Answer { reply: Reply::text(404, "Not found.\n"), max_age: 0 }
}

fn answered(done: Result<Reply, Error>) -> Answer {
    let reply = done.unwrap_or_else(|_failure| Reply::text(500, "Internal error.\n"));
    Answer { reply, max_age: 0 }
}

fn text(body: String, max_age: u64) -> Answer {
    Answer { reply: Reply { status: 200, media_type: TEXT, body: body.into_bytes() }, max_age }
}

fn tile(done: Result<Vec<u8>, Error>) -> Answer {
    match done {
        Ok(body) => Answer { reply: Reply { status: 200, media_type: TILE, body }, max_age: IMMUTABLE },
        Err(Error::Missing(_)) => not_found(),
        Err(error) => answered(Err(error)),
    }
}

/// Serves a log's resources under its number: `1/checkpoint`, `1/tile/…` and `1/landmarks`, and the non-standard
/// `1/certificate/INDEX` and `1/landmark-certificate/INDEX`.
#[derive(Debug)]
pub struct LogService(Mutex<Log>);

impl LogService {
    /// Creates a service for a log.
    #[must_use]
    pub const fn new(log: Log) -> Self {
        Self(Mutex::new(log))
    }
}

impl Service for LogService {
    fn max_body(&self, _path: &str) -> Option<usize> {
        None
    }

    fn answer(&self, path: &str, _body: Option<&[u8]>) -> Answer {
        let log = locked(&self.0);
        let prefix = log.info().number.to_string();
        let Some(path) = path.strip_prefix(&prefix).and_then(|path| path.strip_prefix('/')) else {
            return not_found();
        };
        let last = match log.last_checkpoint() {
            Ok(Some(last)) => last,
            Ok(None) => return not_found(),
            Err(error) => return answered(Err(error)),
        };
        if path.starts_with("tile/") {
            return match TilePath::parse(path) {
                Ok(path) => tile(publish::tile_bytes(&log, &path, last.size)),
                Err(_malformed) => not_found(),
            };
        }
        match path.split_once('/') {
            None if path == "checkpoint" => text(last.note, 1),
            None if path == "landmarks" => match log.landmarks(now()) {
                Ok(document) => text(document.to_string(), 60),
                Err(error) => answered(Err(error)),
            },
            Some(("certificate", index)) => certified(index, |index| log.certificate(index)),
            Some(("landmark-certificate", index)) => certified(index, |index| log.landmark_certificate(index, now())),
            _ => not_found(),
        }
    }
}

fn certified(index: &str, find: impl FnOnce(u64) -> Result<Option<Certified>, Error>) -> Answer {
    let Some(index) = index.parse().ok().filter(|index: &u64| index.to_string().len() <= 15) else {
        return not_found();
    };
    let found = match find(index) {
        Ok(Some(found)) => found,
        Ok(None) | Err(Error::Missing(_)) => return not_found(),
        Err(error) => return answered(Err(error)),
    };
    let chain = || {
        let properties = pem::encode(PROPERTIES_LABEL, &found.properties.encode().ok()?).ok()?;
        Some(properties + &pem::encode(label::CERTIFICATE, &found.der).ok()?)
    };
    match chain() {
        Some(chain) => {
            Answer { reply: Reply { status: 200, media_type: CHAIN, body: chain.into_bytes() }, max_age: 60 }
        }
        None => answered(Err(Error::Missing("certificate"))),
    }
}

/// Serves a witness: `add-checkpoint`, `sign-subtree`, and `HASH/checkpoint` for monitors.
#[derive(Debug)]
pub struct WitnessService {
    witness: Mutex<Witness>,
    check: BackendCheck<'static>,
}

impl WitnessService {
    /// Creates a service for a witness.
    #[must_use]
    pub fn new(witness: Witness, backend: &'static dyn Backend) -> Self {
        Self { witness: Mutex::new(witness), check: BackendCheck::new(backend) }
    }
}

impl Service for WitnessService {
    fn max_body(&self, path: &str) -> Option<usize> {
        matches!(path, "add-checkpoint" | "sign-subtree").then_some(MAX_CHECKPOINT)
    }

    fn answer(&self, path: &str, body: Option<&[u8]>) -> Answer {
        let mut witness = locked(&self.witness);
        match (path, body) {
            ("add-checkpoint", Some(body)) => answered(witness.add_checkpoint(body, now(), &self.check)),
            ("sign-subtree", Some(body)) => answered(witness.sign_subtree(body, &self.check)),
            (path, None) => match path.split_once('/') {
                Some((name, "checkpoint")) => match witness.monitored(name) {
                    Ok(Some(last)) => text(last.note, 1),
                    Ok(None) => not_found(),
                    Err(error) => answered(Err(error)),
                },
                _ => not_found(),
            },
            _ => not_found(),
        }
    }
}

/// Serves a mirror: `add-checkpoint`, `add-entries`, `sign-subtree`, and the log's resources under the hash of its name.
#[derive(Debug)]
pub struct MirrorService {
    mirror: Mutex<Mirror>,
    check: BackendCheck<'static>,
    prefix: String,
}

impl MirrorService {
    /// Creates a service for a mirror.
    #[must_use]
    pub fn new(mirror: Mirror, backend: &'static dyn Backend) -> Self {
        let prefix = hex::encode(&hash::plain(mirror.origin().as_bytes()));
        Self { mirror: Mutex::new(mirror), check: BackendCheck::new(backend), prefix }
    }
}

impl Service for MirrorService {
    fn max_body(&self, path: &str) -> Option<usize> {
        match path {
            "add-checkpoint" | "sign-subtree" => Some(MAX_CHECKPOINT),
            "add-entries" => Some(MAX_ENTRIES),
            _ => None,
        }
    }

    fn answer(&self, path: &str, body: Option<&[u8]>) -> Answer {
        let mut mirror = locked(&self.mirror);
        match (path, body) {
            ("add-checkpoint", Some(body)) => answered(mirror.add_checkpoint(body, &self.check)),
            ("add-entries", Some(body)) => answered(mirror.add_entries(body, now())),
            ("sign-subtree", Some(body)) => answered(mirror.sign_subtree(body, &self.check)),
            (path, None) => match path.strip_prefix(&self.prefix).and_then(|path| path.strip_prefix('/')) {
                Some("checkpoint") => match mirror.last() {
                    Ok(Some(last)) => text(last.note, 1),
                    Ok(None) => not_found(),
                    Err(error) => answered(Err(error)),
                },
                Some(path) => match TilePath::parse(path) {
                    Ok(path) => tile(mirror.tile(&path)),
                    Err(_malformed) => not_found(),
                },
                None => not_found(),
            },
            _ => not_found(),
        }
    }
}

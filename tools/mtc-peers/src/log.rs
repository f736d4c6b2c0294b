//! A log with several batches, cosigners and landmarks, as created by Tagwise.

use std::path::Path;
use std::sync::Arc;

use tagwise_codec::{Ia5, SeqOf};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeyType, PrivateKey};
use tagwise_mtc::crypto::{BackendCheck, CosignerKey};
use tagwise_mtc::landmark::LandmarkSchedule;
use tagwise_mtc::tree::cover;
use tagwise_mtc::{CosignerAlgorithm, Draft, Hash, NewCaCertificate, Serial, TrustAnchorId};
use tagwise_mtc_log::{Certified, Log, LogInfo, NewEntry, Synchronous, Template, entry_of, publish};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::{GeneralName, GeneralNames};

use crate::Failure;

/// The signature backend.
pub(crate) static BACKEND: AwsLc = AwsLc::new();
/// A time within the validity periods of all certificates.
pub(crate) const NOW: i64 = 1_790_000_000;
/// The sizes of checkpoints: tiles that are full, partial, and of one hash.
const SIZES: [u64; 7] = [1, 2, 7, 256, 300, 513, 1000];

/// All data that the peers check.
pub(crate) struct Made {
    pub(crate) ca: Vec<u8>,
    /// The CA certificate `ca`, with the largest possible `mtcMaxSerial`.
    pub(crate) largest: Vec<u8>,
    /// The other cosigners, one for each algorithm.
    pub(crate) cosigners: Vec<CosignerKey>,
    pub(crate) standalone: Vec<Certified>,
    pub(crate) relative: Vec<Certified>,
    /// The log, start, end and hash of the landmarks' subtrees.
    pub(crate) trusted: Vec<(u16, u64, u64, Hash)>,
    pub(crate) landmarks: String,
}

fn entry(info: &LogInfo, number: u64) -> Result<NewEntry, Failure> {
    if number % 100 == 99 {
        return Ok(NewEntry::null());
    }
    let name = format!("host{number}.example.org");
    let names = [GeneralName::DnsName(Ia5::new(&name)?)];
    let template = Template {
        subject: &[0x30, 0],
        alt_names: Some(GeneralNames(SeqOf::from_slice(&names))),
        key_info: &CosignerAlgorithm::Ed25519.key_info(&[number as u8; 32]),
        validity: (UnixTime(NOW - 10), UnixTime(NOW + 86_400)),
    };
    Ok(entry_of(info, &template)?)
}

/// Creates the log and writes it to a folder: `log/` as it is served, `certificates/`, and `ca.der`.
pub(crate) fn make(folder: &Path) -> Result<Made, Failure> {
    let id: TrustAnchorId = "32473.1".parse()?;
    let info = LogInfo::new(id, 1, Draft::V07)?;
    let database = tempfile::tempdir()?;
    let now = u64::try_from(NOW)?;
    let mut log = Log::create(&database.path().join("log.db"), &info, Synchronous::Normal, now)?;
    let ca_key = CosignerKey::new(id, BACKEND.generate(KeyType::MlDsa44)?)?;
    let kinds = [KeyType::P256, KeyType::P384, KeyType::Ed25519, KeyType::MlDsa44, KeyType::MlDsa65, KeyType::MlDsa87];
    let mut cosigners = Vec::new();
    for (kind, number) in kinds.into_iter().zip(1..) {
        let key: Arc<dyn PrivateKey> = BACKEND.generate(kind)?;
        cosigners.push(CosignerKey::new(id.child(&[9, number])?, key)?);
    }
    let check = BackendCheck::new(&BACKEND);
    let schedule = LandmarkSchedule { interval: 0, max_lifetime: 7 * 86_400 };
    let mut before = 0;
    for size in SIZES {
        let batch: Vec<NewEntry> = (before..size).map(|number| entry(&info, number)).collect::<Result<_, _>>()?;
        log.append(&batch)?;
        log.checkpoint(&ca_key, &[], now)?;
        for subtree in cover(before, size).into_iter().flatten().filter(|subtree| !subtree.is_empty()) {
            let hash = log.subtree_hash(subtree)?;
            for cosigner in &cosigners {
                let signature = cosigner.sign_subtree(&info.origin, subtree, &hash)?;
                log.add_cosignature(cosigner.cosigner(), subtree, &signature, &check)?;
            }
        }
        log.add_landmark(&schedule, now)?;
        before = size;
    }
    let certificate = |max_serial| {
        let new = NewCaCertificate {
            id,
            draft: Draft::V07,
            key_info: ca_key.cosigner().key_info(),
            min_serial: Serial::MIN,
            max_serial,
            validity: (UnixTime(NOW - 1000), UnixTime(NOW + 1_000_000)),
        };
        new.to_der()
    };
    let ca = certificate(Serial::from_number(u64::MAX >> 1))?;
    let largest = certificate(Serial::MAX)?;
    let standalone = log.certificates(0, before)?;
    let relative = standalone.iter().map(|one| log.landmark_certificate(one.serial.index(), now));
    let relative: Vec<Certified> = relative.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let list = log.landmarks(now)?;
    let mut trusted = Vec::new();
    for (_, subtree) in list.subtrees(now) {
        trusted.push((info.number, subtree.start(), subtree.end(), log.subtree_hash(subtree)?));
    }
    publish(&log, &folder.join("log"), now)?;
    std::fs::create_dir_all(folder.join("certificates"))?;
    std::fs::write(folder.join("ca.der"), &ca)?;
    for (kind, list) in [("standalone", &standalone), ("relative", &relative)] {
        for one in list {
            std::fs::write(folder.join("certificates").join(format!("{kind}-{}.der", one.serial.index())), &one.der)?;
        }
    }
    println!("log of {before} entries: {} standalone certificates, {} relative", standalone.len(), relative.len());
    Ok(Made { ca, largest, cosigners, standalone, relative, trusted, landmarks: list.to_string() })
}

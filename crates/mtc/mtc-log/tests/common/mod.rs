//! What the tests of logs share.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::path::Path;
use std::sync::{Arc, LazyLock};

use tagwise_codec::Ia5;
use tagwise_codec::SeqOf;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, PrivateKey};
use tagwise_mtc::crypto::{BackendCheck, CosignerKey};
use tagwise_mtc::relying::{RelyingParty, TrustedAuthority};
use tagwise_mtc::{CaCertificate, CosignerAlgorithm, Draft, NewCaCertificate, Serial, TrustAnchorId};
use tagwise_mtc_log::{Log, LogInfo, NewEntry, Synchronous, Template, entry_of};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::{GeneralName, GeneralNames};

pub(crate) const NOW: u64 = 1_790_000_000;

pub(crate) static BACKEND: LazyLock<AwsLc> = LazyLock::new(AwsLc::new);

pub(crate) fn check() -> BackendCheck<'static> {
    BackendCheck::new(&*BACKEND)
}

pub(crate) fn id(text: &str) -> TrustAnchorId {
    text.parse().unwrap()
}

/// A key of ML-DSA-44 with a seed of one byte, repeated.
pub(crate) fn key(seed: u8) -> Arc<dyn PrivateKey> {
    let head = [0x30, 0x34, 2, 1, 0, 0x30, 0x0B, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0x11, 4, 0x22, 0x80, 0x20];
    BACKEND.private_key_from_pkcs8(&[head.as_slice(), &[seed; 32]].concat()).unwrap()
}

pub(crate) fn ca_key() -> CosignerKey {
    CosignerKey::new(id("32473.1"), key(1)).unwrap()
}

pub(crate) fn info() -> LogInfo {
    LogInfo::new(id("32473.1"), 1, Draft::V07).unwrap()
}

pub(crate) fn create(path: &Path) -> Log {
    Log::create(path, &info(), Synchronous::Normal, NOW).unwrap()
}

/// The entry of a server's certificate, whose key is made up: nothing here uses it.
pub(crate) fn entry(number: u64) -> NewEntry {
    let name = format!("host{number}.example.org");
    let names = [GeneralName::DnsName(Ia5::new(&name).unwrap())];
    let key = CosignerAlgorithm::Ed25519.key_info(&[number as u8; 32]);
    let template = Template {
        subject: &[0x30, 0],
        alt_names: Some(GeneralNames(SeqOf::from_slice(&names))),
        key_info: &key,
        validity: (UnixTime(NOW as i64 - 10), UnixTime(NOW as i64 + 1000)),
    };
    entry_of(&info(), &template).unwrap()
}

pub(crate) fn entries(from: u64, to: u64) -> Vec<NewEntry> {
    (from..to).map(entry).collect()
}

pub(crate) fn ca_certificate() -> Vec<u8> {
    let key = ca_key();
    let new = NewCaCertificate {
        id: id("32473.1"),
        draft: Draft::V07,
        key_info: key.cosigner().key_info(),
        min_serial: Serial::MIN,
        max_serial: Serial::MAX,
        validity: (UnixTime(NOW as i64 - 100), UnixTime(NOW as i64 + 100_000)),
    };
    new.to_der().unwrap()
}

pub(crate) fn party() -> RelyingParty {
    let mut party = RelyingParty::new();
    party.add(TrustedAuthority::new(&CaCertificate::from_der(&ca_certificate()).unwrap()).unwrap());
    party
}

//! Delta CRLs, the walk through CRLs, and a key in another form.

use tagwise_ca::store::{AuthorityId, NewCrl, Revocation, StoredKey};
use tagwise_ca::{Error, Serial, Store};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

use super::{Clock, certificate, new_authority, revocation, serial};

type Drafted = (u64, Option<u64>, Vec<(Serial, Revocation)>);

pub(super) fn all(store: &mut dyn Store) {
    deltas(store);
    keys(store);
}

fn make(store: &mut dyn Store, of: AuthorityId, now: i64, delta: bool) -> Result<Drafted, Error> {
    let mut drafted = None;
    let mut draft_of = |draft: &tagwise_ca::store::CrlDraft| {
        let mut revoked = draft.revoked.clone();
        revoked.sort_by(|one, other| one.0.cmp(&other.0));
        drafted = Some((draft.base, revoked));
        Ok(NewCrl { this_update: draft.this_update, next_update: UnixTime(draft.this_update.0 + 9), der: vec![9] })
    };
    let made = if delta {
        store.add_delta_crl(of, now.now(), &mut draft_of)?
    } else {
        store.add_crl(of, now.now(), &mut draft_of)?
    };
    let (base, revoked) = drafted.unwrap();
    Ok((made.number, base, revoked))
}

fn deltas(store: &mut dyn Store) {
    let (of, other) = (new_authority(store, "deltas"), new_authority(store, "deltas of another"));
    let mut serials: Vec<Serial> = (0..4).map(|_| serial()).collect();
    serials.sort();
    let list: Vec<_> = serials.iter().map(certificate).collect();
    store.add_certificates(of, &list).unwrap();
    let [old, held, hold_ended, new] = serials.as_slice() else { panic!("four serial numbers") };
    assert!(matches!(make(store, of, 100, true), Err(Error::Refused { what, .. }) if what.contains("complete CRL")));
    let (superseded, hold) = (CrlReason::Superseded, CrlReason::CertificateHold);
    store.revoke(of, old, &revocation(20, superseded)).unwrap();
    store.revoke(of, held, &revocation(21, hold)).unwrap();
    store.revoke(of, hold_ended, &revocation(22, hold)).unwrap();
    let (base, none, listed) = make(store, of, 100, false).unwrap();
    assert_eq!((base, none, listed.len()), (7, None, 3));
    assert_eq!(make(store, of, 101, true).unwrap(), (8, Some(7), vec![]));
    // A hold ends in a release, another one in a revocation, and one certificate is new.
    store.release(of, held, UnixTime(110)).unwrap();
    store.revoke(of, hold_ended, &revocation(111, superseded)).unwrap();
    store.revoke(of, new, &revocation(112, superseded)).unwrap();
    let removed = Revocation { reason: CrlReason::RemoveFromCrl, ..revocation(110, hold) };
    let changes = vec![
        (held.clone(), removed),
        (hold_ended.clone(), revocation(22, superseded)),
        (new.clone(), revocation(112, superseded)),
    ];
    assert_eq!(make(store, of, 120, true).unwrap(), (9, Some(7), changes));
    // The complete CRL is still the last one; the next one has the next number, and is the next base.
    assert_eq!(store.crl(of, None).unwrap().unwrap().number, 7);
    let (number, _, listed) = make(store, of, 130, false).unwrap();
    assert_eq!((number, listed.len()), (10, 3));
    assert_eq!(make(store, of, 140, true).unwrap(), (11, Some(10), vec![]));
    assert_eq!(store.authority("deltas").unwrap().unwrap().1.crl_number, 11);
    let mut numbers = Vec::new();
    let mut visit = |record: tagwise_ca::store::CrlRecord| {
        numbers.push(record.number);
        Ok(())
    };
    store.crls(of, &mut visit).unwrap();
    store.crls(other, &mut visit).unwrap();
    assert_eq!(numbers, [7, 10]);
    assert!(store.crl_after(of, 10).unwrap().is_none());
}

fn keys(store: &mut dyn Store) {
    let of = new_authority(store, "keys");
    store.set_key(of, &StoredKey::Encrypted(vec![4, 5])).unwrap();
    assert!(matches!(store.authority("keys").unwrap().unwrap().1.key, StoredKey::Encrypted(der) if der == [4, 5]));
    store.set_key(of, &StoredKey::Elsewhere).unwrap();
    assert!(matches!(store.authority("keys").unwrap().unwrap().1.key, StoredKey::Elsewhere));
}

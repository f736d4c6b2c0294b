//! Delta CRLs, the other series of CRLs, the walk through CRLs, and a key in another form.

use tagwise_ca::store::{AuthorityId, NewCrl, Past, Revocation, Series, StoredKey};
use tagwise_ca::{Error, Serial, Store};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

use super::{Clock, certificate, new_authority, record, revocation, serial};

type Drafted = (u64, Option<u64>, Vec<(Serial, Revocation)>);

pub(super) fn all(store: &mut dyn Store) {
    deltas(store);
    series(store);
    crl_issuers(store);
    keys(store);
}

fn crl_at(at: i64, der: u8, beside: Vec<(Series, Vec<u8>)>) -> NewCrl {
    NewCrl { this_update: UnixTime(at), next_update: UnixTime(at + 9), der: vec![der], beside }
}

/// The newest CRL of each series is stored; all series share one sequence of numbers.
fn series(store: &mut dyn Store) {
    let (of, other) = (new_authority(store, "series"), new_authority(store, "series of another"));
    let list = [serial(), serial()];
    let certificates: Vec<_> = list.iter().map(certificate).collect();
    store.add_certificates(of, &certificates).unwrap();
    store.add_certificates(other, &[certificate(&serial())]).unwrap();
    let part = |number: u8| vec![(Series::Partition(1), vec![number]), (Series::Partition(2), vec![number + 1])];
    let newest = |store: &mut dyn Store, series: Series| {
        let found = store.series_crl(of, series).unwrap().unwrap();
        assert_eq!(found.series, series);
        (found.crl.number, found.base, found.crl.this_update.0, found.crl.next_update.0, found.crl.der)
    };
    assert_eq!(store.series(of).unwrap(), []);
    assert_eq!(store.series_crl(of, Series::Indirect).unwrap(), None);
    store.add_crl(of, 100.now(), &mut |_| Ok(crl_at(100, 1, part(10)))).unwrap();
    assert_eq!(newest(store, Series::Partition(2)), (7, None, 100, 109, vec![11]));
    let delta = vec![(Series::PartitionDelta(2), vec![20])];
    store.add_delta_crl(of, 101.now(), &mut |_| Ok(crl_at(101, 2, delta.clone()))).unwrap();
    assert_eq!(newest(store, Series::Delta), (8, Some(7), 101, 110, vec![2]));
    assert_eq!(newest(store, Series::PartitionDelta(2)), (8, Some(7), 101, 110, vec![20]));
    // An indirect CRL lists what has not expired, or was revoked since the last one.
    store.revoke(of, &list[0], &revocation(50, CrlReason::Superseded)).unwrap();
    let entries = |store: &mut dyn Store, at: i64| {
        let mut entries = 0;
        let mut make = |draft: &tagwise_ca::store::CrlDraft| {
            assert_eq!(draft.base, None);
            entries = draft.revoked.len();
            Ok(crl_at(at, 3, vec![]))
        };
        let number = store.add_indirect_crl(of, at.now(), &mut make).unwrap().number;
        (number, entries)
    };
    assert_eq!(entries(store, 102), (9, 1));
    assert_eq!(newest(store, Series::Indirect), (9, None, 102, 111, vec![3]));
    // The certificate expires at 1000: it is on one more CRL after that.
    assert_eq!((entries(store, 1001), entries(store, 1002)), ((10, 1), (11, 0)));
    store.revoke(of, &list[1], &revocation(1003, CrlReason::Superseded)).unwrap();
    assert_eq!((entries(store, 1004), entries(store, 1005)), ((12, 1), (13, 0)));
    let revoked = |store: &mut dyn Store, last: Option<i64>| {
        store.revoked(of, last.map(UnixTime), UnixTime(2000)).unwrap().into_iter().map(|(serial, _)| serial).collect()
    };
    let all: Vec<Serial> = revoked(store, None);
    assert_eq!(all, list);
    let later: Vec<Serial> = revoked(store, Some(1001));
    assert_eq!(later, [list[1].clone()]);
    // A clock that is behind is found, and a CRL that failed leaves nothing.
    assert!(matches!(
        store.add_indirect_crl(of, 1.now(), &mut |_| Ok(crl_at(1, 1, vec![]))),
        Err(Error::ClockDisagrees { .. })
    ));
    let failing = &mut |_: &_| Err(Error::PastUnknown);
    assert!(store.add_indirect_crl(of, 1006.now(), failing).is_err());
    assert_eq!(newest(store, Series::Indirect).0, 13);
    // The next complete CRL follows, and replaces the CRLs of partitions.
    store.add_crl(of, 1010.now(), &mut |_| Ok(crl_at(1010, 1, part(30)))).unwrap();
    assert_eq!(newest(store, Series::Partition(1)), (14, None, 1010, 1019, vec![30]));
    let mut names = store.series(of).unwrap();
    names.sort();
    let expected =
        [Series::Delta, Series::Partition(1), Series::Partition(2), Series::PartitionDelta(2), Series::Indirect];
    assert_eq!(names, expected);
    assert_eq!(store.series(other).unwrap(), []);
    let mut damages = Vec::new();
    store.damages(of, &mut |what| damages.push(what)).unwrap();
    assert!(damages.iter().all(|what| !what.contains("CRL")), "{damages:?}");
    // A revocation or a release is a reason for another complete CRL.
    let held = serial();
    store.add_certificates(of, &[certificate(&held)]).unwrap();
    assert!(!store.has_changed(of).unwrap());
    store.revoke(of, &held, &revocation(1011, CrlReason::CertificateHold)).unwrap();
    assert!(store.has_changed(of).unwrap() && !store.has_changed(other).unwrap());
    store.add_crl(of, 1012.now(), &mut |_| Ok(crl_at(1012, 1, vec![]))).unwrap();
    assert!(!store.has_changed(of).unwrap());
    store.release(of, &held, UnixTime(1013)).unwrap();
    assert!(store.has_changed(of).unwrap());
}

fn crl_issuers(store: &mut dyn Store) {
    let mut record = record("indirect");
    record.urls.crl_issuer = Some(vec![0x30, 0]);
    store.add_authority(&record, None, &Past::Nothing).unwrap();
    assert_eq!(store.authority("indirect").unwrap().unwrap().1.urls, record.urls);
}

fn make(store: &mut dyn Store, of: AuthorityId, now: i64, delta: bool) -> Result<Drafted, Error> {
    let mut drafted = None;
    let mut draft_of = |draft: &tagwise_ca::store::CrlDraft| {
        let mut revoked = draft.revoked.clone();
        revoked.sort_by(|one, other| one.0.cmp(&other.0));
        drafted = Some((draft.base, revoked));
        Ok(NewCrl {
            this_update: draft.this_update,
            next_update: UnixTime(draft.this_update.0 + 9),
            der: vec![9],
            beside: vec![],
        })
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
    // RFC 5280 §5.2.4: a hold that only a delta CRL lists ends with removeFromCRL, in all delta CRLs of this base.
    store.revoke(of, held, &revocation(141, hold)).unwrap();
    assert_eq!(make(store, of, 150, true).unwrap(), (12, Some(10), vec![(held.clone(), revocation(141, hold))]));
    store.release(of, held, UnixTime(151)).unwrap();
    let removed = vec![(held.clone(), Revocation { reason: CrlReason::RemoveFromCrl, ..revocation(151, hold) })];
    assert_eq!(make(store, of, 160, true).unwrap(), (13, Some(10), removed.clone()));
    assert_eq!(make(store, of, 161, true).unwrap(), (14, Some(10), removed));
    let (number, _, listed) = make(store, of, 170, false).unwrap();
    assert_eq!((number, listed.len()), (15, 3));
    assert_eq!(make(store, of, 180, true).unwrap(), (16, Some(15), vec![]));
    let mut numbers = Vec::new();
    let mut visit = |record: tagwise_ca::store::CrlRecord| {
        numbers.push(record.number);
        Ok(())
    };
    store.crls(of, &mut visit).unwrap();
    store.crls(other, &mut visit).unwrap();
    assert_eq!(numbers, [7, 10, 15]);
    assert!(store.crl_after(of, 15).unwrap().is_none());
}

fn keys(store: &mut dyn Store) {
    let of = new_authority(store, "keys");
    store.set_key(of, &StoredKey::Encrypted(vec![4, 5])).unwrap();
    assert!(matches!(store.authority("keys").unwrap().unwrap().1.key, StoredKey::Encrypted(der) if der == [4, 5]));
    store.set_key(of, &StoredKey::Elsewhere).unwrap();
    assert!(matches!(store.authority("keys").unwrap().unwrap().1.key, StoredKey::Elsewhere));
}

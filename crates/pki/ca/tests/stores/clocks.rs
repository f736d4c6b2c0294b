//! Time is a fault: what stores keep to under clocks that go ahead and back.

use tagwise_ca::store::{AuthorityId, NewCrl, NewOcspResponse, Revocation};
use tagwise_ca::{Error, Now, Serial, Store};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

use super::{Clock, certificate, id, new_authority, response, revocation, serial};

pub(super) fn all(store: &mut dyn Store) {
    ahead_and_back(store);
    never_listed(store);
    back(store);
    dates(store);
    responses(store);
}

/// The numbers on the next CRL.
fn crl(store: &mut dyn Store, of: AuthorityId, now: impl Clock) -> Result<Vec<Serial>, Error> {
    let mut listed = Vec::new();
    store.add_crl(of, now.now(), &mut |draft| {
        listed = draft.revoked.iter().map(|(serial, _)| serial.clone()).collect();
        Ok(NewCrl {
            this_update: draft.this_update,
            next_update: UnixTime(draft.this_update.0 + 9),
            der: vec![],
            beside: vec![],
        })
    })?;
    Ok(listed)
}

fn right(seconds: i64) -> Now {
    seconds.now().clock_was_wrong()
}

/// A CRL of a clock that was far ahead is no witness that a certificate has expired: the entry stays, and leaves when its time comes.
fn ahead_and_back(store: &mut dyn Store) {
    let of = new_authority(store, "ahead and back");
    let one = serial();
    // Valid until 1000.
    store.add_certificates(of, &[certificate(&one)]).unwrap();
    store.revoke(of, &one, &revocation(20, CrlReason::KeyCompromise)).unwrap();
    let listed = std::slice::from_ref(&one);
    assert_eq!(crl(store, of, 30).unwrap(), listed);
    assert_eq!(crl(store, of, 90_000).unwrap(), listed);
    // Under the same wrong clock it has been on one after its end, and leaves.
    assert_eq!(crl(store, of, 90_001).unwrap(), []);
    assert!(matches!(crl(store, of, 40), Err(Error::ClockDisagrees { at: UnixTime(90_001), now: UnixTime(40), .. })));
    assert_eq!(crl(store, of, right(40)).unwrap(), listed);
    assert_eq!(crl(store, of, 1000).unwrap(), listed);
    assert_eq!(crl(store, of, 1001).unwrap(), listed);
    assert_eq!(crl(store, of, 1002).unwrap(), []);
}

/// A certificate revoked after the last CRL is on the next one, whatever its dates.
fn never_listed(store: &mut dyn Store) {
    let of = new_authority(store, "never listed");
    let (one, two) = (serial(), serial());
    store.add_certificates(of, &[certificate(&one), certificate(&two)]).unwrap();
    assert_eq!(crl(store, of, 90_000).unwrap(), []);
    store.revoke(of, &one, &revocation(20, CrlReason::Superseded)).unwrap();
    // By its date it was revoked before the last CRL, and by both clocks it has expired: but it was on none.
    assert_eq!(crl(store, of, 90_001).unwrap(), [one]);
    assert_eq!(crl(store, of, 90_002).unwrap(), []);
    store.revoke(of, &two, &revocation(90_500, CrlReason::CertificateHold)).unwrap();
    store.revoke(of, &two, &revocation(90_501, CrlReason::Superseded)).unwrap();
    assert_eq!(crl(store, of, 90_502).unwrap(), [two]);
    assert_eq!(crl(store, of, 90_503).unwrap(), []);
}

/// Clocks of machines differ a little: then a CRL is of the same moment as the one before it. Numbers grow through all of it.
fn back(store: &mut dyn Store) {
    let of = new_authority(store, "back");
    assert_eq!(store.last_update(of).unwrap(), None);
    crl(store, of, 100_000).unwrap();
    assert_eq!(store.last_update(of).unwrap(), Some(UnixTime(100_000)));
    crl(store, of, 99_900).unwrap();
    assert_eq!(store.crl(of, None).unwrap().map(|crl| (crl.number, crl.this_update)), Some((8, UnixTime(100_000))));
    assert!(matches!(crl(store, of, 99_000), Err(Error::ClockDisagrees { .. })));
    assert!(matches!(crl(store, of, 0), Err(Error::ClockDisagrees { .. })));
    crl(store, of, right(99_000)).unwrap();
    assert_eq!(store.crl(of, None).unwrap().map(|crl| (crl.number, crl.this_update)), Some((9, UnixTime(99_000))));
    // The last one counts, not the latest.
    crl(store, of, 99_001).unwrap();
    assert_eq!(store.last_update(of).unwrap(), Some(UnixTime(99_001)));
    // A CRL of another moment than its draft is not kept.
    let make =
        &mut |_: &_| Ok(NewCrl { this_update: UnixTime(5), next_update: UnixTime(9), der: vec![], beside: vec![] });
    assert!(matches!(store.add_crl(of, 99_002.now(), make), Err(Error::Store { .. })));
    assert_eq!(store.crl(of, None).unwrap().unwrap().number, 10);
}

/// Revocations by a clock that was ahead are dated to its correction, and stay so when it is corrected again.
fn dates(store: &mut dyn Store) {
    let of = new_authority(store, "dates");
    let other = new_authority(store, "dates of another");
    let (one, two, three) = (serial(), serial(), serial());
    store.add_certificates(of, &[certificate(&one), certificate(&two), certificate(&three)]).unwrap();
    store.add_certificates(other, &[certificate(&one)]).unwrap();
    let ahead = Revocation { invalid_since: Some(UnixTime(80_000)), ..revocation(90_000, CrlReason::KeyCompromise) };
    store.revoke(of, &one, &ahead).unwrap();
    store.revoke(other, &one, &ahead).unwrap();
    let past = Revocation { invalid_since: Some(UnixTime(3)), ..revocation(20, CrlReason::Superseded) };
    store.revoke(of, &two, &past).unwrap();
    store.revoke(of, &three, &revocation(90_000, CrlReason::CertificateHold)).unwrap();
    for _ in 0..2 {
        store.put_clock_right(of, UnixTime(50)).unwrap();
        let mut since = |of, serial| store.status(of, serial).unwrap().unwrap().revocation.unwrap();
        assert_eq!(since(of, &one), Revocation { at: UnixTime(50), invalid_since: Some(UnixTime(50)), ..ahead });
        assert_eq!((since(of, &two), since(of, &three).at), (past, UnixTime(50)));
        assert_eq!(since(other, &one), ahead);
    }
    assert_eq!(store.status(of, &one).unwrap().unwrap().revision, 2);
    store.release(of, &three, UnixTime(60)).unwrap();
    assert_eq!(crl(store, of, 70).unwrap(), [two, one]);
}

/// An older response takes no newer one's place, and those of a clock that was ahead are forgotten when it is put right.
fn responses(store: &mut dyn Store) {
    let of = new_authority(store, "responses in time");
    let other = new_authority(store, "responses in time of another");
    let (one, two) = (serial(), serial());
    store.add_certificates(of, &[certificate(&one)]).unwrap();
    store.add_certificates(other, &[certificate(&two)]).unwrap();
    let at = |store: &mut dyn Store, of, serial: &Serial, this_update: i64| NewOcspResponse {
        this_update: UnixTime(this_update),
        ..response(id(store, of, serial), 0, this_update + 50)
    };
    let last = |store: &mut dyn Store, of, serial| {
        store.ocsp_response(of, serial, "sha1", UnixTime(0)).unwrap().map(|response| response.this_update)
    };
    for (made, kept) in [(100, 100), (90_000, 90_000), (200, 90_000), (90_000, 90_000)] {
        let new = at(store, of, &one, made);
        store.add_ocsp_responses(of, &[new]).unwrap();
        assert_eq!(last(store, of, &one), Some(UnixTime(kept)), "{made}");
    }
    let new = at(store, other, &two, 90_000);
    store.add_ocsp_responses(other, &[new]).unwrap();
    store.put_clock_right(of, UnixTime(200)).unwrap();
    assert_eq!((last(store, of, &one), last(store, other, &two)), (None, Some(UnixTime(90_000))));
    let new = at(store, of, &one, 200);
    store.add_ocsp_responses(of, &[new]).unwrap();
    store.put_clock_right(of, UnixTime(200)).unwrap();
    assert_eq!(last(store, of, &one), Some(UnixTime(200)));
}

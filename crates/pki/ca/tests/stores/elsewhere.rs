//! The past of a CA elsewhere: its last CRL, and its certificates that are revoked here.

use std::ops::ControlFlow;

use tagwise_ca::store::{
    AuthorityId, AuthorityRecord, CertificateRecord, Cursor, Elsewhere, History, NewCrl, Past, Revocation,
};
use tagwise_ca::{Error, Serial, Store};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

use super::{Clock, certificate, common, record, revocation, serial};

pub(super) fn all(store: &mut dyn Store) {
    taken_over(store);
    unknown(store);
    revoked_here(store);
}

fn crl(store: &mut dyn Store, of: AuthorityId, now: impl Clock) -> Result<(u64, Vec<(Serial, Revocation)>), Error> {
    let mut listed = Vec::new();
    let made = store.add_crl(of, now.now(), &mut |draft| {
        listed = draft.revoked.clone();
        Ok(NewCrl {
            this_update: draft.this_update,
            next_update: UnixTime(draft.this_update.0 + 9),
            der: vec![1],
            beside: vec![],
        })
    })?;
    Ok((made.number, listed))
}

fn history(number: Option<u64>, revoked: &[(Serial, Revocation)]) -> Past {
    let crl = NewCrl { this_update: UnixTime(500), next_update: UnixTime(600), der: vec![0x30, 7], beside: vec![] };
    let crl = number.map(|number| (number, crl));
    Past::TakenOver(History { crl, last_number: 0, issued: Vec::new(), revoked: revoked.to_vec() })
}

fn new(store: &mut dyn Store, label: &str, past: &Past) -> AuthorityId {
    store.add_authority(&AuthorityRecord { crl_number: 0, ..record(label) }, None, past).unwrap()
}

fn taken_over(store: &mut dyn Store) {
    let dated = Revocation { invalid_since: Some(UnixTime(3)), ..revocation(20, CrlReason::KeyCompromise) };
    let (one, two) = ((serial(), dated), (serial(), revocation(30, CrlReason::CertificateHold)));
    let of = new(store, "taken over", &history(Some(41), &[one.clone(), two.clone()]));
    assert_eq!(store.authority("taken over").unwrap().unwrap().1.crl_number, 41);
    assert_eq!(store.crl(of, None).unwrap().map(|crl| (crl.number, crl.der)), Some((41, vec![0x30, 7])));
    assert_eq!(store.last_update(of).unwrap(), Some(UnixTime(500)));
    assert!(matches!(crl(store, of, 100), Err(Error::ClockDisagrees { .. })));
    assert_eq!(crl(store, of, 700).unwrap(), (42, vec![one.clone(), two.clone()]));
    // Nobody knows when they expire: they stay.
    assert_eq!(crl(store, of, 1 << 40).unwrap(), (43, vec![one.clone(), two.clone()]));
    assert_eq!(crl(store, of, (1 << 40) + 1).unwrap(), (44, vec![one.clone(), two.clone()]));
    // They are found, answered for, and can be taken off hold; octets of theirs there are none.
    let found = store.certificate(of, &one.0).unwrap().unwrap();
    assert_eq!(
        (found.is_known(), found.profile.as_str(), found.revocation),
        (false, CertificateRecord::ELSEWHERE, Some(dated))
    );
    assert_eq!(store.status(of, &two.0).unwrap().unwrap().revocation, Some(two.1));
    let page = store.unanswered(of, "sha1", UnixTime(1 << 40), UnixTime(60), (Cursor::default(), 9)).unwrap();
    assert_eq!(page.list.len(), 2);
    assert!(matches!(store.revoke(of, &one.0, &one.1), Err(Error::AlreadyRevoked { at: UnixTime(20), .. })));
    store.release(of, &two.0, UnixTime(40)).unwrap();
    assert_eq!(crl(store, of, (1 << 40) + 2).unwrap(), (45, vec![one.clone()]));
    let third = serial();
    store.add_certificates(of, &[certificate(&third)]).unwrap();
    let mut octets = Vec::new();
    let visit = &mut |der: &[u8]| {
        octets.push(der.to_vec());
        Ok(ControlFlow::Break(()))
    };
    let behind = store.certificate_octets(of, Cursor::default(), visit).unwrap();
    assert_eq!(octets, [certificate(&third).der]);
    let none = &mut |_: &[u8]| panic!("duplicate one");
    store.certificate_octets(of, behind, none).unwrap();
    // Their numbers are taken.
    assert!(matches!(store.add_certificates(of, &[certificate(&one.0)]), Err(Error::SerialTaken(_))));
    let again = store.take_over(of, &history(Some(50), &[]));
    assert!(matches!(again, Err(Error::PastKnown)));
    // A CRL without a number: the next one has the first.
    let of = new(store, "taken over without a number", &history(None, std::slice::from_ref(&one)));
    assert_eq!(crl(store, of, 700).unwrap(), (1, vec![one]));
}

fn unknown(store: &mut dyn Store) {
    let of = new(store, "unknown", &Past::Unknown);
    let (here, there) = (serial(), serial());
    store.add_certificates(of, &[certificate(&here)]).unwrap();
    let here = (here, revocation(510, CrlReason::Superseded));
    store.revoke(of, &here.0, &here.1).unwrap();
    assert!(matches!(crl(store, of, 700), Err(Error::PastUnknown)));
    let there = (there, revocation(20, CrlReason::Superseded));
    // What was revoked here in the meantime keeps its date, but its key is compromised.
    let also = (here.0.clone(), revocation(15, CrlReason::KeyCompromise));
    store.take_over(of, &history(Some(41), &[there.clone(), also])).unwrap();
    let here = (here.0, revocation(510, CrlReason::KeyCompromise));
    assert_eq!(crl(store, of, 700).unwrap(), (42, vec![there, here]));
    assert!(matches!(store.take_over(of, &Past::Nothing), Err(Error::PastKnown)));
    // The CA's records may have the number of the last CRL without the CRL itself.
    let of = new(store, "unknown, with a number", &Past::Unknown);
    let numbered = History { crl: None, last_number: 42, issued: Vec::new(), revoked: Vec::new() };
    store.take_over(of, &Past::TakenOver(numbered)).unwrap();
    assert_eq!(crl(store, of, 700).unwrap(), (43, Vec::new()));
    // The past of a CA that was founded here is known.
    let founded = super::new_authority(store, "known");
    assert!(matches!(store.take_over(founded, &Past::Nothing), Err(Error::PastKnown)));
    assert!(matches!(store.take_over(AuthorityId(7777), &Past::Nothing), Err(Error::PastKnown)));
}

/// A certificate that is not here is revoked by what is known of it: its number, or all of it.
fn revoked_here(store: &mut dyn Store) {
    let of = super::new_authority(store, "revoked here, but not in the CRL, which is older");
    let number = Elsewhere { serial: serial(), der: None, validity: None };
    let whole = Elsewhere {
        serial: serial(),
        der: Some(common::der("CN=old", 1)),
        validity: Some((UnixTime(10), UnixTime(1000))),
    };
    let at = revocation(800, CrlReason::KeyCompromise);
    for certificate in [&number, &whole] {
        store.revoke_elsewhere(of, certificate, &at).unwrap();
        let again = store.revoke_elsewhere(of, certificate, &at);
        assert!(matches!(again, Err(Error::AlreadyRevoked { at: UnixTime(800), .. })));
    }
    let found = store.certificate(of, &whole.serial).unwrap().unwrap();
    assert_eq!((found.subject.as_str(), found.not_before, found.not_after), ("CN=old", UnixTime(10), UnixTime(1000)));
    assert_eq!(Some(found.der), whole.der);
    let both = vec![(number.serial.clone(), at), (whole.serial.clone(), at)];
    assert_eq!(crl(store, of, 900).unwrap().1, both);
    assert_eq!(crl(store, of, 1001).unwrap().1, both);
    // The one whose end is known leaves.
    assert_eq!(crl(store, of, 1002).unwrap().1, [(number.serial, at)]);
    // One that is here is revoked as others are.
    let here = serial();
    store.add_certificates(of, &[certificate(&here)]).unwrap();
    store.revoke_elsewhere(of, &Elsewhere { serial: here.clone(), der: None, validity: None }, &at).unwrap();
    assert!(store.certificate(of, &here).unwrap().unwrap().is_known());
}

//! One round: a fresh CA does everything once, each stage and its floor one after the other.

use std::ops::ControlFlow;

use tagwise_ca::store::{Cursor, NewCertificate, NewCrl, Revocation, Status};
use tagwise_ca::{Responder, Serial, SqliteStore, Store};
use tagwise_crypto::{Backend, KeyType, sign};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

use crate::Failure;
use crate::authority::{Ca, self_sign};
use crate::check;
use crate::crypto::{CaKey, generate};
use crate::database::Floor;
use crate::measure::{Clocks, Sample, Took, timed};
use crate::peer;
use crate::stage::Stage;
use crate::turns::{around, both, reading, signing, verifying};
use crate::work::Threads;

/// What rounds of one batch share.
pub(crate) struct Setting<'a> {
    pub(crate) backend: &'a dyn Backend,
    pub(crate) key: &'a CaKey,
    pub(crate) subscriber: KeyType,
    /// Keys that are taken again and again; none where each certificate gets its own.
    pub(crate) reused: &'a [Vec<u8>],
    pub(crate) batch: usize,
    pub(crate) threads: &'a Threads,
    pub(crate) store: SqliteStore,
    pub(crate) floor: Floor,
    pub(crate) now: UnixTime,
    /// Whether the floors run first in this round, where they can.
    pub(crate) floors_first: bool,
}

/// Why certificates are revoked, in turn.
const REASONS: [CrlReason; 4] = [
    CrlReason::Unspecified,
    CrlReason::KeyCompromise,
    CrlReason::Superseded,
    CrlReason::CessationOfOperation,
];

/// Certificates that one round has made, for the next stages.
struct Made {
    serials: Vec<Serial>,
    /// From this number on the floor has them.
    first: i64,
}

/// Does all stages once. The label is of a CA that there is not yet.
pub(crate) fn round(setting: &mut Setting<'_>, label: &str) -> Result<Vec<Sample>, Failure> {
    let mut samples = Vec::with_capacity(Stage::ALL.len());
    let (own, (unsigned, der)) = timed(|| self_sign(&*setting.key.signer, setting.now))?;
    let message = [unsigned.tbs().to_vec()];
    let (floor, _) = timed(|| setting.key.raw_sign(setting.threads, &message))?;
    samples.push(Sample::over(Stage::CaSelfSign, own, floor));

    let ca = Ca::adopt(
        &mut setting.store,
        setting.backend,
        setting.key,
        (label, &der),
        setting.now,
    )?;
    let made = certificates(setting, &ca, &mut samples)?;
    crl(setting, &ca, &made, &mut samples)?;
    ocsp(setting, &ca, &made, &mut samples)?;
    setting.floors_first = !setting.floors_first;
    Ok(samples)
}

fn certificates(setting: &mut Setting<'_>, ca: &Ca<'_>, samples: &mut Vec<Sample>) -> Result<Made, Failure> {
    let (threads, key, of) = (setting.threads, setting.key, ca.authority.id());
    let fresh: Vec<Vec<u8>>;
    let (making, keys) = if setting.reused.is_empty() {
        let each: Vec<()> = vec![(); setting.batch];
        let make = |&(): &()| {
            Ok(generate(setting.backend, setting.subscriber)?
                .public_key_info()
                .to_vec())
        };
        let (making, keys) = timed(|| threads.map(&each, make))?;
        fresh = keys;
        (making, fresh.as_slice())
    } else {
        (Took::default(), setting.reused)
    };
    let orders = ca.orders(keys, setting.batch)?;
    let messages = |new: &[NewCertificate]| -> Result<Vec<Vec<u8>>, Failure> {
        let ders: Vec<Vec<u8>> = new.iter().map(|new| new.der.clone()).collect();
        Ok(check::signed_certificates(&ders)?
            .into_iter()
            .map(|(message, _)| message)
            .collect())
    };
    let (own, floor, new) = signing(
        orders.len(),
        |slice| {
            let orders = orders.get(slice).unwrap_or_default();
            threads.wake();
            timed(|| ca.issue(threads, orders, setting.subscriber))
        },
        |_, new| {
            let messages = messages(new)?;
            threads.wake();
            Ok(timed(|| key.raw_sign(threads, &messages))?.0)
        },
    )?;
    let ders: Vec<Vec<u8>> = new.iter().map(|new| new.der.clone()).collect();
    let signed = check::signed_certificates(&ders)?;
    samples.push(Sample::over(Stage::CertGen, making + own, making + floor));

    // Of the CA there is its own certificate so far.
    let on = ControlFlow::Continue(());
    let behind = setting
        .store
        .certificate_octets(of, Cursor::default(), &mut |_| Ok(on))?;
    let rows = new.iter().map(|new| (new.serial.as_bytes(), new.der.as_slice()));
    setting.floor.cut_logs()?;
    let ((own, ()), (floor, first)) = both(
        setting.floors_first,
        || timed(|| Ok(setting.store.add_certificates(of, &new)?)),
        || setting.floor.insert_certificates(of.0, rows),
    )?;
    samples.push(Sample::over(Stage::DbInsertCerts, own, floor));

    let issuer = ca.authority.certificate();
    samples.push(verifying(
        Stage::CertVerify,
        || timed(|| check::certificates(threads, key, issuer, &ders)),
        || timed(|| key.raw_verify(threads, &signed)),
    )?);
    check::serials(&ders)?;
    if let Some(one) = ders.first() {
        check::refuses_forged(key, issuer, one)?;
    }

    samples.push(reading(
        Stage::DbReadCerts,
        &ders,
        || {
            let mut read = Vec::new();
            let visit = &mut |der: &[u8]| {
                read.push(der.to_vec());
                Ok(on)
            };
            let (took, _) = timed(|| Ok(setting.store.certificate_octets(of, behind, visit)?))?;
            Ok((took, read))
        },
        || setting.floor.read_certificates(first),
    )?);

    let serials = new.into_iter().map(|new| new.serial).collect();
    Ok(Made { serials, first })
}

fn crl(setting: &mut Setting<'_>, ca: &Ca<'_>, made: &Made, samples: &mut Vec<Sample>) -> Result<(), Failure> {
    let (key, of) = (setting.key, ca.authority.id());
    // All of them are revoked: the CRL is as long as the batch.
    let revoked = |(serial, reason): (&Serial, &CrlReason)| {
        (
            serial.clone(),
            Revocation {
                at: setting.now,
                reason: *reason,
                invalid_since: None,
            },
        )
    };
    let revocations: Vec<_> = made.serials.iter().zip(REASONS.iter().cycle()).map(revoked).collect();
    setting.store.revoke_all(of, &revocations)?;
    setting.floor.cut_logs()?;

    // All in the one transaction of the store in which a CRL gets its number.
    let (mut kept, mut floor) = (None, None);
    let (floors_first, bare) = (setting.floors_first, &mut setting.floor);
    let start = Clocks::start();
    let record = setting.store.add_crl(of, ca.now.into(), &mut |draft| {
        let read = start.took();
        let begin = Clocks::start();
        let unsigned = ca.build_crl(draft)?;
        let built = begin.took();
        let begin = Clocks::start();
        let der = sign(&unsigned, &*key.signer).map_err(|error| tagwise_ca::Error::Crypto {
            what: "the CA's key",
            error,
        })?;
        let signed = begin.took();
        floor = floors_first.then(|| bare.insert_crl(&der));
        let new = NewCrl {
            this_update: ca.now,
            next_update: ca.next_crl(),
            der,
            beside: Vec::new(),
        };
        kept = Some((read, built, signed, draft.clone(), unsigned, Clocks::start()));
        Ok(new)
    })?;
    let (read, built, signed, draft, unsigned, given) = kept.ok_or("the store made no CRL")?;
    let stored = given.took();
    let messages = [unsigned.tbs().to_vec()];

    samples.push(Sample::new(Stage::DbReadRevoked, read));
    let input = peer::CrlInput::of(&draft, unsigned.tbs())?;
    let (peer, theirs) = timed(|| input.build())?;
    samples.push(Sample {
        peer: Some(peer),
        ..Sample::new(Stage::CrlBuild, built)
    });
    if theirs != unsigned.tbs() {
        return Err("synta builds another CRL".into());
    }
    let (raw, _) = timed(|| key.raw_sign(setting.threads, &messages))?;
    samples.push(Sample::over(Stage::CrlSign, signed, raw));
    let (floor, number) = floor.unwrap_or_else(|| bare.insert_crl(&record.der))?;
    samples.push(Sample::over(Stage::DbInsertCrl, stored, floor));

    let parts = [check::signed_crl(&record.der)?];
    let (own, ()) = timed(|| check::crl(key, &record.der))?;
    let (floor, ()) = timed(|| key.raw_verify(setting.threads, &parts))?;
    samples.push(Sample::over(Stage::CrlVerify, own, floor));
    check::entries(&record.der, setting.batch)?;

    let wanted = [record.der];
    samples.push(reading(
        Stage::DbReadCrl,
        &wanted,
        || {
            let (took, found) = timed(|| Ok(setting.store.crl(of, Some(record.number))?))?;
            Ok((took, found.map(|found| found.der).into_iter().collect()))
        },
        || setting.floor.read_crl(number),
    )?);
    Ok(())
}

fn ocsp(setting: &mut Setting<'_>, ca: &Ca<'_>, made: &Made, samples: &mut Vec<Sample>) -> Result<(), Failure> {
    let (threads, key, of) = (setting.threads, setting.key, ca.authority.id());
    // Now, for it empties the store's cache, too; asking how certificates stand fills that, as it does for any responder.
    setting.floor.cut_logs()?;
    let list = unanswered(&mut setting.store, ca)?;
    if !list.iter().map(|status| &status.serial).eq(&made.serials) {
        return Err("the store does not know of all certificates that they are to be answered for".into());
    }
    // One that is built uncounted and three that are: as many as signing can use up.
    let mut ready = Vec::new();
    let mut build = || {
        let (took, prepared) = timed(|| ca.build_ocsp(threads, &list))?;
        let messages: Vec<Vec<u8>> = prepared.iter().map(|one| one.unsigned().tbs().to_vec()).collect();
        ready.push(prepared);
        Ok((took, messages))
    };
    let (_, messages) = build()?;
    let first = messages.first().ok_or("no responses")?;
    let input = peer::OcspInput::of(&list, first)?;
    let mut theirs = Vec::new();
    let (own, peer, messages) = around(build, |_| {
        let (took, built) = timed(|| input.build(threads))?;
        theirs = built;
        Ok(took)
    })?;
    samples.push(Sample {
        peer: Some(peer),
        ..Sample::new(Stage::OcspBuild, own)
    });
    let mut agree = theirs.len() == messages.len();
    for (status, (one, other)) in list.iter().zip(messages.iter().zip(&theirs)) {
        // Where there is a reason, synta leaves it out.
        let reason = status.revocation.as_ref().map(|revocation| revocation.reason);
        agree &= reason != Some(CrlReason::Unspecified) || one == other;
    }
    if !agree {
        return Err("synta builds other responses".into());
    }

    let mut prepared = Vec::new();
    let (own, floor, new) = signing(
        messages.len(),
        |slice| {
            // What is signed is used up: who starts again takes others.
            if slice.start == 0 {
                prepared = ready.pop().ok_or("nothing is left to sign")?;
            }
            let later = prepared.split_off(slice.len().min(prepared.len()));
            let these = std::mem::replace(&mut prepared, later);
            threads.wake();
            timed(|| ca.sign_ocsp(threads, these))
        },
        |slice, _| {
            let messages = messages.get(slice).unwrap_or_default();
            threads.wake();
            Ok(timed(|| key.raw_sign(threads, messages))?.0)
        },
    )?;
    samples.push(Sample::over(Stage::OcspSign, own, floor));

    let ((own, ()), floor) = both(
        setting.floors_first,
        || timed(|| Ok(setting.store.add_ocsp_responses(of, &new)?)),
        || {
            setting
                .floor
                .insert_ocsp(made.first, new.iter().map(|new| new.der.as_slice()))
        },
    )?;
    samples.push(Sample::over(Stage::DbInsertOcsp, own, floor));

    let ders: Vec<Vec<u8>> = new.into_iter().map(|new| new.der).collect();
    let signed = check::signed_ocsp(&ders)?;
    samples.push(verifying(
        Stage::OcspVerify,
        || timed(|| check::ocsp(threads, key, &ders)),
        || timed(|| key.raw_verify(threads, &signed)),
    )?);
    check::revoked(&ders, made.serials.iter().map(Serial::as_bytes))?;

    samples.push(reading(
        Stage::DbReadOcsp,
        &ders,
        || {
            let mut read = Vec::new();
            let visit = &mut |der: &[u8]| {
                read.push(der.to_vec());
                Ok(ControlFlow::Continue(()))
            };
            let start = Cursor::default();
            let (took, _) = timed(|| Ok(setting.store.ocsp_octets(of, Responder::DIGEST, ca.now, start, visit)?))?;
            Ok((took, read))
        },
        || setting.floor.read_ocsp(made.first),
    )?);
    Ok(())
}

/// How all certificates stand, as a responder that signs in advance asks.
pub(crate) fn unanswered(store: &mut SqliteStore, ca: &Ca<'_>) -> Result<Vec<Status>, Failure> {
    let (mut list, mut behind) = (Vec::new(), Some(Cursor::default()));
    while let Some(from) = behind {
        let page = store.unanswered(ca.authority.id(), Responder::DIGEST, ca.now, ca.now, (from, 4096))?;
        list.extend(page.list);
        behind = page.next;
    }
    Ok(list)
}

//! From one thread to two: each stage that signs or verifies beside the bare operation on the same threads, in turn.

use std::ops::Range;
use std::time::Instant;

use tagwise_ca::{SqliteStore, Store};
use tagwise_crypto::{Backend, KeyType};
use tagwise_pkix::UnixTime;

use crate::Failure;
use crate::authority::{Ca, self_sign};
use crate::check::{self, Signed};
use crate::crypto::CaKey;
use crate::measure::{Took, median, timed};
use crate::report::Scaling;
use crate::round::unanswered;
use crate::stage::Stage;
use crate::turns::{SLICE, slices};
use crate::work::Threads;

/// What is done again and again.
pub(crate) struct Work<'a> {
    pub(crate) key: &'a CaKey,
    pub(crate) backend: &'a dyn Backend,
    pub(crate) keys: &'a [Vec<u8>],
    pub(crate) subscriber: KeyType,
    pub(crate) batch: usize,
    pub(crate) now: UnixTime,
}

/// How often each is measured at least.
const ROUNDS: usize = 3;

/// What is done with a part of the batch.
type Step<'a> = Box<dyn Fn(&Threads, Range<usize>) -> Result<Took, Failure> + 'a>;

pub(crate) fn measure(work: &Work<'_>, store: &mut SqliteStore, min_seconds: f64) -> Result<Vec<Scaling>, Failure> {
    let (_, der) = self_sign(&*work.key.signer, work.now)?;
    let ca = Ca::adopt(store, work.backend, work.key, ("scaling", &der), work.now)?;
    let (key, two) = (work.key, Threads::new(2)?);
    let orders = ca.orders(work.keys, work.batch)?;
    let new = ca.issue(&two, &orders, work.subscriber)?;
    store.add_certificates(ca.authority.id(), &new)?;
    let certificates: Vec<Vec<u8>> = new.into_iter().map(|new| new.der).collect();
    let signed = check::signed_certificates(&certificates)?;
    let messages = messages(&signed);
    let list = unanswered(store, &ca)?;
    let responses: Vec<Vec<u8>> = ca
        .sign_ocsp(&two, ca.build_ocsp(&two, &list)?)?
        .into_iter()
        .map(|new| new.der)
        .collect();
    let answers = check::signed_ocsp(&responses)?;
    let told = self::messages(&answers);

    let issuer = ca.authority.certificate();
    let ca = &ca;
    let sign =
        |messages: &'_ [Vec<u8>], threads: &Threads, part| Ok(timed(|| key.raw_sign(threads, of(messages, part)))?.0);
    let verify =
        |signed: &'_ [Signed], threads: &Threads, part| Ok(timed(|| key.raw_verify(threads, of(signed, part)))?.0);
    let stages: [(Stage, Step<'_>, Step<'_>); 4] = [
        (
            Stage::CertGen,
            Box::new(|threads, part| Ok(timed(|| ca.issue(threads, of(&orders, part), work.subscriber))?.0)),
            Box::new(|threads, part| sign(&messages, threads, part)),
        ),
        (
            Stage::CertVerify,
            Box::new(|threads, part| {
                Ok(timed(|| check::certificates(threads, key, issuer, of(&certificates, part)))?.0)
            }),
            Box::new(|threads, part| verify(&signed, threads, part)),
        ),
        (
            Stage::OcspSign,
            Box::new(|threads, part| {
                let prepared = ca.build_ocsp(threads, of(&list, part))?;
                Ok(timed(|| ca.sign_ocsp(threads, prepared))?.0)
            }),
            Box::new(|threads, part| sign(&told, threads, part)),
        ),
        (
            Stage::OcspVerify,
            Box::new(|threads, part| Ok(timed(|| check::ocsp(threads, key, of(&responses, part)))?.0)),
            Box::new(|threads, part| verify(&answers, threads, part)),
        ),
    ];
    let one = Threads::new(1)?;
    stages
        .iter()
        .map(|(stage, own, raw)| turns(*stage, (own, raw), (&one, &two), work.batch, min_seconds))
        .collect()
}

fn of<T>(batch: &[T], part: Range<usize>) -> &[T] {
    batch.get(part).unwrap_or_default()
}

fn messages(signed: &[Signed]) -> Vec<Vec<u8>> {
    signed.iter().map(|(message, _)| message.clone()).collect()
}

fn turns(
    stage: Stage,
    (own, raw): (&Step<'_>, &Step<'_>),
    (one, two): (&Threads, &Threads),
    batch: usize,
    min_seconds: f64,
) -> Result<Scaling, Failure> {
    // Of a batch that takes long a slice a round, but all of it once at least.
    let parts = slices(raw(two, 0..batch.min(SLICE))?, batch);
    let start = Instant::now();
    let (mut of_own, mut of_raw, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts.iter().cycle() {
        if ratios.len() >= ROUNDS.max(parts.len()) && start.elapsed().as_secs_f64() >= min_seconds {
            break;
        }
        // On one thread and on two, each way round: what comes first after a rest finds both threads on one processor.
        raw(two, part.clone())?;
        let mut times = [0.0; 4];
        for (at, step) in [
            (2, own),
            (3, raw),
            (3, raw),
            (2, own),
            (0, own),
            (1, raw),
            (1, raw),
            (0, own),
        ] {
            let threads = if at < 2 { one } else { two };
            let took = step(threads, part.clone())?.wall.as_secs_f64();
            if let Some(sum) = times.get_mut(at) {
                *sum += took;
            }
        }
        let [own_one, raw_one, own_two, raw_two] = times;
        of_own.push(own_one / own_two);
        of_raw.push(raw_one / raw_two);
        ratios.push(own_one / own_two / (raw_one / raw_two));
    }
    let rounds = ratios.len();
    let middle = |values| median(values).ok_or("no rounds");
    Ok(Scaling {
        stage: stage.name(),
        own: middle(of_own)?,
        raw: middle(of_raw)?,
        of_raw: middle(ratios)?,
        rounds,
    })
}

//! One serial number after the other looked up in a large revocation list: by an index, and by going through the entries.
//!
//! `revocations FILE` says what the index takes, and the times of look-ups of serial numbers that are there and that are not.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use tagwise_codec::{Decode, Int};
use tagwise_pkix::{CertificateList, CertificateSerialNumber, CrlIndex};

type Failure = Box<dyn std::error::Error>;

const LOOK_UPS: usize = 1_000_000;
const ROUNDS: usize = 9;

/// The least time of some rounds, in nanoseconds for each of `count` steps.
fn least(count: usize, mut round: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed().as_nanos() as f64 / count as f64
    });
    times.fold(f64::INFINITY, f64::min)
}

fn run(path: &str) -> Result<(), Failure> {
    let der = std::fs::read(path)?;
    let list = CertificateList::from_der(&der)?;
    let issuer = list.tbs_cert_list.issuer;
    let entries = list.tbs_cert_list.revoked_certificates.unwrap_or_default();
    let count = entries.len();
    let serials: Vec<CertificateSerialNumber<'_>> = entries
        .iter()
        .map(|entry| entry.map(|entry| entry.user_certificate))
        .collect::<Result<_, _>>()?;
    let build = least(count, || {
        black_box(CrlIndex::new(&list).is_ok());
    });
    let index = CrlIndex::new(&list)?;
    println!(
        "{count} entries, {} octets; index {} octets, {build:.1} ns an entry to build",
        der.len(),
        index.memory()
    );
    // Serial numbers in an order that no cache foresees: steps of a large odd number.
    let order: Vec<usize> = (0..LOOK_UPS)
        .map(|step| step.wrapping_mul(0x9E37_79B1) % count)
        .collect();
    let found = least(LOOK_UPS, || {
        let hits = order.iter().filter(|at| index.contains(serials[**at])).count();
        assert_eq!(hits, LOOK_UPS);
    });
    let whole = least(LOOK_UPS, || {
        let hits = order
            .iter()
            .filter(|at| matches!(index.get(serials[**at], &issuer), Ok(Some(_))))
            .count();
        assert_eq!(hits, LOOK_UPS);
    });
    let absent: Vec<[u8; 9]> = (0..LOOK_UPS as u64)
        .map(|step| {
            let mut octets = [0x7F; 9];
            octets[1..].copy_from_slice(&step.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes());
            octets
        })
        .collect();
    let missing = least(LOOK_UPS, || {
        let serial = |octets| CertificateSerialNumber(Int::from_signed(octets));
        let hits = absent
            .iter()
            .filter(|octets| index.contains(serial(&octets[..])))
            .count();
        assert_eq!(hits, 0);
    });
    let linear = least(20, || {
        for at in order.iter().take(20) {
            let wanted = serials[*at];
            let found = entries
                .iter()
                .map_while(Result::ok)
                .find(|entry| entry.user_certificate == wanted);
            assert!(black_box(found).is_some());
        }
    });
    println!("contains, there     {found:8.1} ns");
    println!("contains, not there {missing:8.1} ns");
    println!("get, there          {whole:8.1} ns");
    println!("one by one, there   {linear:8.0} ns");
    Ok(())
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: revocations LIST");
        return ExitCode::from(2);
    };
    match run(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

//! Certificates read by Rust's types and as elements, for the table that sets the Python package beside them.
//!
//! `overhead FILE` takes certificates with their lengths in four bytes before them, as `bench/python/bench_overhead.py` writes them, and prints
//! a line for each way: the least nanoseconds of a certificate, and the way.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use tagwise_codec::{Any, Decode};
use tagwise_pkix::{Certificate, CertificateBuf};

type Failure = Box<dyn std::error::Error>;

const ROUNDS: usize = 41;
const REPEATS: usize = 200;

fn split(mut data: &[u8]) -> Option<Vec<&[u8]>> {
    let mut ders = Vec::new();
    while let Some((len, rest)) = data.split_first_chunk::<4>() {
        let (der, rest) = rest.split_at_checked(u32::from_be_bytes(*len) as usize)?;
        ders.push(der);
        data = rest;
    }
    Some(ders)
}

/// Prints the least time of a way, which every certificate has to pass.
fn least<'a, T>(name: &str, ders: &[&'a [u8]], read: impl Fn(&'a [u8]) -> Option<T>) -> Result<(), Failure> {
    if ders.iter().any(|der| read(der).is_none()) {
        return Err(format!("{name}: a certificate is refused").into());
    }
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        for _ in 0..REPEATS {
            for der in ders {
                black_box(read(black_box(der)));
            }
        }
        start.elapsed().as_nanos() as f64 / (REPEATS * ders.len()) as f64
    });
    println!("{:.1}\t{name}", times.fold(f64::INFINITY, f64::min));
    Ok(())
}

fn run(path: &str) -> Result<(), Failure> {
    let data = std::fs::read(path)?;
    let ders = split(&data).ok_or("the file is cut off")?;
    least("Rust, typed: the frame (`Certificate::outline`)", &ders, |der| {
        Certificate::outline(der).ok()
    })?;
    least(
        "Rust, typed: the frame, with its bytes (`CertificateBuf::outline`)",
        &ders,
        |der| CertificateBuf::outline(der).ok(),
    )?;
    least("Rust, typed: every byte (`Certificate::from_der`)", &ders, |der| {
        Certificate::from_der(der).ok()
    })?;
    least(
        "Rust, elements: every header and value (`Any::from_der`)",
        &ders,
        |der| Any::from_der(der).ok(),
    )?;
    Ok(())
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: overhead FILE");
        return ExitCode::from(2);
    };
    match run(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("overhead: {error}");
            ExitCode::FAILURE
        }
    }
}

//! Certificates and keys out of PKCS #7 and PKCS #12 files, beside synta 0.5.1: four files, each by both libraries in turn.
//!
//! `extraction FOLDER` (of pyca's vectors) prints medians and the ratio of each round; `extraction --once FILE LIBRARY N` runs one of
//! them N times, for callgrind.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use synta_certificate::crypto::NoCrypto;
use synta_certificate::{certs_from_pkcs7, pem_to_der, pki_from_pkcs12};
use tagwise_codec::pem;
use tagwise_pkix::{Bundle, BundleKind};

type Failure = Box<dyn std::error::Error>;

/// What a file is: as [`Bundle`] takes all forms alike, only the other library needs to be told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Pkcs7,
    Pem,
    Pkcs12,
}

const FILES: [(&str, Form, &str); 4] = [
    ("pkcs7/amazon-roots.p7b", Form::Pkcs7, "PKCS #7, two certificates, BER"),
    ("pkcs7/isrg.pem", Form::Pem, "PKCS #7 in PEM, one certificate"),
    ("pkcs12/name-1-no-pwd.p12", Form::Pkcs12, "PKCS #12, three certificates"),
    (
        "pkcs12/cert-none-key-none.p12",
        Form::Pkcs12,
        "PKCS #12, a certificate and a key",
    ),
];

const ROUNDS: usize = 101;

/// How many items are found, and their octets together: what both must agree on.
type Yield = (usize, usize);

fn bundle(octets: &[u8]) -> Option<Yield> {
    let bundle = Bundle::read(octets).ok()?;
    let items = bundle.items().filter(|item| {
        matches!(
            item.kind,
            BundleKind::Certificate | BundleKind::PrivateKey | BundleKind::EncryptedPrivateKey
        )
    });
    Some(items.fold((0, 0), |(count, len), item| {
        (count + 1, len + black_box(item.octets).len())
    }))
}

fn tagwise(octets: &[u8], form: Form) -> Option<Yield> {
    if form != Form::Pem {
        return bundle(octets);
    }
    let mut total = (0, 0);
    let mut der = Vec::new();
    for block in pem::blocks(octets) {
        der.clear();
        block.ok()?.decode_into(&mut der).ok()?;
        let (count, len) = bundle(&der)?;
        total = (total.0 + count, total.1 + len);
    }
    Some(total)
}

fn synta(octets: &[u8], form: Form) -> Option<Yield> {
    let sum = |lists: &[Vec<u8>]| {
        lists
            .iter()
            .fold((0, 0), |(count, len), der| (count + 1, len + black_box(der).len()))
    };
    match form {
        Form::Pkcs7 => Some(sum(&certs_from_pkcs7(octets).ok()?)),
        Form::Pem => {
            let mut total = (0, 0);
            for block in pem_to_der(octets) {
                let (count, len) = sum(&certs_from_pkcs7(&block).ok()?);
                total = (total.0 + count, total.1 + len);
            }
            Some(total)
        }
        Form::Pkcs12 => {
            let found = pki_from_pkcs12(octets, b"", &NoCrypto).ok()?;
            let (certificates, keys) = (sum(&found.certs), sum(&found.keys));
            Some((certificates.0 + keys.0, certificates.1 + keys.1))
        }
    }
}

fn by(library: &str) -> fn(&[u8], Form) -> Option<Yield> {
    if library == "synta" { synta } else { tagwise }
}

/// Nanoseconds for each of `count` repeats.
fn time(run: fn(&[u8], Form) -> Option<Yield>, octets: &[u8], form: Form, count: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        black_box(run(black_box(octets), form));
    }
    start.elapsed().as_nanos() as f64 / f64::from(count)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn all(folder: &str) -> Result<(), Failure> {
    println!("| file | what | octets | Tagwise ns | synta ns | ratio |\n|---|---|--:|--:|--:|--:|");
    for (file, form, what) in FILES {
        let octets = std::fs::read(format!("{folder}/{file}"))?;
        let (ours, theirs) = (tagwise(&octets, form), synta(&octets, form));
        if ours.is_none() || ours != theirs {
            println!("{file}: {ours:?} here, {theirs:?} there");
        }
        let (mut one, mut other, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            let order = if round % 2 == 0 {
                ["tagwise", "synta"]
            } else {
                ["synta", "tagwise"]
            };
            let mut times = [0.0; 2];
            for library in order {
                times[usize::from(library == "synta")] = time(by(library), &octets, form, 2000);
            }
            one.push(times[0]);
            other.push(times[1]);
            ratios.push(times[1] / times[0]);
        }
        let (one, other, ratio) = (median(&mut one), median(&mut other), median(&mut ratios));
        println!(
            "| {file} | {what} | {} | {one:.0} | {other:.0} | {ratio:.1} |",
            octets.len()
        );
    }
    Ok(())
}

fn once(file: &str, library: &str, count: &str) -> Result<(), Failure> {
    let octets = std::fs::read(file)?;
    let form = FILES
        .iter()
        .find(|(name, ..)| file.ends_with(name))
        .ok_or("none of the files")?
        .1;
    for _ in 0..count.parse::<u32>()? {
        black_box(by(library)(black_box(&octets), form));
    }
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--once", file, library, count] => once(file, library, count),
        [folder] => all(folder),
        _ => Err("extraction FOLDER, or extraction --once FILE LIBRARY N".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("extraction: {error}");
            ExitCode::FAILURE
        }
    }
}

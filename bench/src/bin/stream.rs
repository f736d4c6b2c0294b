//! The entries of a large revocation list: streamed, and in memory, beside what reading the file takes and beside peers.
//!
//! `stream FILE` times a list; `stream FILE items|events|slice|read` does one thing once and says how much memory this process
//! held at most, for the figure is the process's.

use std::fmt::Write as _;
use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::process::ExitCode;
use std::time::Duration;

use tagwise_bench::harness::{BUDGET, Case, Clock, interleave};
use tagwise_bench::machine;
use tagwise_codec::stream::{self, Event, Events};
use tagwise_codec::{Decode, Typed};
use tagwise_pkix::{CertificateList, RevokedCertificate};

const LIST: &str = "tbsCertList.revokedCertificates";
const ROUNDS: usize = 15;

type Failure = Box<dyn std::error::Error>;

/// Reads a file with the buffer that streams have, and does nothing else.
fn read(path: &str) -> Result<u64, Failure> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 64 * 1024];
    let mut total = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(total),
            read => total += read as u64 + u64::from(buffer[read - 1]),
        }
    }
}

/// Every event of a stream, with all checks.
fn events(path: &str) -> Result<u64, Failure> {
    let mut events = Events::new(File::open(path)?);
    let mut sum = 0u64;
    while let Some(event) = events.next()? {
        if let Event::Chunk(chunk) = event {
            sum = sum.wrapping_add(u64::from(chunk.octets[0]));
        }
    }
    Ok(sum)
}

/// Every entry of a stream, decoded strictly; then the rest is checked.
fn items(path: &str) -> Result<u64, Failure> {
    let mut items = stream::items(File::open(path)?, CertificateList::ty(), LIST)?;
    let mut sum = 0u64;
    while let Some(item) = items.next::<RevokedCertificate<'_>>()? {
        sum = sum.wrapping_add(look(&item.value));
    }
    items.finish()?;
    Ok(sum)
}

/// Every entry of a list in memory, decoded strictly where it stands.
fn slice(list: &[u8]) -> Result<u64, Failure> {
    let mut sum = 0u64;
    for entry in stream::slice_items::<RevokedCertificate<'_>>(list, CertificateList::ty(), LIST)? {
        sum = sum.wrapping_add(look(&entry?));
    }
    Ok(sum)
}

/// The same on a file that is mapped for it.
fn mapped(path: &str) -> Result<u64, Failure> {
    let file = File::open(path)?;
    // SAFETY: nobody changes the file while this program measures.
    let map = unsafe { memmap2::Mmap::map(&file)? };
    slice(&map)
}

/// The same by way of the whole list, which is checked to its last octet first, and then iterated.
fn whole(list: &[u8]) -> Result<u64, Failure> {
    let list = CertificateList::from_der(list)?;
    let mut sum = 0u64;
    for entry in list
        .tbs_cert_list
        .revoked_certificates
        .iter()
        .flat_map(|entries| entries.iter())
    {
        sum = sum.wrapping_add(look(&entry?));
    }
    Ok(sum)
}

/// What is asked of an entry: its number and its time.
fn look(entry: &RevokedCertificate<'_>) -> u64 {
    let serial = entry
        .user_certificate
        .0
        .as_bytes()
        .iter()
        .fold(0, |sum: u64, octet| sum << 8 | u64::from(*octet));
    serial.wrapping_add(entry.revocation_date.unix().0 as u64)
}

#[cfg(feature = "peer-synta")]
fn synta(list: &[u8]) -> u64 {
    let decoded = synta_certificate::crl::CertificateList::from_der(list);
    let Ok(decoded) = decoded else { return 0 };
    let mut sum = 0u64;
    for entry in decoded.tbs_cert_list.revoked_certificates.iter().flatten() {
        let serial = entry
            .user_certificate
            .as_bytes()
            .iter()
            .fold(0, |sum: u64, octet| sum << 8 | u64::from(*octet));
        sum = sum.wrapping_add(serial);
        black_box(&entry.revocation_date);
    }
    sum
}

/// The most memory this process ever held, in KiB.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .ok()
}

fn once(path: &str, what: &str) -> Result<(), Failure> {
    let before = peak();
    let sum = match what {
        "read" => read(path)?,
        "events" => events(path)?,
        "items" => items(path)?,
        "mapped" => mapped(path)?,
        "slice" => slice(&std::fs::read(path)?)?,
        #[cfg(feature = "peer-synta")]
        "synta" => synta(&std::fs::read(path)?),
        other => return Err(format!("there is no {other}").into()),
    };
    println!(
        "{what}: {sum:x}; peak {} KiB, {} KiB before",
        peak().unwrap_or(0),
        before.unwrap_or(0)
    );
    Ok(())
}

fn all(path: &str) -> Result<(), Failure> {
    let list = std::fs::read(path)?;
    let count = stream::slice_items::<RevokedCertificate<'_>>(&list, CertificateList::ty(), LIST)?.count();
    let sums = [items(path)?, slice(&list)?, mapped(path)?, whole(&list)?];
    if sums.iter().any(|sum| *sum != sums[0]) {
        return Err("the ways of reading disagree".into());
    }
    let run = |work: &'_ dyn Fn() -> Result<u64, Failure>| black_box(work().unwrap_or_default());
    let case = |work: Box<dyn Fn() -> Result<u64, Failure>>| Case {
        items: count,
        clock: Clock::Thread,
        run: Box::new(move || run(&*work)),
    };
    let (a, b, c) = (path.to_owned(), path.to_owned(), path.to_owned());
    let (d, e, f) = (list.clone(), path.to_owned(), list.clone());
    let mut names = vec![
        "read the file",
        "events, streamed",
        "entries, streamed",
        "entries, in memory",
        "entries, mapped",
        "whole list checked, then entries",
    ];
    let mut cases = vec![
        case(Box::new(move || read(&a))),
        case(Box::new(move || events(&b))),
        case(Box::new(move || items(&c))),
        case(Box::new(move || slice(&d))),
        case(Box::new(move || mapped(&e))),
        case(Box::new(move || whole(&f))),
    ];
    #[cfg(feature = "peer-synta")]
    {
        let list = list.clone();
        names.push("synta 0.5.1: list decoded, then entries");
        cases.push(case(Box::new(move || Ok(synta(&list)))));
    }
    let samples = interleave(&mut cases, ROUNDS, Duration::from_millis(1), BUDGET);
    let megabytes = list.len() as f64 / 1e6;
    let mut text = format!(
        "{count} entries, {} octets; {ROUNDS} rounds, thread time; {}, {}\n\n",
        list.len(),
        machine::cpu(),
        machine::rustc()
    );
    text += "| way | ns an entry, median | least | MB/s by the least | times the read floor |\n|---|--:|--:|--:|--:|\n";
    for (name, sample) in names.iter().zip(&samples) {
        let seconds = sample.min() * count as f64 / 1e9;
        let floor = samples[0].faster_than(sample);
        let _ = writeln!(
            text,
            "| {name} | {:.1} | {:.1} | {:.0} | {floor:.1} |",
            sample.median(),
            sample.min(),
            megabytes / seconds
        );
    }
    println!("{text}");
    Ok(())
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let done = match (args.next(), args.next()) {
        (Some(path), Some(what)) => once(&path, &what),
        (Some(path), None) => all(&path),
        _ => Err("usage: stream FILE [read|events|items|slice|synta]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stream: {error}");
            ExitCode::FAILURE
        }
    }
}

//! Decodes and encodes the messages of `messages.tsv` with generated Rust, with run-time types, and with rasn: in turn, in one process.
//!
//! Arguments: the folder that `prepare.py` wrote, and the number of rounds. With `once NAME`, it runs one side in a loop, for
//! callgrind.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a tool")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use tagwise_per::{PerType, Variant};
use tagwise_schema::{Departure, Options};
use tagwise_tables::{Schema, Source};

#[allow(missing_docs, clippy::all, unused)]
mod generated {
    pub mod rrc {
        include!(concat!(env!("OUT_DIR"), "/rrc.rs"));
    }
    pub mod cam {
        include!(concat!(env!("OUT_DIR"), "/cam.rs"));
    }
}

#[allow(missing_docs, clippy::all, unused)]
mod peer {
    pub mod rrc {
        include!(concat!(env!("OUT_DIR"), "/rasn_rrc.rs"));
    }
    pub mod cam {
        include!(concat!(env!("OUT_DIR"), "/rasn_cam.rs"));
    }
}

/// One side and one direction.
type Run<'m> = Box<dyn Fn() -> usize + 'm>;

fn ours<'m, T: PerType + 'm>(octets: &'m [u8]) -> (Run<'m>, Run<'m>) {
    let value = T::decode_per(octets, Variant::UNALIGNED).unwrap();
    assert_eq!(value.encode_per(Variant::UNALIGNED).unwrap(), octets);
    let decode = move || T::decode_per(black_box(octets), Variant::UNALIGNED).is_ok().into();
    (Box::new(decode), Box::new(move || black_box(&value).encode_per(Variant::UNALIGNED).unwrap().len()))
}

fn theirs<'m, T: rasn::Decode + rasn::Encode + 'm>(octets: &'m [u8]) -> (Run<'m>, Run<'m>) {
    let value = rasn::uper::decode::<T>(octets).unwrap();
    assert_eq!(rasn::uper::encode(&value).unwrap(), octets);
    let decode = move || rasn::uper::decode::<T>(black_box(octets)).is_ok().into();
    (Box::new(decode), Box::new(move || rasn::uper::encode(black_box(&value)).unwrap().len()))
}

fn tables<'m>(schema: &'m Schema, name: &str, octets: &'m [u8]) -> (Run<'m>, Run<'m>) {
    let ty = schema.per(name).unwrap();
    let value = ty.decode(octets).unwrap().value;
    assert_eq!(ty.encode(&value).unwrap(), octets);
    (
        Box::new(move || ty.decode(black_box(octets)).is_ok().into()),
        Box::new(move || ty.encode(black_box(&value)).unwrap().len()),
    )
}

/// Nanoseconds per call.
fn time(run: &Run<'_>, count: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        black_box(run());
    }
    start.elapsed().as_nanos() as f64 / f64::from(count)
}

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().unwrap_or_else(|| "modules".to_owned()));
    let mode = args.next().unwrap_or_else(|| "21".to_owned());
    let side: Option<usize> = args.next().and_then(|text| text.parse().ok());
    let options = Departure::ALL.iter().fold(Options::default(), |options, one| options.allow(*one));
    let schema = |name: &str| {
        let text = std::fs::read_to_string(folder.join(format!("{name}.asn1"))).unwrap();
        Schema::compile_with([Source::new(name, &text)], &options).unwrap()
    };
    let (rrc, cam) = (schema("rrc"), schema("cam"));
    let text = std::fs::read_to_string(folder.join("messages.tsv")).unwrap();
    let messages: Vec<(String, Vec<u8>)> = text
        .lines()
        .filter_map(|line| {
            let parts: Vec<&str> = line.split('\t').collect();
            let [_, name, "uper", hex] = parts.as_slice() else { return None };
            Some(((*name).to_owned(), tagwise_codec::text::hex::decode_pairs(hex)?))
        })
        .collect();
    println!("| message | bytes | direction | generated | rasn | run-time types | rasn / generated | rasn / run-time |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, octets) in &messages {
        let sides = match name.as_str() {
            "BCCH-DL-SCH-Message" => [
                ours::<generated::rrc::BcchDlSchMessage>(octets),
                theirs::<peer::rrc::rrc::BCCHDLSCHMessage>(octets),
                tables(&rrc, name, octets),
            ],
            "PCCH-Message" => [
                ours::<generated::rrc::PcchMessage>(octets),
                theirs::<peer::rrc::rrc::PCCHMessage>(octets),
                tables(&rrc, name, octets),
            ],
            "CAM" => [ours::<generated::cam::Cam>(octets), theirs::<peer::cam::cam::CAM>(octets), tables(&cam, name, octets)],
            _ => continue,
        };
        if let Some(side) = side {
            // For callgrind: one side, so that the difference of two runs counts its instructions.
            let count: u32 = mode.parse().unwrap();
            println!("{name} {} {}", time(&sides[side].0, count), time(&sides[side].1, count));
            continue;
        }
        for (direction, pick) in [("decode", 0), ("encode", 1)] {
            let mut times = [vec![], vec![], vec![]];
            for _ in 0..mode.parse().unwrap() {
                for (side, times) in sides.iter().zip(&mut times) {
                    times.push(time(if pick == 0 { &side.0 } else { &side.1 }, 2000));
                }
            }
            let least = times.map(|times: Vec<f64>| times.into_iter().fold(f64::MAX, f64::min));
            let [generated, rasn, tables] = least;
            println!(
                "| {name} | {} | {direction} | {generated:.0} ns | {rasn:.0} ns | {tables:.0} ns | {:.1} | {:.1} |",
                octets.len(),
                rasn / generated,
                rasn / tables
            );
        }
    }
}

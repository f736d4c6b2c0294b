//! Which error representation costs the success path least? One parser, five layouts, interleaved.
//!
//! `error_layout` measures times and, where valgrind is installed, instructions, and writes
//! `results/error-layout.md`. `error_layout --once SET STYLE LAYOUT N` repeats one case for callgrind.

mod frame;
mod layout;
mod reader;

use layout::{Boxed, Inline16, Layout, Packed, PackedInline, Wide};
use std::fmt::Write as _;
use std::hint::black_box;
use tagwise_bench::inputs::corpus;
use tagwise_bench::{callgrind, harness, machine};

const LAYOUTS: [(&str, &str); 5] = [
    ("packed-cold", "(a) packed NonZeroU64, made in a cold function"),
    ("packed-inline", "(a′) packed NonZeroU64, made in line"),
    ("boxed", "(b) boxed word, made in a cold function"),
    ("inline-16", "(c) inline 16 bytes"),
    ("inline-128", "(d) inline 128 bytes"),
];

const STYLES: [(&str, &str); 2] = [("inline", "parts in line"), ("calls", "one call per part")];

const SETS: [&str; 3] = ["pkits", "mozilla", "failing"];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, set, style, layout, count] = args.as_slice()
        && flag == "--once"
    {
        let certs = load(set);
        let mut run = runner(style, layout, &certs);
        for _ in 0..count.parse().unwrap_or(1) {
            black_box(run());
        }
        return;
    }
    let report = report();
    println!("{report}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/results/error-layout.md");
    if let Err(error) = std::fs::write(path, report) {
        eprintln!("could not write the result: {error}");
    }
}

/// The certificates of a set; `failing` is PKITS with the last tag of each certificate spoilt, so that each fails late.
fn load(set: &str) -> Vec<Vec<u8>> {
    let name = if set == "failing" { "pkits" } else { set };
    let mut certs = corpus::by_name(name).map(|set| set.certs).unwrap_or_else(|missing| {
        eprintln!("skipped: {missing}");
        Vec::new()
    });
    if set == "failing" {
        for cert in &mut certs {
            // A 2048-bit signature: 03 82 01 01 00, then 256 octets.
            let at = cert.len() - 261;
            assert_eq!(
                cert[at], 0x03,
                "a PKITS certificate does not end in a 2048-bit signature"
            );
            cert[at] = 0x04;
        }
    }
    certs
}

fn runner<'a>(style: &str, layout: &str, certs: &'a [Vec<u8>]) -> Box<dyn FnMut() -> u64 + 'a> {
    match (style, layout) {
        ("inline", "packed-cold") => all::<Packed, false>(certs),
        ("inline", "packed-inline") => all::<PackedInline, false>(certs),
        ("inline", "boxed") => all::<Boxed, false>(certs),
        ("inline", "inline-16") => all::<Inline16, false>(certs),
        ("inline", "inline-128") => all::<Wide, false>(certs),
        ("calls", "packed-cold") => all::<Packed, true>(certs),
        ("calls", "packed-inline") => all::<PackedInline, true>(certs),
        ("calls", "boxed") => all::<Boxed, true>(certs),
        ("calls", "inline-16") => all::<Inline16, true>(certs),
        ("calls", "inline-128") => all::<Wide, true>(certs),
        _ => panic!("no such case: {style} {layout}"),
    }
}

fn all<E: Layout + 'static, const CALLS: bool>(certs: &[Vec<u8>]) -> Box<dyn FnMut() -> u64 + '_> {
    Box::new(move || {
        let mut sum = 0u64;
        for cert in certs {
            sum = sum.wrapping_add(match frame::certificate::<E, CALLS>(black_box(cert)) {
                Ok(frame) => witness(black_box(&frame)),
                Err(error) => error.offset() as u64 * 4096 + u64::from(error.detail()) * 16 + error.kind() as u64,
            });
        }
        sum
    })
}

/// A value that every layout must agree on.
fn witness(frame: &frame::Frame<'_>) -> u64 {
    let lengths = frame.serial.len()
        + frame.algorithm.oid.len()
        + frame.key.algorithm.oid.len()
        + frame.key.bits.len()
        + frame.signature.len();
    let spans = [
        frame.issuer,
        frame.subject,
        frame.extensions,
        frame.algorithm.parameters,
        frame.key.algorithm.parameters,
    ];
    let spans: u32 = spans.iter().map(|(start, end)| end - start).sum();
    (frame.validity.0 ^ frame.validity.1) as u64 + lengths as u64 + u64::from(spans + frame.critical)
}

fn report() -> String {
    let mut text = String::from("# Error layout: what the success path pays\n\n");
    text += "A certificate frame parser (names, extension values and keys left raw; times, OIDs, lengths, INTEGERs checked), \
             written once over a trait and compiled for each error representation. Nanoseconds of thread CPU time and \
             instructions per certificate; all cases interleaved in one process, median (minimum) of 41 rounds. \
             *Failing*: PKITS with the tag of the signature value spoilt, so that the error comes last.\n\n";
    let _ = writeln!(
        text,
        "{}, {}, fat LTO, codegen-units 1, no target-cpu, {}.\n",
        machine::cpu(),
        machine::rustc(),
        machine::today()
    );
    let mut totals = [0.0; LAYOUTS.len()];
    for (style, about) in STYLES {
        let _ = writeln!(
            text,
            "## {about}\n\n| layout | Result of () | PKITS ns | instr. | Mozilla ns | instr. | failing ns | instr. |\n|---|--:|--:|--:|--:|--:|--:|--:|"
        );
        let sets: Vec<_> = SETS.map(load).into();
        let mut cases = Vec::new();
        for (layout, _) in LAYOUTS {
            for certs in &sets {
                cases.push(harness::Case {
                    items: certs.len(),
                    clock: harness::Clock::Thread,
                    run: runner(style, layout, certs),
                });
            }
        }
        let witnesses: Vec<u64> = cases.iter_mut().map(|case| (case.run)()).collect();
        for row in witnesses.chunks(SETS.len()) {
            assert_eq!(Some(row), witnesses.get(..SETS.len()), "the layouts disagree");
        }
        let timings = harness::interleave(&mut cases, harness::ROUNDS, harness::SAMPLE, harness::BUDGET);
        for (((name, about), row), total) in LAYOUTS.iter().zip(timings.chunks(SETS.len())).zip(&mut totals) {
            let _ = write!(text, "| {about} | {} B", result_size(name));
            for ((set, certs), timing) in SETS.iter().zip(&sets).zip(row) {
                let count = instructions(set, style, name, certs.len());
                if *set != "failing" {
                    *total += count.unwrap_or(f64::NAN);
                }
                let count = count.map_or_else(|| "–".to_owned(), |count| format!("{count:.0}"));
                let _ = write!(text, " | {:.1} ({:.1}) | {count}", timing.median(), timing.min());
            }
            text += " |\n";
        }
        text += "\n";
    }
    text + &outcome(totals)
}

/// Instructions per certificate.
fn instructions(set: &str, style: &str, layout: &str, certs: usize) -> Option<f64> {
    let few = (2000 / certs.max(1)) as u64;
    let args = ["--once", set, style, layout];
    let per_call = callgrind::instructions_per_repeat(&args, few, few * 3)?;
    Some(per_call / certs as f64)
}

/// States the comparison in instructions, which repeat, and not in times, which do not.
fn outcome(totals: [f64; LAYOUTS.len()]) -> String {
    let mut text = String::from("## Outcome\n\n");
    if totals.iter().any(|total| total.is_nan()) {
        return text + "Without valgrind there are no instruction counts, so no outcome is stated.\n";
    }
    text += "Instructions where parsing succeeds, both styles and both sets together, against (a):\n\n";
    for ((_, about), total) in LAYOUTS.iter().zip(totals) {
        let _ = writeln!(text, "- {about}: {:+.1} %", (total / totals[0] - 1.0) * 100.0);
    }
    let fewest = totals.iter().copied().fold(f64::INFINITY, f64::min);
    text += if totals[0] <= fewest * 1.01 {
        "\nThe packed word made in a cold function is within 1 % of the fewest. It is `Copy`, needs no allocator \
         and fails without allocating, so it is the one to use; the path of field names is found afterwards, from the type tables.\n"
    } else {
        "\nThe packed word is more than 1 % behind the fewest on this machine: the choice should be looked at again.\n"
    };
    text
}

fn result_size(layout: &str) -> usize {
    match layout {
        "packed-cold" | "packed-inline" => size_of::<Result<(), Packed>>(),
        "boxed" => size_of::<Result<(), Boxed>>(),
        "inline-16" => size_of::<Result<(), Inline16>>(),
        _ => size_of::<Result<(), Wide>>(),
    }
}

//! BER: messages of definite lengths read as they stand, and indefinite lengths to DER.
//!
//! A program of its own, for BER is not what most peers read.

#![allow(clippy::result_large_err, reason = "the derive of a peer")]

use std::fmt::Write as _;
use std::process::ExitCode;

use rasn::prelude::OctetString;
use rasn::{AsnType, Decode, Decoder as _, Encode, Encoder as _};
use synta::{Asn1Sequence, Decoder, Encoding, Integer, OctetStringRef};
use tagwise_bench::harness::{BUDGET, Case, Clock, ROUNDS, SAMPLE, interleave};
use tagwise_bench::{peers, report};
use tagwise_codec::{Oid, Options, SeqOf, SetOf, ber};
use tagwise_derive::Asn1;

/// An entry of a search result, as LDAP has them (RFC 4511 §4.5.2), without its APPLICATION tag, which synta's derive has not.
#[derive(Asn1)]
struct Message<'a> {
    id: i64,
    entry: Entry<'a>,
}

#[derive(Asn1, Clone, Copy)]
struct Entry<'a> {
    name: tagwise_codec::OctetStr<'a>,
    attributes: SeqOf<'a, Attribute<'a>>,
}

#[derive(Asn1, Clone, Copy)]
struct Attribute<'a> {
    kind: tagwise_codec::OctetStr<'a>,
    values: SetOf<'a, tagwise_codec::OctetStr<'a>>,
}

#[derive(AsnType, Clone, Decode, Encode)]
struct RasnMessage {
    id: i64,
    entry: RasnEntry,
}

#[derive(AsnType, Clone, Decode, Encode)]
struct RasnEntry {
    name: OctetString,
    attributes: Vec<RasnAttribute>,
}

#[derive(AsnType, Clone, Debug, Decode, Encode, PartialEq, Eq, Hash)]
struct RasnAttribute {
    kind: OctetString,
    values: rasn::types::SetOf<OctetString>,
}

#[derive(Asn1Sequence)]
struct SyntaMessage<'a> {
    id: Integer,
    entry: SyntaEntry<'a>,
}

#[derive(Asn1Sequence)]
struct SyntaEntry<'a> {
    name: OctetStringRef<'a>,
    attributes: Vec<SyntaAttribute<'a>>,
}

#[derive(Asn1Sequence)]
struct SyntaAttribute<'a> {
    kind: OctetStringRef<'a>,
    values: synta::SetOf<OctetStringRef<'a>>,
}

#[derive(asn1::Asn1Read)]
#[expect(dead_code, reason = "decoded to be timed")]
struct PlainMessage<'a> {
    id: i64,
    entry: PlainEntry<'a>,
}

#[derive(asn1::Asn1Read)]
#[expect(dead_code, reason = "decoded to be timed")]
struct PlainEntry<'a> {
    name: &'a [u8],
    attributes: asn1::SequenceOf<'a, PlainAttribute<'a>>,
}

#[derive(asn1::Asn1Read)]
#[expect(dead_code, reason = "decoded to be timed")]
struct PlainAttribute<'a> {
    kind: &'a [u8],
    values: asn1::SetOf<'a, &'a [u8]>,
}

/// `ContentInfo` with a string as its content.
#[derive(Asn1)]
struct Content<'a> {
    kind: Oid<'a>,
    #[asn1(explicit = 0)]
    content: tagwise_codec::OctetStr<'a>,
}

#[derive(AsnType, Clone, Decode, Encode)]
struct RasnContent {
    kind: rasn::types::ObjectIdentifier,
    #[rasn(tag(explicit(0)))]
    content: OctetString,
}

fn element(tag: u8, content: &[u8], padded: bool) -> Vec<u8> {
    let len = content.len() as u32;
    let mut octets = vec![tag];
    match len {
        _ if padded => {
            octets.push(0x84);
            octets.extend(len.to_be_bytes());
        }
        0..0x80 => octets.push(len as u8),
        0x80..0x100 => octets.extend([0x81, len as u8]),
        0x100..0x1_0000 => octets.extend([0x82, (len >> 8) as u8, len as u8]),
        _ => {
            octets.push(0x84);
            octets.extend(len.to_be_bytes());
        }
    }
    octets.extend(content);
    octets
}

/// A message of 12 attributes; lengths of what is constructed are `30 84 00 00 xx xx`, as Active Directory writes them.
fn message(padded: bool) -> Vec<u8> {
    let text = |text: &str| element(4, text.as_bytes(), false);
    let attributes: Vec<u8> = (0..12)
        .flat_map(|index| {
            let values = [
                text(&format!("first value of {index}")),
                text(&format!("second value {index}")),
            ]
            .concat();
            let kind = text(&format!("attributeNumber{index}"));
            // In the order that DER wants: the shorter value is second, so it is put first.
            let mut sorted = [
                text(&format!("first value of {index}")),
                text(&format!("second value {index}")),
            ];
            sorted.sort();
            let values = if padded { values } else { sorted.concat() };
            element(0x30, &[kind, element(0x31, &values, padded)].concat(), padded)
        })
        .collect();
    let entry = [
        text("CN=Someone,OU=Somewhere,DC=example,DC=org"),
        element(0x30, &attributes, padded),
    ]
    .concat();
    element(0x30, &[vec![2, 1, 7], element(0x30, &entry, padded)].concat(), padded)
}

/// A `ContentInfo` in indefinite form, its string of `len` octets in segments of `segment`.
fn indefinite(len: usize, segment: usize) -> Vec<u8> {
    let octets: Vec<u8> = (0..len).map(|at| at as u8).collect();
    let mut out = vec![
        0x30, 0x80, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1, 0xA0, 0x80, 0x24, 0x80,
    ];
    out.extend(octets.chunks(segment).flat_map(|chunk| element(4, chunk, false)));
    out.extend([0; 6]);
    out
}

struct Timed<'a> {
    name: &'a str,
    says: &'a str,
    run: Box<dyn FnMut() -> bool + 'a>,
}

fn table(text: &mut String, title: &str, octets: usize, mut all: Vec<Timed<'_>>) {
    let _ = writeln!(text, "\n## {title}\n\n{octets} octets.\n");
    let _ = writeln!(
        text,
        "| library | ns | MB/s | × tagwise | what it does |\n|---|--:|--:|--:|---|"
    );
    let accepted: Vec<bool> = all.iter_mut().map(|timed| (timed.run)()).collect();
    let facts: Vec<(&str, &str)> = all.iter().map(|timed| (timed.name, timed.says)).collect();
    let runs = all.into_iter().zip(&accepted).filter(|(_, accepted)| **accepted);
    let mut cases: Vec<Case<'_>> = runs
        .map(|(mut timed, _)| Case {
            items: 1,
            clock: Clock::Thread,
            run: Box::new(move || u64::from((timed.run)())),
        })
        .collect();
    let samples = interleave(&mut cases, ROUNDS, SAMPLE, BUDGET);
    let mut measured = samples.iter();
    let base = &samples[0];
    for ((name, says), accepted) in facts.iter().zip(&accepted) {
        if !accepted {
            let _ = writeln!(text, "| {name} | – | – | – | refuses it. {says} |");
            continue;
        }
        let sample = measured.next().expect("one for each that accepts");
        let nanos = sample.median();
        let rate = octets as f64 * 1000.0 / nanos;
        let slower = base.faster_than(sample);
        let _ = writeln!(text, "| {name} | {nanos:.0} | {rate:.0} | {slower:.2} | {says} |");
    }
}

fn ldap(text: &mut String, title: &str, input: &[u8]) {
    let options = Options::ber_definite();
    table(
        text,
        title,
        input.len(),
        vec![
            Timed {
                name: "tagwise",
                says: "`Options::ber_definite()`: every octet checked, borrowed, each deviation listed with its offset",
                run: Box::new(|| std::hint::black_box(options.decode::<Message<'_>>(input)).is_ok()),
            },
            Timed {
                name: "synta",
                says: "`Encoding::Ber`, derived; strings borrowed, lists in vectors",
                run: Box::new(|| {
                    let mut decoder = Decoder::new(input, Encoding::Ber);
                    std::hint::black_box(decoder.decode::<SyntaMessage<'_>>()).is_ok()
                }),
            },
            Timed {
                name: "rasn",
                says: "`ber::decode`, derived; owned",
                run: Box::new(|| std::hint::black_box(rasn::ber::decode::<RasnMessage>(input)).is_ok()),
            },
            Timed {
                name: "asn1",
                says: "`parse_single`, derived; DER only",
                run: Box::new(|| std::hint::black_box(asn1::parse_single::<PlainMessage<'_>>(input)).is_ok()),
            },
        ],
    );
}

fn to_der(text: &mut String, title: &str, input: &[u8]) {
    table(
        text,
        title,
        input.len(),
        vec![
            Timed {
                name: "tagwise",
                says: "`ber::to_der` by the type, with the map of offsets",
                run: Box::new(|| std::hint::black_box(ber::to_der::<Content<'_>>(input)).is_ok()),
            },
            Timed {
                name: "tagwise, no schema",
                says: "`ber::to_der_untyped`",
                run: Box::new(|| std::hint::black_box(ber::to_der_untyped(input)).is_ok()),
            },
            Timed {
                name: "rasn",
                says: "`ber::decode`, then `der::encode`",
                run: Box::new(|| {
                    rasn::ber::decode::<RasnContent>(input)
                        .is_ok_and(|content| std::hint::black_box(rasn::der::encode(&content)).is_ok())
                }),
            },
        ],
    );
}

fn main() -> ExitCode {
    let mut text = String::from("# BER\n\n");
    report::facts(&mut text, &report::head(&peers::all(), ROUNDS));
    ldap(
        &mut text,
        "A message whose constructed lengths are `84 00 00 xx xx`",
        &message(true),
    );
    ldap(&mut text, "The same message in DER", &message(false));
    to_der(
        &mut text,
        "ContentInfo of 1 MiB in segments of 1000 octets, indefinite",
        &indefinite(1 << 20, 1000),
    );
    to_der(
        &mut text,
        "ContentInfo of 64 KiB in segments of 16 octets, indefinite",
        &indefinite(1 << 16, 16),
    );
    println!("{text}");
    match report::save("ber", "md", &text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

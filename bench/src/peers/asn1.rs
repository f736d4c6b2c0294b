//! `asn1` (the codec under PyCA's cryptography), with a certificate written for it and deferred as synta defers.

#![expect(clippy::result_large_err, reason = "the error of this crate is 136 bytes")]

use crate::parsed::{Facts, Parsed, facts};
use crate::peer::{Input, Peer, Task, content, decode_each, decode_repeat, encode_each, encode_repeat, samples};
use crate::rows::{Op, Prim};
use ::asn1::{
    Asn1Read, Asn1Write, BigInt, BitString, Explicit, ObjectIdentifier, ParseError, ParseResult, Sequence,
    SequenceWriter, Tlv, UtcTime, WriteError, X509GeneralizedTime, parse_single, strip_tlv, write, write_single,
};
use std::borrow::Cow;
use std::hint::black_box;

/// The adapter.
pub(super) struct Asn1;

#[derive(Asn1Read, Asn1Write)]
struct Certificate<'a> {
    tbs: Tbs<'a>,
    algorithm: Algorithm<'a>,
    signature: BitString<'a>,
}

#[derive(Asn1Read, Asn1Write)]
struct Tbs<'a> {
    #[explicit(0)]
    #[default(0)]
    version: u8,
    serial: BigInt<'a>,
    algorithm: Algorithm<'a>,
    issuer: Tlv<'a>,
    validity: Validity,
    subject: Tlv<'a>,
    key: Key<'a>,
    #[implicit(1)]
    issuer_unique_id: Option<BitString<'a>>,
    #[implicit(2)]
    subject_unique_id: Option<BitString<'a>>,
    #[explicit(3)]
    extensions: Option<Tlv<'a>>,
}

#[derive(Asn1Read, Asn1Write)]
struct Algorithm<'a> {
    oid: ObjectIdentifier,
    parameters: Option<Tlv<'a>>,
}

#[derive(Asn1Read, Asn1Write)]
struct Validity {
    not_before: Time,
    not_after: Time,
}

#[derive(Asn1Read, Asn1Write)]
enum Time {
    Utc(UtcTime),
    General(X509GeneralizedTime),
}

#[derive(Asn1Read, Asn1Write)]
struct Key<'a> {
    algorithm: Algorithm<'a>,
    bits: BitString<'a>,
}

#[derive(Asn1Read, Asn1Write)]
struct Seq3<'a> {
    id: i64,
    flag: bool,
    data: &'a [u8],
}

#[derive(Asn1Read, Asn1Write)]
struct Nested<'a> {
    level: i64,
    inner: Seq3<'a>,
}

const DEFERRED: &str = "Hand-written deferred struct. Checks tags, lengths, OIDs, BIT STRING padding, both times to the \
    calendar day, trailing bytes everywhere. Leaves: names, the whole extension list, key, algorithm parameters";

impl Peer for Asn1 {
    fn name(&self) -> &'static str {
        "asn1"
    }

    fn crates(&self) -> &'static [&'static str] {
        &["asn1"]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        match op {
            Op::Outline | Op::Strict => vec![decode_each(DEFERRED, input, parse_single::<Certificate<'_>>)],
            Op::Index => vec![index(input)],
            // It has no formatter of names.
            Op::Fields | Op::AllFields => Vec::new(),
            Op::WalkLazy => vec![decode_each(
                "`Tlv`: header and bounds, no trailing bytes",
                input,
                |der| parse_single::<Tlv<'_>>(der).ok(),
            )],
            Op::WalkEager => vec![decode_each(
                "`Tlv`s recursively while constructed: headers and bounds; leaf contents not looked at",
                input,
                |der| walk(&parse_single::<Tlv<'_>>(der).ok()?).ok(),
            )],
            Op::EncodeCert => vec![encode_each(
                "`write_single`; names, parameters and extensions written back from raw bytes",
                input,
                parse,
                |certificate, _| write_single(certificate).ok(),
            )],
            Op::Recode => vec![decode_each("Deferred parse, then `write_single`", input, |der| {
                write_single(&parse(der)?).ok()
            })],
            Op::Header => decode_repeat("`strip_tlv`: also cuts out the contents", input, |der| {
                strip_tlv(der).ok()
            }),
            Op::Decode(prim) => decode(prim, input),
            Op::Encode(prim) => encode(prim, input),
            // `Tlv`s borrow what they came from: there is no tree to write back.
            Op::RecodeElement => Vec::new(),
            op => super::derived::<Certificate<'a>>(op, input, DEFERRED),
        }
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        facts::<Certificate<'_>>(der)
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("certificate", size_of::<Certificate<'_>>()),
            ("error", size_of::<ParseError>()),
            ("INTEGER, general type", size_of::<BigInt<'_>>()),
            ("SEQUENCE of three", size_of::<Seq3<'_>>()),
            ("three constrained INTEGERs", size_of::<Bounded>()),
        ]
    }
}

impl<'a> Parsed<'a> for Certificate<'a> {
    const ACCESS: &'static str =
        "The hand-written deferred struct: borrowed fields, times to seconds, OIDs by `to_string`";

    fn parse(der: &'a [u8]) -> Option<Self> {
        parse(der)
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs.serial.as_bytes().into())
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs.issuer.full_data().into())
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs.subject.full_data().into())
    }

    fn not_before(&self) -> Option<i64> {
        Some(unix(&self.tbs.validity.not_before))
    }

    fn not_after(&self) -> Option<i64> {
        Some(unix(&self.tbs.validity.not_after))
    }

    fn algorithm(&self) -> Option<String> {
        Some(self.algorithm.oid.to_string())
    }

    fn key_algorithm(&self) -> Option<String> {
        Some(self.tbs.key.algorithm.oid.to_string())
    }

    fn key(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs.key.bits.as_bytes().into())
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.signature.as_bytes().into())
    }
}

fn unix(time: &Time) -> i64 {
    let date = match time {
        Time::Utc(time) => time.as_datetime(),
        Time::General(time) => time.as_datetime(),
    };
    let seconds = i64::from(date.hour()) * 3600 + i64::from(date.minute()) * 60 + i64::from(date.second());
    super::unix(date.year().into(), date.month().into(), date.day().into(), seconds)
}

fn parse(der: &[u8]) -> Option<Certificate<'_>> {
    parse_single(der).ok()
}

struct Entry<'a> {
    _serial: &'a [u8],
    _issuer: &'a [u8],
    _subject: &'a [u8],
    _key: &'a [u8],
    _validity: &'a [u8],
}

#[derive(Asn1Read)]
struct Frame<'a> {
    tbs: FrameTbs<'a>,
    _algorithm: Tlv<'a>,
    _signature: Tlv<'a>,
}

/// The struct to write for a store: spans of the five things and nothing decoded but the serial number.
#[derive(Asn1Read)]
struct FrameTbs<'a> {
    _version: Option<Explicit<Tlv<'a>, 0>>,
    serial: BigInt<'a>,
    _algorithm: Tlv<'a>,
    issuer: Tlv<'a>,
    validity: Tlv<'a>,
    subject: Tlv<'a>,
    key: Tlv<'a>,
    #[implicit(1)]
    _issuer_unique_id: Option<BitString<'a>>,
    #[implicit(2)]
    _subject_unique_id: Option<BitString<'a>>,
    _extensions: Option<Explicit<Tlv<'a>, 3>>,
}

fn index(input: &Input) -> Task<'_> {
    let mut entries = Vec::with_capacity(input.items.len());
    let says = "A struct of `Tlv`s: five borrowed slices, all headers and ends checked, nothing decoded but the serial";
    Task::new(says, input.items.len(), move || {
        entries.clear();
        for der in &input.items {
            let Ok(Frame { tbs, .. }) = parse_single::<Frame<'_>>(black_box(der)) else {
                continue;
            };
            entries.push(Entry {
                _serial: tbs.serial.as_bytes(),
                _issuer: tbs.issuer.full_data(),
                _subject: tbs.subject.full_data(),
                _key: tbs.key.full_data(),
                _validity: tbs.validity.full_data(),
            });
        }
        black_box(&entries);
        entries.len() as u64
    })
}

fn walk(element: &Tlv<'_>) -> ParseResult<u64> {
    if !element.tag().is_constructed() {
        return Ok(1);
    }
    ::asn1::parse(element.data(), |parser| {
        let mut count = 1;
        while !parser.is_empty() {
            count += walk(&parser.read_element::<Tlv<'_>>()?)?;
        }
        Ok(count)
    })
}

fn decode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    match prim {
        Prim::Integer => decode_repeat("`BigInt`, borrowed", input, |der| parse_single::<BigInt<'_>>(der).ok()),
        Prim::I64 => decode_repeat("`i64`", input, |der| parse_single::<i64>(der).ok()),
        // It reads native integers of up to 64 bits.
        Prim::I128 => Vec::new(),
        Prim::Octets => decode_repeat("`&[u8]`", input, |der| parse_single::<&[u8]>(der).ok()),
        Prim::Seq3 => decode_repeat("derived; `i64` field", input, |der| parse_single::<Seq3<'_>>(der).ok()),
        Prim::Seq3Hand => decode_repeat("`Sequence::parse` with a closure", input, |der| {
            let sequence = parse_single::<Sequence<'_>>(der).ok()?;
            sequence
                .parse::<_, ParseError, _>(|fields| {
                    Ok(Seq3 {
                        id: fields.read_element()?,
                        flag: fields.read_element()?,
                        data: fields.read_element()?,
                    })
                })
                .ok()
        }),
        Prim::Nested => decode_repeat("derived", input, |der| parse_single::<Nested<'_>>(der).ok()),
        Prim::Bounded => decode_repeat("derived with `u8`, `u16`, `i64`; ranges checked after", input, bounded),
        Prim::U8 => decode_repeat(RANGED, input, |der| {
            parse_single::<u8>(der).ok().filter(|value| *value <= 200)
        }),
        Prim::U16 => decode_repeat(RANGED, input, |der| {
            parse_single::<u16>(der).ok().filter(|value| *value <= 10_000)
        }),
        Prim::I16 => decode_repeat(RANGED, input, |der| {
            parse_single::<i16>(der)
                .ok()
                .filter(|value| (-1000..=1000).contains(value))
        }),
        Prim::BoundedI64 => decode_repeat(RANGED, input, |der| {
            parse_single::<i64>(der)
                .ok()
                .filter(|value| (-1_000_000_000..=1_000_000_000).contains(value))
        }),
    }
}

const RANGED: &str = "The native integer of that size; the range checked after";

#[derive(Asn1Read, Asn1Write)]
struct Bounded {
    a: u8,
    b: u16,
    c: i64,
}

fn bounded(der: &[u8]) -> Option<Bounded> {
    let value: Bounded = parse_single(der).ok()?;
    let within = value.a <= 200 && value.b <= 10_000 && (-1_000_000_000..=1_000_000_000).contains(&value.c);
    within.then_some(value)
}

fn encode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    let item: &[u8] = input.items.first().copied().unwrap_or_default();
    let says = "`write_single` into a fresh Vec";
    let seq3 = || Seq3 {
        id: samples::ID,
        flag: true,
        data: &samples::DATA,
    };
    match prim {
        Prim::Integer => match parse_single::<BigInt<'_>>(item) {
            Ok(value) => encode_repeat(says, input, value, write_single),
            Err(_) => Vec::new(),
        },
        Prim::I64 => match parse_single::<i64>(item) {
            Ok(value) => encode_repeat(says, input, value, write_single),
            Err(_) => Vec::new(),
        },
        Prim::I128 => Vec::new(),
        Prim::Octets => encode_repeat(says, input, content(item), write_single),
        Prim::Seq3 => encode_repeat(says, input, seq3(), write_single),
        Prim::Seq3Hand => encode_repeat("`SequenceWriter` with a closure", input, seq3(), |value| {
            write(|writer| {
                writer.write_element(&SequenceWriter::new(&|fields| {
                    fields.write_element(&value.id)?;
                    fields.write_element(&value.flag)?;
                    fields.write_element(&value.data)?;
                    Ok::<_, WriteError>(())
                }))
            })
        }),
        Prim::Nested => encode_repeat(
            says,
            input,
            Nested {
                level: samples::LEVEL,
                inner: seq3(),
            },
            write_single,
        ),
        Prim::Bounded => {
            let (a, b, c) = samples::BOUNDED;
            encode_repeat(says, input, Bounded { a, b, c }, write_single)
        }
        Prim::U8 => encode_repeat(says, input, samples::BOUNDED.0, write_single),
        Prim::U16 => encode_repeat(says, input, samples::BOUNDED.1, write_single),
        Prim::I16 => encode_repeat(says, input, samples::SIGNED, write_single),
        Prim::BoundedI64 => encode_repeat(says, input, samples::BOUNDED.2, write_single),
    }
}

//! `der` of RustCrypto, with a certificate written for it and deferred as synta defers.

use crate::parsed::{Facts, Parsed, facts};
use crate::peer::{
    Input, Peer, Task, content, decode_each, decode_repeat, encode_each, encode_repeat, encode_repeat_into, samples,
};
use crate::rows::{Op, Prim};
use ::der::asn1::{
    AnyRef, BitStringRef, ContextSpecific, GeneralizedTime, IntRef, ObjectIdentifier, OctetStringRef, UtcTime,
};
use ::der::{Choice, Decode, Encode, Header, Reader, Sequence, SliceReader};
use std::borrow::Cow;
use std::hint::black_box;

/// The adapter.
pub(super) struct Der;

#[derive(Sequence)]
struct Certificate<'a> {
    tbs: Tbs<'a>,
    algorithm: Algorithm<'a>,
    signature: BitStringRef<'a>,
}

#[derive(Sequence)]
struct Tbs<'a> {
    #[asn1(context_specific = "0", default = "Default::default")]
    version: u8,
    serial: IntRef<'a>,
    algorithm: Algorithm<'a>,
    issuer: AnyRef<'a>,
    validity: Validity,
    subject: AnyRef<'a>,
    key: Key<'a>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    issuer_unique_id: Option<BitStringRef<'a>>,
    #[asn1(context_specific = "2", tag_mode = "IMPLICIT", optional = "true")]
    subject_unique_id: Option<BitStringRef<'a>>,
    #[asn1(context_specific = "3", tag_mode = "EXPLICIT", optional = "true")]
    extensions: Option<AnyRef<'a>>,
}

#[derive(Sequence)]
struct Algorithm<'a> {
    oid: ObjectIdentifier,
    parameters: Option<AnyRef<'a>>,
}

#[derive(Sequence)]
struct Validity {
    not_before: Time,
    not_after: Time,
}

#[derive(Choice)]
enum Time {
    #[asn1(type = "UTCTime")]
    Utc(UtcTime),
    #[asn1(type = "GeneralizedTime")]
    General(GeneralizedTime),
}

#[derive(Sequence)]
struct Key<'a> {
    algorithm: Algorithm<'a>,
    bits: BitStringRef<'a>,
}

#[derive(Clone, Sequence)]
struct Seq3<'a> {
    id: i64,
    flag: bool,
    data: &'a OctetStringRef,
}

#[derive(Clone, Sequence)]
struct Nested<'a> {
    level: i64,
    inner: Seq3<'a>,
}

#[derive(Clone, Sequence)]
struct Bounded {
    a: u8,
    b: u16,
    c: i64,
}

const DEFERRED: &str = "Hand-written deferred struct. Checks tags, lengths, OIDs, BIT STRING padding, both times to the \
    calendar day, trailing bytes everywhere. Leaves: names, the whole extension list, key, algorithm parameters";

impl Peer for Der {
    fn name(&self) -> &'static str {
        "der"
    }

    fn crates(&self) -> &'static [&'static str] {
        &["der"]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        match op {
            Op::Outline | Op::Strict => vec![decode_each(DEFERRED, input, Certificate::from_der)],
            Op::Index => vec![index(input)],
            // Names and their text are x509-cert's.
            Op::Fields | Op::AllFields => Vec::new(),
            Op::WalkLazy => vec![decode_each(
                "`AnyRef`: header and bounds, no trailing bytes",
                input,
                |der| AnyRef::from_der(der).ok(),
            )],
            Op::WalkEager => vec![decode_each(
                "`AnyRef`s recursively while constructed: headers and bounds; leaf contents not looked at",
                input,
                |der| walk(AnyRef::from_der(der).ok()?),
            )],
            Op::EncodeCert => vec![
                encode_each(
                    "`to_der`: exact length, then one pass; names and extensions from raw bytes",
                    input,
                    parse,
                    |certificate, _| certificate.to_der().ok(),
                ),
                reused(input),
            ],
            Op::Recode => vec![decode_each("Deferred parse, then `to_der`", input, |der| {
                parse(der)?.to_der().ok()
            })],
            Op::Header => decode_repeat("`Header::decode`", input, |der| {
                let mut reader = SliceReader::new(der).ok()?;
                Header::decode(&mut reader).ok()
            }),
            Op::Decode(prim) => decode(prim, input),
            Op::Encode(prim) => encode(prim, input),
            // `AnyRef`s borrow what they came from: there is no tree to write back.
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
            ("error", size_of::<::der::Error>()),
            ("INTEGER, general type", size_of::<IntRef<'_>>()),
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
        Some(self.tbs.issuer.value().into())
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs.subject.value().into())
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
        Some(self.tbs.key.bits.raw_bytes().into())
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.signature.raw_bytes().into())
    }
}

fn unix(time: &Time) -> i64 {
    let since = match time {
        Time::Utc(time) => time.to_unix_duration(),
        Time::General(time) => time.to_unix_duration(),
    };
    since.as_secs() as i64
}

fn parse(der: &[u8]) -> Option<Certificate<'_>> {
    Certificate::from_der(der).ok()
}

fn reused(input: &Input) -> Task<'_> {
    let mut buffer = vec![0; 1 << 16];
    let says = "`encode_to_slice` into one reused buffer";
    encode_each(says, input, parse, move |certificate, _| {
        certificate.encode_to_slice(&mut buffer).ok().map(<[u8]>::len)
    })
    .named("reused buffer")
}

struct Entry<'a> {
    _serial: &'a [u8],
    _issuer: AnyRef<'a>,
    _subject: AnyRef<'a>,
    _key: AnyRef<'a>,
    _validity: AnyRef<'a>,
}

#[derive(Sequence)]
struct Frame<'a> {
    tbs: FrameTbs<'a>,
    algorithm: AnyRef<'a>,
    signature: AnyRef<'a>,
}

/// The struct to write for a store: spans of the five things and nothing decoded but the serial number.
#[derive(Sequence)]
struct FrameTbs<'a> {
    version: Option<ContextSpecific<AnyRef<'a>>>,
    serial: IntRef<'a>,
    algorithm: AnyRef<'a>,
    issuer: AnyRef<'a>,
    validity: AnyRef<'a>,
    subject: AnyRef<'a>,
    key: AnyRef<'a>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    issuer_unique_id: Option<BitStringRef<'a>>,
    #[asn1(context_specific = "2", tag_mode = "IMPLICIT", optional = "true")]
    subject_unique_id: Option<BitStringRef<'a>>,
    #[asn1(context_specific = "3", tag_mode = "EXPLICIT", optional = "true")]
    extensions: Option<AnyRef<'a>>,
}

fn index(input: &Input) -> Task<'_> {
    let mut entries = Vec::with_capacity(input.items.len());
    let says = "A struct of `AnyRef`s: contents borrowed, all headers and ends checked, nothing decoded but the serial";
    Task::new(says, input.items.len(), move || {
        entries.clear();
        for der in &input.items {
            let Ok(Frame { tbs, .. }) = Frame::from_der(black_box(der)) else {
                continue;
            };
            entries.push(Entry {
                _serial: tbs.serial.as_bytes(),
                _issuer: tbs.issuer,
                _subject: tbs.subject,
                _key: tbs.key,
                _validity: tbs.validity,
            });
        }
        black_box(&entries);
        entries.len() as u64
    })
}

fn walk(element: AnyRef<'_>) -> Option<u64> {
    let mut count = 1;
    if element.header().tag().is_constructed() {
        let mut reader = SliceReader::new(element.value()).ok()?;
        while !reader.is_finished() {
            count += walk(reader.decode().ok()?)?;
        }
    }
    Some(count)
}

fn decode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    match prim {
        Prim::Integer => decode_repeat("`IntRef`", input, |der| IntRef::from_der(der).ok()),
        Prim::I64 => decode_repeat("`i64`", input, |der| i64::from_der(der).ok()),
        Prim::I128 => decode_repeat("`i128`", input, |der| i128::from_der(der).ok()),
        Prim::Octets => decode_repeat("`&OctetStringRef`", input, |der| <&OctetStringRef>::from_der(der).ok()),
        Prim::Seq3 => decode_repeat("derived; `i64` field", input, |der| Seq3::from_der(der).ok()),
        Prim::Seq3Hand => decode_repeat("`Reader::sequence` with a closure", input, |der| {
            let mut reader = SliceReader::new(der).ok()?;
            let value = reader.sequence::<_, _, ::der::Error>(|fields| {
                Ok(Seq3 {
                    id: fields.decode()?,
                    flag: fields.decode()?,
                    data: fields.decode()?,
                })
            });
            reader.finish().ok()?;
            value.ok()
        }),
        Prim::Nested => decode_repeat("derived", input, |der| Nested::from_der(der).ok()),
        Prim::Bounded => decode_repeat("derived with `u8`, `u16`, `i64`; ranges checked after", input, bounded),
        Prim::U8 => decode_repeat(RANGED, input, |der| {
            u8::from_der(der).ok().filter(|value| *value <= 200)
        }),
        Prim::U16 => decode_repeat(RANGED, input, |der| {
            u16::from_der(der).ok().filter(|value| *value <= 10_000)
        }),
        Prim::I16 => decode_repeat(RANGED, input, |der| {
            i16::from_der(der).ok().filter(|value| (-1000..=1000).contains(value))
        }),
        Prim::BoundedI64 => decode_repeat(RANGED, input, |der| {
            i64::from_der(der)
                .ok()
                .filter(|value| (-1_000_000_000..=1_000_000_000).contains(value))
        }),
    }
}

const RANGED: &str = "The native integer of that size; the range checked after";

fn bounded(der: &[u8]) -> Option<Bounded> {
    let value = Bounded::from_der(der).ok()?;
    let within = value.a <= 200 && value.b <= 10_000 && (-1_000_000_000..=1_000_000_000).contains(&value.c);
    within.then_some(value)
}

fn encode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    let item: &[u8] = input.items.first().copied().unwrap_or_default();
    let says = "`to_der` into a fresh Vec";
    let data = || OctetStringRef::new(&samples::DATA).ok();
    let seq3 = || {
        Some(Seq3 {
            id: samples::ID,
            flag: true,
            data: data()?,
        })
    };
    match prim {
        Prim::Integer => fresh(says, input, IntRef::from_der(item).ok()),
        Prim::I64 => fresh(says, input, i64::from_der(item).ok()),
        Prim::I128 => fresh(says, input, i128::from_der(item).ok()),
        Prim::Octets => fresh(says, input, OctetStringRef::new(content(item)).ok()),
        Prim::Seq3 => fresh(says, input, seq3()),
        // Writing a SEQUENCE by hand means implementing the traits that the derive implements.
        Prim::Seq3Hand => Vec::new(),
        Prim::Nested => fresh(
            says,
            input,
            seq3().map(|inner| Nested {
                level: samples::LEVEL,
                inner,
            }),
        ),
        Prim::Bounded => {
            let (a, b, c) = samples::BOUNDED;
            fresh(says, input, Some(Bounded { a, b, c }))
        }
        Prim::U8 => fresh(says, input, Some(samples::BOUNDED.0)),
        Prim::U16 => fresh(says, input, Some(samples::BOUNDED.1)),
        Prim::I16 => fresh(says, input, Some(samples::SIGNED)),
        Prim::BoundedI64 => fresh(says, input, Some(samples::BOUNDED.2)),
    }
}

/// Into a fresh Vec, and into a reused one.
fn fresh<'a, T: Encode + Clone + 'a>(says: &'static str, input: &'a Input, value: Option<T>) -> Vec<Task<'a>> {
    let Some(value) = value else { return Vec::new() };
    let mut tasks = encode_repeat(says, input, value.clone(), T::to_der);
    let reused = |value: &T, buffer: &mut Vec<u8>| value.encode_to_vec(buffer).is_ok();
    tasks.extend(encode_repeat_into(
        "`encode_to_vec` into one reused Vec",
        input,
        value,
        reused,
    ));
    tasks
}

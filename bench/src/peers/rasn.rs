//! `rasn` and `rasn-pkix`: owned types that serve many encoding rules.

use crate::parsed::{Extensions, Facts, Parsed, facts};
use crate::peer::{
    Input, Peer, Task, decode_each, decode_repeat, encode_each, encode_repeat, encode_repeat_into, samples,
};
use crate::rows::{Op, Prim};
use ::rasn::prelude::{Any, Integer, ObjectIdentifier, OctetString};
use ::rasn::{AsnType, Decode, Decoder as _, Encode, der};
use rasn_pkix::{Certificate, Time};
use std::borrow::Cow;

/// The adapter.
pub(super) struct Rasn;

#[derive(AsnType, Clone, Decode, Encode)]
struct Seq3 {
    id: i64,
    flag: bool,
    data: OctetString,
}

#[derive(AsnType, Clone, Decode, Encode)]
struct Nested {
    level: i64,
    inner: Seq3,
}

#[derive(AsnType, Clone, Decode, Encode)]
struct Bounded {
    #[rasn(value("0..=200"))]
    a: u8,
    #[rasn(value("0..=10000"))]
    b: u16,
    #[rasn(value("-1000000000..=1000000000"))]
    c: i64,
}

#[derive(AsnType, Clone, Decode, Encode)]
#[rasn(delegate, value("0..=200"))]
struct Small(u8);

#[derive(AsnType, Clone, Decode, Encode)]
#[rasn(delegate, value("0..=10000"))]
struct Medium(u16);

#[derive(AsnType, Clone, Decode, Encode)]
#[rasn(delegate, value("-1000..=1000"))]
struct Signed(i16);

#[derive(AsnType, Clone, Decode, Encode)]
#[rasn(delegate, value("-1000000000..=1000000000"))]
struct Large(i64);

const PARSE: &str = "Full owned parse. Checks names to attribute values, times, each extension. Leaves: extension \
    values, key, attribute values, padded serial numbers. Copies all";

impl Peer for Rasn {
    fn name(&self) -> &'static str {
        "rasn"
    }

    fn crates(&self) -> &'static [&'static str] {
        &["rasn", "rasn-pkix"]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        match op {
            Op::Outline | Op::Strict => vec![decode_each(PARSE, input, der::decode::<Certificate>)],
            // It has no formatter of names, and an element's inside is octets.
            Op::Fields | Op::AllFields | Op::WalkEager | Op::RecodeElement | Op::Header => Vec::new(),
            Op::Index => crate::parsed::index::<Certificate>(PARSE, input),
            Op::WalkLazy => vec![decode_each(
                "`Any`: header and bounds; the bytes copied",
                input,
                |item| der::decode::<Any>(item).ok(),
            )],
            Op::EncodeCert => vec![
                encode_each(
                    "`der::encode`; every field of names and extensions encoded",
                    input,
                    parse,
                    |certificate, _| der::encode(certificate).ok(),
                ),
                reused(input),
            ],
            Op::Recode => vec![decode_each("Full owned parse, then `der::encode`", input, |item| {
                der::encode(&parse(item)?).ok()
            })],
            Op::Decode(prim) => decode(prim, input),
            Op::Encode(prim) => encode(prim, input),
            op => super::derived::<Certificate>(op, input, PARSE),
        }
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        facts::<Certificate>(der)
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("certificate", size_of::<Certificate>()),
            ("error", size_of::<::rasn::error::DecodeError>()),
            ("INTEGER, general type", size_of::<Integer>()),
            ("INTEGER (0..200)", size_of::<Small>()),
            ("INTEGER (0..10000)", size_of::<Medium>()),
            ("INTEGER (-1000..1000)", size_of::<Signed>()),
            ("INTEGER (-1000000000..1000000000)", size_of::<Large>()),
            ("SEQUENCE of three", size_of::<Seq3>()),
            ("three constrained INTEGERs", size_of::<Bounded>()),
        ]
    }
}

impl<'a> Parsed<'a> for Certificate {
    const ACCESS: &'static str = "`der::decode` and its fields; names as DER by `der::encode`, OIDs by `to_string`";

    fn parse(der: &'a [u8]) -> Option<Self> {
        parse(der)
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        der::encode(&self.tbs_certificate.serial_number)
            .ok()
            .map(|value| Cow::Owned(value[2..].to_vec()))
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        der::encode(&self.tbs_certificate.issuer).ok().map(Cow::Owned)
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        der::encode(&self.tbs_certificate.subject).ok().map(Cow::Owned)
    }

    fn not_before(&self) -> Option<i64> {
        Some(unix(&self.tbs_certificate.validity.not_before))
    }

    fn not_after(&self) -> Option<i64> {
        Some(unix(&self.tbs_certificate.validity.not_after))
    }

    fn algorithm(&self) -> Option<String> {
        Some(dotted(&self.signature_algorithm.algorithm))
    }

    fn key_algorithm(&self) -> Option<String> {
        Some(dotted(
            &self.tbs_certificate.subject_public_key_info.algorithm.algorithm,
        ))
    }

    fn key(&self) -> Option<Cow<'_, [u8]>> {
        let bits = &self.tbs_certificate.subject_public_key_info.subject_public_key;
        Some(bits.as_raw_slice().into())
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.signature_value.as_raw_slice().into())
    }

    fn extensions(&self) -> Option<Extensions> {
        let mut found = Extensions::default();
        for extension in self.tbs_certificate.extensions.iter().flat_map(|list| list.iter()) {
            found.add(extension.critical, extension.extn_value.len());
        }
        Some(found)
    }
}

fn unix(time: &Time) -> i64 {
    match time {
        Time::Utc(time) => time.timestamp(),
        Time::General(time) => time.timestamp(),
    }
}

fn dotted(oid: &ObjectIdentifier) -> String {
    let arcs: Vec<String> = oid.iter().map(u32::to_string).collect();
    arcs.join(".")
}

fn parse(item: &[u8]) -> Option<Certificate> {
    der::decode(item).ok()
}

fn reused(input: &Input) -> Task<'_> {
    let mut buffer = Vec::with_capacity(1 << 16);
    let says = "`der::encode_buf` into one reused Vec";
    encode_each(says, input, parse, move |certificate, _| {
        der::encode_buf(certificate, &mut buffer).ok().map(|()| buffer.len())
    })
    .named("reused buffer")
}

fn decode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    fn one<T: Decode>(item: &[u8]) -> Option<T> {
        der::decode(item).ok()
    }
    match prim {
        Prim::Integer => decode_repeat("`Integer`", input, one::<Integer>),
        Prim::I64 => decode_repeat("`i64`", input, one::<i64>),
        Prim::I128 => decode_repeat("`i128`", input, one::<i128>),
        Prim::Octets => decode_repeat("`OctetString`: copied", input, one::<OctetString>),
        Prim::Seq3 => decode_repeat("derived; `i64` field; octets copied", input, one::<Seq3>),
        // Writing a SEQUENCE by hand means implementing the traits that the derive implements.
        Prim::Seq3Hand => Vec::new(),
        Prim::Nested => decode_repeat("derived; octets copied", input, one::<Nested>),
        Prim::Bounded => decode_repeat("derived with `value(…)`", input, one::<Bounded>),
        Prim::U8 => decode_repeat("newtype with `value(…)`", input, one::<Small>),
        Prim::U16 => decode_repeat("newtype with `value(…)`", input, one::<Medium>),
        Prim::I16 => decode_repeat("newtype with `value(…)`", input, one::<Signed>),
        Prim::BoundedI64 => decode_repeat("newtype with `value(…)`", input, one::<Large>),
    }
}

fn encode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    let item: &[u8] = input.items.first().copied().unwrap_or_default();
    let seq3 = || Seq3 {
        id: samples::ID,
        flag: true,
        data: samples::DATA.to_vec().into(),
    };
    let (a, b, c) = samples::BOUNDED;
    match prim {
        Prim::Integer => fresh(input, der::decode::<Integer>(item).ok()),
        Prim::I64 => fresh(input, der::decode::<i64>(item).ok()),
        Prim::I128 => fresh(input, der::decode::<i128>(item).ok()),
        Prim::Octets => fresh(input, der::decode::<OctetString>(item).ok()),
        Prim::Seq3 => fresh(input, Some(seq3())),
        Prim::Seq3Hand => Vec::new(),
        Prim::Nested => fresh(
            input,
            Some(Nested {
                level: samples::LEVEL,
                inner: seq3(),
            }),
        ),
        Prim::Bounded => fresh(input, Some(Bounded { a, b, c })),
        Prim::U8 => fresh(input, Some(Small(a))),
        Prim::U16 => fresh(input, Some(Medium(b))),
        Prim::I16 => fresh(input, Some(Signed(samples::SIGNED))),
        Prim::BoundedI64 => fresh(input, Some(Large(c))),
    }
}

/// Into a fresh Vec, and into a reused one.
fn fresh<'a, T: Encode + Clone + 'a>(input: &'a Input, value: Option<T>) -> Vec<Task<'a>> {
    let Some(value) = value else { return Vec::new() };
    let says = "`der::encode` into a fresh Vec";
    let mut tasks = encode_repeat(says, input, value.clone(), der::encode);
    let reused = |value: &T, buffer: &mut Vec<u8>| der::encode_buf(value, buffer).is_ok();
    tasks.extend(encode_repeat_into(
        "`der::encode_buf` into one reused Vec",
        input,
        value,
        reused,
    ));
    tasks
}

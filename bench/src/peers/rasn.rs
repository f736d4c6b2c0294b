//! `rasn` and `rasn-pkix`: owned types that serve many encoding rules.

use crate::peer::{
    Input, Peer, Task, decode_each, decode_repeat, encode_each, encode_repeat, encode_repeat_into, samples,
};
use crate::rows::{Op, Prim};
use ::rasn::prelude::{Any, Integer, OctetString};
use ::rasn::{AsnType, Decode, Decoder as _, Encode, der};
use rasn_pkix::Certificate;

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
            Op::Outline | Op::Strict => vec![decode_each(PARSE, input, parse)],
            // It keeps no spans and has no formatter of names.
            Op::Index | Op::Fields | Op::AllFields | Op::WalkEager | Op::Header => Vec::new(),
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
        }
    }
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
    }
}

fn encode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    let item: &[u8] = input.items.first().map_or(&[], Vec::as_slice);
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
    }
}

/// Into a fresh Vec, and into a reused one.
fn fresh<'a, T: Encode + Clone + 'a>(input: &'a Input, value: Option<T>) -> Vec<Task<'a>> {
    let Some(value) = value else { return Vec::new() };
    let says = "`der::encode` into a fresh Vec";
    let mut tasks = encode_repeat(says, input, value.clone(), |value| der::encode(value).ok());
    let reused = |value: &T, buffer: &mut Vec<u8>| der::encode_buf(value, buffer).is_ok();
    tasks.extend(encode_repeat_into(
        "`der::encode_buf` into one reused Vec",
        input,
        value,
        reused,
    ));
    tasks
}

//! Small values through Tagwise.

use crate::peer::{Input, Task, content, decode_repeat, encode_repeat, encode_repeat_into, samples};
use crate::rows::Prim;
use tagwise_codec::{
    Decode, Encode, EncodeError, Fault, Int, OctetStr, Reader, Tag, Writer, element_len, encode as to_vec,
    encode_append,
};
use tagwise_derive::Asn1;

#[derive(Asn1, Clone)]
#[asn1(inline)]
struct Seq3<'a> {
    id: i64,
    flag: bool,
    data: OctetStr<'a>,
}

#[derive(Asn1, Clone)]
struct Nested<'a> {
    level: i64,
    inner: Seq3<'a>,
}

#[derive(Asn1, Clone)]
struct Bounded {
    #[asn1(value(0..=200))]
    a: u8,
    #[asn1(value(0..=10_000))]
    b: u16,
    #[asn1(value(-1_000_000_000..=1_000_000_000))]
    c: i64,
}

#[derive(Asn1, Clone)]
struct Small(#[asn1(value(0..=200))] u8);

#[derive(Asn1, Clone)]
struct Medium(#[asn1(value(0..=10_000))] u16);

#[derive(Asn1, Clone)]
struct Signed(#[asn1(value(-1000..=1000))] i16);

#[derive(Asn1, Clone)]
struct Large(#[asn1(value(-1_000_000_000..=1_000_000_000))] i64);

const NEWTYPE: &str = "derived newtype with `value(…)`";

/// Sizes of the small types.
pub(super) fn sizes() -> [(&'static str, usize); 7] {
    [
        ("INTEGER, general type", size_of::<Int<'_>>()),
        ("INTEGER (0..200)", size_of::<Small>()),
        ("INTEGER (0..10000)", size_of::<Medium>()),
        ("INTEGER (-1000..1000)", size_of::<Signed>()),
        ("INTEGER (-1000000000..1000000000)", size_of::<Large>()),
        ("SEQUENCE of three", size_of::<Seq3<'_>>()),
        ("three constrained INTEGERs", size_of::<Bounded>()),
    ]
}

pub(super) fn header(input: &Input) -> Task<'_> {
    let says = "`Reader::header`, which also checks the bounds";
    decode_repeat(says, input, |der| Reader::new(der).ok()?.header().ok()).swap_remove(0)
}

pub(super) fn decode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    match prim {
        Prim::Integer => decode_repeat("`Int`, borrowed", input, |der| Int::from_der(der).ok()),
        Prim::I64 => decode_repeat("`i64`", input, |der| i64::from_der(der).ok()),
        Prim::I128 => decode_repeat("`i128`", input, |der| i128::from_der(der).ok()),
        Prim::Octets => decode_repeat("`OctetStr`", input, |der| OctetStr::from_der(der).ok()),
        Prim::Seq3 => decode_repeat("derived; `i64` field", input, |der| Seq3::from_der(der).ok()),
        Prim::Seq3Hand => decode_repeat("`Reader::element` with a closure; `i64` field", input, by_hand),
        Prim::Nested => decode_repeat("derived", input, |der| Nested::from_der(der).ok()),
        Prim::Bounded => decode_repeat("derived with `value(…)`", input, |der| Bounded::from_der(der).ok()),
        Prim::U8 => decode_repeat(NEWTYPE, input, |der| Small::from_der(der).ok()),
        Prim::U16 => decode_repeat(NEWTYPE, input, |der| Medium::from_der(der).ok()),
        Prim::I16 => decode_repeat(NEWTYPE, input, |der| Signed::from_der(der).ok()),
        Prim::BoundedI64 => decode_repeat(NEWTYPE, input, |der| Large::from_der(der).ok()),
    }
}

fn by_hand(der: &[u8]) -> Option<Seq3<'_>> {
    fn read<'a>(mut reader: Reader<'a, '_>) -> Result<Seq3<'a>, Fault> {
        let value = reader.element(Tag::SEQUENCE, |fields| {
            Ok(Seq3 {
                id: fields.read()?,
                flag: fields.read()?,
                data: fields.read()?,
            })
        })?;
        reader.finish()?;
        Ok(value)
    }
    Reader::new(der).and_then(read).ok()
}

pub(super) fn encode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    let item: &[u8] = input.items.first().copied().unwrap_or_default();
    let data = OctetStr::new(&samples::DATA);
    let seq3 = Seq3 {
        id: samples::ID,
        flag: true,
        data,
    };
    let (a, b, c) = samples::BOUNDED;
    match prim {
        Prim::Integer => fresh(input, Int::from_der(item).ok()),
        Prim::I64 => fresh(input, i64::from_der(item).ok()),
        Prim::I128 => fresh(input, i128::from_der(item).ok()),
        Prim::Octets => fresh(input, Some(OctetStr::new(content(item)))),
        Prim::Seq3 => fresh(input, Some(seq3)),
        Prim::Seq3Hand => {
            let says = "sizes summed, then `Writer::element` backwards";
            encode_repeat(says, input, seq3, encode_by_hand)
        }
        Prim::Nested => fresh(
            input,
            Some(Nested {
                level: samples::LEVEL,
                inner: seq3,
            }),
        ),
        Prim::Bounded => fresh(input, Some(Bounded { a, b, c })),
        Prim::U8 => fresh(input, Some(Small(a))),
        Prim::U16 => fresh(input, Some(Medium(b))),
        Prim::I16 => fresh(input, Some(Signed(samples::SIGNED))),
        Prim::BoundedI64 => fresh(input, Some(Large(c))),
    }
}

fn encode_by_hand(value: &Seq3<'_>) -> Result<Vec<u8>, EncodeError> {
    let len = value.id.encoded_len() + value.flag.encoded_len() + value.data.encoded_len();
    let mut buffer = vec![0; element_len(Tag::SEQUENCE, len)];
    Writer::new(&mut buffer).element(Tag::SEQUENCE, |fields| {
        fields.write(&value.data)?;
        fields.write(&value.flag)?;
        fields.write(&value.id)
    })?;
    Ok(buffer)
}

/// Into a fresh Vec, and into a reused one.
fn fresh<'a, T: Encode + Clone + 'a>(input: &'a Input, value: Option<T>) -> Vec<Task<'a>> {
    let Some(value) = value else { return Vec::new() };
    let says = "`encode`: exact size, then one pass into a fresh Vec";
    let mut tasks = encode_repeat(says, input, value.clone(), to_vec);
    let reused = |value: &T, buffer: &mut Vec<u8>| encode_append(value, buffer).is_ok();
    tasks.extend(encode_repeat_into(
        "`encode_append` into one reused Vec",
        input,
        value,
        reused,
    ));
    tasks
}

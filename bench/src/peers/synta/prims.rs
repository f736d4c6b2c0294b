//! Small values through synta.

use crate::peer::{Input, Task, content, decode_repeat, encode_repeat, samples};
use crate::rows::Prim;
use synta::tag::TAG_SEQUENCE;
use synta::{
    Asn1Sequence, Boolean, Decode, Decoder, Encode, Encoder, Encoding, Error, Integer, OctetStringRef, Result, Tag,
    Tagged, ToDer,
};

#[derive(Asn1Sequence)]
struct Seq3<'a> {
    id: Integer,
    flag: Boolean,
    data: OctetStringRef<'a>,
}

#[derive(Asn1Sequence)]
struct Nested<'a> {
    level: Integer,
    inner: Seq3<'a>,
}

/// The constrained newtypes in the form that synta-codegen writes.
macro_rules! bounded {
    ($name:ident, $native:ty, $as_native:ident, $range:expr) => {
        struct $name($native);

        impl<'a> Decode<'a> for $name {
            fn decode(decoder: &mut Decoder<'a>) -> Result<Self> {
                Integer::decode(decoder).and_then(|value| {
                    let native = value.$as_native().map_err(|_| Error::LengthOverflow)?;
                    if $range.contains(&native) {
                        Ok(Self(native))
                    } else {
                        Err(Error::LengthOverflow)
                    }
                })
            }
        }

        impl Encode for $name {
            fn encode(&self, encoder: &mut Encoder) -> Result<()> {
                Integer::from(self.0).encode(encoder)
            }

            fn encoded_len(&self) -> Result<usize> {
                Integer::from(self.0).encoded_len()
            }
        }

        impl Tagged for $name {
            fn tag() -> Tag {
                Integer::tag()
            }
        }
    };
}

bounded!(Small, u8, as_u8, (0..=200));
bounded!(Medium, u16, as_u16, (0..=10_000));
bounded!(Large, i64, as_i64, (-1_000_000_000..=1_000_000_000));
bounded!(Signed, i16, as_i16, (-1000..=1000));

/// Sizes of the small types.
pub(super) fn sizes() -> [(&'static str, usize); 6] {
    [
        ("INTEGER (0..200)", size_of::<Small>()),
        ("INTEGER (0..10000)", size_of::<Medium>()),
        ("INTEGER (-1000..1000)", size_of::<Signed>()),
        ("INTEGER (-1000000000..1000000000)", size_of::<Large>()),
        ("SEQUENCE of three", size_of::<Seq3<'_>>()),
        ("three constrained INTEGERs", size_of::<Bounded>()),
    ]
}

const NEWTYPE: &str = "newtype as synta-codegen writes it";

#[derive(Asn1Sequence)]
struct Bounded {
    a: Small,
    b: Medium,
    c: Large,
}

fn one<'a, T: Decode<'a>>(der: &'a [u8]) -> Option<T> {
    Decoder::new(der, Encoding::Der).decode().ok()
}

pub(super) fn header(input: &Input) -> Task<'_> {
    let header = |der| {
        let mut decoder = Decoder::new(der, Encoding::Der);
        Some((decoder.read_tag().ok()?, decoder.read_length().ok()?))
    };
    let says = "`read_tag` and `read_length`";
    decode_repeat(says, input, header).swap_remove(0)
}

pub(super) fn decode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    match prim {
        Prim::Integer => decode_repeat("`Integer`: octets copied in line", input, one::<Integer>),
        Prim::I64 => decode_repeat("`Integer`, then `as_i64`", input, |der| {
            one::<Integer>(der)?.as_i64().ok()
        }),
        Prim::I128 => decode_repeat("`Integer`, then `as_i128`", input, |der| {
            one::<Integer>(der)?.as_i128().ok()
        }),
        Prim::Octets => decode_repeat("`OctetStringRef`", input, one::<OctetStringRef<'_>>),
        Prim::Seq3 => decode_repeat(
            "derived; `Integer` field; extra elements not refused",
            input,
            one::<Seq3<'_>>,
        ),
        Prim::Seq3Hand => decode_repeat("`enter_constructed` and three `decode`s; end checked", input, by_hand),
        Prim::Nested => decode_repeat("derived; extra elements not refused", input, one::<Nested<'_>>),
        Prim::Bounded => decode_repeat("newtypes as synta-codegen writes them", input, one::<Bounded>),
        Prim::U8 => decode_repeat(NEWTYPE, input, one::<Small>),
        Prim::U16 => decode_repeat(NEWTYPE, input, one::<Medium>),
        Prim::I16 => decode_repeat(NEWTYPE, input, one::<Signed>),
        Prim::BoundedI64 => decode_repeat(NEWTYPE, input, one::<Large>),
    }
}

fn by_hand(der: &[u8]) -> Option<Seq3<'_>> {
    let mut decoder = Decoder::new(der, Encoding::Der);
    let mut fields = decoder
        .enter_constructed(Tag::universal_constructed(TAG_SEQUENCE))
        .ok()?;
    let value = Seq3 {
        id: fields.decode().ok()?,
        flag: fields.decode().ok()?,
        data: fields.decode().ok()?,
    };
    fields.is_empty().then_some(value)
}

pub(super) fn encode(prim: Prim, input: &Input) -> Vec<Task<'_>> {
    let item: &[u8] = input.items.first().copied().unwrap_or_default();
    let bytes = content(item);
    match prim {
        Prim::Integer => encode_repeat("`Integer::to_der`", input, Integer::from_bytes(bytes), |value| {
            value.to_der()
        }),
        Prim::I64 => match one::<Integer>(item).and_then(|value| value.as_i64().ok()) {
            Some(value) => encode_repeat("`Integer::from_i64`, `to_der`", input, value, |value| {
                Integer::from_i64(*value).to_der()
            }),
            None => Vec::new(),
        },
        Prim::I128 => match one::<Integer>(item).and_then(|value| value.as_i128().ok()) {
            Some(value) => encode_repeat("`Integer::from_i128`, `to_der`", input, value, |value| {
                Integer::from_i128(*value).to_der()
            }),
            None => Vec::new(),
        },
        Prim::Octets => encode_repeat("`OctetStringRef::to_der`", input, OctetStringRef::new(bytes), |value| {
            value.to_der()
        }),
        Prim::Seq3 => encode_repeat("derived, `to_der`", input, seq3(), |value| value.to_der()),
        Prim::Seq3Hand => encode_repeat("`start_constructed` and three `encode`s", input, seq3(), encode_by_hand),
        Prim::Nested => encode_repeat(
            "derived, `to_der`",
            input,
            Nested {
                level: Integer::from_i64(samples::LEVEL),
                inner: seq3(),
            },
            |value| value.to_der(),
        ),
        Prim::Bounded => {
            let (a, b, c) = samples::BOUNDED;
            let value = Bounded {
                a: Small(a),
                b: Medium(b),
                c: Large(c),
            };
            encode_repeat("newtypes as synta-codegen writes them", input, value, |value| {
                value.to_der()
            })
        }
        Prim::U8 => encode_repeat(NEWTYPE, input, Small(samples::BOUNDED.0), |value| value.to_der()),
        Prim::U16 => encode_repeat(NEWTYPE, input, Medium(samples::BOUNDED.1), |value| value.to_der()),
        Prim::I16 => encode_repeat(NEWTYPE, input, Signed(samples::SIGNED), |value| value.to_der()),
        Prim::BoundedI64 => encode_repeat(NEWTYPE, input, Large(samples::BOUNDED.2), |value| value.to_der()),
    }
}

fn seq3() -> Seq3<'static> {
    Seq3 {
        id: Integer::from_i64(samples::ID),
        flag: Boolean::new(true),
        data: OctetStringRef::new(&samples::DATA),
    }
}

fn encode_by_hand(value: &Seq3<'_>) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new(Encoding::Der);
    let mut sequence = encoder.start_constructed(Tag::universal_constructed(TAG_SEQUENCE))?;
    sequence.encode(&value.id)?;
    sequence.encode(&value.flag)?;
    sequence.encode(&value.data)?;
    sequence.finish()?;
    encoder.finish()
}

//! Ranges that hold nothing or overlap.
use tagwise_codec::OctetStr;
use tagwise_derive::Asn1;

#[derive(Asn1)]
struct Constrained<'a> {
    #[asn1(size(5..=1))]
    empty: OctetStr<'a>,
    #[asn1(value(0..=5, 5..=9))]
    overlap: u8,
    #[asn1(size(-1..))]
    negative: OctetStr<'a>,
    #[asn1(size())]
    nothing: OctetStr<'a>,
}

fn main() {}

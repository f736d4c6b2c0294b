//! Tags that are taken already, as the types say.
use tagwise_codec::Int;
use tagwise_derive::Asn1;

#[derive(Asn1)]
enum Choice<'a> {
    Number(u8),
    Flag(bool),
    Large(Int<'a>),
}

#[derive(Asn1)]
struct Ambiguous {
    first: Option<u8>,
    flag: Option<bool>,
    second: u8,
    third: u8,
}

#[derive(Asn1)]
#[asn1(set)]
struct Set {
    first: u8,
    second: u8,
}

fn main() {}

//! Constraints that are none, or stand where there is no type.
use tagwise_codec::{OctetStr, Unknown};
use tagwise_derive::Asn1;

#[derive(Asn1)]
struct Wrong<'a> {
    #[asn1(constraints(sice(1)))]
    misspelt: OctetStr<'a>,
    #[asn1(constraints(between(b"\x00")))]
    half: OctetStr<'a>,
    #[asn1(constraints(between(closed b"\x00", _)))]
    end: OctetStr<'a>,
    #[asn1(constraints(values("a")))]
    text: OctetStr<'a>,
    #[asn1(universal = 4, private = 4)]
    tags: OctetStr<'a>,
}

#[derive(Asn1)]
#[asn1(open_type, constraints(size(1)))]
enum Open<'a> {
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

fn main() {}

//! One tag at a time; `explicit` alone says nothing.
use tagwise_derive::Asn1;

#[derive(Asn1)]
struct Two {
    #[asn1(implicit = 0, application = 1)]
    number: u8,
    #[asn1(explicit)]
    other: u8,
}

fn main() {}

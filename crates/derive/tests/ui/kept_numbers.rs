//! An ENUMERATED that keeps what is unknown: its numbers are attributes, and the unknown one is an `i64`.

use tagwise_derive::Asn1;

#[derive(Asn1)]
enum Colour {
    Red = 0,
    Green = 2,
    #[asn1(unknown)]
    Other(u8),
}

fn main() {}

//! What a variant holds.
use tagwise_derive::Asn1;

#[derive(Asn1)]
enum Choice {
    Two(u8, bool),
    Named { number: u8 },
    Numbered(u8) = 5,
}

#[derive(Asn1)]
union Union {
    number: u8,
}

#[derive(Asn1)]
#[asn1(boxed)]
struct Boxed {
    number: u8,
}

fn main() {}

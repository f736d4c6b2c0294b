//! Items of an ENUMERATED.
use tagwise_derive::Asn1;

#[derive(Asn1)]
enum Twice {
    First = 1,
    #[asn1(number = 1)]
    Second,
}

#[derive(Asn1)]
#[asn1(enumerated)]
enum Holding {
    First(u8),
    #[asn1(unknown)]
    Unknown,
    #[asn1(unknown)]
    Again(i64),
}

#[derive(Asn1)]
#[asn1(enumerated, choice)]
enum Both {
    First,
}

#[derive(Asn1)]
enum Empty {}

fn main() {}

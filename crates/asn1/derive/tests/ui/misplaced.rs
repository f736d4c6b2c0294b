//! Attributes that mean nothing where they stand; several errors at once.
use tagwise_derive::Asn1;

#[derive(Asn1)]
#[asn1(named_bits(a = 0))]
struct Container {
    #[asn1(oid = "1.2.3")]
    number: u8,
    #[asn1(unknown)]
    other: u8,
}

#[derive(Asn1)]
#[asn1(set)]
enum Choice {
    #[asn1(optional)]
    First(u8),
}

fn main() {}

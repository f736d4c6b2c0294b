//! Attributes that do not exist, stand twice, or have the wrong form.
use tagwise_derive::Asn1;

#[derive(Asn1)]
struct Typo {
    #[asn1(implict = 0)]
    number: u8,
    #[asn1(name = 5)]
    name: u8,
    #[asn1(implicit = 0, implicit = 1)]
    twice: u8,
    #[asn1(size(1..64))]
    half_open: u8,
}

fn main() {}

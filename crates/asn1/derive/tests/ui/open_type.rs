//! Alternatives of an open type.
use tagwise_derive::Asn1;

#[derive(Asn1)]
#[asn1(open_type)]
enum Set {
    #[asn1(oid = "1.2.3")]
    First(u8),
    #[asn1(oid = "1.2.3")]
    Again(u8),
    #[asn1(oid = "1.40.3")]
    Wrong(u8),
    Nothing(u8),
    #[asn1(number = 5, oid = "1.2.4")]
    Both(u8),
}

fn main() {}

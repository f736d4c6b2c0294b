//! DEFAULT and OPTIONAL.
use tagwise_derive::Asn1;

#[derive(Asn1)]
struct Holder {
    #[asn1(default = 5, optional)]
    both: u8,
    #[asn1(default = Some(5))]
    option: Option<u8>,
    #[asn1(default = 5, containing)]
    holding: u8,
}

fn main() {}

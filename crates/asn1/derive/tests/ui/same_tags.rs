//! Tags that are taken already, as the attributes say.
use tagwise_derive::Asn1;

#[derive(Asn1)]
enum Choice {
    #[asn1(implicit = 0)]
    Number(u8),
    #[asn1(explicit = 0)]
    Flag(bool),
}

#[derive(Asn1)]
#[asn1(set)]
struct Set {
    #[asn1(application = 1)]
    number: u8,
    #[asn1(application = 1)]
    flag: bool,
}

fn main() {}

//! IMPLICIT tags on what has no tag of its own.
use tagwise_codec::{Any, Oid, Open};
use tagwise_derive::Asn1;

#[derive(Asn1)]
#[asn1(implicit = 1)]
enum Choice {
    Number(u8),
    Flag(bool),
}

#[derive(Asn1)]
struct Holder<'a> {
    id: Oid<'a>,
    #[asn1(implicit = 0)]
    any: Any<'a>,
    #[asn1(implicit = 1, defined_by = id)]
    open: Open<'a, Set<'a>>,
}

#[derive(Asn1)]
#[asn1(choice, implicit = 3)]
struct Newtype(Other);

fn main() {}

//! What selects the type of an open type.
use tagwise_codec::{Oid, Open};
use tagwise_derive::Asn1;

#[derive(Asn1)]
struct Holder<'a> {
    #[asn1(defined_by = later)]
    early: Open<'a, Set<'a>>,
    later: Oid<'a>,
    maybe: Option<Oid<'a>>,
    #[asn1(defined_by = maybe)]
    optional: Open<'a, Set<'a>>,
    #[asn1(octet_string)]
    nothing: Open<'a, Set<'a>>,
    #[asn1(defined_by = later, containing)]
    both: Open<'a, Set<'a>>,
}

fn main() {}

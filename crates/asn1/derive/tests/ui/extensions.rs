//! Extension markers and what stands after them.
use tagwise_codec::Additions;
use tagwise_derive::Asn1;

#[derive(Asn1)]
struct Marked<'a> {
    #[asn1(group)]
    early: Option<Group>,
    #[asn1(root)]
    root: u8,
    #[asn1(extensions)]
    extensions: Additions<'a>,
    required: u8,
    #[asn1(extensions)]
    again: Additions<'a>,
    #[asn1(group)]
    always: Group,
}

#[derive(Asn1)]
#[asn1(group, explicit = 0)]
struct Group {
    number: u8,
}

fn main() {}

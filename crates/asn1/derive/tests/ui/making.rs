use tagwise_derive::Asn1;

#[derive(Asn1)]
#[asn1(convert)]
struct Pair {
    one: u8,
    two: bool,
}

#[derive(Asn1)]
#[asn1(defaults)]
struct Needs {
    needed: u8,
    free: Option<bool>,
}

#[derive(Asn1)]
#[asn1(constructor)]
enum Which {
    One(u8),
    Two(bool),
}

#[derive(Asn1)]
#[asn1(convert)]
struct Wrapped<T>(T);

fn main() {}

//! Bytes that are not said to be an OCTET STRING or a list of numbers, and secrets that are shown.

use tagwise_derive::Asn1;

#[derive(Asn1)]
struct Message {
    data: Vec<u8>,
    key: Option<[u8; 32]>,
    #[asn1(octets, containing)]
    inner: Vec<u8>,
}

#[derive(Asn1, Debug)]
struct Login {
    #[asn1(secret)]
    password: String,
}

fn main() {}

//! Small values: integers, strings of octets, structures of three fields.

use super::one;
use crate::edit::tlv;
use crate::peer::{Input, samples};

/// The small value of that name, if there is one.
pub(super) fn by_name(name: &str) -> Option<Input> {
    if let Some(count) = name.strip_prefix("octets-") {
        return Some(one(name, "OCTET STRING", tlv(0x04, &vec![0x5a; count.parse().ok()?])));
    }
    let (about, item) = match name {
        "int-i64max" => ("INTEGER 2^63 - 1", integer(i64::MAX.into())),
        "int-i128max" => ("INTEGER 2^127 - 1", integer(i128::MAX)),
        "seq3" => ("SEQUENCE { INTEGER, BOOLEAN, OCTET STRING }", seq3()),
        "nested" => (
            "SEQUENCE { INTEGER, SEQUENCE { INTEGER, BOOLEAN, OCTET STRING } }",
            tlv(0x30, &[integer(samples::LEVEL.into()), seq3()].concat()),
        ),
        "bounded" => ("SEQUENCE of three constrained INTEGERs", bounded()),
        _ => {
            let value = name.strip_prefix("int-")?.parse().ok()?;
            return Some(one(name, &format!("INTEGER {value}"), integer(value)));
        }
    };
    Some(one(name, about, item))
}

fn seq3() -> Vec<u8> {
    let fields = [
        integer(samples::ID.into()),
        vec![0x01, 0x01, 0xff],
        tlv(0x04, &samples::DATA),
    ];
    tlv(0x30, &fields.concat())
}

fn bounded() -> Vec<u8> {
    let (a, b, c) = samples::BOUNDED;
    tlv(
        0x30,
        &[integer(a.into()), integer(b.into()), integer(c.into())].concat(),
    )
}

/// The shortest two's complement of a number, as an INTEGER.
pub(super) fn integer(value: i128) -> Vec<u8> {
    let octets = value.to_be_bytes();
    let redundant = octets
        .windows(2)
        .take_while(|pair| matches!(pair, [0x00, 0x00..=0x7f] | [0xff, 0x80..=0xff]))
        .count();
    tlv(0x02, &octets[redundant..])
}

//! The inputs that rows are measured on: corpus sets, made-up small values, one certificate made longer.

use crate::corpus;
use crate::peer::{Input, samples};

/// Builds or reads the input of that name.
///
/// # Errors
/// Says which corpus file is missing, or that there is no such input.
pub fn by_name(name: &str) -> Result<Input, String> {
    let one = |about: &str, item: Vec<u8>| Input {
        name: name.to_owned(),
        about: format!("{about}, {} octets", item.len()),
        items: vec![item],
    };
    let octets = |count: usize| one("OCTET STRING", tlv(0x04, &vec![0x5a; count]));
    if let Some(octets) = name.strip_prefix("padded-").and_then(|octets| octets.parse().ok()) {
        let first = corpus::pkits()?.certs.into_iter().next().ok_or("PKITS is empty")?;
        return Ok(one(
            "a PKITS certificate with a signature of that many octets",
            padded(&first, octets)?,
        ));
    }
    Ok(match name {
        "int-42" => one("INTEGER 42", integer(42)),
        "int-i64max" => one("INTEGER 2^63 - 1", integer(i64::MAX.into())),
        "int-i128max" => one("INTEGER 2^127 - 1", integer(i128::MAX)),
        "octets-16" => octets(16),
        "octets-64" => octets(64),
        "octets-256" => octets(256),
        "octets-1024" => octets(1024),
        "seq3" => one("SEQUENCE { INTEGER, BOOLEAN, OCTET STRING }", seq3()),
        "nested" => one(
            "SEQUENCE { INTEGER, SEQUENCE { INTEGER, BOOLEAN, OCTET STRING } }",
            nested(),
        ),
        "bounded" => one("SEQUENCE of three constrained INTEGERs", bounded()),
        _ => {
            let set = corpus::by_name(name)?;
            Input {
                name: name.to_owned(),
                about: set.about,
                items: set.certs,
            }
        }
    })
}

fn seq3() -> Vec<u8> {
    let fields = [
        integer(samples::ID.into()),
        vec![0x01, 0x01, 0xff],
        tlv(0x04, &samples::DATA),
    ];
    tlv(0x30, &fields.concat())
}

fn nested() -> Vec<u8> {
    tlv(0x30, &[integer(samples::LEVEL.into()), seq3()].concat())
}

fn bounded() -> Vec<u8> {
    let (a, b, c) = samples::BOUNDED;
    tlv(
        0x30,
        &[integer(a.into()), integer(b.into()), integer(c.into())].concat(),
    )
}

/// Replaces the signature of a certificate by one of `octets` octets.
fn padded(certificate: &[u8], octets: usize) -> Result<Vec<u8>, String> {
    let bad = || "not a certificate".to_owned();
    let (_, body, _) = cut(certificate).ok_or_else(bad)?;
    let (tbs, _, rest) = cut(body).ok_or_else(bad)?;
    let (algorithm, _, _) = cut(rest).ok_or_else(bad)?;
    let mut signature = vec![0x5a; octets + 1];
    signature[0] = 0;
    Ok(tlv(0x30, &[tbs, algorithm, &tlv(0x03, &signature)].concat()))
}

/// The first value whole, its contents, and what follows it.
fn cut(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let size = corpus::value_size(bytes)?;
    let (value, rest) = bytes.split_at_checked(size)?;
    let header = match value.get(1)? {
        first @ 0x80.. => 2 + usize::from(first & 0x7f),
        _ => 2,
    };
    Some((value, value.get(header..)?, rest))
}

/// The shortest two's complement of a number, as an INTEGER.
fn integer(value: i128) -> Vec<u8> {
    let octets = value.to_be_bytes();
    let redundant = octets
        .windows(2)
        .take_while(|pair| matches!(pair, [0x00, 0x00..=0x7f] | [0xff, 0x80..=0xff]))
        .count();
    tlv(0x02, &octets[redundant..])
}

fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let header = match length {
        0..=0x7f => vec![tag, length as u8],
        0x80..=0xff => vec![tag, 0x81, length as u8],
        _ => vec![tag, 0x82, (length >> 8) as u8, length as u8],
    };
    [&header, content].concat()
}

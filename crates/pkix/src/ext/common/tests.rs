use super::*;
use tagwise_codec::{OpenType, Reader, oid};

use crate::ext::ExtensionValue;

/// What the general decoder says.
fn is_valid(key: &[u8], value: &[u8]) -> bool {
    let mut reader = Reader::new(value).unwrap();
    ExtensionValue::check_open(&mut reader, key).is_ok() && reader.finish().is_ok()
}

/// Whatever is called common is valid.
#[track_caller]
fn agree(key: &[u8], value: &[u8]) {
    assert!(!is_common(key, value) || is_valid(key, value), "{key:02X?} {value:02X?}");
}

fn el(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = if content.len() < 0x80 { vec![content.len() as u8] } else { vec![0x81, content.len() as u8] };
    [&[tag], &length[..], &content].concat()
}

/// Common values of each extension.
fn seeds() -> Vec<(&'static [u8], Vec<u8>)> {
    let uri = |len: usize| el(0x86, &[&vec![b'u'; len]]);
    let point = |names: &[&[u8]]| el(0x30, &[&el(0xA0, &[&el(0xA0, names)])]);
    let method = |id: u8| [&b"\x06\x08\x2B\x06\x01\x05\x05\x07\x30"[..], &[id]].concat();
    let qualifier =
        |id: u8, value: &[u8]| el(0x30, &[&[&b"\x06\x08\x2B\x06\x01\x05\x05\x07\x02"[..], &[id]].concat()[..], value]);
    let policy = |parts: &[&[u8]]| el(0x30, &[&el(0x30, &[&[&b"\x06\x04\x2A\x83\x80\x05"[..]], parts].concat())]);
    let text = |tag: u8, len: usize| qualifier(2, &el(0x30, &[&el(tag, &[&vec![b't'; len]])]));
    let (ski, ku, san, bc) = (oid!("2.5.29.14"), oid!("2.5.29.15"), oid!("2.5.29.17"), oid!("2.5.29.19"));
    let (reason, dp, cp, aki) = (oid!("2.5.29.21"), oid!("2.5.29.31"), oid!("2.5.29.32"), oid!("2.5.29.35"));
    let (eku, aia) = (oid!("2.5.29.37"), oid!("1.3.6.1.5.5.7.1.1"));
    let all = [
        (ski, el(0x04, &[&[7; 20]])),
        (ku, vec![0x03, 0x02, 0x01, 0x06]),
        (san, el(0x30, &[b"\x82\x01a\x81\x03a@b\x86\x02u:\x87\x04\x01\x02\x03\x04", &el(0x87, &[&[1; 16]])])),
        (bc, vec![0x30, 0x00]),
        (bc, vec![0x30, 0x03, 0x01, 0x01, 0xFF]),
        (bc, vec![0x30, 0x06, 0x01, 0x01, 0xFF, 0x02, 0x01, 0x03]),
        (reason, vec![0x0A, 0x01, 0x01]),
        (dp, el(0x30, &[&point(&[&uri(9)])])),
        (dp, el(0x30, &[&point(&[&uri(9), b"\x82\x01a"]), &point(&[&uri(60)])])),
        (dp, el(0x30, &[&point(&[&uri(118)])])),
        (cp, policy(&[])),
        (cp, policy(&[&el(0x30, &[&qualifier(1, &el(0x16, &[b"cps"]))])])),
        (cp, policy(&[&el(0x30, &[&qualifier(1, b"\x16\x01c"), &text(0x0C, 20)])])),
        (cp, policy(&[&el(0x30, &[&text(0x1A, 150)])])),
        (cp, policy(&[&el(0x30, &[&text(0x16, 5)])])),
        (cp, policy(&[&el(0x30, &[&qualifier(2, &[0x30, 0x00])])])),
        (aki, el(0x30, &[&el(0x80, &[&[7; 20]])])),
        (eku, el(0x30, &[b"\x06\x08\x2B\x06\x01\x05\x05\x07\x03\x01\x06\x04\x55\x1D\x25\x00\x06\x03\x2A\x83\x05"])),
        (aia, el(0x30, &[&el(0x30, &[&method(1), &uri(9)]), &el(0x30, &[&method(2), &uri(40)])])),
        (aia, el(0x30, &[&el(0x30, &[&method(1), &uri(100)])])),
    ];
    all.into_iter().map(|(id, value)| (id.as_bytes(), value)).collect()
}

#[test]
fn seeds_are_common() {
    for (key, value) in seeds() {
        assert!(is_common(key, &value) && is_valid(key, &value), "{key:02X?} {value:02X?}");
    }
}

/// One octet is changed, left out or put in.
#[test]
fn what_is_common_is_valid() {
    for (key, value) in seeds() {
        for at in 0..value.len() {
            let mut changed = value.clone();
            for octet in 0..=0xFF {
                changed[at] = octet;
                agree(key, &changed);
            }
            changed.remove(at);
            agree(key, &changed);
            changed.insert(at, value[at]);
            for octet in [0x00, 0x01, 0x30, 0x7F, 0x80, 0x81, 0xFF] {
                changed.insert(at, octet);
                agree(key, &changed);
                changed.remove(at);
            }
            agree(key, &value[..at]);
        }
        agree(key, &[&value[..], &[0]].concat());
    }
}

/// Two octets are changed together: lengths that belong to each other among them.
#[test]
fn lengths_that_belong_to_each_other() {
    for (key, value) in seeds().into_iter().filter(|(_, value)| value.len() < 50) {
        for first in 0..value.len() {
            for second in first + 1..value.len() {
                let mut changed = value.clone();
                for (up, down) in [(1, 1), (1, 0xFF), (0xFF, 1), (0xFF, 0xFF), (2, 2), (0xFE, 0xFE)] {
                    changed[first] = value[first].wrapping_add(up);
                    changed[second] = value[second].wrapping_add(down);
                    agree(key, &changed);
                }
            }
        }
    }
}

/// Values of one extension under the identifier of another, and under none.
#[test]
fn the_identifier_decides() {
    let seeds = seeds();
    for (key, _) in &seeds {
        for (_, value) in &seeds {
            agree(key, value);
        }
        agree(key, &[]);
    }
    assert!(!is_common(&[], &[0x30, 0x00]) && !is_common(&[0x55, 0x1D], &[0x30, 0x00]));
}

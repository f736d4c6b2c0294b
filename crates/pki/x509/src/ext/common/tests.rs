use super::Part;
use tagwise_codec::{OpenType, Reader, oid};

use crate::ext::ExtensionValue;
use crate::fixture::element as el;

/// What the general decoder says.
fn is_valid(key: &[u8], value: &[u8]) -> bool {
    let mut reader = Reader::new(value).unwrap();
    ExtensionValue::check_open(&mut reader, key).is_ok() && reader.finish().is_ok()
}

/// What may follow a value in a certificate: octets that would belong to it if its lengths were misread, and others.
const FOLLOWING: [u8; 5] = [0x00, 0x30, 0x61, 0x80, 0xFF];

/// Whether a value is called common; what follows it must not matter.
#[track_caller]
fn is_common(key: &[u8], value: &[u8]) -> bool {
    let with = |octet: u8| {
        let wide = [value, &[octet; 150]].concat();
        super::is_common(key, Part::new(&wide, value.len()).unwrap())
    };
    let found = FOLLOWING.map(with);
    assert!(found.iter().all(|one| *one == found[0]), "{key:02X?} {value:02X?}");
    // Where nothing follows, it may be left to the general decoder.
    assert!(found[0] || !super::is_common(key, Part::new(value, value.len()).unwrap()));
    found[0]
}

/// Whatever is called common is valid.
#[track_caller]
fn agree(key: &[u8], value: &[u8]) {
    assert!(!is_common(key, value) || is_valid(key, value), "{key:02X?} {value:02X?}");
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
    let notice = |parts: &[&[u8]]| qualifier(2, &el(0x30, parts));
    let reference = b"\x30\x0C\x16\x01o\x30\x07\x02\x01\x01\x02\x02\x01\x00";
    let (ski, ku, san, bc) = (oid!("2.5.29.14"), oid!("2.5.29.15"), oid!("2.5.29.17"), oid!("2.5.29.19"));
    let (reason, dp, cp, aki) = (oid!("2.5.29.21"), oid!("2.5.29.31"), oid!("2.5.29.32"), oid!("2.5.29.35"));
    let (eku, aia) = (oid!("2.5.29.37"), oid!("1.3.6.1.5.5.7.1.1"));
    let (nc, netscape) = (oid!("2.5.29.30"), oid!("2.16.840.1.113730.1.1"));
    let rdn = |tag: u8, value: &[u8]| {
        el(0x31, &[&el(0x30, &[&[0x06, 0x03, 0x55, 0x04, 0x0A, tag, value.len() as u8][..], value])])
    };
    let directory = |rdns: &[&[u8]]| el(0xA4, &[&el(0x30, rdns)]);
    let name = directory(&[&rdn(0x13, b"DE"), &rdn(0x0C, b"a@b"), &rdn(0x16, b"x")]);
    let other = |identifier: &[u8], value: &[u8]| el(0x31, &[&el(0x30, &[&el(0x06, &[identifier]), value])]);
    let email = other(b"\x2A\x86\x48\x86\xF7\x0D\x01\x09\x01", b"\x16\x03a@b");
    let subtrees = |tag: u8, bases: &[&[u8]]| {
        let all: Vec<_> = bases.iter().map(|base| el(0x30, &[base])).collect();
        el(tag, &all.iter().map(Vec::as_slice).collect::<Vec<_>>())
    };
    let (v4, v6) = (el(0x87, &[&[1; 8]]), el(0x87, &[&[1; 32]]));
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
        (cp, policy(&[&el(0x30, &[&notice(&[reference])])])),
        (cp, policy(&[&el(0x30, &[&notice(&[reference, b"\x1E\x04\x00t\x00t"])])])),
        (cp, policy(&[&el(0x30, &[&notice(&[&el(0x1E, &[&[0, b't'].repeat(200)])])])])),
        (aki, el(0x30, &[&el(0x80, &[&[7; 20]])])),
        (eku, el(0x30, &[b"\x06\x08\x2B\x06\x01\x05\x05\x07\x03\x01\x06\x04\x55\x1D\x25\x00\x06\x03\x2A\x83\x05"])),
        (aia, el(0x30, &[&el(0x30, &[&method(1), &uri(9)]), &el(0x30, &[&method(2), &uri(40)])])),
        (aia, el(0x30, &[&el(0x30, &[&method(1), &uri(100)])])),
        (aia, el(0x30, &[&el(0x30, &[&method(2), &uri(130)]), &el(0x30, &[&method(1), &uri(120)])])),
        (ku, vec![0x03, 0x02, 0x07, 0x80]),
        (netscape, vec![0x03, 0x02, 0x00, 0x07]),
        (san, el(0x30, &[&name])),
        (san, el(0x30, &[&directory(&[&email, &rdn(0x13, b"DE"), &rdn(0x14, b"\xFF")])])),
        (san, el(0x30, &[&directory(&[&other(b"\x2A", b"\x1E\x02\x00t"), &rdn(0x0C, &[b't'; 120])])])),
        (san, el(0x30, &[&directory(&[&rdn(0x13, &[b'p'; 40]), &rdn(0x0C, "ä".as_bytes())])])),
        (aki, el(0x30, &[&el(0x80, &[&[7; 20]]), &el(0xA1, &[&name]), &el(0x82, &[&[0x00, 0x80, 1]])])),
        (aki, el(0x30, &[&el(0xA1, &[&name]), &el(0x82, &[&[0x7F; 20]])])),
        (nc, el(0x30, &[&subtrees(0xA0, &[b"\x82\x01a", &v4, &name])])),
        (nc, el(0x30, &[&subtrees(0xA1, &[&v6, b"\x81\x03a@b", b"\x86\x00"])])),
        (nc, el(0x30, &[&subtrees(0xA0, &[b"\x82\x00"]), &subtrees(0xA1, &[&v6, &v6, &v6, &v6])])),
        (nc, el(0x30, &[&subtrees(0xA0, &[&uri(120), &uri(120), b"\x82\x00"])])),
        (dp, el(0x30, &[&point(&[&uri(119)]), &point(&[&uri(140)])])),
        (cp, policy(&[&el(0x30, &[&text(0x1E, 20), &qualifier(1, &el(0x16, &[&[b'c'; 90]]))])])),
        (cp, el(0x30, &[&el(0x30, &[b"\x06\x0B\x60\x86\x48\x01\x86\xF8\x45\x01\x07\x17\x06"])])),
        (cp, el(0x30, &[&el(0x30, &[b"\x06\x08\x60\x86\x80\x01\x86\xF8\x45\x01"])])),
        (
            cp,
            el(
                0x30,
                &[&el(0x30, &[b"\x06\x12\x60\x86\x80\x01\x86\xF8\x45\x01\x07\x17\x06\x01\x02\x03\x04\x05\x06\x07"])],
            ),
        ),
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

//! Elements of any type are read in two ways: by straight comparisons where all is common, and generally. A session always
//! takes the general way, so the two are held against each other on mutations.
#![allow(clippy::panic, reason = "tests")]
#![cfg(feature = "alloc")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use tagwise_codec::{Any, Decode, Oid, Options};

const SAMPLE: &[u8] =
    b"\x30\x58\xA0\x03\x02\x01\x02\x02\x02\x00\x80\x30\x0B\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0B\
    \x31\x0B\x30\x09\x06\x03\x55\x04\x06\x13\x02DE\x17\x0D261121100000Z\x0C\x03\xC3\xBCa\x16\x01a\x03\x02\x07\x80\
    \x03\x01\x00\x01\x01\xFF\x05\x00\x04\x02ab\x82\x01x\x60\x02\x05\x00\x0A\x01\x07\x14\x02";

fn agree(der: &[u8]) -> bool {
    let plain = Any::from_der(der);
    let general = Options::der().decode::<Any<'_>>(der);
    match (plain, general) {
        (Ok(plain), Ok(general)) => {
            assert_eq!(plain, general.value);
            true
        }
        (Err(plain), Err(general)) => {
            assert_eq!((plain.kind(), plain.offset()), (general.kind(), general.offset()), "{der:02x?}");
            false
        }
        (plain, general) => panic!("{plain:?} but {general:?} for {der:02x?}"),
    }
}

#[test]
fn mutations_are_judged_alike() {
    let mut sample = SAMPLE.to_vec();
    sample.extend(b"ab");
    sample[1] = (sample.len() - 2) as u8;
    assert!(agree(&sample));
    let mut accepted = 0;
    for at in 0..sample.len() {
        assert!(!agree(&sample[..at]));
        for octet in 0..=255 {
            let mut changed = sample.clone();
            changed[at] = octet;
            accepted += u32::from(agree(&changed));
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

/// What has an identifier, as attributes and extensions do, is taken in one step: lengths that belong to each other are changed
/// together, on every level on which they may stand.
#[test]
fn elements_with_an_identifier_have_the_same_verdict() {
    const SAMPLES: [&[u8]; 4] = [
        b"\x31\x0B\x30\x09\x06\x03\x55\x04\x06\x13\x02DE",
        b"\x31\x0D\x30\x0B\x06\x03\x55\x04\x0A\x0C\x04\xC3\xBCab",
        b"\x30\x0B\x06\x03\x55\x1D\x0E\x04\x04\x04\x02ab",
        b"\x30\x0C\x06\x03\x55\x1D\x0F\x01\x01\xFF\x04\x02ab",
    ];
    let mut accepted = 0;
    for sample in SAMPLES {
        for follows in [&[][..], &[0x05, 0x00], &[0x00; 12]] {
            let inner = [sample, follows].concat();
            let mut der = [&[0x30, inner.len() as u8], &inner[..]].concat();
            for first in 0..der.len() {
                for second in first..der.len() {
                    for (up, down) in [(1, 1), (1, 0xFF), (0xFF, 1), (0xFF, 0xFF), (0x80, 0x80), (2, 0xFE), (0, 0x80)] {
                        let before = (der[first], der[second]);
                        der[first] = before.0.wrapping_add(up);
                        der[second] = before.1.wrapping_add(down);
                        accepted += u32::from(agree(&der));
                        (der[first], der[second]) = before;
                    }
                }
            }
        }
        for levels in 0..70 {
            let mut der = sample.to_vec();
            for _ in 0..levels {
                let len = der.len();
                der = [&[0x30, 0x81, len as u8][if len < 0x80 { 2 } else { 0 }..], &der].concat();
                if len < 0x80 {
                    der.insert(0, 0x30);
                }
            }
            accepted += u32::from(agree(&der));
        }
    }
    assert!(accepted > 200, "{accepted}");
}

#[test]
fn long_lengths_and_deep_nesting_are_judged_alike() {
    for len in [0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x1_0000] {
        let mut string = vec![0x04, 0x83, (len >> 16) as u8, (len >> 8) as u8, len as u8];
        match len {
            0..=0x7F => string = vec![0x04, len as u8],
            0x80..=0xFF => string = vec![0x04, 0x81, len as u8],
            0x100..=0xFFFF => string = vec![0x04, 0x82, (len >> 8) as u8, len as u8],
            _ => {}
        }
        string.resize(string.len() + len, 0x5A);
        let total = string.len();
        let mut der = vec![0x30, 0x83, (total >> 16) as u8, (total >> 8) as u8, total as u8];
        der.extend(&string);
        // Minimal only above 65,535.
        assert_eq!(agree(&der), total > 0xFFFF);
        if total < 0x80 {
            assert!(agree(&[&[0x30, total as u8], string.as_slice()].concat()));
        } else if (0x100..=0xFFFF).contains(&total) {
            assert!(agree(&[&[0x30, 0x82, (total >> 8) as u8, total as u8], string.as_slice()].concat()));
        }
    }
    let mut der = vec![0x05, 0x00];
    for _ in 0..150 {
        let len = der.len();
        let mut outer = vec![0x30];
        match len {
            0..=0x7F => outer.push(len as u8),
            0x80..=0xFF => outer.extend([0x81, len as u8]),
            _ => outer.extend([0x82, (len >> 8) as u8, len as u8]),
        }
        outer.extend(&der);
        der = outer;
        agree(&der);
    }
}

#[test]
fn object_identifiers_show_their_arcs() {
    let long: Vec<u8> = core::iter::repeat_n(0x7F, 40).collect();
    let samples: [&[u8]; 12] = [
        &[0x00],
        &[0x27],
        &[0x28],
        &[0x4F],
        &[0x50],
        &[0x88, 0x37],
        &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B],
        &[0x55, 0xFF, 0xFF, 0xFF, 0x7F, 0x00],
        &[0x55, 0x81, 0x80, 0x80, 0x80, 0x00],
        &[0x55, 0x8F, 0xFF, 0xFF, 0xFF, 0x7F],
        &[0x55, 0x1D, 0x0F],
        &long,
    ];
    for octets in samples {
        let oid = Oid::from_content(octets).unwrap();
        let arcs: Vec<String> = oid.arcs().map(|arc| arc.to_string()).collect();
        assert_eq!(oid.to_string(), arcs.join("."));
    }
}

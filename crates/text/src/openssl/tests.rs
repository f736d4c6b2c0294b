//! Forms that are rare in real certificates; the command itself is compared with in the workspace's tests.

use super::octets::{dotted, integer, labelled, magnitude, raw};
use super::*;

fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    write(&mut out).unwrap();
    out
}

#[test]
fn serial_numbers() {
    for (content, text) in [
        (&[0x00][..], " 0 (0x0)\n"),
        (&[0x7F], " 127 (0x7f)\n"),
        (&[0xFE], " -2 (-0x2)\n"),
        // -1 is what OpenSSL's conversion gives for errors.
        (&[0xFF], "\n             (Negative)01\n"),
        (&[0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], " 9223372036854775807 (0x7fffffffffffffff)\n"),
        (&[0x00, 0x80, 0, 0, 0, 0, 0, 0, 0], "\n            80:00:00:00:00:00:00:00\n"),
    ] {
        assert_eq!(written(|out| serial(content, out)), text, "{content:?}");
    }
}

#[test]
fn numbers() {
    assert_eq!(magnitude(&[0xFF, 0x00]), (true, vec![1, 0]));
    assert_eq!(magnitude(&[0x80]), (true, vec![0x80]));
    assert_eq!(magnitude(&[]), (false, vec![]));
    assert_eq!(written(|out| integer(&[0xFB], out)), "-5");
    assert_eq!(written(|out| integer(&[0x7F; 16], out)), "169473963133173273960190490760135540607");
    let long = [&[0][..], &[0x80; 16]].concat();
    assert_eq!(written(|out| integer(&long, out)), "0x80808080808080808080808080808080");
    assert_eq!(written(|out| labelled("A:   ", &[0], 2, out)), "  A:    0\n");
    assert_eq!(written(|out| labelled("N:", &[0x80; 9], 0, out)), "N: (Negative)\n    7f:7f:7f:7f:7f:7f:7f:7f:80\n");
}

#[test]
fn strings() {
    assert_eq!(written(|out| dotted(b"a\x1B\n\xC3\xA4~", out)), "a.\n..~");
    assert_eq!(written(|out| raw(b"Z\xC3\xB6\xFF!\0more", out)), "Z\u{F6}\u{FFFD}!");
}

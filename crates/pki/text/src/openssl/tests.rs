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
    assert_eq!(written(|out| dotted(b"a\x1B\r\n\xC3\xA4~", out)), "a..\n..~");
    assert_eq!(written(|out| raw(b"Z\xC3\xB6\xFF!\0more", out)), "Z\u{F6}\u{FFFD}!");
}

/// As in names: each octet of a control character, a line break or a bidirectional mark.
#[test]
fn hidden_characters_are_escaped() {
    for (octets, text) in [
        (&b"a\x1B[31mb"[..], r"a\1B[31mb"),
        (b"a\nDNS:b", r"a\0ADNS:b"),
        (b"a\rb\x7F", r"a\0Db\7F"),
        ("\u{9B}2J\u{202E}".as_bytes(), r"\C2\9B2J\E2\80\AE"),
        (br"back\slash", r"back\slash"),
    ] {
        assert_eq!(written(|out| raw(octets, out)), text);
    }
    assert_eq!(written(|out| octets::paragraphs(b"one\r\ntwo\x1B\nthree\0\nfour", out)), "one.\ntwo\\1B\nthree");
    let mut out = String::new();
    octets::Guard(&mut out).write_str("a: \x1B]0;x\x07\nb\n").unwrap();
    assert_eq!(out, "a: \\1B]0;x\\07\nb\n");
}

/// Text out of a certificate reaches the output through `raw`, `dotted` and `escaped` alone.
#[test]
fn no_module_decodes_text_by_itself() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/openssl");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if matches!(&*name, "octets.rs" | "tests.rs") {
            continue;
        }
        seen += 1;
        let source = std::fs::read_to_string(&path).unwrap();
        for way in ["from_utf8", "utf8_chunks", "from_utf16", "as_str()", "char::from(", "from_u32"] {
            assert!(!source.contains(way), "{name} uses {way}: pass the octets to octets::raw or octets::dotted");
        }
    }
    assert!(seen > 10);
}

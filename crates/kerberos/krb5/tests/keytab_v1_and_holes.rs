//! Keytabs that differ from what is written today: version 1 in both byte orders, entries without a 32-bit version number, and
//! holes that deleted entries leave. The bytes are written out, and MIT's `klist` reads the same files.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::process::Command;

use tagwise_krb5::Keytab;

/// The content of a version 2 entry: `host/a.test@KRB.TEST`, name type 1, 2026-11-21T10:00:00Z, version 3,
/// aes128-cts-hmac-sha1-96.
const VERSION_2: &str = "
    0002                                  # two components, without the realm
    0008 4b52422e54455354                 # KRB.TEST
    0004 686f7374                         # host
    0006 612e74657374                     # a.test
    00000001                              # NT-PRINCIPAL
    6b016ba0                              # time
    03                                    # version, eight bits
    0011 0010 000102030405060708090a0b0c0d0e0f";

/// The same in version 1, big-endian: the realm counts as a component, and there is no name type.
const VERSION_1_BIG: &str = "
    0003
    0008 4b52422e54455354
    0004 686f7374
    0006 612e74657374
    6b016ba0
    03
    0011 0010 000102030405060708090a0b0c0d0e0f";

/// The same in version 1, as a little-endian machine writes it.
const VERSION_1_LITTLE: &str = "
    0300
    0800 4b52422e54455354
    0400 686f7374
    0600 612e74657374
    a06b016b
    03
    1100 1000 000102030405060708090a0b0c0d0e0f";

/// A hole: its length is negative, and its content is whatever the deleted entry had.
const HOLE: &str = "fffffffc deadbeef";

/// Bytes from hexadecimal digits with comments.
fn bytes(text: &str) -> Vec<u8> {
    let digits: String = text.lines().flat_map(|line| line.split('#').next()).collect();
    let digits: Vec<char> = digits.chars().filter(char::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap()).collect()
}

/// A description of the case, the file, and each entry as principal, name type and version number.
type Case = (&'static str, String, Vec<(&'static str, i32, u32)>);

fn cases() -> Vec<Case> {
    let host = "host/a.test@KRB.TEST";
    vec![
        ("no entries", "0502".into(), vec![]),
        ("version 2, without a 32-bit version number", format!("0502 00000037 {VERSION_2}"), vec![(host, 1, 3)]),
        ("version 2, with one", format!("0502 0000003b {VERSION_2} 00000103"), vec![(host, 1, 259)]),
        (
            "a 32-bit version number of 0 does not count",
            format!("0502 0000003b {VERSION_2} 00000000"),
            vec![(host, 1, 3)],
        ),
        (
            "bytes after the version number are skipped",
            format!("0502 0000003d {VERSION_2} 00000004 aabb"),
            vec![(host, 1, 4)],
        ),
        ("a hole first", format!("0502 {HOLE} 00000037 {VERSION_2}"), vec![(host, 1, 3)]),
        (
            "holes between entries",
            format!("0502 00000037 {VERSION_2} {HOLE} {HOLE} 00000037 {VERSION_2}"),
            vec![(host, 1, 3), (host, 1, 3)],
        ),
        ("a hole last", format!("0502 00000037 {VERSION_2} {HOLE}"), vec![(host, 1, 3)]),
        ("a length of 0 ends the file", format!("0502 00000037 {VERSION_2} 00000000 ffff"), vec![(host, 1, 3)]),
        ("version 1, little-endian", format!("0501 33000000 {VERSION_1_LITTLE}"), vec![(host, 0, 3)]),
        (
            "version 1, little-endian, with a hole",
            format!("0501 fcffffff deadbeef 33000000 {VERSION_1_LITTLE}"),
            vec![(host, 0, 3)],
        ),
        ("version 1, big-endian", format!("0501 00000033 {VERSION_1_BIG}"), vec![(host, 0, 3)]),
        ("version 1, big-endian, with a hole", format!("0501 {HOLE} 00000033 {VERSION_1_BIG}"), vec![(host, 0, 3)]),
        (
            "version 1, big-endian, with a 32-bit version number",
            format!("0501 00000037 {VERSION_1_BIG} 00000103"),
            vec![(host, 0, 259)],
        ),
    ]
}

#[test]
fn entries_are_read() {
    for (what, text, expected) in cases() {
        let keytab = Keytab::from_bytes(&bytes(&text)).unwrap_or_else(|error| panic!("{what}: {error}"));
        let found: Vec<(String, i32, u32)> = keytab
            .entries()
            .iter()
            .map(|entry| (entry.principal.to_string(), entry.principal.name_type(), entry.kvno))
            .collect();
        let expected: Vec<_> = expected.into_iter().map(|(name, kind, kvno)| (name.to_owned(), kind, kvno)).collect();
        assert_eq!(found, expected, "{what}");
        for entry in keytab.entries() {
            assert_eq!((entry.timestamp.to_string().as_str(), entry.enc_type), ("2026-11-21T10:00:00Z", 17), "{what}");
            assert_eq!(entry.key.expose(), (0..16).collect::<Vec<u8>>(), "{what}");
        }
    }
}

#[test]
fn bytes_after_the_end_are_counted() {
    for (text, unread) in [("0502", 0), ("0502 00000000", 0), ("0502 00000000 0000", 0), ("0502 00000000 0000ff", 3)] {
        assert_eq!(Keytab::from_bytes(&bytes(text)).unwrap().unread_bytes(), unread, "{text}");
    }
}

/// Writing drops holes, and version 1 becomes version 2.
#[test]
fn written_keytabs_have_version_2_and_no_holes() {
    for (what, text, _) in cases() {
        let read = Keytab::from_bytes(&bytes(&text)).unwrap();
        let written = read.to_bytes().unwrap();
        assert_eq!(written.get(..2), Some(&[5, 2][..]), "{what}");
        assert_eq!(Keytab::from_bytes(&written).unwrap(), read, "{what}");
        assert_eq!(written.len(), 2 + read.entries().len() * (4 + 0x3b), "{what}");
    }
}

#[test]
fn damaged_files_are_refused() {
    for (what, text, expected) in [
        ("empty", "", "the keytab is empty, at byte 0"),
        ("another file", "4749", "not a keytab: the first byte is 0x47, expected 0x05, at byte 0"),
        ("version 3", "0503", "unsupported keytab version: 3, expected 1 or 2, at byte 1"),
        (
            "a hole beyond the end",
            "0502 fffffff0 00",
            "a deleted entry: truncated file or wrong length: 1 bytes left, expected 16, at byte 6",
        ),
        (
            "an entry beyond the end",
            "0502 00000037 0002",
            "entry 1: truncated file or wrong length: 2 bytes left, expected 55, at byte 6",
        ),
        (
            "the largest hole",
            "0502 80000000 00",
            "a deleted entry: truncated file or wrong length: 1 bytes left, expected 2147483648, at byte 6",
        ),
        (
            "a realm beyond the entry",
            "0502 00000006 0002 0008 4b52 00000000",
            "entry 1: truncated file or wrong length: 2 bytes left, expected 8, at byte 10",
        ),
        (
            "three bytes behind the last entry",
            "0502 fffffffc deadbeef 000000",
            "trailing bytes after the last entry: 3, expected a length of 4 bytes or none, at byte 10",
        ),
        (
            "version 1, big-endian, with a realm beyond the entry",
            "0501 00000006 0002 0008 4b52",
            "entry 1: truncated file or wrong length: 2 bytes left, expected 8, at byte 10",
        ),
        (
            "version 1, little-endian, with an entry beyond the end",
            "0501 33000000 0003",
            "entry 1: truncated file or wrong length: 2 bytes left, expected 51, at byte 6",
        ),
        ("version 1 without a realm", "0501 00000002 0000", "entry 1: no realm, at byte 6"),
    ] {
        let error = Keytab::from_bytes(&bytes(text)).unwrap_err();
        assert_eq!(error.to_string(), expected, "{what}");
    }
}

/// Version 1 has the byte order of the machine, so MIT reads only ours.
#[test]
fn mit_reads_the_same() {
    if !tagwise_testing::tool("klist", &["-V"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (what, text, expected) in cases() {
        let is_foreign = what.contains(if cfg!(target_endian = "little") { "big-endian" } else { "little-endian" });
        if is_foreign {
            continue;
        }
        let path = folder.path().join("keytab");
        std::fs::write(&path, bytes(&text)).unwrap();
        let output = Command::new("klist").args(["-k", "-K"]).arg(&path).output().unwrap();
        let listed = String::from_utf8(output.stdout).unwrap();
        let found: Vec<String> = listed
            .lines()
            .filter(|line| line.contains('@'))
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        let expected: Vec<String> = expected
            .iter()
            .map(|(name, _, kvno)| format!("{kvno} {name} (0x000102030405060708090a0b0c0d0e0f)"))
            .collect();
        assert_eq!(found, expected, "{what}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

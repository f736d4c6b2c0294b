//! The command `dump`: what it prints, what it makes of bad input, and that it streams.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

mod common;

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{bounded, corpus, data, files, tagwise, tagwise_with};
use tagwise_cli::Dump;
use tagwise_codec::stream::Rules;

const PLAIN: Dump = Dump {
    files: Vec::new(),
    rules: Rules::Der,
    json: false,
    color: false,
    full: false,
    offset: 0,
    depth: usize::MAX,
    secrets: false,
};

/// Dumps octets in this process: exit code, output, complaint.
fn dump(how: &Dump, octets: &[u8]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let outcome = how.octets(octets, &mut out, &mut err).unwrap();
    (outcome.code(), String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn under(rules: Rules) -> Dump {
    Dump { rules, ..PLAIN }
}

/// Every kind of value, in DER.
fn sample() -> Vec<u8> {
    let mut content: Vec<u8> = Vec::new();
    for part in [
        &b"\x01\x01\xFF"[..],
        b"\x02\x01\x80",
        b"\x02\x09\x00\x80\x00\x00\x00\x00\x00\x00\x00",
        b"\x03\x02\x04\xA0",
        b"\x04\x02\xAB\xCD",
        b"\x04\x05Hello",
        b"\x04\x04\x30\x02\x05\x00",
        b"\x05\x00",
        b"\x06\x03\x55\x04\x03",
        b"\x09\x03\x80\xFF\x01",
        b"\x0A\x01\x07",
        b"\x0C\x06a\xE2\x80\xAE\x1B!",
        b"\x0D\x02\x88\x37",
        b"\x17\x0D261121100000Z",
        b"\x18\x0F20611121100000Z",
        b"\x1E\x04\x20\xAC\x00A",
        b"\x31\x00",
        b"\x80\x04mail",
        b"\xBF\x87\x68\x03\xC1\x01\x00",
    ] {
        content.extend(part);
    }
    let mut sample = vec![0x30, content.len() as u8];
    sample.extend(content);
    sample
}

const GOLDEN: &str = r#"       0  0  2+118       SEQUENCE
       2  1  2+1           BOOLEAN TRUE
       5  1  2+1           INTEGER -128
       8  1  2+9           INTEGER 0x008000000000000000
      19  1  2+2           BIT STRING (4 unused) a0
      23  1  2+2           OCTET STRING abcd
      27  1  2+5           OCTET STRING 48656c6c6f "Hello"
      34  1  2+4           OCTET STRING encapsulates
      36  2  2+2             SEQUENCE
      38  3  2+0               NULL
      40  1  2+0           NULL
      42  1  2+3           OBJECT IDENTIFIER 2.5.4.3 commonName
      47  1  2+3           REAL 0.5
      52  1  2+1           ENUMERATED 7
      55  1  2+6           UTF8String "a\u{202e}\u{1b}!"
      63  1  2+2           RELATIVE-OID 1079
      67  1  2+13          UTCTime "261121100000Z" 2026-11-21T10:00:00Z
      82  1  2+15          GeneralizedTime "20611121100000Z" 2061-11-21T10:00:00Z
      99  1  2+4           BMPString "€A"
     105  1  2+0           SET
     107  1  2+4           [0] (primitive) 6d61696c "mail"
     113  1  4+3           [1000]
     117  2  2+1             [PRIVATE 1] (primitive) 00
"#;

#[test]
fn golden_der() {
    let (code, out, err) = dump(&PLAIN, &sample());
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, GOLDEN);
}

#[test]
fn golden_ber() {
    let input = b"\x30\x80\x24\x80\x04\x03abc\x00\x00\x01\x01\x01\x02\x81\x01\x05\x00\x00";
    let (code, out, _) = dump(&under(Rules::Ber), input);
    let expected = "       \
       0  0  2+indef     SEQUENCE
       2  1  2+indef       OCTET STRING (constructed)
       4  2  2+3             OCTET STRING 616263
       9  1  2             end of contents
      11  1  2+1           BOOLEAN TRUE (01)
      14  1  3+1           INTEGER 5
      18  0  2           end of contents
";
    assert_eq!((code, out.as_str()), (0, expected));
    let (code, out, err) = dump(&PLAIN, input);
    let expected = "       \
       1 malformed: the indefinite length form is not DER, at byte 1 (X.690 §10.1)
         000000: 30 [80] 24 80 04 03 61 62 63 …
         try --rules ber
";
    assert_eq!((code, out.as_str()), (1, expected));
    assert_eq!(err, "tagwise: standard input: the indefinite length form is not DER, at byte 1 (X.690 §10.1)\n");
    let (code, out, _) = dump(&under(Rules::Cer), b"\x30\x80\x30\x02\x05\x00\x00\x00");
    assert_eq!(code, 1);
    assert!(
        out.contains("CER requires the indefinite length form for constructed elements, at byte 3 (X.690 §9.1)"),
        "{out}"
    );
}

#[test]
fn the_bad_element_is_shown_before_its_fault() {
    let (code, out, _) = dump(&PLAIN, b"\x30\x07\x02\x02\x00\x05\x02\x01\x07");
    let expected = "       \
       0  0  2+7         SEQUENCE
       2  1  2+2           INTEGER 0005
       4 malformed: the INTEGER is not in its shortest form, at byte 4 (X.690 §8.3.2)
         000000: 30 07 02 02 [00] 05 02 01 07
";
    assert_eq!((code, out.as_str()), (1, expected));
}

#[test]
fn json_lines() {
    let (code, out, _) = dump(&Dump { json: true, ..PLAIN }, &sample());
    assert_eq!(code, 0);
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["schema"], "tagwise.dump/1");
    assert_eq!(lines[1]["length"], 118);
    let of = |name: &str| lines.iter().find(|line| line["name"] == name).unwrap().clone();
    assert_eq!(of("INTEGER")["decimal"], "-128");
    assert_eq!(of("OBJECT IDENTIFIER")["oid_name"], "commonName");
    assert_eq!(of("UTF8String")["text"], "a\u{202E}\u{1B}!");
    assert!(!out.contains('\u{202E}') && !out.contains('\u{1B}'));
    assert_eq!(of("UTCTime")["iso"], "2026-11-21T10:00:00Z");
    assert_eq!(of("BIT STRING")["unused_bits"], 4);
    let inner = lines.iter().find(|line| line["encapsulated_in"] == 34).unwrap();
    assert_eq!((&inner["offset"], &inner["depth"]), (&36.into(), &2.into()));
    assert_eq!(lines.last().unwrap()["elements"], 23);
    let (code, out, _) = dump(&Dump { json: true, ..PLAIN }, b"\x30\x05\x02");
    assert_eq!(code, 1);
    let last: serde_json::Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!((&last["error"]["code"], &last["error"]["offset"]), (&"truncated".into(), &3.into()));
}

/// The offset that the fault's line begins with.
fn marked(out: &str) -> Option<usize> {
    let line = out.lines().find(|line| line.contains(" malformed: "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[test]
fn truncated_anywhere_it_is_marked_at_the_end() {
    let whole = sample();
    for at in 1..whole.len() {
        let (code, out, err) = dump(&PLAIN, &whole[..at]);
        assert_eq!(code, 1);
        assert_eq!(marked(&out), Some(at), "{out}");
        assert!(err.ends_with(&format!("at byte {at} (X.690 §8.1.1)\n")), "{err}");
        let (code, out, _) = dump(&Dump { json: true, full: true, ..PLAIN }, &whole[..at]);
        assert_eq!(code, 1);
        assert!(out.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    }
    let (code, out, err) = dump(&PLAIN, b"");
    assert_eq!((code, out.as_str()), (1, "malformed: it is empty\n"));
    assert_eq!(err, "tagwise: standard input: it is empty\n");
}

#[test]
fn hostile_octets_do_no_harm() {
    let whole = sample();
    let mut sound = 0;
    for at in 0..whole.len() {
        for octet in (0..=255u8).step_by(5).chain([0x1F, 0x7F, 0x80, 0x81, 0xFE]) {
            let mut changed = whole.clone();
            changed[at] = octet;
            for rules in [Rules::Der, Rules::Ber, Rules::Cer] {
                let (code, out, err) = dump(&under(rules), &changed);
                assert!(out.chars().all(|char| char == '\n' || !char.is_control()), "{out:?}");
                assert!(!out.contains('\u{202E}'));
                assert_eq!(code == 0, err.is_empty());
                assert_eq!(code != 0, marked(&out).is_some(), "{out}");
                sound += u32::from(code == 0);
            }
        }
    }
    assert!(sound > 500, "{sound}");
    // Deep nesting ends at the budget, and is not indented off the screen.
    let deep = b"\x30\x80".repeat(100_000);
    let (code, out, _) = dump(&under(Rules::Ber), &deep);
    assert_eq!((code, marked(&out)), (4, Some(258)));
    assert!(out.lines().all(|line| line.len() < 200));
    // Strings in strings, each of which holds an encoding.
    let nested = (0..60).fold(vec![5, 0], |inner, _| [&[4, inner.len() as u8], inner.as_slice()].concat());
    let (code, out, _) = dump(&PLAIN, &nested);
    assert_eq!((code, out.matches("encapsulates").count()), (0, 16));
}

#[test]
fn forms_offsets_and_depths() {
    let der = b"\x30\x03\x02\x01\x05";
    let plain = dump(&PLAIN, der).1;
    assert_eq!(dump(&PLAIN, b"30 03 02 01 05\n").1, plain);
    assert_eq!(dump(&PLAIN, b"MAMCAQU=\n").1, plain);
    let (code, out, _) = dump(&PLAIN, b"-----BEGIN X-----\nMAMCAQU=\n-----END X-----\n");
    assert_eq!((code, out), (0, format!("X, line 1\n{plain}")));
    let (code, out, _) = dump(&PLAIN, b"no encoding at all");
    assert!(code == 1 && out.starts_with("malformed: "), "{out}");
    let (code, out, _) = dump(&PLAIN, b"-----BEGIN X-----");
    assert!(code == 1 && out.contains("malformed: "), "{out}");
    // Several values in a row, from an offset on.
    let twice = [&der[..], der].concat();
    let (code, out, _) = dump(&PLAIN, &twice);
    assert_eq!((code, out.lines().count()), (0, 4));
    let (code, out, _) = dump(&Dump { offset: 7, ..PLAIN }, &twice);
    assert_eq!((code, out.as_str()), (0, "       7  0  2+1         INTEGER 5\n"));
    let (code, _, err) = dump(&Dump { offset: 70, ..PLAIN }, &twice);
    assert_eq!((code, err.as_str()), (1, "tagwise: standard input: no element at byte 70\n"));
    let (code, out, _) = dump(&Dump { depth: 0, ..PLAIN }, &twice);
    assert_eq!((code, out.as_str()), (0, "       0  0  2+3         SEQUENCE …\n       5  0  2+3         SEQUENCE …\n"));
    // What is not shown is checked all the same.
    assert_eq!(dump(&Dump { depth: 0, ..PLAIN }, b"\x30\x03\x02\x01").0, 1);
}

#[test]
fn long_values_are_cut_unless_asked_for() {
    let mut long = vec![0x04, 0x82, 0x01, 0x00];
    long.extend(0..=255u8);
    let (_, out, _) = dump(&PLAIN, &long);
    assert!(out.contains("0f1011121314151617… (256 bytes)") && !out.contains("1718"), "{out}");
    let (_, out, _) = dump(&Dump { full: true, ..PLAIN }, &long);
    assert_eq!(out.lines().count(), 9);
    assert!(out.lines().last().unwrap().trim().ends_with("fdfeff"));
    // More than a chunk.
    let mut huge = vec![0x04, 0x83, 0x20, 0x00, 0x00];
    huge.resize(5 + 0x20_0000, 0xAA);
    let (_, out, _) = dump(&Dump { full: true, ..PLAIN }, &huge);
    assert_eq!(out.matches("aa").count(), 0x20_0000);
    let (_, out, _) = dump(&Dump { full: true, json: true, ..PLAIN }, &huge);
    assert_eq!(out.matches("aa").count(), 0x20_0000);
}

#[test]
fn private_keys_in_pem_are_left_out() {
    // SEQUENCE { INTEGER 0, OCTET STRING { OCTET STRING 5A…, BIT STRING } }, as in PKCS #8.
    let key = b"-----BEGIN PRIVATE KEY-----\nMA4CAQAECQQCWlpaWlpaWg==\n-----END PRIVATE KEY-----\n";
    for json in [false, true] {
        let (_, out, err) = dump(&Dump { json, ..PLAIN }, key);
        assert!(!out.contains("5a") && !err.contains("5a"), "{out}{err}");
        let (_, out, _) = dump(&Dump { json, secrets: true, ..PLAIN }, key);
        assert!(out.contains("5a5a"), "{out}");
    }
}

#[test]
fn the_command() {
    let leaf = data("leaf.pem");
    let run = tagwise(&["dump", &leaf]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(run.out.contains("OCTET STRING encapsulates") && !run.out.contains('\u{1B}'));
    let run = tagwise(&["dump", "--color", "always", &leaf]);
    assert!(run.out.contains("\u{1B}["));
    let run = tagwise_with(&["dump", "-", &leaf], b"\x05\x00");
    assert_eq!(run.code, Some(0));
    assert!(run.out.starts_with("standard input\n       0  0  2+0         NULL\n\n"), "{}", run.out);
    let run = tagwise(&["dump", "/nonexistent/file"]);
    assert_eq!(run.code, Some(3));
    assert_eq!(tagwise(&["dump", "--rules", "xer", &leaf]).code, Some(2));
    let help = tagwise(&["dump", "--help"]).out;
    assert!(help.contains("cannot recognize secrets") && help.contains("Exit codes"));
}

/// The most memory a process ever held, in KiB.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().trim_end_matches(" kB").parse().ok()
}

#[test]
fn a_large_stream_takes_little_memory() {
    // The program itself is some megabytes: what counts is what it takes more for 96 MiB than for 32.
    let small = dumped(1 << 24, 4 << 20, "… (16777216 bytes)");
    let large = dumped(64 << 20, 8 << 20, "… (67108864 bytes)");
    if let (Some(small), Some(large)) = (small, large) {
        assert!(large < small + 4 * 1024, "{small} and {large} KiB");
    }
}

/// The most memory, in KiB, that a dump took of a string of so many octets, then so many numbers, as they come through a pipe.
fn dumped(string: u32, numbers: u32, told: &str) -> Option<u64> {
    let start = |tag: u8, len: u32| [&[tag, 0x84][..], &len.to_be_bytes()].concat();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tagwise"))
        .args(["dump", "--depth", "1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(&start(0x30, 6 + string + 6 + numbers * 4)).unwrap();
    pipe.write_all(&start(0x04, string)).unwrap();
    let block = vec![0x5A; 1 << 20];
    for _ in 0..string >> 20 {
        pipe.write_all(&block).unwrap();
    }
    pipe.write_all(&start(0x31, numbers * 4)).unwrap();
    let block = b"\x02\x02\x01\x00".repeat(1 << 18);
    for _ in 0..numbers >> 18 {
        pipe.write_all(&block).unwrap();
    }
    let peak = peak(child.id());
    drop(pipe);
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(out.lines().count(), 3, "{out}");
    assert!(out.contains(told), "{out}");
    peak
}

/// Milliseconds are usual; a machine that does much else takes its time.
const LONG: Duration = Duration::from_secs(120);

#[test]
fn every_corpus_dumps() {
    for set in
        ["rfc-samples", "asn1crypto", "rustcrypto-formats", "kerberos/mit-asn1", "fuzz/boringssl", "ber-strozhevsky"]
    {
        let Some(folder) = corpus(set) else { continue };
        for path in files(&folder) {
            let octets = std::fs::read(&path).unwrap();
            for rules in [Rules::Der, Rules::Ber, Rules::Cer] {
                for json in [false, true] {
                    let how = Dump { json, full: json, ..under(rules) };
                    let (code, out, _) = bounded(&path.to_string_lossy(), LONG, || dump(&how, &octets));
                    assert!(matches!(code, 0 | 1 | 4) && !out.is_empty(), "{}", path.display());
                }
            }
        }
    }
}

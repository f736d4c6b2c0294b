//! PEM that is accepted, refused and tolerated.

extern crate std;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::{Block, Error, blocks, blocks_with, encode};
use crate::kind::FaultKind;
use crate::options::{Options, Session};
use crate::rule::{Rule, RuleSet};

const THREE: &[u8] = &[0x02, 0x01, 0x05];

fn all(text: &str) -> Vec<Result<Block<'_>, Error>> {
    blocks(text.as_bytes()).collect()
}

/// Names and offsets of deviations.
type Notes = Vec<(&'static str, usize)>;

/// The one block of a text, decoded, or the first error.
fn read(text: &str, rules: RuleSet) -> (Result<Vec<u8>, Error>, Notes) {
    let session = Session::new(Options::der().rules(rules));
    let read = blocks_with(text.as_bytes(), &session).next().expect("a block").and_then(|block| block.decode());
    (read, session.into_deviations().iter().map(|note| (note.rule.name, note.offset)).collect())
}

/// The rules of the `textualmsg` of RFC 7468 §3.
const TEXTUAL: RuleSet = RuleSet::NONE.with(&Rule::PEM_LINE_LENGTH).with(&Rule::PEM_TRAILING_SPACE);

/// Refused by the rules of `textualmsg`, kind and offset so; tolerated by `rule` on top, which is noted there.
#[track_caller]
fn lax(text: &str, rule: &'static Rule, kind: FaultKind, offset: usize, octets: &[u8]) {
    assert_eq!(read(text, RuleSet::PEM).0.is_ok(), RuleSet::PEM.has(rule), "{text:?}");
    let (refused, _) = read(text, TEXTUAL);
    let error = refused.unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.rule()), (kind, offset, Some(rule)), "{text:?}");
    let line = 1 + text.as_bytes()[..offset].iter().filter(|octet| **octet == b'\n').count();
    assert_eq!(error.line(), line);
    let (value, notes) = read(text, TEXTUAL.with(rule));
    assert_eq!(value.unwrap(), octets);
    assert!(notes.contains(&(rule.name, offset)), "{notes:?}");
    assert!(read(text, RuleSet::PEM_LAX).0.is_ok());
}

/// Passes the default rules; strictly it is refused for `rule`.
#[track_caller]
fn standard(text: &str, rule: &'static Rule, offset: usize, octets: &[u8]) {
    let error = read(text, RuleSet::NONE).0.unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.rule()), (FaultKind::PemLayout, offset, Some(rule)), "{text:?}");
    let (value, notes) = read(text, RuleSet::PEM);
    assert_eq!((value.unwrap(), notes), (octets.to_vec(), std::vec![(rule.name, offset)]));
    assert_eq!(blocks(text.as_bytes()).next().unwrap().unwrap().decode().unwrap(), octets);
}

/// Refused by all rules.
#[track_caller]
fn never(text: &str, kind: FaultKind, offset: usize) {
    for rules in [RuleSet::PEM, RuleSet::PEM_LAX] {
        let error = read(text, rules).0.unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, offset), "{text:?}");
    }
}

#[test]
fn strict_forms() {
    let long: Vec<u8> = (0..=255).collect();
    for octets in [&b"\x30"[..], b"\x30\x00", THREE, &long[..47], &long[..48], &long[..49], &long[..96], &long] {
        let text = encode("A B-C", octets).unwrap();
        for text in [text.clone(), text.replace('\n', "\r\n"), text.replace('\n', "\r")] {
            assert_eq!(read(&text, RuleSet::NONE), (Ok(octets.to_vec()), Vec::new()));
            let block = all(&text)[0].unwrap();
            assert_eq!((block.label(), block.begin(), block.line()), ("A B-C", 0, 1));
            assert!(text[..block.end()].ends_with("-----"));
        }
    }
    // Mixed line endings, and none after the END line.
    assert_eq!(read("-----BEGIN A-----\r\nAgEF\r-----END A-----", RuleSet::NONE).0.unwrap(), THREE);
}

#[test]
fn labels() {
    for label in ["", "X", "CERTIFICATE", "X509 CRL", "A-B C", "a,~!"] {
        let text = encode(label, THREE).unwrap();
        let block = all(&text)[0].unwrap();
        assert_eq!((block.label(), block.decode().unwrap()), (label, THREE.to_vec()));
    }
    for label in ["-", " ", "A--B", "A  B", "A-", "-A", "A ", " A", "A- B", "A\nB", "é", "A-----\nAgEF", "\u{2013}"] {
        assert_eq!(encode(label, THREE).unwrap_err().kind(), FaultKind::PemBoundary, "{label:?}");
    }
    let mut text = String::from("before\n");
    super::encode_append("A--", THREE, &mut text).unwrap_err();
    assert_eq!(text, "before\n");
}

#[test]
fn standard_forms() {
    let rule = &Rule::PEM_LINE_LENGTH;
    standard("-----BEGIN A-----\nAg\nEF\n-----END A-----\n", rule, 18, THREE);
    let wide = format!("-----BEGIN A-----\n{}\n-----END A-----\n", "AgEF".repeat(17));
    standard(&wide, rule, 18, &THREE.repeat(17));
    let wide = format!("-----BEGIN A-----\n{0}\n{0}\nAgEF\n-----END A-----\n", "AgEF".repeat(19));
    standard(&wide, rule, 18, &THREE.repeat(39));
    let uneven = format!("-----BEGIN A-----\n{0}\nAgEF\n{0}\n-----END A-----\n", "AgEF".repeat(16));
    standard(&uneven, rule, 83, &THREE.repeat(33));
    // `base64pad *WSP eol base64pad`: "not good, but valid".
    standard("-----BEGIN A-----\nMA=\n=\n-----END A-----\n", rule, 18, &[0x30]);

    let rule = &Rule::PEM_TRAILING_SPACE;
    standard("-----BEGIN A----- \nAgEF\n-----END A-----\n", rule, 17, THREE);
    standard("-----BEGIN A-----\nAgEF\t \n-----END A-----\n", rule, 22, THREE);
    standard("-----BEGIN A-----\nAgEF\n-----END A-----\t\n", rule, 38, THREE);
    standard("-----BEGIN A-----\n\n \nAgEF\n-----END A-----\n", rule, 18, THREE);
    standard("-----BEGIN A-----\nAgEF\n\n-----END A-----\n", rule, 23, THREE);
    standard("-----BEGIN A-----\n\n-----END A-----\n", rule, 18, &[]);
    assert_eq!(read("-----BEGIN A-----\n-----END A-----\n", RuleSet::NONE), (Ok(Vec::new()), Vec::new()));
    assert_eq!(encode("A", &[]).unwrap(), "-----BEGIN A-----\n\n-----END A-----\n");
}

#[test]
fn lax_layout() {
    let rule = &Rule::PEM_WHITESPACE;
    for (text, offset) in [
        ("-----BEGIN A-----\n AgEF\n-----END A-----\n", 18),
        ("-----BEGIN A-----\nAg EF\n-----END A-----\n", 20),
        ("-----BEGIN A-----\nAg\n\nEF\n-----END A-----\n", 21),
        ("-----BEGIN A-----\nAgEF\n\n\n-----END A-----\n", 24),
    ] {
        lax(text, rule, FaultKind::PemLayout, offset, THREE);
    }
    lax("-----BEGIN A-----\nMA==\n\n-----END A-----\n", rule, FaultKind::PemLayout, 23, &[0x30]);
    // A blank before the base64 is not also one after it.
    let (_, notes) = read("-----BEGIN A-----\n AgEF\n-----END A-----\n", RuleSet::PEM_LAX);
    assert_eq!(notes, [("pem-whitespace", 18)]);

    let rule = &Rule::PEM_FOREIGN_OCTETS;
    lax("-----BEGIN A-----\nAg.EF\n-----END A-----\n", rule, FaultKind::Base64Character, 20, THREE);
    lax("-----BEGIN A-----\n>AgEF\n-----END A-----\n", rule, FaultKind::Base64Character, 18, THREE);
    lax("-----BEGIN A-----\nAgéEF\n-----END A-----\n", rule, FaultKind::Base64Character, 20, THREE);
    lax("-----BEGIN A-----\nAg-EF\n-----END A-----\n", rule, FaultKind::Base64Character, 20, THREE);

    let rule = &Rule::PEM_MISSING_PADDING;
    lax("-----BEGIN A-----\nMA\n-----END A-----\n", rule, FaultKind::Base64Length, 21, &[0x30]);
    lax("-----BEGIN A-----\nMA=\n-----END A-----\n", rule, FaultKind::Base64Length, 22, &[0x30]);
    lax("-----BEGIN A-----\nMAA\n-----END A-----\n", rule, FaultKind::Base64Length, 22, &[0x30, 0]);
    lax("-----BEGIN A-----\nMB==\n-----END A-----\n", &Rule::PEM_UNUSED_BITS, FaultKind::Base64Bits, 19, &[0x30]);

    never("-----BEGIN A-----\nM\n-----END A-----\n", FaultKind::Base64Length, 20);
    never("-----BEGIN A-----\nM===\n-----END A-----\n", FaultKind::Base64Padding, 19);
    never("-----BEGIN A-----\nMA==MA==\n-----END A-----\n", FaultKind::Base64Padding, 22);
    never("-----BEGIN A-----\nMA===\n-----END A-----\n", FaultKind::Base64Padding, 22);
}

#[test]
fn lax_boundaries() {
    let rule = &Rule::PEM_LEADING_SPACE;
    lax(" -----BEGIN A-----\nAgEF\n-----END A-----\n", rule, FaultKind::PemBoundary, 0, THREE);
    lax("-----BEGIN A-----\nAgEF\n\t-----END A-----\n", rule, FaultKind::PemBoundary, 23, THREE);

    let rule = &Rule::PEM_DASHES;
    for (text, offset) in [
        ("----BEGIN A----\nAgEF\n----END A----\n", 0),
        ("-----BEGIN A----\nAgEF\n-----END A-----\n", 12),
        ("-----BEGIN A-----\nAgEF\n-----END A----\n", 33),
        ("------BEGIN A------\nAgEF\n------END A------\n", 0),
        ("\u{2014}\u{2014}-BEGIN A\u{2014}-\nAgEF\n-----END A-----\n", 0),
        ("-----BEGIN A-----\nAgEF\n\u{2013}\u{2212}\u{FF0D}END A\u{2010}\n", 23),
    ] {
        lax(text, rule, FaultKind::PemBoundary, offset, THREE);
    }

    let rule = &Rule::PEM_MISSING_NEWLINE;
    lax("-----BEGIN A-----AgEF\n-----END A-----\n", rule, FaultKind::PemBoundary, 17, THREE);
    lax("-----BEGIN A-----\nAgEF-----END A-----\n", rule, FaultKind::PemBoundary, 22, THREE);
    lax("-----BEGIN A-----\nAgEF\n-----END A----- and more\n", rule, FaultKind::PemBoundary, 38, THREE);
    lax("-----BEGIN A-----AgEF-----END A-----", rule, FaultKind::PemBoundary, 17, THREE);
    lax("cert: -----BEGIN A-----\nAgEF\n-----END A-----\n", rule, FaultKind::PemBoundary, 6, THREE);
    lax("cert: -----BEGIN A-----AgEF-----END A-----\n", rule, FaultKind::PemBoundary, 6, THREE);
    lax("text\n- a - \u{FEFF}-----BEGIN A-----\r\nAgEF\r\n-----END A-----", rule, FaultKind::PemBoundary, 14, THREE);

    let rule = &Rule::PEM_LABEL_MISMATCH;
    lax("-----BEGIN A-----\nAgEF\n-----END B-----\n", rule, FaultKind::PemLabel, 32, THREE);

    let rule = &Rule::PEM_MISSING_END;
    lax("-----BEGIN A-----\nAgEF\n", rule, FaultKind::PemUnterminated, 0, THREE);
    lax("-----BEGIN A-----\nAgEF", rule, FaultKind::PemUnterminated, 0, THREE);
    lax("text\n-----BEGIN A-----\nAgEF\n-----BEGIN B-----\n", rule, FaultKind::PemUnterminated, 5, THREE);

    never("-----BEGIN A\n", FaultKind::PemBoundary, 12);
    never("-----BEGIN A", FaultKind::PemBoundary, 12);
    never("-----BEGIN-----\n", FaultKind::PemBoundary, 10);
    never("-----BEGIN A -----\n", FaultKind::PemBoundary, 12);
    never("-----BEGIN A--B-----\n", FaultKind::PemBoundary, 12);
    never("-----BEGIN é-----\n", FaultKind::PemBoundary, 11);
    never("-----BEGIN A-----\nAgEF\n-----END A\n", FaultKind::PemBoundary, 33);
    let error = read("-----END A-----\n", TEXTUAL).0.unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.rule()), (FaultKind::PemUnopened, 0, Some(&Rule::PEM_STRAY_END)));
    assert!(all("-----END A-----\n").is_empty());
}

/// RFC 7468 §2: explanatory text may mention boundaries.
#[test]
fn prose_about_boundaries() {
    for text in [
        "A certificate begins with -----BEGIN CERTIFICATE----- and ends with -----END CERTIFICATE-----.\n",
        "The base64 is between -----BEGIN A----- and -----END A-----\n",
        "Paste everything from -----BEGIN A-----\nto the end\n",
        "Paste everything from -----BEGIN A-----",
    ] {
        let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
        assert_eq!(blocks_with(text.as_bytes(), &session).count(), 0, "{text}");
        assert!(all(text).is_empty(), "{text}");
    }
}

/// RFC 7468 §2: data before a block must not disturb, and whitespace is ignored.
#[test]
fn what_is_read_by_default() {
    for text in [
        "    -----BEGIN A-----\n    Ag\n    EF\n    -----END A-----\n",
        "-----BEGIN A-----\nAg EF\n-----END A-----\n",
        "-----BEGIN A-----\n\tAg\n\n\tEF\n\n\n-----END A-----\n",
        "abc==\n-----END B-----\n-----BEGIN A-----\nAgEF\n-----END A-----\n",
        "-----END A-----\n-----END A-----\n-----BEGIN A-----\nAgEF\n-----END A-----\n-----END A-----\n",
    ] {
        let found = all(text);
        assert_eq!(found.len(), 1, "{text:?}");
        assert_eq!(found[0].unwrap().decode().unwrap(), THREE, "{text:?}");
        assert!(read(text, RuleSet::NONE).0.is_err(), "{text:?}");
    }
    // A block that is cut off behind a whole one is an error of its own.
    let text = "-----BEGIN A-----\nAgEF\n-----END A-----\n-----BEGIN A-----\nAg\n";
    let found = all(text);
    assert_eq!(found[0].unwrap().decode().unwrap(), THREE);
    assert_eq!(found[1].unwrap_err().kind(), FaultKind::PemUnterminated);
    assert_eq!(super::first(&["A"], text.as_bytes()).unwrap(), THREE);
}

#[test]
fn lax_headers() {
    let rule = &Rule::PEM_HEADERS;
    let text = "-----BEGIN A-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,\n 00\n\nAgEF\n-----END A-----\n";
    lax(text, rule, FaultKind::PemHeaders, 18, THREE);
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let block = blocks_with(text.as_bytes(), &session).next().unwrap().unwrap();
    let headers: Vec<_> = block.headers().collect();
    assert_eq!(headers, [("Proc-Type", "4,ENCRYPTED"), ("DEK-Info", "AES,\n 00")]);
    assert_eq!(block.body(), b"AgEF\n");
    // Without the empty line, and after one.
    lax("-----BEGIN A-----\nX: y\nAgEF\n-----END A-----\n", rule, FaultKind::PemHeaders, 18, THREE);
    lax("-----BEGIN A-----\r\n\r\nX: y\r\n\r\nAgEF\r\n-----END A-----\r\n", rule, FaultKind::PemHeaders, 21, THREE);
    lax("-----BEGIN A-----\nX: y\n-----END A-----\n", rule, FaultKind::PemHeaders, 18, &[]);
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let broken = b"-----BEGIN A-----\nX: \xFF\n\nAgEF\n-----END A-----\n";
    let error = blocks_with(broken, &session).next().unwrap().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::PemHeaders, 21));
}

#[test]
fn an_error_hides_no_block() {
    let good = "-----BEGIN G-----\nAgEF\n-----END G-----\n";
    for bad in [
        "-----BEGIN A-----\nAgEF\n",
        "-----BEGIN A-----\nAgEF\n-----END B-----\n",
        "-----BEGIN A-----\nX: y\n\nAgEF\n-----END A-----\n",
        "-----BEGIN A\nAgEF\n-----END A-----\n",
        "-----BEGIN A-----\nAgEF\n-----END A\n",
        "----BEGIN A----\nAgEF\n----END A----\n",
        "-----BEGIN A-----AgEF-----END A-----\n",
    ] {
        let text = format!("{good}{bad}{good}");
        let found: Vec<_> = all(&text).iter().map(|found| found.map(|block| block.label()).ok()).collect();
        assert_eq!(found, [Some("G"), None, Some("G")], "{bad:?}");
        let errors: Vec<_> = all(&text).into_iter().filter_map(Result::err).collect();
        assert!(errors[0].offset() >= good.len() && errors[0].offset() < good.len() + bad.len());
    }
}

#[test]
fn two_on_a_line() {
    let text = "-----BEGIN A-----\nAgEF\n-----END A----------BEGIN B-----\nAgEF\n-----END B-----\n";
    let found = all(text);
    assert_eq!(found[0].unwrap_err().kind(), FaultKind::PemBoundary);
    assert_eq!(found[1].unwrap().label(), "B");
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let found: Vec<_> =
        blocks_with(text.as_bytes(), &session).map(|block| block.unwrap().label().to_string()).collect();
    assert_eq!(found, ["A", "B"]);
    assert_eq!(session.into_deviations()[0].offset, 38);
}

#[test]
fn text_around_blocks() {
    let text = "\u{FEFF}-----BEGIN A-----\nAgEF\n-----END A-----\nbetween -----BEGIN\n---- BEGIN SSH2 PUBLIC KEY ----\n\
                --BEGINNER--\n-----BEGIN B-----\r\nAgEF\r\n-----END B-----\r\n\r\n-----BEGIN C-----\rAgEF\r-----END C-----\rafter";
    let mut iter = blocks(text.as_bytes());
    let found: Vec<_> = iter.by_ref().map(Result::unwrap).collect();
    let labels: Vec<_> = found.iter().map(|block| (block.label(), block.line())).collect();
    assert_eq!(labels, [("A", 1), ("B", 7), ("C", 11)]);
    assert_eq!(found[0].preamble(), "\u{FEFF}".as_bytes());
    assert!(found[1].preamble().starts_with(b"between") && found[1].preamble().ends_with(b"--\n"));
    assert_eq!(found[2].preamble(), b"\r\n");
    assert_eq!(iter.rest(), b"after");
    assert!(found.iter().all(|block| block.decode().unwrap() == THREE));
    assert!(blocks(b"no block").next().is_none());
    assert_eq!(blocks(b"").rest(), b"");
}

#[test]
fn buffers() {
    let text = encode("A", &[7; 100]).unwrap();
    let block = all(&text)[0].unwrap();
    let mut exact = [0; 100];
    assert_eq!(block.decode_to_slice(&mut exact), Ok(100));
    assert_eq!(exact, [7; 100]);
    for len in 0..100 {
        assert_eq!(block.decode_to_slice(&mut exact[..len]).unwrap_err().kind(), FaultKind::BufferTooSmall);
    }
    let mut appended = std::vec![1];
    block.decode_into(&mut appended).unwrap();
    assert_eq!((appended.len(), appended[0]), (101, 1));
    let bad = "-----BEGIN A-----\nAgEF\nM\n-----END A-----\n";
    let error = all(bad)[0].unwrap().decode_into(&mut appended).unwrap_err();
    assert_eq!((appended.len(), error.line()), (101, 4));
}

/// Work grows with the input, not with its square: these take minutes if it does.
#[test]
fn linear_in_hostile_input() {
    let count = 100_000;
    for part in [
        "-----BEGIN A-----\n",
        "-----BEGIN A\n",
        "-----END A-----\n",
        "-----BEGIN A----------END A-----",
        "-----BEGIN ",
        "-----",
        "x-----END ",
        " ",
        "\r",
        "-----BEGIN A-----\nX: y\n z\n",
        "-----BEGIN A-----\n\n",
        "-----BEGIN A-----\n \n-----END A-----\n",
        "\u{2014}",
    ] {
        let text = part.repeat(count);
        for rules in [RuleSet::PEM, RuleSet::PEM_LAX] {
            let session = Session::new(Options::der().rules(rules));
            let mut found = 0;
            for block in blocks_with(text.as_bytes(), &session) {
                found += block.map_or(1, |block| block.decode().map_or(1, |_| 1));
            }
            assert!(found <= 2 * count);
        }
    }
}

//! `find`, `Wrapped` and `Contents` agree on malformed input.
#![cfg(all(feature = "containers", feature = "messages"))]
#![allow(clippy::unwrap_used, reason = "tests")]

use tagwise_codec::RuleSet;
use tagwise_input::contents::{Contents, ContentsKind};
use tagwise_input::{Content, Limits, Recognised, ValueKind, Wrapped, find, recognise};

/// The outer structure of a certificate, and its base64.
const CERTIFICATE: &[u8] = b"\x30\x0C\x30\x05\xA0\x03\x02\x01\x02\x30\x00\x03\x01\x00";
const BODY: &str = "MAwwBaADAgECMAADAQA=";

/// Returns the number of certificates that `Contents` finds, and its failures with their codes, lines and offsets.
fn contents(input: &[u8]) -> (usize, Vec<(String, Option<usize>, usize)>) {
    let contents = Contents::read(input, &Limits::DEFAULT);
    let failures = contents.failures();
    let failures = failures.map(|one| (one.code.to_owned(), one.place.line, one.place.offset)).collect();
    (contents.items().filter(|item| item.kind == ContentsKind::Certificate).count(), failures)
}

/// Returns the same of `find`.
fn found(input: &[u8]) -> (usize, Vec<(String, Option<usize>, usize)>) {
    let items = find(input, RuleSet::NONE).items;
    let problems = items.iter().filter_map(|item| {
        let code = item.problem.as_ref()?.code.to_string();
        Some((code, item.line, item.offset))
    });
    let is_certificate = |content: &Content| *content == Content::Kind(ValueKind::Certificate);
    let count = items.iter().filter(|item| item.problem.is_none() && is_certificate(&item.content)).count();
    (count, problems.collect())
}

#[test]
fn a_block_without_end_is_unreadable_everywhere() {
    let block = format!("-----BEGIN CERTIFICATE-----\n{BODY}\n-----END CERTIFICATE-----\n");
    let cut = format!("-----BEGIN CERTIFICATE-----\n{BODY}\n");
    let unterminated = |line, offset| ("pem-unterminated".to_owned(), Some(line), offset);
    for (text, expected) in [
        (block.clone(), (1, vec![])),
        (cut.clone(), (0, vec![unterminated(1, 0)])),
        (format!("{cut}{block}"), (1, vec![unterminated(1, 0)])),
        (format!("{block}{cut}"), (1, vec![unterminated(4, block.len())])),
        // RFC 7468 §2: parsers may disregard the label of the END line.
        (block.replace("END CERTIFICATE", "END X"), (1, vec![])),
    ] {
        assert_eq!(contents(text.as_bytes()), expected, "{text}");
        assert_eq!(found(text.as_bytes()), expected, "{text}");
    }
}

#[test]
fn a_block_on_one_line_is_counted_once() {
    // Long enough for a value in a text.
    let der = [&b"\x30\x53\x30\x4C\xA0\x03\x02\x01\x02\x04\x45"[..], &[7; 69], b"\x30\x00\x03\x01\x00"].concat();
    let body = tagwise_codec::text::base64::encode(&der);
    for text in [
        format!("-----BEGIN CERTIFICATE-----{body}-----END CERTIFICATE-----"),
        format!("-----BEGIN CERTIFICATE-----\n{body}-----END CERTIFICATE-----\n"),
        format!("-----BEGIN CERTIFICATE-----\n  {body}\n-----END CERTIFICATE-----\n"),
    ] {
        assert_eq!(contents(text.as_bytes()), (1, vec![]), "{text}");
        assert_eq!(found(text.as_bytes()), (1, vec![]), "{text}");
        let values = Wrapped::open(text.into_bytes(), None).unwrap().values;
        assert_eq!(values.iter().map(|value| &value.octets).collect::<Vec<_>>(), [&der]);
    }
}

#[test]
fn words_are_no_values_and_cut_values_are_failures() {
    for words in ["README", "README\n", "abc", "the words of a text\n", "abcde\n"] {
        assert_eq!(contents(words.as_bytes()), (0, vec![]), "{words}");
    }
    let cut = BODY.get(..BODY.len() - 2).unwrap();
    assert_eq!(contents(cut.as_bytes()).1.len(), 1);
}

#[test]
fn an_archive_with_a_damaged_header_is_a_failure() {
    // A member with a PEM block, and another in DER.
    let block = format!("-----BEGIN CERTIFICATE-----\n{BODY}\n-----END CERTIFICATE-----\n");
    let mut archive = [member("a.pem", block.as_bytes()), member("b.der", CERTIFICATE), vec![0; 1024]].concat();
    assert_eq!(contents(&archive), (2, vec![]));
    for at in [0, 99, 124, 156, 258] {
        let damaged = archive.get_mut(at).unwrap();
        *damaged ^= 1;
        assert_eq!(contents(&archive), (0, vec![("archive".to_owned(), None, 0)]), "{at}");
        assert_eq!(found(&archive), (0, vec![("archive".to_owned(), None, 0)]), "{at}");
        *archive.get_mut(at).unwrap() ^= 1;
    }
}

/// A member of a tar archive (POSIX.1-2017, ustar).
fn member(name: &str, content: &[u8]) -> Vec<u8> {
    let mut header = vec![0; 512];
    let mut put = |at: usize, text: &[u8]| header.get_mut(at..at + text.len()).unwrap().copy_from_slice(text);
    put(0, name.as_bytes());
    put(124, format!("{:011o}", content.len()).as_bytes());
    put(148, b"        0");
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|octet| u32::from(*octet)).sum();
    header.get_mut(148..155).unwrap().copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let padding = vec![0; content.len().next_multiple_of(512) - content.len()];
    [header, content.to_vec(), padding].concat()
}

#[test]
fn a_request_is_no_keystore() {
    // CertRequest ::= SEQUENCE { certReqId INTEGER, certTemplate SEQUENCE { subject [5] } } (RFC 4211 §5)
    for number in [0, 3] {
        let request = [0x30, 0x09, 0x02, 0x01, number, 0x30, 0x04, 0xA5, 0x02, 0x30, 0x00];
        assert!(matches!(recognise(&request), Recognised::Other(_)), "{number}");
        assert_eq!(contents(&request).1, []);
    }
    // PFX ::= SEQUENCE { version INTEGER {v3(3)}, authSafe SEQUENCE { contentType OBJECT IDENTIFIER } } (RFC 7292 §4)
    let pfx = |version| [0x30, 0x08, 0x02, 0x01, version, 0x30, 0x03, 0x06, 0x01, 0x2A];
    assert_eq!(recognise(&pfx(3)), Recognised::Kind(ValueKind::Pkcs12));
    assert_ne!(recognise(&pfx(0)), Recognised::Kind(ValueKind::Pkcs12));
}

#[test]
fn a_truncated_crl_is_recognized_as_one() {
    // TBSCertList with version, signature, issuer and thisUpdate, and another without version.
    let (version, time) = (&[0x02, 0x01, 0x01][..], b"\x17\x0D261121000000Z");
    for version in [version, &[]] {
        let tbs = [version, &[0x30, 0x00, 0x30, 0x00], time, &[0x30, 0x82, 0x10, 0x00, 0x30]].concat();
        // The lengths are of all that is missing, too.
        let crl = [&[0x30, 0x82, 0x20, 0x00, 0x30, 0x82, 0x1F, 0x00][..], &tbs].concat();
        assert_eq!(recognise(&crl), Recognised::Kind(ValueKind::CertificateList));
        assert_eq!(find(&crl, RuleSet::NONE).items.len(), 1);
    }
    let certificate = [0x30, 0x82, 0x20, 0x00, 0x30, 0x82, 0x1F, 0x00, 0xA0, 0x03, 0x02, 0x01, 0x02, 0x02, 0x01];
    assert_eq!(recognise(&certificate), Recognised::Kind(ValueKind::Certificate));
}

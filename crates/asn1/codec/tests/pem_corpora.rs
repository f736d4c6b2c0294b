//! Every PEM file of the corpora: what the reader takes, strictly and laxly, against plain expectations.
#![cfg(feature = "alloc")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::path::Path;

use tagwise_codec::text::{TextForm, sniff};
use tagwise_codec::{FaultKind, Options, RuleSet, Session, pem};
use tagwise_testing::corpus;

fn files(path: &Path, visit: &mut impl FnMut(&Path, &[u8])) {
    let mut entries: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files(&entry, visit);
        } else {
            visit(&entry, &std::fs::read(&entry).unwrap());
        }
    }
}

/// What a plain reading finds: the text between the boundary lines, its base64 decoded by hand.
fn plain(text: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines().map(str::trim) {
        if let Some(label) = line.strip_prefix("-----BEGIN ").and_then(|rest| rest.strip_suffix("-----")) {
            open = Some((label.into(), String::new()));
        } else if line.starts_with("-----END ") {
            if let Some((label, body)) = open.take() {
                found.push((label, body));
            }
        } else if let Some((_, body)) = &mut open {
            body.push_str(line);
        }
    }
    found.into_iter().map(|(label, body)| (label, bits(&body))).collect()
}

fn bits(text: &str) -> Vec<u8> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut out) = (0u32, 0, Vec::new());
    for value in text.chars().filter_map(|c| ALPHABET.find(c)) {
        (bits, count) = (bits << 6 | value as u32, count + 6);
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

#[test]
fn real_files() {
    let mut seen = 0;
    for name in
        ["pyca", "x509-parser-assets", "asn1crypto", "rustcrypto-formats", "lamps-pqc", "openssl", "mozilla-roots"]
    {
        let Some(path) = corpus(name) else { continue };
        files(&path, &mut |file, input| {
            let is_pem = input.windows(11).any(|window| window == b"-----BEGIN ") && sniff(input) == TextForm::Pem;
            let (true, Ok(text)) = (is_pem, std::str::from_utf8(input)) else { return };
            let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
            let lax: Vec<_> = pem::blocks_with(input, &session).collect();
            // Sources and documents that quote boundaries are no PEM files.
            if !file
                .extension()
                .is_some_and(|ext| matches!(ext.to_str(), Some("pem" | "crt" | "key" | "csr" | "p7b" | "pub")))
            {
                return;
            }
            let plain = plain(text);
            let blocks: Vec<_> = lax.iter().flatten().collect();
            if !file.ends_with("no_end.pem") {
                assert_eq!(blocks.len(), plain.len(), "{}: {lax:?}", file.display());
            }
            for (block, (label, octets)) in blocks.iter().zip(&plain) {
                assert_eq!(block.label(), label, "{}", file.display());
                if block.headers().next().is_none() {
                    assert_eq!(&block.decode().unwrap(), octets, "{}", file.display());
                }
                seen += 1;
                // What passes strictly is written again as it was.
                let strict = Session::new(Options::der().rules(RuleSet::NONE));
                let lines = &input[block.begin()..block.end()];
                if let Some(Ok(strict)) = pem::blocks_with(lines, &strict).next()
                    && let (Ok(octets), false) = (strict.decode(), lines.contains(&b'\r'))
                    && !octets.is_empty()
                {
                    let written = pem::encode(block.label(), &octets).unwrap();
                    assert_eq!(written.trim_end().as_bytes(), lines, "{}", file.display());
                }
            }
        });
    }
    println!("{seen} blocks");
}

#[test]
fn no_end() {
    let Some(path) = corpus("x509-parser-assets") else { return };
    let input = std::fs::read(path.join("no_end.pem")).unwrap();
    let error = pem::blocks(&input).next().unwrap().unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.line()), (FaultKind::PemUnterminated, 0, 1));
    assert_eq!(error.rule().unwrap().name, "pem-missing-end");
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let block = pem::blocks_with(&input, &session).next().unwrap().unwrap();
    let octets = block.decode().unwrap();
    assert_eq!(sniff(&octets), TextForm::Der);
    assert_eq!(session.into_deviations()[0].to_string(), "pem-missing-end at byte 0 (RFC 7468 §3)");
}

/// Seeds of other projects' fuzzers: nothing panics, every offset lies in the input, and blocks do not overlap.
#[test]
fn fuzz_seeds() {
    let Some(path) = corpus("fuzz") else { return };
    files(&path, &mut |file, input| {
        for rules in [RuleSet::NONE, RuleSet::PEM, RuleSet::PEM_LAX] {
            let session = Session::new(Options::der().rules(rules));
            let mut last = 0;
            for found in pem::blocks_with(input, &session) {
                match found {
                    Ok(block) => {
                        assert!(block.begin() >= last && block.end() <= input.len(), "{}", file.display());
                        last = block.end();
                        if let Err(error) = block.decode() {
                            assert!(error.offset() <= input.len() && error.line() >= block.line());
                        }
                    }
                    Err(error) => assert!(error.offset() <= input.len() && error.line() > 0),
                }
            }
        }
        assert!(sniff(input) != TextForm::Unknown || !input.starts_with(b"-----BEGIN "));
    });
}

//! Every file of the corpora as text and back, octet by octet; and texts in DER ASCII that others wrote.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::Budget;
use tagwise_notation::{Options, parse, to_text};
use tagwise_pkix::oids;
use tagwise_tests::corpora;

fn named() -> Options {
    Options { names: Some(|oid| oids::lookup(oid).map(|info| info.name)), ..Options::DEFAULT }
}

/// Writes and reads; gives the number of characters.
fn hold(name: &str, octets: &[u8], options: &Options) -> usize {
    let text = to_text(octets, options).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let again = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert!(again == octets, "{name} comes back otherwise:\n{text}");
    text.len()
}

/// Every file below a folder, as it is and decoded where it is PEM.
fn hold_set(set: &str) {
    let Some(folder) = corpora::set(set) else { return };
    let (mut files, mut octets, mut characters) = (0, 0, 0);
    for (name, file) in corpora::files(&folder) {
        // Very large lists are not more of the same ten times over.
        if file.len() > 4 << 20 {
            continue;
        }
        let mut parts: Vec<Vec<u8>> = corpora::contents(&file).into_iter().map(|(_, octets)| octets).collect();
        parts.push(file);
        for part in parts {
            characters += hold(&format!("{set}/{name}"), &part, &named());
            octets += part.len();
            files += 1;
        }
    }
    println!("{set}: {files} files and blocks, {octets} octets, {characters} characters");
    assert!(files > 0, "{set} is empty");
}

#[test]
fn certificates_and_lists() {
    for set in ["pkits", "mozilla-roots", "crl/real", "pyca", "lamps-pqc", "x509-parser-assets", "mtc"] {
        hold_set(set);
    }
}

#[test]
fn messages_and_keys() {
    for set in ["asn1crypto", "rustcrypto-formats", "rfc-samples", "kerberos/mit-asn1", "kerberos/captures", "rasn"] {
        hold_set(set);
    }
}

#[test]
fn edge_cases() {
    for set in ["ber-strozhevsky", "openssl", "fuzz/boringssl", "pyasn1-codec"] {
        hold_set(set);
    }
}

/// Without comments and without nesting, and with little depth: other texts, the same octets.
#[test]
fn other_options() {
    for set in ["rfc-samples", "ber-strozhevsky", "fuzz/boringssl"] {
        let Some(folder) = corpora::set(set) else { continue };
        for (name, file) in corpora::files(&folder) {
            for options in [
                Options { comments: false, nested: false, ..Options::DEFAULT },
                Options { budget: Budget { depth: 2, ..Budget::DEFAULT }, ..named() },
            ] {
                hold(&name, &file, &options);
            }
        }
    }
}

/// The certificates and keys of the post-quantum drafts stand beside their text in DER ASCII.
#[test]
fn texts_of_others() {
    let Some(folder) = corpora::set("lamps-pqc") else { return };
    let files = corpora::files(&folder);
    let mut seen = 0;
    for (name, text) in &files {
        let Some(twin) = name.strip_suffix(".txt").and_then(|twin| files.get(twin)) else { continue };
        let blocks = corpora::contents(twin);
        let [(_, octets)] = blocks.as_slice() else { panic!("{name} has a twin of {} blocks", blocks.len()) };
        if !text.windows(10).any(|part| part == b"SEQUENCE {") {
            continue;
        }
        match parse(text) {
            Ok(again) => assert!(again == *octets, "{name} says something else than its twin"),
            Err(error) => panic!("{name}: {error}"),
        }
        seen += 1;
    }
    println!("{seen} texts");
    assert!(seen >= 20, "{seen} texts");
}

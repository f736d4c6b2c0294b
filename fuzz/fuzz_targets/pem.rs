//! PEM: what stricter rules take, laxer ones take with the same octets; strict blocks are what encoding writes but for line
//! endings; blocks and errors lie inside the input, in order.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::text::{base64, hex, sniff};
use tagwise_codec::{Options, RuleSet, Session, pem};

type Found = Vec<(String, Vec<u8>)>;

/// The blocks that decode under some rules, and whether all did.
fn read(data: &[u8], rules: RuleSet) -> (Found, bool, usize) {
    let session = Session::new(Options::der().rules(rules));
    let (mut found, mut all, mut end) = (Vec::new(), true, 0);
    for block in pem::blocks_with(data, &session) {
        match block {
            Ok(block) => {
                assert!(end <= block.begin() && block.begin() < block.end() && block.end() <= data.len());
                // The line break after the block before belongs to neither.
                assert!(end + block.preamble().len() <= block.begin());
                assert!(data[..block.begin()].ends_with(block.preamble()));
                assert!(block.body().len() <= block.end() - block.begin());
                for header in block.headers() {
                    assert!(header.0.len() + header.1.len() <= data.len());
                }
                end = block.end();
                match block.decode() {
                    Ok(octets) => {
                        assert!(octets.len() <= block.decoded_len());
                        found.push((block.label().to_owned(), octets));
                    }
                    Err(error) => {
                        assert!(error.offset() <= data.len());
                        all = false;
                    }
                }
            }
            Err(error) => {
                assert!(error.offset() <= data.len(), "{error}");
                all = false;
                // The next preamble may begin anywhere after a block that could not be read.
                end = usize::MAX;
            }
        }
        if end == usize::MAX {
            return (found, false, 0);
        }
    }
    let notes = session.into_deviations();
    assert!(notes.iter().all(|note| note.offset <= data.len()));
    (found, all, notes.len())
}

fuzz_target!(|data: &[u8]| {
    let (strict, all_strict, noted) = read(data, RuleSet::NONE);
    assert_eq!(noted, 0);
    let (plain, all_plain, _) = read(data, RuleSet::PEM);
    let (lax, all_lax, _) = read(data, RuleSet::PEM_LAX);
    if all_strict {
        assert!(all_plain && strict == plain);
    }
    if all_plain {
        assert!(all_lax && plain == lax);
    }
    // However many errors there are, the walk ends.
    assert!(pem::blocks(data).count() <= data.len() + 1);
    for (label, octets) in &strict {
        let text = pem::encode(label, octets).expect("the label was read");
        // A block of nothing has an empty line, which the strictest grammar does not know.
        let rules = if octets.is_empty() { RuleSet::PEM } else { RuleSet::NONE };
        let (again, all, _) = read(text.as_bytes(), rules);
        assert!(all && again == [(label.clone(), octets.clone())]);
    }
    let _ = sniff(data);
    if let Ok(octets) = base64::decode(data) {
        assert_eq!(base64::encode(&octets).as_bytes(), data);
    }
    if let Ok(octets) = hex::decode(data) {
        assert!(octets.len() * 2 <= data.len());
    }
});

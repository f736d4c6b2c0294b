//! Encodings as text: whatever octets are, their text gives them back, and nothing in it is hidden; whatever a text is, it
//! gives octets or an error inside it; and the text of those octets is stable.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::Budget;
use tagwise_notation::{Options, parse, parse_within, to_text};
use tagwise_pkix::oids;

fn round(octets: &[u8], options: &Options) -> String {
    let text = to_text(octets, options).expect("the budget is large enough");
    match parse(&text) {
        Ok(again) => assert!(again == octets, "{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
    text
}

fuzz_target!(|data: &[u8]| {
    let named = Options { names: Some(|oid| oids::lookup(oid).map(|info| info.name)), ..Options::DEFAULT };
    let text = round(data, &named);
    assert!(!text.chars().any(|char| char.is_control() && char != '\n'));
    round(data, &Options { comments: false, nested: false, ..named });
    round(data, &Options { budget: Budget { depth: 2, ..Budget::DEFAULT }, ..named });
    // Budgets are held.
    let small = Budget { output: 100, elements: 5, ..Budget::DEFAULT };
    if let Ok(text) = to_text(data, &Options { budget: small, ..named }) {
        assert!(text.len() <= 100);
    }
    if let Ok(octets) = parse_within(data, small) {
        assert!(octets.len() <= 100);
    }
    match parse(data) {
        Ok(octets) => {
            let text = round(&octets, &named);
            assert_eq!(round(&octets, &named), text);
        }
        Err(error) => {
            assert!(error.offset() <= data.len() && error.line() > 0 && error.column() > 0);
            assert!(!error.to_string().contains(char::is_control));
        }
    }
});

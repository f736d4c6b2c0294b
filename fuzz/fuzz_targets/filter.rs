//! Filters of `tagwise scan`: any text is understood, or refused at one of its characters.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_cli::Filter;

fuzz_target!(|text: &str| {
    if let Err(error) = Filter::parse(text, 1_800_000_000) {
        let message = error.to_string();
        assert!(message.starts_with("at character ") && !message.contains(char::is_control), "{message}");
    }
});

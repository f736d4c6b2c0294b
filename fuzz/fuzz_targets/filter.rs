//! Filters of `tagwise scan`: any text is understood, or refused at one of its characters.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_cli::Filter;
use tagwise_codec::UnixTime;

fuzz_target!(|text: &str| {
    if let Err(error) = Filter::parse(text, UnixTime(1_800_000_000)) {
        let message = error.to_string();
        assert!(message.starts_with("at character ") && !message.contains(char::is_control), "{message}");
    }
});

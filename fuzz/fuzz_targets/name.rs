//! Names: whatever decodes can be written, read again and compared; whatever text parses is a name in DER.
//!
//! The input is taken as DER and as text, and split in two at every element for comparisons.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{Decode, Options, Rule, encode};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{Name, profile};

fn compare(one: &Name<'_>, other: &Name<'_>) {
    let same = one.matches(other);
    assert_eq!(same, other.matches(one));
    assert_eq!(same, one.match_key() == other.match_key());
    assert_eq!(same, one.is_within(other) && other.is_within(one));
}

fn visit(name: &Name<'_>) {
    assert!(name.matches(name) && name.is_within(name) && name.is_within(&Name::default()));
    assert!(!name.oneline().to_string().contains(|c: char| c.is_control()));
    for attribute in name.attributes() {
        let _ = attribute.text().map(|text| text.len());
    }
}

/// What is written is read again, as a name that matches.
fn write_and_read(name: &Name<'_>) {
    for text in [name.rfc4514().to_string(), name.rfc4514().extended().to_string()] {
        let again = NameBuf::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        compare(name, &again.name());
        assert!(again.name().matches(name), "{text}");
    }
}

fuzz_target!(|data: &[u8]| {
    match Name::from_der(data) {
        Ok(name) => {
            assert_eq!(encode(&name).as_deref(), Ok(data));
            visit(&name);
            write_and_read(&name);
        }
        Err(error) => assert!(error.offset() <= data.len()),
    }
    if let Ok(name) = Name::outline(data) {
        visit(&name);
        let _ = (name.rfc4514().to_string(), name.match_key());
    }
    let all = Rule::ALL.iter().chain(profile::ALL).fold(Options::der(), |options, rule| options.allow(rule));
    if let Ok(read) = all.decode::<Name<'_>>(data) {
        assert_eq!(read.deviations.is_empty(), Name::from_der(data).is_ok());
        visit(&read.value);
        let _ = read.value.rfc4514().to_string();
    }
    if let Ok(text) = core::str::from_utf8(data) {
        match NameBuf::parse(text) {
            Ok(parsed) => {
                assert_eq!(Name::from_der(parsed.as_der()).as_ref(), Ok(&parsed.name()));
                visit(&parsed.name());
                write_and_read(&parsed.name());
            }
            Err(error) => assert!(error.offset <= data.len() && text.is_char_boundary(error.offset)),
        }
    }
    // Two names in a row.
    let mut reader = tagwise_codec::Reader::new(data).unwrap();
    if let (Ok(one), Ok(other)) = (reader.read::<Name<'_>>(), reader.read::<Name<'_>>()) {
        compare(&one, &other);
    }
});

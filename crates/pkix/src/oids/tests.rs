use std::collections::HashMap;

use super::*;

#[test]
fn identifiers_and_names_are_unique() {
    let mut identifiers = HashMap::new();
    let mut names = HashMap::new();
    for info in all() {
        assert_eq!(identifiers.insert(info.oid, info), None, "{info:?}");
        for name in [Some(info.name), info.short].into_iter().flatten() {
            let other = names.insert(name.to_ascii_lowercase(), info);
            assert!(other.is_none_or(|other| other == info), "{info:?} {other:?}");
        }
    }
    assert!(all().len() >= 1100, "{}", all().len());
}

#[test]
fn every_entry_is_found_by_each_of_its_keys() {
    for info in all() {
        assert_eq!(lookup(info.oid), Some(info));
        assert_eq!(by_name(info.name), Some(info));
        assert_eq!(by_name(&info.name.to_ascii_uppercase()), Some(info));
        assert_eq!(by_dotted(&info.oid.to_string()), Some(info));
        if let Some(short) = info.short {
            assert_eq!(by_name(&short.to_ascii_lowercase()), Some(info));
        }
        assert!(!info.standard.is_empty() && info.name.is_ascii() && info.name != info.short.unwrap_or_default());
    }
}

#[test]
fn what_is_not_listed_is_not_found() {
    for octets in
        [&[0x55][..], &[0x55, 4], &[0x55, 4, 0x83, 3], &[0; 40], &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 0x7F]]
    {
        assert_eq!(lookup(Oid::from_content(octets).unwrap()), None);
    }
    for name in ["", "commonNam", "commonNamee", "CN ", "\u{212A}"] {
        assert_eq!(by_name(name), None, "{name}");
    }
}

#[test]
fn dotted_text_is_read_as_strictly_as_it_is_written() {
    let octets = |text: &str| {
        let mut octets = Vec::new();
        push_dotted(text, &mut octets).then_some(octets)
    };
    assert_eq!(octets("2.5.4.3"), Some(vec![0x55, 4, 3]));
    assert_eq!(octets("0.0"), Some(vec![0]));
    assert_eq!(octets("1.39.128"), Some(vec![79, 0x81, 0]));
    assert_eq!(octets("2.999.0"), Some(vec![0x88, 0x37, 0]));
    let uuid = "2.25.329800735698586629295641978511506172918";
    let read = octets(uuid).unwrap();
    assert_eq!(Oid::from_content(&read).unwrap().to_string(), uuid);
    for text in [
        "", "1", "1.", ".1", "1..2", "3.1", "0.40", "1.040", "1.100", "1.2.03", "1.2.a", "1.2.-3", "1.2.+3", "1.2 ",
        "01.2",
    ] {
        assert_eq!(octets(text), None, "{text}");
    }
    assert_eq!(octets(&format!("2.{}", "9".repeat(MAX_DOTTED))), None);
    assert!(octets(&format!("2.{}", "9".repeat(MAX_DOTTED - 2))).is_some());
}

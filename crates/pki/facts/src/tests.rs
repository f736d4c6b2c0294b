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
    assert!(all().count() >= 1100, "{}", all().count());
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
fn attribute_types_are_found_alone() {
    for info in all() {
        let expected = Some(info).filter(|info| info.kind == ObjectKind::Attribute);
        assert_eq!((attribute(info.oid), attribute_by_name(info.name)), (expected, expected));
        assert_eq!(info.short.and_then(attribute_by_name), expected.filter(|info| info.short.is_some()));
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

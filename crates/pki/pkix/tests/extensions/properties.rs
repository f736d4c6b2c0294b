//! Whatever the octets: no panic, what is accepted encodes again to the same octets, what is shown is harmless.

use std::fmt::Write as _;

use proptest::prelude::*;
use tagwise_codec::{Encode, Open, OpenType, Unknown, Writer};
use tagwise_pkix::ext::*;

use crate::corpora::{contents, extensions, files};

/// Decodes a value, writes it again, and shows what can be shown.
fn exercise(key: &[u8], value: &[u8]) {
    let Ok(read) = Open::<ExtensionValue<'_>>::new(key, value).get() else { return };
    let mut buffer = vec![0; read.open_len()];
    let mut writer = Writer::new(&mut buffer);
    read.encode_open(&mut writer, true).unwrap();
    assert_eq!(writer.written(), value, "{read:?}");

    let mut shown = String::new();
    match read {
        ExtensionValue::SubjectAltName(names) => names.0.iter().for_each(|name| write(&mut shown, name.unwrap())),
        ExtensionValue::IssuerAltName(names) => names.0.iter().for_each(|name| write(&mut shown, name.unwrap())),
        ExtensionValue::CrlDistributionPoints(points) => points.full_names().for_each(|name| write(&mut shown, name)),
        ExtensionValue::AuthorityInfoAccess(access) => {
            access.0.iter().for_each(|access| write(&mut shown, access.unwrap().access_location));
        }
        ExtensionValue::NameConstraints(constraints) => {
            let subtrees = constraints.permitted_subtrees.into_iter().chain(constraints.excluded_subtrees);
            subtrees.for_each(|list| list.iter().for_each(|subtree| write(&mut shown, subtree.unwrap().base)));
        }
        ExtensionValue::SctList(list) => list.iter().for_each(|sct| match sct {
            Sct::V1(sct) => write(&mut shown, sct),
            other => write(&mut shown, format_args!("{other:?}")),
        }),
        ExtensionValue::KeyUsage(usage) => usage.names().for_each(|name| write(&mut shown, name)),
        _ => {}
    }
    assert!(!shown.contains(|char: char| char.is_control() || ('\u{202A}'..='\u{202E}').contains(&char)), "{shown:?}");
}

fn write(shown: &mut String, name: impl std::fmt::Display) {
    write!(shown, "{name};").unwrap();
}

/// Every extension of the test certificates, with one octet changed.
#[test]
fn mutations() {
    for octets in files("pyca/x509").into_values() {
        for der in contents(&octets) {
            for (id, value, _) in extensions(&der).into_iter().filter(|(_, value, _)| value.len() < 500) {
                exercise(id.as_bytes(), value);
                let mut changed = value.to_vec();
                for at in 0..value.len() {
                    for octet in [0x00, 0x1B, 0x30, 0x80, 0xFF, value[at] ^ 1, value[at].wrapping_add(1)] {
                        changed[at] = octet;
                        exercise(id.as_bytes(), &changed);
                    }
                    changed[at] = value[at];
                }
            }
        }
    }
}

/// Octets that are likely to be elements in elements.
fn elements() -> impl Strategy<Value = Vec<u8>> {
    let tag = prop::sample::select(vec![
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0A, 0x0C, 0x13, 0x16, 0x18, 0x1A, 0x1E, 0x30, 0x31, 0x80, 0x81, 0x82,
        0x86, 0x87, 0x88, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5,
    ]);
    let leaf =
        (tag.clone(), prop::collection::vec(any::<u8>(), 0..6)).prop_map(|(tag, content)| crate::el(tag, &[&content]));
    leaf.prop_recursive(5, 24, 4, move |inner| {
        (tag.clone(), prop::collection::vec(inner, 0..4)).prop_map(|(tag, parts)| crate::el(tag, &[&parts.concat()]))
    })
}

proptest! {
    #[test]
    fn any_octets(index in any::<prop::sample::Index>(), value in elements()) {
        let objects = &ExtensionValue::set().objects;
        exercise(&index.get(objects).key, &value);
    }
}

/// An extension that is not known is kept, whatever it holds.
#[test]
fn unknown_extensions() {
    for value in [&[][..], &[0xFF], &[0x30, 0x80, 0x00]] {
        let key = [0x2A, 0x03];
        let read = Open::<ExtensionValue<'_>>::new(&key, value).get().unwrap();
        assert_eq!(read, ExtensionValue::Unknown(Unknown { key: &key, bytes: value, offset: 0 }));
        assert_eq!(read.open_len(), value.len());
    }
    assert_eq!(KeyUsage::default().encoded_len(), 3);
}

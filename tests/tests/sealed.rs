//! What `from_der_sealed` leaves alone: values of extensions and keys, and nothing else.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::{Decode, Error};
use tagwise_pkix::Certificate;
use tagwise_tests::sets;

/// What a strict reading refuses and a sealed one does not lies inside the value of an extension, or inside the key.
fn hold(der: &[u8]) -> Option<Error> {
    let (strict, sealed) = (Certificate::from_der(der), Certificate::from_der_sealed(der));
    let Ok(sealed) = sealed else {
        assert!(strict.is_err(), "what is sealed is asked less");
        return None;
    };
    let error = strict.err()?;
    let tbs = &sealed.tbs_certificate;
    let within = |part: &[u8]| {
        let start = part.as_ptr() as usize - der.as_ptr() as usize;
        (start..=start + part.len()).contains(&error.offset())
    };
    let mut values = tbs.extensions.iter().flat_map(|list| list.iter()).map(|one| one.unwrap().extn_value.as_bytes());
    let in_value = values.any(within);
    // The count of unused bits is the key's.
    let key = tbs.subject_public_key_info.subject_public_key.as_bytes();
    let key_start = key.as_ptr() as usize - der.as_ptr() as usize - 1;
    assert!(in_value || (key_start..=key_start + 1 + key.len()).contains(&error.offset()), "{error}");
    Some(error)
}

#[test]
fn nothing_but_values_and_keys_is_left_alone() {
    let Some(items) = sets::ccadb() else { return };
    let refused: Vec<_> = items.iter().filter_map(|item| hold(&item.octets)).collect();
    // Some of these certificates have such values.
    assert!(refused.iter().any(|error| error.path().contains("extnValue")));
}

/// Every octet of a few certificates is changed in turn.
#[test]
fn nor_in_what_is_nearly_a_certificate() {
    let Some(items) = sets::ccadb() else { return };
    let mut left_alone = 0;
    for item in items.iter().step_by(2_000) {
        for at in 0..item.octets.len() {
            for change in [0x01, 0x80, 0xFF] {
                let mut octets = item.octets.clone();
                octets[at] ^= change;
                left_alone += usize::from(hold(&octets).is_some());
            }
        }
    }
    assert!(left_alone > 100);
}

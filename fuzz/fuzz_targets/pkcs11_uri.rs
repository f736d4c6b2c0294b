//! PKCS #11 URIs: what parses is written so that it parses to the same, matches itself, and shows no PIN when it is debugged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_pkix::pkcs11::Pkcs11Uri;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let uri = match text.parse::<Pkcs11Uri>() {
        Ok(uri) => uri,
        Err(error) => return assert!(error.offset <= text.len(), "{error}"),
    };
    let written = uri.to_string();
    assert_eq!(written.parse::<Pkcs11Uri>().as_ref(), Ok(&uri), "{written}");
    assert!(written.is_ascii(), "{written}");
    assert!(uri.matches(&uri), "{written}");
    let mut blank = uri.clone();
    blank.pin_value = uri.pin_value.as_ref().map(|_pin| String::new());
    assert_eq!(format!("{uri:?}"), format!("{blank:?}"), "a PIN is shown");
});

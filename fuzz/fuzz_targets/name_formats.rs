//! Names as OpenSSL prints them: any name, well-formed or not, becomes printable ASCII without line breaks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::Decode;
use tagwise_pkix::Name;

fuzz_target!(|data: &[u8]| {
    let Ok(name) = Name::outline(data) else { return };
    for form in [name.openssl_rfc2253(), name.openssl_oneline(), name.openssl_compat()] {
        let text = form.to_string();
        assert!(text.bytes().all(|octet| (b' '..=b'~').contains(&octet)), "{text:?}");
        let mut buffer = String::from("=");
        form.write(&mut buffer).unwrap();
        assert_eq!(buffer.strip_prefix('='), Some(&*text));
    }
});

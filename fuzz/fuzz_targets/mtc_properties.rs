//! Certificate property lists: what is read is written as it came.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_mtc::CertificateProperties;

fuzz_target!(|data: &[u8]| {
    match CertificateProperties::decode(data) {
        Ok(properties) => {
            assert_eq!(properties.encode().as_deref(), Ok(data));
            if let Some(id) = &properties.trust_anchor {
                assert!(properties.matches(id));
            }
        }
        Err(error) => assert!(error.offset() <= data.len(), "{error}"),
    }
});

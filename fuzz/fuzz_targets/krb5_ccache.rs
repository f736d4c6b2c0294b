//! Credential caches: what is read is written to the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_krb5::Ccache;

fuzz_target!(|data: &[u8]| {
    let Ok(cache) = Ccache::from_bytes(data) else { return };
    let _ = (cache.time_offset(), cache.config("fast_avail", Some(cache.principal())), cache.tickets().count());
    let written = cache.to_bytes().expect("what was read has lengths that are written");
    let again = Ccache::from_bytes(&written).expect("what was written");
    assert_eq!(again.to_bytes().ok(), Some(written));
});

//! Keytabs: what is read is written in version 2, and read again to the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_krb5::Keytab;

fuzz_target!(|data: &[u8]| {
    let Ok(keytab) = Keytab::from_bytes(data) else { return };
    let written = keytab.to_bytes().expect("what was read has lengths of 16 bits");
    let again = Keytab::from_bytes(&written).expect("what was written");
    assert_eq!(keytab.entries().len(), again.entries().len());
    for (one, other) in keytab.entries().iter().zip(again.entries()) {
        assert_eq!((&one.principal, one.kvno, one.enc_type), (&other.principal, other.kvno, other.enc_type));
        assert_eq!(one.key.expose(), other.key.expose());
    }
    assert_eq!(again.to_bytes().ok(), Some(written));
});
